"""Pages that are made, not flowed: the title page, the back of the book, pages for notes."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.book.blocks import Setting
from cardgen.book.look import LEAD_SIZE, LINE, TEXT_SIZE, TINY_SIZE, Look, Margins, mixed
from cardgen.book.painting import PagePainter, ShownSide, rotation
from cardgen.findings import Location
from cardgen.geometry import Rect, Size
from cardgen.model.book import BookGame
from cardgen.model.game import Component
from cardgen.typesetting.spans import Align, Options, Paragraph, Span, Style, VAlign
from cardgen.units import MM_PER_PT

TITLE_SIZE = 84 * MM_PER_PT
LEAST_TITLE = 20 * MM_PER_PT
FREE = 5.0
"""mm between the fan and the page's edges."""
BAND = 17.0
"""mm: the foot of a title page that a picture fills; what kind of book it is stands there, and whose."""
TURN = 11.0
"""Degrees between two cards of the fan on the title page."""


def title_page(
    painter: PagePainter,
    setting: Setting,
    game: BookGame,
    title: tuple[str, int],
    component: Component,
    sides: Sequence[ShownSide],
) -> None:
    """The title page: the game's title, with its line in the book's file, and what kind of book it is above
    its own art."""
    look, size = setting.look, painter.size
    margins = Margins.of(size)
    _ground(painter, look)
    _fan(painter, sides, Rect(0, size.height * 0.36, size.width, size.height * 0.52))
    left, width = margins.outer, size.width - 2 * margins.outer
    top = margins.top
    block = Rect(left, top, width, size.height * 0.23)
    bottom = _fill(
        painter, setting, title, block, TITLE_SIZE, display=True, least=LEAST_TITLE, leading=0.98
    )
    painter.rect(Rect(left, bottom + LINE, 16, 1.1), look.on_ground)
    kind = (component.title, _place(game, "components", component.id, "title"))
    below = Rect(left, bottom + 1.8 * LINE, width, 2 * LINE)
    _fill(painter, setting, kind, below, LEAD_SIZE * 1.15, bold=True)
    foot = Rect(left, size.height - margins.bottom - 5 * LINE, width, 5 * LINE + 4)
    _fill(painter, setting, _imprint(game), foot, TINY_SIZE * 1.1, valign="bottom")


def front_page(
    painter: PagePainter,
    setting: Setting,
    game: BookGame,
    component: Component,
    side: ShownSide,
    part: Rect | None,
) -> None:
    """The title page with a side of a card, or a part of it, that fills it down to a band at the foot. What
    reaches over the page's proportions is cut off at both ends alike."""
    size, bleed = painter.size, painter.bleed
    margins = Margins.of(size)
    _ground(painter, setting.look)
    area = Rect(-bleed, -bleed, size.width + 2 * bleed, size.height - BAND + bleed)
    painter.part(
        side, _middle_of(part or Rect(0, 0, side.trim.width, side.trim.height), area), area, edged=False
    )
    width = size.width - 2 * margins.outer
    top = size.height - BAND
    kind = (component.title, _place(game, "components", component.id, "title"))
    left = Rect(margins.outer, top, width * 0.4, BAND)
    _fill(painter, setting, kind, left, LEAD_SIZE * 1.15, bold=True, valign="middle")
    x = margins.outer + width * 0.4
    author = (game.author, _place(game, "author"))
    version = (game.version, _place(game, "version"))
    lines: tuple[tuple[tuple[str, Location], float, VAlign], ...]
    lines = ((author, top, "bottom"), (version, top + BAND / 2, "top"))
    for said, y, valign in lines:
        half = Rect(x, y, width * 0.6, BAND / 2)
        _fill(painter, setting, said, half, TINY_SIZE, align="end", valign=valign)


def _middle_of(part: Rect, area: Rect) -> Rect:
    """As much of a part as has an area's proportions, from its middle."""
    shape = area.width / area.height
    wide, high = min(part.width, part.height * shape), min(part.height, part.width / shape)
    return Rect(part.x + (part.width - wide) / 2, part.y + (part.height - high) / 2, wide, high)


