"""Texts edited in their place: they say what was wanted, and all that was not concerned stands as it
did."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.files.yaml import Reading
from cardgen.files.yaml_editing import edited, same
from cardgen.files.yaml_nodes import Node, YamlStyle, compose, inline, mapping_lines
from cardgen.files.yaml_text import SourceError
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted(
    path for path in (ROOT / "data").glob("*/*.yaml") if "\n  - id: " in path.read_text(encoding="utf-8")
)

TEXTS = (
    "# head\ncards: # of all\n  # ---- first\n  - id: a # its name\n    title: Fox\n"
    "    cost: 3 # too low?\n\n"
    "  # ---- second\n  - id: b\n    title: 'It''s'\n    tags: [x, 'y, z'] # two\n    text: >-\n"
    "      One line\n"
    "      and more.\n\n      Next.\n    # end of b\n  - id: c\n    text: |\n      - one\n      - two\n"
    "# the end\n",
    "cards:\n- id: a\n  cost: 1\n  nested:\n    deep: {x: 1, y: [1, 2]}\n    list:\n    - 1\n    - - 2\n"
    "      - 3\n"
    "- id: b\n  text: plain\n    goes on\n  'quoted key': \"esc \\u00e9\"\n- id: c\n",
    "cards:\n  - {id: a, cost: 1} # flow\n  - {id: b,\n     # inner\n     cost: 2,\n     tags: [\n"
    "       one,\n"
    "       two, # second\n     ]}\n  - {id: c, empty: , none}\n",
    "base: &base\n  cost: 3\n  tags: &tags [p, q]\ncards:\n  - id: a\n    <<: *base\n  - <<: *base\n"
    "    id: b\n"
    "    cost: 4\n  - id: c\n    tags: *tags\n    one: &one x\n    two: *one\n",
    "cards:\r\n  - id: a\r\n    text: >\r\n      folded\r\n      lines\r\n\r\n    cost: 1\r\n"
    "  - id: b\r\n    cost:\r\n"
    "      # below\r\n      7\r\n",
    "%YAML 1.2\n---\ncards:\n  - id: a\n    text: |+\n      kept\n\n    more: |2-\n        two\n"
    "  - id: b\n...\n",
    "[{id: a, cost: 1}, {id: b}, 3, 'four']\n",
    "cards:\n    -   id: a\n        sub:\n            -   x: 1\n                y: 2\n"
    "            -   x: 3\n    -\n"
    "        id: b\n    - &anchored\n      id: c\n      cost: 2\n    - ~\n    -\n",
    "cards:\n  - id: a\n    cost: 1",
)

REFUSED = re.compile("<<|list begins|an alias repeats")
words = st.one_of(
    st.text("ab:#-'\"[]{},&*!|>%@`?= \n0.é\u2028\xa0~", max_size=12),
    st.sampled_from(
        (
            "null",
            "true",
            "7",
            "1e3",
            "- a",
            "a: b",
            "a #b",
            "? x",
            "<<",
            "=",
            "...",
            "---",
            "0x1",
            "x" * 130,
        )
    ),
    st.lists(st.sampled_from(("word", "it’s", "a", "#tag", "-")), min_size=10, max_size=60).map(" ".join),
)
scalars = st.one_of(
    words,
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
)
names = st.one_of(
    st.sampled_from(("id", "cost", "text", "tags", "new")), st.text("abé: #7-", min_size=1, max_size=5)
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=6,
)


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places of some data, the whole left out."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [each for key, value in inside for each in ((*path, key), *paths(value, (*path, key)))]


def changed(draw: Any, data: Any) -> Any:
    """Data with one to three values changed, taken out or put in."""
    data = deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        if not (every := paths(data)):
            return data
        *way, last = draw(st.sampled_from(every))
        parent = data
        for step in way:
            parent = parent[step]
        what = draw(st.sampled_from(("set", "set", "take", "put")))
        if what == "set":
            parent[last] = draw(values)
        elif what == "take":
            del parent[last]
        elif isinstance(parent, list):
            parent.insert(draw(st.integers(0, len(parent))), draw(values))
        else:
            parent[draw(names)] = draw(values)
    return data


def _edited_or_refused(text: str, wanted: Any) -> str | None:
    try:
        return edited(text, wanted)
    except SourceError as error:
        if error.code == "yaml/edit" and REFUSED.search(error.message):
            return None
        raise


@given(st.data(), st.sampled_from(TEXTS))
def test_what_comes_out_says_what_was_wanted(data: st.DataObject, text: str) -> None:
    reading = Reading(text)
    assert not reading.problems
    wanted = changed(data.draw, reading.data)
    result = _edited_or_refused(text, wanted)
    if result is None:
        return
    again = Reading(result)
    assert not again.problems
    assert same(again.data, wanted)
    if "\r\n" in text:
        assert "\n" not in result.replace("\r\n", "")


def scalar_nodes(node: Node) -> list[Node]:
    if node.kind == "scalar":
        return [node]
    inner = [pair.node for pair in node.pairs] + [item.node for item in node.items]
    return [each for one in inner for each in scalar_nodes(one)]


@given(st.data(), st.sampled_from([text for text in TEXTS if "*" not in text]), scalars)
def test_one_value_changes_and_nothing_else(data: st.DataObject, text: str, value: Any) -> None:
    found = Reading(text).data
    leaves = [path for path in paths(found) if not isinstance(_at(found, path), dict | list)]
    path = data.draw(st.sampled_from(leaves))
    wanted = deepcopy(found)
    _at(wanted, path[:-1])[path[-1]] = value
    result = edited(text, wanted)
    span = scalar_nodes(compose(text))[leaves.index(path)]
    before, after = text[: span.start].rstrip(": -\n\r"), text[span.end :]
    assert result.startswith(before)
    for line in after.splitlines():
        assert line.strip() in result
    beyond = after.partition("\n")[2]
    assert result.endswith(beyond)


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


@given(st.dictionaries(names, values, min_size=1, max_size=4))
def test_what_is_written_is_read_back(data: dict[str, Any]) -> None:
    for lines in (mapping_lines(data, 0, YamlStyle(), ()), [inline(data, YamlStyle())]):
        reading = Reading("".join(f"{line}\n" for line in lines))
        assert not reading.problems
        assert same(reading.data, data)


@for_each("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_files_grow_and_shrink_again(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    data = Reading(text).data
    assert edited(text, deepcopy(data)) == text
    key, items = next(
        (key, value)
        for key, value in data.items()
        if isinstance(value, list) and isinstance(value[0], dict)
    )
    more = deepcopy(data)
    more[key].append({**deepcopy(items[0]), "id": "brand-new"})
    longer = edited(text, more)
    assert edited(longer, data) == text
    kept = iter(longer.splitlines())
    assert all(line in kept for line in text.splitlines())


def _edit(text: str, /, **fields: Any) -> str:
    """A text whose first card has other fields; `...` takes one out."""
    data = Reading(text).data
    card = data["cards"][0]
    for name, value in fields.items():
        if value is ...:
            del card[name]
        else:
            card[name] = value
    return edited(text, data)


@for_each(
    ("before", "fields", "after"),
    [
        ("cost: 3 # low", {"cost": 4}, "cost: 4 # low"),
        ("cost: '3' # low", {"cost": "4"}, "cost: '4' # low"),
        ('text: "a"', {"text": "b"}, 'text: "b"'),
        ("text: a # note", {"text": "b: c"}, "text: 'b: c' # note"),
        ("text: a # note", {"text": "b\nc"}, "text: |- # note\n      b\n      c"),
        ("text: >- # note\n      a\n      b", {"text": "c"}, "text: >- # note\n      c"),
        ("text: |\n      a\n\n    cost: 1", {"text": "b\nc\n"}, "text: |\n      b\n      c\n\n    cost: 1"),
        ("tags: [a, 'b'] # two", {"tags": ["a", "b", "c"]}, "tags: [a, 'b', c] # two"),
        ("tags: [a, 'b'] # two", {"tags": ["b"]}, "tags: ['b'] # two"),
        (
            "tags:\n      - a # first\n      - b",
            {"tags": ["a", "c"]},
            "tags:\n      - a # first\n      - c",
        ),
        ("tags: # some\n      - a", {"tags": []}, "tags: [] # some"),
        ("cost:", {"cost": 0}, "cost: 0"),
        ("cost: # open", {"cost": 0}, "cost: 0 # open"),
        ("one: {a: 1, b: 2}", {"one": {"a": 1, "b": 3, "c": 4}}, "one: {a: 1, b: 3, c: 4}"),
        ("cost: 1\n    # why\n    text: a", {"cost": ...}, "# why\n    text: a"),
    ],
)
def test_manner(before: str, fields: dict[str, Any], after: str) -> None:
    text = f"cards:\n  - id: a\n    {before}\n  # next\n  - id: b\n"
    assert _edit(text, **fields) == f"cards:\n  - id: a\n    {after}\n  # next\n  - id: b\n"


def test_cards_are_put_where_and_as_the_others_stand() -> None:
    text = "cards:\n  - {id: a, name: 'Fox'}\n\n  - {id: b, name: 'Owl'}\n# end\nmore: 1\n"
    data = Reading(text).data
    data["cards"].append({"id": "c", "name": "Elk"})
    added = "  - {id: b, name: 'Owl'}\n\n  - {id: c, name: 'Elk'}\n# end\nmore: 1\n"
    assert edited(text, data) == f"cards:\n  - {{id: a, name: 'Fox'}}\n\n{added}"
    del data["cards"][1]
    assert edited(text, data).count("Owl") == 0


def test_what_an_anchor_gives_to_others_stays_with_them() -> None:
    text = "cards:\n  - &a\n    id: a\n    cost: 3\n  - <<: *a\n    id: b\n"
    assert _edit(text, cost=4) == (
        "cards:\n  - &a\n    id: a\n    cost: 4\n  - <<: *a\n    id: b\n    cost: 3\n"
    )


def test_what_is_merged_in_cannot_be_taken_out() -> None:
    text = "base: &b {cost: 1}\ncards:\n  - id: a\n    <<: *b\n"
    with pytest.raises(SourceError) as caught:
        _edit(text, cost=...)
    assert caught.value.line == 4
    assert "'cost'" in caught.value.message


def test_keys_with_a_question_mark_are_refused() -> None:
    with pytest.raises(SourceError, match=r"\?") as caught:
        _edit("cards:\n  - id: a\n    ? cost\n    : 1\n", cost=2)
    assert caught.value.line == 3


def test_characters_that_no_yaml_has_are_refused() -> None:
    with pytest.raises(SourceError, match=r"U\+0007"):
        _edit("cards:\n  - id: a\n", text="ding\x07")
