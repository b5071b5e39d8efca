"""Which templates of a game have objects that are named after fields of which cards."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2.exceptions import TemplateError

from cardgen.findings import Problem
from cardgen.model.game import Component, Game
from cardgen.rendering.named.translating import Translation, translated


class NamedError(TemplateError):
    """Objects whose names mean nothing: the template can't be filled in."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems[0].message)
        self.problems = problems


class Naming:
    """The fields that the objects of each template may be named after. In a template that cards name, plain
    names of objects count; one that others include is for all cards, and only `cg:field` and the like count
    in it."""

    def __init__(self, fields: Mapping[str, frozenset[str]]) -> None:
        self._fields = {name: tuple(sorted(each)) for name, each in sorted(fields.items())}
        self._all = tuple(sorted(frozenset().union(*fields.values())))

    @property
    def key(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All that it knows, as plain data."""
        return tuple(self._fields.items())

    def translation(self, source: str, name: str) -> Translation:
        """What the text of a template comes to, problems and all."""
        fields = self._fields.get(name)
        if fields is None:
            return translated(source, name, self._all, False)
        return translated(source, name, fields, True)

    def template(self, source: str, name: str) -> str:
        """The template that a file's text comes to. Raises NamedError."""
        found = self.translation(source, name)
        wrong = tuple(place.problem for place in found.problems if place.problem.is_error)
        if wrong:
            raise NamedError(wrong)
        return found.source


def naming_of(game: Game) -> Naming:
    """The templates of a game's cards with the fields of those."""
    found: dict[str, frozenset[str]] = {}
    for component in game.components:
        fields = fields_of(component)
        for name in {name for card in component.cards for name in (card.face, card.back) if name}:
            found[name] = found.get(name, frozenset()) | fields
    return Naming(found)


def fields_of(component: Component) -> frozenset[str]:
    """The fields of a component's cards: those that its schema knows or, where that knows none, theirs."""
    if component.declared:
        return frozenset(component.declared)
    return frozenset(key for card in component.cards for key in card.fields)
