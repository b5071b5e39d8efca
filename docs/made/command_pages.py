"""The page of the command line, made from the very parsers that read it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from cardgen.cli import arguments


def page() -> str:
    """Every command with its options, as Markdown."""
    lines = [
        "# Command line",
        "",
        "`cardgen COMMAND --help` says the same in the terminal. Exit codes: 0 done, 1 findings, 2 a wrong",
        "name or option, 130 stopped by you.",
        "",
        "| command | does |",
        "|---|---|",
    ]
    lines += [
        f"| [`cardgen {name}`](#{name}) | {_escaped(about)} |" for name, about in arguments.COMMANDS.items()
    ]
    for name, parser in parsers().items():
        lines += ["", f"## cardgen {name} {{ #{name} }}", "", *_told(parser)]
    return "\n".join(lines) + "\n"


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command, by its name, in the order of the help."""
    whole = arguments._parser(frozenset(arguments.COMMANDS))
    (commands,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    return {name: commands.choices[name] for name in arguments.COMMANDS}


def _told(parser: argparse.ArgumentParser) -> Iterator[str]:
    about = parser.description or ""
    yield f"{_escaped(about[:1].upper() + about[1:])}."
    yield from ("", "```text", _usage(parser), "```")
    rows = [row for action in parser._actions if (row := _row(action))]
    if rows:
        yield from ("", "| | |", "|---|---|", *rows)
    more = getattr(parser, "more", None)
    if epilog := (more() if more else parser.epilog):
        yield from ("", "```text", epilog.replace("%%", "%"), "```")


def _usage(parser: argparse.ArgumentParser) -> str:
    """The first lines of the help, as wide as a page, whatever the terminal is."""
    formatter = argparse.HelpFormatter(parser.prog, width=96)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, prefix="")
    return formatter.format_help().strip()


def _row(action: argparse.Action) -> str:
    """A line of the table: how an argument is written, and what it does."""
    if action.help == argparse.SUPPRESS or isinstance(action, argparse._HelpAction):
        return ""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices is not None and not metavar:
        metavar = "|".join(map(str, action.choices))
    if action.option_strings:
        words = ", ".join(f"{option} {metavar}".strip() for option in action.option_strings)
    else:
        words = metavar or action.dest
    help = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    return f"| `{words.replace('|', '&#124;')}` | {_escaped(help)} |"


def _escaped(text: str) -> str:
    """Plain text in a cell of a table; what is code in it stays so."""
    pieces = text.split("`")
    for index in range(0, len(pieces), 2):
        pieces[index] = re.sub(r"[\\*_<>|\[\]#~]", lambda match: f"&#{ord(match[0])};", pieces[index])
    return "`".join(pieces).replace("\n", " ")
