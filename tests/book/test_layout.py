"""Markdown to pages: what stands where."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from cardgen.book import layout
from cardgen.book.layout import text_area
from cardgen.book.look import LINE, SMALL_SIZE, TEXT_SIZE, TINY_SIZE
from cardgen.core.artwork import IconRun, Picture, Placed, SetText, TextRun
from cardgen.core.book import BookPage
from cardgen.core.geometry import MM_PER_PT, Size
from tests.book.conftest import Made, all_text, texts

Make = Callable[..., Made]
A5 = Size(148, 210)
LOREM = "The deck is shuffled and each of you gets a hand of cards that nobody may see before the end. "


def test_a_short_book(make: Make) -> None:
    made = make("# The Game\n\nA lead.\n\n## First\n\nOne.\n\n## Second\n\n### Part\n\nTwo.")
    assert len(made.pages) == 4
    cover, contents, text, back = map(texts, made.pages)
    assert cover[:2] == ["The Game", "Rules"]
    assert contents[0] == "The Game"  # the running head
    assert "A lead." in contents
    assert [line for line in contents if line[:4] in ("Firs", "Seco", "Part")] == [
        "First3",
        "Second3",
        "Part3",
    ]
    assert contents[-1] == "2"
    assert text == ["First", "First", "One.", "Second", "Part", "Two.", "3"]
    assert back == ["The Game", "A first deck to change into your own.", "Your name · 0.1.0"]


def test_the_outline_has_every_heading(make: Make) -> None:
    made = make("# T\n\n## One\n\nx\n\n### In one\n\nx\n\n---\n\n## Two\n\nx\n\n## One\n\nx")
    entries = [(page.number, h.level, h.title, h.key) for page in made.pages for h in page.headings]
    assert entries == [
        ("1", 0, "T", "title"),
        ("3", 1, "One", "one"),
        ("3", 2, "In one", "in-one"),
        ("4", 1, "Two", "two"),
        ("4", 1, "One", "one-2"),
    ]


def test_figures_come_from_the_data(make: Make) -> None:
    made = make(
        "# {{ game.title }}\n\n## Box\n\n{{ components.cards.copies }} cards, "
        "{{ components.cards.count }} kinds, {{ game.players.min }}–{{ game.players.max }} players.\n\n"
        "{% for card in components.cards.cards.values() if card.value > 3 %}\n"
        "- {{ card.title }}: {{ card.value }}, number {{ card.number }}\n"
        "{% endfor %}\n\n[](card:cards/old-oak) is the best. {{ components.cards.cards['old-oak'].text }}"
    )
    text = all_text(made)
    assert "9 cards, 6 kinds, 2–4 players." in text
    assert "• Full Moon: 4, number 5".replace(" ", "") in text.replace(" ", "")
    assert "Old Oak is the best. This card can’t be taken, turned or swapped." in " ".join(text.split())


def test_a_table_made_by_a_loop_is_one_table(make: Make) -> None:
    made = make(
        "# T\n\n## Cards\n\n| title | value |\n|:--|--:|\n"
        "{% for card in components.cards.cards.values() %}\n"
        "| {{ card.title }} | {{ card.value }} |\n{% endfor %}\n"
    )
    lines = texts(made.pages[2])
    assert lines[2:9] == [
        "titlevalue",
        "Early Bird1",
        "Night Owl1",
        "Gardener2",
        "Long Lunch3",
        "Full Moon4",
        "Old Oak5",
    ]


def test_cards_are_placed_whole_and_within_the_text(make: Make) -> None:
    made = make(
        '# T\n\n## Cards\n\n![Owl](card:cards/night-owl "30mm") ![](card:cards/old-oak#back)\n\n'
        "![](card:cards/gardener) Text beside it.",
        "cover: []",
    )
    page = made.pages[2]
    placed = [item for item in page.artwork.items if isinstance(item, Placed)]
    assert len(placed) == 3
    assert made.book is not None
    keys = list(made.book.rendering.artworks)
    area = text_area(A5, 3)
    for item in placed:
        assert keys.index(item.artwork) < keys.index(page.artwork.key)
        left, top = item.matrix.apply(item.trim.x, item.trim.y)
        right, bottom = item.matrix.apply(item.trim.right, item.trim.bottom)
        assert area.x - 1e-6 <= left < right <= area.right + 1e-6
        assert area.y - 1e-6 <= top < bottom <= area.bottom + 1e-6
        assert (right - left) / (bottom - top) == pytest.approx(63.5 / 88.9)
    first = placed[0]
    assert first.trim.width * first.matrix.scale == pytest.approx(30)
    assert "Owl" in texts(page)
    assert "Text beside it." in texts(page)


@pytest.mark.parametrize(("width", "rows"), [(16, [5]), (30, [3, 2])])
def test_small_cards_stand_in_one_row(make: Make, width: int, rows: list[int]) -> None:
    """As many as fit where all have a width; else four at most."""
    made = make("# T\n\n## S\n\n" + f'![](card:cards/night-owl "{width}mm") ' * 5, "cover: []")
    placed = [item for item in made.pages[2].artwork.items if isinstance(item, Placed)]
    tops = [item.matrix.f for item in placed]
    assert [tops.count(top) for top in dict.fromkeys(tops)] == rows


def test_cards_in_a_call_out_stand_in_its_middle(make: Make) -> None:
    made = make(
        "# T\n\n## Cards\n\n> [!Example]\n> "
        '![Owl](card:cards/night-owl "30mm") ![](card:cards/old-oak "30mm")',
        "cover: []",
    )
    placed = [item for item in made.pages[2].artwork.items if isinstance(item, Placed)]
    ends = [
        item.matrix.apply(edge, item.trim.y)[0]
        for item in placed
        for edge in (item.trim.x, item.trim.right)
    ]
    area = text_area(A5, 3)
    assert len(placed) == 2
    assert area.x < min(ends) < max(ends) < area.right
    assert (min(ends) + max(ends)) / 2 == pytest.approx(area.x + area.width / 2, abs=1)


def test_icons_stand_in_the_text(make: Make) -> None:
    made = make("# T\n\n## I\n\nTake a :star: and a \\:star: now, at 10:30.")
    assert "Take a :star: and a :star: now, at 10:30." in all_text(made)
    assert made.book is not None
    assert made.book.book.icons == {"star"}
    assert set(made.book.rendering.icons) >= {"star"}


def test_icons_of_headings_stand_in_running_heads_and_by_name_in_the_outline(make: Make) -> None:
    made = make('# T\n\n## A ":star:"\n\nx\n\n## :star@1.4#c00 3: all\n\nx')
    assert texts(made.pages[2])[:2] == ['A ":star:"', 'A ":star:"']
    assert [heading.title for heading in made.pages[2].headings] == ['A "star"', "star 3 all"]
    assert [heading.key for heading in made.pages[2].headings] == ["a", "all"]


def test_an_escaped_colon_in_a_callout(make: Make) -> None:
    made = make("# T\n\n## I\n\n> [!Note] Take a \\:star: now.\n")
    assert made.book is not None
    assert made.book.book.icons == set()


def test_bold_type_beside_letters_without_spaces(make: Make) -> None:
    made = make("# T\n\n## I\n\nDo **é：**é.\n")
    assert made.said == [("book/glyph", 5, "the font IBMPlexSans-Bold has no '：'")]


def test_icons_have_sizes_colours_and_figures_in_a_book(make: Make) -> None:
    made = make("# T\n\n## I\n\nTake :star@1.4#c00 12: and\\\n:star 3: now.\n")
    assert made.findings.sorted() == []
    assert made.book is not None
    runs = [run for page in made.book.book.pages for text in page.artwork.texts() for run in text.runs]
    icons = [run for run in runs if isinstance(run, IconRun)]
    assert icons[0].size == pytest.approx(1.4 * icons[1].size)
    assert icons[0].fill == (0.8, 0, 0)
    assert [run.text for run in runs if isinstance(run, TextRun) and run.within == "star"] == ["12", "3"]


def test_a_column_is_as_wide_as_its_icons(make: Make, demo: Path) -> None:
    (demo / "templates/demo/icons/sign.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 12"><path d="M1 1H119V11H1Z"/></svg>'
    )
    words = "many words that go on and on for the whole width of the page and more " * 3
    made = make(f"# T\n\n## I\n\n| a | b |\n|---|---|\n| :sign: | {words} |\n")
    assert made.findings.sorted() == []


def test_links_lead_to_headings_and_addresses(make: Make) -> None:
    made = make(
        "# T\n\n## Goal\n\nSee [the end](#the-end) or [this](https://example.org/).\n\n## The end\n\nx"
    )
    contents, page = made.pages[1], made.pages[2]
    assert [link.target for link in contents.links] == ["#goal", "#the-end"]
    assert [link.target for link in page.links] == ["#the-end", "https://example.org/"]
    for link in page.links:
        assert text_area(A5, 3).contains(link.area, 2)
    inks = {
        run.fill
        for item in page.artwork.items
        if isinstance(item, SetText)
        for run in item.runs
        if isinstance(run, TextRun)
    }
    assert len(inks) == len({tuple(round(channel, 4) for channel in fill) for fill in inks})


@pytest.mark.parametrize("count", range(9))
def test_the_number_of_pages_is_a_multiple_of_four(make: Make, count: int) -> None:
    chapters = "\n\n".join(f"## Chapter {n}\n\nText.\n\n---" for n in range(count))
    made = make(f"# T\n\n{chapters}")
    assert len(made.pages) % 4 == 0
    assert [page.number for page in made.pages] == [str(n) for n in range(1, len(made.pages) + 1)]
    contents = 1 if count else 0
    assert len(made.pages) - (1 + contents + count) in range(1, 5)  # with the back


def test_text_stays_within_its_area_and_no_line_stands_alone(make: Make) -> None:
    paragraphs = "\n\n".join(LOREM * (2 + n % 5) for n in range(60))
    made = make(f"# T\n\n## Long\n\n{paragraphs}")
    assert len(made.pages) >= 8
    ends = [line for line in all_text(made).splitlines() if line.endswith("the end.")]
    assert len(ends) >= 30
    bodies = []
    for number, page in enumerate(made.pages[2:-1], 3):
        area = text_area(A5, number)
        lines: list[float] = []
        for item in page.artwork.items:
            if isinstance(item, SetText) and item.matrix.f:  # all but head and number
                lines += [item.matrix.f + run.y for run in item.runs if isinstance(run, TextRun)]
        if not lines:
            continue  # for notes
        assert area.y <= min(lines)
        assert max(lines) <= area.bottom
        bodies.append(sorted({round(y, 3) for y in lines}))
    leading = 13 * MM_PER_PT
    for body in bodies[1:-1]:
        steps = [second - first for first, second in pairwise(body)]
        assert steps[0] == pytest.approx(leading, abs=0.01), "a line alone at the head of a page"
        assert steps[-1] == pytest.approx(leading, abs=0.01), "a line alone at the foot of a page"


def test_a_heading_never_ends_a_page(make: Make) -> None:
    text = "\n\n".join(f"### Section {n}\n\n{LOREM * (1 + n % 4)}" for n in range(60))
    made = make(f"# T\n\n## Long\n\n{text}")
    for page in made.pages[2:-1]:
        lines = texts(page)
        if len(lines) > 3:
            assert not lines[-2].startswith("Section"), lines[-3:]


def test_a_long_table_goes_on_with_its_head(make: Make) -> None:
    rows = "\n".join(f"| row {n} | {n * n} |" for n in range(60))
    made = make(f"# T\n\n## Table\n\n| name | square |\n|:--|--:|\n{rows}\n")
    pages = [texts(page) for page in made.pages[2:] if any("row" in line for line in texts(page))]
    assert len(pages) >= 2
    assert all("namesquare" in lines for lines in pages)
    found = [line for lines in pages for line in lines if line.startswith("row")]
    assert found == [f"row {n}{n * n}" for n in range(60)]


def test_a_table_is_small_and_its_head_is_bold(make: Make) -> None:
    page = make("# T\n\n## C\n\nText.\n\n| head |\n|:--|\n| cell |\n").pages[2]
    runs = [run for item in page.artwork.items if isinstance(item, SetText) for run in item.runs]
    found = {run.text: run for run in runs if isinstance(run, TextRun)}
    text, head, cell = found["Text."], found["head"], found["cell"]
    assert head.size == cell.size == pytest.approx(SMALL_SIZE)
    assert text.size == pytest.approx(TEXT_SIZE)
    assert head.font != cell.font == text.font


@pytest.mark.parametrize(("most", "said"), [(4, []), (3, ["book/length"])])
def test_a_book_has_at_most_so_many_pages(
    make: Make, monkeypatch: pytest.MonkeyPatch, most: int, said: list[str]
) -> None:
    monkeypatch.setattr(layout, "MOST_PAGES", most)
    made = make("# T\n\n## One\n\nText.\n\n---\n\n## Two\n\nText.")  # title, contents, two chapters
    assert [code for code, *_ in made.said] == said


def test_only_the_text_below_the_head_of_a_chapter_has_an_initial(make: Make) -> None:
    text = "# T\n\n## One\n\nText.\n\nText.\n\n### Part\n\nText.\n\n## Two\n\nText."
    page = make(text, "initial: '#8c1f2b'").pages[2]
    runs = [run for item in page.artwork.items if isinstance(item, SetText) for run in item.runs]
    assert [run.text for run in runs if isinstance(run, TextRun)].count("T") == 2  # of "T" + "ext."


def test_a_long_call_out_is_parted(make: Make) -> None:
    inside = "\n>\n".join(f"> {n}. {LOREM}" for n in range(40))
    made = make(f"# T\n\n## C\n\n> [!Example]\n{inside}\n")
    assert not made.said
    text = all_text(made)
    assert text.count("Example") == 1
    assert text.count("before the end.") + text.count("end.") >= 40


def test_nothing_is_set_smaller_than_it_may_be(make: Make) -> None:
    made = make(
        "# A title that is far too long to be set in one line of large type\n\nLead.\n\n## One\n\n"
        "| a | b |\n|--|--|\n| x | y |\n\n> [!Note]\n> Text.\n\n![Caption](card:cards/night-owl)"
    )
    sizes = [
        run.size
        for page in made.pages
        for item in page.artwork.items
        if isinstance(item, SetText)
        for run in item.runs
    ]
    assert min(sizes) >= TINY_SIZE - 1e-6
    assert pytest.approx(7.5 * MM_PER_PT) == TINY_SIZE


KINDS = (
    *("paragraph", "list", "nested", "table", "callout", "aside"),
    *("heading", "chapter", "card", "beside"),
)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 12))]
)
def test_nothing_is_lost_and_nothing_is_said_twice(make: Make, seed: int) -> None:
    """Blocks of all kinds and lengths, each word of them with a number of its own."""
    chance = random.Random(seed)
    count = 0
    heads: set[int] = set()

    def words(most: int) -> str:
        nonlocal count
        first, count = count, count + chance.randint(1, most)
        return " ".join(f"w{number}w" for number in range(first, count))

    parts = []
    for _ in range(70):
        kind = chance.choice(KINDS)
        if kind == "paragraph":
            parts.append(words(150))
        elif kind == "list":
            parts.append("\n".join(f"- {words(40)}" for _ in range(chance.randint(1, 9))))
        elif kind == "nested":
            parts.append(
                f"1. {words(20)}\n   - {words(30)}\n   - {words(9)}\n\n   {words(30)}\n2. {words(9)}"
            )
        elif kind == "table":
            rows = [f"| {words(3)} | {words(12)} |" for _ in range(chance.randint(2, 30))]
            heads.update(map(int, re.findall(r"w(\d+)w", rows[0])))
            parts.append("\n".join([rows[0], "|--|--|", *rows[1:]]))
        elif kind == "callout":
            parts.append(f"> [!{words(3)}]\n> {words(90)}\n>\n> - {words(30)}\n> - {words(80)}")
        elif kind == "aside":
            parts.append(f"> {words(60)}")
        elif kind == "heading":
            parts.append(f"### {words(4)}")
        elif kind == "chapter":
            parts.append(f"## {words(3)}")
        elif kind == "card":
            parts.append(f"![{words(3)}](card:cards/night-owl) ![{words(3)}](card:cards/old-oak)")
        else:
            parts.append(f"![](card:cards/gardener) {words(30)}")
    made = make("# T\n\n## Start\n\n" + "\n\n".join(parts))
    assert not made.said
    start = next(n for n, page in enumerate(made.pages) if any(h.key == "start" for h in page.headings))
    found: Counter[int] = Counter()
    for number, page in enumerate(made.pages[start:], start + 1):
        area = text_area(A5, number)
        for item in page.artwork.items:
            if isinstance(item, SetText):
                runs = [run for run in item.runs if isinstance(run, TextRun)]
                inside = [run for run in runs if area.y <= item.matrix.f + run.y <= area.bottom]
                found.update(map(int, re.findall(r"w(\d+)w", "".join(run.text for run in inside))))
    assert set(found) == set(range(count))
    assert {number for number, times in found.items() if times > 1} <= heads


def svg_of(made: Made) -> str:
    return "".join(
        item.svg for page in made.pages for item in page.artwork.items if isinstance(item, Picture)
    )


@pytest.mark.parametrize("low_ink", [False, True])
def test_low_ink_is_ink_on_paper(make: Make, low_ink: bool) -> None:
    look = "accent: '#8c1f2b'\ntint: '#fce4e4'\nink: '#101010'\ncover: []"
    svg = svg_of(make("# T\n\n## One\n\n> [!Note]\n> Text.\n", look, low_ink=low_ink))
    assert ("#8c1f2b" in svg, "#fce4e4" in svg, "#101010" in svg) == (not low_ink, not low_ink, low_ink)


def test_an_icon_in_the_label_of_a_call_out(make: Make) -> None:
    assert "Cost 2:star:!" in all_text(make("# T\n\n## One\n\n> [!Cost 2:star:!]\n> Text.\n"))


# ---------------------------------------------------------------------- heads of chapters

TWO_CHAPTERS = f"# T\n\n## One\n\n{LOREM * 3}\n\nMore of it.\n\n## Two\n\n- A list."


@pytest.mark.parametrize(
    ("rule", "pattern", "count"),
    [
        ("bar", r'width="11.000" height="1.000"', 2),
        ("line", r'width="\d+\.\d+" height="0.400"', 2),
        ("double", r'height="0.550"', 2),
        ("dots", r'width="1.000" height="1.000" rx="0.500"', 60),
        ("plate", r'rx="2.200" fill="#ffffff"', 2),
        ("none", r'height="(?:1.000|0.400|0.550)"', 0),
    ],
)
def test_chapters_have_a_rule(make: Make, rule: str, pattern: str, count: int) -> None:
    found = len(re.findall(pattern, drawn_text(make(TWO_CHAPTERS, f"rule: {rule}\ncover: []").pages[2])))
    assert found == count or (rule == "dots" and found > count)


def drawn_text(page: BookPage) -> str:
    return "".join(item.svg for item in page.artwork.items if isinstance(item, Picture))


@pytest.mark.parametrize("low_ink", [False, True])
def test_chapters_have_ornaments_and_initials(make: Make, low_ink: bool) -> None:
    made = make(TWO_CHAPTERS, "ink: '#101010'\nornament: leaf\ninitial: '#8c1f2b'", low_ink=low_ink)
    texts_of = [item for item in made.pages[2].artwork.items if isinstance(item, SetText)]
    runs = [(item, run) for item in texts_of for run in item.runs]
    assert [run.icon for _, run in runs if isinstance(run, IconRun)] == ["leaf", "leaf"]
    assert made.book is not None
    assert made.book.book.icons == {"leaf"}
    inside = [(item.matrix.f + run.y, run) for item, run in runs if isinstance(run, TextRun)]
    large = [(y, run) for y, run in inside if run.text == "T"]
    ((baseline, letter),) = large  # the list that the other chapter begins with has none
    ink = tuple(int(each, 16) / 255 for each in (("10", "10", "10") if low_ink else ("8c", "1f", "2b")))
    assert letter.fill == ink
    rest = sorted(y for y, run in inside if run.size < 4 and baseline - 0.1 <= y < baseline + 14)
    steps = {round(below - above, 3) for above, below in pairwise(sorted(set(rest[:8])))}
    assert rest[0] == pytest.approx(baseline)
    assert steps == {round(LINE, 3)}  # the other lines stay on the grid


def test_an_ornament_is_an_icon(make: Make) -> None:
    made = make(TWO_CHAPTERS, "ornament: leef")
    assert made.book is None
    ((code, _, message),) = made.said
    assert (code, message) == ("book/icon", "there is no icon 'leef'")
    (finding,) = made.findings
    assert finding.location is not None
    assert finding.location.file == "data/demo/game.yaml"
    assert finding.hint == "did you mean 'leaf'?"
