"""The numbers of Linux system calls that confining refuses or makes: on x86-64, and on the processors
that came after Linux had settled on common ones (64-bit ARM, RISC-V, LoongArch).

None is a call that the processor's Linux does not have.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping

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
