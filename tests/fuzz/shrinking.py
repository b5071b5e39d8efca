"""Failing inputs made small: whatever can be left out without the fault going away is."""

from __future__ import annotations

from collections.abc import Callable

Fails = Callable[[str], bool]


def shrunk(text: str, fails: Fails, tries: int = 300) -> str:
    """The text with as many lines, and then characters, left out as `tries` calls of `fails` find."""
    left = [tries]

    def still(candidate: str) -> bool:
        left[0] -= 1
        return left[0] >= 0 and fails(candidate)

    lines = _fewer(text.splitlines(keepends=True), lambda parts: still("".join(parts)), left)
    text = "".join(lines)
    if len(text) <= 4000:
        text = "".join(_fewer(list(text), lambda parts: still("".join(parts)), left))
    return text


def _fewer(parts: list[str], fails: Callable[[list[str]], bool], left: list[int]) -> list[str]:
    """Leave out runs of parts, long ones first."""
    size = max(1, len(parts) // 2)
    while left[0] > 0:
        at, before = 0, len(parts)
        while at < len(parts) and left[0] > 0:
            fewer = parts[:at] + parts[at + size :]
            if fewer and fails(fewer):
                parts = fewer
            else:
                at += size
        if size == 1 and len(parts) == before:
            break
        size = max(1, size // 2)
    return parts
