"""What would print wrongly is said: the element, in a sentence, with what to write instead."""

from __future__ import annotations

import pytest

from cardgen.findings import Problem, Severity
from cardgen.svg.limits import MOST_PROBLEMS
from cardgen.svg.lint import lint
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import parse

CLIP = '<defs><clipPath id="c"{0}>{1}</clipPath></defs>'


def problems(body: str) -> list[Problem]:
    document = parse(f"<svg>{body}</svg>".encode())
    sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
    return [*lint(document.root, document.ids, sheet), *sheet.problems]


@pytest.mark.parametrize(
    ("body", "code", "message", "hint"),
    [
        # elements
        ("<mask><odd/></mask>", "svg/element", "<odd> is not an element that cardgen draws", None),
        ("<animate/>", "svg/animation", "an animation has no place on paper", None),
        ("<feTile/>", "svg/fetile", "the filter <feTile> is not drawn", "fill a shape with a pattern"),
        ("<feFlod/>", "svg/feflod", "the filter <feFlod> is not drawn", "save it as an image"),
        ('<feTurbulence numOctaves="11"/>', "svg/bounds", "numOctaves is '11'", "up to 10"),
        ('<feConvolveMatrix order="3 10"/>', "svg/bounds", "order is '3 10'", "up to 9"),
        ("<rekt/>", "svg/element", "<rekt> is not an element that cardgen draws", "did you mean <rect>?"),
        ("<svg:rect/>", "svg/element", "<svg:rect> is not an element", "did you mean <rect>?"),
        ("<zzz/>", "svg/element", "<zzz> is not an element", None),
        ("<use/>", "svg/reference", "<use> names nothing that it shows", 'write href="#…"'),
        # styles
        (
            '<g style="fill red"/>',
            "svg/style",
            "'fill red' in a style is not read",
            "write property: value",
        ),
        (
            '<g style="transform: scale(2)"/>',
            "svg/css-transform",
            "a transform in a style is not read",
            "write it as an attribute",
        ),
        (
            "<style>g{transform:none}</style><g/>",
            "svg/css-transform",
            "a transform in a style",
            "attribute",
        ),
        ("<style>@page {}</style>", "svg/style", "'@page'", "rules are: selector"),
        ("<style>g{fill}</style>", "svg/style", "'fill' in <style> is not read", "write property: value;"),
        ("<style>g{x:1 !important}</style>", "svg/style", "!important is not read", "come later"),
        ("<style>a > b{x:1}</style>", "svg/selector", "the selector 'a > b'", "use a tag, .class, #id"),
        # properties and their values
        ('<g filter="url(#f)"/>', "svg/reference", "nothing in the drawing has the id 'f'", "check the id"),
        ('<g filter="glow(2)"/>', "svg/reference", "filter is 'glow(2)'", "refer to a <filter>"),
        ('<g backdrop-filter="blur(2px)"/>', "svg/backdrop-filter", "a filter of what lies below", None),
        ('<g mask-image="url(a.png)"/>', "svg/mask-image", "a mask by CSS alone is not drawn", "mask="),
        ('<g style="clip: rect(1)"/>', "svg/clip", "the property 'clip' is not drawn", "use clip-path"),
        ('<path stroke-linejoin="arcs"/>', "svg/stroke-linejoin", "this stroke-linejoin", "miter, round"),
        ('<g isolation="on"/>', "svg/isolation", "isolation is 'on'", "it is auto, isolate"),
        (
            '<text mix-blend-mode="screen"/>',
            "svg/mix-blend-mode",
            "mix-blend-mode on <text> is not drawn",
            "blend a shape",
        ),
        ('<g onclick="x()"/>', "svg/script", "the script in 'onclick' has no place on paper", None),
        ('<g fill="var(--ink)"/>', "svg/var", "var() in 'fill' is not read", "{{ theme.ink }}"),
        ('<g fill="bleu"/>', "svg/color", "'bleu' is not a colour that cardgen reads", "write #rrggbb"),
        ('<rect widht="1"/>', "svg/attribute", "widht is not an attribute", "did you mean width?"),
        # lengths and numbers
        ('<rect width="1in"/>', "svg/unit", "width has the unit in", "write 25.4"),
        ('<rect width="2cm"/>', "svg/unit", "width has the unit cm", "write 20"),
        ('<rect width="6pt"/>', "svg/unit", "width has the unit pt", "write {{ 6|pt }}"),
        ('<rect width="6mm"/>', "svg/unit", "width has the unit mm", "write a bare number"),
        ('<rect width="wide"/>', "svg/number", "width is 'wide', not a number", None),
        ('<rect width="1e9"/>', "svg/number", "width is '1e9', not a number", None),
        ('<g opacity="half"/>', "svg/number", "opacity is 'half', not a number", None),
        ('<marker orient="up"/>', "svg/number", "orient is 'up', not an angle", "such as 45"),
        ('<pattern viewBox="0 0 1"/>', "svg/viewbox", "the viewBox is '0 0 1'", "left, top, width"),
        ('<pattern viewBox="0 0 1 1e-9"/>', "svg/number", "of no size that can be drawn", None),
        ('<symbol preserveAspectRatio="mid"/>', "svg/aspect", "preserveAspectRatio is 'mid'", "xMidYMid"),
        ('<g stroke-dasharray="1 x"/>', "svg/number", "stroke-dasharray has 'x', not a length", None),
        ('<g stroke-dasharray="1 -1"/>', "svg/number", "stroke-dasharray has '-1', not a length", None),
        (f'<g stroke-dasharray="{"1 " * 999}"/>', "svg/bounds", "stroke-dasharray has more than", None),
        # outlines and transforms
        ('<path d="M0 0 L nan"/>', "svg/path", "the path is not readable: 'nan'", "d attribute"),
        ('<polygon points="0 0 a 1"/>', "svg/points", "the points are not readable: 'a'", None),
        ('<path d="M0 0L9e9 9"/>', "svg/number", "the path goes to 9e9, farther than", None),
        ('<polygon points="1 99999999"/>', "svg/number", "the points go to 99999999, farther than", None),
        ('<g transform="turn(3)"/>', "svg/transform", "'turn(3)' is not a list of transforms", None),
        ('<g transform-origin="left"/>', "svg/transform", "transform-origin is 'left', not two", None),
        (
            '<pattern patternTransform="scale(0)"/>',
            "svg/transform",
            "the patternTransform 'scale(0)' leaves no area",
            None,
        ),
        (
            f'<g transform="{"scale(1)" * 999}"/>',
            "svg/bounds",
            "a transform has more than",
            "one matrix(…)",
        ),
        # cardgen's own
        ('<g cg:fitt="1"/>', "svg/attribute", "cg:fitt is not an attribute", "did you mean cg:fit?"),
        ('<g cg:zzzzz="1"/>', "svg/attribute", "cg:zzzzz is not an attribute", "there are cg:align"),
        ('<g cg:fit="6"/>', "svg/attribute", "cg:fit says nothing about a <g>", "it is for <text>"),
        ('<text cg:decor="yes"/>', "svg/attribute", "cg:decor is 'yes'", "it is false or true"),
        # references
        ('<use href="a.svg#b"/>', "svg/external", "'a.svg#b' lies outside the drawing", None),
        (
            '<g id="frame"/><use href="#frme"/>',
            "svg/reference",
            "has the id 'frme'",
            "did you mean '#frame'?",
        ),
        ('<use href="#b"/>', "svg/reference", "nothing in the drawing has the id 'b'", "check the id"),
        ('<use href="#icon-x"/>', "icon/unknown", "there is no icon 'x'", "check the id"),
        ('<g fill="url(#b)"/>', "svg/reference", "has the id 'b'", "check the id"),
        (
            '<g id="b"/><g clip-path="url(#b) circle()"/>',
            "svg/reference",
            "clip-path is 'url(#b) circle()'",
            "write url(#id)",
        ),
        ('<g id="b"/><g fill="url(#b) rde"/>', "svg/color", "'rde' is not a colour", "write #rrggbb"),
        ('<g clip-path="circle(9)"/>', "svg/clip-path", "CSS shapes", "refer to a <clipPath>"),
        ('<path marker-end="arrow"/>', "svg/reference", "marker-end is 'arrow'", "refer to a <marker>"),
        # clip paths
        (CLIP.format("", "<g/>"), "svg/clip-path", "<g> in a clip path is not drawn", "put shapes"),
    ],
)
def test_what_is_refused(body: str, code: str, message: str, hint: str | None) -> None:
    (problem,) = problems(body)
    assert (problem.code, problem.severity) == (code, Severity.ERROR)
    assert message in problem.message
    assert problem.hint is None if hint is None else hint in (problem.hint or "")


