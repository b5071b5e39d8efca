"""Templates and the variables they see: a card to the SVG source of its sides."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from types import TracebackType
from typing import Any

from jinja2 import Template, TemplateNotFound, TemplateSyntaxError, nodes
from jinja2.exceptions import TemplateError, UndefinedError
from markupsafe import Markup

from cardgen.art.functions import effect_filters, yes_no
from cardgen.art.markdown import Markdown, outside_tags
from cardgen.art.named import NamedError, naming_of
from cardgen.art.sources import KeptSource, SourceStore, svg_digest
from cardgen.art.template_lines import LineMap
from cardgen.art.templating import MAX_OUTPUT, TemplateEnvironment, TemplateLoader
from cardgen.art.text_style import GROUP
from cardgen.core.findings import CardgenError, Problem, did_you_mean
from cardgen.core.game import Card, Component, Game, Words, plain_values
from cardgen.core.geometry import Matrix, Size, decimal
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import Dieline, Panel, placed
from cardgen.expressions.budget import (
    WHOLE,
    BudgetError,
    ForbiddenError,
    SandboxError,
    Watched,
    WrongValueError,
    in_words,
    kind_of,
    shown,
)
from cardgen.expressions.grammar import ForbiddenSyntaxError
from cardgen.expressions.macros import MacroResults
from cardgen.expressions.sandbox import Sandbox
from cardgen.expressions.values import real
from cardgen.files.cache import digest_of
from cardgen.files.listing import candidates, walk
from cardgen.files.reading import ReadingError
from cardgen.text.fonts import FontBook
from cardgen.text.spans import direction_of, width_of

MARKDOWN_PER_STEP = 1
"""Characters of Markdown converted in a step's time."""

_SHAPED_PER_STEP = 4
"""Characters of text measured in a step's time."""

_LONGEST_FAMILY = 100

_RESULTS = MacroResults()
"""Results of the macros of templates, for all games and variants."""

CARD_VARIABLES = frozenset(("card", "number", "copies"))
"""Variables that differ between cards of one component and size."""


class RenderError(Exception):
    """A template that can't be rendered: a stable code, one sentence, the place if known, a hint."""

    def __init__(
        self, code: str, message: str, place: tuple[str, int] | None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint, place=place)
        self.more: tuple[Problem, ...] = ()
        """Further problems of the template that are known at once."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (self.problem, *self.more)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result of rendering a template: the digest of its SVG, and True if that has groups of texts.
    `source` is the SVG, None if only the digest was kept from an earlier build; then `again` renders it, or
    raises RenderError."""

    digest: bytes
    grouped: bool
    source: str | None
    again: Callable[[], str]
    locate: Callable[[int], tuple[str, int] | None]
    """From an offset in bytes of the UTF-8 source to template and line."""

    def whole(self) -> str:
        """Return the SVG. Raises RenderError."""
        return self.again() if self.source is None else self.source


def game_variables(game: Game, *, low_ink: bool) -> dict[str, Any]:
    """Return the variables that are the same for everything in a game."""
    return {
        "game": {
            **{key: value for key, value in plain_values(game).items() if key != "theme"},
            "right_to_left": direction_of(game.language) == "rtl",
            "players": {"min": game.players[0], "max": game.players[1]},
        },
        "theme": game.theme,
        "spots": {spot.id: spot.shows if spot.screen or game.inked else "none" for spot in game.spots},
        "tables": game.tables,
        "low_ink": low_ink,
    }


def component_variables(game: Game, component: Component) -> dict[str, Any]:
    """Return the variables of a component for every template and text; invalid cards are counted too."""
    missing = [card for card in game.missing if card.component == component.id]
    return {
        "id": component.id,
        "title": component.title,
        "kind": component.kind,
        "variables": component.variables,
        "count": component.unique + len(missing),
        "copies": component.copies + sum(card.copies for card in missing),
    }


