"""YAML text as a tree of written nodes, and values as new YAML text."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import yaml

from cardgen.core.records import dataclass, field
from cardgen.files.yaml_text import CONTROL, MAX_DIGITS, Events, SourceError, open_events, resolve

BREAK = re.compile("\r\n|[\r\n]")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n,\]}])|$))+")
_BETWEEN = re.compile(r"(?:(?<![^\r\n])#[^\r\n]*)?(?:[ \t\r\n]+(?:#[^\r\n]*)?)*")
"""The separators allowed between two tokens: spaces, line breaks, comments."""


@dataclass(slots=True)
class Node:
    """A value as written, in characters of the text: `start` is past an anchor, `end` past its last
    character, before comments and blank lines that follow. `style` is a scalar's quote or `|`, `>`, or
    empty; `is_flow` is True for a list or mapping in brackets, `inside` for a value within such."""

    kind: Literal["scalar", "mapping", "sequence", "alias"]
    start: int
    end: int
    style: str = ""
    is_flow: bool = False
    inside: bool = False
    anchor: str | None = None
    value: Any = None
    """A scalar's value as read; an alias's name."""
    pairs: list[Pair] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def pair(self, key: str) -> Pair | None:
        """Return the entry of a mapping with that key, written in this very place."""
        return next((each for each in self.pairs if each.name == key and not each.is_merge), None)


@dataclass(slots=True)
class Pair:
    """A mapping's entry: its key's characters, its colon's position (-1 if there is none) and its value.
    `is_plain` is True if the key is before its colon without `?`."""

    name: str
    start: int
    end: int
    colon: int
    node: Node
    is_merge: bool = False
    is_plain: bool = True


@dataclass(slots=True)
class Item:
    """A list's item; `start` is its dash, or its beginning in brackets."""

    start: int
    node: Node


def compose(text: str) -> Node:
    """Return the tree of a text that the reader accepts."""
    events = open_events(text)
    try:
        while not isinstance(event := events.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.NodeEvent):
                return _Composer(text, events).node(event, 0, False)
    finally:
        events.dispose()
    return Node("scalar", 0, 0)


def line_start(text: str, place: int) -> int:
    """Return the start of the line that contains a place."""
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def line_end(text: str, place: int) -> int:
    """Return the end of the line that contains a place, before its line break."""
    found = BREAK.search(text, place)
    return found.start() if found else len(text)


def past_break(text: str, place: int) -> int:
    """Return the place past the line break at a place; the same place if there is none."""
    found = BREAK.match(text, place)
    return found.end() if found else place


def past_blank(text: str, place: int) -> int:
    """Return the place past spaces, line breaks and comments."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def column(text: str, place: int) -> int:
    """Return the number of characters before a place in its line."""
    return place - line_start(text, place)


class _Composer:
    """One pass over the events."""

    def __init__(self, text: str, events: Events) -> None:
        self._text = text
        self._get: Callable[[], Any] = events.get_event

    def node(self, event: Any, least: int, inside: bool) -> Node:
        """Return the node that begins with an event. `least` is its first possible place: past its colon or
        dash."""
        begin, end = _span(event)
        if event.__class__ is yaml.AliasEvent:
            return Node("alias", begin, end, inside=inside, value=event.anchor)
        start = begin
        if event.anchor is not None and (found := _PROPERTIES.match(self._text, begin)):
            start = found.end()
        if event.__class__ is yaml.ScalarEvent:
            return self._scalar(event, start, end, least, inside)
        is_flow = bool(event.flow_style)
        if event.anchor is not None:
            start = past_blank(self._text, start)
        is_mapping = event.__class__ is yaml.MappingStartEvent
        kind: Literal["mapping", "sequence"] = "mapping" if is_mapping else "sequence"
        node = Node(kind, start, start, is_flow=is_flow, inside=inside, anchor=event.anchor)
        closing = self._pairs(node) if is_mapping else self._items(node)
        if is_flow:
            node.end = closing.end_mark.index
        elif is_mapping:
            node.end = max(node.pairs[-1].node.end, node.pairs[-1].end)
        else:
            node.end = max(node.items[-1].node.end, node.items[-1].start + 1)
        return node

    def _scalar(self, event: Any, start: int, end: int, least: int, inside: bool) -> Node:
        node = Node("scalar", start, end, event.style or "", inside=inside, anchor=event.anchor)
        if node.style in ("|", ">"):
            # Blank lines after it are layout, unless its indicator keeps them.
            written = self._text[start:end]
            header = BREAK.split(written, maxsplit=1)[0]
            if "+" in header.partition("#")[0]:
                last = written[-2:] if written.endswith("\r\n") else written[-1:]
                node.end = end - len(last) if BREAK.fullmatch(last) else end
            else:
                node.end = start + len(written.rstrip())
        elif start == end and event.anchor is None:
            node.start = node.end = max(least, 0)
        elif start > end:
            node.start = end
        node.value = event.value
        if event.implicit[0]:
            with suppress(ValueError):
                node.value = resolve(event.value)
        return node

    def _pairs(self, node: Node) -> Any:
        text = self._text
        while (key := self._get()).__class__ is not yaml.MappingEndEvent:
            if key.__class__ is not yaml.ScalarEvent:
                raise ValueError("a key that is not text")
            begin, end = _span(key)
            colon = past_blank(text, end)
            if text[colon : colon + 1] != ":":
                colon = -1
            before = text[line_start(text, begin) : begin].rstrip()
            value = self.node(self._get(), end if colon < 0 else colon + 1, node.is_flow)
            merges = key.value == "<<" and key.implicit[0]
            plain = not before.endswith("?") and text[begin : begin + 1] != "?"
            node.pairs.append(Pair(key.value, begin, end, colon, value, merges, plain))
        return key

    def _items(self, node: Node) -> Any:
        text, at = self._text, node.start
        while (event := self._get()).__class__ is not yaml.SequenceEndEvent:
            if node.is_flow:
                item = self.node(event, event.start_mark.index, True)
                node.items.append(Item(event.start_mark.index, item))
                continue
            dash = past_blank(text, at)
            item = self.node(event, dash + 1, False)
            node.items.append(Item(dash, item))
            at = item.end
        return event


def _span(event: Any) -> tuple[int, int]:
    """Return an event's characters, including its anchor."""
    return event.start_mark.index, event.end_mark.index


