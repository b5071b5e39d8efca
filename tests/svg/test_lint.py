"""What would print wrongly is said: the element, in a sentence, with what to write instead."""

from __future__ import annotations

from cardgen.core.findings import Problem, Severity
from cardgen.svg.lint import lint
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import MOST_PROBLEMS, parse
from tests.for_each import for_each
from tests.wording import Wording

CLIP = '<defs><clipPath id="c"{0}>{1}</clipPath></defs>'


def problems(body: str) -> list[Problem]:
    document = parse(f"<svg>{body}</svg>".encode())
    sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
    return [*lint(document.root, document.ids, sheet), *sheet.problems]


@for_each(
    ("body", "code"),
    [
        # elements
        ("<mask><odd/></mask>", "svg/element"),
        ("<animate/>", "svg/animation"),
        ("<feTile/>", "svg/fetile"),
        ("<feFlod/>", "svg/feflod"),
        ('<feTurbulence numOctaves="11"/>', "svg/bounds"),
        ('<feConvolveMatrix order="3 10"/>', "svg/bounds"),
        ("<rekt/>", "svg/element"),
        ("<svg:rect/>", "svg/element"),
        ("<zzz/>", "svg/element"),
        ("<use/>", "svg/reference"),
        # styles
        ('<g style="fill red"/>', "svg/style"),
        ('<g style="transform: scale(2)"/>', "svg/css-transform"),
        ("<style>g{transform:none}</style><g/>", "svg/css-transform"),
        ("<style>@page {}</style>", "svg/style"),
        ("<style>g{fill}</style>", "svg/style"),
        # properties and their values
        ('<g filter="url(#f)"/>', "svg/reference"),
        ('<g filter="glow(2)"/>', "svg/reference"),
        ('<g backdrop-filter="blur(2px)"/>', "svg/backdrop-filter"),
        ('<g mask-image="url(a.png)"/>', "svg/mask-image"),
        ('<g style="clip: rect(1)"/>', "svg/clip"),
        ('<path stroke-linejoin="arcs"/>', "svg/stroke-linejoin"),
        ('<g isolation="on"/>', "svg/isolation"),
        ('<text mix-blend-mode="screen"/>', "svg/mix-blend-mode"),
        ('<g onclick="x()"/>', "svg/script"),
        ('<g fill="var(--ink)"/>', "svg/var"),
        ('<g fill="bleu"/>', "svg/color"),
        ('<rect widht="1"/>', "svg/attribute"),
        # lengths and numbers
        ('<rect width="1in"/>', "svg/unit"),
        ('<rect width="2cm"/>', "svg/unit"),
        ('<rect width="6pt"/>', "svg/unit"),
        ('<rect width="6mm"/>', "svg/unit"),
        ('<rect width="wide"/>', "svg/number"),
        ('<rect width="1e9"/>', "svg/number"),
        ('<g opacity="half"/>', "svg/number"),
        ('<marker orient="up"/>', "svg/number"),
        ('<pattern viewBox="0 0 1"/>', "svg/viewbox"),
        ('<pattern viewBox="0 0 1 1e-9"/>', "svg/number"),
        ('<symbol preserveAspectRatio="mid"/>', "svg/aspect"),
        ('<g stroke-dasharray="1 x"/>', "svg/number"),
        ('<g stroke-dasharray="1 -1"/>', "svg/number"),
        (f'<g stroke-dasharray="{"1 " * 999}"/>', "svg/bounds"),
        # outlines and transforms
        ('<path d="M0 0 L nan"/>', "svg/path"),
        ('<polygon points="0 0 a 1"/>', "svg/points"),
        ('<path d="M0 0L9e9 9"/>', "svg/number"),
        ('<polygon points="1 99999999"/>', "svg/number"),
        ('<g transform="turn(3)"/>', "svg/transform"),
        ('<g transform-origin="left"/>', "svg/transform"),
        ('<pattern patternTransform="scale(0)"/>', "svg/transform"),
        (f'<g transform="{"scale(1)" * 999}"/>', "svg/bounds"),
        # cardgen's own
        ('<g cg:fitt="1"/>', "svg/attribute"),
        ('<g cg:zzzzz="1"/>', "svg/attribute"),
        ('<g cg:fit="6"/>', "svg/attribute"),
        ('<text cg:decor="yes"/>', "svg/attribute"),
        # references
        ('<use href="a.svg#b"/>', "svg/external"),
        ('<g id="frame"/><use href="#frme"/>', "svg/reference"),
        ('<use href="#b"/>', "svg/reference"),
        ('<use href="#icon-x"/>', "icon/unknown"),
        ('<g fill="url(#b)"/>', "svg/reference"),
        ('<g id="b"/><g clip-path="url(#b) circle()"/>', "svg/reference"),
        ('<g id="b"/><g fill="url(#b) rde"/>', "svg/color"),
        ('<g clip-path="circle(9)"/>', "svg/clip-path"),
        ('<path marker-end="arrow"/>', "svg/reference"),
        # clip paths
        (CLIP.format("", "<g/>"), "svg/clip-path"),
    ],
)
def test_what_is_refused(body: str, code: str, wording: Wording) -> None:
    (problem,) = problems(body)
    assert (problem.code, problem.severity) == (code, Severity.ERROR)
    wording(problem)


@for_each(
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
