"""What rules look at: cards and rows of data tables, as the values that expressions read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.checking.expressions import Expression, ExpressionError, UnfitExpressionError
from cardgen.checking.language import Absent
from cardgen.findings import Location, nearest
from cardgen.model.game import Game
from cardgen.sandbox.watched import Note, Watched

THEME = "theme:"
"""The source whose one subject is the game's theme. No component can be called so."""

_FUNCTIONS = ("cards", "copies_in", "lookup", "range")
_UNCALLED = "can't be called"


@dataclass(eq=False)
class UnknownNameError(Exception):
    """A component, table or field that does not exist. `hint` may name the one that was meant."""

    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A card, or a row of a table. `values` is what expressions read: its fields by their names,
    the reserved names and the functions. `location` is the line of a deck list that names a card;
    others are found by `file` and `path`. `note` is called with the names whose values are read."""

    label: str
    source: str
    values: Mapping[str, Any]
    fields: Mapping[str, Any]
    copies: int
    file: str
    path: tuple[str | int, ...]
    note: Note
    location: Location | None = None

    @property
    def card(self) -> Watched:
        """The card as expressions see it that read several."""
        return Watched({**self.fields, "copies": self.copies, "component": self.source}, self.note)


def theme_of(game: Game, values: Mapping[str, Any], note: Note) -> Subject:
    """The game's theme as a subject."""
    file = f"data/{game.id}/game.yaml"
    return Subject("the theme", THEME, {**values, "number": 1}, game.theme, 1, file, ("theme",), note)


def meant(word: str, words: Iterable[str]) -> str | None:
    """A hint naming the close words, or what there is."""
    known = sorted(words)
    close = nearest(word, known)
    if close is not None:
        return f"did you mean “{close}”?"
    return f"there is: {', '.join(known[:12])}{', …' if len(known) > 12 else ''}" if known else None


def items_of(value: Any) -> list[Any]:
    """The members of a list (or of what a filter gives); of anything else itself; none of nothing."""
    if value is None or isinstance(value, Absent):
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def copies_of(fields: Mapping[str, Any], players: int | None, otherwise: int) -> int:
    """How many of a card are printed for that many players; `otherwise` where it does not depend."""
    copies = fields.get("copies")
    if players is None or not isinstance(copies, Mapping):
        return otherwise
    if isinstance(each := copies.get("per_player"), int):
        return each * players
    by_players = copies.get("by_players")
    found = (
        by_players.get(players, by_players.get(str(players))) if isinstance(by_players, Mapping) else None
    )
    return found if isinstance(found, int) else otherwise


class SubjectError(Exception):
    """An expression that could not be worked out for one subject; None if it could for none."""

    def __init__(self, subject: Subject | None, message: str) -> None:
        super().__init__(message)
        self.subject = subject


def evaluate(expression: Expression, subject: Subject, **more: Any) -> Any:
    """The expression's value for a subject, with further variables. Raises SubjectError."""
    subject.note(expression.names)
    try:
        return expression({**subject.values, **more} if more else subject.values)
    except ExpressionError as error:
        blamed = None if isinstance(error, UnfitExpressionError) else subject
        hidden = [name for name in _FUNCTIONS if name in expression.names and name in subject.fields]
        why = f": the field “{hidden[0]}” hides the function" if hidden and _UNCALLED in str(error) else ""
        raise SubjectError(blamed, f"{error}{why}") from None
