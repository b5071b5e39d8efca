"""The rule kinds: one file each, with a function `judge(case)`, and one line here.

To add a kind: a file `<kind>.py`, its line in RULES, its parameters in `schemas/rules.schema.json`,
a passing and a failing deck in `tests/examples/rules/<kind>/`, a section in `docs/rules.md`.
"""

from __future__ import annotations

RULES: tuple[str, ...] = (
    "agrees",
    "count",
    "covers",
    "distribution",
    "each",
    "exactly",
    "formula",
    "ladder",
    "probability",
    "references",
    "satisfiable",
    "share",
    "simulate",
    "text",
    "unique",
)
