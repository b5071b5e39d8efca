"""Where results may go: where the user said, and never out of the project by a link that lay there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check.check import write_report
from cardgen.core.findings import CardgenError
from cardgen.files.listing import check_place
from tests.wording import Wording

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def refused(folder: Path, project: Path) -> str:
    with pytest.raises(CardgenError) as error:
        check_place(folder, project)
    (finding,) = error.value.findings
    assert finding.code == "output/outside"
    return finding.message


def test_folders_that_are_not_there_yet(project: Path, elsewhere: Path) -> None:
    check_place(project / "output/demo", project)
    check_place(elsewhere / "a/b", project)


def test_links_out_of_the_project(project: Path, elsewhere: Path) -> None:
    (project / "output").symlink_to(elsewhere)
    assert refused(project / "output/demo", project).endswith(f"to {elsewhere}/demo")
    assert refused(project / "output", project)


def test_a_link_further_down(project: Path, elsewhere: Path) -> None:
    (project / "output/demo/png").mkdir(parents=True)
    (project / "output/demo/png/cards").symlink_to(elsewhere)
    assert refused(project / "output/demo", project).endswith(f"to {elsewhere}")
    check_place(project / "output/other", project)


def test_a_link_that_leads_to_nothing_yet(project: Path, elsewhere: Path) -> None:
    (project / "output").symlink_to(elsewhere / "new")
    assert refused(project / "output/demo", project)


def test_links_within_the_project(project: Path) -> None:
    (project / "prints").mkdir()
    (project / "output").symlink_to("prints")
    check_place(project / "output/demo", project)


def test_the_users_own_links(tmp_path: Path, project: Path, elsewhere: Path) -> None:
    (tmp_path / "prints").symlink_to(elsewhere)
    (elsewhere / "demo").symlink_to(tmp_path)
    check_place(tmp_path / "prints/demo", project)


def test_a_link_of_the_project_named_by_another_way(tmp_path: Path, project: Path, elsewhere: Path) -> None:
    (project / "output").symlink_to(elsewhere)
    (tmp_path / "mine").symlink_to(project)
    assert refused(tmp_path / "mine/output/demo", project)


COMMANDS = {
    "build": ("build", "demo", "--quiet"),
    "export": ("export", "demo", "--to", "png", "--dpi", "20", "--quiet"),
    "report": ("report", "demo"),
    "proof": ("proof", "demo", "gardener", "--dpi", "20"),
    "calibrate": ("calibrate",),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("named", ["", "output", "../demo/output"])
def test_no_command_follows_a_link_out_of_the_project(
    command: str, named: str, demo: Path, elsewhere: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (demo / "output/.gitignore").unlink()
    (demo / "output").rmdir()
    (demo / "output").symlink_to(elsewhere)
    monkeypatch.chdir(demo)
    words = [*COMMANDS[command], *(["--output", named] if named else [])]
    code, _, err = run(*words)
    assert code == 1
    assert "output/outside" in err
    assert list(elsewhere.iterdir()) == []


def test_where_the_user_says_may_be_anywhere(
    demo: Path, elsewhere: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prints").symlink_to(elsewhere)
    monkeypatch.chdir(demo)
    assert run(*COMMANDS["proof"], "--output", str(tmp_path / "prints"))[0] == 0
    assert len(list((elsewhere / "demo/proof").iterdir())) == 2


def test_a_link_in_place_of_an_output_is_replaced(demo: Path, elsewhere: Path, wording: Wording) -> None:
    (elsewhere / "precious").write_text("mine")
    folder = demo / "output/demo"
    folder.mkdir(parents=True)
    for name in ("report.html", "report.pdf"):
        (folder / name).symlink_to(elsewhere / "precious")
    project = cardgen.Project.open(demo)
    # The links lead out, and that is said before anything is written.
    with pytest.raises(CardgenError) as caught:
        write_report(cardgen.load("demo", project=project), project=project)
    wording(caught.value)
    for name in ("report.html", "report.pdf"):
        (folder / name).unlink()
        (folder / name).symlink_to(demo / "data/demo/cards.yaml")
    write_report(cardgen.load("demo", project=project), project=project)
    assert not (folder / "report.html").is_symlink()
    assert (elsewhere / "precious").read_text() == "mine"
    assert (demo / "data/demo/cards.yaml").read_text().startswith("#")


def test_a_list_of_outputs_removes_nothing_elsewhere(demo: Path, tmp_path: Path, elsewhere: Path) -> None:
    """An export removes what an older list names; a pack brings such a list, and a link."""
    from cardgen.exports.delivery import deliver
    from cardgen.exports.job import PlannedFile
    from cardgen.files.changes import Changes

    (elsewhere / "precious").write_text("mine")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "link").symlink_to(elsewhere)
    (folder / "stale.png").write_text("x")
    (folder / "export.json").write_text(
        '{"export": 1, "files": ['
        '{"path": "link/precious", "made_of": "", "sha256": "", "bytes": 4},'
        '{"path": "stale.png", "made_of": "", "sha256": "", "bytes": 1}]}'
    )
    with Changes(folder) as changes:
        delivery = deliver(changes, [PlannedFile.of("a.png", b"new")], {})
    assert (elsewhere / "precious").read_text() == "mine"
    assert not (folder / "stale.png").exists()
    assert (folder / "a.png").read_bytes() == b"new"
    assert folder / "stale.png" in delivery.removed


def test_nothing_takes_the_place_of_a_device(tmp_path: Path, wording: Wording) -> None:
    from cardgen.files.writing import write_bytes

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "null"):
        with pytest.raises(CardgenError) as caught:
            write_bytes(tmp_path / name, b"x")
        wording(caught.value)
    assert not (tmp_path / "pipe").is_file()
    assert os.path.islink(tmp_path / "null")
    assert sorted(os.listdir(tmp_path)) == ["null", "pipe"]


@pytest.mark.parametrize("name", ["folder", "device", "nowhere", "self", "outside"])
def test_a_card_reference_that_is_no_file(
    name: str, demo: Path, elsewhere: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)
    path = demo / "data/demo/GAME_CARDS.md"
    (elsewhere / "file").write_text("mine")
    targets = {"device": "/dev/zero", "nowhere": "gone", "self": path.name, "outside": elsewhere / "file"}
    if name == "folder":
        path.mkdir()
    else:
        path.symlink_to(targets[name])
    code, _, err = run("reference", "demo", "--check")
    assert code == 1
    assert "run: cardgen reference demo" in err
    code, _, err = run("reference", "demo")
    if name in ("folder", "device"):
        assert code == 1
        assert "output/unwritable" in err
    else:
        assert code == 0
        assert path.is_file()
        assert not path.is_symlink()
    assert (elsewhere / "file").read_text() == "mine"
