"""Lay out elements on pages: the title page, the contents, the text, the back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.book.blocks import (
    CHAPTER,
    TOLERANCE,
    BesideBlock,
    Block,
    CalloutBlock,
    Column,
    HeadingBlock,
    PageEndBlock,
    Setting,
    TableBlock,
    TextBlock,
    Type,
    figure_rows,
)
from cardgen.book.diagrams import (
    AnatomyBlock,
    Drawables,
    check_known,
    check_names,
    set_up_blocks,
    strip_rows,
)
from cardgen.book.elements import Block as Element
from cardgen.book.elements import (
    Callout,
    Diagram,
    Figure,
    Icon,
    Inline,
    Item,
    LineEnd,
    Listing,
    PageEnd,
    Section,
    Strip,
    Table,
    Text,
    plain,
)
from cardgen.book.elements import Heading as HeadingElement
from cardgen.book.elements import Paragraph as ParagraphElement
from cardgen.book.look import (
    LEAD_SIZE,
    LINE,
    SMALL_LINE,
    SMALL_SIZE,
    STEP,
    TEXT_SIZE,
    TINY_SIZE,
    WHITE,
    Art,
    Look,
    Margins,
    PagePainter,
    ShownSide,
    mixed,
    paint_page,
    rotation,
)
from cardgen.book.markdown import Source, slug
from cardgen.book.pages import (
    PAGES_A_SHEET,
    ArtBlock,
    ColumnsBlock,
    OpenerBlock,
    PageBreaker,
    ShownArt,
    SidebarBlock,
    natural_height,
)
from cardgen.core.artwork import Color
from cardgen.core.book import Book, BookPage
from cardgen.core.findings import Findings, Location, plural
from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_PT, Rect, Size
from cardgen.core.records import dataclass, field, replace
from cardgen.core.sheets import Heading, Link
from cardgen.text.icon_marks import IconNames, Mark
from cardgen.text.spans import Align, HardBreak, IconSpan, Options, Paragraph, Span, Style, VAlign

MOST_PAGES = 400


def lay_out(
    text: Text,
    source: Source,
    component: Component,
    look: Look,
    drawables: Drawables,
    icons: IconNames,
    findings: Findings,
) -> Book | None:
    """Return the pages of a rulebook: the title page, the introduction and the contents, the chapters from
    the next page on. Pages for notes and a back make their number a multiple of four. Return None if a
    diagram has an unknown name, or the ornament is no icon.

    Findings, all errors, at their line of the Markdown file: `book/overflow`, `book/glyph`, `book/room` (a
    block is higher than a page), `book/length`, `book/place`, `book/diagram`.
    """
    game = source.game
    setting = Setting(source, component, look, icons, game.least_type * MM_PER_PT, findings)
    before = len(findings.errors)
    if look.ornament is not None and look.ornament not in icons:
        near = icons.near(look.ornament)
        hint = f"did you mean '{near}'?" if near else f"list the icons: cardgen list {game.id} --icons"
        place = setting.place("components", component.id, "look", "ornament")
        setting.problem("book/icon", f"there is no icon '{look.ornament}'", place, hint)
    for art in look.art:
        if art.part is not None:
            place = setting.place("components", component.id, "look", *art.path, "part")
            here = drawables.places[art.ref]
            check_known((art.part,), here.areas, here.known, f"the card '{art.ref}'", place, setting)
    count = sum(isinstance(each, HeadingElement) and each.level == CHAPTER for each in text.blocks)
    for number, art in look.openers.items():
        if number > count:
            place = setting.place("components", component.id, "look", *art.path, "chapter")
            setting.problem(
                "book/place", f"the book has {plural(count, 'chapter')}, no chapter {number}", place
            )
    check_names(text, drawables.places, drawables.table, setting)
    return _Layout(text, source, setting, drawables).book() if len(findings.errors) == before else None


@dataclass(slots=True)
class _Page:
    painter: PagePainter
    blocks: list[tuple[Block, float, float]] = field(default_factory=list)
    """Blocks in the text area, each with its corner."""
    chapter: str = ""
    plain: bool = False
    """Without running head and number."""


class _Layout:
    def __init__(self, text: Text, source: Source, setting: Setting, drawables: Drawables) -> None:
        self.setting, self.drawables = setting, drawables
        self.component, self.look = setting.component, setting.look
        assert self.component.trim is not None
        self.size = self.component.trim
        self.title = plain(text.title) or setting.game.title
        self.spots = list(self.look.spots)
        backs = [each for each in text.blocks if isinstance(each, Section) and each.kind == "back"]
        self.back = tuple(block for each in backs for block in each.blocks)
        self.text = replace(text, blocks=tuple(each for each in text.blocks if each not in backs))
        self._named = {block.title: block for block in text.blocks if isinstance(block, HeadingElement)}

    def book(self) -> Book:
        numbers: dict[str, int] = {}
        pages = self._pages(numbers)
        for number, page in reversed(list(enumerate(pages, 1))):  # the contents after what they list
            for block, x, top in page.blocks:
                block.paint(page.painter, x, top)
            numbers |= {heading.key: number for heading in page.painter.headings}
        self._name_chapters(pages)
        self._add_end(pages)
        keys = {"title", *numbers}
        sides = []
        for number, page in enumerate(pages, 1):
            if not page.plain:
                self._add_header(page, number)
            painter = page.painter
            links = (link for link in painter.links if _exists(link, keys))
            sides.append(
                BookPage(
                    painter.artwork(f"book-{self.component.id}-{number}"),
                    str(number),
                    _outline(painter.headings, first=number == 1, title=self.title),
                    tuple(links),
                )
            )
        icons = frozenset(icon for page in pages for icon in page.painter.icons())
        return Book(self.component.id, self.size, tuple(sides), icons)

    # ------------------------------------------------------------ pages

    def _page(self) -> _Page:
        return _Page(PagePainter(self.size, self.component.bleed))

    def _pages(self, numbers: Mapping[str, int]) -> list[_Page]:
        """Return the pages with their blocks, of which only the title page is painted. `numbers` are those
        of the headings' pages, known when the contents are painted."""
        cover = self._page()
        cover.plain = True
        if (front := self.look.front) is not None:
            front_page(cover.painter, self.setting, self._art(front))
        else:
            fan = [self.drawables.sides[ref] for ref in self.look.cover]
            title_page(cover.painter, self.setting, (self.title, 0), fan)
        pages = [cover]
        story = Story(self.setting, self.drawables, text_area(self.size, 2).width)
        lead = story.blocks(self.text.lead, Type(LEAD_SIZE, LINE * 1.25))
        entries = contents(self.setting, self.text.blocks, numbers)
        if entries and self.look.opener is not None:  # two columns leave room for the picture
            entries = [ColumnsBlock(self.setting, entries)]
        if entries:
            entries[0].before = 3 * LINE
        opener = self._opener([*lead, *entries])
        self._flow([*opener, *lead, *entries], pages, folded=False)
        self._flow(self._opened(story.blocks(self.text.blocks)), pages, folded=True)
        return pages

    def _opened(self, blocks: Sequence[Block]) -> list[Block]:
        """Return blocks with the pictures of chapters, which start a page."""
        found: list[Block] = []
        number = 0
        for block in blocks:
            art = None
            if isinstance(block, HeadingBlock) and block.level == CHAPTER:
                number += 1
                art = self.look.openers.get(number)
            if art is None:
                found.append(block)
                continue
            assert isinstance(block, HeadingBlock)
            line = block.text.line
            words = self._named[block.title].words
            heading = HeadingBlock(
                self.setting, block.level, words, block.key, block.title, line, large=True
            )
            found += [PageEndBlock(), OpenerBlock(self.setting, heading, self._art(art))]
        return found

    def _opener(self, below: Sequence[Block]) -> list[Block]:
        """Return the picture above the introduction: as high as the page has room for, within limits."""
        if self.look.opener is None:
            return []
        area = text_area(self.size, 2)
        free = area.height - natural_height(below, area.width) - 2 * LINE - STEP
        high = min(max(free, LEAST_SPOT), HIGHEST_OPENER)
        return [ArtBlock(self.setting, self._art(self.look.opener), high, "head")]

    def _art(self, art: Art) -> ShownArt:
        """Return a picture's side, and the part of it that is shown."""
        side = self.drawables.sides[art.ref]
        areas = self.drawables.places[art.ref].areas if art.part is not None else {}
        whole = Rect(0, 0, side.trim.width, side.trim.height)
        return ShownArt(side, areas.get(art.part or "") or whole, art.focus)

    def _flow(self, blocks: Sequence[Block], pages: list[_Page], *, folded: bool) -> None:
        """Let blocks flow through as many new pages as necessary."""
        area = text_area(self.size, 1)
        spot = (LEAST_SPOT + SPOT_ABOVE, HIGHEST_SPOT + SPOT_ABOVE) if folded and self.spots else None
        breaker = PageBreaker(self.setting, blocks, Size(area.width, area.height), len(pages), spot)
        filled = breaker.pages(MOST_PAGES - len(pages), folded=folded)
        if filled is None:
            message = f"the book has more than {MOST_PAGES} pages"
            self.setting.problem("book/length", message, 0, "split it into several books")
            return
        for each, is_end in zip(filled, breaker.ends, strict=True):
            page, corner = self._page(), text_area(self.size, len(pages) + 1)
            page.blocks += [(block, corner.x, corner.y + top) for block, top in each]
            if folded and is_end:
                self._add_spot(page, corner)
            pages.append(page)

    def _add_spot(self, page: _Page, area: Rect) -> None:
        """Add the next picture at the foot of a page with room for one."""
        block, _, top = page.blocks[-1]
        free = area.bottom - top - block.height - SPOT_ABOVE
        if free >= LEAST_SPOT - TOLERANCE and self.spots:
            art = self.spots.pop(0)
            self.spots.append(art)
            spot = ArtBlock(self.setting, self._art(art), min(free, HIGHEST_SPOT), "foot")
            spot.fit(area.width)
            page.blocks.append((spot, area.x, area.bottom - spot.height))

    def _name_chapters(self, pages: Sequence[_Page]) -> None:
        """Set each page's chapter: the one that starts at its head, else the previous one."""
        chapter = ""
        for number, page in enumerate(pages, 1):
            starts = [heading for heading in page.painter.headings if heading.level == 0]
            page.chapter = chapter
            if starts:
                at_head = starts[0].y < text_area(self.size, number).y + 2 * LINE
                page.chapter = starts[0].title if at_head or not chapter else chapter
                chapter = starts[-1].title

    def _add_end(self, pages: list[_Page]) -> None:
        """Add the back of the book; before it pages with a picture, else tinted ones, so that it can be
        folded."""
        missing = (-len(pages) % PAGES_A_SHEET) or PAGES_A_SHEET
        for place in range(missing):
            page = self._page()
            if place == missing - 1:
                page.plain = True
                art = None if self.look.back is None else self._art(self.look.back)
                width = self.size.width - 2 * Margins.of(self.size).outer - 2 * BACK_ROOM
                story = Story(self.setting, self.drawables, width)
                back_page(page.painter, self.setting, (self.title, 0), art, story.blocks(self.back))
            elif self.spots:
                area = text_area(self.size, len(pages) + 1)
                plate = ArtBlock(self.setting, self._art(self.spots.pop(0)), area.height, "page")
                plate.fit(area.width)
                plate.paint(page.painter, area.x, area.y)
            else:
                page.plain = True
                page.painter.ground(self.look.tint)
            pages.append(page)

    # ------------------------------------------------------------ furniture

    def _add_header(self, page: _Page, number: int) -> None:
        """Draw the running head, with the game's title on the left and the chapter on the right, and the
        number."""
        area = text_area(self.size, number)
        right = number % 2 == 1
        look = self.look
        furniture = paint_page(page.painter, look, area, right=right)
        head = page.chapter if right else self.title
        if look.style not in ("terminal", "window") and any(
            isinstance(block, OpenerBlock | ArtBlock) and block.place != "foot"
            for block, _, _ in page.blocks
        ):
            head = ""  # the picture is there
        box = Rect(area.x, area.y - 1.75 * LINE, area.width, LINE)
        # The buttons of a window are at its right.
        at_end = right and look.style != "window"
        self._line(
            page, head, box, furniture.head, "end" if at_end else "start", bold=look.style == "window"
        )
        if head and look.style not in ("terminal", "window"):
            hair = mixed(look.ink, (1.0, 1.0, 1.0), 0.72)
            page.painter.rect(Rect(area.x, area.y - 0.85 * LINE, area.width, 0.15), hair)
        foot = Rect(area.x, area.bottom + 1.1 * LINE, area.width, LINE)
        align: Align = "end" if right else "start"
        if furniture.middle is not None:
            x, y = furniture.middle
            foot, align = Rect(x - 10, y - LINE / 2, 20, LINE), "center"
        self._line(page, str(number), foot, furniture.number, align, bold=True)

    def _line(self, page: _Page, text: str, box: Rect, fill: Color, align: Align, *, bold: bool) -> None:
        font = self.look.bold if bold else self.look.regular
        size = TINY_SIZE * 1.12 if bold else TINY_SIZE
        style = Style(font, size, fill)
        spans: list[Span | IconSpan | HardBreak] = [Span(text, style)]
        heading = self._named.get(text)
        if heading is not None and any(isinstance(word, Icon) for word in heading.words):
            spans = [self._span(word, style) for word in heading.words]
        options = Options(align=align)
        line = 0 if heading is None else heading.line
        composed = self.setting.compose(Paragraph(spans), box, options, line)
        page.painter.text(composed.runs, 0.0, 0.0)

    def _span(self, word: Inline, style: Style) -> Span | IconSpan:
        """Return a part of a heading in the style of the running head, icons without their figures."""
        if isinstance(word, Icon):
            return self.setting.icons.span(Mark(word.mark.name, fill=word.mark.fill), style)
        return Span(" " if isinstance(word, LineEnd) else word.text, style)


