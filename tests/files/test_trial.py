"""What is tried in a confined process works where nothing is held; what a system lacks is left out."""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from cardgen.core.findings import UsageError
from cardgen.files import confined_child as trial
from cardgen.files import confinement as bubblewrap
from cardgen.files import confinement as parent
from cardgen.files import confinement_limits as held
from cardgen.files import confinement_limits as limits
from cardgen.files import kernel_rules as landlock
from cardgen.files import kernel_rules as libc
from cardgen.files import kernel_rules as seccomp
from cardgen.files import kernel_rules as syscalls
from cardgen.files.confined_child import Outside, laid_out
from cardgen.files.confinement import available, run
from cardgen.files.confinement_limits import Limits, Places, is_confined
from tests.for_each import for_each
from tests.wording import Wording

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limits of its own to try")

Patch = pytest.MonkeyPatch


def refused(*_: object, **__: object) -> NoReturn:
    raise PermissionError(errno.EPERM, "Operation not permitted")


# ---------------------------------------------------------------- where nothing is held


def test_an_unconfined_process_reaches_everything(tmp_path: Path) -> None:
    with laid_out(tmp_path / "outside") as outside:
        assert Path(outside.file).read_text(encoding="ascii") == "outside\n"
        assert not trial.no_network(outside)
        assert not trial.no_services(outside)
        assert not trial.no_reading(outside)
        assert not trial.no_processes()
        assert not trial.no_more_memory(Limits(memory=4096))
        assert not trial.no_more_time(Limits(seconds=0))
        assert not trial.no_writing(outside)
    assert not is_confined()


def test_each_change_outside_counts(tmp_path: Path) -> None:
    """Whatever can't be opened may still be moved away, and a folder that can't be written to still holds
    a file that can."""
    with laid_out(tmp_path / "outside") as outside:
        Path(outside.file).unlink()
        assert not trial.no_writing(outside), "a new file was made"
    assert trial.no_writing(Outside(str(tmp_path / "gone"), "", 0, 0))
    assert trial.no_reading(Outside(str(tmp_path / "gone"), "", 0, 0))


