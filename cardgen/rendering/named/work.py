"""A named drawing while its template is made: what is put around its objects, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cardgen.findings import Problem, Severity
from cardgen.rendering.named.edits import Edits
from cardgen.rendering.named.fields import ITEM, Fields, Path
from cardgen.rendering.named.labels import FIELD, Named
from cardgen.rendering.named.looks import Looks
from cardgen.rendering.named.markup import Attribute, Drawing, Element


@dataclass(frozen=True, slots=True)
class Place:
    """A problem with its place in the template's file: line and column, from 1."""

    problem: Problem
    line: int
    column: int


@dataclass(slots=True, eq=False)
class Wrapping:
    """What goes around an object: definitions before all of it, then tags of Jinja and groups."""

    definitions: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


class Work:
    """One drawing, the fields that it may show, and what becomes of it."""

    def __init__(self, drawing: Drawing, name: str, fields: Fields) -> None:
        self.drawing = drawing
        self.name = name
        self.fields = fields
        self.looks = Looks(drawing)
        self.edits = Edits(drawing.source)
        self.problems: list[Place] = []
        self.reads: set[str] = set()
        self.repeated: dict[Element, Element] = {}
        """Elements that stand in something repeated, or are it, with the outermost such."""
        self.shapes: list[tuple[Path, Place]] = []
        """Shapes that are filled by what their field turns out to be."""
        self.texts: list[tuple[Path, int]] = []
        """Fields that texts show on every card that has them, with the lines of these."""
        self.added: dict[Element, list[str]] = {}
        """What style elements without one are given."""
        self.paints: dict[Element, str] = {}
        """The expressions for the fill of what they paint."""
        self._nearly: list[tuple[Problem, int]] = []
        self._wrapped: dict[Element, Wrapping] = {}
        self._numbers = 0

    def wrapping(self, element: Element) -> Wrapping:
        return self._wrapped.setdefault(element, Wrapping())

    def wrap(self, element: Element, before: str, after: str) -> None:
        """Put something around an object, within what is around it already."""
        wrapping = self.wrapping(element)
        wrapping.before.append(before)
        wrapping.after.insert(0, after)

    def define(self, element: Element, definition: str) -> None:
        """Put a definition before an object, or before all of what is repeated with it, once."""
        self.wrapping(self.repeated.get(element, element)).definitions.append(definition)

    def new_id(self, element: Element, what: str) -> str:
        """An id that the drawing has not: named after the object, for findings name it."""
        base = (
            "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in what) or "object"
        )
        id = base
        while id in self.drawing.ids:
            self._numbers += 1
            id = f"{base}-{self._numbers}"
        self.drawing.ids[id] = element
        return id

    def drop(self, element: Element, *names: str) -> None:
        """Leave out attributes of an element, which may have them or not."""
        for name in names:
            attribute = element.attrs.get(name)
            if attribute is not None:
                self.edits.replace(attribute.start, attribute.end, "")

    def attribute(self, element: Element, name: str, value: str) -> None:
        """Give an element an attribute that it has not."""
        self.edits.before(element.start + 1 + len(element.name), f' {name}="{value}"')

    def wrong(
        self,
        code: str,
        message: str,
        hint: str | None,
        at: Element | Attribute,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Remember what is wrong with an object or an attribute of it."""
        self.problems.append(self.place(code, message, hint, at, severity))

    def place(
        self, code: str, message: str, hint: str | None, at: Element | Attribute, severity: Severity
    ) -> Place:
        """A problem at an object or an attribute of it."""
        return self._placed(Problem(code, message, hint, severity), at.start)

    def _placed(self, problem: Problem, at: int) -> Place:
        line, column = self.drawing.line(at), self.drawing.column(at)
        return Place(replace(problem, place=(self.name, line), column=column), line, column)

    def nearly(self, what: str, hint: str | None, at: int) -> None:
        """Remember a name that is nearly a field's, where there is a `hint` which."""
        if hint is not None:
            message = f"'{what}' is named after no field, and printed as it stands"
            problem = Problem("template/unfilled", message, hint, Severity.WARNING)
            self._nearly.append((problem, at))

    def read(self, path: Path) -> None:
        """Remember a field that is shown."""
        self.reads.add(path[1] if path[0] == "card" and path[1:] else path[0])

    def unknown(self, named: Named) -> None:
        """Remember a `cg:field` that names nothing."""
        hint = self.fields.near(named.text) or "it names a field of the cards' schema"
        if named.text.partition(".")[0] == ITEM:
            hint = "there is an item only in an object with cg:each"
        self.wrong("template/field", f"{FIELD} names '{named.text}', which is no field", hint, named.said)

    def stands_twice(self, attribute: Attribute) -> None:
        """Remember an attribute of which its element has another."""
        message = f"the drawing is not well-formed XML: '{attribute.name}' stands twice at this object"
        self.wrong("svg/syntax", message, "delete one of the two", attribute)

    @property
    def has_changed(self) -> bool:
        """Whether the template is another text than the drawing."""
        return bool(self.edits or self._wrapped or self.added)

    def say_near(self) -> None:
        """What is nearly named counts as a slip, in a drawing whose objects are named."""
        self.problems += [self._placed(problem, at) for problem, at in self._nearly]

    def made(self) -> str:
        """The template."""
        for element, style in self.added.items():
            self.attribute(element, "style", "".join(style))
        for element, wrapping in self._wrapped.items():
            self.edits.before(element.start, "".join((*wrapping.definitions, *wrapping.before)))
            self.edits.after(element.end, "".join(wrapping.after))
        return self.edits.made()


def escaped(text: str) -> str:
    """A text as it stands in an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def attributes(source: str, element: Element, *without: str) -> str:
    """The attributes of an element as they stand, but on one line and without some of them."""
    kept = (
        " ".join(source[attribute.start : attribute.end].split("\n"))
        for name, attribute in element.attrs.items()
        if name not in without
    )
    return "".join(f" {each}" for each in kept)
