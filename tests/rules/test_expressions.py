"""Expressions of rules: what they give, and what they refuse."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules import expressions
from cardgen.rules.expressions import Engine, ExpressionError
from tests.for_each import for_each
from tests.wording import Wording

KEYS = {"level", "sector", "nested"}


def engine(**defines: str) -> Engine:
    return Engine(lambda name: name in KEYS, defines)


def value(source: str, **names: Any) -> Any:
    return engine().compile(source)(names)


@for_each(
    ("source", "names", "expected"),
    [
        ("code == 'A'", {"code": "A"}, True),
        ("3 <= n <= 12", {"n": 12}, True),
        ("r.level == 'Root'", {"r": {"level": "Root"}}, True),
        ("r['level']", {"r": {"level": 2}}, 2),
        ("r.items", {"r": {"items": 4}}, 4),
        ("r.level == 'Root'", {"r": {"sector": 1}}, False),
        ("r.level == 'Root'", {}, False),
        ("r.level != 'Root'", {"r": None}, True),
        ("r is defined", {}, False),
        ("r == none", {}, True),
        ("r is none", {}, True),
        ("r|length", {}, 0),
        ("x|default(3) + 1", {}, 4),
        ("xs|map(attribute='level')|list", {"xs": [{"level": 1}, {"level": 2}]}, [1, 2]),
        ("xs|map(attribute='level')", {"xs": [{"level": 1}]}, [1]),
        ("xs|nested|map(attribute='level')|list", {"xs": [{"level": 1, "nested": [{"level": 2}]}]}, [1, 2]),
        ("xs|select('odd')|length", {"xs": [1, 2, 3]}, 2),
        ("xs|join('-')", {"xs": [1, 2]}, "1-2"),
        ("t is matching('^a+$')", {"t": "aaa"}, True),
        ("t|find_all('<(.)>')", {"t": "<a> <b>"}, ["a", "b"]),
        (r"t|find_all('\\d+')", {"t": "a 12 b 3"}, ["12", "3"]),
        ("t.upper().startswith('A')", {"t": "ab"}, True),
        ("{'2': 5}[n]", {"n": 2}, 5),
        ("xs[0]", {"xs": [7]}, 7),
        ("xs[1] is defined", {"xs": [7]}, False),
        ("'x' * 3 ~ 2 ** 8", {}, "xxx256"),
        ("true", {}, True),
        ("('x' if code) == none", {}, True),
        ("('x' if code) is defined", {}, False),
        ("[1, 2 if code, 3 if code else 4]", {}, [1, None, 4]),
    ],
)
def test_values(source: str, names: dict[str, Any], expected: Any) -> None:
    assert value(source, **names) == expected


@for_each(
    ("source", "names"),
    [
        ("code.__class__", {"code": "A"}),
        ("code['__class__']", {"code": "A"}),
        ("code['__cla' ~ 'ss__']", {"code": "A"}),
        ("r['__cla' ~ 'ss__']", {"r": {}}),
        ("xs|map(attribute='__class__')|list", {"xs": [1]}),
        ("xs|map(attribute='__class__')", {"xs": [1]}),
        ("_hidden", {}),
        ("'a'|attr('upper')", {}),
        ("''.format(1)", {}),
        ("'%s' % code", {"code": "A"}),
        ("'x' * 10**9", {}),
        ("10**9 * 'x'", {}),
        ("9**9**9", {}),
        ("(2**200) * (2**200)", {}),
        ("9.0**9999", {}),
        ("xs|join('x' * 99999)", {"xs": [1, 2, 3]}),
        ("'x'|center(10**9)", {}),
        ("code +", {"code": "A"}),
        ("code }} {{ code", {}),
        ("", {}),
        ("1 / 0", {}),
        ("1 % 0", {}),
        ("n > 3", {"n": "four"}),
        ("n > 3", {}),
        ("n + 1", {"n": None}),
        ("r.level > 3", {"r": {}}),
        ("1 + (2 if r)", {}),
        ("r.levle", {"r": {"level": 1}}),
        ("t is matching('(')", {"t": "a"}),
        ("t|find_all('a' * 999)", {"t": "a"}),
        ("n is matching('a')", {"n": 1}),
        (r"t is matching('a\b')", {"t": "a"}),
        (r"t|find_all('\d+')", {"t": "a"}),
        ("t|nosuch", {"t": 1}),
        ("t is nosuch", {"t": 1}),
        ("n()", {"n": 1}),
        ("'9'|int + 'x'|int", {}),
        ("(" * 900 + "1" + ")" * 900, {}),
        ("-" * 1500 + "1", {}),
        ("1" + "+1" * 1500, {}),
    ],
)
def test_refusals(source: str, names: dict[str, Any], wording: Wording) -> None:
    with pytest.raises(ExpressionError) as caught:
        value(source, **names)
    wording(caught.value)


def test_the_names_it_reads() -> None:
    expression = engine().compile("a.b.c == d['e'] and f[g].h in xs|map(attribute='z')|list")
    assert set(expression.chains) == {("a", "b", "c"), ("d", "e"), ("f",), ("g",), ("xs",)}
    assert expression.names == ("a", "d", "g", "f", "xs")
    assert engine().compile("code").name == "code"


def test_definitions() -> None:
    made = engine(royal="king or queen", both="royal and rich")
    assert made.compile("not both")({"king": True, "rich": False}) is True
    assert made.compile("both").names == ("king", "queen", "rich")


def test_a_definition_of_itself() -> None:
    with pytest.raises(ExpressionError, match="a → b → a"):
        engine(a="b + 1", b="a + 1").compile("a")


def test_definitions_cannot_multiply() -> None:
    laughs = {f"l{i}": f"l{i - 1} ~ l{i - 1} ~ l{i - 1}" for i in range(1, 12)}
    with pytest.raises(ExpressionError, match="2,000 operations"):
        engine(l0="'ha'", **laughs).compile("l11")


def test_work_is_counted(wording: Wording) -> None:
    made = engine()
    walk = made.compile("xs|select('odd')|length")
    made.budget.left = 150
    assert walk({"xs": list(range(100))}) == 50
    with pytest.raises(ExpressionError) as caught:
        walk({"xs": list(range(100))})
    wording(caught.value)


def test_one_context_serves_all_cards() -> None:
    """A value of one card never shows through on the next."""
    reads = engine().compile("a|default('none') ~ ''")
    assert reads({"a": 1}) == "1"
    assert reads({}) == "none"
    assert reads({"a": 2}) == "2"


def test_saved_code_serves_later_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path))
    monkeypatch.setattr(expressions, "_kept", {})
    first = engine(rich="money > 3")
    names = {"money": 4, "xs": [1, 2]}
    source = "rich and xs|length > 1"
    made = first.compile(source)
    assert made(names) is True
    first.save()
    expressions._kept.clear()
    monkeypatch.setattr(Engine, "_prepare", None)  # nothing is compiled again
    later = engine(rich="money > 3").compile(source)
    assert later(names) is True
    assert (later.chains, later.names, later.measured, later.size) == (
        made.chains,
        made.names,
        made.measured,
        made.size,
    )
    with pytest.raises(TypeError):
        engine(rich="money > 4").compile(source)


@given(st.text(alphabet="ab.[]()'|~+*%,:{}_ 19", max_size=30))
def test_any_text_is_read_or_refused(source: str) -> None:
    made = Engine(lambda name: True, {})
    with suppress(ExpressionError):
        made.compile(source)({"a": {"b": [1, "x"]}, "b": 2})
