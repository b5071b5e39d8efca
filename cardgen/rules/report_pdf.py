"""The report as PDF: ReportLab sets it and paints the charts, each a form with text that can be searched.

The same report gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    LongTable,
    PageTemplate,
    Paragraph,
    Spacer,
    TableStyle,
)

from cardgen.core.findings import Finding
from cardgen.core.geometry import MM_PER_PT, PT_PER_MM
from cardgen.core.pdf_canvas import PdfCanvas, PdfFont
from cardgen.rules import reports
from cardgen.rules.report_content import (
    DeckSection,
    Judged,
    Report,
    Section,
    bounds_words,
    cell_text,
    common_bounds,
    figure_columns,
    in_matrix,
    measure_rows,
    measured,
    shortened_table,
    spans,
)
from cardgen.rules.report_fields import label
from cardgen.rules.report_flowables import (
    BODY,
    BOLD,
    CAPTION,
    CELL,
    CELL_RIGHT,
    FIGURE,
    FINDING,
    H2,
    H3,
    H4,
    HAIR,
    HEAD,
    HEAD_RIGHT,
    INK,
    LABEL,
    LEAD,
    MONO,
    NARROW,
    NARROW_BOLD,
    NOTE,
    REGULAR,
    SOFT,
    TITLE,
    Badge,
    ChartBox,
    Heading,
    Line,
    grid,
    height_of,
    press_story,
)
from cardgen.rules.reports import Faces, column_widths, ems
from cardgen.rules.results import Histogram, Matrix, Measure, RuleResult, Table, counted

PAGE = (215.9, 279.4)
"""Letter paper, mm, like the sheets; printed at 100 % the text also fits A4."""
WIDTH, HALF, GUTTER = 174.0, 84.0, 6.0
TOP, BOTTOM = 18.0, 20.0
"""Margins, mm."""
WHOLE = 0.5
"""What takes at most this part of a page is kept on one."""
MEASURE = 58.0
"""Where measures are wider (mm), many of them stand one below the other."""


def write(report: Report, faces: Faces) -> bytes:
    """The PDF's bytes."""
    for name, path in (
        (REGULAR, faces.regular),
        (BOLD, faces.bold),
        (NARROW, faces.narrow),
        (NARROW_BOLD, faces.narrow_bold),
        (MONO, faces.mono),
    ):
        registerFont(PdfFont(name, str(path)))
    return _Book(report, faces).set()


