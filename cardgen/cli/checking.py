"""The commands that check a game, explain findings and show changes."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import cardgen
from cardgen.cli.arguments import press_asked
from cardgen.cli.saying import FINDINGS, OK, as_plain, complain, exit_code, print_json, say, told
from cardgen.core.formats import report_findings
from cardgen.core.progress import ProgressBar
from cardgen.core.report_formats import Tool
from cardgen.core.sheets import LEAST_INK, MOST_INK

LEAST_RUNS, MOST_RUNS = 100, 1_000_000
"""The runs that schemas/rules.schema.json allows."""


def run_check(given: argparse.Namespace) -> int:
    """`cardgen check`: check data, templates, text fit and rules."""
    from cardgen.commands.check.check import CheckOptions, check_game, fix

    project = cardgen.Project.open(given.project)
    if given.deck and len(given.games) > 1:
        hint = f"name one game: cardgen check {given.games[0]} --deck {given.deck[0]}"
        raise cardgen.UsageError("--deck FILE is for one game", hint)
    if given.explain:
        return _explain_rule(given, project)
    page = _findings_page()
    findings: list[cardgen.Finding] = []
    passed: list[str] = []
    figures: list[str] = []
    if given.mutate is not None and (given.rule or given.deck or given.language):
        raise cardgen.UsageError("--mutate checks a whole game", "remove --rule, --deck and --language")
    if given.seed is not None and given.mutate is None:
        hint = f"cardgen check {given.games[0]} --mutate --seed {given.seed}"
        raise cardgen.UsageError("--seed is for --mutate", hint)
    for name, language in _games_asked(given):
        if given.mutate is not None:
            from cardgen.commands.check.mutating import mutate

            with ProgressBar():
                tested = mutate(name, given.mutate, given.seed or 1, project=project)
            findings += tested.findings
            figures.append(tested.figures)
            continue
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
        if given.fix and (made := fix(found.findings, project=project)):
            for each in made:
                say(f"fixed {each.file}:{each.line}: {each.old} → {each.new}")
            with ProgressBar():
                found = check_game(asked, project=project)
        findings += found.findings
        passed += found.passed
        figures += found.figures
    if given.format == "text":
        print(*figures, sep="\n", end="\n" if figures else "")
        print(told(findings, sys.stdout, every=given.all) or "no findings")
    else:
        report = report_findings(
            findings,
            given.format,
            passed=passed,
            folder=project.show(project.root),
            every=given.all,
            tool=Tool(cardgen.__version__, page),
        )
        print(report or "no findings")
    return exit_code(findings, given.fail_on)


def _findings_page() -> str:
    """Return the address of the page of all explanations, for links in SARIF; "" if there is none. Raises
    UsageError."""
    address = os.environ.get("CARDGEN_FINDINGS_URL", "")
    if address and not re.fullmatch(r"https?://[^\s#]+", address):
        hint = "set it to an address such as https://example.com/docs/findings.md, or unset it"
        raise cardgen.UsageError(f"CARDGEN_FINDINGS_URL is not the address of a page: '{address}'", hint)
    return address


def _games_asked(given: argparse.Namespace) -> Iterator[tuple[str, str | None]]:
    """Yield each game with each requested language; None is the game's own."""
    for name in given.games:
        for language in given.language or (None,):
            yield name, None if language == "source" else language


def _explain_rule(given: argparse.Namespace, project: cardgen.Project) -> int:
    from cardgen.commands.check.check import explain_rule
    from cardgen.commands.production.deck_lists import load_decks

    findings: list[cardgen.Finding] = []
    for name, language in _games_asked(given):
        with ProgressBar():
            game = cardgen.load(name, project=project, language=language)
            decks, wrong = load_decks(game, given.deck, project=project)
            findings += wrong
            words, found = explain_rule(game, given.explain, decks=decks)
        print(words)
        findings += found
    return exit_code(findings, given.fail_on)


def run_preflight(given: argparse.Namespace) -> int:
    """`cardgen preflight`: examine a PDF before it goes to a print shop."""
    from cardgen.commands.check.pdf_files import preflight

    if not LEAST_INK <= given.ink_limit <= MOST_INK:
        message = f"--ink-limit {given.ink_limit} is not between {LEAST_INK} and {MOST_INK}"
        raise cardgen.UsageError(
            message, f"write the shop's: cardgen preflight {given.file} --ink-limit 300"
        )
    try:
        with ProgressBar():
            found = preflight(given.file, given.ink_limit)
    except cardgen.CardgenError as error:
        if given.format != "json" or isinstance(error, cardgen.UsageError):
            raise
        print_json({"file": str(given.file), "findings": as_plain(error.findings)})
        return exit_code(error.findings, given.fail_on)
    if given.format == "json":
        print_json({**found.plain(), "findings": as_plain(found.findings)})
    else:
        for name, text in found.rows():
            say(f"{name:<14} {text}")
        print()
        print(told(found.findings, sys.stdout) or "no findings")
    return exit_code(found.findings, given.fail_on)


