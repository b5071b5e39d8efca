"""Lay out a book's pages: one by one for reading, or two by two for folding and stapling.

A booklet of n pages, n a multiple of four, is n/4 sheets of paper folded together once. The outermost has,
from left to right, the last page and the first on its outer side, the second and the last but one on its
inner side; each further sheet is inside it, with the next two from either end. Paper is turned about the
fold, the short edge of the landscape sheet, so both sides are upright; for a printer that turns it about
the long edge, every second side is upside down. The inner sheets of a thick fold stick out: at 24 pages of
office paper by half a millimeter. A layout's `creep` moves their pages to the fold by so much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from cardgen.core.book import Book
from cardgen.core.findings import Findings
from cardgen.core.game import Game, GameSheet
from cardgen.core.geometry import IDENTITY, Insets, Matrix, Rect, Size
from cardgen.core.records import replace
from cardgen.core.sheets import (
    CASING,
    CasedLine,
    Duplex,
    ImposedSheet,
    Line,
    Page,
    Paper,
    Patch,
    PrinterProfile,
    SheetLayout,
    Side,
    Slot,
)
from cardgen.sheets.grid import adjusted, flip_axis
from cardgen.sheets.job import SheetJob, say_other_backs, say_unused_keys
from cardgen.sheets.marks import MARK_LENGTH, WEIGHT, mark_offset, reach
from cardgen.sheets.single import BAR, BLACK, bar, say_narrow_slug, with_slug

MOST_MOVED = 0.1
"""The share of a page's width by which creep may move it: more cuts into its text."""

PAGES_A_SHEET = 4
"""Pages on one folded sheet of paper."""


