"""Expressions of rules: what they give, and what they refuse."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.checking.expressions import Engine, ExpressionError

KEYS = {"level", "sector", "nested"}


def engine(**defines: str) -> Engine:
    return Engine(lambda name: name in KEYS, defines)


def value(source: str, **names: Any) -> Any:
    return engine().compile(source)(names)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("source", "names", "says"),
    [
        ("code.__class__", {"code": "A"}, "out of bounds"),
        ("code['__class__']", {"code": "A"}, "out of bounds"),
        ("code['__cla' ~ 'ss__']", {"code": "A"}, "out of bounds"),
        ("r['__cla' ~ 'ss__']", {"r": {}}, "out of bounds"),
        ("xs|map(attribute='__class__')|list", {"xs": [1]}, "out of bounds"),
        ("xs|map(attribute='__class__')", {"xs": [1]}, "out of bounds"),
        ("_hidden", {}, "out of bounds"),
        ("'a'|attr('upper')", {}, "attr"),
        ("''.format(1)", {}, "format"),
        ("'%s' % code", {"code": "A"}, "use the filter"),
        ("'x' * 10**9", {}, "does too much"),
        ("10**9 * 'x'", {}, "does too much"),
        ("9**9**9", {}, "does too much"),
        ("(2**200) * (2**200)", {}, "does too much"),
        ("9.0**9999", {}, "cannot be worked out"),
        ("xs|join('x' * 99999)", {"xs": [1, 2, 3]}, "does too much"),
        ("'x'|center(10**9)", {}, "center"),
        ("code +", {"code": "A"}, "cannot be read"),
        ("code }} {{ code", {}, "left over"),
        ("", {}, "cannot be read"),
        ("1 / 0", {}, "divides by zero"),
        ("1 % 0", {}, "divides by zero"),
        ("n > 3", {"n": "four"}, "cannot be worked out"),
        ("n > 3", {}, "no “n”"),
        ("n + 1", {"n": None}, "cannot be worked out"),
        ("r.level > 3", {"r": {}}, "no “level”"),
        ("1 + (2 if r)", {}, "no “else”"),
        ("r.levle", {"r": {"level": 1}}, "levle"),
        ("t is matching('(')", {"t": "a"}, "missing )"),
        ("t|find_all('a' * 999)", {"t": "a"}, "characters"),
        ("n is matching('a')", {"n": 1}, "text only"),
        (r"t is matching('a\b')", {"t": "a"}, "written twice"),
        (r"t|find_all('\d+')", {"t": "a"}, "written twice"),
        ("t|nosuch", {"t": 1}, "nosuch"),
        ("t is nosuch", {"t": 1}, "nosuch"),
        ("n()", {"n": 1}, "a number can't be called"),
        ("'9'|int + 'x'|int", {}, "cannot be worked out"),
        ("(" * 900 + "1" + ")" * 900, {}, "nested too deeply"),
        ("-" * 1500 + "1", {}, "nested too deeply"),
        ("1" + "+1" * 1500, {}, "longer than"),
    ],
)
def test_refusals(source: str, names: dict[str, Any], says: str) -> None:
    with pytest.raises(ExpressionError, match=says.replace("(", r"\(").replace(")", r"\)")):
        value(source, **names)


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


def test_work_is_counted() -> None:
    made = engine()
    walk = made.compile("xs|select('odd')|length")
    made.budget.left = 150
    assert walk({"xs": list(range(100))}) == 50
    with pytest.raises(ExpressionError, match="does too much"):
        walk({"xs": list(range(100))})


def test_one_context_serves_all_cards() -> None:
    """A value of one card never shows through on the next."""
    reads = engine().compile("a|default('none') ~ ''")
    assert reads({"a": 1}) == "1"
    assert reads({}) == "none"
    assert reads({"a": 2}) == "2"


@given(st.text(alphabet="ab.[]()'|~+*%,:{}_ 19", max_size=30))
def test_any_text_is_read_or_refused(source: str) -> None:
    made = Engine(lambda name: True, {})
    with suppress(ExpressionError):
        made.compile(source)({"a": {"b": [1, "x"]}, "b": 2})
