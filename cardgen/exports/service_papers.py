"""The papers that go with an order: order.csv, ORDER.txt, manifest.json, and a ZIP of everything."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any
from xml.sax.saxutils import escape

from cardgen.core.findings import Location, UsageError, plural
from cardgen.core.services import Autofill, Service
from cardgen.exports.cells import zip_of
from cardgen.exports.job import ExportJob, PlannedFile
from cardgen.exports.service_orders import Line, Run

FORMAT = 1
WIDTH = 88
"""Characters a line of ORDER.txt."""

COLUMNS = (
    *("order", "product", "number", "component", "card", "copies"),
    *("face", "back", "width_mm", "height_mm", "turned", "percent"),
)


def paper_files(job: ExportJob, found: Sequence[Run], files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """The lists of an order and the ZIP that holds them and `files`."""
    lists = [
        PlannedFile.of("order.csv", order_csv(found).encode("utf-8")),
        PlannedFile.of("ORDER.txt", order_text(job, found).encode("utf-8")),
        PlannedFile.of_json("manifest.json", _manifest(job, found)),
    ]
    packed = [*lists, *files]
    return [*packed, zip_of(f"{job.game.id}-{job.print_service.id}.zip", job.made, packed)]


def order_csv(found: Sequence[Run]) -> str:
    """A line a card: the order it belongs to, its files and its copies."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for run in found:
        for line in run.lines:
            writer.writerow(_row(run, line))
    return text.getvalue()


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
    """What to order and how, in plain words."""
    game, service = job.game, job.print_service
    title = f"{game.title}, version {game.version}, for {service.title}"
    lines = [title, "=" * len(title), ""]
    if service.address:
        lines += [service.address, ""]
    if service.proof:
        lines += [*_wrapped(f"PROOF: not ready for the press, because {service.proof}."), ""]
    lines += [*_wrapped(f"Colors: {_colors(job)}."), ""]
    total = sum(run.copies for run in found)
    lines += [f"To order: {plural(len(found), 'product')}, {plural(total, 'piece')} in all.", ""]
    for run in found:
        lines += [*_run_lines(service, run), ""]
    if service.steps:
        lines += ["What to do", "----------"]
        for number, step in enumerate(service.steps, 1):
            lines += _wrapped(step, f"{number}. ")
        lines.append("")
    lines += ["Files", "-----"]
    lines += _wrapped("order.csv has a line a card, with its files and its copies, for a spreadsheet.")
    lines += _wrapped("manifest.json says the same for programs.")
    caveats = [service.caveat] if service.caveat else []
    products = dict.fromkeys(run.product for run in found if run.product)
    caveats += [f"{product.title}: {product.caveat}" for product in products if product.caveat]
    if caveats:
        lines += ["", "Make sure", "---------"]
        for caveat in caveats:
            lines += _wrapped(caveat)
    return "\n".join(lines) + "\n"


def _colors(job: ExportJob) -> str:
    if job.inks is not None:
        return str(job.inks)
    return "RGB (sRGB)" if job.print_service.delivery == "images" else "RGB (sRGB), fonts embedded"


def _run_lines(service: Service, run: Run) -> list[str]:
    product = run.product
    title = product.title if product else "cut to size"
    part = f", part {run.part}" if run.part else ""
    lines = [f"{run.name}: {title}{part}"]
    what = plural(run.pages, "page") if run.pages else plural(len(run.lines), "design")
    about = f"{', '.join(run.components)}: {what}, {run.copies} in all"
    details = [about]
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
    return lines + [f"  {detail}" for detail in details]


def _wrapped(text: str, start: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def order_files(job: ExportJob, found: Sequence[Run]) -> list[PlannedFile]:
    """A file for each order of a product that the program knows: `cards.xml`, or with several of them
    `cards-ORDER.xml`."""
    service, stock = job.print_service, job.settings.get("stock")
    if service.autofill is None:
        if stock:
            raise UsageError(f"--to {service.id} doesn't accept --stock: it has no cards.xml")
        return []
    chosen = _stock(service.autofill, str(stock) if stock else None)
    able = [run for run in found if run.product is not None and run.product.id in service.autofill.products]
    if stock and not able:
        message = f"no order here is of a product that MPC Autofill knows: --stock {stock} has no effect"
        job.findings.warning("service/stock", message, Location(f"data/services/{service.id}.yaml"))
    files = []
    for run in able:
        name = "cards.xml" if len(able) == 1 else f"cards-{run.name}.xml"
        files.append(PlannedFile.of(name, order_xml(service.autofill, run, chosen).encode("utf-8")))
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
    rows = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<order>",
        "  <details>",
        f"    <quantity>{slot}</quantity>",
        f"    <bracket>{bracket(autofill, slot)}</bracket>",
        f"    <stock>{escape(stock)}</stock>",
        "    <foil>false</foil>",
        "  </details>",
        *_side("fronts", faces.items()),
    ]
    own = [(name, slots) for name, slots in backs.items() if name != common]
    if own:
        rows += _side("backs", own)
    if common is not None:
        rows.append(f"  <cardback>{escape(common)}</cardback>")
    return "\n".join((*rows, "</order>")) + "\n"


def _side(tag: str, pictures: Iterable[tuple[str, list[int]]]) -> list[str]:
    rows = [f"  <{tag}>"]
    for name, slots in pictures:
        file = name.rpartition("/")[2]
        rows += [
            "    <card>",
            f"      <id>{escape(name)}</id>",
            f"      <slots>{','.join(map(str, slots))}</slots>",
            f"      <name>{escape(file)}</name>",
            f"      <query>{escape(file.rpartition('.')[0])}</query>",
            "    </card>",
        ]
    return [*rows, f"  </{tag}>"]
