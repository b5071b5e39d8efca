"""A print service's product for each piece and book."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from cardgen.core.findings import Location, did_you_mean
from cardgen.core.game import Card, Component
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.core.services import Service
from cardgen.core.sheets import ImposedSheet, Page, Side, Slot
from cardgen.exports.job import ExportJob, Piece, PlannedFile, digest_of
from cardgen.exports.service_runs import (
    Line,
    Ordered,
    Run,
    fills,
    in_one_file,
    nearest,
    ordered_as,
    runs,
    turn,
)

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


def orders(job: ExportJob, service: Service) -> list[Ordered]:
    """Every piece that has copies, with its product, in the game's order.

    Adds findings for what the service does not make (`service/trim`, `service/kind`), for what is made to
    fit (`service/fit`), for products named that there are not (`service/product`), for backs that
    are missing or in vain (`service/back`), for art that ends too close to the trim or text that does
    (`service/bleed`, `service/safe`), for books, and for figures that are not certain.
    """
    found: list[Ordered] = []
    near = job.settings.get("fit") == "nearest"
    refused: set[str] = set()
    for component in job.components:
        if component.box is not None and service.id not in component.products:
            _leave_out_box(job, service, component)
            continue
        if component.products.get(service.id) is False:
            _leave_out(job, service, component)
            continue
        if component.book is not None and not service.prints_books:
            leave_out_book(job, component)
            continue
        if not _named_well(job, service, component):
            refused.add(component.id)
            continue
        pieces = _pieces(job, service, component)
        ordered = [ordered_as(service, component, piece, near) for piece in pieces]
        strange = [each for each in ordered if each.product is None and not service.any_trim]
        if strange:
            refused |= _refuse(job, service, component, [each.piece for each in strange])
            continue
        _tell_of_fits(job, service, component, ordered)
        if component.book is None:
            _look_at_backs(job, service, component, ordered)
            _look_at_edges(job, service, component)
        elif not look_at_book(job, service, component, ordered):
            refused.add(component.id)
            continue
        found += ordered
    if refused:
        _name_the_rest(job, service, found)
    elif not found:
        job.findings.error(
            "service/empty",
            f"there is nothing here that {service.title} could print",
            Location(f"data/{job.game.id}/game.yaml"),
            "name a component that has cards with copies",
        )
    _caveats(job, service, found)
    return found


def _pieces(job: ExportJob, service: Service, component: Component) -> list[Piece]:
    """What is ordered of a component, each with copies."""
    if component.book is None:
        return [piece for piece in job.pieces(component) if piece.copies > 0]
    return book_pieces(job, service, component)


def _place(job: ExportJob, component: Component, key: str) -> Location:
    """Where game.yaml states something of a component."""
    return job.game.locator.locate(f"data/{job.game.id}/game.yaml", ("components", component.id, key))


def _can_fit(service: Service, component: Component, piece: Piece) -> bool:
    """Whether `--fit nearest` would be of help."""
    return ordered_as(service, component, piece, True).product is not None


def _named_well(job: ExportJob, service: Service, component: Component) -> bool:
    """Whether the products that a component names for the service are there, and of its shape."""
    named = component.products.get(service.id)
    if not named:
        return True
    place = job.game.locator.locate(
        f"data/{job.game.id}/game.yaml", ("components", component.id, "products", service.id)
    )
    made = {each.id: each for each in service.products}
    for name in named:
        product = made.get(name)
        if product is None:
            hint = did_you_mean(name, made) or f"its products stand in data/services/{service.id}.yaml"
            job.findings.error("service/product", f"{service.title} has no product '{name}'", place, hint)
            return False
        if product.shape != component.shape:
            theirs = "rectangular" if product.shape == "rectangle" else FORMS[str(product.shape)].strip()
            ours = FORMS[component.outline].strip() or "rectangular"
            message = f"{product.title} is {theirs}, '{component.id}' is {ours}"
            job.findings.error("service/product", message, place, "name a product of the same shape")
            return False
    if service.delivery == "images":
        return True
    ordered = [ordered_as(service, component, piece, False) for piece in _pieces(job, service, component)]
    near = job.settings.get("fit") == "nearest"
    wrong = [each for each in ordered if not each.exact and not (near and fills(service, each))]
    other = wrong[0].product if wrong else None
    if other is not None:
        message = f"'{component.id}' has not the size of {other.title}; in a PDF nothing is made to fit"
        way = " by itself: --fit nearest does" if all(fills(service, each) for each in wrong) else ""
        job.findings.error("service/product", f"{message}{way}", place, "leave it out of `products`")
    return other is None


def _leave_out(job: ExportJob, service: Service, component: Component) -> None:
    place = job.game.locator.locate(
        f"data/{job.game.id}/game.yaml", ("components", component.id, "products", service.id)
    )
    message = f"'{component.id}' is left out of orders from {service.title}, as game.yaml says"
    job.findings.note("service/left-out", message, place)


def _tell_of_fits(
    job: ExportJob, service: Service, component: Component, ordered: Sequence[Ordered]
) -> None:
    """A warning for each size that is printed larger or smaller, or with its edge drawn out to be seen."""
    sizes: dict[tuple[Size, Size], list[Ordered]] = {}
    for each in ordered:
        if each.product is not None and not each.exact:
            sizes.setdefault((each.piece.card.trim, each.product.trim), []).append(each)
    for (trim, room), some in sizes.items():
        first, product = some[0], some[0].product
        assert product is not None
        band = max(first.bands)
        message = (
            f"{_named(component, [each.piece for each in some])}, {trim}, is printed at "
            f"{round(100 * first.scale)} % as {product.title} ({_size(room)})"
        )
        drawn = band - component.bleed * first.scale
        if service.delivery != "images":
            stretch = 100 * (max(first.ways) / min(first.ways) - 1)
            message += f", and {stretch:.1f} % more one way than the other" if stretch > 0.05 else ""
        elif band > 0.05 and component.bleed:
            message += f", with {band:.1f} mm of its bleed to be seen on two sides"
            message += (
                f", {drawn:.1f} mm of them drawn out from its outermost pixels" if drawn > 0.05 else ""
            )
        elif band > 0.05:
            message += f", with {band:.1f} mm on two sides drawn out from its outermost pixels"
        wanted = room.turned if first.turned else room
        hint = f"trim: [{round(wanted.width, 2):g}mm, {round(wanted.height, 2):g}mm] fits as it is"
        place = _place(job, component, "trim") if component.trim else job.game.where(first.piece.card)
        job.findings.warning("service/fit", message, place, hint)


def _refuse(job: ExportJob, service: Service, component: Component, pieces: Sequence[Piece]) -> set[str]:
    """One finding for each trim that the service does not make: an error, and the component's id as the
    result. Where it makes nothing of that kind, an error only if the component was asked for by name."""
    what = KINDS[component.kind]
    if not nearest(service, component, pieces[0].card.trim):
        form = FORMS[component.outline]
        message = f"{service.title} prints no {form}{what}: {_named(component, pieces)}"
        place = _place(job, component, "kind")
        if job.partial:
            job.findings.error("service/kind", message, place, "leave it out, or take another service")
            return {component.id}
        hint = "it is left out; take another service for it"  # nobody has asked for it by name
        job.findings.warning("service/kind", message, place, hint)
        return set()
    sizes: dict[Size, list[Piece]] = {}
    for piece in pieces:
        sizes.setdefault(piece.card.trim, []).append(piece)
    for trim, some in sizes.items():
        place = _place(job, component, "trim") if component.trim else job.game.where(some[0].card)
        near = nearest(service, component, trim)
        choice = ", ".join(f"{product.title} ({_size(product.trim)})" for product in near)
        message = f"{service.title} makes no {what} of {trim}: {_named(component, some)}"
        way = "; --fit nearest prints it as that" if _can_fit(service, component, some[0]) else ""
        job.findings.error("service/trim", message, place, f"nearest: {choice}{way}")
    return {component.id}


def _size(trim: Size) -> str:
    return f"{round(trim.width, 2):g}×{round(trim.height, 2):g} mm"


def _named(component: Component, pieces: Sequence[Piece]) -> str:
    """The first of some cards, and how many more: cards/wolf and 3 more."""
    if component.book is not None:
        return component.id
    more = f" and {len(pieces) - 1} more" if len(pieces) > 1 else ""
    return f"{component.id}/{pieces[0].card.id}{more}"


def _name_the_rest(job: ExportJob, service: Service, found: Sequence[Ordered]) -> None:
    """Say how to export what the service does make."""
    rest = dict.fromkeys(each.component.id for each in found)
    if rest:
        options = " ".join(f"--component {id}" for id in rest)
        message = f"{service.title} makes the other components; to export those alone, name them"
        hint = f"cardgen export {job.game.id} --to {service.id} {options}"
        job.findings.note("service/rest", message, None, hint)


def _leave_out_box(job: ExportJob, service: Service, component: Component) -> None:
    sheets = [sheet.name for sheet in job.game.sheets if component.id in sheet.components]
    hint = (
        f"it is written by: cardgen build {job.game.id} --sheet {sheets[0]} --cut pdf" if sheets else None
    )
    message = f"the box '{component.id}' is left out: {service.title} folds boxes along lines of its own"
    job.findings.note("service/box", message, _place(job, component, "kind"), hint)


def _look_at_backs(
    job: ExportJob, service: Service, component: Component, ordered: Sequence[Ordered]
) -> None:
    bare = [each.piece for each in ordered if each.piece.back is None]
    rules = {each.product.back for each in ordered if each.product is not None}
    if bare and ("required" in rules or service.first == "back"):
        job.findings.error(
            "service/back",
            f"{service.title} prints cards on both sides, and {_named(component, bare)} has no back",
            job.game.where(bare[0].card),
            f"give the component '{component.id}' a back: in game.yaml, or leave it out",
        )
    elif bare and "optional" in rules:
        message = f"{_named(component, bare)} has no back and stays blank behind"
        job.findings.note("service/back", message, job.game.where(bare[0].card))
    vain = [
        each.piece
        for each in ordered
        if each.product is not None and each.product.back == "none" and each.piece.back is not None
    ]
    if vain:
        message = f"this product is printed on one side; the back of {_named(component, vain)} is left out"
        job.findings.warning("service/back", message, job.game.where(vain[0].card))


def _look_at_edges(job: ExportJob, service: Service, component: Component) -> None:
    """Bleed that is short of what the service asks for, and a safe zone that is."""
    if component.bleed < service.bleed - 0.01:
        message = (
            f"the art of '{component.id}' runs {component.bleed:g} mm over the trim; "
            f"{service.title} asks for {service.bleed:g} mm"
        )
        hint = f"draw it larger and write bleed: {service.bleed:g}mm"
        place = _place(job, component, "bleed")
        if service.delivery == "images":  # pixels can be drawn out
            job.findings.warning("service/bleed", message, place, f"its edge is drawn out; better: {hint}")
        else:
            job.findings.error("service/bleed", message, place, hint)
    if component.safe < service.safe - 0.01:
        job.findings.note(
            "service/safe",
            f"'{component.id}' keeps {component.safe:g} mm clear within the trim; {service.title} asks "
            f"for {service.safe:g} mm",
            _place(job, component, "safe"),
            "look at the vendor's proof: what stands closer to the edge may be cut",
        )


def _caveats(job: ExportJob, service: Service, found: Sequence[Ordered]) -> None:
    place = Location(f"data/services/{service.id}.yaml")
    if service.caveat:
        job.findings.note("service/unsure", service.caveat, place)
    products = dict.fromkeys(each.product for each in found if each.product is not None)
    for product in products:
        if product.caveat:
            job.findings.note("service/unsure", f"{product.title}: {product.caveat}", place)
    if service.proof:
        message = f"what is made for {service.title} is a proof: {service.proof}"
        job.findings.note("service/proof", message, place)


def book_pieces(job: ExportJob, service: Service, component: Component) -> list[Piece]:
    """A piece a page where pictures are sent, else one for all of the book."""
    book = job.books[component.id]
    names = {component.id: book.cover}
    if service.delivery == "images":
        names = {f"page-{number}": key for number, key in enumerate(book.keys, 1)}
    file, path = _file(job), ("components", component.id)
    return [
        Piece(Card(name, component.id, {}, 1, book.trim, "", None, file, path, number), key, None, 1)
        for number, (name, key) in enumerate(names.items(), 1)
    ]


def book_pdf(job: ExportJob, service: Service, ordered: Ordered) -> tuple[Run, PlannedFile]:
    """A rulebook's pages in reading order, of its own trim and the service's bleed, in the order's inks."""
    book, inks = job.books[ordered.component.id], job.inks
    name = f"{ordered.component.id}{ending(service)}"
    run = Run(ordered.component.id, ordered.product, 0, (Line(ordered, 1, 1, name, None),), book.pages)
    if inks is None:
        return run, PlannedFile(name, book.digest, book.write)
    return run, PlannedFile(name, digest_of(book.digest, inks.key), partial(inks.write, book.write))


