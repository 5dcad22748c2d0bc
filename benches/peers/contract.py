"""The work that every peer does, and the one way in which each reports it.

The work: REPLICATIONS seeded months of DAYS days. Healthy gaps are exponential with mean GAP_S, measured
from the end of a blip; blips are exponential with mean LENGTH_S; a probe is due every INTERVAL_S with a
phase that is uniform per replication, and fails iff it falls inside a blip. A trigger fires when a run of
failed probes reaches its count, once a run. The answer is the number of firings of each of six triggers.

The report is one line of JSON on standard output:

    {"name", "seconds", "per_blip_ns", "rates", "counts", "days", "blips", "repeats"}

`seconds` is the median over the repeats of the time of one answer, inside the process and after a warm-up;
`counts` are firings pooled over the repeats, every repeat with seeds of its own, `days` the days they
cover, and `rates` their quotient, in the order of TRIGGERS.
"""

import argparse
import json
import statistics
import time

REPLICATIONS = 30
DAYS = 30
INTERVAL_S = 10.0
GAP_S = 900.0
LENGTH_S = 20.0

# (trigger, failed probes in a row that fire it, exact firings a day, the same for blips taken one at a
# time). The exact value is that of the sampled two-state Markov chain, joined runs included; the isolated
# one is wrong by up to 10 % and is here to show that the check could tell.
TRIGGERS = [
    ("consecutive:1", 1, 73.52863373, 73.90380652),
    ("consecutive:3", 3, 27.22812789, 27.18769104),
    ("consecutive:6", 6, 6.135637738, 6.066393857),
    ("window:60s", 7, 3.733708021, 3.679453868),
    ("consecutive:12", 12, 0.3115613425, 0.3020279657),
    ("window:300s", 31, 2.482422956e-05, 2.260734591e-05),
]
RUN_LENGTHS = [run_length for _, run_length, _, _ in TRIGGERS]


def report(name, answer, repeats):
    """Measures `answer(seed, replications, days) -> (counts, blips)` and prints the report.

    `--repeats` overrides the number of timed answers; `--cold` leaves the warm-up out, for timing one
    answer as a whole process; `--seed` moves all seeds, so that rounds do not repeat each other.
    """
    parser = argparse.ArgumentParser(description=f"The common work in {name}.")
    parser.add_argument("--repeats", type=int, default=repeats)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options, _ = parser.parse_known_args()

    if not options.cold:
        answer(0, 1, 1)
    counts, blips, seconds = [0] * len(TRIGGERS), 0, []
    for repeat in range(options.repeats):
        begun = time.perf_counter()
        found, found_blips = answer(options.seed * 1_000_000 + repeat, REPLICATIONS, DAYS)
        seconds.append(time.perf_counter() - begun)
        counts = [total + int(more) for total, more in zip(counts, found)]
        blips += int(found_blips)

    median = statistics.median(seconds)
    days = options.repeats * REPLICATIONS * DAYS
    print(
        json.dumps(
            {
                "name": name,
                "seconds": median,
                "per_blip_ns": median * 1e9 * options.repeats / blips,
                "rates": [count / days for count in counts],
                "counts": counts,
                "days": days,
                "blips": blips,
                "repeats": options.repeats,
            }
        )
    )
