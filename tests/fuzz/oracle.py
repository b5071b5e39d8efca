"""What is wrong with the answer to a mutated pack, whatever was in it.

A pack must end in findings or in success. Findings have a file, and a line where the file is text. They
are in a designer's words: none of Python's, no addresses, no control characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tests.hostile.cases import Found
from tests.hostile.confined import Outcome

MOST_MEMORY_MB = 500
MOST_PROCESSOR_S = 20
"""Ten times what a pack may take on an idle machine of today."""

PYTHONS_WORDS = re.compile(
    r"Traceback|object at 0x|0x[0-9a-f]{10}|NoneType|in <string>|File \"|Errno"
    r"|'(?:str|int|float|list|dict|bytes|bool|tuple)' object|<cardgen|<jinja2|cardgen\.\w+|jinja2\."
    r"|<(?:class|function|built-in|bound|module|generator|cell|code) "
    r"|\w+\(\) (?:takes|missing|got an)|positional argument|unhashable|not subscriptable|object is not"
    r"|(?:Type|Value|Key|Index|Attribute|Runtime|Recursion|Memory|Assertion|Overflow|OS|Name)Error\b"
    r"|Unicode\w*Error|ZeroDivisionError|unsupported operand|has no attribute|index out of range"
    r"|recursion depth|codec can't|dictionary changed|must be str\b"
)
_TEXT = re.compile(r"\.(?:yaml|yml|json|svg|md|txt|csv)$")
WITHOUT_A_LINE = frozenset({"check/left-out", "service/unsure", "service/proof", "table/made-up"})
"""Codes of remarks about a text file as a whole."""

_MORE = re.compile(r"and [\d,]+ more like this(?:, in .*)?")
"""What stands for findings beyond the most that are shown of one kind in a file."""


def faults(outcome: Outcome, found: Sequence[Found], payload: str = "") -> list[str]:
    """What is wrong with an answer, each fault in words whose first part, up to a colon, is the same for
    the same kind; none if it is as it should be. Words that the `payload` itself has are not Python's."""
    wrong = []
    said = outcome.out + outcome.err
    if outcome.signal:
        wrong.append(f"ended by signal {outcome.signal}:")
    elif outcome.code not in (0, 1, 2):
        wrong.append(f"exit code {outcome.code}: {_raised(outcome.err)}: {outcome.err[-1500:]}")
    elif outcome.code == 2 and not found:
        wrong.append(f"misuse: {said[:300]}")
    elif word := next((word for word in PYTHONS_WORDS.finditer(said) if word[0] not in payload), None):
        around = said[max(0, word.start() - 200) : word.end() + 100]
        wrong.append(f"Python's words: {word[0]}: …{around}…")
    if control := [character for character in said if _is_control(character)]:
        wrong.append(f"control characters: {sorted(set(control))!r}")
    if outcome.peak_mb > MOST_MEMORY_MB:
        wrong.append(f"memory: {outcome.peak_mb:.0f} MB")
    if outcome.processor_s > MOST_PROCESSOR_S:
        wrong.append(f"processor time: {outcome.processor_s:.1f} s")
    for each in found:
        if each.file is None:
            wrong.append(f"no file for {each.code}: {each.message}")
        elif each.line is None and _TEXT.search(each.file) and not _is_about_the_whole(each):
            wrong.append(f"no line for {each.code}: {each.file}: {each.message}")
    return list(dict.fromkeys(wrong))


def kind(fault: str) -> str:
    """What is common to faults of one kind."""
    parts = fault.split(": ")
    return ": ".join(parts[:2]) if parts[0].startswith(("exit", "Python")) else parts[0]


def _raised(err: str) -> str:
    """What a traceback is about: the kind of exception, and where of ours it came from."""
    last = err.strip().splitlines()[-1:] or [""]
    places = re.findall(r'File "[^"]*?(cardgen/[^"]+)", line \d+, in (\S+)', err)
    return f"{last[0].partition(':')[0]} from {'/'.join(places[-1]) if places else 'elsewhere'}"


def _is_about_the_whole(found: Found) -> bool:
    return found.code in WITHOUT_A_LINE or _MORE.fullmatch(found.message) is not None


def _is_control(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) == "Cc"
