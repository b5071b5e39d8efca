"""Where the user stands: which project and which game that means, and how files are named from there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.cli import main
from cardgen.files.project import Project, bundled_root, enclosing
from tests.sampling import one_in
from tests.wording import Wording

Call = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command where the test stands, without saying which project is meant."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = main(words)
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def twins(demo: Path) -> Path:
    """A project of two games."""
    twin = demo / "data/twin/game.yaml"
    twin.parent.mkdir()
    twin.write_text((demo / "data/demo/game.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return demo


INSIDE = ("", "data", "data/demo", "templates/demo/icons", "output", "notes/of/mine")


@pytest.mark.parametrize("below", one_in(3, INSIDE))
def test_commands_find_the_project_and_its_only_game(
    demo: Path, below: str, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    (demo / below).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(demo / below)
    code, out, err = call("build", "--card", "old-oak", "--no-backs")
    assert code == 0, err
    (made,) = (demo / "output/demo").glob("*.pdf")
    assert out.split()[0] == os.path.relpath(made)
    assert call("check") == (0, "no findings\n", "")


@pytest.mark.parametrize(
    ("below", "games"),
    [
        ("data/twin", ["twin"]),
        ("templates/demo/icons", ["demo"]),
        ("output/demo", ["demo"]),
        ("data", ["demo", "twin"]),
        ("", ["demo", "twin"]),
        ("notes/demo", ["demo", "twin"]),
    ],
)
def test_a_games_own_folder_says_which_is_meant(
    twins: Path, below: str, games: list[str], monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    (twins / below).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(twins / below)
    assert Project.open().games_here() == games
    if len(games) == 1:
        assert Project.open().game_here() == games[0]
    else:
        code, out, err = call("build")
        assert (code, out) == (2, "")
        hint = "name one of: demo, twin"
        assert err == f"the project has several games; name one [usage/game]\n  hint: {hint}\n"


def test_check_without_a_game_judges_all(twins: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    monkeypatch.chdir(twins)
    code, out, _ = call("check")
    assert code == 1
    assert "data/twin/game.yaml" in out


def test_where_there_is_no_project_the_current_folder_is_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Project.open().root == tmp_path
    code, _, err = call("build")
    assert code == 2
    wording(err)


def test_a_project_that_is_named_is_taken_as_it_is(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo / "data/demo")
    assert Project.open(".").root == demo / "data/demo"


@pytest.mark.skipif(os.name != "posix", reason="needs owners of folders")
def test_a_project_of_somebody_else_is_not_come_upon(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = demo / "data/demo"
    assert enclosing(inner) == demo
    stat = Path.stat

    def of_others(path: Path, **more: bool) -> os.stat_result:
        found = stat(path, **more)
        return os.stat_result((*found[:4], found.st_uid + 1, *found[5:])) if path == demo else found

    monkeypatch.setattr(Path, "stat", of_others)
    assert enclosing(inner) is None


def test_a_project_does_not_begin_in_another(
    demo: Path, monkeypatch: pytest.MonkeyPatch, call: Call, wording: Wording
) -> None:
    monkeypatch.chdir(demo / "data")
    code, _, err = call("new", "inner")
    assert code == 2
    assert "[usage/nested]" in err
    assert not (demo / "data/inner").exists()
    with pytest.raises(cardgen.UsageError) as caught:
        cardgen.new_project("inner", demo / "yet/to/be")
    wording(caught.value)


def test_a_project_may_begin_beside_the_bundled_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.commands.data.new.enclosing", lambda folder: bundled_root())
    assert cardgen.new_project("mine", tmp_path).is_dir()


@pytest.mark.parametrize(
    ("stand", "seen"),
    [
        ("", CARDS),
        ("data/demo", "cards.yaml"),
        ("templates/demo", "../../data/demo/cards.yaml"),
        ("..", f"demo/{CARDS}"),
    ],
)
@pytest.mark.parametrize("command", ["build", "check"])
def test_findings_name_files_as_they_are_opened_from_here(
    demo: Path,
    edit: Edit,
    stand: str,
    seen: str,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    call: Call,
) -> None:
    edit(CARDS, "value: 5", "valeu: 5")
    monkeypatch.chdir(demo / stand)
    named = ["--project", "demo"] if stand == ".." else []
    code, out, err = call(command, *named)
    assert code == 1
    lines = [line for line in (out + err).splitlines() if "[schema/" in line]
    assert lines
    for line in lines:
        assert line.startswith(f"{seen}:")
        assert Path(line.partition(":")[0]).is_file()


def test_findings_for_programs_name_files_from_the_project_on(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    edit(CARDS, "value: 5", "valeu: 5")
    monkeypatch.chdir(demo / "data/demo")
    assert f'"file": "{CARDS}"' in call("check", "--format", "json")[1]


def test_files_that_are_nobodys_keep_their_names(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo / "data/demo")
    project = Project.open()
    (demo / "data/demo/my.txt").write_text("")
    for file in ("my.txt", "/etc/hosts", "data/sizes.yaml", "nowhere.txt"):
        assert project.seen_from_here(file) == file
    assert project.seen_from_here("data/demo/gone.yaml") == "gone.yaml"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("bild", "demo"), "did you mean 'build'?"),
        (("build", "demo", "--shet=poker"), "did you mean '--sheet'?"),
        (("check", "--format", "jsn"), "did you mean 'json'?"),
        (("build", "demo", "--duplex", "long-egde"), "did you mean 'long-edge'?"),
        (("export", "demo", "--to", "ttts"), "did you mean 'tts'?"),
        (("build", "demo", "extra", "words"), "unrecognized arguments: extra words"),
        (("list", "dmeo"), "did you mean 'demo'?"),
        (("preview", "dmeo"), "did you mean 'demo'?"),
        (("export", "demo", "--to", "png", "--component", "crads"), "did you mean 'cards'?"),
    ],
)
def test_what_is_near_is_said(
    demo: Path, words: tuple[str, ...], hint: str, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    monkeypatch.chdir(demo)
    code, _, err = call(*words)
    assert code == 2
    assert hint in err


@pytest.mark.parametrize(
    "words",
    [
        ("proof", "old-oak", "--dpi", "20"),
        ("proof", "--dpi", "20", "old-oak"),
        ("proof", "demo", "--dpi", "20", "old-oak"),
        ("proof", "--dpi", "20", "demo", "--low-ink", "old-oak"),
    ],
)
def test_names_and_options_stand_in_any_order(
    demo: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    monkeypatch.chdir(demo)
    code, out, err = call(*words)
    assert code == 0, err
    assert Path(out.split()[0]).name.startswith("old-oak-face")
    assert not Path(out.split()[0]).is_absolute()


def test_the_name_alone_says_what_there_is(call: Call) -> None:
    code, out, err = call()
    assert (code, out) == (2, "")
    assert "cardgen check demo " in err
    assert "error" not in err
