"""The YAML reader: what comes out, where it stands, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings, Location
from cardgen.files import yaml as reader
from cardgen.files import yaml_text as positions
from cardgen.files.reading import YAML
from cardgen.files.yaml import (
    MAX_DEPTH,
    MAX_PROBLEMS,
    MAX_VALUES,
    Document,
    load_yaml,
    parse_yaml,
    path_text,
)
from cardgen.files.yaml_text import resolve
from tests.for_each import for_each
from tests.wording import Wording


def parsed(text: str) -> Document:
    findings = Findings()
    document = parse_yaml(text, "a.yaml", findings)
    assert findings.items == []
    assert document is not None
    return document


def problems(path: Path) -> list[tuple[str, int | None, int | None]]:
    findings = Findings()
    load_yaml(path, path.name, findings)
    return [(f.code, f.location.line, f.location.column) for f in findings if f.location is not None]


def written(tmp_path: Path, raw: bytes) -> Path:
    path = tmp_path / "a.yaml"
    path.write_bytes(raw)
    return path


TEXT = st.text(st.characters(exclude_categories=("C",), exclude_characters="\x85\u2028\u2029"), max_size=12)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.sampled_from(
        ["no", "yes", "on", "null", "2024-05-06", "12:30", "<<", "0o7", "1e3", "~", "-", "a: b", "#"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(TEXT, VALUES, min_size=1, max_size=5)


class Yaml12Dumper(yaml.SafeDumper):
    """PyYAML's dumper, quoting all text, because it knows only the plain text rules of YAML 1.1."""


Yaml12Dumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, '"')
)
Yaml12Dumper.ignore_aliases = lambda self, data: True  # type: ignore[method-assign]


@given(DOCUMENTS, st.booleans(), st.integers(2, 6))
def test_what_is_dumped_is_read_again(data: dict[str, Any], flow: bool, indent: int) -> None:
    text = yaml.dump(data, Dumper=Yaml12Dumper, default_flow_style=flow, indent=indent, allow_unicode=True)
    assert parsed(text).data == data


@given(DOCUMENTS, st.booleans())
def test_the_pure_parser_reads_the_same(data: dict[str, Any], flow: bool) -> None:
    text = yaml.dump(data, Dumper=Yaml12Dumper, default_flow_style=flow, allow_unicode=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "open_events", yaml.BaseLoader)
        patch.setattr(positions, "open_events", yaml.BaseLoader)
        assert parsed(text).data == data
        assert parsed(text).locate(()).line == 1


@given(DOCUMENTS, st.booleans())
def test_positions_point_at_the_values(data: dict[str, Any], flow: bool) -> None:
    """At the place of a number stands that number, at the place of a key that key."""
    numbered, _ = _numbered(data, 1)
    text = yaml.dump(numbered, Dumper=Yaml12Dumper, default_flow_style=flow, allow_unicode=True, width=60)
    lines = text.split("\n")
    document = parsed(text)
    for path, value in _leaves(numbered, ()):
        place = document.locate(path)
        assert place.line is not None
        assert place.column is not None
        assert lines[place.line - 1][place.column - 1 :].startswith(str(value))
        assert place.path == path_text(path)
        if isinstance(path[-1], str):
            place = document.locate(path, key=True)
            assert place.line is not None
            assert place.column is not None
            assert lines[place.line - 1][place.column - 1] in "\"'?"


def _numbered(value: Any, count: int) -> tuple[Any, int]:
    """The same structure with a distinct number for each scalar."""
    if isinstance(value, dict):
        result = {}
        for key, item in value.items():
            result[key], count = _numbered(item, count)
        return result, count
    if isinstance(value, list):
        items = []
        for item in value:
            numbered, count = _numbered(item, count)
            items.append(numbered)
        return items, count
    return 1000 + count, count + 1


def _leaves(value: Any, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in _leaves(item, (*path, index))]
    return [(path, value)]