def run_explain(given: argparse.Namespace) -> int:
    """`cardgen explain`: explain a finding's code and how to fix it, or a rule kind."""
    from cardgen.commands.check.check import explain_kind
    from cardgen.core.explanations import explained

    if given.code is None:
        _list_codes()
        return OK
    words = explain_kind(given.code)
    if words is not None:
        for line in words.splitlines():
            say(line)
        return OK
    for number, section in enumerate(explained(given.code)):
        if number:
            print()
        say(", ".join(section.codes), heading=True)
        print()
        for line in section.plain_text.splitlines():
            say(line)
    return OK


def _list_codes() -> None:
    from cardgen.core.explanations import families

    for family in families():
        say(family.title, heading=True)
        for section in family.sections:
            for code in section.codes:
                say(f"  {code:<24} {section.first_sentence}")
        print()
    print("for its cause and fix: cardgen explain CODE")


def run_suggest(given: argparse.Namespace) -> int:
    """`cardgen suggest`: find the smallest card edits that meet a rule."""
    from cardgen.commands.check.suggest import SECONDS, suggest, suggestion_lines

    project = cardgen.Project.open(given.project)
    with ProgressBar():
        game = cardgen.load(given.game, project=project)
        seconds = SECONDS if given.tries is None else None
        found = suggest(
            game, given.rule, limit=given.limit, tries=given.tries, project=project, seconds=seconds
        )
    if given.format == "json":
        print_json(found.plain())
    else:
        for line in suggestion_lines(found, project.seen_from_here):
            say(line)
    return OK if found.holds or found.sets else FINDINGS


def run_simulate(given: argparse.Namespace) -> int:
    """`cardgen simulate`: run a game's processes many times, and judge what comes of them."""
    from cardgen.commands.check.check import simulate

    if given.runs is not None and not LEAST_RUNS <= given.runs <= MOST_RUNS:
        message = f"--runs {given.runs} is not between {LEAST_RUNS} and {MOST_RUNS:,}"
        raise cardgen.UsageError(message, f"write: cardgen simulate {given.game} --runs 1000")
    game = cardgen.load(given.game, project=cardgen.Project.open(given.project))
    with ProgressBar():
        words, results = simulate(
            game, given.rule, runs=given.runs, seed=given.seed, trusted=given.trust_bots
        )
    findings = [finding for result in results for finding in result.findings]
    if given.format == "json":
        print_json({"rules": [result.as_json() for result in results]})
    else:
        print(words)
    return exit_code(findings, "error")


def run_report(given: argparse.Namespace) -> int:
    """`cardgen report`: write rule results and statistics as HTML, PDF."""
    from cardgen.commands.check.check import write_report

    project = cardgen.Project.open(given.project)
    cross = [_two_fields(text) for text in given.cross]
    game = cardgen.load(given.game, project=project, language=given.language)
    shared: dict[str, Any] = {
        "cross": cross,
        "since": given.since,
        "project": project,
        "press": press_asked(given),
        "stated_press": given.inks != "rgb",
    }
    if given.mutate is not None:
        from cardgen.commands.check.mutating import mutate

        with ProgressBar():
            shared["more"] = [mutate(given.game, given.mutate, 1, project=project).result]
    if given.format == "json":
        with ProgressBar():
            report = cardgen.make_report(game, "json", **shared)
        print(report.decode("utf-8"), end="")
        return OK
    formats = (given.format,) if given.format else ("html", "pdf")
    output = given.output
    with ProgressBar():
        paths = write_report(game, formats, output=output, **shared)
    for path in paths:
        say(project.show(path))
    return OK


def _two_fields(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise cardgen.UsageError(
            f"--cross takes two fields, this is “{text}”", "name two fields: --cross cost,type"
        )
    return names[0], names[1]


def run_diff(given: argparse.Namespace) -> int:
    """`cardgen diff`: show changes since a git revision."""
    project = cardgen.Project.open(given.project)
    game = cardgen.load(given.game, project=project, language=given.language, partial=True)
    with ProgressBar() as progress:
        found = cardgen.differences(
            game, project, given.since, components=given.component, progress=progress
        )
    if given.html:
        from cardgen.commands.compare.page import write_difference_page

        write_difference_page(found, given.html)
    findings = [*found.findings, *found.old_findings]
    if given.format == "json":
        print_json({**found.plain(), "findings": as_plain(findings)})
    else:
        from cardgen.commands.compare.differences import difference_lines

        print(*difference_lines(found), sep="\n")
        complain(findings)
    return FINDINGS if given.exit_code and not found.is_same else OK