@pytest.mark.parametrize(
    "body",
    [
        '<inkscape:grid odd="1"/><cg:note/>',
        '<g filter="none" mask="" sodipodi:nodetypes="cc"/>',
        '<mask id="m"><rect/></mask><g mask="url(#m)"/>',
        '<filter id="f"><feFlood/><feTurbulence numOctaves="10"/></filter><g filter="url(#f)"/>',
        '<g filter="blur(2px) drop-shadow(1px 1px 2px rgb(0 0 0))"/>',
        '<marker orient="auto-start-reverse"><path fill="context-stroke"/></marker>',
        CLIP.format(' clip-path="url(#c)"', '<use href="#r"/>') + '<rect id="r"/>',
        '<rect width="inherit" height="" x="10%" rx="auto"/>',
        '<text x="1 2 3" dx="1,2"/><g opacity=""/>',
        '<g fill="currentColor" stroke="url(#a) none"/><linearGradient id="a"/>',
        '<g stroke-dasharray="none" opacity="50%" marker-end="none" clip-path="none"/>',
        '<marker orient="45" viewBox="0 0 1 1" preserveAspectRatio="xMinYMax slice"/>',
        '<path d="" marker-end="inherit"/><polygon points="0 0,1e2 1"/>',
        '<image href="elsewhere.png"/>',
        '<text cg:decor="true" cg:fit="1"/>',
        '<style>.a { fill: red } /* g { */</style><g class="a" mix-blend-mode="multiply"/>',
    ],
)
def test_what_is_drawn_is_let_through(body: str) -> None:
    assert problems(body) == []


