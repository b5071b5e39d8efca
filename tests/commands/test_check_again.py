"""A check of what has not changed says the same again, and looks anew where anything has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check import check as module
from cardgen.commands.check.check import check_game
from cardgen.commands.production.fonts import fontbook
from tests.sampling import one_in
from tests.wording import Wording

Edit = Callable[[str, str, str], Path]
Run = Callable[..., tuple[int, str, str]]
Settle = Callable[[Path], None]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[module.CheckOptions]:
    """The checks that were not answered from what is kept."""
    made: list[module.CheckOptions] = []
    look = module._check_game

    def counted(options: module.CheckOptions, project: cardgen.Project) -> module.Checked:
        made.append(options)
        return look(options, project)

    monkeypatch.setattr(module, "_check_game", counted)
    return made


def test_the_same_is_said_again_in_every_format(
    demo: Path, edit: Edit, settle: Settle, run: Run, looks: list[module.CheckOptions]
) -> None:
    edit("data/demo/game.yaml", "version:", "fonts: {fallback: [Nothing Like It]}\nversion:")
    settle(demo / "data")
    fresh = run("check", "demo")
    assert fresh[0] == 1
    assert "Nothing Like It" in fresh[1]
    assert run("check", "demo") == fresh
    assert len(looks) == 1
    for format in ("json", "sarif"):
        told = run("check", "demo", "--format", format)
        assert len(looks) == 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
            shutil.rmtree(demo / "no-cache", ignore_errors=True)
            assert run("check", "demo", "--format", format) == told
        assert len(looks) == 2
        looks.pop()


def test_what_is_asked_for_is_part_of_what_is_kept(
    demo: Path, run: Run, looks: list[module.CheckOptions], wording: Wording
) -> None:
    run("check", "demo")
    run("check", "demo", "--language", "source")
    assert len(looks) == 2
    code, _, err = run("check", "demo", "--rule", "no-such-rule")
    assert code == 2
    wording(err)
    assert run("check", "demo", "--rule", "no-such-rule")[0] == 2
    assert len(looks) == 4


def _add_font(demo: Path) -> None:
    bundled = Path(fontbook(cardgen.Project.open(demo).paths).face("IBM Plex Sans", 400).path)
    (demo / "fonts").mkdir(exist_ok=True)
    shutil.copy(bundled, demo / "fonts/Mine.ttf")


def _append(name: str, more: str = "\n") -> Callable[[Path], None]:
    def change(demo: Path) -> None:
        path = demo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text("utf-8") if path.exists() else "") + more, "utf-8")

    return change


@pytest.mark.parametrize(
    "change",
    one_in(
        10,
        [
            _append("data/demo/cards.yaml"),
            _append("data/demo/new.yaml", "a: 1\n"),
            _append("data/services/mine.yaml", "title: Mine\n"),
            _append("data/papers.yaml", "huge: {width: 1 m, height: 1 m}\n"),
            _append("schemas/demo/cards.schema.json"),
            _append("templates/demo/card.svg"),
            _append("templates/demo/unused.svg", "<svg/>"),
            _add_font,
            lambda demo: (demo / "templates/demo/a.svg").symlink_to("card.svg"),
            lambda demo: (demo / "data/demo/cards.yaml").unlink(),
        ],
    ),
)
def test_anything_that_changes_is_looked_at(
    change: Callable[[Path], None],
    demo: Path,
    settle: Settle,
    run: Run,
    looks: list[module.CheckOptions],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("check", "demo")
    change(demo)
    told = run("check", "demo")
    assert len(looks) == 2
    monkeypatch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
    assert run("check", "demo") == told


def test_a_deck_file_that_was_edited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], looks: list[module.CheckOptions]
) -> None:
    source = cardgen.Project.open().root / "data/mindnet/decks"
    deck = tmp_path / "mine.yaml"
    shutil.copy(min(source.glob("*.yaml")), deck)
    asked = module.CheckOptions("mindnet", decks=(str(deck),))
    first = check_game(asked)
    assert first.figures
    assert check_game(asked) == first
    assert len(looks) == 1
    deck.write_text(deck.read_text("utf-8") + "no_such_key: 1\n", "utf-8")
    second = check_game(asked)
    assert second != first
    assert len(looks) == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs files that may not be read")
def test_what_could_not_be_read_is_looked_at_again(
    demo: Path, run: Run, looks: list[module.CheckOptions]
) -> None:
    (demo / "data/demo/cards.yaml").chmod(0)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "cannot be read" in out
    run("check", "demo")
    assert len(looks) == 2
