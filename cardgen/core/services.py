"""Print services and databases of cards, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardgen.core.game import Card, ComponentKind
from cardgen.core.geometry import Shape, Size, to_px

Delivery = Literal["images", "deck-pdf", "size-pdf", "card-pdf"]
BackRule = Literal["required", "optional", "none"]
OrderBy = Literal["component", "product", "size"]


@dataclass(frozen=True, slots=True)
class Product:
    """Something that a service makes. `trim` is the finished size as the service's image lies;
    `canvas` the exact size of that image in pixels. `caveat` says what about it is not certain. One that
    is taken `by_name` is for components that name it, and for no other of its size. A booklet has at most
    `most_pages`, as far as that is known. `api` is what the service's interface for programs makes it with,
    if cardgen knows."""

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
    """The products of MPC Autofill: products by id, the numbers of cards that are sold, rising, and what
    they are printed on, the usual first."""

    products: tuple[str, ...]
    brackets: tuple[int, ...]
    stocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceInks:
    """The inks that a service takes PDF in: a profile that comes with cardgen or a file of
    `data/services/`, the most ink in per cent, and the standard of the files; None where it does not
    say."""

    profile: str | None
    limit: int | None
    standard: Literal["x4", "x1a"] | None = None


@dataclass(frozen=True, slots=True)
class Service:
    """A print service. `bleed` is what it wants around the trim, `safe` what it wants kept clear
    within. `first` is the side that comes first in a PDF. `order_by` says what makes one order, and
    `most_cards` how many cards it may have. With `any_trim` it cuts to every size and has no products.
    `interface` is the one for programs that orders are uploaded by. `inks` are those it wants PDF in, None
    for RGB. `proof` says what keeps the files from being ready for the press: always, or where they are
    not in those inks."""

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

    @property
    def unsupported_options(self) -> frozenset[str]:
        """Return the options of print services that this one has no use for."""
        found = set()
        if self.delivery == "images":
            found |= {"pdf", "bleed-width", "inks", "profile", "ink-limit", "standard"}
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
    """Return the pixels of trim plus bleed on each side: 2.5 in and 0.125 in come to 825 at 300 dpi."""
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
    """A card by the name that deck lists use. `row` is where it is played, 0 to 3, or None; empty texts
    say nothing. `properties` keep the order of their file."""

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