def back_page(painter: PagePainter, setting: Setting, game: BookGame, title: tuple[str, int]) -> None:
    """The back of the book."""
    look, size = setting.look, painter.size
    _ground(painter, look)
    width = size.width * 0.82
    left = (size.width - width) / 2
    middle = size.height * 0.42
    bottom = _fill(
        painter,
        setting,
        title,
        Rect(left, middle - 30, width, 30),
        26 * MM_PER_PT,
        display=True,
        align="center",
        valign="bottom",
        least=LEAST_TITLE / 2,
    )
    painter.rect(Rect(size.width / 2 - 8, bottom + LINE, 16, 1.1), look.on_ground)
    narrow = size.width * 0.6
    rest = Rect((size.width - narrow) / 2, bottom + 2 * LINE, narrow, 12 * LINE)
    description = (game.description, _place(game, "description"))
    _fill(painter, setting, description, rest, TEXT_SIZE, align="center", leading=LINE / TEXT_SIZE)
    foot = Rect(left, size.height - 25, width, 12)
    _fill(painter, setting, _imprint(game), foot, TINY_SIZE, align="center", valign="bottom")


def _imprint(game: BookGame) -> tuple[str, Location]:
    return f"{game.author}  ·  {game.version}", _place(game, "author")


def _place(game: BookGame, *path: str) -> Location:
    return game.locator.locate(f"data/{game.id}/game.yaml", path)


def notes_page(painter: PagePainter, look: Look, area: Rect) -> None:
    """Lines to write on."""
    y = area.y + 2 * LINE
    while y <= area.bottom + 1e-6:
        painter.rect(Rect(area.x, y, area.width, 0.12), mixed(look.ink, (1.0, 1.0, 1.0), 0.6))
        y += 2 * LINE


def _ground(painter: PagePainter, look: Look) -> None:
    if look.ground != (1.0, 1.0, 1.0):
        painter.ground(look.ground)


def _fan(painter: PagePainter, sides: Sequence[ShownSide], area: Rect) -> None:
    """Cards fanned out, the middle one upright, or a single one a little turned."""
    count = len(sides)
    if not count:
        return
    tallest = area.height * (0.94 if count == 1 else 0.8)
    widest = area.width * (0.74 if count == 1 else 0.58 if count == 2 else 0.4)
    for index, side in enumerate(sides):
        place = index - (count - 1) / 2
        degrees = -7.0 if count == 1 else place * TURN
        width = min(widest, tallest * side.trim.width / side.trim.height)
        if side.trim.width > side.trim.height:
            width = min(area.width * (0.72 if count < 3 else 0.58), width * 1.5)
        across = min(width * 0.62, _room(side, width, count, area.width))
        x = area.x + area.width / 2 + place * across
        y = area.y + area.height / 2 + abs(place) ** 2 * area.height * 0.035
        painter.side(side, (x, y), width, degrees)


def _room(side: ShownSide, width: float, count: int, across: float) -> float:
    """How far apart the middles of fanned cards lie, for the outermost to stay off the page's edges."""
    if count == 1:
        return 0.0
    outermost = (count - 1) / 2
    turn = rotation(outermost * TURN)
    height = width * side.trim.height / side.trim.width
    half = (width * abs(turn.a) + height * abs(turn.b)) / 2
    return max(width * 0.2, (across / 2 - FREE - half) / outermost)


def _fill(
    painter: PagePainter,
    setting: Setting,
    said: tuple[str, int | Location],
    box: Rect,
    size: float,
    *,
    display: bool = False,
    bold: bool = False,
    align: Align = "start",
    valign: VAlign = "top",
    least: float | None = None,
    leading: float = 1.2,
) -> float:
    """Set text, which is `said` there, in a box, smaller where it has to be; returns where it ends, mm from
    the top."""
    text, place = said
    if not text.strip():
        return box.y
    look = setting.look
    font = look.display if display else look.bold if bold else look.regular
    style = Style(font, size, look.on_ground)
    options = Options(
        align=align, valign=valign, line_height=leading, shrink=True, min_size=least or TINY_SIZE, step=0.1
    )
    composed = setting.compose(Paragraph([Span(text, style)]), box, options, place)
    painter.text(composed.runs, 0.0, 0.0)
    return composed.box.bottom


def text_area(size: Size, number: int) -> Rect:
    """Where the text of the page of that number stands; odd pages lie to the right of the fold."""
    margins = Margins.of(size)
    left = margins.inner if number % 2 else margins.outer
    return Rect(
        left,
        margins.top,
        size.width - margins.inner - margins.outer,
        size.height - margins.top - margins.bottom,
    )