def look_at_book(
    job: ExportJob, service: Service, component: Component, ordered: Sequence[Ordered]
) -> bool:
    """Whether the booklet may have as many pages."""
    product, pages = ordered[0].product, job.books[component.id].pages
    if product is not None and product.most_pages is not None and pages > product.most_pages:
        job.findings.error(
            "service/pages",
            f"'{component.id}' has {pages} pages, {product.title} at most {product.most_pages}",
            _kind_place(job, component),
            f"shorten it, or leave it out: products: {{{service.id}: false}}",
        )
        return False
    return True


def leave_out_book(job: ExportJob, component: Component) -> None:
    """A note that the service prints no books, and how to have its PDF."""
    sheets = [sheet.name for sheet in job.game.sheets if component.id in sheet.components]
    hint = f"it is written by: cardgen build {job.game.id} --sheet {sheets[0]}" if sheets else None
    message = f"the book '{component.id}' is left out of the order"
    job.findings.note("service/book", message, _kind_place(job, component), hint)


def _file(job: ExportJob) -> str:
    return f"data/{job.game.id}/game.yaml"


def _kind_place(job: ExportJob, component: Component) -> Location:
    return job.game.locator.locate(_file(job), ("components", component.id, "kind"))


NOTICE = "PROOF: not for the press"
"""What a proof is labelled. It stands in the title, the outline and the file's name and not on a page,
where all that is printed is either cut away or part of the card."""


