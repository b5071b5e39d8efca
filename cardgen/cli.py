"""The command line: arguments to options, options to the library, results to print and an exit code.

The only module that prints; what a stranger may have written goes through `_say`. It uses nothing but
`import cardgen`. Exit codes: 0 done, 1 findings or a failed output, 2 misuse.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import cardgen
from cardgen import arguments

OK, FINDINGS, MISUSE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    _utf8_streams()
    words = sys.argv[1:] if argv is None else list(argv)
    options = arguments.parse(words)
    try:
        if getattr(options, "sandboxed", None) and not cardgen.is_confined():
            return cardgen.run_confined(words, vars(options))
        code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except cardgen.UsageError as error:
        _complain(error.findings)
        return MISUSE
    except cardgen.CardgenError as error:
        _complain(error.findings)
        return FINDINGS
    except BrokenPipeError:  # the reader went away (`cardgen list | head`), as it may
        _silence()
        return FINDINGS
    except OSError as error:
        _complain([cardgen.Finding.of_system(error)])
        if error.filename is None:
            _silence()
        return FINDINGS
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _silence() -> None:
    """Leave nothing to print at the end: it would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _utf8_streams() -> None:
    """Card names are not ASCII, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _say(line: str, file: TextIO | None = None) -> None:
    """Print one line, which may hold names, paths and arguments."""
    print(cardgen.shown(line), file=file)


def _print_json(content: Any) -> None:
    print(cardgen.shown_json(json.dumps(content, ensure_ascii=False, indent=2)))


def _as_plain(findings: Sequence[cardgen.Finding]) -> Any:
    return json.loads(cardgen.report_findings(findings, "json", every=True))["findings"]


def _complain(findings: Sequence[cardgen.Finding]) -> None:
    if findings:
        print(cardgen.report_findings(findings, "text"), file=sys.stderr)


# ---------------------------------------------------------------- commands


def _build(options: argparse.Namespace) -> int:
    asked, project = _asked(options), cardgen.Project.open(options.project)
    with cardgen.ProgressBar(options.quiet) as progress, cardgen.processes(options.jobs) as executor:
        result = cardgen.build(asked, project=project, progress=progress, executor=executor)
    _complain(result.findings)
    if not options.quiet:
        for file in result.files:
            _say(_written(file))
        print(f"{_outcome(result, 'done')}, {result.seconds:.2f} s")
        _say(f"contrast and rules are not judged here: cardgen check {options.game}")
    return _failing(result.findings, "error")


def _asked(options: argparse.Namespace) -> cardgen.BuildOptions:
    """What a build is asked for."""
    if not 1 <= options.jobs <= 256:
        raise cardgen.UsageError(f"--jobs {options.jobs} is not between 1 and 256")
    if options.image_dpi is not None and not 72 <= options.image_dpi <= 2400:
        raise cardgen.UsageError(f"--image-dpi {options.image_dpi} is not between 72 and 2400")
    return cardgen.BuildOptions(
        game=options.game,
        sheets=tuple(options.sheet),
        components=tuple(options.component),
        cards=tuple(options.card),
        players=options.players,
        paper=options.paper,
        duplex=options.duplex,
        backs=not options.no_backs,
        low_ink=options.low_ink,
        keep_going=options.keep_going,
        printer=options.printer,
        deck=options.deck,
        image_dpi=options.image_dpi,
        language=options.language,
        output=Path(options.output) if options.output else None,
        changed_since=options.changed_since,
    )


def _outcome(result: cardgen.BuildResult, done: str) -> str:
    if not result.files:
        return "no card has changed since then, so nothing is written"
    return "up to date" if result.up_to_date else done


def _watch(options: argparse.Namespace) -> int:
    asked, project = _asked(options), cardgen.Project.open(options.project)
    said: set[cardgen.Finding] = set()
    with cardgen.ProgressBar(quiet=True) as progress, cardgen.processes(options.jobs) as executor:
        for each in cardgen.watch(asked, project=project, progress=progress, executor=executor):
            # Errors are said each time, what is no error once: it stays until it is mended.
            _complain([one for one in each.findings if one.severity == "error" or one not in said])
            said = set(each.findings)
            if each.result is None:
                _say(f"{options.game}: not built, {each.seconds:.2f} s; waiting for the next save")
            elif not options.quiet:
                pages = sum(file.pages for file in each.result.files)
                done = f"{_plural(len(each.result.files), 'file')}, {_plural(pages, 'page')}"
                _say(f"{options.game}: {_outcome(each.result, done)}, {each.seconds:.2f} s")
            sys.stdout.flush()
    return OK


def _diff(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    game = cardgen.load(options.game, project=project, language=options.language, partial=True)
    with cardgen.ProgressBar(quiet=not sys.stderr.isatty()) as progress:
        found = cardgen.differences(
            game, project, options.since, components=options.component, progress=progress
        )
    if options.html:
        cardgen.write_difference_page(found, project, Path(options.html))
    findings = [*found.findings, *found.old_findings]
    if options.format == "json":
        _print_json({**found.plain(), "findings": _as_plain(findings)})
    else:
        print(*cardgen.difference_lines(found), sep="\n")
        _complain(findings)
    return FINDINGS if options.exit_code and not found.is_same else OK


def _written(file: cardgen.OutputFile) -> str:
    cards = f"{_plural(file.cards, 'card')}, " if file.cards else ""
    return f"{file.shown}  {_plural(file.pages, 'page')}, {cards}{_size(file.bytes)}, {file.seconds:.2f} s"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _size(count: int) -> str:
    if count < 100_000:
        return f"{count / 1000:.1f} kB"
    return f"{count / 1_000_000:.2f} MB"


def _check(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    if options.deck and len(options.games) > 1:
        raise cardgen.UsageError("--deck FILE is for one game")
    if options.explain:
        return _explain(options, project)
    findings: list[cardgen.Finding] = []
    passed: list[str] = []
    figures: list[str] = []
    for name, language in _games(options):
        asked = cardgen.CheckOptions(
            game=name,
            rules=tuple(options.rule),
            decks=tuple(options.deck),
            language=language,
            languages=not options.language,
        )
        found = cardgen.check_game(asked, project=project)
        findings += found.findings
        passed += found.passed
        figures += found.figures
    more = {"passed": passed, "folder": project.show(project.root), "every": options.all}
    text = cardgen.report_findings(findings, options.format, **more)
    if options.format == "text":
        print(*figures, sep="\n", end="\n" if figures else "")
    print(text or "no findings")
    return _failing(findings, options.fail_on)


def _games(options: argparse.Namespace) -> Iterator[tuple[str, str | None]]:
    """Each game in each language asked for; None is the game's own."""
    for name in options.games:
        for language in options.language or (None,):
            yield name, None if language == "source" else language


