"""Judge a game's rules: every rule has a result, even a broken one."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from cardgen.core.findings import Finding, Location, Severity, UsageError, nearest
from cardgen.core.game import DeckList, Game, fits
from cardgen.core.progress import counted
from cardgen.core.records import astuple, dataclass, replace
from cardgen.expressions.budget import BudgetError
from cardgen.files.cache import Cache
from cardgen.rules.case import MAX_FINDINGS, Bot, BrokenRuleError, Case, Failure, Path, UnfitCardsError
from cardgen.rules.chance import PATIENT
from cardgen.rules.expressions import ExpressionError
from cardgen.rules.kinds import is_kind, judge_of, kinds, traits_of
from cardgen.rules.pool import Pool, Reads, UnknownNameError, digest_of, meant
from cardgen.rules.results import Histogram, Matrix, Measure, RuleInfo, RuleResult, Table, Verdict

MAX_STEPS = 2_000_000
"""Most steps of the expressions of all rules together. A real game takes 300,000."""
_TOO_MANY_STEPS = (
    f"the rules of this file take more than {MAX_STEPS:,} steps in all; simplify or split them"
)


def check_rules(
    game: Game,
    rules: Mapping[str, Any],
    rules_file: str,
    *,
    only: Collection[str] | None = None,
    decks: Sequence[DeckList] | None = None,
    kept: VerdictStore | None = None,
    patient: bool = False,
    bots: Mapping[str, Bot] | None = None,
) -> list[RuleResult]:
    """Judge the rules, in their order, and for each of the game's own deck lists the rules for decks.

    `rules` is the content of `rules_file`, valid against `schemas/rules.schema.json`. `only` are the ids of
    the rules wanted (UsageError if one does not exist). With `decks`, only these deck lists are judged, by
    the rules for decks alone. `kept` contains the results of rules that would read the same values again;
    new results are added to it. If `patient`, rules may take long, also those that are judged only then.
    `bots` are trusted functions in Python, which play.
    """
    entries = list(rules.get("rules") or ())
    for_decks = list(rules.get("deck_rules") or ())
    ids = [str(entry["id"]) for entry in (*(entries if decks is None else ()), *for_decks)]
    for id in sorted(only or ()):
        if id not in ids:
            raise _unknown(game, id, ids)
    first: dict[str, Path] = {}
    for name, listed in (("rules", entries), ("deck_rules", for_decks)):
        for index, entry in enumerate(listed):
            first.setdefault(entry["id"], (name, index))
    results: list[RuleResult] = []
    allowance = _Allowance()
    allowance.steps *= PATIENT if patient else 1
    if decks is None:
        runner = RuleRunner(game, rules, rules_file, allowance, kept=kept, patient=patient, bots=bots)
        results += runner.definitions()
        for index, entry in enumerate(counted("checking rules", entries)):
            if only is None or entry["id"] in only:
                results.append(runner.rule(entry, ("rules", index), first[entry["id"]]))
        if game.deck_source is None:
            results += [runner.stray(entry, ("deck_rules", index)) for index, entry in enumerate(for_decks)]
        runner.pool.engine.save()
    for deck in game.decks if decks is None else decks:
        runner = RuleRunner(game, rules, rules_file, allowance, deck, kept)
        for index, entry in enumerate(counted(f"checking {deck.title}", for_decks)):
            if (only is None or entry["id"] in only) and _applies_to_deck(entry, deck, game):
                results.append(runner.rule(entry, ("deck_rules", index), first[entry["id"]]))
        runner.pool.engine.save()
    return results


def _applies_to_deck(entry: Mapping[str, Any], deck: DeckList, game: Game) -> bool:
    """Return True if a rule for decks applies to this one. A rule with an unknown deck list applies to
    every list of the game, and is reported as broken."""
    named = entry.get("decks")
    if named is None:
        return True
    patterns = [named] if isinstance(named, str) else named
    known = [each.id for each in game.decks]
    if not all(any(fits(id, pattern) for id in known) for pattern in patterns):
        return deck.shipped
    return deck.shipped and any(fits(deck.id, pattern) for pattern in patterns)


def rule_findings(results: Iterable[RuleResult]) -> list[Finding]:
    """Return the findings of all results, in order."""
    return [finding for result in results for finding in result.findings]


@dataclass(slots=True)
class _Allowance:
    """The remaining steps for the expressions of a file, for all rules and deck lists together."""

    steps: int = MAX_STEPS


@dataclass(frozen=True, slots=True)
class RuleRun:
    """A rule's result, the values that it read of the game, and the wrong cards by files and paths."""

    result: RuleResult
    reads: Reads
    blamed: frozenset[tuple[str, Path]]


