"""The style properties of elements: presentation attributes, simple `<style>` rules, `style=""`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardgen.rendering.names import names
from cardgen.rendering.problems import Problem
from cardgen.rendering.svg import Node

Properties = dict[str, str]

INHERITED = names(
    "clip-rule color direction fill fill-opacity fill-rule font-family font-size font-stretch "
    "font-style font-variant font-weight letter-spacing line-height paint-order stroke "
    "stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit "
    "stroke-opacity stroke-width text-align text-anchor text-transform visibility white-space "
    "word-spacing writing-mode xml:space"
)
"""Properties that children take over (SVG 2, appendix property index)."""

_PRESENTATION = INHERITED | names(
    "baseline-shift clip-path display dominant-baseline filter font font-feature-settings "
    "font-kerning font-size-adjust font-variant-caps font-variation-settings inline-size mask "
    "mix-blend-mode opacity shape-inside shape-margin shape-padding shape-subtract stop-color "
    "stop-opacity text-decoration text-decoration-line unicode-bidi alignment-baseline "
    "vector-effect text-orientation"
)
"""Attributes that are style properties as well."""

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_DECLARATION = re.compile(r"""\s*([\w-]+)\s*:\s*((?:[^;"'()]|"[^"]*"|'[^']*'|\([^)]*\))*?)\s*(?:;|\Z)""")
_RULE = re.compile(r"\s*([^{}]+?)\s*\{([^{}]*)\}\s*")
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*)?([.#][\w-]+)?")


def declarations(text: str) -> Properties:
    """The properties in a `style` attribute or rule; what cannot be read is left out (see `unread`)."""
    return {name.lower(): value for name, value in _DECLARATION.findall(text)}


def unread(text: str) -> str:
    """What of a `style` attribute or rule is not a declaration."""
    return _DECLARATION.sub("", text).strip(" \t\r\n;")


@dataclass(frozen=True, slots=True)
class _Rule:
    tag: str | None
    id: str | None
    class_: str | None
    properties: Properties

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
    """The rules of all `<style>` elements of a document, lightest first."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self.rules: list[_Rule] = []
        self.problems: list[Problem] = []
        self.clean: dict[tuple[object, ...], tuple[str, ...]] = {}
        """Elements (name and attributes) that the lint has found nothing wrong with, and the ids that
        they refer to."""
        for node in nodes:
            self._read(node)
        self.rules.sort(key=lambda rule: rule.weight)

    def _read(self, node: Node) -> None:
        text = _COMMENT.sub("", node.text()).strip()
        position = 0
        while position < len(text):
            match = _RULE.match(text, position)
            if match is None or match[1].startswith("@"):
                shown = text[position:].split("{")[0].strip()[:40]
                message = f"<style> holds '{shown}', which is not a rule that cardgen reads"
                self._problem(node, "svg/style", message, "rules are: selector { property: value; … }")
                return
            position = match.end()
            properties = declarations(match[2])
            if rest := unread(match[2]):
                self._problem(
                    node, "svg/style", f"'{rest}' in <style> is not read", "write property: value;"
                )
            for name, value in properties.items():
                if "!important" in value:
                    message = f"<style> says '{name}: {value}', and !important is not read"
                    self._problem(node, "svg/style", message, "rules that come later already win")
            for selector in match[1].split(","):
                self._add(node, selector.strip(), properties)

    def _add(self, node: Node, selector: str, properties: Properties) -> None:
        match = _SELECTOR.fullmatch(selector)
        if match is None or not selector:
            message = f"the selector '{selector}' in <style> is not read"
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
        result: Properties = {}
        for rule in self.rules:
            if rule.matches(node):
                result.update(rule.properties)
        text = node.attrs.get("style")
        if text:
            result.update(declarations(text))
        return result

    def properties(self, node: Node) -> Properties:
        """All style properties of the element's own, attributes among them."""
        result = {name: value for name, value in node.attrs.items() if name in _PRESENTATION}
        if self.rules or "style" in node.attrs:
            result.update(self.declared(node))
        return result

    def attribute(self, node: Node) -> str:
        """A `style` attribute that says what rules and the element's own one say together."""
        if not self.rules and "style" not in node.attrs:
            return ""
        declared = self.declared(node)
        return ";".join(f"{name}:{value}" for name, value in declared.items() if not name.startswith("-"))


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
