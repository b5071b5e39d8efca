"""Whether this very process is confined. Nobody but `child` sets it, and nothing unsets it."""

from __future__ import annotations

_CONFINED: list[bool] = []


def is_confined() -> bool:
    return bool(_CONFINED)


def now_confined() -> None:
    _CONFINED.append(True)
