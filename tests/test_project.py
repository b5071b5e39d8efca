"""A project folder as a whole: what lies in it, where it is, what is said of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.core.findings import CardgenError, Findings, UsageError
from cardgen.files import listing as walking
from cardgen.files.project import MOST_REMARKS, Project, check_folders
from tests.wording import Wording

posix = pytest.mark.skipif(os.name != "posix", reason="needs links")

Run = Callable[..., tuple[int, str, str]]


def remarks(demo: Path) -> list[tuple[str, str]]:
    findings = Findings()
    check_folders(Project.open(demo).paths, "demo", findings)
    return [(each.code, each.location.file if each.location else "") for each in findings]


def test_nothing_is_said_of_a_new_project(demo: Path) -> None:
    assert remarks(demo) == []


@posix
@pytest.mark.parametrize("folder", ["data", "templates", "schemas", "fonts"])
def test_links_out_of_the_project_are_remarked_on(demo: Path, folder: str) -> None:
    (demo / folder).mkdir(exist_ok=True)
    (demo / folder / "x").symlink_to("/")
    (demo / folder / "within").symlink_to("../data/demo")
    assert remarks(demo) == [("file/outside", f"{folder}/x")]


@posix
def test_a_folder_of_the_project_that_is_a_link_out(demo: Path) -> None:
    (demo / "fonts").symlink_to("/usr")
    assert remarks(demo) == [("file/outside", "fonts")]


@posix
def test_remarks_of_one_sort_are_few(demo: Path) -> None:
    for number in range(2 * MOST_REMARKS):
        (demo / f"data/out{number}").symlink_to("/usr")
    assert len(remarks(demo)) == MOST_REMARKS


@pytest.mark.skipif(os.path.normcase("A") == "a", reason="needs names that differ by case")
@pytest.mark.parametrize(
    ("one", "other"),
    [("sun.svg", "Sun.svg"), ("caf\u00e9.svg", "cafe\u0301.svg"), ("\u00e9.svg", "E\u0301.svg")],
)
def test_names_that_are_one_on_other_systems(demo: Path, one: str, other: str) -> None:
    icons = demo / "templates/demo/icons"
    (icons / one).write_text("<svg/>")
    if (icons / other).exists():
        pytest.skip("this file system takes them for one")
    (icons / other).write_text("<svg/>")
    ((code, file),) = remarks(demo)
    assert code == "file/case"
    assert file in (f"templates/demo/icons/{one}", f"templates/demo/icons/{other}")


def test_more_files_than_are_walked(demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking.walk, "__kwdefaults__", {"skip": None, "most": 60})
    for number in range(61):
        (demo / f"data/demo/{number}.txt").write_text("")
    assert ("folder/size", "data") in remarks(demo)
    for command in (("build", "demo"), ("check", "demo"), ("export", "demo", "--to", "png")):
        code, out, err = run(*command)
        assert code == 1
        assert "folder/size" in out + err


@posix
def test_links_do_not_lead_a_build_through_the_machine(demo: Path, run: Run) -> None:
    for link, target in {
        "data/x": "/usr",
        "templates/x": "/",
        "templates/y": "..",
        "templates/demo/y": ".",
    }.items():
        (demo / link).symlink_to(target)
    project = Project.open(demo)
    start = time.process_time()
    entries = project.fingerprint("demo")
    assert time.process_time() - start < 0.5
    assert not any(path.startswith(("/usr/", "/etc/")) for path, _, _ in entries)
    time.sleep(0.06)
    assert run("build", "demo")[0] == 0
    assert "up to date" in run("build", "demo")[1]
    code, out, _ = run("check", "demo")
    assert code == 0
    assert out.count("[file/outside]") == 2


@posix
def test_a_link_led_elsewhere_is_an_edit(demo: Path) -> None:
    (demo / "templates/part").symlink_to("demo")
    project = Project.open(demo)
    before = project.fingerprint("demo")
    assert project.fingerprint("demo") == before
    (demo / "templates/part").unlink()
    (demo / "templates/part").symlink_to("demo/icons")
    assert project.fingerprint("demo") != before


@posix
def test_files_behind_a_link_within_the_project_are_inputs(demo: Path) -> None:
    (demo / "shared").mkdir()
    (demo / "shared/part.svg").write_text("<g/>")
    (demo / "templates/shared").symlink_to("../shared")
    project = Project.open(demo)
    before = project.fingerprint("demo")
    (demo / "shared/part.svg").write_text("<g id='a'/>")
    assert project.fingerprint("demo") != before


@posix
def test_a_broken_link_is_not_passed_over_for_a_bundled_file(demo: Path) -> None:
    (demo / "data/sizes.yaml").symlink_to("nowhere.yaml")
    with pytest.raises(CardgenError) as error:
        cardgen.load("demo", project=Project.open(demo))
    assert [str(each.location) for each in error.value.findings if each.code == "file/link"] == [
        "data/sizes.yaml"
    ]


@pytest.mark.parametrize("name", ["none", "README.md", "a" * 300, "a\0b", ""])
def test_what_is_no_project_folder(
    demo: Path, name: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(demo)
    if name:
        with pytest.raises(UsageError) as caught:
            Project.open(name)
        wording(caught.value)
    else:
        assert Project.open(name).root == demo


@posix
def test_a_current_folder_that_is_gone(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    here = tmp_path / "gone"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    with pytest.raises(UsageError) as caught:
        Project.open()
    wording(caught.value)
    assert run("list", "demo")[0] == 0
    assert run("build", "demo", "--quiet")[0] == 0
    assert run("export", "--help")[0] == 0
    with pytest.raises(UsageError) as caught:
        cardgen.export_to(cardgen.ExportOptions("demo", "png"))
    wording(caught.value)


@posix
def test_files_that_the_user_names(demo: Path, tmp_path: Path) -> None:
    project = Project.open(demo)
    (tmp_path / "mine.txt").write_text("")
    (demo / "linked").symlink_to(tmp_path)
    assert project.holders(tmp_path / "mine.txt") is None
    assert project.holders(demo / "mine.txt") == project.paths.roots
    assert project.holders(demo / "linked/mine.txt") == project.paths.roots


@posix
def test_a_project_whose_name_is_not_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    parent = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        parent.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    folder = cardgen.new_project("shop", parent)
    project = Project.open(folder)
    game = cardgen.load("shop", project=project)
    assert [each for each in cardgen.check(game) if each.severity == "error"] == []
    time.sleep(0.06)
    options = cardgen.BuildOptions("shop")
    assert not cardgen.build(options, project=project).up_to_date
    assert cardgen.build(options, project=project).up_to_date
    assert cardgen.export_to(
        cardgen.ExportOptions("shop", "png", settings={"dpi": 20}), project=project
    ).files
    with pytest.raises(CardgenError, match="not UTF-8"):
        cardgen.export_to(cardgen.ExportOptions("shop", "tts", settings={"dpi": 20}), project=project)
    back = folder / "templates/shop/back.svg"
    (folder / "templates/shop/dot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    back.write_text(
        back.read_text().replace("</svg>", '<image href="dot.png" width="9" height="9"/></svg>')
    )
    game = cardgen.load("shop", project=project)
    assert "image/path" in {each.code for each in cardgen.check(game)}


def test_a_new_project_whose_name_is_too_long(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(CardgenError) as caught:
        cardgen.new_project("a" * 300, tmp_path)
    wording(caught.value)


@posix
def test_deck_lists_that_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    project = Project.open()
    games = (cardgen.load(name, project=project) for name in project.games())
    game = next(game for game in games if game.deck_source is not None)
    Path("zero.txt").symlink_to("/dev/zero")
    Path("users.txt").symlink_to("/etc/passwd")
    Path("self.csv").symlink_to("self.csv")
    Path("gone.yaml").symlink_to("gone")
    os.mkfifo("pipe.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    with Path("big.txt").open("wb") as file:
        file.truncate(20_000_000_000)
    codes = {
        "zero.txt": "file/outside",
        "users.txt": "file/outside",
        "self.csv": "file/link",
        "gone.yaml": "file/link",
        "pipe.txt": "file/kind",
        "../pipe.txt": "file/kind",
        "../zero.txt": "file/kind",
        "big.txt": "file/size",
        "a" * 300 + ".txt": "usage/deck",
        "nowhere/a.txt": "usage/deck",
        "..": "usage/deck",
    }
    for name, code in codes.items():
        with pytest.raises(CardgenError) as error:
            cardgen.load_deck(game, name, project=project)
        assert [finding.code for finding in error.value.findings] == [code], name
