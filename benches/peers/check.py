"""Whether a peer's firings are those of the exact rates.

Firings of one trigger are a thinned renewal process whose gaps vary less than exponential ones, so their
number varies a little less than a Poisson number of the same mean: the Poisson tail bounds the chance of
failing by bad luck. The check fails where either tail is below TAIL. One run makes at most 80 such
comparisons with two tails each, so a right set of peers fails with probability below 1e-6.
"""

import math

from contract import TRIGGERS

TAIL = 5e-9


def poisson_tail(count, mean):
    """The probability of a number as far from `mean` as `count`, on its side: P(N ≥ count) or P(N ≤ count)."""
    term = math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    total, at, step = 0.0, count, 1 if count > mean else -1
    while term > total * 1e-15 and at >= 0:
        total += term
        term *= mean / (at + 1) if step > 0 else at / mean
        at += step
    return total


def verdicts(counts, days):
    """For each trigger `(trigger, firings, z, passes)` against the exact rate."""
    found = []
    for (trigger, _, exact, _), count in zip(TRIGGERS, counts):
        mean = exact * days
        z = (count - mean) / math.sqrt(mean)
        found.append((trigger, count, z, poisson_tail(count, mean) > TAIL))
    return found


def rejects_isolated(counts, days):
    """True iff the same data reject the formula that takes blips one at a time: the check has power."""
    return any(
        poisson_tail(count, isolated * days) <= TAIL
        for (_, _, _, isolated), count in zip(TRIGGERS, counts)
    )