def _outline(headings: Sequence[Heading], *, first: bool, title: str) -> tuple[Heading, ...]:
    """Return the page's outline entries: the title leads to the first page, with all others below it."""
    below = [replace(each, level=each.level + 1) for each in headings]
    return (Heading("title", title, 0, 0.0), *below) if first else tuple(below)


def _exists(link: Link, keys: set[str]) -> bool:
    return not link.target.startswith("#") or link.target[1:] in keys


INDENT = 5.2
"""mm from a bullet to its text."""
ABOVE_INITIAL = 4 * STEP
"""Space above a paragraph whose large first letter extends above its line."""
BETWEEN, BETWEEN_ITEMS = 2 * STEP, STEP


class Story:
    """A maker of flowables for text `measure` mm wide. Each is used up by the layout, so a second layout
    makes new ones."""

    def __init__(self, setting: Setting, drawables: Drawables, measure: float) -> None:
        self.setting, self.drawables, self.measure = setting, drawables, measure
        self.sides = drawables.sides

    def blocks(self, elements: Sequence[Element], type_: Type = Type()) -> list[Block]:  # noqa: B008
        """Return the flowables of elements with text of this type."""
        found: list[Block] = []
        above: Element | None = None
        for element in elements:
            begins = isinstance(above, HeadingElement) and above.level == CHAPTER
            if begins and isinstance(element, ParagraphElement) and self.setting.look.initial is not None:
                found += self._block(element, replace(type_, initial=self.setting.look.initial))
            else:
                found += self._block(element, type_)
            above = element
        return found

    def _block(self, element: Element, type_: Type) -> list[Block]:
        setting = self.setting
        if isinstance(element, ParagraphElement):
            before = ABOVE_INITIAL if type_.initial is not None else 0.0
            block = TextBlock(setting, element.words, element.line, type_, before=before, after=BETWEEN)
            block.keep = plain(element.words).endswith(":")
            return [block]
        if isinstance(element, HeadingElement):
            return [
                HeadingBlock(
                    setting, element.level, element.words, element.key, element.title, element.line
                )
            ]
        if isinstance(element, Listing):
            return self._list(element, type_)
        if isinstance(element, Table):
            return [TableBlock(setting, element)]
        if isinstance(element, Callout):
            inside = Type(italic=True) if element.label is None else type_
            return [CalloutBlock(setting, element.label, self.blocks(element.blocks, inside), element.line)]
        if isinstance(element, Figure):
            return self._figure(element)
        if isinstance(element, Diagram):
            if element.kind == "anatomy":
                return [AnatomyBlock(setting, element, self.drawables)]
            return set_up_blocks(setting, element, self.drawables, self.measure)
        if isinstance(element, Strip):
            return strip_rows(setting, element, self.drawables)
        if isinstance(element, Section):
            return [self._section(element)]
        assert isinstance(element, PageEnd)
        return [PageEndBlock()]

    def _section(self, section: Section) -> Block:
        """Return two columns."""
        small = Type(SMALL_SIZE, SMALL_LINE, hyphens=True)
        if section.kind == "sidebar":
            side = [each for each in section.blocks if isinstance(each, Callout)]
            main = [each for each in section.blocks if not isinstance(each, Callout)]
            first = section.blocks[0] is side[0]
            return SidebarBlock(self.blocks(main), self.blocks(side, small), is_first=first)
        elements: Sequence[Element] = section.blocks
        if section.kind == "glossary":
            items = [item for each in elements if isinstance(each, Listing) for item in each.items]
            items.sort(key=lambda item: plain_key(item))
            elements = [Listing(tuple(items), section.line)]
        return ColumnsBlock(self.setting, self.blocks(elements, small))

    def _list(self, listing: Listing, type_: Type) -> list[Block]:
        """Return the items as separate blocks, so that a list can be split anywhere."""
        blocks: list[Block] = []
        indented = replace(type_, indent=INDENT)
        for item in listing.items:
            for index, element in enumerate(item.blocks):
                if index == 0 and isinstance(element, ParagraphElement):
                    text = TextBlock(
                        self.setting, element.words, element.line, indented, bullet=item.bullet
                    )
                    text.after = BETWEEN_ITEMS
                    blocks.append(text)
                    continue
                for block in self._block(element, type_):
                    before = min(block.before, BETWEEN_ITEMS) if index else 0.0
                    blocks.append(Column([block], indent=INDENT, before=before, after=BETWEEN_ITEMS))
        if blocks:
            blocks[-1].after = BETWEEN
        if len(blocks) > 2:  # no single item at the foot or head of a page
            blocks[0].keep = blocks[-2].keep = True
        return blocks

    def _figure(self, figure: Figure) -> list[Block]:
        if figure.beside:
            first, *others = figure.pictures
            blocks: list[Block] = []
            if others:
                blocks += figure_rows(self.setting, others, self.sides, self.measure)
            return [BesideBlock(self.setting, first, figure.beside, figure.line, self.sides), *blocks]
        return list(figure_rows(self.setting, figure.pictures, self.sides, self.measure))


