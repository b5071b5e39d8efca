"""What is chosen by name: sheets, papers, components, cards, decks; and what a proof may be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import cardgen
from cardgen.commands.production.choices import (
    SINGLE,
    chosen_components,
    find_paper,
    find_sheet,
    must_exist,
)
from cardgen.core.findings import UsageError
from cardgen.core.geometry import Size
from tests.core.games import book, card, component, game
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]


def test_the_single_sheet_holds_all_but_books(wording: Wording) -> None:
    box = game(component("a", card("x")), book("rules"), component("b", card("y")))
    sheet = find_sheet(box, SINGLE)
    assert (sheet.name, sheet.layout, sheet.components) == ("single", "single", ("a", "b"))
    assert find_sheet(box, "cards") is box.sheets[0]
    with pytest.raises(UsageError) as raised:
        find_sheet(box, "crads")
    wording(raised.value)
    assert raised.value.findings[0].hint == "did you mean 'cards'? list all: cardgen list demo"


def test_components_come_in_the_order_of_the_game(wording: Wording) -> None:
    first, second = component("a", card("x")), component("b", card("y"))
    box = game(first, second)
    assert chosen_components(box, ()) == (first, second)
    assert chosen_components(box, ["b", "a", "b"]) == (first, second)
    assert chosen_components(box, ["b"]) == (second,)
    with pytest.raises(UsageError) as raised:
        chosen_components(box, ["a", "zzz"])
    wording(raised.value)
    assert raised.value.findings[0].hint == "use one of: a, b; list all: cardgen list demo"


def test_of_many_names_a_few_are_listed() -> None:
    names = [f"name-{number:02}" for number in range(30)]
    must_exist("thing", "name-07", names)
    with pytest.raises(UsageError) as raised:
        must_exist("thing", "qqq", names)
    hint = raised.value.findings[0].hint
    assert hint is not None
    assert hint.startswith("use one of: name-00, name-01, ")
    assert hint.endswith("name-23, … (30 in all)")


def test_papers_are_known_by_name(demo: Path, wording: Wording) -> None:
    paths = cardgen.Project.open(demo).paths
    assert find_paper(paths, "a4").size == Size(210, 297)
    with pytest.raises(UsageError) as caught:
        find_paper(paths, "leter")
    wording(caught.value)


# ---------------------------------------------------------------- proofs


def test_a_proof_has_bounds(run: Run, demo: Path) -> None:
    for dpi in ("9", "2401"):
        code, _, err = run("proof", "demo", "night-owl", "--dpi", dpi)
        assert code == 2
        assert f"--dpi {dpi} " in err
    assert not (demo / "output/demo").exists()


def test_a_proof_is_trimmed_or_has_its_bleed(run: Run, demo: Path) -> None:
    for words, name, size in (
        ((), "night-owl-face.png", (100, 140)),
        (("--low-ink", "--bleed"), "night-owl-face-low-ink.png", (110, 150)),
    ):
        code, out, err = run("proof", "demo", "night-owl", "--dpi", "40", *words)
        assert (code, err) == (0, "")
        assert name in out
        with Image.open(demo / "output/demo/proof" / name) as picture:
            assert picture.size == pytest.approx(size, abs=1)


def test_a_proof_passes_over_what_is_wrong_with_other_cards(run: Run, demo: Path, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "title: Gardener\n    suit: leaf", "title: Gardener\n    suit: leef")
    code, out, err = run("proof", "demo", "night-owl", "--dpi", "30")
    assert (code, err, out.count(".png")) == (0, "", 2)
    code, _, err = run("proof", "demo", "gardener", "--dpi", "30")
    assert code == 1
    assert "[schema/enum]" in err
    assert "'leef'" in err
    edit("data/demo/game.yaml", "layout: ", "layout: no-")
    code, _, err = run("proof", "demo", "night-owl", "--dpi", "30")
    assert code == 1
    assert "[reference/" in err


def test_a_card_of_several_components_needs_one_named(
    run: Run, demo: Path, edit: Edit, wording: Wording
) -> None:
    again = "\n  again:\n    title: Again\n    kind: card\n    trim: mini\n    data: again.yaml\n"
    again += "    schema: again.schema.json\n    face: back.svg\n\nsheets:\n"
    edit("data/demo/game.yaml", "\nsheets:\n", again + "  more: {layout: single, components: [again]}\n")
    (demo / "data/demo/again.yaml").write_text("again: [{id: night-owl}]\n", encoding="utf-8")
    schema = '{"properties": {"again": {"items": {"$ref": "../card.schema.json"}}}}'
    (demo / "schemas/demo/again.schema.json").write_text(schema, encoding="utf-8")
    code, _, err = run("proof", "demo", "night-owl", "--dpi", "30")
    assert code == 2
    wording(err, "'night-owl'", "again, cards", "--component")
    code, out, err = run("proof", "demo", "night-owl", "--dpi", "30", "--component", "again")
    assert (code, err) == (0, "")
    assert out.count(".png") == 1, "there is no back"
