"""Edits of the page over HTTP: saved, refused, undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.commands.data.new import new_project
from cardgen.core.findings import CardgenError, UsageError
from cardgen.files.project import bundled_root
from cardgen.workbench.tasks import run
from tests.workbench.desk import until
from tests.workbench.served import Answer, Served, served


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    project = new_project("owls", tmp_path_factory.mktemp("saving"))
    with served(project) as running:
        yield running, project / "data/owls/cards.yaml"


def post(shop: Served, address: str, /, **body: Any) -> Answer:
    return shop.ask(address, method="POST", body=body)


def edit(id: str, name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"component": "cards", "card": id, "path": [name], "value": value, **more}


def title(shop: Served, id: str) -> str:
    cards = shop.ask("state.json").json["cards"]
    return next(card["fields"]["title"] for card in cards if card["id"] == id)


def test_edit_is_saved_seen_undone_and_redone(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    form = served.ask("form.json?component=cards&card=gardener").json
    assert form["cards"][0]["fields"]["title"] == "Gardener"
    assert next(each for each in form["fields"] if each["name"] == "suit")["choices"]
    for words in ("Gard", "Gardens"):
        answer = post(
            served, "edit", edits=[edit("gardener", "title", words)], label="title", group="1"
        ).json
        assert (answer["saved"], answer["undo"]) == (True, "title")
    assert file.read_text() == first.replace("title: Gardener", "title: Gardens")
    until(lambda: title(served, "gardener") == "Gardens")
    assert post(served, "undo").json["redo"] == "title"
    assert file.read_text() == first
    until(lambda: title(served, "gardener") == "Gardener")
    assert post(served, "undo", redo=True).json["undo"] == "title"
    assert post(served, "undo").json["undo"] is None
    assert post(served, "undo").json["saved"] is False
    assert file.read_text() == first


def test_sketch_is_the_side_of_the_saved_value_and_changes_nothing(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first, state = file.read_text(), served.ask("state.json").json

    def sketch(card: str, name: str, value: Any) -> Any:
        return post(served, "sketch", component="cards", card=card, path=[name], value=value).json

    drawn = sketch("gardener", "text", "Dig twice.")
    assert drawn["face"]["look"] == "good"
    assert served.ask(f"side/{drawn['face']['key']}.png?px=90").body.startswith(b"\x89PNG")
    others = [
        ("gardener", "copies", 9),
        ("gardener", "value", "many"),
        ("gardener", "id", "x"),
        ("x", "text", ""),
    ]
    assert [sketch(*each) for each in others] == [{}] * 4
    assert (file.read_text(), served.ask("state.json").json) == (first, state)
    assert post(served, "edit", edits=[edit("gardener", "text", "Dig twice.")]).json["saved"]

    def face() -> Any:
        return next(c for c in served.ask("state.json").json["cards"] if c["id"] == "gardener")["face"]

    until(lambda: face() == drawn["face"])
    post(served, "undo")
    until(lambda: served.ask("state.json").json["cards"] == state["cards"])


def test_invalid_value_and_conflict_are_answered_and_not_written(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    answer = post(served, "edit", edits=[edit("gardener", "suit", "star")]).json
    assert not answer["saved"]
    assert (answer["findings"][0]["code"], answer["findings"][0]["path"]) == ("schema/enum", "suit")
    answer = post(served, "edit", edits=[edit("gardener", "title", "A", was="B")]).json
    assert answer["conflicts"][0]["theirs"] == "Gardener"
    assert file.read_text() == first


def test_a_file_broken_elsewhere_is_brought_back(shop: tuple[Served, Path]) -> None:
    served, cards = shop
    for file, old, new in (
        (cards, "cards:", "cards: ["),
        (cards.parent / "game.yaml", "title:", "title: '"),
    ):
        first, name = file.read_text(), f"data/owls/{file.name}"
        assert not post(served, "undo", file=name).json["saved"]
        broken = first.replace(old, new, 1)
        file.write_text(broken)
        until(lambda name=name: any(each["file"] == name for each in errors(served)))
        assert post(served, "undo", file=name).json["saved"]
        assert file.read_text() == first
        until(lambda: not errors(served))
        assert post(served, "undo").json["saved"]
        assert file.read_text() == broken
        until(lambda: bool(errors(served)))
        assert post(served, "undo", redo=True).json["saved"]
        until(lambda: not errors(served))
    assert not post(served, "undo", file="../cards.yaml").json["saved"]


def errors(served: Served) -> list[dict[str, Any]]:
    found = served.ask("state.json").json["findings"]
    return [each for each in found if each["severity"] == "error"]


def test_undo_never_overwrites_a_later_change(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    assert post(served, "edit", edits=[edit("gardener", "title", "Garden")]).json["saved"]
    file.write_text(file.read_text() + "# mine\n")
    answer = post(served, "undo").json
    assert (answer["saved"], answer["changed"]) == (False, "data/owls/cards.yaml")
    assert file.read_text().endswith("# mine\n")
    file.write_text(first)


def test_strangers_and_odd_orders_are_refused(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    body = {"edits": [edit("gardener", "title", "A")]}
    other = {"Origin": "http://127.0.0.1:1"}
    assert served.ask("edit", method="POST", body=body, headers=other).status == 403
    assert served.ask("/edit", method="POST", body=body, whole=True).status == 404
    assert served.ask("edit", method="GET").status == 404
    for bad in ({}, {"edits": []}, {"edits": [{"component": "../x", "card": "a", "path": ["b"]}]}):
        assert post(served, "edit", **bad).status == 400
    assert served.ask("form.json?component=none").json["cards"] == []
    assert file.read_text() == first


def test_broken_file_is_answered_with_its_findings(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    file.write_text(first.replace("title: Gardener", 'title: "Gardener'))
    answer = post(served, "edit", edits=[edit("gardener", "title", "A")])
    assert answer.status == 409
    assert answer.json["findings"][0]["file"] == "data/owls/cards.yaml"
    file.write_text(first)


def test_setting_is_saved_refused_and_undone(shop: tuple[Served, Path]) -> None:
    served, cards = shop
    file = cards.parent / "game.yaml"
    first = file.read_text()
    groups = served.ask("knobs.json").json["groups"]
    assert groups[0]["title"] == "Theme"
    sent = {"file": "data/owls/game.yaml", "path": ["theme", "ink"], "was": "#1d2433"}
    assert post(served, "knob", **sent, value="#aa0000").json["saved"] is True
    assert file.read_text() == first.replace("#1d2433", "#aa0000")
    assert post(served, "knob", **sent, value="#bb0000").json["changed"] == "data/owls/game.yaml"
    limit = {"file": "data/owls/game.yaml", "path": ["limits", "type"]}
    assert post(served, "knob", **limit, value="7").json["findings"][0]["path"] == "limits.type"
    assert post(served, "knob", **{**sent, "path": ["id"]}, value="x").status == 400
    assert post(served, "undo").json["saved"] is True
    assert file.read_text() == first


def test_jobs_that_add_take_only_files_that_were_sent(shop: tuple[Served, Path]) -> None:
    served, _ = shop
    sent = post(served, "upload", files=[{"name": "My.ttf", "data": "AAAA"}]).json
    assert post(served, "upload", files=[{"name": "My.py", "data": "AAAA"}]).status == 400
    for kind, options in (
        ("font", {"upload": sent["upload"], "file": "../My.ttf"}),
        ("font", {"upload": 7, "file": "My.ttf"}),
        ("add", {"file": "x"}),
        ("new_game", {"name": "x"}),
    ):
        assert post(served, "jobs", kind=kind, options=options).status == 400, kind
    assert served.ask("jobs.json").json["jobs"] == []


def test_components_fonts_and_languages_are_added(tmp_path: Path) -> None:
    project = new_project("owls", tmp_path)

    def ask(kind: str, **options: Any) -> list[str]:
        order = {"project": str(project), "game": "owls", "language": None, **options}
        return [file["path"] for file in run(kind, order, lambda step, done, total: None)["files"]]

    assert str(project / "data/owls/tokens.yaml") in ask("add", piece="tokens")
    assert ask("add", layout="sleeves") == [str(project / "data/owls/game.yaml")]
    assert str(project / "data/owls/de/texts.po") in ask("translation", to="de")
    font = next(Path(bundled_root(), "fonts").rglob("*-Italic.ttf"))
    with pytest.raises(CardgenError) as caught:
        ask("font", file=str(font))
    assert caught.value.findings[0].code == "font/list"  # cardgen has it
    for kind, options in (
        ("add", {}),
        ("add", {"piece": "none"}),
        ("calibration", {"printer": "x", "readings": [1, 2, 3]}),
        ("calibration", {"printer": "x", "readings": ["1"]}),
        ("calibration", {"printer": "x"}),
        ("build", {"inks": "gold"}),
        ("build", {"inks": "cmyk", "standard": "x9"}),
    ):
        with pytest.raises(UsageError):
            ask(kind, **options)
