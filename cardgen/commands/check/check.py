"""A game's rules from file to verdict: for `cardgen check`, for the report and for pytest.

It joins loading, checking and reports as `production` joins the stages of printing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.choices import PressOptions, language_folder
from cardgen.commands.production.stamping import Progress, recalled, unless_done
from cardgen.commands.production.turns import in_turn
from cardgen.core.findings import CardgenError, Finding, Findings, Fix, Severity, UsageError
from cardgen.core.progress import tell, told_to
from cardgen.core.records import dataclass, replace
from cardgen.files.cache import Cache, Fingerprint, Outputs, Stamp, stat_files
from cardgen.files.memory import name_for_results
from cardgen.files.project import Project, check_folders, current_folder
from cardgen.files.reading import TEXTS, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.commands.production.results import GameResults
    from cardgen.core.game import DeckList, Game
    from cardgen.pdf.pdfx import Press
    from cardgen.rules.judging import VerdictStore
    from cardgen.rules.report_content import Earlier
    from cardgen.rules.results import RuleResult


_UNREAD = ("file/", "folder/", "system/")
"""Findings about unreadable files, which may be fixed without a change of any file."""

_FEW = 3
"""Skipped ids of a kind that are named."""


@dataclass(frozen=True, slots=True)
class Examination:
    """The result of `examine`. `findings` include those of the rules; `results` are all judged rules."""

    findings: tuple[Finding, ...]
    results: tuple[RuleResult, ...]

    @property
    def passed(self) -> tuple[str, ...]:
        """Return the codes of the rules without a finding, as findings would name them."""
        wrong = {finding.code for finding in self.findings}
        judged = dict.fromkeys(f"rule/{result.rule.id}" for result in self.results)
        return tuple(code for code in judged if code not in wrong)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of a check: a game in a `language` (None is its own) and, if none is given, its other
    `languages`; or only these rules, or only these deck lists (files, or ids of the game's own)."""

    game: str
    rules: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    language: str | None = None
    languages: bool = True
    press: PressOptions | None = None
    """A press that the game is printed on: colors that it can't print are reported too."""
    stated_press: bool = True
    """True if, without `press`, the game's own press is checked."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check: findings, the codes of the rules without one, figures of each deck list."""

    findings: tuple[Finding, ...]
    passed: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


def check_game(options: CheckOptions, *, project: Project | None = None) -> Checked:
    """Load a game and check it, or return the stored findings if nothing has changed.

    The stored result depends on the options, the paths of the project and the current folder, the files
    that a check of the game may read (those of a build: data, templates, schemas and fonts of both roots,
    including links), the files of deck lists, and our code with its libraries. If something can't be read,
    nothing is stored. Raises UsageError for unknown names, never for errors in a file.
    """
    project = project or Project.open()

    def make() -> tuple[Checked, Outputs | None]:
        found = _check_game(options, project)
        unread = any(finding.code.startswith(_UNREAD) for finding in found.findings)
        return found, None if unread else ()

    return unless_done(
        Stamp("check", str(project.root), str(current_folder()), repr(options)),
        lambda: _inputs(options, project),
        make,
        lambda known: Checked(recalled(known["findings"]), tuple(known["passed"]), tuple(known["figures"])),
        despite_limits=True,  # which the check reports
    )


def _inputs(options: CheckOptions, project: Project) -> Fingerprint:
    decks = [Path(place) for name in options.decks for place in (name, os.path.realpath(name))]
    if options.press is not None and Path(options.press.profile or "").suffix:
        decks.append(Path(os.path.realpath(options.press.profile or "")))
    return project.fingerprint(options.game) + stat_files(decks)


def _check_game(options: CheckOptions, project: Project) -> Checked:
    from cardgen.commands.production.deck_lists import deck_figures, load_decks
    from cardgen.commands.production.pressing import press_of
    from cardgen.commands.production.stages import load

    findings: list[Finding] = []
    tell("reading")
    try:
        partial = not options.rules and not options.decks
        game = load(options.game, project=project, language=options.language, partial=partial)
        decks, wrong = load_decks(game, options.decks, project=project)
        findings += wrong
        press = None
        if options.press is not None:
            press = press_of(options.press, game)
        elif options.stated_press and game.press is not None and partial:
            try:
                press = press_of(PressOptions(), game)
            except CardgenError as error:
                findings += error.findings
        found = examine(game, options.rules, decks=decks, languages=options.languages, press=press)
        figures = tuple(deck_figures(deck, found.results) for deck in decks or ())
    except UsageError:
        raise
    except CardgenError as error:
        return Checked((*findings, *error.findings))
    return Checked((*findings, *found.findings), found.passed, figures)


