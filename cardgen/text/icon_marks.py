r"""Icons written in a text: `:name:`.

A pair of colons around the name of an icon is that icon wherever it stands: `2:coin:`, `**1:coin::**`.
Around a name that is nearly one's, or around any name where letters keep off the pair, it is meant as one
that does not exist. So is one between the wide colons of East Asia. Anything else is text: `12:30:45`,
`Round one:draw:`, `a::b::c`. `\:` is a colon.

After the name stand, in any order, the icon's height in that of the type (`:coin@1.4:`) and its color
(`:coin#c00:`), and then, after a space, a figure that is set in its middle (`:coin 3:`,
`:coin@1.4#c00 12:`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from cardgen.core.artwork import Color, contrast
from cardgen.core.findings import nearest
from cardgen.core.records import replace
from cardgen.text.spans import IconSpan, Span, Style

_NAME = r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"
_FIGURE = r"(?=[^\s:]*[0-9])[^\s:]{1,20}|[^\s:]"
"""A text with a figure in it, or a single character: `12`, `+1`, `X`."""
_LONGEST_FIGURE = 6
_COLON = re.compile(
    rf"\\:|(?P<wide>：{_NAME}[:：]|:{_NAME}：)"
    rf"|:(?:(?P<name>{_NAME})(?P<wishes>(?:[@#][^\s:@#]{{0,20}}){{0,4}})(?:\s{{1,20}}(?P<figure>{_FIGURE}))?:)?"
)
_WISH = re.compile(r"[@#][^@#]*")
_SIZE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?|\.[0-9]{1,3}")
_DIGIT = re.compile("[0-9]")
_HEX = re.compile(r"[0-9A-Fa-f]{1,8}")
SMALLEST, LARGEST = 0.5, 2.0
"""The size limits of an icon, in heights of the type."""
_ACROSS, _DOWN = 0.66, 0.56
"""The maximum share of an icon's width, and of its height, for its figure: as much as fits a disc."""
_BLACK: Color = (0.0, 0.0, 0.0)
_WHITE: Color = (1.0, 1.0, 1.0)
_LEAST = 4
"""Least letters of a name in which one letter may be wrong; shorter ones are similar to too many words."""
_LONGEST = 60


class Wrong(NamedTuple):
    """A problem with a mark: a sentence, a hint, and the mark as written."""

    message: str
    hint: str
    written: str


class Mark(NamedTuple):
    """An icon in a text, known or not: its height as a ratio to the type size, its own color if it has one,
    and the figure at its center, "" for none."""

    name: str
    size: float = 1.0
    fill: Color | None = None
    figure: str = ""
    wrong: Wrong | None = None


class IconShape(NamedTuple):
    """The aspect ratio of an icon, and its paints behind a figure: colors, with None for the text's own
    color; empty if the icon paints nothing there."""

    aspect: float = 1.0
    grounds: tuple[Color | None, ...] = ()


_SQUARE = IconShape()


class IconNames:
    """The names of icons for texts. `shape` returns the shape of one; without it, all are square and
    empty."""

    def __init__(
        self, names: Collection[str], shape: Callable[[str, bool], IconShape] = lambda name, ground: _SQUARE
    ) -> None:
        self._names = frozenset(names)
        self._shape = shape

    def span(self, mark: Mark, style: Style) -> IconSpan:
        """Return the icon of a mark, in text of a style."""
        if mark.name not in self._names:
            return IconSpan(mark.name, style, mark.size)
        shape = self._shape(mark.name, bool(mark.figure))
        icon = IconSpan(mark.name, style, mark.size, shape.aspect, mark.fill)
        return replace(icon, figure=_figure(mark.figure, icon, shape)) if mark.figure else icon

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def near(self, name: str) -> str | None:
        """Return the name that was probably intended."""
        return nearest(name, self._names)

    def is_slip(self, name: str) -> bool:
        """Return True if a name is one of these in other capitals, or with one letter wrong, missing, added
        or swapped with its neighbor. The time depends on the name only, not on the number of icons."""
        if len(name) > _LONGEST:
            return False
        folded = name.casefold()
        return folded in self._folded or (
            len(folded) >= _LEAST and not self._shortened.isdisjoint(_shortened(folded))
        )

    @cached_property
    def _folded(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in self._names)

    @cached_property
    def _shortened(self) -> frozenset[str]:
        long = (name for name in self._folded if _LEAST <= len(name) <= _LONGEST)
        return frozenset(each for name in long for each in _shortened(name))


def _shortened(name: str) -> set[str]:
    """Return a name, and the name without each of its letters."""
    return {name, *(name[:index] + name[index + 1 :] for index in range(len(name)))}


