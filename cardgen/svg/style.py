"""Style properties of elements, colors, references, and properties without effect."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar
from xml.etree import ElementTree

import tinycss2
from tinycss2 import color4

from cardgen.core.findings import Problem
from cardgen.core.records import dataclass
from cardgen.svg.tree import (
    MOST_DECLARATIONS,
    MOST_NESTED_STYLE,
    MOST_PROBLEMS,
    MOST_RULES,
    MOST_STYLE,
    MOST_TAKEN_AFTER,
    Document,
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

_SIMPLE = re.compile(r"(\*|[A-Za-z][\w-]*)?([.#][\w-]+)?")
"""A selector that looks at an element's name, class or id."""
_MEDIA = re.compile(r"(?:only\s+)?(?:print|all)(?:\s.*)?|", re.I | re.S)
_MOST_INSIDE = 3
"""Levels of `@media`."""
_LONGEST_SELECTOR = 1_000
_UNSUPPORTED = (":has(", ":is(", ":where(")
_RULE_HINT = "write rules as: selector { property: value; … }"
_SELECTOR_HINT = "use tags, classes and ids, such as rect, .class or #id"
_CLASS_HINT = "give the elements it selects a class"
_BRACKET = re.compile(r"[\[\](){}]")
_REMEMBERED = 10_000
"""Elements of different classes whose rules are remembered."""

Declared = dict[str, tuple[str, bool]]
"""The values of properties, and whether they are important."""


