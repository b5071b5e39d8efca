"""What a print service is sent, and the list to order it by.

images     a PNG a side, on the product's exact pixels
deck-pdf   a PDF a deck, each card's back before its face, as often as it has copies
card-pdf   a PDF a card, its face before its back
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import BinaryIO

from cardgen.drawing.raster import encode_png
from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.pixels import raster_version
from cardgen.exporting.services.canvases import Canvas, missing_edge, on_canvas
from cardgen.exporting.services.fitting import Ordered
from cardgen.exporting.services.paperwork import paper_files
from cardgen.exporting.services.products import orders
from cardgen.exporting.services.runs import Line, Run, in_one_file, runs
from cardgen.findings import Location, UsageError
from cardgen.geometry import Rect
from cardgen.model.services import Product, Service
from cardgen.model.sheets import ImposedSheet, Page, Rotation, Side, Slot

NOTICE = "PROOF: RGB, not for the press"
"""What a proof is labelled. It stands in the title, the outline and the file's name and not on a page,
where all that is printed is either cut away or part of the card."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of an order. Nothing is planned if the service does not make a piece."""
    service = job.service
    assert service is not None
    _check_settings(job, service)
    ordered = orders(job, service)
    if job.findings.errors:
        return []
    make = {"images": _images, "deck-pdf": _decks, "card-pdf": _cards}[service.delivery]
    found, files = make(job, service, ordered)
    _note_parts(job, service, found)
    return paper_files(job, service, found, files)


def _check_settings(job: ExportJob, service: Service) -> None:
    """Raise UsageError for what a service of this delivery has no use for."""
    if service.delivery != "images" and job.settings.get("fit"):
        message = f"--fit means nothing to --to {service.id}: it takes PDF, in which nothing is made to fit"
        raise UsageError(message, "give the component a trim that the service makes")


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


def _turn(ordered: Ordered, side: Side) -> Rotation:
    """A turned card's back goes the other way, so that its top edge stays behind that of the face."""
    if not ordered.turned:
        return 0
    return 90 if side == "face" else 270


def _image(
    job: ExportJob, service: Service, ordered: Ordered, name: str, artwork: str, side: Side
) -> PlannedFile:
    assert ordered.product is not None
    canvas = Canvas(ordered.product.canvas, service.dpi, _turn(ordered, side), ordered.scale)
    digest = digest_of("canvas", job.look(artwork), canvas, raster_version())

    def write(out: BinaryIO) -> None:
        out.write(encode_png(on_canvas(job.sides, artwork, canvas), service.dpi))

    return PlannedFile(name, digest, write)


def _note_edges(job: ExportJob, service: Service, ordered: Sequence[Ordered]) -> None:
    """Say where the art had to be drawn out although it has the bleed that the service asks for."""
    seen: set[tuple[str, Product]] = set()
    for each in ordered:
        product, component = each.product, each.component
        if product is None or (component.id, product) in seen or component.bleed < service.bleed - 0.01:
            continue
        if not each.exact:  # which is said with how it is made to fit
            continue
        seen.add((component.id, product))
        face = job.art.faces[each.piece.face]
        canvas = Canvas(product.canvas, service.dpi, _turn(each, "face"))
        short = missing_edge(face.trim, face.bleed, canvas)
        if short > 0.05:
            wanted = math.ceil(100 * (component.bleed + short)) / 100
            job.findings.note(
                "service/edge",
                f"the image of {product.title} reaches {short:.2f} mm beyond the art of '{component.id}', "
                "whose outermost pixels are drawn out to its edge",
                job.game.where(each.piece.card),
                f"all of it is cut away; bleed: {wanted:g}mm covers it",
            )


# ---------------------------------------------------------------- PDF


def _decks(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    found, files = [], []
    ending = "-proof.pdf" if service.proof else ".pdf"
    for run in runs(service, ordered, ".pdf"):
        name = f"{run.name}{ending}"
        found.append(in_one_file(run, name))
        pages = [
            page
            for line in run.lines
            for page in _pages(job, service, line, ("back", "face")) * line.copies
        ]
        pages = [replace(pages[0], bookmark=_bookmark(service, run)), *pages[1:]]
        files.append(_pdf(job, service, name, ", ".join(run.components), pages, run.copies))
    return found, files


def _cards(
    job: ExportJob, service: Service, ordered: Sequence[Ordered]
) -> tuple[list[Run], list[PlannedFile]]:
    found, files = [], []
    ending = "-proof.pdf" if service.proof else ".pdf"
    for run in runs(service, ordered, ending):
        lines = []
        for line in run.lines:
            name = line.face.removesuffix(f"-face{ending}") + ending
            lines.append(replace(line, face=name, back=None if line.back is None else name))
            pages = _pages(job, service, line, ("face", "back"))
            title = f"{line.ordered.component.title}, {line.ordered.piece.card.id}"
            files.append(_pdf(job, service, name, title, pages, line.copies))
        found.append(replace(run, lines=tuple(lines)))
    return found, files


def _bookmark(service: Service, run: Run) -> str:
    title = ", ".join(run.components)
    return f"{NOTICE}\n{title}" if service.proof else title


def _pages(job: ExportJob, service: Service, line: Line, sides: Sequence[Side]) -> list[Page]:
    """The sides of a card, each on a page of its trim and the bleed that the service asks for."""
    ordered, piece = line.ordered, line.ordered.piece
    pages = []
    for side in sides:
        artwork = piece.face if side == "face" else piece.back
        if artwork is None:
            continue
        trim = piece.card.trim.turned if ordered.turned else piece.card.trim
        size = trim.grown(service.bleed)
        whole = Rect(0, 0, size.width, size.height)
        place = whole.inset(service.bleed)
        slot = Slot(place, _turn(ordered, side), whole, artwork, piece.card.component, piece.card.id)
        pages.append(Page(size, side, place, whole, (slot,)))
    return pages


def _pdf(
    job: ExportJob, service: Service, name: str, title: str, pages: Sequence[Page], cards: int
) -> PlannedFile:
    from cardgen.exporting.pdf.writing import PRODUCER, write_pdf

    game = job.game
    sheet = ImposedSheet(name, "card", "none", tuple(pages), cards)
    title = f"{game.title}: {title}" + (f" ({NOTICE})" if service.proof else "")
    subject = f"Proof: {service.proof}" if service.proof else game.description
    keys = dict.fromkeys(slot.artwork for page in pages for slot in page.slots)
    about = (title, game.author, subject, game.language, PRODUCER, os.environ.get("SOURCE_DATE_EPOCH"))
    digest = digest_of("pdf", sheet, [job.look(key) for key in keys], about)

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

    return PlannedFile(name, digest, write)
