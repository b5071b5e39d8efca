"""`cardgen check`: check data, templates, text fit and rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import cardgen
from cardgen.cli.arguments import press_asked
from cardgen.cli.saying import exit_code, told
from cardgen.core.formats import report_findings
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.check.check import CheckOptions, check_game

    project = cardgen.Project.open(given.project)
    if given.deck and len(given.games) > 1:
        hint = f"name one game: cardgen check {given.games[0]} --deck {given.deck[0]}"
        raise cardgen.UsageError("--deck FILE is for one game", hint)
    if given.explain:
        return _explain(given, project)
    findings: list[cardgen.Finding] = []
    passed: list[str] = []
    figures: list[str] = []
    for name, language in _games(given):
        asked = CheckOptions(
            game=name,
            rules=tuple(given.rule),
            decks=tuple(given.deck),
            language=language,
            languages=not given.language,
            press=press_asked(given),
            stated_press=given.inks != "rgb",
        )
        with ProgressBar():
            found = check_game(asked, project=project)
        findings += found.findings
        passed += found.passed
        figures += found.figures
    if given.format == "text":
        print(*figures, sep="\n", end="\n" if figures else "")
        print(told(findings, sys.stdout, every=given.all) or "no findings")
    else:
        more = {"passed": passed, "folder": project.show(project.root), "every": given.all}
        print(report_findings(findings, given.format, **more) or "no findings")
    return exit_code(findings, given.fail_on)


def _games(given: argparse.Namespace) -> Iterator[tuple[str, str | None]]:
    """Yield each game with each requested language; None is the game's own."""
    for name in given.games:
        for language in given.language or (None,):
            yield name, None if language == "source" else language


def _explain(given: argparse.Namespace, project: cardgen.Project) -> int:
    from cardgen.commands.check.check import explain_rule
    from cardgen.commands.production.deck_lists import load_decks

    findings: list[cardgen.Finding] = []
    for name, language in _games(given):
        with ProgressBar():
            game = cardgen.load(name, project=project, language=language)
            decks, wrong = load_decks(game, given.deck, project=project)
            findings += wrong
            words, found = explain_rule(game, given.explain, decks=decks)
        print(words)
        findings += found
    return exit_code(findings, given.fail_on)
