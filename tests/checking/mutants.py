"""Mutants: a bundled game's data with something wrong in it, to see which rule notices, and where.

Cards are changed as the text of their own lines, so that the lines a finding must name are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import cardgen
from cardgen.checking import RuleResult, Verdict, rule_findings
from cardgen.commands import check
from cardgen.findings import CardgenError, Finding, Severity
from tests.shipped import shipped

from .decks import ROOT
from .slips import slips_of

RULES = "rules.yaml"
SLIPS = [*slips_of("figures"), *slips_of("tired")]
"""Changes of any game's data."""

RULE = "the rule itself"
"""Where a finding stands when no card can be blamed: a card is absent."""


class Mutant:
    """A game's data files as text, in a project of their own."""

    def __init__(self, game: str, root: Path) -> None:
        self.game = game
        self.root = root
        folder = ROOT / "data" / game
        self.files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}

    # -- changes ---------------------------------------------------------------------------------

    def edit(self, card: str, old: str, new: str) -> None:
        """Replace a text that stands exactly once in the card's own lines."""
        file, start, end = self.card(card)
        lines = self.files[file].splitlines(keepends=True)
        text = "".join(lines[start - 1 : end])
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {card}"
        self.files[file] = "".join([*lines[: start - 1], text.replace(old, new), *lines[end:]])

    def drop(self, *cards: str) -> None:
        for card in cards:
            file, start, end = self.card(card)
            lines = self.files[file].splitlines(keepends=True)
            self.files[file] = "".join([*lines[: start - 1], *lines[end:]])

    def copy(self, card: str, *changes: tuple[str, str]) -> None:
        """Add a card like this one at the end of its file, with texts replaced (the id's first)."""
        file, start, end = self.card(card)
        text = "".join(self.files[file].splitlines(keepends=True)[start - 1 : end])
        for old, new in changes:
            assert text.count(old) >= 1, f"{old!r} does not stand in {card}"
            text = text.replace(old, new, 1)
        self.files[file] += text

    def edit_file(self, file: str, old: str, new: str) -> None:
        assert self.files[file].count(old) == 1, f"{old!r} stands not once in {file}"
        self.files[file] = self.files[file].replace(old, new)

    # -- places ----------------------------------------------------------------------------------

    def card(self, id: str) -> tuple[str, int, int]:
        """The file of a card, its first and its last line. Of two with that id, the last."""
        found = [
            (file, *span)
            for file in self.files
            if file not in (RULES, "game.yaml")
            for span in self._entries(file, id)
        ]
        assert found, f"there is no card {id}"
        return found[-1]

    def rule(self, id: str) -> tuple[str, int, int]:
        ((start, end),) = self._entries(RULES, id)
        return RULES, start, end

    def _entries(self, file: str, id: str) -> list[tuple[int, int]]:
        """First and last line of the entries `- id: ID`, comments and empty lines below left out.

        A row without id goes by the text it begins with, such as `players: 2`.
        """
        lines = self.files[file].splitlines()
        begins = re.escape(id if ":" in id else f"id: {id}")
        found = []
        for start, line in enumerate(lines):
            if not re.match(rf"  - \{{?{begins}(?![\w-])", line):
                continue
            end = start + 1
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            found.append((start + 1, end))
        return found

    # -- judgement -------------------------------------------------------------------------------

    def judge(self, *rules: str) -> tuple[list[Finding], list[RuleResult]]:
        """What loading and these rules (none named: all) say; where loading fails, no rule is judged."""
        folder = self.root / "data" / self.game
        folder.mkdir(parents=True)
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        try:
            results = check.judge(cardgen.load(self.game, project=cardgen.Project.open(self.root)), rules)
        except CardgenError as error:
            return list(error.findings), []
        return rule_findings(results), results


@dataclass(frozen=True)
class Mutation:
    """What is changed, the code of the finding it must give, and the card (or RULE) it stands at."""

    id: str
    change: Callable[[Mutant], object]
    code: str
    at: str

    def must_be_caught(self, mutant: Mutant) -> None:
        self.change(mutant)
        if self.at != RULE:
            file, start, end = mutant.card(self.at)
        else:
            file, start, end = mutant.rule(self.code.removeprefix("rule/"))
        rule = [self.code.removeprefix("rule/")] if self.code.startswith("rule/") else []
        findings, results = mutant.judge(*rule)
        said = "\n".join(str(finding) for finding in findings)
        lines = {
            finding.location.line
            for finding in findings
            if finding.code == self.code
            and finding.severity is Severity.ERROR
            and finding.location is not None
            and finding.location.file == f"data/{mutant.game}/{file}"
        }
        here = {line for line in lines if line is not None and start <= line <= end}
        assert here, f"no {self.code} at {file}:{start}-{end}, but\n{said}"
        verdicts = {f"rule/{result.rule.id}": result.verdict for result in results}
        assert verdicts.get(self.code, Verdict.FAIL) is Verdict.FAIL, f"it failed by accident:\n{said}"


def cases(mutations: list[Mutation]) -> list[object]:
    """The mutations as parameters of a test, each by its own id."""
    return [pytest.param(mutation, id=mutation.id) for mutation in mutations]


def edit(id: str, card: str, old: str, new: str, code: str, at: str = "") -> Mutation:
    """A text of one card replaced; the finding stands at that card unless `at` says otherwise."""
    return Mutation(id, lambda mutant: mutant.edit(card, old, new), code, at or card)


def drop(card: str, code: str, at: str = RULE) -> Mutation:
    return Mutation(f"drop-{card.replace(': ', '-')}", lambda mutant: mutant.drop(card), code, at)


def add(id: str, like: str, changes: dict[str, str], code: str, at: str) -> Mutation:
    """A card like another one added to its component."""
    return Mutation(id, lambda mutant: mutant.copy(like, *changes.items()), code, at)


def dead_rules(game: str, mutations: list[Mutation]) -> set[str]:
    """The rules with a verdict that no mutation is meant for, nor a changed figure."""
    results = check.judge(shipped(game))
    judged = {f"rule/{result.rule.id}" for result in results if result.verdict is not Verdict.REPORT}
    figures = {slip["code"] for slip in SLIPS if slip["game"] == game}
    return judged - {mutation.code for mutation in mutations} - figures
