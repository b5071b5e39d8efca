"""A drawing from a file gets ids of its own: where they are meant, and nowhere else."""

from __future__ import annotations

from cardgen.core.geometry import Rect
from cardgen.svg.embedding import read_drawing
from cardgen.svg.style import StyleSheet, references
from cardgen.svg.tree import Node, parse
from tests.for_each import for_each

VIEW = Rect(0, 0, 24, 24)
BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"'


def embedded(body: str, prefix: str = "x", root: str = "") -> list[Node]:
    """The elements of a drawing's markup, its group first."""
    drawing = read_drawing(parse(f"{BOX} {root}>{body}</svg>".encode()), prefix, VIEW)
    assert drawing.problems == ()
    return list(parse(drawing.markup.encode()).root.iter())


def ids(nodes: list[Node]) -> list[str]:
    return [node.attrs["id"] for node in nodes if "id" in node.attrs]


def referred(nodes: list[Node]) -> list[tuple[str, str]]:
    return [found for node in nodes for found in references(node, StyleSheet())]


def test_ids_are_renamed_where_they_are_meant() -> None:
    nodes = embedded(
        '<defs><linearGradient id="ff0000"/><path id="b"/><clipPath id="c"><rect/></clipPath></defs>'
        '<use href="#b"/><use xlink:href="#b"/><rect fill="#ff0000" stroke="url(#ff0000)" class="#b"/>'
        "<g clip-path=\"url('#c')\" style='fill:#ff0000;stroke:url(\"#ff0000\")'/>"
    )
    assert ids(nodes) == ["x-0", "x-1", "x-2"]
    assert referred(nodes) == [
        ("href", "x-1"),
        ("href", "x-1"),
        ("stroke", "x-0"),
        ("clip-path", "x-2"),
        ("stroke", "x-0"),
    ]
    assert nodes[-2].attrs["fill"] == "#ff0000"
    assert "fill:#ff0000" in nodes[-1].attrs["style"]


def test_rules_find_elements_by_the_ids_of_the_file() -> None:
    nodes = embedded(
        "<style>#a { fill: url(#b) } path#a { opacity: 0.5 } #x-0 { fill: red }</style>"
        '<path id="a"/><linearGradient id="b"/>'
    )
    assert ids(nodes) == ["x-0", "x-1"]
    assert referred(nodes) == [("fill", "x-1")]
    assert nodes[1].attrs["style"] == "fill:url(#x-1);opacity:0.5"


def test_the_outermost_element_refers_too() -> None:
    gradient = '<linearGradient id="a"/>'
    assert referred(embedded(gradient, root='fill="url(#a)"')) == [("fill", "x-0")]
    assert referred(embedded(gradient, root='style="stroke:url(#a)"')) == [("stroke", "x-0")]


@for_each(
    "text",
    [
        'see (#a) and "#a" id="a" url(#a)',
        "<![CDATA[<use href=\"#a\" id='a'/> url(#a)]]>",
        "&#35;a&quot; #a'",
    ],
)
def test_texts_stay_as_they_are(text: str) -> None:
    nodes = embedded(f'<g id="a">{text}</g>')
    assert nodes[1].text() == parse(f"<g>{text}</g>".encode()).root.text()
    assert ids(nodes) == ["x-0"]


def test_comments_and_what_programs_keep_are_left_out() -> None:
    nodes = embedded(
        '<!-- <g id="a"/> url(#a) --><metadata id="m"><g id="a"/></metadata><title>url(#a)</title>'
        '<g id="a" inkscape:label="url(#a)" aria-label="#a"/>'
    )
    assert [(node.name, node.attrs) for node in nodes[1:]] == [("g", {"id": "x-0", "aria-label": "#a"})]


@for_each(
    "id",
    ["a&amp;b", "a&quot;b", "a'b", "&#97;", "a&lt;b", "id=&quot;a", "url(b", "#", "x-0", "é", "a#b", "))"],
)
def test_ids_of_any_characters_are_renamed_with_their_references(id: str) -> None:
    nodes = embedded(f'<path id="{id}"/><use href="#{id}"/>')
    assert ids(nodes) == ["x-0"]
    assert referred(nodes) == [("href", "x-0")]


def test_entities_in_a_reference_are_read() -> None:
    nodes = embedded(
        '<path id="a&#45;b"/><pattern id="&#99;"/><use href="&#35;a-b"/><g fill="u&#114;l(&#35;c) none"/>'
    )
    assert referred(nodes) == [("href", "x-0"), ("fill", "x-1")]
    assert nodes[-1].attrs["fill"] == "url(#x-1) none"


def test_files_whose_names_begin_alike_share_no_ids() -> None:
    """`a` with an id `b-c` and `a-b` with an id `c`; and one named as another's first id."""
    body = '<path id="b-c"/><path id="c"/><path id="0"/><path id="x-0"/>'
    found = [ids(embedded(body, prefix)) for prefix in ("a", "a-b", "a-0", "a-0-0")]
    assert len({id for each in found for id in each}) == 4 * len(found)


def test_an_id_that_was_given_anew_is_not_given_again() -> None:
    nodes = embedded('<path id="a"/><g id="x-0"/><use href="#a"/><use href="#x-0"/>')
    assert ids(nodes) == ["x-0", "x-1"]
    assert referred(nodes) == [("href", "x-0"), ("href", "x-1")]


def test_a_reference_that_looks_like_a_paint_is_followed() -> None:
    """Or what it shows would not be counted."""
    groups = "".join(
        f'<g id="url({level + 1})">{2 * f"""<use href="#url({level})"/>"""}</g>' for level in range(30)
    )
    body = f'<rect id="url(0)" width="1" height="1"/>{groups}'
    found = read_drawing(parse(f"{BOX}>{body}</svg>".encode()), "x", VIEW)
    assert [problem.code for problem in found.problems] == ["svg/bounds"]


@for_each(
    "body",
    [
        '<animate attributeName="href" values="#a;#b" begin="a.click"/>',
        '<set attributeName="id" to="b"/>',
        '<animateMotion><mpath href="#a"/></animateMotion>',
    ],
)
def test_animations_are_refused(body: str) -> None:
    drawing = read_drawing(parse(f'{BOX}><g id="a"/><g id="b">{body}</g></svg>'.encode()), "x", VIEW)
    assert {problem.code for problem in drawing.problems} >= {"svg/animation"}
    assert drawing.markup == ""
