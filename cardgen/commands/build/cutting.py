"""Files for cutting machines beside a build's sheets: the same pages, with nothing but the cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from cardgen.commands.production.choices import CutFormat

if TYPE_CHECKING:
    from cardgen.core.findings import Findings
    from cardgen.core.game import Game
    from cardgen.core.geometry import Shape, Size
    from cardgen.core.sheets import Cut, Dieline, ImposedSheet, Page
    from cardgen.pdf.objects import DrawnArt

    Lines = tuple[tuple[Cut, ...], tuple[Cut, ...]]
    """The cuts of a page and its folds."""


@dataclass(frozen=True, slots=True)
class CutFile:
    """A file to write: its name, for how many printed pages it is, and what writes it."""

    name: str
    pages: int
    write: Callable[[BinaryIO], object]


def cut_files(
    game: Game,
    sheet: ImposedSheet,
    stem: str,
    formats: Sequence[CutFormat],
    drawn: DrawnArt,
    findings: Findings,
) -> Iterator[CutFile]:
    """Return the files for a sheet, called as its own. Of pages that are cut alike SVG and DXF have one,
    which is named after the first of them: `poker.cut-1.svg`. A PDF has all pages with faces, and of PNG
    each page has its own. Books and boards in tiles have none, boxes no PNG. Finding:
    `sheet/print-then-cut`."""
    shapes, boxes = _shapes(game, sheet), _boxes(game, sheet)
    pages = _pages(sheet, shapes, boxes)
    if not pages:
        return
    for kind in dict.fromkeys(formats):
        if kind == "spot":
            continue
        if kind == "pdf":
            from cardgen.exports.pdf import write_cuts_pdf

            sized = [(page.size, cuts, page.marked, creases) for _, page, (cuts, creases) in pages]
            title = f"{game.title}: {sheet.name}, cuts"
            yield CutFile(f"{stem}.cut.pdf", len(pages), partial(write_cuts_pdf, sized, title=title))
            continue
        if kind == "png":
            flat = [page for page in pages if any(slot.component not in boxes for slot in page[1].slots)]
            yield from _pictures(game, sheet, stem, flat, shapes, drawn, findings)
            continue
        alike: dict[object, list[tuple[int, Page, Lines]]] = {}
        for number, page, lines in pages:
            alike.setdefault((page.size, lines), []).append((number, page, lines))
        for same in alike.values():
            number, page, lines = same[0]
            title = f"{game.title}: {sheet.name}, cuts of page {number}"
            write = partial(_write_document, kind, lines, page, title)
            yield CutFile(f"{stem}.cut-{number}.{kind}", len(same), write)


def with_lines(game: Game, sheet: ImposedSheet) -> ImposedSheet:
    """A sheet whose pages have their own cuts and folds, instead of printed outlines."""
    found = _pages(sheet, _shapes(game, sheet), _boxes(game, sheet))
    lines = {number: lines for number, _, lines in found}
    pages = (
        replace(page, cuts=lines[number][0], creases=lines[number][1], outlines=())
        if number in lines
        else page
        for number, page in enumerate(sheet.pages, start=1)
    )
    return replace(sheet, pages=tuple(pages))


def _shapes(game: Game, sheet: ImposedSheet) -> dict[str, tuple[Shape, float]]:
    """The shapes of what is on a sheet, with the radii of their corners, by component."""
    components = {slot.component for page in sheet.pages for slot in page.slots}
    return {
        each.id: (each.shape, each.corner_radius)
        for each in game.components
        if each.id in components and each.book is None
    }


def _boxes(game: Game, sheet: ImposedSheet) -> dict[str, Dieline]:
    components = {slot.component for page in sheet.pages for slot in page.slots}
    return {each.id: each.box for each in game.components if each.id in components and each.box}


def _pages(
    sheet: ImposedSheet, shapes: Mapping[str, tuple[Shape, float]], boxes: Mapping[str, Dieline]
) -> list[tuple[int, Page, Lines]]:
    """The pages that are cut, each with its number from 1."""
    from cardgen.sheets.boxes import box_lines
    from cardgen.sheets.marks import cuts_of, folds_of, pages_to_cut

    pages: list[tuple[int, Page, Lines]] = []
    for number, page in pages_to_cut(sheet):
        if all(slot.component in boxes for slot in page.slots):
            pages.append((number, page, box_lines(page, boxes)))
        elif all(slot.component in shapes for slot in page.slots) and (cuts := cuts_of(page, shapes)):
            pages.append((number, page, (cuts, folds_of(page))))
    return pages


def _write_document(kind: CutFormat, lines: Lines, page: Page, title: str, out: BinaryIO) -> None:
    from cardgen.exports.cut_files import cuts_as_dxf, cuts_as_svg

    cuts, creases = lines
    if kind == "dxf":
        out.write(cuts_as_dxf(cuts, page.size, page.marked, creases))
    else:
        out.write(cuts_as_svg(cuts, page.size, title, page.marked, creases))


def _pictures(
    game: Game,
    sheet: ImposedSheet,
    stem: str,
    pages: Sequence[tuple[int, Page, Lines]],
    shapes: Mapping[str, tuple[Shape, float]],
    drawn: DrawnArt,
    findings: Findings,
) -> Iterator[CutFile]:
    """A picture for each page. Says if pieces touch, or are more than a cutter's program takes at once."""
    from cardgen.exports.cut_files import LARGEST, block_of
    from cardgen.sheets.marks import whole_cuts_of

    def say(message: str, hint: str) -> None:
        place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
        findings.warning("sheet/print-then-cut", f"'{sheet.name}': {message}", place, hint)

    whole = [(number, page, whole_cuts_of(page, shapes)) for number, page, _ in pages]
    shared = zip((cuts for _, _, (cuts, _) in pages), (cuts for _, _, cuts in whole))
    if any(_strokes(once) < _strokes(cuts) for once, cuts in shared):
        say(
            "pieces touch, so a machine that follows the picture cuts them out as one",
            "print it on a layout with a gutter, such as tokens",
        )
    if any(not _fits(block_of(cuts).size, LARGEST) for _, _, cuts in whole):
        say(
            f"a picture is larger than {LARGEST}, the limit of Cricut's Print then Cut on US Letter",
            "put fewer pieces on a page: add a paper of that size to data/papers.yaml",
        )
    for number, page, cuts in whole:
        write = partial(_picture, game, sheet, page, cuts, drawn)
        yield CutFile(f"{stem}.cut-{number}.png", 1, write)


def _strokes(cuts: Sequence[Cut]) -> int:
    return sum(len(cut.strokes) for cut in cuts)


def _fits(size: Size, most: Size) -> bool:
    size = size.upright
    return size.width <= most.width + 0.01 and size.height <= most.height + 0.01


def _picture(
    game: Game, sheet: ImposedSheet, page: Page, cuts: Sequence[Cut], drawn: DrawnArt, out: BinaryIO
) -> None:
    from cardgen.commands.production import stages as production
    from cardgen.exports.cut_files import cuts_as_png

    art = replace(page, lines=(), outlines=(), labels=(), bookmark=None)
    pdf = BytesIO()
    production.write_sheet(game, replace(sheet, pages=(art,)), drawn, pdf)
    out.write(cuts_as_png(page.size, pdf.getvalue(), cuts))
