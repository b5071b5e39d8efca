"""Boxes of text as Inkscape 0.9 wrote them."""

from __future__ import annotations

from cardgen.svg.normal import normalised
from cardgen.svg.tree import Node, parse

REGION = '<flowRegion><rect x="2" y="3" width="40" height="30"/></flowRegion>'


def plain(body: str) -> Node:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">{body}</svg>'
    return normalised(parse(text.encode())).document.root


def test_a_flow_root_is_a_text_in_its_shape() -> None:
    first = "<flowPara>One <flowSpan fill='red'>two</flowSpan></flowPara>"
    parts = f"{first}<flowPara/><flowPara>Three</flowPara><flowPara/>"
    defs, text = plain(f"<flowRoot font-size='4'>{REGION}{parts}</flowRoot>").elements()
    (rect,) = defs.elements()
    assert (text.name, text.attrs["shape-inside"]) == ("text", f"url(#{rect.attrs['id']})")
    assert text.has_text
    first, blank, last = text.elements()
    assert first.attrs["cg:block"] == "paragraph"
    assert [child.name for child in first.elements()] == ["tspan"]
    assert blank.attrs["visibility"] == "hidden"
    assert last.text() == "Three"


def test_one_without_letters_is_gone() -> None:
    (group,) = plain(f"<g><flowRoot>{REGION}<flowPara> </flowPara></flowRoot></g>").elements()
    assert group.children == []


def test_one_without_a_shape_stays_to_be_refused() -> None:
    (root,) = plain("<flowRoot><flowPara>One</flowPara></flowRoot>").elements()
    assert root.name == "flowRoot"


def test_ids_stay_their_own() -> None:
    body = f"<g id='flow-0'/><flowRoot>{REGION}<flowPara>a</flowPara></flowRoot>"
    ids = [
        node.attrs["id"] for node in plain(body + body.replace("flow-0", "b")).iter() if "id" in node.attrs
    ]
    assert len(ids) == len(set(ids)) == 4