@given(st.integers())
def test_whole_numbers(number: int) -> None:
    assert resolve(str(number)) == number
    assert resolve(hex(abs(number))) == abs(number)
    assert resolve(oct(abs(number))) == abs(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_fractions(number: float) -> None:
    value = resolve(repr(number))
    assert isinstance(value, float)
    assert math.isclose(value, number, rel_tol=0, abs_tol=0)


@for_each("text", ["y", "n", "yes", "No", "ON", "off", "tRUE", "nULL", "Nil", "none"])
def test_only_true_false_and_null_are_words_of_yaml(text: str) -> None:
    assert resolve(text) == text


def test_places() -> None:
    document = parsed("cards:\n  - id: a\n    reward:\n      die: d6\n  - {id: b, tags: [x, y]}\nend:\n")
    assert document.locate(("cards", 0, "reward", "die")) == Location(
        "a.yaml", 4, 12, "cards[0].reward.die"
    )
    assert document.locate(("cards", 0, "reward", "die"), key=True) == Location(
        "a.yaml", 4, 7, "cards[0].reward.die"
    )
    assert document.locate(("cards", 0)) == Location("a.yaml", 2, 5, "cards[0]")
    assert document.locate(("cards", 0, "reward")) == Location("a.yaml", 4, 7, "cards[0].reward")
    assert document.locate(("cards", 1, "tags", 1)) == Location("a.yaml", 5, 23, "cards[1].tags[1]")
    assert document.locate(("end",)) == Location("a.yaml", 6, 5, "end")
    assert document.locate() == Location("a.yaml", 1, 1)


def test_the_place_of_what_is_missing_is_what_surrounds_it() -> None:
    document = parsed("cards:\n  - id: a\n")
    assert document.locate(("cards", 0, "reward", "die")) == Location("a.yaml", 2, 5, "cards[0].reward.die")


def test_values_behind_an_alias_stand_at_its_anchor() -> None:
    document = parsed("a: &a\n  x: 1\nb: *a\nc:\n  <<: *a\n  y: 2\n")
    assert document.locate(("b",)).line == 3
    assert document.locate(("b", "x")).line == 2
    assert document.locate(("c", "x")).line == 2
    assert document.locate(("c", "y")).line == 6


def test_an_alias_is_a_copy() -> None:
    data = parsed("a: &a {x: [1]}\nb: *a\n").data
    data["a"]["x"].append(2)
    assert data["b"] == {"x": [1]}


def test_paths_name_odd_keys_in_brackets() -> None:
    assert path_text(("cards", 3, "reward", "die")) == "cards[3].reward.die"
    assert path_text(("turn-order", 0, "my key", "")) == "turn-order[0]['my key']['']"


def test_windows_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffid: a\r\ntitle: é\r\nid: b\r\n".encode())
    findings = Findings()
    document = load_yaml(path, "a.yaml", findings)
    assert document is not None
    assert document.data == {"id": "a", "title": "é"}
    assert [str(finding) for finding in findings] == ["a.yaml:3:1: the key 'id' appears twice"]


@for_each(
    ("raw", "expected"),
    [
        (b"id: a\ntitle: caf\xe9\n", ("yaml/encoding", 2, 11)),
        ("id: a\n".encode("utf-16"), ("yaml/encoding", 1, 1)),
        (b"id: a\ntext: b\x00c\n", ("yaml/character", 2, 8)),
        (b"id: a\r\n\x07\n", ("yaml/character", 2, 1)),
        ("id: a\u2028b\n".encode(), ("yaml/character", 1, 6)),
        (b"", ("yaml/empty", 1, 1)),
        (b"\xef\xbb\xbf\n", ("yaml/empty", 1, 1)),
        (b"---\n", ("yaml/empty", 1, 1)),
        (b"a: " + b"9" * 5000, ("yaml/number", 1, 4)),
    ],
)
def test_bytes_that_are_no_yaml(tmp_path: Path, raw: bytes, expected: tuple[str, int, int]) -> None:
    assert problems(written(tmp_path, raw)) == [expected]


def test_a_large_file_is_refused_by_its_size(tmp_path: Path) -> None:
    path = written(tmp_path, b"#" * (YAML.most + 1))
    assert problems(path) == [("file/size", None, None)]
    path.write_bytes(b"a: 1\n#" + b"#" * (YAML.most - 6))
    assert problems(path) == []


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert problems(tmp_path / "none.yaml") == [("file/missing", None, None)]
    assert problems(tmp_path) == [("file/kind", None, None)]


PARSERS = [yaml.BaseLoader, *([yaml.CBaseLoader] if yaml.__with_libyaml__ else [])]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("nested", "line", "column"),
    [
        ("[" * 20_000, 1, MAX_DEPTH + 1),
        ("é: 1\nb: " + "[" * 20_000, 2, MAX_DEPTH + 3),
        ("{a: " * 20_000, 1, 4 * MAX_DEPTH + 1),
        ("- " * 2_000 + "x", 1, 2 * MAX_DEPTH + 1),
        ("? " * 2_000 + "x", 1, 2 * MAX_DEPTH + 1),
        ("\n".join(" " * i + "a:" for i in range(300)), MAX_DEPTH + 1, MAX_DEPTH + 1),
    ],
)
def test_deep_nesting_is_refused_at_its_place(
    nested: str, line: int, column: int, parser: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "open_events", parser)
    findings = Findings()
    assert parse_yaml(nested, "a.yaml", findings) is None
    assert [(f.code, f.location) for f in findings] == [("yaml/depth", Location("a.yaml", line, column))]


