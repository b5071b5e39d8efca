"""Which product a piece is printed as, and how it lies in that: as it is, turned, or made to fit."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from cardgen.exporting.job import Piece
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.model.services import Product, Service
from cardgen.model.sheets import Rotation, Side

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
