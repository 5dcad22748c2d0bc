"""Writes the same recording as Parquet in the ways that pyarrow, pandas and DuckDB have.

Used by tests/it/recorded/typed_times.rs. Takes a folder. Eight checks ten seconds apart from
2023-11-14T22:13:20Z, the fourth of them failed; prints the names of the files as JSON: those whose times have
a zone, those without one, and those that must be refused.
"""

import datetime
import json
import sys

import duckdb
import pandas
import pyarrow
import pyarrow.parquet

folder = sys.argv[1]
start = datetime.datetime(2023, 11, 14, 22, 13, 20)
civil = [start + datetime.timedelta(seconds=10 * i) for i in range(8)]
up = [i != 3 for i in range(8)]
zoned, naive, refused = [], [], []


def path(name, into):
    into.append(name)
    return f"{folder}/{name}"


def write(name, times, into, **options):
    # Columns of kinds that no recording needs must not be in the way.
    columns = {
        "tags": pyarrow.array([["a", "b"]] * 8),
        "where": pyarrow.array([{"rack": 1}] * 8),
        "time": times,
        "status": pyarrow.array(["up" if ok else "down" for ok in up]),
        "cost": pyarrow.array([1] * 8).cast(pyarrow.decimal128(38, 2)),
        "took": pyarrow.array([5] * 8, type=pyarrow.duration("ms")),
        "region": pyarrow.array(["eu"] * 8).dictionary_encode(),
    }
    # A category named `region` would be taken for the series.
    columns["kind"] = columns.pop("region")
    pyarrow.parquet.write_table(pyarrow.table(columns), path(name, into), **options)


for unit in ["s", "ms", "us", "ns"]:
    plain = pyarrow.array(civil, type=pyarrow.timestamp(unit))
    write(f"pyarrow-{unit}.parquet", plain, naive)
    for zone in ["UTC", "Europe/Berlin", "+05:30"]:
        name = f"pyarrow-{unit}-{zone.replace('/', '-').replace(':', '')}.parquet"
        write(name, plain.cast(pyarrow.timestamp(unit, tz=zone)), zoned)
write(
    "pyarrow-int96.parquet",
    pyarrow.array(civil, type=pyarrow.timestamp("ns")),
    naive,
    use_deprecated_int96_timestamps=True,
)
write(
    "pyarrow-no-arrow-schema.parquet",
    pyarrow.array(civil, type=pyarrow.timestamp("us", tz="UTC")),
    zoned,
    store_schema=False,
)

index = pandas.DatetimeIndex(civil)
frame = pandas.DataFrame({"healthy": up}, index=index)
frame.to_parquet(path("pandas-nameless-index.parquet", naive))
frame.tz_localize("UTC").tz_convert("America/New_York").to_parquet(path("pandas-new-york.parquet", zoned))
frame.rename_axis("when").reset_index().to_parquet(path("pandas-column.parquet", naive))

database = duckdb.connect()
database.execute("set timezone = 'Asia/Tokyo'")
database.execute("create table checks (ts timestamp, ok boolean)")
database.executemany("insert into checks values (?, ?)", list(zip(civil, up)))
for kind in ["timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns"]:
    target = path(f"duckdb-{kind}.parquet", naive)
    database.execute(f"copy (select ts::{kind} as ts, ok from checks) to '{target}' (format parquet)")
target = path("duckdb-timestamptz.parquet", zoned)
database.execute(
    f"copy (select ts at time zone 'UTC' as ts, ok from checks) to '{target}' (format parquet)"
)

category = pandas.DataFrame({"time": civil, "status": ["up" if ok else "down" for ok in up]})
category["status"] = category["status"].astype("category")
category.to_parquet(path("pandas-category.parquet", refused))

json.dump({"zoned": zoned, "naive": naive, "refused": refused}, sys.stdout)
