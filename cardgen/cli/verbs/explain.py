"""`cardgen explain`: explain a finding's code and how to fix it."""

from __future__ import annotations

import argparse
import re

from cardgen.cli.saying import OK, say
from cardgen.core.explanations import explained, families

_LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+\.md)[^)]*\)")


def run(given: argparse.Namespace) -> int:
    if given.code is None:
        _list()
        return OK
    for number, section in enumerate(explained(given.code)):
        if number:
            print()
        say(", ".join(section.codes), heading=True)
        print()
        fenced = False
        for line in section.text.splitlines():
            if line.startswith("```"):
                fenced = not fenced
            else:
                say(f"    {line}" if fenced and line else _plain(line))
    return OK


def _plain(line: str) -> str:
    """Return a line of Markdown as plain text."""
    return _LINK.sub(r"\1 (docs/\2)", line).replace("**", "")


def _list() -> None:
    for family in families():
        say(family.title, heading=True)
        for section in family.sections:
            for code in section.codes:
                say(f"  {code:<24} {section.first_sentence}")
        print()
    print("for its cause and fix: cardgen explain CODE")
