"""Differences as text for people: a card a paragraph, fields with their old and new values."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.commands.differences import CardChange, Differences
from cardgen.commands.value_changes import ValueChange, spelled, word_changes
from cardgen.terminal import shown

_LONG = 40
"""Characters from which on a text is shown by the words that differ."""
_AROUND = 24
"""Characters that are shown beside them."""
_LONGEST = 200
_MOST_FIELDS = 50


def difference_lines(found: Differences) -> Iterator[str]:
    """Differences in lines, each fit to be printed."""
    yield from map(shown, _lines(found))


def _lines(found: Differences) -> Iterator[str]:
    named = found.revision.name
    since = named if found.revision.commit.startswith(named) else f"{named} ({found.revision.short})"
    if found.old is None:
        yield f"{found.game.title} was not there at {since}: all of it is new"
    for change in found.cards:
        yield from _card(change)
    if found.settings:
        yield "besides cards:"
        yield from (f"  {change}" for change in found.settings)
    for component, card in found.uncompared:
        yield f"{component}/{card} could not be compared: it is in error in one of the two"
    yield f"{in_short(found)} since {since}"


def in_short(found: Differences) -> str:
    """How many cards are new, removed and changed, in words."""
    counts = [(len(found.of(kind)), kind) for kind in ("changed", "new", "removed")]
    parts = [f"{_cards(number)} {kind}" for number, kind in counts if number]
    if found.settings:
        number = len(found.settings)
        parts.append(f"{number} other thing{'s' if number > 1 else ''} changed")
    return ", ".join(parts) or "nothing changed"


def _cards(number: int) -> str:
    return f"{number} card{'s' if number > 1 else ''}"


def heading(change: CardChange) -> str:
    """What happened to a card: "changed, looks different: face"."""
    words: str = change.kind
    if change.kind == "changed":
        looks = " and ".join(change.looks)
        return f"{words}, looks different: {looks}" if looks else f"{words}, looks the same"
    card = change.new or change.old
    if card is not None and card.copies != 1:
        words += f", {card.copies} copies"
    if change.renamed_from is not None:
        words += f", likely renamed from '{change.renamed_from}'"
    return words


def values_of(change: CardChange) -> list[ValueChange]:
    """The fields of a card that differ, its copies and its number among them."""
    values = list(change.fields)
    named = {value.path[:1] for value in values}
    if change.kind == "changed":
        for name, (old, new) in (("copies", change.copies), ("number", change.numbers)):
            if old != new and (name,) not in named:
                values.append(ValueChange((name,), old, new))
    return values


def card_lines(change: CardChange) -> Iterator[str]:
    """What changed in the data of a card, whose looks nobody compared, in lines fit to be printed."""
    yield from map(shown, _card(change, looked=False))


def _card(change: CardChange, *, looked: bool = True) -> Iterator[str]:
    where = change.location
    place = f"{where.file}:{where.cell if '!' in where.cell else where.line}"
    name = f"{change.component}/{change.id}"
    if change.kind == "removed":
        yield f"{name} {heading(change)}; it stood at {place}"
        return
    yield f"{place}: {name} {heading(change) if looked or change.kind == 'new' else change.kind}"
    values = values_of(change)
    for value in values[:_MOST_FIELDS]:
        yield f"  {value.name}: {value_line(value)}"
    if len(values) > _MOST_FIELDS:
        yield f"  and {len(values) - _MOST_FIELDS} more fields"


def value_line(change: ValueChange) -> str:
    """What became of a value: "3 → 4"."""
    old, new = change.old, change.new
    if change.kind == "changed" and isinstance(old, str) and isinstance(new, str):
        return _text(old, new)
    if change.kind == "new":
        return f"new, {_cut(spelled(new))}"
    if change.kind == "removed":
        return f"removed, was {_cut(spelled(old))}"
    return f"{_cut(spelled(old))} → {_cut(spelled(new))}"


def _text(old: str, new: str) -> str:
    """Short texts as a whole, long ones by the words that differ, in brackets."""
    if max(len(old), len(new)) <= _LONG:
        return f"{spelled(old)} → {spelled(new)}"
    pieces = list(word_changes(old, new))
    text = ""
    for number, (was, now) in enumerate(pieces):
        if was == now:
            text += _between(was, number == 0, number == len(pieces) - 1)
        elif was.strip() and now.strip():
            text += f"[{_cut(was)} → {_cut(now)}]"
        else:
            text += f"[-{_cut(was)}-]" if was else f"[+{_cut(now)}+]"
    return text


def _between(words: str, first: bool, last: bool) -> str:
    """What did not change, as far as it stands beside what did."""
    if first:
        return words if len(words) <= _AROUND else f"…{words[-_AROUND:]}"
    if last:
        return words if len(words) <= _AROUND else f"{words[:_AROUND]}…"
    return words if len(words) <= 2 * _AROUND else f"{words[:_AROUND]}…{words[-_AROUND:]}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
