"""Composition rules: does a deck obey what its designer says about it?

`check_rules` judges the rules of a game and gives a `RuleResult` for each; `explain` puts one in
words.
"""

from __future__ import annotations

from cardgen.checking.explain import explain
from cardgen.checking.judge import check_rules, rule_findings
from cardgen.checking.results import RuleResult, Verdict

__all__ = ["RuleResult", "Verdict", "check_rules", "explain", "rule_findings"]
