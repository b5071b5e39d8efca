"""Writes `cairo_declarations.py`: cairo's functions and types as cffi has them once it has parsed C.

    python -m cardgen.pdf.declare

Set-up runs it for the cairocffi that it installed; a wheel has the file for the cairocffi of its day.
Without the file, or with another cairocffi, builds parse the C anew and take a little longer. Nothing of
ours is imported here, as wheels are made where nothing is installed yet.
"""

from __future__ import annotations

from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

TARGET = Path(__file__).with_name("cairo_declarations.py")
_DECLARING = ("constants.py", "ffi.py")
_NOTICE = '''"""{notice}"""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

MADE_FROM = "{made_from}"
'''


def made_from() -> str:
    """What tells the installed cairocffi's declarations of cairo from others: a digest of their files.
    ImportError if it is missing, or not laid out as we know it."""
    counted = (b"%d:%b" % (len(source), source) for source in _sources())
    return blake2b(b"".join(counted), digest_size=12).hexdigest()


def _sources() -> list[bytes]:
    spec = find_spec("cairocffi")
    if spec is None or spec.origin is None:
        raise ImportError("cairocffi is not installed")
    try:
        return [Path(spec.origin).with_name(name).read_bytes() for name in _DECLARING]
    except OSError as error:
        raise ImportError("this cairocffi declares cairo's interface elsewhere") from error


def declarations() -> str:
    """The source of `cairo_declarations.py` for the cairocffi that is installed. ImportError as above."""
    # What a build with the file at hand has no use for.
    import io
    import tempfile
    from contextlib import redirect_stdout
    from textwrap import fill

    from cffi import FFI  # type: ignore[import-untyped]  # has no types

    constants = ModuleType("constants")
    exec(_sources()[0], vars(constants))
    ffi = FFI()
    ffi.cdef(constants._CAIRO_HEADERS)
    ffi.set_source("cardgen.pdf.cairo_declarations", None)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "declarations.py")
        with redirect_stdout(io.StringIO()):  # it tells where it writes
            ffi.emit_python_code(str(target))
        _, _, code = target.read_text(encoding="ascii").partition("\n")
    notice = (
        "Written by `python -m cardgen.pdf.declare`: cairo's interface from the constants of the "
        "installed cairocffi, parsed. `MADE_FROM` is a digest of the files that declare it."
    )
    return _NOTICE.format(notice=fill(notice, 100), made_from=made_from()) + code


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="ascii")
