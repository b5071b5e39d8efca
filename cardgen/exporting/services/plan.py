"""What a print service is sent, and the list to order it by.

images     a PNG a side, on the product's exact pixels
deck-pdf   a PDF a deck, each card as often as it has copies
size-pdf   a PDF for all cards of one size
card-pdf   a PDF a card
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import BinaryIO

from cardgen.drawing.raster import encode_png
from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.pixels import raster_version
from cardgen.exporting.services.autofill import order_files
from cardgen.exporting.services.books import book_pdf
from cardgen.exporting.services.canvases import Canvas, missing_edge, on_canvas
from cardgen.exporting.services.documents import cards, decks, sizes
from cardgen.exporting.services.fitting import Ordered, turn
from cardgen.exporting.services.paperwork import paper_files
from cardgen.exporting.services.products import orders
from cardgen.exporting.services.runs import Line, Run, runs
from cardgen.findings import Location, UsageError
from cardgen.model.services import Delivery, Product, Service
from cardgen.model.sheets import Side
from cardgen.units import parse_length

PDFS: dict[str, Delivery] = {"card": "card-pdf", "deck": "deck-pdf", "size": "size-pdf"}


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of an order. Nothing is planned if the service does not make a piece."""
    assert job.service is not None
    service = _asked(job, job.service)
    ordered = orders(job, service)
    if job.findings.errors:
        return []
    make = {"images": _images, "deck-pdf": decks, "size-pdf": sizes, "card-pdf": cards}[service.delivery]
    as_pdf = service.delivery != "images"
    books = [each for each in ordered if as_pdf and each.component.book is not None]
    found, files = make(job, service, [each for each in ordered if each not in books])
    for book in books:
        run, file = book_pdf(job, service, book)
        found, files = [*found, run], [*files, file]
    files += order_files(job, service, found)
    _note_parts(job, service, found)
    return paper_files(job, service, found, files)


def _asked(job: ExportJob, service: Service) -> Service:
    """The service with what the user asked of its files. Raises UsageError for what it has no use for."""
    settings = job.settings
    if settings.get("upload") and service.interface is None:
        message = f"--upload means nothing to --to {service.id}: it takes no orders from programs"
        raise UsageError(message, "upload its files on its site")
    if settings.get("dry-run") and not settings.get("upload"):
        raise UsageError("--dry-run is for --upload")
    if service.delivery != "images":
        if settings.get("fit") and service.any_trim:
            raise UsageError(f"--fit means nothing to --to {service.id}: it cuts to any size")
        if settings.get("pdf"):
            delivery: Delivery = PDFS[str(settings["pdf"])]
            service = replace(service, delivery=delivery)
        if settings.get("bleed-width"):
            service = replace(service, bleed=parse_length(str(settings["bleed-width"])))
        return replace(service, proof=None) if _as_stated(job, service) else service
    for name in ("pdf", "bleed-width"):
        if settings.get(name):
            message = f"--{name} means nothing to --to {service.id}: it takes pictures of stated pixels"
            raise UsageError(message, "PDF are for services such as printshop")
    return service


def _as_stated(job: ExportJob, service: Service) -> bool:
    """Whether an order is in the inks that its service states."""
    if service.inks is None or job.inks is None:
        return False
    if service.inks.standard not in (None, job.inks.standard):
        return False
    return service.inks.limit is None or job.inks.ink_limit <= service.inks.limit


def _note_parts(job: ExportJob, service: Service, found: Sequence[Run]) -> None:
    parted = dict.fromkeys(run.product for run in found if run.part and run.product)
    for product in parted:
        count = sum(run.product is product for run in found)
        job.findings.note(
            "service/parts",
            f"one order of {product.title} has at most {service.most_cards} cards: there are {count}",
            Location(f"data/services/{service.id}.yaml"),
        )


# ---------------------------------------------------------------- images


def _images(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    found = runs(service, ordered, ".png")
    files: dict[str, PlannedFile] = {}
    for run in found:
        for line in run.lines:
            for name, artwork, side in _sides(line):
                if name not in files:
                    files[name] = _image(job, service, line.ordered, name, artwork, side)
    _note_edges(job, service, ordered)
    return found, list(files.values())


def _sides(line: Line) -> Iterable[tuple[str, str, Side]]:
    piece = line.ordered.piece
    yield line.face, piece.face, "face"
    if line.back is not None and piece.back is not None:
        yield line.back, piece.back, "back"


def _image(
    job: ExportJob, service: Service, ordered: Ordered, name: str, artwork: str, side: Side
) -> PlannedFile:
    assert ordered.product is not None
    canvas = Canvas(ordered.product.canvas, service.dpi, turn(ordered, side), ordered.scale)
    sides = job.sides_of(ordered.component)
    look = f"{artwork}/{sides.face(artwork).name}"
    digest = digest_of("canvas", look, canvas, raster_version())

    def write(out: BinaryIO) -> None:
        out.write(encode_png(on_canvas(sides, artwork, canvas), service.dpi))

    return PlannedFile(name, digest, write)


def _note_edges(job: ExportJob, service: Service, ordered: Sequence[Ordered]) -> None:
    """Say where the art had to be drawn out although it has the bleed that the service asks for."""
    seen: set[tuple[str, Product]] = set()
    for each in ordered:
        product, component = each.product, each.component
        short_bleed = component.book is None and component.bleed < service.bleed - 0.01  # said already
        if product is None or (component.id, product) in seen or short_bleed:
            continue
        if not each.exact:  # which is said with how it is made to fit
            continue
        seen.add((component.id, product))
        face = job.sides_of(component).face(each.piece.face)
        canvas = Canvas(product.canvas, service.dpi, turn(each, "face"))
        short = missing_edge(face.trim, face.bleed, canvas)
        if short > 0.05:
            hint = "all of it is cut away"
            if component.book is None:
                hint += f"; bleed: {math.ceil(100 * (component.bleed + short)) / 100:g}mm covers it"
            job.findings.note(
                "service/edge",
                f"the image of {product.title} reaches {short:.2f} mm beyond the art of '{component.id}', "
                "whose outermost pixels are drawn out to its edge",
                job.game.where(each.piece.card),
                hint,
            )
