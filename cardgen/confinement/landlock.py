"""Landlock: Linux's way for a process to give up files, TCP and signals to others, without a privilege.

https://docs.kernel.org/userspace-api/landlock.html. What it can hold grew with the kernel; `version` is
the kernel's own count of it.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable

from cardgen.confinement.libc import system_call

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
