"""Which values of data before are which of data now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Steps = list[tuple[int | None, int | None]]
"""Items before and now in pairs, in order; None for what is new or gone."""


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same, numbers with their kinds."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(each, other[name]) for name, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def aligned(old: Sequence[Any], new: Sequence[Any]) -> Steps:
    """Which item of an old list became which of a new one, in order: records by their ids, if those that
    stayed are in the same order, else what lies between equal ends one by one."""
    names = _ids(old), _ids(new)
    if names[0] is not None and names[1] is not None:
        common = [name for name in names[1] if name in names[0]]
        if common == [name for name in names[0] if name in names[1]]:
            return _by_names(old, new, common)
    start, shortest = 0, min(len(old), len(new))
    while start < shortest and same(old[start], new[start]):
        start += 1
    end = 0
    while end < shortest - start and same(old[-1 - end], new[-1 - end]):
        end += 1
    steps: Steps = [(index, index) for index in range(start)]
    for index in range(start, max(len(old), len(new)) - end):
        steps.append((index if index < len(old) - end else None, index if index < len(new) - end else None))
    return steps + [(len(old) - end + index, len(new) - end + index) for index in range(end)]


def _ids(items: Sequence[Any]) -> dict[str, int] | None:
    """Records' places by their ids; None where they are none, or not all different."""
    found = {
        item["id"]: index
        for index, item in enumerate(items)
        if isinstance(item, Mapping) and isinstance(item.get("id"), str)
    }
    return found if len(found) == len(items) else None


def _by_names(old: Sequence[Any], new: Sequence[Any], common: Sequence[str]) -> Steps:
    steps: Steps = []
    was = now = 0
    for name in (*common, None):
        gone, come = [], []
        while was < len(old) and old[was]["id"] != name:
            gone.append(was)
            was += 1
        while now < len(new) and new[now]["id"] != name:
            come.append(now)
            now += 1
        renamed = len(gone) == len(come) and all(_alike(old[i], new[j]) for i, j in zip(gone, come))
        steps += zip(gone, come) if renamed else [*((i, None) for i in gone), *((None, j) for j in come)]
        if name is not None:
            steps.append((was, now))
            was, now = was + 1, now + 1
    return steps


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether most of two records is the same, so that one is likely the other with another id."""
    alike = sum(name in other and same(value, other[name]) for name, value in one.items())
    return 2 * alike >= max(len(one), len(other)) - 1
