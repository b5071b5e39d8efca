"""Parsers of the command line, and options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, NoReturn, TypeVar

import cardgen
from cardgen.core.findings import did_you_mean
from cardgen.core.terminal import shown

Options = TypeVar("Options")


class Parser(argparse.ArgumentParser):
    """A parser whose errors suggest the nearest name."""

    near: str | None = None

    def error(self, message: str) -> NoReturn:
        hint = f"\n  hint: {shown(self.near)}" if self.near else ""
        super().error(shown(message) + hint)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            self.near = did_you_mean(str(value), [str(each) for each in action.choices or ()])
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


def chosen(given: argparse.Namespace, kind: type[Options], **more: Any) -> Options:
    """Return the options of a command by their names in the command line, with `more` of them."""
    named = {each.name: getattr(given, each.name, None) for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**({name: value for name, value in named.items() if value is not None} | more))


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
