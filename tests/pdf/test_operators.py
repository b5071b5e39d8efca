"""Content streams: which colour stands before what."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cardgen.pdf.ink_operators import InlineImageError, Space, Use, in_inks, operator_of
from tests.for_each import for_each


class Names:
    """A palette that says what it was asked for; gray text is apart."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        gray = len(set(color)) == 1
        return f"<{','.join(f'{c:g}' for c in color)}{'-' + use if gray else ''}>".encode()

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        gray = len(set(color)) == 1
        return f"<{','.join(f'{c:g}' for c in color)}{'-' + use if gray else ''}-line>".encode()


@for_each(
    ("before", "after"),
    [
        ("1 0 0 rg 0 0 5 5 re f", "<1,0,0> 0 0 5 5 re f"),
        ("1 0 0 RG 0 0 m 5 5 l S", "<1,0,0-line> 0 0 m 5 5 l S"),
        ("0 g 0 0 5 5 re f", "<0,0,0-area> 0 0 5 5 re f"),
        # bars are lines: by each part of a path, in mm, wherever they lie
        ("0 g 0 0 5 1 re f", "<0,0,0-area> <0,0,0-fine>\n0 0 5 1 re f"),
        ("0 g 0 0 5 1 re 0 9 5 2 re f", "<0,0,0-area> 0 0 5 1 re 0 9 5 2 re f"),
        (
            "0 g q 0 2 -2 0 0 0 cm 0 0 5 .5 re f 0 0 5 1 re f Q 0 0 m 9 0 l 9 1 l f*",
            "<0,0,0-area> q 0 2 -2 0 0 0 cm <0,0,0-fine>\n0 0 5 .5 re f <0,0,0-area>\n0 0 5 1 re f Q "
            "<0,0,0-fine>\n0 0 m 9 0 l 9 1 l f*",
        ),
        # whatever is written between the parts of a path, and however its numbers are
        ("0 g 0 0 m % l\n5e0 0 l 5 1 l h f", "<0,0,0-area> <0,0,0-fine>\n0 0 m % l\n5e0 0 l 5 1 l h f"),
        ("0 g 0 0 5 2 re\n0 9 m h\n5 9 l f", "<0,0,0-area> 0 0 5 2 re\n0 9 m h\n5 9 l f"),
        ("0 g/P Do 0 0 5 1 re(f)pop f", "<0,0,0-area>/P Do <0,0,0-fine>\n0 0 5 1 re(f)pop f"),
        (
            "0 g [(1 0 0 rg [) 3 <66> (\\))] TJ [3 (a] f) %]\n] TJ",
            "<0,0,0-area> <0,0,0-fine>\n[(1 0 0 rg [) 3 <66> (\\))] TJ [3 (a] f) %]\n] TJ",
        ),
        # what only clips is not painted
        ("0 g 0 0 5 1 re W n 0 0 9 9 re f", "<0,0,0-area> 0 0 5 1 re W n 0 0 9 9 re f"),
        # lines thicker than a mm are grounds
        ("0 G 1 w 0 0 m 5 5 l S", "<0,0,0-fine-line> 1 w 0 0 m 5 5 l S"),
        (
            "0 G 1.1 w 0 0 m 5 5 l S .5 w 0 0 5 5 re s",
            "<0,0,0-fine-line> 1.1 w <0,0,0-area-line>\n0 0 m 5 5 l S .5 w <0,0,0-fine-line>\n0 0 5 5 re s",
        ),
        (
            "0 G q 3 0 0 3 0 0 cm 0 0 m 5 5 l S Q 0 0 m 5 5 l S",
            "<0,0,0-fine-line> q 3 0 0 3 0 0 cm <0,0,0-area-line>\n0 0 m 5 5 l S Q 0 0 m 5 5 l S",
        ),
        # so are letters from 36 pt (12.7 mm) on, however they come to be so large
        ("0 g BT /F 13 Tf (a) Tj ET", "<0,0,0-area> BT /F 13 Tf (a) Tj ET"),
        (
            "0 g BT /F 1 Tf 13 0 0 13 0 0 Tm (a) Tj ET BT (b) Tj ET",
            "<0,0,0-area> BT /F 1 Tf 13 0 0 13 0 0 Tm (a) Tj ET BT <0,0,0-fine>\n(b) Tj ET",
        ),
        # the same black for a ground, then for text, then for a ground again
        (
            "0 0 0 rg 0 0 5 5 re f BT (a) Tj ET 0 0 m 5 5 l f /x Do",
            "<0,0,0-area> 0 0 5 5 re f BT <0,0,0-fine>\n(a) Tj ET <0,0,0-area>\n0 0 m 5 5 l f /x Do",
        ),
        # nothing within a path
        (
            "0 0 0 rg BT (a) Tj ET 0 0 m 1 1 l 0 0 5 5 re f",
            "<0,0,0-area> BT <0,0,0-fine>\n(a) Tj ET <0,0,0-area>\n0 0 m 1 1 l 0 0 5 5 re f",
        ),
        # what is chosen within q and Q ends there
        ("0 g q BT (a) Tj ET Q 0 0 5 5 re f", "<0,0,0-area> q BT <0,0,0-fine>\n(a) Tj ET Q 0 0 5 5 re f"),
        # names of spaces
        ("/DeviceRGB cs 1 0 0 sc 0 0 5 5 re f", " <1,0,0> 0 0 5 5 re f"),
        ("/c0 CS 0 1 0 SCN 0 0 m 5 5 l S", " <0,1,0-line> 0 0 m 5 5 l S"),
        ("/Pattern cs /p0 scn 0 0 5 5 re f", "/Pattern cs /p0 scn 0 0 5 5 re f"),
        # strings are no operators
        (
            "BT (1 0 0 rg \\) (in) 0 g) Tj <0a67> Tj [(x) 3 <20>] TJ ET",
            "BT (1 0 0 rg \\) (in) 0 g) Tj <0a67> Tj [(x) 3 <20>] TJ ET",
        ),
        ("% 1 0 0 rg\n0 0 5 5 re f", "% 1 0 0 rg\n0 0 5 5 re f"),
    ],
)
def test_colours_where_they_count(before: str, after: str) -> None:
    spaces: dict[bytes, Space] = {b"/DeviceRGB": "rgb", b"/c0": "rgb"}
    found = in_inks(before.encode(), Names(), spaces)
    assert found.decode() == after


def test_an_image_within_a_stream_is_said() -> None:
    with pytest.raises(InlineImageError):
        in_inks(b"BI /W 1 /H 1 /BPC 8 /CS /G ID 0 EI", Names(), {})


def test_how_large_a_stream_shows_others() -> None:
    shown: dict[bytes, float] = {}
    in_inks(b"/a Do q 2 0 0 -2 9 9 cm /a Do /b Do Q /b Do", Names(), {}, 0.5, shown)
    assert shown == {b"/a": 1.0, b"/b": 1.0}


def test_numbers_are_short() -> None:
    assert operator_of((0, 0, 0, 1), fill=True) == b"0 0 0 1 k"
    assert operator_of((0.5, 0.12345, 0, 1), fill=False) == b"0.5 0.1235 0 1 K"
    assert operator_of((0.3,), fill=True) == b"0.3 g"