def plain_key(item: Item) -> str:
    """Return the text of a glossary's entry as sorted: without accents, in lower case."""
    words = next((each.words for each in item.blocks if isinstance(each, ParagraphElement)), ())
    return slug(plain(words))


MOST = 30
"""Most entries with which the sections of chapters are listed too: they fit on one page."""
NUMBER = 10.0
"""Width of the page number, mm."""
DOTS = 1.9
"""From dot to dot of the leaders, mm."""


def contents(setting: Setting, blocks: Sequence[Element], numbers: Mapping[str, int]) -> list[Block]:
    """Return an entry for each chapter, and for its sections if all of them fit on one page. `numbers` are
    those of the pages by the headings' keys, known when an entry is painted."""
    headings = [block for block in blocks if isinstance(block, HeadingElement) and block.level <= 3]
    if len(headings) > MOST:
        headings = [heading for heading in headings if heading.level == 2]
    return [ContentsLine(setting, heading, numbers) for heading in headings]


class ContentsLine(Block):
    """An entry: title, dots, page number."""

    def __init__(self, setting: Setting, heading: HeadingElement, numbers: Mapping[str, int]) -> None:
        chapter = heading.level == 2
        super().__init__(before=2 * STEP if chapter else 0.0)
        self.setting, self.heading, self.numbers, self.chapter = setting, heading, numbers, chapter
        look = setting.look
        type_ = Type(
            TEXT_SIZE, LINE, bold=chapter, fill=look.ink, indent=0.0 if chapter else 4.5, hyphens=False
        )
        words = [word for word in heading.words if getattr(word, "text", True)]
        self.text = TextBlock(setting, words, heading.line, type_)

    def measure(self, width: float) -> float:
        return self.text.fit(width - NUMBER)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        self.text.paint(painter, x, top)
        last = self.text.lines[-1] if self.text.lines else []
        end = max(
            (run.x + (run.size if not hasattr(run, "advance") else run.advance) for run in last), default=0
        )
        look = self.setting.look
        baseline = top + self.height - LINE + 0.72 * LINE
        start, stop = x + end + 1.5, x + self.width - 6.0
        at = stop - int((stop - start) / DOTS) * DOTS
        while at <= stop + 1e-6:
            painter.rect(Rect(at, baseline - 0.35, 0.35, 0.35), look.soft, 0.17)
            at += DOTS
        if (number := self.numbers.get(self.heading.key)) is not None:
            style = Style(look.bold if self.chapter else look.regular, TEXT_SIZE, look.ink)
            box = Rect(0, 0, NUMBER, LINE)
            options = Options(align="end", line_height=LINE / TEXT_SIZE)
            paragraph = Paragraph([Span(str(number), style)])
            composed = self.setting.compose(paragraph, box, options, self.heading.line)
            painter.text(composed.runs, x + self.width - NUMBER, top + self.height - LINE)
        painter.links.append(Link(Rect(x, top, self.width, self.height), f"#{self.heading.key}"))


