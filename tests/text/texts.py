"""Short ways to set text in tests, and to read what came out."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from cardgen.core.artwork import IconRun, TextRun
from cardgen.core.geometry import Rect
from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook
from cardgen.text.setting import compose
from cardgen.text.shaping import Font
from cardgen.text.spans import Composed, HardBreak, IconSpan, Options, Paragraph, Span, Style


def _of_matplotlib() -> Path:
    """The fonts that come with matplotlib, which takes a while to import."""
    found = find_spec("matplotlib")
    assert found is not None
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"


ROOT = Path(__file__).parents[2]
DEJAVU = _of_matplotlib()
BLACK = (0.0, 0.0, 0.0)
RED = (0.8, 0.0, 0.0)
BOOK = FontBook(ProjectFolders((ROOT,)))
SANS = BOOK.face("IBM Plex Sans", 400, False)
BOLD = BOOK.face("IBM Plex Sans", 700, False)
ITALIC = BOOK.face("IBM Plex Sans", 400, True)
HEBREW = Font("DejaVuSans", DEJAVU / "DejaVuSans.ttf")
"""A font with Hebrew and Arabic letters, which comes with matplotlib."""
BEBAS = BOOK.face("Bebas Neue", 400, False)
PLAIN = Style(SANS, 3.0, BLACK)
STRONG = Style(BOLD, 3.0, BLACK)
SLANTED = Style(ITALIC, 3.0, BLACK)

Part = str | Span | IconSpan | HardBreak


def paragraph(*parts: Part, bullet: str | None = None, **more: float) -> Paragraph:
    """A paragraph; bare text is set in PLAIN, and ":name:" is an icon."""
    spans: list[Span | IconSpan | HardBreak] = []
    for part in parts:
        if not isinstance(part, str):
            spans.append(part)
        elif len(part) > 2 and part[0] == part[-1] == ":":
            spans.append(IconSpan(part[1:-1], PLAIN))
        else:
            spans.append(Span(part, PLAIN))
    return Paragraph(spans, bullet, **more)


def in_box(
    width: float, height: float, *paragraphs: Paragraph | str, options: Options | None = None
) -> Composed:
    """Paragraphs set in a box at (5, 7)."""
    listed = [paragraph(each) if isinstance(each, str) else each for each in paragraphs]
    return compose(listed, Rect(5, 7, width, height), options or Options())


def rows(composed: Composed) -> list[str]:
    """The text of each line, icons as :name:, from left to right."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for run in composed.runs:
        if isinstance(run, TextRun):
            lines.setdefault(round(run.y, 4), []).append((run.x, run.text))
        else:
            baseline = run.y + run.size * (0.5 + SANS.cap_height / 2)
            lines.setdefault(round(baseline, 4), []).append((run.x, f":{run.icon}:"))
    return ["".join(text for _, text in sorted(line)) for _, line in sorted(lines.items())]


def texts(composed: Composed) -> list[TextRun]:
    return [run for run in composed.runs if isinstance(run, TextRun)]


def icons(composed: Composed) -> list[IconRun]:
    return [run for run in composed.runs if isinstance(run, IconRun)]


def width_of(text: str, style: Style = PLAIN) -> float:
    """mm of one unbroken word."""
    return style.font.word(text).advance * style.size
