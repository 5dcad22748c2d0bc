"""The work in numba: one compiled loop a month, the random numbers drawn inside it.

Algorithm: as in `with_numpy.py`, a blip is a run of failed probes found by arithmetic, and one histogram of
run lengths answers all triggers at once. A blip that no probe sees is a run of length 0, so the only branch
that is rarely taken is that of two blips with no healthy probe between them.

Machine: what was tried and kept.

- The ziggurat (Marsaglia and Tsang 2000) with 256 layers and an integer comparison, in the loop. Slower were
  numba's own `Generator.standard_exponential` (1.9 times), `-log(u)` drawn in blocks (2.9 times: numba from
  PyPI has no vector library, so LLVM does not vectorise the call of `log`), and the same with the logarithm
  written out as a series, which is vectorised (1.7 times).
- xoroshiro128++ (Blackman and Vigna 2019); SplitMix64 was 1.2 times slower.
- An integer clock in 2^-32 of an interval, so that the probe index is a shift.
- Conversions by `np.int64`: plain `int` keeps an unsigned number, whose conversion to a float costs more.

The compiled code is cached on disk, as it would be in use: the whole-process time is that of a warm cache.
"""

import math

import numpy as np
from numba import njit

from contract import GAP_S, INTERVAL_S, LENGTH_S, RUN_LENGTHS, report

TICKS = 2.0**32
ONE = 1 << 32
GAP_TICKS = GAP_S / INTERVAL_S * TICKS
LENGTH_TICKS = LENGTH_S / INTERVAL_S * TICKS
DAY_PROBES = 86_400.0 / INTERVAL_S
LONGEST = 255

U = np.uint64
STEP = U(0x9E3779B97F4A7C15)


def ziggurat_tables():
    """Widths, heights, and the integer thresholds of 256 layers under exp(-x); where the tail begins."""
    tail, area = 7.69711747013104972, 0.0039496598225815571993
    edges = np.zeros(257)
    edges[0], edges[1] = area * math.exp(tail), tail
    for i in range(2, 256):
        edges[i] = -math.log(area / edges[i - 1] + math.exp(-edges[i - 1]))
    inside = np.array([int(edges[i + 1] / edges[i] * 2.0**56) for i in range(256)], U)
    return edges[:256] * 2.0**-56, np.exp(-edges), inside, tail


WIDTH, HEIGHT, INSIDE, TAIL = ziggurat_tables()


@njit(inline="always")
def mix(z):
    """The finaliser of SplitMix64, to make a state from a seed."""
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


@njit(inline="always")
def rotate(x, by):
    return (x << U(by)) | (x >> U(64 - by))


@njit(inline="always")
def following(a, b):
    """The next state of xoroshiro128++ and its output."""
    bits = rotate(a + b, 17) + a
    b ^= a
    return rotate(a, 49) ^ b ^ (b << U(21)), rotate(b, 28), bits


@njit(inline="always")
def exponential(a, b):
    """The next state and a standard exponential; 98.9 % of the draws end at the first comparison."""
    a, b, bits = following(a, b)
    layer, u = np.int64(bits & U(255)), bits >> U(8)
    if u < INSIDE[layer]:
        return a, b, np.float64(np.int64(u)) * WIDTH[layer]
    return edge(a, b, u, layer)


@njit
def edge(a, b, u, layer):
    """The rest of the ziggurat: the tail, or the wedge beside a layer."""
    while True:
        x = np.float64(np.int64(u)) * WIDTH[layer]
        a, b, bits = following(a, b)
        uniform = np.float64(np.int64(bits >> U(11))) * 2.0**-53
        if layer == 0:
            return a, b, TAIL - math.log1p(-uniform)
        low, high = HEIGHT[layer], HEIGHT[layer + 1]
        if low + (high - low) * uniform < math.exp(-x):
            return a, b, x
        a, b, bits = following(a, b)
        layer, u = np.int64(bits & U(255)), bits >> U(8)
        if u < INSIDE[layer]:
            return a, b, np.float64(np.int64(u)) * WIDTH[layer]


@njit(fastmath=True, cache=True)
def months(seed, replications, days, histogram):
    """Adds the run lengths of all months to `histogram`; returns the number of blips."""
    blips = 0
    horizon = int(days * DAY_PROBES) * ONE
    longest = len(histogram) - 1
    for replication in range(replications):
        key = mix(U(seed) + STEP) ^ U(replication)
        a, b, bits = following(mix(key + STEP), mix(key + STEP + STEP))
        # Adding `round_up` turns the shift into a rounding up, and moves the grid by its phase.
        round_up = ONE - 1 - np.int64(bits >> U(32))
        clock, end = round_up, horizon + round_up
        probes = end >> 32
        previous_last, run = -1, 0
        while True:
            a, b, gap = exponential(a, b)
            clock += np.int64(gap * GAP_TICKS)
            if clock >= end:
                break
            first = clock >> 32
            a, b, length = exponential(a, b)
            clock += np.int64(length * LENGTH_TICKS)
            last = min(clock >> 32, probes)
            blips += 1
            if first == previous_last:
                histogram[run] -= 1
                run = min(run + last - first, longest)
            else:
                run = min(last - first, longest)
            histogram[run] += 1
            previous_last = last
    return blips


def answer(seed, replications, days):
    """The firings of each trigger are the runs that are at least as long as its count."""
    histogram = np.zeros(LONGEST + 1, np.int64)
    blips = months(seed, replications, days, histogram)
    at_least = histogram[::-1].cumsum()[::-1]
    return at_least[RUN_LENGTHS], blips


if __name__ == "__main__":
    report("numba", answer, repeats=400)
