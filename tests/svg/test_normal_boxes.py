"""What counts from boxes and outlines, as plain numbers."""

from __future__ import annotations

import math

import pytest

from cardgen.core.findings import Problem
from cardgen.svg.normal import normalised
from cardgen.svg.outlines import length, path_outline, transform_of
from cardgen.svg.tree import MOST_DEPTH, Node, parse
from tests.for_each import for_each

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'


def plain(body: str) -> tuple[Node, tuple[Problem, ...]]:
    normal = normalised(parse(f"{HEAD}{body}</svg>".encode()))
    return normal.document.root, normal.problems


def first(root: Node, name: str) -> Node:
    return next(node for node in root.iter() if node.name == name)


BOX = '<rect id="it" x="20" y="10" width="100" height="50" style="clip-path: %s"/>'


@for_each(
    ("shape", "name", "expected"),
    [
        ("circle(10px at 30px 20px)", "circle", {"cx": "50", "cy": "30", "r": "10"}),
        ("circle()", "circle", {"cx": "70", "cy": "35", "r": "25"}),
        ("circle(farthest-side at left top)", "circle", {"cx": "20", "cy": "10", "r": "100"}),
        ("ellipse(25% 50% at bottom right)", "ellipse", {"cx": "120", "cy": "60", "rx": "25", "ry": "25"}),
        (
            "ellipse(closest-side farthest-side)",
            "ellipse",
            {"cx": "70", "cy": "35", "rx": "50", "ry": "25"},
        ),
        ("polygon(evenodd, 0 0, 100% 0, 50% 100%)", "polygon", {"points": "20,10 120,10 70,60"}),
        ("circle(10px at 30px 20px) view-box", "circle", {"cx": "30", "cy": "20", "r": "10"}),
        ("path('M0 0H9V9Z')", "path", {"d": "M0 0H9V9Z", "transform": "translate(20 10)"}),
    ],
)
def test_css_shapes(shape: str, name: str, expected: dict[str, str]) -> None:
    root, problems = plain(BOX % shape)
    assert not problems
    clip = first(root, "clipPath")
    assert next(node for node in root.iter() if node.name == "rect" and "clip-path" in node.attrs).attrs[
        "clip-path"
    ] == (f"url(#{clip.attrs['id']})")
    shown = first(clip, name)
    assert expected.items() <= shown.attrs.items()


def test_an_inset_has_sides_and_one_radius() -> None:
    root, problems = plain(BOX % "inset(10% 5px 10px round 4px)")
    shown = next(first(root, "clipPath").elements())
    assert not problems
    assert shown.attrs == {"x": "25", "y": "15", "width": "90", "height": "35", "rx": "4", "ry": "4"}


def test_a_stroke_counts_in_the_usual_box() -> None:
    body = '<circle cx="50" cy="50" r="20" stroke="red" stroke-width="10" style="clip-path: inset(0)"/>'
    root, _ = plain(body)
    shown = next(first(root, "clipPath").elements())
    assert [shown.attrs[name] for name in ("x", "y", "width", "height")] == ["25", "25", "50", "50"]


@for_each(
    "shape",
    ["circle(1em)", "polygon(1)", "inset(1px 2px 3px 4px 5px)", "inset(0 round 1px 2)", "path(x)"],
)
def test_shapes_that_are_not_read(shape: str) -> None:
    _, problems = plain(BOX % shape)
    assert [problem.code for problem in problems] == ["svg/box"]
    assert problems[0].offset == len(HEAD)


def test_a_box_that_is_not_known_is_said() -> None:
    _, problems = plain('<g style="clip-path: circle()"><use href="#x"/></g><rect id="x"/>')
    assert [problem.code for problem in problems] == ["svg/box"]


@for_each(
    ("style", "place", "expected"),
    [
        ("transform-box: fill-box; transform-origin: center", (70, 35), (70, 35)),
        ("transform-box: fill-box; transform-origin: 100% 100%", (120, 60), (120, 60)),
        ("transform-box: fill-box", (20, 10), (20, 10)),
        ("transform-origin: right bottom", (200, 100), (200, 100)),
        ("transform-origin: top", (100, 0), (100, 0)),
    ],
)
def test_origins_stay_where_they_are(
    style: str, place: tuple[float, float], expected: tuple[float, float]
) -> None:
    root, problems = plain(
        f'<rect x="20" y="10" width="100" height="50" style="transform: rotate(40deg); {style}"/>'
    )
    assert not problems
    assert transform_of(first(root, "rect").attrs).apply(*place) == pytest.approx(expected)


