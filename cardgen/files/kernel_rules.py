"""Linux rules that a process sets for itself: Landlock, seccomp and capabilities."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

from cardgen.files.reading import read_bundled_yaml

_SET_NO_NEW_PRIVILEGES = 38
_SET_PARENT_DEATH_SIGNAL = 1


@cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: Any) -> int:
    """Return the system call of that number; whole numbers are passed as such, anything else as ctypes
    takes it. Raises OSError."""
    given = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *given))


def control(option: int, *arguments: Any) -> int:
    """Call `prctl`. Raises OSError."""
    given = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in arguments]
    given += [ctypes.c_ulong(0)] * (4 - len(given))
    return _checked(_libc().prctl(ctypes.c_int(option), *given))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def no_new_privileges() -> None:
    """Keep every process started from here from gaining rights, as by a set-user-id file. Confining
    requires it."""
    control(_SET_NO_NEW_PRIVILEGES, 1)


def die_with_parent(signal: int) -> None:
    """Ask the system to send this process that signal when its parent ends."""
    control(_SET_PARENT_DEATH_SIGNAL, signal)


_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

# The rights to use files, as bits in the kernel's order.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO = (1 << bit for bit in range(6, 11))
MAKE_BLOCK, MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV = (1 << bit for bit in range(11, 16))

READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | TRUNCATE | REMOVE_FILE | REMOVE_DIR | MAKE_REG | MAKE_DIR | REFER
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return the kernel's version of Landlock, 0 if there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return system_call(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def handled(version: int) -> tuple[int, int, int]:
    """Return everything that this version can restrict: bits for files, for the network, for other
    processes."""
    files = MAKE_SYM | (MAKE_SYM - 1)
    if version >= 2:
        files |= REFER
    if version >= 3:
        files |= TRUNCATE
    if version >= 5:
        files |= IOCTL_DEV
    return files, _TCP if version >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0


def restrict(reads: Iterable[str], writes: Iterable[str]) -> int:
    """Restrict this thread and its children to these files and folders; only `writes` are writable.

    Returns the version of Landlock. Missing paths are skipped. Raises OSError if there is no Landlock.
    Files can't be executed any more, and special files and links can't be made.
    """
    known = version()
    if known == 0:
        what = "this Linux can't limit access to files (no Landlock)"
        raise OSError(f"{what}; use Linux 5.13 or later, or install bubblewrap")
    files, network, scoped = handled(known)
    ruleset = _Ruleset(files, network, scoped)
    # An older kernel knows only the first fields.
    size = 8 if known < 4 else 16 if known < 6 else 24
    rules = system_call(_CREATE, ctypes.byref(ruleset), size, 0)
    try:
        for paths, rights in ((reads, READ), (writes, WRITE)):
            for path in paths:
                _allow(rules, path, rights & files)
        system_call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)
    return known


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _OF_A_FILE
        system_call(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(_PathBeneath(rights, handle)), 0)
    finally:
        os.close(handle)


FIRST_UNKNOWN = 463
"""The kernel keeps growing; calls from here on are answered as an older kernel would."""

_PROCESSORS = {
    "x86_64": (0, 0xC000003E),
    "amd64": (0, 0xC000003E),
    "aarch64": (1, 0xC00000B7),
    "arm64": (1, 0xC00000B7),
    "riscv64": (1, 0xC00000F3),
    "loongarch64": (1, 0xC0000102),
}
"""By Python's name: the column in the table of calls, and the kernel's name of the processor."""


def processor() -> tuple[int, int] | None:
    """Return the column of this machine in the table of calls and the kernel's name of its processor; None
    for Linux on another one, and for other systems.

    A 32-bit Python on a 64-bit kernel makes other calls, by other numbers.
    """
    if sys.platform != "linux" or sys.maxsize < 1 << 32 or sys.byteorder != "little":
        return None
    return _PROCESSORS.get(platform.machine().lower())


@cache
def _calls_of_linux() -> dict[str, dict[str, list[int | None]]]:
    """Read the table of calls: their numbers by column, by name, by the group of their answer."""
    groups: dict[str, dict[str, list[int | None]]] = read_bundled_yaml("files", "system_calls.yaml")
    return groups


def number_of(name: str) -> int:
    """Return the number of a call on this machine. Raises KeyError if it has none."""
    known = processor()
    columns = next((group[name] for group in _calls_of_linux().values() if name in group), None)
    number = None if known is None or columns is None else columns[known[0]]
    if number is None:
        raise KeyError(name)
    return number


def numbers_of(group: str) -> list[int]:
    """Return the numbers of all of a group's calls that this machine has."""
    known = processor()
    if known is None:
        return []
    numbers = (columns[known[0]] for columns in _calls_of_linux()[group].values())
    return [number for number in numbers if number is not None]


LOAD, EQUAL, AT_LEAST, ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16
"""Offsets in a filter's record of a call, in bytes."""

_X32 = 0x40000000
"""x86-64's second set of numbers begins here."""

