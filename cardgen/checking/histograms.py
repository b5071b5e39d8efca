"""How often each number occurs, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.checking.results import Histogram, number


def histogram(title: str, values: Sequence[float]) -> Histogram:
    """How often each number occurs: whole numbers without holes, others as they are (at most 60)."""
    counts: dict[float, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    whole = all(value == int(value) for value in counts)
    if whole and max(counts) - min(counts) < 60:
        return Histogram(
            title,
            tuple(
                (str(step), float(counts.get(step, 0)))
                for step in range(int(min(counts)), int(max(counts)) + 1)
            ),
            True,
        )
    if len(counts) <= 60:
        return Histogram(
            title, tuple((number(value), float(counts[value])) for value in sorted(counts)), True
        )
    low, width = min(counts), (max(counts) - min(counts)) / 20
    bins = [0.0] * 20
    for value, count in counts.items():
        bins[min(19, int((value - low) / width))] += count
    return Histogram(
        title, tuple((number(low + width * step), size) for step, size in enumerate(bins)), True
    )
