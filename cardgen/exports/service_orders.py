"""Pieces fitted to a print service's products and grouped into orders, and the findings about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log

from cardgen.core.findings import Location, did_you_mean
from cardgen.core.game import Card, Component
from cardgen.core.geometry import Size
from cardgen.core.records import dataclass
from cardgen.core.services import Product, Service
from cardgen.core.sheets import Rotation, Side
from cardgen.exports.job import ExportJob, Piece

FIT = 0.1
"""The maximum difference in mm between a trim and a product's. Vendors state sizes in inches and in mm
with two places, and their cutters drift by a good deal more."""
NAMED = 3
"""Nearest products that a finding names."""
LEAST_SCALE, MOST_SCALE = 0.75, 1.35
"""The minimum and the maximum scale of a piece by default. Only the designer can choose more."""
LISTED = 12
"""Products of a service that a hint lists."""
MOST_STRETCH = 0.02
"""The maximum difference between a piece's two scales in a PDF, in which no art is extended: on a poker
card a millimeter and a half."""
SHORT_BLEED = 0.2
"""mm of the bleed that a smaller piece may lack: no cutter is as precise."""


FORMS = {
    "rectangle": "",
    "rounded": "",
    "ellipse": "round ",
    "hexagon": "hexagonal ",
    "polygon": "specially shaped ",
}
KINDS = {
    "card": "cards",
    "board": "boards",
    "mat": "mats",
    "aid": "aids",
    "token": "tokens",
    "standee": "standees",
    "die": "stickers for dice",
    "book": "booklets",
    "box": "boxes",
}


@dataclass(frozen=True, slots=True)
class Ordered:
    """A piece as a service prints it. `product` is None for a service that cuts to any size; `turned` is
    true if it is a quarter turn from the product's image; `scale` is its printed scale."""

    component: Component
    piece: Piece
    product: Product | None
    turned: bool = False
    scale: float = 1.0

    @property
    def lying(self) -> Size:
        """Return the piece's own trim, rotated as in the product's image."""
        trim = self.piece.card.trim
        return trim.turned if self.turned else trim

    @property
    def prints_back(self) -> bool:
        """Return True if the product is printed on both sides."""
        return self.product is None or self.product.back != "none"

    @property
    def has_back(self) -> bool:
        """Return True if the piece has a printed back."""
        return self.piece.back is not None and self.prints_back

    @property
    def exact(self) -> bool:
        """Return True if the product has the piece's own size."""
        return self.product is None or self.product.trim.close_to(self.lying, FIT)

    @property
    def ways(self) -> tuple[float, float]:
        """Return the horizontal and vertical scales at which the rotated piece covers its product."""
        if self.product is None or self.exact:
            return 1.0, 1.0
        return self.product.trim.width / self.lying.width, self.product.trim.height / self.lying.height

    @property
    def bands(self) -> tuple[float, float]:
        """Return the product's room at the sides of the piece's trim and above it, in mm of the finished
        product."""
        if self.product is None:
            return 0.0, 0.0
        trim, lying = self.product.trim, self.lying
        return (
            max(0.0, (trim.width - lying.width * self.scale) / 2),
            max(0.0, (trim.height - lying.height * self.scale) / 2),
        )


def matching(service: Service, component: Component, trim: Size) -> tuple[Product, bool] | None:
    """Return the first product for a trim of a component, and whether it is turned a quarter."""
    for product in _able(service, component):
        if product.trim.close_to(trim, FIT):
            return product, False
        if product.trim.close_to(trim.turned, FIT):
            return product, True
    return None


def nearest(service: Service, component: Component, trim: Size) -> list[Product]:
    """Return the products of the component's kind and shape whose sizes are nearest to `trim`."""
    near = sorted(_able(service, component), key=lambda each: _distance(each.trim.upright, trim.upright))
    return near[:NAMED]


def fitted(component: Component, piece: Piece, product: Product) -> Ordered:
    """Return the piece as large as it can be within the product, in the better of both orientations."""
    trim = piece.card.trim
    upright, lying = _scale(trim, product.trim), _scale(trim.turned, product.trim)
    turned = lying > upright + 1e-9
    each = Ordered(component, piece, product, turned, max(upright, lying))
    return Ordered(component, piece, product, turned) if each.exact else each