_NEW_THREAD = 0x00010000
_SET_ID = 0o6000
"""Rights that run a file as its owner."""

_GET_SECCOMP = 21
_SET_FILTER, _ALL_THREADS = 1, 1

_TERMINAL = (0x5412, 0x541C, 0x5423, 0x540E)
"""Typing into the terminal in the user's place, and taking it over."""

Instruction = tuple[int, int, int, int]
"""The operation, the jumps on yes and on no, and a number."""


def supported() -> bool:
    """Return True if this system has such filters and its calls' numbers are known."""
    if processor() is None:
        return False
    try:
        return control(_GET_SECCOMP) >= 0
    except OSError:
        return False


def program(own: int) -> list[Instruction]:
    """Return the filter for this machine's processor and the process of number `own`."""
    known = processor()
    assert known is not None
    refused = REFUSED | errno.EPERM
    unknown = REFUSED | errno.ENOSYS
    code: list[Instruction] = [
        (LOAD, 0, 0, _PROCESSOR),
        # Another set of numbers: that of an old 32-bit program.
        (EQUAL, 1, 0, known[1]),
        (ANSWER, 0, 0, KILLED),
        (LOAD, 0, 0, _NUMBER),
        (AT_LEAST, 0, 1, _X32),
        (ANSWER, 0, 0, KILLED),
        (AT_LEAST, 0, 1, FIRST_UNKNOWN),
        (ANSWER, 0, 0, unknown),
    ]
    code += _answers(numbers_of("network"), REFUSED | errno.EACCES)
    for group in ("processes", "files", "system"):
        code += _answers(numbers_of(group), refused)
    # The C library then falls back to `clone`, whose flags are visible.
    code += _answers([number_of("clone3")], unknown)
    code += _unless(number_of("clone"), [*_argument(0), (ANY_BIT, 1, 0, _NEW_THREAD)], refused)
    for name in ("kill", "tgkill"):
        code += _unless(number_of(name), [*_argument(0), (EQUAL, 1, 0, own)], refused)
    # The third argument points to the new limits; it is null if they are only read.
    code += _unless(
        number_of("prlimit64"),
        [*_argument(2, high=True), (EQUAL, 0, 2, 0), *_argument(2), (EQUAL, 1, 0, 0)],
        refused,
    )
    code += _calls(
        number_of("fchmod"),
        [*_argument(1), (ANY_BIT, 0, 1, _SET_ID), (ANSWER, 0, 0, refused), (ANSWER, 0, 0, ALLOWED)],
    )
    # From each comparison past the others and the first answer.
    orders = [(EQUAL, len(_TERMINAL) - at, 0, order) for at, order in enumerate(_TERMINAL)]
    answers = [(ANSWER, 0, 0, ALLOWED), (ANSWER, 0, 0, refused)]
    code += _calls(number_of("ioctl"), [*_argument(1), *orders, *answers])
    code.append((ANSWER, 0, 0, ALLOWED))
    return code


def _answers(numbers: list[int], answer: int) -> list[Instruction]:
    return [part for number in numbers for part in ((EQUAL, 0, 1, number), (ANSWER, 0, 0, answer))]


def _argument(index: int, *, high: bool = False) -> list[Instruction]:
    return [(LOAD, 0, 0, _ARGUMENTS + 8 * index + (4 if high else 0))]


def _unless(number: int, test: list[Instruction], answer: int) -> list[Instruction]:
    """Answer a call unless its test jumps over the answer, which follows it."""
    return _calls(number, [*test, (ANSWER, 0, 0, answer), (ANSWER, 0, 0, ALLOWED)])


def _calls(number: int, body: list[Instruction]) -> list[Instruction]:
    return [(EQUAL, 0, len(body), number), *body]


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("number", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.POINTER(_Filter)))


def refuse_calls(code: list[Instruction]) -> None:
    """Put a filter, which `program` made, on all threads of this process. Raises OSError."""
    filters = (_Filter * len(code))(*(_Filter(*part) for part in code))
    whole = _Program(len(code), ctypes.cast(filters, ctypes.POINTER(_Filter)))
    system_call(number_of("seccomp"), _SET_FILTER, _ALL_THREADS, ctypes.byref(whole))


_VERSION_3 = 0x20080522
_WRITE_FILES_OF_OTHERS, _READ_FILES_OF_OTHERS = 1 << 1, 1 << 2


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def give_up() -> None:
    """Keep only the rights of this thread that files need: reading and writing those of others, which
    builds in containers need; if files are confined, they stay confined. Raises OSError, and KeyError on a
    processor whose calls are unknown."""
    header = _Header(_VERSION_3, 0)
    sets = (_Sets * 2)()
    system_call(number_of("capget"), ctypes.byref(header), sets)
    kept = sets[0].permitted & (_WRITE_FILES_OF_OTHERS | _READ_FILES_OF_OTHERS)
    sets[0] = _Sets(kept, kept, 0)
    sets[1] = _Sets(0, 0, 0)
    system_call(number_of("capset"), ctypes.byref(header), sets)
