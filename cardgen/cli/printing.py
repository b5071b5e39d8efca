"""The commands that write and show sheets, exports and pictures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import cardgen
from cardgen.cli.arguments import Command, chosen, press_asked
from cardgen.cli.saying import OK, complain, exit_code, held_to, say, size
from cardgen.core.budget import Budget
from cardgen.core.findings import plural
from cardgen.core.progress import ProgressBar
from cardgen.core.terminal import shown

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from cardgen.commands.production.choices import OutputFile


def run_build(given: argparse.Namespace) -> int:
    """`cardgen build`: write print-ready PDF sheets."""
    from cardgen.commands.build.many import build_games

    order, project = _build_asked(given), cardgen.Project.open(given.project)
    games = _all_games(given, project) if given.all else [given.game]
    if given.cluster is not None and given.jobs != 1 and not given.all:
        message = "--jobs and --cluster can't be combined for one game"
        raise cardgen.UsageError(message, "remove one")
    with ProgressBar(given.quiet) as progress:
        built = build_games(
            order, games, project, jobs=given.jobs, cluster=given.cluster, progress=progress
        )
        results = dict(built)
    for result in results.values():
        if isinstance(result, cardgen.CardgenError) and not given.all:
            raise result
    findings: list[cardgen.Finding] = []
    for name, result in results.items():
        findings += result.findings
        complain(result.findings)
        if given.quiet or isinstance(result, cardgen.CardgenError):
            continue
        for file in result.files:
            say(_file_line(file))
        begins = f"{name}: " if given.all else ""
        say(f"{begins}{_outcome(result, 'done')}, {result.seconds:.2f} s")
        if not given.all:
            say(f"contrast and rules are not checked here: run cardgen check {given.game}")
    failed = [name for name, result in results.items() if isinstance(result, cardgen.CardgenError)]
    if failed:
        say(f"not built: {', '.join(failed)}", sys.stderr)
    return exit_code(findings, "error")


def _all_games(given: argparse.Namespace, project: cardgen.Project) -> list[str]:
    """Return the games of `--all`. Raises UsageError for options of one game."""
    of_one = {"GAME": given.game, "--sheet": given.sheet, "--component": given.component}
    of_one |= {"--card": given.card, "--deck": given.deck, "--players": given.players}
    if named := [option for option, value in of_one.items() if value]:
        raise cardgen.UsageError(
            f"--all builds every game, and {named[0]} is for one", f"remove {named[0]}"
        )
    return project.own_games() or [project.game_here()]


def _executor(given: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Return the requested processes or cluster. Raises UsageError."""
    from cardgen.commands.production.stamping import processes

    if given.cluster is None:
        return processes(given.jobs)
    if given.jobs != 1:
        raise cardgen.UsageError("--jobs and --cluster can't be combined", "remove one")
    return cardgen.cluster(given.cluster)


def _build_asked(given: argparse.Namespace) -> cardgen.BuildOptions:
    """Return the options of a build. Raises UsageError."""
    if not 1 <= given.jobs <= 256:
        raise cardgen.UsageError(f"--jobs {given.jobs} is not between 1 and 256")
    if given.image_dpi is not None and not 72 <= given.image_dpi <= 2400:
        raise cardgen.UsageError(f"--image-dpi {given.image_dpi} is not between 72 and 2400")
    return chosen(
        given,
        cardgen.BuildOptions,
        game=given.game or "",
        sheets=tuple(given.sheet),
        components=tuple(given.component),
        cards=tuple(given.card),
        backs=not given.no_backs,
        press=press_asked(given),
        cut=tuple(dict.fromkeys(given.cut)),
    )


def _outcome(result: cardgen.BuildResult, done: str) -> str:
    if not result.files:
        return "no card has changed since then, so nothing is written"
    return "up to date" if result.up_to_date else done


def _file_line(file: OutputFile) -> str:
    cards = f"{plural(file.cards, 'card')}, " if file.cards else ""
    return f"{file.shown}  {plural(file.pages, 'page')}, {cards}{size(file.bytes)}, {file.seconds:.2f} s"


def run_watch(given: argparse.Namespace) -> int:
    """`cardgen watch`: build again whenever you save a file."""
    from cardgen.commands.build.watch import watch

    if given.all:
        raise cardgen.UsageError("`cardgen watch` builds one game", "remove --all")
    order, project = _build_asked(given), cardgen.Project.open(given.project)
    held = partial(held_to, Budget.stated(given.budget))
    said: set[cardgen.Finding] = set()
    with ProgressBar(quiet=True) as progress, _executor(given) as executor:
        for each in watch(order, project=project, progress=progress, executor=executor, held=held):
            # Errors are repeated each time; warnings and notes are printed once.
            complain([one for one in each.findings if one.severity == "error" or one not in said])
            said = set(each.findings)
            if each.result is None:
                say(f"{given.game}: not built, {each.seconds:.2f} s; waiting for the next save")
            elif not given.quiet:
                pages = sum(file.pages for file in each.result.files)
                done = f"{plural(len(each.result.files), 'file')}, {plural(pages, 'page')}"
                say(f"{given.game}: {_outcome(each.result, done)}, {each.seconds:.2f} s")
            sys.stdout.flush()
    return OK