TITLE_SIZE = 84 * MM_PER_PT
LEAST_TITLE = 20 * MM_PER_PT
FREE = 5.0
"""mm between the fan and the page's edges."""
BAND = 17.0
"""mm: the foot of a title page with a full picture, for the kind of book and its author."""
TURN = 11.0
"""Degrees between two cards of the fan on the title page."""


def title_page(
    painter: PagePainter,
    setting: Setting,
    title: tuple[str, int],
    sides: Sequence[ShownSide],
) -> None:
    """Add the title page: the game's title, with its line in the book's file, and the kind of book above
    its own art."""
    look, size = setting.look, painter.size
    margins = Margins.of(size)
    _paint_ground(painter, look)
    _fan(painter, sides, Rect(0, size.height * 0.36, size.width, size.height * 0.52))
    left, width = margins.outer, size.width - 2 * margins.outer
    top = margins.top
    block = Rect(left, top, width, size.height * 0.23)
    bottom = _fill(
        painter, setting, title, block, TITLE_SIZE, display=True, least=LEAST_TITLE, leading=0.98
    )
    painter.rect(Rect(left, bottom + LINE, 16, 1.1), look.on_ground)
    kind = _kind(setting)
    below = Rect(left, bottom + 1.8 * LINE, width, 2 * LINE)
    _fill(painter, setting, kind, below, LEAD_SIZE * 1.15, bold=True)
    foot = Rect(left, size.height - margins.bottom - 5 * LINE, width, 5 * LINE + 4)
    _fill(painter, setting, _imprint(setting), foot, TINY_SIZE * 1.1, valign="bottom")


