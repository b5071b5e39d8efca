"""The Markdown that card text has: a few of the parser's rules, and our own for `++underlined++`, raised^2^
and lowered~2~.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

from cardgen.text.emphasis import markdown_parser

_PLUS = ord("+")
_SHIFTED = {
    "^": ("sup", re.compile(r"\^((?:\\[!-/:-@\[-`{-~]|[^\s\\^])++)\^")),
    "~": ("sub", re.compile(r"(?<!~)~(?!~)((?:\\[!-/:-@\[-`{-~]|[^\s\\~])++)~(?!~)")),
}
"""The marks that raise or lower a part of a word: the name of its tokens, and its form."""


def card_text() -> MarkdownIt:
    """Return a parser of card text, which leaves escaped characters apart from those that were typed so."""
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
    """Return whether the marks are signs: `2~3 or 4~5`, `2^3^4`, or a face such as `^_^`."""
    before, after = state.src[: found.start()][-1:], state.src[found.end() : found.end() + 1]
    if before.isdigit() and after.isdigit():
        return found[0][0] == "~" or found[1].isdigit()
    return not (
        before.isalnum() or before == "_" or any(letter.isalnum() or letter == "\\" for letter in found[1])
    )


def _open(state: StateInline, silent: bool) -> bool:
    """Return a token and a delimiter for each `++`, as the parser has them for its own marks."""
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
