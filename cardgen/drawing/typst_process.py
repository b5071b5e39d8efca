"""Typst in a process of its own: a drawing that makes it crash, or takes much, ends that one and not ours.

Typst stops at what it can't draw by a panic, which for some numbers ends the whole process, and so does
want of memory.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgen.drawing import typst_child
from cardgen.drawing.typst_child import FAILED

MEMORY, SECONDS = 2_000_000_000, 120
"""Bytes and seconds of processor time that one document may take: many times what the weights of its
pictures allow (see svg/limits.py), for they are a guard against what was reckoned wrong."""
_PATIENCE = 10 * SECONDS
"""Seconds until it is ended where the system counts no processor time."""
_KEPT = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class TypstError(Exception):
    """Typst can't draw a document; the text is what it says, for the curious."""


def compiled(source: str, inputs: Mapping[str, str]) -> bytes:
    """The PDF of a document in Typst's language, without fonts, files or network. Raises TypstError."""
    with tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True) as root:
        order = {
            "source": source,
            "inputs": dict(inputs),
            "root": root,
            "modules": _modules(),
            "memory": MEMORY,
            "seconds": SECONDS,
        }
        try:
            code, data = _run(order, root)
        except PermissionError:
            # A confined process may start none, and is held by itself (see confinement/).
            return _here(order)
    if code == FAILED:
        raise TypstError(_sentence(data.decode("utf-8", "replace")))
    if code:
        raise TypstError(_sentence(""))
    return data


def _modules() -> str:
    """The folder in which the package lies."""
    spec = importlib.util.find_spec("typst")
    if spec is None or spec.origin is None:
        raise TypstError("the package typst is not installed")
    return str(Path(spec.origin).resolve().parent.parent)


def _run(order: dict[str, Any], root: str) -> tuple[int, bytes]:
    command = [sys.executable, "-I", "-S", "-B", str(Path(typst_child.__file__).resolve())]
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with subprocess.Popen(
        command,
        env={**kept, "RUST_BACKTRACE": "0"},
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            data, _ = process.communicate(json.dumps(order).encode("utf-8"), timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return -1, b""
        except BaseException:
            process.kill()
            raise
        return process.returncode, data


def _here(order: dict[str, Any]) -> bytes:
    try:
        return typst_child.compiled(order)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except Exception as error:
        raise TypstError(_sentence(str(error))) from None
    except BaseException:  # a panic of Rust's is no Exception
        raise TypstError(_sentence("")) from None


def _sentence(text: str) -> str:
    """What Typst says, on one line; nothing where it crashed."""
    return " ".join(text.split())[:200] or "the renderer stops over it"
