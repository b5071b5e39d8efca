"""Elements to pages: the title page, the contents, the text through ReportLab's frames, the back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportlab.platypus import Frame

from cardgen.book.blocks import Block, PageEndBlock, Setting, Type
from cardgen.book.contents import contents
from cardgen.book.cover import back_page, front_page, notes_page, text_area, title_page
from cardgen.book.diagrams import Drawables, check_known, check_names
from cardgen.book.elements import Heading as HeadingElement
from cardgen.book.elements import Icon, Inline, LineEnd, Text, plain
from cardgen.book.look import LEAD_SIZE, LINE, TINY_SIZE, Look, mixed
from cardgen.book.markdown import Source
from cardgen.book.painting import PagePainter
from cardgen.book.story import Story
from cardgen.findings import Findings
from cardgen.geometry import Rect, Size
from cardgen.model.artwork import Color
from cardgen.model.book import Book, BookPage
from cardgen.model.game import Component
from cardgen.model.sheets import Heading, Link
from cardgen.typesetting.icon_marks import IconNames, Mark
from cardgen.typesetting.spans import HardBreak, IconSpan, Options, Paragraph, Span, Style
from cardgen.units import MM_PER_PT

MOST_PAGES = 400
PAGES_A_SHEET = 4


def lay_out(
    text: Text,
    source: Source,
    component: Component,
    look: Look,
    drawables: Drawables,
    icons: IconNames,
    findings: Findings,
) -> Book | None:
    """The pages of a rulebook: the title page, what introduces the book and its contents, the chapters
    from the next page on. Pages for notes and a back make their number a multiple of four. None where a
    diagram names what isn't there, or the ornament is no icon.

    Findings, all errors, at their line of the Markdown file: `book/overflow`, `book/glyph`,
    `book/room` (what is higher than a page), `book/length`, `book/place`, `book/diagram`.
    """
    assert component.trim is not None
    layout = _Layout(text, source, component, component.trim, look, drawables, icons, findings)
    before = len(findings.errors)
    if look.ornament is not None and look.ornament not in icons:
        path = ("components", component.id, "look", "ornament")
        place = source.game.locator.locate(f"data/{source.game.id}/game.yaml", path)
        near = icons.near(look.ornament)
        hint = f"did you mean '{near}'?" if near else "icons lie in templates/_shared/icons/"
        layout.setting.problem("book/icon", f"there is no icon '{look.ornament}'", place, hint)
    if (front := look.front) is not None and front.part is not None:
        look_at = ("components", component.id, "look", "front", "part")
        place = source.game.locator.locate(f"data/{source.game.id}/game.yaml", look_at)
        here = drawables.places[front.ref]
        check_known((front.part,), here.areas, here.known, f"the card '{front.ref}'", place, layout.setting)
    check_names(text, drawables.places, drawables.table, layout.setting)
    return layout.book() if len(findings.errors) == before else None


@dataclass(slots=True)
class _Page:
    painter: PagePainter
    chapter: str = ""
    plain: bool = False
    """Without running head and number."""
    bare: bool = False
    """Without running head."""


class _Frame(Frame):
    """The frame of a page's text."""

    def __init__(self, area: Rect, page: Size) -> None:
        super().__init__(
            area.x,
            page.height - area.bottom,
            area.width,
            area.height,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
        )

    @property
    def room(self) -> float:
        """Height that is left, mm."""
        return float(vars(self)["_y"] - vars(self)["_y1p"])

    @property
    def empty(self) -> bool:
        return bool(vars(self)["_atTop"])


