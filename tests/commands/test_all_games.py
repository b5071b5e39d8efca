"""`cardgen build --all`: every game of a project, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each

Edit = Callable[[str, str, str], Path]


def with_second(demo: Path) -> Path:
    """Add a second game like the first one."""
    for folder in ("data", "templates", "schemas"):
        for path in sorted((demo / folder / "demo").rglob("*")):
            if path.is_file():
                copy = demo / folder / "second" / path.relative_to(demo / folder / "demo")
                copy.parent.mkdir(parents=True, exist_ok=True)
                text = path.read_text(encoding="utf-8").replace("/demo/", "/second/")
                copy.write_text(text.replace("id: demo\n", "id: second\n"), encoding="utf-8")
    return demo


@pytest.fixture
def two(demo: Path) -> Path:
    """A project with two games."""
    return with_second(demo)


def test_all_games_are_built_and_one_in_error_stops_no_other(two: Path, run: Any, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "suit: leaf\n    value: 5", "suit: lea\n    value: 5")
    code, out, err = run("build", "--all")
    assert code == 1, err
    assert "schema/enum" in err
    assert "not built: demo" in err
    assert "second: done" in out, err
    assert list((two / "output/second").glob("*.pdf"))
    assert not list((two / "output").glob("demo/*.pdf"))


@for_each(
    "words", [("demo",), ("--sheet", "poker"), ("--card", "a*"), ("--players", "2"), ("--sandboxed",)]
)
def test_options_of_one_game_are_refused(run: Any, words: tuple[str, ...]) -> None:
    code, _, err = run("build", "--all", *words)
    assert code == 2
    assert "--all" in err


def test_watch_follows_one_game(run: Any) -> None:
    assert run("watch", "--all")[0] == 2


@pytest.mark.long
def test_several_games_at_once_give_the_same_bytes(two: Path, run: Any) -> None:
    code, out, err = run("build", "--all", "--jobs", "2")
    assert (code, "second: done" in out) == (0, True), err
    assert out.index("demo: ") < out.index("second: ")
    folders = [two / "output" / game for game in ("demo", "second")]
    files = {path: path.read_bytes() for folder in folders for path in sorted(folder.iterdir())}
    for path in files:
        path.unlink()
    assert run("build", "--all")[0] == 0
    assert {path: path.read_bytes() for path in files} == files
