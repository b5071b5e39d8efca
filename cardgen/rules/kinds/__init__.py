"""The rule kinds: each is a file here, found by its name.

The file of a kind has
- a docstring: the kind in a sentence, then how to use it, with an example, in Markdown;
- `TRAITS`, if its rules differ from others in more than their parameters;
- `judge(case)`, which measures, and reports failures.

Its keys are in the part of `schemas/rules.schema.json` with its name, which checks rules before they are
judged. `python docs/kinds.py` lists the kind there, and copies its documentation to the pages for readers.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from cardgen.rules.case import Case, Traits


def kinds() -> list[str]:
    """Return the names of all kinds, in alphabetical order."""
    return sorted(module.name for module in iter_modules(__path__))


def judge_of(kind: str) -> Callable[[Case], None]:
    """Return the `judge` function of a kind; its file is imported when the first rule needs it."""
    return cast("Callable[[Case], None]", import_module(f"{__name__}.{kind}").judge)


def traits_of(kind: str) -> Traits:
    """Return the traits of a kind; an unknown one has the defaults."""
    if kind not in kinds():
        return Traits()
    return cast("Traits", getattr(import_module(f"{__name__}.{kind}"), "TRAITS", Traits()))
