"""A list of a game's named objects, made without rendering a card."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from jinja2.exceptions import TemplateError

from cardgen.art.named import Translation, fields_of, fields_of_code, naming_of
from cardgen.art.named_labels import ENGINE, Drawing, Element, Path, codes, is_closed
from cardgen.art.side_findings import location_of
from cardgen.art.templates import Templates
from cardgen.art.templating import TemplateLoader
from cardgen.core.findings import Finding, Findings, Location, Problem
from cardgen.core.game import Component, Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass
from cardgen.files.cache import Cache, digest_of

_WHOLE = re.compile(
    r"\bcard\b(?!\s*(?:\.\s*(?!get\b|items\b|values\b|keys\b)\w|\[\s*[\"']|\.\s*get\s*\(\s*[\"']))"
)
"""An expression that reads more of a card than a named field."""
_UNPRINTED = re.compile(
    r"""\A-?\s*(?:el)?if\b.*|\bif\b.*?(?=\belse\b|\Z)|\[\s*card\.[\w.]+\s*\]"""
    r"""|\bcard\.[\w.]+\s*(?:[=!<>]=|[<>]|\b(?:in|is)\b)\s*[\w"'\[(]""",
    re.DOTALL,
)
"""The fields that an expression reads for a decision or a lookup."""
_BARE = re.compile(
    r"""-?\s*card(?:\.(?!get\b)(\w+(?:\.\w+)*)|(?:\[|\.get\()\s*["'](\w+)["'][^()\[\]]*[\])])\s*(?:\|[^{}]*)?-?"""
)
"""An expression that prints a field unchanged."""
_KEEPS = re.compile(
    r"[^|]*(?:\|\s*(?:md|e|escape|upper|lower|title|capitalize|string|safe|default|d|trim)\b(?:\s*\([^()]*\))?\s*)*-?"
)
"""An expression whose filters keep the words of a text."""
_HIDES = re.compile(
    r"\A(?:class|display|visibility|opacity|style|id|cg:(?:if|each))=|\A(?:inkscape:label|data-name)=.*:"
)
"""Attributes that may hide an element, or make it depend on a condition."""
_ONE_WORD = re.compile(r"\w+(?:-\w+)*|#.*|.*\.[A-Za-z]{3,4}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unread:
    """Fields of a component's cards that nothing on them shows, and the place of the finding."""

    component: Component
    fields: tuple[str, ...]
    place: Location


@dataclass(frozen=True, slots=True)
class Printing:
    """The `fields` that a template may print as text, None for any, and those that it prints unchanged,
    `bare`."""

    fields: frozenset[str] | None
    bare: frozenset[Path]


class Listing:
    """The templates of a game's cards, each read once. `kept` has what they show, for the same files."""

    def __init__(
        self, game: Game, paths: ProjectPaths, templates: Templates, kept: Cache | None = None
    ) -> None:
        self._game = game
        self._naming = naming_of(game)
        self._loader = TemplateLoader(paths)
        self._used = templates.used
        self._known: dict[str, Translation | None] = {}
        self._shown: dict[str, tuple[tuple[tuple[Path, int], ...], Printing | None]] = {}
        self._kept = kept or Cache.nowhere()

    def say(self, findings: Findings) -> None:
        """Add findings about the objects themselves, apart from errors, which rendering reports."""
        said: set[Problem] = set()
        for component in self._game.components:
            for name in _templates(component):
                made = self._made(name)
                if made is None:
                    continue
                for problem in made.problems:
                    if not problem.is_error and problem not in said:
                        said.add(problem)
                        findings.extend([_located(problem)])
                findings.extend(self._outlined(component, name, made))

    def _outlined(self, component: Component, name: str, made: Translation) -> Iterator[Finding]:
        for path, problem in made.shapes:
            for card in component.cards:
                value = _value(card.fields, path)
                if (
                    name in (card.face, card.back)
                    and isinstance(value, str)
                    and not _ONE_WORD.fullmatch(value)
                ):
                    yield _located(problem)
                    break

    def unread(self, tables: Collection[str] = ()) -> Iterator[Unread]:
        """Yield the fields that nothing shows, of components whose templates have named objects, and of
        those whose cards are in `tables`."""
        for component in self._game.components:
            names = _templates(component)
            made = [(name, found) for name in names if (found := self._made(name)) is not None]
            objects = [each for each in made if each[1].objects]
            first = next(iter(objects or (made if component.id in tables else ())), None)
            if first is None:
                continue
            reads = [self._reads(name) for name in names]
            unread = fields_of(component) - ENGINE
            for each in reads:
                unread -= unread if each is None else each
            if unread:
                place = Location(f"templates/{first[0]}", *first[1].root)
                yield Unread(component, tuple(sorted(unread)), place)

    def _reads(self, name: str) -> frozenset[str] | None:
        """Return the fields that a template, or one that it uses, reads; None if it may be any."""
        texts = self._texts_used(name)
        if texts is None or any(_WHOLE.search(code) for source, _ in texts for code in codes(source)):
            return None
        return frozenset().union(*(made.reads | fields_of_code(source) for source, made in texts))

    def _texts_used(self, name: str) -> list[tuple[str, Translation]] | None:
        """Return the text of a template and of those that it uses, each with its translation; None if they
        are unknown."""
        used = self._used(name)
        if used is None:
            return None
        made = {each: self._made(each) for each in used}
        return [(self._loader.source(each), found) for each, found in made.items() if found is not None]

    def texts(self, name: str) -> tuple[tuple[Path, int], ...]:
        """Return the fields that texts of a template show on every card that has them, with their lines."""
        return self._show(name)[0]

    def printed(self, name: str) -> Printing | None:
        """Return the fields that a template, or one that it uses, may print as text; None if they are
        unknown."""
        return self._show(name)[1]

    def _show(self, name: str) -> tuple[tuple[tuple[Path, int], ...], Printing | None]:
        """Return both, kept from an earlier check of the same templates and names."""
        if name in self._shown:
            return self._shown[name]
        key = digest_of(self._naming.key, name)
        known = self._kept.get_value(key)
        if known is None:
            texts, printing = self._fixed_texts(name), self._printed(name)
            told = None
            if printing is not None:
                told = [None if printing.fields is None else sorted(printing.fields), sorted(printing.bare)]
            self._kept.put_value(key, [texts, told])
        else:
            texts = tuple((tuple(path), line) for path, line in known[0])
            printing = None
            if known[1] is not None:
                fields, bare = known[1]
                fields = None if fields is None else frozenset(fields)
                printing = Printing(fields, frozenset(map(tuple, bare)))
        self._shown[name] = texts, printing
        return self._shown[name]

    def _fixed_texts(self, name: str) -> tuple[tuple[Path, int], ...]:
        made = self._made(name)
        if made is None or made.objects:
            return () if made is None else made.texts
        return tuple(_texts_by_code(self._loader.source(name)))

    def _printed(self, name: str) -> Printing | None:
        texts = self._texts_used(name)
        if texts is None:
            return None
        fields: set[str] = set()
        bare: set[Path] = set()
        any_field = False
        for source, made in texts:
            fields |= made.reads
            for code in codes(_without_attributes(source)):
                if (found := _BARE.fullmatch(code)) is not None:
                    bare.add(tuple((found[1] or found[2]).split(".")))
                code = _UNPRINTED.sub(" ", code)
                any_field = any_field or _WHOLE.search(code) is not None
                fields |= fields_of_code(f"{{{{{code}}}}}")
        return Printing(None if any_field else frozenset(fields), frozenset(bare))

    def _made(self, name: str) -> Translation | None:
        """Return the translated template; None if it can't be read, which rendering reports."""
        if name not in self._known:
            try:
                source = self._loader.source(name)
            except TemplateError:
                self._known[name] = None
            else:
                self._known[name] = self._naming.translation(source, name)
        return self._known[name]


def _texts_by_code(source: str) -> Iterator[tuple[Path, int]]:
    """Yield the fields that expressions print unchanged, in unconditional texts."""
    drawing = Drawing(source)
    for element in drawing.elements:
        if element.name != "text" or not element.whole or not is_closed(source[: element.start]):
            continue
        if any(each.name not in ("svg", "g") or _may_hide(each) for each in element.around()):
            continue
        content = drawing.content(element)
        if _may_hide(element) or "{%" in content:
            continue
        for code in codes(content):
            if (found := _BARE.fullmatch(code)) is not None and _KEEPS.fullmatch(code):
                yield tuple((found[1] or found[2]).split(".")), drawing.line(element.start)


def _may_hide(element: Element) -> bool:
    """Return True if an element sets anything that may make it invisible."""
    return any(_HIDES.search(f"{name}={each.raw}") for name, each in element.attrs.items())


def _without_attributes(source: str) -> str:
    """Return a template without its attributes' values, which are not printed as text."""
    parts: list[str] = []
    done = 0
    for element in Drawing(source).elements:
        for each in element.attrs.values():
            if each.start >= done:
                parts.append(source[done : each.start])
                done = each.end
    return "".join((*parts, source[done:]))


def _templates(component: Component) -> list[str]:
    return sorted({name for card in component.cards for name in (card.face, card.back) if name})


def _located(problem: Problem) -> Finding:
    """Return a problem of a template's own file as a finding at its line and column."""
    assert problem.place is not None
    return problem.at(location_of(problem.place, problem.column))


def _value(fields: object, path: Path) -> object:
    value = fields
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