def _failing(findings: Sequence[cardgen.Finding], least: str) -> int:
    failing = {cardgen.Severity.ERROR, cardgen.Severity(least)}
    return FINDINGS if any(finding.severity in failing for finding in findings) else OK


def _explain(options: argparse.Namespace, project: cardgen.Project) -> int:
    findings: list[cardgen.Finding] = []
    for name, language in _games(options):
        game = cardgen.load(name, project=project, language=language)
        decks, wrong = cardgen.load_decks(game, options.deck, project=project)
        findings += wrong
        words, found = cardgen.explain_rule(game, options.explain, decks=decks)
        print(words)
        findings += found
    return _failing(findings, options.fail_on)


def _report(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    game = cardgen.load(options.game, project=project, language=options.language)
    if options.format == "json":
        print(cardgen.make_report(game, "json").decode("utf-8"), end="")
        return OK
    formats = (options.format,) if options.format else ("html", "pdf")
    output = Path(options.output) if options.output else None
    for path in cardgen.write_report(game, formats, project=project, output=output):
        _say(project.show(path))
    return OK


def _export(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name.replace("-", "_")) for name in cardgen.export_options()}
    with cardgen.ProgressBar(options.quiet) as progress:
        result = cardgen.export_to(
            cardgen.ExportOptions(
                game=options.game,
                to=options.to,
                components=tuple(options.component),
                players=options.players,
                low_ink=options.low_ink,
                settings={name: value for name, value in given.items() if value is not None},
                language=options.language,
                output=Path(options.output) if options.output else None,
            ),
            project=cardgen.Project.open(options.project),
            progress=progress,
        )
    _complain(result.findings)
    if not options.quiet:
        for file in result.changed:
            _say(f"{file.shown}  {_size(file.bytes)}")
        for name in result.removed:
            _say(f"{name}  removed")
        same = len(result.files) - len(result.changed)
        print(f"{_plural(len(result.changed), 'file')} written, {same} up to date, {result.seconds:.2f} s")
        _say(f"contrast and rules are not judged here: cardgen check {options.game}")
    return OK


