"""Which rules are judged in a game's other languages too: those that read texts that are translated.

Told from the rule's own words, carefully: one that may read such a text is judged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

_NAME = re.compile(r"[\w-]+")
_PLAIN = frozenset(
    ("id", "kind", "question", "why", "severity", "counting", "component", "decks", "message", "languages")
)
"""Parameters that read nothing of a card."""
_LISTING = frozenset(("exactly",))
"""Kinds whose rules list what cards say."""
_OF_THEME = frozenset(("colors",))
"""Kinds that look at the theme, which a language may change."""
_WHOLE = frozenset(("items", "values", "nested", "string", "dictsort", "effect_text"))
"""Names by which expressions read what they do not name."""


def in_each_language(rules: Mapping[str, Any], keys: Collection[str]) -> list[str]:
    """The ids of the rules in `rules`, a valid file's content, that may read what stands at one of these
    keys, or the theme; a rule that says that it is about the source is not among them."""
    read = {*keys, *_WHOLE}
    defined: Mapping[str, str] = rules.get("define") or {}
    left = {name: set(names_in(text)) for name, text in defined.items()}
    while found := [name for name, names in left.items() if not read.isdisjoint(names)]:
        read.update(found)
        for name in found:
            del left[name]
    return [
        entry["id"]
        for key in ("rules", "deck_rules")
        for entry in rules.get(key) or ()
        if not _is_about_source(entry)
        and (entry["kind"] in _OF_THEME or not read.isdisjoint(_names_read(entry)))
    ]


def of_every_language(rules: Mapping[str, Any]) -> list[str]:
    """The ids of the rules that are not about the source alone."""
    entries = [entry for key in ("rules", "deck_rules") for entry in rules.get(key) or ()]
    return [entry["id"] for entry in entries if not _is_about_source(entry)]


def _names_read(entry: Mapping[str, Any]) -> Iterator[str]:
    """The names that a rule's parameters may read."""
    if entry["kind"] in _LISTING:
        yield "title"  # if it says no other value
    for part, value in entry.items():
        if part not in _PLAIN:
            yield from names_in(value)


def _is_about_source(entry: Mapping[str, Any]) -> bool:
    """Whether a rule is about words of the game's own language: it says so, or else lists them."""
    stated = "source" if entry["kind"] in _LISTING else "each"
    return bool(entry.get("languages", stated) == "source")


def names_in(value: Any) -> Iterator[str]:
    """The names in all texts of a value, keys left out."""
    if isinstance(value, str):
        yield from _NAME.findall(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from names_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from names_in(each)