class _Layout:
    def __init__(
        self,
        text: Text,
        source: Source,
        component: Component,
        size: Size,
        look: Look,
        drawables: Drawables,
        icons: IconNames,
        findings: Findings,
    ) -> None:
        self.text, self.source, self.component, self.size = text, source, component, size
        self.look, self.drawables = look, drawables
        self.setting = Setting(look, icons, source.game.least_type * MM_PER_PT, source.file, findings)
        self.game = source.game
        self.title = plain(text.title) or self.game.title
        self._named = {block.title: block for block in text.blocks if isinstance(block, HeadingElement)}

    def book(self) -> Book:
        numbers: dict[str, int] = {}
        pages = self._pages(numbers)
        for number, page in enumerate(pages, 1):
            for heading in page.painter.headings:
                numbers.setdefault(heading.key, number)
        pages = self._pages(numbers)
        self._fill_up(pages)
        icons: set[str] = set()
        made = []
        for number, page in enumerate(pages, 1):
            if not page.plain:
                self._furnish(page, number)
            icons |= page.painter.icons()
            name = f"book-{self.component.id}-{number}"
            made.append(
                BookPage(
                    page.painter.artwork(name),
                    str(number),
                    _outline(page.painter.headings, first=number == 1, title=self.title),
                    tuple(page.painter.links),
                )
            )
        keys = {heading.key for page in made for heading in page.headings}
        made = [
            replace(page, links=tuple(link for link in page.links if _leads(link, keys))) for page in made
        ]
        return Book(self.component.id, self.size, tuple(made), frozenset(icons))

    # ------------------------------------------------------------ pages

    def _pages(self, numbers: Mapping[str, int]) -> list[_Page]:
        cover = _Page(PagePainter(self.size, self.component.bleed), plain=True)
        shown = [self.drawables.sides[ref] for ref in self.look.shown]
        if (front := self.look.front) is not None:
            areas = self.drawables.places[front.ref].areas if front.part is not None else {}
            part = areas.get(front.part or "")
            front_page(cover.painter, self.setting, self.game, self.component, shown[0], part)
        else:
            title = (self.title, self.source.line(0))
            title_page(cover.painter, self.setting, self.game, title, self.component, shown)
        pages = [cover]
        story = Story(self.setting, self.drawables, text_area(self.size, 2).width)
        lead = story.blocks(self.text.lead, Type(LEAD_SIZE, LINE * 1.25))
        entries = contents(self.setting, self.text.blocks, numbers)
        if entries:
            entries[0].spaceBefore = 3 * LINE
        self._flow([*lead, *entries], pages)
        self._flow(story.blocks(self.text.blocks), pages)
        return pages

    def _flow(self, story: list[Block], pages: list[_Page]) -> None:
        """Let blocks flow through as many new pages as they take."""
        pending = list(story)
        chapter = ""
        while pending:
            if len(pages) >= MOST_PAGES:
                self.setting.problem("book/length", f"the book has more than {MOST_PAGES} pages", 1)
                return
            page = _Page(PagePainter(self.size, self.component.bleed), chapter)
            area = text_area(self.size, len(pages) + 1)
            frame = _Frame(area, self.size)
            self._fill(frame, page.painter, pending, area)
            chapters = [heading.title for heading in page.painter.headings if heading.level == 0]
            if chapters:
                # A page at whose head a chapter starts belongs to it; else to the one going on.
                first = next(heading for heading in page.painter.headings if heading.level == 0)
                starts = first.y < area.y + 2 * LINE
                page.chapter = first.title if starts or not chapter else chapter
                chapter = chapters[-1]
            pages.append(page)

    def _fill(self, frame: _Frame, page: PagePainter, pending: list[Block], area: Rect) -> None:
        """Put blocks into the frame until it is full or a page's end is asked for."""
        painter: Any = page  # no canvas by type, only by what flowables ask of it
        while pending:
            block = pending[0]
            if isinstance(block, PageEndBlock):
                pending.pop(0)
                if frame.empty:
                    continue
                return
            if not frame.empty and block.keep and self._together(pending, area) > frame.room:
                return
            if frame.add(block, painter, trySplit=1):
                pending.pop(0)
                continue
            if not frame.empty and block.unparted and block.measure(area.width) <= area.height:
                return
            parts: list[Any] = frame.split(block, painter)
            if parts and frame.add(parts[0], painter, trySplit=1):
                pending[:1] = parts[1:]
                return
            if not frame.empty:
                return
            line = getattr(block, "line", None) or 1
            self.setting.problem(
                "book/room", "this is higher than a page", line, "make it smaller, or part it"
            )
            pending.pop(0)

    def _together(self, pending: Sequence[Block], area: Rect) -> float:
        """The height of what must stand on one page: all that is kept, and the least of what follows, or
        all of that where it may not be parted and a page has room for it."""
        width = area.width
        height = 0.0
        after = 0.0
        for index, block in enumerate(pending):
            if isinstance(block, PageEndBlock):
                break
            height += max(after, block.getSpaceBefore())
            after = block.getSpaceAfter()
            kept = block.keep and index < 4
            whole = block.unparted and block.measure(width) <= area.height
            height += block.measure(width) if kept or whole else block.least(width)
            if not kept:
                break
        return height

    def _fill_up(self, pages: list[_Page]) -> None:
        """Pages for notes and the back of the book, so that the book can be folded."""
        lacking = -len(pages) % PAGES_A_SHEET
        for place in range(lacking):
            page = _Page(PagePainter(self.size, self.component.bleed))
            if place == lacking - 1:
                page.plain = True
                back_page(page.painter, self.setting, self.game, (self.title, self.source.line(0)))
            else:
                page.bare = True
                notes_page(page.painter, self.look, text_area(self.size, len(pages) + 1))
            pages.append(page)

    # ------------------------------------------------------------ furniture

    def _furnish(self, page: _Page, number: int) -> None:
        """The running head, the game's title on the left and the chapter on the right, and the number."""
        area = text_area(self.size, number)
        right = number % 2 == 1
        look = self.look
        head = page.chapter if right else self.title
        if not page.bare:
            box = Rect(area.x, area.y - 1.75 * LINE, area.width, LINE)
            self._line(page, head, box, look.soft, right=right, bold=False)
            hair = mixed(look.ink, (1.0, 1.0, 1.0), 0.72)
            page.painter.rect(Rect(area.x, area.y - 0.85 * LINE, area.width, 0.15), hair)
        foot = Rect(area.x, area.bottom + 1.1 * LINE, area.width, LINE)
        self._line(page, str(number), foot, look.accent, right=right, bold=True)

    def _line(self, page: _Page, text: str, box: Rect, fill: Color, *, right: bool, bold: bool) -> None:
        font = self.look.bold if bold else self.look.regular
        size = TINY_SIZE * 1.12 if bold else TINY_SIZE
        style = Style(font, size, fill)
        spans: list[Span | IconSpan | HardBreak] = [Span(text, style)]
        heading = self._named.get(text)
        if heading is not None and any(isinstance(word, Icon) for word in heading.words):
            spans = [self._span(word, style) for word in heading.words]
        options = Options(align="end" if right else "start")
        line = self.source.line(0) if heading is None else heading.line
        composed = self.setting.compose(Paragraph(spans), box, options, line)
        page.painter.text(composed.runs, 0.0, 0.0)

    def _span(self, word: Inline, style: Style) -> Span | IconSpan:
        """A part of a heading in the style of the running head, icons without their figures."""
        if isinstance(word, Icon):
            return self.setting.icons.span(Mark(word.mark.name, fill=word.mark.fill), style)
        return Span(" " if isinstance(word, LineEnd) else word.text, style)


def _outline(headings: Sequence[Heading], *, first: bool, title: str) -> tuple[Heading, ...]:
    """The page's entries: the title leads to the first page, with everything else below it."""
    below = [replace(each, level=each.level + 1) for each in headings]
    return (Heading("title", title, 0, 0.0), *below) if first else tuple(below)


def _leads(link: Link, keys: set[str]) -> bool:
    return not link.target.startswith("#") or link.target[1:] in keys
