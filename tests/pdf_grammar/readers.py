"""What other programs say of a PDF: qpdf, MuPDF, Ghostscript and poppler. Each function gives the
complaints of one, none if all is well, and raises `AbsentError` where the program is not installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOW = 20
"""Pixels an inch: enough to have every picture, shading and glyph drawn."""
LONGEST = 300
"""Seconds that a reader may take."""


class AbsentError(Exception):
    """The program is not installed."""


def qpdf(path: Path) -> list[str]:
    """`qpdf --check`, which also unpacks all streams."""
    done = _run("qpdf", "--check", str(path))
    return [] if done.returncode == 0 else _lines(done)


def poppler(path: Path) -> list[str]:
    """All pages drawn by poppler."""
    done = _run("pdftoppm", "-r", str(LOW), str(path))
    return _lines(done) if done.returncode or done.stderr else []


def ghostscript(path: Path) -> list[str]:
    """All pages run by Ghostscript, which stops at the first error or warning."""
    done = _run(
        "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONERROR", "-dPDFSTOPONWARNING",
        "-sDEVICE=nullpage", str(path),
    )  # fmt: skip
    return _lines(done) if done.returncode or done.stdout or done.stderr else []


def mupdf(path: Path) -> list[str]:
    """All pages drawn by MuPDF: its warnings, and whether it had to repair the file."""
    pymupdf = mupdf()
    pymupdf.TOOLS.reset_mupdf_warnings()
    try:
        with pymupdf.open(path) as document:
            repaired = ["repaired"] if document.is_repaired else []
            for page in document:
                page.get_pixmap(dpi=LOW)
    except (RuntimeError, ValueError) as error:
        return [str(error)]
    return [*repaired, *pymupdf.TOOLS.mupdf_warnings().splitlines()]


READERS: dict[str, Callable[[Path], list[str]]] = {
    "qpdf": qpdf,
    "MuPDF": mupdf,
    "Ghostscript": ghostscript,
    "poppler": poppler,
}


def text_differences(path: Path) -> list[str]:
    """Where poppler reads another text than MuPDF: of each page at least the characters that MuPDF finds
    on it, and none but those that MuPDF finds on or off it."""
    pymupdf = mupdf()
    done = _run("pdftotext", "-raw", "-enc", "UTF-8", str(path), "-")
    theirs = [_letters(page) for page in done.stdout.decode("utf-8").split("\f")[:-1]]
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    found = []
    with pymupdf.open(path) as document:
        if len(theirs) != len(document):
            found.append(f"{len(document)} pages, of which poppler reads {len(theirs)}")
        for number, (page, letters) in enumerate(zip(document, theirs), 1):
            all_of_it = _letters(page.get_text("text", flags=flags))
            on_it = _letters(page.get_text("text", flags=flags | pymupdf.TEXT_MEDIABOX_CLIP))
            if lost := on_it - letters:
                found.append(f"page {number}: only MuPDF reads {lost.total()} of {on_it.total()} letters")
            if more := letters - all_of_it:
                found.append(
                    f"page {number}: only poppler reads {more.total()} of {letters.total()} letters"
                )
    return found


def _letters(text: str) -> Counter[str]:
    """How often each character stands in a text, but blanks, which programs put where they like;
    hyphens and ligatures as those of any kind."""
    plain = unicodedata.normalize("NFKC", text).replace("\u00ad", "-").replace("\u2010", "-")
    return Counter("".join(plain.split()))


def mupdf() -> Any:
    """MuPDF, without the neural network by which it would tell what is a title. Raises AbsentError."""
    sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of SWIG, on some versions of Python
            import pymupdf
    except ImportError:
        raise AbsentError("MuPDF (pymupdf)") from None
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def _run(program: str, *words: str) -> subprocess.CompletedProcess[Any]:
    if shutil.which(program) is None:
        raise AbsentError(program)
    return subprocess.run([program, *words], capture_output=True, timeout=LONGEST, check=False)


def _lines(done: subprocess.CompletedProcess[Any]) -> list[str]:
    said = [
        line for part in (done.stdout, done.stderr) for line in _text(part).splitlines() if line.strip()
    ]
    return said or [f"exit code {done.returncode}"]


def _text(part: bytes) -> str:
    return part.decode("utf-8", "replace") if len(part) < 100_000 else ""