@in_turn
def judge(
    game: Game, rules: Sequence[str] = (), *, decks: Sequence[DeckList] | None = None
) -> list[RuleResult]:
    """Judge a game's rules, or only those with these ids; none if the game states none.

    The rules for decks are judged for each of the game's own deck lists. If `decks` are given, only those
    rules are judged, for these decks.

    Raises UsageError for an unknown rule id, CardgenError if the rules' file is not valid.
    """
    if game.rules is None:
        if rules:
            hint = f"write rules to data/{game.id}/rules.yaml, and add rules: rules.yaml to game.yaml"
            raise UsageError(f"{game.title} has no rules", hint)
        return []
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.judging import of_every_language

    stated = load_rules(game)
    only = list(rules) or (of_every_language(stated) if game.words is not None else None)
    return judged(game, stated, only=only, decks=decks)


def _judge_some(
    game: Game, rules: Mapping[str, Any], wanted: Collection[str] | None, left_out: dict[str, None]
) -> list[RuleResult]:
    """Judge those of the `wanted` rules (None for all) that don't depend on the game's missing parts."""
    from cardgen.rules.judging import judgeable

    if not game.left_out:
        return judged(game, rules, only=wanted) if wanted is None or wanted else []
    entries = [entry["id"] for key in ("rules", "deck_rules") for entry in rules.get(key) or ()]
    count = sum(wanted is None or id in wanted for id in entries)
    ids = [id for id in judgeable(game, rules) if wanted is None or id in wanted]
    if len(ids) < count:
        left_out["rules" if not ids else f"{count - len(ids)} of {count} rules"] = None
    return judged(game, {**rules, "deck_rules": []}, only=ids) if ids else []


def examine(
    game: Game,
    rules: Sequence[str] = (),
    *,
    decks: Sequence[DeckList] | None = None,
    languages: bool = True,
    press: Press | None = None,
) -> Examination:
    """Return all findings of `check` about a game, or of these rules only, with the verdicts; with a
    `press`, also the colors that it can't print, in the game's own language.

    A game in its own language is judged in its other `languages` as well. If `decks` are given, only these
    deck lists are checked. Raises UsageError for an unknown rule id; never for errors in the game's files.
    """
    from cardgen.commands.check.preflight import check_look
    from cardgen.commands.compare.signing import check_signed
    from cardgen.commands.production.editor_files import check_copies
    from cardgen.commands.production.results import GameResults
    from cardgen.game.facts import check_services
    from cardgen.game.loading import not_judged
    from cardgen.game.playtests import load_playtests
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.judging import of_every_language

    findings = Findings()
    store: GameResults | None = None
    results: list[RuleResult] = []
    left_out = dict.fromkeys(_counted(game.left_out))
    if game.left_out and game.rules is None:
        left_out["rules"] = None
    else:
        try:
            if game.left_out:
                stated = load_rules(game)
                wanted = None if game.words is None else of_every_language(stated)
                results = _judge_some(game, stated, wanted, left_out)
            else:
                results = judge(game, rules, decks=decks)
            for result in results:
                findings.extend(result.findings)
        except UsageError:
            raise
        except CardgenError as error:
            findings.extend(error.findings)
            left_out["rules"] = None
    for deck in decks or ():
        findings.extend(deck.remarks)
    if not rules and decks is None:
        findings.extend(game.remarks)
        findings.extend(game.table_problems)
        check_folders(game.paths, game.id, findings)
        check_copies(game.paths, findings)
        check_services(game.paths, findings)
        load_playtests(game, findings)
        if game.words is None and not game.left_out:
            check_signed(game, findings)
        try:
            store = GameResults(game)
            findings.extend(check_look(game, left_out, press, results=store))
        except CardgenError as error:
            findings.extend(error.findings)
    if languages and game.words is None and decks is None:
        said = tuple(findings)
        for language in game.languages:
            findings.extend(_judge_language(game, language, rules, said, left_out, store))
    found = findings.sorted()
    if game.words is not None:
        found = _naming(game.id, game.words.language, found)
    if left_out:
        found.append(not_judged(game.id, list(left_out)))
    return Examination(tuple(found), tuple(results))


