r"""Patterns of schemas: regular expressions of ECMA 262, run by RE2 in time linear in the text.

JSON Schema defines patterns as JavaScript's RegExp with the flag u, searched anywhere in the text. RE2
differs from that in a few words (`\s`, `.`, `\uXXXX`, classes), so patterns are rewritten for it. Features
that RE2 lacks (look-around, back-references) are refused, and so are those that ECMA 262 lacks, such as
`\A` or `(?P<name>…)`, because an editor would refuse them too.
"""

from __future__ import annotations

import functools
import re
import string
from typing import Any

from cardgen.core.records import dataclass

MAX_PATTERN = 2_000
"""Most characters of a pattern."""
MAX_REPEATS = 1_000
"""Most repeats of a quantifier; RE2's own limit."""

_MEMORY = (256 * 1024, 1024 * 1024)
"""Bytes for a pattern's machine. The second is for the few that need it: 40 letters of any script."""
_KEPT = 1024
"""The most compiled patterns that are kept."""

_SPACE = (
    (0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
"""WhiteSpace and LineTerminator of ECMA 262: the characters that \\s matches."""
_LINE_ENDS = ((0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029))
_LAST = 0x10FFFF

_CATEGORIES = {
    "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc",
    "Control": "Cc", "Currency_Symbol": "Sc", "Dash_Punctuation": "Pd", "Decimal_Number": "Nd",
    "Enclosing_Mark": "Me", "Final_Punctuation": "Pf", "Format": "Cf", "Initial_Punctuation": "Pi",
    "Letter": "L", "Letter_Number": "Nl", "Line_Separator": "Zl", "Lowercase_Letter": "Ll", "Mark": "M",
    "Math_Symbol": "Sm", "Modifier_Letter": "Lm", "Modifier_Symbol": "Sk", "Nonspacing_Mark": "Mn",
    "Number": "N", "Open_Punctuation": "Ps", "Other": "C", "Other_Letter": "Lo", "Other_Number": "No",
    "Other_Punctuation": "Po", "Other_Symbol": "So", "Paragraph_Separator": "Zp", "Private_Use": "Co",
    "Punctuation": "P", "Separator": "Z", "Space_Separator": "Zs", "Spacing_Mark": "Mc", "Surrogate": "Cs",
    "Symbol": "S", "Titlecase_Letter": "Lt", "Uppercase_Letter": "Lu", "digit": "Nd", "punct": "P",
}  # fmt: skip
"""General categories by their long names (UAX #44); RE2 knows the short ones."""

_NO_LOOKAROUND = "write a pattern for allowed text; to exclude text, add a schema with 'not' and 'pattern'"
_QUANTIFIER = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_HEX = frozenset(string.hexdigits)


class PatternError(ValueError):
    """A pattern that cannot be used. The text gives the problem, `hint` the fix."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. `size` counts the instructions of its machine: searching a text takes at most
    `size` times its length."""

    size: int
    _machine: Any

    def found_in(self, text: str) -> bool:
        """Return True if the pattern occurs anywhere in a text."""
        return self._machine.search(text.encode("utf-8", "surrogatepass")) is not None


@functools.lru_cache(maxsize=_KEPT)
def compiled(pattern: str) -> Pattern:
    """Return the pattern, compiled for searching. Raises PatternError."""
    try:
        import re2  # imported late: not every command reads schemas
    except ImportError:
        raise PatternError(
            "patterns need the package google-re2", "install it: pip install google-re2"
        ) from None

    written = translated(pattern)
    for memory in _MEMORY:
        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.max_mem = memory
        try:
            machine = re2.compile(written, options)
        except re2.error as error:
            reason = error.args[0] if error.args else b""
            said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
            if "too large" not in said:
                raise PatternError(re2_problem(said)) from None
        else:
            return Pattern(max(machine.programsize, 1), machine)
    raise PatternError(
        "it is too complex", "lower its repeats, or limit the length with minLength and maxLength"
    )


_SAID = (
    ("missing )", "a ( has no closing )"),
    ("unexpected )", "a ) has no opening ("),
    ("no argument for repetition", "a repeat has nothing to repeat"),
    ("bad repetition", "two repeats such as * or + follow each other"),
    ("repetition size", f"groups within groups repeat more than {MAX_REPEATS:,} times"),
)
"""RE2's words for mistakes, and cardgen's."""


def re2_problem(said: str) -> str:
    """Return the message of RE2 about a pattern in cardgen's words."""
    for theirs, ours in _SAID:
        if theirs in said:
            return ours
    unknown = re.search(r"range: (\\[pP]\{.*\})", said)
    return f"{unknown[1]} is not known" if unknown else f"it cannot be read: {said}"


def translated(pattern: str) -> str:
    """Return a pattern of ECMA 262 in the language of RE2. Raises PatternError for anything that RE2 or
    ECMA 262 lacks. RE2 finds other mistakes."""
    if len(pattern) > MAX_PATTERN:
        message = f"it has {len(pattern):,} characters, more than {MAX_PATTERN:,}"
        raise PatternError(message, "list many words with enum")
    return _Translation(pattern).text()


class _Translation:
    """One walk over a pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def text(self) -> str:
        parts = []
        if self._take("(?i)"):  # editors accept it too, at the start
            parts.append("(?i)")
        while self._at < len(self._pattern):
            parts.append(self._next())
        return "".join(parts)

    def _take(self, text: str) -> bool:
        """Skip `text` if it comes next."""
        if not self._pattern.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _next(self) -> str:
        character = self._pattern[self._at]
        if character == "\\":
            value = self._escape(in_class=False)
            return _one(value) if isinstance(value, int) else value
        if character == "[":
            return self._class()
        if character == "(":
            return self._group()
        if character == "{":
            return self._braces()
        self._at += 1
        if character == ".":
            return f"[^{_ranges(_LINE_ENDS)}]"
        return character if character in "^$|)*+?" else _one(ord(character))

    def _group(self) -> str:
        for opening in ("(?=", "(?!", "(?<=", "(?<!"):
            if self._take(opening):
                kind = "look-behind" if "<" in opening else "look-ahead"
                raise PatternError(f"{kind} '{opening}…' is not supported", _NO_LOOKAROUND)
        if self._take("(?:"):
            return "(?:"
        if self._take("(?i:"):
            return "(?i:"
        if name := re.compile(r"\(\?<[A-Za-z_$][\w$]*>").match(self._pattern, self._at):
            self._at = name.end()
            return "(?:"
        if self._take("(?"):
            opening = self._pattern[self._at - 2 : self._at + 2]
            raise PatternError(f"'{opening}' can't begin a group", "write (?:…) or (…)")
        self._take("(")
        return "(?:"

    def _braces(self) -> str:
        found = _QUANTIFIER.match(self._pattern, self._at)
        if found is None:
            if re.compile(r"\{,\d+\}").match(self._pattern, self._at):
                raise PatternError("'{,' does not begin a repeat", "write {0,…}")
            self._at += 1
            return r"\{"
        if any(len(count) > 9 or int(count) > MAX_REPEATS for count in found.groups() if count):
            hint = "limit the length with minLength and maxLength"
            raise PatternError(f"{found.group()} repeats more than {MAX_REPEATS:,} times", hint)
        self._at = found.end()
        if _QUANTIFIER.match(self._pattern, self._at):
            raise PatternError(f"another repeat follows {found.group()}", "put it in a group (?:…)")
        return found.group()

    def _class(self) -> str:
        self._at += 1
        negated = self._take("^")
        parts: list[str] = []
        while not self._take("]"):
            first = self._member()
            if not self._pattern.startswith("-", self._at) or self._pattern.startswith("-]", self._at):
                parts.append(_in_class(first))
                continue
            self._at += 1
            last = self._member()
            if not isinstance(first, int) or not isinstance(last, int):
                parts += [_in_class(first), _one(ord("-")), _in_class(last)]
            elif first > last:
                raise PatternError(f"the range {chr(first)}-{chr(last)} in [ ] runs backwards")
            else:
                parts.append(_ranges(((first, last),)))
        if parts:
            return f"[{'^' if negated else ''}{''.join(parts)}]"
        # ECMA 262 has a meaning for these, but [^]] is another one to most who write it.
        opening = "[^]" if negated else "[]"
        raise PatternError(f"nothing is inside {opening}", r"write \] for a bracket")

    def _member(self) -> int | str:
        """Return a character of a class by its number, or several as RE2 writes them within [ ]."""
        if self._at >= len(self._pattern):
            raise PatternError("a [ has no closing ]", r"write \[ for a bracket")
        if self._pattern[self._at] == "\\":
            return self._escape(in_class=True)
        self._at += 1
        return ord(self._pattern[self._at - 1])

    def _escape(self, *, in_class: bool) -> int | str:
        """Return the meaning of a backslash escape: a character by its number, or RE2's words for it."""
        self._at += 2
        name = self._pattern[self._at - 1 : self._at]
        if name in ("d", "D", "w", "W"):
            return f"\\{name}"
        if name in ("s", "S"):
            ranges = _ranges(_SPACE if name == "s" else _others(_SPACE))
            return ranges if in_class else f"[{ranges}]"
        if name in ("b", "B") and not in_class:
            return f"\\{name}"
        if name in ("p", "P"):
            return self._property(name)
        return self._character(name, in_class)

    def _character(self, name: str, in_class: bool) -> int:
        if name and name in "fnrtv":
            return {"f": 0xC, "n": 0xA, "r": 0xD, "t": 0x9, "v": 0xB}[name]
        if name == "b" and in_class:
            return 0x8
        if name == "0" and not self._pattern[self._at : self._at + 1].isdecimal():
            return 0
        if name == "x":
            return self._hex(2)
        if name == "u":
            return self._unicode()
        if name == "c" and (letter := self._pattern[self._at : self._at + 1]) in string.ascii_letters:
            if letter:
                self._at += 1
                return ord(letter) % 32
        elif name and (name in string.punctuation or name == " "):
            return ord(name)
        if name and name in "123456789k" and not in_class:
            hint = "write the allowed text in its place"
            raise PatternError(f"the back-reference \\{name} is not supported", hint)
        if not name:
            raise PatternError("it ends in a backslash", r"write \\ for a backslash")
        raise PatternError(
            f"the escape \\{name} is not supported", r"remove it, or write \\ for a backslash"
        )

    def _hex(self, digits: int) -> int:
        text = self._pattern[self._at : self._at + digits]
        if len(text) < digits or not _HEX.issuperset(text):
            raise PatternError(f"an escape lacks its {digits} hexadecimal digits")
        self._at += digits
        return int(text, 16)

    def _unicode(self) -> int:
        if self._take("{"):
            end = self._pattern.find("}", self._at)
            text = self._pattern[self._at : end] if end > 0 else ""
            if not text or not _HEX.issuperset(text) or len(text) > 12 or int(text, 16) > _LAST:
                raise PatternError("\\u{…} names no character")
            self._at = end + 1
            value = int(text, 16)
        else:
            value = self._hex(4)
            if 0xD800 <= value < 0xDC00 and self._take("\\u"):
                low = self._hex(4)
                if not 0xDC00 <= low < 0xE000:
                    raise PatternError(f"\\u{value:04x} is half a character")
                return 0x10000 + (value - 0xD800) * 0x400 + (low - 0xDC00)
        if 0xD800 <= value < 0xE000:
            raise PatternError(f"\\u{value:04x} is half a character")
        return value

    def _property(self, letter: str) -> str:
        found = re.compile(r"\{([A-Za-z_&=]+)\}").match(self._pattern, self._at)
        if found is None:
            raise PatternError(f"\\{letter} has no property name", r"write \p{L}")
        self._at = found.end()
        name = found.group(1)
        kind, equals, value = name.partition("=")
        if (equals and kind in ("Script", "sc")) or (equals and kind in ("General_Category", "gc")):
            name = value
        elif equals:
            raise PatternError(f"\\{letter}{{{name}}} is not known", r"\p{L} and \p{Script=Greek} are")
        return f"\\{letter}{{{_CATEGORIES.get(name, name)}}}"


def _one(code: int) -> str:
    """Return a character as RE2 takes it anywhere."""
    if 0xD800 <= code < 0xE000:
        raise PatternError(f"\\u{code:04x} is half a character")
    character = chr(code)
    return character if character.isascii() and character.isalnum() else f"\\x{{{code:x}}}"


def _in_class(member: int | str) -> str:
    return _one(member) if isinstance(member, int) else member


def _ranges(ranges: tuple[tuple[int, int], ...]) -> str:
    """Return ranges of characters as RE2 writes them within [ ]."""
    return "".join(
        f"\\x{{{first:x}}}-\\x{{{last:x}}}" if first < last else f"\\x{{{first:x}}}"
        for first, last in ranges
    )


def _others(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return all characters that are in none of the ranges, which are in order."""
    starts = [0, *[last + 1 for _, last in ranges]]
    ends = [*[first - 1 for first, _ in ranges], _LAST]
    return tuple((first, last) for first, last in zip(starts, ends, strict=True) if first <= last)
