"""Files for cutting machines beside a build's sheets: the same pages, with nothing but the cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal, get_args

if TYPE_CHECKING:
    from cardgen.model.cuts import Cut
    from cardgen.model.game import Game
    from cardgen.model.sheets import ImposedSheet, Page

    Lines = tuple[tuple[Cut, ...], tuple[Cut, ...]]
    """The cuts of a page and its folds."""

CutFormat = Literal["svg", "dxf", "pdf", "spot"]
"""`spot` is no file: the lines lie in the sheet's own PDF."""
CUT_FORMATS: tuple[CutFormat, ...] = get_args(CutFormat)


@dataclass(frozen=True, slots=True)
class CutFile:
    """A file to write: its name, for how many printed pages it is, and what writes it."""

    name: str
    pages: int
    write: Callable[[BinaryIO], object]


def cut_files(
    game: Game, sheet: ImposedSheet, stem: str, formats: Sequence[CutFormat]
) -> Iterator[CutFile]:
    """The files for a sheet, called as its own. Of pages that are cut alike SVG and DXF have one, which is
    named after the first of them: `poker.cut-1.svg`. A PDF has all pages with faces. Books and boards in
    tiles have none."""
    pages = _pages(game, sheet)
    if not pages:
        return
    for kind in dict.fromkeys(formats):
        if kind == "spot":
            continue
        if kind == "pdf":
            from cardgen.exporting.cuts.pdf import write_cuts_pdf

            sized = [(page.size, cuts, page.marked, creases) for _, page, (cuts, creases) in pages]
            title = f"{game.title}: {sheet.name}, cuts"
            yield CutFile(f"{stem}.cut.pdf", len(pages), partial(write_cuts_pdf, sized, title=title))
            continue
        alike: dict[object, list[tuple[int, Page, Lines]]] = {}
        for number, page, lines in pages:
            alike.setdefault((page.size, lines), []).append((number, page, lines))
        for same in alike.values():
            number, page, lines = same[0]
            data = _document(kind, lines, page, f"{game.title}: {sheet.name}, cuts of page {number}")
            yield CutFile(f"{stem}.cut-{number}.{kind}", len(same), partial(_put, data))


def with_lines(game: Game, sheet: ImposedSheet) -> ImposedSheet:
    """A sheet whose pages have their own cuts and folds, instead of printed outlines."""
    lines = {number: lines for number, _, lines in _pages(game, sheet)}
    pages = (
        replace(page, cuts=lines[number][0], creases=lines[number][1], outlines=())
        if number in lines
        else page
        for number, page in enumerate(sheet.pages, start=1)
    )
    return replace(sheet, pages=tuple(pages))


def _pages(game: Game, sheet: ImposedSheet) -> list[tuple[int, Page, Lines]]:
    """The pages that are cut, each with its number from 1."""
    from cardgen.imposition import box_lines, cuts_of, pages_to_cut

    components = {slot.component for page in sheet.pages for slot in page.slots}
    shapes = {
        each.id: (each.shape, each.corner_radius)
        for each in game.components
        if each.id in components and each.book is None
    }
    boxes = {each.id: each.box for each in game.components if each.id in components and each.box}
    pages: list[tuple[int, Page, Lines]] = []
    for number, page in pages_to_cut(sheet):
        if all(slot.component in boxes for slot in page.slots):
            pages.append((number, page, box_lines(page, boxes)))
        elif all(slot.component in shapes for slot in page.slots) and (cuts := cuts_of(page, shapes)):
            pages.append((number, page, (cuts, ())))
    return pages


def _document(kind: CutFormat, lines: Lines, page: Page, title: str) -> bytes:
    cuts, creases = lines
    if kind == "dxf":
        from cardgen.exporting.cuts.dxf import cuts_as_dxf

        return cuts_as_dxf(cuts, page.size, page.marked, creases)
    from cardgen.exporting.cuts.svg import cuts_as_svg

    return cuts_as_svg(cuts, page.size, title, page.marked, creases)


def _put(data: bytes, out: BinaryIO) -> None:
    out.write(data)
