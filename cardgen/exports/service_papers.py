"""The papers that go with an order: order.csv, ORDER.txt, manifest.json, and a ZIP of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgen.core.findings import Location, UsageError, plural
from cardgen.core.services import Autofill, Service
from cardgen.exports.cells import zip_of
from cardgen.exports.job import ExportJob, PlannedFile, filled_in
from cardgen.exports.service_orders import Line, Run

FORMAT = 1
COLUMNS = (
    *("order", "product", "number", "component", "card", "copies"),
    *("face", "back", "width_mm", "height_mm", "turned", "percent"),
)


def paper_files(job: ExportJob, found: Sequence[Run], files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """The lists of an order and the ZIP that holds them and `files`."""
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
    """The same as order.csv and more, for programs."""
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
    """Say in plain words what to order and how."""
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
    """A file for each order of a product that the program knows: `cards.xml`, or with several of them
    `cards-ORDER.xml`."""
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
        files.append(PlannedFile.of_text(name, order_xml(service.autofill, run, chosen)))
    return files


def _stock(autofill: Autofill, asked: str | None) -> str:
    """The stock as the program calls it, found by its code or the whole of its name."""
    if asked is None:
        return autofill.stocks[0]
    for name in autofill.stocks:
        if asked.lower() in (name.lower(), name.partition(")")[0].lstrip("(").lower()):
            return name
    raise UsageError(f"there is no stock '{asked}'", f"there are: {', '.join(autofill.stocks)}")


def bracket(autofill: Autofill, quantity: int) -> int:
    """The smallest number of cards that is sold and is enough; the largest there is if none is."""
    return min((each for each in autofill.brackets if each >= quantity), default=max(autofill.brackets))


def order_xml(autofill: Autofill, run: Run, stock: str) -> str:
    """The order as XML."""
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
        bracket=bracket(autofill, slot),
        stock=stock,
        fronts=faces,
        backs={name: slots for name, slots in backs.items() if name != common},
        cardback=common,
    )
