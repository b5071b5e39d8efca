"""`--to SERVICE`: the files for a print service, and the list for the order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, BinaryIO

from PIL import Image

from cardgen.core.findings import Location, UsageError, plural
from cardgen.core.geometry import MM_PER_INCH, Matrix, Rect, Size, parse_length
from cardgen.core.records import dataclass, replace
from cardgen.core.services import Autofill, Delivery, Product, Service
from cardgen.core.sheets import ImposedSheet, Page, Side, Slot
from cardgen.exports.cells import zip_of
from cardgen.exports.job import ExportJob, PlannedFile, Sides, digest_of, filled_in, pdf_digest, turned
from cardgen.exports.service_orders import Line, OrderCheck, Ordered, Run, ending, runs, turn

PDFS: dict[str, Delivery] = {"card": "card-pdf", "deck": "deck-pdf", "size": "size-pdf"}


def plan(job: ExportJob) -> list[PlannedFile]:
    """Plan the files of an order, none if the service can't make a piece."""
    service = _asked(job, job.print_service)
    job = replace(job, service=service)
    ordered = OrderCheck(job).orders()
    if job.findings.errors:
        return []
    as_pdf = service.delivery != "images"
    books = [each for each in ordered if as_pdf and each.component.book is not None]
    pieces = [each for each in ordered if each not in books]
    found = runs(service, pieces)
    files = _pdfs(job, found) if as_pdf else _images(job, pieces, found)
    for book in books:
        run, file = book_pdf(job, book)
        found, files = [*found, run], [*files, file]
    files += order_files(job, found)
    _note_parts(job, found)
    return paper_files(job, found, files)


def _asked(job: ExportJob, service: Service) -> Service:
    """Return the service with the user's file options. Raises UsageError for an unsupported one."""
    settings = job.settings
    if settings.get("upload") and service.interface is None:
        message = f"--to {service.id} doesn't accept --upload: it has no way to order by program"
        raise UsageError(message, "upload its files on its site")
    if settings.get("dry-run") and not settings.get("upload"):
        raise UsageError("--dry-run needs --upload", "add --upload, or remove --dry-run")
    if service.delivery != "images":
        if settings.get("fit") and service.any_trim:
            raise UsageError(f"--to {service.id} doesn't accept --fit: it cuts to any size", "remove --fit")
        if settings.get("pdf"):
            delivery: Delivery = PDFS[str(settings["pdf"])]
            service = replace(service, delivery=delivery)
        if service.delivery == "size-pdf":
            service = replace(service, order_by="size")
        if settings.get("bleed-width"):
            service = replace(service, bleed=parse_length(str(settings["bleed-width"])))
        return replace(service, proof=None) if _as_stated(job, service) else service
    for name in ("pdf", "bleed-width"):
        if settings.get(name):
            message = f"--to {service.id} doesn't accept --{name}: it takes pictures of a fixed size"
            raise UsageError(
                message, f"remove it, or use a print shop: cardgen export {job.game.id} --to printshop"
            )
    return service


def _as_stated(job: ExportJob, service: Service) -> bool:
    """Return True if an order uses the inks that its service requires."""
    if service.inks is None or job.inks is None:
        return False
    if service.inks.standard not in (None, job.inks.standard):
        return False
    return service.inks.limit is None or job.inks.ink_limit <= service.inks.limit


def _note_parts(job: ExportJob, found: Sequence[Run]) -> None:
    service = job.print_service
    for product in dict.fromkeys(run.product for run in found if run.part and run.product):
        count = sum(run.product is product for run in found)
        message = f"one order of {product.title} has at most {service.most_cards} cards: there are {count}"
        job.findings.note("service/parts", message, Location(f"data/services/{service.id}.yaml"))


# ---------------------------------------------------------------- images


