"""The content of a `<text>` as a stream of words, icons, breaks and moves."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from html.entities import html5
from itertools import islice
from typing import NamedTuple

from cardgen.art.markdown import LINE
from cardgen.art.text_style import (
    Look,
    TextError,
    decorated,
    filled_opacity,
    font_size,
    is_hidden,
    paint,
    unset,
    whole_number,
)
from cardgen.core.findings import Problem, Severity
from cardgen.core.records import dataclass, field
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import MOST_HARD_TEXT, MOST_SPANS, MOST_TEXT, MOST_WORD, Node, is_foreign, short
from cardgen.text.icon_marks import IconNames, Mark, marks, read_mark
from cardgen.text.line_ends import hardness

NBSP = "\u00a0"
_FAINTER = 0.01
"""The extra transparency allowed to a part of a text: #…80 is half, to the eye."""

_KEPT_BLANKS = str.maketrans(dict.fromkeys(" \t\r", NBSP))
_SPACES = re.compile(r"(?m)^[ \t]+|[ \t]{2,}")
_COLLAPSED = re.compile("[ \t\n\r\f\v\x85\u2028\u2029]+")
_RULE_SIZE = 0.5
"""The size of type whose line a rule takes, in that of the text around it."""
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]{0,200}>")
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_MOST_ENTITIES = 20
_ESCAPE = re.compile(r"\\(?:r\\n|[nrt]|(?:13|10)\\)")
"""A line end or tab as Squib, CardMaker and nanDECK read it."""
_PATH = re.compile(r"\b[A-Za-z]:\\\S{0,200}")
"""A Windows path: a backslash in it is no escape."""
_TAGS = {
    "b": "**bold**",
    "strong": "**bold**",
    "i": "*italic*",
    "em": "*italic*",
    "u": "++underlined++",
    "ins": "++underlined++",
    "s": "~~struck out~~",
    "del": "~~struck out~~",
    "sup": "raised^2^",
    "sub": "lowered~2~",
    "br": "a backslash at the end of the line",
    "p": "an empty line between paragraphs",
    "hr": "---",
    "li": "- at the start of the line",
    "ul": "- at the start of each line",
    "ol": "1. at the start of each line",
    "a": "the text alone",
    "img": ":icon:",
}
"""Replacements for HTML that people write into cards; other HTML has none."""
_OTHER_TAGS = frozenset(("big", "center", "code", "div", "font", "h1", "h2", "h3", "small", "span"))
SAMPLE = "cg:sample"
"""The lines of a sample whose extent anchors a text: of each, its anchor, place and words."""
MOVES = ("x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust")
"""Attributes that place a text, or a part of it."""
_WHOLE = ("stroke", "opacity")
_WHOLE_STROKE = ("stroke-width", "stroke-opacity")
"""Properties that apply to a whole text; a part that differs would have to be drawn separately. The second
ones matter only if there is a stroke (Inkscape writes them everywhere)."""
_CASES: dict[str, Callable[[str], str]] = {
    "none": str,
    "inherit": str,
    "uppercase": str.upper,
    "lowercase": str.lower,
}
_INITIAL = {"stroke": "none", "opacity": "1"}
_SPANS = frozenset(("tspan", "textPath", "a", "g"))
"""Elements that contain a part of a text; a link is read as `<g>`."""


class Words(NamedTuple):
    """Text in one style."""

    text: str
    look: Look


class IconMark(NamedTuple):
    """An icon in the text around it."""

    mark: Mark
    look: Look


class Break(NamedTuple):
    """A forced line end; in a single-line text, a space."""

    look: Look


class Block(NamedTuple):
    """The start (`kind` "paragraph" or "item") or, with no kind, the end of a paragraph."""

    kind: str | None
    bullet: str | None = None
    level: int = 0


class Rule(NamedTuple):
    """A line across the box, between paragraphs."""

    look: Look


class Move(NamedTuple):
    """A `tspan` that places its text: its `MOVES` as written."""

    at: Mapping[str, str]
    look: Look


_NO_ROOM = Problem(
    "text/paragraphs",
    "a line end prints as a space, because this text is a single line",
    "give the text a box: shape-inside, inline-size, or a rectangle of the same name",
    Severity.WARNING,
    of_card=True,
)
_BULLET_OR_MINUS = Problem(
    "text/markdown",
    "a dash before a number prints as a bullet",
    "for a minus, write − (U+2212); for a list, write * or add a line with a colon above",
    Severity.WARNING,
    of_card=True,
)

Part = Words | IconMark | Break | Block | Rule | Move


@dataclass(slots=True)
class Content:
    """A text's parts in order, and problems that don't stop them from being set; the number of characters,
    and how many of those are in words that are hard to break."""

    parts: list[Part] = field(default_factory=list)
    problems: dict[Problem, None] = field(default_factory=dict)
    characters: int = 0
    hard: int = 0


