"""Linux rules that a process sets for itself: Landlock, seccomp and capabilities."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_SET_NO_NEW_PRIVILEGES = 38
_SET_PARENT_DEATH_SIGNAL = 1


@cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: Any) -> int:
    """The system call of that number; whole numbers go as such, anything else as ctypes takes it.
    Raises OSError."""
    given = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *given))


def control(option: int, *arguments: Any) -> int:
    """`prctl`. Raises OSError."""
    given = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in arguments]
    given += [ctypes.c_ulong(0)] * (4 - len(given))
    return _checked(_libc().prctl(ctypes.c_int(option), *given))


def unshare(flags: int) -> None:
    """Leave what these flags say of what processes share. Raises OSError."""
    _checked(_libc().unshare(ctypes.c_int(flags)))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def no_new_privileges() -> None:
    """Let nothing started from here gain rights, as by a set-user-id file. Confining asks for it."""
    control(_SET_NO_NEW_PRIVILEGES, 1)


def die_with_parent(signal: int) -> None:
    """Have the system send this process that signal when its parent ends."""
    control(_SET_PARENT_DEATH_SIGNAL, signal)


_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

# The bits of what may be done with files, in the kernel's order.
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
    """The kernel's version of Landlock, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return system_call(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def handled(version: int) -> tuple[int, int, int]:
    """All that this version can hold: the bits for files, for the network, for what is outside."""
    files = MAKE_SYM | (MAKE_SYM - 1)
    if version >= 2:
        files |= REFER
    if version >= 3:
        files |= TRUNCATE
    if version >= 5:
        files |= IOCTL_DEV
    return files, _TCP if version >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0


def restrict(reads: Iterable[str], writes: Iterable[str]) -> int:
    """Leave this thread, and what it starts, these files and folders only, the second to write too.

    Returns the version of Landlock. Paths that are not there are left out. Raises OSError where there
    is no Landlock. Nothing may run from a file any more, and no special file or link may be made.
    """
    known = version()
    if known == 0:
        raise OSError("there is no Landlock")
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