def judge_rule(game: Game, rules: Mapping[str, Any], rules_file: str, id: str) -> RuleRun:
    """Judge one rule of a game. Raises UsageError for an unknown id, or one for deck lists."""
    entries = list(rules.get("rules") or ())
    for index, entry in enumerate(entries):
        if entry["id"] == id:
            runner = RuleRunner(game, rules, rules_file, _Allowance())
            case = runner.case(entry, ("rules", index))
            result = runner.judged(case, entry, ("rules", index))
            found = (each.subject for each in case.failures if each.subject is not None)
            return RuleRun(result, runner.pool.reads, frozenset((each.file, each.path) for each in found))
    if any(entry["id"] == id for entry in rules.get("deck_rules") or ()):
        raise UsageError(f"the rule “{id}” is for deck lists, not for the game")
    raise _unknown(game, id, [str(entry["id"]) for entry in entries])


def _unknown(game: Game, id: str, ids: Sequence[str]) -> UsageError:
    near = nearest(id, ids)
    listed = f"list the rules: cardgen list {game.id} --rules"
    hint = listed if near is None else f"did you mean “{near}”? Or {listed}"
    return UsageError(f"no rule is named “{id}”", hint)


class RuleRunner:
    """A judge of the rules of a game or, with a `deck`, of that deck list."""

    def __init__(
        self,
        game: Game,
        rules: Mapping[str, Any],
        file: str,
        allowance: _Allowance,
        deck: DeckList | None = None,
        kept: VerdictStore | None = None,
        patient: bool = False,
        bots: Mapping[str, Bot] | None = None,
    ) -> None:
        self.allowance = allowance
        self.patient, self.bots = patient, bots or {}
        self.kept = kept
        self.game = game
        self.file = file
        self.deck = deck
        self.defines: Mapping[str, str] = rules.get("define") or {}
        self.pool = Pool(game, self.defines, deck)
        if patient:
            bounds = self.pool.budget.bounds
            self.pool.budget.bounds = replace(bounds, steps=bounds.steps * PATIENT)

    def definitions(self) -> list[RuleResult]:
        """Return a broken result for each definition that cannot be read, even if no rule uses it."""
        results = []
        fields = self.pool.fields(tuple(component.id for component in self.game.components))
        self.pool.begin(self.allowance.steps)
        for name in self.defines:
            message = ""
            if name in fields or name in self.pool.globals:
                message = f"a field or function is already named “{name}”; choose another name"
            try:
                self.pool.engine.compile(name)
            except ExpressionError as error:
                message = str(error)
            except BudgetError:
                message = _TOO_MANY_STEPS
            if message:
                path = ("define", name)
                info = RuleInfo(name, "define", "", "", Severity.ERROR, self.file, path)
                finding = Finding(Severity.ERROR, f"rule/{name}", message, self._place(path))
                results.append(RuleResult(info, Verdict.BROKEN, findings=(finding,)))
        self.allowance.steps -= self.pool.budget.taken
        return results

    def rule(self, entry: Mapping[str, Any], path: Path, first: Path) -> RuleResult:
        """Judge the rule at `path` of the file; `first` is the path where its id is first used."""
        return self.judged(self.case(entry, path), entry, first)

    def case(self, entry: Mapping[str, Any], path: Path) -> Case:
        """Return the rule at `path` of the file, not yet judged."""
        return Case(self.pool, self._info(entry, path), entry, patient=self.patient, bots=self.bots)

    def judged(self, case: Case, entry: Mapping[str, Any], first: Path) -> RuleResult:
        """Judge a case once; `first` is the path where its id is first used."""
        budget = self.pool.budget
        self.pool.begin(self.allowance.steps)
        try:
            if self.allowance.steps <= 0:
                raise BrokenRuleError(_TOO_MANY_STEPS)
            self._check_definitions(entry, case.info.path, first)
            self._run_kind(case, entry)
        except UnfitCardsError as unfit:
            if self.deck is None:
                return self._broken(case, unfit)
            return self._result(case, Verdict.FAIL, [Failure(str(unfit), None, (), unfit.hint)])
        except (BrokenRuleError, BudgetError) as error:
            broken = error if isinstance(error, BrokenRuleError) else BrokenRuleError(str(error))
            if budget.left < 0 and self.allowance.steps < budget.bounds.steps:  # other rules used them
                broken = BrokenRuleError(_TOO_MANY_STEPS)
            return self._broken(case, broken)
        finally:
            self.allowance.steps -= budget.taken
        if case.undecided:
            return self._result(case, Verdict.UNDECIDED, case.undecided)
        if case.reports or case.is_put_off:
            return self._result(case, Verdict.REPORT, [])
        return self._result(case, Verdict.FAIL if case.failures else Verdict.PASS, case.failures)

    def _run_kind(self, case: Case, entry: Mapping[str, Any]) -> None:
        """Run the rule kind, or restore the case's report if it read the same values earlier."""
        pool = self.pool
        if self.kept is None or traits_of(case.info.kind).reads_texts:
            judge_of(case.info.kind)(case)
            return
        key = self.kept.key(entry, pool.about)
        found = self.kept.get(key, pool)
        if found is not None:
            reported, steps = found
            if steps <= pool.budget.left:
                pool.budget.step(steps)
                restore(case, reported)
                return
        pool.begin(pool.budget.left)
        judge_of(case.info.kind)(case)
        self.kept.put(key, case, pool.reads, pool.budget.taken)

    def stray(self, entry: Mapping[str, Any], path: Path) -> RuleResult:
        """Return a broken result for a rule for decks in a game without any."""
        hint = "add decks: {component: …} to game.yaml"
        problem = BrokenRuleError("game.yaml has no deck lists", (), hint)
        return self._broken(Case(self.pool, self._info(entry, path), entry), problem)

    def _info(self, entry: Mapping[str, Any], path: Path) -> RuleInfo:
        return RuleInfo(
            entry["id"],
            entry["kind"],
            entry["question"],
            entry.get("why", ""),
            Severity(entry.get("severity", "error")),
            self.file,
            path,
            self.deck.id if self.deck else "",
            self.deck.title if self.deck else "",
        )

    def _check_definitions(self, entry: Mapping[str, Any], path: Path, first: Path) -> None:
        if first != path:
            raise BrokenRuleError(f"two rules are named “{entry['id']}”", ("id",))
        kind = entry["kind"]
        if not is_kind(kind):
            raise BrokenRuleError(f"unknown rule kind “{kind}”", ("kind",), meant(kind, kinds()))
        named = entry.get("decks")
        if named is None:
            return
        if self.deck is None:
            hint = "move it to deck_rules, or remove decks"
            raise BrokenRuleError("only deck_rules can name decks", ("decks",), hint)
        known = [each.id for each in self.game.decks]
        for pattern in [named] if isinstance(named, str) else named:
            if not any(fits(id, pattern) for id in known):
                message = f"the game has no deck list “{pattern}”"
                raise BrokenRuleError(message, ("decks",), meant(pattern, known))

    def _broken(self, case: Case, error: BrokenRuleError) -> RuleResult:
        words = f"the rule can't be checked: {error}"
        problem = Failure(words, error.subject, error.path, error.hint)
        result = self._result(case, Verdict.BROKEN, [problem])
        if error.finding is None:
            return result
        place = error.finding.location or self._place(case.info.path)
        return replace(result, findings=(replace(error.finding, location=place),))

    def _result(self, case: Case, verdict: Verdict, failures: list[Failure]) -> RuleResult:
        # A broken rule is an error whatever its severity, so that it is never overlooked.
        severity = case.info.severity if verdict is Verdict.FAIL else Severity.ERROR
        code = f"rule/{case.info.id}"
        findings = [
            Finding(
                severity,
                code,
                self._text_of(failure, verdict),
                self._location_of(case, failure, verdict),
                failure.hint or case.info.question,
                fix=failure.fix,
            )
            for failure in failures[:MAX_FINDINGS]
        ]
        if (more := len(failures) - MAX_FINDINGS) > 0:
            place = self.deck.location if self.deck else self._place(case.info.path)
            message = f"and {more} more of the same rule"
            findings.append(Finding(severity, code, message, place, left_out=more))
        return RuleResult(
            case.info,
            verdict,
            tuple(case.measures),
            tuple(findings),
            (*case.looked_at, *case.statements),
            tuple(case.tables),
            tuple(case.histograms),
            tuple(case.matrices),
            sum(failure.off for failure in failures)
            if verdict in (Verdict.PASS, Verdict.FAIL, Verdict.REPORT)
            else math.inf,
        )

    def _text_of(self, failure: Failure, verdict: Verdict) -> str:
        """Return the failure as text, with the deck's name if the deck is the cause."""
        if self.deck is None or (verdict is Verdict.BROKEN and failure.subject is None):
            return failure.message
        return f"deck “{self.deck.title}”: {failure.message}"

    def _location_of(self, case: Case, failure: Failure, verdict: Verdict) -> Location:
        subject = failure.subject
        if failure.place is not None:
            return failure.place
        if subject is not None and subject.location is not None:
            return subject.location
        if subject is None and self.deck is not None and verdict is Verdict.FAIL:
            return self.deck.location
        if subject is None or not subject.file:
            return self._place(case.info.path + failure.path)
        path = failure.path if leads_into(subject.fields, failure.path) else ()
        return self.game.locator.locate(subject.file, subject.path + path)

    def _place(self, path: Path) -> Location:
        return self.game.locator.locate(self.file, path)


