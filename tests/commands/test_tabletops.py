"""What tables on screens are told: names, notes and tags, places, and snap points that are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.production.books import tabletop_of
from cardgen.core.findings import Findings
from cardgen.core.table import Tabletop, Words
from tests.wording import Wording

Edit = Callable[[str, str, str], Path]
TABLE = "data/demo/table.yaml"
FACE = "templates/demo/card.svg"
ITEMS = """\
size: [1000mm, 600mm]
seats: [{color: White, at: [0mm, 400mm], turn: 0}]
items:
  - {piece: cards/full-moon, at: [0mm, 0mm]}
  - {piece: cards/night-owl, on: {piece: cards/full-moon, snap: corner}}
  - {piece: cards/gardener, on: {piece: cards/full-moon, snap: corner}}
"""


def tabletop(demo: Path, table: str | None = None) -> tuple[Tabletop, Findings]:
    if table is not None:
        (demo / TABLE).write_text(table, encoding="utf-8")
        manifest = demo / "data/demo/game.yaml"
        alone = manifest.read_text(encoding="utf-8").replace("{min: 2, max: 4}", "{min: 1, max: 1}")
        manifest.write_text(alone, encoding="utf-8")
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert [str(each) for each in game.table_problems] == []
    findings = Findings()
    return tabletop_of(game, game.components, findings), findings


def test_a_game_without_a_table_gets_one_and_a_note(demo: Path, wording: Wording) -> None:
    found, findings = tabletop(demo)
    (note,) = findings
    assert (note.code, str(note.severity)) == ("table/made-up", "note")
    wording(note)
    assert note.location is not None
    assert note.location.file == "data/demo/game.yaml"
    (deck,) = found.table.items
    assert (deck.kind, deck.total) == ("deck", 9)
    assert found.words["cards", "night-owl"] == Words("Night Owl", "", ("Cards",), "cards/night-owl")


def test_what_the_made_up_table_has_no_room_for_is_a_warning(demo: Path, edit: Edit) -> None:
    boards = "".join(
        f"  mat-{n}: {{title: Mat, kind: mat, trim: [2000mm, 700mm], data: mat-{n}.yaml,"
        " schema: mats.schema.json, face: back.svg}\n"
        for n in range(3)
    )
    sheet = "  mats: {layout: single, components: [mat-0, mat-1, mat-2]}\n"
    edit("data/demo/game.yaml", "\nsheets:\n", f"{boards}\nsheets:\n{sheet}")
    for n in range(3):
        (demo / f"data/demo/mat-{n}.yaml").write_text(f"mat-{n}: [{{id: m}}]\n", encoding="utf-8")
    schema = '{"additionalProperties": {"items": {"$ref": "../card.schema.json"}}}'
    (demo / "schemas/demo/mats.schema.json").write_text(schema, encoding="utf-8")
    _, findings = tabletop(demo)
    assert [(each.code, each.message) for each in findings][1:] == [
        ("table/unused", "the table has no room for cards, mat-0, mat-2")
    ]


def test_words_are_filled_in_for_each_card(demo: Path) -> None:
    words = """\
size: [1000mm, 600mm]
seats: [{color: White, at: [0mm, 400mm], turn: 0}]
setup: "  Deal {{ components.cards.copies }} cards. "
items: [{deck: cards, at: [0mm, 0mm]}]
tts:
  all:
    nickname: '{{ card.title|upper }}'
    description: ' {{ card.suit }} {{ copies }} '
    tags: ['{{ card.suit }}', '{{ component.title }}', '', '{{ card.suit|lower }}']
    gm_notes: '{{ number }}'
"""
    found, findings = tabletop(demo, words)
    assert list(findings) == []
    assert found.setup == "Deal 9 cards."
    assert found.words["cards", "night-owl"] == Words("NIGHT OWL", "moon 2", ("moon", "Cards"), "2")


@pytest.mark.parametrize(
    ("marks", "hint"),
    [
        ("", 'mark one in its template: cg:snap="NAME"'),
        ("corn", "did you mean 'corn'?"),
        ("middle", "use one of: middle"),
    ],
)
def test_a_snap_point_that_is_not_there_is_said_at_each_thing(
    demo: Path, edit: Edit, marks: str, hint: str, wording: Wording
) -> None:
    point = f'<circle cg:snap="{marks}" cx="9" cy="9" r="1"/>' if marks else ""
    edit(FACE, "</svg>", f"{point}</svg>")
    _, findings = tabletop(demo, ITEMS)
    found: list[Any] = [(each.code, each.location and each.location.line, each.hint) for each in findings]
    assert found == [("reference/snap", 5, hint), ("reference/snap", 6, hint)]
    wording(findings.items[0], "cards/full-moon", "corner")


def test_a_wrong_snap_point_is_not_a_missing_one_too(demo: Path, edit: Edit) -> None:
    edit(FACE, "</svg>", '<circle cg:snap="corner" cx="-9" cy="9" r="1"/></svg>')
    _, findings = tabletop(demo, ITEMS)
    assert {each.code for each in findings} == {"snap/outside"}