class _Book:
    """Sets one report."""

    def __init__(self, report: Report, faces: Faces) -> None:
        self.report, self.faces = report, faces
        self.charts = 0

    def set(self) -> bytes:
        out = io.BytesIO()
        game = self.report.game
        side = (PAGE[0] - WIDTH) / 2 * PT_PER_MM
        document = BaseDocTemplate(
            out,
            pagesize=(PAGE[0] * PT_PER_MM, PAGE[1] * PT_PER_MM),
            title=self.faces.safe(f"{game.title}: report"),
            author=game.author,
            subject=game.description,
            creator="cardgen",
            producer="cardgen with ReportLab",
            lang="en",
            displayDocTitle=1,
            invariant=1,
            pageCompression=1,
            initialFontName=REGULAR,
        )
        frame = Frame(
            side,
            BOTTOM * PT_PER_MM,
            WIDTH * PT_PER_MM,
            (PAGE[1] - TOP - BOTTOM) * PT_PER_MM,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
        )
        document.addPageTemplates(PageTemplate("page", [frame], onPage=self._footer))
        document.build(self._story(), canvasmaker=PdfCanvas)
        return out.getvalue()

    def _footer(self, canvas: Canvas, _: object) -> None:
        game = self.report.game
        left = (PAGE[0] - WIDTH) / 2 * PT_PER_MM
        canvas.saveState()
        canvas.setFillColor(SOFT)
        canvas.setFont(NARROW, 8)
        canvas.drawString(left, 11 * PT_PER_MM, self.faces.safe(f"{game.title}, version {game.version}"))
        canvas.drawRightString(left + WIDTH * PT_PER_MM, 11 * PT_PER_MM, f"page {canvas.getPageNumber()}")
        canvas.restoreState()

    # ------------------------------------------------------------ what is on the pages

    def _story(self) -> list[Flowable]:
        report, game = self.report, self.report.game
        story: list[Flowable] = [
            self._text("Report", H4),
            self._heading(game.title, TITLE, "Overview", "overview", 0),
            self._text(game.description, LEAD),
            self._text(
                f"Version {game.version} · {report.players}" + (f" · {game.author}" if game.author else ""),
                NOTE,
            ),
            *self._overview(),
        ]
        if report.compared:
            known = report.compared
            title = f"Compared with {known.name}"
            story += [CondPageBreak(70 * PT_PER_MM), *self._opening(title, "compared")]
            story.append(self._text(known.summary, BODY))
            for one in (known.sizes, known.rules):
                if one.rows:
                    titled = self._titled(one.title, shortened_table(one))
                    story += [CondPageBreak(35 * PT_PER_MM), *titled]
        if report.results:
            story += [CondPageBreak(70 * PT_PER_MM), *self._opening("Rules", "rules")]
            for number, judged in enumerate(report.rules):
                story += self._rule(judged, number == 0)
        for section in report.sections:
            story += self._section(section)
        for number, deck in enumerate(report.decks):
            story += self._deck(deck, number == 0)
        if report.press is not None:
            story += [CondPageBreak(70 * PT_PER_MM), *self._opening("Press", "press")]
            story += press_story(report.press, self._safe, WIDTH)
        return story

    def _overview(self) -> list[Flowable]:
        report = self.report
        story: list[Flowable] = [
            Line(1.7, INK, before=20),
            self._text("Overview", H2),
            self._text(report.summary, LEAD),
        ]
        if report.results:
            rows = [
                [
                    Badge(result.verdict),
                    self._code(result.rule.name, result.rule.anchor),
                    self._question(result),
                ]
                for result in report.overview
            ]
            heads = [self._text(head, HEAD) for head in ("verdict", "rule", "question")]
            story += [Spacer(0, 6), grid([heads, *rows], [22, 46, WIDTH - 68])]
        sizes = tuple(
            (component.title, component.kind, component.unique, component.copies)
            for component in report.game.components
        )
        table = Table("", ("component", "kind", "distinct", "in all"), sizes)
        return [*story, Spacer(0, 12), self._table(table)]

    def _question(self, result: RuleResult) -> Paragraph:
        """A rule's question in the overview; where something is wrong, bold and a link."""
        words = self._safe(result.rule.question)
        if not result.ok:
            words = f'<a href="#{result.rule.anchor}"><font name="{NARROW_BOLD}">{words}</font></a>'
        return Paragraph(words, CELL)

    def _rule(self, judged: Judged, first: bool) -> list[Flowable]:
        result, rule = judged.result, judged.result.rule
        title = self._heading(rule.heading, H3, rule.heading, rule.anchor, 1)
        heading = grid([[Badge(result.verdict), title]], [22, WIDTH - 22], lines=False)
        heading.keepWithNext = 1
        weight = "" if rule.severity.value == "error" else f" · {rule.severity.value}"
        head: list[Flowable] = [] if first else [Line(0.5, HAIR, before=14)]
        head += [heading, self._text(f"{rule.name} · {rule.kind}{weight}", NOTE)]
        if rule.why:
            head.append(self._text(rule.why, BODY))
        head += [self._finding(finding, rule.question) for finding in result.findings]
        if in_matrix(result):
            if words := common_bounds(result):
                head.append(self._text(f"Each should be {words}.", NOTE))
        elif result.measures:
            rows = measure_rows(result.measures)
            shown = self._table(shortened_table(rows)) if rows else self._measures(result.measures)
            head += [Spacer(0, 5), shown]
        if result.looked_at:
            head.append(Paragraph(f"Looked at: {self._rich('; '.join(result.looked_at))}", NOTE))
        for words, place in judged.elsewhere:
            link = f'<a href="#{place.anchor}">see the chart of {self._safe(place.words)}</a>'
            head.append(Paragraph(f"{self._safe(words)}: {link}", NOTE))
        figures: list[list[Flowable]] = []
        for matrix in result.matrices:
            figures += self._matrix(matrix)
        drawn = [(self._safe(one.title), one) for one in judged.histograms]
        figures += [[row] for row in self._histograms(drawn)]
        tables = [self._titled(table.title, shortened_table(table)) for table in judged.tables]
        return self._kept(head, figures, tables)

    def _matrix(self, matrix: Matrix) -> list[list[Flowable]]:
        figures = []
        for part, chart in enumerate(reports.matrix_charts(matrix, WIDTH, self.faces)):
            words = matrix.title + (", continued" if part else "")
            figures.append(self._figure(chart, self._safe(words)))
        return figures

    def _kept(
        self, head: list[Flowable], figures: list[list[Flowable]], tables: list[list[Flowable]]
    ) -> list[Flowable]:
        """A block on one page if that does not leave much of another empty; else its head with the
        first figure, then each figure and each table, a table with room for some of its rows."""
        room = (PAGE[1] - TOP - BOTTOM) * PT_PER_MM
        width = WIDTH * PT_PER_MM
        block = [*head, *(part for each in (*figures, *tables) for part in each)]
        if height_of(block, width) <= room * WHOLE:
            return [KeepTogether(block)]
        if figures and height_of([*head, *figures[0]], width) <= room:
            head, figures = [*head, *figures[0]], figures[1:]
        story: list[Flowable] = [KeepTogether(head)] if height_of(head, width) <= room else [*head]
        story += [KeepTogether(figure) for figure in figures]
        for table in tables:
            story += [CondPageBreak(35 * PT_PER_MM), *table]
        return story

    def _measures(self, measures: Sequence[Measure]) -> LongTable:
        """Measures beside each other; if many are long, one below the other."""
        names = [self._rich(measure.name) for measure in measures]
        values = [
            measured(measure) + (f" (should be {bounds_words(measure)})" if measure.bounds else "")
            for measure in measures
        ]
        lengths = [ems(self.faces.safe(one.name), self.faces.narrow) * LABEL.fontSize for one in measures]
        lengths += [ems(self.faces.safe(value), self.faces.bold) * FIGURE.fontSize for value in values]
        widest = 5 + max(lengths) * MM_PER_PT
        pairs = list(zip(names, values, strict=True))
        if widest > MEASURE and len(pairs) > 4:
            rows = [[Paragraph(name, LABEL), self._text(value, CELL)] for name, value in pairs]
            return grid(rows, [46, WIDTH - 46])
        cells: list[Any] = [[Paragraph(name, LABEL), self._text(value, FIGURE)] for name, value in pairs]
        across = max(1, min(6, int(WIDTH / widest)))
        cells += [""] * (-len(cells) % across)
        lines = [cells[first : first + across] for first in range(0, len(cells), across)]
        return grid(lines, [WIDTH / across] * across, lines=False)

    def _finding(self, finding: Finding, question: str) -> Paragraph:
        words = self._rich(finding.message)
        if finding.location:
            place = self._safe(str(finding.location))
            words = f'<font name="{MONO}" size="8" color="#5a666a">{place}</font><br/>{words}'
        if finding.hint and finding.hint != question:
            words += f'<br/><font size="8.5" color="#5a666a">{self._rich(finding.hint)}</font>'
        return Paragraph(words, FINDING, bulletText="–")

    def _section(self, section: Section) -> list[Flowable]:
        component = section.component
        words = (
            f"{counted(component.unique, 'distinct card')}, {component.copies} printed. "
            "A card counts as often as it is printed."
        )
        head = [*self._opening(component.title, f"deck-{component.id}"), self._text(words, NOTE)]
        drawn = []
        for index, field in enumerate(section.drawn):
            if field.histogram is not None:
                name = f'<font name="{BOLD}">{self._safe(label(field.name))}</font>'
                remark = f'<font color="#5a666a">{self._safe(field.summary)}</font>'
                anchor = f'<a name="{section.anchor(index)}"/>'
                drawn.append((f"{anchor}{name} {remark}", field.histogram))
        figures = [[row] for row in self._histograms(drawn)]
        for crossed in section.crossed:
            figures += self._matrix(crossed.matrix)
        last: list[Flowable] = []
        if section.undrawn:
            last.append(self._text(f"Not drawn: {'; '.join(section.undrawn)}.", NOTE))
        return self._kept(head, figures, [[*last, *self._titled("All cards", section.deck)]])

    def _deck(self, section: DeckSection, first: bool) -> list[Flowable]:
        """A deck list with its verdict."""
        deck = section.deck
        title = self._heading(deck.title, H3, deck.title, f"deck-list-{deck.id}", 1)
        heading = grid([[Badge(section.verdict), title]], [22, WIDTH - 22], lines=False)
        heading.keepWithNext = 1
        head: list[Flowable] = self._opening("Deck lists", "deck-lists") if first else []
        head += [heading, self._text(section.summary, NOTE)]
        if deck.description:
            head.append(self._text(deck.description, BODY))
        return self._kept(head, [], [[self._table(section.table)]])

    # ------------------------------------------------------------ parts of pages

    def _opening(self, words: str, key: str) -> list[Flowable]:
        return [
            Line(1.7, INK, before=26),
            self._heading(words, H2, words, key, 0),
        ]

    def _safe(self, text: str) -> str:
        """Text as the markup of a paragraph."""
        return escape(self.faces.safe(" ".join(text.split())))

    def _rich(self, text: str) -> str:
        """The same, with what stands between backquotes set as code."""
        pieces = [(escape(self.faces.safe(part)), code) for part, code in spans(" ".join(text.split()))]
        return "".join(
            f'<font name="{MONO}" size="8">{part}</font>' if code else part for part, code in pieces
        )

    def _text(self, text: str, style: ParagraphStyle) -> Paragraph:
        return Paragraph(self._safe(text), style)

    def _heading(self, text: str, style: ParagraphStyle, words: str, key: str, level: int) -> Heading:
        return Heading(self._safe(text), style, self.faces.safe(words), key, level)

    def _code(self, text: str, key: str) -> Paragraph:
        return Paragraph(
            f'<font name="{MONO}" size="8"><a href="#{key}">{self._safe(text)}</a></font>', CELL
        )

    def _figure(self, chart: reports.Chart, caption: str) -> list[Flowable]:
        """A caption over a line over a chart; `caption` is markup."""
        box = ChartBox(chart, f"Chart{self.charts}")
        self.charts += 1
        text = Paragraph(caption, CAPTION)
        head = LongTable([[text]], colWidths=[chart.width * PT_PER_MM], hAlign="LEFT")
        head.setStyle(
            TableStyle(
                [
                    ("FONTNAME", (0, 0), (-1, -1), REGULAR),
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.5, HAIR),
                ]
            )
        )
        return [Spacer(0, 6), head, Spacer(0, 4), box]

    def _histograms(self, drawn: Sequence[tuple[str, Histogram]]) -> list[Flowable]:
        """Two histograms in a row."""
        rows: list[Flowable] = []
        for first in range(0, len(drawn), 2):
            cells: list[Any] = []
            for caption, histogram in drawn[first : first + 2]:
                cells += [self._figure(reports.histogram_chart(histogram, HALF, self.faces), caption), ""]
            cells = [*cells, "", ""][:3]
            rows.append(grid([cells], [HALF, GUTTER, HALF], lines=False))
        return rows

    def _titled(self, title: str, table: Table) -> list[Flowable]:
        """A table below its title."""
        return [self._text(title, H4), self._table(table)]

    def _table(self, table: Table) -> Flowable:
        figures = figure_columns(table)
        heads = [
            self._text(head, HEAD_RIGHT if figure else HEAD) for head, figure in zip(table.columns, figures)
        ]
        rows = [
            [
                self._text(cell_text(value), CELL_RIGHT if figure else CELL)
                for value, figure in zip(row, figures)
            ]
            for row in table.rows
        ]
        made = grid([heads, *rows], column_widths(table, self.faces, CELL.fontSize, WIDTH), header=1)
        for column, figure in enumerate(figures[:-1]):
            if figure and not figures[column + 1]:
                made.setStyle(TableStyle([("RIGHTPADDING", (column, 0), (column, -1), 16)]))
        return made
