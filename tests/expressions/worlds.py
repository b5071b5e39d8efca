"""The three places where a stranger's expressions run, each with all that it really has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.art.prose import PlainEnvironment, all_components
from cardgen.art.templates import RenderError, Templates, render_error
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.game import Effects, Game
from cardgen.expressions.sandbox import Sandbox
from cardgen.files.listing import ProjectFolders
from cardgen.game.effect_language import read_language
from cardgen.rules.case import show
from cardgen.rules.expressions import MAX_STEPS, ExpressionError, RuleSandbox
from cardgen.rules.pool import Pool
from tests.art.support import Workshop, book
from tests.rules.decks import game_of

SECRET = "a-secret-of-the-builder"
"""The tests put it into the environment, where no pack may read it."""

CARD = {
    "title": "Fox & Hound",
    "text": "Take one card.",
    "value": 3,
    "share": 0.25,
    "rare": True,
    "nothing": None,
    "tags": ["red", "swift", "Red"],
    "part": {"deep": {"x": 1}, "items": 7},
    "rows": [{"x": 1, "y": "b"}, {"x": 2, "y": "a"}],
    "does": [{"do": "hop", "far": 2}],
}

_KIT = (
    "{% macro word(x='w') %}{{ x }}{% endmacro %}{% set kept = namespace(n=1) %}{% set dice = rng(1) %}"
    "{% set words = ['a', 'b'] %}"
)
_PARENT = "{% block b %}parent{% endblock %}"


@dataclass(frozen=True)
class Outcome:
    """What came of an expression: what it prints, or the finding's code and message."""

    text: str = ""
    code: str = ""
    message: str = ""


class World:
    """A sandbox as it is used, and a way to evaluate expressions in it."""

    name: str
    sandbox: Sandbox

    def evaluate(self, payload: str) -> Outcome:
        raise NotImplementedError

    def names(self) -> dict[str, Any]:
        """All that an expression can name, with its value."""
        raise NotImplementedError


def _effects() -> Effects:
    language, _ = read_language(
        {"keywords": {"hop": {"print": "**Hop** {far}", "parameters": {"far": {"type": "number"}}}}}
    )
    return Effects(language, ("does",))


def _wrapped(payload: str) -> str:
    """A template in which everything that Jinja2 gives to templates is at hand."""
    if "super" in payload:
        return f"{{% extends 'demo/parent.svg' %}}{{% block b %}}{{{{ {payload} }}}}{{% endblock %}}"
    if re.search("caller|varargs|kwargs", payload):
        return (
            f"{{% macro m() %}}{{{{ {payload} }}}}{{{{ varargs|length * 0 }}}}{{{{ kwargs|length * 0 }}}}"
            "{{ caller() }}{% endmacro %}{% call m(1, 2, k=3) %}x{% endcall %}"
        )
    before = ""
    if re.search(r"\bm\b", payload):
        before += "{% macro m(x=1) %}{{ x }}{% endmacro %}"
    if re.search(r"\bns\b", payload):
        before += "{% set ns = namespace(a=1) %}"
    if re.search(r"\bkit\b", payload):
        before += "{% import 'demo/kit.svg' as kit %}"
    if re.search(r"\bself\b", payload):
        before += "{% block b %}b{% endblock %}"
    inner = f"{{{{ {payload} }}}}"
    if re.search(r"\bloop\b", payload):
        inner = f"{{% for i in [1, 2] %}}{inner}{{% endfor %}}"
    return before + inner


class Drawings(World):
    """Card templates."""

    name = "drawings"

    def __init__(self, folder: Path) -> None:
        shop = Workshop(folder)
        folder.mkdir(exist_ok=True)
        shop.write("demo/kit.svg", _KIT)
        shop.write("demo/parent.svg", _PARENT)
        shop.write("demo/card.svg", "")
        game = shop.game([CARD])
        self.templates = Templates(_with_effects(game), ProjectFolders((folder,)), book(), low_ink=False)
        self.sandbox = self.environment = self.templates._env
        component = game.components[0]
        self.variables = self.templates._variables(component, component.cards[0], "face")

    def names(self) -> dict[str, Any]:
        return {**self.sandbox.globals, **self.variables}

    def evaluate(self, payload: str) -> Outcome:
        return self.render(_wrapped(payload))

    def render(self, source: str) -> Outcome:
        environment: TemplateEnvironment = self.environment
        environment.begin()
        try:
            code = environment.compile(source, "demo/card.svg", "demo/card.svg")
            template = environment.template_class.from_code(environment, code, environment.globals)
            context = template.new_context({**environment.globals, **self.variables}, shared=True)
            text = "".join(template.root_render_func(context))
        except Exception as error:
            found = render_error(error, "demo/card.svg", environment.templates)
            return Outcome("", found.problem.code, f"{found} {found.problem.hint or ''}")
        return Outcome(text)


def _with_effects(game: Game) -> Game:
    object.__setattr__(game, "effects", _effects())
    return game


class Prose(World):
    """Rulebooks."""

    name = "prose"

    def __init__(self, folder: Path) -> None:
        shop = Workshop(folder)
        shop.write("demo/parent.svg", _PARENT)
        shop.write("demo/kit.svg", _KIT.replace("{% set dice = rng(1) %}", ""))
        self._game = shop.game([CARD])
        object.__setattr__(self._game, "paths", ProjectFolders((folder,)))
        self.sandbox = self._environment = PlainEnvironment(self._game, mark_lines=False)
        self.variables = {
            "theme": self._game.theme,
            "tables": self._game.tables,
            "components": all_components(self._game),
            "card": CARD,
        }

    def names(self) -> dict[str, Any]:
        return {**self.sandbox.globals, **self.variables}

    def evaluate(self, payload: str) -> Outcome:
        text = self._environment.fill(_wrapped(payload), "data/demo/rules.md", self.variables)
        if isinstance(text, str):
            return Outcome(text)
        return Outcome("", text.code, f"{text.message} {text.hint or ''}")


class Rules(World):
    """Rule expressions."""

    name = "rules"

    def __init__(self) -> None:
        game = _with_effects(game_of({"components": {"cards": [CARD, {**CARD, "title": "Bear"}]}}))
        self._pool = Pool(game, {"royal": "value > 2"})
        self.sandbox = self._pool.engine._sandbox
        assert isinstance(self.sandbox, RuleSandbox)
        self._values = {**self._pool.subjects("cards")[0].values, "card": CARD}

    def names(self) -> dict[str, Any]:
        return dict(self._values)

    def evaluate(self, payload: str) -> Outcome:
        engine = self._pool.engine
        engine.begin(MAX_STEPS)
        engine._compiled.clear()
        try:
            value = engine.compile(payload)(self._values)
        except ExpressionError as error:
            return Outcome("", "rule", str(error))
        return Outcome(f"{show(value)} {value!r}")


def worlds(folder: Path) -> list[World]:
    (folder / "drawings").mkdir()
    (folder / "prose").mkdir()
    return [Drawings(folder / "drawings"), Prose(folder / "prose"), Rules()]


__all__ = ["CARD", "SECRET", "Drawings", "Outcome", "Prose", "RenderError", "Rules", "World", "worlds"]
