"""Markdown with template expressions to Markdown with figures: a rulebook's text about its game's data.

The same sandbox as for drawings, without the functions for drawings. Values are inserted unchanged, so that
Markdown in them works. A line with only a `{% … %}` leaves no line behind.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from jinja2 import Template

from cardgen.art.functions import effect_filters
from cardgen.art.markdown import Markdown
from cardgen.art.templates import (
    MARKDOWN_PER_STEP,
    component_variables,
    game_variables,
    render_error,
    whole_text,
)
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.findings import Findings, Location, Problem, shortened
from cardgen.core.game import Card, Component, Game
from cardgen.core.records import dataclass
from cardgen.expressions.budget import WrongValueError
from cardgen.expressions.values import number
from cardgen.game.facts import read_number_words
from cardgen.game.number_words import NumberWords
from cardgen.game.sources import Sources
from cardgen.svg.tree import names

MAX_CHARACTERS = 1_000_000
"""A book of 500 pages; more is a runaway loop."""

_FUNCTIONS = names(
    "abs ceil dict enumerate float floor int len max min namespace range round sorted str sum zip"
)


@dataclass(frozen=True, slots=True)
class Prose:
    """A rendered text and, if requested, the file's line for each of its lines."""

    text: str
    lines: Callable[[], tuple[int, ...]]

    def line(self, index: int) -> int:
        """Return the line in the file of the rendered line `index`, which counts from 0."""
        lines = self.lines()
        return lines[max(0, min(index, len(lines) - 1))] if lines else 1


def render_prose(
    game: Game, source: str, relative: str, *, low_ink: bool = False, findings: Findings
) -> Prose | None:
    """Fill in the expressions of a Markdown text; None after a finding at its line in `relative`.

    Variables are `game`, `theme`, `tables`, `low_ink` and `components`: by id, each with `id`, `title`,
    `kind`, `count` (distinct cards), `copies` (printed ones) and `cards`, by id, with their data and
    `number` and `copies`.
    """
    variables = {**game_variables(game, low_ink=low_ink), "components": all_components(game)}
    plain = PlainEnvironment(game, mark_lines=False)
    text = plain.fill(source, relative, variables)
    if isinstance(text, str) and len(text) > MAX_CHARACTERS:
        message = f"the text has more than {MAX_CHARACTERS:,} characters"
        findings.error("book/length", message, Location(relative))
        return None
    if isinstance(text, Problem):
        file, line = text.place if text.place is not None else (relative, 1)
        where = file if file == relative else f"templates/{file}"
        findings.extend([text.at(Location(where, line))])
        return None

    @cache
    def lines() -> tuple[int, ...]:
        marking = PlainEnvironment(game, mark_lines=True)
        assert marking.marks is not None
        marked = marking.fill(source, relative, variables)
        if isinstance(marked, Problem):  # with all its marks it may exceed the limits
            return ()
        places = marking.marks.places(marked, relative)
        found: list[int] = []
        offset = 0
        for line in text.split("\n"):
            # A mark is at the start of a line of the file, so the first character may still be the last
            # line's; the last never is.
            place = places.place(offset + max(0, len(line) - 1))
            found.append(place[1] if place is not None else 1)
            offset += len(line) + 1
        return tuple(found)

    return Prose(text, lines)


def all_components(game: Game) -> dict[str, Any]:
    """Return the `components` that texts see: by id, with their cards."""
    found = {component.id: component_variables(game, component) for component in game.components}
    for component in game.components:
        found[component.id]["cards"] = {
            card.id: {**card.fields, "number": card.number, "copies": card.copies}
            for card in component.cards
        }
    return found


