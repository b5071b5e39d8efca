"""One counted, allow-listed sandbox of Jinja2, for card templates, prose and the expressions of rules."""

from cardgen.sandbox.budget import Bounds, Budget
from cardgen.sandbox.grammar import ForbiddenSyntaxError
from cardgen.sandbox.kinds import Function, Kind
from cardgen.sandbox.problems import (
    BudgetError,
    ForbiddenError,
    SandboxError,
    WrongValueError,
    in_words,
    kind_of,
    shown,
)
from cardgen.sandbox.sandbox import Sandbox

__all__ = [
    "Bounds",
    "Budget",
    "BudgetError",
    "ForbiddenError",
    "ForbiddenSyntaxError",
    "Function",
    "Kind",
    "Sandbox",
    "SandboxError",
    "WrongValueError",
    "in_words",
    "kind_of",
    "shown",
]
