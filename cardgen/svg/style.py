"""Style properties of elements, colors, references, and properties without effect."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, Literal, TypeVar

import tinycss2
from tinycss2 import color4

from cardgen.core.findings import Problem
from cardgen.svg.tree import (
    MOST_DECLARATIONS,
    MOST_PROBLEMS,
    MOST_RULES,
    MOST_TAKEN_AFTER,
    Document,
    Key,
    Node,
    names,
    short,
)

Properties = dict[str, str]


@dataclass(frozen=True, slots=True)
class Property:
    """A style property of SVG or CSS, as `properties.json` describes it.

    A property in `use` is "read", where it is supported or has a finding of its own, and "ignored", where
    it changes nothing on paper. Others have no effect: those of "text", and those of a CSS "box".
    """

    use: Literal["read", "ignored", "text", "box"]
    inherited: bool = False
    """True if children take it over (SVG 2, appendix property index)."""
    attribute: bool = False
    """True if it may be written as an attribute, too."""
    initial: str | None = None
    neutral: str = ""
    """Values that change nothing here, besides _INITIAL."""
    hint: str = "remove it"


PROPERTIES = {
    name: Property(**facts)
    for name, facts in json.loads(
        Path(__file__).with_name("properties.json").read_text(encoding="utf-8")
    ).items()
}
INHERITED = frozenset(name for name, each in PROPERTIES.items() if each.inherited)
PRESENTATION = frozenset(name for name, each in PROPERTIES.items() if each.attribute)
INITIAL = {name: each.initial for name, each in PROPERTIES.items() if each.initial is not None}
"""The value of `initial` for inherited properties."""

_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*)?([.#][\w-]+)?")
_REMEMBERED = 10_000
"""Elements of different classes whose rules are remembered."""


@dataclass(frozen=True, slots=True)
class _Rule:
    tag: str | None
    id: str | None
    class_: str | None
    properties: Properties

    @property
    def key(self) -> tuple[str, str | None]:
        """Return the key it is looked up by: the rarest part that an element must have."""
        if self.id is not None:
            return ("id", self.id)
        if self.class_ is not None:
            return ("class", self.class_)
        return ("all", None) if self.tag is None else ("tag", self.tag)

    @property
    def weight(self) -> int:
        return 100 * (self.id is not None) + 10 * (self.class_ is not None) + (self.tag is not None)

    def matches(self, node: Node) -> bool:
        return (
            (self.tag is None or self.tag == node.name)
            and (self.id is None or self.id == node.attrs.get("id"))
            and (self.class_ is None or self.class_ in node.attrs.get("class", "").split())
        )


class StyleSheet:
    """The rules of all `<style>` elements of a document, lightest first. `refers` says that one of them
    refers to elements of the document."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self.rules: list[_Rule] = []
        self.refers = False
        self.problems: list[Problem] = []
        self.clean: Recent[Key, tuple[str, ...]] = Recent(_REMEMBERED)
        """Elements (name and attributes) that the lint has found nothing wrong with, and the ids that
        they refer to."""
        for node in nodes:
            self._read(node)
        self.rules.sort(key=lambda rule: rule.weight)
        self._lists: dict[tuple[str, str | None], list[int]] = {}
        """The places of rules, by what of an element they are looked up by."""
        for place, rule in enumerate(self.rules):
            self._lists.setdefault(rule.key, []).append(place)
            self.refers = self.refers or any("url(" in value for value in rule.properties.values())
        self._ruled: dict[tuple[str, str | None, str | None], Mapping[str, str]] = {}

    def _read(self, node: Node) -> None:
        text = without_comments(node.text()).strip()
        names: set[str] = set()
        position = 0
        while position < len(text):
            start = text.find("{", position)
            end = text.find("}", position)
            head, body = text[position:start].strip(), text[start + 1 : end]
            if not -1 < start < end or "{" in body or head.startswith("@"):
                said = short(text[position : position + 1000].partition("{")[0].strip())
                hint = "write rules as: selector { property: value; … }"
                message = f"<style> contains '{said}', which is not a supported rule"
                self._problem(node, "svg/style", message, hint)
                return
            position = end + 1
            while text[position : position + 1].isspace():
                position += 1
            properties, rest = read_style(body)
            if rest:
                self._problem(
                    node, "svg/style", f"'{short(rest)}' in <style> can't be read", "write property: value;"
                )
            for name, value in properties.items():
                if "!important" in value:
                    said = f"{short(name)}: {short(value)}"
                    message = f"<style> contains '{said}', and !important is not supported"
                    self._problem(node, "svg/style", message, "remove !important; later rules already win")
            names.update(properties)
            selectors = head.split(",")
            if not self._bounded(node, len(self.rules) + len(selectors), names):
                return
            for selector in selectors:
                self._add(node, selector.strip(), dict(properties))

    def _bounded(self, node: Node, rules: int, names: set[str]) -> bool:
        """Return True if the style sheet is within the limits; report a problem otherwise."""
        if rules > MOST_RULES:
            message = f"the style sheets have more than {MOST_RULES:,} selectors"
        elif len(names) > MOST_DECLARATIONS:
            message = f"a style sheet sets more than {MOST_DECLARATIONS} different properties"
        elif len(self.problems) > MOST_PROBLEMS:
            message = "the rest of the style sheet is not checked"
        else:
            return True
        self._problem(node, "svg/bounds", message, "delete the rules that nothing uses")
        return False

    def _add(self, node: Node, selector: str, properties: Properties) -> None:
        match = _SELECTOR.fullmatch(selector)
        if match is None or not selector:
            message = f"the selector '{short(selector)}' in <style> is not supported"
            hint = "use a tag, .class, #id, tag.class or tag#id"
            self._problem(node, "svg/selector", message, hint)
            return
        tag, mark = match.groups()
        id = mark[1:] if mark and mark[0] == "#" else None
        class_ = mark[1:] if mark and mark[0] == "." else None
        self.rules.append(_Rule(None if tag == "*" else tag, id, class_, properties))

    def _problem(self, node: Node, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(code, message, hint, offset=node.start))

    def declared(self, node: Node) -> Properties:
        """Return the properties from rules and the `style` attribute, the stronger ones last."""
        result = dict(self._by_rules(node)) if self.rules else {}
        text = node.attrs.get("style")
        if text:
            result.update(read_style(text)[0])
        return result

    def _by_rules(self, node: Node) -> Mapping[str, str]:
        """Return the properties from rules. Rules are looked up by id, class and tag, never all gone
        through."""
        id = node.attrs.get("id")
        key = (node.name, node.attrs.get("class"), id if ("id", id) in self._lists else None)
        known = self._ruled.get(key)
        if known is not None:
            return known
        places = {*self._lists.get(("all", None), ()), *self._lists.get(("tag", node.name), ())}
        places.update(self._lists.get(("id", key[2]), ()))
        for name in set((key[1] or "").split()):
            places.update(self._lists.get(("class", name), ()))
        result: Properties = {}
        for place in sorted(places):
            if self.rules[place].matches(node):
                result.update(self.rules[place].properties)
        if len(self._ruled) < _REMEMBERED:
            self._ruled[key] = result
        return result

    def properties(self, node: Node) -> Properties:
        """Return all style properties of the element's own, attributes among them."""
        result = {name: value for name, value in node.attrs.items() if name in PRESENTATION}
        if self.rules or "style" in node.attrs:
            result.update(self.declared(node))
        return result

    def attribute(self, node: Node) -> str:
        """Return a `style` attribute that says what rules and the element's own one say together."""
        if not self.rules and "style" not in node.attrs:
            return ""
        declared = self.declared(node)
        return ";".join(f"{name}:{value}" for name, value in declared.items() if not name.startswith("-"))


