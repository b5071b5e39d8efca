"""What is wrong with a schema's JSON stands at its line and column."""

from __future__ import annotations

import pytest

from cardgen.game.schema_file import JsonError, parse_json
from tests.wording import Wording


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{\n  "a": "-Infinity",\n  "maximum": -Infinity\n}', (3, 14)),
        ("NaN", (1, 1)),
        ('{"a": "1e999 \\" 1e999", "b":\n [1e999]}', (2, 3)),
        ('{"a":[1,\n-' + "9" * 301 + "]}", (2, 1)),
    ],
)
def test_a_number_that_json_lacks_has_a_place(text: str, place: tuple[int, int], wording: Wording) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    wording(caught.value)
    assert (caught.value.line, caught.value.column) == place
