"""Templates and the variables they see: a card to the SVG source of its sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from jinja2 import Template, TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import TemplateError, UndefinedError

from cardgen.geometry import Size
from cardgen.model.game import Card, Component, Game, ProjectPaths
from cardgen.rendering.budget import MAX_OUTPUT, BudgetError
from cardgen.rendering.effects import effect_filters
from cardgen.rendering.lines import LineMap
from cardgen.rendering.markdown import Markdown
from cardgen.rendering.sandbox import TemplateEnvironment, TemplateLoader
from cardgen.typesetting import FontBook

CARD_VARIABLES = frozenset(("card", "number", "copies"))
"""Variables that differ between cards of one component and size."""


class RenderError(Exception):
    """A template that can't be rendered: a stable code, one sentence, the place if known, a hint."""

    def __init__(
        self, code: str, message: str, place: tuple[str, int] | None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.place = place
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Rendered:
    """A side's SVG source, and how to find a template's line for a place in it."""

    source: str
    locate: Callable[[int], tuple[str, int] | None]
    """From an offset in bytes of the UTF-8 source to template and line."""


def game_variables(game: Game, *, low_ink: bool) -> dict[str, Any]:
    """The variables that are the same for everything in a game."""
    return {
        "game": {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "author": game.author,
            "description": game.description,
            "language": game.language,
            "players": {"min": game.players[0], "max": game.players[1]},
        },
        "theme": game.theme,
        "tables": game.tables,
        "low_ink": low_ink,
    }


class Templates:
    """Renders the sides of a game's cards."""

    def __init__(self, game: Game, paths: ProjectPaths, fonts: FontBook, *, low_ink: bool) -> None:
        self._paths = paths
        self._fonts = fonts
        self._markdown = Markdown()
        self._effects = effect_filters(game.effects)
        self._env = self._environment()
        self._marking: TemplateEnvironment | None = None
        self._shared = game_variables(game, low_ink=low_ink)
        self._components: dict[str, dict[str, Any]] = {}
        self._alike: dict[str, bool] = {}

    def _environment(self, *, mark_lines: bool = False) -> TemplateEnvironment:
        env = TemplateEnvironment(self._paths, mark_lines=mark_lines)
        env.filters["md"] = self._markdown
        env.filters.update(self._effects)
        env.globals["text_width"] = self._text_width
        return env

    def alike(self, name: str) -> bool:
        """Whether a template draws the same for all cards of a component and size."""
        known = self._alike.get(name)
        if known is None:
            self._env.budget.reset()
            mentioned = self._env.mentioned(name)
            known = self._alike[name] = mentioned is not None and not mentioned & CARD_VARIABLES
        return known

    def render(self, component: Component, card: Card, side: str, name: str) -> Rendered:
        """The source of one side by the template `name`. Raises RenderError."""
        variables = self._variables(component, card, side)
        source = self._render(self._env, name, variables)

        def locate(offset: int) -> tuple[str, int] | None:
            if self._marking is None:
                self._marking = self._environment(mark_lines=True)
            marked = self._render(self._marking, name, variables)
            return LineMap(marked).place(len(source.encode()[:offset].decode(errors="ignore")))

        return Rendered(source, locate)

    def _variables(self, component: Component, card: Card, side: str) -> dict[str, Any]:
        size = card.trim.grown(component.bleed)
        return self._shared | {
            "component": self._component(component, card.trim),
            "card": card.fields,
            "side": side,
            "number": card.number,
            "copies": card.copies,
            "width": size.width,
            "height": size.height,
            "bleed": component.bleed,
            "safe": component.safe,
            "trim": {
                "x": component.bleed,
                "y": component.bleed,
                "width": card.trim.width,
                "height": card.trim.height,
            },
        }

    def _component(self, component: Component, trim: Size) -> dict[str, Any]:
        known = self._components.get(component.id)
        if known is None:
            known = self._components[component.id] = {
                "id": component.id,
                "title": component.title,
                "kind": component.kind,
                "shape": component.shape,
                "trim": None,
                "corner_radius": component.corner_radius,
                "bleed": component.bleed,
                "safe": component.safe,
                "variables": component.variables,
                "count": component.unique,
                "copies": component.copies,
            }
        return known | {"trim": {"width": trim.width, "height": trim.height}}

    def _text_width(
        self, text: object, size: float, family: str, weight: int = 400, italic: bool = False
    ) -> float:
        """Width in mm of a line of text."""
        font = self._fonts.face(family, weight, italic)
        words = str(text).split(" ")
        advance = sum(font.word(word).advance for word in words if word)
        return (advance + font.word(" ").advance * (len(words) - 1)) * size

    # ---- running a template

    def _render(self, env: TemplateEnvironment, name: str, variables: Mapping[str, Any]) -> str:
        env.budget.reset()
        try:
            template = env.get_template(name)
            context = template.new_context({**env.globals, **variables}, shared=True)
            chunks = list(template.root_render_func(context))
        except Exception as error:
            raise render_error(error, name, env.templates) from error
        source = "".join(chunks)
        if len(source) > MAX_OUTPUT and not env.mark_lines:
            message = f"the template draws more than {MAX_OUTPUT:,} characters of SVG for one side"
            raise RenderError("template/budget", message, (name, 1))
        return source


def render_error(error: Exception, name: str, templates: TemplateLoader) -> RenderError:
    """What went wrong in the template `name` (or one that it includes), in words."""
    if isinstance(error, TemplateSyntaxError):
        place = (error.name or name, error.lineno)
        return RenderError("template/syntax", _sentence(error.message), place)
    place = _place(error.__traceback__) or (name, 1)
    if isinstance(error, TemplateNotFound):
        return _not_found(str(error.name), name, _place(error.__traceback__), templates)
    if isinstance(error, BudgetError):
        hint = "see which loop, macro or include goes on for too long"
        return RenderError("template/budget", str(error), place, hint)
    if isinstance(error, RecursionError):
        message = "the template includes or calls itself without end"
        return RenderError("template/recursion", message, place)
    if isinstance(error, UndefinedError):
        hint = "for a field that may be missing: {% if card.x is defined %}, or card.x|default('')"
        return RenderError("template/undefined", _sentence(str(error)), place, hint)
    if isinstance(error, MemoryError):
        return RenderError("template/budget", "the template needs too much memory", place)
    message = _sentence(str(error)) if str(error) else type(error).__name__
    if isinstance(error, TemplateError | ValueError | TypeError):
        return RenderError("template/value", message, place)
    return RenderError("template/error", f"the template can't go on: {message}", place)


def _not_found(
    missing: str, name: str, place: tuple[str, int] | None, templates: TemplateLoader
) -> RenderError:
    import difflib

    near = difflib.get_close_matches(missing, templates.names(), 1)
    hint = f"did you mean '{near[0]}'?" if near else "names are paths below templates/"
    if "\\" in missing or missing.startswith(("/", "..")) or "/../" in missing:
        hint = "a template can't lie outside templates/"
    where = place if missing != name else None
    return RenderError("template/missing", f"there is no template '{missing}'", where, hint)


def _place(traceback: TracebackType | None) -> tuple[str, int] | None:
    """Template and line of the innermost template in a traceback."""
    found: tuple[str, int] | None = None
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and template.name is not None:
            line = template.get_corresponding_lineno(traceback.tb_lineno)
            found = (template.name, line)
        traceback = traceback.tb_next
    return found


def _sentence(message: str | None) -> str:
    """A library's message as one of ours: no capital at the start, no full stop."""
    text = " ".join((message or "").split()).rstrip(".")
    return text[:1].lower() + text[1:] if re.match(r"[A-Z][a-z]", text) else text
