"""Pictures that Typst draws: which those are, how they look, and what stands in the PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from cardgen.core.artwork import IconRun, Picture
from cardgen.pdf import cairosvg_pages, programs
from cardgen.pdf.images import ImageLibrary
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import Drawable
from cardgen.pdf.typst_pages import with_stand_ins
from cardgen.svg.tree import parse
from tests.for_each import for_each
from tests.pdf_grammar import judge

from .samples import ICONS, REPEATING, SVG, UNPLAIN, artwork, at, close, drawn, pdf, picture, pixels, text
from .test_placed_images import photograph

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)
SIDE = re.compile(r"/(?:Width|Height)'?:? (?:Decimal\('|)(\d+)")
FULL = '<rect width="40" height="40" fill="{}"{}/>'
BLUR = '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>'


# ---------------------------------------------------------------- which picture goes where

FADING = REPEATING.replace('"blue"', '"blue" stop-opacity=".5"')


@for_each(
    ("content", "drawn_by_cairosvg"),
    [
        (REPEATING, True),
        (FADING, True),
        (f'<g transform="scale(.5)">{REPEATING}</g>', True),
        (REPEATING.replace('<rect width="40" height="40"', '<path d="M0 0h9v9z"'), False),
        (REPEATING.replace('x2=".25"', 'gradientUnits="userSpaceOnUse" x2="9"'), True),
        (f'{REPEATING}<g opacity=".5"/>', False),
        (f"{REPEATING}<mask/>", False),
        (f'{REPEATING}<path d="M0 0h9" fill="red"/>', False),
        (f'{REPEATING}<path d="M0 0a9 9 0 0 1 9 9z"/>', False),
        (f'{REPEATING}<rect width="9" height="9" rx="1"/>', True),
        (f'{REPEATING}<rect width="9" height="9" fill="url(#none)"/>', False),
        (UNPLAIN, False),
    ],
)
def test_cairosvg_is_given_what_it_is_proved_on(content: str, drawn_by_cairosvg: bool) -> None:
    root = parse(f"<svg {SVG}>{content}</svg>".encode()).root
    assert cairosvg_pages.draws(root) is drawn_by_cairosvg


def test_a_gradient_repeats() -> None:
    image = pixels(picture(REPEATING))
    for left in (0, 10, 20, 30):
        assert close(at(image, left + 1, 20), (230, 0, 25), 12)
        assert close(at(image, left + 9, 20), (25, 0, 230), 12)


def test_what_is_wrong_is_gathered_from_both() -> None:
    bad = '<path d="M0 0h9" stroke="red" marker-end="url(#none)"/>'
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(picture(bad), picture(f'<mask id="m"/><image href="/nowhere.png"/>{bad}')))
    assert [finding.code for finding in caught.value.findings] == ["picture/reference"] * 2


def test_one_that_can_not_be_drawn_is_named_and_stops_no_other() -> None:
    with pytest.raises(DrawingError) as caught:
        programs.draw_pictures([Drawable("a", '<svg width="wide"><mask/></svg>', label="icon 'a'")])
    (finding,) = caught.value.findings
    assert (finding.code, finding.message.partition(":")[0]) == ("picture/svg", "icon 'a'")


# ---------------------------------------------------------------- how they look

LOOKS = {
    "a mask by brightness": (
        '<mask id="m"><rect width="20" height="40" fill="#fff"/><rect x="20" width="10" height="40" '
        'fill="#808080"/></mask>' + FULL.format("red", ' mask="url(#m)"'),
        {(10, 20): RED, (25, 20): (255, 127, 127), (35, 20): WHITE},
    ),
    "a mask by opacity": (
        '<mask id="m" style="mask-type:alpha"><rect width="20" height="40"/></mask>'
        + FULL.format("red", ' mask="url(#m)"'),
        {(10, 20): RED, (30, 20): WHITE},
    ),
    "a mask over a group": (
        '<mask id="m"><rect width="40" height="20" fill="#fff"/></mask><g mask="url(#m)">'
        + FULL.format("red", "")
        + '<rect width="20" height="40" fill="blue"/></g>',
        {(10, 10): BLUE, (30, 10): RED, (10, 30): WHITE, (30, 30): WHITE},
    ),
    "a mask with nothing in it": (
        '<mask id="m"/>' + FULL.format("red", ' mask="url(#m)"'),
        {(20, 20): WHITE},
    ),
    "a clip path that is clipped": (
        '<clipPath id="b"><rect width="20" height="40"/></clipPath><clipPath id="a" clip-path="url(#b)">'
        '<rect width="40" height="20"/></clipPath>' + FULL.format("red", ' clip-path="url(#a)"'),
        {(10, 10): RED, (30, 10): WHITE, (10, 30): WHITE},
    ),
    "an arrow turned around": (
        '<marker id="m" orient="auto-start-reverse" markerWidth="9" markerHeight="9" refY="3" '
        'markerUnits="userSpaceOnUse"><rect width="6" height="6" fill="context-stroke"/></marker>'
        '<path d="M20 20h10" stroke="blue" marker-start="url(#m)"/>',
        {(16, 18): BLUE, (12, 20): WHITE, (16, 24): WHITE},
    ),
    "a blend under a mask": (
        '<mask id="m"><rect width="20" height="40" fill="#fff"/></mask><g mask="url(#m)">'
        + FULL.format("#ff0", "")
        + FULL.format("#0ff", ' style="mix-blend-mode:multiply"')
        + "</g>",
        {(10, 20): (0, 255, 0), (30, 20): WHITE},
    ),
    "a flood": (
        '<filter id="f" x="0" y="0" width="1" height="1"><feFlood flood-color="blue"/></filter>'
        '<rect x="10" y="10" width="20" height="20" filter="url(#f)"/>',
        {(20, 20): BLUE, (8, 20): WHITE, (32, 20): WHITE},
    ),
    "a shadow in its place": (
        '<filter id="f" x="-1" y="-1" width="3" height="3"><feDropShadow dx="10" dy="0" stdDeviation="0" '
        'flood-color="blue"/></filter><rect x="5" y="15" width="10" height="10" fill="red" '
        'filter="url(#f)"/>',
        {(10, 20): RED, (20, 20): BLUE, (30, 20): WHITE, (20, 10): WHITE},
    ),
}


@for_each("name", LOOKS)
def test_looks_as_it_should(name: str) -> None:
    content, expected = LOOKS[name]
    image = pixels(picture(content))
    found = {place: at(image, *place) for place in expected}
    assert all(close(found[place], color, 4) for place, color in expected.items()), found


def test_a_blur_fades_across_an_edge() -> None:
    image = pixels(picture(BLUR + '<rect width="20" height="40" filter="url(#f)"/>'))
    shades = [at(image, x, 20)[0] for x in (10, 17, 20, 23, 30)]
    assert shades == sorted(shades)
    assert shades[0] < 5
    assert shades[-1] > 250
    assert abs(shades[2] - 127) < 12


def test_an_icon_in_a_text_is_drawn_in_its_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """As large as its line of text, whatever its viewBox."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><mask id="m"><rect width="20" '
        'height="20" fill="#fff"/></mask><rect width="40" height="20" mask="url(#m)"/></svg>'
    )
    monkeypatch.setitem(ICONS, "half", svg)
    run = IconRun("half", 10.0, 10.0, 10.0, (0.0, 0.0, 1.0), aspect=2.0)
    image = pixels(text("a", x=1, y=38, icons=(run,)))
    found = [at(image, *place) for place in ((12, 15), (18, 12), (22, 15), (28, 15))]
    assert found == [BLUE, BLUE, WHITE, WHITE]


