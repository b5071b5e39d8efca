"""The lexical rules of PDF (ISO 32000-1, 7.2 and 7.3), read strictly.

Readers forgive much, each something else; what all of them read alike is what the rules allow. So this
refuses whatever the rules do not: numbers with two points or signs, tokens grown together, half a byte
in a hexadecimal string, unknown escapes, names with bytes that must be escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Value = object
"""int, float, bool, None, `Name`, `String`, list, dict of str to Value, or `Reference`."""

LARGEST_INTEGER = 2**31 - 1
LARGEST_REAL = 3.403e38
LONGEST_NAME = 127
LONGEST_STRING = 32767
"""Annex C: what every reader must take, and no more."""
DEEPEST = 64
"""Arrays and dictionaries within each other; no rule, but none of ours is that deep."""


class FaultError(Exception):
    """A place that the rules do not allow. `at` is the byte where it begins."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(f"{what} at byte {at}")
        self.what, self.at = what, at


class Name(str):
    """A name without its slash, escapes undone."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class String:
    """A string's bytes, and whether it was written in hexadecimal."""

    data: bytes
    hex: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """An indirect reference, `12 0 R`."""

    number: int
    generation: int


@dataclass(frozen=True, slots=True)
class Keyword:
    """A bare word: an operator, or `obj`, `stream`, `R`."""

    word: bytes


@dataclass(frozen=True, slots=True)
class Mark:
    """One of `[`, `]`, `<<`, `>>`."""

    sign: bytes


Token = tuple[int, int, object]
"""Start, end, and the value: a Value other than list, dict and Reference, or a Keyword, or a Mark."""

WHITE = b"\0\t\n\f\r "
_END = rb"(?=[\0\t\n\f\r ()<>\[\]/%]|\Z)"
_TOKEN = re.compile(
    rb"(?P<white>[\0\t\n\f\r ]+|%[^\r\n]*)"
    rb"|(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)" + _END + rb")"
    rb"|/(?P<name>(?:[!-\"$&'*-.0-;=?-Z\\^-z|~]|#[0-9A-Fa-f]{2})+)" + _END + rb""
    rb"|(?P<mark><<|>>|\[|\])"
    rb"|<(?P<hex>[0-9A-Fa-f\0\t\n\f\r ]*)>"
    rb"|(?P<word>[A-Za-z'\"][A-Za-z0-9*'\"]*" + _END + rb")"
    rb"|(?P<open>\()"
)
_STRING_PART = re.compile(rb"[^()\\\r]+|\\(?:[nrtbf()\\]|[0-7]{1,3}|\r\n|\r|\n)|[()]|\r\n?")
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_CONSTANTS = {b"true": True, b"false": False, b"null": None}


def tokens(data: bytes, start: int = 0) -> Iterator[Token]:
    """The tokens of `data` from `start` on. Raises FaultError."""
    at = start
    match_at = _TOKEN.match
    while at < len(data):
        match = match_at(data, at)
        if match is None:
            raise FaultError(f"no token: {data[at : at + 24]!r}", at)
        kind = match.lastgroup
        end = match.end()
        if kind == "number":
            yield at, end, number(match[0], at)
        elif kind == "word":
            word = match[0]
            yield at, end, _CONSTANTS[word] if word in _CONSTANTS else Keyword(word)
        elif kind == "name":
            yield at, end, _name(match["name"], at)
        elif kind == "mark":
            yield at, end, Mark(match[0])
        elif kind == "hex":
            yield at, end, _hexadecimal(match["hex"], at)
        elif kind == "open":
            string, end = _literal(data, at)
            yield at, end, string
        at = end


def number(text: bytes, at: int) -> int | float:
    """An integer or a real, within the bounds of Annex C."""
    if b"." in text:
        real = float(text)
        if abs(real) > LARGEST_REAL:
            raise FaultError(f"real {text[:24]!r} is out of bounds", at)
        return real
    if len(text) > 24:
        raise FaultError(f"integer {text[:24]!r} is out of bounds", at)
    whole = int(text)
    if not -LARGEST_INTEGER - 1 <= whole <= LARGEST_INTEGER:
        raise FaultError(f"integer {whole} is out of bounds", at)
    return whole


def _name(text: bytes, at: int) -> Name:
    if b"#" in text:
        text = re.sub(rb"#(..)", lambda match: bytes([int(match[1], 16)]), text)
    if len(text) > LONGEST_NAME:
        raise FaultError("name is too long", at)
    if b"\0" in text:
        raise FaultError("name holds a zero byte", at)
    return Name(text.decode("latin-1"))


def _hexadecimal(text: bytes, at: int) -> String:
    digits = text if text.isalnum() or not text else b"".join(text.replace(b"\0", b" ").split())
    if len(digits) % 2:
        raise FaultError("hexadecimal string has an odd digit", at)
    return String(bytes.fromhex(digits.decode("ascii")), True)


