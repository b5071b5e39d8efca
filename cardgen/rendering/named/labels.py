"""What an object's name says: a field that fills it, when it is shown, for what it is repeated."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

from cardgen.rendering.named.fields import Fields, Path, spellings, unescaped
from cardgen.rendering.named.markup import Attribute, Element
from cardgen.svg.names import names

FIELD, IF, EACH, AS = "cg:field", "cg:if", "cg:each", "cg:as"
PAINTS = {"fill": "cg:fill", "stroke": "cg:stroke"}
NAMES = ("inkscape:label", "data-name", "id")
"""Attributes that hold an object's name, the one that counts first."""
OPTIONS = frozenset((AS, "cg:step", "cg:align", "cg:columns"))
OWN = OPTIONS | {FIELD, IF, EACH, *PAINTS.values()}
"""Attributes that are read here, and gone once the template is."""

_KINDS = names("box color icon markdown picture plain shown")
_PLACES = names("left center centre right justify top middle bottom")
_SAYS = re.compile(r"(if|each|show if|repeat|fill|stroke)\s*:\s*(\S.*)", re.IGNORECASE | re.DOTALL)
_KIND_FIRST = re.compile(rf"({'|'.join(sorted(_KINDS))})\s*:\s*(\S.*)", re.IGNORECASE)
_BLANKS = re.compile(r"(?<=\W)_+|_+(?=\W)")
_COPY = re.compile(r"_\d{1,4}$")

Kind = Literal["if", "each", "fill", "stroke"]
_KINDS_SAID: dict[str, Kind] = {
    "if": "if",
    "show if": "if",
    "each": "each",
    "repeat": "each",
    "fill": "fill",
    "stroke": "stroke",
}
_PAINTED: tuple[tuple[Kind, str], ...] = (("fill", PAINTS["fill"]), ("stroke", PAINTS["stroke"]))


@dataclass(frozen=True, slots=True)
class Named:
    """The field that fills an object. `words` say as what, and where it stands in its box; `explicit` is a
    name that can mean nothing else. `path` is None where nothing has that name."""

    text: str
    path: Path | None
    said: Attribute
    words: frozenset[str] = frozenset()
    explicit: bool = False

    @property
    def kind(self) -> str | None:
        """As what the field is to be shown, where that is said."""
        return next(iter(sorted(self.words & _KINDS)), None)


@dataclass(frozen=True, slots=True)
class Said:
    """The condition of an object, what it is repeated for or painted with, as it is written. `options` are
    what a name says after a semicolon of how the copies stand."""

    kind: Kind
    text: str
    said: Attribute
    options: tuple[str, ...] = ()


def named(element: Element, fields: Fields, *, item: bool = False) -> Named | None:
    """The field that an element's `cg:field` or name says, if any."""
    kind = frozenset((element.get(AS) or "").lower().split())
    stated = element.attrs.get(FIELD)
    if stated is not None:
        text = stated.value.strip()
        return Named(text, fields.stated(text, item=item), stated, kind, explicit=True)
    for attribute in NAMES:
        said = element.attrs.get(attribute)
        if said is None or said.is_code or not said.raw:
            continue
        name, words = _words(said.value)
        path = fields.named(name, item=item)
        if path is not None:
            return Named(name, path, said, words | kind)
    return None


def _words(name: str) -> tuple[str, frozenset[str]]:
    """A name without the words that say how it is shown: `title: center`, `icon: suit`."""
    if ":" not in name and "_x3A_" not in name:
        return name, frozenset()
    for each in spellings(name):
        if (found := _KIND_FIRST.fullmatch(each)) is not None:
            return found[2], frozenset((found[1].lower(),))
        before, colon, after = each.partition(":")
        words = frozenset(after.lower().replace("_", " ").replace("-", " ").split())
        if colon and words and words <= _KINDS | _PLACES:
            return before.strip(" _-"), words
    return name, frozenset()


def said(element: Element, ids: Container[str]) -> list[Said]:
    """The condition of an element, what it is repeated for and painted with, by attribute or by name.
    `ids` are those of the drawing, by which the number of a copy is known."""
    kinds: tuple[tuple[Kind, str], ...] = (("if", IF), ("each", EACH), *_PAINTED)
    found = [
        Said(kind, attribute.value.strip(), attribute)
        for kind, name in kinds
        if (attribute := element.attrs.get(name)) is not None
    ]
    for name in NAMES:
        attribute = element.attrs.get(name)
        if attribute is None or attribute.is_code:
            continue
        by_name = _by_name(attribute, ids)
        if by_name is not None:
            if not any(each.kind == by_name.kind for each in found):
                found.append(by_name)
            break
    return sorted(found, key=lambda each: each.kind != "if")


def _by_name(attribute: Attribute, ids: Container[str]) -> Said | None:
    if ":" not in attribute.raw and "x3A" not in attribute.raw:
        return None
    text = attribute.value
    if attribute.name == "id" and (copy := _COPY.search(text)) and text[: copy.start()] in ids:
        text = text[: copy.start()]
    match = _SAYS.fullmatch(text.strip())
    if match is None and (match := _SAYS.fullmatch(_BLANKS.sub(" ", unescaped(text)))) is None:
        return None
    kind = _KINDS_SAID[match[1].lower()]
    text, *options = match[2].split(";") if kind == "each" else (match[2],)
    return Said(kind, text.strip(), attribute, tuple(option.strip() for option in options))
