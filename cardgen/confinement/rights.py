"""What a process on Linux gives up of its own: root's special rights, and the network it was born into."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from cardgen.confinement.libc import system_call, unshare
from cardgen.confinement.syscalls import number_of

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
