"""Which keys there are in data, for names that expressions misspell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.checking.language import Absent
from cardgen.sandbox.watched import Watched

_DEEPEST = 40


def keys_below(values: Iterable[Any], chain: tuple[str, ...]) -> frozenset[str] | None:
    """The keys of all mappings found there; None where there is anything else, or nothing."""
    keys: set[str] = set()
    for value in values:
        for name in chain:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, Watched):
            keys.update(map(str, value.names()))
        elif isinstance(value, Mapping):
            keys.update(str(key) for key in value)
        elif value is not None and not isinstance(value, Absent):
            return None
    return frozenset(keys) if keys else None


def gather(value: Any, keys: set[str], depth: int = 0) -> None:
    """Add the keys of all mappings inside a value, however deep, to `keys`."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        keys.update(key for key in value if isinstance(key, str))
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            gather(item, keys, depth + 1)