class StyleSheet:
    """The rules of all `<style>` elements of a document (CSS Cascade 4, Selectors 4), read by tinycss2 and
    matched by cssselect2. On paper, rules for `print` and `all` hold.

    `refers` says that one of them refers to elements of the document. What can't be read of a rule is a
    problem if the sheet is `strict`; other programs ignore it.
    """

    def __init__(self, nodes: Iterable[Node] = (), *, strict: bool = True) -> None:
        self.rules = 0
        self.refers = False
        self.problems: list[Problem] = []
        self.relations: list[str] = []
        """The selectors that look at more than an element's name, class and id."""
        self._strict = strict
        self._ids: set[str] = set()
        self._names: set[str] = set()
        self._left = MOST_STYLE
        self._ruled: dict[tuple[str, str | None, str | None], Mapping[str, str]] = {}
        for node in nodes:
            self._read(node)

    @cached_property
    def _matcher(self) -> Any:
        import cssselect2  # loaded where there is a style sheet

        return cssselect2.Matcher()

    # ---- reading

    def _read(self, node: Node) -> None:
        if not _is_for_print(node.get("media") or ""):
            return
        text = node.text()
        self._left -= len(text)
        if self._left < 0:
            self._refuse(node, f"the style sheets have more than {MOST_STYLE:,} characters")
        elif nested_too_deep(text):
            message = f"<style> has more than {MOST_NESTED_STYLE} nested brackets"
            self._refuse(node, message, "use plainer selectors and values")
        else:
            rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
            self._read_rules(node, rules, 0)

    def _read_rules(self, node: Node, rules: Iterable[Any], inside: int) -> None:
        for rule in rules:
            if self._left < 0:
                return
            if len(self.problems) > MOST_PROBLEMS:
                self._refuse(node, "the rest of the style sheet is not checked")
                return
            if rule.type == "qualified-rule":
                self._read_rule(node, rule)
            elif rule.type == "at-rule":
                self._read_at_rule(node, rule, inside)
            elif rule.type == "error":
                self._problem(node, "svg/style", f"<style> can't be read: {rule.message}", _RULE_HINT)

    def _read_at_rule(self, node: Node, rule: Any, inside: int) -> None:
        name = rule.lower_at_keyword
        if name == "media" and rule.content is not None and inside < _MOST_INSIDE:
            if _is_for_print(tinycss2.serialize(rule.prelude)):
                inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                self._read_rules(node, inner, inside + 1)
        elif name == "font-face":
            message = "<style> defines a font, which is not supported"
            hint = "delete it, and add the font to the project: cardgen font add --missing-from FILE"
            self._problem(node, "svg/style", message, hint)
        elif name != "charset":
            message = f"<style> contains '@{short(name)}', which is not supported"
            self._problem(node, "svg/style", message, "delete it")

    def _read_rule(self, node: Node, rule: Any) -> None:
        properties: Declared = {name: (value, strong) for name, value, strong in declarations(rule.content)}
        content = tinycss2.serialize(part for part in rule.content if part.type != "comment")
        if self._strict and (unread := read_style(content)[1]):
            message = f"'{short(unread)}' in <style> can't be read"
            self._problem(node, "svg/style", message, "write property: value;")
        head = tinycss2.serialize(rule.prelude).strip()
        selectors = self._selectors(node, rule.prelude, head)
        self.rules += len(selectors)
        self._names.update(name for name in properties if not name.startswith("--"))
        if self.rules > MOST_RULES:
            self._refuse(node, f"the style sheets have more than {MOST_RULES:,} selectors")
            return
        if len(self._names) > MOST_DECLARATIONS:
            self._refuse(node, f"the style sheets set more than {MOST_DECLARATIONS} different properties")
            return
        self.refers = self.refers or any("url(" in value for value, _ in properties.values())
        for one in map(str.strip, head.split(",") if selectors else ()):
            if _SIMPLE.fullmatch(one) is None:
                self.relations.append(one)
            self._ids.add(one.partition("#")[2])
        for selector in selectors:
            if selector.pseudo_element is None and not selector.never_matches:
                self._matcher.add_selector(selector, properties)

    def _selectors(self, node: Node, prelude: Any, head: str) -> Sequence[Any]:
        """Return the selectors of a rule; none that can't be matched, which is a problem."""
        import cssselect2

        code, what, hint = "svg/selector", "is not supported", _SELECTOR_HINT
        if len(head) > _LONGEST_SELECTOR:
            code, what, hint = "svg/bounds", "is too long", _CLASS_HINT
        elif not any(part in head for part in _UNSUPPORTED):
            try:
                return list(cssselect2.compile_selector_list(prelude))
            except cssselect2.SelectorError:
                what = "can't be read"
            except (SyntaxError, RecursionError, MemoryError):  # it becomes nested code of Python
                code, what, hint = "svg/bounds", "is too long", _CLASS_HINT
        self._problem(node, code, f"the selector '{short(head)}' in <style> {what}", hint)
        return []

    def _refuse(self, node: Node, message: str, hint: str = "delete the rules that nothing uses") -> None:
        """Report a limit, and read no more."""
        self._left = -1
        self._problem(node, "svg/bounds", message, hint)

    def _problem(self, node: Node, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(code, message, hint, offset=node.start))

    # ---- at an element

    def matched(self, wrapper: Any) -> list[Declared]:
        """Return the properties of the rules that match an element of cssselect2's, the stronger ones
        last."""
        return [found[3] for found in self._matcher.match(wrapper)] if self.rules else []

    def declared(self, node: Node) -> Properties:
        """Return the properties from rules that look at an element alone and from its `style` attribute,
        the stronger ones last."""
        result = dict(self._by_rules(node)) if self.rules else {}
        text = node.attrs.get("style")
        if text:
            result.update(read_style(text)[0])
        return result

    def _by_rules(self, node: Node) -> Mapping[str, str]:
        id = node.attrs.get("id")
        key = (node.name, node.attrs.get("class"), id if id in self._ids else None)
        known = self._ruled.get(key)
        if known is None:
            import cssselect2

            attrs = {name: value for name, value in zip(("class", "id"), key[1:]) if value is not None}
            alone = ElementTree.Element(node.name.rpartition(":")[2], attrs)
            found = self.matched(cssselect2.ElementWrapper.from_xml_root(alone))
            known = {name: value for rule in found for name, (value, _) in rule.items()}
            if len(self._ruled) < _REMEMBERED:
                self._ruled[key] = known
        return known

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


def _is_for_print(media: str) -> bool:
    return any(_MEDIA.fullmatch(one.strip()) for one in media.split(","))


def declarations(content: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield the names and values of declarations, and whether they are important; the short form `font` as
    what it stands for."""
    for each in tinycss2.parse_declaration_list(content, skip_comments=True, skip_whitespace=True):
        if each.type == "declaration":
            name = each.name if each.name.startswith("--") else each.lower_name
            value = tinycss2.serialize(each.value).strip()
            longhands = font_longhands(value) if name == "font" else None
            for part, said in ({name: value} if longhands is None else longhands).items():
                yield part, said, each.important


def nested_too_deep(text: str) -> bool:
    """Return True if brackets are nested deeper than any reasonable use: what reads them calls itself."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[0] in "([{" else -1 if depth else 0
        if depth > MOST_NESTED_STYLE:
            return True
    return False


def inherit(parent: Mapping[str, str], own: Mapping[str, str]) -> Properties:
    """Return the computed properties of a child: its own ones over those it takes over. `inherit` takes."""
    result = {name: value for name, value in parent.items() if name in INHERITED}
    if "font-variant" in own:  # it sets all that it stands for
        result = {name: value for name, value in result.items() if not name.startswith("font-variant-")}
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
