"""Which keys the mappings in a game's data have: what an expression may ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.checking.absent import Absent
from cardgen.checking.expressions import Chain


def keys_below(values: Iterable[Any], chain: Chain) -> frozenset[str] | None:
    """The keys of all mappings found there; None where there is anything else, or nothing."""
    keys: set[str] = set()
    for value in values:
        for name in chain:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, Mapping):
            keys.update(str(key) for key in value)
        elif value is not None and not isinstance(value, Absent):
            return None
    return frozenset(keys) if keys else None


def gather(value: Any, keys: set[str], depth: int) -> None:
    """Add the keys of all mappings inside a value, however deep, to `keys`; `depth` is 0 at first."""
    if depth > 40:
        return
    if isinstance(value, Mapping):
        keys.update(key for key in value if isinstance(key, str))
        for item in value.values():
            gather(item, keys, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            gather(item, keys, depth + 1)
