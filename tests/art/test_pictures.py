"""Elements as pictures: self-contained, keyed by their look, shared between cards; icons and images."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from cardgen.core.artwork import Picture
from cardgen.core.findings import Severity
from tests.art.support import FONT, HEAD, Workshop
from tests.for_each import for_each
from tests.wording import Wording

NS = "{http://www.w3.org/2000/svg}"
UNSET = '<text y="5" font-family="IBM Plex Sans" font-size="3">\u1a00</text>'
"""A letter that no font of ours has."""
KEY = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor">'
    '<!-- a key --><path d="M4 12H20"/></svg>'
)


def pictures(shop: Workshop, body: str, **options: object) -> list[Picture]:
    result = shop.render(body)
    assert result.findings == []
    return result.pictures


def drawn(picture: Picture) -> ElementTree.Element:
    """The picture's last element: what it shows."""
    root = ElementTree.fromstring(picture.svg)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("66mm", "86mm", "0 0 66 86")
    return list(root)[-1]


def png(width: int, height: int) -> bytes:
    """A grey PNG; of one that is larger than any that is read, only the start."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * (width + 1) * min(height, 8_000_000 // (width + 1)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(width: int, height: int, mode: str = "RGB") -> bytes:
    """A black JPEG with a camera's notes."""
    file = BytesIO()
    Image.new(mode, (width, height)).save(file, "JPEG", exif=Image.Exif())
    return file.getvalue()


# ---- pictures


def test_only_the_definitions_that_are_used_come_along(shop: Workshop) -> None:
    body = """<defs>
      <linearGradient id="base"><stop stop-color="red"/></linearGradient>
      <linearGradient id="sky" href="#base" x2="0"/>
      <linearGradient id="unused"/>
    </defs><rect width="9" height="9" fill="url(#sky)"/><circle r="3"/>"""
    rect, circle = pictures(shop, body)
    ids = [node.get("id") for node in ElementTree.fromstring(rect.svg)[0]]
    assert sorted(ids) == ["base", "sky"]
    assert "defs" not in circle.svg


def test_groups_without_text_are_one_picture(shop: Workshop) -> None:
    (picture,) = pictures(shop, '<g opacity="0.5"><rect width="9" height="9"/><circle r="3"/></g>')
    assert drawn(picture).get("opacity") == "0.5"


def test_groups_with_text_pass_their_transform_and_style_on(shop: Workshop) -> None:
    body = (
        "<style>.warm { stroke: #f00; } rect { stroke-width: 2; }</style>"
        '<g transform="translate(1 2)" class="warm" fill="#00f">'
        f'<rect width="9" height="9" style="stroke-width:3;-inkscape-stroke:none"/>'
        f'<text x="9" y="20" stroke="none" {FONT}>a</text></g>'
    )
    (picture,) = pictures(shop, body)
    group = drawn(picture)
    assert (group.get("transform"), group.get("fill"), group.get("style")) == (
        "translate(1 2)",
        "#00f",
        "stroke:#f00",
    )
    assert group[0].get("style") == "stroke-width:3"
    assert "<style" not in picture.svg


def test_style_of_the_root_comes_along(shop: Workshop) -> None:
    shop.write(
        "demo/card.svg", HEAD.replace("<svg ", '<svg stroke-linecap="round" ') + '<path d="M1 1H9"/></svg>'
    )
    (picture,) = shop.render().pictures
    assert ElementTree.fromstring(picture.svg).get("stroke-linecap") == "round"


def test_the_same_element_is_the_same_picture_on_all_cards(shop: Workshop) -> None:
    body = f'<rect width="9" height="9"/><text x="9" y="20" {FONT}>{{{{ card.id }}}}</text>'
    arts = shop.render(body, [{}, {}]).rendering.artworks.values()
    first, second = (next(item for item in art.items if isinstance(item, Picture)) for art in arts)
    assert first is second


def test_a_picture_differs_with_what_it_refers_to(shop: Workshop) -> None:
    body = (
        '<defs><linearGradient id="g"><stop stop-color="{{ card.c }}"/></linearGradient></defs>'
        '<rect width="9" height="9" fill="url(#g)"/>'
    )
    arts = list(shop.render(body, [{"c": "red"}, {"c": "blue"}]).rendering.artworks.values())
    keys = {item.key for art in arts for item in art.items if isinstance(item, Picture)}
    assert len(keys) == 2