# ---------------------------------------------------------------- what stands in the PDF


def inside(content: str, root: str = SVG) -> Iterator[str]:
    """The PDF's dictionaries and uncompressed streams as text."""
    shown = replace(picture(content), svg=f"<svg {root}>{content}</svg>")
    data = pdf(drawn(artwork(shown)))
    judge(data)
    with pikepdf.open(BytesIO(data)) as document:
        for each in document.objects:
            if isinstance(each, pikepdf.Stream):
                yield str(dict(each.stream_dict.items()))
                if each.get("/Subtype") != "/Image":
                    yield each.read_bytes().decode("latin-1")
            else:
                yield each.unparse().decode("latin-1")


TILES = (
    '<mask id="m"><rect width="30" height="40" fill="#fff"/></mask><pattern id="p" width="5" height="5" '
    'patternUnits="userSpaceOnUse"><circle cx="2" cy="2" r="2" fill="red"/></pattern>'
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient>'
)


@for_each(
    ("content", "words"),
    [
        (TILES + FULL.format("red", ' mask="url(#m)"'), "/Luminosity"),
        (
            TILES.replace("<mask ", '<mask mask-type="alpha" ') + FULL.format("red", ' mask="url(#m)"'),
            "/SMask",
        ),
        (TILES + FULL.format("red", ' mask="url(#m)" style="mix-blend-mode:screen"'), "/Screen"),
        (TILES + FULL.format("url(#p)", ' mask="url(#m)"'), "1 0 0 1 5 5 cm"),
        (TILES + FULL.format("url(#g)", ' mask="url(#m)"'), "/ShadingType"),
        (TILES + f'<g opacity=".5" mask="url(#m)">{FULL.format("red", "")}</g>', "/Transparency"),
    ],
)
def test_vectors_stay_vectors(content: str, words: str) -> None:
    text = "\n".join(inside(content))
    assert words in text
    assert "/Image" not in text
    for left in ("ICCBased", "/Font", "/Metadata /"):
        assert left not in text
    assert "1 0 0 scn" in text or "red" not in content or "url(#g)" in content


