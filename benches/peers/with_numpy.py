"""The work in numpy: whole months as arrays, no event and no probe is ever visited.

Algorithm: blip i covers the probes from `first[i]` to just before `last[i]`; its run of failed probes is the
difference, and six comparisons answer six triggers. Only the blips that touch (no healthy probe between
them, one in 180) need another look. That is the same algorithm as this project's kernel.

Machine: what is left is one pass over memory an operation. The clock counts 2^-32 of an interval in an
int64, because a running sum of integers is ten times as fast as one of floats here (it need not wait for
the addition before it), and because the probe index is then a shift. Buffers are kept between answers: fresh
ones cost a page fault every 4 KiB.
"""

import math

import numpy as np

from contract import GAP_S, INTERVAL_S, LENGTH_S, RUN_LENGTHS, report

TICKS = 2.0**32  # ticks of the clock in one probe interval
BUFFERS = {}


def buffers(replications, blips):
    """Draws, ticks and ends for so many blips, made once."""
    shape = (replications, blips)
    if shape not in BUFFERS:
        BUFFERS[shape] = (
            np.empty((2, *shape)),
            np.empty((2, *shape), np.int64),
            np.empty(shape, np.int64),
        )
    return BUFFERS[shape]


def answer(seed, replications, days):
    """All months at once, one row a replication."""
    # SFC64 and PCG64 draw exponentials at the same speed here; both are numpy's fastest.
    rng = np.random.Generator(np.random.SFC64(seed))
    horizon = days * 86_400.0
    cycles = horizon / (GAP_S + LENGTH_S)
    # Six standard deviations more than the mean: short in one month of a billion.
    columns = int(cycles + 6.0 * math.sqrt(cycles)) + 10
    draws, (gaps, lengths), last = buffers(replications, columns)

    rng.standard_exponential(out=draws)
    np.multiply(draws[0], GAP_S / INTERVAL_S * TICKS, out=gaps, casting="unsafe")
    np.multiply(draws[1], LENGTH_S / INTERVAL_S * TICKS, out=lengths, casting="unsafe")

    # Probe i is due at phase + i intervals, so the first probe at or after t is ceil(t − phase).
    phase = (rng.random((replications, 1)) * TICKS).astype(np.int64)
    round_up = int(TICKS) - 1 - phase
    end = int(horizon / INTERVAL_S * TICKS) + round_up
    probes = end >> 32

    gaps += lengths
    gaps[:, :1] += round_up
    np.cumsum(gaps, axis=1, out=last)
    first = np.subtract(last, lengths, out=gaps)
    if (last[:, -1:] < end).any():
        raise RuntimeError("a month needs more blips than were drawn")
    blips = np.count_nonzero(first < end)
    last >>= 32
    first >>= 32

    # Blips that touch the blip before them, as positions in the flattened arrays.
    touching = np.flatnonzero(first[:, 1:] == last[:, :-1])
    touching += touching // (columns - 1) + 1

    np.minimum(first, probes, out=first)
    np.minimum(last, probes, out=last)
    runs = np.subtract(last, first, out=lengths).ravel()
    join(runs, first.ravel(), last.ravel(), touching)
    return [np.count_nonzero(runs >= length) for length in RUN_LENGTHS], blips


def join(runs, first, last, touching):
    """Gives each chain of touching blips one run, at the place of its first blip."""
    if touching.size == 0:
        return
    follows = np.diff(touching) == 1
    opens = touching[np.concatenate(([True], ~follows))] - 1
    closes = touching[np.concatenate((~follows, [True]))]
    runs[touching] = 0
    runs[opens] = last[closes] - first[opens]


if __name__ == "__main__":
    report("numpy", answer, repeats=200)
