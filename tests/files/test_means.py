"""The means one by one, without a process to confine: what is asked of the system for which wish."""

from __future__ import annotations

import errno
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardgen import UsageError
from cardgen.files import confinement as bubblewrap
from cardgen.files import kernel_rules as landlock
from cardgen.files import kernel_rules as seccomp
from cardgen.files.confinement import available, run
from cardgen.files.confinement_limits import NEEDED, Held, Limits, Places, python_files
from cardgen.files.kernel_rules import FIRST_UNKNOWN, number_of
from tests.for_each import for_each
from tests.wording import Wording

PROCESSORS = ["x86_64", "aarch64", "riscv64"]
NAMES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}
OWN = 4321
THREAD_FLAGS = 0x3D0F00
"""What the C library asks for a new thread with; a new process lacks the bit 0x10000."""


@pytest.fixture(params=PROCESSORS)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Linux on each processor in turn."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


def answer(machine: str, number: int, *arguments: int, processor: int | None = None) -> str:
    """What the filter says to a call, found as the kernel finds it."""
    called = NAMES[machine] if processor is None else processor
    words = {0: number, 4: called}
    for index in range(6):
        value = arguments[index] & (1 << 64) - 1 if index < len(arguments) else 0
        words |= {16 + 8 * index: value & 0xFFFFFFFF, 20 + 8 * index: value >> 32}
    program = seccomp.program(OWN)
    at, held = 0, 0
    while True:
        what, yes, no, operand = program[at]
        at += 1
        if what == seccomp.LOAD:
            held = words[operand]
        elif what == seccomp.ANSWER:
            break
        else:
            true = {
                seccomp.EQUAL: held == operand,
                seccomp.AT_LEAST: held >= operand,
                seccomp.ANY_BIT: held & operand != 0,
            }[what]
            at += yes if true else no
    if operand == seccomp.ALLOWED:
        return "allowed"
    return "killed" if operand == seccomp.KILLED else errno.errorcode[operand & 0xFFFF]


@for_each(
    ("call", "arguments", "expected"),
    [
        ("socket", (2, 1, 0), "EACCES"),
        ("connect", (3,), "EACCES"),
        ("io_uring_setup", (8,), "EACCES"),
        ("execve", (), "EPERM"),
        ("ptrace", (), "EPERM"),
        ("mount", (), "EPERM"),
        ("fchmodat2", (), "EPERM"),
        ("memfd_create", (), "EPERM"),
        ("setrlimit", (), "EPERM"),
        ("clone", (THREAD_FLAGS,), "allowed"),
        ("clone", (0x1200011,), "EPERM"),
        ("clone3", (), "ENOSYS"),
        ("kill", (OWN, 9), "allowed"),
        ("kill", (OWN + 1, 9), "EPERM"),
        ("kill", (-1, 9), "EPERM"),
        ("kill", (0, 9), "EPERM"),
        ("tgkill", (OWN, 1, 6), "allowed"),
        ("tgkill", (1, 1, 6), "EPERM"),
        ("prlimit64", (0, 7, 0, 0x7FFF_1234_5678), "allowed"),
        ("prlimit64", (0, 7, 0x7FFF_1234_5678, 0), "EPERM"),
        ("prlimit64", (0, 7, 0x1_0000_0000, 0), "EPERM"),
        ("prlimit64", (0, 7, 0x5678, 0), "EPERM"),
        ("ioctl", (0, 0x5412), "EPERM"),
        ("ioctl", (0, 0x541C), "EPERM"),
        ("ioctl", (0, 0x5423), "EPERM"),
        ("ioctl", (0, 0x540E), "EPERM"),
        ("ioctl", (0, 0x1_0000_5412), "EPERM"),
        ("ioctl", (0, 0x5413), "allowed"),
        ("fchmod", (3, 0o644), "allowed"),
        ("fchmod", (3, 0o4755), "EPERM"),
        ("fchmod", (3, 0o2755), "EPERM"),
    ],
)
def test_the_filter(machine: str, call: str, arguments: Sequence[int], expected: str) -> None:
    assert answer(machine, number_of(call), *arguments) == expected


def test_the_filter_lets_work_be_done(machine: str) -> None:
    ordinary = {
        # read, write, openat, mmap, futex, renameat(2), fchmod, fsync, exit_group
        "x86_64": (0, 1, 257, 9, 202, 82, 264, 316, 91, 74, 231),
        "aarch64": (63, 64, 56, 222, 98, 38, 276, 52, 82, 94),
    }
    for number in ordinary.get(machine, ordinary["aarch64"]):
        assert answer(machine, number) == "allowed", number


