"""Pieces fitted to products, and grouped into orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log

from cardgen.core.game import Component
from cardgen.core.geometry import Size
from cardgen.core.services import Product, Service
from cardgen.core.sheets import Rotation, Side
from cardgen.exports.job import Piece

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


FIT = 0.1
"""How far in mm a trim may be off a product's and still be it. Vendors state sizes in inches and in mm
with two places, and their cutters drift by a good deal more."""
NAMED = 3
"""Nearest products that a finding names."""
LEAST_SCALE, MOST_SCALE = 0.75, 1.35
"""How much smaller or larger a piece may become by itself. Beyond that it is another thing, which only
its designer can want."""
MOST_STRETCH = 0.02
"""How much more a piece may be scaled one way than the other in a PDF, where nothing is drawn out beside
it: on a poker card a millimetre and a half."""
SHORT_BLEED = 0.2
"""mm of the bleed that a smaller piece may lack: no cutter is as precise."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A piece as a service prints it. `product` is None for a service that cuts to any size; `turned`
    says that it lies a quarter turn from the product's image, `scale` how large it is printed."""

    component: Component
    piece: Piece
    product: Product | None
    turned: bool = False
    scale: float = 1.0

    @property
    def lying(self) -> Size:
        """The piece's own trim as it lies in the product's image."""
        trim = self.piece.card.trim
        return trim.turned if self.turned else trim

    @property
    def exact(self) -> bool:
        """Whether the product has the piece's own size."""
        return self.product is None or self.product.trim.close_to(self.lying, FIT)

    @property
    def ways(self) -> tuple[float, float]:
        """The scales across and down with which the piece, as it lies, covers all of its product."""
        if self.product is None or self.exact:
            return 1.0, 1.0
        return self.product.trim.width / self.lying.width, self.product.trim.height / self.lying.height

    @property
    def bands(self) -> tuple[float, float]:
        """What the product has beside and above the piece's trim, in mm of the finished product."""
        if self.product is None:
            return 0.0, 0.0
        trim, lying = self.product.trim, self.lying
        return (
            max(0.0, (trim.width - lying.width * self.scale) / 2),
            max(0.0, (trim.height - lying.height * self.scale) / 2),
        )


def matching(service: Service, component: Component, trim: Size) -> tuple[Product, bool] | None:
    """The first product that a trim of a component can be printed as, and whether turned a quarter."""
    for product in _able(service, component):
        if product.trim.close_to(trim, FIT):
            return product, False
        if product.trim.close_to(trim.turned, FIT):
            return product, True
    return None


def nearest(service: Service, component: Component, trim: Size) -> list[Product]:
    """The products of the component's kind and shape whose sizes are least far from `trim`."""
    near = sorted(_able(service, component), key=lambda each: _distance(each.trim.upright, trim.upright))
    return near[:NAMED]


def fitted(component: Component, piece: Piece, product: Product) -> Ordered:
    """The piece as large as it can be with all of it on the product, lying the way that makes it larger."""
    trim = piece.card.trim
    upright, lying = _scale(trim, product.trim), _scale(trim.turned, product.trim)
    turned = lying > upright + 1e-9
    each = Ordered(component, piece, product, turned, max(upright, lying))
    return Ordered(component, piece, product, turned) if each.exact else each


def ordered_as(service: Service, component: Component, piece: Piece, near: bool) -> Ordered:
    """The piece as the product that its component names (of several, the one that changes its size least),
    of its size, or with `near` the one that is nearest. Without a product if there is none."""
    named = component.products.get(service.id)
    if named:
        chosen = [fitted(component, piece, each) for each in service.products if each.id in named]
        return min(chosen, key=lambda each: abs(log(each.scale)), default=Ordered(component, piece, None))
    match = matching(service, component, piece.card.trim)
    if match is not None:
        return Ordered(component, piece, *match)
    choice = nearest(service, component, piece.card.trim)[:1] if near else []
    found = [fitted(component, piece, product) for product in choice]
    fits = [each for each in found if LEAST_SCALE <= each.scale <= MOST_SCALE and fills(service, each)]
    return fits[0] if fits else Ordered(component, piece, None)


def fills(service: Service, ordered: Ordered) -> bool:
    """Whether a piece can be all of its product: in pictures whatever is missing is drawn out, in a PDF it
    has to be covered, with the service's bleed."""
    if service.delivery == "images" or ordered.exact:
        return True
    component, least, most = ordered.component, min(ordered.ways), max(ordered.ways)
    covers = component.bleed * least >= service.bleed - SHORT_BLEED
    return component.book is None and most <= least * (1 + MOST_STRETCH) and covers


def turn(ordered: Ordered, side: Side) -> Rotation:
    """A turned card's back goes the other way, so that its top edge stays behind that of the face."""
    if not ordered.turned:
        return 0
    return 90 if side == "face" else 270


def _able(service: Service, component: Component) -> list[Product]:
    return [
        product
        for product in service.products
        if component.kind in product.kinds and component.shape == product.shape and not product.by_name
    ]


def _scale(trim: Size, room: Size) -> float:
    return min(room.width / trim.width, room.height / trim.height)


def _distance(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))
