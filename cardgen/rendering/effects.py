"""Effects in templates: the filters `effect`, `effect_lines` and `effect_text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from markupsafe import Markup, escape

from cardgen.effects import Line, effect_line, print_effect
from cardgen.model.effects import Effect, Effects, Language
from cardgen.sandbox import Sandbox, SandboxError, WrongValueError

T = TypeVar("T")

_STYLED = frozenset(("keyword", "or", "condition"))
"""Roles that get a class of that name, for a template's `<style>`."""


def effect_filters(effects: Effects | None, sandbox: Sandbox) -> dict[str, Callable[[Any], Any]]:
    """The filters of a game, by name, for that sandbox.

    `effect` gives a `<tspan cg:block="paragraph">` a line, indented by `cg:level`, the parts of keywords,
    of conditions and the word between options in `tspan`s with a class; `effect_lines` gives the lines
    as mappings; `effect_text` plain text. Each raises WrongValueError for what is no effect.
    """

    def printed(effect: Any, by: Callable[[Language, Effect], T]) -> T:
        if effects is None:
            raise WrongValueError("the game states no effects: in game.yaml")
        if not isinstance(effect, list | tuple):
            raise WrongValueError("this is no effect; see effects: in game.yaml")
        sandbox.budget.weigh(effect)
        try:
            return by(effects.language, effect)
        except SandboxError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise WrongValueError("this is no effect; is its field under effects: in game.yaml?") from None

    return {
        "effect": lambda effect: Markup("").join(map(_markup, printed(effect, print_effect))),
        "effect_lines": lambda effect: [_values(line) for line in printed(effect, print_effect)],
        "effect_text": lambda effect: printed(effect, effect_line),
    }


def _markup(line: Line) -> Markup:
    parts = Markup("").join(
        Markup('<tspan class="{}">{}</tspan>').format(part.role, part.text)
        if part.role in _STYLED
        else escape(part.text)
        for part in line.parts
    )
    return Markup('<tspan cg:block="paragraph" cg:level="{}">{}</tspan>').format(line.indent, parts)


def _values(line: Line) -> Mapping[str, Any]:
    parts = [
        {"text": part.text, "role": part.role, "keyword": part.keyword, "icon": part.icon}
        for part in line.parts
    ]
    return {"indent": line.indent, "kind": line.kind, "text": line.text, "parts": parts}
