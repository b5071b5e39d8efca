"""Edits of the page over HTTP: saved, refused, undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.commands.data.new import new_project
from tests.workbench.desk import until
from tests.workbench.served import Answer, Served, served


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    project = new_project("owls", tmp_path_factory.mktemp("saving"))
    with served(project) as running:
        yield running, project / "data/owls/cards.yaml"


def post(shop: Served, path: str, **body: Any) -> Answer:
    return shop.ask(path, method="POST", body=body)


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


def test_invalid_value_and_conflict_are_answered_and_not_written(shop: tuple[Served, Path]) -> None:
    served, file = shop
    first = file.read_text()
    answer = post(served, "edit", edits=[edit("gardener", "suit", "star")]).json
    assert not answer["saved"]
    assert (answer["findings"][0]["code"], answer["findings"][0]["path"]) == ("schema/enum", "suit")
    answer = post(served, "edit", edits=[edit("gardener", "title", "A", was="B")]).json
    assert answer["conflicts"][0]["theirs"] == "Gardener"
    assert file.read_text() == first


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
