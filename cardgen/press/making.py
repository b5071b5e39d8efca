"""Sheets for a press, from sheets for a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO

from cardgen.findings import CardgenError, Finding, Severity
from cardgen.press.flattening import SeeThroughError, SeeThroughSpotError
from cardgen.press.inks import InkRules, inks_of
from cardgen.press.palettes import InkPalette
from cardgen.press.pdfx import NAMES, Standard, for_press
from cardgen.press.plates import plates
from cardgen.press.profiles import Profile
from cardgen.press.shadings import UnknownShadingError
from cardgen.press.spots import SpotInk


class Press:
    """A press that is printed for: its profile, the most ink that it takes, in per cent, the standard of
    its files, and inks beside the four. It may write several files at a time."""

    def __init__(
        self,
        profile: Profile,
        ink_limit: int,
        standard: Standard = "x4",
        spots: Sequence[SpotInk] = (),
    ) -> None:
        self.profile = profile
        self.ink_limit = ink_limit
        self.standard = standard
        self.spots = tuple(spots)
        self.inks = inks_of(self.profile, InkRules(ink_limit / 100))

    def without_spots(self) -> Press:
        """The same with the four inks alone."""
        other = copy(self)
        other.spots = ()
        return other

    @property
    def key(self) -> str:
        """Tells presses apart whose files differ."""
        return f"{self.standard} {self.ink_limit} {sha256(self.profile.content).hexdigest()} {self.spots!r}"

    def __str__(self) -> str:
        spots = "".join(f", spot colour {spot.name}" for spot in self.spots)
        return (
            f"CMYK for {self.profile.title}{spots}, {NAMES[self.standard]}, at most {self.ink_limit} % ink"
        )

    def write(self, write: Callable[[BinaryIO], object], out: BinaryIO) -> None:
        """Write what `write` writes, a PDF in RGB, in inks. Raises CardgenError for what no press has a
        way to print."""
        screen = BytesIO()
        write(screen)
        with _in_words():
            for_press(screen.getvalue(), out, self.inks, self.profile, self.standard, self.spots)

    def plates(self, content: bytes) -> tuple[bytes, bytes]:
        """Of a PDF in RGB what a screen can show of its inks, two PDFs, as `plates.plates` says. Raises
        CardgenError as `write` does."""
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
    except SeeThroughSpotError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/spot",
                f"{error}, and PDF/X-1a knows nothing see-through",
                None,
                "paint it without opacity, the spot colour last, or ask the shop whether it takes PDF/X-4",
            )
        ) from error
    except SeeThroughError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/see-through",
                f"{error}, more than PDF/X-1a can be made of",
                None,
                "put them into one group, make them opaque, or ask the shop whether it takes PDF/X-4",
            )
        ) from error
