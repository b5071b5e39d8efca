"""Templates: what they see, what they may do, and what is said when they go wrong."""

from __future__ import annotations

import pytest

from cardgen.art.template_lines import Marks
from cardgen.art.templating import MAX_STEPS, TemplateEnvironment
from cardgen.core.findings import Severity
from tests.art.support import FONT, HEAD, Result, Workshop
from tests.for_each import for_each
from tests.wording import Wording

LINE = f'<text x="9" y="20" {FONT}>'


def say(shop: Workshop, expression: str, **fields: object) -> str:
    """What a template prints for an expression."""
    result = shop.render(f"{LINE}{{{{ {expression} }}}}</text>", [fields])
    assert result.findings == []
    return result.words()


@for_each(
    ("expression", "printed"),
    [
        ("card.title", "Zip"),
        ("card['title']", "Zip"),
        ("card.get('absent', 'no')", "no"),
        ("card.absent is defined", "False"),
        ("card.items", "7"),
        ("card.part.deep", "x"),
        ("game.title ~ ' ' ~ game.version", "Demo 1.2"),
        ("game.players.max", "4"),
        ("component.title ~ component.count", "Cards1"),
        ("component.variables.tint", "#abcdef"),
        ("theme.ink", "#112233"),
        ("tables.actions.cut", "3"),
        ("side", "face"),
        ("width ~ ' ' ~ height", "66 86"),
        ("trim.x ~ ' ' ~ trim.width", "3 60"),
        ("bleed + safe", "6"),
        ("low_ink", "False"),
        ("number ~ '/' ~ copies", "1/1"),
        ("0.1 + 0.2", "0.3"),
        ("8|pt", "2.8222"),
        ("2.5004|f", "2.5"),
        ("1.2345|f(1)", "1.2"),
        ("'#000000'|mix('#ffffff', 0.5)", "#808080"),
        ("'%02d-%04X'|format(7, 255)", "07-00FF"),
        ("[1, 2, 3]|join(', ')", "1, 2, 3"),
        ("'a-b'|replace('-', '+')", "a+b"),
        ("[1, 2, 3]|batch(2)|list|length", "2"),
        ("sqrt(9) + floor(2.7)", "5"),
        ("rng('a').random() == rng('a').random()", "True"),
        ("text_width('AV', 10, 'IBM Plex Sans') > 5", "True"),
    ],
)
def test_expressions(shop: Workshop, expression: str, printed: str) -> None:
    assert say(shop, expression, title="Zip", items=7, part={"deep": "x"}) == printed


def test_functions_in_loops_and_blocks(shop: Workshop) -> None:
    loop = "{% for i in range(2) %}{% set x = i %}{{ cos(0)|f }}{{ polar(0, 0, x, 0)[0] }}{% endfor %}"
    body = f"{LINE}{loop}{{% block b %}}{{% set y = 4 %}}{{{{ sqrt(y) }}}}{{% endblock %}}</text>"
    result = shop.render(body)
    assert (result.findings, result.words()) == ([], "10112")


def test_low_ink_is_passed_on(shop: Workshop) -> None:
    body = f"{LINE}{{{{ 'pale' if low_ink else 'full' }}}}</text>"
    assert shop.render(body, low_ink=True).words() == "pale"
    assert shop.render(body).words() == "full"


def test_data_are_escaped(shop: Workshop) -> None:
    assert say(shop, "card.title", title="<x> & 'q'") == "<x> & 'q'"


def test_imports_and_includes_are_looked_up_below_templates(shop: Workshop) -> None:
    shop.write(
        "_shared/kit.svg", "{% macro word(x) %}" + LINE + "{{ x }}{{ pi|f(2) }}</text>{% endmacro %}"
    )
    shop.write("demo/part.svg", '<text x="9" y="30" ' + FONT + ">{{ card.id }}</text>")
    body = "{% import '_shared/kit.svg' as kit %}{{ kit.word('a') }}{% include './part.svg' %}"
    result = shop.render(body)
    assert (result.findings, result.words()) == ([], "a3.14\ncard-1")


# ---- what goes wrong


def only(result: Result) -> tuple[str, str | None, int | None, str, str]:
    assert len(result.findings) == 1, result.findings
    (finding,) = result.findings
    assert finding.severity is Severity.ERROR
    assert finding.location is not None
    return (
        finding.code,
        finding.location.file,
        finding.location.line,
        finding.message,
        finding.hint or "",
    )