def add_export_options(parser: Command) -> None:
    """Add the options of the requested target, or of all of them."""
    from cardgen.commands.build.export import export_options, options_of

    target = _target_asked(parser.words)
    known = export_options(target)
    exporter = cardgen.exporters().get(target) if target and parser.asks_for_help else None
    if exporter is None:
        groups: dict[str, Sequence[str]] = dict(_options_by_target())
        if own := [name for name in known if name not in export_options()]:
            groups[target] = own
        parser.more = _list_targets
    else:
        groups = {target: options_of(target)}
        summary = shown(exporter.summary)
        parser.description = _literal(f"{summary}\n\nexample: cardgen export demo --to {target}")
    for targets, names in groups.items():
        group = parser.add_argument_group(f"options of {targets}")
        for name in names:
            group.add_argument(f"--{name}", **known[name].argument)


def _target_asked(words: Sequence[str]) -> str:
    """Return the target in a command line, or an empty string."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--to", nargs="?", const="", default="")
    return str(parser.parse_known_args(words)[0].to)


def _options_by_target() -> dict[str, list[str]]:
    """Return the names of all options, by the targets that take them."""
    from cardgen.commands.build.export import export_options

    groups: dict[str, list[str]] = {}
    for name, option in export_options().items():
        groups.setdefault(", ".join(option.targets), []).append(name)
    return groups


def _list_targets() -> str:
    entries = cardgen.exporters().items()
    lines = (shown(f"  {name:<15} {each.summary}") for name, each in entries)
    hint = "options of one target: cardgen export --to TARGET --help"
    return _literal("\n".join(("targets:", *lines, "", hint)))


def _literal(text: str) -> str:
    """Return text that argparse prints literally. It replaces `%(prog)s`, and then fails at any other %."""
    return text.replace("%", "%%") if "%(prog)" in text else text


def run_export(given: argparse.Namespace) -> int:
    """`cardgen export`: write files for other programs and services."""
    from cardgen.commands.build.export import export_options

    settings = {name: getattr(given, name.replace("-", "_"), None) for name in export_options(given.to)}
    asked = chosen(
        given,
        cardgen.ExportOptions,
        components=tuple(given.component),
        settings={name: value for name, value in settings.items() if value is not None},
    )
    with ProgressBar(given.quiet) as progress:
        result = cardgen.export_to(asked, project=cardgen.Project.open(given.project), progress=progress)
    complain(result.findings)
    if not given.quiet:
        for file in result.changed:
            say(f"{file.shown}  {size(file.bytes)}")
        for name in result.removed:
            say(f"{name}  removed")
        same = len(result.files) - len(result.changed)
        print(f"{plural(len(result.changed), 'file')} written, {same} up to date, {result.seconds:.2f} s")
        say(f"contrast and rules are not checked here: run cardgen check {given.game}")
    return OK


def run_proof(given: argparse.Namespace) -> int:
    """`cardgen proof`: draw both sides of a card as PNG."""
    if given.paper_white and given.inks != "cmyk":
        raise cardgen.UsageError("--paper-white needs --inks cmyk", "add --inks cmyk")
    project = cardgen.Project.open(given.project)
    with ProgressBar():
        paths = cardgen.proof(
            given.game,
            given.card,
            component=given.component,
            project=project,
            dpi=given.dpi,
            bleed=given.bleed,
            low_ink=given.low_ink,
            language=given.language,
            press=press_asked(given),
            paper_white=given.paper_white,
            drift=given.drift,
            output=given.output,
        )
    for path in paths:
        say(project.show(path))
    return OK


def run_calibrate(given: argparse.Namespace) -> int:
    """`cardgen calibrate`: measure and store a printer's back offset."""
    from cardgen.commands.build.proofs import calibrate, store_calibration
    from cardgen.commands.production.choices import DEFAULT_PAPER

    measured = {"--read": given.read, "--margin": given.margin, "--rotation": given.rotation}
    stated = [name for name, value in measured.items() if value is not None]
    if stated:
        if not given.printer:
            raise cardgen.UsageError(f"{stated[0]} needs a name to store it under", "add --printer NAME")
        if given.read is not None and len(given.read) not in (4, 6):
            raise cardgen.UsageError(
                f"--read takes four numbers or six, not {len(given.read)}",
                "enter x and y of targets 1 and 2, and optionally of 3: --read X1 Y1 X2 Y2 X3 Y3",
            )
        profile = store_calibration(
            given.printer,
            None if given.read is None else tuple(given.read),
            margin=given.margin,
            rotation=given.rotation,
            paper=given.paper or DEFAULT_PAPER,
            landscape=given.landscape,
        )
        say(f"stored: {profile}")
        return OK
    project = cardgen.Project.open(given.project)
    path = calibrate(
        paper=given.paper or DEFAULT_PAPER,
        duplex=given.duplex,
        landscape=given.landscape,
        project=project,
        output=given.output,
    )
    say(project.show(path))
    print("Print it on both sides at 100 %, hold it against the light, then type what you read:")
    print("  cardgen calibrate --printer NAME --read X1 Y1 X2 Y2 X3 Y3 --margin MM")
    return OK


def run_preview(given: argparse.Namespace) -> int:
    """`cardgen preview`: show a game in the browser as you edit it."""
    from cardgen.workbench.server.serving import PreviewOptions, serve

    progress = ProgressBar()

    def started(game: str | None, address: str) -> None:
        progress.close()
        say(f"{game or 'start a game'}: {address}")
        print("it follows your edits; Ctrl-C ends it", flush=True)

    with progress:
        progress("starting", 0, 0)
        serve(chosen(given, PreviewOptions), project=cardgen.Project.open(given.project), started=started)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(OK)  # threads may still be laying out or drawing for nobody
