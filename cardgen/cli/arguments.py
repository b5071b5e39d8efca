"""The commands of `commands.json`, the parser of the command line, and options that commands share."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module

import cardgen
from cardgen.core.findings import did_you_mean
from cardgen.core.records import fields
from cardgen.core.terminal import columns, shown

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, NoReturn, TypeVar

    Options = TypeVar("Options")

_EXCLUDING = re.compile(r"argument (.+): not allowed with argument (.+)")
_MANY = 8
"""Choices of an option that a hint lists, at most."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


class Parser(argparse.ArgumentParser):
    """A parser whose errors suggest the nearest name."""

    near: str | None = None

    def error(self, message: str) -> NoReturn:
        if both := _EXCLUDING.fullmatch(message):
            message, self.near = f"{both[1]} and {both[2]} can't be combined", "remove one"
        hint = f"\n  hint: {shown(self.near)}" if self.near else ""
        super().error(shown(message) + hint)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            choices = [str(each) for each in action.choices or ()]
            listed = f"use one of: {', '.join(choices)}"
            if len(choices) > _MANY:
                listed = f"list them: {self.prog} --help"
            self.near = did_you_mean(str(value), choices) or listed
            raise

    def unknown(self, words: Sequence[str]) -> NoReturn:
        """Refuse unknown words, and suggest an option like the first unknown one."""
        for word in words:
            if word.startswith("--"):
                known = [name for name in self._option_string_actions if name.startswith("--")]
                self.near = did_you_mean(word.partition("=")[0], known)
                break
        self.error(f"unrecognized arguments: {' '.join(words)}")


class Command(Parser):
    """A command's parser. `more` returns the end of its help, and is called only for help because it may
    read files of the project."""

    words: Sequence[str] = ()
    """The command line, of a command whose options depend on it."""
    more: Callable[[], str] | None = None
    mixing = False

    @property
    def asks_for_help(self) -> bool:
        """Return True if the command line asks for help."""
        return not _HELP.isdisjoint(self.words)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Accept names and options in any order, so that an option can precede an optional name; refuse
        unknown words."""
        if self.mixing:
            return super().parse_known_args(args, namespace)
        self.mixing = True
        try:
            given, left = self.parse_known_intermixed_args(args, namespace)
        finally:
            self.mixing = False
        if left:
            self.unknown(left)
        return given, []

    def format_help(self) -> str:
        if self.more is not None:
            self.epilog = self.more()
        return super().format_help()


def chosen(given: argparse.Namespace, kind: type[Options], **more: Any) -> Options:
    """Return the options of a command by their names in the command line, with `more` of them."""
    named = {each.name: getattr(given, each.name, None) for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**({name: value for name, value in named.items() if value is not None} | more))


def press_asked(given: argparse.Namespace) -> cardgen.PressOptions | None:
    """Return the requested press. Raises UsageError."""
    standard = getattr(given, "standard", None)
    flags = {name: getattr(given, name, False) for name in ("no_overprint", "black_images")}
    if given.inks != "cmyk":
        options = {"--profile": given.profile, "--ink-limit": given.ink_limit, "--standard": standard}
        options |= {f"--{name.replace('_', '-')}": value or None for name, value in flags.items()}
        for option, value in options.items():
            if value is not None:
                raise cardgen.UsageError(f"{option} needs --inks cmyk", "add --inks cmyk")
        return None
    over, black = not flags["no_overprint"], flags["black_images"]
    return cardgen.PressOptions(given.profile or None, given.ink_limit, standard, over, black)


with open(os.path.join(os.path.dirname(__file__), "commands.json"), encoding="utf-8") as _file:
    _TABLE = json.load(_file)
_COMMANDS: dict[str, dict[str, Any]] = _TABLE["commands"]
"""Commands in the order of the help. An option is what argparse takes, or null for the shared one of its
name. `defaults` are options that `cardgen.yaml` sets. `sandbox` says whether a command that reads a game
can run sandboxed."""

COMMANDS: dict[str, str] = {name: about["summary"] for name, about in _COMMANDS.items()}
GROUPS: dict[str, dict[str, tuple[str, str]]] = {}
for _name, _about in _COMMANDS.items():
    GROUPS.setdefault(_about["group"], {})[_name] = (_about["example"], _about["summary"])
UNCONFINED = frozenset(name for name, about in _COMMANDS.items() if about.get("sandbox") is False)
"""Commands that read a game but can't run sandboxed: they don't end, or use the network."""
SANDBOXED = frozenset(name for name, about in _COMMANDS.items() if about.get("sandbox"))
"""Commands that read a game and can run sandboxed."""
DEFAULTS: dict[str, list[str]] = {name: about.get("defaults", []) for name, about in _COMMANDS.items()}
"""The options of each command whose defaults `cardgen.yaml` can set."""
LONG_LIVED = frozenset(name for name, about in _COMMANDS.items() if about.get("long_lived"))
"""Commands whose budget limits each job or build instead of the whole run."""


def _path(text: str) -> Path | None:
    from pathlib import Path

    return Path(text) if text else None


RENAMED = {
    "--against": "--since",
    "--changed-since": "--since",
    "--color": "--inks",
    "--licence": "--license",
}
"""Old names of options, which still work in this release."""
_HELP = frozenset(("-h", "--help"))
_DEPENDING = frozenset(("export",))
"""Commands whose options depend on other words."""
_TYPES = {"int": int, "float": float, "path": _path}


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line, with the command's name as `command`. Exits as argparse does:
    for help, the version and errors."""
    parser = parser_for(words)
    if not words:
        parser.print_help(sys.stderr)
        sys.exit(2)
    return parser.parse_args(words)


