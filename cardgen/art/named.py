"""A drawing with named objects to the template that fills them in, line for line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from jinja2.exceptions import TemplateError

from cardgen.art.named_labels import (
    ATTRIBUTES,
    FIELD,
    ITEM,
    NAMES,
    OWN,
    SHAPES,
    Drawing,
    Element,
    FieldLabel,
    Fields,
    Instruction,
    Path,
    codes,
    field_label,
    filled,
    has_code,
    instructions,
    is_closed,
    unescaped,
)
from cardgen.art.named_objects import (
    FILLED,
    PATTERN,
    ObjectError,
    Work,
    fields_among,
    fill_image,
    fill_shape,
    fill_text,
    fill_use,
    follow,
    near_problem,
    reveal,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.game import Component, Game
from cardgen.core.geometry import Rect
from cardgen.core.records import dataclass
from cardgen.svg.style import url_targets
from cardgen.svg.tree import is_well_formed, names, numbers

_NAME = re.compile(rf"""(?:{"|".join(NAMES)})\s{{0,9}}=\s{{0,9}}["']([^"'<>]{{1,200}})["']""")
_UNDRAWN = names(
    "clipPath defs desc filter font linearGradient marker mask metadata pattern radialGradient script "
    "sodipodi:namedview style symbol title"
)
_READ = re.compile(r"""\bcard\s*(?:\.\s*(?!get\b)(\w+)|\[\s*["']([^"']+)|\.\s*get\s*\(\s*["']([^"']+))""")
_NUMBERED = re.compile(r"[A-Za-z]\d+(?:-\d+)*$")
"""The end of an id assigned by a program."""
_WORDS = re.compile(r"[:;]")
"""The beginning of a name's words, after its field."""
_GROUPS = ("g", "svg", "a")
_FILLABLE = SHAPES | {"image", "use", *_GROUPS}
_MOST = 4_000_000
"""Most characters of a template that is searched."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The template of a drawing. `reads` are the fields that its objects show, `objects` is True if it has
    any such."""

    source: str
    problems: tuple[Problem, ...] = ()
    reads: frozenset[str] = frozenset()
    objects: bool = False
    shapes: tuple[tuple[Path, Problem], ...] = ()
    """Shapes that words can't fill, with the problem to report if a card has words."""
    root: tuple[int, int] = (1, 1)
    """Line and column of its root."""
    texts: tuple[tuple[Path, int], ...] = ()
    """The fields that texts show on every card that has them, with the lines of these texts."""


@lru_cache(maxsize=64)
def translated(source: str, name: str, fields: tuple[str, ...], plain: bool) -> Translation:
    """Return the template for a file's text. `fields` are those of the cards that it is for, and `plain` is
    True if objects' plain names count, besides `cg:field` and the like. A file without a named object is
    its own template."""
    known = Fields(fields)
    if len(source) > _MOST or not _may_have_some(source, known, plain):
        return Translation(source)
    has_expressions = next(codes(source), None) is not None
    if plain and not has_expressions and not is_well_formed(source):  # filling could hide its errors
        return Translation(source)
    work = Work(Drawing(source), name, known)
    filling = _Filling(work, plain=plain, ids=not has_expressions)
    filling.run()
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
        texts=() if has_expressions else tuple(filling.texts),
    )


def _may_have_some(source: str, fields: Fields, plain: bool) -> bool:
    """Return True if a file may have a named object, without reading all of it."""
    if any(name in source for name in (FIELD, *ATTRIBUTES.values())):
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


class _Filling:
    """Fills one drawing, from the outside in."""

    def __init__(self, work: Work, *, plain: bool, ids: bool) -> None:
        """Prepare to fill a drawing: `plain` is True if objects' names count, `ids` if their ids do."""
        self.texts: list[tuple[Path, int]] = []
        """Fields that texts show on every card that has them, with the lines of these texts."""
        self._work = work
        self._plain = plain
        self._ids = ids
        self._instructions: dict[Element, list[Instruction]] = {}
        self._labels: dict[Element, FieldLabel] = {}
        self._boxes: dict[Path, list[Element]] = {}
        self._texts_of: set[Path] = set()
        """The fields of texts."""
        self._near: list[Problem] = []
        """Names close to a field's, which are slips in a drawing with named objects."""

    def run(self) -> None:
        work = self._work
        self._read_names()
        for element, label in self._labels.items():
            if element.name == "text" and label.path is not None:
                self._texts_of.add(label.path)
        for element, label in self._labels.items():
            if self._is_of_text(element, label) and element.name == "rect" and label.path is not None:
                self._boxes.setdefault(label.path, []).append(element)
        for element in work.drawing.elements:
            self._object(element)
            work.drop(element, *OWN)
            if (twice := element.repeated) is not None:
                message = f"the drawing is not well-formed XML: '{twice.name}' appears twice on this object"
                work.wrong("svg/syntax", message, "delete one of the two", twice)
        if work.has_changed:
            work.problems += self._near
        if self._labels:
            self._unframe()

    # ---- names

    def _read_names(self) -> None:
        """Read the names and instructions of all elements that are drawn."""
        work = self._work
        skipped: set[Element] = set()
        for element in work.drawing.elements:
            parent = element.parent
            if parent is None and element.name == "svg":
                continue
            if parent in skipped or element.name in _UNDRAWN:
                skipped.add(element)
                continue
            told: list[Instruction] = []
            if self._plain or OWN & element.attrs.keys():
                told = instructions(element, work.drawing.ids)
            if parent is not None and parent in work.repeated:
                work.repeated[element] = work.repeated[parent]
            elif any(each.kind == "each" for each in told):
                work.repeated[element] = element
            label = self._label(element)
            if label is None and self._plain:
                if not told:
                    self._near += self._near_name(element)
                if element.name == "text" and element.whole:
                    self._near += fields_among(work, element)
            if not told and label is None:
                continue
            if not (element.whole and is_closed(work.drawing.source[element.start : element.end])):
                if told or (label is not None and label.explicit):
                    message = f"the end of this <{element.name}> can't be found"
                    hint = "put Jinja tags outside of it, or around all of its content"
                    work.wrong("template/markup", message, hint, element)
                continue
            self._instructions[element] = told
            if label is not None:
                self._labels[element] = label
                if element.name in ("text", "tspan"):  # its content is its sample
                    skipped.add(element)

    def _label(self, element: Element) -> FieldLabel | None:
        work = self._work
        label = field_label(element, work.fields, item=element in work.repeated)
        if label is None or label.explicit:
            return label
        if not self._plain or label.path is None:
            return None
        if label.attribute.name == "id" and not self._ids:
            return None
        return None if element.name == "text" and has_code(work.drawing.content(element)) else label

    def _near_name(self, element: Element) -> list[Problem]:
        """Return the problem of a name that is nearly a field's."""
        attribute = next((each for each in element.names() if not _NUMBERED.search(each.raw)), None)
        if attribute is None:
            return []
        fields = self._work.fields
        name, *words = _WORDS.split(unescaped(attribute.value), maxsplit=1)
        counts = self._ids or attribute.name != "id"
        hint = None
        if counts and words and fields.named(name.strip(" _")) is not None:
            hint = "write words such as ': icon' after the field's name, then '; fill: …' for a color"
        elif element.name in ("text", "image"):
            hint = fields.misses(attribute.value)
        return near_problem(self._work, attribute.value, hint, attribute.start)

    # ---- filling

    def _object(self, element: Element) -> None:
        work = self._work
        label = self._labels.get(element)
        for told in self._instructions.get(element, ()):
            if told.kind == "stroke" and label is not None and label.kind == "icon":
                message = f"the icon '{label.text}' doesn't take a stroke color"
                hint = "write fill in place of stroke"
                work.wrong("template/color", message, hint, told.attribute, Severity.WARNING)
                continue
            try:
                follow(work, element, told)
            except ObjectError as error:
                work.wrong(error.code, error.message, error.hint, error.at)
                continue
            if told.kind == "each":
                self._drop_ids(element)
                if label is None and element.name not in _GROUPS:
                    label = FieldLabel(ITEM, (ITEM,), told.attribute)
        if label is None:
            return
        if label.path is None:
            hint = work.fields.near(label.text) or "name a field of the cards' schema"
            if label.text.partition(".")[0] == ITEM:
                hint = "use item only in an object with cg:each"
            message = f"{FIELD} names '{label.text}', which is not a field"
            work.wrong("template/field", message, hint, label.attribute)
            return
        work.read(label.path)
        self._fill(element, label, label.path)

    def _fill(self, element: Element, label: FieldLabel, path: Path) -> None:
        work, name = self._work, element.name
        is_of_text = self._is_of_text(element, label)
        if label.kind == "box" or (is_of_text and not work.looks.is_painted(element)):
            work.show_if(element, "false")
            return
        if name in ("text", "tspan"):
            boxes = self._boxes.get(path) if name == "text" else None
            fill_text(work, element, label, path, boxes.pop(0) if boxes else None)
            if name == "text" and self._is_sure(element, path):
                self.texts.append((path, work.drawing.line(element.start)))
            return
        if name not in _FILLABLE:
            if label.explicit:
                message = f"a field can't fill a <{name}>"
                hint = "name a text, an image, a shape or a group"
                work.wrong("template/field", message, hint, label.attribute)
            return
        value = work.fields.value(path)
        work.show_if(element, filled(value))
        if name == "image":
            fill_image(work, element, value)
        elif name == "use":
            fill_use(work, element, value)
        elif name in FILLED and not is_of_text and label.kind != "shown":
            fill_shape(work, element, label, path)
        elif name in _GROUPS:
            if label.kind in ("icon", "picture", "color"):
                fill_shape(work, element, label, path)
            reveal(work, element)

    def _is_sure(self, element: Element, path: Path) -> bool:
        """Return True if an object is drawn on every card that has a field."""
        for each in (element, *element.around()):
            label = self._labels.get(each)
            if label is not None and label.path != path:
                return False
            if self._work.looks.own(each).get("display") == "none":
                return False
            for told in self._instructions.get(each, ()):
                if told.kind == "each" or (told.kind == "if" and told.text != ".".join(path)):
                    return False
        return True

    def _is_of_text(self, element: Element, label: FieldLabel) -> bool:
        """Return True if a shape is only the box of a text with its name."""
        return (
            element.name in FILLED and label.path in self._texts_of and label.kind in (None, "box", "shown")
        )

    def _unframe(self) -> None:
        """Remove the clip path of a frame around the whole drawing, as Figma adds one: clipped text would
        be drawn as outlines."""
        work = self._work
        for element in work.drawing.elements:
            clip = element.attrs.get("clip-path")
            if clip is None or element.parent is None or element.parent.parent is not None:
                continue
            targets = url_targets(clip.value)
            path = work.drawing.ids.get(targets[0].removeprefix("#")) if targets else None
            if path is None or len(path.children) != 1 or "transform" in element.attrs:
                continue
            view, box = numbers(element.parent.get("viewBox") or ""), work.looks.box(path.children[0])
            if len(view) == 4 and box is not None and box.contains(Rect(*view), 0.01):
                work.drop(element, "clip-path")

    def _drop_ids(self, element: Element) -> None:
        """Remove the ids of repeated elements, which would be duplicates."""
        source = self._work.drawing.source
        for each in element.iter():
            id = each.get("id")
            if id is not None and f"#{id}" not in source:
                self._work.drop(each, "id")


class NamedError(TemplateError):
    """Objects with unusable names: the template can't be filled in."""

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
        """Return all its settings, as plain data."""
        return tuple(self._fields.items())

    def translation(self, source: str, name: str) -> Translation:
        """Return the template for a text, with its problems."""
        fields = self._fields.get(name)
        if fields is None:
            return translated(source, name, self._all, False)
        return translated(source, name, fields, True)

    def template(self, source: str, name: str) -> str:
        """Return the template for a file's text. Raises NamedError."""
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
    """Return the fields of a component's cards: those that its schema knows or, if it knows none, those in
    the cards."""
    if component.declared:
        return frozenset(component.declared)
    return frozenset(key for card in component.cards for key in card.fields)
