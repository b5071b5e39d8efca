"""The shipped rulebooks' pages: full to their foot, without stubs of lines, with sorted glossaries.

`python -m tests.book.test_full_pages [GAME…]` prints the figures of each book.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from cardgen.book import blocks, diagrams, layout, pages
from cardgen.book.diagrams import ScenesSubject, SetUpBlock
from cardgen.book.layout import text_area
from cardgen.book.pages import ArtBlock, OpenerBlock
from cardgen.commands.production import stages as production
from cardgen.core.artwork import Placed, SetText, TextRun
from cardgen.core.book import BookPage
from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from tests.book.conftest import Made, texts
from tests.shipped import GAMES, shipped

Make = Callable[..., Made]
A5 = Size(148, 210)
LEAST_FILL = 0.75
LEAST_LAST_LINE = 0.2
WIDEST_HOLE = 28.0
"""mm without text or pictures."""
BOOKS = [*((game, None) for game in GAMES if game != "demo"), ("access-denied", "de"), ("hackers", "de")]


@dataclass
class Figures:
    """The figures of a book: the fill of each page between cover and back, the highest hole, paragraphs
    with short last lines, and pictures at the foot of pages that it also shows elsewhere."""

    pages: int = 0
    fills: dict[str, float] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    holes: dict[str, float] = field(default_factory=dict)
    stubs: list[tuple[float, str]] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    diagrams: list[SetUpBlock] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)


def spans(page: BookPage, area: Rect) -> list[tuple[float, float]]:
    """From where to where text and cards reach, mm from the top, within the text area."""
    found = []
    for item in page.artwork.items:
        if isinstance(item, SetText):
            found += [(item.matrix.f + run.y - run.size, item.matrix.f + run.y) for run in item.runs]
        elif isinstance(item, Placed):
            corners = [
                item.matrix.apply(item.trim.x, item.trim.y),
                item.matrix.apply(item.trim.right, item.trim.bottom),
            ]
            ys = sorted(y for _, y in corners)
            found.append((ys[0], min(ys[1], area.bottom)))
    return sorted((top, end) for top, end in found if area.y - 1 <= end <= area.bottom + 1)


def measure(name: str, language: str | None = None) -> Figures:
    """Lay out a shipped book and measure it."""
    figures = Figures()
    real = blocks.compose

    def watched(paragraphs, box, options):  # type: ignore[no-untyped-def]
        composed = real(paragraphs, box, options)
        if options.last_line and composed.stub is not None:
            figures.stubs.append((composed.stub.share, composed.stub.text))
        return composed

    pictures: list[str] = []

    class Seen(ArtBlock):
        def __init__(self, setting: blocks.Setting, art: pages.ShownArt, height: float, place: str) -> None:
            super().__init__(setting, art, height, place)
            pictures.append(art.side.artwork)

    class SeenOpener(OpenerBlock):
        def __init__(
            self, setting: blocks.Setting, heading: blocks.HeadingBlock, art: pages.ShownArt
        ) -> None:
            super().__init__(setting, heading, art)
            pictures.append(art.side.artwork)

    real_paint, real_name = SetUpBlock.paint, diagrams.paint_name

    def painted(block, painter, x, top):  # type: ignore[no-untyped-def]
        figures.diagrams.append(block)
        real_paint(block, painter, x, top)

    def named(painter, setting, name, area):  # type: ignore[no-untyped-def]
        if not real_name(painter, setting, name, area) and figures.diagrams[-1].diagram.notes:
            figures.unnamed.append(name)

    blocks.compose = watched  # type: ignore[assignment]
    layout.ArtBlock = Seen  # type: ignore[misc]
    layout.OpenerBlock = SeenOpener  # type: ignore[misc]
    SetUpBlock.paint, diagrams.paint_name = painted, named  # type: ignore[assignment, method-assign]
    try:
        game = shipped(name, language)
        made = production.render_book(game, game.component("rules"), Findings(), low_ink=False)
    finally:
        blocks.compose, layout.ArtBlock, layout.OpenerBlock = real, ArtBlock, OpenerBlock  # type: ignore[misc]
        SetUpBlock.paint, diagrams.paint_name = real_paint, real_name  # type: ignore[assignment, method-assign]
    figures.repeated = sorted(key for key in set(pictures) if pictures.count(key) > 1)
    assert made is not None
    book = made.book
    figures.pages = len(book.pages)
    for page in book.pages[1:-1]:
        area = text_area(book.trim, int(page.number))
        here = spans(page, area)
        if not here:
            figures.empty.append(page.number)
            continue
        figures.fills[page.number] = (max(end for _, end in here) - area.y) / area.height
        end = area.y
        for top, bottom in here:
            figures.holes[page.number] = max(figures.holes.get(page.number, 0.0), top - end)
            end = max(end, bottom)
    return figures


@pytest.mark.long
@pytest.mark.parametrize(("name", "language"), BOOKS)
def test_pages_of_a_shipped_book_are_full(name: str, language: str | None) -> None:
    figures = measure(name, language)
    assert figures.pages % 4 == 0
    assert not figures.empty
    assert not {page: fill for page, fill in figures.fills.items() if fill < LEAST_FILL}
    assert not {page: hole for page, hole in figures.holes.items() if hole > WIDEST_HOLE}
    assert not [text for share, text in figures.stubs if share < LEAST_LAST_LINE]
    assert not figures.repeated
    check_set_up(figures)


def check_set_up(figures: Figures) -> None:
    """The place of a player is as large as the page allows, up to 60 %. Each empty place has its name, and
    numbers go on from picture to picture."""
    in_order = sorted(figures.diagrams, key=lambda block: block.line)
    (seat,) = [block for block in in_order if block.diagram.scenes == ("seat",)]
    shown = seat.subject.width(seat.diagram, seat.width) * seat.scale
    assert isinstance(seat.subject, ScenesSubject)
    assert shown > 0.84 * seat.width or seat.subject._scale(shown) > 0.5
    assert figures.unnamed == []
    runs: list[list[str]] = []
    for block in in_order:
        numbers = [note.number for note in block.diagram.notes]
        if runs and numbers and int(numbers[0]) == len(runs[-1]) + 1:
            runs[-1] += numbers
        else:
            runs.append(numbers)
        if block is seat:
            found = runs[-1]
    assert len(found) >= 5
    assert found == [str(number + 1) for number in range(len(found))]


LINE_OF_TEXT = "The deck is shuffled and each of you gets a hand of cards that nobody may see. " * 4


def test_pages_are_of_about_the_same_depth(make: Make) -> None:
    """Five pages and a half of text would leave one half empty; a book of eight has room for five."""
    made = make("# T\n\n## One\n\n" + f"{LINE_OF_TEXT}\n\n" * 26)
    area = text_area(A5, 3)
    fills = [max(end for _, end in spans(page, area)) - area.y for page in made.pages[2:-1]]
    assert len(made.pages) == 8
    assert max(fills) - min(fills) < 0.1 * area.height


@pytest.mark.parametrize(("width", "shown"), [("30mm", 30), ("about 30mm", 42)])
def test_only_a_picture_of_about_a_width_grows(make: Make, width: str, shown: float) -> None:
    made = make(f'# T\n\n## One\n\n{LINE_OF_TEXT}\n\n![](card:cards/night-owl "{width}")\n\n{LINE_OF_TEXT}')
    (placed,) = (item for item in made.pages[2].artwork.items if isinstance(item, Placed))
    assert placed.trim.width * placed.matrix.a == pytest.approx(shown)


def test_a_heading_never_ends_a_page(make: Make) -> None:
    chapters = [f"### Part\n\n{'Text.' + chr(10) * 2}" * 5 + "Text.\n\n" * count for count in range(8, 24)]
    made = make("# T\n\n## One\n\n" + "".join(chapters))
    ends = [texts(page)[-2] for page in made.pages[2:-1] if len(texts(page)) > 2]
    assert len(ends) > 5
    assert set(ends) == {"Text."}


def test_columns_are_of_about_the_same_height_and_read_down(make: Make) -> None:
    words = [f"Word{number}" for number in range(20)]
    made = make("# T\n\n## One\n\n:::columns\n" + "\n\n".join(words) + "\n:::\n")
    lines = [line for line in texts(made.pages[2]) if line.startswith("Word")]
    assert lines == [f"Word{number}Word{number + 10}" for number in range(10)]


def test_a_glossary_is_sorted_by_its_words(make: Make) -> None:
    made = make("# T\n\n## One\n\n:::glossary\n- **Zoo**: c\n- **Émile**: b\n- **apple**: a\n:::\n")
    text = "".join(texts(made.pages[2]))
    assert sorted(("apple", "Émile", "Zoo"), key=text.index) == ["apple", "Zoo", "Émile"]


def test_a_sidebar_is_beside_its_text(make: Make) -> None:
    made = make("# T\n\n## One\n\n:::sidebar\nMain text.\n\n> [!Tip]\n> Aside.\n:::\n")
    found = {
        run.text: item.matrix.e + run.x
        for item in made.pages[2].artwork.items
        if isinstance(item, SetText)
        for run in item.runs
        if isinstance(run, TextRun)
    }
    assert found["Aside."] > found["Main text."] + 60


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::columns wide\nText.\n:::", "'wide' is not an option of ':::columns'"),
        (":::columns\n## Two\n:::", "':::columns' can't contain a heading, page break or columns"),
        (":::columns\n:::", "':::columns' needs text"),
        (":::glossary\nText.\n:::", "':::glossary' needs only a list, such as: - **Word**: what it means"),
        (":::sidebar\nText.\n:::", "':::sidebar' needs text, and a call-out for the side"),
    ],
)
def test_a_wrong_section_is_reported(make: Make, text: str, message: str) -> None:
    assert message in [said for _, _, said in make(f"# T\n\n## One\n\n{text}\n").said]


def test_pictures_fill_opener_back_and_the_foot_of_pages(make: Make) -> None:
    look = (
        "opener: {card: cards/night-owl}\nback: {card: cards/night-owl}\nspots: [{card: cards/night-owl}]"
    )
    made = make(f"# T\n\nLead.\n\n## One\n\n{LINE_OF_TEXT * 30}", look)
    shown = [sum(isinstance(item, Placed) for item in page.artwork.items) for page in made.pages]
    assert shown[1] == 1
    assert shown[-1] == 1


def test_a_picture_above_a_chapter_starts_a_page_and_bleeds(make: Make) -> None:
    text = f"# T\n\n## One\n\n{LINE_OF_TEXT}\n\n## Two\n\n{LINE_OF_TEXT * 3}"
    made = make(text, "openers: [{chapter: 2, card: cards/night-owl, focus: 1}]")
    (page,) = (page for page in made.pages if "Two" in [each.title for each in page.headings])
    (placed,) = (item for item in page.artwork.items if isinstance(item, Placed))
    left, top = placed.matrix.apply(placed.trim.x, placed.trim.y)
    right, end = placed.matrix.apply(placed.trim.right, placed.trim.bottom)
    assert (left, top, right) == pytest.approx((0, 0, A5.width))
    assert end > text_area(A5, int(page.number)).y + 20
    assert "One" not in [each.title for each in page.headings]


@pytest.mark.parametrize(("sign", "numbers"), [("1.", 2), ("-", 0)])
def test_a_strip_of_a_bulleted_list_has_no_numbers(make: Make, sign: str, numbers: int) -> None:
    made = make(f"# T\n\n## One\n\n:::strip\n{sign} :sun: **A** b\n{sign} :sun: **C** d\n:::\n")
    items = (item for item in made.pages[2].artwork.items if isinstance(item, SetText))
    runs = [run.text for item in items for run in item.runs if isinstance(run, TextRun)]
    assert len([text for text in runs if text in ("1", "2")]) == numbers


@pytest.mark.parametrize(("panels", "beside"), [(2, True), (3, False)])
def test_icons_are_beside_their_texts_in_rows_of_two(make: Make, panels: int, beside: bool) -> None:
    made = make("# T\n\n## One\n\n:::strip\n" + "- :sun: **Word** b\n" * panels + ":::\n")
    items = [item for item in made.pages[2].artwork.items if isinstance(item, SetText)]
    runs = [(item.matrix.e + run.x, item.matrix.f + run.y, run) for item in items for run in item.runs]
    icon = next((x, y) for x, y, run in runs if not isinstance(run, TextRun))
    word = next((x, y) for x, y, run in runs if isinstance(run, TextRun) and run.text.startswith("Word"))
    assert (word[0] > icon[0] + 8) == beside


def test_an_unknown_chapter_of_a_picture_is_reported(make: Make) -> None:
    wrong = make("# T\n\n## One\n\nText.", "openers: [{chapter: 2, card: cards/night-owl}]")
    assert "the book has 1 chapter, no chapter 2" in [said for _, _, said in wrong.said]


def test_a_reference_is_on_the_back(make: Make) -> None:
    made = make("# T\n\n## One\n\nText.\n\n:::back\n**In brief**\n\n| | |\n|--|--|\n| a | b |\n:::\n")
    assert texts(made.pages[-1])[:2] == ["In brief", "ab"]
    assert "In brief" not in [text for page in made.pages[:-1] for text in texts(page)]


def test_a_reference_higher_than_the_back_is_reported(make: Make) -> None:
    made = make("# T\n\n## One\n\nText.\n\n:::back\n" + "Text.\n\n" * 60 + ":::\n")
    assert ("book/room", 8, "the text for the back is higher than a page") in made.said


def test_an_icon_before_a_chapter_is_its_ornament(make: Make) -> None:
    made = make("# T\n\n## :sun: One\n\nSee [it](#one).", "ornament: moon")
    assert [each.title for each in made.pages[2].headings] == ["One"]
    items = [item for item in made.pages[2].artwork.items if isinstance(item, SetText)]
    assert {run.icon for item in items for run in item.runs if not isinstance(run, TextRun)} == {"sun"}


def test_an_unknown_part_of_a_picture_is_reported(make: Make) -> None:
    wrong = make("# T\n\nLead.", "opener: {card: cards/night-owl, part: tail}")
    assert "no object on the card 'cards/night-owl' is called 'tail'" in [said for _, _, said in wrong.said]


def table(games: list[str]) -> str:
    """The figures of the books of these games, or of all."""
    lines = ["book               pages  least fill     highest hole    blank  stubs  repeated pictures"]
    for each in BOOKS:
        if not games or each[0] in games:
            got = measure(*each)
            low = min(got.fills, key=lambda page: got.fills[page])
            hole = max(got.holes, key=lambda page: got.holes[page])
            lines.append(
                f"{' '.join(filter(None, each)):18} {got.pages:5}  {got.fills[low]:6.0%} (p. {low:>2}) "
                f"{got.holes[hole]:6.1f} mm (p. {hole:>2}) {len(got.empty):6} "
                f"{len(got.stubs):6} {len(got.repeated):18}"
            )
            lines += [f"    {share:.0%} {text}" for share, text in sorted(got.stubs)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table(sys.argv[1:]) + "\n")
