"""Define print services and databases of cards, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cardgen.core.game import Card, ComponentKind
from cardgen.core.geometry import Shape, Size, to_px
from cardgen.core.records import dataclass

Delivery = Literal["images", "deck-pdf", "size-pdf", "card-pdf"]
BackRule = Literal["required", "optional", "none"]
OrderBy = Literal["component", "product", "size"]
Value = str | int | bool | None
"""A setting of an export: text, a whole number, or the state of a switch. None is a setting that has no
default."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a print service. `trim` is the finished size in the orientation of the service's image;
    `canvas` the exact size of that image in pixels. `caveat` describes what is uncertain about it. A
    product that is `by_name` is only for components that name it, not for others of its size. A booklet has
    at most `most_pages`, if known. `api` is its name in the service's interface for programs, if cardgen
    knows it."""

    id: str
    title: str
    kinds: tuple[ComponentKind, ...]
    shape: Shape
    trim: Size
    canvas: tuple[int, int]
    back: BackRule
    caveat: str | None = None
    by_name: bool = False
    most_pages: int | None = None
    api: str | None = None


@dataclass(frozen=True, slots=True)
class Autofill:
    """The products of MPC Autofill by id, and their card stocks, the most common first."""

    products: tuple[str, ...]
    stocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceInks:
    """The inks of a service's PDF files: a profile that comes with cardgen or a file of `data/services/`,
    the maximum ink in percent, and the standard of the files; None if not specified. `overprint` says if
    black text and thin lines overprint."""

    profile: str | None
    limit: int | None
    standard: Literal["x4", "x1a"] | None = None
    overprint: bool = True


@dataclass(frozen=True, slots=True)
class Prices:
    """A price table. `steps` are for each product the most cards of a set and its price, in ascending
    order; `discounts` the fewest sets and the part that is taken off, in ascending order."""

    currency: str
    steps: Mapping[str, tuple[tuple[int, float], ...]]
    discounts: tuple[tuple[int, float], ...] = ()

    def step(self, product: str, cards: int) -> tuple[int, float, int] | None:
        """Return the most cards and the price of the step for a set, and the cards above the step before.
        None for more cards than the table has, or another product."""
        before = 0
        for most, price in self.steps.get(product, ()):
            if cards <= most:
                return most, price, cards - before
            before = most
        return None

    def of(self, price: float, sets: int) -> float:
        """Return the price of so many sets."""
        off = max((part for fewest, part in self.discounts if sets >= fewest), default=0.0)
        return price * sets * (1 - off)


@dataclass(frozen=True, slots=True)
class Service:
    """A print service. `bleed` is required around the trim, `safe` must be clear within. `first` is the
    first side in a PDF. `order_by` is the unit of an order, and `most_cards` its maximum number of cards.
    With `any_trim` it cuts to every size and has no products. `interface` is the API for uploading orders.
    `inks` are those of its PDF files, None for RGB. `proof` names what keeps the files from being ready for
    the press: always, or in other inks."""

    id: str
    title: str
    address: str | None
    delivery: Delivery
    order_by: OrderBy
    dpi: int
    bleed: float
    safe: float
    most_cards: int | None
    any_trim: bool
    proof: str | None
    caveat: str | None
    steps: tuple[str, ...]
    products: tuple[Product, ...]
    first: Literal["face", "back"] = "face"
    autofill: Autofill | None = None
    inks: ServiceInks | None = None
    interface: Literal["gamecrafter"] | None = None
    prices: Prices | None = None

    @property
    def unsupported_options(self) -> frozenset[str]:
        """Return the options of print services that don't apply to this one."""
        found = set()
        if self.delivery == "images":
            found |= {"pdf", "bleed-width", "inks", "profile", "ink-limit", "standard"}
            found |= {"no-overprint", "black-images"}
        elif self.any_trim:
            found.add("fit")
        if self.interface is None:
            found |= {"upload", "dry-run"}
        if self.autofill is None:
            found.add("stock")
        return frozenset(found)

    @property
    def prints_books(self) -> bool:
        """Return True if rulebooks can be ordered: as booklets, or cut to any size."""
        return self.any_trim or any("book" in product.kinds for product in self.products)


def canvas_of(trim: Size, bleed: float, dpi: int) -> tuple[int, int]:
    """Return the pixels of trim plus bleed on each side: 2.5 in and 0.125 in are 825 at 300 dpi."""
    whole = trim.grown(bleed)
    return to_px(whole.width, dpi), to_px(whole.height, dpi)


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set by its short name. `released` is a date as YYYY-MM-DD, or None."""

    name: str
    title: str
    type: str
    released: str | None = None


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A card by its name in deck lists. `row` is its row in play, 0 to 3, or None; unknown texts are empty.
    `properties` keep the order of their file."""

    card: Card
    name: str
    set: str
    number: str
    rarity: str
    text: str
    row: int | None
    properties: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CardDatabase:
    """The sets, and the cards in the order of the data."""

    component: str
    sets: tuple[CardSet, ...]
    entries: tuple[CardEntry, ...]
