"""Content streams: which colour stands before what."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cardgen.press.operators import InlineImageError, Space, Use, in_inks, operator_of


class Names:
    """A palette that says what it was asked for; gray text is apart."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        gray = len(set(color)) == 1
        return f"<{','.join(f'{c:g}' for c in color)}{'-' + use if gray else ''}>".encode()

    def stroke(self, color: Sequence[float]) -> bytes:
        return f"<{','.join(f'{c:g}' for c in color)}-line>".encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1 0 0 rg 0 0 5 5 re f", "<1,0,0> 0 0 5 5 re f"),
        ("1 0 0 RG 0 0 m 5 5 l S", "<1,0,0-line> 0 0 m 5 5 l S"),
        ("0 g 0 0 5 5 re f", "<0,0,0-area> 0 0 5 5 re f"),
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
        ("0 g q BT (a) Tj ET Q 0 0 1 1 re f", "<0,0,0-area> q BT <0,0,0-fine>\n(a) Tj ET Q 0 0 1 1 re f"),
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


def test_numbers_are_short() -> None:
    assert operator_of((0, 0, 0, 1), fill=True) == b"0 0 0 1 k"
    assert operator_of((0.5, 0.12345, 0, 1), fill=False) == b"0.5 0.1235 0 1 K"
    assert operator_of((0.3,), fill=True) == b"0.3 g"