def leads_into(fields: Mapping[str, Any], path: Path) -> bool:
    """Return True if the path leads to a value of the card, False if to a parameter of the rule."""
    value: Any = fields
    for key in path:
        keys = range(len(value)) if isinstance(value, (list, tuple)) else value
        if not isinstance(keys, (Mapping, range)) or key not in keys:
            return False
        value = value[key]
    return True


class VerdictStore:
    """The verdicts of a game's rules in one language, in `cache`.

    A rule's verdict depends on the rule, on the values that it read, and on what is `about` the game and
    the same for every rule, such as its definitions.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def key(self, entry: Mapping[str, Any], about: str | None) -> str | None:
        """Return the key of a rule; None if the rule has none."""
        return None if about is None else digest_of([about, _plain(entry)])

    def get(self, key: str | None, pool: Pool) -> tuple[dict[str, Any], int] | None:
        """Return the rule's kept report and its steps, if it would read the same values now."""
        return None if key is None else self._cache.recall(key, partial(_read, pool))

    def put(self, key: str | None, case: Case, reads: Reads, steps: int) -> None:
        """Keep the report of a rule that was judged to its end in so many steps."""
        if key is None:
            return
        try:
            reported = json.loads(json.dumps(_report_data(case)))
        except (LookupError, TypeError, ValueError):  # no plain figures
            return
        plain = reads.plain()
        self._cache.remember(key, plain, _read(case.pool, plain), [reported, steps])

    def save(self) -> None:
        """Write the new reports."""
        self._cache.save()