@pytest.mark.parametrize("most", [1, MAX_DEPTH - 1, 100])
def test_a_parser_s_own_bound_on_nesting_is_a_finding_of_depth(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever level a release stops at, ahead of the events or not, it is told as ours."""

    class Bounded(yaml.BaseLoader):
        def fetch_flow_collection_start(self, token: Any) -> None:
            if self.flow_level >= most:
                mark = self.get_mark()
                raise yaml.scanner.ScannerError(
                    "while increasing flow level", mark, "exceeded maximum nesting depth", mark
                )
            super().fetch_flow_collection_start(token)

    monkeypatch.setattr(reader, "open_events", Bounded)
    findings = Findings()
    assert parse_yaml("a: " + "[" * 5_000, "a.yaml", findings) is None
    column = 4 + min(most, MAX_DEPTH)
    assert [f.code for f in findings] == ["yaml/depth"]
    assert findings.errors[0].location is not None
    assert findings.errors[0].location.column in (column, column - 1)


def test_the_deepest_nesting_allowed() -> None:
    assert parsed("[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH).data
    findings = Findings()
    assert parse_yaml("[" * (MAX_DEPTH + 1) + "x" + "]" * (MAX_DEPTH + 1), "a.yaml", findings) is None


def test_depth_through_aliases_is_refused() -> None:
    half = "[" * 40 + "x" + "]" * 40
    findings = Findings()
    assert parse_yaml(f"a: &a {half}\nb: {'[' * 30}*a{']' * 30}\n", "a.yaml", findings) is None
    assert [(f.code, f.location.line) for f in findings if f.location] == [("yaml/depth", 2)]


def test_what_is_wrong_in_places_leaves_the_rest() -> None:
    findings = Findings()
    document = parse_yaml("a: 1\na: 2\nb: !x 3\nc: .inf\n", "a.yaml", findings)
    assert document is not None
    assert document.data == {"a": 1, "b": "3", "c": ".inf"}
    assert [finding.code for finding in findings] == ["yaml/duplicate-key", "yaml/tag", "yaml/number"]


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    findings = Findings()
    document = parse_yaml(text.encode("utf-8", "replace").decode(), "a.yaml", findings)
    assert document is not None or findings.errors


@pytest.mark.long
@for_each(
    "text",
    [
        "a: [" + "1, " * MAX_VALUES + "]",
        "a: &a [" + "1, " * 90_000 + "]\nb: [*a]\nc: [*a]",
        "? " + "k" * 201 + "\n: 1\n",
        '"\\e[2J": 1\n',
        "%TAG !a! x\n" * 60 + "---\na: 1\n",
    ],
)  # fmt: skip
def test_bounds(text: str, wording: Wording) -> None:
    findings = Findings()
    parse_yaml(text, "a.yaml", findings)
    wording(findings)


def test_problems_end_somewhere() -> None:
    findings = Findings()
    assert parse_yaml("a: 1\n" * 5_000, "a.yaml", findings) is None
    codes = [finding.code for finding in findings]
    assert codes == ["yaml/duplicate-key"] * MAX_PROBLEMS + ["yaml/many"]


def test_long_keys_are_short_in_paths() -> None:
    assert path_text(("a", "k" * 100, 0)) == f"a['{'k' * 59}…'][0]"


def test_places_up_to_a_number() -> None:
    """Beyond it the nearest place before counts."""
    text = "a: [x, y]\nb: {c: 1}\nd: 2\n"
    whole = positions.find_positions(text)
    assert whole.at(("b", "c")) == (2, 8)
    part = positions.find_positions(text, most=4)
    assert part.at(("a", 1)) == (1, 8)
    assert part.at(("b", "c")) == (2, 4)
    assert part.at(("d",)) == (1, 1)


def test_escaped_line_ends_of_word_processors_are_line_ends(tmp_path: Path) -> None:
    findings = Findings()
    raw = b'{"one": "a\\u000bb", "two": "a\\fb"}'
    document = load_yaml(written(tmp_path, raw), "a.yaml", findings)
    assert document is not None
    assert (document.data, findings.items) == ({"one": "a\nb", "two": "a\nb"}, [])


def test_a_character_that_is_not_allowed_is_said_once(tmp_path: Path) -> None:
    findings = Findings()
    document = load_yaml(written(tmp_path, b'a: "b\\x07c"\n'), "a.yaml", findings)
    assert [finding.code for finding in findings] == ["yaml/character"]
    assert document is not None
    assert document.data == {"a": "bc"}
