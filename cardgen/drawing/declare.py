"""Writes `cairo_declarations.py`: cairo's functions and types as cffi has them once it has parsed C.

    python -m cardgen.drawing.declare

Set-up runs it for the cairocffi that it installed. Without the file, or with another cairocffi, builds
parse the C anew and take a little longer.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from types import ModuleType

from cffi import FFI  # type: ignore[import-untyped]  # has no types

from cardgen.drawing.cairo import DECLARING
from cardgen.drawing.objects import digest

TARGET = Path(__file__).with_name("cairo_declarations.py")
_NOTICE = '''"""{notice}"""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

MADE_FROM = "{made_from}"
'''


def declarations() -> str:
    """The source of `cairo_declarations.py` for the cairocffi that is installed."""
    spec = find_spec("cairocffi")
    assert spec is not None
    assert spec.origin is not None
    sources = [Path(spec.origin).with_name(name).read_bytes() for name in DECLARING]
    constants = ModuleType("constants")
    exec(sources[0], vars(constants))
    ffi = FFI()
    ffi.cdef(constants._CAIRO_HEADERS)
    ffi.set_source("cardgen.drawing.cairo_declarations", None)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "declarations.py")
        with redirect_stdout(io.StringIO()):  # it tells where it writes
            ffi.emit_python_code(str(target))
        _, _, code = target.read_text(encoding="ascii").partition("\n")
    notice = (
        "Written by `python -m cardgen.drawing.declare`: cairo's interface from the constants of the "
        "installed cairocffi, parsed. `MADE_FROM` is a digest of the files that declare it."
    )
    return _NOTICE.format(notice=fill(notice, 100), made_from=digest(*sources)) + code


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="ascii")
