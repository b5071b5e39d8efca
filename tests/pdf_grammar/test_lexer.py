"""The strict lexer: what the rules allow it reads, everything else it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import decimal
from tests.for_each import for_each
from tests.pdf_grammar.lexer import FaultError, Keyword, Name, Reader, Reference, String


def read(data: bytes, *, references: bool = False) -> list[object]:
    reader = Reader(data, references=references)
    values = []
    while (found := reader.value()) is not None:
        values.append(found[1])
    return values


@for_each(
    ("data", "values"),
    [
        (b"1 -2 +3 0 007", [1, -2, 3, 0, 7]),
        (b"1. .5 -.25 +0.125 3.0", [1.0, 0.5, -0.25, 0.125, 3.0]),
        (b"1/a(b)<63>[2]", [1, Name("a"), String(b"b", False), String(b"c", True), [2]]),
        (b"/A#20b /;$@_*", [Name("A b"), Name(";$@_*")]),
        (
            b"(a(b)c) (\\n\\)\\101\\\r\nx) (a\r\nb)",
            [String(b"a(b)c", False), String(b"\n)Ax", False), String(b"a\nb", False)],
        ),
        (b"<> <0A 0b>", [String(b"", True), String(b"\n\x0b", True)]),
        (b"<</A 1/B[/C<</D(e)>>]>>", [{"A": 1, "B": [Name("C"), {"D": String(b"e", False)}]}]),
        (b"true false null f* T* ' \"", [True, False, None, *map(Keyword, (b"f*", b"T*", b"'", b'"'))]),
        (b"1 % 2 3\n4\0\t\f\r5%", [1, 4, 5]),
    ],
)
def test_what_the_rules_allow(data: bytes, values: list[object]) -> None:
    assert read(data) == values


def test_references() -> None:
    found = read(b"1 2 0 R[3 4 0 R 5]6 0 obj<</A 7 0 R/B 8>>endobj", references=True)
    assert found == [1, Reference(2, 0), [3, Reference(4, 0), 5], 6, 0, Keyword(b"obj"),
                     {"A": Reference(7, 0), "B": 8}, Keyword(b"endobj")]  # fmt: skip
    assert read(b"1 0 R") == [1, 0, Keyword(b"R")]


@for_each(
    "data",
    [
        b"-72.972.9", b"--1", b"1-2", b"+-1", b"1e5", b"1.2.3", b".", b"-", b"+.", b"1a", b"0x10", b"1,5",
        b"1_0",
        b"2147483648", b"-2147483649", b"9" * 5000, b"1" + b"0" * 40 + b".0",
        b"/", b"/a#2", b"/a#zz", b"/a#00", b"/\xe4", b"/" + b"n" * 128,
        b"(", b"(a(b)", b"(\\q)", b"(\\777)", b"(a\\", b")",
        b"<0", b"<0>", b"<0g>", b"<000>", b">",
        b"[1", b"]", b"[1>>", b"<</A>>", b"<</A 1", b"<<1 2>>", b"<</A 1/A 2>>", b">>", b"[f]", b"<</A f>>",
        b"{1}", b"\x80", b"a\x01b", b"[" * 100 + b"]" * 100,
    ],
)  # fmt: skip
def test_what_they_refuse(data: bytes) -> None:
    with pytest.raises(FaultError):
        read(data)
    with pytest.raises(FaultError):
        read(b"1 0 0 rg " + data)


VALUES = st.recursive(
    st.integers(-(2**31), 2**31 - 1)
    | st.booleans()
    | st.none()
    | st.binary(max_size=20).map(lambda data: String(data, True))
    | st.text(st.characters(min_codepoint=1, max_codepoint=255), min_size=1, max_size=20).map(Name),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcXYZ-#.", min_size=1, max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def written(value: object) -> bytes:
    """A value as PDF writes it, with no blank that is not needed."""
    if isinstance(value, Name):
        regular = set(b"!\"$&'*+,-.0123456789:;=?@\\^_`|~") | set(range(65, 91)) | set(range(97, 123))
        coded = (bytes([byte]) if byte in regular else b"#%02X" % byte for byte in value.encode("latin-1"))
        return b"/" + b"".join(coded)
    if isinstance(value, String):
        return b"<" + value.data.hex().encode() + b">"
    if isinstance(value, list):
        return b"[" + b" ".join(map(written, value)) + b"]"
    if isinstance(value, dict):
        entries = (written(Name(key)) + b" " + written(each) for key, each in value.items())
        return b"<<" + b"".join(entries) + b">>"
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return b"null" if value is None else str(value).encode()


@given(VALUES)
def test_what_is_written_is_read(value: object) -> None:
    assert read(written(value)) == [value]


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read(data, references=True)
    except FaultError as fault:
        assert 0 <= fault.at <= len(data)  # noqa: PT017


@given(st.floats(-1e6, 1e6), st.integers(1, 8), st.floats(-1e6, 1e6))
def test_our_numbers_are_numbers_until_they_touch(value: float, places: int, other: float) -> None:
    first, second = decimal(value, places).encode(), decimal(other, places).encode()
    assert read(first) == [pytest.approx(value, abs=10**-places)]
    assert len(read(first + b" " + second)) == 2
    try:
        together = read(first + second)
    except FaultError:
        return
    assert len(together) == 1  # so the operator has too few operands