def test_groups_have_the_box_of_what_is_in_them() -> None:
    body = (
        '<g style="transform-box: fill-box; transform-origin: center; transform: scale(2)">'
        '<rect width="10" height="10"/><circle cx="5" cy="5" r="5" transform="translate(20 10)"/></g>'
    )
    root, _ = plain(body)
    assert transform_of(first(root, "g").attrs).apply(15, 10) == pytest.approx((15, 10))


def test_dashes_count_by_the_stated_length() -> None:
    root, problems = plain(
        '<g stroke-dasharray="25 75"><circle r="10" pathLength="100" stroke-dashoffset="50"/></g>'
    )
    dashes = [float(part) for part in first(root, "circle").attrs["stroke-dasharray"].split()]
    round_ = math.tau * 10
    assert not problems
    assert dashes == pytest.approx([round_ / 4, round_ * 3 / 4], rel=1e-3)
    assert float(first(root, "circle").attrs["stroke-dashoffset"]) == pytest.approx(round_ / 2, rel=1e-3)


def test_a_negative_dash_makes_the_list_void() -> None:
    root, _ = plain('<path d="M0 0H9" stroke-dasharray="5 -3"/>')
    assert first(root, "path").attrs["stroke-dasharray"] == "none"


def test_lengths_of_outlines() -> None:
    assert length(path_outline("M0 0H3V4Z M10 10h5")) == pytest.approx(3 + 4 + 5 + 5)
    assert length(path_outline("M-5 0A5 5 0 0 1 5 0")) == pytest.approx(5 * math.pi, rel=1e-3)


def test_strokes_on_what_is_stretched_lie_in_the_whole_drawing() -> None:
    body = (
        '<g transform="scale(4 1)"><rect x="10" y="40" width="30" height="20" fill="gold" stroke="green" '
        'stroke-width="10" vector-effect="non-scaling-stroke"/></g>'
    )
    root, problems = plain(body)
    fill, stroke = first(root, "rect"), first(root, "path")
    assert not problems
    assert fill.attrs["stroke"] == "none"
    assert stroke.attrs["d"] == "M40 40L160 40L160 60L40 60Z"
    whole = transform_of(stroke.attrs).then(transform_of({"transform": "scale(4 1)"}))
    assert whole.apply(7, 9) == pytest.approx((7, 9))


def test_the_boxes_of_groups_in_groups_are_bounded() -> None:
    depth = MOST_DEPTH // 2
    opened = '<g style="transform: scale(1.01); transform-box: fill-box; transform-origin: center">' * depth
    path = f'<path d="M0 0{"L1 1" * 20_000}"/>'
    _, problems = plain(opened + path + "</g>" * depth)
    assert problems
    assert "too costly" in problems[0].message


def test_effects_on_use_move_along() -> None:
    body = (
        '<clipPath id="c"><rect width="5" height="5"/></clipPath><circle id="r" r="9"/>'
        '<use href="#r" x="5" y="6" transform="scale(2)" clip-path="url(#c)"/>'
    )
    use = first(plain(body)[0], "use")
    assert use.attrs["transform"] == "scale(2) translate(5 6)"
    assert not {"x", "y"} & use.attrs.keys()


def test_a_used_svg_keeps_its_own_size() -> None:
    body = (
        '<defs><svg id="s" viewBox="0 0 1 1" width="20" height="10%"/>'
        '<symbol id="t" viewBox="0 0 1 1"/></defs>'
        '<use href="#s"/><use href="#t"/>'
    )
    uses = [node for node in plain(body)[0].iter() if node.name == "use"]
    assert [(use.attrs["width"], use.attrs["height"]) for use in uses] == [("20", "10"), ("200", "100")]


def test_colours_for_a_press_are_passed_over() -> None:
    root, _ = plain('<rect fill="#cd853f icc-color(acmecmyk, 0.11, 0.48, 0.83, 0.00)"/>')
    assert first(root, "rect").attrs["fill"] == "#cd853f"
