"""Words that a line may break: how wide each of their pieces is, alone and joined."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from cardgen.typesetting.breaking import Cut
from cardgen.typesetting.shaping import Font


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a word that may be broken: `text[start:end]`. Neighbours that end up on one line are
    shaped together, so that kerning and ligatures across an unused break are kept."""

    text: str
    start: int
    end: int


Pieces = tuple[tuple[Piece, float, float, bool], ...]
"""Each piece, its start and end in em from the start of the word, and whether a hyphen ends it."""

_Key = tuple[str, float, tuple[Cut, ...]]
_kept_pieces: WeakKeyDictionary[Font, dict[_Key, Pieces]] = WeakKeyDictionary()


def pieces_of(font: Font, text: str, spacing: float, cuts: tuple[Cut, ...]) -> Pieces:
    """The pieces of `text` between `cuts`, measured once.

    Shaping does not add up: kerning and ligatures join pieces. A piece's start is where a line that
    carries on to the word's end would start; its end is the furthest that any line ending there
    reaches. So a line is never taken for narrower than it is, and is exact unless it holds neither the
    start nor the end of the word. A cut after which the word is no longer than before it (a hyphen
    wider than what it replaces) is dropped.
    """
    kept = _kept_pieces.setdefault(font, {})
    pieces = kept.get((text, spacing, cuts))
    if pieces is None:
        pieces = kept[text, spacing, cuts] = _measure(font, text, spacing, cuts)
    return pieces


def _measure(font: Font, text: str, spacing: float, cuts: tuple[Cut, ...]) -> Pieces:
    def width(start: int, end: int, hyphen: bool = False) -> float:
        return font.word(text[start:end] + ("-" if hyphen else ""), spacing).advance

    length = len(text)
    total = width(0, length)
    kept: list[Cut] = []
    ends: list[float] = []
    starts = [0.0]
    for cut, hyphen in cuts:
        bounds = [0, *(offset for offset, _ in kept)]
        end = max(start + width(bound, cut, hyphen) for start, bound in zip(starts, bounds))
        start = total - width(cut, length)
        if end < total and start > starts[-1] and (not ends or end > ends[-1]):
            kept.append((cut, hyphen))
            ends.append(end)
            starts.append(start)
    bounds = [0, *(offset for offset, _ in kept), length]
    hyphens = [*(hyphen for _, hyphen in kept), False]
    return tuple(
        (Piece(text, bounds[index], bounds[index + 1]), starts[index], end, hyphens[index])
        for index, end in enumerate([*ends, total])
    )
