"""Files of records, read in pieces: always the same as in one piece, and only what is new."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.files import yaml as records
from cardgen.files.yaml import MAX_VALUES, Document, Reading, Records, copied, parse_yaml, read_records
from tests.for_each import for_each

HEADS = (
    "",
    "# cards\nname: Fox\n",
    "tables: [1, {a: 2}]\n",
    "first:\n  a: 1\n",
    "first: &a {b: 1}\n",
    "cards: 1\n",
    "text: |\n  cards:\n",
    'text: "\n',
    "other:\n  - 1\n",
    "%YAML 1.2\n---\n",
)
PLAIN = [f"id: fox-{number}\n    cost: {number}\n" for number in range(12)]
ODD = (
    "id: a\n    text: 'It''s\n\n      two lines'\n",
    'id: a\n    text: "an open\n  - id: b\n    text: quote"\n',
    "id: a\n    text: 'an open\n",
    "id: a\n    text: |\n      one\n\n     # two\n  # three\n\n",
    "id: a\n    text: |1+\n   one\n   - two\n\n\n",
    "id: a\n    text: >-\n\n        one\n",
    "id: a\n    text: plain\n      goes on\n",
    "id: a\n    text\n",
    "|\n   - one\n",
    "",
    "# a remark\n    id: a\n",
    "just a text\n",
    "- 1\n    - 2\n",
    "[1, 2,\n    3]\n",
    "[1, 2,\n  - 3\n",
    "{id: a,\n  b: 2}\n",
    "? id\n    : a\n",
    "id: a\n    id: b\n",
    "id: &a 1\n",
    "id: *a\n",
    "id: &a 1\n    also: *a\n",
    "<<: {id: 1}\n    id: 2\n",
    "id: !tag a\n",
    "id: a\n---\n",
    "id: a\n...\n",
    "id: a\r...\n",
    "id: a\n\t\n",
    "id: a\r\n    cost: 2\r\n",
    "id: a\r  - id: b\n",
    "id: a\nmore: 1\n",
    "id: a\n  more: 1\n",
    "id: a\n -\n",
    "id: 0x1F\n    cost: -0.0\n    far: 1e300\n    none: ~\n    yes: true\n",
    "id: ä\u00df\U0001f98a\n",
    "id: " + "9" * 301 + "\n",
    "id: " + "[" * 62 + "]" * 62 + "\n",
    "id: " + "[" * 61 + "]" * 61 + "\n",
    "id: " + "[" * 60 + "]" * 60 + "\n",
)


def read_again(text: str, known: Records, findings: Findings) -> tuple[Document | None, Records]:
    """Read a text of which records may be known."""
    document, _, kept = read_records(text, "a.yaml", findings, copied(known))
    return document, kept


def read_twice(first: str, second: str) -> None:
    """Hold the second text, read with what is kept of the first, against the reader's own reading."""
    kept: Records = {}
    for text in (first, second, second):
        findings, expected = Findings(), Findings()
        document, kept = read_again(text, kept, findings)
        whole = parse_yaml(text, "a.yaml", expected)
        assert findings.items == expected.items
        assert (document is None) == (whole is None)
        assert document is None or whole is None or repr(document.data) == repr(whole.data)


def text_of(head: str, items: list[str], indent: str = "  ") -> str:
    return f"{head}cards:\n" + "".join(f"{indent}- {item}" for item in items)


@for_each("item", ODD)
@for_each("place", [0, 5, 12])
def test_one_odd_record(item: str, place: int) -> None:
    changed = [*PLAIN[:place], item, *PLAIN[place:]]
    read_twice(text_of("", PLAIN), text_of("", changed))
    read_twice(text_of("", changed), text_of("", PLAIN))
    read_twice(text_of("", changed), text_of("", [*changed, "id: new\n"]))


@for_each("head", HEADS)
@for_each("before", HEADS)
def test_what_stands_before(before: str, head: str) -> None:
    read_twice(text_of(before, PLAIN), text_of(head, PLAIN))


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from([*PLAIN, *ODD]), max_size=4),
    st.lists(st.sampled_from([*PLAIN, *ODD]), max_size=4),
    st.sampled_from(["", "  ", "    "]),
)
def test_any_records(head: str, first: list[str], second: list[str], indent: str) -> None:
    read_twice(text_of(head, [*PLAIN, *first], indent), text_of(head, [*second, *PLAIN], indent))


def test_values_of_all_records_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    first = text_of("", PLAIN)
    count = Reading(first).count
    assert count < MAX_VALUES
    monkeypatch.setattr("cardgen.files.yaml.MAX_VALUES", count + 2)
    read_twice(first, text_of("", [*PLAIN, "id: a\n"]))
    read_twice(first, text_of("", [*PLAIN, "id: a\n    cost: 1\n"]))


def test_only_what_is_new_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    class Watched(Reading):
        def __init__(self, text: str) -> None:
            read.append(text)
            super().__init__(text)

    monkeypatch.setattr(records, "Reading", Watched)
    items = [f"id: fox-{number}\n    text: {'word ' * 9}\n" for number in range(40)]
    kept: Records = {}

    def load() -> list[str]:
        nonlocal kept
        read.clear()
        findings = Findings()
        document, kept = read_again(text_of("# cards\n", items), kept, findings)
        assert document is not None
        assert not findings.items
        assert [card["id"] for card in document.data["cards"]] == [item.split()[1] for item in items]
        return list(read)

    assert load() == [text_of("# cards\n", items)]
    assert load() == ["# cards\ncards:\n"]
    items[7] = "id: hen\n"
    assert load() == ["# cards\ncards:\n", "  - id: hen\n"]
    items.reverse()
    assert load() == ["# cards\ncards:\n"]
    document, _ = read_again(text_of("# cards\n", items), kept, Findings())
    assert document is not None
    assert str(document.locate(("cards", 1, "text"))).startswith("a.yaml:6:")


def test_equal_records_are_no_shared_objects() -> None:
    kept: Records = {}
    text = text_of("", [*PLAIN, "id: a\n    traits: [b]\n", "id: a\n    traits: [b]\n"])
    for _ in range(2):
        document, kept = read_again(text, kept, Findings())
        assert document is not None
        first, second = document.data["cards"][-2:]
        first["traits"].append("c")
        assert second == {"id": "a", "traits": ["b"]}
