"""System calls that Python has no name for. Linux only."""

from __future__ import annotations

import ctypes
import os
from functools import cache
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
