"""PDF for print services: a file a card, a deck or a size.

card  its face before its back, or the way the service has it; once
deck  an order's cards one after the other, each as often as it has copies
size  the same for all cards of one finished size, whatever their deck
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.services.fitting import Ordered, turn
from cardgen.exporting.services.runs import Line, Run, in_one_file, runs
from cardgen.geometry import Matrix, Rect, Size
from cardgen.model.services import Service
from cardgen.model.sheets import ImposedSheet, Page, Side, Slot

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
    from cardgen.exporting.pdf.writing import PRODUCER, write_pdf

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
