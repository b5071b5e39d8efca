"""cards.xml: an order as MPC Autofill reads it, which puts every picture into its slot on the shop's site.

Pictures are named by where they lie from cards.xml, so the program is started in the export's folder. Faces
and backs have numbered slots from 0; slots that no back names have the common one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from cardgen.exporting.job import ExportJob, PlannedFile
from cardgen.exporting.services.runs import Run
from cardgen.findings import Location, UsageError
from cardgen.model.services import Autofill, Service


def order_files(job: ExportJob, service: Service, found: Sequence[Run]) -> list[PlannedFile]:
    """A file for each order of a product that the program knows: `cards.xml`, or with several of them
    `cards-ORDER.xml`."""
    stock = job.settings.get("stock")
    if service.autofill is None:
        if stock:
            raise UsageError(f"--stock means nothing to --to {service.id}: it has no cards.xml")
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