Pattern = tuple[str, ...]
"""A path with `*` for each number in it."""

QUOTES = ("'", '"')
WIDTH = 100
"""Characters of a line from which a text is folded."""
_FLOW = 80
"""Most characters of a list or mapping in brackets whose neighbors show no style."""
_PLAIN_START = re.compile(r"[^\s!&*?:,\[\]{}#|>@`\"'%<=-]|-(?=[^\s,\[\]{}-])")
_UNPLAIN = re.compile(r": |\s#|:$|\t|^(?:---|\.\.\.)")
_UNPLAIN_FLOW = re.compile(r"[,\[\]{}]|:")
_ESCAPED = re.compile('[\\\\"\x85\u2028\u2029\ufeff\r\n\t]')
_UNQUOTED = re.compile("[\x85\u2028\u2029\ufeff\r\n\t]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HIDDEN = re.compile("[\x85\u2028\u2029\ufeff\r\t]")


@dataclass(slots=True)
class YamlStyle:
    """The writing style of a text's values: by the pattern of their path, the styles of texts, and if lists
    and mappings are in brackets. `list_indent` is the indent of dashes below their key, `step` that of
    keys; None if there are none."""

    styles: dict[Pattern, Counter[str]] = field(default_factory=dict)
    flows: dict[Pattern, Counter[bool]] = field(default_factory=dict)
    list_indent: int | None = None
    step: int | None = None
    width: int = WIDTH
    is_json: bool = False
    _measured: bool = False

    @classmethod
    def of(cls, root: Node, text: str, *, is_json: bool = False) -> YamlStyle:
        """Return the style of a whole text."""
        layout = cls(is_json=is_json)
        layout._note(root, (), text)
        return layout

    def _note(self, node: Node, pattern: Pattern, text: str) -> None:
        if node.kind == "scalar" and isinstance(node.value, str):
            self.styles.setdefault(pattern, Counter())[node.style] += 1
            if node.style == ">" and len(lines := text[node.start : node.end].splitlines()) > 2:
                self.width = max(self.width, *map(len, lines)) if self._measured else max(map(len, lines))
                self._measured = True
        elif node.kind in ("mapping", "sequence"):
            if node.pairs or node.items:
                self.flows.setdefault(pattern, Counter())[node.is_flow] += 1
            for pair in node.pairs:
                if not pair.is_merge:
                    self._note_indent(pair.start, pair.node, text)
                    self._note(pair.node, (*pattern, pair.name), text)
            for item in node.items:
                self._note(item.node, (*pattern, "*"), text)

    def _note_indent(self, key: int, node: Node, text: str) -> None:
        if node.is_flow or line_start(text, key) == line_start(text, node.start):
            return
        if self.list_indent is None and node.items:
            self.list_indent = max(0, column(text, node.items[0].start) - column(text, key))
        elif self.step is None and node.pairs:
            self.step = max(1, column(text, node.pairs[0].start) - column(text, key))

    def style(self, pattern: Pattern) -> str:
        """Return the most frequent style of texts there."""
        return self.styles[pattern].most_common(1)[0][0] if pattern in self.styles else ""

    def is_flow(self, pattern: Pattern) -> bool | None:
        """Return True if lists and mappings are in brackets there; None if there are none."""
        return self.flows[pattern].most_common(1)[0][0] if pattern in self.flows else None


def scalar(value: Any, style: str = "", *, flow: bool = False) -> str:
    """Return a value that is no list or mapping, on one line. A text has quotes of the style, or others if
    it needs them. Raises SourceError for values that YAML can't contain."""
    if isinstance(value, str):
        return _quoted(value, style, flow)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        text = repr(value) if isinstance(value, float) else str(value)
        if (isinstance(value, float) and not math.isfinite(value)) or len(text) > MAX_DIGITS:
            raise _unsayable(f"the number {text[:20]} cannot be written")
        return text
    raise TypeError(f"not a card value: {type(value).__name__}")


def _quoted(text: str, style: str, flow: bool) -> str:
    if (bad := CONTROL.search(text)) is not None:
        raise _unsayable(f"the invisible character U+{ord(bad.group()):04X} is not allowed")
    if style == '"' or _UNQUOTED.search(text):
        return f'"{_ESCAPED.sub(_escape, text)}"'
    if style != "'" and is_plain(text, flow):
        return text
    return "'" + text.replace("'", "''") + "'"


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def is_plain(text: str, flow: bool = False) -> bool:
    """Return True if a text needs no quotes, and isn't read as a number or other value."""
    try:
        if not isinstance(resolve(text), str):
            return False
    except ValueError:
        return False
    if text != text.strip() or not _PLAIN_START.match(text) or _UNPLAIN.search(text):
        return False
    return not (flow and _UNPLAIN_FLOW.search(text))


def key(name: str, flow: bool = False) -> str:
    """Return a mapping's key."""
    if name.isascii() and name.isdigit() and str(int(name[:MAX_DIGITS])) == name:
        return name
    return scalar(name, flow=flow)


def inline(value: Any, layout: YamlStyle, pattern: Pattern = ()) -> str:
    """Return a value on one line, lists and mappings in brackets."""
    if layout.is_json:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        parts = [f"{key(k, True)}: {inline(v, layout, (*pattern, k))}" for k, v in value.items()]
        return "{" + ", ".join(parts) + "}"
    if _is_list(value):
        return "[" + ", ".join(inline(each, layout, (*pattern, "*")) for each in value) + "]"
    style = layout.style(pattern)
    return scalar(value, style if style in QUOTES else "", flow=True)


def after_key(value: Any, indent: int, layout: YamlStyle, pattern: Pattern) -> list[str]:
    """Return the text after `key:`, in lines; the first one, with the space before it, on the key's line.
    `indent` is the number of columns before the key."""
    if isinstance(value, str):
        return _text_lines(value, indent + (layout.step or 2), layout, pattern)
    if isinstance(value, Mapping) or _is_list(value):
        if _in_brackets(value, layout, pattern, indent):
            return [f" {inline(value, layout, pattern)}"]
        if isinstance(value, Mapping):
            return ["", *mapping_lines(value, indent + (layout.step or 2), layout, pattern)]
        by = 2 if layout.list_indent is None else layout.list_indent
        return ["", *list_lines(value, indent + by, layout, pattern)]
    return [f" {scalar(value)}"]


def mapping_lines(value: Mapping[str, Any], indent: int, layout: YamlStyle, pattern: Pattern) -> list[str]:
    """Return a mapping of one or more entries in lines of its own."""
    lines = []
    for name, each in value.items():
        first, *rest = after_key(each, indent, layout, (*pattern, name))
        lines += [f"{' ' * indent}{key(name)}:{first}", *rest]
    return lines


def list_lines(value: Sequence[Any], indent: int, layout: YamlStyle, pattern: Pattern) -> list[str]:
    """Return a list of one or more items in lines of its own."""
    return [line for each in value for line in item_lines(each, indent, layout, (*pattern, "*"))]


def item_lines(value: Any, indent: int, layout: YamlStyle, pattern: Pattern) -> list[str]:
    """Return a list's item in lines, with `indent` columns before its dash."""
    dash = f"{' ' * indent}-"
    if (isinstance(value, Mapping) or _is_list(value)) and not _in_brackets(value, layout, pattern, indent):
        inner = mapping_lines if isinstance(value, Mapping) else list_lines
        first, *rest = inner(value, indent + 2, layout, pattern)
        return [f"{dash} {first[indent + 2 :]}", *rest]
    first, *rest = after_key(value, indent, layout, pattern)
    return [f"{dash}{first}", *rest]


def _in_brackets(value: Any, layout: YamlStyle, pattern: Pattern, indent: int) -> bool:
    if not value:
        return True
    known = layout.is_flow(pattern)
    if known is not None:
        return known
    if isinstance(value, Mapping) and len(pattern) <= 2 and pattern[-1:] == ("*",):
        return False
    each = value.values() if isinstance(value, Mapping) else value
    simple = not any(isinstance(item, Mapping) or _is_list(item) for item in each)
    return simple and len(inline(value, layout, pattern)) + indent <= _FLOW


def _text_lines(text: str, indent: int, layout: YamlStyle, pattern: Pattern) -> list[str]:
    style = layout.style(pattern)
    if style not in ("|", ">"):
        if "\n" in text and style != '"':
            style = "|"
        elif len(text) > layout.width and not style and can_fold(text):
            style = ">"
    if style in ("|", ">") and (lines := block(text, style, indent, layout.width)):
        return [f" {lines[0]}", *lines[1:]]
    return [f" {scalar(text, style if style in QUOTES else '')}"]


def rewritten(node: Node, new: Any, layout: YamlStyle, pattern: Pattern) -> str:
    """Return a value in brackets that replaces another: a text keeps its quotes."""
    is_text = node.kind == "scalar" and isinstance(new, str) and isinstance(node.value, str)
    if is_text and not layout.is_json:
        return scalar(new, node.style if node.style in QUOTES else "", flow=True)
    return inline(new, layout, pattern)


def rewritten_lines(written: str, style: str, new: str, indent: int, layout: YamlStyle) -> list[str]:
    """Return a replacement for a text, in its style: the part after the key in lines, the first with its
    space. None if that style can't express it. `indent` are the columns before the key."""
    before = BREAK.split(written)
    inner = next((len(line) - len(line.lstrip(" ")) for line in before[1:] if line.strip()), 0)
    inner = inner or indent + (layout.step or 2)
    if style in ("|", ">"):
        width = max(len(line) for line in before)
        width = width if len(before) > 2 else layout.width
        lines = block(new, style, inner, max(width, layout.width)) or block(new, "|", inner, 0)
        return [f" {lines[0]}", *lines[1:]] if lines else []
    if "\n" in new and style != '"':
        lines = block(new, "|", inner, 0)
        return [f" {lines[0]}", *lines[1:]] if lines else [f" {scalar(new)}"]
    text = scalar(new, style)
    if len(before) == 1:
        return [f" {text}"]
    first, *rest = _wrapped(text, max(40, max(map(len, before[1:])) - inner))
    return [f" {first}", *(f"{' ' * inner}{line}" for line in rest)]


def can_fold(text: str) -> bool:
    """Return True if folded lines can represent a text exactly."""
    return _has_lines(text) and not any(line[:1].isspace() for line in text.split("\n"))


def _has_lines(text: str) -> bool:
    lines = text.removesuffix("\n").split("\n")
    return (
        bool(lines[-1])
        and bool(lines[0])
        and not lines[0][:1].isspace()
        and not any(line != line.rstrip() for line in lines)
        and not _HIDDEN.search(text)
        and not CONTROL.search(text)
    )


def block(text: str, style: str, indent: int, width: int) -> list[str]:
    """Return a text as a block, literal `|` or folded `>`: its header, then its lines; empty if it can't be
    one."""
    if not _has_lines(text) or (style == ">" and not can_fold(text)):
        return []
    body = text.removesuffix("\n")
    lines = body.split("\n") if style == "|" else _folded(body, max(20, width - indent))
    chomp = "" if text.endswith("\n") else "-"
    return [f"{style}{chomp}", *(f"{' ' * indent}{line}" if line else "" for line in lines)]


def _folded(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for number, paragraph in enumerate(text.split("\n")):
        if number:
            lines.append("")  # a line break of the text is one more here
        if paragraph:
            lines += _wrapped(paragraph, width)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    """Return a paragraph in lines, split where a single space is between two words."""
    words = re.split(r"(?<=\S) (?=\S)", text)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _unsayable(message: str) -> SourceError:
    return SourceError("yaml/value", message, 1, 1, "delete it")