def test_a_filter_is_a_picture_of_300_dpi() -> None:
    """Of 20 mm with a tenth more on each side, 24 mm or 283 pixels."""
    content = BLUR + '<rect x="10" y="10" width="20" height="20" filter="url(#f)"/>'
    sizes = {int(side) for text in inside(content) for side in SIDE.findall(text)}
    assert sizes
    assert all(abs(side - 24 / 25.4 * 300) < 6 for side in sizes), sizes


def test_fewer_dpi_are_asked_for_by_the_root() -> None:
    content = BLUR + '<rect x="10" y="10" width="20" height="20" filter="url(#f)"/>'
    found = inside(content, f'{SVG} data-filter-dpi="150"')
    sizes = {int(side) for text in found for side in SIDE.findall(text)}
    assert sizes
    assert all(abs(side - 24 / 25.4 * 150) < 6 for side in sizes), sizes


def test_what_lies_beside_a_filter_stays_a_vector() -> None:
    content = BLUR + '<rect width="9" height="9" filter="url(#f)"/><path d="M20 20h9v9Z" fill="blue"/>'
    text = "\n".join(inside(content))
    assert "/Image" in text
    assert "0 0 1 scn" in text


def test_the_same_picture_has_the_same_bytes_twice_and_in_any_company() -> None:
    contents = [content for content, _ in LOOKS.values()]
    drawables = [Drawable(str(n), f"<svg {SVG}>{content}</svg>") for n, content in enumerate(contents)]
    together = programs.draw_pictures(drawables)
    assert programs.draw_pictures(drawables[::-1]) == together
    for drawable in drawables[:: len(drawables) // 3]:
        assert programs.draw_pictures([drawable]) == {drawable.key: together[drawable.key]}


# ---------------------------------------------------------------- images in them

BOX = 'x="8" y="11" width="24" height="18"'
MASK = '<mask id="m"><rect width="40" height="40" fill="#fff"/></mask>'


def shown(path: Path, more: str = "", around: str = 'mask="url(#m)"', head: str = MASK) -> Picture:
    image = f'<g {around}><image href="{path}" {BOX} {more}/></g>'
    return picture(head + image, images=[(str(path), "d")])


@for_each("orientation", [1, 3, 6, 8])
def test_images_lie_as_others_do_with_their_turn(tmp_path: Path, orientation: int) -> None:
    path = photograph(tmp_path, orientation=orientation)
    for more in ("", 'preserveAspectRatio="none"', 'preserveAspectRatio="xMinYMin slice"'):
        ours = pixels(shown(path, f'image-rendering="pixelated" {more}'))
        plain = pixels(shown(path, f'image-rendering="pixelated" {more}', around="", head=""))
        places = [(x, y) for x in range(9, 32, 5) for y in range(12, 29, 4)]
        assert [at(ours, *place) for place in places] == [at(plain, *place) for place in places], more


def test_a_photograph_keeps_its_own_bytes(tmp_path: Path) -> None:
    path = photograph(tmp_path)
    data = pdf(drawn(artwork(shown(path))))
    judge(data)
    with pikepdf.open(BytesIO(data)) as document:
        (image,) = (
            each
            for each in document.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
        )
        assert image.read_raw_bytes() == path.read_bytes()
        assert bool(image.get("/Interpolate")) is True


def test_pixels_that_are_to_be_seen_are_not_smoothed(tmp_path: Path) -> None:
    path = photograph(tmp_path)
    for said in ('image-rendering="pixelated"', 'style="image-rendering:crisp-edges"'):
        text = pdf(drawn(artwork(shown(path, said))))
        with pikepdf.open(BytesIO(text)) as document:
            (image,) = (
                each
                for each in document.objects
                if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
            )
            assert not image.get("/Interpolate")


def test_an_image_under_a_filter_is_filtered(tmp_path: Path) -> None:
    path = photograph(tmp_path)
    grey = '<filter id="f"><feColorMatrix type="saturate" values="0"/></filter>'
    image = pixels(shown(path, 'image-rendering="pixelated"', 'filter="url(#f)"', grey))
    red, green, blue = at(image, 26, 14)
    assert max(red, green, blue) - min(red, green, blue) < 4
    assert red < 200


def test_a_profile_that_is_none_is_passed_over_under_a_filter_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    Image.new("RGB", (20, 20), "red").save(path, icc_profile=b"none" * 50)
    image = pixels(shown(path, "", 'filter="url(#f)"', BLUR))
    red, green, _ = at(image, 20, 20)
    assert red > 200 > 50 > green


def test_stand_ins_hold_no_pixels_and_files_are_not_named(tmp_path: Path) -> None:
    path = photograph(tmp_path)
    library = ImageLibrary([(str(path), "d")])
    root = parse(f'<svg {SVG}><image href="{path}" id="i" opacity=".5" {BOX}/></svg>'.encode()).root
    text = with_stand_ins(root, library)
    assert str(tmp_path) not in text
    assert "data:image/jpeg;base64," in text
    assert len(text) < 2_000
    group = next(each for each in parse(text.encode()).root.iter() if each.name == "g")
    assert group.attrs == {"id": "i", "opacity": ".5"}
    (nested,) = group.elements()
    assert nested.attrs["viewBox"] == "0 0 24 18"
    assert "data:image/png;base64," in with_stand_ins(
        parse(f'<svg {SVG}>{BLUR}<image href="{path}" {BOX}/></svg>'.encode()).root, library
    )


def test_an_image_that_is_not_the_picture_s_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(picture(MASK + f'<image href="{photograph(tmp_path)}" {BOX}/>')))
    assert [finding.code for finding in caught.value.findings] == ["picture/image"]


def test_a_mask_over_a_see_through_image(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    clear = Image.new("RGBA", (20, 20), (0, 0, 255, 255))
    clear.paste((0, 0, 0, 0), (0, 0, 10, 20))
    clear.save(path)
    image = pixels(shown(path, 'preserveAspectRatio="none"'))
    assert at(image, 12, 20) == WHITE
    assert at(image, 28, 20) == BLUE
