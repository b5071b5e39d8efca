"""What is an icon in a text, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.typesetting.icon_marks import IconNames, Mark, marks

ICONS = IconNames(["coin", "sun", "two-moons", "d6"])
COIN, SUN = Mark("coin"), Mark("sun")


def read(text: str) -> list[str | Mark]:
    return list(marks(text, ICONS))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("gain 2 :coin: now", ["gain 2 ", COIN, " now"]),
        ("1:coin::", ["1", COIN, ":"]),
        ("X:coin:", ["X", COIN]),
        (":coin:ten", [COIN, "ten"]),
        ("a:coin:b:sun:c", ["a", COIN, "b", SUN, "c"]),
        (":coin::sun:", [COIN, SUN]),
        ("::coin::", [":", COIN, ":"]),
        ("é:two-moons:é", ["é", Mark("two-moons"), "é"]),
        ("2:d6:", ["2", Mark("d6")]),
        ("(:coin 3:)", ["(", Mark("coin", figure="3"), ")"]),
        ("4:coin +1:!", ["4", Mark("coin", figure="+1"), "!"]),
        (":coin X:", [Mark("coin", figure="X")]),
        (":coin@1.4:", [Mark("coin", 1.4)]),
        (":coin#c00:", [Mark("coin", fill=(0.8, 0, 0))]),
        (":coin#0000ff@0.5 10::sun:", [Mark("coin", 0.5, (0, 0, 1), "10"), SUN]),
        (":coin to: me", [":coin to: me"]),
        ("at 1:draw 2: or", ["at 1:draw 2: or"]),
        (":gold 2:", [Mark("gold", figure="2")]),
        ("word:coin:sun:", ["word", COIN, "sun:"]),
    ],
)
def test_the_name_of_an_icon_is_one_wherever_it_stands(text: str, parts: list[str | Mark]) -> None:
    assert read(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "12:30:45",
        "a:b",
        "Note: this",
        "std::vector::x",
        "Is :Nothing: or :Some-Thing: there",
        "Round one:draw:then",
        "::",
        ":",
        ": coin :",
        ":coin",
        "coin:",
        ":6:",
        ":-coin-:",
        ":co in:",
        "urn:uuid:",
    ],
)
def test_other_colons_are_text(text: str) -> None:
    assert "".join(map(str, read(text))) == text
    assert not any(isinstance(part, Mark) for part in read(text))


@pytest.mark.parametrize("text", ["X:cion:", "3:coi:", "take:coins:", "a:Coin:", "1:SUN:b"])
def test_what_is_nearly_a_name_is_meant_wherever_it_stands(text: str) -> None:
    (meant,) = [part for part in read(text) if isinstance(part, Mark)]
    assert meant.name not in ICONS


def test_a_name_that_stands_free_is_meant() -> None:
    assert read("gain :gold:, then") == ["gain ", Mark("gold"), ", then"]
    assert read("(:gold:)") == ["(", Mark("gold"), ")"]
    assert read("2:gold::coin::silver:") == ["2", Mark("gold"), COIN, Mark("silver")]
    assert read("again:gold:then") == ["again:gold:then"]


def test_a_colon_may_be_meant() -> None:
    assert read(r"\:coin:") == [":coin:"]
    assert read(r"\:coin\:") == [":coin:"]
    assert read(r"a\:b") == ["a:b"]
    assert read(r"x\:\:y:coin:") == ["x::y", COIN]
    assert read(r"a\b") == [r"a\b"]


def test_the_second_colon_of_no_pair_may_begin_one() -> None:
    assert read("cost:three:coin:") == ["cost:three", COIN]


def test_names_of_three_letters_have_no_slips() -> None:
    assert not ICONS.is_slip("son")
    assert not ICONS.is_slip("d8")
    assert ICONS.is_slip("D6")
    assert not ICONS.is_slip("c" * 10_000)


TEXT = st.text(r"aco:in\ 6sunS-", max_size=40)


@given(TEXT)
def test_nothing_is_lost_and_known_names_are_found(text: str) -> None:
    parts = read(text)
    assert all(parts)
    written = "".join(part if isinstance(part, str) else f":{part.name}:" for part in parts)
    assert written == text.replace(r"\:", ":")
    between = [part for part in parts if isinstance(part, str)]
    if "\\" not in text:
        assert not any(":coin:" in part or ":sun:" in part for part in between)
