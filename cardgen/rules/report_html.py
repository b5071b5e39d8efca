"""The report as one HTML page that needs nothing else: fonts, styles and charts are inside it."""

from __future__ import annotations

from base64 import b64encode
from functools import partial

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cardgen.files.reading import read_bundled
from cardgen.rules import reports
from cardgen.rules.report_content import (
    ABOUT,
    FAULTY,
    HEAVY,
    VERDICTS,
    PressPage,
    Report,
    bounds_words,
    cell_text,
    common_bounds,
    figure_columns,
    in_matrix,
    measure_rows,
    measured,
    of_cards,
    shortened_table,
    spans,
)
from cardgen.rules.report_fields import label
from cardgen.rules.report_flowables import as_svg
from cardgen.rules.reports import Faces, subset_base64, whole_columns
from cardgen.rules.results import Histogram, Matrix, counted

WIDTH = 174.0
"""Width of the text, mm: what both A4 and letter paper hold."""
HALF = 84.0

_FONTS = "<style>\n/*fonts*/"
"""Where the page's own fonts go."""

FAMILIES = (
    ("Report", 400, "regular"),
    ("Report", 600, "bold"),
    ("Report Narrow", 400, "narrow"),
    ("Report Narrow", 600, "narrow_bold"),
    ("Report Mono", 400, "mono"),
)
"""CSS family, weight and the face of `Faces` that it is."""


def write(report: Report, faces: Faces) -> bytes:
    """The page in UTF-8."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        measured=measured, cell=cell_text, label=label, rich=_rich, png=_png, bounds=bounds_words
    )
    drawing = _Drawing(faces)
    body = environment.from_string(read_bundled("rules", "page.html").decode("utf-8")).render(
        report=report,
        game=report.game,
        VERDICTS=VERDICTS,
        counted=counted,
        figure_columns=figure_columns,
        whole_columns=whole_columns,
        measure_rows=measure_rows,
        in_matrix=in_matrix,
        common_bounds=common_bounds,
        shortened=shortened_table,
        histogram=partial(drawing.histogram, width=HALF),
        matrix=drawing.matrix,
        press=press_section(report.press) if report.press is not None else "",
        css=Markup(read_bundled("rules", "page.css").decode("utf-8")),
    )
    # What the page says decides which glyphs it carries, so the fonts come last.
    # No word of a game can hold the mark, since its < would be escaped.
    return body.replace(_FONTS, f"<style>\n{_font_faces(body, faces)}", 1).encode("utf-8")


def _png(content: bytes) -> str:
    return f"data:image/png;base64,{b64encode(content).decode()}"


def _rich(text: str) -> Markup:
    """A sentence with what stands between backquotes set as code."""
    return Markup().join(
        Markup("<code>{}</code>").format(part) if code else part for part, code in spans(text)
    )


def _font_faces(text: str, faces: Faces) -> str:
    """The style rules that hold the fonts, cut down to the characters of the page."""
    rules = []
    for family, weight, name in FAMILIES:
        data = subset_base64(getattr(faces, name), text)
        rules.append(
            f"@font-face {{ font-family: '{family}'; font-weight: {weight}; "
            f"src: url(data:font/ttf;base64,{data}) format('truetype'); }}"
        )
    return "\n".join(rules)


class _Drawing:
    """Draws charts for a page, each with ids of its own."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces
        self.drawn = 0

    def histogram(self, histogram: Histogram, width: float) -> Markup:
        if not histogram.bins:
            return Markup()
        return self._svg(reports.histogram_chart(histogram, width, self.faces))

    def matrix(self, matrix: Matrix) -> list[Markup]:
        return [self._svg(chart) for chart in reports.matrix_charts(matrix, WIDTH, self.faces)]

    def _svg(self, chart: reports.Chart) -> Markup:
        self.drawn += 1
        return Markup(as_svg(chart, self.drawn))


def press_section(press: PressPage) -> Markup:
    """The section, a `section` element."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(read_bundled("rules", "press.html").decode("utf-8"))
    return Markup(template.render(press=press, of_cards=of_cards, ABOUT=ABOUT, FAULTY=FAULTY, HEAVY=HEAVY))
