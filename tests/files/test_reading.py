"""One file: what is read, and what is refused at once."""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files import reading
from cardgen.files.reading import INPUTS, KB, Kind, ReadingError, in_words, read_blocks, read_file
from tests.for_each import for_each
from tests.wording import Wording

SMALL = Kind("notes", 10 * KB, "cut it")
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def refused(path: Path | str, project: Path | None, kind: Kind = SMALL) -> tuple[str, str, str | None]:
    """Code, message and hint of the refusal, which takes no time and is the same for both ways of
    reading."""
    within = None if project is None else [project]
    start = time.process_time()
    with pytest.raises(ReadingError) as error:
        read_file(path, kind, "data/it", within)
    with pytest.raises(ReadingError) as other:
        list(read_blocks(path, kind, "data/it", within))
    assert time.process_time() - start < 1
    (finding,) = error.value.findings
    assert other.value.findings == error.value.findings
    assert finding.location is not None
    assert finding.location.file == "data/it"
    return finding.code, finding.message, finding.hint


def test_a_file_is_read_whole(project: Path) -> None:
    for content in (b"", b"a", b"x" * SMALL.most, bytes(range(256))):
        (project / "a").write_bytes(content)
        assert read_file(project / "a", SMALL, "a", [project]) == content
        assert b"".join(read_blocks(project / "a", SMALL, "a", [project])) == content


def test_blocks_of_a_file_larger_than_one(project: Path) -> None:
    content = os.urandom(3 * reading.BLOCK + 5)
    (project / "a").write_bytes(content)
    kind = Kind("things", len(content), "")
    blocks = list(read_blocks(project / "a", kind, "a", None))
    assert [len(block) for block in blocks] == [reading.BLOCK] * 3 + [5]
    assert b"".join(blocks) == content == read_file(project / "a", kind, "a", None)


def test_one_byte_too_many(project: Path) -> None:
    (project / "a").write_bytes(b"x" * (SMALL.most + 1))
    message = "the file has 10,241 bytes, more than the 10 kB allowed for notes"
    assert refused(project / "a", project) == ("file/size", message, "cut it")


def test_a_huge_file_without_content_is_not_read(project: Path) -> None:
    with (project / "a").open("wb") as file:
        file.truncate(20_000_000_000)
    assert refused(project / "a", project)[0] == "file/size"


def test_nothing_there(project: Path) -> None:
    (project / "file").write_bytes(b"")
    for name in ("none", "none/none", "file/none"):
        assert refused(project / name, project) == ("file/missing", "the file does not exist", None)


@for_each("name", ["a\0b", "a" * 300], ids=["NUL", "long"])
def test_names_that_no_file_can_have(project: Path, name: str) -> None:
    assert refused(f"{project}/{name}", project)[0] == "file/unreadable"
    assert not reading.is_there(f"{project}/{name}")
    assert not reading.is_regular(f"{project}/{name}")


def test_a_folder(project: Path) -> None:
    assert refused(project, project)[:2] == ("file/kind", "the file is a folder, not a file")


@POSIX
def test_pipes_and_sockets_are_not_waited_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(project / "pipe")
    assert refused(project / "pipe", project)[1] == "the file is a pipe, not a file"
    monkeypatch.chdir(project)  # the name of a socket may not be long
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        assert refused(project / "socket", project)[1] == "the file is a socket, not a file"


@POSIX
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null", "/dev/random"])
def test_devices(project: Path, device: str, wording: Wording) -> None:
    if not os.path.exists(device):
        pytest.skip(f"there is no {device} here")
    assert refused(device, None)[:2] == ("file/kind", "the file is a device, not a file")
    (project / "link").symlink_to(device)
    code, message, _ = refused(project / "link", project)
    assert code == "file/outside"
    wording(message)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_files_of_the_system_without_a_size() -> None:
    assert refused("/proc/self/status", None)[0] == "file/changed"


@POSIX
def test_links_within_the_project_are_followed(project: Path) -> None:
    (project / "a").mkdir()
    (project / "a/file").write_bytes(b"here")
    (project / "link").symlink_to("a/file")
    (project / "second").symlink_to(project / "link")
    (project / "b").symlink_to("a")
    (project / "up").symlink_to("..")
    for name in ("link", "second", "b/file", "up/project/link", "a/../link"):
        assert read_file(project / name, SMALL, name, [project]) == b"here"


@POSIX
def test_links_between_the_folders_of_a_project_are_followed(tmp_path: Path, project: Path) -> None:
    (tmp_path / "bundled").mkdir()
    (tmp_path / "bundled/file").write_bytes(b"theirs")
    (project / "link").symlink_to(tmp_path / "bundled/file")
    assert refused(project / "link", project)[0] == "file/outside"
    assert read_file(project / "link", SMALL, "link", [project, tmp_path / "bundled"]) == b"theirs"


@POSIX
def test_links_out_of_the_project_are_not(tmp_path: Path, project: Path) -> None:
    (tmp_path / "project-b").mkdir()  # a name that begins like the project's
    for secret in (tmp_path / "secret", tmp_path / "project-b/secret"):
        secret.write_bytes(b"secret")
        (project / "link").symlink_to(secret)
        code, message, hint = refused(project / "link", project)
        assert (code, message) == ("file/outside", f"the file leads out of the project, to {secret}")
        assert hint
        (project / "link").unlink()
        assert refused(secret, project)[0] == "file/outside"
        assert read_file(secret, SMALL, "secret", None) == b"secret"
    (project / "folder").symlink_to(tmp_path)
    assert refused(project / "folder/secret", project)[0] == "file/outside"