def front_page(painter: PagePainter, setting: Setting, art: ShownArt) -> None:
    """Add the title page with a side of a card, or a part of it, that fills it down to a band at the foot.
    A picture of other proportions is cropped equally at both ends."""
    size, bleed = painter.size, painter.bleed
    margins = Margins.of(size)
    _paint_ground(painter, setting.look)
    area = Rect(-bleed, -bleed, size.width + 2 * bleed, size.height - BAND + bleed)
    art.paint(painter, area)
    width = size.width - 2 * margins.outer
    top = size.height - BAND
    kind = _kind(setting)
    left = Rect(margins.outer, top, width * 0.4, BAND)
    _fill(painter, setting, kind, left, LEAD_SIZE * 1.15, bold=True, valign="middle")
    x = margins.outer + width * 0.4
    author = (setting.game.author, setting.place("author"))
    right = Rect(x, top, width * 0.6, BAND)
    _fill(painter, setting, author, right, TINY_SIZE, align="end", valign="middle")


BACK_ART = 0.6
"""The height of the picture on the back, as a share of the page."""
HIGHEST_OPENER = 96.0
"""mm: greatest height of the picture above the introduction."""
LEAST_SPOT, HIGHEST_SPOT = 18.0, 110.0
"""mm: heights of a picture in the text area, at the foot of a page."""
SPOT_ABOVE = 1.5 * LINE


