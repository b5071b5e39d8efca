"""UPLOAD.txt: what to do with the kit at each table, with the figures to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.exporting.encoding import picture_size
from cardgen.exporting.job import ExportJob
from cardgen.exporting.kit.atlases import Sheet

PX_PER_MM = 10
"""At Tabletopia pixels become a millimetre unless the scale of an object says otherwise."""
MOST_PIXELS = 4000
"""The longest side of a picture there. Both are of its Game Creator Checklist, 2.2.2."""

TABLETOPIA = """\
TABLETOPIA

Nothing is imported there: make an object for each line, upload its faces and its back, set its scale.
All pictures of an object have the same pixels.

"""
SCREENTOP = """\
SCREENTOP

Its editor takes sheets: make an asset of each picture, tell it columns and rows, and give a component
as many variants as there are faces, in reading order. The last cells may be empty.

"""
PLAYGROUND = """\
TABLETOP PLAYGROUND

Copy the folder in playground/ into the program's folder of packages, which its object library opens,
and start the program anew. The state in the package has the game set up."""


def guide(job: ExportJob, sheets: Sequence[Sheet]) -> str:
    """The whole text; a line for each atlas, since its cards are of one size."""
    title = " ".join(job.game.title.split())
    parts = [
        f"{title}, version {job.game.version}: how to put it on a table by hand",
        TABLETOPIA + "\n".join(_tabletopia(job, sheet) for sheet in sheets),
        SCREENTOP + "\n".join(_screentop(sheet) for sheet in sheets),
        PLAYGROUND,
    ]
    return "\n\n\n".join(parts) + "\n"


def _name(sheet: Sheet) -> str:
    copies = sum(card.piece.copies for card in sheet.cards)
    title = " ".join(sheet.title.split())
    return f"{title}: {_many(len(sheet.cards), 'face')}, {_many(copies, 'piece')} of {sheet.trim}"


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _backs(sheet: Sheet) -> str:
    if sheet.backs is None:
        return "no back"
    return "a back for each" if sheet.own_backs else "one back"


def _tabletopia(job: ExportJob, sheet: Sheet) -> str:
    across, high = picture_size(sheet.trim, job.whole_number("dpi"), job.whole_number("max-texture"))
    scale = sheet.trim.width * PX_PER_MM / across
    line = f"- {_name(sheet)}, {_backs(sheet)}; {across} x {high} px, scale {scale:.2f}"
    if max(across, high) > MOST_PIXELS:
        line += f" (more than {MOST_PIXELS} px: export again with --max-texture {MOST_PIXELS})"
    return line


def _screentop(sheet: Sheet) -> str:
    width, height = sheet.grid.cell
    backs = f", backs {sheet.backs}" if sheet.own_backs else f", {_backs(sheet)}"
    cells = f"{_many(sheet.grid.columns, 'column')}, {_many(sheet.grid.rows, 'row')}"
    return f"- {_name(sheet)}: {sheet.faces}, {cells}, {width} x {height} px each{backs}"
