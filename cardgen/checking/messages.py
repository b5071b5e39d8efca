"""What a rule's author has it say: text with expressions in braces, worked out for what failed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgen.checking.case import Case, show
from cardgen.checking.expressions import Expression
from cardgen.checking.parameters import Schema, string

_VALUE = re.compile(r"\{([^{}]+)\}")
_PATH = ("message",)


def message(description: str) -> Schema:
    """The parameter `message`."""
    return string(f"{description} {{expression}} in it becomes the value, as in {{copies}}.", maxLength=400)


def wording(
    case: Case, sources: tuple[str, ...], extra: Mapping[str, Sequence[Any]] | None = None
) -> Callable[[Callable[[Expression], Any]], str] | None:
    """How to say the rule's message, given what works its expressions out; None if it has none. They may
    read the cards of `sources` and the names in `extra`. Raises BrokenRuleError."""
    text = case.parameter(_PATH)
    if text is None:
        return None
    parts = _VALUE.split(text)  # text, expression, text, expression …
    found = [case.compile(source.strip(), _PATH, sources, extra) for source in parts[1::2]]

    def said(value_of: Callable[[Expression], Any]) -> str:
        values = [in_message(value_of(expression)) for expression in found]
        return "".join(part + value for part, value in zip(parts[::2], [*values, ""], strict=True))

    return said


def in_message(value: Any) -> str:
    """A value within an author's sentence: words without quotes, lists without brackets."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_message, value)) or "none"
    return show(value)