@for_each(
    ("body", "code", "line"),
    [
        ("<g>\n{{ 1 + }}</g>", "template/syntax", 3),
        ("\n{% for %}", "template/syntax", 3),
        ("{{ card.titel }}", "template/undefined", 2),
        ("<g>\n\n{{ thema.ink }}</g>", "template/undefined", 4),
        ("{{ 8|ptt }}", "template/syntax", 2),
        ("{{ 'x'|pt }}", "template/value", 2),
        ("{{ none }}", "template/value", 2),
        ("{{ [1, 2] }}", "template/value", 2),
        ("{{ 1 / 0 }}", "template/error", 2),
        ("{{ 'nicht'|mix('red') }}", "template/value", 2),
        ("{{ 'x'|format(3) }}", "template/value", 2),
        ("{{ '%999999999d'|format(3) }}", "template/value", 2),
        ("{% include 'demo/part.svg' %}", "template/missing", 2),
        ("{% import '../outside.svg' as x %}", "template/missing", 2),
        ("{% include '/etc/passwd' %}", "template/missing", 2),
    ],
)
def test_mistakes_are_findings_at_their_line(
    shop: Workshop, body: str, code: str, line: int, wording: Wording
) -> None:
    result = shop.render(body, [{"title": "a"}])
    found = only(result)
    assert found[:3] == (code, "templates/demo/card.svg", line)
    wording(found[3])
    assert result.rendering.cards == ()


def test_a_mistake_in_a_macro_is_reported_in_its_file(shop: Workshop) -> None:
    shop.write("_shared/kit.svg", "{% macro word(x) %}\n{{ x.absent }}\n{% endmacro %}")
    found = only(shop.render("{% import '_shared/kit.svg' as kit %}\n{{ kit.word(card) }}"))
    assert found[:3] == ("template/undefined", "templates/_shared/kit.svg", 2)


def test_a_mistake_is_said_once_for_all_cards(shop: Workshop) -> None:
    found = only(shop.render("{{ card.titel }}", [{}, {}, {}]))
    assert found[3].endswith("(card 'card-1' and 2 more)")


def test_a_missing_template_stands_at_the_card(shop: Workshop, wording: Wording) -> None:
    shop.write("demo/cards.svg", HEAD + "</svg>")
    code, file, line, message, hint = only(shop.render())
    assert (code, file, line) == ("template/missing", "data/demo/cards.yaml", 10)
    wording(message, "demo/card.svg", "card-1")
    assert hint == "did you mean 'demo/cards.svg'?"


def test_a_template_that_is_no_text(shop: Workshop) -> None:
    shop.write("demo/card.svg", b"\xff\xfe\x00")
    assert "not UTF-16-LE" in only(shop.render())[3]
    shop.write("demo/card.svg", b"<svg>\xe4</svg>")
    assert "not UTF-8" in only(shop.render())[3]


def test_a_link_out_of_the_project_is_not_followed(
    shop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.svg"
    secret.write_text("secret")
    shop.write("demo/card.svg", "x")
    (shop.root / "templates/demo/link.svg").symlink_to(secret)
    assert only(shop.render("{% include 'demo/link.svg' %}"))[0] == "file/outside"


DOUBLING = (
    "{%% set ns = namespace(s=%s) %%}{%% for i in range(60) %%}{%% set ns.s = %s %%}{%% endfor %%}"
    "{{ ns.s }}"
)


@for_each(
    "body",
    [
        "{% for i in range(1000000000) %}x{% endfor %}",
        "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}",
        "{{ 'x' * 1000000000 }}",
        "{{ 1000000000 * 'x' }}",
        "{{ [0] * 1000000000 }}",
        "{{ 2 ** 100000 }}",
        "{{ 10 ** 9 ** 9 ** 9 ** 9 }}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include 'demo/card.svg' %}{% include 'demo/card.svg' %}",
        DOUBLING % ("'x'", "ns.s ~ ns.s"),
        DOUBLING % ("'x'", "ns.s + ns.s"),
        DOUBLING % ("[1]", "ns.s + ns.s"),
        DOUBLING % ("3", "ns.s * ns.s"),
        "{% set s = 'x' * 100000 %}{% set t = s|replace('x', s) %}{{ t }}",
        "{% set s = ['x'] * 9000 %}{{ s|join('y' * 9000) }}",
        "{% macro m() %}{% for i in range(90000) %}{{ 'x' * 99 }}{% endfor %}{% endmacro %}{{ m() }}",
        "{% for i in range(30000) %}" + "x" * 99 + "{% endfor %}",
        "{{ hexgrid(0, 0, 1000, 1000, 0.0001)|length }}",
        "{{ polygon(0, 0, 1, 1000000000)|length }}",
    ],
)
def test_runaway_templates_stop(shop: Workshop, body: str) -> None:
    assert only(shop.render(body))[0] in ("template/budget", "template/recursion")


def test_the_budget_is_for_each_side_anew(shop: Workshop) -> None:
    rounds = MAX_STEPS // 3
    body = f"{{% for i in range({min(rounds, 90000)}) %}}{{% endfor %}}{{{{ card.id|length * 0 }}}}"
    result = shop.render("<!--" + body + "-->", [{}, {}, {}, {}])
    assert result.findings == []


@for_each(
    "body",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ card.__class__ }}",
        "{{ rng.__init__.__globals__ }}",
        "{{ ''.format.__globals__ }}",
        "{{ '{0.__class__}'.format(1) }}",
        "{{ cycler }}",
        "{{ lipsum() }}",
        "{{ [1]|random }}",
        "{{ self._TemplateReference__context }}",
        "{{ theme.update({'ink': 'x'}) }}",
        "{{ card.clear() }}",
        "{{ 'x'.ljust(1000000000) }}",
    ],
)
def test_the_sandbox_holds(shop: Workshop, body: str) -> None:
    code = only(shop.render(body))[0]
    assert code.startswith("template/")


