"""`cardgen add`: components of starters and sheets, in a game that stays valid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import cardgen
from cardgen.commands.data.add import KINDS, add_component, add_sheet
from cardgen.core.findings import UsageError
from cardgen.game.starter_look import box_svg, looks, scenes_svg
from tests.files.making import rows, xlsx
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


def manifest(demo: Path) -> Any:
    return yaml.safe_load((demo / "data/demo/game.yaml").read_text(encoding="utf-8"))


@pytest.mark.long
def test_every_kind_added_to_one_game_leaves_it_without_a_warning(demo: Path) -> None:
    project = cardgen.Project.open(demo)
    text = (demo / "data/demo/game.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line]
    for kind in KINDS:
        add_component(kind, "demo", project=project)
    data = manifest(demo)
    assert [*data["components"]] == [
        *("cards", "cards-2", "minis", "tokens", "tiles", "board", "box", "aid", "standees"),
    ]
    assert data["components"]["box"]["box"]["holds"] == ["cards", "cards-2", "minis"]
    assert data["sheets"]["sleeves"]["components"] == ["cards", "cards-2", "minis"]
    after = iter((demo / "data/demo/game.yaml").read_text(encoding="utf-8").splitlines())
    assert all(line in after for line in lines)  # comments and all else, in order
    found = cardgen.check(cardgen.load("demo", project=project))
    assert not list(found)


def test_added_files_of_a_taken_name_are_kept_and_reported(demo: Path, run: Run) -> None:
    icon = demo / "templates/demo/icons/ice.svg"
    icon.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>', encoding="utf-8")
    before = icon.read_bytes()
    code, out, _ = run("add", "cards", "--template", "event", "--id", "weather")
    assert code == 0
    assert icon.read_bytes() == before
    assert "templates/demo/icons/ice.svg: kept, the game has its own\n" in out
    assert "data/demo/weather.yaml: new\n" in out
    assert manifest(demo)["components"]["weather"]["trim"] == "tarot-eu"


def test_a_size_of_the_same_proportions_scales_bleed_and_safe_zone(demo: Path) -> None:
    project = cardgen.Project.open(demo)

    for size, trim, bleed, safe in (
        ("20x20mm", ["20mm", "20mm"], "2.54mm", "1.2mm"),
        ("large-chit", ["25.4mm", "25.4mm"], "3.226mm", "1.524mm"),
    ):
        id = add_component("tokens", "demo", project=project, size=size).component
        entry = manifest(demo)["components"][id]
        assert (entry["trim"], entry["bleed"], entry["safe"]) == (trim, bleed, safe)


def test_a_game_without_sheets_keeps_its_usual_ones_beside_an_unusual_one(demo: Path) -> None:
    path = demo / "data/demo/game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("sheets:\n  poker: {layout: poker, components: [cards]}\n", ""))
    project = cardgen.Project.open(demo)
    assert add_component("tokens", "demo", project=project).sheet is None
    assert "sheets" not in manifest(demo)
    assert add_component("tiles", "demo", project=project).sheet == "tiles"
    assert manifest(demo)["sheets"] == {
        "poker": {"layout": "poker", "components": ["cards"]},
        "tokens": {"layout": "tokens", "components": ["tokens"]},
        "tiles": {"layout": "hexes", "components": ["tiles"]},
    }


def test_tables_become_components_of_a_game(demo: Path, run: Run, tmp_path: Path) -> None:
    book = tmp_path / "my book.xlsx"
    sheets = {
        "Goods": rows(("Titel", "Wert", "Anzahl"), ("Salz", 1, 2), ("Seil", 2, 1)),
        "Coins": rows(("title", "kind", "value", "art"), ("Coin", "money", 1, "coin-one.svg")),
    }
    book.write_bytes(xlsx(sheets))
    code, out, err = run("add", "minis", "--from", f"{book}#Goods", "--id", "goods", "--size", "50x70mm")
    assert (code, err) == (0, "")
    assert "data/demo/goods.xlsx: new\n" in out
    entry = manifest(demo)["components"]["goods"]
    assert (entry["data"], entry["trim"]) == ("goods.xlsx#Goods", ["50mm", "70mm"])
    assert entry["columns"] == {"Titel": "title", "Anzahl": "copies"}
    code, out, err = run(
        "add", "tokens", "--template", "tokens", "--from", f"{demo}/data/demo/goods.xlsx#Coins"
    )
    assert (code, err) == (0, "")
    assert manifest(demo)["components"]["tokens"]["data"] == "goods.xlsx#Coins"
    assert not (demo / "data/demo/tokens.yaml").exists()
    assert run("check", "demo")[:2] == (0, "no findings\n")


def test_columns_that_a_starter_lacks_are_added_to_its_schema(demo: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "coins.csv").write_text("title,kind,art,weight\nCoin,money,coin-one.svg,3\n")
    source = str(tmp_path / "coins.csv")
    assert run("add", "tokens", "--template", "tokens", "--from", source)[0] == 0
    text = (demo / "schemas/demo/tokens.schema.json").read_text(encoding="utf-8")
    assert '"weight"' in text


def test_misuse_changes_nothing_and_names_the_command(
    demo: Path, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = cardgen.Project.open(demo)
    monkeypatch.chdir(demo)
    before = (demo / "data/demo/game.yaml").read_bytes()
    Path("two.xlsx").write_bytes(xlsx({name: rows(("title",), ("A",)) for name in ("One", "Two")}))

    for make in (
        lambda: add_component("token", "demo", project=project),
        lambda: add_component("tokens", "demo", project=project, template="token"),
        lambda: add_component("tokens", "demo", project=project, size="20x30mm"),
        lambda: add_component("tokens", "demo", project=project, size="tiny"),
        lambda: add_component("tokens", "demo", project=project, size="20x"),
        lambda: add_component("tokens", "demo", project=project, size="0x0mm"),
        lambda: add_component("tokens", "demo", project=project, size="400x400mm"),
        lambda: add_component("tokens", "demo", project=project, id="cards"),
        lambda: add_component("tokens", "demo", project=project, id="My Tokens"),
        lambda: add_component("box", "demo", project=project, size="poker"),
        lambda: add_component("box", "demo", project=project, source="two.xlsx"),
        lambda: add_component("cards", "demo", project=project, source="two.xlsx"),
        lambda: add_component("cards", "demo", project=project, source="deck.txt"),
        lambda: add_component("sleeves", "demo", project=project, source="two.xlsx"),
        lambda: add_component("sleeves", "demo", project=project, size="poker"),
        lambda: add_component("tokens", "mindnet", project=project),
        lambda: add_sheet("sleeve", "demo", project=project),
        lambda: add_sheet("standees", "demo", project=project),
        lambda: add_sheet("poker", "demo", project=project),
        lambda: add_sheet("poker", "demo", project=project, components=["card"]),
        lambda: add_sheet("booklet", "demo", project=project),
        lambda: add_sheet("booklet", "demo", project=project, components=["cards"]),
        lambda: add_sheet("silhouette-a4-mini", "demo", project=project),
    ):
        with pytest.raises(UsageError) as caught:
            make()
        wording(caught.value)
        assert (demo / "data/demo/game.yaml").read_bytes() == before


@pytest.mark.long
def test_the_least_and_largest_sizes_that_are_named_leave_a_game_without_errors(
    demo: Path, run: Run
) -> None:
    project = cardgen.Project.open(demo)

    for wrong in ("4x4mm", "400x400mm"):
        with pytest.raises(UsageError) as caught:
            add_component("tokens", "demo", project=project, size=wrong)
        hint = caught.value.findings[0].hint or ""
        assert run(*hint[hint.index("add ") :].split())[0] == 0
    tokens, large = (manifest(demo)["components"][id] for id in ("tokens", "tokens-2"))
    assert (tokens["trim"], large["trim"]) == (["5mm", "5mm"], ["196.85mm", "196.85mm"])
    assert large["bleed"] == "25mm"
    _, out, err = run("check", "demo")
    assert "schema/length" not in out + err


@pytest.mark.long
def test_a_size_larger_than_the_paper_is_printed_in_tiles(demo: Path, run: Run) -> None:
    project = cardgen.Project.open(demo)
    add_component("board", "demo", project=project, size="444x630mm")
    assert [each["layout"] for each in manifest(demo)["sheets"].values()] == ["poker", "board"]
    _, out, err = run("check", "demo")
    assert "sheet/too-large" not in out + err


def test_tiles_larger_than_the_paper_leave_the_layout_of_their_starter(demo: Path) -> None:
    added = add_component("tiles", "demo", project=cardgen.Project.open(demo), size="300x259.808mm")
    assert manifest(demo)["sheets"]["tiles"] == {"layout": "board", "components": ["tiles"]}
    assert not any(file.startswith("data/sheets/") for file in added.files)


@pytest.mark.long
def test_a_sheet_takes_the_components_whose_cards_fit_its_layout(demo: Path, run: Run) -> None:
    project = cardgen.Project.open(demo)
    add_component("cards", "demo", project=project, template="event")
    add_sheet("silhouette-a4-poker", "demo", project=project)
    assert manifest(demo)["sheets"]["silhouette-a4-poker"]["components"] == ["cards"]
    _, out, err = run("check", "demo")
    assert "sheet/too-large" not in out + err


def test_a_sheet_for_folding_takes_a_single_book(demo: Path, edit: Callable[..., Path]) -> None:
    (demo / "data/demo/book.md").write_text("# Rules\n\nText.\n", encoding="utf-8")
    book = "{title: Book, kind: book, trim: a5, book: book.md}"
    edit("data/demo/game.yaml", "components:\n", f"components:\n  one: {book}\n  two: {book}\n")
    project = cardgen.Project.open(demo)
    before = (demo / "data/demo/game.yaml").read_bytes()

    for layout, components in (
        ("booklet", []),
        ("booklet", ["cards"]),
        ("booklet", ["one", "two"]),
        ("single", ["one", "cards"]),
    ):
        with pytest.raises(UsageError):
            add_sheet(layout, "demo", project=project, components=components)
        assert (demo / "data/demo/game.yaml").read_bytes() == before
    add_sheet("booklet", "demo", project=project, components=["two"])
    assert manifest(demo)["sheets"]["booklet"]["components"] == ["two"]


def test_both_words_for_sleeves_refuse_a_second_sheet(demo: Path) -> None:
    project = cardgen.Project.open(demo)
    add_sheet("sleeves", "demo", project=project)
    add_component("cards", "demo", project=project)
    before = (demo / "data/demo/game.yaml").read_bytes()

    for make in (
        lambda: add_component("sleeves", "demo", project=project),
        lambda: add_sheet("sleeves", "demo", project=project),
        lambda: add_sheet("sleeves", "demo", project=project, components=["cards"]),
    ):
        with pytest.raises(UsageError):
            make()
        assert (demo / "data/demo/game.yaml").read_bytes() == before
    add_sheet("sleeves", "demo", project=project, components=["cards-2"])
    assert manifest(demo)["sheets"]["sleeves-2"] == {"layout": "sleeves", "components": ["cards-2"]}


def test_options_of_the_other_form_are_refused(run: Run, wording: Wording) -> None:
    for words in (
        ("add", "sheet"),
        ("add", "sheet", "sleeves", "--size", "poker"),
        ("add", "tokens", "sleeves"),
    ):
        code, _, err = run(*words)
        assert code == 2
        wording(err)


def test_box_of_a_game_in_a_look_shows_its_title_on_a_scene(tmp_path: Path) -> None:
    deck = "Name,Type,Copies\nFerry,Boat,30\nMarket,Place,1\n"  # so thick that the sides have type
    (tmp_path / "deck.csv").write_text(deck, encoding="utf-8")
    new = cardgen.new_from_table("river", tmp_path, str(tmp_path / "deck.csv"), look="midnight")
    project = cardgen.Project.open(new.folder)
    added = add_component("box", "river", project=project)
    template = (new.folder / "templates/river/box.svg").read_text(encoding="utf-8")
    assert "'/midnight-scenes.svg'" in template
    assert (added.component, added.sheet) == ("box", None)
    assert not list(cardgen.check(cardgen.load("river", project=project)))
    for look in looks():
        (new.folder / "templates/river/box.svg").write_text(box_svg(look), encoding="utf-8")
        (new.folder / f"templates/river/{look}-scenes.svg").write_text(scenes_svg(look), encoding="utf-8")
        game = cardgen.load("river", project=project)
        assert not list(cardgen.check(game)), look
        assert f"'/{look}-scenes.svg'" in box_svg(look)
