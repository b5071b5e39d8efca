"""Lines inside pieces, as a component's entry states them."""

from __future__ import annotations

from typing import Any

from cardgen.core.findings import Findings
from cardgen.core.game import Card
from cardgen.core.geometry import Size
from cardgen.files.yaml import Document
from cardgen.game.line_entries import lines_of
from cardgen.game.sources import Subject
from tests.for_each import for_each
from tests.sheets.decks import Deck

BOARD = Size(400, 200)


def read(stated: Any, *trims: Size) -> tuple[list[tuple[str, tuple[Any, Any]]], list[str]]:
    """The lines on the first card, and the codes of the findings."""
    findings = Findings()
    document = Document("data/g/game.yaml", {"lines": stated}, "")
    cards: list[Card] = [Deck("a", trim).component().cards[0] for trim in trims or (BOARD,)]
    lines = lines_of(Subject(document, findings, ("lines",)), stated, cards)
    return [(line.tool, line.on(cards[0].trim)) for line in lines], [each.code for each in findings]


@for_each(
    ("stated", "lines"),
    [
        ("half-fold", [("crease", ((200, 0), (200, 200)))]),
        (
            "quad-fold",
            [
                ("crease", ((0, 100), (400, 100))),
                ("crease", ((200, 100), (200, 200))),
                ("cut", ((200, 0), (200, 100))),
            ],
        ),
        ([{"tool": "half-cut", "y": "25%"}], [("half-cut", ((0, 50), (400, 50)))]),
        (
            [{"tool": "perforation", "x": "3cm", "from": "10mm", "to": "50%"}],
            [("perforation", ((30, 10), (30, 100)))],
        ),
    ],
)
def test_lines_are_in_mm_or_shares_of_the_trim(stated: Any, lines: Any) -> None:
    assert read(stated) == (lines, [])


def test_half_a_fold_is_across_the_longer_side() -> None:
    assert read("half-fold", BOARD.turned) == ([("crease", ((0, 200), (200, 200)))], [])


@for_each(
    ("entry", "codes"),
    [
        ({"tool": "cut"}, ["component/lines"]),
        ({"tool": "cut", "x": "5mm", "y": "5mm"}, ["component/lines"]),
        ({"tool": "cut", "x": "400mm"}, ["component/lines"]),
        ({"tool": "cut", "x": "0mm"}, ["component/lines"]),
        ({"tool": "cut", "y": "50%", "from": "60%", "to": "60%"}, ["component/lines"]),
        ({"tool": "cut", "y": "50%", "to": "100.5%"}, ["component/lines"]),
        ({"tool": "cut", "y": "9999mm"}, ["schema/length"]),
    ],
)
def test_lines_outside_the_piece_are_errors(entry: dict[str, str], codes: list[str]) -> None:
    assert read([entry]) == ([], codes)


def test_every_card_must_have_room_for_a_line() -> None:
    assert read([{"tool": "cut", "x": "300mm"}], BOARD, Size(200, 200)) == ([], ["component/lines"])
