"""A game whose cards are a spreadsheet, held warm while that is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.workbench.bench import Bench
from tests.files.making import rows, xlsx
from tests.game.test_spreadsheets import project
from tests.workbench.support import at_rest, bench_of, card, finding, seen

pytestmark = pytest.mark.usefixtures("drawn_here")

__all__ = ["project"]
HEAD = ("title", "type", "price")


def text(*lines: str) -> str:
    return "\n".join([",".join(HEAD), *lines, ""])


def edited(bench: Bench, path: Path, content: bytes) -> Bench:
    """The bench after an edit; it is as one that was made anew, but for cards in error, which it shows as
    they were."""
    path.write_bytes(content)
    bench.refresh()
    warm, fresh = seen(at_rest(bench)), seen(bench_of(path.parents[2], "duel"))
    if any(each["severity"] == "error" for each in fresh["findings"]):
        assert warm["findings"] == fresh["findings"]
    else:
        assert warm == fresh
    return bench


def test_an_edit_shows_at_once(project: Path) -> None:
    file = project / "data/duel/deck.csv"
    bench = bench_of(project, "duel")
    before = {each.id: each for each in bench.state.cards}
    assert before["owl"].lines == {"title": 3, "type": 3, "price": 3, "unique": 3}
    edited(bench, file, text("Fox,agent,1", "Owl,tool,2", "Oak Tree,plan,3").encode())
    assert [each.id for each in bench.state.cards] == ["fox", "owl", "oak-tree", "alarm"]
    assert card(bench, "fox").face.key == before["fox"].face.key
    edited(bench, file, text("# more", "Fox,agent,1", "Owl the Wise,tool,2", "Oak Tree,plan,3").encode())
    assert card(bench, "owl-the-wise").line == 4
    edited(bench, file, text("Fox,agent,1", "Owl,tool,two").encode())
    told = finding(bench, "schema/type")
    place = told.as_json()
    assert (place["file"], place["line"], place["cell"], told.cards) == (
        "data/duel/deck.csv", 3, "C3", (("cards", "owl"),)
    )  # fmt: skip
    edited(bench, file, text("Fox,agent,1", "Owl,tool,2").encode())
    assert [each.code for each in bench.state.findings if each.severity == "error"] == []


def test_an_edit_of_a_workbook(project: Path) -> None:
    manifest = project / "data/duel/game.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("deck.csv", "deck.xlsx#Cards"), "utf-8")
    file = project / "data/duel/deck.xlsx"
    file.write_bytes(xlsx({"Cards": rows(HEAD, ("Fox", "agent", 1), ("Owl", "tool", 2))}))
    bench = bench_of(project, "duel")
    edited(bench, file, xlsx({"Cards": rows(HEAD, ("Fox", "agent", 1), ("Owl", "tool", "x"))}))
    told = finding(bench, "schema/type")
    place = told.as_json()
    assert (place["file"], place["cell"], place["path"]) == (
        "data/duel/deck.xlsx",
        "Cards!C3",
        "cards[1].price",
    )
    edited(bench, file, b"no workbook")
    assert finding(bench, "tables/damaged").as_json()["file"] == "data/duel/deck.xlsx"
    edited(bench, file, xlsx({"Cards": rows(HEAD, ("Fox", "agent", 1), ("Yak", "tool", 3))}))
    assert [each.id for each in bench.state.cards] == ["fox", "yak", "alarm"]
