"""What an element refers to, and what that refers to, comes along."""

from __future__ import annotations

from cardgen.svg.style import References, StyleSheet, references
from cardgen.svg.tree import Node, parse
from tests.for_each import for_each

SOURCE = b"""<svg><style>.r { stroke: url(#d) }</style>
<linearGradient id="a" href="#b"/><linearGradient id="b"/><clipPath id="c"/><pattern id="d"/>
<rect fill="url(#a) red"/><g><path style="clip-path: url('#c'); fill: url(out.svg#x)"/><use href="#a"/></g>
<rect class="r"/><rect fill="#abc"/><use href="&#35;c"/><rect fill="url(#gone)"/></svg>"""


@for_each(
    ("index", "around", "plain", "ruled"),
    [
        (5, (), ["a", "b"], ["a", "b"]),
        (6, (), ["c", "a", "b"], ["c", "a", "b"]),
        (7, (), [], ["d"]),
        (8, (), [], []),
        (8, ("c",), ["c"], ["c"]),
        (9, (), ["c"], ["c"]),
        (10, (), [], []),
    ],
)
def test_needed(index: int, around: tuple[str, ...], plain: list[str], ruled: list[str]) -> None:
    document = parse(SOURCE)
    children = list(document.root.elements())
    node, found = children[index], References()
    for sheet, expected in ((StyleSheet(), plain), (StyleSheet(children[:1]), ruled)):
        for _ in range(2):  # the second time from memory
            needed = found.needed(node, document.source(node), around, document, sheet)
            assert [other.attrs["id"] for other in needed] == expected


def test_references_name_their_property() -> None:
    node = Node("use", {"xlink:href": "#a", "style": "fill:url(#b);stroke:url(c)", "clip-path": "url(#d)"})
    assert list(references(node, StyleSheet())) == [("href", "a"), ("fill", "b"), ("clip-path", "d")]
