"""What templates may write still means what it means to Jinja2, and the little that is refused is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from cardgen.expressions.budget import MAX_DEPTH, ForbiddenError, in_words
from cardgen.expressions.grammar import MAX_NESTING
from cardgen.expressions.values import Function, number
from cardgen.files.listing import ProjectFolders
from tests.expressions.worlds import Drawings
from tests.for_each import for_each
from tests.wording import Wording

ROWS = [{"x": 2, "y": "b"}, {"x": 1, "y": "A"}, {"x": 2, "y": "a"}]


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> Drawings:
    return Drawings(tmp_path_factory.mktemp("drawings"))


def said(drawings: Drawings, source: str, **variables: Any) -> str:
    """What a template prints."""
    before = drawings.variables
    drawings.variables = {**before, **variables}
    outcome = drawings.render(source)
    drawings.variables = before
    assert outcome.code == "", outcome
    return outcome.text


def refused(drawings: Drawings, source: str) -> tuple[str, str]:
    """The code and the message of the finding that a template gives."""
    outcome = drawings.render(source)
    return outcome.code, outcome.message


@for_each(
    "expression",
    [
        *(
            "rows|map(attribute='x')|list",
            "rows|map(attribute='z', default=9)|list",
            "words|map('upper')|list",
        ),
        *("rows|selectattr('x', 'equalto', 2)|list", "rows|rejectattr('x', 'gt', 1)|list"),
        *(
            "[0, 1, 2]|select|list",
            "[0, 1, 2]|reject('odd')|list",
            "[3, 1, 2]|sort",
            "[3, 1, 2]|sort(true)",
        ),
        *("words|sort", "words|sort(case_sensitive=true)", "rows|sort(attribute='y')"),
        *("rows|sort(attribute='x,y')", "rows|sort(attribute='x', reverse=true)", "words|unique|list"),
        *("words|unique(case_sensitive=true)|list", "rows|unique(attribute='x')|list"),
        *("words|min", "words|max", "rows|max(attribute='x')", "words|min(case_sensitive=true)"),
        *("rows|sum(attribute='x')", "[1, 2.5]|sum(start=4)", "[[1], [2]]|sum(start=[])"),
        *(
            "rows|groupby('x')|list",
            "rows|groupby('y')|map('first')|list",
            "rows|groupby('y')|map('last')|list",
        ),
        *("rows|groupby('y', case_sensitive=true)|list", "rows|groupby('z', default=1)|list"),
        *(
            "{'b': 1, 'A': 2}|dictsort",
            "{'b': 1, 'A': 2}|dictsort(true)",
            "{'b': 1, 'A': 2}|dictsort(by='value')",
        ),
        *("{'b': 1}|items|list", "words|first", "words|last", "words|reverse|list", "'abc'|reverse"),
        *("words|join", "words|join(', ')", "rows|join('-', attribute='y')", "words|length", "'abc'|list"),
        *("[1, 2, 3]|batch(2)|list", "[1, 2, 3]|batch(2, 0)|list", "{'a': 1}|list", "words|list|count"),
        *("2.567|round", "2.567|round(2)", "2.1|round(0, 'ceil')", "2.9|round(0, 'floor')", "21|round(-1)"),
        *("-3|abs", "'12'|int", "'x'|int", "'x'|int(7)", "'1a'|int(base=16)", "'2.9'|int", "'2.5'|float"),
        *(
            "'x'|float",
            "true|int",
            "'hello world'|title",
            "'hello world'|capitalize",
            "'Ab'|lower",
            "'Ab'|upper",
        ),
        *(
            "'  a '|trim",
            "'xax'|trim('x')",
            "'a b c d e f g h'|truncate(9)",
            "'abcdefghij'|truncate(5, true)",
        ),
        *(
            "'a b c d e f g h'|truncate(9, false, '!', 0)",
            "'one two'|wordcount",
            "5|string",
            "'<a>'|e|string",
        ),
        *("none|default('d')", "nothing|default('d')", "''|default('d', true)", "nothing|d('e')"),
        *("3 is odd", "4 is even", "6 is divisibleby 3", "nothing is defined", "nothing is undefined"),
        *(
            "none is none",
            "1 is number",
            "true is boolean",
            "'a' is string",
            "rows is sequence",
            "{} is mapping",
        ),
        *(
            "1 is integer",
            "1.5 is float",
            "'a' is lower",
            "'A' is upper",
            "1 is eq 1",
            "1 is lt 2",
            "2 is in [2]",
        ),
        *("'a' is iterable", "'<a>'|e is escaped", "1 is sameas 1", "'upper' is filter", "'odd' is test"),
        *(
            "1 < 2 < 3",
            "1 < 3 < 2",
            "3 > 2 >= 2 != 1",
            "1 in [1] in [[1]]",
            "'a' not in 'bc'",
            "[1] == [1]",
        ),
        *("(1, 2) < (1, 3)", "{'a': [1]} == {'a': [1]}", "1 == 1.0", "'a' ~ 1 ~ true", "7 // 2", "-7 % 3"),
        *(
            "2 ** 10",
            "2 ** -1",
            "[1] + [2]",
            "'a' + 'b'",
            "'ab' * 2",
            "[0] * 2",
            "'abc'[1:]",
            "[1, 2, 3][::-1]",
        ),
        *(
            "[1, 2][5] is defined",
            "'abc'.upper()",
            "'a-b'.split('-')",
            "'a'.startswith('a')",
            "'ab'.endswith(('a', 'b'))",
            "[1, 1].count(1)",
        ),
        *("[1, 2].index(2)", "{'a': 1}.get('b', 2)", "{'a': 1}.items()|list", "{'a': 1}.keys()|list"),
        *(
            "'a b c'.split(maxsplit=1)",
            "'a-b'.rsplit('-', 1)",
            "'ab'.find('b')",
            "'ab'.partition('b')",
            "'x' if 1 else 'y'",
            "not 1",
            "1 and 0",
            "0 or 'a'",
            "{'a': 1}.a",
            "{1: 2}[1]",
            "{'a' ~ 'b': 3}.ab",
        ),
    ],
)
def test_expressions_mean_what_they_mean_to_jinja2(drawings: Drawings, expression: str) -> None:
    variables = {"rows": ROWS, "words": ["b", "A", "a"]}
    stock = Environment(undefined=type("Same", (drawings.sandbox.undefined,), {}))
    caught: list[Any] = []
    for environment in (stock, drawings.sandbox):
        keep = caught.append if environment is stock else Function("keep", caught.append)
        if environment is stock:
            stock.from_string(f"{{{{ keep({expression}) or '' }}}}").render({**variables, "keep": keep})
        else:
            said(drawings, f"{{% set x = keep({expression}) %}}", **variables, keep=keep)
    expected, found = ((list(each) if hasattr(each, "__next__") else each) for each in caught)
    assert found == expected
    assert isinstance(found, str | bool) == isinstance(expected, str | bool)


@for_each(
    ("source", "printed"),
    [
        (
            "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }}{{ loop.index }}{{ loop.last }} {% endfor %}",
            "121False 342True ",
        ),
        ("{% for k in {'a': 1, 'b': 2} %}{{ k }}{% endfor %}", "ab"),
        ("{% for c in 'abc' if c != 'b' %}{{ c }}{{ loop.length }}{% else %}none{% endfor %}", "a2c2"),
        ("{% for c in [] %}x{% else %}none{% endfor %}", "none"),
        ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
        ("{% for i in range(3) %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "02"),
        ("{% for i in [1, 2] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(1) }}{% endfor %}", "aTruebFalse"),
        ("{% for i in [1, 2] %}{{ loop.previtem|d('-') }}{{ loop.nextitem|d('-') }}{% endfor %}", "-21-"),
        (
            "{% for n in [[1, [2]], [3]] recursive %}{% if n is number %}{{ n }}"
            "{% else %}({{ loop(n) }}){% endif %}{% endfor %}",
            "(1(2))(3)",
        ),
        (
            "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs|length }}{% endmacro %}"
            "{{ m(1) }}{{ m(1, 3, 4) }}",
            "120131",
        ),
        ("{% macro m() %}<{{ caller('x') }}>{% endmacro %}{% call(y) m() %}{{ y }}!{% endcall %}", "<x!>"),
        ("{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}", "3210"),
        ("{% set x %}a{{ 1 }}{% endset %}{{ x }}{% set y | upper %}b{% endset %}{{ y }}", "a1B"),
        ("{% filter upper %}a<b>{{ '<' }}{% endfilter %}", "A<B>&LT;"),
        ("{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}", "3"),
        ("{% block b %}x{% endblock %}{{ self.b() }}", "xx"),
        ("{% extends 'demo/parent.svg' %}{% block b %}{{ super() }} child{% endblock %}", "parent child"),
        ("{% include 'demo/parent.svg' %}", "parent"),
        ("{% include ['demo/none.svg', 'demo/parent.svg'] %}", "parent"),
        ("{% include 'demo/none.svg' ignore missing %}", ""),
        ("{% from 'demo/kit.svg' import word as w %}{{ w('a') }}", "a"),
        ("{% import 'demo/kit.svg' as k %}{{ k.words|join }}", "ab"),
        (
            "{% set ns = namespace(a=1) %}{% for i in [1, 2] %}{% set ns.a = ns.a + i %}{% endfor %}"
            "{{ ns.a }}",
            "4",
        ),
        ("{% set a, (b, c) = 1, (2, 3) %}{{ a }}{{ b }}{{ c }}", "123"),
        ("{% print 1, 2 %}{% raw %}{{ x }}{% endraw %}{# no #}", "12{{ x }}"),
        (
            "{{ 'x' if false }}|{{ 1.0 }}|{{ 0.1 + 0.2 }}|{{ true }}|{{ '<' }}|{{ '<'|safe }}",
            "|1|0.3|True|&lt;|<",
        ),
        (
            "{{ card.rows|groupby('x')|map('first')|join(',') }}{% for g in card.rows|groupby('x') %}"
            "{{ g.grouper }}{{ g.list|length }}{% endfor %}",
            "1,21121",
        ),
        ("{% if card.tags|select('equalto', 'none') %}some{% else %}none{% endif %}", "none"),
        ("{{ ('9' * 1001)|int(-1) }}{{ ('9' * 1001)|float(-2) }}", "-1-2"),
        ("{{ max([], default=4) }}{{ min([], default='none') }}", "4none"),
        ("{{ sum([1, 2.5]) }} {{ sum((3, 4), 10) }}", "3.5 17"),
        ("{{ polar(*[0, 0, 1, 0])[0] }}{{ icon('a', **{'x': 1, 'y': 2, 'size': 3})|length > 9 }}", "1True"),
    ],
)
def test_statements(drawings: Drawings, source: str, printed: str) -> None:
    assert said(drawings, source) == printed


@for_each(
    ("source", "code"),
    [
        ("{% autoescape false %}{% endautoescape %}", "template/forbidden"),
        ("{{ x|nosuch }}", "template/syntax"),
        ("{% if 0 %}{{ x|uper }}{% endif %}", "template/syntax"),
        ("{{ x is nosuch }}", "template/syntax"),
        ("{{ _x }}", "template/forbidden"),
        ("{% macro _m() %}{% endmacro %}", "template/forbidden"),
        ("{{ polar(_x=1) }}", "template/forbidden"),
        ("{% set \ufb01 = 1 %}", "template/forbidden"),
        ("{{ polar(1) }}", "template/value"),
        ("{{ polar(1, 2, 3, 4, 5) }}", "template/value"),
        ("{{ 'a'|round }}", "template/value"),
        ("{{ 1 - 'a' }}", "template/value"),
        ("{{ -'a' }}", "template/value"),
        ("{{ 1 < 'a' }}", "template/value"),
        ("{{ [1] < 2 }}", "template/value"),
        ("{{ 'a' + 1 }}", "template/value"),
        ("{{ sin('a') }}", "template/value"),
        ("{% set a, b = [1] %}", "template/value"),
        ("{% set a, b = [1, 2, 3] %}", "template/value"),
        ("{% set a, b = 5 %}", "template/value"),
        ("{% for x in 5 %}{% endfor %}", "template/value"),
        ("{% macro m() %}{% endmacro %}{{ m(1) }}", "template/value"),
        ("{% for i in [1] %}{{ loop([1]) }}{% endfor %}", "template/value"),
        ("{{ exp(1000) }}", "template/error"),
        ("{{ log(-1) }}", "template/value"),
        ("{{ (-8) ** 0.5 }}", "template/value"),
        ("{{ 7 % 0 }}", "template/error"),
        ("{{ card.tilte }}", "template/undefined"),
        ("{{ card['x' * 5000] }}", "template/undefined"),
        ("{{ card.title.nosuch }}", "template/undefined"),
        ("{{ card.title.format(1) }}", "template/forbidden"),
        ("{% import 'demo/kit.svg' as k %}{{ k.nosuch }}", "template/undefined"),
        ("{% import 'demo/kit.svg' as k %}{{ k }}", "template/forbidden"),
        ("{{ namespace(a=1).b }}", "template/undefined"),
        ("{{ self.nosuch() }}", "template/forbidden"),
        ("{{ none ~ 'a' }}", "template/value"),
        ("{{ [1] ~ 'a' }}", "template/value"),
        ("{{ '%d'|format('a') }}", "template/value"),
        ("{{ '%s'|format(none) }}", "template/forbidden"),
        ("{{ []|first }}", "template/undefined"),
        ("{% set ns = 1 %}{% set ns.x = 2 %}", "template/value"),
        ("{% set card.title = 1 %}", "template/value"),
        ("{% set card.title %}x{% endset %}", "template/value"),
        ("{% set nothing.x %}x{% endset %}", "template/value"),
        ("{% set a, card.title = 1, 2 %}", "template/value"),
        ("{{ polar(cx=1, cx=2) }}", "template/syntax"),
        ("{% macro m(a, a) %}{% endmacro %}", "template/syntax"),
        ("{% break %}", "template/syntax"),
        ("{% for i in [1] %}{% macro m() %}{% continue %}{% endmacro %}{% endfor %}", "template/syntax"),
        ("{{ '\\ud800' }}", "template/syntax"),
        ("{{ '%c'|format(55296) }}", "template/value"),
        ("{{ '%c'|format(0) }}", "template/value"),
        ("{% include card %}", "template/missing"),
        ("{% include 5 %}", "template/value"),
        ("{% import 5 as x %}", "template/value"),
        ("{{ card.rows|map(attribute='x' * 201)|list }}", "template/value"),
        ("{{ [1]|map(attribute='x', other=1) }}", "template/value"),
        ("{{ [1]|batch(0) }}", "template/value"),
        ("{{ 1|round(99) }}", "template/value"),
        ("{{ round(1, 99) }}", "template/value"),
        ("{{ round(nosuch) }}", "template/undefined"),
        ("{{ [1][nosuch] }}", "template/undefined"),
        ("{{ range(1, 5, 0) }}", "template/value"),
        ("{{ 'abc'[::0] }}", "template/value"),
        ("{{ polar(**[1]) }}", "template/value"),
        ("{{ polar(**{1: 2}) }}", "template/value"),
        ("{{ exp(500) * exp(500) }}", "template/value"),
        ("{{ [exp(500) * exp(500)]|join }}", "template/value"),
        ("{{ [[1]]|sum }}", "template/value"),
        ("{{ [1, 2]|sum(start=[]) }}", "template/value"),
        ("{{ nothing[1] }}", "template/undefined"),
    ],
)
def test_refusals(drawings: Drawings, source: str, code: str, wording: Wording) -> None:
    found = refused(drawings, source)
    assert found[0] == code, found
    wording(found[1])


def test_a_replacement_that_shortens_is_not_charged_for_more(drawings: Drawings) -> None:
    assert said(drawings, "{{ ('x' * 1500000)|replace('x', '')|length }}") == "0"


def test_a_replacement_that_grows_too_large_is_not_made(drawings: Drawings) -> None:
    code, _ = refused(drawings, "{{ ('x' * 1000)|replace('x', 'y' * 9000)|length }}")
    assert code == "template/budget"


def test_what_an_import_keeps_is_made_anew_for_each_side(drawings: Drawings) -> None:
    """A namespace or an rng of a shared kit would else make a card depend on those drawn before it."""
    source = (
        "{% import 'demo/kit.svg' as kit %}{% set kept = kit.kept %}{% set kept.n = kept.n + 1 %}"
        "{{ kept.n }} {{ kit.dice.random() }}"
    )
    assert said(drawings, source) == said(drawings, source)
    again = source + "{% import 'demo/kit.svg' as other %}{{ other.kept.n }}"
    assert said(drawings, again).endswith("2"), "within one side an import is made once"


DEEP = {
    "brackets": ("(" * 30, "1", ")" * 30),
    "sums": ("", "1", " + 1" * 90),
    "differences": ("", "1", " - 1" * 90),
    "ors": ("", "0", " or 0" * 90),
    "filters": ("", "1", "|abs" * 90),
    "fields": ("", "deep", ".x" * 90),
    "items": ("", "deep", "['x']" * 90),
    "calls": ("", "deep", ".get('x')" * 45),
    "lists": ("[" * 25, "1", "]" * 25),
    "negations": ("not " * 60, "1", ""),
}


@for_each("name", DEEP)
def test_deep_expressions_that_are_allowed_compile(drawings: Drawings, name: str) -> None:
    """Whatever stands deep in Python's stack: the bounds lie well before Python's own."""
    before, middle, after = DEEP[name]
    deep: Any = 7
    for _ in range(MAX_DEPTH):
        deep = {"x": deep}

    def lower(levels: int) -> str:
        expression = f"{before}{middle}{after}"
        source = f"{{% set x = {expression} %}}ok"
        return lower(levels - 1) if levels else said(drawings, source, deep=deep)

    assert lower(150) == "ok"


@for_each("name", ["sums", "filters", "fields", "ors"])
def test_deeper_ones_are_findings(drawings: Drawings, name: str) -> None:
    before, middle, after = DEEP[name]
    source = f"\n\n{{{{ {before}{middle}{after * 2} }}}}"
    assert MAX_NESTING < 180
    assert refused(drawings, source) == ("template/syntax", "it is nested too deeply ")


def test_nested_statements_compile(drawings: Drawings) -> None:
    ifs = "{% if 1 %}" * 38 + "x" + "{% endif %}" * 38
    loops = "{% for i in [1] %}" * 12 + "x" + "{% endfor %}" * 12
    macros = "".join(f"{{% macro m{i}() %}}" for i in range(20)) + "x" + "{% endmacro %}" * 20
    assert said(drawings, ifs + loops + macros) == "xx"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["a", "B", ""]) | st.floats(-2, 2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@given(values, values)
def test_comparisons_are_those_of_python(left: Any, right: Any) -> None:
    operators = _sandbox()
    assert operators.equal(left, right) == (left == right)
    if isinstance(right, list):
        assert operators.within(left, right) == (left in right)


_kept: list[Any] = []


def _sandbox() -> Any:
    if not _kept:
        from cardgen.art.templating import TemplateEnvironment

        _kept.append(TemplateEnvironment(ProjectFolders((Path("."),))))
    _kept[0].begin()
    return _kept[0]


LONG = "0123456789abcdef" * 100


@for_each(
    "source",
    [
        f"<image href='data:image/png;base64,{LONG}'/>",
        f"{{{{ 'a' }}}} {LONG} {{{{ 'b' }}}}",
        f"{{{{ '}}}}' ~ 'x' }}}}{LONG}",
        f"{{# a note {LONG} #}}",
        f"{{% if '%}}' %}}{LONG}{{% endif %}}",
        f"{{{{ '{LONG}' }}}}",
    ],
)
def test_digits_outside_of_expressions_are_text(drawings: Drawings, source: str) -> None:
    expected = Environment().from_string(source).render()
    assert said(drawings, source) == expected


@for_each(
    "source",
    [
        f"{{{{ {'1' * 1_001} }}}}",
        f"{LONG} {{{{ '}}}}' ~ {'1' * 1_001} }}}}",
        f"{{% if {'1' * 1_001} %}}{{% endif %}}",
        f"{{{{ 'a }}}}' ~ 0x{'f' * 1_001} }}}}",
        f"{{{{ {'1' * 1_001}",
        f"{{{{ 'a {'1' * 1_001} }}}}",
    ],
)
def test_a_number_in_an_expression_has_few_digits(drawings: Drawings, source: str) -> None:
    code, message = refused(drawings, source)
    assert (code, message.strip()) == ("template/syntax", "a number has too many digits")


def test_python_s_own_values_have_nothing_to_be_read(drawings: Drawings, wording: Wording) -> None:
    """None gets into a template; if one did, this is where it ends."""
    sandbox = drawings.sandbox
    with pytest.raises(ForbiddenError) as caught:
        sandbox.getattr(Path("/"), "name")
    wording(caught.value)
    with pytest.raises(ForbiddenError, match="a value has no items"):
        sandbox.getitem(Path("/"), 0)
    with pytest.raises(ForbiddenError) as caught:
        sandbox.call({}, print)
    wording(caught.value)


@for_each(
    "error",
    [
        RecursionError(),
        MemoryError(),
        OverflowError("(34, 'Numerical result out of range')"),
        TypeError("odd words of Python's"),
        ValueError("odd words of Python's"),
        LookupError("odd words of Python's"),
    ],
)
def test_errors_whose_words_no_designer_knows(error: Exception, wording: Wording) -> None:
    wording(in_words(error))


@for_each(
    ("value", "decimals", "text"),
    [(2.50, 3, "2.5"), (-0.0004, 3, "0"), (12, 0, "12"), (1 / 3, 4, "0.3333"), (1 / 3, 99, "0.333333333")],
)
def test_numbers_as_text(value: float, decimals: int, text: str) -> None:
    assert number(value, decimals) == text