def _judge_language(
    game: Game,
    language: str,
    wanted: Sequence[str],
    said: Sequence[Finding],
    left_out: Collection[str],
    store: GameResults | None,
) -> list[Finding]:
    """Return the findings about a game in one of its languages, or of the `wanted` rules only, without
    those already `said` of `game`, which is in its own language. Findings outside of the language's file
    name it."""
    from cardgen.commands.check.preflight import check_look
    from cardgen.commands.check.translated_books import compare_books
    from cardgen.commands.production.languages import load_in
    from cardgen.game.loading import not_judged
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.judging import in_each_language

    translated, findings = load_in(game.paths, game.id, language, partial=True, like=game)
    lacking = dict.fromkeys(_counted(translated.left_out))
    if wanted:
        findings = Findings()
    if translated.words is not None:
        if not wanted:
            findings.extend(translated.table_problems)
            findings.extend(check_look(translated, lacking, results=store))
            if not game.left_out and not translated.left_out:
                compare_books(game, translated, findings)
        if game.rules is not None:
            with suppress(CardgenError):  # errors in the rules' file are already reported
                rules = load_rules(game)
                ids = [
                    id
                    for id in in_each_language(rules, translated.words.keys)
                    if not wanted or id in wanted
                ]
                for result in _judge_some(translated, rules, ids, lacking):
                    findings.extend(replace(each, hint=_about_source(each)) for each in result.findings)
    lacking = {name: None for name in lacking if name not in left_out}
    if lacking:
        findings.extend([not_judged(game.id, list(lacking))])
    places = {(each.code, each.location) for each in said if each.severity is not Severity.NOTE}
    known = set(said)
    new = [
        each for each in findings.sorted() if each not in known and (each.code, each.location) not in places
    ]
    return _naming(game.id, language, new)


