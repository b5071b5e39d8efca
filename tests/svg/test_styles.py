"""Style attributes and the bodies of rules."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.svg.style import read_style
from tests.for_each import for_each


@for_each(
    ("text", "properties", "unread"),
    [
        ("", {}, ""),
        (" ; ;", {}, ""),
        ("fill:red;stroke : #000 ; ", {"fill": "red", "stroke": "#000"}, ""),
        ("FILL:Red", {"fill": "Red"}, ""),
        ("fill:red;fill:blue", {"fill": "blue"}, ""),
        ("font-family:'a;b', \"c:d\"", {"font-family": "'a;b', \"c:d\""}, ""),
        ("fill:url(#a;b)", {"fill": "url(#a;b)"}, ""),
        ("a:b:c", {"a": "b:c"}, ""),
        ("fill red;stroke:#000", {"stroke": "#000"}, "fill red"),
        ("fill:red;b!:c", {"fill": "red"}, "b!:c"),
        ("fill:(((", {}, "fill:((("),
        ("fill:a);b:c", {"b": "c"}, "fill:a)"),
        ("fill:'a;b:c", {}, "fill:'a;b:c"),
        ("fill:u\\72l(#a)", {}, "fill:u\\72l(#a)"),
    ],
)
def test_styles(text: str, properties: dict[str, str], unread: str) -> None:
    assert read_style(text) == (properties, unread)
    assert read_style(text + " " * 2000) == (properties, unread)  # too long to be remembered


@given(st.text(alphabet="ab:;()'\" \\-", max_size=40))
def test_nothing_is_lost_in_silence(text: str) -> None:
    properties, unread = read_style(text)
    for character in text:
        if not character.isspace() and character not in ":;":
            said = unread + "".join(name + value for name, value in properties.items())
            # A property that is set twice keeps its last value.
            assert character in said or text.count(":") > 1