def _images(job: ExportJob, ordered: Sequence[Ordered], found: Sequence[Run]) -> list[PlannedFile]:
    files: dict[str, PlannedFile] = {}
    for run in found:
        for line in run.lines:
            for name, artwork, side in _sides(line):
                if name not in files:
                    files[name] = _image(job, line.ordered, name, artwork, side)
    _note_edges(job, ordered)
    return list(files.values())


def _sides(line: Line) -> Iterable[tuple[str, str, Side]]:
    piece = line.ordered.piece
    yield line.face, piece.face, "face"
    if line.back is not None and piece.back is not None:
        yield line.back, piece.back, "back"


def _image(job: ExportJob, ordered: Ordered, name: str, artwork: str, side: Side) -> PlannedFile:
    assert ordered.product is not None
    dpi = job.print_service.dpi
    canvas = Canvas(ordered.product.canvas, dpi, turn(ordered, side), ordered.scale)
    sides = job.sides_of(ordered.component)
    look = f"{artwork}/{sides.face(artwork).name}"
    return PlannedFile.of_picture(
        name, ("canvas", look, canvas), lambda: on_canvas(sides, artwork, canvas), dpi=dpi
    )


def _note_edges(job: ExportJob, ordered: Sequence[Ordered]) -> None:
    """Report sides with extended art although they have the bleed that the service requires."""
    service = job.print_service
    seen: set[tuple[str, Product]] = set()
    for each in ordered:
        product, component = each.product, each.component
        short_bleed = component.book is None and component.bleed < service.bleed - 0.01  # already reported
        if product is None or (component.id, product) in seen or short_bleed:
            continue
        if not each.exact:  # service/fit reports this
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
                f"the image of {product.title} is {short:.2f} mm larger than the art of '{component.id}': "
                "its outermost pixels are stretched to the edge",
                job.game.where(each.piece.card),
                hint,
            )


@dataclass(frozen=True, slots=True)
class Canvas:
    """A service's image: its pixels and its pixels per inch. A `turn` of 90 or 270 rotates the side
    clockwise into it. The side is printed at `scale` times its size."""

    size: tuple[int, int]
    dpi: int
    turn: int = 0
    scale: float = 1.0

    @property
    def unturned(self) -> tuple[int, int]:
        """Return the pixels in the side's own rotation."""
        return self.size if self.turn in (0, 180) else (self.size[1], self.size[0])

    @property
    def pixels_a_mm(self) -> float:
        """Return the pixels in a mm of the side."""
        return self.dpi / MM_PER_INCH * self.scale

    def area(self, trim: Rect) -> Rect:
        """Return the area of a side that the canvas shows, in mm from the side's corner: its middle is the
        trim's."""
        width, height = (pixels / self.pixels_a_mm for pixels in self.unturned)
        x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
        return Rect(x - width / 2, y - height / 2, width, height)


def on_canvas(sides: Sides, artwork: str, canvas: Canvas) -> Image.Image:
    """Return a side as RGB on a canvas, at exactly its dpi. If the art ends before the canvas does, its
    outermost pixels are extended to the edge."""
    face = sides.face(artwork)
    area = canvas.area(face.trim)
    image = sides.window(artwork, area, canvas.unturned)
    shown = Rect(-area.x, -area.y, face.size.width, face.size.height)
    image = drawn_out(image, shown, canvas.pixels_a_mm)
    return turned(image, canvas.turn)


def missing_edge(face_trim: Rect, bleed: float, canvas: Canvas) -> float:
    """Measure how far in mm the art ends before the canvas, at its worst edge; 0 if it covers it."""
    area = canvas.area(face_trim)
    beyond = max((area.width - face_trim.width) / 2, (area.height - face_trim.height) / 2)
    return max(0.0, beyond - bleed)


