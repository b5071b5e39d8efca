"""Icons of any construction take the color that they are asked for, by every way to ask for one."""

from __future__ import annotations

from tests.art.support import FONT, Workshop
from tests.art.test_reading_sides import pixel
from tests.for_each import for_each

BLACK, RED, GREEN, BLUE, WHITE = (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
WHOLE = '<path d="M0 0h512v512H0z"'
UNSTATED = {
    "no fill": f"{WHOLE}/>",
    "fill of the color": f'{WHOLE} fill="currentColor"/>',
    "stroke of the color": '<path d="M0 256h512" fill="none" stroke="currentColor" stroke-width="512"/>',
    "stroke and no fill": f'{WHOLE} stroke="currentColor"/>',
    "class": f'<style>.a{{fill:currentColor}}</style>{WHOLE} class="a"/>',
    "class without fill": f'<style>.a{{opacity:1}}</style><g>{WHOLE} class="a"/></g>',
    "fill of its surroundings": f'{WHOLE} fill="context-fill"/>',
    "empty rectangle over it": f'{WHOLE}/><rect width="512" height="512" fill="none"/>',
}
ASKED = {
    "icon()": ("{{ icon('key', 20, 30, 8, fill='#ff0000') }}", RED),
    "color of the use": ('<use href="#icon-key" x="20" y="30" width="8" height="8" color="#f00"/>', RED),
    "style of the use": (
        '<use href="#icon-key" x="20" y="30" width="8" height="8" style="color:red"/>',
        RED,
    ),
    "fill and color of the use": (
        '<use href="#icon-key" x="20" y="30" width="8" height="8" color="#f00" fill="#f00"/>',
        RED,
    ),
    "rule": (
        '<style>.r{color:#f00}</style><use class="r" href="#icon-key" x="20" y="30" width="8" height="8"/>',
        RED,
    ),
    "color of a group": ("<g color='#f00'>{{ icon('key', 20, 30, 8) }}</g>", RED),
    "color of a group in a filled one": (
        "<g fill='#00f'><g color='#f00'>{{ icon('key', 20, 30, 8) }}</g></g>",
        RED,
    ),
    "color of a group with texts": (
        f"<g fill='#00f'><g color='#f00'>{{{{ icon('key', 20, 30, 8) }}}}<text {FONT}>a</text></g></g>",
        RED,
    ),
    "color in a filled group": ("<g fill='#00f'>{{ icon('key', 20, 30, 8, fill='red') }}</g>", RED),
    "color in a group without fill": ("<g fill='none'>{{ icon('key', 20, 30, 8, fill='red') }}</g>", RED),
    "symbol": (
        '<symbol id="s" viewBox="0 0 8 8">{{ icon("key", 0, 0, 8) }}</symbol>'
        '<use href="#s" x="20" y="30" width="8" height="8" color="#f00"/>',
        RED,
    ),
    "text": (
        '<text x="20" y="38" font-size="12" font-family="IBM Plex Sans" fill="#f00">:key:</text>',
        RED,
    ),
    "mark": ('<text x="20" y="38" font-size="12" font-family="IBM Plex Sans">:key#f00:</text>', RED),
    "nothing": ("{{ icon('key', 20, 30, 8) }}", BLACK),
}


def icon(content: str, view: str = "0 0 512 512") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{content}</svg>'


PAIRS = [(made, asked) for made in UNSTATED for asked in ("icon()", "text")]
"""Every way to make an icon, with a few ways to ask for a color; and all of those for one icon."""
PAIRS += [(next(iter(UNSTATED)), asked) for asked in ASKED if asked not in ("icon()", "text")]


@for_each(("made", "asked"), PAIRS)
def test_icon_without_own_color_takes_the_one_asked_for(made: str, asked: str, shop: Workshop) -> None:
    shop.write("demo/icons/key.svg", icon(UNSTATED[made]))
    body, color = ASKED[asked]
    result = shop.render(f'<rect width="66" height="86" fill="#fff"/>{body}')
    assert [code for code in result.codes if code.startswith("icon/")] == []
    assert pixel(result, 24, 34) == color


def test_fill_around_an_icon_paints_what_states_no_fill(shop: Workshop) -> None:
    """As everywhere in SVG; a color stated nearer goes first."""
    shop.write("demo/icons/key.svg", icon(f"{WHOLE}/>"))
    body = "<g color='#f00'><g fill='#00f'>{{ icon('key', 20, 30, 8) }}</g>{{ icon('key', 40, 30, 8) }}</g>"
    result = shop.render(f'<rect width="66" height="86" fill="#fff"/>{body}')
    assert pixel(result, 24, 34) == BLUE
    assert pixel(result, 44, 34) == RED


def test_white_sign_on_a_plate_keeps_white(shop: Workshop) -> None:
    sign = f'{WHOLE}/><path d="M0 0h256v512H0z" fill="#fff"/>'
    shop.write("demo/icons/key.svg", icon(sign))
    result = shop.render("{{ icon('key', 20, 30, 8, fill='#00ff00') }}")
    assert pixel(result, 22, 34) == WHITE
    assert pixel(result, 26, 34) == GREEN
    assert result.codes == []


def test_second_tone_is_the_color_by_its_opacity(shop: Workshop) -> None:
    tones = f'<defs><style>.b{{opacity:.4}}</style></defs>{WHOLE} class="b"/><path d="M0 0h256v512H0z"/>'
    shop.write("demo/icons/key.svg", icon(tones))
    result = shop.render(
        '<rect width="66" height="86" fill="#fff"/>{{ icon("key", 20, 30, 8, fill="#ff0000") }}'
    )
    assert pixel(result, 22, 34) == RED
    assert pixel(result, 26, 34) == (255, 153, 153)


@for_each("fill", ["#1f1f1f", "black", "rgb(31, 31, 31)", 'currentColor" color="#00f'])
@for_each(
    "body",
    [
        "{{ icon('key', 20, 30, 8, fill='#0a0') }}",
        '<use href="#icon-key" x="20" y="30" width="8" height="8" style="color:#0a0"/>',
        f"<text x='20' y='38' {FONT}>:key#0a0:</text>",
    ],
)
def test_color_that_an_icon_does_not_take_is_noted_where_it_is_asked_for(
    body: str, fill: str, shop: Workshop
) -> None:
    shop.write("demo/icons/key.svg", icon(f'{WHOLE} fill="{fill}"/>'))
    (found,) = [each for each in shop.render(f"\n\n{body}").findings if each.code == "icon/color"]
    place = found.location
    assert place is not None
    assert place.file in ("templates/demo/card.svg", "data/demo/cards.yaml")
    plain = shop.render(f"{{{{ icon('key', 20, 30, 8) }}}}<text x='20' y='58' {FONT}>:key:</text>")
    assert "icon/color" not in plain.codes


@for_each(
    ("made", "asked", "codes"),
    [
        ('fill="currentColor"', 'fill="#f00"', ["icon/color"]),
        ('fill="none" stroke="currentColor"', 'style="fill:red"', ["icon/color"]),
        ('fill="currentColor"', 'fill="#f00" color="#f00"', []),
        ('fill="currentColor"', 'fill="none"', []),
        ('fill="currentColor"', 'fill="black"', []),
        ('fill="#1f1f1f"', 'fill="#f00"', []),
        ("", 'fill="#f00"', []),
    ],
)
def test_fill_that_an_icon_does_not_take_is_reported(
    made: str, asked: str, codes: list[str], shop: Workshop
) -> None:
    shop.write("demo/icons/key.svg", icon(f"{WHOLE} {made}/>"))
    result = shop.render(f'\n<use href="#icon-key" x="20" y="30" width="8" height="8" {asked}/>')
    assert result.codes == codes
    assert [str(each.location) for each in result.findings] == ["templates/demo/card.svg:3"] * len(codes)


def test_white_icon_with_an_unseen_plate_is_reported(shop: Workshop) -> None:
    sign = f'{WHOLE} fill="#000" fill-opacity="0"/><path d="M9 9h400v400z" fill="#fff" fill-opacity="1"/>'
    shop.write("demo/icons/key.svg", icon(sign))
    assert shop.render("{{ icon('key', 20, 30, 8) }}").codes == ["icon/unseen"]


def test_icon_drawn_beyond_its_view_is_whole_in_a_text(shop: Workshop) -> None:
    """Some sets rely on `overflow: visible`."""
    shop.write("demo/icons/key.svg", icon('<path d="M0 -64h512v640H0z" fill="currentColor"/>'))
    text = '<text x="20" y="40" font-family="IBM Plex Sans" font-size="10" fill="#f00">:key:</text>'
    (run,) = shop.render(text).texts[0].runs
    assert (run.size, round(run.aspect, 3)) == (10.0, 0.8)
    result = shop.render(f'<rect width="66" height="86" fill="#fff"/>{text}')
    assert pixel(result, run.x + 4, run.y + 0.3) == pixel(result, run.x + 4, run.y + 9.7) == RED


def test_icon_clipped_to_its_view_stays_so(shop: Workshop) -> None:
    clip = '<clipPath id="c"><path d="M0 0h512v512H0z"/></clipPath>'
    shop.write(
        "demo/icons/key.svg", icon(f'{clip}<g clip-path="url(#c)"><path d="M0 -64h512v640H0z"/></g>')
    )
    (run,) = shop.render(f'<text x="20" y="40" {FONT}>:key:</text>').texts[0].runs
    assert run.aspect == 1.0