def back_page(
    painter: PagePainter,
    setting: Setting,
    title: tuple[str, int],
    art: ShownArt | None,
    blocks: Sequence[Block] = (),
) -> None:
    """Add the back of the book, with a picture on its upper part; below it a panel with these blocks, in
    place of the title."""
    look, size = setting.look, painter.size
    _paint_ground(painter, look)
    width = size.width * 0.82
    left = (size.width - width) / 2
    middle = size.height * 0.42
    if blocks:
        _reference(painter, setting, art, Column(blocks))
        return
    if art is not None:
        bleed, high = painter.bleed, size.height * BACK_ART
        area = Rect(-bleed, -bleed, size.width + 2 * bleed, high + bleed)
        art.paint(painter, area)
        middle = high + 24.0
    bottom = _fill(
        painter,
        setting,
        title,
        Rect(left, middle - 20, width, 20),
        26 * MM_PER_PT,
        display=True,
        align="center",
        valign="bottom",
        least=LEAST_TITLE / 2,
    )
    painter.rect(Rect(size.width / 2 - 8, bottom + LINE, 16, 1.1), look.on_ground)
    narrow = size.width * 0.6
    rest = Rect((size.width - narrow) / 2, bottom + 2 * LINE, narrow, 12 * LINE)
    description = (setting.game.description, setting.place("description"))
    _fill(painter, setting, description, rest, TEXT_SIZE, align="center", leading=LINE / TEXT_SIZE)
    foot = Rect(left, size.height - 25, width, 12)
    _fill(painter, setting, _imprint(setting), foot, TINY_SIZE, align="center", valign="bottom")


