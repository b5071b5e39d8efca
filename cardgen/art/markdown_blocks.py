"""A parser of the Markdown of card text, which returns blocks of `tspan` elements.

**bold**, *italic*, ++underlined++, ~~struck out~~, raised^2^, lowered~2~, lines, paragraphs (a blank line
between), `-` and `1.` lists, rules (`---` between two texts) and backslash escapes. Everything else, such
as headings and links, is printed unchanged: card text has no use for them, and no sign on a card may
vanish. So marks of the parser that are signs in this place are escaped before it reads the text, see
`list_signs.py`. `:icon:` and HTML pass through; text_flow.py turns the one into an icon, and refuses the
other.

Blocks become `<tspan cg:block="…">`: `paragraph`, `rule`, or `item` with `cg:bullet` and `cg:level`, and
with `cg:typed` if the bullet may be meant as a sign.
"""

from __future__ import annotations

import re
from collections import Counter

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token
from markupsafe import escape

from cardgen.text.emphasis import markdown_parser

BULLET = "•"

_INLINE = {
    "strong_open": '<tspan font-weight="bold">',
    "em_open": '<tspan font-style="italic">',
    "ins_open": '<tspan text-decoration="underline">',
    "s_open": '<tspan text-decoration="line-through">',
    "sup_open": '<tspan baseline-shift="super" font-size="80%">',
    "sub_open": '<tspan baseline-shift="sub" font-size="80%">',
    "strong_close": "</tspan>",
    "em_close": "</tspan>",
    "ins_close": "</tspan>",
    "s_close": "</tspan>",
    "sup_close": "</tspan>",
    "sub_close": "</tspan>",
    "hardbreak": '<tspan cg:block="break"/>',
    "softbreak": '<tspan cg:block="break"/>',
}

Block = tuple[str, str, str]
"""Kind, attributes, content."""


def blocks_of(parser: MarkdownIt, source: str) -> list[Block]:
    """Return the blocks of a text with plain line ends, by a parser of `card_text`."""
    return _blocks(parser.parse(with_signs(source)), doubtful=doubtful_dash(source))


def _blocks(tokens: list[Token], *, doubtful: bool = False) -> list[Block]:
    """Return the blocks of a text. `doubtful` is True if its first bullet may be meant as a minus."""
    blocks: list[Block] = []
    level = 0
    bullet = ""
    for token in tokens:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            level += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            level -= 1
        elif kind == "list_item_open":
            # The number as typed; `info` is empty for a bullet.
            bullet = f' cg:bullet="{token.info + token.markup if token.info else BULLET}"'
        elif kind == "inline":
            children = token.children or []
            attributes = f' cg:level="{level}"{bullet}' if level else ""
            if bullet and doubtful:
                attributes += ' cg:typed="-"'
                doubtful = False
            bullet = ""
            kind = "item" if attributes else "paragraph"
            blocks.append((kind, attributes, _inline(children)))
        elif kind == "hr":
            blocks.append(("rule", "", ""))
    return blocks


def _inline(tokens: list[Token]) -> str:
    parts: list[str] = []
    for token in tokens:
        known = _INLINE.get(token.type)
        if known is not None:
            parts.append(known)
        elif token.type == "text_special" and token.content in ":\\<&*":
            # In an element of its own, a colon starts no icon, < no tag and & no name. A backslash and a
            # star are literal.
            parts.append(f"<tspan>{escape(token.content)}</tspan>")
        else:
            parts.append(str(escape(token.content)))
    return "".join(parts)


MINUS, CREDIT = "−", "—"
_ITEM = re.compile(r"([ \t]*)([-+*]|[0-9]{1,9}[.)])(?:([ \t]+)(\S.*)|[ \t]*)")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")
_BEFORE_FIGURE = re.compile(r"[^\w\s:]{0,6}")


def with_signs(source: str) -> str:
    """Return the text with a backslash before each sign at the start of a line that is no mark."""
    lines = _Lines(source.split("\n"))
    return "\n".join(lines.signed(place) for place in range(len(lines.all)))


def doubtful_dash(source: str) -> bool:
    """Return True if dashes before figures become bullets that may be meant as minus signs: several with
    nothing before them, or a single one after a blank line and no colon."""
    lines = _Lines(source.split("\n"))
    dashes = [place for place, item in enumerate(lines.items) if item and item[2] == "-"]
    if not dashes or not all(_begins_with_figure(lines.content(place)) for place in dashes):
        return False
    if len(dashes) > 1:
        return dashes[0] == lines.first
    return lines.begins_apart(dashes[0]) and not lines.is_announced(dashes[0])


