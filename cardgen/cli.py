"""The command line: arguments to options, options to the library, results to print and an exit code.

The only module that prints. It uses nothing but `import cardgen`. Exit codes: 0 done, 1 findings or a
failed output, 2 misuse.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cardgen

OK, FINDINGS, MISUSE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    _utf8_streams()
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except cardgen.UsageError as error:
        _complain(error.findings)
        return MISUSE
    except cardgen.CardgenError as error:
        _complain(error.findings)
        return FINDINGS
    except BrokenPipeError:
        # The reader went away (`cardgen list | head`); that is its right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINDINGS
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _utf8_streams() -> None:
    """Card names are not ASCII, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _complain(findings: Sequence[cardgen.Finding]) -> None:
    if findings:
        print(cardgen.report_findings(findings, "text"), file=sys.stderr)


# ---------------------------------------------------------------- options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cardgen", description="Tabletop games from YAML: checked, drawn and laid out for print."
    )
    parser.add_argument("--version", action="version", version=f"cardgen {cardgen.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    build = _command(commands, "build", _build, "write a game's sheets as PDF")
    build.add_argument("game", metavar="GAME")
    build.add_argument(
        "--sheet", action="append", default=[], metavar="NAME", help="only this sheet; may be given again"
    )
    _selection_options(build)
    build.add_argument("--paper", default="letter", metavar="NAME", help="letter (default), a4, …")
    build.add_argument(
        "--duplex",
        choices=("long-edge", "short-edge", "fold", "none"),
        help="how backs meet faces (default: what the sheet says)",
    )
    build.add_argument("--no-backs", action="store_true", help="faces only")
    build.add_argument("--low-ink", action="store_true", help="the game's light variant")
    build.add_argument("--printer", metavar="NAME", help="shift backs as measured by `cardgen calibrate`")
    _output_option(build)
    build.add_argument("--quiet", action="store_true", help="print errors only")

    check = _command(commands, "check", _check, "judge data, templates, text fit and rules")
    check.add_argument("games", nargs="+", metavar="GAME")
    check.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif", "junit"),
        default="text",
        help="github: annotations in a workflow; sarif, junit: files for code hosts and build servers",
    )
    check.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="the least severity that fails"
    )
    check.add_argument(
        "--rule", action="append", default=[], metavar="ID", help="only this composition rule; repeatable"
    )
    check.add_argument(
        "--explain", metavar="RULE", help="say what a rule asks, why, what it looked at and what came out"
    )

    report = _command(
        commands, "report", _report, "rules, figures and the deck list as a page (HTML) and a PDF"
    )
    report.add_argument("game", metavar="GAME")
    report.add_argument(
        "--format", choices=("html", "pdf", "json"), help="only this one; json goes to standard output"
    )
    _output_option(report)

    targets = "\n".join(f"  {name:<10} {each.summary}" for name, each in cardgen.exporters().items())
    about = "write a game's pieces for other programs and services"
    export = _command(commands, "export", _export, about, f"targets of --to:\n{targets}")
    export.add_argument("game", metavar="GAME")
    export.add_argument("--to", required=True, metavar="NAME", help="one of the targets below")
    _selection_options(export, cards=False)
    export.add_argument("--low-ink", action="store_true", help="the game's light variant")
    _output_option(export)
    export.add_argument("--quiet", action="store_true", help="print errors only")
    for name, option in cardgen.export_options().items():
        export.add_argument(f"--{name}", **option.argument)

    listing = _command(commands, "list", _list, "what a game, or every game, consists of")
    listing.add_argument("game", nargs="?", metavar="GAME")
    listing.add_argument("--format", choices=("text", "json"), default="text")

    proof = _command(commands, "proof", _proof, "one card, both sides, as PNG")
    proof.add_argument("game", metavar="GAME")
    proof.add_argument("card", metavar="CARD")
    proof.add_argument("--component", metavar="ID", help="where two components share the card's id")
    proof.add_argument("--dpi", type=int, default=300, metavar="N")
    proof.add_argument("--bleed", action="store_true", help="show the bleed too")
    proof.add_argument("--low-ink", action="store_true")
    _output_option(proof)

    reference = _command(
        commands, "reference", _reference, "write a game's card reference, GAME_CARDS.md, beside its data"
    )
    reference.add_argument("games", nargs="+", metavar="GAME")
    reference.add_argument(
        "--check", action="store_true", help="write nothing; fail if the file is missing or out of date"
    )
    reference.add_argument("--output", metavar="FILE", help="another place for the reference of one game")

    new = _command(commands, "new", _new, "start a project with one small working game")
    new.add_argument("name", metavar="NAME", help="lower-case words joined by '-'")

    calibrate = _command(
        commands, "calibrate", _calibrate, "measure how far a printer's backs are off, and remember it"
    )
    calibrate.add_argument("--paper", default="letter", metavar="NAME")
    calibrate.add_argument("--duplex", choices=("long-edge", "short-edge"), default="long-edge")
    calibrate.add_argument("--landscape", action="store_true", help="for landscape pages")
    calibrate.add_argument("--printer", metavar="NAME", help="store readings under this name")
    calibrate.add_argument(
        "--read",
        nargs=4,
        type=float,
        metavar=("X1", "Y1", "X2", "Y2"),
        help="the millimetres read at the two crosses of the printed page",
    )
    _output_option(calibrate)

    _command(commands, "doctor", _doctor, "whether this machine has what cardgen needs")
    return parser


