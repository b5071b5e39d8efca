"""`build --since`: what is new or looks different, on sheets of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repositories import commit
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"


@pytest.fixture(autouse=True)
def short(demo: Path) -> str:
    """The beginning of the first commit's id."""
    (demo / ".gitignore").write_text("output/\n")
    return commit(demo)[:10]


@pytest.fixture
def printed(demo: Path, run: Run) -> Callable[..., dict[str, int]]:
    """Builds; the copies on each file that was written."""

    def build(*words: str) -> dict[str, int]:
        code, _, err = run("build", "demo", "--since", "HEAD", *words)
        assert code == 0, err
        manifest = demo / "output/demo/manifest.json"
        entries = json.loads(manifest.read_text())["files"] if manifest.exists() else []
        return {entry["path"]: entry["cards"] for entry in entries}

    return build


Printed = Callable[..., dict[str, int]]


def test_nothing_changed(demo: Path, run: Run) -> None:
    for _ in range(2):
        code, out, err = run("build", "demo", "--since", "HEAD")
        assert (code, "error" in err) == (0, False)
        assert out.startswith("no card has changed since then, so nothing is written, ")
        assert list((demo / "output").glob("demo/*")) == []


def test_what_looks_different_is_printed(edit: Edit, printed: Printed, short: str) -> None:
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    assert printed() == {f"poker.since-{short}.pdf": 2}
    assert printed("--paper", "a4", "--low-ink") == {
        f"poker.since-{short}.pdf": 2,
        f"poker-low-ink.since-{short}.a4.pdf": 2,
    }


def test_new_cards_and_further_copies_are_printed(edit: Edit, printed: Printed, short: str) -> None:
    edit(CARDS, "id: old-oak", "id: elder")
    edit(CARDS, "suit: leaf\n    value: 2\n    copies: 2", "suit: leaf\n    value: 2\n    copies: 5")
    assert printed() == {f"poker.since-{short}.pdf": 1 + 3}
    assert printed("--card", "gardener")[f"poker.gardener.since-{short}.pdf"] == 3


def test_only_sides_that_are_printed_count(demo: Path, printed: Printed, run: Run, short: str) -> None:
    back = demo / "templates/demo/back.svg"
    back.write_text(back.read_text().replace('rx="3"', 'rx="9"'))
    assert printed() == {f"poker.since-{short}.pdf": 9}
    assert run("build", "demo", "--since", "HEAD", "--no-backs")[1].startswith("no card has changed")


def test_in_low_ink_cards_are_compared_in_low_ink(demo: Path, edit: Edit, run: Run) -> None:
    edit(
        "templates/demo/back.svg",
        "'#ffffff' if low_ink else theme.ink",
        "'#fffffe' if low_ink else theme.ink",
    )
    assert run("build", "demo", "--since", "HEAD")[1].startswith("no card has changed")
    assert "9 cards" in run("build", "demo", "--since", "HEAD", "--low-ink")[1]


def test_a_revision_moves_on(demo: Path, edit: Edit, run: Run) -> None:
    """A build that is up to date is so since a commit, not since a name."""
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    assert "2 cards" in run("build", "demo", "--since", "HEAD")[1]
    commit(demo)
    assert run("build", "demo", "--since", "HEAD")[1].startswith("no card has changed")


def test_a_game_that_was_in_error_is_a_warning(demo: Path, edit: Edit, run: Run, short: str) -> None:
    edit(CARDS, "suit: leaf\n    value: 2", "suit: leef\n    value: 2")
    was = commit(demo)[:10]
    edit(CARDS, "suit: leef\n    value: 2", "suit: leaf\n    value: 2")
    code, out, err = run("build", "demo", "--since", "HEAD")
    assert code == 0
    assert f"poker.since-{was}.pdf  2 pages, 2 cards" in out, "it may have been printed, or not"
    assert f"at {was}: 'leef'" in err


def test_misuse(run: Run, wording: Wording) -> None:
    for words in (
        ("--since", "nosuch"),
        ("--since", "HEAD", "--deck", "x.txt"),
        ("--since", "nosuch", "--sandboxed"),
        ("--since", "HEAD", "--card", "nosuch"),
    ):
        code, out, err = run("build", "demo", *words)
        assert (code, out) == (2, "")
        wording(err)
