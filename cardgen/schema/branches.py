"""Which of the forms of an `anyOf` or `oneOf` a designer most likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.schema.equality import distinct
from cardgen.schema.reasons import Misfit

Form = tuple[Misfit, ...]
"""The misfits of a form."""

_CHOICES = ("enum", "const")
_MOST_PAIRS = 5_000
"""Most pairs of names, of a value and of its forms, that are compared by how alike they are."""
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
    fitting = [form for form in misfit.forms if not any(map(_is_of_another_kind, form))]
    if not fitting:
        return Choice(types=distinct([name for form in misfit.forms for name in _types(form)]))
    telling = [
        {part.path for part in form if part.keyword in _CHOICES and len(part.path) < 2} for form in fitting
    ]
    for path in sorted(set.intersection(*telling), key=str):
        # All forms refuse the same part, such as `kind`: say what it may be, and nothing of the rest.
        return Choice(values=distinct(list(_allowed(fitting, path))), path=path)
    distances = _distances(fitting)
    return Choice(misfits=fitting[distances.index(min(distances))])


def _is_of_another_kind(misfit: Misfit) -> bool:
    """Whether a form is ruled out because the value is of another kind altogether."""
    if misfit.path or misfit.of_key:
        return False
    if misfit.keyword in _CHOICES:
        return _KINDS[type(misfit.value)] not in map(_kind, _wanted(misfit))
    return misfit.keyword == "type"


def _types(form: Form) -> list[str]:
    """The types that a form of another kind asks for."""
    other = next(misfit for misfit in form if _is_of_another_kind(misfit))
    return other.types if other.keyword == "type" else [_kind(value) for value in _wanted(other)]


def _kind(value: Any) -> str:
    return _KINDS[type(value)]


def _wanted(misfit: Misfit) -> list[Any]:
    return list(misfit.wanted) if misfit.keyword == "enum" else [misfit.wanted]


def _allowed(forms: Sequence[Form], path: tuple[str | int, ...]) -> Iterable[Any]:
    for form in forms:
        for misfit in form:
            if misfit.path == path and misfit.keyword in _CHOICES:
                yield from _wanted(misfit)


def _distances(forms: Sequence[Form]) -> list[tuple[int, float, int]]:
    """How far a value is from each form: parts that name another form (`kind: spell`) weigh most, then
    how unlike its keys are, then the number of misfits."""
    pairs = sum(
        len(misfit.value) * len(misfit.schema.get("properties", ()))
        for form in forms
        for misfit in form
        if _is_of_keys(misfit)
    )
    return [
        (
            sum(1 for misfit in form if misfit.keyword in _CHOICES and len(misfit.path) == 1),
            sum(_unlikeness(misfit, compare=pairs <= _MOST_PAIRS) for misfit in form if not misfit.path),
            len(form),
        )
        for form in forms
    ]


def _is_of_keys(misfit: Misfit) -> bool:
    return not misfit.path and misfit.keyword in ("additionalProperties", "unevaluatedProperties")


def _unlikeness(misfit: Misfit, *, compare: bool) -> float:
    """How far a mapping's keys are from a form's: near 0 for a misspelt key, 1 for a strange one.
    Without `compare` all keys that the form has not are strange."""
    if misfit.keyword == "required":
        return 0.5
    if not _is_of_keys(misfit):
        return 0.0
    known = misfit.schema.get("properties", {})
    strange = [name for name in misfit.value if name not in known]
    if not compare:
        return float(len(strange))
    return sum(1.0 - _nearness(name, known) for name in strange)


def _nearness(name: str, known: Iterable[str]) -> float:
    return max(
        (difflib.SequenceMatcher(None, name[:60], other[:60]).ratio() for other in known), default=0.0
    )
