"""Lay out one side a page: trim plus bleed, and a slug with marks around it if the layout has one. A slug
is also the border of a sheet of several cards, and has a bar for collating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.core.artwork import CardArt
from cardgen.core.geometry import Rect, Size
from cardgen.core.records import replace
from cardgen.core.sheets import ImposedSheet, Line, Page, Patch, Side, Slot, TrimLine
from cardgen.sheets.boxes import box_slots
from cardgen.sheets.job import Bookmarks, SheetJob
from cardgen.sheets.marks import WEIGHT, crop_marks, mark_offset
from cardgen.sheets.ruler_and_labels import furnish
from cardgen.sheets.trim_lines import line_marks, spans_of

REGISTER = 4.0
"""mm, the arms of a register mark from end to end."""
CLEAR = 1.0
"""mm between a register mark and the bleed, and between a slug's other contents and the paper's edge."""

ALL_INKS = (1.0, 1.0, 1.0, 1.0)
BLACK = (0.0, 0.0, 0.0, 1.0)


def impose_single(job: SheetJob, cards: Sequence[CardArt], *, backs: bool) -> ImposedSheet:
    """Return a page for each side: face, back, face, back; each distinct card once, in reading position.

    The page is trim plus bleed (the sheet's or the card's, whichever is less) on each side, its TrimBox the
    trim, its BleedBox the page. No marks, no labels, except in a `slug`, a border outside the bleed: crop
    marks, register marks, a label, and the layout's strip of colors. A box has its panels and their bleed.
    With `backs`, a card without one has an empty page, so that faces and backs alternate. The sheet's
    `cards` counts copies. Finding: `sheet/no-room`, a note.
    """
    pages: list[Page] = []
    bookmarks = Bookmarks(job.game)
    missing: dict[str, None] = {}
    for card in cards:
        page = _page(job, card, "face", card.face, bookmarks.of([card.component]))
        if (box := job.game.component(card.component).box) is not None:
            page = replace(page, slots=box_slots(card, box, page.trim, page.trim.x - page.bleed.x))
        sides = [page, _page(job, card, "back", card.back)] if backs else [page]
        if job.layout.slug:
            lines = job.game.component(card.component).lines
            sides = [
                with_slug(job, side, card.card, len(pages) + number, missing, lines * (side.side == "face"))
                for number, side in enumerate(sides)
            ]
        pages += sides
    say_narrow_slug(job, missing)
    return ImposedSheet(job.sheet.name, "card", "none", tuple(pages), sum(card.copies for card in cards))


def _page(job: SheetJob, card: CardArt, side: Side, key: str | None, bookmark: str | None = None) -> Page:
    artwork = job.artworks[key or card.face]
    bleed, slug = min(job.layout.bleed, artwork.bleed), job.layout.slug
    size = artwork.trim.size.grown(bleed)
    size = size.grown(slug) if slug else size
    whole = size.whole.inset(slug) if slug else size.whole
    trim = whole.inset(bleed)
    slots = () if key is None else (Slot(trim, 0, whole, key, card.component, card.card),)
    return Page(size, side, trim, whole, slots, bookmark=bookmark)


def say_narrow_slug(job: SheetJob, missing: Iterable[str]) -> None:
    """Note a slug without room for these marks: `sheet/no-room`."""
    if names := " and ".join(missing):
        job.note(
            "sheet/no-room",
            f"the slug of '{job.sheet.name}' has no room for {names}",
            f"make `slug` wider in {job.layout.file}",
        )


def with_slug(
    job: SheetJob,
    page: Page,
    name: str,
    number: int,
    missing: dict[str, None],
    inside: Sequence[TrimLine] = (),
) -> Page:
    """Return page `number`, from 0, with the marks in its slug; add the names of those without room.
    `inside` are the lines inside its piece."""
    bleed, slug = page.trim.x - page.bleed.x, job.layout.slug
    registers: list[Rect] = []
    if slug >= REGISTER:
        registers = register_marks(page.size, slug)
    else:
        missing["register marks"] = None

    spans = [each for slot in page.slots for each in spans_of(slot, inside)]

    def marker(length: float) -> tuple[Line, ...]:
        cuts = crop_marks([page.trim], page.size, bleed=bleed, margin=0.0, length=length)
        offset = mark_offset(bleed)
        return cuts + line_marks(spans, page.trim, page.size, offset=offset, margin=0.0, length=length)

    texts = (job.version, f"{job.sheet.printed_name} · {name} · {page.side}")
    bars = [_bar_beside(page, number)] if job.layout.collate else []
    blocks = [page.bleed, *registers, *bars]
    found = furnish(page.size, blocks, marker, (), texts, margin=CLEAR, strip=job.layout.strip)
    gone = set(found.missing) - {"ruler"}  # a measure that a shop doesn't need
    missing.update(dict.fromkeys(["the strip"] if "strip" in gone else []))
    missing.update(dict.fromkeys(["the label"] if gone - {"strip"} else []))
    return replace(
        page,
        lines=found.marks + found.lines,
        labels=found.labels,
        patches=(
            *found.patches,
            *(Patch(rect, ALL_INKS) for rect in registers),
            *(Patch(bar, BLACK) for bar in bars),
        ),
    )


BAR = 3.0
"""mm, the length of a bar for collating, along the edge: one step."""


def bar(number: int, start: float, end: float) -> tuple[float, float]:
    """Return the start and end of bar `number` between two places, whose steps begin again at their end."""
    steps = max(1, int((end - start) / BAR))
    at = start + number % steps * BAR
    return at, at + BAR


def _bar_beside(page: Page, number: int) -> Rect:
    """Return a bar at the right edge of a page with a slug, in the upper half of its trim."""
    start, end = bar(number, page.trim.y, page.trim.y + page.trim.height / 2 - REGISTER)
    return Rect(page.size.width - CLEAR, start, CLEAR, end - start)


def register_marks(page: Size, slug: float) -> list[Rect]:
    """Return crosses in all inks at the middles of a page's edges, near the bleed, as pairs of bars. If the
    plates are off, their colors separate."""
    across, down = page.width / 2, page.height / 2
    middle = max(slug / 2, slug - CLEAR - REGISTER / 2)
    centers = (
        (across, middle),
        (page.width - middle, down),
        (across, page.height - middle),
        (middle, down),
    )
    half, thin = REGISTER / 2, WEIGHT / 2
    return [
        Rect(x - wide, y - high, 2 * wide, 2 * high)
        for x, y in centers
        for wide, high in ((half, thin), (thin, half))
    ]