def test_problems_have_the_offset_of_their_element_and_icons_their_name() -> None:
    first, second = problems('<odd/><g><use href="#icon-coin"/></g>')
    assert (first.offset, second.offset) == (len("<svg>"), len("<svg><odd/><g>"))
    assert (first.named, second.named) == ("", "coin")


def test_no_more_than_so_many_problems_are_said() -> None:
    assert len(problems("<odd/>" * (MOST_PROBLEMS + 5))) == MOST_PROBLEMS


def test_an_element_without_fault_is_looked_at_again_where_its_target_is_gone() -> None:
    document = parse(b'<svg><g id="a"/><use href="#a"/><use href="#a"/></svg>')
    sheet = StyleSheet()
    assert list(lint(document.root, {"a"}, sheet)) == []
    assert [problem.code for problem in lint(document.root, set(), sheet)] == ["svg/reference"] * 2


def test_what_was_clean_once_is_judged_by_its_element_and_by_the_ids_that_there_are() -> None:
    assert not problems('<rect mix-blend-mode="multiply"/>')
    assert [each.code for each in problems('<text mix-blend-mode="multiply"/>')] == ["svg/mix-blend-mode"]
    assert not problems('<pattern id="p" viewBox="0 0 1 1"/><rect fill="url(#p)"/><use href="#p"/>')
    found = problems('<rect fill="url(#p)"/><use href="#p"/><marker viewBox="0 0 1"/>')
    assert [each.code for each in found] == ["svg/reference", "svg/reference", "svg/viewbox"]
