"""What is said of a wrong expression is in words of ours: nothing of Python's, nothing of the parser's."""

from __future__ import annotations

import copy
import re
from contextlib import suppress
from typing import Any

import jsonschema
import pytest

from cardgen.rules.expressions import Engine, ExpressionError
from tests.for_each import for_each

from .decks import judge
from .test_bad_rules import EXPRESSION_KEYS, SLOTS

WRONG = [
    *("'x' in 5", "5 in 'abc'", "[1] + 1", "'a' + 1", "1 + 'a'", "[1] * [2]", "'a' * 'b'", "'a' * (1, 2)"),
    *(
        "{[1]: 2}",
        "[[1]]|sum",
        "['a', 1]|sort",
        "['a', 1]|max",
        "none + 1",
        "-'a'",
        "not -[1]",
        "~1",
        "+'a'",
    ),
    *("[1, 2]['a']", "'abc'['a']", "'abc'[[1]]", "{'a': 1}[[1]]", "[1][{}]", "5[1]", "none.a.b + 1", "1.x"),
    *("range('a')", "range(none)", "range(x=1)", "range(0, 1, 0)", "1|length", "none|length", "1|join"),
    *("'x'|int", "[1]|int", "1.5|round('a')", "'a'|round", "'a'|abs", "5|reverse", "5|list", "5|dictsort"),
    *("'abc'.count(1)", "[1].index(2)", "[1].index()", "{'a': 1}.get([1])", "'a'.split(1)", "'a'.upper(1)"),
    *("'a'.replace('b')", "'a'.find()", "'a'.zfill('b')", "'a'.nosuch()", "'a'.join(1)", "1(2)", "'a'()"),
    *("cards(1)", "cards([1])", "cards()", "lookup(1, 2, 3)", "copies_in(1)", "copies_in('cards', 'a')"),
    *("'a' < 1", "none < 1", "[1] < 'a'", "{} < {}", "1 < 2 < 'a'", "'%d' % 'a'", "1 // 'a'", "2 ** 'a'"),
    *("[1]|map('nosuch')", "[1]|selectattr('a')", "[1]|selectattr", "[1]|groupby('a')", "[1]|map"),
    *("'a'|find_all(1)", "1|find_all('a')", "'a'|find_all", "'a'|find_all('(')", "'a' is matching('(')"),
    *(
        "1 is divisibleby(0)",
        "1 is divisibleby('a')",
        "1 is divisibleby",
        "'a' is in(1)",
        "1 is in",
        "1 is eq",
    ),
    *(
        "{}|effect_text",
        "'a'|int(1, 2)",
        "1|float(1, 2)",
        "[3]|count(1)",
        "'a'|upper(1)",
        "[{}]|unique|list",
    ),
    *("(-8) ** 0.5", "0 ** -1", "1 / 0", "1 % 0", "10 ** 99 ** 9"),
    *("1 if", "1 +", ")", "(", "'", "}}", "{{ 1", "{% x %}", "a b", "1 2", "[1", "{1", "{'a' 1}", "x.1y"),
    *(
        "x|",
        "x is",
        "1..2",
        "x.",
        "x[]",
        "lambda: 1",
        "def x",
        "import os",
        "*",
        "%",
        "\\",
        "'\\d'",
        "#",
        "?",
    ),
    *(
        "1 is odd is even",
        "f(a=1, 2)",
        "f(a=1, a=2)",
        "(1 2)",
        "('a' 'b'",
        "[1, 'a' 2]",
        "x | 'a'",
        "x is 1",
    ),
    *("a.b 'c'", "f(1 x)", "{1: }", "1 = 2", "x; y", "a && b", "a || b", "!a", "x := 1", "*x", "f(**1)"),
]

PYTHON = re.compile(
    r"""NoneType|<\w+>|unhashable|indices|non-int|\bobject\b|\b(str|int|dict|tuple|bool|float|NaN)\b(?!\s(does|got)\b)
    |Undefined|Traceback|\w+Error\b|\bargument|\biterab|\b(?-i:None|True|False)\b|operand|callable|subscript
    |instance|__|jinja|unexpected|expected|\btoken|literal|base\ 10|codec|lambda|exception|end\ of|statement
    |\btag\b|not\ in\ list|substring|sequence|concatenate|chain|syntax|positional""",
    re.VERBOSE | re.IGNORECASE,
)


def strange(message: str, source: str) -> list[str]:
    """What in a message is not ours, the author's own text left out."""
    return [found[0] for found in PYTHON.finditer(message.replace(source, "…"))]


@for_each("source", WRONG)
def test_an_expression_that_is_wrong_says_so_in_our_words(source: str) -> None:
    engine = Engine(lambda name: name in ("a", "x"), {})
    values = {"cards": [], "x": 1, "f": 2}
    with pytest.raises(ExpressionError) as raised:
        engine.compile(source)(values)
    assert not strange(str(raised.value), source), raised.value


PLACES = {
    (data["rules"][index]["kind"], *(key for key in path if isinstance(key, str))): (data, index, path)
    for data, index, path in SLOTS
    if path[-1] in EXPRESSION_KEYS
}


@pytest.mark.long
@for_each("place", PLACES.values(), ids=[".".join(place) for place in PLACES])
def test_a_rule_with_a_wrong_expression_says_so_in_our_words(place: Any) -> None:
    original, index, path = place
    number = list(PLACES.values()).index(place)
    for source in ("none" if number % 2 else "'a' * 'b'", WRONG[number % len(WRONG)]):
        data = {**original, "rules": [copy.deepcopy(original["rules"][index])]}
        inside = data["rules"][0]
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = source
        with suppress(jsonschema.ValidationError):
            for finding in judge(data)[-1].findings:
                hint, _, _names = (finding.hint or "").partition(":")
                assert not strange(f"{finding.message} {hint}", source), finding
