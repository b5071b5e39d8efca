"""The Typst compiler in a process of its own, which lives until this one ends or a document is too much.

It sees a picture's markup and nothing else: no file, no font, no network.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgen.pdf import typst_child
from cardgen.pdf.typst_child import DRAWN, FAILED, SIZE

MEMORY, SECONDS = 2_000_000_000, 120
"""Bytes of the process, and seconds of processor time of one document: a guard against what counts of
elements and bytes don't see."""
_PATIENCE = 10 * SECONDS
"""Seconds until it is ended where the system counts no processor time."""
_KEPT = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class TypstError(Exception):
    """Typst can't draw a document; the text is what it says, for the curious."""


class _Process:
    """A process that draws one document after the other."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True)
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", str(Path(typst_child.__file__).resolve())],
                env={**kept, "RUST_BACKTRACE": "0"},
                cwd=self._folder.name,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except BaseException:
            self._folder.cleanup()
            raise

    def answer(self, order: dict[str, Any]) -> tuple[int, bytes]:
        """Return the code and the bytes that it answers. Raises EOFError or OSError where it ends
        instead."""
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        message = json.dumps(order | {"root": self._folder.name}).encode("utf-8")
        patience = threading.Timer(_PATIENCE, self._process.kill)
        patience.daemon = True
        patience.start()
        try:
            orders.write(len(message).to_bytes(SIZE, "big") + message)
            orders.flush()
            head = answers.read(1 + SIZE)
            size = int.from_bytes(head[1:], "big")
            data = answers.read(size)
        finally:
            patience.cancel()
        if len(head) <= SIZE or len(data) < size:
            raise EOFError
        return head[0], data

    def end(self) -> None:
        """End the process and delete its folder."""
        with self._process as process:  # closes what leads to it
            process.kill()
        self._folder.cleanup()


_processes: dict[int, _Process] = {}
"""The process that draws, by the number of the one that started it: a fork has its own."""
_lock = threading.Lock()


def compiled(source: str, inputs: Mapping[str, str]) -> bytes:
    """Return the PDF of a document in Typst's language, without fonts, files or network. Raises
    TypstError."""
    order = {
        "source": source,
        "inputs": dict(inputs),
        "modules": _modules(),
        "memory": MEMORY,
        "seconds": SECONDS,
    }
    with _lock:
        try:
            process = _processes.get(os.getpid()) or _processes.setdefault(os.getpid(), _Process())
        except PermissionError:
            # A confined process may start none, and is held by itself (see files/confinement.py).
            return _compiled_here(order)
        try:
            code, data = process.answer(order)
        except BaseException as error:
            end()
            if isinstance(error, (EOFError, OSError)):
                raise TypstError(_sentence("")) from None
            raise
    if code == FAILED:
        raise TypstError(_sentence(data.decode("utf-8", "replace")))
    assert code == DRAWN
    return data


@atexit.register
def end() -> None:
    """End the process that draws, if there is one."""
    process = _processes.pop(os.getpid(), None)
    if process is not None:
        process.end()


def _modules() -> str:
    """Return the folder in which the package lies."""
    spec = importlib.util.find_spec("typst")
    if spec is None or spec.origin is None:
        raise TypstError("the package typst is not installed")
    return str(Path(spec.origin).resolve().parent.parent)


def _compiled_here(order: dict[str, Any]) -> bytes:
    try:
        with tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True) as root:
            return typst_child.compiled(order | {"root": root})
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except Exception as error:
        raise TypstError(_sentence(str(error))) from None
    except BaseException:  # a panic of Rust's is no Exception
        raise TypstError(_sentence("")) from None


def _sentence(text: str) -> str:
    """Return Typst's message on one line; nothing if it crashed."""
    return " ".join(text.split())[:200] or "the renderer fails on it"
