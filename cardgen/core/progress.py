"""Report the progress of long work to a listener of the context, without passing it on.

A stage calls `tell("drawing", 3, 54)`, or iterates over `counted("drawing", cards)`. The innermost
`told_to` of the running context receives it, if there is one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import TypeVar

from cardgen.core.terminal import columns, shown

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]
"""A function of a step's name, the part done and the total, which is 0 if unknown. An exception of its own
cancels the work."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


class Cancelled(Exception):  # noqa: N818 - cancelling is no error
    """Raise it in a progress callback to cancel the work: nothing more is drawn or written, and the call
    raises it.

    Example:
        def stop(step: str, done: int, total: int) -> None:
            raise cardgen.Cancelled
        with contextlib.suppress(cardgen.Cancelled):
            cardgen.load("night-market", progress=stop)
    """


VARIABLE = "CARDGEN_PROGRESS"
"""`off` in this environment variable silences all progress."""
_PAUSE = 0.05
"""Minimum seconds between two updates of the bar."""
_FIRST_LINE, _LINES = 1.0, 5.0
"""Seconds until the first line of progress without a terminal, and between two lines."""
_BAR = 24

_last: tuple[str, int, int] = ("", 0, 0)
"""The last reported step."""


def tell(step: str, done: int = 0, total: int = 0) -> None:
    """Report the progress of a step."""
    global _last
    _last = (step, done, total)
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


def last_step() -> str:
    """Return the last reported step, such as `drawing, 812 of 20,000`, or nothing."""
    step, done, total = _last
    return f"{step}, {done:,} of {total:,}" if total > 1 else step


def forget_step() -> None:
    """Reset the last step."""
    global _last
    _last = ("", 0, 0)


def counted(step: str, items: Collection[Item]) -> Iterator[Item]:
    """Yield the items, and report each as a part of the step."""
    for number, item in enumerate(items):
        tell(step, number, len(items))
        yield item


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Set the listener for the progress of the work within; None keeps the outer ones."""
    token = None if listener is None else _listener.set(listener)
    try:
        yield
    finally:
        if token is not None:
            _listener.reset(token)


class ProgressBar:
    """A line on the terminal that moves during work and disappears at its end. If standard error is no
    terminal, a line every few seconds. Nothing when `quiet`."""

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
        line = line[: columns() - 1]
        self._write(line)

    def close(self) -> None:
        """Remove the line for good."""
        self._silent = True
        if self._drawn:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def _write(self, line: str) -> None:
        self._stream.write(f"\r{line.ljust(self._drawn)}")
        self._stream.flush()
        self._drawn = len(line)