BACK_ROOM, BACK_FOOT, BACK_LEAST = 5.0, 16.0, 34.0
"""mm: the padding of the panel on the back, the room below it, and the least height of its picture."""


def _reference(painter: PagePainter, setting: Setting, art: ShownArt | None, column: Column) -> None:
    """Fill the back with a picture above a panel of blocks, and the imprint."""
    size, bleed, look = painter.size, painter.bleed, setting.look
    edge = Margins.of(size).outer
    width = size.width - 2 * edge
    high = column.fit(width - 2 * BACK_ROOM) + 2 * BACK_ROOM
    top = size.height - BACK_FOOT - high
    if top < BACK_LEAST:
        message, hint = "the text for the back is higher than a page", "shorten it"
        setting.problem("book/room", message, next((each.line for each in column.blocks), 0), hint)
        return
    if art is not None:
        end = top - BACK_ROOM
        art.paint(painter, Rect(-bleed, -bleed, size.width + 2 * bleed, end + bleed))
        painter.rect(Rect(-bleed, end, size.width + 2 * bleed, 0.8), look.on_ground)
    painter.panel(Rect(edge, top, width, high), WHITE, look.accent, radius=1.6, below=True)
    column.paint(painter, edge + BACK_ROOM, top + BACK_ROOM)
    foot = Rect(edge, size.height - BACK_FOOT, width, BACK_FOOT)
    _fill(painter, setting, _imprint(setting), foot, TINY_SIZE, align="center", valign="middle")


def _imprint(setting: Setting) -> tuple[str, Location]:
    return f"{setting.game.author}  ·  {setting.game.version}", setting.place("author")


def _kind(setting: Setting) -> tuple[str, Location]:
    """Return the kind of book, and the place where it is stated."""
    component = setting.component
    return component.title, setting.place("components", component.id, "title")


def _paint_ground(painter: PagePainter, look: Look) -> None:
    if look.ground != (1.0, 1.0, 1.0):
        painter.ground(look.ground)


def _fan(painter: PagePainter, sides: Sequence[ShownSide], area: Rect) -> None:
    """Draw a fan of cards, the middle one upright, or a single card, slightly turned."""
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
    """Return the distance of the centers of fanned cards that keeps the outermost off the page's edges."""
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
    located: tuple[str, int | Location],
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
    """Set text, `located` for findings, in a box, smaller if necessary; return its end, mm from the top."""
    text, place = located
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
    """Return the text area of the page with that number; odd pages are to the right of the fold."""
    margins = Margins.of(size)
    left = margins.inner if number % 2 else margins.outer
    return Rect(
        left,
        margins.top,
        size.width - margins.inner - margins.outer,
        size.height - margins.top - margins.bottom,
    )