def ordered_as(service: Service, component: Component, piece: Piece, near: bool) -> Ordered:
    """Return the piece as its product: the one that its component names (of several, the one with the least
    scaling), the one of its size, or with `near` the nearest. `product` is None if there is none."""
    trim = piece.card.trim
    # Landscape cards are rotated so that they share a product with upright ones of the same size.
    turned = service.delivery == "size-pdf" and component.book is None and trim.width > trim.height
    own_size = Ordered(component, piece, None, turned)
    named = component.products.get(service.id)
    if named:
        chosen = [fitted(component, piece, each) for each in service.products if each.id in named]
        return min(chosen, key=lambda each: abs(log(each.scale)), default=own_size)
    match = matching(service, component, trim)
    if match is not None:
        return Ordered(component, piece, *match)
    choice = nearest(service, component, trim)[:1] if near else []
    found = [fitted(component, piece, product) for product in choice]
    fits = [each for each in found if LEAST_SCALE <= each.scale <= MOST_SCALE and fills(service, each)]
    return fits[0] if fits else own_size


def fills(service: Service, ordered: Ordered) -> bool:
    """Return True if a piece can fill its product. Pictures are extended over missing art; in a PDF the art
    must reach the service's bleed."""
    if service.delivery == "images" or ordered.exact:
        return True
    component, least, most = ordered.component, min(ordered.ways), max(ordered.ways)
    covers = component.bleed * least >= service.bleed - SHORT_BLEED
    return component.book is None and most <= least * (1 + MOST_STRETCH) and covers


def turn(ordered: Ordered, side: Side) -> Rotation:
    """Return the rotation of a side. A back turns the other way, so that both top edges match."""
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


