"""Printed effects back to structure: the exact inverse of printing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cardgen.effects.printing import INDENT, effect_text
from cardgen.effects.problems import shown
from cardgen.effects.structure import read_effect
from cardgen.findings import Problem
from cardgen.model.effects import Language

_SPACES = re.compile(" *")


@dataclass(slots=True)
class _Printed:
    """A line of text: its number from 0, how far it is indented, and what it says."""

    number: int
    indent: int
    text: str


def parse_effect(language: Language, text: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The structure that a printed text has, and what is wrong with it.

    A problem's path begins with the number of its line, from 0. Text that would not be printed
    letter by letter as it stands is a problem too: a plural, a sign, a space.
    """
    problems: list[Problem] = []
    lines: list[_Printed] = []
    for number, line in enumerate(text.split("\n")):
        spaces = len(_SPACES.match(line).group())  # type: ignore[union-attr]  # it matches nothing, too
        if spaces % len(INDENT):
            message = f"the line is indented by {spaces} spaces"
            problems.append(
                Problem("effect/indent", message, f"{len(INDENT)} for each level", path=(number,))
            )
        lines.append(_Printed(number, spaces // len(INDENT), line[spaces:]))
    if problems:
        return [], problems
    values, numbers = _block(language, lines, 0, problems)
    if problems:
        return [], problems
    effect, found = read_effect(language, values)
    problems = [replace(problem, path=(_line_of(numbers, problem.path),)) for problem in found]
    if problems:
        return [], problems
    printed = effect_text(language, effect).split("\n")
    problems = [
        Problem(
            "effect/print",
            f"{shown(line)} is not how it is printed",
            f"write {shown(right)}",
            path=(number,),
        )
        for number, (line, right) in enumerate(zip(text.split("\n"), printed, strict=True))
        if line != right
    ]
    return (effect, []) if not problems else ([], problems)


Numbers = list[Any]
"""The number of the line of each paragraph: `(line, Numbers of what stands under it)`."""


def _block(
    language: Language, lines: list[_Printed], indent: int, problems: list[Problem]
) -> tuple[list[Any], Numbers]:
    """The paragraphs that begin the lines at one indentation, as data to read. Takes them away."""
    signs = language.punctuation
    bare = any(phrase.bare for phrase in language.conditions.values())
    values: list[Any] = []
    numbers: Numbers = []
    while lines and lines[0].indent >= indent:
        line = lines.pop(0)
        if line.indent > indent:
            message = "the line is indented, but no condition stands above it"
            problems.append(Problem("effect/indent", message, path=(line.number,)))
            continue
        lead = f"{signs.condition} "
        led = line.text.startswith(lead) and line.text.endswith(signs.then)
        if led or (bare and line.text.endswith(signs.then) and not line.text.endswith(signs.end)):
            condition = line.text[len(lead) if led else 0 : len(line.text) - len(signs.then)]
            then, inner = _block(language, lines, indent + 1, problems)
            if not then:
                message = "nothing is indented under the condition"
                problems.append(Problem("effect/indent", message, path=(line.number,)))
            values.append({"if": condition, "then": then})
            numbers.append((line.number, inner))
        elif line.text.endswith(signs.end):
            values.append(line.text[: len(line.text) - len(signs.end)])
            numbers.append((line.number, []))
        else:
            message = f"the line ends neither with {signs.end} nor, as a condition, with {signs.then}"
            problems.append(Problem("effect/end", message, path=(line.number,)))
    return values, numbers


def _line_of(numbers: Numbers, path: tuple[str | int, ...]) -> int:
    """The line of the paragraph at a path within an effect."""
    line = 0
    steps: Iterator[str | int] = iter(path)
    for step in steps:
        if not isinstance(step, int) or step >= len(numbers):
            break
        line, numbers = numbers[step]
        if next(steps, None) != "then":
            break
    return line
