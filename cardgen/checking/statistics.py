"""Figures of samples: spread, histogram, rank correlation, intervals for what random runs estimate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist, fmean

from cardgen.checking.results import Histogram, number

CONFIDENCE = 0.99
"""How sure an interval is unless the rule says otherwise."""


def spread(values: Sequence[float]) -> float:
    """The standard deviation of the whole deck (divided by n: the deck is no sample)."""
    centre = fmean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / len(values))


def histogram(title: str, values: Sequence[float]) -> Histogram:
    """How often each number occurs: whole numbers without holes, others as they are (at most 60), more in
    twenty ranges of one width."""
    counts = Counter(values)
    least, most = min(counts), max(counts)
    if all(value == int(value) for value in counts) and most - least < 60:
        bins = [(str(step), float(counts[step])) for step in range(int(least), int(most) + 1)]
    elif len(counts) <= 60:
        bins = [(number(value), float(counts[value])) for value in sorted(counts)]
    else:
        width = (most - least) / 20
        sizes = [0.0] * 20
        for value, count in counts.items():
            sizes[min(19, int((value - least) / width))] += count
        bins = [(number(least + width * step), size) for step, size in enumerate(sizes)]
    return Histogram(title, tuple(bins), True)


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            found[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return found


def rank_correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Spearman's: the correlation of the ranks, from -1 to 1; None if either side never varies."""
    first, second = ranks(left), ranks(right)
    centre = (len(first) + 1) / 2
    over = math.fsum((a - centre) * (b - centre) for a, b in zip(first, second, strict=True))
    under = math.sqrt(
        math.fsum((a - centre) ** 2 for a in first) * math.fsum((b - centre) ** 2 for b in second)
    )
    return over / under if under else None


def share_interval(hits: int, runs: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for a chance seen `hits` times in `runs`; it holds near 0 and 1 too."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / runs
    centre = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z / (1 + z * z / runs) * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The normal interval for the mean of many independent runs (100 runs and more)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = fmean(values)
    if len(values) < 2:
        return -math.inf, math.inf
    deviation = spread(values) * math.sqrt(len(values) / (len(values) - 1))
    half = z * deviation / math.sqrt(len(values))
    return centre - half, centre + half
