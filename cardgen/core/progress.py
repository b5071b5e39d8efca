"""The progress of long work: what does it says so, whoever watches hears it, and nobody hands that on.

A stage says `tell("drawing", 3, 54)`, or goes through `counted("drawing", cards)`. What is said goes to the
innermost `told_to` of the running context, or nowhere.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import TypeVar

from cardgen.core.terminal import shown

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is, 0 where nobody knows."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

VARIABLE = "CARDGEN_PROGRESS"
"""`off` in this environment variable silences all progress."""
_PAUSE = 0.05
"""Seconds between two pictures of the bar at least."""
_FIRST_LINE, _LINES = 1.0, 5.0
"""Seconds until the first line of progress where there is no terminal, and between two lines."""
_BAR = 24

_last: tuple[str, int, int] = ("", 0, 0)
"""The last step told."""


def tell(step: str, done: int = 0, total: int = 0) -> None:
    """Say how far a step is."""
    global _last
    _last = (step, done, total)
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


def last_step() -> str:
    """Name the last step told, such as `drawing, 812 of 20,000`, or nothing."""
    step, done, total = _last
    return f"{step}, {done:,} of {total:,}" if total > 1 else step


def forget_step() -> None:
    """Begin without a step."""
    global _last
    _last = ("", 0, 0)


def counted(step: str, items: Collection[Item]) -> Iterator[Item]:
    """Yield the items, one after the other, each of them told as a part of the step."""
    for number, item in enumerate(items):
        tell(step, number, len(items))
        yield item


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Set the listener for the progress of the work within; None leaves that to those around."""
    token = None if listener is None else _listener.set(listener)
    try:
        yield
    finally:
        if token is not None:
            _listener.reset(token)


class ProgressBar:
    """A line on the terminal that moves while work is done and is gone when it ends. Where standard error
    is no terminal, a line every few seconds. Nothing when `quiet`."""

    def __init__(self, quiet: bool = False) -> None:
        self._stream = sys.stderr
        self._silent = quiet or os.environ.get(VARIABLE) == "off"
        self._moves = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._drawn = 0
        self._step = ""
        self._next = 0.0 if self._moves else time.monotonic() + _FIRST_LINE
        self._token: Token[Listener | None] | None = None

    def __enter__(self) -> ProgressBar:
        self._token = _listener.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _listener.reset(self._token)
        self.close()

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self._silent or (now < self._next and (step == self._step or not self._moves)):
            return
        if not self._moves:
            self._next = now + _LINES
            count = f" {done:,}/{total:,}" if total > 1 else ""
            print(f"{shown(step)}{count} …", file=self._stream, flush=True)
            return
        self._step, self._next = step, now + _PAUSE
        line = f"{shown(step)} …"
        if total > 1:
            share = min(1.0, done / total)
            full = round(share * _BAR)
            line = f"{shown(step)}  {'█' * full}{'░' * (_BAR - full)}  {done}/{total}"
        line = line[: shutil.get_terminal_size().columns - 1]
        self._write(line)

    def close(self) -> None:
        """Take the line away for good."""
        self._silent = True
        if self._drawn:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def _write(self, line: str) -> None:
        self._stream.write(f"\r{line.ljust(self._drawn)}")
        self._stream.flush()
        self._drawn = len(line)
