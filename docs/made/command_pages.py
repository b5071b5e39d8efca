"""The page of the command line, made from its parsers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from cardgen.cli import arguments


def page() -> str:
    """Return every command with its options as Markdown."""
    lines = [
        "# Command line",
        "",
        "`cardgen COMMAND --help` prints the same text. Exit codes: 0 done, 1 findings, 2 a wrong name or",
        "option, 130 stopped by you.",
    ]
    for title, group in arguments.GROUPS.items():
        lines += ["", f"**{title.capitalize()}**", "", "| command | purpose | example |", "|---|---|---|"]
        lines += [
            f"| [`cardgen {name}`](#{name}) | {_escaped(about)} | `cardgen {example}` |"
            for name, (example, about) in group.items()
        ]
    for name, parser in parsers().items():
        about = arguments.COMMANDS[name]
        lines += ["", f"## cardgen {name} {{ #{name} }}", "", f"{_escaped(about[0].upper() + about[1:])}."]
        lines += _content(parser)
    return "\n".join(lines) + "\n"


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command by its name, in the order of the help."""
    whole = arguments._parser(frozenset(arguments.COMMANDS))
    (commands,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    return {name: commands.choices[name] for name in arguments.COMMANDS}


def _content(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the usage, a table for each group of options, and the end of the help."""
    yield from ("", "```text", _usage(parser), "```")
    for group in parser._action_groups:
        if rows := [row for action in group._group_actions if (row := _row(action))]:
            yield from ("", f"| {_escaped(str(group.title))} | |", "|---|---|", *rows)
    more = getattr(parser, "more", None)
    if epilog := (more() if more else parser.epilog):
        yield from ("", "```text", epilog.replace("%%", "%"), "```")


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return the first lines of the help, at a fixed width."""
    formatter = argparse.HelpFormatter(parser.prog, width=96)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, prefix="")
    return formatter.format_help().strip()


def _row(action: argparse.Action) -> str:
    """Return a row of the table: an argument and its help."""
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
    """Escape the plain text of a table cell, but not its code."""
    pieces = text.split("`")
    for index in range(0, len(pieces), 2):
        pieces[index] = re.sub(r"[\\*_<>|\[\]#~]", lambda match: f"&#{ord(match[0])};", pieces[index])
    return "`".join(pieces).replace("\n", " ")