# ---- from output back to lines


def test_marks_come_out_again() -> None:
    marks = Marks()
    lines = marks.places("ab" + marks.every_line("cd\nef", "x.svg", 7) + "\ue0a077\ue0a1")
    # abcd / ef
    assert [lines.place(offset) for offset in (1, 2, 3, 5)] == [
        None,
        ("x.svg", 7),
        ("x.svg", 7),
        ("x.svg", 8),
    ]


def test_lines_count_after_loops_macros_and_wide_letters(shop: Workshop) -> None:
    shop.write("_shared/kit.svg", '{% macro dot(x) %}\n<!-- ö -->\n<circle r="{{ x }}mm"/>{% endmacro %}')
    body = (
        "{% import '_shared/kit.svg' as kit %}\n"
        "{% for i in range(5) %}\n<!-- äöü {{ i }} -->\n{% endfor %}\n"
        "{{ kit.dot(3) }}\n"
        '<rect fill="nope"/>'
    )
    places = {
        finding.code: (finding.location.file, finding.location.line)
        for finding in shop.render(body).findings
        if finding.location
    }
    assert places == {
        "svg/unit": ("templates/_shared/kit.svg", 3),
        "svg/color": ("templates/demo/card.svg", 7),
    }


# ---- sides


def test_alike_backs_are_rendered_once(shop: Workshop) -> None:
    shop.write("demo/back.svg", HEAD + '<rect width="66" height="86" fill="{{ theme.ink }}"/></svg>')
    result = shop.render(f"{LINE}{{{{ card.id }}}}</text>", [{}, {}, {}], back="demo/back.svg")
    cards = result.rendering.cards
    assert len({card.face for card in cards}) == 3
    assert len({card.back for card in cards}) == 1
    assert len(result.rendering.artworks) == 4


def test_a_back_may_differ_through_an_include(shop: Workshop) -> None:
    shop.write("demo/name.svg", f"{LINE}{{{{ card.id }}}}</text>")
    shop.write("demo/back.svg", HEAD + "{% include 'demo/name.svg' %}</svg>")
    result = shop.render("<rect/>", [{}, {}], back="demo/back.svg")
    assert len({card.back for card in result.rendering.cards}) == 2


def test_rendering_twice_gives_the_same(shop: Workshop) -> None:
    body = (
        "{% set dice = rng(card.id) %}<g>{% for i in range(9) %}"
        '<circle cx="{{ dice.uniform(9, 50) }}" cy="{{ dice.uniform(9, 70) }}" r="2"/>{% endfor %}</g>'
        f"{LINE}Text</text>"
    )
    first, second = (shop.render(body, [{}, {}]).rendering for _ in range(2))
    assert first == second
    assert len({card.face for card in first.cards}) == 2


def test_a_template_that_takes_too_much_is_tried_once(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred cards with a template that runs away are one finding, after one try."""
    tried = []
    begin = TemplateEnvironment.begin
    monkeypatch.setattr(TemplateEnvironment, "begin", lambda self: (tried.append(1), begin(self))[1])
    found = only(
        shop.render("{% for i in range(99999) %}{{ i }}{{ i }}{{ i }}{{ card.id }}{% endfor %}", [{}] * 100)
    )
    assert found[0] == "template/budget"
    assert found[3].endswith("(card 'card-1' and 99 more)")
    assert len(tried) <= 3
