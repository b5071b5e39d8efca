"""What is shown of a card that is in error, and of a game that can't be loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.workbench.bench import Bench
from cardgen.workbench.states import CardState
from tests.workbench.support import WIDTH, at_rest, bench_of, card, finding

pytestmark = pytest.mark.usefixtures("drawn_here")
Edit = Callable[[str, str, str], Path]
CARDS, GAME, FACE = "data/demo/cards.yaml", "data/demo/game.yaml", "templates/demo/card.svg"
SCHEMA = "schemas/demo/cards.schema.json"


def looks(bench: Bench) -> dict[str, tuple[str, str]]:
    return {
        each.id: (each.face.look if each.face else "", each.back.look if each.back else "")
        for each in bench.state.cards
    }


def face_key(shown: CardState) -> str:
    assert shown.face is not None
    return shown.face.key


def test_a_text_that_does_not_fit_is_marked(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = bench.state
    edit(CARDS, "text: This card", "text: " + "Far too many words. " * 60 + "This card")
    change = bench.refresh()
    assert change is not None
    assert [each.id for each in change.cards] == ["old-oak"]
    [shown] = change.cards
    assert shown.face is not None
    assert shown.face.look == "good"
    assert bench.picture(shown.face.key, WIDTH)
    change = bench.idle()
    assert change is not None
    assert [each.id for each in change.cards] == ["old-oak"]
    assert looks(bench)["old-oak"] == ("marked", "good")
    said = finding(bench, "text/overflow")
    assert said.cards == (("cards", "old-oak"),)
    place = said.as_json()
    assert (place["file"], place["path"]) == (CARDS, "cards[5]")
    key = face_key(card(bench, "old-oak"))
    marks = bench.marks(key)
    assert marks is not None
    assert {mark.code for mark in marks} >= {"text/overflow"}
    assert all(mark.x >= 0 and 0 < mark.width < 70 for mark in marks)
    assert bench.marks(face_key(card(bench, "full-moon"))) is None
    edit(CARDS, "Far too many words. " * 60, "")
    bench.refresh()
    at_rest(bench)
    assert bench.state.cards == before.cards
    assert not bench.state.findings


def test_a_record_in_error_is_as_it_was(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = card(bench, "gardener")
    edit(
        CARDS,
        "  - id: gardener\n    title: Gardener\n    suit: leaf",
        "  - id: gardener\n    title: G\n    suit: le",
    )
    change = bench.refresh()
    assert change is not None
    assert not change.gone
    assert not change.whole
    assert not change.broken
    assert [each.id for each in bench.state.cards] == [each.id for each in bench_of(demo).state.cards]
    shown = card(bench, "gardener")
    assert looks(bench)["gardener"] == ("stale", "stale")
    assert face_key(shown) == face_key(before)
    assert shown.fields == before.fields
    assert bench.picture(face_key(shown), WIDTH)
    assert finding(bench, "schema/enum").cards == (("cards", "gardener"),)
    assert {look for id, pair in looks(bench).items() if id != "gardener" for look in pair} == {"good"}
    edit(CARDS, "suit: le\n", "suit: leaf\n")
    bench.refresh()
    assert looks(at_rest(bench))["gardener"] == ("good", "good")


def test_a_record_whose_id_is_gone(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    edit(CARDS, "  - id: gardener\n", "  - if: gardener\n")
    bench.refresh()
    at_rest(bench)
    assert looks(bench)["gardener"] == ("stale", "stale")
    assert len(bench.state.cards) == 6
    assert ("cards", "gardener") in {place for each in bench.state.findings for place in each.cards}


def test_a_new_card_in_error_has_a_place(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    edit(
        CARDS,
        "  - id: gardener\n",
        "  - id: digger\n    title: Digger\n    suit: spade\n  - id: gardener\n",
    )
    bench.refresh()
    at_rest(bench)
    shown = card(bench, "digger")
    assert looks(bench)["digger"] == ("none", "none")
    assert (shown.trim, shown.line, shown.number) == ((63.5, 88.9), 21, 3)
    assert [each.id for each in bench.state.cards][1:4] == ["night-owl", "digger", "gardener"]


def test_a_card_that_is_taken_out_is_gone(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    edit(
        CARDS,
        "  - id: old-oak\n    title: Old Oak\n    suit: leaf\n    value: 5\n"
        "    text: This card can’t be taken, turned or swapped.\n",
        "",
    )
    edit(CARDS, "suit: moon\n    value: 4", "suit: mo\n    value: 4")
    change = bench.refresh()
    assert change is not None
    assert change.gone == (("cards", "old-oak"),)
    assert looks(bench)["full-moon"] == ("stale", "stale")


def test_a_broken_template_keeps_the_last_pictures(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = {each.id: face_key(each) for each in bench.state.cards}
    edit(FACE, "{{ card.value }}", "{{ card.value ")
    bench.refresh()
    at_rest(bench)
    assert set(looks(bench).values()) == {("stale", "good")}
    assert {each.id: face_key(each) for each in bench.state.cards} == before
    assert all(bench.picture(key, WIDTH) for key in before.values())
    assert len(finding(bench, "template/syntax").cards) == 6
    edit(FACE, "{{ card.value ", "{{ card.value }}")
    change = bench.refresh()
    assert change is not None
    assert not change.findings
    assert set(looks(at_rest(bench)).values()) == {("good", "good")}


def test_a_drawing_that_is_no_xml_keeps_the_last_picture(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = face_key(card(bench, "old-oak"))
    edit(FACE, "</svg>", "{% if card.value == 5 %}<g>{% endif %}</svg>")
    bench.refresh()
    at_rest(bench)
    assert looks(bench)["old-oak"] == ("stale", "good")
    assert looks(bench)["full-moon"] == ("good", "good")
    assert face_key(card(bench, "old-oak")) == before


def test_without_a_last_picture_there_is_none(demo: Path, edit: Edit) -> None:
    edit(FACE, "{{ card.value }}", "{{ card.valu }}")
    bench = bench_of(demo)
    assert set(looks(bench).values()) == {("none", "good")}
    assert finding(bench, "template/undefined").as_json()["file"] == FACE


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (GAME, "id: ["),
        (SCHEMA, "{"),
        (CARDS, ""),
        ("fonts/fonts.yaml", "families: ["),
        ("data/sizes.yaml", "{"),
    ],
)
def test_half_a_file_keeps_everything(demo: Path, file: str, text: str) -> None:
    bench = bench_of(demo)
    before = bench.state
    assert all(bench.picture(face_key(each), WIDTH) for each in before.cards)
    path = demo / file
    path.parent.mkdir(exist_ok=True)
    whole = path.read_bytes() if path.exists() else None
    path.write_text(text, "utf-8")
    bench.refresh()
    at_rest(bench)
    assert any(each.severity == "error" for each in bench.state.findings)
    assert [each.place for each in bench.state.cards] == [each.place for each in before.cards]
    assert [face_key(each) for each in bench.state.cards] == [face_key(each) for each in before.cards]
    can_do_without = file.endswith("sizes.yaml")  # the bundled ones are there
    assert {look for pair in looks(bench).values() for look in pair} == {
        "good" if can_do_without else "stale"
    }
    assert all(bench.picture(face_key(each), WIDTH) for each in bench.state.cards)
    if whole is None:
        path.unlink()
    else:
        path.write_bytes(whole)
    change = bench.refresh()
    assert change is not None
    at_rest(bench)
    assert bench.state.cards == before.cards
    assert not bench.state.findings
    assert not bench.state.broken


def test_a_game_that_is_gone(demo: Path) -> None:
    bench = bench_of(demo)
    (demo / "data").rename(demo / "elsewhere")
    assert bench.refresh() is not None
    assert bench.state.broken
    assert len(bench.state.cards) == 6
    (demo / "elsewhere").rename(demo / "data")
    bench.refresh()
    assert not at_rest(bench).state.broken


def test_nothing_is_told_of_an_edit_that_shows_nothing(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    epoch = bench.state.epoch
    assert bench.refresh() is None
    assert bench.idle() is None
    edit(FACE, "</svg>", "{# for later #}</svg>")
    assert bench.refresh() is None
    at_rest(bench)
    assert bench.state.epoch == epoch
