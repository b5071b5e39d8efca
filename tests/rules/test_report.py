"""The formats: complete, self-contained, the same bytes every time."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pytest

from cardgen.core.findings import Finding, Location, Severity, UsageError
from cardgen.core.game import DeckEntry, DeckList, DeckSource, Game
from cardgen.rules.charts import CAP, HATCH, Chart, ems, histogram_chart, matrix_charts
from cardgen.rules.report_content import (
    MOST_ROWS,
    THIRD,
    Report,
    View,
    card_list,
    deck_cards,
    deck_verdict,
    found,
    measure_rows,
    report_view,
    shortened_table,
    whole_columns,
)
from cardgen.rules.report_fields import crossed, fields_of
from cardgen.rules.reports import FORMATS, report
from cardgen.rules.results import Histogram, Matrix, Measure, RuleResult, Table, Verdict, number
from tests.for_each import for_each
from tests.pdf_grammar import judge
from tests.rules.samples import FACES, RESULTS, SUITS, component, game, result
from tests.wording import Wording

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def page() -> str:
    return report(SUITS, RESULTS, "html", FACES).decode("utf-8")


@pytest.fixture(scope="module")
def book() -> bytes:
    return report(SUITS, RESULTS, "pdf", FACES)


@pytest.fixture(scope="module")
def book_text(book: bytes) -> str:
    return pdf_text(book)


def marks(chart: Chart, name: str) -> list[ElementTree.Element]:
    """The elements of a chart that are called so, as it is drawn."""
    return ElementTree.fromstring(chart.svg()).findall(f"{SVG}{name}")


def figures(mark: ElementTree.Element, *names: str) -> list[float]:
    return [float(mark.attrib[name]) for name in names]


def pdf_text(content: bytes) -> str:
    with pypdfium2.PdfDocument(content) as document:
        return "\n".join(sheet.get_textpage().get_text_range() for sheet in document)


def words(page: str) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<style.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page, flags=re.DOTALL).split())


@for_each("format", FORMATS)
def test_the_same_input_gives_the_same_bytes(format: str) -> None:
    assert report(SUITS, RESULTS, format, FACES) == report(SUITS, RESULTS, format, FACES)


def test_the_book_is_a_pdf_by_every_rule(book: bytes) -> None:
    assert judge(book).faults == ()


def test_json_is_a_contract() -> None:
    content = json.loads(report(SUITS, RESULTS, "json", FACES))
    assert {key: content[key] for key in ("game", "version")} == {
        "game": "night-market",
        "version": "1.2.0",
    }
    assert [(rule["id"], rule["verdict"]) for rule in content["rules"]] == [
        ("deck-size", "pass"),
        ("suits", "fail"),
        ("opening", "report"),
        ("search", "undecided"),
        ("misspelt", "broken"),
    ]
    assert content["rules"][0]["measures"] == [{"name": "cards", "value": 4, "unit": "cards"}]
    (finding,) = content["rules"][1]["findings"]
    assert (finding["file"], finding["line"], finding["path"]) == (
        "data/night-market/cards.yaml",
        7,
        "cards[1].suit",
    )
    (cards,) = content["components"]
    assert (cards["distinct"], cards["copies"]) == (3, 4)
    assert cards["cards"][1] == {
        "id": "card-1",
        "copies": 1,
        "file": "data/demo/cards.yaml",
        "fields": {"title": "Bread", "suit": "moon", "value": 2, "tags": ["cheap"]},
    }


def test_json_has_bounds_and_no_word_that_json_lacks() -> None:
    held = result("r", Verdict.PASS, (Measure("cards", 4, bounds=(("min", 2), ("max", 4))),))
    odd = game(component([{"value": float("inf"), "day": date(2026, 1, 2)}]))
    content = json.loads(report(odd, (held,), "json", FACES))
    assert content["rules"][0]["measures"][0]["bounds"] == {"min": 2, "max": 4}
    assert content["components"][0]["cards"][0]["fields"] == {"value": "inf", "day": "2026-01-02"}


def test_measures_with_bounds_are_rows_that_say_what_they_should_be() -> None:
    chances = [
        Measure(name, share, "", f"{share * 100:g} %", bounds=(("min", 0.25),))
        for name, share in (("sun", 0.5), ("moon", 0.2))
    ]
    assert measure_rows(chances) == Table(
        "",
        ("of", "found", "should be"),
        (("sun", "50 %", "at least 25 %"), ("moon", "20 %", "at least 25 %")),
    )
    assert measure_rows(chances[:1]) is None
    text = words(report(SUITS, (result("r", Verdict.FAIL, tuple(chances)),), "html", FACES).decode())
    assert "moon 20 % at least 25 %" in text
    one = report(SUITS, (result("r", Verdict.FAIL, tuple(chances[:1])),), "html", FACES).decode()
    assert "50 % should be at least 25 %" in words(one)


def test_measures_that_are_cells_of_a_matrix_are_not_listed_again() -> None:
    measures = tuple(Measure(f"cell {n}", n, bounds=(("max", 9),)) for n in range(4))
    matrix = Matrix("by two", ("a", "b"), ("x", "y"), ((0, 1), (2, 3)))
    made = (result("r", Verdict.FAIL, measures, matrices=(matrix,)),)
    text = words(report(SUITS, made, "html", FACES).decode())
    assert "Each should be at most 9." in text
    assert "cell 1" not in text


def test_a_page_needs_nothing_else(page: str) -> None:
    addresses = re.findall(r'\b(?:src|href)="([^"]*)"|url\(([^)]*)\)', page)
    assert len(addresses) > 5
    outside = [a or b for a, b in addresses if not (a or b).strip("'\"").startswith(("#", "data:"))]
    assert outside == []
    assert "<script" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_ids_are_unique_and_links_lead_somewhere(page: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    targets = re.findall(r'(?:href="#|url\(#)([^")]+)', page)
    assert targets
    assert set(targets) <= set(ids)


def test_charts_are_svg_that_says_what_it_shows(page: str) -> None:
    drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    # One rule's chart (the other's is that of suit), and copies, suit, value, tags.
    assert len(drawn) == 5
    for text in drawn:
        assert ElementTree.fromstring(text).tag == f"{SVG}svg"
    labels = [ElementTree.fromstring(text).get("aria-label") for text in drawn]
    assert "demanded: sun 1, star 1; supplied: sun 3" in labels
    assert "sun: 3; moon: 1" in labels


def test_what_a_game_says_is_never_markup(page: str) -> None:
    assert "Stalls &amp; &lt;b&gt;bargains&lt;/b&gt;." in page
    assert "$x_1$ &lt;i&gt;are&lt;/i&gt;" in page


EVERYTHING = [
    "Night Market",
    "5 rules: 1 passed, 1 failed, 1 reported, 1 undecided, 1 broken.",
    "Is deck-size so?",
    "4 cards",
    "data/night-market/cards.yaml:7:5: cards[1].suit",
    "add a card of that suit",
    "0.25 = 1/4",
    "0.5 (between 0.4 and 0.6)",
    "demand and supply",
    "cards by suit: see the chart of suit, under Cards",
    "1 to 4, mean 2",
    "1 without",
    "Apple",
    "cheap, fruit",
    "note (prose)",
]


@pytest.mark.parametrize("text", EVERYTHING)
def test_everything_is_on_the_page(page: str, text: str) -> None:
    assert text in words(page).replace(" )", ")")


@for_each("text", EVERYTHING)
def test_everything_is_in_the_pdf(book_text: str, text: str) -> None:
    assert text in " ".join(book_text.split())


def test_the_pdf_embeds_every_font_and_has_no_pixels(book: bytes, book_text: str) -> None:
    with pikepdf.open(io.BytesIO(book)) as document:
        things = [
            thing for thing in document.objects if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream)
        ]
        fonts = [thing for thing in things if thing.get("/Type") == "/FontDescriptor"]
        assert len(fonts) == 5
        assert all("IBMPlex" in str(font.FontName) for font in fonts)
        assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)
        assert not any(thing.get("/Subtype") == "/Image" for thing in things)
        names = [entry.title for entry in document.open_outline().root]
    assert names == ["Needs attention", "Passed rules", "Reported figures", "Components", "Cards"]
    assert "demanded" in book_text  # of a chart


def test_a_game_without_rules_or_names(page: str) -> None:
    bare = game(component([{"value": 1}, {"value": 1}]))
    text = words(report(bare, (), "html", FACES).decode("utf-8"))
    assert "This game has no rules." in text
    assert "card-1" in text
    assert report(bare, (), "pdf", FACES).startswith(b"%PDF")


def test_characters_that_no_font_has_are_named_in_the_pdf() -> None:
    odd = game(component([{"title": "夜市", "suit": "夜"}, {"title": "b", "suit": "夜"}]), title="夜")
    text = pdf_text(report(odd, (), "pdf", FACES))
    assert "<U+591C><U+5E02>" in text
    assert "夜市" in report(odd, (), "html", FACES).decode("utf-8")


def test_greek_letters_of_figures_are_their_signs_in_the_pdf() -> None:
    measure = Measure("nearest", 9.0, "", "9 ΔE2000, 3 μm, 5 Ω")
    rule = result("seen", Verdict.PASS, (measure,))
    text = pdf_text(report(SUITS, (rule,), "pdf", FACES))
    assert "<U+" not in text
    assert "E2000, 3 \u00b5m" in text


def test_the_deck_list_is_whole_and_a_rules_table_is_not() -> None:
    many = component([{"title": f"Card {number}"} for number in range(MOST_ROWS + 50)])
    deck = card_list(many, fields_of(many))
    assert len(deck.rows) == MOST_ROWS + 50
    short = shortened_table(
        Table("t", ("a", "b"), tuple((number, number) for number in range(MOST_ROWS + 5)))
    )
    assert len(short.rows) == MOST_ROWS + 1
    assert short.rows[-1] == ("and 5 more rows", None)


def test_a_wide_and_tall_matrix_is_drawn_in_parts() -> None:
    wide, tall = 39, 69
    names = tuple(f"name {number}" for number in range(tall))
    values = tuple(tuple(float(row == column) for column in range(wide)) for row in range(tall))
    charts = matrix_charts(Matrix("m", names, names[:wide], values), 174.0, FACES)
    assert len(charts) == 6  # 38 columns and 34 rows at most
    assert all(chart.width <= 174.0 and chart.height < 200 for chart in charts)
    assert sum(chart.words.count(" 1") for chart in charts) >= wide


def is_hatched(chart: Chart) -> bool:
    return HATCH in chart.svg()


def test_nothing_supplied_is_hatched_where_it_is_the_exception() -> None:
    holes = Matrix("m", ("a",), ("x", "y", "z"), ((2, 0, 3),))
    mostly = Matrix("m", ("a",), ("x", "y", "z"), ((0, 0, 3),))
    below = Matrix("m", ("a",), ("x", "y", "z"), ((2, 0, -3),))
    charts = [matrix_charts(one, 84.0, FACES)[0] for one in (holes, mostly, below)]
    assert list(map(is_hatched, charts)) == [True, False, False]


def test_the_two_kinds_of_histogram_differ_without_color() -> None:
    numbers = histogram_chart(Histogram("n", (("1", 2.0), ("2", 1.0)), True), 84.0, FACES)
    categories = histogram_chart(Histogram("n", (("a", 2.0), ("b", 1.0)), False), 84.0, FACES)
    assert not is_hatched(numbers)
    assert is_hatched(categories)


def test_hatching_stays_within_its_box() -> None:
    chart = Chart(30, 20, "")
    chart.hatch(3, 4, 12, 5)
    (path,) = marks(chart, "path")
    lines = re.findall(r"M(\S+) (\S+)l(\S+) (\S+?)(?=M|$)", path.attrib["d"])
    assert len(lines) > 8
    for x, y, across, down in (map(float, line) for line in lines):
        assert 3 <= x <= x + across <= 15
        assert 4 <= y <= y + down <= 9


def test_marks_stay_on_their_chart() -> None:
    """Bars, cells and the texts at them lie within the chart, so that nothing is cut off."""
    long = "a name as long as nobody would give a thing of theirs"
    bins = ((long, 3.0), ("b", 12345.0), ("c", 0.0))
    values = ((1.0, 20.0), (0.0, 3.0))
    charts = [
        histogram_chart(Histogram("n", (("1", 2.0), ("2", 1234567.0)), True), 84.0, FACES),
        histogram_chart(Histogram("n", bins, False), 84.0, FACES),
        histogram_chart(Histogram("n", (("1", -2.0), ("2", 1234567.0)), True), 84.0, FACES),
        histogram_chart(Histogram("n", (*bins, ("d", -2345.0)), False), 84.0, FACES),
        *matrix_charts(Matrix("m", (long, "b"), (long, "y"), values), 84.0, FACES),
    ]
    for chart in charts:
        areas = []
        for mark in marks(chart, "rect"):
            x, y, width, height = figures(mark, "x", "y", "width", "height")
            areas.append((x, y, x + width, y + height))
        for mark in marks(chart, "text"):
            x, y, size = figures(mark, "x", "y", "font-size")
            wide = (
                ems(mark.text or "", FACES.narrow_bold if "font-weight" in mark.attrib else FACES.narrow)
                * size
            )
            high = size * CAP
            if "transform" in mark.attrib:
                areas.append((x - high, y - wide, x, y))
            else:
                left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[mark.attrib["text-anchor"]]
                areas.append((left, y - high, left + wide, y))
        for left, top, right, bottom in areas:
            assert -0.5 <= left <= right <= chart.width + 0.5
            assert -0.5 <= top <= bottom <= chart.height + 0.5


@for_each("numeric", [True, False])
@for_each("values", [(-2.0, 0.0, 4.0), (-3.0, -1.0), (-5.0, 0.0)])
def test_bars_below_nothing_go_the_other_way(values: tuple[float, ...], numeric: bool) -> None:
    bins = tuple((str(place), value) for place, value in enumerate(values))
    chart = histogram_chart(Histogram("n", bins, numeric), 84.0, FACES)
    axis = re.fullmatch(r"M(\S+) (\S+)L(\S+) (\S+)", marks(chart, "path")[-1].attrib["d"])
    assert axis
    zero = float(axis[2] if numeric else axis[1])
    bars = [
        figures(mark, *(("y", "height") if numeric else ("x", "width"))) for mark in marks(chart, "rect")
    ]
    longest = max(length for _, length in bars)
    for value, (start, length) in zip(values, bars, strict=True):
        assert length == pytest.approx(longest * abs(value) / max(map(abs, values)), abs=0.01)
        below = (value < 0) is numeric
        assert (
            (start if below else start + length) == pytest.approx(zero, abs=0.01) or not value or not below
        )
    texts = {mark.text for mark in marks(chart, "text")}
    assert {number(value) for value in values if value} <= texts


def test_a_wide_figure_has_a_wide_cell() -> None:
    values = ((-12.25, 0.0), (3.0, 1234.5))
    (chart,) = matrix_charts(Matrix("m", ("a", "b"), ("x", "y"), values), 84.0, FACES)
    shown = {mark.text for mark in marks(chart, "text") if "font-weight" in mark.attrib}
    assert shown == {"-12.25", "0", "3", "1234.5"}


def test_two_fields_are_crossed() -> None:
    (tables,) = crossed(SUITS, [("suit", "tags"), ("value", "note")]).values()
    suits, notes = (each.matrix for each in tables)
    assert (suits.rows, suits.columns) == (("sun", "moon"), ("cheap", "fruit", "none"))
    assert suits.values == ((2, 2, 1), (1, 0, 0))
    assert notes.rows == ("1", "2", "4")
    text = report(SUITS, RESULTS, "html", FACES, [("suit", "value")]).decode()
    assert "suit (rows) and value (columns): printed cards" in words(text)
    (cards,) = json.loads(report(SUITS, (), "json", FACES, [("suit", "value")]))["components"]
    assert cards["crossed"] == [
        {
            "down": "suit",
            "across": "value",
            "rows": ["sun", "moon"],
            "columns": ["1", "2", "4"],
            "values": [[2, 0, 1], [0, 1, 0]],
        }
    ]
    book = report(SUITS, (), "pdf", FACES, [("suit", "value")])
    assert "suit (rows) and value (columns)" in pdf_text(book)


def test_crossed_fields_with_very_many_values_are_taken_together() -> None:
    cards = [{"value": number * 3, "word": f"w{number % 40}"} for number in range(100)]
    ((table,),) = crossed(game(component(cards)), [("value", "word")]).values()
    matrix = table.matrix
    assert matrix.rows[:2] == ("0–49", "50–99")
    assert matrix.columns[-1] == "17 others"
    assert len(matrix.columns) == 24
    assert sum(map(sum, matrix.values)) == 100


@for_each(
    "pair",
    [
        ("siut", "value"),
        ("suit", "rank"),
    ],
)
def test_a_pair_that_no_component_has_is_misuse(pair: tuple[str, str], wording: Wording) -> None:
    two = game(*SUITS.components, component([{"rank": 1}], id="other"))
    with pytest.raises(UsageError) as error:
        report(two, (), "html", FACES, [pair])
    (finding,) = error.value.findings
    wording(finding)


def test_failed_rules_come_first_and_passed_ones_are_rows(page: str) -> None:
    assert re.findall(r' id="(urgent|passed|reported|rule-[^"]+)"', page) == [
        "urgent",
        "rule-misspelt",
        "rule-suits",
        "rule-search",
        "passed",
        "rule-deck-size",
        "reported",
        "rule-opening",
    ]
    cells = "<td>Is deck-size so?</td><td><code>deck-size</code></td><td>4 cards</td>"
    assert f'<tr id="rule-deck-size">{cells}</tr>' in page


def test_few_measures_of_a_passed_rule_are_listed_and_many_counted() -> None:
    def told(*bounds: tuple[tuple[str, float], ...]) -> str:
        measures = tuple(
            Measure(f"m{number}", 4, "cards", bounds=held) for number, held in enumerate(bounds)
        )
        return found(result("r", Verdict.PASS, measures))

    least = (("min", 2.0),)
    assert told() == ""
    assert told(least) == "4 cards (should be at least 2)"
    assert told((), least) == "m0 4 cards; m1 4 cards (should be at least 2)"
    assert told((), (), ()) == "3 figures"
    assert told(least, least, least) == "3 figures, each should be at least 2"
    assert told(least, least, ()) == "3 figures"


def test_charts_of_passed_rules_share_rows() -> None:
    """Narrow charts, the tallest first, are side by side in the PDF."""
    bars = [
        Histogram(f"rent {n}", tuple((f"p{bar}", bar + 1.0) for bar in range(n)), False) for n in (3, 5, 4)
    ]
    matrix = Matrix("small", ("a",), ("x", "y"), ((0, 1),))
    passed = result("r", Verdict.PASS, histograms=tuple(bars), matrices=(matrix,))
    view = report_view(Report(SUITS, (passed,), {}, None, {}, None), FACES)
    assert [chart["caption"] for chart in view["charts"][:2]] == ["rent 5", "rent 4"]
    assert {chart["name"] for chart in view["charts"]} == {"r"}
    assert {chart["width"] for chart in view["charts"]} == {THIRD}
    with pypdfium2.PdfDocument(report(SUITS, (passed,), "pdf", FACES)) as document:
        text = document[0].get_textpage()
        boxes = [text.get_charbox(text.search(f"rent {n}").get_next()[0]) for n in (5, 4)]
    (lefts, _, _, tops) = zip(*boxes, strict=True)
    assert len({round(top, 1) for top in tops}) == 1
    assert list(lefts) == sorted(set(lefts))


def rules_of(*results: RuleResult) -> list[View]:
    """The rules as a report shows them."""
    rules: list[View] = report_view(Report(SUITS, results, {}, None, {}, None), FACES)["reported"]
    return rules


def test_a_chart_is_drawn_once() -> None:
    def shown(*histograms: Histogram) -> list[tuple[int, list[str]]]:
        results = [
            result(f"rule-{number}", Verdict.REPORT, histograms=(one,))
            for number, one in enumerate(histograms)
        ]
        return [
            (len(rule["charts"]), [place["anchor"] for place in rule["elsewhere"]])
            for rule in rules_of(*results)
        ]

    suits = (("moon", 1.0), ("sun", 3.0))
    assert shown(Histogram("copies by suit", suits, False)) == [(0, ["chart-cards-2"])]
    # Another figure, or a bar more (a group without a card), is another chart.
    assert shown(Histogram("rent", suits, False)) == [(1, [])]
    assert shown(Histogram("copies by suit", (*suits, ("star", 0.0)), False)) == [(1, [])]
    other = Histogram("rent", (("1", 2.0), ("2", 5.0)), True)
    assert shown(other, other) == [(1, []), (0, ["rule-rule-0"])]
    assert shown(Histogram("rent", (("1", 2.0),), True)) == [(0, [])]


def test_a_table_that_repeats_a_chart_is_left_out() -> None:
    bins, rows = (("a", 1.0), ("b", 2.0)), (("a", 1), ("b", 2))
    tables = (Table("rent by part", ("part", "rent"), rows), Table("another", ("part", "rent"), rows))
    histograms = (Histogram("rent by part", bins, False),)
    (rule,) = rules_of(result("r", Verdict.REPORT, histograms=histograms, tables=tables))
    assert [table["title"] for table in rule["tables"]] == ["another"]


def test_backquotes_are_code_and_one_is_not_many() -> None:
    wrong = Finding(Severity.ERROR, "rule/x", "`a < b` does not hold", None, "write `b > a`")
    made = result("x", Verdict.FAIL, (Measure("size", 1, "copies"),), (wrong,))
    page = report(SUITS, [made], "html", FACES).decode("utf-8")
    assert "<code>a &lt; b</code> does not hold" in page
    assert "write <code>b &gt; a</code>" in page
    assert "<dd>1 copy</dd>" in page
    text = " ".join(pdf_text(report(SUITS, [made], "pdf", FACES)).split())
    assert "a < b does not hold write b > a" in text
    assert "1 copy" in text


def test_no_word_breaks_while_there_is_room() -> None:
    ids = ("bank-error-in-your-favor", "mothers-maiden-name")
    prose = "words that go on and on until the column is far too wide for the page they stand on"
    table = Table(
        "t",
        ("card", "id", "symbols", *"abc"),
        tuple((prose, id, "scissors, key", *[prose] * 3) for id in ids),
    )
    assert whole_columns(table) == [False, True, True, False, False, False]
    made = result("r", Verdict.REPORT, tables=(table,))
    lines = pdf_text(report(SUITS, (made,), "pdf", FACES)).split("\r\n")
    for text in (*ids, "scissors, key"):
        assert any(text in line for line in lines)


def test_a_rule_stays_with_its_chart() -> None:
    """However far down a page a rule begins, no page begins with the chart or the last line of it."""
    bins = tuple((f"part {bar}", bar + 1.0) for bar in range(6))
    made = [
        result(
            f"rule-{number}",
            Verdict.REPORT,
            (Measure("size", number, "copies"),),
            histograms=(Histogram(f"rent {number}", bins, False),),
        )
        for number in range(12)
    ]
    content = report(game(component([{"title": "Lone"}])), made, "pdf", FACES)
    with pypdfium2.PdfDocument(content) as document:
        pages = [sheet.get_textpage().get_text_range() for sheet in document]
    heads = [re.findall(r"Is rule-(\d+) so", page) for page in pages[1:]]  # the first has the overview
    assert len(heads) > 2
    for page, numbers in zip(pages[1:], heads, strict=True):
        assert re.findall(r"rent (\d+)", page) == numbers
        assert re.sub(r"\s", "", page).count("part5") == len(numbers)


def test_two_rules_of_one_id_are_both_shown() -> None:
    twice = (result("same", Verdict.PASS), result("same", Verdict.BROKEN))
    page = report(SUITS, twice, "html", FACES).decode("utf-8")
    assert page.count('id="rule-same"') == 1
    assert pdf_text(report(SUITS, twice, "pdf", FACES)).count("Is same so?") == 2


# -- deck lists --------------------------------------------------------------------------------------


def of_deck(verdict: Verdict, deck: str, severity: Severity = Severity.ERROR) -> RuleResult:
    judged = result("deck-size", verdict)
    return replace(judged, rule=replace(judged.rule, deck=deck, deck_title=deck.title(), severity=severity))


def duel() -> Game:
    """A pool of three cards, and lists that are wrong, only warned of, and not judged at all."""
    here = Location("a.yaml")
    entries = (DeckEntry("card-0", 2, here), DeckEntry("card-1", 1, here))
    decks = tuple(
        DeckList(id, id.title(), "", description, "cards", entries, "a.yaml", here, True)
        for id, description in (("wrong", "Fast & loose."), ("mild", ""), ("alone", ""))
    )
    return replace(SUITS, decks=decks, deck_source=DeckSource("cards", "title", "decks"))


DUEL_RESULTS = (
    of_deck(Verdict.PASS, "wrong"),
    of_deck(Verdict.FAIL, "wrong"),
    of_deck(Verdict.PASS, "mild"),
    of_deck(Verdict.FAIL, "mild", Severity.WARNING),
)


def test_a_deck_list_is_as_good_as_its_worst_rule() -> None:
    decks = duel().decks
    assert [deck_verdict(deck, DUEL_RESULTS) for deck in decks] == [
        (Verdict.FAIL, "3 cards, 2 distinct; 2 rules: 1 passed, 1 failed."),
        (Verdict.PASS, "3 cards, 2 distinct; 2 rules: 1 passed, 1 warning."),
        (Verdict.PASS, "3 cards, 2 distinct, judged by no rule."),
    ]
    assert deck_cards(duel(), decks[0]).rows == (("Apple", "card-0", 2), ("Bread", "card-1", 1))


def test_deck_lists_stand_in_every_format() -> None:
    page = words(report(duel(), DUEL_RESULTS, "html", FACES).decode("utf-8"))
    assert "Fast &amp; loose." in page
    assert "3 cards, 2 distinct, judged by no rule." in page
    content = json.loads(report(duel(), DUEL_RESULTS, "json", FACES))
    assert [(deck["id"], deck["cards"], deck["verdict"]) for deck in content["decks"]] == [
        ("wrong", 3, "fail"),
        ("mild", 3, "pass"),
        ("alone", 3, "pass"),
    ]
    book = report(duel(), DUEL_RESULTS, "pdf", FACES)
    assert judge(book).faults == ()
    text = pdf_text(book)
    assert "Deck lists" in text
    assert "Fast & loose." in text
    assert "judged by no rule" in text
