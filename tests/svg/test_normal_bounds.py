"""Bringing a stranger's drawing to plain SVG stays linear: what would not is a problem at its line."""

from __future__ import annotations

import time
from typing import Any

import pytest

from cardgen.svg import tree as limits
from cardgen.svg.cascade import matching_work, nested_too_deep
from cardgen.svg.normal import normalised
from cardgen.svg.tree import SvgError, parse
from tests.for_each import for_each
from tests.wording import Wording

BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
RED = "{fill:red}"
FOLDED = "<style>@media print{}</style>"
"""Has all styles read."""
BESIDE, FILLED = '<g style="--b:1"/>', '<g fill="var(--a)"/>'
BUDGET_S = 5.0
"""Of processor time, ten times what the slowest takes."""


def read(body: str, head: str = "") -> list[Any]:
    """The problems of a drawing; it takes no longer than it may."""
    data = f"{head}{BOX}{body}</svg>".encode()
    began = time.process_time()
    try:
        return list(normalised(parse(data)).problems)
    except SvgError as error:
        return [error.problem]
    finally:
        assert time.process_time() - began < BUDGET_S


@pytest.mark.long
@for_each(
    "body",
    [
        f"<style>rect:nth-last-of-type(3){RED}</style>" + "<rect/>" * 9_000,
        f"<style>{f'a ~ a ~ b{RED}' * 5}</style>" + "<rect/>" * 2_000,
        f"<style>{'rect ~ ' * 100}a{RED}</style><rect/>",
        f"<style>rect{':not(' * 5_000}a{')' * 5_000}{RED}</style><rect/>",
        f'{FOLDED}<rect style="x:{"(" * 50_000}"/>',
        "<style>@media print{"
        + "".join(f"rect{{a{i}:1}}" for i in range(900))
        + "}</style>"
        + "<rect/>" * 2_000,
        f'{FOLDED}<g style="{"".join(f"--a{i}:1;" for i in range(3_000))}">{BESIDE * 500}</g>',
        f'<g style="--a:{"x" * 3_900}">{FILLED * 11_000}</g>',
        '<g style="--a:var(--b);--b:var(--a);fill:var(--a)"/>',
        f'<g style="--a:{"var(--b)" * 60};--b:1;fill:var(--a)"/>',
        f"<style>{'%%{}' * 300_000}</style>",
        f'{FOLDED}<g style="x:{"x" * 4_000_000}"/>',
    ],
)
def test_what_would_come_to_too_much_is_said_once(body: str, wording: Wording) -> None:
    (problem,) = read(body)
    wording(problem)
    assert problem.code in ("svg/bounds", "svg/selector")


@pytest.mark.long
@for_each(
    "body",
    [
        f"<style>{'a' * 500_000}</style>",
        f"<style>{'/*' * 250_000}</style>",
        f"<style>{'transform-' * 50_000}</style>",
        f'<rect fill="url({" " * 500_000}"/>',
        f'<rect fill="url(#a{" " * 500_000}"/>',
        f'<rect x="{"1" * 500_000}px" width="calc({"1+" * 250_000}"/>',
        f'<rect stroke-dasharray="{"1mm " * 500_000}"/>',
        f'<switch><g systemLanguage="{"en-," * 500_000}"/></switch>',
        '<linearGradient id="g">'
        + "<stop/>" * 10_000
        + "</linearGradient>"
        + '<linearGradient href="#g" x2="0"/>' * 10_000,
        '<pattern id="p" href="#p"/>',
        "<g style='--x:1'>" * 98 + '<rect width="10%"/>' + "</g>" * 98,
        f"<style>{'@media print{' * 15}rect{RED}{'}' * 15}</style>",
    ],
)
def test_what_is_only_long_takes_no_longer_than_that(body: str) -> None:
    read(body)


@for_each(
    ("entities", "body"),
    [
        ("".join(f'<!ENTITY e{i} "x">' for i in range(101)), ""),
        (f'<!ENTITY a "{"x" * 999}">', "&a;" * 20_000),
        (f'<!ENTITY a "{"x" * 999}">', f'<g id="{"&a;" * 20_000}"/>'),
        ('<!ENTITY a "xx"><!ENTITY b "&a;&a;">', ""),
    ],
)
def test_entities_are_few_and_plain(entities: str, body: str, wording: Wording) -> None:
    (problem,) = read(body, f"<!DOCTYPE svg [{entities}]>")
    wording(problem)


@pytest.mark.long
def test_real_style_sheets_pass() -> None:
    rules = "".join(f".st{i}{{fill:#{i:06x};stroke:none;opacity:0.5}}" for i in range(300))
    shapes = "".join(f'<path class="st{i % 300}" d="M0 0h9"/>' for i in range(20_000))
    assert read(f"<style>{rules} g > path:first-child{RED}</style><g>{shapes}</g>") == []


def test_how_many_elements_a_selector_looks_at() -> None:
    assert matching_work(".a:hover", 50, 9) == 1
    assert matching_work("g > rect", 50, 9) == 2
    assert matching_work("g rect", 50, 9) == 2 * 9
    assert matching_work("g ~ rect", 50, 9) == 2 * 50
    assert matching_work("g ~ g ~ rect", 50, 9) == 3 * 50 * 50
    assert matching_work("rect:nth-child(2)", 50, 9) == 50


def test_brackets_beside_one_another_are_not_nested() -> None:
    assert not nested_too_deep("rgb(1, 2, 3)" * 1_000 + ")" * 50)
    assert nested_too_deep("(" * (limits.MOST_NESTED_STYLE + 1))