def test_udp_alone_is_a_network(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(socket.socket, "connect", _but(socket.SOCK_STREAM, socket.socket.connect))
    with laid_out(tmp_path / "outside") as outside:
        assert not trial.no_network(outside)
        monkeypatch.setattr(socket.socket, "connect", refused)
        assert trial.no_network(outside)
        assert trial.no_services(outside)


def _but(kind: int, connect: Callable[..., None]) -> Callable[..., None]:
    """Connecting, but for sockets of that kind."""
    return lambda self, address: refused() if self.type == kind else connect(self, address)


def test_a_system_without_sockets_lays_out_files_alone(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(socket, "create_server", refused)
    monkeypatch.setattr(socket, "socket", refused)
    with laid_out(tmp_path / "outside") as outside:
        assert (outside.local, outside.tcp, outside.udp) == ("", 0, 0)
        assert trial.no_network(outside)


def test_nobody_but_the_child_says_that_it_is_confined(monkeypatch: Patch) -> None:
    monkeypatch.setattr(held, "_CONFINED", [])
    assert not is_confined()
    held.now_confined()
    assert is_confined()


# ---------------------------------------------------------------- limits


def test_limits_are_those_of_the_system_where_it_allows_less(monkeypatch: Patch) -> None:
    """What macOS refuses, and what a system has no name for, is left out; the trial then says so."""
    asked: dict[int, tuple[int, int]] = {}

    def put(number: int, wished: tuple[int, int]) -> None:
        if number == resource.RLIMIT_AS:
            raise ValueError("not allowed to raise maximum limit")
        asked[number] = wished

    most = {resource.RLIMIT_CPU: (-1, 100), resource.RLIMIT_NOFILE: (64, 128)}
    monkeypatch.setattr(resource, "getrlimit", lambda number: most.get(number, (-1, -1)))
    monkeypatch.setattr(resource, "setrlimit", put)
    monkeypatch.delattr(resource, "RLIMIT_CORE")
    limits.limit(Limits(seconds=300, file_size=5000))
    assert asked == {
        resource.RLIMIT_CPU: (100, 100),
        resource.RLIMIT_FSIZE: (5000, 5000),
        resource.RLIMIT_NOFILE: (128, 128),
    }


# ---------------------------------------------------------------- calls of the system

linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux's calls")


@linux
def test_a_call_that_fails_is_an_error_with_its_number() -> None:
    with pytest.raises(OSError, match="Bad file descriptor") as raised:
        libc.system_call(3 if sys.maxsize > 2**32 and os.uname().machine == "x86_64" else 57, -1)
    assert raised.value.errno == errno.EBADF
    with pytest.raises(OSError, match="Invalid argument"):
        libc.control(12345)


def test_a_kernel_without_landlock(monkeypatch: Patch, wording: Wording) -> None:
    monkeypatch.setattr(landlock, "system_call", refused)
    assert landlock.version() == 0
    with pytest.raises(OSError) as caught:
        landlock.restrict([], [])
    wording(caught.value)


def test_a_kernel_without_filters(monkeypatch: Patch) -> None:
    monkeypatch.setattr(seccomp, "processor", lambda: ("x86_64", 1))
    monkeypatch.setattr(seccomp, "control", refused)
    assert not seccomp.supported()


def test_paths_that_are_not_there_get_no_rights(tmp_path: Path, monkeypatch: Patch) -> None:
    asked: list[int] = []

    def call(number: int, *arguments: Any) -> int:
        asked.append(number)
        return 3 if arguments and arguments[-1] == 1 else os.open(os.devnull, os.O_RDONLY)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(landlock, "system_call", call)
    assert landlock.restrict([str(tmp_path), str(tmp_path / "gone")], []) == 3
    assert asked.count(445) == 1, "one rule for the path that is there"
    assert asked[-1] == 446


def test_an_unknown_processor_has_no_numbers(monkeypatch: Patch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    assert syscalls.processor() is None
    with pytest.raises(KeyError):
        syscalls.number_of("kill")
    assert syscalls.numbers_of("network") == []


# ---------------------------------------------------------------- programs of the system


def program(folder: Path, name: str, text: str) -> str:
    """A program of that name in a folder, which is then the path."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    file.chmod(0o755)
    return str(file)


@linux
@pytest.mark.parametrize(("ends", "used"), [(0, True), (1, False)])
def test_bubblewrap_is_used_where_it_is_allowed(
    ends: int, used: bool, tmp_path: Path, monkeypatch: Patch
) -> None:
    file = program(tmp_path, "bwrap", f"exit {ends}")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bubblewrap.bubblewrap_program() == (file if used else None)


@linux
@pytest.mark.parametrize("lacks", ["landlock", "seccomp"])
def test_bubblewrap_gets_the_command_where_the_kernel_lacks_a_means(
    lacks: str, tmp_path: Path, monkeypatch: Patch, capfd: pytest.CaptureFixture[str]
) -> None:
    """This one holds nothing, and so the line does not name it, and nothing is run."""
    script = 'case " $* " in *" -- "*) while [ "$1" != -- ]; do shift; done; shift; exec "$@"; esac'
    program(tmp_path, "bwrap", script)
    monkeypatch.setenv("PATH", str(tmp_path))
    command, order = parent._command(("-c", ""), Places(), Limits(), Outside("", "", 0, 0), (lacks,))
    assert command[0] == str(tmp_path / "bwrap")
    assert order["wrapped_by"] == "bubblewrap"
    with pytest.raises(UsageError, match="can't block a program's access"):
        run(("-c", "print('it ran')"), Places(), without=(lacks,))
    out, err = capfd.readouterr()
    assert out == ""
    assert "bubblewrap" not in err
    assert "writing of files, reading of files" in err


def test_a_process_that_says_nothing_can_not_be_started(monkeypatch: Patch, wording: Wording) -> None:
    monkeypatch.setattr(parent, "_BOOTSTRAP", "raise SystemExit(7)")
    with pytest.raises(OSError) as caught:
        available()
    wording(caught.value)


# ---------------------------------------------------------------- asked to stop


class Program:
    """A program that ends by itself once it was told to, or does not."""

    def __init__(self, *waits: int | BaseException) -> None:
        self.waits, self.killed = list(waits), False

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def communicate(self, _: bytes) -> None:
        raise KeyboardInterrupt

    def wait(self, _: float | None = None) -> int:
        found = self.waits.pop(0)
        if isinstance(found, BaseException):
            raise found
        return found

    def kill(self) -> None:
        self.killed = True


def test_a_terminal_s_stop_is_waited_for(monkeypatch: Patch) -> None:
    """It has told the program as well, which says how it ended."""
    told = Program(-signal.SIGINT)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: told)
    assert run(("-c", ""), Places()) == 128 + signal.SIGINT
    assert not told.killed


@pytest.mark.parametrize("again", [KeyboardInterrupt(), subprocess.TimeoutExpired("python", 10)])
def test_a_program_that_does_not_stop_is_ended(again: BaseException, monkeypatch: Patch) -> None:
    stubborn = Program(again)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: stubborn)
    with pytest.raises(KeyboardInterrupt):
        run(("-c", ""), Places())
    assert stubborn.killed


@for_each("name", ["SIGTERM", "SIGHUP"])
def test_a_stop_becomes_an_exception_while_a_program_runs(name: str) -> None:
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as raised, parent._told_to_stop():
            signal.raise_signal(number)
        assert raised.value.code == 128 + number
        assert signal.getsignal(number) == signal.SIG_DFL
    finally:
        signal.signal(number, before)
