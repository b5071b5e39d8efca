"""What is wrong with a schema's JSON stands at its line and column."""

from __future__ import annotations

import pytest

from cardgen.schema.schema_file import JsonError, parse_json


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ('{\n  "a": "-Infinity",\n  "maximum": -Infinity\n}', "-Infinity is not a number", (3, 14)),
        ("NaN", "NaN is not a number", (1, 1)),
        ('{"a": "1e999 \\" 1e999", "b":\n [1e999]}', "the number 1e999… is too large", (2, 3)),
        ('{"a":[1,\n-' + "9" * 301 + "]}", "has more than 300 digits", (2, 1)),
    ],
)
def test_a_number_that_json_lacks_has_a_place(text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(JsonError, match=message) as caught:
        parse_json(text)
    assert (caught.value.line, caught.value.column) == place
