"""Sheets for a press, from sheets for a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from cardgen.findings import CardgenError, Finding, Severity
from cardgen.press.inks import InkRules, Inks
from cardgen.press.palettes import InkPalette
from cardgen.press.pdfx import for_press
from cardgen.press.plates import plates
from cardgen.press.profiles import load_profile
from cardgen.press.shadings import UnknownShadingError


class Press:
    """A press that is printed for: its profile, by name or file, and the most ink that it takes, in per
    cent. Raises UsageError for a profile that is none."""

    def __init__(self, profile: str, ink_limit: int) -> None:
        self.profile = load_profile(profile)
        self.ink_limit = ink_limit
        self.inks = Inks(self.profile, InkRules(ink_limit / 100))

    def write(self, write: Callable[[BinaryIO], object], out: BinaryIO) -> None:
        """Write what `write` writes, a PDF in RGB, in inks. Raises CardgenError for what no press has a
        way to print."""
        screen = BytesIO()
        write(screen)
        with _in_words():
            for_press(screen.getvalue(), out, self.inks, self.profile)

    def plates(self, content: bytes) -> tuple[bytes, bytes]:
        """Of a PDF in RGB what a screen can show of its inks, two PDFs, as
        `plates.plates` says. Raises CardgenError as `write` does."""
        with _in_words():
            return plates(content, InkPalette(self.inks))


@contextmanager
def _in_words() -> Iterator[None]:
    """Says in a finding what no press has a way to print."""
    try:
        yield
    except UnknownShadingError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/gradient",
                f"{error} can't be put into inks",
                None,
                "draw it as a linear or radial gradient, or as a picture",
            )
        ) from error
