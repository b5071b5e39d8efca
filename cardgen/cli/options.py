"""Parsers of the command line, and options that several commands share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import cardgen
from cardgen.core.findings import did_you_mean
from cardgen.core.terminal import shown

_EXCLUDING = re.compile(r"argument (.+): not allowed with argument (.+)")
_MANY = 8
"""Choices of an option that a hint lists, at most."""


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
            listed = (
                "list them: cardgen --help" if len(choices) > _MANY else f"use one of: {', '.join(choices)}"
            )
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
    """The command line, if it asks for help."""
    more: Callable[[], str] | None = None
    mixing = False

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


def press_asked(given: argparse.Namespace) -> cardgen.PressOptions | None:
    """Return the requested press. Raises UsageError."""
    standard = getattr(given, "standard", None)
    if given.inks != "cmyk":
        options = {"--profile": given.profile, "--ink-limit": given.ink_limit, "--standard": standard}
        for option, value in options.items():
            if value is not None:
                raise cardgen.UsageError(f"{option} needs --inks cmyk", "add --inks cmyk")
        return None
    return cardgen.PressOptions(given.profile or None, given.ink_limit, standard)
