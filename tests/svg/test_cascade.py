"""What style sheets say stands at the elements, as CSS weighs it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.svg import cascade, style
from cardgen.svg.normal import normalised
from cardgen.svg.tree import parse
from tests.for_each import for_each
from tests.wording import Wording

from .normalising import BOX, attrs, node, normal, plain


@for_each(
    "body",
    [
        '<rect width="4" height="5" fill="red"/>',
        '<g style="fill:red;stroke:none" class="a" opacity=".5"><path d="M0 0h9"/></g>',
        '<g id="a" transform="translate(3 4)"/><use href="#a" x="5"/>',
        '<text font-size="4"><tspan>percent</tspan> and style</text>',
    ],
)
def test_a_drawing_with_nothing_unusual_is_the_very_same(body: str) -> None:
    document = parse(f"<svg {BOX}>{body}</svg>".encode())
    found = normalised(document)
    assert found.document is document
    assert found.problems == ()


def test_plain_rules_stay_where_they_are() -> None:
    """The style sheet reader knows those, and what is said of the same tree is the same."""
    body = "<style>rect,.a,#b{fill:red;stroke:blue}</style><rect id='a' width='9' height='9'/>"
    assert "fill" not in node(body).attrs


RULES = (
    "<style>{}</style><g id='g' class='in'><rect class='b c' id='a' fill='white' width='9' height='9'/></g>"
)


@for_each(
    ("rules", "fill"),
    [
        # which rule is stronger
        ("g>rect{fill:red}", "red"),
        ("g>rect{fill:red} rect{fill:blue}", "red"),
        ("g>rect{fill:red} #a{fill:blue}", "blue"),
        ("#a{fill:blue} .b.c{fill:red}", "blue"),
        (".b{fill:red} .c{fill:blue} g rect{fill:green}", "blue"),
        ("g rect{fill:red} g rect{fill:blue}", "blue"),
        ("rect{fill:red!important} #a{fill:blue} g>rect{x:1}", "red"),
        ("rect{fill:red !important} #a{fill:blue !important}", "blue"),
        # for whom it is
        ("g:nth-child(2)>rect{fill:red}", "red"),
        ("rect:not(.b){fill:red}", "white"),
        ("rect:not(.d){fill:red}", "red"),
        ("[fill=white]{fill:red}", "red"),
        ("[class~=c]{fill:red}", "red"),
        ("[class^=c]{fill:red}", "white"),
        ("svg>rect{fill:red}", "white"),
        ("rect:nth-child(1){fill:red}", "red"),
        ("rect:nth-child(2n){fill:red}", "white"),
        ("rect:hover{fill:red}", "white"),
        ("rect::before{fill:red}", "white"),
        (":root rect{fill:red}", "red"),
        # where it holds
        ("@media print{rect{fill:red}}", "red"),
        ("@media screen{rect{fill:red}}", "white"),
        ("@media screen, print and (min-width: 1px){rect{fill:red}}", "red"),
        ("@media all{@media print{rect{fill:red}}}", "red"),
        # keywords and variables
        ("g{fill:red} g>rect{fill:inherit}", None),
        ("g>rect{fill:unset}", None),
        ("g>rect{fill:initial}", "black"),
        ("g{--ink:red} g>rect{fill:var(--ink)}", "red"),
        ("g{--ink:red} rect{--ink:blue;fill:var(--ink)}", "blue"),
        ("g>rect{fill:var(--none, green)}", "green"),
        ("g>rect{fill:var(--none, var(--no, rgb(1 2 3)))}", "rgb(1 2 3)"),
        ("g{--a:var(--b);--b:red} g>rect{fill:var(--a)}", "red"),
        ("g>rect{fill:var(--none)}", None),
        # what is not read is left out
        ("g>rect{fill:red;;stroke blue}", "red"),
        ("g>rect{FILL:red}", "red"),
        (r"g>\72 ect{fill:red}", "red"),
        ("/* g>rect{fill:blue} */ g>rect{fill:/* no */red}", "red"),
    ],
)
def test_which_rule_counts(rules: str, fill: str | None) -> None:
    assert attrs(RULES.format(rules), "fill") == (fill,)


@for_each(
    ("style", "fill"),
    [("fill:blue", "blue"), ("fill:blue!important", "blue"), ("fill:var(--c)", "teal")],
)
def test_a_style_goes_over_rules_and_not_over_important_ones(style: str, fill: str) -> None:
    rect = f"<rect id='a' style='{style}' width='9' height='9'/>"
    assert attrs(f"<style>svg{{--c:teal}} svg>rect{{fill:red}}</style>{rect}", "fill") == (fill,)
    important = "<style>svg{--c:teal} svg>rect{fill:red!important}</style>"
    assert attrs(important + rect, "fill") == ("blue" if "!" in style else "red",)


def test_properties_that_are_attributes_elsewhere_are_read() -> None:
    body = (
        "<style>#a{x:1px;width:50%;rx:2mm;transform:translateX(3px) rotate(0.5turn)}</style><rect id='a'/>"
    )
    x, width, rx, transform = attrs(body, "x", "width", "rx", "transform")
    assert (x, width, transform) == ("1", "100", "translate(3 0) rotate(180)")
    assert float(rx or 0) == pytest.approx(2 * 96 / 25.4)
    assert attrs("<path id='a' style=\"d:path('M0 0h9')\"/>", "d") == ("M0 0h9",)
    marked = attrs("<path id='a' style='marker:url(#m)' d='M0 0h9'/>", "marker-start", "marker-end")
    assert marked == ("url(#m)", "url(#m)")


def test_rules_reach_what_stands_in_definitions() -> None:
    body = "<style>defs > g > rect{fill:red}</style><defs><g><rect id='a'/></g></defs>"
    assert attrs(body, "fill") == ("red",)


def test_no_sheet_is_left() -> None:
    assert not [each for each in plain(RULES.format("g>rect{fill:red}")).iter() if each.name == "style"]


def test_a_sheet_for_screens_is_not_read() -> None:
    sheet = "<style media='{}'>g>rect,a>b{{fill:red}}</style><g><rect id='a' fill='white'/></g>"
    assert attrs(sheet.format("screen"), "fill") == ("white",)
    assert attrs(sheet.format("print, screen"), "fill") == ("red",)


@for_each(
    ("sheet", "code"),
    [
        ("@import url(a.css);", "svg/style"),
        ("@font-face{font-family:a}", "svg/style"),
        ("@layer a{rect{fill:red}}", "svg/style"),
        ("rect:has(g){x:1}", "svg/selector"),
        ("rect:is(g){x:1}", "svg/selector"),
        ("a>>b{x:1}", "svg/selector"),
        ("a>b{" + "".join(f"p{n}:1;" for n in range(9999)) + "}", "svg/bounds"),
    ],
)
def test_what_can_not_be_read_is_said_at_the_sheet(sheet: str, code: str, wording: Wording) -> None:
    found = normal(f"<style>{sheet}</style><rect/>")
    (problem,) = found.problems
    assert (problem.code, problem.offset) == (code, len(f"<svg {BOX}>"))
    wording(problem)


def test_rules_and_elements_are_counted(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr(cascade, "_MOST_WORK", 200)
    body = "<style>g>a{x:1} g>b{x:1}</style>"
    assert normal(body + "<rect/>" * 48).problems == ()
    (problem,) = normal(body + "<rect/>" * 49).problems
    assert problem.code == "svg/bounds"
    wording(problem, "51")
    monkeypatch.setattr(style, "MOST_RULES", 3)
    assert normal("<style>" + "a>b,c{x:1}" + "a>b{x:1}</style>").problems == ()
    (problem,) = normal("<style>" + "a>b,c{x:1}" * 9 + "</style>").problems
    assert problem.code == "svg/bounds"


DOUBLING = "".join(f"--v{n}:var(--v{n + 1})var(--v{n + 1});" for n in range(30))


@for_each(
    ("said", "used"),
    [("--a:var(--a)", "--a"), (f"{DOUBLING}--v30:red", "--v0")],
    ids=["itself", "doubling"],
)
def test_variables_that_never_end_are_said(said: str, used: str) -> None:
    body = f"<style>svg{{{said}}} svg>rect{{fill:var({used})}}</style><rect id='a'/>"
    (problem,) = normal(body).problems
    assert problem.code == "svg/bounds"
    assert f"var({used})" in problem.message


FILLS = st.sampled_from(["red", "green", "blue", "teal"])
SELECTORS = st.sampled_from(["rect", ".b", ".b.c", "#a", "g>rect", "g>.b", "#g>rect", "#g #a"])
WEIGHTS = {
    "rect": (0, 0, 1),
    ".b": (0, 1, 0),
    ".b.c": (0, 2, 0),
    "#a": (1, 0, 0),
    "g>rect": (0, 0, 2),
    "g>.b": (0, 1, 1),
    "#g>rect": (1, 0, 1),
    "#g #a": (2, 0, 0),
}


@given(st.lists(st.tuples(SELECTORS, FILLS, st.booleans()), min_size=1, max_size=8))
def test_the_weightiest_rule_wins_and_of_equals_the_last(rules: list[tuple[str, str, bool]]) -> None:
    sheet = "".join(
        f"{selector}{{fill:{fill}{'!important' * strong};x:1}}" for selector, fill, strong in rules
    )
    ranked = [(strong, WEIGHTS[selector], n, fill) for n, (selector, fill, strong) in enumerate(rules)]
    assert attrs(RULES.format(sheet), "fill") == (max(ranked)[3],)