def _literal(data: bytes, start: int) -> tuple[String, int]:
    depth, at = 0, start
    parts: list[bytes] = []
    while True:
        match = _STRING_PART.match(data, at)
        if match is None:
            what = (
                "string without an end" if at >= len(data) else f"escape {data[at : at + 2]!r} in a string"
            )
            raise FaultError(what, at)
        part = match[0]
        at = match.end()
        if part == b"(":
            depth += 1
            if depth == 1:
                continue
        elif part == b")":
            depth -= 1
            if not depth:
                return String(b"".join(parts), False), at
        elif part.startswith(b"\\"):
            part = _unescaped(part[1:], at)
        elif part.startswith(b"\r"):
            part = b"\n"
        parts.append(part)


def _unescaped(text: bytes, at: int) -> bytes:
    if text.isdigit():
        code = int(text, 8)
        if code > 255:
            raise FaultError(f"octal code {text!r} is above 377", at)
        return bytes([code])
    if text[:1] in b"\r\n":
        return b""
    return _ESCAPED.get(text, text)


class Reader:
    """Values one after the other: arrays and dictionaries put together, references recognised if
    `references` allows them. After a keyword that is no value, `word` is that keyword."""

    def __init__(self, data: bytes, start: int = 0, *, references: bool = False) -> None:
        self.data = data
        self.at = start
        self.end = start
        """Where the last token ended."""
        self._references = references
        self._tokens = tokens(data, start)
        self._ahead: list[Token] = []
        self._depth = 0

    def restart(self, at: int) -> None:
        """Go on from another byte."""
        self._tokens = tokens(self.data, at)
        self._ahead = []
        self.end = at

    def _next(self) -> Token | None:
        token = self._ahead.pop(0) if self._ahead else next(self._tokens, None)
        if token is not None:
            self.at, self.end = token[0], token[1]
        return token

    def value(self) -> tuple[int, object] | None:
        """Where it begins, and the next value or Keyword; None at the end."""
        token = self._next()
        if token is None:
            return None
        at, _, value = token
        if isinstance(value, Mark):
            if value.sign == b"[":
                return at, self._array(at)
            if value.sign == b"<<":
                return at, self._dictionary(at)
            raise FaultError(f"{value.sign.decode()} that closes nothing", at)
        if self._references and type(value) is int:
            return at, self._reference(at, value)
        return at, value

    def _reference(self, at: int, number: int) -> object:
        """`number`, or the reference that it begins."""
        here = self.at, self.end
        while len(self._ahead) < 2:
            token = next(self._tokens, None) if not self._ahead_is_word() else None
            if token is None:
                return number
            self._ahead.append(token)
        (_, _, generation), (_, end, word) = self._ahead[:2]
        if type(generation) is int and word == Keyword(b"R"):
            self._ahead = self._ahead[2:]
            self.end = end
            if number < 1 or not 0 <= generation <= 65535:
                raise FaultError(f"reference {number} {generation} R", at)
            return Reference(number, generation)
        self.at, self.end = here
        return number

    def _ahead_is_word(self) -> bool:
        """Whether a keyword waits: what follows `stream` must not be read as tokens."""
        return any(isinstance(value, Keyword) for _, _, value in self._ahead)

    def _array(self, start: int) -> list[object]:
        items: list[object] = []
        while True:
            found = self._within(b"]")
            if found is None:
                return items
            if isinstance(found[1], Keyword):
                raise FaultError(f"{found[1].word!r} in an array", found[0])
            items.append(found[1])

    def _dictionary(self, start: int) -> dict[str, object]:
        entries: dict[str, object] = {}
        while True:
            key = self._within(b">>")
            if key is None:
                return entries
            if not isinstance(key[1], Name):
                raise FaultError(f"{key[1]!r} as the key of a dictionary", key[0])
            if key[1] in entries:
                raise FaultError(f"/{key[1]} stands twice in a dictionary", key[0])
            value = self._within(b">>")
            if value is None or isinstance(value[1], Keyword):
                raise FaultError(f"/{key[1]} has no value", key[0])
            entries[str(key[1])] = value[1]

    def _within(self, end: bytes) -> tuple[int, object] | None:
        """The next value, or None if `end` comes instead."""
        token = self._next()
        if token is None:
            raise FaultError(f"no {end.decode()} to the end", len(self.data))
        at, _, value = token
        if value == Mark(end):
            return None
        self._ahead.insert(0, token)
        self._depth += 1
        if self._depth > DEEPEST:
            raise FaultError("too many arrays and dictionaries within each other", at)
        found = self.value()
        self._depth -= 1
        assert found is not None
        return found
