"""The rule kinds: each is a file here, found by its name, or a plug-in's (`cardgen.rule_kinds`).

The file of a kind has
- a docstring: the kind in a sentence, then how to use it, with an example, in Markdown;
- `TRAITS`, if its rules differ from others in more than their parameters;
- `judge(case)`, which measures, and reports failures.

Its keys are in the part of `schemas/rules.schema.json` with its name, which checks rules before they are
judged; a plug-in's are in its `SCHEMA`. `python docs/kinds.py` lists the kind there, and copies its
documentation to the pages for readers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from cardgen.core.findings import CardgenError
from cardgen.expressions.budget import SandboxError
from cardgen.files import plugins
from cardgen.game.rule_kinds import plugin_kind
from cardgen.rules.case import BrokenRuleError, Case, Traits


@cache
def kinds() -> tuple[str, ...]:
    """Return the names of our own kinds, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def is_kind(name: str) -> bool:
    """Return True if there is a kind of that name, ours or a plug-in's."""
    return name in kinds() or plugins.find("rule_kinds", name) is not None


def documentation_of(kind: str) -> str | None:
    """Return a kind's documentation in Markdown; None if there is no such kind. Raises CardgenError
    plugin/broken."""
    return inspect.getdoc(_module(kind)) if is_kind(kind) else None


def judge_of(kind: str) -> Callable[[Case], None]:
    """Return the `judge` function of a kind; its file is imported when the first rule needs it. A plug-in's
    raises BrokenRuleError for any error in its code."""
    plugin = None if kind in kinds() else plugins.find("rule_kinds", kind)
    judge: Callable[[Case], None] = _module(kind).judge
    if plugin is None:
        return judge

    def guarded(case: Case) -> None:
        try:
            with plugins.guarded(plugin, "failed", BrokenRuleError, SandboxError):
                judge(case)
        except CardgenError as error:
            first = error.findings[0]
            raise BrokenRuleError(str(first), finding=first) from None

    return guarded


def traits_of(kind: str) -> Traits:
    """Return the traits of a kind; an unknown one has the defaults."""
    if not is_kind(kind):
        return Traits()
    traits: Traits = getattr(_module(kind), "TRAITS", Traits())
    return traits


def _module(kind: str) -> Any:
    if kind in kinds():
        return import_module(f"{__name__}.{kind}")
    plugin = plugins.find("rule_kinds", kind)
    assert plugin is not None
    return load_kind(plugin)


def load_kind(plugin: plugins.Plugin) -> Any:
    """Return the module of a plug-in's kind. Raises CardgenError plugin/broken."""
    module = plugin_kind(plugin)
    if not isinstance(getattr(module, "TRAITS", Traits()), Traits):
        plugins.broken(plugin, "has TRAITS that are no Traits(…)")
    return module