class OrderCheck:
    """Finds the product of every piece, and reports pieces that the service can't make unchanged.

    Findings: unsupported sizes and kinds (`service/trim`, `service/kind`), pieces that are scaled
    (`service/fit`), unknown products (`service/product`), missing or unused backs (`service/back`), art
    that ends too close to the trim or text that is too close to it (`service/bleed`, `service/safe`),
    books, and uncertain figures.
    """

    def __init__(self, job: ExportJob) -> None:
        self.job, self.game, self.service, self.findings = job, job.game, job.print_service, job.findings
        self.near = job.settings.get("fit") == "nearest"
        """True if pieces of other sizes are fitted to the nearest product."""

    def orders(self) -> list[Ordered]:
        """Return every piece that has copies, with its product, in the game's order."""
        service = self.service
        found: list[Ordered] = []
        refused = False
        for component in self.job.components:
            named = component.products.get(service.id)
            if component.box is not None and named is None:
                self._leave_out_box(component)
            elif named is False:
                message = f"'{component.id}' is skipped in orders from {service.title}, as set in game.yaml"
                place = self.game.locate("components", component.id, "products", service.id)
                self.findings.note("service/left-out", message, place)
            elif component.book is not None and not service.prints_books:
                self._leave_out_book(component)
            else:
                ordered = self._ordered(component)
                refused = refused or ordered is None
                found += ordered or ()
        if refused:
            self._name_the_rest(found)
        elif not found:
            self.findings.error(
                "service/empty",
                f"{service.title} can print nothing of this game",
                Location(f"data/{self.game.id}/game.yaml"),
                "name a component that has cards with copies",
            )
        self._caveats(found)
        return found

    def _ordered(self, component: Component) -> list[Ordered] | None:
        """Return a component's pieces with their products; None after an error."""
        if not self._is_named_well(component):
            return None
        pieces = self._pieces(component)
        ordered = [ordered_as(self.service, component, piece, self.near) for piece in pieces]
        strange = [each.piece for each in ordered if each.product is None and not self.service.any_trim]
        if strange:
            return self._refuse(component, strange)
        self._tell_of_fits(component, ordered)
        if component.book is not None:
            return ordered if self._has_few_pages(component, ordered) else None
        self._look_at_backs(component, ordered)
        self._look_at_edges(component)
        return ordered

    def _place(self, component: Component, key: str) -> Location:
        """Locate a component's entry in game.yaml."""
        return self.game.locate("components", component.id, key)

    def _trim_place(self, component: Component, piece: Piece) -> Location:
        return self._place(component, "trim") if component.trim else self.game.where(piece.card)

    def _pieces(self, component: Component) -> list[Piece]:
        """Return the pieces ordered for a component: those with copies. For a book, one piece a page if
        pictures are sent, else one for the whole book."""
        if component.book is None:
            return [piece for piece in self.job.pieces(component) if piece.copies > 0]
        book = self.job.books[component.id]
        names = {component.id: book.cover}
        if self.service.delivery == "images":
            names = {f"page-{number}": key for number, key in enumerate(book.keys, 1)}
        file, path = f"data/{self.game.id}/game.yaml", ("components", component.id)
        return [
            Piece(Card(name, component.id, {}, 1, book.trim, "", None, file, path, number), key, None, 1)
            for number, (name, key) in enumerate(names.items(), 1)
        ]

    def _is_named_well(self, component: Component) -> bool:
        """Check that the service has the products that a component names, in its shape."""
        service = self.service
        named = component.products.get(service.id)
        if not named:
            return True
        place = self.game.locate("components", component.id, "products", service.id)
        made = {each.id: each for each in service.products}
        for name in named:
            product = made.get(name)
            if product is None:
                some = ", ".join(sorted(made)[:LISTED]) + (", …" if len(made) > LISTED else "")
                hint = did_you_mean(name, made) or f"use one of the products: {some}"
                message = f"{service.title} has no product '{name}'"
                self.findings.error("service/product", message, place, hint)
                return False
            if product.shape != component.shape:
                theirs = FORMS[str(product.shape)].strip() or "rectangular"
                ours = FORMS[component.outline].strip() or "rectangular"
                message = f"{product.title} is {theirs}, '{component.id}' is {ours}"
                hint = "name a product of the same shape"
                self.findings.error("service/product", message, place, hint)
                return False
        if service.delivery == "images":
            return True
        ordered = [ordered_as(service, component, piece, False) for piece in self._pieces(component)]
        wrong = [each for each in ordered if not each.exact and not (self.near and fills(service, each))]
        other = wrong[0].product if wrong else None
        if other is not None:
            message = f"'{component.id}' doesn't have the size of {other.title}; PDFs are not scaled"
            way = " to fit without --fit nearest" if all(fills(service, each) for each in wrong) else ""
            self.findings.error("service/product", message + way, place, "remove it from `products`")
        return other is None

    def _tell_of_fits(self, component: Component, ordered: Sequence[Ordered]) -> None:
        """Warn of each size that is scaled, or whose edge is visibly extended."""
        sizes: dict[tuple[Size, Size], list[Ordered]] = defaultdict(list)
        for each in ordered:
            if each.product is not None and not each.exact:
                sizes[each.piece.card.trim, each.product.trim].append(each)
        for (trim, room), some in sizes.items():
            first, product = some[0], some[0].product
            assert product is not None
            message = (
                f"{_named(component, [each.piece for each in some])}, {trim}, is printed at "
                f"{round(100 * first.scale)} % as {product.title} ({_size(room)})"
            )
            message += self._what_shows(component, first)
            wanted = room.turned if first.turned else room
            hint = (
                f"to fit exactly, write trim: [{round(wanted.width, 2):g}mm, {round(wanted.height, 2):g}mm]"
            )
            self.findings.warning("service/fit", message, self._trim_place(component, first.piece), hint)

    def _what_shows(self, component: Component, ordered: Ordered) -> str:
        """Return the visible effect of fitting a piece, besides its size."""
        if self.service.delivery != "images":
            stretch = 100 * (max(ordered.ways) / min(ordered.ways) - 1)
            return f", and {stretch:.1f} % more in one direction than the other" if stretch > 0.05 else ""
        band = max(ordered.bands)
        if band <= 0.05:
            return ""
        if not component.bleed:
            return f", with {band:.1f} mm on two sides stretched from its outermost pixels"
        drawn = band - component.bleed * ordered.scale
        more = f", {drawn:.1f} mm of them stretched from its outermost pixels" if drawn > 0.05 else ""
        return f", with {band:.1f} mm of its bleed visible on two sides{more}"

    def _refuse(self, component: Component, pieces: Sequence[Piece]) -> list[Ordered] | None:
        """Report each trim that the service does not make, as errors. If the service makes nothing of that
        kind, it is an error only if the user named the component."""
        service, what = self.service, KINDS[component.kind]
        if not nearest(service, component, pieces[0].card.trim):
            message = f"{service.title} prints no {FORMS[component.outline]}{what}: "
            message += _named(component, pieces)
            place = self._place(component, "kind")
            hint = "use another service for it; list all: cardgen list --services"
            if self.job.partial:
                self.findings.error("service/kind", message, place, hint)
                return None
            # The user didn't name it.
            self.findings.warning("service/kind", message, place, hint)
            return []
        sizes: dict[Size, list[Piece]] = defaultdict(list)
        for piece in pieces:
            sizes[piece.card.trim].append(piece)
        for trim, some in sizes.items():
            near = nearest(service, component, trim)
            choice = ", ".join(f"{product.title} ({_size(product.trim)})" for product in near)
            message = f"{service.title} makes no {what} of {trim}: {_named(component, some)}"
            can_fit = ordered_as(service, component, some[0], True).product is not None
            command = f"cardgen export {self.game.id} --to {service.id} --fit nearest"
            way = f"; to print it as that: {command}" if can_fit else ""
            place = self._trim_place(component, some[0])
            self.findings.error("service/trim", message, place, f"choose one of the nearest: {choice}{way}")
        return None

    def _name_the_rest(self, found: Sequence[Ordered]) -> None:
        """Report how to export the components that the service does make."""
        rest = dict.fromkeys(each.component.id for each in found)
        if rest:
            options = " ".join(f"--component {id}" for id in rest)
            message = f"{self.service.title} makes the other components"
            hint = f"export those alone: cardgen export {self.game.id} --to {self.service.id} {options}"
            self.findings.note("service/rest", message, None, hint)

    def _leave_out_box(self, component: Component) -> None:
        hint = self.job.build_hint(component, "print it yourself", " --cut pdf")
        message = f"the box '{component.id}' is skipped: {self.service.title} folds boxes along its own "
        message += "lines"
        self.findings.note("service/box", message, self._place(component, "kind"), hint)

    def _leave_out_book(self, component: Component) -> None:
        hint = self.job.build_hint(component, "print it yourself")
        message = f"the book '{component.id}' is skipped in the order"
        self.findings.note("service/book", message, self._place(component, "kind"), hint)

    def _look_at_backs(self, component: Component, ordered: Sequence[Ordered]) -> None:
        bare = [each.piece for each in ordered if each.piece.back is None]
        rules = {each.product.back for each in ordered if each.product is not None}
        if bare and ("required" in rules or self.service.first == "back"):
            self.findings.error(
                "service/back",
                f"{self.service.title} prints cards on both sides, and {_named(component, bare)} has no "
                "back",
                self.game.where(bare[0].card),
                f"give the component '{component.id}' a back: in game.yaml, or skip it",
            )
        elif bare and "optional" in rules:
            message = f"{_named(component, bare)} has no back, so its back stays blank"
            self.findings.note("service/back", message, self.game.where(bare[0].card))
        vain = [each.piece for each in ordered if each.piece.back is not None and not each.prints_back]
        if vain:
            message = "this product is printed on one side; the back of "
            message += f"{_named(component, vain)} is skipped"
            self.findings.warning("service/back", message, self.game.where(vain[0].card))

    def _look_at_edges(self, component: Component) -> None:
        """Report bleed and safe zones smaller than the service requires."""
        service = self.service
        if component.bleed < service.bleed - 0.01:
            message = (
                f"the art of '{component.id}' extends {component.bleed:g} mm beyond the trim; "
                f"{service.title} needs {service.bleed:g} mm"
            )
            hint = f"extend the art and write bleed: {service.bleed:g}mm"
            say = self.findings.error
            if service.delivery == "images":  # pixels can be extended
                say, hint = self.findings.warning, f"its edge is extended; better: {hint}"
            say("service/bleed", message, self._place(component, "bleed"), hint)
        if component.safe < service.safe - 0.01:
            self.findings.note(
                "service/safe",
                f"the safe zone of '{component.id}' is {component.safe:g} mm; {service.title} needs "
                f"{service.safe:g} mm",
                self._place(component, "safe"),
                "check the vendor's proof: art closer to the edge may be cut",
            )

    def _has_few_pages(self, component: Component, ordered: Sequence[Ordered]) -> bool:
        """Check that the booklet has at most the product's number of pages."""
        product, pages = ordered[0].product, self.job.books[component.id].pages
        if product is None or product.most_pages is None or pages <= product.most_pages:
            return True
        self.findings.error(
            "service/pages",
            f"'{component.id}' has {pages} pages, {product.title} at most {product.most_pages}",
            self._place(component, "kind"),
            f"shorten it, or skip it: products: {{{self.service.id}: false}}",
        )
        return False

    def _caveats(self, found: Sequence[Ordered]) -> None:
        service, place = self.service, Location(f"data/services/{self.service.id}.yaml")
        products = dict.fromkeys(each.product for each in found if each.product is not None)
        unsure = [f"{product.title}: {product.caveat}" for product in products if product.caveat]
        if service.caveat:
            unsure.insert(0, service.caveat)
        for caveat in unsure:
            self.findings.note("service/unsure", caveat, place)
        if service.proof:
            message = f"the export for {service.title} is a proof: {service.proof}"
            self.findings.note("service/proof", message, place)


