"""`cardgen export`: write files for other programs and services."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import cardgen
from cardgen.cli.arguments import Command, chosen
from cardgen.cli.saying import OK, complain, say, size
from cardgen.core.findings import plural
from cardgen.core.progress import ProgressBar
from cardgen.core.terminal import shown


def add_options(parser: Command) -> None:
    """Add the options of the requested target, or of all of them."""
    from cardgen.commands.build.export import export_options, options_of

    target = _target(parser.words)
    exporter = cardgen.exporters().get(target) if target else None
    if exporter is None:
        groups: Mapping[str, Sequence[str]] = _options_by_target()
        parser.more = _targets
    else:
        groups = {target: options_of(target)}
        summary = shown(exporter.summary)
        parser.description = _literal(f"{summary}\n\nexample: cardgen export demo --to {target}")
    known = export_options()
    for targets, names in groups.items():
        group = parser.add_argument_group(f"options of {targets}")
        for name in names:
            group.add_argument(f"--{name}", **known[name].argument)


def _target(words: Sequence[str]) -> str:
    """Return the target in a command line that requests help, or an empty string."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--to", nargs="?", const="", default="")
    return str(parser.parse_known_args(words)[0].to)


def _options_by_target() -> dict[str, list[str]]:
    """Return the names of all options, by the targets that take them."""
    from cardgen.commands.build.export import export_options

    groups: dict[str, list[str]] = {}
    for name, option in export_options().items():
        groups.setdefault(", ".join(option.targets), []).append(name)
    return groups


def _targets() -> str:
    entries = cardgen.exporters().items()
    lines = (shown(f"  {name:<15} {each.summary}") for name, each in entries)
    hint = "options of one target: cardgen export --to TARGET --help"
    return _literal("\n".join(("targets:", *lines, "", hint)))


def _literal(text: str) -> str:
    """Return text that argparse prints literally. It replaces `%(prog)s`, and then fails at any other %."""
    return text.replace("%", "%%") if "%(prog)" in text else text


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.build.export import export_options

    settings = {name: getattr(given, name.replace("-", "_")) for name in export_options()}
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