def _naming(game_id: str, language: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings of a game in a language, with its name if they are outside of its file."""
    folder = f"data/{game_id}/{language}/"
    return [
        each
        if each.code.startswith("translation/") or (each.location and each.location.file.startswith(folder))
        else replace(each, message=f"in {language}: {each.message}")
        for each in findings
    ]


def _about_source(finding: Finding) -> str:
    more = "if the rule is about words of the original language, add languages: source to it"
    return f"{finding.hint}; {more}" if finding.hint else more


def _counted(left_out: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield kinds and ids in words, a few ids of each kind: "the cards 'fox', 'owl' and 12 more"."""
    by_kind: dict[str, list[str]] = {}
    for kind, id in left_out:
        by_kind.setdefault(kind, []).append(f"'{id}'")
    for kind, ids in by_kind.items():
        more = f" and {len(ids) - _FEW} more" if len(ids) > _FEW else ""
        yield f"the {kind}{'s' if len(ids) > 1 else ''} {', '.join(ids[:_FEW])}{more}"


@in_turn
def check(game: Game, *, progress: Progress | None = None) -> list[Finding]:
    """Find everything wrong with a loaded game: its rules, templates and text fit in both variants, its
    sheets, contrast and type sizes.

    Args:
        progress: Called with a step, the part done, and the total.

    Returns:
        Findings sorted by file and line. Bad input is a finding and never raised.

    Example:
        game = cardgen.load("night-market", partial=True)
        for finding in cardgen.check(game):
            print(finding)
    """
    with told_to(progress):
        return list(examine(game).findings)


@in_turn
def simulate(
    game: Game,
    rules: Sequence[str] = (),
    *,
    runs: int | None = None,
    seed: int | None = None,
    trusted: Path | None = None,
) -> tuple[str, list[RuleResult]]:
    """Run a game's processes, those that take long too, or only the rules with these ids. Return the
    results, in words too.

    `runs` and `seed` replace those of each rule. `trusted` is a file in Python, whose functions are bots:
    a program that may do anything. Raises UsageError for an unknown id or one of another kind, and if the
    game states no process; CardgenError if the rules' file is not valid.
    """
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.judging import check_rules
    from cardgen.rules.results import explain

    stated = load_rules(game) if game.rules is not None else {}
    kinds = {entry["id"]: entry["kind"] for entry in stated.get("rules") or ()}
    ids = [id for id, kind in kinds.items() if kind == "simulate" and (not rules or id in rules)]
    for id in rules:
        if kinds.get(id, "simulate") != "simulate":
            raise UsageError(
                f"the rule “{id}” runs no process", f"check it: cardgen check {game.id} --rule {id}"
            )
    unknown = [id for id in rules if id not in kinds]
    if not ids and not unknown:
        hint = "add one to rules.yaml; read how: cardgen explain simulate"
        raise UsageError(f"{game.title} has no rule of the kind simulate", hint)
    given = {"runs": runs, "seed": seed}
    given = {key: value for key, value in given.items() if value is not None}
    entries = [{**entry, **given} if entry["id"] in ids else entry for entry in stated.get("rules") or ()]
    assert game.rules is not None
    stated = {**stated, "rules": entries}
    bots = None if trusted is None else _bots_in(trusted)
    results = check_rules(game, stated, game.rules, only=[*ids, *unknown], patient=True, bots=bots)
    return "\n\n".join(map(explain, results)), results


def _bots_in(file: Path) -> dict[str, Any]:
    """Return what a file in Python defines. Raises UsageError if it can't be run."""
    import runpy  # the only place where a user's own program runs, on request
    import sys

    sys.path.insert(0, str(file.parent))  # as Python does for a script
    try:
        return runpy.run_path(str(file))
    except Exception as error:
        raise UsageError(
            f"{file} can't be run: {type(error).__name__}: {error}", f"run it to see where: python {file}"
        ) from error
    finally:
        sys.path.remove(str(file.parent))


def explain_kind(kind: str) -> str | None:
    """Return the documentation of a rule kind, a plug-in's too; None if there is no such kind. Raises
    CardgenError for a plug-in that can't be used."""
    from cardgen.rules.kinds import documentation_of

    return documentation_of(kind)


def explain_rule(
    game: Game, rule: str, *, decks: Sequence[DeckList] | None = None
) -> tuple[str, list[Finding]]:
    """Return a rule in words (question, reasoning, cards, result), and its findings.

    A rule for decks is explained for each deck list, as `judge` takes them. Raises as `judge` does.
    """
    from cardgen.rules.judging import rule_findings
    from cardgen.rules.results import explain

    results = judge(game, [rule], decks=decks)
    if not results:
        return f"{rule}\n  this rule checks no deck list", []
    return "\n\n".join(explain(result) for result in results), rule_findings(results)


@in_turn
def make_report(
    game: Game,
    format: str,
    *,
    cross: Sequence[tuple[str, str]] = (),
    since: str | None = None,
    project: Project | None = None,
    press: PressOptions | None = None,
    stated_press: bool = True,
    more: Sequence[RuleResult] = (),
) -> bytes:
    """Judge a game's rules, and return them with its statistics as the content of a file.

    Args:
        format: "html", "pdf" or "json".
        cross: Pairs of fields, each for a cross-table.
        since: A git revision to compare with.
        project: The repository of that revision; the default is the current folder's project.
        press: Add a page on the colors that this press prints.
        stated_press: Without `press`, add that page for the press that game.yaml states.
        more: Further results to add, such as those of a test of the rules.

    Raises:
        UsageError: No such revision, press profile or field.
        CardgenError: Errors in the rules or in the earlier game, all of them.

    Example:
        from pathlib import Path

        report = cardgen.make_report(cardgen.load("night-market"), "html")
        Path("report.html").write_bytes(report)
    """
    return _reports(game, [format], cross, since, project, press, stated_press, more)[format]


def write_report(
    game: Game,
    formats: Sequence[str] = ("html", "pdf"),
    *,
    project: Project | None = None,
    output: Path | None = None,
    cross: Sequence[tuple[str, str]] = (),
    since: str | None = None,
    press: PressOptions | None = None,
    stated_press: bool = True,
    more: Sequence[RuleResult] = (),
) -> list[Path]:
    """Write `GAME/report.html` and `GAME/report.pdf` below the project's `output/`, or below `output`. A
    language other than the game's own has its own folder.

    The files appear together, each whole; the rules are judged once. Returns the paths. Raises as
    `make_report` does, and CardgenError for a file that can't be written.
    """
    from cardgen.files.changes import Changes

    folder = (project or Project.open()).output(game.id, output, *language_folder(game))
    contents = _reports(game, formats, cross, since, project, press, stated_press, more)
    with Changes(folder) as changes:
        for format, content in contents.items():
            changes.write_bytes(f"report.{format}", content)
        changes.commit()
    return [folder / f"report.{format}" for format in contents]


def _reports(
    game: Game,
    formats: Sequence[str],
    cross: Sequence[tuple[str, str]],
    since: str | None,
    project: Project | None,
    press: PressOptions | None,
    stated_press: bool,
    more: Sequence[RuleResult],
) -> dict[str, bytes]:
    """Judge a game's current and earlier rules; return the report in each format."""
    from cardgen.commands.check.report_parts import (
        finding_pictures,
        playtest_table,
        press_page,
        report_faces,
        thumbnails,
    )
    from cardgen.rules.reports import report

    results, faces = [*judge(game), *more], report_faces()
    earlier = _earlier(game, project or Project.open(), since) if since is not None else None
    page = press_page(game, press, stated=stated_press)
    played = playtest_table(game)
    shown = thumbnails(game) if {"html", "pdf"} & {*formats} else {}
    reports = {}
    for format in dict.fromkeys(formats):
        tell(f"writing the report as {format.upper()}")
        found = [finding for result in results for finding in result.findings] if format == "html" else []
        pictures = finding_pictures(game, found)
        reports[format] = report(
            game, results, format, faces, cross, earlier, pictures, shown, press=page, playtests=played
        )
    return reports


def _earlier(game: Game, project: Project, since: str) -> Earlier:
    """Return a game at a revision, judged by its rules of that time."""
    from cardgen.commands.production.git import at_revision
    from cardgen.commands.production.stages import load
    from cardgen.rules.report_content import Earlier

    revision = at_revision(project, since)
    language = game.words.language if game.words is not None else None
    try:
        old = load(game.id, project=revision.project, language=language)
    except UsageError as error:
        found = error.findings[0]
        if found.code != "usage/game":
            raise
        raise UsageError(f"at {since} there was no game '{game.id}'", found.hint, found.code) from None
    name = since if revision.commit.startswith(since) else f"{since} ({revision.short})"
    return Earlier(name, old, tuple(judge(old)))


def judged(
    game: Game,
    rules: Mapping[str, Any],
    *,
    only: Collection[str] | None = None,
    decks: Sequence[DeckList] | None = None,
) -> list[RuleResult]:
    """Judge a game by the content of its file of rules. Rules whose inputs are unchanged are not judged
    again. Raises as `check_rules` does."""
    from cardgen.rules.judging import check_rules

    assert game.rules is not None
    kept = verdicts_of(game)
    results = check_rules(game, rules, game.rules, only=only, decks=decks, kept=kept)
    kept.save()
    return results


def verdicts_of(game: Game) -> VerdictStore:
    """Return the stored verdicts of a game."""
    from cardgen.rules.judging import VerdictStore

    return VerdictStore(Cache("verdicts", name_for_results(game.paths.roots[0]), game.id, game.language))


def fix(findings: Iterable[Finding], *, project: Project) -> list[Fix]:
    """Write the safe edits that findings carry into the project's own files; return those made, in order.

    A place whose text has changed since the check is skipped. Each file appears whole. Raises
    CardgenError for a file that can't be written.
    """
    from cardgen.files.writing import write_bytes

    by_file: dict[str, list[Fix]] = {}
    for fix in dict.fromkeys(each.fix for each in findings if each.fix is not None):
        by_file.setdefault(fix.file, []).append(fix)
    made: list[Fix] = []
    for file, fixes in by_file.items():
        path = project.root / file
        try:
            data = read_file(path, TEXTS, file, (project.root,))
        except ReadingError:  # a bundled game's, or gone: the next check reports it
            continue
        content, done = edited(data.decode("utf-8"), fixes)
        if done:
            write_bytes(path, content.encode())
            made += done
    return sorted(made, key=lambda each: (each.file, each.line, each.column))


def edited(text: str, fixes: Sequence[Fix]) -> tuple[str, list[Fix]]:
    """Return a text with edits made, and those made: the ones whose old text is at their place."""
    lines = text.split("\n")
    done = []
    for fix in sorted(fixes, key=lambda each: (each.line, each.column), reverse=True):
        if fix.line > len(lines):
            continue
        line, at = lines[fix.line - 1], fix.column - 1
        if line[at : at + len(fix.old)] == fix.old:
            lines[fix.line - 1] = f"{line[:at]}{fix.new}{line[at + len(fix.old) :]}"
            done.append(fix)
    return "\n".join(lines), done
