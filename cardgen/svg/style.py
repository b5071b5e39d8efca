"""The style properties of elements: presentation attributes, simple `<style>` rules, `style=""`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardgen.findings import Problem
from cardgen.svg.declarations import read_style
from cardgen.svg.limits import MOST_DECLARATIONS, MOST_PROBLEMS, MOST_RULES, short
from cardgen.svg.names import names
from cardgen.svg.recent import Recent
from cardgen.svg.tree import Key, Node

Properties = dict[str, str]

INHERITED = names(
    "clip-rule color direction dominant-baseline fill fill-opacity fill-rule font-family "
    "font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style font-variant "
    "font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures "
    "font-variant-numeric font-variant-position font-variation-settings font-weight image-rendering "
    "letter-spacing line-height marker-end marker-mid marker-start paint-order stroke stroke-dasharray "
    "stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width "
    "text-align text-anchor text-decoration text-decoration-line text-indent text-shadow text-transform "
    "visibility white-space word-break word-spacing writing-mode xml:space"
)
"""Properties that children take over (SVG 2, appendix property index)."""

PRESENTATION = INHERITED | names(
    "baseline-shift clip-path display filter font inline-size mask isolation mix-blend-mode opacity "
    "shape-inside shape-margin shape-padding shape-subtract stop-color stop-opacity text-decoration "
    "text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness "
    "text-underline-offset unicode-bidi alignment-baseline vector-effect hyphens"
)
"""Attributes that are style properties as well."""

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
        """What it is looked up by: the rarest of what an element must have."""
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
                hint = "rules are: selector { property: value; … }"
                message = f"<style> holds '{said}', which is not a rule that cardgen reads"
                self._problem(node, "svg/style", message, hint)
                return
            position = end + 1
            while text[position : position + 1].isspace():
                position += 1
            properties, rest = read_style(body)
            if rest:
                self._problem(
                    node, "svg/style", f"'{short(rest)}' in <style> is not read", "write property: value;"
                )
            for name, value in properties.items():
                if "!important" in value:
                    said = f"{short(name)}: {short(value)}"
                    message = f"<style> says '{said}', and !important is not read"
                    self._problem(node, "svg/style", message, "rules that come later already win")
            names.update(properties)
            selectors = head.split(",")
            if not self._bounded(node, len(self.rules) + len(selectors), names):
                return
            for selector in selectors:
                self._add(node, selector.strip(), dict(properties))

    def _bounded(self, node: Node, rules: int, names: set[str]) -> bool:
        """Whether the style sheet is of a size that can be read; else that is a problem."""
        if rules > MOST_RULES:
            message = f"the style sheets have more than {MOST_RULES:,} selectors"
        elif len(names) > MOST_DECLARATIONS:
            message = f"a style sheet sets more than {MOST_DECLARATIONS} different properties"
        elif len(self.problems) > MOST_PROBLEMS:
            message = "the rest of the style sheet is not looked at"
        else:
            return True
        self._problem(node, "svg/bounds", message, "leave out the rules that nothing uses")
        return False

    def _add(self, node: Node, selector: str, properties: Properties) -> None:
        match = _SELECTOR.fullmatch(selector)
        if match is None or not selector:
            message = f"the selector '{short(selector)}' in <style> is not read"
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
        """Properties from rules and the `style` attribute, the stronger ones last."""
        result = dict(self._by_rules(node)) if self.rules else {}
        text = node.attrs.get("style")
        if text:
            result.update(read_style(text)[0])
        return result

    def _by_rules(self, node: Node) -> Mapping[str, str]:
        """Properties from rules. Rules are looked up by id, class and tag, never all gone through."""
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
        """All style properties of the element's own, attributes among them."""
        result = {name: value for name, value in node.attrs.items() if name in PRESENTATION}
        if self.rules or "style" in node.attrs:
            result.update(self.declared(node))
        return result

    def attribute(self, node: Node) -> str:
        """A `style` attribute that says what rules and the element's own one say together."""
        if not self.rules and "style" not in node.attrs:
            return ""
        declared = self.declared(node)
        return ";".join(f"{name}:{value}" for name, value in declared.items() if not name.startswith("-"))


def has_relations(text: str) -> bool:
    """Whether a style sheet has selectors that say more than a tag, a class or an id: what an element lies
    in, say, as `.dark .frame` does."""
    heads = (part.partition("{")[0].strip() for part in without_comments(text).split("}")[:-1])
    return any(
        _SELECTOR.fullmatch(one.strip()) is None
        for head in heads
        if not head.startswith("@")
        for one in head.split(",")
    )


def without_comments(text: str) -> str:
    """CSS without its comments; one that does not end stays."""
    parts: list[str] = []
    position = 0
    while (start := text.find("/*", position)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        parts.append(text[position:start])
        position = end + 2
    return "".join((*parts, text[position:]))


def inherit(parent: Mapping[str, str], own: Mapping[str, str]) -> Properties:
    """The computed properties of a child: its own ones over those it takes over. `inherit` takes."""
    result = {name: value for name, value in parent.items() if name in INHERITED}
    for name, value in own.items():
        if value == "inherit":
            if name in parent:
                result[name] = parent[name]
        else:
            result[name] = value
    return result