class Templates:
    """Renders the sides of a game's cards."""

    def __init__(
        self,
        game: Game,
        paths: ProjectPaths,
        fonts: FontBook,
        *,
        low_ink: bool,
        kept: SourceStore | None = None,
        share_rendered: bool = False,
        like: Templates | None = None,
    ) -> None:
        """Prepare a game's templates. With `share_rendered`, results are kept for the next user of the same
        `kept`. `like` are those of an earlier state of the game that had the same files of templates and
        fonts."""
        self._share_rendered = share_rendered
        self._paths, self._fonts = paths, fonts
        self._markdown = Markdown()
        self._naming = naming_of(game)
        self._reading = Readings(game)
        self._environments: dict[object, TemplateEnvironment] = {}
        if like is not None:
            self._environments = like._environments
        elif kept is not None and kept.environments is not None:
            self._environments = kept.environments
        self._kept = kept
        self._env = self._environment()
        self._shared = game_variables(game, low_ink=low_ink)
        self._components: dict[str, dict[str, Any]] = {}
        self._mentioned: dict[str, frozenset[str] | None] = {}
        self._given_up: dict[str, Problem] = {}
        self._seen: dict[tuple[str, frozenset[str]], str] = {}

    def _environment(self, *, mark_lines: bool = False) -> TemplateEnvironment:
        key = (self._fonts, self._naming.key, mark_lines)
        if key not in self._environments:
            self._environments[key] = self._new_environment(mark_lines)
        return self._environments[key]

    def _new_environment(self, mark_lines: bool) -> TemplateEnvironment:
        env = TemplateEnvironment(self._paths, mark_lines=mark_lines, naming=self._naming)
        markdown, book = self._markdown, cache(self._fonts.standing_in)

        def md(text: object, inline: bool = False) -> Markup:
            if text is None:
                raise WrongValueError("md got an empty value (null)")
            source = env.text_of(text)
            env.budget.step(1 + len(source) // MARKDOWN_PER_STEP)
            return markdown(source, inline=bool(inline))

        def text_width(
            text: object, size: float, family: str, weight: int = 400, italic: bool = False
        ) -> float:
            words = env.text_of(text)
            env.budget.step(len(words) // _SHAPED_PER_STEP)
            return _text_width(book(env.given["fonts"]), words, real(size), family, weight, italic)

        def printed(value: object) -> object:
            return yes_no(env.given["language"])(value)

        effects = effect_filters(lambda: env.given["effects"], env)
        env.offer_filters({"md": md, "yes_no": printed, **effects})
        if not mark_lines:
            env.results = _RESULTS
            env.kept = None if self._kept is None else self._kept.macros
        env.offer({"text_width": text_width, "t": speaker(lambda: env.given["words"], env)})
        return env

    def _shared_by(self, component: Component, mentioned: frozenset[str]) -> str:
        """Return a digest of the `mentioned` variables that all sides of a component share."""
        if (component.id, mentioned) not in self._seen:
            shared = {name: value for name, value in self._shared.items() if name in mentioned}
            self._seen[component.id, mentioned] = digest_of(
                self._naming.key, shared, self._about(component)
            )
        return self._seen[component.id, mentioned]

    def used(self, name: str) -> frozenset[str] | None:
        """Return a template and those that it uses; None if they are unknown."""
        self._env.begin()
        return self._env.used(name)

    def is_same_for_all_cards(self, name: str) -> bool:
        """Return True if a template draws the same for all cards of a component and size."""
        mentioned = self._mentions(name)
        return mentioned is not None and not mentioned & CARD_VARIABLES

    def may_use(self, variable: str, name: str) -> bool:
        """Return True if a template, or one that it uses, seems to mention a variable."""
        mentioned = self._mentions(name)
        return mentioned is None or variable in mentioned

    def _mentions(self, name: str) -> frozenset[str] | None:
        if name not in self._mentioned:
            self._env.begin()
            self._mentioned[name] = self._env.mentioned(name)
        return self._mentioned[name]

    def render(
        self, component: Component, card: Card, side: str, name: str, *, share: bool = False
    ) -> Rendered:
        """Render one side with the template `name`, or return its stored source; `share` it with its next
        user. Raises RenderError.

        A template that exceeded the limits for one card is not tried for the next: thousands of cards would
        take hours.
        """
        if (known := self._given_up.get(name)) is not None:
            raise RenderError(known.code, known.message, known.place, known.hint)
        variables = self._variables(component, card, side)

        kept, reading = self._kept, self._reading
        key = ""
        if kept is not None:
            key = kept.key(self._key(component, variables, name), partial(self.used, name))
            variables["component"] = reading.component(component.id, variables["component"])
            if self.may_use("tables", name):
                variables["tables"] = reading.tables

        def render() -> str:
            try:
                source = self._render(self._env, name, variables)
            except RenderError as error:
                if error.problem.code == "template/budget":
                    self._given_up[name] = error.problem
                raise
            if kept is not None:
                kept.share(svg_digest(source), source, promised=share or self._share_rendered)
            return source

        source = None
        found = None if kept is None else kept.recall(key, reading.digest)
        if found is None:
            source = render()
            found = KeptSource(svg_digest(source), GROUP in source)
            if kept is not None:
                reads = reading.plain()
                kept.remember(key, reads, reading.digest(reads), found)
        digest = found.digest

        def again() -> str:
            shared = None if kept is None else kept.take_shared(digest)
            return render() if shared is None else shared

        @cache  # for all problems of a side
        def places() -> LineMap | None:
            env = self._environment(mark_lines=True)
            assert env.marks is not None
            try:
                return env.marks.places(self._render(env, name, variables))
            except RenderError:  # with all its marks it may exceed the limits
                return None

        @cache
        def encoded() -> bytes:
            return (again() if source is None else source).encode()

        def locate(offset: int) -> tuple[str, int] | None:
            lines = places()
            if lines is None:
                return (name, 1)
            return lines.place(len(encoded()[:offset].decode(errors="ignore")))

        return Rendered(digest, found.grouped, source, again, locate)

    def _key(self, component: Component, variables: Mapping[str, Any], name: str) -> str:
        """Return a digest of the variables that the template `name` sees, apart from the tables."""
        mentioned = self._mentions(name)
        shared = frozenset(self._shared) if mentioned is None else mentioned
        unseen = {*self._shared, "component"}  # whose trim is also a variable of its own
        if self.is_same_for_all_cards(name):
            unseen |= CARD_VARIABLES
        own = {each: value for each, value in variables.items() if each not in unseen}
        return digest_of(self._shared_by(component, shared - {"tables"}), name, own)

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
        about = self._about(component) | {"trim": {"width": trim.width, "height": trim.height}}
        return about | self._reading.numbers[component.id]

    def _about(self, component: Component) -> dict[str, Any]:
        """Return the variables that are the same for all of a component's cards, without their numbers."""
        known = self._components.get(component.id)
        if known is None:
            known = self._components[component.id] = self._reading.about[component.id] | {
                "shape": component.shape,
                "corner_radius": component.corner_radius,
                "bleed": component.bleed,
                "safe": component.safe,
            }
            if component.box is not None:
                known["box"] = box_variables(component.box, component.bleed)
        return known

    # ---- running a template

    def _render(self, env: TemplateEnvironment, name: str, variables: Mapping[str, Any]) -> str:
        env.begin()
        self._reading.begin()
        env.given, env.noted = self._reading.given, self._reading.count
        try:
            template = env.get_template(name)
            context = template.new_context({**env.globals, **variables}, shared=True)
            chunks = env.run(template, context)
            if sum(map(len, chunks)) > env.budget.bounds.characters:
                most = f"more than {MAX_OUTPUT:,} characters of SVG for one side"
                raise RenderError(
                    "template/budget",
                    f"the template draws {most}",
                    (name, 1),
                    "draw less, or save parts as a PNG",
                )
            return outside_tags(whole_text(chunks))
        except RenderError:
            raise
        except Exception as error:
            raise render_error(error, name, env.templates) from error


def _text_width(fonts: FontBook, text: str, size: float, family: str, weight: int, italic: bool) -> float:
    """Return the width in mm of a line of text."""
    if not isinstance(family, str):
        raise WrongValueError(f"a font family must be text, not {kind_of(family)}")
    if type(weight) is not int:
        raise WrongValueError(f"{shown(weight)} is not a font weight")
    font = fonts.face(str(family)[:_LONGEST_FAMILY], weight, bool(italic))
    return width_of(font, text) * size


def whole_text(chunks: Sequence[str]) -> str:
    """Return a template's output as one text. Raises WrongValueError for text that no file can contain."""
    text = "".join(chunks)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WrongValueError("the text contains a broken character; delete it and type it again") from None
    return text


def render_error(error: Exception, name: str, templates: TemplateLoader) -> RenderError:
    """Return the error of a failure in the template `name` (or one that it includes)."""
    if isinstance(error, TemplateSyntaxError) and isinstance(error.__cause__, CardgenError):
        refusal = error.__cause__.findings[0]
        return RenderError(refusal.code, refusal.message, (error.name or name, error.lineno), refusal.hint)
    if isinstance(error, TemplateSyntaxError):
        code = "template/forbidden" if isinstance(error, ForbiddenSyntaxError) else "template/syntax"
        return RenderError(code, _sentence(error.message), (error.name or name, error.lineno))
    if isinstance(error, NamedError):
        first = error.problems[0]
        found = RenderError(first.code, first.message, first.place, first.hint)
        found.problem, found.more = first, error.problems[1:]
        return found
    place = _place(error.__traceback__) or (name, 1)
    if isinstance(error, TemplateNotFound):
        return _not_found(str(error.name), name, _place(error.__traceback__), templates)
    if isinstance(cause := error.__cause__, ReadingError):
        return RenderError(cause.code, str(error), place, cause.hint)
    if isinstance(error, BudgetError):
        hint = "check for a loop, macro or include that repeats too often"
        return RenderError("template/budget", in_words(error), place, hint)
    if isinstance(error, RecursionError):
        message = "the template includes or calls itself endlessly"
        hint = "remove the include or call that leads back to itself"
        return RenderError("template/recursion", message, place, hint)
    if isinstance(error, UndefinedError):
        hint = "write {% if card.x is defined %} or card.x|default('') for a field that may be missing"
        return RenderError("template/undefined", _sentence(str(error)), place, hint)
    if isinstance(error, MemoryError):
        hint = "make shorter texts and lists, or draw less"
        return RenderError("template/budget", "the template needs too much memory", place, hint)
    if isinstance(error, ForbiddenError):
        hint = "use what templates may use; to read more: cardgen explain template/forbidden"
        return RenderError("template/forbidden", in_words(error), place, hint)
    if isinstance(error, SandboxError | ValueError | TypeError):
        return RenderError("template/value", in_words(error), place)
    if isinstance(error, CardgenError) and error.findings[0].code.startswith("plugin/"):
        failure = error.findings[0]
        return RenderError(failure.code, str(failure), place, failure.hint)
    if isinstance(error, TemplateError | CardgenError):
        return RenderError("template/value", _sentence(str(error)), place)
    return RenderError("template/error", f"the template fails: {in_words(error)}", place)


def _not_found(
    missing: str, name: str, place: tuple[str, int] | None, templates: TemplateLoader
) -> RenderError:
    if not candidates(missing, ["templates"], ["templates"]):
        hint = "put the template into templates/"
    elif other := templates.other_case(missing):
        hint = f"write '{other}', the file's name; Linux distinguishes upper and lower case"
    else:
        hint = did_you_mean(missing, templates.names()) or "write the path of a file below templates/"
    where = place if missing != name else None
    return RenderError("template/missing", f"there is no template {shown(missing)}", where, hint)


def _place(traceback: TracebackType | None) -> tuple[str, int] | None:
    """Return the template and line of the innermost template in a traceback."""
    found: tuple[str, int] | None = None
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and template.name is not None:
            line = template.get_corresponding_lineno(traceback.tb_lineno)
            found = (template.name, line)
        traceback = traceback.tb_next
    return found


def _sentence(message: str | None) -> str:
    """Return a library's message in our style: no capital at the start, no full stop."""
    text = " ".join((message or "").split()).rstrip(".")
    return text[:1].lower() + text[1:] if re.match(r"[A-Z][a-z]", text) else text


Place = tuple[str | int | None, ...]
"""The way to mappings in the tables: keys, the index of an entry of a list, and None for all entries."""

_NUMBERS = ("count", "copies")
"""Variables of a component that change with any of its cards."""

_FEW_ENTRIES = 8
"""Most entries of a list that are read one by one. If more are read, all of them count as read."""


class Readings:
    """The parts of a game that templates read besides the variables of a side, collected from each `begin`
    on.

    In its tables these are single keys of mappings, or whole mappings; of a list, a few entries or all.
    Reading them includes the lengths of lists and the places of mappings on the way. Of the values for
    filters and functions, `given`, it is the requested ones, and each translated text. Of components it is
    the numbers of their cards.
    """

    def __init__(self, game: Game) -> None:
        self._read: set[tuple[Place, str | None]] = set()
        self._notes = 0
        self._known: dict[str, Any] = {}
        given: dict[str, Any] = {"effects": game.effects, "language": game.language, "fonts": game.fonts}
        texts: dict[str, str] = {}
        words = game.words
        if words is not None:
            texts = {text: translated for text, (translated, _) in words.words.items()}
            words = replace(words, words=Watched(dict(words.words), partial(self._note, ("texts",))))
        told = None if words is None else (words.language, words.must)
        digests = {name: digest_of(value) for name, value in {**given, "words": told}.items()}
        self.about = {each.id: component_variables(game, each) for each in game.components}
        self.numbers = {id: {key: each.pop(key) for key in _NUMBERS} for id, each in self.about.items()}
        self._values = {"tables": game.tables, "given": digests, "texts": texts, "numbers": self.numbers}
        self.tables: Any = self._watched(game.tables, ("tables",))
        self.given = Watched({**given, "words": words}, partial(self._note, ("given",)))

    def component(self, id: str, about: Mapping[str, Any]) -> Watched:
        """Return the variable `component` so that reads of the numbers of its cards are noted."""

        def note(key: Any) -> None:
            if key is WHOLE or key in _NUMBERS:
                self._note(("numbers", id), key)

        return Watched({**about}, note)

    def begin(self) -> None:
        """Begin to render a side."""
        self._read = set()

    def count(self) -> int:
        """Return the number of reads."""
        return self._notes

    def plain(self) -> list[Any]:
        """Return everything read since `begin`, as JSON values in a fixed order."""
        read: dict[tuple[Place, str | None], set[Place]] = {}
        for place, key in self._read:
            every = tuple(None if type(step) is int else step for step in place)
            read.setdefault((every, key), set()).add(place)
        merged = (
            (place, key)
            for (every, key), places in read.items()
            for place in (places if len(places) <= _FEW_ENTRIES else (every,))
        )
        return sorted(([list(place), key] for place, key in merged), key=json.dumps)

    def digest(self, reads: list[Any]) -> str:
        """Return a digest of the current values at the places that `plain` lists."""
        return digest_of([self._value(place, key) for place, key in reads])

    def _note(self, place: Place, key: Any) -> None:
        self._notes += 1
        self._read.add((place, None if key is WHOLE or type(key) is not str else key))

    def _watched(self, value: Any, place: Place) -> Any:
        if isinstance(value, Mapping):
            content = {key: self._watched(each, (*place, key)) for key, each in value.items()}
            return Watched(content, partial(self._note, place))
        if isinstance(value, (list, tuple)):
            return type(value)([self._watched(each, (*place, at)) for at, each in enumerate(value)])
        return value

    def _value(self, place: list[Any], key: str | None) -> Any:
        """Return the value at a key of the mappings at a place, or all values there, without those of
        nested mappings, which are read separately."""
        known = json.dumps([place, key])
        if known not in self._known:
            self._known[known] = [
                {name: _outside(each) for name, each in found.items()}
                if key is None
                else _outside(found.get(key, ...))  # a null entry exists
                for found in _at(self._values, place)
            ]
        return self._known[known]


def _at(value: Any, place: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings at a place, in order."""
    if not place:
        if isinstance(value, Mapping):
            yield value
        return
    step, rest = place[0], place[1:]
    if step is None or type(step) is int:
        if isinstance(value, (list, tuple)):
            for each in value if step is None else value[step : step + 1]:
                yield from _at(each, rest)
    elif isinstance(value, Mapping) and step in value:
        yield from _at(value[step], rest)


def _outside(value: Any) -> Any:
    """Return a value with its mappings emptied."""
    if isinstance(value, Mapping):
        return {}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_outside, value))
    return value


def box_variables(box: Dieline, bleed: float) -> dict[str, Any]:
    """Return `component.box` of templates: a mapping a panel by its name, and the whole size; mm from the
    corner of the bleed."""
    return {
        **box.about,
        "form": box.form,
        "cards": box.cards,
        "width": round(box.outer.width, 3),
        "height": round(box.outer.height, 3),
        "depth": round(box.outer.depth, 3),
        **{panel.name: _panel(panel, bleed) for panel in box.panels},
    }


def _panel(panel: Panel, bleed: float) -> dict[str, Any]:
    """Return `x`, `y`, `width` and `height` on the flat sheet, and two maps for art with its top left
    corner at 0, 0: `upright` for art of `size`, and `spine` for art read from top to bottom."""
    rect, size = panel.rect, panel.upright
    return {
        "x": round(rect.x + bleed, 4),
        "y": round(rect.y + bleed, 4),
        "width": round(rect.width, 4),
        "height": round(rect.height, 4),
        "turn": panel.turn,
        "glued": panel.glued,
        "upright": _spelled(panel.placing, bleed),
        "size": _size(size),
        "spine": _spelled(placed(rect, 90), bleed),
        "length": _size(rect.size.turned),
    }


def _size(size: Size) -> dict[str, float]:
    return {"width": round(size.width, 4), "height": round(size.height, 4)}


def _spelled(matrix: Matrix, bleed: float) -> str:
    moved = matrix.then(Matrix(e=bleed, f=bleed))
    values = (moved.a, moved.b, moved.c, moved.d, moved.e, moved.f)
    return f"matrix({' '.join(decimal(value, 4) for value in values)})"


NAME = "t"
_CALL = re.compile(r"\bt\s*\(")
_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]{0,40})\}")


def speaker(words_of: Callable[[], Words | None], sandbox: Sandbox) -> Callable[..., str]:
    """Return the function `t`: a text in the game's language, its `{holes}` filled with the values of
    these names."""

    def t(text: object, **values: Any) -> str:
        if not isinstance(text, str):
            raise WrongValueError(f"t expects text, not {kind_of(text)}")
        said, words = str(text), words_of()
        if words is not None and any(map(str.isalpha, said)):
            if (known := words.words.get(said)) is not None:
                said = known[0]
            elif words.must:
                raise WrongValueError(f"the text {shown(said)} has no translation into {words.language}")
        texts = {name: sandbox.text_of(value) for name, value in values.items()}

        def fill(hole: re.Match[str]) -> str:
            if hole[1] not in texts:
                raise WrongValueError(f"{shown(said)} has a placeholder {hole[0]} without a value")
            return texts[hole[1]]

        holes = len(_HOLE.findall(said))
        sandbox.budget.text(len(said) + holes * max(map(len, texts.values()), default=0))
        return _HOLE.sub(fill, said) if holes else said

    return t


def template_words(paths: ProjectPaths, game: str) -> dict[str, list[tuple[str, int]]]:
    """Return the texts that a game's templates pass to `t`, each with its files and lines, in order.

    Unreadable templates are skipped: rendering reports their problems.
    """
    found: dict[str, list[tuple[str, int]]] = {}
    env = TemplateEnvironment(paths)
    for name in _templates(paths, game):
        try:
            source = env.templates.get_source(env, name)[0]
            calls = list(_calls(env, source)) if _CALL.search(source) else []
        except (TemplateError, SandboxError):
            continue
        for word, line in calls:
            if any(map(str.isalpha, word)):
                found.setdefault(word, []).append((f"templates/{name}", line))
    return found


def _templates(paths: ProjectPaths, game: str) -> list[str]:
    """Return the names of all templates in a game's folder, sorted."""
    found: set[str] = set()
    for root in paths.roots:
        base = os.path.realpath(root / "templates")
        for file, _, _ in walk(os.path.join(base, game), f"templates/{game}", paths.roots).files:
            if file.endswith(".svg"):
                found.add(os.path.relpath(file, base).replace(os.sep, "/"))
    return sorted(found)


def _calls(env: TemplateEnvironment, source: str) -> Iterator[tuple[str, int]]:
    for call in env.parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == NAME and call.args:
            yield from _texts(call.args[0])


def _texts(node: nodes.Node) -> Iterator[tuple[str, int]]:
    """Yield the possible texts of an expression: one, or one of two."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value, node.lineno
    elif isinstance(node, nodes.CondExpr):
        yield from _texts(node.expr1)
        if node.expr2 is not None:
            yield from _texts(node.expr2)
