"""Deck lists are there to be seen, as the loader knows them, whatever is wrong with the files."""

from __future__ import annotations

from pathlib import Path

from cardgen.commands.data.new import new_project
from cardgen.workbench.states import DeckState
from tests.workbench.support import bench_of

LIST = "title: Sunny\ndescription: Early to bed.\ncards:\n  Old Oak: 2\n  Early Bird: 3\n"


def with_decks(folder: Path) -> tuple[Path, Path]:
    """A project with two deck lists, and the file of one."""
    project = new_project("owls", folder)
    data = project / "data" / "owls"
    with (data / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("decks: {component: cards}\n")
    (data / "decks").mkdir()
    (data / "decks" / "calm.yaml").write_text("title: Calm\ncards: {Night Owl: 4}\n", encoding="utf-8")
    sunny = data / "decks" / "sunny.yaml"
    sunny.write_text(LIST, encoding="utf-8")
    return project, sunny


def test_a_deck_list_is_seen_as_it_is_now(tmp_path: Path) -> None:
    project, sunny = with_decks(tmp_path)
    bench = bench_of(project, "owls")
    calm, shown = bench.state.decks
    assert (calm.id, calm.title, calm.copies, calm.stale) == ("calm", "Calm", (("night-owl", 4),), False)
    assert shown == DeckState(
        "sunny",
        "Sunny",
        "Early to bed.",
        "cards",
        "data/owls/decks/sunny.yaml",
        1,
        (("old-oak", 2), ("early-bird", 3)),
    )
    sunny.write_text(LIST.replace("3", "1"), encoding="utf-8")
    change = bench.refresh()
    assert change is not None
    assert change.whole
    assert dict(bench.state.decks[1].copies) == {"old-oak": 2, "early-bird": 1}
    assert bench.refresh() is None
    sunny.unlink()
    bench.refresh()
    assert [deck.id for deck in bench.state.decks] == ["calm"]


def test_a_list_in_error_stays_as_it_was_and_is_said_to(tmp_path: Path) -> None:
    project, sunny = with_decks(tmp_path)
    bench = bench_of(project, "owls")
    good = bench.state.decks[1].copies
    sunny.write_text(LIST.replace("Old Oak", "Old Oke"), encoding="utf-8")
    bench.refresh()
    assert [(deck.copies, deck.stale) for deck in bench.state.decks] == [
        ((("night-owl", 4),), False),
        (good, True),
    ]
    assert any("Old Oke" in finding.message for finding in bench.state.findings)
    sunny.write_text(LIST, encoding="utf-8")
    bench.refresh()
    assert [deck.stale for deck in bench.state.decks] == [False, False]
    assert [deck.id for deck in bench_of(project, "owls").state.decks] == ["calm", "sunny"]


def test_lists_stay_while_a_card_is_in_error(tmp_path: Path) -> None:
    project, _ = with_decks(tmp_path)
    bench = bench_of(project, "owls")
    cards = project / "data" / "owls" / "cards.yaml"
    whole = cards.read_text(encoding="utf-8")
    cards.write_text(whole.replace("value: 2", "value: many"), encoding="utf-8")
    bench.refresh()
    assert [(deck.id, deck.stale) for deck in bench.state.decks] == [("calm", True), ("sunny", True)]
    cards.write_text(whole, encoding="utf-8")
    bench.refresh()
    assert not any(deck.stale for deck in bench.state.decks)
