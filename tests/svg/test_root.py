"""The outermost element says the card's size with its bleed, in millimetres."""

from __future__ import annotations

import pytest

from cardgen.geometry import Size
from cardgen.svg.root import check_root
from cardgen.svg.tree import Node

GOOD = {"width": "66mm", "height": "8.6cm", "viewBox": "0,0 66.001 86"}


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"clip-path": "none", "opacity": " 1 ", "transform": ""}, []),
        (
            {"width": "66", "height": ""},
            [("svg/size", "is 66×86 mm, but the template says width 66 and height missing")],
        ),
        ({"width": "65mm"}, [("svg/size", "the template says width 65mm")]),
        ({"height": "tall"}, [("svg/size", "the template says height tall")]),
        ({"viewBox": ""}, [("svg/viewbox", "there is no viewBox, so that one unit is not")]),
        ({"viewBox": "0 0 660 860"}, [("svg/viewbox", "the viewBox is 0 0 660 860, so that")]),
        ({"viewBox": "0 0 66"}, [("svg/viewbox", "the viewBox is 0 0 66, so that")]),
        ({"opacity": "0.5"}, [("svg/root", "opacity on the outermost <svg>")]),
        (
            {"transform": "scale(2)", "clip-path": "url(#c)"},
            [("svg/root", "clip-path on"), ("svg/root", "transform on")],
        ),
    ],
)
def test_what_the_root_says(changed: dict[str, str], found: list[tuple[str, str]]) -> None:
    problems = list(check_root(Node("svg", {**GOOD, **changed}), Size(66, 86)))
    assert [problem.code for problem in problems] == [code for code, _ in found]
    for problem, (code, message) in zip(problems, found):
        assert message in problem.message
        if code != "svg/root":
            assert problem.hint == 'write <svg width="66mm" height="86mm" viewBox="0 0 66 86">'
        else:
            assert problem.hint == "put a <g> around what it is for"
