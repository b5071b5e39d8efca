"""Decimal and thousands signs of a column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.files.tables import (
    WAYS,
    is_comma_likelier,
    number_in,
    plain_figure,
    signs_of,
    style_of,
    written_number,
)
from cardgen.game.schema_store import schema_of_schemas
from tests.for_each import for_each


@for_each(
    ("texts", "comma_first", "way", "other", "values"),
    [
        (["1.000", "2.500", "12.000"], True, "1.234,5", "1234.5", [1000, 2500, 12000]),
        (["1.000", "2.500"], False, "1234.5", "1.234,5", [1, 2.5]),
        (["1,000", "2,500"], False, "1,234.5", "1234,5", [1000, 2500]),
        (["1,250"], True, "1234,5", "1,234.5", [1.25]),
        (["1,5", "2,25", "3"], False, "1234,5", None, [1.5, 2.25, 3]),
        (["1.5", "2.25"], True, "1234.5", None, [1.5, 2.25]),
        (["1.000", "0.500"], True, "1234.5", None, [1, 0.5]),
        (["1.000", "1.5"], True, "1234.5", None, [1, 1.5]),
        (["1.000", "1,5"], True, "1.234,5", None, [1000, 1.5]),
        (["1.234.567"], False, "1.234,5", None, [1234567]),
        (["1'000", "2.5"], False, "1'234.5", None, [1000, 2.5]),
        (["1\u2019000"], False, "1'234.5", None, [1000]),
        (["1 000,5"], False, "1 234,5", None, [1000.5]),
        (["1\u202f000", "2"], True, "1 234,5", None, [1000, 2]),
        (["50%", "\u22121", "x"], False, "1234.5", None, [0.5, -1, None]),
        ([], True, "1234,5", None, []),
    ],
)
def test_column_is_written_in_one_way(
    texts: list[str], comma_first: bool, way: str, other: str | None, values: list[float | None]
) -> None:
    style = style_of(texts, comma_first=comma_first)
    assert (style.way, style.other, style.unfit) == (way, other, ())
    assert [number_in(text, style.way) for text in texts] == values


def test_cells_that_the_columns_way_does_not_read_are_named() -> None:
    assert style_of(["1.5", "2,5", "3,5", "x"], comma_first=False).unfit == ("1.5",)
    assert style_of(["1.234,5", "1,234.5", "2,5"], comma_first=True).unfit == ("1,234.5",)


def test_signs_of_a_file_are_those_of_its_certain_columns() -> None:
    assert is_comma_likelier([["1.000"], ["1,5"], ["7"]])
    assert not any(map(is_comma_likelier, ([["1.000"], ["1.5"]], [["1.5"], ["1,5"]], [["x"]], [])))


@given(st.integers(-(10**9), 10**9), st.integers(1, 99), st.sampled_from(WAYS))
def test_what_is_written_in_a_way_is_read_in_it(whole: int, part: int, way: str) -> None:
    number = whole + part / 100
    assert number_in(written_number(number, way), way) == number
    thousands, decimal = signs_of(way)
    shown = f"{number:_.2f}".replace(".", decimal).replace("_", thousands)
    assert number_in(shown, way) == pytest.approx(number)


@for_each("text", ["007", "1.50", "+2", "-0", "1e5", "1,5", "", "x", "0.12345", "TRUE"])
def test_text_that_templates_would_print_otherwise_is_no_figure(text: str) -> None:
    assert plain_figure(text) is None


def test_schemas_know_the_ways() -> None:
    fits = schema_of_schemas().is_valid
    assert all(fits({"numbers": way}) for way in WAYS)
    assert not any(fits({"numbers": way}) for way in ("1,234,5", "1234", "12.5"))
