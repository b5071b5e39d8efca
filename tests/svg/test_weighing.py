"""Drawings that come to too much are refused at their lines before they are drawn; large ones pass."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Rect
from cardgen.svg import tree as limits
from cardgen.svg.costs import Brought, Outline, Weight
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import Node, SvgError, parse
from cardgen.svg.weighing import Weigher, read_drawing
from tests.wording import Wording

BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'


def weight(body: str, area: float = 576.0) -> Weight:
    """What a drawing comes to; it has no problems."""
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", area)
    assert drawing.problems == ()
    return drawing.weight


def problems(body: str, area: float = 576.0) -> list[str]:
    return [
        problem.code for problem in read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", area).problems
    ]


def doubling(levels: int, size: str = "") -> str:
    groups = [
        f'<g id="a{i + 1}"><use href="#a{i}"{size}/><use href="#a{i}"{size}/></g>' for i in range(levels)
    ]
    return f'<defs><rect id="a0" width="1" height="1"/>{"".join(groups)}</defs><use href="#a{levels}"/>'


# ---- what is counted


def test_references_are_followed() -> None:
    once = weight('<rect id="a" width="1" height="1"/>')
    assert (once.steps, once.own, once.shapes) == (1, 1, 1)
    found = weight(doubling(10))
    assert (found.shapes, found.own) == (1024, 0)
    assert found.steps == 1024


def test_thirty_levels_are_a_thousand_million_and_reckoned_at_once() -> None:
    assert problems(doubling(30)) == ["svg/bounds"]


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ('<path d="{d}"/>', 11),  # an outline counts by its length
        (
            '<defs><linearGradient id="g"><stop/><stop/></linearGradient></defs><rect fill="url(#g)"/>',
            1 + 3,
        ),
        (
            '<defs><linearGradient id="h"><stop/></linearGradient><linearGradient id="g" href="#h"/></defs>'
            '<rect fill="url(#g)" stroke="url(#g)"/>',
            1 + 2 * 2,
        ),
        (
            '<defs><pattern id="p"><rect/><rect/></pattern></defs><g fill="url(#p)"><rect/><rect/></g>',
            2 + 2 * 3,
        ),
        (
            '<style>g{{fill:url(#p)}}</style><defs><pattern id="p"><rect/></pattern></defs><g><rect/></g>',
            1 + 2,
        ),
        ('<defs><clipPath id="c"><rect/></clipPath></defs><rect clip-path="url(#c)"/>', 2),
        (
            '<defs><marker id="m"><rect/></marker></defs><path d="M0 0 1 1 2 2" marker-mid="url(#m)"/>',
            1.3 + 6,
        ),
        (
            '<defs><marker id="m"><rect/></marker></defs><path d="M0 0 1 1 2 2" marker-end="url(#m)"/>',
            1.3 + 2,
        ),
        ("<defs><rect/></defs><title>a</title><symbol><rect/></symbol>", 0),
    ],
)
def test_what_is_painted_counts(body: str, steps: float) -> None:
    assert weight(body.format(d="M0 0" + " 1 1" * 99)).steps == steps


def test_layers_count_one_by_one_and_by_their_nesting() -> None:
    shape = '<rect width="9" height="9"/>'
    assert weight(shape).layers == 0
    assert weight(f'<g opacity="0.5">{shape}{shape}</g>').layers == 1
    assert weight('<rect opacity="0.5"/>').layers == 0  # painted with alpha
    assert weight('<rect opacity="0.5" stroke="red"/>').layers == 1
    assert weight('<g stroke="red"><rect opacity="0.5"/></g>').layers == 1
    nested = weight('<g opacity="0.5">' * 20 + shape + "</g>" * 20)
    assert (nested.layers, nested.layer_depth) == (20, 20)
    assert problems('<g opacity="0.5">' * 21 + shape + "</g>" * 21) == ["svg/bounds"]


STOPS = '<stop stop-color="red"/><stop offset="1"/>'
FADED = '<stop stop-color="red"/><stop offset="1" stop-opacity="0"/>'
GRADIENTS = (
    f'<defs><linearGradient id="l">{STOPS}</linearGradient><radialGradient id="r">{STOPS}</radialGradient>'
    f'<linearGradient id="f">{FADED}</linearGradient><radialGradient id="h" href="#f"/></defs>'
)


@pytest.mark.parametrize(
    ("body", "painted", "shaded"),
    [
        ('<rect width="8" height="4" fill="url(#l)"/>', 32, 1),
        ('<rect width="8" height="4" fill="url(#r)"/>', 32 * 6, 6),
        ('<rect width="8" height="4" fill="url(#f)"/>', 32 * 3, 3),
        ('<rect width="8" height="4" fill="url(#h)"/>', 32 * 8, 8),
        ('<rect width="8" height="4" style="fill:url(#l)"/>', 32, 1),
        ('<rect width="8" height="4" fill="none" stroke="url(#l)"/>', 32 + 4 * 12 + 16, 1),
        ('<g fill="url(#l)"><rect width="8" height="4"/><rect width="2" height="2"/></g>', 36, 2),
        ('<g transform="scale(2)"><rect width="8" height="4" fill="url(#l)"/></g>', 128, 1),
        (
            '<g id="a"><rect width="8" height="4" fill="url(#l)"/></g><use href="#a"/><use href="#a"/>',
            96,
            3,
        ),
    ],
)
def test_gradients_count_by_the_area_they_paint(body: str, painted: float, shaded: float) -> None:
    found = weight(GRADIENTS + body)
    assert (found.painted, found.shaded) == (pytest.approx(painted), pytest.approx(shaded))


# ---- bounds of one drawing


def test_depth_counts_through_references() -> None:
    deep = "<g>" * 60 + "{0}" + "</g>" * 60
    one = deep.format('<rect width="1" height="1"/>')
    assert problems(f"<defs><g id='a'>{one}</g></defs><use href='#a'/>") == []
    two = f"<defs><g id='a'>{one}</g></defs>" + deep.format("<use href='#a'/>")
    assert problems(two) == ["svg/bounds"]


ATTRIBUTES = " ".join(f'a{i}=""' for i in range(101))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (f"{BOX}{'<g>' * 100}", "nested more than 100 deep"),
        (f"{BOX}{'<g/>' * 50_001}", "more than 50,000 elements"),
        (f"{BOX}<g {ATTRIBUTES}/>", "more than 100 attributes"),
        (" " * 16_000_001, "more than 16 MB"),
    ],
)
def test_sources_that_hold_too_much(source: str, message: str) -> None:
    with pytest.raises(SvgError, match=message) as caught:
        parse(source.encode())
    assert caught.value.problem.code == "svg/bounds"


PATTERN = (
    '<defs><pattern id="p" width="{0}" height="{0}" patternUnits="userSpaceOnUse"{1}>'
    "<rect/></pattern></defs>"
)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (PATTERN.format(0.5, "") + '<rect fill="url(#p)"/>', []),
        (PATTERN.format(0.01, "") + '<rect fill="url(#p)"/>', ["svg/bounds"]),
        (PATTERN.format(1, ' patternTransform="scale(0.01)"') + '<rect fill="url(#p)"/>', ["svg/bounds"]),
        (PATTERN.format(1, "") + '<g transform="scale(0.01)"><rect fill="url(#p)"/></g>', ["svg/bounds"]),
        (PATTERN.format(1, "") + '<g fill="url(#p)"><rect transform="scale(0.01)"/></g>', ["svg/bounds"]),
        (PATTERN.format(0.01, "") + '<g transform="scale(100)"><rect fill="url(#p)"/></g>', []),
        (PATTERN.format(0.01, "") + '<g fill="url(#p)"><rect transform="scale(100)"/></g>', []),
        (
            '<defs><pattern id="p" width="10%" height="0.1"><rect/></pattern></defs><rect fill="url(#p)"/>',
            [],
        ),
        (
            '<defs><pattern id="p" width="0.01%" height="0.0001"><rect/></pattern></defs>'
            '<rect fill="url(#p)"/>',
            ["svg/bounds"],
        ),
    ],
)
def test_cells_of_patterns(body: str, codes: list[str]) -> None:
    assert problems(body) == codes


CONTOUR = "M900 900" + "".join(f"l{(-1) ** i} 0.5" for i in range(5000))


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (f'<path d="{CONTOUR}" stroke="red" stroke-dasharray="0.5 0.2"/>', []),
        (f'<path d="{CONTOUR}" stroke="red" stroke-dasharray="0.001"/>', ["svg/bounds"]),
        (
            f'<g stroke="red" stroke-dasharray="0.001 0"><use href="#a"/></g><path id="a" d="{CONTOUR}"/>',
            ["svg/bounds"],
        ),
        ('<circle r="9" stroke="red" stroke-dasharray="0 0"/>', []),
        ('<circle r="9" stroke="red" stroke-dasharray="1e-6"/>', ["svg/bounds"]),
        ('<g transform="scale(0.001)"><circle r="9" stroke="red" stroke-dasharray="1"/></g>', []),
        ('<polygon points="0 0 9 0 9 9" stroke="red" stroke-dasharray="0.00001"/>', ["svg/bounds"]),
    ],
)
def test_dashes(body: str, codes: list[str]) -> None:
    assert problems(body) == codes


def test_scales_multiply() -> None:
    assert problems('<g transform="scale(1e6)"><g transform="scale(1e-6)"><rect/></g></g>') == []
    assert problems('<g transform="scale(1e6)"><g transform="scale(1e6)"><rect/></g></g>') == ["svg/number"]
    assert problems('<g transform="scale(1e-5)"><g transform="scale(1e-5)"><rect/></g></g>') == [
        "svg/number"
    ]
    assert problems('<g transform="scale(1e6)"><g transform="scale(0)"><rect/></g></g>') == []


@pytest.mark.parametrize(
    "body",
    [
        '<rect id="a"/><rect fill="url(#a)"/>',
        '<defs><linearGradient id="a"/></defs><rect clip-path="url(#a)"/>',
        '<defs><linearGradient id="a"/></defs><path d="M0 0h9" marker-end="url(#a)"/>',
        "<use/>",
    ],
)
def test_references_to_the_wrong_kind_of_element(body: str) -> None:
    assert problems(body) == ["svg/reference"]


# ---- merely large


def test_large_drawings_are_drawn() -> None:
    paths = "".join(
        f'<path id="p{i}" d="M{i % 90} 1c1 2 3 4 5 6z" style="fill:#{i:06x};stroke:none"/>'
        for i in range(20_000)
    )
    drawing = read_drawing(parse(f"{BOX}<g>{paths}</g></svg>".encode()), "a", 576.0)
    assert drawing.problems == ()
    assert drawing.markup.count("<path") == 20_000
    assert ' id="a-19999"' in drawing.markup


SHAPE = '<rect width="9" height="9"/>'
MARKER = f'<defs><marker id="m">{SHAPE}</marker></defs>'


@pytest.mark.parametrize(
    "body",
    [
        '<g id="a"><use href="#a"/></g>',
        '<rect stroke="red" stroke-dasharray="1" vector-effect="non-scaling-stroke"/>',
        f'{MARKER}<path d="M0 0{" 1" * 60_000}" marker-mid="url(#m)"/>',
        f'<g opacity="0.5">{SHAPE}</g>' * (limits.MOST_LAYERS + 1),
    ],
)
def test_what_is_wrong_is_said(body: str, wording: Wording) -> None:
    (problem,) = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", 1.0).problems
    wording(problem)


def test_symbols_and_nested_drawings_are_scaled_into_their_boxes() -> None:
    symbol = '<defs><symbol id="s" viewBox="0 0 1 1"><rect/></symbol></defs>'
    assert weight(f'{symbol}<use href="#s" width="8" height="4"/>').most == 8
    assert weight('<svg viewBox="0 0 100 100" width="5" height="10"><rect/></svg>').least == 0.05
    assert weight("<svg><rect/></svg>").most == 1


def test_what_stands_around_an_element_counts() -> None:
    document = parse(
        f'{BOX}{MARKER}<g marker-end="url(#m)" opacity="0.5" transform="scale(3)"/></svg>'.encode()
    )
    weigher = Weigher(document.ids, StyleSheet(), lambda node: None)
    alone = weigher.weigh(parse(f"<svg>{SHAPE}{SHAPE}</svg>".encode()).root)
    _, around = document.root.elements()
    found = weigher.within(alone, document.root, around)
    assert (alone.steps, alone.layers, alone.most) == (2, 0, 1)
    assert (found.steps, found.layers, found.most) == (2 + 2 * 2, 1, 3)


def test_what_lies_in_a_file_counts_where_it_is_shown() -> None:
    image = Node("image", {"width": "8", "height": "8", "stroke-dasharray": "1"})
    brought = Brought(Weight(7, 7, 3, most=1.0, least=1.0), Rect(0, 0, 4, 4), lambda: Outline(5, 12.0))
    weigher = Weigher({}, StyleSheet(), lambda node: brought if node is image else None)
    found = weigher.weigh(image)
    assert (found.own, found.shapes, found.most) == (1 + 7, 1 + 3, 2)
    assert weigher.outline(image).corners == 4 + 5
    assert found.dashes == weigher.outline(image).length


def test_style_sheets_are_bounded() -> None:
    for css, said in (
        ("g{x:1}" * (limits.MOST_RULES + 1), f"more than {limits.MOST_RULES:,} selectors"),
        (
            "g{" + "".join(f"a{i}:1;" for i in range(limits.MOST_DECLARATIONS + 1)) + "}",
            "different properties",
        ),
        ("g{x}" * (limits.MOST_PROBLEMS + 5), "not checked"),
    ):
        found = StyleSheet([parse(f"<style>{css}</style>".encode()).root]).problems
        assert found[-1].code == "svg/bounds"
        assert said in found[-1].message


def test_an_id_that_is_used_must_be_there_once() -> None:
    body = '<rect id="a"/><rect id="b"/><rect id="b"/><g id="a"/><g id="a"/><use href="#a"/>'
    (problem,) = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "x", 1.0).problems
    assert (problem.code, problem.message) == ("svg/id", "the id 'a' is used twice")
    assert problem.offset == body.index('<g id="a"') + len(BOX)


def test_styles_written_out_are_bounded(wording: Wording) -> None:
    rule = "g{" + "".join(f"a{i}:{'x' * 1000};" for i in range(50)) + "}"
    body = f"<style>{rule}</style>" + "<g/>" * (limits.MOST_MARKUP // 50_000 + 1)
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "x", 1.0)
    (problem,) = (each for each in drawing.problems if each.is_error)
    assert problem.code == "svg/bounds"
    wording(problem)
    assert drawing.markup == ""