class Flow:
    """Reads the content of the text elements that share a tag, whose look is `look`. `icons` are those that
    it may show by `:name:`; None if it has no such marks. `exact` keeps all blanks that count, and looks
    for no HTML, which only data contain."""

    def __init__(
        self,
        sheet: StyleSheet,
        look: Look,
        *,
        wrapped: bool,
        icons: IconNames | None,
        exact: bool = False,
    ) -> None:
        self._exact = exact
        self._sheet = sheet
        self._look = look
        self._wrapped = wrapped
        self._icons = icons

    def read(self, node: Node) -> Content:
        """Return the element's content. Raises TextError."""
        found = Content()
        self._read(node, self._look, found)
        texts = [part.text for part in found.parts if isinstance(part, Words)]
        found.characters = sum(map(len, texts))
        if found.characters > MOST_TEXT:
            message = f"a text has {found.characters:,} characters, more than {MOST_TEXT:,}"
            raise TextError("text/bounds", message, "shorten it", of_card=True)
        if found.characters > MOST_WORD:
            _check_words(found.parts)
        found.hard = sum([hardness(word) for text in texts for word in text.split()])
        if found.hard > MOST_HARD_TEXT:
            message = f"a text has more than {MOST_HARD_TEXT:,} characters in words of complex letters"
            raise TextError("text/bounds", message, "shorten it", of_card=True)
        return found

    def _read(self, node: Node, look: Look, found: Content) -> None:
        for child in node.children:
            if len(found.parts) > MOST_SPANS:
                message = f"a text has more than {MOST_SPANS:,} styled pieces"
                raise TextError("text/bounds", message, "shorten it, or use several texts", of_card=True)
            if isinstance(child, str):
                self._text(child, look, found)
            elif child.name in _SPANS:
                inner, after = self._open(child, look, found)
                if inner is not None:
                    self._read(child, inner, found)
                    found.parts += after
            elif child.name not in ("title", "desc") and not is_foreign(child.name):
                raise TextError(
                    "text/element",
                    f"<{short(child.name)}> inside a text is not supported",
                    "move it out of the <text>",
                )

    def _open(self, node: Node, parent: Look, found: Content) -> tuple[Look | None, tuple[Part, ...]]:
        """Add the parts at the start of a `tspan`. Return its content's look, None if that is not shown,
        and the parts at its end."""
        own = self._sheet.properties(node)
        style = inherit(parent.properties, own)
        lines = parent.lines
        if any(name.startswith("text-decoration") for name in own):
            lines = decorated(lines, own, paint(style.get("fill", "black"), style.get("color", "black")))
        look = Look(style, font_size(own.get("font-size"), parent.size), lines, raised=parent.shift)
        trouble = unset(own)
        if trouble is not None:
            raise TextError(*trouble)
        if own.get("display") == "none":
            return None, ()
        stroked = style.get("stroke", "none") != "none"
        for name in (*_WHOLE, *_WHOLE_STROKE) if stroked else _WHOLE:
            if name in own and own[name] != parent.properties.get(name, _INITIAL.get(name)):
                hint = "put that part into a <text> of its own"
                raise TextError("text/part", f"{name} can't change within a text", hint)
        if own.get("fill", "").startswith("url(") and own["fill"] != parent.properties.get("fill"):
            raise TextError("text/part", "a gradient can't fill part of a text", "use a color")
        look.opacity = self._opacity(look)
        icon, kind = node.attrs.get("cg:icon"), node.attrs.get("cg:block")
        if icon is not None:
            found.parts.append(IconMark(read_mark(icon), look))
            return None, ()
        if kind == "break":
            if not self._wrapped:
                found.problems[_NO_ROOM] = None
            found.parts.append(Break(look))
            return None, ()
        if kind == "rule":
            found.parts.append(Rule(Look(style, (look.size or 0.0) * _RULE_SIZE)))
            return None, ()
        if kind is not None:
            if kind not in ("paragraph", "item"):
                hint = "write paragraph, item, rule or break"
                raise TextError("text/block", f"cg:block can't be '{short(kind)}'", hint)
            level = node.attrs.get("cg:level", "1" if kind == "item" else "0")
            found.parts.append(Block(kind, node.attrs.get("cg:bullet"), whole_number(level) or 0))
            if "cg:typed" in node.attrs:
                found.problems[_BULLET_OR_MINUS] = None
            return look, (Block(None),)
        at = {name: node.attrs[name] for name in MOVES if name in node.attrs}
        if node.name == "textPath":
            if self._wrapped:
                raise TextError(
                    "text/path", "text along a path can't have a box", "remove the box, or the <textPath>"
                )
            at = {**node.attrs, "textPath": ""}
        if at and SAMPLE in node.attrs:
            at[SAMPLE] = node.attrs[SAMPLE]
        if at and not self._wrapped:
            found.parts.append(Move(at, look))
            return look, (Move({}, parent),)
        return look, ()

    def _opacity(self, look: Look) -> float:
        """Return the opacity of a part, times that of its whole text. Raises TextError for an unsupported
        one."""
        if is_hidden(look.properties):
            return 0.0
        whole, part = filled_opacity(self._look.properties), filled_opacity(look.properties)
        if abs(part - whole) <= _FAINTER:
            return 1.0
        plain = self._look.properties.get("stroke", "none") == "none"
        plain = plain and not self._look.properties.get("fill", "").startswith("url(")
        if not plain or not whole or look.lines:
            hint = "put that part into a <text> of its own"
            raise TextError("text/part", "part of this text can't have its own opacity", hint)
        return part / whole

    def _text(self, text: str, look: Look, found: Content) -> None:
        case = look.properties.get("text-transform", "none")
        if case not in _CASES:
            hint = "use the filter title"
            raise TextError("text/unset", f"text-transform {short(case)} is not supported", hint)
        change = _CASES[case]
        for sign, problems in _TYPED.items() if not self._exact else ():
            if sign in text:
                found.problems |= dict.fromkeys(problems(text))
        if LINE in text and not self._wrapped:
            found.problems[_NO_ROOM] = None
        parts = found.parts
        for line, content in enumerate(self._lines(text, look.properties)):
            if line:
                parts.append(Break(look))
            if self._icons is not None and (":" in content or "：" in content):
                for part in marks(content, self._icons):
                    if isinstance(part, Mark):
                        parts.append(IconMark(part, look))
                    else:
                        parts.append(Words(change(part), look))
            elif content:
                parts.append(Words(change(content), look))

    def _lines(self, text: str, style: Properties) -> list[str]:
        """Return the text cut at line ends that count, with counting spaces made permanent."""
        if LINE in text:
            return [line for part in text.split(LINE) for line in self._lines(part, style)]
        space = style.get("white-space")
        preserved = style.get("xml:space") == "preserve" if space is None else space.startswith("pre")
        if not preserved or space == "pre-line":
            return text.split("\n") if preserved and self._wrapped else [text]
        if not self._wrapped:
            text = text.replace("\n", " ")
            if self._exact:
                return [text.translate(_KEPT_BLANKS)]
        if "  " in text or text[:1] in " \n" or "\n " in text:
            # A single space at the start may only separate this text from the one before.
            text = _SPACES.sub(lambda match: match[0] if len(match[0]) == 1 else NBSP * len(match[0]), text)
        return text.split("\n") if self._wrapped else [text]