def with_new_names(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return a command line with the new names of options, and a map of its old ones to the new."""
    end = words.index("--") if "--" in words else len(words)
    old = [word.partition("=")[0] for word in words[:end]]
    renamed = {name: RENAMED[name] for name in old if name in RENAMED}
    current = [renamed.get(name, name) + word[len(name) :] for name, word in zip(old, words)]
    return [*current, *words[end:]], renamed


def parser_for(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for these words."""
    used = tuple(words) if not _HELP.isdisjoint(words) or not _DEPENDING.isdisjoint(words) else ()
    if words and (words[0] in COMMANDS or words[0] == "--version"):
        first = frozenset(words[:1])
        return _parser(first, used, first)
    return _parser(frozenset(COMMANDS.keys() & set(words)), used)


@cache
def _parser(
    named: frozenset[str], words: tuple[str, ...] = (), known: frozenset[str] = frozenset(COMMANDS)
) -> argparse.ArgumentParser:
    """Return a parser of the `known` commands with only the options of the `named` ones. `words` are the
    command line if they depend on it."""
    parser = Parser(
        prog="cardgen",
        usage="cardgen COMMAND [OPTIONS]",
        description="Turn card data and SVG templates into checked, print-ready tabletop games.",
        epilog=_overview(),
        formatter_class=_Formatter,
    )
    about = "print the version and exit"
    parser.add_argument("--version", action="version", version=f"cardgen {cardgen.__version__}", help=about)
    # The epilog lists the commands in groups, which argparse can't.
    commands = parser.add_subparsers(
        prog="cardgen", metavar="COMMAND", help=argparse.SUPPRESS, required=True, parser_class=Command
    )
    for name, about in COMMANDS.items():
        if name not in known:
            continue
        command = commands.add_parser(
            name,
            help=about,
            description=f"{about}\n\nexample: cardgen {_COMMANDS[name]['example']}",
            formatter_class=_Formatter,
        )
        command.words = words
        command.set_defaults(command=name)
        if name in named:
            _add_options(command, name)
    return parser


def _add_options(parser: Command, name: str) -> None:
    """Add the options of a command: those of the table, those that its module adds, the general ones."""
    stated = _COMMANDS[name]
    stated = _COMMANDS[stated.get("options_of", name)]
    if "one_of" in stated:
        required = stated.get("requires_one", False)
        _add(parser.add_mutually_exclusive_group(required=required), stated["one_of"])
    options = stated.get("options", {})
    _add(parser, options)
    for title, group in stated.get("groups", {}).items():
        _add(parser.add_argument_group(title), group)
    parser.set_defaults(finds_game=any(options.get(key, key) is None for key in ("game", "games")))
    more = function_of(name, "add_{}_options")
    if more is not None:
        more(parser)
    _add_general_options(parser, name)


def function_of(command: str, name: str = "run_{}") -> Callable[..., Any] | None:
    """Return the function of a command's module with that name, in which `{}` is the command's."""
    module = import_module(f"cardgen.cli.{_COMMANDS[command]['module']}")
    found: Callable[..., Any] | None = getattr(module, name.format(command), None)
    return found


def _add(parser: argparse._ActionsContainer, options: Mapping[str, Mapping[str, Any] | None]) -> None:
    for names, entry in options.items():
        settings = dict(_TABLE["shared"][names] if entry is None else entry)
        if "type" in settings:
            settings["type"] = _TYPES[settings["type"]]
        parser.add_argument(*names.split(", "), **settings)


def _overview() -> str:
    """Return the commands in their groups, and the address of the documentation."""
    lines = []
    for title, group in GROUPS.items():
        lines += [f"{title}:"]
        lines += [f"  cardgen {example:<22} {about}" for example, about in group.values()]
        lines += [""]
    lines += ["options of a command: cardgen COMMAND --help", f"documentation: {_documentation()}"]
    return "\n".join(lines)


def _documentation() -> str:
    """Return the README in the metadata of an installed package, or the documentation of a clone."""
    root = os.path.dirname(os.path.dirname(cardgen.__file__))
    readme = os.path.join(root, f"cardgen-{cardgen.__version__}.dist-info", "METADATA")
    return readme if os.path.isfile(readme) else os.path.join(root, "docs", "index.md")


def _add_general_options(parser: argparse.ArgumentParser, name: str) -> None:
    general = parser.add_argument_group("general options")
    about = (
        "create it in this folder (default: the current folder)"
        if name in ("new", "plugin")
        else "use this project (default: the current folder's project)"
    )
    general.add_argument("--project", metavar="DIR", help=about)
    about = "limit time, memory and written files (default: 10min,4GB,files=2GB)"
    general.add_argument("--budget", metavar="BUDGET", help=about)
    about = "load these packages' plug-ins alone (default: all, sandboxed none)"
    general.add_argument("--plugins", metavar="PACKAGES", help=about)
    if name in SANDBOXED | UNCONFINED:
        about = "trust this game (default: games of others run sandboxed)"
        general.add_argument("--no-sandbox", action="store_true", help=about)
    if name in SANDBOXED:
        about = "run in a sandbox, or stop if the system lacks one"
        general.add_argument("--sandboxed", action="store_true", help=about)
        # An option with an optional value would take the next word, so the long form is an option too.
        general.add_argument(
            "--sandboxed=strict", dest="sandboxed", action="store_true", help=argparse.SUPPRESS
        )
