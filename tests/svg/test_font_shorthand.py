"""The short form `font`."""

from __future__ import annotations

from cardgen.svg.style import font_longhands, read_style
from tests.for_each import for_each


@for_each(
    ("value", "wanted"),
    [
        ("12px Arial", {"font-size": "12px", "font-family": "Arial", "font-weight": "normal"}),
        (
            "italic small-caps 600 1.5em/1.2 'A B', serif",
            {
                "font-style": "italic",
                "font-variant": "small-caps",
                "font-weight": "600",
                "font-size": "1.5em",
                "line-height": "1.2",
                "font-family": '"A B", serif',
            },
        ),
        ("normal bold 50% / normal A B", {"font-weight": "bold", "font-size": "50%", "font-family": "A B"}),
        ("condensed large A", {"font-stretch": "condensed", "font-size": "19.2px"}),
    ],
)
def test_what_it_stands_for(value: str, wanted: dict[str, str]) -> None:
    found = font_longhands(value)
    assert found is not None
    assert {name: found[name] for name in wanted} == wanted


@for_each("value", ["caption", "12px", "bold Arial", "odd 12px A", "12px var(--a)", "12px/"])
def test_what_can_not_be_read(value: str) -> None:
    assert font_longhands(value) is None


def test_what_comes_later_wins() -> None:
    found, _ = read_style("font-weight: 600; font: 12px A; font-size: 3px")
    assert (found["font-weight"], found["font-size"], found["font-family"]) == ("normal", "3px", "A")
    assert read_style("font: caption")[0] == {"font": "caption"}