class PlainEnvironment(TemplateEnvironment):
    """The sandbox for text that is no XML."""

    def __init__(self, game: Game, *, mark_lines: bool) -> None:
        self.configure(game.paths, mark_lines=mark_lines, general=_FUNCTIONS, autoescape=False)
        self._game = game
        self.offer_filters({"f": number, "in_words": self._in_words})
        self.trim_blocks = self.lstrip_blocks = True
        self._compiled: dict[str, Template] = {}

    def _in_words(self, value: object) -> str:
        """Return a number as a word of the game's language, or else in digits."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongValueError(f"in_words needs a whole number, not {shortened(repr(value))}")
        return self._number_words.word(value)

    @cached_property
    def _number_words(self) -> NumberWords:
        return read_number_words(Sources(self._game.paths, Findings()), self._game.language)

    def fill(self, source: str, relative: str, variables: Mapping[str, Any]) -> str | Problem:
        """Return a text of the file `relative` with its expressions filled in, or the reason why it can't
        be."""
        self.begin()
        try:
            template = self._compiled.get(source)
            if template is None:
                template = self.compiled(source, relative, self.make_globals(None))
                self._compiled[source] = template
            chunks = self.run(template, template.new_context(dict(variables)))
            self.budget.text(sum(map(len, chunks)))
            return whole_text(chunks)
        except Exception as error:
            return render_error(error, relative, self.templates).problem


MAX_PHRASE_CHARACTERS = 20_000
"""The longest result of one expression."""

_ICON = re.compile(r":([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:[@#][^\s:@#]{1,20}){0,2}( [^\s:]{1,6})?:")
_BLOCK = re.compile(r'<tspan cg:block="(?:paragraph|item)"[^>]*?(?:cg:bullet="([^"]*)")?>')
_BREAK = '<tspan cg:block="break"/>'
_TAG = re.compile(r"<[^>]*>")


class Phrases:
    """Fills in expressions of one file of a game. Each text is compiled once; the same problem of a text is
    reported once."""

    def __init__(self, game: Game, relative: str, findings: Findings) -> None:
        self._game, self._relative, self._findings = game, relative, findings
        self._env = PlainEnvironment(game, mark_lines=False)
        markdown = Markdown()
        effects = effect_filters(lambda: game.effects, self._env)

        def plain(text: object) -> str:
            source = self._env.text_of(text)
            self._env.budget.step(1 + len(source) // MARKDOWN_PER_STEP)
            return plain_text(markdown, source)

        self._env.offer_filters(
            {"plain": plain, **{name: effects[name] for name in ("effect_text", "effect_lines")}}
        )
        self._shared = game_variables(game, low_ink=False)
        self._given_up: set[str] = set()
        self._said: set[tuple[tuple[str | int, ...], str]] = set()

    def of_game(self, source: str, path: tuple[str | int, ...]) -> str:
        """Return a text about the game: `game`, `theme`, `tables`, `components`. `path` is the text's place
        in the file; an invalid text is a finding there and becomes empty."""
        return self._fill(source, path, self._shared | {"components": all_components(self._game)})

    def of_card(
        self, source: str, path: tuple[str | int, ...], component: Component, card: Card, copies: int
    ) -> str:
        """Return a text about a card: `card`, `component`, `number`, `copies`, `game`, `theme`,
        `tables`."""
        about = component_variables(self._game, component)
        variables = {"card": card.fields, "component": about, "number": card.number, "copies": copies}
        return self._fill(source, path, self._shared | variables)

    def _fill(self, source: str, path: tuple[str | int, ...], variables: Mapping[str, Any]) -> str:
        if "{" not in source:
            return source
        if source in self._given_up:
            return ""
        text = self._env.fill(source, self._relative, variables)
        if isinstance(text, str) and len(text) > MAX_PHRASE_CHARACTERS:
            message = f"the text has more than {MAX_PHRASE_CHARACTERS:,} characters"
            self._say(path, Problem("template/budget", message))
            return ""
        if isinstance(text, Problem):
            if text.code == "template/budget":
                self._given_up.add(source)
            self._say(path, text)
            return ""
        return text

    def _say(self, path: tuple[str | int, ...], problem: Problem) -> None:
        if (path, problem.message) not in self._said:
            self._said.add((path, problem.message))
            self._findings.extend([problem.at(self._game.locator.locate(self._relative, path))])


def plain_text(markdown: Markdown, text: str) -> str:
    """Return card text without marks: paragraphs and list items a line each, icons by their names."""
    marked = str(markdown(text)).replace(_BREAK, "\n")
    marked = _BLOCK.sub(lambda match: "\n" + (f"{match[1]} " if match[1] else ""), marked)
    words = html.unescape(_TAG.sub("", marked))
    return _ICON.sub(lambda match: match[1].replace("-", " ") + (match[2] or ""), words).strip()
