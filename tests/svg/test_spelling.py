"""Misspelt names of attributes, and names that are none of ours to judge."""

from __future__ import annotations

import time

from cardgen.svg.lint import meant
from tests.for_each import for_each


@for_each(
    ("name", "expected"),
    [
        ("cg:fitt", "cg:fit"),
        ("cg:fti", "cg:fit"),
        ("cg:minsize", "cg:min-size"),
        ("cg:MinSize", "cg:min-size"),
        ("max-width", "cg:max-width"),
        ("fil", "fill"),
        ("stroke-widht", "stroke-width"),
        ("strokeWidth", "stroke-width"),
        ("viewbox", "viewBox"),
        ("image-renderng", "image-rendering"),
        ("mix-blend-mod", "mix-blend-mode"),
        ("textTransform", "text-transform"),
    ],
)
def test_what_was_meant(name: str, expected: str) -> None:
    assert meant(name) == expected


@for_each("name", ["fill", "viewBox", "cg:fit", "x1", "hyphens", "xlink:href", "x:fil"])
def test_names_that_are_there(name: str) -> None:
    assert meant(name) is None


@for_each("name", ["cg:colour", "data-name", "aria-label", "role", "weight", "dir", "k"])
def test_names_that_are_near_to_none(name: str) -> None:
    assert meant(name) is None


def test_long_names_cost_nothing() -> None:
    start = time.process_time()
    for index in range(1000):
        assert meant(f"{'a' * 100_000}{index}") is None
    assert time.process_time() - start < 1
