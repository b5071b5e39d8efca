"""Disks that are full, folders that may not be written to, users without a home, many at once: findings,
nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.files import writing as locks
from cardgen.files.changes import Changes
from tests.sampling import one_in

from .conftest import retitle
from .dying import SOME_OR_ALL, Disk, End, denied, end_of, ends_of, every_step, full, hidden, snapshot

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")

NOBODY = 65534
SPACE = frozenset({"open", "write", "fsync", "mkdir", "link"})


def build(project: cardgen.Project, **options: object) -> cardgen.BuildResult:
    return cardgen.build(cardgen.BuildOptions("demo", **options), project=project)  # type: ignore[arg-type]


def export(project: cardgen.Project, to: str = "png") -> cardgen.ExportResult:
    wish = cardgen.ExportOptions("demo", to, settings={"dpi": 30} if to == "png" else {})
    return cardgen.export_to(wish, project=project)


@SOME_OR_ALL
@pytest.mark.parametrize("command", [build, export])
@pytest.mark.parametrize("lasting", one_in(2, [False, True], ["for a moment", "for good"]))
def test_a_full_disk(
    tiny: Path,
    tmp_path: Path,
    command: Callable[[cardgen.Project], object],
    lasting: bool,
    monkeypatch: pytest.MonkeyPatch,
    every: int,
) -> None:
    """Output and cache on it, full from any step on."""
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    project = cardgen.Project.open(tiny)
    command(project)
    old = snapshot(tiny / "output")
    shutil.copytree(tiny / "output", tmp_path / "old")
    retitle(tiny)
    command(project)
    new = snapshot(tiny / "output")
    shutil.rmtree(tmp_path / "cache")
    ends = []
    for disk in every_step(full, lasting=lasting, only=SPACE, every=1 + every // 3):
        shutil.rmtree(tiny / "output")
        shutil.copytree(tmp_path / "old", tiny / "output")
        end = end_of(lambda: command(project), disk)
        ends.append(end)
        assert end in ("done", "finding")
        assert snapshot(tiny / "output") == (new if end == "done" else old)
        assert hidden(tiny / "output") == []
    assert ends.count("finding") > 3 // every
    command(project)
    assert snapshot(tiny / "output") == new


def test_the_finding_names_the_file_and_a_way_out(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", no_space)
    assert main(["build", "demo", "--quiet", "--project", str(tiny)]) == 1
    err = capsys.readouterr().err
    assert "[output/disk-full]" in err
    assert "output/demo/poker.pdf" in err


@pytest.mark.parametrize("command", ["build", "export", "report", "reference", "proof", "calibrate", "new"])
def test_a_file_where_the_output_folder_belongs(
    tiny: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = (tiny.parent if command == "new" else tiny) / "out"
    out.write_text("a file")
    words = {
        "build": ["build", "demo", "--output"],
        "export": ["export", "demo", "--to", "png", "--output"],
        "report": ["report", "demo", "--output"],
        "reference": ["reference", "demo", "--output"],
        "proof": ["proof", "demo", "first", "--output"],
        "calibrate": ["calibrate", "--output"],
        "new": ["new", "fresh", "--project"],
    }[command]
    target = str(out / "deeper") if command in ("reference", "calibrate") else str(out)
    project = [] if command == "new" else ["--project", str(tiny)]
    assert main([*words, target, *project]) == 1
    assert "[output/unwritable]" in capsys.readouterr().err
    assert out.read_text() == "a file"


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user gets to; pytest's own are root's."""
    with tempfile.TemporaryDirectory(prefix="cardgen-faults-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(work: Callable[[], object]) -> Callable[[], object]:
    """Work done by a user without rights; root has them all. Others just do it."""

    def done() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        work()

    return done


@pytest.mark.parametrize("command", [build, export])
def test_a_read_only_output(
    tiny: Path, public: Path, command: Callable[[cardgen.Project], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(public / "cache"))
    project = cardgen.Project.open(shutil.copytree(tiny, public / "project"))
    command(project)
    output = project.root / "output"
    old = snapshot(output)
    retitle(project.root)
    folders = [output, *(path for path in output.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert end_of(as_nobody(lambda: command(project)), Disk(0, full)) == "finding"
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert snapshot(output) == old
    assert hidden(output) == []
    command(project)
    assert snapshot(output) != old


def test_a_cache_that_is_another_user_s(tiny: Path, public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is used as far as it can be read, and not written to; where it cannot, all is made anew."""
    monkeypatch.setenv("CARDGEN_CACHE", str(public / "cache"))
    project = cardgen.Project.open(shutil.copytree(tiny, public / "project"))
    build(project)
    clean = snapshot(project.root / "output")
    kept = snapshot(public / "cache")
    out = public / "out"
    out.mkdir()
    out.chmod(0o777)
    for mode in (0o555, 0o000):
        for path in (public / "cache").rglob("*"):
            path.chmod(mode)
        assert end_of(as_nobody(lambda: build(project, output=out)), Disk(0, full)) == "done"
        assert snapshot(out) == clean
    for path in sorted((public / "cache").rglob("*")):
        path.chmod(0o755)
    assert snapshot(public / "cache") == kept


@pytest.mark.long
@pytest.mark.parametrize("home", one_in(3, ["/dev/null/home", "/dev/null", "/proc"]))
def test_no_home_and_no_environment(tiny: Path, home: str) -> None:
    """`env -i` and a home that is none, or cannot be written to."""
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", "build", "demo", "--quiet"],
        cwd=tiny,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "HOME": home},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tiny / "output/demo/poker.pdf").is_file()
    assert sorted(path.name for path in tiny.iterdir()) == ["data", "output", "schemas", "templates"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", one_in(2, ["", "1"]))
def test_what_is_printed_to_a_full_disk(tiny: Path, unbuffered: str) -> None:
    with Path("/dev/full").open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "cardgen", "check", "demo"],
            cwd=tiny,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": unbuffered},
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "[system/output]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_goes_while_it_is_read(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the system refuses where no stage has words for it."""

    def gone(project: cardgen.Project) -> None:
        raise FileNotFoundError(2, os.strerror(2), "fonts/gone.ttf")

    monkeypatch.setattr("cardgen.commands.data.list.list_games", gone)
    assert main(["list", "--project", str(tiny)]) == 1
    assert (
        "fonts/gone.ttf: can't be used: No such file or directory [system/file]" in capsys.readouterr().err
    )


# ---------------------------------------------------------------- at once


@pytest.mark.long
def test_eight_builds_and_exports_at_once(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All in one folder, with an empty cache: all come through, and what they leave is what they would
    have left one after the other."""
    project = cardgen.Project.open(tiny)

    def work() -> list[Callable[[], object]]:
        return [
            lambda: build(project),
            lambda: build(project, sheets=("single",)),
            lambda: build(project, low_ink=True),
            lambda: build(project),
            lambda: export(project),
            lambda: export(project),
            lambda: export(project, "svg"),
            lambda: cardgen.proof("demo", "first", project=project, dpi=30),
        ]

    for each in work():
        each()
    expected = snapshot(tiny / "output")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    shutil.rmtree(tiny / "output")
    assert ends_of(work()) == ["done"] * 8
    assert snapshot(tiny / "output") == expected
    assert hidden(tiny / "output") == []


@SOME_OR_ALL
@pytest.mark.long
def test_eight_at_once_and_some_of_them_killed(tiny: Path, every: int) -> None:
    project = cardgen.Project.open(tiny)
    build(project)
    export(project)
    retitle(tiny)
    killed: list[End] = []
    for at in (2, 9, 14, 19, 24, 31)[::every]:
        disk = Disk(at, lambda kind: os.kill(os.getpid(), 9))
        ends = ends_of([lambda: build(project), lambda: export(project)] * 4, disk)
        assert set(ends) <= {"done", "killed"}
        killed += ends
    assert killed.count("killed") > 12 // every
    build(project)
    export(project)
    after = snapshot(tiny / "output")
    assert hidden(tiny / "output") == []
    shutil.rmtree(tiny / "output/demo")
    build(project)
    export(project)
    assert snapshot(tiny / "output") == after


def test_a_folder_that_another_process_keeps(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "WAIT", 0.05)
    with Changes(tiny / "output/demo"):
        assert main(["build", "demo", "--quiet", "--project", str(tiny)]) == 1
    err = capsys.readouterr().err
    assert "output/demo: " in err
    assert "[output/busy]" in err
    assert "[output/busy]" in err
    assert main(["build", "demo", "--quiet", "--project", str(tiny)]) == 0


@SOME_OR_ALL
def test_a_denial_at_any_step_is_a_finding(tiny: Path, every: int) -> None:
    project = cardgen.Project.open(tiny)
    build(project)
    old = snapshot(tiny / "output")
    retitle(tiny)
    build(project, output=tiny / "new")
    new = snapshot(tiny / "new")
    ends = []
    for disk in every_step(denied, only=frozenset({"open", "mkdir", "rename"}), every=1 + every // 3):
        end = end_of(lambda: build(project), disk)
        ends.append(end)
        assert end in ("done", "finding")
        for name, content in snapshot(tiny / "output").items():
            assert content in (old[name], new[name])
        if snapshot(tiny / "output") != old:
            shutil.rmtree(tiny / "output/demo")
            for name, content in old.items():
                (tiny / "output" / name).parent.mkdir(parents=True, exist_ok=True)
                (tiny / "output" / name).write_bytes(content)
    assert "finding" in ends
