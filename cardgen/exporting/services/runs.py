"""What is ordered from a print service: pieces grouped into orders, with their files and copies.

A *run* is one order of one product (or one deck): pieces in printing order, each with the names of its
files and how often it is to be printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cardgen.exporting.services.fitting import Ordered
from cardgen.model.services import Product, Service

_FORMS = {"ellipse": "-round", "hexagon": "-hexagon", "polygon": "-shaped"}
"""What the files of a size are called after where they are not rectangles."""


@dataclass(frozen=True, slots=True)
class Line:
    """A piece in a run. `face` and `back` are names of files relative to the export; `back` is None
    where it has none. `number` counts from 1 in the run."""

    ordered: Ordered
    number: int
    copies: int
    face: str
    back: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """One order. `part` counts from 1 where a product's cards are more than one order may have, and
    is 0 otherwise. The order of a rulebook has as many `pages`, as its lines or in one file; others have
    none."""

    name: str
    product: Product | None
    part: int
    lines: tuple[Line, ...]
    pages: int = 0

    @property
    def copies(self) -> int:
        return 1 if self.pages else sum(line.copies for line in self.lines)

    @property
    def components(self) -> list[str]:
        """The titles of the components in it, each once."""
        return list(dict.fromkeys(line.ordered.component.title for line in self.lines))


@dataclass(frozen=True, slots=True)
class _Share:
    ordered: Ordered
    copies: int


def runs(service: Service, ordered: Sequence[Ordered], suffix: str) -> list[Run]:
    """The orders of some pieces: a component each, or a product each where the service orders by
    product; parted where there are more cards than one order may have. Files end in `suffix`."""
    groups: dict[str, list[Ordered]] = {}
    for each in ordered:
        groups.setdefault(_group(service, each, ordered), []).append(each)
    found = []
    for name, members in groups.items():
        if members[0].component.book is not None:
            lines = tuple(_page(name, each, len(members), suffix) for each in members)
            found.append(Run(name, members[0].product, 0, lines, len(lines)))
            continue
        parts = _parts(members, service.most_cards)
        for part, shares in enumerate(parts, 1):
            called = name if len(parts) == 1 else f"{name}-{part}"
            number = part if len(parts) > 1 else 0
            found.append(Run(called, members[0].product, number, _lines(called, shares, suffix)))
    return found


def _group(service: Service, each: Ordered, all: Sequence[Ordered]) -> str:
    """The name of the order that a piece belongs to."""
    if each.component.book is not None:
        return each.component.id
    if service.order_by == "size":
        form = _FORMS.get(each.component.outline, "")
        trim = each.piece.card.trim.upright
        return f"{trim.width:g}x{trim.height:g}mm{form}"
    if service.order_by == "product" and each.product is not None:
        return each.product.id
    products = {other.product for other in all if other.component is each.component}
    if len(products) > 1 and each.product is not None:  # cards of several sizes
        return f"{each.component.id}-{each.product.id}"
    return each.component.id


def _parts(members: Iterable[Ordered], most: int | None) -> list[list[_Share]]:
    """Members with their copies, in lists of no more than `most` cards. Copies of one card may come to
    lie in two."""
    parts: list[list[_Share]] = [[]]
    room = most
    for each in members:
        left = each.piece.copies
        while left:
            if room == 0:
                parts.append([])
                room = most
            taken = left if room is None else min(left, room)
            parts[-1].append(_Share(each, taken))
            left -= taken
            room = None if room is None else room - taken
    return parts


def _lines(run: str, shares: Sequence[_Share], suffix: str) -> tuple[Line, ...]:
    """Numbered lines, in whose names the order of the run is that of the alphabet. A back that several
    cards share is one file."""
    digits = max(2, len(str(len(shares))))
    uses: dict[str, int] = {}
    for share in shares:
        if _prints_back(share.ordered) and share.ordered.piece.back is not None:
            back = share.ordered.piece.back
            uses[back] = uses.get(back, 0) + 1
    shared = [back for back, count in uses.items() if count > 1]
    names = dict.fromkeys(shared, f"{run}/back{suffix}")
    if len(shared) > 1:
        names = {back: f"{run}/back-{n:0{digits}}{suffix}" for n, back in enumerate(shared, 1)}
    lines = []
    for number, share in enumerate(shares, 1):
        piece = share.ordered.piece
        stem = f"{run}/{number:0{digits}}-{piece.card.id}"
        back_name = None
        if piece.back is not None and _prints_back(share.ordered):
            back_name = names.get(piece.back, f"{stem}-back{suffix}")
        lines.append(Line(share.ordered, number, share.copies, f"{stem}-face{suffix}", back_name))
    return tuple(lines)


def _page(run: str, page: Ordered, pages: int, suffix: str) -> Line:
    number = page.piece.card.number
    name = f"{run}/page-{number:0{max(2, len(str(pages)))}}{suffix}"
    return Line(page, number, 1, name, None)


def _prints_back(ordered: Ordered) -> bool:
    return ordered.product is None or ordered.product.back != "none"


def in_one_file(run: Run, name: str) -> Run:
    """The run with all its sides in one file."""
    lines = tuple(replace(line, face=name, back=None if line.back is None else name) for line in run.lines)
    return replace(run, lines=lines)
