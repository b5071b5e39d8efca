"""Which of the forms of an `anyOf` or `oneOf` a designer most likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cardgen.loading.schema_misfit import Misfit

_CHOICES = ("enum", "const")
_KINDS = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What to say of a value that fits no form: the misfits of the likeliest form; or else the
    `values` that the forms allow for it (for the part of it at `path`); or else their `types`."""

    misfits: tuple[Misfit, ...] = ()
    values: list[Any] = field(default_factory=list)
    path: tuple[str | int, ...] = ()
    types: list[str] = field(default_factory=list)


def likeliest(misfit: Misfit) -> Choice:
    """The choice for a misfit of `anyOf` or `oneOf`, from the misfits of its forms."""
    forms: dict[int, list[Misfit]] = {}
    for nested in misfit.context:
        forms.setdefault(nested.branch, []).append(nested)
    fitting: list[list[Misfit]] = [
        form for form in forms.values() if not any(map(_is_of_another_kind, form))
    ]
    if not fitting:
        return Choice(types=_distinct(name for form in forms.values() for name in _types(form)))
    telling = [
        {part.path for part in form if part.keyword in _CHOICES and len(part.path) < 2} for form in fitting
    ]
    for path in sorted(set.intersection(*telling), key=str):
        # All forms refuse the same part, such as `kind`: say what it may be, and nothing of the rest.
        return Choice(values=_distinct(_allowed(fitting, path)), path=path)
    nearest: list[Misfit] = min(fitting, key=_distance)
    return Choice(misfits=tuple(nearest))


def _is_of_another_kind(misfit: Misfit) -> bool:
    """Whether a form is ruled out because the value is of another kind altogether."""
    if misfit.path or misfit.of_key:
        return False
    if misfit.keyword in _CHOICES:
        return _KINDS[type(misfit.value)] not in map(_kind, _wanted(misfit))
    return misfit.keyword == "type"


def _types(form: list[Misfit]) -> list[str]:
    """The types that a form of another kind asks for."""
    other = next(misfit for misfit in form if _is_of_another_kind(misfit))
    return other.types if other.keyword == "type" else [_kind(value) for value in _wanted(other)]


def _kind(value: Any) -> str:
    return _KINDS[type(value)]


def _wanted(misfit: Misfit) -> list[Any]:
    return list(misfit.wanted) if misfit.keyword == "enum" else [misfit.wanted]


def _allowed(forms: list[list[Misfit]], path: tuple[str | int, ...]) -> Iterable[Any]:
    for form in forms:
        for misfit in form:
            if misfit.path == path and misfit.keyword in _CHOICES:
                yield from _wanted(misfit)


def _distinct(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _distance(form: list[Misfit]) -> tuple[int, float, int]:
    """How far a value is from a form: parts that name another form (`kind: spell`) weigh most, then
    how unlike its keys are, then the number of misfits."""
    named = sum(1 for misfit in form if misfit.keyword in _CHOICES and len(misfit.path) == 1)
    unlike = sum(_unlikeness(misfit) for misfit in form if not misfit.path)
    return named, unlike, len(form)


def _unlikeness(misfit: Misfit) -> float:
    """How far a mapping's keys are from a form's: near 0 for a misspelt key, 1 for a strange one."""
    if misfit.keyword == "required":
        return 0.5
    if misfit.keyword not in ("additionalProperties", "unevaluatedProperties"):
        return 0.0
    known = list(misfit.schema.get("properties", {}))
    return sum(1.0 - _nearness(name, known) for name in misfit.value if name not in known)


def _nearness(name: str, known: list[str]) -> float:
    return max((difflib.SequenceMatcher(None, name, other).ratio() for other in known), default=0.0)
