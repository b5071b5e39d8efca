"""What each kind of finding means, what makes it and how to mend it.

A Markdown file a family, `FAMILY.md`: its title, what it is about, then a section for each code (or for
several that mean the same). A section is what it means, an example, and what to do, which begins with
`**Fix:**`. `cardgen explain` prints it, `docs/findings.md` is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cardgen.core.findings import UsageError, did_you_mean, nearest

FAMILIES: tuple[str, ...] = (
    *("yaml", "schema", "game", "effects", "rules", "books", "decks", "tables", "pull"),
    *("text", "templates", "named", "svg", "fonts", "pictures"),
    *("sheets", "press", "exports", "translations", "files", "usage"),
)
"""The files, in the order in which people meet them."""
OWN = "rule/ID"
"""Rules have the names that a game gives them: one section stands for them all."""

_SECTION = re.compile(r"^## (?=[a-z]+(?:/[a-zA-Z-]+)?(?:,|$))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A section: the codes that it is about, and its text, Markdown without the heading."""

    codes: tuple[str, ...]
    text: str

    @property
    def first_sentence(self) -> str:
        """What it means, in a line, without Markdown."""
        paragraph = " ".join(self.text.partition("\n\n")[0].split())
        return re.split(r"(?<=[.!?]) (?=[A-Z])", paragraph)[0].replace("`", "")


@dataclass(frozen=True, slots=True)
class Family:
    """The sections of a file; `about` is what stands before them, Markdown."""

    name: str
    title: str
    about: str
    sections: tuple[Explanation, ...]


@cache
def families() -> tuple[Family, ...]:
    """All that there is to explain."""
    return tuple(_read(name) for name in FAMILIES)


@cache
def explanations() -> Mapping[str, Explanation]:
    """The sections by code."""
    return {code: section for family in families() for section in family.sections for code in section.codes}


def explained(code: str) -> tuple[Explanation, ...]:
    """The section about a code, or those of a family by its name. Raises UsageError for any other word."""
    asked = code.strip().strip("[]").casefold()
    known = explanations()
    if asked in known:
        return (known[asked],)
    prefix = f"{asked.rstrip('/')}/"
    whole = [section for section in dict.fromkeys(known.values()) if section.codes[0].startswith(prefix)]
    if whole:
        return tuple(whole)
    if asked.startswith("rule/"):
        return (known[OWN],)
    names = frozenset(known) | {name.partition("/")[0] for name in known}
    # Most slips are made in the part behind the slash, so words of the same family come first.
    kin = [name for name in known if name.startswith(f"{asked.partition('/')[0]}/")]
    near = nearest(asked, kin, 0.75)
    hint = f"did you mean '{near}'?" if near else did_you_mean(asked, names)
    raise UsageError(f"no finding has the code '{code}'", hint or "`cardgen explain` lists them")


def _read(name: str) -> Family:
    head, *sections = _SECTION.split((Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8"))
    title, _, about = head.partition("\n")
    found = []
    for section in sections:
        heading, _, text = section.partition("\n")
        found.append(Explanation(tuple(re.split(r",\s*", heading.strip())), text.strip()))
    return Family(name, title.removeprefix("# ").strip(), about.strip(), tuple(found))