def drawn_out(image: Image.Image, shown: Rect, scale: float) -> Image.Image:
    """Return the image with the rows and columns outside `shown` (mm, at `scale` pixels a mm) filled from
    the last ones inside it."""
    left, top = (max(0, math.ceil(edge * scale - 1e-3)) for edge in (shown.x, shown.y))
    right = min(image.width, math.floor(shown.right * scale + 1e-3))
    bottom = min(image.height, math.floor(shown.bottom * scale + 1e-3))
    if (left, top, right, bottom) == (0, 0, image.width, image.height):
        return image
    inner = image.crop((left, top, right, bottom))
    result = Image.new("RGB", image.size)
    result.paste(inner, (left, top))
    width, height = inner.size
    strips = (
        ((0, 0, 1, height), (0, top, left, height)),
        ((width - 1, 0, width, height), (right, top, image.width - right, height)),
    )
    for source, (x, y, wide, high) in strips:
        if wide > 0:
            result.paste(inner.crop(source).resize((wide, high)), (x, y))
    for row, y, high in ((top, 0, top), (bottom - 1, bottom, image.height - bottom)):
        if high > 0:  # whole rows, including the extended corners
            result.paste(result.crop((0, row, image.width, row + 1)).resize((image.width, high)), (0, y))
    return result


# ---------------------------------------------------------------- PDF


NOTICE = "PROOF: not for the press"
"""The label of a proof. It appears in the title, the outline and the file's name but not on a page,
where everything is either cut away or part of the card."""


def _pdfs(job: ExportJob, found: Sequence[Run]) -> list[PlannedFile]:
    """Return a file for each card, or for each order."""
    service, files = job.print_service, []
    for run in found:
        if service.delivery == "card-pdf":
            for line in run.lines:
                title = f"{line.ordered.component.title}, {line.ordered.piece.card.id}"
                files.append(_pdf(job, line.face, title, _pages(service, line), line.copies))
            continue
        title = ", ".join(run.components)
        paired = any(line.back is not None for line in run.lines)
        first, *others = (
            page for line in run.lines for page in _pages(service, line, paired) * line.copies
        )
        first = replace(first, bookmark=f"{NOTICE}\n{title}" if service.proof else title)
        files.append(_pdf(job, run.lines[0].face, title, [first, *others], run.copies))
    return files


def _pages(service: Service, line: Line, paired: bool = False) -> list[Page]:
    """Return the sides of a card, each on a page of its trim and the service's bleed, named after the card;
    a fitted one is scaled about the middle of its product's page. In a `paired` file a card without a back
    has an empty page for it, so that every other page is a face."""
    ordered, piece = line.ordered, line.ordered.piece
    sides: tuple[Side, Side] = ("face", "back") if service.first == "face" else ("back", "face")
    pages = []
    for side in sides:
        artwork = piece.face if side == "face" else piece.back
        if artwork is None and not paired:
            continue
        trim = ordered.lying if ordered.product is None or ordered.exact else ordered.product.trim
        size = trim.grown(service.bleed)
        whole = size.whole
        place = whole.inset(service.bleed)
        across, down = ordered.ways
        x, y = size.width / 2, size.height / 2
        scaled = Matrix(across, 0, 0, down, x * (1 - across), y * (1 - down))
        slots = []
        if artwork is not None:
            card = piece.card
            art = _about(x, y, ordered.lying)
            room = _about(x, y, Size(size.width / across, size.height / down))
            slots.append(Slot(art, turn(ordered, side), room, artwork, card.component, card.id))
        number = f"{piece.card.id} {side}"
        pages.append(Page(size, side, place, whole, tuple(slots), number=number, adjust=scaled))
    return pages


def _about(x: float, y: float, size: Size) -> Rect:
    return Rect(x - size.width / 2, y - size.height / 2, size.width, size.height)


def _pdf(job: ExportJob, name: str, title: str, pages: Sequence[Page], cards: int) -> PlannedFile:
    from cardgen.exports.pdf import write_pdf

    game, service = job.game, job.print_service
    sheet = ImposedSheet(name, "card", "none", tuple(pages), cards)
    title = f"{game.title}: {title}" + (f" ({NOTICE})" if service.proof else "")
    subject = f"Proof: {service.proof}" if service.proof else game.description
    keys = dict.fromkeys(slot.artwork for page in pages for slot in page.slots)
    inks = job.inks
    digest = pdf_digest(sheet, [job.look(key) for key in keys], game, title, subject, inks and inks.key)

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


