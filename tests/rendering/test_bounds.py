"""Drawings that come to too much are refused at their lines before they are drawn; large ones pass."""

from __future__ import annotations

import pytest

from cardgen.svg import bounds
from cardgen.svg.embedding import read_drawing
from cardgen.svg.tree import SvgError, parse
from cardgen.svg.weights import Weight

from .support import FONT, Workshop

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


# ---- where it is said


LOOP = f'{BOX}\n<rect width="1" height="1"/>\n<g id="a"><use href="#a"/></g></svg>'
BOMB = f"{BOX}\n{doubling(30)}".replace("</defs>", "</defs>\n") + "</svg>"


@pytest.mark.parametrize(("source", "code", "line"), [(LOOP, "svg/cycle", 3), (BOMB, "svg/bounds", 2)])
@pytest.mark.parametrize("role", ["icon", "picture"])
def test_files_are_named_with_their_line(
    shop: Workshop, role: str, source: str, code: str, line: int
) -> None:
    if role == "icon":
        shop.write("demo/icons/odd.svg", f"<?xml version='1.0'?>\n{source}")
        result = shop.render('{{ icon("odd", 9, 9, 9) }}')
        file = "templates/demo/icons/odd.svg"
    else:
        shop.write("demo/art/odd.svg", f"<?xml version='1.0'?>\n{source}")
        result = shop.render('<image href="art/odd.svg" x="9" y="9" width="9" height="9"/>')
        file = "templates/demo/art/odd.svg"
    (finding,) = result.findings
    assert finding.location is not None
    assert (finding.code, finding.location.file, finding.location.line) == (code, file, line + 1)
    assert result.pictures == [] or role == "icon"


def test_a_side_stops_at_what_is_too_much_together(shop: Workshop) -> None:
    uses = '<use href="#s" width="9" height="9"/>\n' * 300
    body = f'<symbol id="s">{"<rect/>" * 500}</symbol>\n{uses}'
    (finding,) = shop.render(body).findings
    assert finding.code == "svg/bounds"
    assert "100,000 steps of drawing by what is shown again" in finding.message
    assert finding.location is not None
    assert finding.location.line is not None
    assert 100 < finding.location.line < 210


def test_a_drawing_in_a_file_counts_once_for_each_time_it_is_shown(shop: Workshop) -> None:
    shop.write("demo/art.svg", f"{BOX}{'<rect/>' * 40_000}</svg>")
    image = '<image href="art.svg" x="9" y="9" width="9" height="9"/>'
    assert shop.render(image * 12).codes == []
    assert shop.render(image * 13).codes == ["svg/bounds"]


def test_problems_are_cut_off(shop: Workshop) -> None:
    codes = shop.render("<odd/>\n" * 500).codes
    assert codes.count("svg/element") == bounds.MOST_PROBLEMS + 1
    assert codes[-1] == "svg/more"


def test_texts_of_a_side_count_together(shop: Workshop) -> None:
    text = f'<text x="9" y="19" {FONT}>{"a " * 9}</text>'
    assert shop.render(text * 3000).codes == []
    codes = shop.render(f"<g>{'<rect/>'}{text * 6000}</g>").codes
    assert codes == ["svg/bounds"]


def test_servers_set_on_groups_of_texts_reach_the_shapes_in_them(shop: Workshop) -> None:
    gradient = '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>'
    text = f'<text x="9" y="19" fill="#000" {FONT}>a</text>'
    result = shop.render(f'{gradient}<g fill="url(#g)"><rect width="9" height="9"/>{text}</g>')
    assert result.codes == []
    assert "<linearGradient" in result.pictures[0].svg


def test_rules_that_refer_bring_what_they_refer_to(shop: Workshop) -> None:
    result = shop.render(
        "<style>.a { fill: url(#g) }</style>"
        '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>'
        '<rect class="a" width="9" height="9"/>'
    )
    assert result.codes == []
    assert "<linearGradient" in result.pictures[0].svg


# ---- merely large


def test_large_drawings_are_drawn() -> None:
    paths = "".join(
        f'<path id="p{i}" d="M{i % 90} 1c1 2 3 4 5 6z" style="fill:#{i:06x};stroke:none"/>'
        for i in range(20_000)
    )
    drawing = read_drawing(parse(f"{BOX}<g>{paths}</g></svg>".encode()), "a", 576.0)
    assert drawing.problems == ()
    assert drawing.markup.count("<path") == 20_000
    assert ' id="a-p19999"' in drawing.markup


def test_ids_are_renamed_where_they_are_meant() -> None:
    body = (
        '<defs><linearGradient id="ff0000"/><path id="b"/><clipPath id="c"><rect/></clipPath></defs>'
        '<use href="#b"/><rect fill="#ff0000" stroke="url(#ff0000)" clip-path="url(#c)" class="#b"/>'
        "<rect style=\"fill:#00ff00;stroke:url('#ff0000')\"/>"
    )
    markup = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "x", 1.0).markup
    assert 'href="#x-b"' in markup
    assert 'stroke="url(#x-ff0000)"' in markup
    assert 'clip-path="url(#x-c)"' in markup
    assert "stroke:url('#x-ff0000')" in markup
    assert "fill:#00ff00" in markup
