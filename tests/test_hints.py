"""Every approved hint tells the designer what to do, and ends with the command that does it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from cardgen.cli import arguments
from tests.wording import FOLDER, read

VERBS = frozenset(
    """
    add allow ask begin blend build change check choose clone close compare correct delete divide
    draw edit enlarge enter export fetch fill filter fix get give go hyphenate install join keep link list
    lower make mark measure move name omit open paint place press print publish put raise read
    reduce refer remove rename report run save see select set shorten show split start unpack upload
    use write
    """.split()
)
"""The first words that hints may have. Add a verb that is missing; a noun is no hint."""
EXCEPTIONS = {
    "How many are printed: a number, {per_player: 1}, or {by_players: {2: 3, 3: 1, 4: 1}}. 0 leaves the "
    "card out of the game.": "of a schema",
    "The card's name within its component: lower-case words or numbers joined by -. Files are named after "
    "it.": "of a schema",
    "For the kind book: its Markdown file, beside game.yaml.": "of a schema",
    "Is it seen?": "a rule's question",
    "Is it so?": "a rule's question",
}
"""Hints that begin otherwise, and why."""
_HINT = re.compile(r"^\s*hint: (.*)", re.MULTILINE)
_PLACE = re.compile(r" \((?:face|back) drawn by [^()]*\)\Z")
_COMMAND = re.compile(r"\bcardgen (?=[a-z])")


def hints() -> dict[str, str]:
    """Return each approved hint with one of the tests that it is approved for."""
    return {
        _PLACE.sub("", hint): function
        for path in sorted(FOLDER.glob("*.yaml"))
        for function, cases in read(path.stem).items()
        for text in cases.values()
        for hint in _HINT.findall(text)
    }


def wrong(hint: str) -> Iterator[str]:
    """Yield what is wrong with a hint."""
    first = re.split(r"[\s:,]", hint)[0]
    if not hint.startswith("did you mean ") and hint not in EXCEPTIONS and first not in VERBS:
        yield "begins with no verb"
    commands = _COMMAND.split(hint)[1:]
    if "`" in hint and commands:
        yield "quotes its command"
    if commands and not is_command(commands[-1]):
        yield "does not end with its command"


def is_command(words: str) -> bool:
    """Return True if these words after `cardgen` are a command line, complete and nothing more."""
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            arguments.parse(shlex.split(words))
    except SystemExit as end:
        return end.code == 0  # of --help
    except ValueError:
        return False
    return True


def test_hints_tell_what_to_do() -> None:
    found = hints()
    assert len(found) > 150
    assert {hint: [found[hint], *faults] for hint in found if (faults := list(wrong(hint)))} == {}


def test_exceptions_are_needed() -> None:
    assert set(EXCEPTIONS) <= set(hints())


@pytest.mark.parametrize(
    ("hint", "faults"),
    [
        ("did you mean 'sun'?", []),
        ("list the icons: cardgen list demo --icons", []),
        ("to list the icons: cardgen list demo --icons", ["begins with no verb"]),
        ("icons: sun, moon", ["begins with no verb"]),
        ("use `cardgen list --fonts`", ["quotes its command", "does not end with its command"]),
        ("use cardgen list --fonts for their names", ["does not end with its command"]),
        (
            "see the colors: cardgen proof --inks cmyk",
            ["does not end with its command"],
        ),
        ("list its options: cardgen build --help", []),
        ("use cardgen's own", []),
    ],
)
def test_a_hint_without_a_verb_or_with_words_after_its_command_is_found(
    hint: str, faults: list[str]
) -> None:
    assert list(wrong(hint)) == faults
