"""Rulebooks in orders: a picture a page on a booklet's pixels, or one PDF of the book's size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cardgen.exporting.job import ExportJob, Piece, PlannedFile, digest_of
from cardgen.exporting.services.documents import ending
from cardgen.exporting.services.fitting import Ordered
from cardgen.exporting.services.runs import Line, Run
from cardgen.findings import Location
from cardgen.model.game import Card, Component
from cardgen.model.services import Service


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
            _place(job, component),
            f"shorten it, or leave it out: products: {{{service.id}: false}}",
        )
        return False
    return True


def leave_out_book(job: ExportJob, component: Component) -> None:
    """A note that the service prints no books, and how to have its PDF."""
    sheets = [sheet.name for sheet in job.game.sheets if component.id in sheet.components]
    hint = f"it is written by: cardgen build {job.game.id} --sheet {sheets[0]}" if sheets else None
    message = f"the book '{component.id}' is left out of the order"
    job.findings.note("service/book", message, _place(job, component), hint)


def _file(job: ExportJob) -> str:
    return f"data/{job.game.id}/game.yaml"


def _place(job: ExportJob, component: Component) -> Location:
    return job.game.locator.locate(_file(job), ("components", component.id, "kind"))
