"""Style rules and the tree that remembers its places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.svg.style import StyleSheet, inherit, read_style
from cardgen.svg.tree import MOST_BYTES, SvgError, parse
from tests.for_each import for_each
from tests.wording import Wording


def test_declarations() -> None:
    text = "fill: #f00; font-family:'A; B', serif;;stroke:url(#a;b) ;-inkscape-x:1"
    assert read_style(text)[0] == {
        "fill": "#f00",
        "font-family": "'A; B', serif",
        "stroke": "url(#a;b)",
        "-inkscape-x": "1",
    }
    assert read_style(text)[1] == ""
    assert read_style("fill red; stroke:#000") == ({"stroke": "#000"}, "fill red")


def test_the_stronger_rule_wins() -> None:
    sheet = parse(
        b"<svg><style>/* x */ #one { fill: id } rect.two { fill: both; stroke: rule }"
        b".two { fill: class; x: 1 } rect, circle { fill: tag; y: 2 } * { z: 3 }</style>"
        b'<rect class="a two" fill="attribute" opacity="0.5"/>'
        b'<rect id="one" class="two"/><circle style="fill: style"/><path/></svg>'
    )
    rules = StyleSheet([next(sheet.root.elements())])
    rect, one, circle, path = list(sheet.root.elements())[1:]
    assert rules.problems == []
    assert rules.properties(rect) == {
        "fill": "both",
        "stroke": "rule",
        "opacity": "0.5",
        "x": "1",
        "y": "2",
        "z": "3",
    }
    assert [rules.properties(node)["fill"] for node in (one, circle)] == ["id", "style"]
    assert rules.properties(path) == {"z": "3"}


rules = st.lists(
    st.tuples(
        st.sampled_from(["*", "a", "b", ".x", ".y", "#i", "#j", "a.x", "b.y", "a#i"]),
        st.sampled_from(["p", "q"]),
        st.integers(0, 99),
    ),
    max_size=12,
)
WEIGHTS = {
    "*": 0,
    "a": 1,
    "b": 1,
    ".x": 10,
    ".y": 10,
    "#i": 100,
    "#j": 100,
    "a.x": 11,
    "b.y": 11,
    "a#i": 101,
}


@settings(deadline=None)
@given(
    rules,
    st.sampled_from("ab"),
    st.sampled_from(["", "x", "x y", "y  x x"]),
    st.sampled_from(["", "i", "k"]),
)
def test_rules_that_are_looked_up_are_those_that_match(
    written: list[tuple[str, str, int]], tag: str, classes: str, id: str
) -> None:
    css = "".join(f"{selector} {{ {name}: {value} }}" for selector, name, value in written)
    source = f'<svg><style>{css}</style><{tag} class="{classes}" id="{id}"/></svg>'
    style, node = parse(source.encode()).root.elements()
    expected: dict[str, str] = {}
    for selector, name, value in sorted(written, key=lambda rule: WEIGHTS[rule[0]]):
        parts = selector.replace("*", "").replace("#", " #").replace(".", " .").split()
        if all(part in (tag, f"#{id}", *(f".{each}" for each in classes.split())) for part in parts):
            expected[name] = str(value)
    assert StyleSheet([style]).declared(node) == expected


def test_inheritance() -> None:
    parent = {"fill": "red", "opacity": "0.5", "font-size": "3"}
    assert inherit(parent, {"stroke": "blue", "opacity": "inherit"}) == {
        "fill": "red",
        "font-size": "3",
        "stroke": "blue",
        "opacity": "0.5",
    }


@for_each(
    "inner",
    ["<a/>", "<a></a>", "<a />", "<a><b/></a>", "<a>/></a>", '<a x=">"/>', "<a>ö</a>", "<a><a/></a>"],
)
def test_elements_know_their_source(inner: str) -> None:
    document = parse(f"<svg>\n{inner}<z/>{inner}</svg>".encode())
    first, z, last = document.root.elements()
    assert document.source(first).decode() == inner
    assert document.source(z) == b"<z/>"
    assert document.source(last).decode() == inner


@for_each(
    "source",
    [
        b"",
        b"<svg>",
        b"<svg><a></b></svg>",
        b"<svg>&nbsp;</svg>",
        b'<!DOCTYPE svg [<!ENTITY a "&#37;b;">]><svg/>',
        b'<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><svg/>',
        b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
        b'<!DOCTYPE svg [<!ENTITY % a "b">]><svg/>',
        b"<!DOCTYPE svg [<!ATTLIST svg a CDATA 'b'>]><svg/>",
        b'<!DOCTYPE svg [<!ENTITY a "' + b"b" * 1001 + b'">]><svg/>',
        b'<?xml-stylesheet href="a.css"?><svg/>',
        b"<svg>" + b"<g>" * 300,
        b"<svg>\xff</svg>",
    ],
)
def test_sources_that_are_refused(source: bytes, wording: Wording) -> None:
    with pytest.raises(SvgError) as caught:
        parse(source)
    wording(caught.value)


def test_a_doctype_and_its_short_texts_are_read() -> None:
    """As Illustrator names its namespaces."""
    public = '"-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd"'
    head = f'<!DOCTYPE svg PUBLIC {public} [<!ENTITY ns "urn:a">]>'
    document = parse(f'{head}<svg xmlns:i="&ns;"><text>&ns;</text></svg>'.encode())
    assert document.root.attrs["xmlns:i"] == "urn:a"
    (text,) = document.root.elements()
    assert text.text() == "urn:a"


def test_what_entities_come_to_counts(wording: Wording) -> None:
    entity = '<!DOCTYPE svg [<!ENTITY a "' + 1000 * "b" + '">]>'
    assert parse(f"{entity}<svg>{100 * '&a;'}</svg>".encode())
    with pytest.raises(SvgError) as caught:
        parse(f"{entity}<svg>{(MOST_BYTES // 1000 + 1) * '&a;'}</svg>".encode())
    wording(caught.value)