def _read(pool: Pool, reads: list[Any]) -> str | None:
    try:
        return pool.digests.of(reads)
    except UnknownNameError:  # a list that no longer exists
        return None


def _plain(entry: Any) -> Any:
    """Return the parameters with all sequences as lists and all mappings as dicts."""
    if isinstance(entry, Mapping):
        return {key: _plain(value) for key, value in entry.items()}
    return [_plain(value) for value in entry] if isinstance(entry, (list, tuple)) else entry


_FIGURES = {"measures": Measure, "tables": Table, "histograms": Histogram, "matrices": Matrix}
"""The figures that a case reports, and the class of each."""


def _report_data(case: Case) -> dict[str, Any]:
    figures: dict[str, Any] = {name: list(map(astuple, getattr(case, name))) for name in _FIGURES}
    figures["is_put_off"] = case.is_put_off
    failures = [[_failure(case, each) for each in found] for found in (case.failures, case.undecided)]
    return {**figures, "failures": failures, "looked_at": case.looked_at}


def _failure(case: Case, failure: Failure) -> list[Any]:
    subject = failure.subject
    place = None if subject is None else [subject.source, case.pool.place_of(subject)]
    return [failure.message, place, list(failure.path), failure.hint, failure.off]


def restore(case: Case, reported: Mapping[str, Any]) -> None:
    """Restore a kept report in a case."""
    for name, kind in _FIGURES.items():
        getattr(case, name).extend(kind(*values) for values in _as_tuples(reported[name]))
    for found, kept in zip((case.failures, case.undecided), reported["failures"], strict=True):
        for message, place, path, hint, off in _as_tuples(kept):
            subject = None if place is None else case.pool.subjects(place[0])[place[1]]
            found.append(Failure(message, subject, path, hint, off))
    case.looked_at += reported["looked_at"]
    case.is_put_off = reported["is_put_off"]