def marks(text: str, icons: IconNames) -> Iterator[str | Mark]:
    """Yield the text split into literal text and icons; no part is empty."""
    parts: list[str] = []
    at = beside = 0
    while (found := _COLON.search(text, at)) is not None:
        start, end, name, wide = found.start(), found.end(), found["name"], found["wide"]
        parts.append(text[at:start])
        if wide is not None:
            name = wide[1:-1]
            is_mark = name in icons or icons.is_slip(name)
        else:
            is_mark = name is not None and (
                name in icons or _is_likely_mark(text, found, beside) or icons.is_slip(name)
            )
        if is_mark:
            if before := "".join(parts):
                yield before
            parts.clear()
            if wide is not None:
                message = f"the icon '{wide}' uses wide colons"
                yield Mark(name, wrong=Wrong(message, f"write ':{name}:', with plain colons", wide))
            else:
                yield _mark(name, found["wishes"], found["figure"] or "")
            at = beside = end
            continue
        # The second colon of an invalid pair may be the first of another.
        escaped = text[start] == "\\"
        parts.append(":" if escaped else text[start])
        at = end if escaped else start + 1
        if name is not None:
            parts.append(name)
            at += len(name)
    parts.append(text[at:])
    if rest := "".join(parts):
        yield rest


def read_mark(text: str) -> Mark:
    """Return a mark without its colons, for an attribute: `coin`, `coin@1.4 3`."""
    found = _COLON.fullmatch(f":{text}:")
    if found is None or found["name"] is None:
        return Mark(text)
    return _mark(found["name"], found["wishes"], found["figure"] or "")


def _mark(name: str, wishes: str, figure: str) -> Mark:
    """Return a mark with the settings after its name."""
    size, fill = 1.0, None
    end = f" {figure}:" if figure else ":"
    written = f":{name}{wishes}{end}"
    seen: set[str] = set()
    for wish in _WISH.findall(wishes):
        sign, value = wish[0], wish[1:]
        wrong = None
        if sign in seen:
            message = f"'{written}' sets its {'size' if sign == '@' else 'color'} twice"
            wrong = Wrong(message, f"did you mean ':{name}{wishes[: wishes.rindex(wish)]}{end}'?", written)
        elif sign == "@":
            size = float(value) if _SIZE.fullmatch(value) else 0.0
            if not SMALLEST <= size <= LARGEST:
                near = f":{name}@{min(max(size, SMALLEST), LARGEST) if size else 1.4:g}{end}"
                message = f"'@{value}' in '{written}' is not a size for an icon"
                hint = f"use {SMALLEST:g} to {LARGEST:g} times the type size, such as '{near}'"
                wrong = Wrong(message, hint, written)
        elif len(value) in (3, 6) and _HEX.fullmatch(value):
            parts = (
                [value[i : i + 2] for i in (0, 2, 4)] if len(value) == 6 else [each * 2 for each in value]
            )
            red, green, blue = (int(part, 16) / 255 for part in parts)
            fill = (red, green, blue)
        else:
            near = value[: 6 if len(value) > 5 else 3].ljust(3, "0") if _HEX.fullmatch(value) else "c00"
            message = f"'#{value}' in '{written}' is not a color for an icon"
            hint = f"write #rgb or #rrggbb, such as ':{name}#{near}{end}'"
            wrong = Wrong(message, hint, written)
        if wrong is not None:
            return Mark(name, wrong=wrong)
        seen.add(sign)
    if len(figure) > _LONGEST_FIGURE:
        message = f"the number '{figure}' in '{written}' is too long for an icon"
        return Mark(name, wrong=Wrong(message, f"use at most {_LONGEST_FIGURE} characters", written))
    return Mark(name, size, fill, figure)


def _figure(text: str, icon: IconSpan, shape: IconShape) -> Span:
    """Return a figure of the largest size that fits into the center of an icon, in a legible ink: the
    text's own if the icon paints nothing, or else black or white."""
    style = icon.style
    font = style.font.stand_in(text)
    high = _DOWN / max(font.cap_height, _DOWN)
    if (advance := font.word(text).advance) > 0:
        high = min(high, _ACROSS * icon.aspect / advance)
    own = style.fill if icon.fill is None else icon.fill
    grounds = [own if ground is None else ground for ground in shape.grounds]
    ink = own
    if grounds:
        ink = max((_BLACK, _WHITE), key=lambda ink: min(contrast(ink, each) for each in grounds))
    return Span(text, Style(font, high * icon.height, ink))


def _is_likely_mark(text: str, found: re.Match[str], beside: int) -> bool:
    """Return True if an unknown name between colons has no text next to it, or only another icon, which
    ends at `beside`."""
    start, end = found.span()
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if _is_letter(before) or _is_letter(after) or not found["name"].islower():
        return False
    figure = found["figure"]
    if figure and (before.isdigit() or len(figure) > _LONGEST_FIGURE or not _DIGIT.search(figure)):
        return False
    following = _COLON.match(text, end)
    return (before != ":" or start == beside) and (after != ":" or bool(following and following["name"]))


def _is_letter(char: str) -> bool:
    """Return True if words in such letters are separated by spaces: those with capitals. Other scripts have
    no spaces between words, or attach endings."""
    return char.lower() != char.upper()
