"""Text in drawings is set by the project's fonts, and is shapes in its place from then on."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest

from cardgen.core.artwork import Picture
from cardgen.core.findings import Finding
from cardgen.svg.tree import Node, parse
from tests.for_each import for_each
from tests.wording import Wording

from .support import Workshop
from .test_pictures import image, png

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" font-family="IBM Plex Sans" font-size="8">'
)


def drawn(shop: Workshop, body: str) -> Node:
    """What a drawing of that content is on a card; nothing is said of it."""
    (picture, findings) = shown(shop, body)
    assert findings == []
    assert picture is not None
    return parse(picture.svg.encode()).root


def shown(shop: Workshop, body: str, head: str = SVG) -> tuple[Picture | None, list[Finding]]:
    shop.write("demo/art/a.svg", f"{head}{body}</svg>")
    result = shop.render(image(40, 40, href="art/a.svg"))
    return (result.pictures or [None])[0], result.findings


def paths(root: Node) -> list[Node]:
    return [node for node in root.iter() if node.name == "path"]


def box(path: Node) -> tuple[float, float, float, float]:
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", path.attrs["d"])]
    across, down = numbers[::2], numbers[1::2]
    return min(across), min(down), max(across), max(down)


def test_no_text_is_left(shop: Workshop) -> None:
    root = drawn(shop, '<text x="4" y="20">Hello <tspan fill="red">you</tspan></text>')
    assert not [node for node in root.iter() if node.name in ("text", "tspan")]
    fills = [path.attrs.get("fill") for path in paths(root)]
    assert fills == [None, "rgb(100.0000%,0.0000%,0.0000%)"]


def test_letters_stand_where_the_text_says(shop: Workshop) -> None:
    (path,) = paths(drawn(shop, '<text x="4" y="20">HEH</text>'))
    left, top, right, bottom = box(path)
    assert 4 <= left < 5.5
    assert bottom == pytest.approx(20, abs=0.05)
    assert top == pytest.approx(20 - 0.698 * 8, abs=0.1)  # IBM Plex Sans' capitals
    assert 4 + 10 < right < 4 + 20


@for_each(("anchor", "place"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_anchors(shop: Workshop, anchor: str, place: float) -> None:
    (path,) = paths(drawn(shop, f'<text x="20" y="20" text-anchor="{anchor}">HEH</text>'))
    left, _, right, _ = box(path)
    assert left + place * (right - left) == pytest.approx(20, abs=0.8)


def test_a_text_keeps_what_it_is_painted_with(shop: Workshop) -> None:
    said = 'fill="blue" stroke="red" stroke-width="2" opacity=".5" transform="rotate(9)" id="t"'
    root = drawn(shop, f'<text y="20" {said}>a</text>')
    (group,) = (node for node in root.iter() if node.attrs.get("opacity") == ".5")
    assert group.name == "g"
    assert (group.attrs["fill"], group.attrs["stroke"]) == ("blue", "red")
    assert (group.attrs["stroke-width"], group.attrs["transform"]) == ("2", "rotate(9)")
    assert [node.name for node in group.elements()] == ["path"]


def test_a_text_in_a_use_and_in_a_group(shop: Workshop) -> None:
    root = drawn(shop, '<defs><g id="g"><text id="t" y="9">ab</text></g></defs><use href="#t" x="3"/>')
    (use,) = (node for node in root.iter() if node.name == "use")
    named = {node.attrs.get("id"): node for node in root.iter()}
    assert [node.name for node in named[(use.href or "")[1:]].elements()] == ["path"]


def test_lines_along_a_text_are_rectangles(shop: Workshop) -> None:
    root = drawn(shop, '<text x="4" y="20" text-decoration="underline">abc</text>')
    (bar,) = (node for node in root.iter() if node.name == "rect" and "stroke" in node.attrs)
    assert float(bar.attrs["y"]) > 20
    assert float(bar.attrs["x"]) == pytest.approx(4, abs=0.01)


@for_each(
    ("text", "code"),
    [
        ('<text x="4" y="20" font-family="No Such Font">a</text>', "text/font"),
        ('<text x="4" y="20">\N{HEBREW LETTER ALEF}\N{BUGINESE LETTER KA}</text>', "text/glyph"),
    ],
)
def test_what_can_not_be_set_is_said_at_its_line_of_the_drawing(
    shop: Workshop, text: str, code: str
) -> None:
    picture, findings = shown(shop, f"<g>\n\n{text}</g>")
    assert picture is None
    place = findings[0].location
    assert place is not None
    assert (findings[0].code.partition("/")[0], place.file, place.line) == (
        code.partition("/")[0],
        "templates/demo/art/a.svg",
        3,
    )


def test_small_type_in_a_drawing_is_not_judged(shop: Workshop) -> None:
    """How large it is printed depends on who shows it."""
    assert paths(drawn(shop, '<text x="4" y="20" font-size="1">tiny</text>'))


def test_more_letters_than_are_outlined(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.art.outlining.MOST_OUTLINED", 9)
    assert paths(drawn(shop, '<text y="9">nine char</text>'))
    picture, findings = shown(shop, '<text y="9">more than nine</text>')
    assert (picture, [finding.code for finding in findings]) == (None, ["text/bounds"])


def test_text_in_icons_is_set_too(shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", f'{SVG}<text y="20">A</text></svg>')
    result = shop.render("{{ icon('key', 1, 2, 6) }}")
    assert result.findings == []
    assert paths(parse(result.pictures[0].svg.encode()).root)


# ---------------------------------------------------------------- images in drawings


def data_url(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{b64encode(data).decode()}"


def test_images_whose_data_stand_in_the_drawing(shop: Workshop) -> None:
    url = data_url(png(600, 600))
    picture, findings = shown(shop, f'<image width="40" height="40" href="{url}"/>')
    assert findings == []
    assert picture is not None
    assert url in picture.svg


def test_images_beside_a_drawing_belong_to_the_picture(shop: Workshop) -> None:
    shop.write("demo/art/b.png", png(600, 600))
    picture, findings = shown(shop, '<image width="40" height="40" xlink:href="b.png"/>', XLINKED)
    assert findings == []
    assert picture is not None
    ((path, digest),) = picture.images
    assert path == str(shop.root / "templates/demo/art/b.png")
    assert len(digest) == 32


XLINKED = SVG.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ')


@for_each(
    ("href", "code"),
    [
        ("data:image/png;base64,@@@@", "image/data"),
        ("data:image/png;base64,AAA", "image/data"),
        ("data:image/png", "image/data"),
        ("data:,hello", "image/data"),
        (data_url(png(600, 600)[:-40]), "image/format"),
        (data_url(png(20_000, 20_000)), "image/pixels"),
        ("https://example.org/a.png", "image/external"),
        ("../../../a.png", "image/path"),
        ("nowhere.png", "image/missing"),
    ],
)
def test_images_that_can_not_be_shown(shop: Workshop, href: str, code: str, wording: Wording) -> None:
    picture, (finding,) = shown(shop, f'<g>\n<image width="9" height="9" href="{href}"/></g>')
    assert picture is None
    assert finding.code == code
    wording(finding)
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("templates/demo/art/a.svg", 2)
    assert len(finding.message) < 300
