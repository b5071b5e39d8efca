"""A drawing whose objects are named to the template that fills them in, line for line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jinja2.exceptions import TemplateError

from cardgen.art.named_labels import (
    EACH,
    FIELD,
    IF,
    ITEM,
    NAMES,
    OWN,
    PAINTS,
    Attribute,
    Drawing,
    Element,
    Fields,
    Named,
    Path,
    Said,
    codes,
    has_code,
    is_closed,
    named,
    said,
    unescaped,
)
from cardgen.art.named_objects import (
    FILLED,
    PATTERN,
    ObjectError,
    Work,
    fill_among,
    fill_group,
    fill_image,
    fill_shape,
    fill_text,
    fill_use,
    paint,
    repeat,
    reveal,
    show,
    show_if,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.game import Component, Game
from cardgen.core.geometry import Rect
from cardgen.svg.style import url_targets
from cardgen.svg.tree import is_well_formed, names, numbers

_NAME = re.compile(rf"""(?:{"|".join(NAMES)})\s{{0,9}}=\s{{0,9}}["']([^"'<>]{{1,200}})["']""")
_UNDRAWN = names(
    "clipPath defs desc filter font linearGradient marker mask metadata pattern radialGradient script "
    "sodipodi:namedview style symbol title"
)
_READ = re.compile(r"""\bcard\s*(?:\.\s*(?!get\b)(\w+)|\[\s*["']([^"']+)|\.\s*get\s*\(\s*["']([^"']+))""")
_NUMBERED = re.compile(r"[A-Za-z]\d+(?:-\d+)*$")
"""The end of an id that a program gave."""
_WORDS = re.compile(r"[:;]")
"""The beginning of what a name says after its field."""
_OTHERS = frozenset(("line", "polyline"))
_MOST = 4_000_000
"""Characters of a template that is looked through."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The template of a drawing. `reads` are the fields that its objects show, `objects` whether it has
    any such."""

    source: str
    problems: tuple[Problem, ...] = ()
    reads: frozenset[str] = frozenset()
    objects: bool = False
    shapes: tuple[tuple[Path, Problem], ...] = ()
    """Shapes that words can't fill, with what to say if a card has such."""
    root: tuple[int, int] = (1, 1)
    """Line and column of its root."""
    texts: tuple[tuple[Path, int], ...] = ()
    """The fields that texts show on every card that has them, with the lines of these texts."""


@lru_cache(maxsize=64)
def translated(source: str, name: str, fields: tuple[str, ...], plain: bool) -> Translation:
    """Return the template that a file's text comes to. `fields` are those of the cards that it is for,
    and `plain` is whether objects' plain names count, beside `cg:field` and the like. A file without a
    named object is its own template."""
    known = Fields(fields)
    if len(source) > _MOST or not _may_have_some(source, known, plain):
        return Translation(source)
    has_expressions = next(codes(source), None) is not None
    if plain and not has_expressions and not is_well_formed(source):  # it would be filled over
        return Translation(source)
    work = Work(Drawing(source), name, known)
    _Pass(work, plain=plain, ids=not has_expressions).run()
    if not work.has_changed:
        return Translation(source, tuple(work.problems))
    root = next((each.start for each in work.drawing.elements), 0)
    return Translation(
        work.made(),
        tuple(work.problems),
        frozenset(work.reads),
        objects=True,
        shapes=tuple(work.shapes),
        root=(work.drawing.line(root), work.drawing.column(root)),
        texts=() if has_expressions else tuple(work.texts),
    )


def _may_have_some(source: str, fields: Fields, plain: bool) -> bool:
    """Return True if a file may have a named object, without reading all of it."""
    if any(name in source for name in (FIELD, IF, EACH, *PAINTS.values())):
        return True
    if not plain or not fields:
        return False
    if any(fields.stated(found[1]) is not None for found in PATTERN.finditer(source)):
        return True
    said = dict.fromkeys(_NAME.findall(source))
    return any(":" in name or "x3A" in name or fields.named(name) is not None for name in said)


def fields_of_code(source: str) -> frozenset[str]:
    """Return the fields that a template's own expressions read."""
    if "{{" not in source and "{%" not in source:
        return frozenset()
    found = (match for code in codes(source) for match in _READ.finditer(code))
    return frozenset(name for match in found for name in match.groups() if name)


class _Pass:
    """Goes through one drawing, from the outside in."""

    def __init__(self, work: Work, *, plain: bool, ids: bool) -> None:
        """`plain` is whether objects' names count, `ids` whether their ids do."""
        self._work = work
        self._plain = plain
        self._ids = ids
        self._conditions: dict[Element, list[Said]] = {}
        self._labels: dict[Element, Named] = {}
        self._boxes: dict[Path, list[Element]] = {}
        self._filled: set[Path] = set()
        """Names of texts."""

    def run(self) -> None:
        work = self._work
        self._look()
        for element, label in self._labels.items():
            if element.name == "text" and label.path is not None:
                self._filled.add(label.path)
        for element, label in self._labels.items():
            if self._is_of_text(element, label) and element.name == "rect" and label.path is not None:
                self._boxes.setdefault(label.path, []).append(element)
        for element in work.drawing.elements:
            if element in self._labels or element in self._conditions:
                self._object(element)
            work.drop(element, *OWN)
            if element.repeated is not None:
                work.stands_twice(element.repeated)
        if work.has_changed:
            work.problems += work.near
        if self._labels:
            self._unframe()

    # ---- looking for names

    def _look(self) -> None:
        """Find the names and conditions of all elements that are drawn."""
        work = self._work
        skipped: set[Element] = set()
        for element in work.drawing.elements:
            parent = element.parent
            if parent is None and element.name == "svg":
                continue
            if parent in skipped or element.name in _UNDRAWN:
                skipped.add(element)
                continue
            stated = said(element, work.drawing.ids) if self._plain or OWN & element.attrs.keys() else []
            if parent is not None and parent in work.repeated:
                work.repeated[element] = work.repeated[parent]
            elif any(each.kind == "each" for each in stated):
                work.repeated[element] = element
            label = self._label(element)
            if label is None and self._plain and not stated:
                self._note_near(element)
            if label is None and self._plain and element.name == "text" and element.whole:
                fill_among(work, element, item=element in work.repeated)
            if not (stated or label is not None):
                continue
            if not (element.whole and is_closed(work.drawing.source[element.start : element.end])):
                self._broken(element, stated, label)
                continue
            if stated:
                self._conditions[element] = stated
            if label is not None:
                self._labels[element] = label
                if element.name in ("text", "tspan"):  # what is in it is its sample
                    skipped.add(element)

    def _label(self, element: Element) -> Named | None:
        work = self._work
        label = named(element, work.fields, item=element in work.repeated)
        if label is None or label.explicit:
            return label
        if not self._plain or label.path is None:
            return None
        if label.said.name == "id" and not self._ids:
            return None
        return None if element.name == "text" and has_code(work.drawing.content(element)) else label

    def _note_near(self, element: Element) -> None:
        """Note a name that is nearly a field's."""
        for name in NAMES:
            attribute = element.attrs.get(name)
            if attribute is None or attribute.is_code or _NUMBERED.search(attribute.raw):
                continue
            hint = None
            if self._says_more(attribute):
                hint = "write words such as ': icon' after the field's name, then '; fill: …' for a color"
            elif element.name in ("text", "image"):
                hint = self._work.fields.misses(attribute.value)
            self._work.nearly(attribute.value, hint, attribute.start)
            return

    def _says_more(self, attribute: Attribute) -> bool:
        """Return True if a name is a field's with words that mean nothing."""
        name, *words = _WORDS.split(unescaped(attribute.value), maxsplit=1)
        counts = self._ids or attribute.name != "id"
        return counts and bool(words) and self._work.fields.named(name.strip(" _")) is not None

    def _broken(self, element: Element, stated: list[Said], label: Named | None) -> None:
        """Say that an object can't be told from what is around it, where its name is meant for us."""
        if stated or (label is not None and label.explicit):
            message = f"the end of this <{element.name}> can't be found"
            hint = "put Jinja tags outside of it, or around all of its content"
            self._work.wrong("template/markup", message, hint, element)

    # ---- filling

    def _object(self, element: Element) -> None:
        work = self._work
        label = self._labels.get(element)
        item = element.parent in work.repeated
        for stated in self._conditions.get(element, ()):
            try:
                if stated.kind == "if":
                    show_if(work, element, stated, item=item)
                elif stated.kind == "stroke" and label is not None and label.kind == "icon":
                    message = f"the icon '{label.text}' doesn't take a stroke color"
                    hint = "write fill in place of stroke"
                    work.wrong("template/color", message, hint, stated.said, Severity.WARNING)
                elif stated.kind != "each":
                    paint(work, element, stated, item=element in work.repeated)
                else:
                    repeat(work, element, stated, item=item)
                    self._unnumbered(element)
                    if label is None and element.name not in ("g", "svg", "a"):
                        label = Named(ITEM, (ITEM,), stated.said)
            except ObjectError as error:
                work.wrong(error.code, error.message, error.hint, error.at)
        if label is None:
            return
        if label.path is None:
            work.unknown(label)
            return
        work.read(label.path)
        self._fill(element, label, label.path)

    def _fill(self, element: Element, label: Named, path: Path) -> None:
        work, name = self._work, element.name
        if label.kind == "box" or (self._is_of_text(element, label) and not work.looks.is_painted(element)):
            work.wrap(element, "{% if false %}", "{% endif %}")
        elif name in ("text", "tspan"):
            boxes = self._boxes.get(path) if name == "text" else None
            fill_text(work, element, label, path, boxes.pop(0) if boxes else None)
            if name == "text" and self._is_sure(element, path):
                work.texts.append((path, work.drawing.line(element.start)))
        elif name == "image":
            fill_image(work, element, path)
        elif name == "use":
            fill_use(work, element, path)
        elif self._is_of_text(element, label) or name in _OTHERS:
            show(work, element, path)
        elif name in FILLED:
            fill_shape(work, element, label, path)
        elif name in ("g", "svg", "a"):
            fill_group(work, element, label, path)
            reveal(work, element)
        elif label.explicit:
            message = f"a field can't fill a <{name}>"
            work.wrong("template/field", message, "name a text, an image, a shape or a group", label.said)

    def _is_sure(self, element: Element, path: Path) -> bool:
        """Return True if an object is drawn on every card that has a field."""
        for each in (element, *element.around()):
            label = self._labels.get(each)
            if label is not None and label.path != path:
                return False
            if self._work.looks.own(each).get("display") == "none":
                return False
            if any(
                said.kind == "each" or (said.kind == "if" and said.text != ".".join(path))
                for said in self._conditions.get(each, ())
            ):
                return False
        return True

    def _is_of_text(self, element: Element, label: Named) -> bool:
        """Return True if a shape is only the box of a text with its name."""
        return (
            element.name in FILLED and label.path in self._filled and label.kind in (None, "box", "shown")
        )

    def _unframe(self) -> None:
        """Leave out the clip path of a frame that is all of the drawing, as Figma gives it one: text in
        what is clipped would be drawn as outlines."""
        work = self._work
        for element in work.drawing.elements:
            clip = element.attrs.get("clip-path")
            if clip is None or element.parent is None or element.parent.parent is not None:
                continue
            targets = url_targets(clip.value)
            path = work.drawing.ids.get(targets[0].removeprefix("#")) if targets else None
            if path is None or len(path.children) != 1 or element.attrs.keys() & {"transform"}:
                continue
            view, box = numbers(element.parent.get("viewBox") or ""), work.looks.box(path.children[0])
            if len(view) == 4 and box is not None and box.contains(Rect(*view), 0.01):
                work.drop(element, "clip-path")

    def _unnumbered(self, element: Element) -> None:
        """Leave out the ids of what is repeated, which would be there several times."""
        source = self._work.drawing.source
        for each in element.iter():
            id = each.get("id")
            if id is not None and f"#{id}" not in source:
                self._work.drop(each, "id")


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
        """Return all that it knows, as plain data."""
        return tuple(self._fields.items())

    def translation(self, source: str, name: str) -> Translation:
        """Return the template that a text becomes, with its problems."""
        fields = self._fields.get(name)
        if fields is None:
            return translated(source, name, self._all, False)
        return translated(source, name, fields, True)

    def template(self, source: str, name: str) -> str:
        """Return the template that a file's text comes to. Raises NamedError."""
        found = self.translation(source, name)
        wrong = tuple(problem for problem in found.problems if problem.is_error)
        if wrong:
            raise NamedError(wrong)
        return found.source


def naming_of(game: Game) -> Naming:
    """Return the templates of a game's cards with the fields of those."""
    found: dict[str, frozenset[str]] = {}
    for component in game.components:
        fields = fields_of(component)
        for name in {name for card in component.cards for name in (card.face, card.back) if name}:
            found[name] = found.get(name, frozenset()) | fields
    return Naming(found)


def fields_of(component: Component) -> frozenset[str]:
    """Return the fields of a component's cards: those that its schema knows or, where that knows none,
    theirs."""
    if component.declared:
        return frozenset(component.declared)
    return frozenset(key for card in component.cards for key in card.fields)