def _command(commands: Any, name: str, run: Any, help: str, more: str = "") -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=help, epilog=more, formatter_class=form
    )
    parser.set_defaults(run=run)
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the current one)")
    return parser


def _output_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="DIR", help="where files go (default: the project's output/)")


def _selection_options(parser: argparse.ArgumentParser, *, cards: bool = True) -> None:
    parser.add_argument(
        "--component", action="append", default=[], metavar="ID", help="only this component; repeatable"
    )
    if cards:
        parser.add_argument(
            "--card", action="append", default=[], metavar="ID", help="only this card; repeatable"
        )
    parser.add_argument("--players", type=int, metavar="N", help="copies for this many players")


# ---------------------------------------------------------------- commands


def _build(options: argparse.Namespace) -> int:
    with _Progress(options.quiet) as progress:
        result = cardgen.build(
            cardgen.BuildOptions(
                game=options.game,
                sheets=tuple(options.sheet),
                components=tuple(options.component),
                cards=tuple(options.card),
                players=options.players,
                paper=options.paper,
                duplex=options.duplex,
                backs=not options.no_backs,
                low_ink=options.low_ink,
                printer=options.printer,
                output=Path(options.output) if options.output else None,
            ),
            project=cardgen.Project.open(options.project),
            progress=progress,
        )
    _complain(result.findings)
    if not options.quiet:
        for file in result.files:
            print(_written(file))
        if result.up_to_date:
            print(f"up to date, {result.seconds:.2f} s")
        else:
            print(f"done, {result.seconds:.2f} s")
    return OK


def _written(file: cardgen.OutputFile) -> str:
    cards = f"{_plural(file.cards, 'card')}, " if file.cards else ""
    return f"{file.shown}  {_plural(file.pages, 'page')}, {cards}{_size(file.bytes)}, {file.seconds:.2f} s"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _size(count: int) -> str:
    if count < 100_000:
        return f"{count / 1000:.1f} kB"
    return f"{count / 1_000_000:.2f} MB"


