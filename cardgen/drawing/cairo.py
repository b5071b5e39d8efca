"""cairocffi, imported once, with a plain message where the cairo library is missing."""

from __future__ import annotations

import ctypes.util
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from cardgen.drawing.objects import DrawingError, digest
from cardgen.geometry import Matrix

DECLARING = ("constants.py", "ffi.py")
"""The modules of cairocffi that declare cairo's interface."""


def _load() -> Any:
    """cairocffi, without two detours of its own. On Linux it would first have gcc and ldconfig look for
    cairo, in three processes, before trying the name that the loader knows; and it would parse 2,000
    lines of C, which is a third of a small build. `declare` keeps what they come to."""
    _declare()
    search = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None
    try:
        return import_module("cairocffi")
    finally:
        ctypes.util.find_library = search


def _declare() -> None:
    """Put the parsed declarations where cairocffi looks for them, if they were made from its own."""
    spec = find_spec("cairocffi")
    if "cairocffi" in sys.modules or spec is None or spec.origin is None:
        return
    try:
        declarations = import_module("cardgen.drawing.cairo_declarations")
    except ImportError:  # never written here
        return
    try:
        made_from = digest(*(Path(spec.origin).with_name(name).read_bytes() for name in DECLARING))
    except OSError:  # not laid out as we know it
        return
    if made_from == declarations.MADE_FROM:
        module: Any = ModuleType("cairocffi.ffi")
        module.ffi = declarations.ffi
        sys.modules[module.__name__] = module


try:
    cairo = _load()
except OSError as error:  # raised by cairocffi when the loader finds no libcairo
    raise DrawingError.of(
        "cairo/missing",
        "the cairo library, which draws the artwork, is not installed",
        "run `cardgen doctor` for the command that installs it",
    ) from error

__all__ = ["DECLARING", "affine", "cairo", "library_file", "version"]


def affine(matrix: Matrix) -> Any:
    """The matrix as cairo has it."""
    return cairo.Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def version() -> str:
    """The cairo library's own version, such as 1.16.0."""
    return str(cairo.cairo_version_string())


def library_file() -> Path | None:
    """The file that the cairo library was loaded from, where the system tells (Linux)."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            for line in maps:
                path = line.rstrip("\n").partition("/")[2]
                if "libcairo.so" in os.path.basename(path):
                    return Path("/" + path)
    except OSError:
        pass
    return None
