"""Drawings within drawings, by their data."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

from cardgen.svg.normal import normalised
from cardgen.svg.tree import Document, Node, parse
from tests.for_each import for_each

INNER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><style>rect{fill:teal}</style>'
    '<linearGradient id="g"><stop/></linearGradient><rect width="5" height="5"/>'
    '<circle r="4" fill="url(#g)"/></svg>'
)


def url(svg: str) -> str:
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def shown(href: str, style: str = "") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">{style}'
        f'<image x="1" y="2" width="30" height="30" opacity=".5" href="{href}"/></svg>'
    )


def named(document: Document, name: str) -> list[Node]:
    return [node for node in document.root.iter() if node.name == name]


@for_each("href", [url(INNER), "data:image/svg+xml;utf8," + quote(INNER)])
def test_it_is_a_nested_svg(href: str) -> None:
    normal = normalised(parse(shown(href).encode()))
    assert not normal.problems
    assert not named(normal.document, "image")
    inner = named(normal.document, "svg")[1]
    assert inner.attrs == {"x": "1", "y": "2", "width": "30", "height": "30", "viewBox": "0 0 40 20"}
    assert named(normal.document, "rect")[0].attrs["fill"] == "teal"


def test_nothing_is_taken_over_from_around() -> None:
    style = '<style>circle { stroke: red } rect { fill: red }</style><linearGradient id="g"/>'
    document = normalised(parse(shown(url(INNER), style).encode())).document
    (circle,) = named(document, "circle")
    gradients = named(document, "linearGradient")
    assert "stroke" not in circle.attrs
    assert circle.attrs["fill"] == f"url(#{gradients[1].attrs['id']})" != "url(#g)"
    assert named(document, "svg")[1].children[0].attrs["stroke"] == "none"  # type: ignore[union-attr]


@for_each("levels", [1, 2, 3, 4])
def test_levels_are_few(levels: int) -> None:
    svg = INNER
    for _ in range(levels):
        svg = shown(url(svg))
    normal = normalised(parse(svg.encode()))
    assert bool(normal.problems) == (levels > 3)


@for_each("data", [";base64,!!!", ",<svg", ",<g/>"])
def test_what_can_not_be_read_is_said_at_the_image(data: str) -> None:
    svg = shown("data:image/svg+xml" + data.replace("<", "&lt;"))
    normal = normalised(parse(svg.encode()))
    assert [problem.code for problem in normal.problems] == ["image/data"]
    assert normal.problems[0].offset == svg.index("<image")