def test_other_sets_of_numbers_are_closed(machine: str) -> None:
    assert answer(machine, 1, processor=0x40000003) == "killed"
    assert answer(machine, 0x40000000 + 41) == "killed"
    assert answer(machine, FIRST_UNKNOWN) == "ENOSYS"


def test_the_filter_is_short_enough_for_the_kernel(machine: str) -> None:
    program = seccomp.program(OWN)
    assert len(program) < 4096
    assert all(0 <= jump < 256 for _, yes, no, _ in program for jump in (yes, no))


@pytest.mark.parametrize("other", ["ppc64le", "s390x", "i686", "armv7l"])
def test_an_unknown_processor_has_no_filter(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: other)
    assert not seccomp.supported()


@for_each(
    ("version", "bits", "network", "scoped"),
    [
        (1, 13, 0, 0),
        (2, 14, 0, 0),
        (3, 15, 0, 0),
        (4, 15, 3, 0),
        (5, 16, 3, 0),
        (6, 16, 3, 3),
        (9, 16, 3, 3),
    ],
)
def test_every_version_of_landlock_is_asked_for_what_it_has(
    version: int, bits: int, network: int, scoped: int
) -> None:
    files, tcp, outside = landlock.handled(version)
    assert files == (1 << bits) - 1
    assert (tcp, outside) == (network, scoped)


def test_what_landlock_lets_be_written_makes_no_links_and_no_special_files() -> None:
    never = (
        landlock.EXECUTE
        | landlock.MAKE_SYM
        | landlock.MAKE_SOCK
        | landlock.MAKE_FIFO
        | landlock.MAKE_CHAR
        | landlock.MAKE_BLOCK
        | landlock.IOCTL_DEV
    )
    assert (landlock.WRITE | landlock.READ) & never == 0


def test_bubblewrap_gets_real_paths_and_the_links_to_them(tmp_path: Path) -> None:
    tmp_path = tmp_path.resolve()
    (tmp_path / "real/lib").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("real")
    places = Places((str(tmp_path / "link/lib"), "/proc/self", "/dev/urandom"), (str(tmp_path / "out"),))
    words = bubblewrap.bubblewrap_wrapped("bwrap", ["python", "-c", ""], places, "/work")
    assert words[0] == "bwrap"
    assert words[-3:] == ["python", "-c", ""]
    lines = " ".join(words)
    assert f"--ro-bind-try {tmp_path}/real/lib {tmp_path}/real/lib" in lines
    assert f"--bind {tmp_path}/out {tmp_path}/out" in lines
    assert f"--symlink real {tmp_path}/link" in lines
    assert "/proc/self" not in lines
    assert "/dev/urandom" not in lines
    assert "--unshare-all" in words


def test_a_checkout_on_the_path_is_not_opened_as_a_whole(tmp_path: Path) -> None:
    checkout, modules = tmp_path / "checkout", tmp_path / "modules"
    (checkout / "project").mkdir(parents=True)
    modules.mkdir()
    found = python_files([checkout / "project"], [str(checkout), str(modules), ""])
    assert str(modules) in found
    assert str(checkout) not in found
    assert all(Path(path).is_dir() for path in found)


def test_limits_are_stated_by_variables() -> None:
    assert Limits.stated({}) == Limits()
    stated = {"CARDGEN_SANDBOXED_MEMORY": "0.5", "CARDGEN_SANDBOXED_SECONDS": "60"}
    assert Limits.stated(stated) == Limits(memory=500_000_000, seconds=60)


@for_each("text", ["much", "0", "-1", "nan", "1e99"])
@for_each("name", ["CARDGEN_SANDBOXED_MEMORY", "CARDGEN_SANDBOXED_SECONDS"])
def test_no_number_is_no_limit(name: str, text: str) -> None:
    with pytest.raises(UsageError, match=name):
        Limits.stated({name: text})


def test_the_line_says_what_is_held_and_what_is_not(wording: Wording) -> None:
    everything = Held((), "seccomp", "landlock 7")
    assert everything.line(Limits()) == (
        "sandboxed: no network (seccomp), files (landlock 7), one process, 2 GB memory, "
        "300 s processor time"
    )
    wording(Held(("reading of files", "processes"), "bubblewrap", "bubblewrap").line(Limits()))
    wording(Held(NEEDED).line(Limits()))


@for_each("lacking", [*NEEDED, "processes", "memory"])
def test_no_game_runs_without_what_is_needed(lacking: str) -> None:
    assert Held(()).is_enough
    assert Held((lacking,)).is_enough == (lacking not in NEEDED)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_refuse(system: str, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(UsageError) as caught:
        run(("-c", "print('it ran')"), Places())
    wording(caught.value)
    with pytest.raises(UsageError, match="can't block a program's access"):
        available()