def test_references_within_the_drawing_need_no_defs(shop: Workshop) -> None:
    _, clone = pictures(shop, '<circle id="c" r="3"/><use href="#c" x="9"/>')
    assert ElementTree.fromstring(clone.svg)[0][0].get("id") == "c"


def test_use_written_the_old_way(shop: Workshop) -> None:
    body = '<circle id="c" r="3"/><use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#c" x="9"/>'
    assert drawn(pictures(shop, body)[1]).get("href") == "#c"


def test_a_use_written_both_ways(shop: Workshop) -> None:
    body = (
        '<circle id="c" r="3"/><use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#c" href="#c"/>'
    )
    assert drawn(pictures(shop, body)[1]).get("href") == "#c"


def test_a_broken_element_is_left_out_and_the_rest_stays(shop: Workshop) -> None:
    result = shop.render('<rect width="9" height="9" fill="nope"/><circle r="3"/>')
    assert result.codes == ["svg/color"]
    assert len(result.pictures) == 1


def test_a_problem_of_the_template_is_said_once_for_all_cards(shop: Workshop) -> None:
    body = '<rect width="{{ number }}" height="9" fill="nope"/>'
    (finding,) = shop.render(body, [{}, {}, {}]).findings
    assert finding.message.endswith("(card 'card-1' and 2 more)")


# ---- icons