def _list(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    if options.language and not options.game:
        raise cardgen.UsageError("--language is for one game")
    if options.game:
        entry = cardgen.list_game(cardgen.load(options.game, project=project, language=options.language))
        entries = [entry]
        content: Any = entry
    else:
        content = entries = cardgen.list_games(project)
    if options.format == "json":
        _print_json(content)
        return OK
    for entry in entries:
        _say(f"{entry['game']}  {entry['title']}, version {entry['version']}")
        for component in entry["components"]:
            trim = component["trim_mm"]
            size = f"{trim[0]:g}×{trim[1]:g} mm" if trim else "several sizes"
            _say(
                f"  {component['id']:<16} {component['kind']:<6} {size:<18} "
                f"{component['unique']} distinct, {component['copies']} in all"
            )
        for sheet in entry["sheets"]:
            _say(f"  --sheet {sheet['name']:<12} {', '.join(sheet['components'])}")
        for state in entry.get("languages", ()):
            _say(f"  --language {state['language']:<9} {cardgen.LanguageState.in_words(state)}")
        for deck in entry.get("decks", ()):
            _say(
                f"  --deck {deck['id']:<13} {deck['title']}: {deck['unique']} distinct, "
                f"{deck['copies']} in all"
            )
    return OK


def _proof(options: argparse.Namespace) -> int:
    paths = cardgen.proof(
        options.game,
        options.card,
        component=options.component,
        project=cardgen.Project.open(options.project),
        dpi=options.dpi,
        bleed=options.bleed,
        low_ink=options.low_ink,
        language=options.language,
        output=Path(options.output) if options.output else None,
    )
    for path in paths:
        _say(str(path))
    return OK


def _preview(options: argparse.Namespace) -> int:
    def started(game: str, address: str) -> None:
        _say(f"{game}: {address}")
        print("it follows your edits; Ctrl-C ends it", flush=True)

    names = ("game", "port", "language", "low_ink", "poll", "open")
    asked = cardgen.PreviewOptions(**{name: getattr(options, name) for name in names})
    cardgen.serve(asked, project=cardgen.Project.open(options.project), started=started)
    return OK


def _reference(options: argparse.Namespace) -> int:
    if options.output and len(options.games) > 1:
        raise cardgen.UsageError("--output FILE is for the reference of one game")
    project = cardgen.Project.open(options.project)
    output = Path(options.output) if options.output else None
    code = OK
    for name in options.games:
        game = cardgen.load(name, project=project, language=options.language)
        if not options.check:
            _say(str(cardgen.write_reference(game, project, output)))
        elif problem := cardgen.reference_problem(game, project, output):
            more = f" --language {options.language}" if options.language else ""
            _say(f"{problem}; run: cardgen reference {name}{more}", sys.stderr)
            code = FINDINGS
        else:
            _say(f"{name}: the card reference is up to date")
    return code


def _translate(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    check = options.check
    states = cardgen.translate(
        options.game, options.language, project=project, write=not check, measure=check
    )
    if options.format == "json":
        _print_json([{**state.plain(), "findings": _as_plain(state.findings)} for state in states])
    elif not states:
        _say(f"{options.game} states no languages: in game.yaml, languages: {{de: {{}}}}")
    for state in states if options.format == "text" else ():
        wrote = "" if check else "written, " if state.changed else "up to date, "
        _say(f"{state.file}: {wrote}{cardgen.LanguageState.in_words(state.plain())}")
        if state.findings:
            print(cardgen.report_findings(state.findings, "text"))
    return FINDINGS if check and not all(state.is_whole for state in states) else OK


def _new(options: argparse.Namespace) -> int:
    folder = cardgen.new_project(options.name, Path(options.project or "."))
    _say(f"{folder}: a new project; next:")
    _say(f"  cd {folder.name} && cardgen build {options.name}")
    return OK


def _font(options: argparse.Namespace) -> int:
    font = cardgen.add_font(
        Path(options.file),
        cardgen.Project.open(options.project),
        family=options.family,
        licence=options.licence,
        face=options.face,
        weight=options.weight,
    )
    style = "italic" if font.italic else "upright"
    _say(f"{font.file}: {font.family}, {font.weight} {style}, {font.licence or 'licence not known'}")
    _say("put the text of its licence beside it; templates name it so: " + f'font-family="{font.family}"')
    return OK


def _calibrate(options: argparse.Namespace) -> int:
    if options.read:
        if not options.printer:
            raise cardgen.UsageError("--read needs --printer NAME to store the readings under")
        profile = cardgen.store_calibration(
            options.printer, tuple(options.read), paper=options.paper, landscape=options.landscape
        )
        _say(f"stored: {profile}")
        return OK
    path = cardgen.calibrate(
        paper=options.paper,
        duplex=options.duplex,
        landscape=options.landscape,
        project=cardgen.Project.open(options.project),
        output=Path(options.output) if options.output else None,
    )
    _say(str(path))
    print("Print it on both sides at 100 %, hold it against the light, then type what you read:")
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2")
    return OK


def _doctor(options: argparse.Namespace) -> int:
    checks = cardgen.doctor()
    for check in checks:
        _say(f"{'ok ' if check.ok else 'NO '} {check.name}: {check.detail}")
        if not check.ok and check.remedy:
            _say(f"     {check.remedy}")
    return OK if all(check.ok for check in checks) else FINDINGS


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "build": _build,
    "watch": _watch,
    "check": _check,
    "report": _report,
    "export": _export,
    "list": _list,
    "diff": _diff,
    "proof": _proof,
    "preview": _preview,
    "reference": _reference,
    "translate": _translate,
    "new": _new,
    "font": _font,
    "calibrate": _calibrate,
    "doctor": _doctor,
}