def _as_tuples(value: Any) -> Any:
    """Return lists, and those in them, as tuples."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


_DESCRIPTIVE_KEYS = frozenset(("id", "kind", "question", "why", "severity", "counting"))
"""Parameters that neither choose nor read cards."""
_ANY_SOURCE = frozenset(("cards", "copies_in", "lookup", "tables", "game", "decks", "deck"))


def judgeable(game: Game, rules: Mapping[str, Any]) -> list[str]:
    """Return the ids of the rules in `rules`, a valid file, that don't depend on what the `game` lacks."""
    whole = {component.id for component in game.components} - game.incomplete
    defined: Mapping[str, str] = rules.get("define") or {}
    names_that_read_more = {*_ANY_SOURCE, *defined}
    found = []
    for entry in rules.get("rules") or ():
        looks_at = traits_of(entry["kind"]).looks_at
        named = entry.get("component")
        components = [named] if isinstance(named, str) else named
        others = {key: entry[key] for key in entry.keys() - _DESCRIPTIVE_KEYS - {"component"}}
        if looks_at == "component" and components and whole.issuperset(components):
            if "table" not in others and names_that_read_more.isdisjoint(names_in(others)):
                found.append(entry["id"])
        elif looks_at == "theme" and "tables" not in names_in(others):
            found.append(entry["id"])
    return found


_NAME = re.compile(r"[\w-]+")
_KEYS_WITHOUT_FIELDS = _DESCRIPTIVE_KEYS | {"component", "decks", "message", "languages"}
"""Parameters that don't read cards."""
_WHOLE = frozenset(("items", "values", "nested", "string", "dictsort", "effect_text"))
"""Names by which expressions can read any field."""


def in_each_language(rules: Mapping[str, Any], keys: Collection[str]) -> list[str]:
    """Return the ids of the rules in `rules`, a valid file's content, that may read one of these keys, or
    the theme; without the rules about the source."""
    read = {*keys, *_WHOLE}
    defined: Mapping[str, str] = rules.get("define") or {}
    left = {name: set(names_in(text)) for name, text in defined.items()}
    while found := [name for name, names in left.items() if not read.isdisjoint(names)]:
        read.update(found)
        for name in found:
            del left[name]
    return [
        entry["id"]
        for key in ("rules", "deck_rules")
        for entry in rules.get(key) or ()
        if not _is_about_source(entry)
        and (_reads_no_fields(entry["kind"]) or not read.isdisjoint(_names_read(entry)))
    ]


def _reads_no_fields(kind: str) -> bool:
    """Return True for a kind that may depend on the language though its parameters name no field."""
    traits = traits_of(kind)
    return traits.looks_at == "theme" or traits.reads_texts


def of_every_language(rules: Mapping[str, Any]) -> list[str]:
    """Return the ids of the rules that aren't only about the source."""
    entries = [entry for key in ("rules", "deck_rules") for entry in rules.get(key) or ()]
    return [entry["id"] for entry in entries if not _is_about_source(entry)]


def _names_read(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that a rule's parameters may read."""
    if traits_of(entry["kind"]).lists_words:
        yield "title"  # `title` is the default
    for part, value in entry.items():
        if part not in _KEYS_WITHOUT_FIELDS:
            yield from names_in(value)


def _is_about_source(entry: Mapping[str, Any]) -> bool:
    """Return True if a rule depends on words of the game's own language, by its option or its kind."""
    default = "source" if traits_of(entry["kind"]).lists_words else "each"
    return bool(entry.get("languages", default) == "source")


def names_in(value: Any) -> Iterator[str]:
    """Yield the names in all texts of a value, without the keys."""
    if isinstance(value, str):
        yield from _NAME.findall(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from names_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from names_in(each)