def test_an_icon_is_fitted_into_its_square(shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", KEY)
    (picture,) = pictures(shop, "{{ icon('key', 10, 20, 6, fill='#ff0000') }}")
    group = drawn(picture)
    assert group.get("color") == "#ff0000"
    placed = group[0]
    assert placed.get("transform") == "translate(10 20) scale(0.25)"
    assert placed[0].get("stroke") == "currentColor"
    assert placed[0][0].get("d") == "M4 12H20"


@for_each(
    ("box", "place"),
    [
        ('viewBox="-12 -6 24 12"', "translate(13 23) scale(0.25)"),
        ('viewBox="0 0 12 24"', "translate(11.5 20) scale(0.25)"),
        ('width="24" height="12px"', "translate(10 21.5) scale(0.25)"),
        ('width="12.7mm" height="6.35mm"', "translate(10 21.5) scale(0.125)"),
    ],
)
def test_an_icon_of_any_box_is_centred_in_its_square(box: str, place: str, shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", KEY.replace('viewBox="0 0 24 24"', box))
    (picture,) = pictures(shop, "{{ icon('key', 10, 20, 6) }}")
    assert place in picture.svg


def test_use_of_an_icon_keeps_its_transform_and_centres(shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", KEY)
    body = '<use href="#icon-key" x="1" y="2" width="12" height="6" transform="rotate(9)" opacity="0.5"/>'
    group = drawn(pictures(shop, body)[0])
    assert (group.get("transform"), group.get("opacity")) == ("rotate(9)", "0.5")
    assert group[0].get("transform") == "translate(4 2) scale(0.25)"


def test_a_games_icon_goes_before_the_shared_one(shop: Workshop) -> None:
    shop.write("_shared/icons/key.svg", KEY.replace("M4", "M5"))
    assert "M5 12" in pictures(shop, "{{ icon('key', 1, 2, 6) }}")[0].svg
    shop.write("demo/icons/key.svg", KEY)
    assert "M4 12" in pictures(shop, "{{ icon('key', 1, 2, 6) }}")[0].svg


@for_each(
    ("content", "seen"),
    [
        ('<path d="M0 0h9v9z" fill="#fff"/>', False),
        ('<g style="fill:none;stroke:white"><circle r="4"/><line x2="9"/></g>', False),
        ('<circle r="4" fill="none"/>', False),
        ('<circle r="4" fill="#f000"/>', False),
        ("", False),
        ('<circle r="4" fill="#fff"/><circle r="2"/>', True),
        ('<circle r="4" fill="#fff" stroke="currentColor"/>', True),
        ('<circle r="4" fill="#ff0"/>', True),
        ('<linearGradient id="g"><stop/></linearGradient><circle r="4" fill="url(#g)"/>', True),
    ],
)
def test_an_icon_that_no_colour_shows_is_reported(content: str, seen: bool, shop: Workshop) -> None:
    shop.write(
        "demo/icons/key.svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{content}</svg>'
    )
    result = shop.render(f'<text x="9" y="20" {FONT}>a :key:</text>{{{{ icon("key", 9, 30, 6) }}}}')
    found = [(finding.code, finding.severity.value) for finding in result.findings]
    assert found == ([] if seen else [("icon/unseen", "warning")])
    assert len(result.pictures) == 1  # it is drawn as it is


def test_ids_in_icons_can_not_clash(shop: Workshop) -> None:
    for name, color in (("a", "red"), ("b", "blue")):
        gradient = f'<linearGradient id="g"><stop stop-color="{color}"/></linearGradient>'
        path = '<path fill="url(#g)" d="M0 0H9V9"/>'
        icon = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{gradient}{path}</svg>'
        shop.write(f"demo/icons/{name}.svg", icon)
    (picture,) = pictures(shop, "<g>{{ icon('a', 1, 2, 6) }}{{ icon('b', 9, 2, 6) }}</g>")
    assert 'id="icon-a-0"' in picture.svg
    assert 'fill="url(#icon-b-0)"' in picture.svg


@for_each(
    "source",
    [
        "<svg",
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
        KEY.replace("0 0 24 24", "0 0 24"),
        KEY.replace("0 0 24 24", "0 0 24 0"),
        KEY.replace("0 0 24 24", "0 0 24 0.1"),
        KEY.replace('viewBox="0 0 24 24"', 'width="24" height="wide"'),
        KEY.replace('viewBox="0 0 24 24"', 'width="0" height="24"'),
        '<g xmlns="http://www.w3.org/2000/svg"/>',
        KEY.replace('d="M4', 'filter="url(#x)" d="M4'),
        KEY.replace("<path", f"{UNSET}<path"),
    ],
)
def test_a_bad_icon_is_reported_in_its_file(shop: Workshop, source: str, wording: Wording) -> None:
    shop.write("demo/icons/key.svg", source)
    findings = shop.render("{{ icon('key', 1, 2, 6) }}\n{{ icon('key', 9, 2, 6) }}").findings
    assert [finding.location.file for finding in findings if finding.location] == [
        "templates/demo/icons/key.svg"
    ]
    wording(findings[0])


def test_a_bad_icon_in_text_is_reported(shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", "<svg")
    assert shop.render(f'<text x="9" y="20" {FONT}>:key:</text>').codes == ["icon/file"]


def test_an_icon_needs_a_size(shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", KEY)
    assert shop.render('<use href="#icon-key" x="1" y="2"/>').codes == ["svg/viewport"]


# ---- images


def image(width: float = 25.4, height: float = 25.4, extra: str = "", href: str = "art/a.png") -> str:
    return f'<image href="{href}" x="9" y="9" width="{width}" height="{height}" {extra}/>'


@pytest.mark.parametrize("place", ["demo/art/a.png", "art/a.png"])
def test_images_are_found_and_named(shop: Workshop, place: str) -> None:
    shop.write(place, png(300, 300))
    (picture,) = pictures(shop, image())
    ((path, digest),) = picture.images
    assert path == str(shop.root / "templates" / place)
    assert len(digest) == 32
    assert drawn(picture).get("href") == path


def test_the_key_goes_by_content_not_by_place(
    shop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    keys = []
    for shade in (300, 300, 301):
        other = Workshop(tmp_path_factory.mktemp("other"))
        other.write("demo/art/a.png", png(shade, 300))
        result = other.render(image())
        keys.append((result.pictures[0].key, result.art.key))
    assert keys[0] == keys[1] != keys[2]


@for_each(
    ("pixels", "severity"),
    [((300, 300), None), ((298, 298), Severity.WARNING), ((149, 149), Severity.ERROR), ((600, 100), None)],
)
def test_resolution(shop: Workshop, pixels: tuple[int, int], severity: Severity | None) -> None:
    shop.write("demo/art/a.png", png(*pixels))
    findings = shop.render(image()).findings
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_resolution_counts_transforms_and_cropping(shop: Workshop) -> None:
    shop.write("demo/art/a.png", png(600, 300))
    assert shop.render(image()).codes == []
    assert shop.render(image(extra='preserveAspectRatio="xMidYMid slice"')).codes == []
    assert shop.render(
        image(extra='preserveAspectRatio="xMidYMid slice" transform="scale(1.1)"')
    ).codes == ["image/resolution"]
    stretched = image(12.7, 12.7, 'preserveAspectRatio="none"')
    inside = f'<g transform="scale(2)"><g transform="scale(1.1)">{stretched}</g></g>'
    assert shop.render(inside).codes == ["image/resolution"]


def test_jpeg_sizes_are_read_past_other_segments(shop: Workshop) -> None:
    shop.write("demo/art/a.png", jpeg(300, 100))
    (finding,) = shop.render(image(width=50.8)).findings
    assert "(300×100 pixels) prints at 150 dpi" in finding.message


@for_each(
    ("content", "code"),
    [
        (b"GIF89a", "image/format"),
        (b"\x89PNG\r\n\x1a\n", "image/format"),
        (b"\xff\xd8\xff\xd9", "image/format"),
        (png(20000, 20000), "image/pixels"),
        (jpeg(300, 300, "CMYK"), "image/cmyk"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg"),
        (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{UNSET}</svg>'.encode(), "text/glyph"),
    ],
)
def test_images_that_can_not_be_shown(shop: Workshop, content: bytes, code: str) -> None:
    shop.write("demo/art/a.png", content)
    result = shop.render(image())
    assert (result.codes, result.art.items) == ([code], ())


def test_a_missing_image_stands_at_the_card(shop: Workshop) -> None:
    shop.write("demo/art/card-1.png", png(300, 300))
    body = image(href="art/{{ card.id }}.png")
    (finding,) = shop.render(body, [{}, {}]).findings
    assert finding.code == "image/missing"
    assert finding.location is not None
    assert finding.location.line == 20
    assert finding.hint is not None
    assert finding.hint.startswith(
        "put the file into one of: templates/demo/, templates/, art/demo/, art/ "
        "(face drawn by templates/demo/card.svg:2)"
    )


@for_each(
    ("href", "path"),
    [
        ("{{ card.art }}", "[art]"),
        ("art/{{ card.art }}.png", "[art]"),
        ("art/{{ card.suit }}-{{ card.rank }}.png", "[suit]"),
        ("art/{{ '%02d'|format(card.rank) }}.png", "[rank]"),
        ("art/{{ card.pictures[1].file|lower }}", "[pictures][1][file]"),
        ("art/{{ card.path }}", "[path]"),
        ("art/nothing.png", None),
    ],
)
def test_a_bad_picture_stands_where_the_data_name_it(href: str, path: str | None, shop: Workshop) -> None:
    fields = {
        "art": "early-bird",
        "suit": "spades",
        "rank": 12,
        "pictures": [{"file": "a.png"}, {"file": "Owl.png"}],
        "path": "birds/crow.png",
    }
    (finding,) = shop.render(f"\n{image(href=href)}", [fields]).findings
    assert finding.code == "image/missing"
    assert finding.location is not None
    if path is None:
        assert (finding.location.file, finding.location.line) == ("templates/demo/card.svg", 3)
    else:
        assert finding.location.path == f"[cards][0]{path}"


@for_each("name", ["../../../etc/passwd", "/etc/passwd", "..%2f..%2F%2e%2e/etc/passwd"])
def test_a_path_out_of_the_templates_stands_where_the_data_name_it(name: str, shop: Workshop) -> None:
    (finding,) = shop.render(image(href="art/{{ card.art }}"), [{"art": name}]).findings
    assert finding.code == "image/path"
    assert finding.location is not None
    assert finding.location.path == "[cards][0][art]"


@for_each(
    ("name", "near"),
    [("a1.jpg", "art/a1.png"), ("HEROO.PNG", "art/hero.png"), ("a2.png", None), ("zebra.png", None)],
)
def test_a_missing_image_whose_name_is_near_another(name: str, near: str | None, shop: Workshop) -> None:
    for there in ("a1.png", "hero.png"):
        shop.write(f"demo/art/{there}", png(300, 300))
    (finding,) = shop.render(image(href="art/{{ card.art }}"), [{"art": name}]).findings
    said = f"did you mean '{near}'? If not, put the file into " if near else "put the file into "
    assert (finding.hint or "").startswith(said)


def test_a_drawing_as_image_is_put_in(shop: Workshop) -> None:
    shop.write(
        "demo/art/a.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" width="10" viewBox="0 0 10 10" fill="red">'
        '<defs><path id="p" d="M0 0H9"/></defs><use href="#p"/></svg>',
    )
    (picture,) = pictures(shop, image(href="art/a.svg", extra='transform="rotate(3)"'))
    group = drawn(picture)
    assert group.get("transform") == "rotate(3)"
    clip, placed = group
    assert [clip[0][0].get(name) for name in ("x", "y", "width", "height")] == ["9", "9", "25.4", "25.4"]
    assert placed[0].get("transform") == "translate(9 9) scale(2.54)"
    assert "#image-" in str(placed[0][0][-1].get("href"))
    assert picture.images == ()


def test_a_drawing_without_a_view_box_is_as_large_as_it_says(shop: Workshop) -> None:
    shop.write(
        "demo/art/a.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" width="20px" height="10"><path d="M0 0H9"/></svg>',
    )
    (picture,) = pictures(shop, image(href="art/a.svg"))
    assert 'transform="translate(9 15.35) scale(1.27)"' in picture.svg


# ---- viewports


@for_each(
    ("aspect", "place"),
    [
        ("", "translate(15 10) scale(2)"),
        ("xMinYMin", "translate(10 10) scale(2)"),
        ("xMaxYMid meet", "translate(20 10) scale(2)"),
        ("xMidYMax slice", "translate(10 0) scale(3)"),
        ("none", "translate(10 10) scale(3 2)"),
    ],
)
@for_each("kind", ["svg", "symbol"])
def test_drawings_fill_their_box(shop: Workshop, kind: str, aspect: str, place: str) -> None:
    box = 'x="10" y="10" width="30" height="20"'
    inside = f'viewBox="0 0 10 10" preserveAspectRatio="{aspect}"'
    if kind == "svg":
        body = f'<svg {box} {inside}><circle r="5"/></svg>'
    else:
        body = f'<defs><symbol id="s" {inside}><circle r="5"/></symbol></defs><use href="#s" {box}/>'
    (picture,) = pictures(shop, body)
    assert f'<g transform="{place}"><' in picture.svg
    assert '<rect x="10" y="10" width="30" height="20"/></clipPath>' in picture.svg
    assert "<symbol" not in picture.svg


def test_a_view_box_may_begin_anywhere(shop: Workshop) -> None:
    (picture,) = pictures(shop, '<svg width="20" height="20" viewBox="-5 -5 10 10"><circle r="5"/></svg>')
    assert '<g transform="translate(10 10) scale(2)">' in picture.svg


@for_each(
    "body",
    [
        '<svg viewBox="0 0 9 9"><circle r="3"/></svg>',
        '<svg width="50%" height="9"><circle r="3"/></svg>',
        '<svg width="9" height="9"><rect width="100%" height="9"/></svg>',
        '<svg width="9" height="9" viewBox="0 0 9"/>',
        '<defs><symbol id="s"/></defs><use href="#s"/>',
    ],
)
def test_viewports_that_can_not_be_placed(shop: Workshop, body: str) -> None:
    assert "svg/viewport" in shop.render(body).codes


@for_each(
    "body",
    [
        '<g id="a"><use href="#a"/></g>',
        '<defs><symbol id="a"><use href="#b" width="9" height="9"/></symbol>'
        '<symbol id="b"><use href="#a" width="9" height="9"/></symbol></defs>'
        '<use href="#a" width="9" height="9"/>',
        '<defs><linearGradient id="a" href="#a"/></defs><rect width="9" height="9" fill="url(#a)"/>',
    ],
)
def test_what_refers_to_itself_is_refused(shop: Workshop, body: str) -> None:
    assert shop.render(body).codes == ["svg/cycle"]


def test_symbols_can_not_multiply_without_end(shop: Workshop) -> None:
    size = 'width="9" height="9"'
    levels = ['<symbol id="s0"><circle r="3"/></symbol>']
    for level in range(1, 9):
        uses = f'<use href="#s{level - 1}" {size}/>' * 10
        levels.append(f'<symbol id="s{level}">{uses}</symbol>')
    body = f'<defs>{"".join(levels)}</defs><use href="#s8" {size}/>'
    assert shop.render(body).codes == ["svg/bounds"]