def has_relations(text: str) -> bool:
    """Return True if a style sheet has selectors beyond a tag, a class or an id: what an element lies
    in, say, as `.dark .frame` does."""
    heads = (part.partition("{")[0].strip() for part in without_comments(text).split("}")[:-1])
    return any(
        _SELECTOR.fullmatch(one.strip()) is None
        for head in heads
        if not head.startswith("@")
        for one in head.split(",")
    )


def without_comments(text: str) -> str:
    """Return CSS without its comments; one that does not end stays."""
    parts: list[str] = []
    position = 0
    while (start := text.find("/*", position)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        parts.append(text[position:start])
        position = end + 2
    return "".join((*parts, text[position:]))


def inherit(parent: Mapping[str, str], own: Mapping[str, str]) -> Properties:
    """Return the computed properties of a child: its own ones over those it takes over. `inherit` takes."""
    result = {name: value for name, value in parent.items() if name in INHERITED}
    for name, value in own.items():
        if value == "inherit":
            if name in parent:
                result[name] = parent[name]
        else:
            result[name] = value
    return result


_STYLES = names("italic oblique")
_WEIGHTS = names("bold bolder lighter")
_STRETCHES = names(
    "ultra-condensed extra-condensed condensed semi-condensed semi-expanded expanded extra-expanded "
    "ultra-expanded"
)
_SIZES = {
    "xx-small": "9.6px",
    "x-small": "12px",
    "small": "14.4px",
    "medium": "16px",
    "large": "19.2px",
    "x-large": "24px",
    "xx-large": "32px",
    "smaller": "83.333333%",
    "larger": "120%",
}
_WEIGHT = re.compile(r"[1-9][0-9]{0,3}")
_LONGEST = 1000


@lru_cache(maxsize=512)
def font_longhands(value: str) -> dict[str, str] | None:
    """Return all properties that a value of `font` sets; None if it can't be read, such as a system's
    font."""
    if len(value) > _LONGEST:
        return None
    result = {
        "font-style": "normal",
        "font-variant": "normal",
        "font-weight": "normal",
        "font-stretch": "normal",
        "line-height": "normal",
    }
    tokens = tinycss2.parse_component_value_list(value, skip_comments=True)
    words = [(token, tinycss2.serialize([token])) for token in tokens]
    while words:
        token, text = words.pop(0)
        word = text.lower()
        if token.type == "whitespace" or word == "normal":
            continue
        if word in _STYLES:
            result["font-style"] = word
        elif word == "small-caps":
            result["font-variant"] = word
        elif word in _WEIGHTS or (token.type == "number" and _WEIGHT.fullmatch(word)):
            result["font-weight"] = word
        elif word in _STRETCHES:
            result["font-stretch"] = word
        elif word in _SIZES or token.type in ("dimension", "percentage"):
            result["font-size"] = _SIZES.get(word, text)
            break
        else:
            return None
    while words and words[0][0].type == "whitespace":
        words.pop(0)
    if words and words[0][1] == "/":
        words.pop(0)
        while words and words[0][0].type == "whitespace":
            words.pop(0)
        if not words:
            return None
        result["line-height"] = words.pop(0)[1]
    result["font-family"] = "".join(text for _, text in words).strip()
    named = "font-size" in result and result["font-family"] and "(" not in result["font-family"]
    return result if named else None


_NAME = re.compile(r"[\w-]+")
_SPECIAL = re.compile(r"""[;"'()]""")
_URL = re.compile(r"url\(([^)]*)\)?")
_CLOSING = {'"': '"', "'": "'", "(": ")"}
_SHORT = 1000
"""Characters of a style that is remembered: drawing programs write the same one a thousand times."""


def read_style(text: str) -> tuple[Mapping[str, str], str]:
    """Return the properties in a `style` attribute or rule, and what of it can't be read. Escapes are
    not read: they would spell names and references that nothing else recognises."""
    return _known(text) if len(text) < _SHORT else _read(text)


def url_targets(value: str) -> list[str]:
    """Return the targets of the `url(…)` in a value."""
    return [_target(match) for match in _URL.finditer(value)]


def rename_urls(value: str, names: Mapping[str, str]) -> str:
    """Return the value with its `url(#id)` naming the new ids of `names`, by old ones. Others stay."""

    def renamed(match: re.Match[str]) -> str:
        target = _target(match)
        known = target.startswith("#") and target[1:] in names
        return f"url(#{names[target[1:]]})" if known else match[0]

    return _URL.sub(renamed, value)


def _target(match: re.Match[str]) -> str:
    return match[1].strip().strip("\"'")


def _read(text: str) -> tuple[Mapping[str, str], str]:
    properties: dict[str, str] = {}
    wrong: list[str] = []
    for part, whole in _parts(text):
        name, colon, value = part.partition(":")
        name = name.strip()
        if whole and colon and "\\" not in part and _NAME.fullmatch(name):
            longhands = font_longhands(value.strip()) if name.lower() == "font" else None
            properties.update({name.lower(): value.strip()} if longhands is None else longhands)
        elif part and not part.isspace():
            wrong.append(part.strip())
    return properties, "; ".join(wrong)


_known = lru_cache(maxsize=2048)(_read)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Return the parts between the semicolons of a text, and whether its quotes and brackets are closed.
    Quotes and brackets hold anything, semicolons too."""
    start = position = 0
    whole = True
    while (match := _SPECIAL.search(text, position)) is not None:
        position = match.end()
        if match[0] == ";":
            yield text[start : match.start()], whole
            start, whole = position, True
        elif match[0] == ")":
            whole = False
        else:
            position = text.find(_CLOSING[match[0]], position) + 1
            if not position:
                yield text[start:], False
                return
    yield text[start:], whole


RGBA = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1, sRGB."""

_LONGEST_COLOR = 100
"""Characters of a color."""


@lru_cache(maxsize=4096)
def parse_color(text: str) -> RGBA | None:
    """Return the color of a name, `#rgb`, `#rrggbb`, `rgb()`, `hsl()` or `hwb()`, with an opacity or
    without; None for anything else, `currentColor` and colors outside sRGB among it."""
    if len(text) > _LONGEST_COLOR:
        return None
    try:
        found = color4.parse_color(text.strip())
        if found is None or isinstance(found, str):
            return None
        *channels, alpha = found.to("srgb")
    except (NotImplementedError, ArithmeticError, ValueError):  # another space, or a number without end
        return None
    values = (*channels, alpha)
    if not all(map(math.isfinite, values)):
        return None
    red, green, blue, opacity = (min(1.0, max(0.0, value)) for value in values)
    return (red, green, blue, opacity)


_HREFS = frozenset(("href", "xlink:href"))
_KEPT_NAMES = 2000
"""Elements whose references are remembered."""


def references(node: Node, sheet: StyleSheet) -> Iterator[tuple[str, str]]:
    """Yield the attributes and properties of an element that refer to others, each with the id that it
    names, in order. A property of several references comes several times."""
    for name, value in node.attrs.items():
        if name in _HREFS:
            if value.startswith("#"):
                yield "href", value[1:]
        elif "url(" in value:
            yield from _painted(read_style(value)[0] if name == "style" else {name: value})
    if sheet.refers:
        yield from _painted(sheet.declared(node))


def renamed(name: str, value: str, names: Mapping[str, str]) -> str:
    """Return an attribute's value with the new ids of `names`, by old ones: its id, or what `references`
    finds."""
    if name == "id":
        return names.get(value, value)
    if name in _HREFS:
        return f"#{names[value[1:]]}" if value.startswith("#") and value[1:] in names else value
    return rename_urls(value, names)


def _painted(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in properties.items():
        if "url(" in value:
            for target in url_targets(value):
                if target.startswith("#"):
                    yield name, target[1:]


def inheritance_chain(node: Node, ids: Mapping[str, Node]) -> list[Node]:
    """Return a gradient or pattern, then those that it inherits from."""
    chain = [node]
    while len(chain) < MOST_TAKEN_AFTER:
        other = ids.get((chain[-1].href or "")[1:])
        if other is None or other in chain:
            break
        chain.append(other)
    return chain


class References:
    """Finds what is referred to, each source looked through once."""

    def __init__(self) -> None:
        self._names: Recent[tuple[bytes, StyleSheet | None], tuple[str, ...]] = Recent(_KEPT_NAMES)

    def needed(
        self,
        node: Node,
        source: bytes,
        around: tuple[str, ...],
        document: Document,
        sheet: StyleSheet,
    ) -> list[Node]:
        """Return the elements that an element and all in it refer to, or what stands around it (`around`
        are the ids), and those that they refer to, in order."""
        names = (*self._names_in(node, source, sheet), *around)
        if not names:
            return []
        found: dict[str, Node] = {}
        todo = list(reversed(names))
        while todo:
            name = todo.pop()
            other = document.ids.get(name)
            if other is not None and name not in found:
                found[name] = other
                todo += reversed(self._names_in(other, document.definition(other), sheet))
        return list(found.values())

    def _names_in(self, node: Node, source: bytes, sheet: StyleSheet) -> tuple[str, ...]:
        """Return the ids that an element and all in it refer to, each once, in order."""
        # Names of attributes can't be written otherwise, their values can, with &#…;.
        if not (sheet.refers or b"href" in source or b"url(" in source or b"&" in source):
            return ()
        key = (source, sheet if sheet.refers else None)
        names = self._names.get(key)
        if names is None:
            found = dict.fromkeys(id for part in node.iter() for _, id in references(part, sheet))
            names = tuple(found)
            self._names.put(key, names)
        return names


_INITIAL = names(
    "0 0% 0pt 0px auto currentcolor inherit initial none normal revert revert-layer transparent unset"
)
_WEBKIT = "-webkit-"
_HOLDS_TEXT = names("a g svg text textPath tspan")
_OF_TEXT = names("text textPath tspan")


def plain_name(name: str) -> str:
    """Return the name of a property without WebKit's prefix, which all browsers read."""
    known = PROPERTIES.get(name.removeprefix(_WEBKIT))
    return name.removeprefix(_WEBKIT) if known is not None and known.use in ("text", "box") else name


def unread(element: str, name: str, value: str, *, declared: bool) -> tuple[str, str, str] | None:
    """Return a property without effect at an element (code, message, hint), `declared` in a style or
    written as an attribute; None for one that is read, changes nothing anyway, or is another program's
    own."""
    bare = plain_name(name)
    if bare.startswith("-") or (bare == "rotate" and element in _OF_TEXT):  # it turns the letters
        return None
    known = PROPERTIES.get(bare)
    if known is None:
        if not declared:
            return None
        known = Property("box")
    if known.use in ("read", "ignored"):
        return None
    if known.use == "text" and element not in _HOLDS_TEXT:  # Inkscape states all of them at each shape
        return None
    words = value.lower().removesuffix("!important").replace(",", " ").split()
    if all(word in _INITIAL or word in known.neutral.split() for word in words):
        return None
    of_text = known.use == "text" or element in _OF_TEXT
    return ("text/unset" if of_text else "svg/unset", f"{name} has no effect", known.hint)


K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A store of at most twice `size` entries: when `size` are new or used again, those of before are
    forgotten. What every card has stays; what only one has goes, so that memory does not grow with
    the cards. Cheaper than keeping the order of use. A large entry counts for several."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._more = 0
        self._new: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self._new | self._old)

    def get(self, key: K) -> V | None:
        found = self._new.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: K, value: V, weight: int = 1) -> None:
        if len(self._new) + self._more >= self._size:
            self._old = self._new
            self._new = {}
            self._more = 0
        self._new[key] = value
        self._more += weight - 1
