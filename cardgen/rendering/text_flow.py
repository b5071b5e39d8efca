"""The content of a `<text>` as a stream of words, icons, breaks and moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cardgen.rendering.style import Properties, StyleSheet, inherit
from cardgen.rendering.svg import Node, is_foreign
from cardgen.rendering.text_style import TextError, font_size, unset

NBSP = "\u00a0"

_ICONS = re.compile(r"(?<![A-Za-z:])(?::[a-z][a-z0-9]*(?:-[a-z0-9]+)*:)+(?![A-Za-z:])")
_ICON_NAME = re.compile(r":([a-z][a-z0-9-]*):")
_SPACES = re.compile(r"(?m)^[ \t]+|[ \t]{2,}")
_MOVES = ("x", "y", "dx", "dy")
_WHOLE = ("stroke", "fill-opacity", "opacity")
_WHOLE_STROKE = ("stroke-width", "stroke-opacity")
"""Properties that hold for a whole text; a part that differs would have to be drawn apart. The second
ones matter only where there is a stroke (Inkscape writes them everywhere)."""
_INITIAL = {"stroke": "none", "fill-opacity": "1", "opacity": "1"}


@dataclass(frozen=True, slots=True)
class Words:
    """Text in one style. `size` is mm, None where no font-size is known."""

    text: str
    style: Properties
    size: float | None


@dataclass(frozen=True, slots=True)
class IconMark:
    """An icon, as large as the text around it."""

    name: str
    style: Properties
    size: float | None


@dataclass(frozen=True, slots=True)
class Break:
    """A forced line end."""


@dataclass(frozen=True, slots=True)
class Block:
    """The start (`kind` "paragraph" or "item") or, with no kind, the end of a paragraph."""

    kind: str | None
    bullet: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A `tspan` that says where its text goes: its x, y, dx and dy as they are written."""

    at: Mapping[str, str]
    style: Properties
    size: float | None


Part = Words | IconMark | Break | Block | Move


class Flow:
    """Reads the content of text elements."""

    def __init__(self, sheet: StyleSheet, *, wrapped: bool, icons: bool) -> None:
        self._sheet = sheet
        self._wrapped = wrapped
        self._icons = icons

    def parts(self, node: Node, style: Properties, size: float | None) -> Iterator[Part]:
        """What the element holds, in order. Raises TextError."""
        for child in node.children:
            if isinstance(child, str):
                yield from self._text(child, style, size)
            elif child.name == "tspan":
                yield from self._span(child, style, size)
            elif child.name not in ("title", "desc") and not is_foreign(child.name):
                raise TextError("text/element", f"<{child.name}> inside a text is not set")

    def _span(self, node: Node, parent: Properties, parent_size: float | None) -> Iterator[Part]:
        own = self._sheet.properties(node)
        style = inherit(parent, own)
        size = font_size(own.get("font-size"), parent_size)
        trouble = unset(own)
        if trouble is not None:
            raise TextError(*trouble)
        if own.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
            return
        stroked = style.get("stroke", "none") != "none"
        for name in (*_WHOLE, *_WHOLE_STROKE) if stroked else _WHOLE:
            if name in own and own[name] != parent.get(name, _INITIAL.get(name)):
                hint = "put that part into a <text> of its own"
                raise TextError("text/part", f"{name} can't differ within a text", hint)
        if own.get("fill", "").startswith("url(") and own["fill"] != parent.get("fill"):
            raise TextError("text/part", "a gradient can't fill a part of a text", "use a colour")
        icon, kind = node.attrs.get("cg:icon"), node.attrs.get("cg:block")
        if icon is not None:
            yield IconMark(icon, style, size)
            return
        if kind == "break":
            yield Break()
            return
        if kind is not None:
            if kind not in ("paragraph", "item"):
                hint = "it is paragraph, item or break"
                raise TextError("text/block", f"cg:block is '{kind}'", hint)
            level = node.attrs.get("cg:level", "1" if kind == "item" else "0")
            yield Block(kind, node.attrs.get("cg:bullet"), int(level) if level.isdigit() else 0)
        elif not self._wrapped and any(name in node.attrs for name in _MOVES):
            yield Move({name: node.attrs[name] for name in _MOVES if name in node.attrs}, style, size)
        yield from self.parts(node, style, size)
        if kind is not None:
            yield Block(None)
        elif not self._wrapped and any(name in node.attrs for name in _MOVES):
            yield Move({}, parent, parent_size)

    def _text(self, text: str, style: Properties, size: float | None) -> Iterator[Part]:
        case = style.get("text-transform", "none")
        if case == "uppercase":
            text = text.upper()
        elif case == "lowercase":
            text = text.lower()
        elif case not in ("none", "inherit"):
            raise TextError("text/unset", f"text-transform {case} is not set", "use the filter title")
        for line, content in enumerate(self._lines(text, style)):
            if line:
                yield Break()
            if self._icons and ":" in content:
                yield from _with_icons(content, style, size)
            elif content:
                yield Words(content, style, size)

    def _lines(self, text: str, style: Properties) -> list[str]:
        """The text cut at line ends that count, and with the spaces that count made to stay."""
        space = style.get("white-space")
        preserved = style.get("xml:space") == "preserve" if space is None else space.startswith("pre")
        if not preserved or space == "pre-line":
            return text.split("\n") if preserved and self._wrapped else [text]
        if not self._wrapped:
            text = text.replace("\n", " ")
        if "  " in text or text[:1] in " \n" or "\n " in text:
            # A single space at the start may only part this text from the one before.
            text = _SPACES.sub(lambda match: match[0] if len(match[0]) == 1 else NBSP * len(match[0]), text)
        return text.split("\n") if self._wrapped else [text]


def _with_icons(text: str, style: Properties, size: float | None) -> Iterator[Part]:
    position = 0
    for run in _ICONS.finditer(text):
        if run.start() > position:
            yield Words(text[position : run.start()], style, size)
        for name in _ICON_NAME.findall(run[0]):
            yield IconMark(name, style, size)
        position = run.end()
    if position < len(text):
        yield Words(text[position:], style, size)
