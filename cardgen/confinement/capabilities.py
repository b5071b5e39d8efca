"""Root's special rights on Linux, given up. Only reading and writing files of others stays, which
builds in containers need; where files are confined, it stays within that."""

from __future__ import annotations

import ctypes

from cardgen.confinement.libc import system_call
from cardgen.confinement.syscalls import number_of

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
    """Keep only what files need of the rights that this thread has. Raises OSError, KeyError on a
    processor that `syscalls` does not know."""
    header = _Header(_VERSION_3, 0)
    sets = (_Sets * 2)()
    system_call(number_of("capget"), ctypes.byref(header), sets)
    kept = sets[0].permitted & (_WRITE_FILES_OF_OTHERS | _READ_FILES_OF_OTHERS)
    sets[0] = _Sets(kept, kept, 0)
    sets[1] = _Sets(0, 0, 0)
    system_call(number_of("capset"), ctypes.byref(header), sets)