def decks(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    """A file for each order."""
    found, files = [], []
    for run in runs(service, ordered, ".pdf"):
        name = f"{run.name}{ending(service)}"
        found.append(in_one_file(run, name))
        paired = any(line.back is not None for line in run.lines)
        pages = [page for line in run.lines for page in _pages(service, line, paired) * line.copies]
        pages = [replace(pages[0], bookmark=_bookmark(service, run)), *pages[1:]]
        files.append(_pdf(job, service, name, ", ".join(run.components), pages, run.copies))
    return found, files


def sizes(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    """A file for each finished size; landscape cards lie turned among upright ones."""
    upright = [
        replace(each, turned=each.piece.card.trim.width > each.piece.card.trim.height)
        if each.product is None
        else each
        for each in ordered
    ]
    return decks(job, replace(service, order_by="size"), upright)


def cards(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    """A file for each card."""
    found, files = [], []
    suffix = ending(service)
    for run in runs(service, ordered, suffix):
        lines = []
        for line in run.lines:
            name = line.face.removesuffix(f"-face{suffix}") + suffix
            lines.append(replace(line, face=name, back=None if line.back is None else name))
            title = f"{line.ordered.component.title}, {line.ordered.piece.card.id}"
            files.append(_pdf(job, service, name, title, _pages(service, line), line.copies))
        found.append(replace(run, lines=tuple(lines)))
    return found, files


def ending(service: Service) -> str:
    """How the names of PDF files end."""
    return "-proof.pdf" if service.proof else ".pdf"


def _bookmark(service: Service, run: Run) -> str:
    title = ", ".join(run.components)
    return f"{NOTICE}\n{title}" if service.proof else title


def _pages(service: Service, line: Line, paired: bool = False) -> list[Page]:
    """The sides of a card, each on a page of its trim and the bleed that the service asks for; one that is
    made to fit is scaled about the middle of its product's page. The page is called after its card. In
    a `paired` file a card without a back has an empty page for it, so that every other page is a face."""
    ordered, piece = line.ordered, line.ordered.piece
    sides: tuple[Side, Side] = ("face", "back") if service.first == "face" else ("back", "face")
    pages = []
    for side in sides:
        artwork = piece.face if side == "face" else piece.back
        if artwork is None and not paired:
            continue
        trim = ordered.lying if ordered.product is None or ordered.exact else ordered.product.trim
        size = trim.grown(service.bleed)
        whole = Rect(0, 0, size.width, size.height)
        place = whole.inset(service.bleed)
        across, down = ordered.ways
        x, y = size.width / 2, size.height / 2
        scaled = Matrix(across, 0, 0, down, x * (1 - across), y * (1 - down))
        slots = []
        if artwork is not None:
            card = piece.card
            art, room = (
                _about(x, y, ordered.lying),
                _about(x, y, Size(size.width / across, size.height / down)),
            )
            slots.append(Slot(art, turn(ordered, side), room, artwork, card.component, card.id))
        number = f"{piece.card.id} {side}"
        pages.append(Page(size, side, place, whole, tuple(slots), number=number, adjust=scaled))
    return pages


def _about(x: float, y: float, size: Size) -> Rect:
    return Rect(x - size.width / 2, y - size.height / 2, size.width, size.height)


def _pdf(
    job: ExportJob, service: Service, name: str, title: str, pages: Sequence[Page], cards: int
) -> PlannedFile:
    from cardgen.exports.pdf import PRODUCER, write_pdf

    game = job.game
    sheet = ImposedSheet(name, "card", "none", tuple(pages), cards)
    title = f"{game.title}: {title}" + (f" ({NOTICE})" if service.proof else "")
    subject = f"Proof: {service.proof}" if service.proof else game.description
    keys = dict.fromkeys(slot.artwork for page in pages for slot in page.slots)
    about = (title, game.author, subject, game.language, PRODUCER, os.environ.get("SOURCE_DATE_EPOCH"))
    inks = job.inks
    digest = digest_of("pdf", sheet, [job.look(key) for key in keys], about, inks and inks.key)

    def write(out: BinaryIO) -> None:
        write_pdf(
            sheet,
            job.art,
            job.fontbook,
            out,
            title=title,
            author=game.author,
            subject=subject,
            language=game.language,
        )

    return PlannedFile(name, digest, write if inks is None else partial(inks.write, write))
