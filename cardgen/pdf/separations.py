"""The ink of a PDF of any program, pixel by pixel, as Ghostscript separates it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from PIL import Image, ImageFilter

from cardgen.core.geometry import MM_PER_INCH
from cardgen.core.records import dataclass
from cardgen.files.confinement_limits import Limits, limit

DPI = 72
MOST_PIXELS = 20_000_000
"""Pixels of the largest page; it is drawn coarser if it would have more."""
LIMITS = Limits(memory=2_000_000_000, seconds=120, file_size=500_000_000)
"""Those of Ghostscript, whose pages come through a pipe. It may swap to a private folder."""
_PATIENCE = 240
"""Seconds until it is ended where the system counts no processor time."""
_WORDS = (
    *("-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT", "-sDEVICE=pamcmyk32"),
    *("-sOutputFile=-", "-sstdout=%stderr"),
)
_HEADER = re.compile(rb"P7\n(?:#[^\n]*\n)*WIDTH (\d+)\nHEIGHT (\d+)\nDEPTH 4\nMAXVAL 255\n")
_LONGEST_HEADER = 400
_WIDE = 3
"""Pixels, a millimeter: what is narrower is text or a line, which dries."""


class SeparationError(Exception):
    """Ghostscript is not installed, or can't draw the file. The text says why."""


@dataclass(frozen=True, slots=True)
class PageInk:
    """The ink of a page: the most at a pixel (3.0 is 300 %), and the mm² of areas over a limit."""

    most: float
    over: float


def ghostscript() -> str | None:
    """Return the path of Ghostscript, None where there is none."""
    return shutil.which("gs")


def page_inks(path: Path, largest: float, limit: float) -> list[PageInk]:
    """Return the ink of each page of a file whose largest page has so many square inches. Raises
    SeparationError."""
    program = ghostscript()
    if program is None:
        raise SeparationError("Ghostscript is not installed")
    dpi = max(1, min(DPI, int((MOST_PIXELS / max(largest, 0.01)) ** 0.5)))
    order = [program, *_WORDS, f"-r{dpi}", str(path.absolute())]
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True) as folder:
        try:
            process = subprocess.Popen(
                order,
                env={**kept, "TMPDIR": folder, "HOME": folder},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                preexec_fn=_limited if os.name == "posix" else None,
            )
        except OSError as error:
            raise SeparationError("Ghostscript can't be started here") from error
        patience = threading.Timer(_PATIENCE, process.kill)
        patience.daemon = True
        patience.start()
        try:
            with process:
                assert process.stdout is not None
                try:
                    found = [_ink(page, dpi, limit) for page in _pages(process.stdout)]
                except BaseException:
                    process.kill()
                    raise
            if process.returncode or not found:
                raise SeparationError("Ghostscript can't draw this file")
        finally:
            patience.cancel()
    return found


def _limited() -> None:
    limit(LIMITS)


def _pages(pipe: IO[bytes]) -> Iterator[Image.Image]:
    """Yield pages in inks. Raises SeparationError for anything else."""
    while line := pipe.readline(_LONGEST_HEADER):
        head = line
        while not head.endswith(b"ENDHDR\n"):
            line = pipe.readline(_LONGEST_HEADER)
            if not line or len(head) > _LONGEST_HEADER:
                raise SeparationError("Ghostscript can't draw this file")
            head += line
        match = _HEADER.match(head)
        width, height = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 0 < width * height <= 2 * MOST_PIXELS:
            raise SeparationError("Ghostscript can't draw this file")
        data = pipe.read(4 * width * height)
        if len(data) < 4 * width * height:
            raise SeparationError("Ghostscript can't draw this file")
        yield Image.frombuffer("CMYK", (width, height), data, "raw", "CMYK", 0, 1)


def _ink(page: Image.Image, dpi: int, limit: float) -> PageInk:
    total = np.asarray(page).sum(axis=2, dtype=np.uint16)
    mask = Image.fromarray(((total > (limit + 0.01) * 255) * 255).astype(np.uint8))
    wide = np.asarray(mask.filter(ImageFilter.MinFilter(_WIDE)).filter(ImageFilter.MaxFilter(_WIDE)))
    area = float(np.count_nonzero(wide)) * (MM_PER_INCH / dpi) ** 2
    return PageInk(float(total.max()) / 255, round(area, 1))
