"""What rules ask for, in words: their bounds as they stand in the rules file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.reference.markdown_tables import code, shown

_BOUNDS = ("equals", "min", "max")
MOST_LISTED = 12
"""Groups or values of a rule that are listed; the others are counted."""


def demand(entry: Mapping[str, Any]) -> str:
    """What a rule of the file asks for: "8", "at least 3", "range: at most 1", "A: 8, B: 9"; empty for one
    that states no bound."""
    said = [_bounds(entry)]
    for key, value in entry.items():
        if isinstance(value, Mapping) and any(bound in value for bound in _BOUNDS):
            said.append(f"{key}: {_bounds(value)}")
    sights = entry.get("sights", {})
    said += [f"{way}: at least {shown(least)}" for way, least in sights.items()]
    if "grey" in entry:
        said.append(f"grey: at least {shown(entry['grey'])}")
    groups = entry.get("groups")
    if isinstance(groups, Mapping):
        said.append(_some([f"{key}: {_of_group(value)}" for key, value in groups.items()]))
    measures = entry.get("measures")
    for measure in measures if isinstance(measures, list | tuple) else ():
        if words := _bounds(measure):
            said.append(f"{measure.get('name', '')}: {words}")
    are = entry.get("are")
    if isinstance(are, Mapping):
        said.append(_some([f"{key}: {shown(value)}" for key, value in are.items()]))
    elif isinstance(are, list | tuple):
        said.append(_some([shown(value) for value in are]))
    return "; ".join(filter(None, said))


def _of_group(value: Any) -> str:
    return _bounds(value) if isinstance(value, Mapping) else shown(value)


def _bounds(stated: Mapping[str, Any]) -> str:
    words = list(_parts(stated))
    return ", ".join(words)


def _parts(stated: Mapping[str, Any]) -> Iterator[str]:
    for key, words in zip(_BOUNDS, ("", "at least ", "at most "), strict=True):
        if key in stated:
            value = stated[key]
            yield words + (code(value) if isinstance(value, str) else shown(value))


def _some(words: list[str]) -> str:
    more = len(words) - MOST_LISTED
    return ", ".join(words[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
