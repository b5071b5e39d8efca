"""Findings stand at the line of the template that the faulty text stands in, whatever is around it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.art import template_lines, templating
from tests.art.support import FONT, HEAD, Workshop
from tests.for_each import for_each

FAULT = '<rect width="1" height="1" fill="nope"/>'
BREAKS = re.compile("\r\n|\r|\n")

# What stands beside the fault, before or after it, on its line or not.
ASIDE = (
    "",
    "\n",
    " \n\n ",
    "<g/>",
    "<!-- öäü\U0001f980 -->\n",
    "<!--{{ card.title }}-->",
    "<!--{{ card.title\n\n ~ 'x' }}-->\n",
    "{{ card.blank }}{{ '' }}",
    "{{- card.blank -}}\n",
    "{{ '<g/>\n\n'|safe }}",
    "{# two\nlines #}",
    "\n{#- two\nlines -#}\n\n",
    "{% raw %}<!--{{\n}}-->{% endraw %}",
    "\n{%- raw -%}\n<g/>\n{%- endraw -%}\n",
    "{% set a = [\n1,\n2] %}",
    "\n{%- set a = 1 -%}\n",
    "{%+ set a = 1 +%}\n",
    "{% if false %}\n{% else %}\n\n{% endif %}",
    "{% macro e() %}\n  <g/>\n  {% endmacro %}{{ e()|trim }}<!--{{ e()|length }}-->\n",
    "{% for i in [1, 2] %}\n<!--{{ i }}-->{% endfor %}",
    "{% include './aside.svg' %}",
    "{% import './kit.svg' as kit %}\n{{ kit.hole() }}",
    "{{ kit.hole()|trim if kit is defined else '' }}",
)
# What stands around it; `@` is where.
AROUND = (
    "{% if true %}@{% endif %}",
    "{%- if true -%}\n@\n{%- endif -%}",
    "{% if false %}\n{% else %}@{% endif %}",
    "{% for i in range(3) %}@{% endfor %}",
    "{% for i in [1, 2] -%}\n@<!--{{ i }}-->{%- endfor %}",
    "{% for i in [1] recursive %}\n@{{ loop([]) }}{% endfor %}",
    "{% set v %}@{% endset %}{{ v }}",
    "{%- set v -%}\n@{% endset %}\n\n{% if v|trim != '' %}\n<g/>{{ v }}{% endif %}",
    "{% set v %}\n @ {% endset %}<g/>\n{{ v|trim }}",
    "{% set v %}@{% endset %}\n{{ '' ~ v ~ '<g/>\n'|safe }}",
    "{% set n = namespace() %}{% set n.v %}@{% endset %}\n{{ [n.v, n.v]|join('') }}",
    "{% macro m(x) %}@{% endmacro %}\n{{ m(1) }}",
    "{% macro m(x) -%}\n@\n{%- endmacro %}\n{{ '' }}{{ m(1)|trim }}{{ m(2) }}",
    "{% macro m() %}\n{{ caller() }}{% endmacro %}\n{% call m() %}\n@{% endcall %}",
    "{% filter trim %}\n@\n{% endfilter %}",
    "{% with x = 1 %}\n@{% endwith %}",
    "{% raw %}<!--{{\n-->{% endraw %}@",
)
PARTS = st.lists(st.sampled_from(ASIDE), max_size=3).map("".join)
AROUNDS = st.lists(st.tuples(PARTS, st.sampled_from(AROUND), PARTS), max_size=3)
# Files that the fault may stand in, and how the side uses them; `@` is the fault with all around it.
FILES = (
    {"card.svg": "@"},
    {"card.svg": "\n{% include './part.svg' %}\n<g/>", "part.svg": "\n@"},
    {
        "card.svg": "\n{% from './part.svg' import k with context %}<g/>\n{{ k() }}{{ card.blank }}\n",
        "part.svg": "<g/>\n{% macro k() %}@{% endmacro %}\n",
    },
    {"card.svg": "{% extends './part.svg' %}\n{% block b %}\n@{% endblock %}", "part.svg": "\n<g>¤</g>"},
)
AIDS = {"aside.svg": "\n<g/>\n{{ card.blank }}", "kit.svg": "{% macro hole() %}\n<g/>\n\n{% endmacro %}\n"}


def nested(arounds: list[tuple[str, str, str]]) -> str:
    """The fault with all that stands around and beside it."""
    body = FAULT
    for before, around, after in arounds:
        body = before + around.replace("@", body) + after
    return body


def places(files: dict[str, str], newline: str) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """Where a colour is found wrong in a side made of these files, and where it stands in them."""
    with TemporaryDirectory() as folder:
        shop = Workshop(Path(folder))
        for name, text in {**AIDS, **files}.items():
            shop.write(f"demo/{name}", text.replace("\n", newline))
        result = shop.render(None, [{"title": "A & B", "blank": ""}])
    assert set(result.codes) <= {"svg/color"}, result.findings
    said = {(each.location.file, each.location.line) for each in result.findings if each.location}
    stands = {
        (f"templates/demo/{name}", len(BREAKS.findall(text, 0, found.start())) + 1)
        for name, text in files.items()
        for found in re.finditer(re.escape(FAULT), text)
    }
    return {(file, line or 0) for file, line in said}, stands


def a_side(files: dict[str, str], body: str) -> dict[str, str]:
    """The files with a body put in, and a drawing around them."""
    filled = {name: text.replace("@", body) for name, text in files.items()}
    outer = "part.svg" if filled["card.svg"].startswith("{% extends") else "card.svg"
    text = filled[outer].replace("¤", "{% block b %}{% endblock %}")
    return {**filled, outer: f"{HEAD}{text}\n</svg>\n"}


@given(st.sampled_from(FILES), AROUNDS, st.tuples(PARTS, PARTS), st.sampled_from(("\n", "\r\n", "\r")))
def test_a_fault_is_said_at_its_line(
    files: dict[str, str], arounds: list[tuple[str, str, str]], ends: tuple[str, str], newline: str
) -> None:
    said, stands = places(a_side(files, nested(arounds).join(ends)), newline)
    assert len(stands) == 1
    assert said == stands


@pytest.mark.long
@for_each("around", AROUND)
@for_each("files", FILES, ids=["here", "included", "imported", "extended"])
def test_each_of_them_alone(files: dict[str, str], around: str) -> None:
    said, stands = places(a_side(files, "<g/>\n" + around.replace("@", f"\n{FAULT}\n") + "\n<g/>"), "\n")
    assert said == stands


@for_each("aside", ASIDE)
def test_each_of_them_before_the_fault(aside: str) -> None:
    said, stands = places(a_side(FILES[0], f"{aside}{aside}{FAULT}{aside}"), "\n")
    assert said == stands


def test_what_a_value_says_is_wrong_where_it_is_printed() -> None:
    """An expression that prints a fault is at its own line, even right behind what another file drew."""
    kit = "{% macro dot() %}\n\n\n<g/>{% endmacro %}"
    body = "{% import './part.svg' as part %}\n{{ part.dot() }}{{ '<rect fill=\"nope\"/>'|safe }}"
    said, _ = places({"card.svg": f"{HEAD}\n{body}</svg>", "part.svg": kit}, "\n")
    assert said == {("templates/demo/card.svg", 3)}
    body = "{% macro dot() %}\n<rect fill='no'/>{% endmacro %}\n{{ dot()|replace('no', 'nope')|safe }}"
    said, _ = places({"card.svg": f"{HEAD}\n{body}</svg>"}, "\n")
    assert said == {("templates/demo/card.svg", 4)}


def test_what_is_too_much_to_be_kept_is_at_the_line_that_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_lines, "MOST_KEPT", 20)
    side = f"{HEAD}{{% macro m() %}}\n\n{FAULT}{{% endmacro %}}\n<g/>\n{{{{ m() }}}}\n</svg>"
    assert places({"card.svg": side}, "\n")[0] == {("templates/demo/card.svg", 5)}


def test_with_marks_that_take_too_much_it_is_at_the_template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "MARKING_BOUNDS", replace(templating.BOUNDS, characters=100))
    assert places({"card.svg": f"{HEAD}\n{FAULT}\n</svg>"}, "\n")[0] == {("templates/demo/card.svg", 1)}


@for_each("newline", ["\n", "\r\n", "\r"])
def test_what_a_text_says_itself_is_read_at_its_line(tmp_path: Path, newline: str) -> None:
    """A letter that the first text has from the template, and the second from the card."""
    shop = Workshop(tmp_path)
    text = f'<text x="9" y="20" {FONT}>@</text>'
    body = [HEAD, text.replace("@", "\U00013000"), text.replace("@", "{{ card.title }}"), "</svg>"]
    shop.write("demo/card.svg", newline.join(body))
    found = shop.render(None, [{"title": "\U00013000"}]).findings
    said = {(each.code, each.location.file, each.location.line) for each in found if each.location}
    assert said == {
        ("text/glyph", "templates/demo/card.svg", 2),
        ("text/glyph", "data/demo/cards.yaml", 10),
    }
