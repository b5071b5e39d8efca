"""cairocffi, imported once, with a plain message where the cairo library is missing."""

from __future__ import annotations

import ctypes.util
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from cardgen.core.geometry import Matrix
from cardgen.pdf.declare import made_from
from cardgen.pdf.objects import DrawingError


def _load() -> Any:
    """cairocffi, without two detours of its own. On Linux it would first have gcc and ldconfig look for
    cairo, in three processes, before trying the name that the loader knows; and it would parse 2,000
    lines of C, which is a third of a small build. `declare` keeps what they come to."""
    _declare()
    search = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None
    try:
        import cairocffi

        return cairocffi
    finally:
        ctypes.util.find_library = search


def _declare() -> None:
    """Put the parsed declarations where cairocffi looks for them, if they were made from its own."""
    if "cairocffi" in sys.modules:
        return
    try:
        declarations = import_module("cardgen.pdf.cairo_declarations")
        known = made_from() == declarations.MADE_FROM
    except ImportError:  # never written here, or nothing to compare with
        return
    if known:
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


def affine(matrix: Matrix) -> Any:
    """The matrix as cairo has it."""
    return cairo.Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def version() -> str:
    """The cairo library's own version, such as 1.16.0."""
    return str(cairo.cairo_version_string())