NETWORK: Mapping[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # A ring takes orders for sockets and files that no filter sees.
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
PROCESSES: Mapping[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # Into other processes, and signals to them by a way that names no process number.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    # Memory shared with them.
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}
FILES: Mapping[str, tuple[int | None, int | None]] = {
    # By path, which Landlock does not hold; by an open file they stay possible where needed.
    "chmod": (90, None),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "truncate": (76, 45),
    # Watching folders tells names in them; a handle names a file past all paths; memory as a file is
    # under no limit of memory.
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
SYSTEM: Mapping[str, tuple[int | None, int | None]] = {
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "personality": (135, 92),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "setrlimit": (160, 164),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
}
LOOKED_AT: Mapping[str, tuple[int | None, int | None]] = {
    # Refused or not by what they are called with.
    "clone": (56, 220),
    "clone3": (435, 435),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "ioctl": (16, 29),
    "fchmod": (91, 52),
}
_MADE: Mapping[str, tuple[int | None, int | None]] = {
    "capget": (125, 90),
    "capset": (126, 91),
    "seccomp": (317, 277),
}
FIRST_UNKNOWN = 463
"""The kernel goes on growing; calls from here on are answered as an older kernel would."""

_PROCESSORS = {
    "x86_64": (0, 0xC000003E),
    "amd64": (0, 0xC000003E),
    "aarch64": (1, 0xC00000B7),
    "arm64": (1, 0xC00000B7),
    "riscv64": (1, 0xC00000F3),
    "loongarch64": (1, 0xC0000102),
}
"""By Python's name: the column in the tables, and what the kernel calls the processor."""

_ALL = {**NETWORK, **PROCESSES, **FILES, **SYSTEM, **LOOKED_AT, **_MADE}


def processor() -> tuple[int, int] | None:
    """The column of this machine in the tables and the kernel's name of its processor; None for
    Linux on another one, and for no Linux.

    A 32-bit Python on a 64-bit kernel makes other calls, by other numbers.
    """
    if sys.platform != "linux" or sys.maxsize < 1 << 32 or sys.byteorder != "little":
        return None
    return _PROCESSORS.get(platform.machine().lower())


def number_of(name: str) -> int:
    """The number of a call on this machine. Raises KeyError where it has none."""
    known = processor()
    number = None if known is None else _ALL[name][known[0]]
    if number is None:
        raise KeyError(name)
    return number


def numbers_of(table: Mapping[str, tuple[int | None, int | None]]) -> list[int]:
    """The numbers of all of a table's calls that this machine has."""
    known = processor()
    rows = table.values() if known is not None else ()
    return [number for row in rows if known is not None and (number := row[known[0]]) is not None]


LOAD, EQUAL, AT_LEAST, ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16
"""Where things lie in what a filter is shown of a call, in bytes."""

_X32 = 0x40000000
"""x86-64's second set of numbers begins here."""

_NEW_THREAD = 0x00010000
_SET_ID = 0o6000
"""Rights that let whoever runs a file be its owner."""

_GET_SECCOMP = 21
_SET_FILTER, _ALL_THREADS = 1, 1

_TERMINAL = (0x5412, 0x541C, 0x5423, 0x540E)
"""Typing into the terminal in the user's place, and taking it over."""

Instruction = tuple[int, int, int, int]
"""What to do, how far to jump on yes, on no, and a number."""


def supported() -> bool:
    """Whether this system has such filters and we know its calls' numbers."""
    if processor() is None:
        return False
    try:
        return control(_GET_SECCOMP) >= 0
    except OSError:
        return False


def program(own: int) -> list[Instruction]:
    """The filter for this machine's processor and the process of number `own`."""
    known = processor()
    assert known is not None
    refused = REFUSED | errno.EPERM
    unknown = REFUSED | errno.ENOSYS
    code: list[Instruction] = [
        (LOAD, 0, 0, _PROCESSOR),
        # Another set of numbers than ours: an old 32-bit program's.
        (EQUAL, 1, 0, known[1]),
        (ANSWER, 0, 0, KILLED),
        (LOAD, 0, 0, _NUMBER),
        (AT_LEAST, 0, 1, _X32),
        (ANSWER, 0, 0, KILLED),
        (AT_LEAST, 0, 1, FIRST_UNKNOWN),
        (ANSWER, 0, 0, unknown),
    ]
    code += _answers(numbers_of(NETWORK), REFUSED | errno.EACCES)
    code += _answers([*numbers_of(PROCESSES), *numbers_of(FILES), *numbers_of(SYSTEM)], refused)
    # The C library then asks by `clone`, whose flags can be seen.
    code += _answers([number_of("clone3")], unknown)
    code += _unless(number_of("clone"), [*_argument(0), (ANY_BIT, 1, 0, _NEW_THREAD)], refused)
    for name in ("kill", "tgkill"):
        code += _unless(number_of(name), [*_argument(0), (EQUAL, 1, 0, own)], refused)
    # The third argument is where new limits stand: nowhere, if they are only asked for.
    code += _unless(
        number_of("prlimit64"),
        [*_argument(2, high=True), (EQUAL, 0, 2, 0), *_argument(2), (EQUAL, 1, 0, 0)],
        refused,
    )
    code += _calls(
        number_of("fchmod"),
        [*_argument(1), (ANY_BIT, 0, 1, _SET_ID), (ANSWER, 0, 0, refused), (ANSWER, 0, 0, ALLOWED)],
    )
    # From each of the comparisons over the others and the first answer.
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
    """Answer a call unless its test jumps over the answer, which stands right behind it."""
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


def refuse_calls() -> None:
    """Put the filter on all threads of this process. Raises OSError; call `supported` before."""
    code = program(os.getpid())
    filters = (_Filter * len(code))(*(_Filter(*part) for part in code))
    whole = _Program(len(code), ctypes.cast(filters, ctypes.POINTER(_Filter)))
    system_call(number_of("seccomp"), _SET_FILTER, _ALL_THREADS, ctypes.byref(whole))


_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
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
    """Keep only what files need of the rights that this thread has: reading and writing those of others,
    which builds in containers need; where files are confined, it stays within that. Raises OSError,
    KeyError on a processor that `syscalls` does not know."""
    header = _Header(_VERSION_3, 0)
    sets = (_Sets * 2)()
    system_call(number_of("capget"), ctypes.byref(header), sets)
    kept = sets[0].permitted & (_WRITE_FILES_OF_OTHERS | _READ_FILES_OF_OTHERS)
    sets[0] = _Sets(kept, kept, 0)
    sets[1] = _Sets(0, 0, 0)
    system_call(number_of("capset"), ctypes.byref(header), sets)


def leave_network() -> None:
    """Put this process into an empty network; it keeps its user and group. It must have one thread.
    Raises OSError where the system does not let it."""
    if sys.platform != "linux":
        raise OSError("only Linux has network namespaces")
    user, group = os.geteuid(), os.getegid()
    try:
        unshare(_NEW_NETWORK)
    except OSError:  # not as root
        unshare(_NEW_USER | _NEW_NETWORK)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
