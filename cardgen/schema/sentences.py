"""What findings say of a value that breaks a schema keyword: code, sentence, hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from cardgen.schema.reasons import Misfit
from cardgen.schema.wording import TYPES, Guesses, counted, either, listed, named, shown

Sentence = tuple[str, str, str | None]
"""A finding's code, message and hint."""


def sentence(misfit: Misfit, guess: Guesses) -> Sentence:
    """What to say of a misfit, whatever its keyword."""
    if misfit.keyword == "enum":
        return not_one_of(misfit.value, misfit.wanted, guess)
    if misfit.keyword == "const":
        return not_one_of(misfit.value, [misfit.wanted], guess)
    say = _SENTENCES.get(misfit.keyword)
    return say(misfit) if say else (f"schema/{misfit.keyword}", _stated(misfit), _about(misfit))


def not_one_of(value: Any, values: Sequence[Any], guess: Guesses) -> Sentence:
    """What to say of a value that is none of those allowed."""
    joint = "is not" if len(values) == 1 else "is not one of"
    return "schema/enum", f"{shown(value)} {joint} {listed(values)}", guess(value, values)


def wrong_type(value: Any, types: Sequence[str]) -> Sentence:
    """What to say of a value that has none of the types allowed."""
    names = either(TYPES[name] for name in types)
    return "schema/type", f"{shown(value)} is not {names}", _type_hint(value, set(types))


def _type_hint(value: Any, types: set[str]) -> str | None:
    if value is None:
        return "give it a value, or leave the key out"
    if "string" in types and isinstance(value, bool | int | float):
        return f"write it in quotes: '{shown(value)}'"
    if types & {"integer", "number"} and isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return f"write it without quotes: {named(value)}"
    if "boolean" in types and isinstance(value, str):
        return "write true or false, without quotes"
    if "array" in types:
        return "write each value on its own line after '- ', or all within [ ]"
    return None


def _about(misfit: Misfit) -> str | None:
    return misfit.schema.get("description")


def _stated(misfit: Misfit) -> str:
    """The schema's own message, which editors show too, else a general one."""
    return str(misfit.schema.get("errorMessage", f"{shown(misfit.value)} is not allowed here"))


def _pattern(misfit: Misfit) -> Sentence:
    meant = misfit.schema.get("patternErrorMessage")
    if meant:
        return "schema/pattern", f"{shown(misfit.value)} is not {meant}", _about(misfit)
    hint = _about(misfit) or f"it must match {named(misfit.wanted)}"
    return "schema/pattern", f"{shown(misfit.value)} is not of the right form", hint


def _limit(code: str, words: str) -> Callable[[Misfit], Sentence]:
    return lambda misfit: (code, f"{shown(misfit.value)} is {words} {shown(misfit.wanted)}", None)


def _size(code: str, bound: str, noun: str) -> Callable[[Misfit], Sentence]:
    """Sentences for too few or too many of something: values of a list, keys of a mapping."""

    def say(misfit: Misfit) -> Sentence:
        count = len(misfit.value)
        if count == 0 and misfit.wanted == 1:
            return code, f"it has no {noun}s", _about(misfit)
        return code, f"it has {counted(count, noun)}, {bound.format(misfit.wanted)}", _about(misfit)

    return say


def _text_length(code: str, word: str) -> Callable[[Misfit], Sentence]:
    def say(misfit: Misfit) -> Sentence:
        count = len(misfit.value)
        if count == 0:
            return code, "the text is empty", _about(misfit)
        limit = counted(misfit.wanted, "character")
        return code, f"{shown(misfit.value)} is {word} than {limit}: it has {count}", None

    return say


def _dependent(misfit: Misfit) -> Sentence:
    pairs = [(name, other) for name, others in misfit.wanted.items() for other in others]
    name, other = next(
        (pair for pair in pairs if pair[0] in misfit.value and pair[1] not in misfit.value), pairs[0]
    )
    return "schema/required", f"'{named(name)}' needs the key '{named(other)}' beside it", None


def _contains(misfit: Misfit) -> Sentence:
    wanted = misfit.schema.get("contains")
    about = wanted.get("description") if isinstance(wanted, dict) else None
    return "schema/contains", "the list lacks a value that must be in it", about


def _contained(bound: str) -> Callable[[Misfit], Sentence]:
    def say(misfit: Misfit) -> Sentence:
        code = "schema/min-contains" if bound == "at least" else "schema/max-contains"
        message = f"{bound} {counted(misfit.wanted, 'value')} of one kind must be in the list"
        return code, message, _contains(misfit)[2]

    return say


_SENTENCES: dict[str, Callable[[Misfit], Sentence]] = {
    "type": lambda misfit: wrong_type(misfit.value, misfit.types),
    "pattern": _pattern,
    "minimum": _limit("schema/minimum", "below the minimum"),
    "maximum": _limit("schema/maximum", "above the maximum"),
    "exclusiveMinimum": _limit("schema/minimum", "not above"),
    "exclusiveMaximum": _limit("schema/maximum", "not below"),
    "multipleOf": _limit("schema/multiple", "not a multiple of"),
    "minLength": _text_length("schema/min-length", "shorter"),
    "maxLength": _text_length("schema/max-length", "longer"),
    "minItems": _size("schema/min-items", "at least {} must be there", "value"),
    "maxItems": _size("schema/max-items", "at most {} are allowed", "value"),
    "minProperties": _size("schema/min-keys", "at least {} must be there", "key"),
    "maxProperties": _size("schema/max-keys", "at most {} are allowed", "key"),
    "dependentRequired": _dependent,
    "contains": _contains,
    "minContains": _contained("at least"),
    "maxContains": _contained("at most"),
    "not": lambda misfit: ("schema/forbidden", _stated(misfit), _about(misfit)),
    "false": lambda misfit: ("schema/forbidden", _stated(misfit), _about(misfit)),
}