def _size(trim: Size) -> str:
    return f"{round(trim.width, 2):g}×{round(trim.height, 2):g} mm"


def _named(component: Component, pieces: Sequence[Piece]) -> str:
    """Return the first of some cards, and how many more: cards/wolf and 3 more."""
    if component.book is not None:
        return component.id
    more = f" and {len(pieces) - 1} more" if len(pieces) > 1 else ""
    return f"{component.id}/{pieces[0].card.id}{more}"


_FORMS = {"ellipse": "-round", "hexagon": "-hexagon", "polygon": "-shaped"}
"""The ending of a size's name if its pieces are not rectangles."""


@dataclass(frozen=True, slots=True)
class Line:
    """A piece in a run. `face` and `back` are file names relative to the export; `back` is None if it has
    none. `number` counts from 1 in the run."""

    ordered: Ordered
    number: int
    copies: int
    face: str
    back: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """One order. `part` counts from 1 if a product's cards exceed one order's maximum, and is 0 otherwise.
    The order of a rulebook has so many `pages`, as its lines or in one file; others have none."""

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
        """Return the titles of its components, each once."""
        return list(dict.fromkeys(line.ordered.component.title for line in self.lines))


def ending(service: Service) -> str:
    """Return the ending of PDF files."""
    return "-proof.pdf" if service.proof else ".pdf"


