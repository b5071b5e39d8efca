"""Explain each kind of finding: its meaning and its fix.

Each family has a Markdown file, `FAMILY.md`: a title, an introduction, then a section for each code (or
for several codes with the same meaning). A section contains the meaning, sometimes an example, and the
fix, which starts with `**Fix:**`. `cardgen explain` prints it, and `docs/findings.py` writes it to a page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

from cardgen.core.findings import UsageError, did_you_mean, nearest
from cardgen.core.records import dataclass

FAMILIES: tuple[str, ...] = (
    *("yaml", "schema", "game", "effects", "rules", "books", "decks", "tables", "pull"),
    *("text", "templates", "named", "svg", "fonts", "pictures"),
    *("sheets", "press", "pdf", "exports", "translations", "files", "plugins", "usage"),
)
"""The files, in the order in which people need them."""
OWN = "rule/ID"
"""A game names its own rules, so one section explains them all."""

_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:]+\.md)[^)]*\)")
"""A link to another page of the documentation."""
_SECTION = re.compile(r"^## (?=[a-z]+(?:/[a-zA-Z-]+)?(?:,|$))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A section: its codes, and its text in Markdown without the heading."""

    codes: tuple[str, ...]
    text: str

    @property
    def first_sentence(self) -> str:
        """Return the meaning in one line, without Markdown."""
        paragraph = " ".join(self.text.partition("\n\n")[0].split())
        return re.split(r"(?<=[.!?]) (?=[A-Z])", paragraph)[0].replace("`", "")

    @property
    def plain_text(self) -> str:
        """Return the text as a terminal shows it: pages in parentheses, examples indented."""
        lines = []
        for number, part in enumerate(re.split(r"^```.*\n?", self.text, flags=re.MULTILINE)):
            for line in part.splitlines():
                fenced = number % 2 and line
                lines.append(
                    f"    {line}" if fenced else _LINK.sub(r"\1 (docs/\2)", line).replace("**", "")
                )
        return "\n".join(lines)

    def markdown(self, page: str) -> str:
        """Return the text in Markdown, its links seen from the page of all explanations; without such a
        `page` they name documents."""
        if not page:
            return _LINK.sub(r"\1 (docs/\2)", self.text)
        return _LINK.sub(lambda match: match[0].replace(match[2], urljoin(page, match[2])), self.text)

    @property
    def anchor(self) -> str:
        """Return the fragment of the section in the page of all explanations."""
        return "".join(char for char in "-".join(self.codes).lower() if char.isalnum() or char == "-")


@dataclass(frozen=True, slots=True)
class Family:
    """The sections of a file; `about` is the Markdown before them."""

    name: str
    title: str
    about: str
    sections: tuple[Explanation, ...]


@cache
def families() -> tuple[Family, ...]:
    """Return all families in the order of `FAMILIES`."""
    return tuple(_read(name) for name in FAMILIES)


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return the sections by code."""
    return {code: section for family in families() for section in family.sections for code in section.codes}


def explained(code: str) -> tuple[Explanation, ...]:
    """Return the section of a code, or those of a family. Raises UsageError for any other word."""
    query = code.strip().strip("[]").casefold()
    known = explanations()
    if query in known:
        return (known[query],)
    prefix = f"{query.rstrip('/')}/"
    whole = [section for section in dict.fromkeys(known.values()) if section.codes[0].startswith(prefix)]
    if whole:
        return tuple(whole)
    if query.startswith("rule/"):
        return (known[OWN],)
    names = frozenset(known) | {name.partition("/")[0] for name in known}
    # Typos are usually after the slash, so words of the same family come first.
    related = [name for name in known if name.startswith(f"{query.partition('/')[0]}/")]
    near = nearest(query, related, 0.75)
    hint = f"did you mean '{near}'?" if near else did_you_mean(query, names)
    raise UsageError(f"no finding has the code '{code}'", hint or "list the codes: cardgen explain")


def _read(name: str) -> Family:
    head, *sections = _SECTION.split((Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8"))
    title, _, about = head.partition("\n")
    found = []
    for section in sections:
        heading, _, text = section.partition("\n")
        found.append(Explanation(tuple(re.split(r",\s*", heading.strip())), text.strip()))
    return Family(name, title.removeprefix("# ").strip(), about.strip(), tuple(found))
