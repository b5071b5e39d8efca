"""Folders: walked once, bounded, never out of the project."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cardgen.files import listing as walking
from cardgen.files.listing import Walked, homes, names_in, walk
from cardgen.files.reading import ReadingError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def put(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"12345")


def walked(root: Path, folder: str = "t", **options: object) -> Walked:
    start = time.process_time()
    found = walk(root / folder, folder, [root], **options)  # type: ignore[arg-type]
    assert time.process_time() - start < 1
    return found


def names(found: Walked, root: Path) -> list[str]:
    return sorted(os.path.relpath(path, root) for path, _, _ in found.files)


def test_every_file_with_its_size_and_time(project: Path) -> None:
    put(project, "t/a", "t/b/c", "t/b/d/e", "other/x")
    os.utime(project / "t/a", ns=(7, 8))
    changed = (project / "t/a").stat().st_ctime_ns  # the other time can be set to anything
    found = walked(project)
    assert names(found, project) == ["t/a", "t/b/c", "t/b/d/e"]
    assert (str(project / "t/a"), 5, changed) in found.files
    assert found.links == []
    assert found.outside == []


def test_no_folder_is_no_files(project: Path) -> None:
    assert walked(project).files == []
    assert names_in(project / "t", "t", [project]) == []
    assert homes([project], "data", "game.yaml") == []


@pytest.mark.parametrize("target", ["/", "/usr", "/proc", "/sys", "/dev"])
def test_links_out_of_the_project_are_not_followed(project: Path, target: str) -> None:
    put(project, "t/a")
    (project / "t/out").symlink_to(target)
    (project / "t/file").symlink_to("/etc/passwd")
    found = walked(project)
    assert names(found, project) == ["t/a"]
    assert sorted(found.outside) == [str(project / "t/file"), str(project / "t/out")]
    assert (str(project / "t/out"), target) in found.links


def test_a_folder_that_is_itself_a_link_out(project: Path) -> None:
    (project / "t").symlink_to("/usr")
    assert walked(project).files == []
    assert walked(project).outside == [str(project / "t")]
    with pytest.raises(ReadingError) as error:
        names_in(project / "t", "t", [project])
    assert error.value.code == "file/outside"


def test_cycles_of_links_are_walked_once(project: Path) -> None:
    put(project, "t/a/x", "t/b/y", "data/z")
    for link, target in {
        "t/self": ".",
        "t/up": "..",
        "t/a/a": ".",
        "t/a/up": "../..",
        "t/b/a": "../a",
        "t/again": "a",
        "data/t": "../t",
    }.items():
        (project / link).symlink_to(target)
    found = walked(project)
    assert names(found, project) == ["data/z", "t/a/x", "t/b/y"]
    assert len(found.links) == 7


def test_many_links_to_one_another_are_linear(project: Path) -> None:
    for number in range(40):
        put(project, f"t/{number}/file")
        for other in range(40):
            (project / f"t/{number}/to{other}").symlink_to(f"../{other}")
    assert len(walked(project).files) == 40


def test_links_that_lead_nowhere(project: Path) -> None:
    put(project, "t/a")
    (project / "t/gone").symlink_to("nowhere")
    (project / "t/self").symlink_to("self")
    found = walked(project)
    assert names(found, project) == ["t/a"]
    assert sorted(found.links) == [(str(project / "t/gone"), ""), (str(project / "t/self"), "")]


def test_a_link_that_leads_elsewhere_now_is_told(project: Path) -> None:
    put(project, "t/a/x", "t/b/x")
    link = project / "t/link"
    link.symlink_to("a")
    before = walked(project)
    link.unlink()
    link.symlink_to("b")
    after = walked(project)
    assert sorted(after.files) == sorted(before.files)
    assert after.links != before.links


def test_folders_left_out(project: Path) -> None:
    put(project, "t/a/x", "t/b/x", "t/b/a/x")
    found = walked(project, skip=lambda path, name, depth: depth == 0 and name == "a")
    assert names(found, project) == ["t/b/a/x", "t/b/x"]


def test_more_files_than_any_game_needs(project: Path) -> None:
    put(project, *(f"t/{number % 7}/{number}" for number in range(100)))
    assert len(walked(project, most=107).files) == 100
    with pytest.raises(ReadingError) as error:
        walked(project, most=106)
    (finding,) = error.value.findings
    assert finding.code == "folder/size"
    assert finding.message == "the folder contains more than 106 files and folders"
    assert str(finding.location) == "t"


def test_the_bound_of_one_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(project, *(f"t/{number}" for number in range(11)))
    monkeypatch.setattr(walking, "MOST_NAMES", 10)
    for call in (lambda: names_in(project / "t", "t", [project]), lambda: homes([project], "t", "x")):
        with pytest.raises(ReadingError) as error:
            call()
        assert error.value.code == "folder/size"


def test_deep_folders(project: Path) -> None:
    put(project, "t/" + "d/" * walking.MOST_DEPTH + "x")
    assert len(walked(project).files) == 1
    put(project, "t/" + "d/" * (walking.MOST_DEPTH + 1) + "x")
    with pytest.raises(ReadingError) as error:
        walked(project)
    assert error.value.code == "folder/depth"


def test_a_folder_that_may_not_be_listed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(project, "t/a", "t/b/c")
    really = os.scandir

    def denied(path: str) -> object:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied")
        return really(path)

    monkeypatch.setattr(walking.os, "scandir", denied)
    assert (str(project / "t/b"), -1, 0) in walked(project).files
    assert names(walked(project), project) == ["t/a", "t/b"]
    with pytest.raises(ReadingError) as error:
        names_in(project / "t/b", "t/b", [project])
    assert str(error.value) == "t/b: the folder cannot be read: Permission denied"


def test_pipes_and_the_like_are_looked_at_and_no_more(project: Path) -> None:
    put(project, "t/a")
    os.mkfifo(project / "t/pipe")
    assert names(walked(project), project) == ["t/a", "t/pipe"]


def test_names_in_a_folder(project: Path) -> None:
    put(project, "t/b.svg", "t/a.svg", "t/.#a.svg", "t/.svg", "t/c.txt", "t/d/e.svg")
    (project / "t/f.svg").symlink_to("nowhere")
    (project / "t/g.svg").mkdir()
    assert names_in(project / "t", "t", [project], ".svg") == ["a.svg", "b.svg", "f.svg", "g.svg"]
    assert names_in(project / "t", "t", [project]) == ["a.svg", "b.svg", "c.txt", "d", "f.svg", "g.svg"]


def test_a_file_in_place_of_a_folder(project: Path) -> None:
    put(project, "t")
    with pytest.raises(ReadingError) as error:
        names_in(project / "t", "t", [project])
    assert error.value.code == "folder/kind"
    assert str(error.value) == "t: the folder is a file"
    assert names(walked(project), project) in ([], ["t"])


def test_names_that_are_not_utf8(project: Path) -> None:
    put(project, "t/a")
    folder = os.fsencode(project / "t")
    try:
        os.mkdir(folder + b"/caf\xe9")
    except OSError:
        pytest.skip("this file system has no such names")
    put(project, os.fsdecode(b"t/caf\xe9/x\ny"))
    assert names(walked(project), project) == ["t/a", os.fsdecode(b"t/caf\xe9/x\ny")]


def test_folders_that_hold_a_file(tmp_path: Path, project: Path) -> None:
    put(project, "data/a/game.yaml", "data/b/other.yaml", "data/game.yaml")
    put(tmp_path, "bundled/data/c/game.yaml")
    (project / "data/out").symlink_to("/usr")
    (project / "data/link").symlink_to("a")
    (project / "data/broken").mkdir()
    (project / "data/broken/game.yaml").symlink_to("nowhere")
    roots = [project, tmp_path / "bundled"]
    assert homes(roots, "data", "game.yaml") == ["a", "broken", "c", "link"]
