"""What `cg:if` and `cg:each` say: the templates' own expressions, in which a field is its bare name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.rendering.named.fields import Fields, Path
from cardgen.svg.names import names

MOST = 1_000
"""Characters of an expression."""

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<text>'(?:\\.|[^'\\])*+'|\"(?:\\.|[^\"\\])*+\")|(?P<number>\d[\d_]*(?:\.\d+)?)"
    r"|(?P<name>[^\W\d]\w*(?:-\w+)*(?:\s*\.\s*[^\W\d]\w*)*)|(?P<sign>[<>=!]=|//|\*\*|.)",
    re.DOTALL,
)
_WORDS = names("and or not in is if else true false none True False None")
_ORDER = frozenset(("<", ">", "<=", ">="))
_APART = frozenset(("and", "or", "not", "(", ")", "if", "else"))


class _Token(NamedTuple):
    kind: str
    text: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as the template is to have it, the fields that it reads, and the names in it that
    nothing has."""

    source: str
    reads: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    wrong: str | None = None


def expression(text: str, fields: Fields, *, item: bool = False) -> Expression:
    """Read an expression. `item` is whether it stands in something repeated."""
    if len(text) > MOST:
        return Expression("", wrong=f"it is longer than {MOST:,} characters")
    if not text or "%}" in text or "}}" in text or "{%" in text or "{{" in text:
        return Expression("", wrong="it is written without {{ }} and {% %}" if text else "it is empty")
    unknown: list[str] = []
    tokens = [_Token(found.lastgroup or "", found[0]) for found in _TOKEN.finditer(text)]
    tokens = [token for token in tokens if token.kind != "space"]
    read: list[_Token] = []
    for place, token in enumerate(tokens):
        read.append(_read(tokens, place, token, fields, item, unknown))
    reads = frozenset(token.path[0] for token in read if token.path is not None)
    return Expression(_written(read, fields), reads, tuple(unknown))


def _read(
    tokens: Sequence[_Token], place: int, token: _Token, fields: Fields, item: bool, unknown: list[str]
) -> _Token:
    """A token with the path of the field that it names."""
    before = tokens[place - 1].text if place else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if token.kind != "name" or token.text in _WORDS or before in ("|", ".") or _tests(tokens, place):
        return token
    if after == "=" or (after == "(" and "." not in token.text):  # an argument's name, a function
        return token
    text = re.sub(r"\s", "", token.text)
    if after == "(":  # a method of what stands before the last point
        text = text.rpartition(".")[0]
    path = fields.stated(text, item=item)
    if path is None and "-" in text:  # a difference
        return _difference(token, text, fields, item, unknown)
    if path is None:
        unknown.append(text)
        return token
    return token._replace(path=path)


def _tests(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a name is that of a test: `is odd`, `is not none`."""
    before = [token.text for token in tokens[max(0, place - 2) : place]]
    return before[-1:] == ["is"] or before == ["is", "not"]


def _difference(token: _Token, text: str, fields: Fields, item: bool, unknown: list[str]) -> _Token:
    parts = text.split("-")
    paths = [fields.stated(part, item=item) for part in parts]
    unknown += [part for part, path in zip(parts, paths) if path is None]
    if None in paths:
        return token
    values = [fields.value(path) for path in paths if path is not None]
    return token._replace(kind="value", text=f"({' - '.join(values)})")


def _written(tokens: Sequence[_Token], fields: Fields) -> str:
    """The tokens as Jinja. A field that is missing is null: no order holds for it, it is not defined."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        if (guarded := _order(tokens, place, fields)) is not None:
            parts.append(guarded)
            place += 3
            continue
        token = tokens[place]
        texts = [each.text for each in tokens[place + 1 : place + 4]]
        if token.path is not None and texts[:2] in (["is", "defined"], ["is", "undefined"]):
            negation = "not " if texts[1] == "defined" else ""
            parts.append(f"{_value(token, fields)} is {negation}none")
            place += 3
        elif token.path is not None and texts == ["is", "not", "defined"]:
            parts.append(f"{_value(token, fields)} is none")
            place += 4
        elif token.path is not None and texts[:2] in (["|", "default"], ["|", "d"]):
            parts.append(".".join((*("card" for _ in range(fields.is_field(token.path))), *token.path)))
            place += 1
        else:
            parts.append(_value(token, fields))
            place += 1
    return " ".join(parts)


def _value(token: _Token, fields: Fields) -> str:
    if token.path is None:
        return token.text
    method = token.text.count(".") + 1 > len(token.path)
    tail = f".{token.text.rpartition('.')[2].strip()}" if method else ""
    return fields.value(token.path) + tail


def _order(tokens: Sequence[_Token], place: int, fields: Fields) -> str | None:
    """`cost > 3` that stands by itself, which is no for a card without a cost."""
    if place + 3 > len(tokens):
        return None
    one, sign, other = tokens[place : place + 3]
    around = [*(tokens[place - 1 : place] if place else ()), *tokens[place + 3 : place + 4]]
    if sign.text not in _ORDER or any(token.text not in _APART for token in around):
        return None
    if {one.kind, other.kind} - {"name", "number"} or _WORDS & {one.text, other.text}:
        return None
    there = [f"{_value(token, fields)} is not none" for token in (one, other) if token.path is not None]
    return f"({' and '.join((*there, f'{_value(one, fields)} {sign.text} {_value(other, fields)}'))})"
