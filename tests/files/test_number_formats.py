"""Number formats of workbooks: the text that Excel shows for a number."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given
from hypothesis import strategies as st

from cardgen.files.number_formats import built_in, format_of, shown_in, shown_number, shown_text
from cardgen.files.tables import Formatted, Moment
from tests.for_each import for_each

ACCOUNTING = built_in(43)
CARDS = '[=1]0" card";0" cards"'


@for_each(
    ("code", "number", "text"),
    [
        ("000", 7, "007"),
        ("0000", -7, "-0007"),
        ("#", 0, ""),
        ("0.00", 1.5, "1.50"),
        ("0.0", 2.25, "2.3"),
        ("0", 2.5, "3"),
        ("0.00", 1.005, "1.01"),
        ("#.##", 2, "2."),
        ("#0.0#", 2, "2.0"),
        (".00", 12.5, "12.50"),
        ('"Level "0', 3, "Level 3"),
        ("\\L0", 5, "L5"),
        ('0"x"', 2, "2x"),
        ("+0;-0;0", 2, "+2"),
        ("+0;-0;0", -2, "-2"),
        ("+0;-0;0", 0, "0"),
        (";;;", 5, ""),
        ("0;-0;;@", 0, ""),
        ("$#,##0.00", 3.5, "$3.50"),
        ("[$€-407] #,##0.00", 3.5, "€ 3.50"),
        ("#,##0.00 [$€-407]", 1234.5, "1,234.50 €"),
        (ACCOUNTING, -3.5, "(3.50)"),
        (ACCOUNTING, 0, "-"),
        ("0%", 0.5, "50%"),
        ("0.0%", 0.125, "12.5%"),
        ("#,##0", 1234567, "1,234,567"),
        ("0,000", 5, "0,005"),
        ("#,##0,", 1234567, "1,235"),
        ('0.0,,"M"', 12345678, "12.3M"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("00\\:00", 1230, "12:30"),
        ("0.00E+00", 12345, "1.23E+04"),
        ("##0.0E+0", 12345, "12.3E+3"),
        ("0.00E+00", 9.999, "1.00E+01"),
        ("0.00E+00", 0, "0.00E+00"),
        ("# ?/?", 0.5, "1/2"),
        ("# ?/?", 1.5, "1 1/2"),
        ("# ?/?", 2, "2"),
        ("# ?/?", 0, "0"),
        ("# ??/??", 0.3125, "5/16"),
        ("# ?/8", 1.25, "1 2/8"),
        ("?/?", 1.5, "3/2"),
        ("0 ?/?", 0.25, "0 1/4"),
        ("[Red]0;[Blue]-0", -3, "-3"),
        ('[>=100]"many";0', 250, "many"),
        ('[>=100]"many";0', -5, "-5"),
        (CARDS, 1, "1 card"),
        (CARDS, 3, "3 cards"),
        ("[<1]0;[>9]0", 5, None),
        ("General", 0.1 + 0.2, "0.3"),
        ('General" pts"', 3, "3 pts"),
        ("@", 5, "5"),
        ("yyyy-mm-dd", 45000, "2023-03-15"),
        ("d.m.yy", 45000, "15.3.23"),
        ("d mmm yyyy", 45000, "15 Mar 2023"),
        ("[$-407]d. mmmm yyyy", 45000, "15. März 2023"),
        ("[$-40C]dddd", 45000, "mercredi"),
        ("mmmmm", 45000, "M"),
        ("ddd", 45000, "Wed"),
        ("[$-411]mmmm", 45000, None),
        ("[$-F800]dddd", 45000, None),
        ("dd/mm/yyyy hh:mm", 45000.5, "15/03/2023 12:00"),
        ("h:mm AM/PM", 0.5625, "1:30 PM"),
        ("h:mm a/p", 0.25, "6:00 a"),
        ("[h]:mm", 1.5, "36:00"),
        ("[mm]:ss", 0.5, "720:00"),
        ("mm:ss.0", 0.001, "01:26.4"),
        ("yyyy", -1, None),
        ("yyyy", 0, None),
        ("e", 45000, None),
        ("0/", 1, None),
        ("0" * 300, 1, None),
        ('"open', 1, None),
        ("0;0;0;0;0", 1, None),
        ("[DBNum1]0", 1, None),
    ],
)
def test_number_is_shown_as_excel_shows_it(code: str, number: float, text: str | None) -> None:
    format = format_of(code)
    assert (None if format is None else shown_number(number, format)) == text


def test_sections_for_text_are_put_around_text() -> None:
    for code, text in (('0;-0;0;"Card "@', "Card Fox"), ('@" x"', "Fox x"), ("0.00", "Fox"), (";;;", "")):
        format = format_of(code)
        assert format is not None
        assert shown_text("Fox", format) == text


@for_each(
    ("value", "way", "text"),
    [
        (Formatted(1234.5, "1,234.50", "#,##0.00"), "1.234,5", "1.234,50"),
        (Formatted(1234.5, "v1.0: 1,235", '"v1.0:" #,##0'), "1.234,5", "v1.0: 1.235"),
        (Formatted(1.5, "1.5 pts", 'General" pts"'), "1234,5", "1,5 pts"),
        (Formatted(1.5, "1.50", "0.00"), None, "1.50"),
        (Formatted(1.5, "1.50 €", "float", is_final=True), "1.234,5", "1.50 €"),
        (1.5, "1234,5", "1,5"),
        (0.00001, None, "0.00001"),
        (-0.0000001234, "1234,5", "-1,234E-07"),
        (-0.00025, None, "-0.00025"),
        (Moment("2026-04-03", "3.4.26", "d.m.yy"), "1234,5", "3.4.26"),
        (True, "1234,5", "TRUE"),
    ],
)
def test_signs_are_those_that_are_stated(value: object, way: str | None, text: str) -> None:
    assert shown_in(value, way) == text  # type: ignore[arg-type]


@given(st.decimals(-(10**9), 10**9, places=4), st.integers(0, 6))
def test_decimals_are_rounded_half_up(number: Decimal, places: int) -> None:
    format = format_of("0." + "0" * places if places else "0")
    assert format is not None
    wanted = Decimal(repr(float(number))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    shown = shown_number(float(number), format)
    assert shown is not None
    assert Decimal(shown) == wanted


@given(st.text('0#?.,%/E+-;"[]\\_*@ymdhs AP/G$€-407<>=e', max_size=20), st.floats(allow_nan=False))
def test_any_code_is_shown_or_not_worked_out(code: str, number: float) -> None:
    format = format_of(code)
    if format is not None and abs(number) != float("inf"):
        shown = shown_number(number, format)
        assert shown is None or shown == shown.strip()
        assert isinstance(shown_text("Fox", format), str)