@POSIX
def test_a_link_out_of_the_project_does_not_tell_what_is_there(tmp_path: Path, project: Path) -> None:
    (tmp_path / "there").write_bytes(b"x")
    (project / "there").symlink_to(tmp_path / "there")
    (project / "gone").symlink_to(tmp_path / "gone")
    answers = [refused(project / name, project)[0] for name in ("there", "gone")]
    assert answers == ["file/outside", "file/outside"]


@POSIX
def test_links_to_nothing_and_to_themselves(project: Path) -> None:
    (project / "gone").symlink_to("nowhere")
    assert refused(project / "gone", project)[:2] == (
        "file/link",
        "the file is a link to a missing file",
    )
    (project / "a").symlink_to("b")
    (project / "b").symlink_to("a")
    (project / "self").symlink_to("self")
    for name in ("a", "b", "self", "self/file"):
        assert refused(project / name, project)[:2] == (
            "file/link",
            "the file is a link to itself",
        )


@POSIX
def test_a_project_that_is_reached_by_a_link(tmp_path: Path, project: Path) -> None:
    (project / "file").write_bytes(b"here")
    (tmp_path / "mine").symlink_to(project)
    assert read_file(tmp_path / "mine/file", SMALL, "file", [tmp_path / "mine"]) == b"here"
    assert read_file(tmp_path / "mine/file", SMALL, "file", [project]) == b"here"


@POSIX
@pytest.mark.skipif(os.geteuid() == 0 if os.name == "posix" else True, reason="root may read everything")
def test_a_file_that_may_not_be_read(project: Path) -> None:
    (project / "a").write_bytes(b"x")
    (project / "a").chmod(0)
    assert refused(project / "a", project)[:2] == (
        "file/unreadable",
        "the file cannot be read: Permission denied",
    )


def test_a_file_that_the_system_will_not_open(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a").write_bytes(b"x")

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading.os, "open", denied)
    assert refused(project / "a", project)[:2] == (
        "file/unreadable",
        "the file cannot be read: Permission denied",
    )


@POSIX
@pytest.mark.parametrize(
    ("swap", "code"),
    [("pipe", "file/kind"), ("link", "file/changed"), ("folder", "file/kind"), ("gone", "file/missing")],
)
def test_a_file_that_is_replaced_between_looking_and_opening(
    project: Path, monkeypatch: pytest.MonkeyPatch, swap: str, code: str
) -> None:
    path = project / "a"
    really_open = os.open

    def swapped(*given: object) -> int:
        path.unlink()
        if swap == "pipe":
            os.mkfifo(path)
        elif swap == "link":
            path.symlink_to("/dev/zero")
        elif swap == "folder":
            path.mkdir()
        return really_open(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(reading.os, "open", swapped)
    for read in (read_file, lambda *given: list(read_blocks(*given))):
        path.write_bytes(b"good")
        with pytest.raises(ReadingError) as error:
            read(path, SMALL, "a", [project])
        assert error.value.code == code
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def test_a_file_that_grows_while_it_is_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project / "a"
    path.write_bytes(b"good")
    really_read = os.read

    def growing(handle: int, size: int) -> bytes:
        with path.open("ab") as file:
            file.write(b"more and more")
        return really_read(handle, size)

    monkeypatch.setattr(reading.os, "read", growing)
    assert refused(path, project)[0] == "file/changed"


def test_reads_that_give_less_than_was_asked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a").write_bytes(b"0123456789")
    really_read = os.read
    monkeypatch.setattr(reading.os, "read", lambda handle, size: really_read(handle, min(size, 3)))
    assert read_file(project / "a", SMALL, "a", None) == b"0123456789"
    assert b"".join(read_blocks(project / "a", SMALL, "a", None)) == b"0123456789"


@POSIX
def test_nothing_stays_open(project: Path) -> None:
    (project / "a").write_bytes(b"x" * (SMALL.most + 1))
    (project / "b").write_bytes(b"x")
    before = os.open(project / "b", os.O_RDONLY)
    os.close(before)
    for _ in range(50):
        refused(project / "a", project)
        read_file(project / "b", SMALL, "b", [project])
    after = os.open(project / "b", os.O_RDONLY)
    os.close(after)
    assert after == before


def test_a_refusal_comes_back_from_another_process(project: Path) -> None:
    with pytest.raises(ReadingError) as error:
        read_file(project / "none", SMALL, "none", [project])
    again = pickle.loads(pickle.dumps(error.value))
    assert isinstance(again, CardgenError)
    assert again.findings == error.value.findings


def test_bounds_as_people_say_them() -> None:
    sizes = {in_words(kind.most) for kind in INPUTS}
    assert sizes == {"64 kB", "256 kB", "1 MB", "2 MB", "4 MB", "8 MB", "16 MB", "32 MB", "64 MB"}


@POSIX
def test_whether_one_gets_to_a_place_through_a_folder(tmp_path: Path, project: Path) -> None:
    (tmp_path / "else").mkdir()
    (project / "out").symlink_to(tmp_path / "else")
    (tmp_path / "mine").symlink_to(project)
    assert reading.leads_through(project / "out/x", project)
    assert reading.leads_through(tmp_path / "mine/out/x/y", project)
    assert reading.leads_through(project, project)
    assert not reading.leads_through(tmp_path / "else/x", project)
    assert not reading.leads_through(tmp_path, project)
