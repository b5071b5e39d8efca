"""`style` attributes and the bodies of CSS rules, read in time linear in their length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cardgen.svg.font_shorthand import font_longhands

_NAME = re.compile(r"[\w-]+")
_SPECIAL = re.compile(r"""[;"'()]""")
_URL = re.compile(r"url\(([^)]*)\)?")
_CLOSING = {'"': '"', "'": "'", "(": ")"}
_SHORT = 1000
"""Characters of a style that is remembered: drawing programs write the same one a thousand times."""


def read_style(text: str) -> tuple[Mapping[str, str], str]:
    """The properties in a `style` attribute or rule, and what of it can't be read. Escapes are not read:
    they would spell names and references that nothing else recognises."""
    return _known(text) if len(text) < _SHORT else _read(text)


def url_targets(value: str) -> list[str]:
    """What the `url(…)` in a value name."""
    return [_target(match) for match in _URL.finditer(value)]


def rename_urls(value: str, names: Mapping[str, str]) -> str:
    """The value with its `url(#id)` naming the new ids of `names`, by old ones. Others stay."""

    def renamed(match: re.Match[str]) -> str:
        target = _target(match)
        known = target.startswith("#") and target[1:] in names
        return f"url(#{names[target[1:]]})" if known else match[0]

    return _URL.sub(renamed, value)


def _target(match: re.Match[str]) -> str:
    return match[1].strip().strip("\"'")


def _read(text: str) -> tuple[Mapping[str, str], str]:
    properties: dict[str, str] = {}
    wrong: list[str] = []
    for part, whole in _parts(text):
        name, colon, value = part.partition(":")
        name = name.strip()
        if whole and colon and "\\" not in part and _NAME.fullmatch(name):
            longhands = font_longhands(value.strip()) if name.lower() == "font" else None
            properties.update({name.lower(): value.strip()} if longhands is None else longhands)
        elif part and not part.isspace():
            wrong.append(part.strip())
    return properties, "; ".join(wrong)


_known = lru_cache(maxsize=2048)(_read)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """What stands between the semicolons of a text, and whether its quotes and brackets are closed.
    Quotes and brackets hold anything, semicolons too."""
    start = position = 0
    whole = True
    while (match := _SPECIAL.search(text, position)) is not None:
        position = match.end()
        if match[0] == ";":
            yield text[start : match.start()], whole
            start, whole = position, True
        elif match[0] == ")":
            whole = False
        else:
            position = text.find(_CLOSING[match[0]], position) + 1
            if not position:
                yield text[start:], False
                return
    yield text[start:], whole
