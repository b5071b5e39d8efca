"""Where a field stands whose text is named `cost: center`: about the sample as it is drawn."""

from __future__ import annotations

import pytest

from tests.art.support import HEAD, Result, Workshop
from tests.for_each import for_each

TYPE = 'font-family="IBM Plex Sans" font-size="4" fill="#111"'


def set_text(shop: Workshop, text: str, value: object, name: str = "cost") -> Result:
    body = text.replace("NAME", name).replace("TYPE", TYPE)
    shop.write("demo/card.svg", f"{HEAD}\n{body}\n</svg>")
    return shop.render(cards=[{"cost": value}], declared=["cost"])


SAMPLES = [
    '<text id="NAME" x="20" y="20" TYPE>12345</text>',
    '<text id="NAME" x="20" y="20" TYPE text-anchor="middle">12345</text>',
    '<text id="NAME" x="30" y="20" TYPE style="text-anchor:end">12345</text>',
    '<text id="NAME" TYPE><tspan x="20" y="20">12345</tspan></text>',
    '<text id="NAME" TYPE x="9" y="9"><tspan x="20" y="20" font-weight="700">A &amp; B</tspan></text>',
    '<text id="NAME" TYPE><tspan x="20" y="20" style="text-anchor:start">1<tspan>2</tspan></tspan></text>',
    '<g transform="translate(3 2) scale(1.5)"><text id="NAME" x="20" y="20" TYPE>123</text></g>',
]


@pytest.mark.long
@for_each("text", SAMPLES)
@for_each(("word", "share"), [("left", 0.0), ("center", 0.5), ("centre", 0.5), ("right", 1.0)])
@for_each("value", [7, "123456", True])
def test_text_stands_about_its_sample(
    text: str, word: str, share: float, value: object, shop: Workshop
) -> None:
    (sample,) = set_text(shop, text, 1, name="other").texts
    result = set_text(shop, text, value, f"cost: {word}")
    (placed,) = result.texts
    there, here = sample.box, placed.box
    assert here.x + share * here.width == pytest.approx(there.x + share * there.width, abs=1e-6)
    assert placed.runs[0].y == pytest.approx(sample.runs[0].y)
    assert result.findings == []


def test_text_of_several_lines_stands_about_all_of_them(shop: Workshop) -> None:
    text = '<text id="NAME" TYPE><tspan x="20" y="20">12</tspan><tspan x="24" y="25">12345</tspan></text>'
    (sample,) = set_text(shop, text, 1, name="other").texts
    result = set_text(shop, text, 7, "cost: center")
    (placed,) = result.texts
    assert placed.box.x + placed.box.width / 2 == pytest.approx(sample.box.x + sample.box.width / 2)
    assert [each.code for each in result.findings] == []


@for_each("said", ["", "x", "middle x 1", "middle 1e9 x", "middle nan x", "up 1 x", "start 1 "])
def test_sample_that_is_none_is_a_finding(said: str, shop: Workshop) -> None:
    result = shop.render(f'<text {TYPE}><tspan x="9" y="9" cg:sample="{said}">x</tspan></text>')
    assert result.codes in (["text/align"], ["svg/number"]) or not said