def booklet_order(count: int) -> list[int]:
    """Return the pages from left to right, for each side of the paper: 8 pages give 8, 1, 2, 7, 6, 3, 4, 5.

    `count` is a multiple of four above 0; ValueError otherwise.
    """
    if count <= 0 or count % PAGES_A_SHEET:
        raise ValueError(f"a booklet of {count} pages can't be folded; use a multiple of four")
    order = []
    for first in range(1, count // 2, 2):
        last = count + 1 - first
        order += [last, first, first + 1, last - 1]
    return order


def impose_book(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    paper: Paper,
    book: Book,
    *,
    findings: Findings,
    duplex: Duplex | None = None,
    printer: PrinterProfile | None = None,
) -> ImposedSheet:
    """Return a book in a `layout`: `grid: single` gives its pages in reading order, `grid: booklet` the
    sides of `paper`, landscape, with two pages each, scaled down if two don't fit side by side.

    A booklet is printed on both sides, for a printer that turns paper about the short edge unless `duplex`
    or the layout is the long one; fold and none are the warning `sheet/duplex`. `printer` corrects every
    second side. Any other grid is the finding `sheet/book`; the result then has no pages.
    """
    job = SheetJob(game, sheet, layout, paper, {}, findings, printer)
    say_unused_keys(job)
    if layout.grid == "single":
        pages = _pages(book, layout.bleed, layout.slug)
        missing: dict[str, None] = {}
        if layout.slug:
            pages = tuple(
                with_slug(job, page, f"page {page.number}", number, missing)
                for number, page in enumerate(pages)
            )
        say_narrow_slug(job, missing)
        return ImposedSheet(sheet.name, "single", "none", pages, 0)
    if layout.grid == "booklet":
        mode = duplex or layout.duplex
        edge: Literal["long-edge", "short-edge"] = "long-edge" if mode == "long-edge" else "short-edge"
        if mode in ("fold", "none"):
            say_other_backs(job, "booklet", mode, edge)
        size = paper.size.upright.turned
        correction = adjusted(job, size, flip_axis(size, edge))
        layout = replace(layout, margin=job.margin)
        moved = layout.creep * (len(book.pages) // PAGES_A_SHEET - 1)
        if moved > book.trim.width * MOST_MOVED:
            job.error(
                "sheet/creep",
                f"a creep of {layout.creep:g} mm moves the innermost pages of '{book.component}' by "
                f"{moved:g} mm, more than a tenth of their width",
                f"write the paper's thickness, such as `creep: 0.1mm`, in {layout.file}",
            )
            return job.imposed()
        sides = _booklet(book, size, layout, turned=edge == "long-edge", correction=correction)
        if layout.collate and not any(side.patches for side in sides):
            job.note(
                "sheet/no-room",
                f"the pages of '{book.component}' leave no room at their head for bars to collate",
                "use larger paper, or remove `collate`",
            )
        return job.imposed(sides, duplex=edge)
    job.error(
        "sheet/book",
        f"the layout '{layout.name}' can't print the book '{book.component}'",
        "write layout: booklet to fold it, or layout: single for single pages",
    )
    return job.imposed()


def _pages(book: Book, bleed: float, slug: float) -> tuple[Page, ...]:
    """Return the pages one by one, each its trim and the sheet's bleed, as far as it has that much, and the
    slug around it, blank."""
    bleed = min(bleed, _bleed(book))
    size, away = book.trim.grown(bleed + slug), bleed + slug
    whole = size.whole.inset(slug)
    trim, moved = whole.inset(bleed), Matrix(1, 0, 0, 1, away, away)
    return tuple(
        Page(
            size,
            "face",
            trim,
            whole,
            (_slot(book, number, trim, whole),),
            headings=tuple(replace(heading, y=heading.y + away) for heading in page.headings),
            links=tuple(replace(link, area=moved.around(link.area)) for link in page.links),
            number=page.number,
        )
        for number, page in enumerate(book.pages)
    )


def _bleed(book: Book) -> float:
    return min((page.artwork.bleed for page in book.pages), default=0.0)


def _booklet(
    book: Book, paper: Size, layout: SheetLayout, *, turned: bool, correction: Matrix
) -> tuple[Page, ...]:
    """Return the sides of the paper, without outline and links, since pages aren't in reading order. Pages
    bleed on all sides but the fold. Every second side has the `correction` and, if `turned`, a half
    turn."""
    order = booklet_order(len(book.pages))
    trim, creep = book.trim, layout.creep
    left = Rect(paper.width / 2 - trim.width, (paper.height - trim.height) / 2, trim.width, trim.height)
    places = (left, Rect(paper.width / 2, left.y, trim.width, trim.height))
    scale = min(1.0, paper.width / (2 * trim.width), paper.height / trim.height)
    middle_x, middle_y = paper.width / 2, paper.height / 2
    scaled = IDENTITY
    if scale < 1.0:
        scaled = Matrix(scale, 0, 0, scale, middle_x * (1 - scale), middle_y * (1 - scale))
    bleed = min(layout.bleed, _bleed(book))

    def areas_of(shift: float) -> tuple[tuple[Rect, Rect], ...]:
        """Return the trims and clips of both pages, moved to the fold."""
        left, right = (
            replace(place, x=place.x + by) for place, by in zip(places, (shift, -shift), strict=True)
        )
        return (
            (left, places[0].inset(Insets(-bleed, 0, -bleed, shift - bleed))),
            (right, places[1].inset(Insets(-bleed, shift - bleed, -bleed, 0))),
        )

    cuts: tuple[Line, ...] = ()
    folds: tuple[Line, ...] = ()
    # Marks are scaled with the pages: this is the paper, and the margin, before scaling.
    reach = Rect(
        middle_x * (1 - 1 / scale),
        middle_y * (1 - 1 / scale),
        paper.width / scale,
        paper.height / scale,
    )
    head = left.y - mark_offset(bleed)
    has_room = head - BAR_DEPTH >= reach.y + layout.margin / scale
    if layout.marks == "crop":
        spread = Rect(left.x, left.y, 2 * trim.width, trim.height)
        margin = layout.margin / scale
        folds = fold_marks(spread, reach, bleed=bleed, margin=margin)
    sides = []
    for index in range(0, len(order), 2):
        pair = order[index : index + 2]
        back = index // 2 % 2 == 1
        on_its_head = back and turned
        areas = areas_of(index // PAGES_A_SHEET * creep)
        if layout.marks == "crop":
            moved = areas[0][0].x - left.x
            shown = Rect(left.x + moved, left.y, 2 * (trim.width - moved), trim.height)
            cuts = cut_marks(shown, reach, bleed=bleed, margin=margin)
        slots = tuple(
            _slot(book, number - 1, *area, on_its_head=on_its_head)
            for number, area in zip(pair, reversed(areas) if on_its_head else areas)
        )
        adjust = scaled.then(correction) if back else scaled
        lines = cuts + folds if index == 0 else cuts
        side: Side = "back" if back else "face"
        name = ", ".join(slot.card for slot in slots if slot.card) or None
        page = Page(paper, side, paper.whole, paper.whole, slots, lines, adjust=adjust, number=name)
        if layout.collate and has_room and not back:
            start, end = bar(index // PAGES_A_SHEET, middle_x + BAR, left.x + 2 * trim.width - BAR)
            area = Rect(start, head - BAR_DEPTH, end - start, BAR_DEPTH)
            page = replace(page, patches=(Patch(area, BLACK),))
        sides.append(page)
    return tuple(sides)


def _slot(book: Book, index: int, place: Rect, clip: Rect, *, on_its_head: bool = False) -> Slot:
    page = book.pages[index]
    return Slot(place, 180 if on_its_head else 0, clip, page.artwork.key, book.component, page.number)


BAR_DEPTH = 2.0
"""mm of the waste at the head that a bar for collating covers."""

STAPLE = 8.0
"""mm of the fold marked for a staple, which is 12 mm wide and covers the mark."""

_TO_CUT = 0.5
"""mm: less space beside a page is within the paper's tolerance, and not cut off."""


def cut_marks(spread: Rect, paper: Rect, *, bleed: float, margin: float) -> tuple[Line, ...]:
    """Return a mark at both ends of every cut around two pages side by side.

    If the pages are nearly as long as the paper, printers don't reach beyond the end of a cut. The mark is
    then beside the cut, on the paper cut off, from the `margin` on.
    """
    upright = _upright_cuts(spread, paper, bleed, margin)
    level = _upright_cuts(_transposed(spread), _transposed(paper), bleed, margin)
    return *upright, *(replace(line, x1=line.y1, y1=line.x1, x2=line.y2, y2=line.x2) for line in level)


def _transposed(area: Rect) -> Rect:
    return Rect(area.y, area.x, area.height, area.width)


def _upright_cuts(spread: Rect, paper: Rect, bleed: float, margin: float) -> Iterator[Line]:
    """Yield the marks of the cuts left and right."""
    beyond = (spread.y - paper.y, paper.bottom - spread.bottom)
    for x, out, waste in (
        (spread.x, -1, spread.x - paper.x),
        (spread.right, 1, paper.right - spread.right),
    ):
        if waste > _TO_CUT:
            for start, end, aside, kind in _ends(spread.y, spread.bottom, beyond, bleed, margin):
                yield kind(x + out * aside, start, x + out * aside, end, WEIGHT)


def _ends(
    start: float, end: float, rooms: tuple[float, float], bleed: float, margin: float
) -> Iterator[tuple[float, float, float, Callable[..., Line]]]:
    """Return the start and end of a cut's marks, their distance beside it, and their kind."""
    for place, out, room in ((start, -1, rooms[0]), (end, 1, rooms[1])):
        found = reach(room, mark_offset(bleed), margin, MARK_LENGTH)
        if found is not None and found[2] is Line:
            one, other, aside = place + out * found[0], place + out * found[1], 0.0
        else:
            one = place - out * max(0.0, margin - room)
            other, aside = one - out * MARK_LENGTH, CASING * WEIGHT / 2
        yield min(one, other), max(one, other), aside, CasedLine if aside else Line


def fold_marks(spread: Rect, paper: Rect, *, bleed: float, margin: float) -> tuple[Line, ...]:
    """Return the fold, beyond both its ends if there is room, and the places of two staples on it."""
    x = spread.x + spread.width / 2
    lines: list[Line] = []
    rooms = (spread.y - paper.y, paper.bottom - spread.bottom)
    for place, out, room in ((spread.y, -1, rooms[0]), (spread.bottom, 1, rooms[1])):
        found = reach(room, mark_offset(bleed), margin, MARK_LENGTH)
        if found is not None and found[2] is Line:
            lines.append(Line(x, place + out * found[0], x, place + out * found[1], WEIGHT, dashed=True))
    for share in (0.25, 0.75):
        middle = spread.y + share * spread.height
        lines.append(CasedLine(x, middle - STAPLE / 2, x, middle + STAPLE / 2, WEIGHT))
    return tuple(lines)
