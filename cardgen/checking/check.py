"""Judging a game's rules: every rule gives a result, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from typing import Any, cast

from cardgen.checking.case import BrokenRuleError, Case, Failure, Path
from cardgen.checking.expressions import ExpressionError
from cardgen.checking.results import RuleInfo, RuleResult, Verdict
from cardgen.checking.rules import RULES
from cardgen.checking.sandbox import TooMuchError
from cardgen.checking.subjects import Pool, meant
from cardgen.findings import Finding, Location, Severity, UsageError
from cardgen.model.game import Game

MAX_FINDINGS = 50
"""Most findings of one rule; the rest is counted. A line number costs another look at the file."""


def check_rules(
    game: Game,
    rules: Mapping[str, Any],
    rules_file: str,
    *,
    only: Collection[str] | None = None,
) -> list[RuleResult]:
    """Judge the rules, in their order.

    `rules` is the content of `rules_file`, valid against `schemas/rules.schema.json`. `only` are the
    ids of the rules wanted (UsageError if one does not exist).
    """
    entries = list(rules.get("rules") or ())
    if only is not None:
        _must_exist(only, [str(entry["id"]) for entry in entries])
    judge = _Court(game, rules, rules_file)
    results = judge.definitions()
    seen: dict[str, int] = {}
    for index, entry in enumerate(entries):
        first = seen.setdefault(entry["id"], index)
        if only is None or entry["id"] in only:
            results.append(judge.rule(entry, index, first))
    return results


def rule_findings(results: Iterable[RuleResult]) -> list[Finding]:
    """The findings of all results, in order."""
    return [finding for result in results for finding in result.findings]


def judge_of(kind: str) -> Callable[[Case], None]:
    """The `judge` function of a rule kind; its file is imported when the first rule needs it."""
    return cast("Callable[[Case], None]", import_module(f"cardgen.checking.rules.{kind}").judge)


def _must_exist(wanted: Collection[str], ids: list[str]) -> None:
    for id in sorted(wanted):
        if id not in ids:
            raise UsageError(f"no rule is named “{id}”", meant(id, ids))


class _Court:
    def __init__(self, game: Game, rules: Mapping[str, Any], file: str) -> None:
        self.game = game
        self.file = file
        self.defines: Mapping[str, str] = rules.get("define") or {}
        self.pool = Pool(game, self.defines)

    def definitions(self) -> list[RuleResult]:
        """A broken result for each definition that cannot be read, even if no rule uses it."""
        results = []
        fields = self.pool.fields(tuple(component.id for component in self.game.components))
        for name in self.defines:
            message = ""
            if name in fields or name in self.pool.globals:
                message = f"“{name}” is a name that cards or functions have already; choose another"
            try:
                self.pool.engine.compile(name)
            except ExpressionError as error:
                message = str(error)
            if message:
                path = ("define", name)
                info = RuleInfo(name, "define", "", "", Severity.ERROR, self.file, path)
                finding = Finding(Severity.ERROR, f"rule/{name}", message, self._place(path))
                results.append(RuleResult(info, Verdict.BROKEN, findings=(finding,)))
        return results

    def rule(self, entry: Mapping[str, Any], index: int, first: int) -> RuleResult:
        info = RuleInfo(
            entry["id"],
            entry["kind"],
            entry["question"],
            entry.get("why", ""),
            Severity(entry.get("severity", "error")),
            self.file,
            ("rules", index),
        )
        case = Case(self.pool, info, entry)
        self.pool.meter.reset()
        try:
            if first != index:
                raise BrokenRuleError(f"another rule is named “{info.id}” already", ("id",))
            if info.kind not in RULES:
                raise BrokenRuleError(
                    f"there is no rule kind “{info.kind}”", ("kind",), meant(info.kind, RULES)
                )
            judge_of(info.kind)(case)
        except BrokenRuleError as broken:
            problem = Failure(
                f"the rule cannot be judged: {broken}", broken.subject, broken.path, broken.hint
            )
            return self._result(case, Verdict.BROKEN, [problem])
        except TooMuchError as error:
            problem = Failure(f"the rule cannot be judged: {error}", None, (), None)
            return self._result(case, Verdict.BROKEN, [problem])
        if case.doubts:
            return self._result(case, Verdict.UNDECIDED, case.doubts)
        if case.reports:
            return self._result(case, Verdict.REPORT, [])
        return self._result(case, Verdict.FAIL if case.failures else Verdict.PASS, case.failures)

    def _result(self, case: Case, verdict: Verdict, failures: list[Failure]) -> RuleResult:
        # A rule that cannot be judged is an error whatever its severity: it must not pass quietly.
        severity = case.info.severity if verdict is Verdict.FAIL else Severity.ERROR
        code = f"rule/{case.info.id}"
        findings = [
            Finding(
                severity,
                code,
                failure.message,
                self._where(case, failure),
                failure.hint or case.info.question,
            )
            for failure in failures[:MAX_FINDINGS]
        ]
        if (more := len(failures) - MAX_FINDINGS) > 0:
            place = self._place(case.info.path)
            findings.append(Finding(severity, code, f"and {more} more of the same rule", place))
        return RuleResult(
            case.info,
            verdict,
            tuple(case.measures),
            tuple(findings),
            tuple(case.looked_at),
            tuple(case.tables),
            tuple(case.histograms),
            tuple(case.matrices),
        )

    def _where(self, case: Case, failure: Failure) -> Location:
        subject = failure.subject
        if subject is None or not subject.file:
            return self._place(case.info.path + failure.path)
        path = failure.path if leads_into(subject.fields, failure.path) else ()
        return self.game.locator.locate(subject.file, subject.path + path)

    def _place(self, path: Path) -> Location:
        return self.game.locator.locate(self.file, path)


def leads_into(fields: Mapping[str, Any], path: Path) -> bool:
    """Whether the path leads to a value of the card (else it is a parameter of the rule)."""
    value: Any = fields
    for key in path:
        inside = (
            key in value
            if isinstance(value, Mapping)
            else key in range(len(value))
            if _is_list(value)
            else False
        )
        if not inside:
            return False
        value = value[key]
    return True


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))