class _Progress:
    """A bar on a terminal, a plain line a step elsewhere, nothing when quiet."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: Any = None
        self.step = ""

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def __call__(self, step: str, done: int, total: int) -> None:
        if self.quiet:
            return
        if not sys.stderr.isatty():
            if step != self.step:
                print(f"{step} …", file=sys.stderr)
            self.step = step
            return
        if step != self.step:
            self._close()
            from tqdm import tqdm

            self.bar = tqdm(total=total, desc=step, leave=False, file=sys.stderr)
            self.step = step
        self.bar.update(done - self.bar.n)

    def _close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _check(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    if options.explain:
        return _explain(options, project)
    findings: list[cardgen.Finding] = []
    passed: list[str] = []
    for name in options.games:
        try:
            found = cardgen.examine(cardgen.load(name, project=project), options.rule)
        except cardgen.UsageError:
            raise
        except cardgen.CardgenError as error:
            findings += error.findings
        else:
            findings += found.findings
            passed += found.passed
    folder = project.show(project.root)
    text = cardgen.report_findings(findings, options.format, passed=passed, folder=folder)
    print(text or "no findings")
    return _verdict(options, findings)


def _verdict(options: argparse.Namespace, findings: Sequence[cardgen.Finding]) -> int:
    failing = {cardgen.Severity.ERROR, cardgen.Severity(options.fail_on)}
    return FINDINGS if any(finding.severity in failing for finding in findings) else OK


def _explain(options: argparse.Namespace, project: cardgen.Project) -> int:
    findings: list[cardgen.Finding] = []
    for name in options.games:
        words, found = cardgen.explain_rule(cardgen.load(name, project=project), options.explain)
        print(words)
        findings += found
    return _verdict(options, findings)


def _report(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    game = cardgen.load(options.game, project=project)
    if options.format == "json":
        print(cardgen.make_report(game, "json").decode("utf-8"), end="")
        return OK
    formats = (options.format,) if options.format else ("html", "pdf")
    output = Path(options.output) if options.output else None
    for path in cardgen.write_report(game, formats, project=project, output=output):
        print(project.show(path))
    return OK


def _export(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name.replace("-", "_")) for name in cardgen.export_options()}
    with _Progress(options.quiet) as progress:
        result = cardgen.export_to(
            cardgen.ExportOptions(
                game=options.game,
                to=options.to,
                components=tuple(options.component),
                players=options.players,
                low_ink=options.low_ink,
                settings={name: value for name, value in given.items() if value is not None},
                output=Path(options.output) if options.output else None,
            ),
            project=cardgen.Project.open(options.project),
            progress=progress,
        )
    _complain(result.findings)
    if not options.quiet:
        for file in result.changed:
            print(f"{file.shown}  {_size(file.bytes)}")
        for name in result.removed:
            print(f"{name}  removed")
        same = len(result.files) - len(result.changed)
        print(f"{_plural(len(result.changed), 'file')} written, {same} up to date, {result.seconds:.2f} s")
    return OK


def _list(options: argparse.Namespace) -> int:
    project = cardgen.Project.open(options.project)
    if options.game:
        entry = cardgen.list_game(cardgen.load(options.game, project=project))
        entries = [entry]
        content: Any = entry
    else:
        content = entries = cardgen.list_games(project)
    if options.format == "json":
        print(json.dumps(content, ensure_ascii=False, indent=2))
        return OK
    for entry in entries:
        print(f"{entry['game']}  {entry['title']}, version {entry['version']}")
        for component in entry["components"]:
            trim = component["trim_mm"]
            size = f"{trim[0]:g}×{trim[1]:g} mm" if trim else "several sizes"
            print(
                f"  {component['id']:<16} {component['kind']:<6} {size:<18} "
                f"{component['unique']} distinct, {component['copies']} in all"
            )
        for sheet in entry["sheets"]:
            print(f"  --sheet {sheet['name']:<12} {', '.join(sheet['components'])}")
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
        output=Path(options.output) if options.output else None,
    )
    for path in paths:
        print(path)
    return OK


def _reference(options: argparse.Namespace) -> int:
    if options.output and len(options.games) > 1:
        raise cardgen.UsageError("--output FILE is for the reference of one game")
    project = cardgen.Project.open(options.project)
    output = Path(options.output) if options.output else None
    code = OK
    for name in options.games:
        game = cardgen.load(name, project=project)
        if not options.check:
            print(cardgen.write_reference(game, project, output))
        elif problem := cardgen.reference_problem(game, project, output):
            print(f"{problem}; run: cardgen reference {name}", file=sys.stderr)
            code = FINDINGS
        else:
            print(f"{name}: the card reference is up to date")
    return code


def _new(options: argparse.Namespace) -> int:
    folder = cardgen.new_project(options.name, Path(options.project) if options.project else Path.cwd())
    print(f"{folder}: a new project; next:")
    print(f"  cd {folder.name} && cardgen build {options.name}")
    return OK


def _calibrate(options: argparse.Namespace) -> int:
    if options.read:
        if not options.printer:
            raise cardgen.UsageError("--read needs --printer NAME to store the readings under")
        profile = cardgen.store_calibration(
            options.printer, tuple(options.read), paper=options.paper, landscape=options.landscape
        )
        print(f"stored: {profile}")
        return OK
    path = cardgen.calibrate(
        paper=options.paper,
        duplex=options.duplex,
        landscape=options.landscape,
        project=cardgen.Project.open(options.project),
        output=Path(options.output) if options.output else None,
    )
    print(path)
    print("Print it on both sides at 100 %, hold it against the light, then type what you read:")
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2")
    return OK


def _doctor(options: argparse.Namespace) -> int:
    checks = cardgen.doctor()
    for check in checks:
        print(f"{'ok ' if check.ok else 'NO '} {check.name}: {check.detail}")
        if not check.ok and check.remedy:
            print(f"     {check.remedy}")
    return OK if all(check.ok for check in checks) else FINDINGS