def runs(service: Service, ordered: Sequence[Ordered]) -> list[Run]:
    """Return the orders of some pieces: one for each component, or for each product if the service orders
    by product, split if it exceeds an order's maximum number of cards."""
    groups: dict[str, list[Ordered]] = defaultdict(list)
    for each in ordered:
        groups[_group(service, each, ordered)].append(each)
    found = []
    for name, members in groups.items():
        product = members[0].product
        if members[0].component.book is not None:
            lines = tuple(_page(name, each, len(members)) for each in members)
            found.append(Run(name, product, 0, lines, len(lines)))
            continue
        parts = _parts(members, service.most_cards)
        several = len(parts) > 1
        for part, shares in enumerate(parts, 1):
            called = f"{name}-{part}" if several else name
            found.append(Run(called, product, part if several else 0, _lines(service, called, shares)))
    return found


def _group(service: Service, each: Ordered, all: Sequence[Ordered]) -> str:
    """Return the name of a piece's order."""
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


def _parts(members: Iterable[Ordered], most: int | None) -> list[list[tuple[Ordered, int]]]:
    """Return members with their copies, in lists of no more than `most` cards. Copies of one card may be
    split over two lists."""
    parts: list[list[tuple[Ordered, int]]] = [[]]
    room = most
    for each in members:
        left = each.piece.copies
        while left:
            if room == 0:
                parts.append([])
                room = most
            taken = left if room is None else min(left, room)
            parts[-1].append((each, taken))
            left -= taken
            room = None if room is None else room - taken
    return parts


def _lines(service: Service, run: str, shares: Sequence[tuple[Ordered, int]]) -> tuple[Line, ...]:
    """Return numbered lines. Names of pictures and of PDFs of one card sort in the order of the run. Cards
    with the same back share one picture."""
    digits = max(2, len(str(len(shares))))
    counts = Counter(ordered.piece.back for ordered, _ in shares if ordered.has_back)
    shared = [back for back, count in counts.items() if count > 1]
    backs = {back: f"{run}/back-{n:0{digits}}.png" for n, back in enumerate(shared, 1)}
    if len(shared) == 1:
        backs = {shared[0]: f"{run}/back.png"}
    lines = []
    for number, (ordered, copies) in enumerate(shares, 1):
        stem = f"{run}/{number:0{digits}}-{ordered.piece.card.id}"
        if service.delivery == "images":
            face, back = f"{stem}-face.png", backs.get(ordered.piece.back, f"{stem}-back.png")
        else:
            face = back = f"{stem if service.delivery == 'card-pdf' else run}{ending(service)}"
        lines.append(Line(ordered, number, copies, face, back if ordered.has_back else None))
    return tuple(lines)


def _page(run: str, page: Ordered, pages: int) -> Line:
    number = page.piece.card.number
    return Line(page, number, 1, f"{run}/page-{number:0{max(2, len(str(pages)))}}.png", None)
