"""seccomp: a filter in the kernel that refuses system calls of this process, for good.

The filter is a program of the kernel's small old packet language: it loads a word (the processor, the
call's number, half an argument), compares, jumps forward and answers. Refused calls return an error as
if permission were lacking, so that libraries which try and go on without still do.
"""

from __future__ import annotations

import ctypes
import errno
import os

from cardgen.confinement.libc import control, system_call
from cardgen.confinement.syscalls import (
    FILES,
    FIRST_UNKNOWN,
    NETWORK,
    PROCESSES,
    SYSTEM,
    number_of,
    numbers_of,
    processor,
)

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