def book_pdf(job: ExportJob, ordered: Ordered) -> tuple[Run, PlannedFile]:
    """Return a rulebook's pages in reading order, of its own trim and the service's bleed, in the order's
    inks without its spot colors."""
    book, inks = job.books[ordered.component.id], job.inks and job.inks.without_spots()
    name = f"{ordered.component.id}{ending(job.print_service)}"
    run = Run(ordered.component.id, ordered.product, 0, (Line(ordered, 1, 1, name, None),), book.pages)
    if inks is None:
        return run, PlannedFile(name, book.digest, book.write)
    return run, PlannedFile(name, digest_of(book.digest, inks.key), partial(inks.write, book.write))


FORMAT = 1
COLUMNS = (
    *("order", "product", "number", "component", "card", "copies"),
    *("face", "back", "width_mm", "height_mm", "turned", "percent"),
)


def paper_files(job: ExportJob, found: Sequence[Run], files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Return the lists of an order and the ZIP that contains them and `files`."""
    lists = [
        PlannedFile.of_rows(
            "order.csv", [COLUMNS, *(_row(run, line) for run in found for line in run.lines)]
        ),
        PlannedFile.of_text("ORDER.txt", order_text(job, found)),
        PlannedFile.of_json("manifest.json", _manifest(job, found)),
    ]
    packed = [*lists, *files]
    return [*packed, zip_of(f"{job.game.id}-{job.print_service.id}.zip", job.made, packed)]


def _row(run: Run, line: Line) -> list[object]:
    card = line.ordered.piece.card
    return [
        run.name,
        run.product.id if run.product else "",
        line.number,
        card.component,
        card.id,
        line.copies,
        line.face,
        line.back or "",
        f"{card.trim.width:g}",
        f"{card.trim.height:g}",
        "yes" if line.ordered.turned else "no",
        f"{100 * line.ordered.scale:.4g}",
    ]


def _manifest(job: ExportJob, found: Sequence[Run]) -> dict[str, Any]:
    """Return order.csv and more, for programs."""
    service = job.print_service
    return {
        "manifest": FORMAT,
        "service": service.id,
        "game": job.game.id,
        "title": job.game.title,
        "version": job.game.version,
        "low_ink": job.low_ink,
        "dpi": service.dpi if service.delivery == "images" else None,
        "proof": service.proof,
        "colors": _colors(job),
        "cards": sum(run.copies for run in found),
        "orders": [_run_json(service, run) for run in found],
    }


def _run_json(service: Service, run: Run) -> dict[str, Any]:
    product = run.product
    return {
        "name": run.name,
        "product": product.id if product else None,
        "title": product.title if product else None,
        "trim_mm": [round(product.trim.width, 3), round(product.trim.height, 3)] if product else None,
        "canvas_px": list(product.canvas) if product and service.delivery == "images" else None,
        "cards": run.copies,
        "pages": run.pages or None,
        "pieces": [
            {
                "number": line.number,
                "component": line.ordered.component.id,
                "card": line.ordered.piece.card.id,
                "copies": line.copies,
                "face": line.face,
                "back": line.back,
                "turned": line.ordered.turned,
                "scale": round(line.ordered.scale, 4),
            }
            for line in run.lines
        ],
    }


def order_text(job: ExportJob, found: Sequence[Run]) -> str:
    """Return plain instructions for the order."""
    game, service = job.game, job.print_service
    products = dict.fromkeys(run.product for run in found if run.product)
    caveats = [service.caveat, *(f"{each.title}: {each.caveat}" for each in products if each.caveat)]
    pieces = plural(sum(run.copies for run in found), "piece")
    return filled_in(
        "order.txt",
        title=f"{game.title}, version {game.version}, for {service.title}",
        service=service,
        colors=_colors(job),
        total=f"{plural(len(found), 'product')}, {pieces} in all",
        runs=[_run_lines(service, run) for run in found],
        caveats=list(filter(None, caveats)),
    )


def _colors(job: ExportJob) -> str:
    if job.inks is not None:
        return str(job.inks)
    return "RGB (sRGB)" if job.print_service.delivery == "images" else "RGB (sRGB), fonts embedded"


def _run_lines(service: Service, run: Run) -> list[str]:
    product = run.product
    title = product.title if product else "cut to size"
    part = f", part {run.part}" if run.part else ""
    what = plural(run.pages, "page") if run.pages else plural(len(run.lines), "design")
    details = [f"{', '.join(run.components)}: {what}, {run.copies} in all"]
    if product:
        size = f"{round(product.trim.width, 2):g}×{round(product.trim.height, 2):g} mm"
        details.append(f"finished size {size}")
        if service.delivery == "images":
            details.append(f"images of {product.canvas[0]}×{product.canvas[1]} px at {service.dpi} dpi")
    else:
        sizes = dict.fromkeys(str(line.ordered.piece.card.trim) for line in run.lines)
        details.append(f"finished size {', '.join(sizes)}")
    for percent in dict.fromkeys(f"{100 * line.ordered.scale:.4g}" for line in run.lines):
        if percent != "100":
            details.append(f"made to fit: the art is printed at {percent} % of its size")
    if any(line.ordered.turned for line in run.lines):
        details.append("landscape cards lie turned, their backs with them")
    return [f"{run.name}: {title}{part}", *details]


def order_files(job: ExportJob, found: Sequence[Run]) -> list[PlannedFile]:
    """Return a file for each order of a product that the program knows: `cards.xml`, or if there are
    several, `cards-ORDER.xml`."""
    service, stock = job.print_service, job.settings.get("stock")
    if service.autofill is None:
        if stock:
            message = f"--to {service.id} doesn't accept --stock: choose the card stock on its site"
            raise UsageError(message, "remove --stock")
        return []
    chosen = _stock(service.autofill, str(stock) if stock else None)
    able = [run for run in found if run.product is not None and run.product.id in service.autofill.products]
    if stock and not able:
        message = f"no order here is of a product that MPC Autofill knows: --stock {stock} has no effect"
        job.findings.warning("service/stock", message, Location(f"data/services/{service.id}.yaml"))
    files = []
    for run in able:
        name = "cards.xml" if len(able) == 1 else f"cards-{run.name}.xml"
        files.append(PlannedFile.of_text(name, order_xml(run, chosen)))
    return files


def _stock(autofill: Autofill, asked: str | None) -> str:
    """Return the program's name of the stock, found by its code or full name."""
    if asked is None:
        return autofill.stocks[0]
    for name in autofill.stocks:
        if asked.lower() in (name.lower(), name.partition(")")[0].lstrip("(").lower()):
            return name
    raise UsageError(f"there is no stock '{asked}'", f"use one of: {', '.join(autofill.stocks)}")


def order_xml(run: Run, stock: str) -> str:
    """Return the order as XML, as the program reads it since it takes files from several sources."""
    faces: dict[str, list[int]] = {}
    backs: dict[str, list[int]] = {}
    slot = 0
    for line in run.lines:
        slots = range(slot, slot + line.copies)
        faces.setdefault(line.face, []).extend(slots)
        if line.back is not None:
            backs.setdefault(line.back, []).extend(slots)
        slot += line.copies
    common = max(backs, key=lambda name: len(backs[name]), default=None)
    return filled_in(
        "autofill_order.xml",
        quantity=slot,
        stock=stock,
        fronts=faces,
        backs={name: slots for name, slots in backs.items() if name != common},
        cardback=common,
    )
