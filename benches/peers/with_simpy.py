"""The work in SimPy: processes that yield time-outs.

Two ways, to tell the algorithm from the machine:

- `simpy` (default) is how one writes it: a process for the region, a process that probes. An event a
  probe: 7.8 million a month of 30 seeds, however rare blips are.
- `simpy-by-blip` (`--by-blip`) wakes up at changes only and finds the probes between two changes by
  arithmetic, as this project's event queue does. Same library, same machine, another algorithm.

Leaner than usual in the peer's favour: the six triggers share one run counter instead of being six
objects that observe every probe.
"""

import math
import random
import sys

import simpy

from contract import GAP_S, INTERVAL_S, LENGTH_S, RUN_LENGTHS, report

BY_BLIP = "--by-blip" in sys.argv


class Region:
    """Whether a blip is in progress, and how many there were."""

    def __init__(self):
        self.failing = False
        self.blips = 0


def blip_process(env, region, rng):
    """Gap, blip, gap, blip."""
    while True:
        yield env.timeout(rng.expovariate(1.0 / GAP_S))
        region.failing = True
        region.blips += 1
        yield env.timeout(rng.expovariate(1.0 / LENGTH_S))
        region.failing = False


def probe_process(env, region, phase, firings):
    """Probes every interval; counts the run of failed probes and fires each trigger at its length."""
    yield env.timeout(phase)
    run = 0
    while True:
        if region.failing:
            run += 1
            if run in firings:
                firings[run] += 1
        else:
            run = 0
        yield env.timeout(INTERVAL_S)


def spell_process(env, region, phase, firings, rng, horizon):
    """The same month with an event a change: a blip is the probes from its start to its end."""
    run, previous_end = 0, -1
    while True:
        yield env.timeout(rng.expovariate(1.0 / GAP_S))
        region.blips += 1
        first = math.ceil((env.now - phase) / INTERVAL_S)
        yield env.timeout(rng.expovariate(1.0 / LENGTH_S))
        end = math.ceil((min(env.now, horizon) - phase) / INTERVAL_S)
        # No healthy probe since the blip before: one run goes on.
        before = run if first == previous_end else 0
        run, previous_end = before + end - first, end
        for length in firings:
            if before < length <= run:
                firings[length] += 1


def answer(seed, replications, days):
    """Runs the months one by one and adds up the firings."""
    horizon = days * 86_400.0
    totals, blips = [0] * len(RUN_LENGTHS), 0
    for replication in range(replications):
        rng = random.Random(f"{seed}/{replication}")
        env, region = simpy.Environment(), Region()
        phase = rng.uniform(0.0, INTERVAL_S)
        firings = dict.fromkeys(RUN_LENGTHS, 0)
        if BY_BLIP:
            env.process(spell_process(env, region, phase, firings, rng, horizon))
            env.run(until=horizon)
        else:
            env.process(blip_process(env, region, rng))
            env.process(probe_process(env, region, phase, firings))
            env.run(until=horizon)
        totals = [total + firings[length] for total, length in zip(totals, RUN_LENGTHS)]
        blips += region.blips
    return totals, blips


if __name__ == "__main__":
    if BY_BLIP:
        report("simpy-by-blip", answer, repeats=5)
    else:
        report("simpy", answer, repeats=1)