def _tags(text: str) -> Iterator[Problem]:
    """Yield the problems of HTML, which prints as plain text: one for each kind."""
    seen: set[str] = set()
    for found in _TAG.finditer(text):
        name = found[1].lower()
        if name not in seen and (name in _TAGS or name in _OTHER_TAGS):
            seen.add(name)
            instead = _TAGS.get(name, "Markdown")
            hint = f"write {instead} and use the filter md (write \\< to print a <), "
            hint += "or set markup: {html: true} next to data: in game.yaml"
            message = f"the HTML {short(found[0])} prints as plain text"
            yield Problem("text/html", message, hint, of_card=True, about=(found[0],))


def _entities(text: str) -> Iterator[Problem]:
    """Yield the problems of character names from HTML, which would be printed unchanged: each once."""
    found = dict.fromkeys(_ENTITY.findall(text))
    for written in islice((each for each in found if each[1] == "#" or each[1:] in html5), _MOST_ENTITIES):
        char = html.unescape(written)
        shown = f"{char}, " if char.isprintable() and not char.isspace() else ""
        codes = " ".join(f"U+{ord(each):04X}" for each in char)
        message = f"the HTML {written} prints as plain text"
        hint = f"write the character itself: {shown}{codes} (for the filter md, write \\& to print a &)"
        yield Problem("text/html", message, hint, of_card=True, about=(written,))


def _typed_escapes(text: str) -> Iterator[Problem]:
    """Yield the problems of line ends and tabs in other programs' form, which would be printed unchanged:
    one for each kind."""
    found = (each for each in _ESCAPE.finditer(_PATH.sub("", text)))
    for written in dict.fromkeys(each[0] for each in found):
        message = f"'{written}' prints as plain text"
        if written == "\\t":
            hint = "write spaces"
        else:
            hint = "press Alt+Enter in the cell, or write <br>, for a line end"
        hint += " (for the filter md, write \\\\ to print a backslash)"
        yield Problem("text/escape", message, hint, Severity.WARNING, of_card=True, about=(written,))


_TYPED: dict[str, Callable[[str], Iterator[Problem]]] = {"<": _tags, "&": _entities, "\\": _typed_escapes}
"""Finders of what data contain for another program, by the sign that it begins with."""


def _check_words(parts: list[Part]) -> None:
    """Raise TextError for a word that is too long to be one."""
    word = ""
    for part in parts:
        if isinstance(part, Words):
            first, *others = _COLLAPSED.split(part.text)
            word += first
            if others:
                longest = max((word, *others), key=len)
                word = others[-1] if len(longest) <= MOST_WORD else longest
        elif not isinstance(part, IconMark):
            word = ""
        if len(word) > MOST_WORD:
            message = f"'{short(word)}' has more than {MOST_WORD:,} characters without a space"
            raise TextError("text/bounds", message, "put spaces into it", of_card=True)