class _Lines:
    """The lines of a text: those that begin as an item, the number for each mark, and those with text."""

    def __init__(self, lines: list[str]) -> None:
        self.all = lines
        self.items = [_ITEM.fullmatch(line) for line in lines]
        self._count = Counter(item[2] for item in self.items if item and item[4])
        texts = [place for place, line in enumerate(lines) if line.strip()]
        self.first, self._last = (texts[0], texts[-1]) if texts else (0, 0)

    def content(self, place: int) -> str:
        item = self.items[place]
        return (item and item[4]) or ""

    def signed(self, place: int) -> str:
        """Return a line in the form that the parser should read."""
        line, item = self.all[place], self.items[place]
        if _RULE.fullmatch(line):
            parts_texts = self.first < place < self._last and "_" not in line
            return line if parts_texts else _escaped(line)
        if item is None:
            return line
        indent, mark, gap, content = item.groups()
        alone = self._count[mark] == 1
        if content is None or mark == "+" or (mark == "*" and alone):
            return _escaped(line)
        if mark == "-" and alone:
            if _begins_with_figure(content):
                if not self.begins_apart(place):
                    return indent + MINUS + gap + content
            elif (
                self.first < place == self._last
                and not self.is_announced(place)
                and not self._is_inner(place, indent)
            ):
                return indent + CREDIT + gap + content
        inner = _escaped(content) if _ITEM.fullmatch(content) or _RULE.fullmatch(content) else content
        return indent + mark + gap + inner

    def begins_apart(self, place: int) -> bool:
        """Return True if a blank line separates a line from text before it."""
        return place > self.first and not self.all[place - 1].strip()

    def _is_inner(self, place: int, indent: str) -> bool:
        """Return True if a line is indented below an item, as that of a list in a list."""
        before = next(each for each in range(place - 1, -1, -1) if self.all[each].strip())
        return len(indent.expandtabs()) > 1 and bool(self.content(before))

    def is_announced(self, place: int) -> bool:
        """Return True if the text before a line ends in a colon, so that a list follows."""
        before = next(line for line in self.all[place - 1 :: -1] if line.strip())
        return before.rstrip(" \t*_").endswith((":", "："))


def _escaped(line: str) -> str:
    """Return the line with its mark, or all signs of a rule, escaped."""
    if _RULE.fullmatch(line):
        return re.sub(r"[-*_]", r"\\\g<0>", line)
    return re.sub(r"[-+*.)]", r"\\\g<0>", line, count=1)


def _begins_with_figure(text: str) -> bool:
    before = _BEFORE_FIGURE.match(text)
    assert before is not None
    return text[before.end() : before.end() + 1].isnumeric()


_PLUS = ord("+")
_SHIFTED = {
    "^": ("sup", re.compile(r"\^((?:\\[!-/:-@\[-`{-~]|[^\s\\^])++)\^")),
    "~": ("sub", re.compile(r"(?<!~)~(?!~)((?:\\[!-/:-@\[-`{-~]|[^\s\\~])++)~(?!~)")),
}
"""The marks that raise or lower a part of a word: the name of its tokens, and its form."""


def card_text() -> MarkdownIt:
    """Return a parser of card text, which separates escaped characters from typed ones."""
    parser = markdown_parser("zero").enable(
        ["emphasis", "strikethrough", "escape", "newline", "list", "hr"]
    )
    parser.inline.ruler.before("emphasis", "ins", _open)
    parser.inline.ruler2.before("emphasis", "ins", _close)
    parser.inline.ruler.before("emphasis", "shift", _shift)
    return parser.disable("text_join")


def _shift(state: StateInline, silent: bool) -> bool:
    """Return tokens for a raised or lowered part of a word. `2~3 or 4~5` are ranges."""
    name, form = _SHIFTED.get(state.src[state.pos], ("", None))
    found = None if form is None else form.match(state.src, state.pos, state.posMax)
    if found is None or _are_signs(state, found):
        return False
    if not silent:
        end = state.posMax
        state.pos, state.posMax = found.span(1)
        state.push(f"{name}_open", name, 1)
        state.md.inline.tokenize(state)
        state.push(f"{name}_close", name, -1)
        state.posMax = end
    state.pos = found.end()
    return True


def _are_signs(state: StateInline, found: re.Match[str]) -> bool:
    """Return True if the marks are signs: `2~3 or 4~5`, `2^3^4`, or a face such as `^_^`."""
    before, after = state.src[: found.start()][-1:], state.src[found.end() : found.end() + 1]
    if before.isdigit() and after.isdigit():
        return found[0][0] == "~" or found[1].isdigit()
    return not (
        before.isalnum() or before == "_" or any(letter.isalnum() or letter == "\\" for letter in found[1])
    )


def _open(state: StateInline, silent: bool) -> bool:
    """Return a token and a delimiter for each `++`, as the parser does for its own marks."""
    if silent or state.src[state.pos] != "+":
        return False
    scanned = state.scanDelims(state.pos, True)
    if scanned.length != 2:
        return False
    state.push("text", "", 0).content = "++"
    place = len(state.tokens) - 1
    state.delimiters.append(Delimiter(_PLUS, 0, place, -1, scanned.can_open, scanned.can_close))
    state.pos += 2
    return True


def _close(state: StateInline) -> None:
    """Turn pairs of `++` that the parser found into tags."""
    nested = [meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta]
    for delimiters in [state.delimiters, *nested]:
        for delimiter in delimiters:
            if delimiter.marker == _PLUS and delimiter.end != -1:
                for place, kind in (
                    (delimiter.token, "ins_open"),
                    (delimiters[delimiter.end].token, "ins_close"),
                ):
                    state.tokens[place].type = kind
                    state.tokens[place].content = ""
