"""What a game's files say in plain words, with expressions filled in: names and notes for screens.

The sandbox of rulebooks, with three filters more: `plain` turns the Markdown of card text into plain text,
`effect_text` and `effect_lines` print effects.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from jinja2 import Template

from cardgen.findings import Findings
from cardgen.model.game import Card, Component, Game
from cardgen.rendering.effects import effect_filters
from cardgen.rendering.markdown import Markdown
from cardgen.rendering.prose import PlainEnvironment, all_components
from cardgen.rendering.templates import (
    MARKDOWN_PER_STEP,
    component_variables,
    game_variables,
    render_error,
    whole_text,
)

MAX_CHARACTERS = 20_000
"""The longest text that one expression may come to."""

_ICON = re.compile(r":([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:[@#][^\s:@#]{1,20}){0,2}( [^\s:]{1,6})?:")
_BLOCK = re.compile(r'<tspan cg:block="(?:paragraph|item)"[^>]*?(?:cg:bullet="([^"]*)")?>')
_BREAK = '<tspan cg:block="break"/>'
_TAG = re.compile(r"<[^>]*>")


class Phrases:
    """Fills in expressions of one file of a game. Each text is compiled once; the same problem of a
    text is said once."""

    def __init__(self, game: Game, relative: str, findings: Findings) -> None:
        self._game, self._relative, self._findings = game, relative, findings
        self._env = PlainEnvironment(game, mark_lines=False)
        markdown = Markdown()
        effects = effect_filters(game.effects, self._env)

        def plain(text: object) -> str:
            source = self._env.text_of(text)
            self._env.budget.step(1 + len(source) // MARKDOWN_PER_STEP)
            return plain_text(markdown, source)

        self._env.offer_filters(
            {"plain": plain, **{name: effects[name] for name in ("effect_text", "effect_lines")}}
        )
        self._shared = game_variables(game, low_ink=False)
        self._compiled: dict[str, Template] = {}
        self._given_up: set[str] = set()
        self._said: set[tuple[tuple[str | int, ...], str]] = set()

    def of_game(self, source: str, path: tuple[str | int, ...]) -> str:
        """A text about the game: `game`, `theme`, `tables`, `components`. `path` is where the file says
        it; a text that can't be filled in is a finding there and comes out empty."""
        return self._fill(source, path, self._shared | {"components": all_components(self._game)})

    def of_card(
        self, source: str, path: tuple[str | int, ...], component: Component, card: Card, copies: int
    ) -> str:
        """A text about a card: `card`, `component`, `number`, `copies`, `game`, `theme`, `tables`."""
        about = component_variables(self._game, component)
        variables = {"card": card.fields, "component": about, "number": card.number, "copies": copies}
        return self._fill(source, path, self._shared | variables)

    def _fill(self, source: str, path: tuple[str | int, ...], variables: Mapping[str, Any]) -> str:
        if "{" not in source:
            return source
        if source in self._given_up:
            return ""
        env = self._env
        env.begin()
        try:
            template = self._compiled.get(source)
            if template is None:
                template = self._compiled[source] = env.compiled(source, self._relative)
            chunks = list(template.root_render_func(template.new_context(dict(variables))))
            env.budget.text(sum(map(len, chunks)))
            text = whole_text(chunks)
        except Exception as error:
            problem = render_error(error, self._relative, env.templates).problem
            if problem.code == "template/budget":
                self._given_up.add(source)
            self._say(path, problem.code, problem.message, problem.hint)
            return ""
        if len(text) > MAX_CHARACTERS:
            self._say(
                path, "template/budget", f"the text has more than {MAX_CHARACTERS:,} characters", None
            )
            return ""
        return text

    def _say(self, path: tuple[str | int, ...], code: str, message: str, hint: str | None) -> None:
        if (path, message) not in self._said:
            self._said.add((path, message))
            place = self._game.locator.locate(self._relative, path)
            self._findings.error(code, message, place, hint)


def plain_text(markdown: Markdown, text: str) -> str:
    """Card text without marks: paragraphs and list items a line each, icons by their names."""
    marked = str(markdown(text)).replace(_BREAK, "\n")
    marked = _BLOCK.sub(lambda match: "\n" + (f"{match[1]} " if match[1] else ""), marked)
    words = html.unescape(_TAG.sub("", marked))
    return _ICON.sub(lambda match: match[1].replace("-", " ") + (match[2] or ""), words).strip()
