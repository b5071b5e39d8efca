"""Differences in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardgen.commands.compare.values import ValueChange, spelled
from cardgen.core.terminal import shown

if TYPE_CHECKING:
    from cardgen.commands.compare.differences import CardChange, Differences

_LONG = 40
"""Characters from which on a text is shown by the words that differ."""
_AROUND = 24
"""Characters that are shown beside them."""
_LONGEST = 200
_MOST_FIELDS = 50


def difference_lines(found: Differences) -> Iterator[str]:
    """Give differences in lines, each fit to be printed."""
    yield from map(shown, _lines(found))


def card_lines(change: CardChange) -> Iterator[str]:
    """Say what changed in the data of a card, whose looks nobody compared, in lines fit to be printed."""
    heading = change.heading if change.kind == "new" else change.kind
    yield from map(shown, _card(change, heading))


def _lines(found: Differences) -> Iterator[str]:
    named = found.revision.name
    since = named if found.revision.commit.startswith(named) else f"{named} ({found.revision.short})"
    if found.old is None:
        yield f"{found.game.title} did not exist at {since}: all of it is new"
    for change in found.cards:
        yield from _card(change, change.heading)
    if found.settings:
        yield "besides cards:"
        yield from (f"  {change}" for change in found.settings)
    for component, card in found.uncompared:
        yield f"{component}/{card} can't be compared: it has errors in one of the two"
    parts = card_counts([change.kind for change in found.cards])
    if found.settings:
        number = len(found.settings)
        parts.append(f"{number} other thing{'s' if number > 1 else ''} changed")
    yield f"{', '.join(parts) or 'nothing changed'} since {since}"


def card_counts(kinds: Sequence[str]) -> list[str]:
    """Count cards by what became of them: "2 cards changed", "1 card new"."""
    counts = [(kinds.count(kind), kind) for kind in ("changed", "new", "removed")]
    return [f"{number} card{'s' if number > 1 else ''} {kind}" for number, kind in counts if number]


def _card(change: CardChange, heading: str) -> Iterator[str]:
    where = change.location
    place = f"{where.file}:{where.cell if '!' in where.cell else where.line}"
    name = f"{change.component}/{change.id}"
    if change.kind == "removed":
        yield f"{name} {change.heading}; it was at {place}"
    else:
        yield f"{place}: {name} {heading}"
        yield from field_lines(change.values)


def field_lines(values: Sequence[ValueChange]) -> Iterator[str]:
    """Give fields that differ in a line each: "  cost: 3 → 4"."""
    for value in values[:_MOST_FIELDS]:
        yield f"  {value.name}: {_value(value)}"
    if len(values) > _MOST_FIELDS:
        yield f"  and {len(values) - _MOST_FIELDS} more fields"


def _value(change: ValueChange) -> str:
    old, new = change.old, change.new
    if change.kind == "new":
        return f"new, {_cut(spelled(new))}"
    if change.kind == "removed":
        return f"removed, was {_cut(spelled(old))}"
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > _LONG:
        return _by_words(change)
    return f"{_cut(spelled(old))} → {_cut(spelled(new))}"


def _by_words(change: ValueChange) -> str:
    """Show a long text by the words that differ, in brackets."""
    text, pieces = "", change.pieces
    for number, (is_same, was, now) in enumerate(pieces):
        if is_same:
            text += _between(was, number == 0, number == len(pieces) - 1)
        elif was.strip() and now.strip():
            text += f"[{_cut(was)} → {_cut(now)}]"
        else:
            text += f"[-{_cut(was)}-]" if was else f"[+{_cut(now)}+]"
    return text


def _between(words: str, first: bool, last: bool) -> str:
    """Shorten what did not change to what stands beside what did."""
    if len(words) <= (_AROUND if first or last else 2 * _AROUND):
        return words
    before = "" if first else words[:_AROUND]
    return f"{before}…{'' if last else words[-_AROUND:]}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
