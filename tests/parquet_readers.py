"""Opens a folder of results with pyarrow, pandas and DuckDB, and says what each of them sees.

Used by tests/it/parquet.rs, which compares the answers with the program's own. Prints one JSON object.
"""

import json
import sys

import duckdb
import pandas
import pyarrow.parquet

path = sys.argv[1] + "/results.parquet"

table = pyarrow.parquet.read_table(path)
metadata = pyarrow.parquet.read_metadata(path).metadata
frame = pandas.read_parquet(path)
database = duckdb.connect()
quoted = path.replace("'", "''")
database.execute(f"create view results as select * from '{quoted}'")

json.dump(
    {
        "pyarrow": {
            "rows": table.num_rows,
            "columns": table.column_names,
            "types": [str(field.type) for field in table.schema],
            "spec_hash": metadata[b"failover-budget.spec_hash"].decode(),
        },
        "pandas": {
            "rows": len(frame),
            "columns": list(frame.columns),
            "false_failovers": int(frame["false_failovers"].sum()),
            "mean_blip_s": sorted(frame["blips.length.mean_s"].unique().tolist()),
            "nulls": int(frame["false_failovers_less_next_per_day"].isna().sum()),
            "frontier": int(frame["on_frontier"].sum()),
        },
        "duckdb": {
            "rows": database.execute("select count(*) from results").fetchone()[0],
            "false_failovers": int(
                database.execute("select sum(false_failovers) from results").fetchone()[0]
            ),
            "triggers": [
                row[0]
                for row in database.execute(
                    "select trigger from results where target = 'warm' and \"blips.length.mean_s\" = 20"
                    " order by patience_s"
                ).fetchall()
            ],
        },
    },
    sys.stdout,
)
