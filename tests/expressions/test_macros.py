"""Reused results of macros change neither the output, nor what it takes, nor what is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.art.templates import Readings
from cardgen.art.templating import TemplateEnvironment
from cardgen.expressions import macros
from cardgen.expressions.macros import MacroResults
from cardgen.files.listing import ProjectFolders
from tests.for_each import for_each

SHARED = """\
{% import 'more.svg' as more %}{% set unit = 2 %}{% set chance = rng('x') %}
{% macro dots(n, fill='red') %}
{% for i in range(n) %}<c x="{{ i * unit }}" f="{{ fill }}"/>{% endfor %}{% endmacro %}
{% macro both(n) %}{{ dots(n) }}{{ more.line(n) }}{% endmacro %}
{% macro lucky(n) %}{{ chance.randint(0, 1000) }}{{ dots(n) }}{% endmacro %}
{% macro even(n) %}{% if n > 0 %}e{{ odd(n - 1) }}{% endif %}{% endmacro %}
{% macro odd(n) %}{% if n > 0 %}o{{ even(n - 1) }}{% endif %}{% endmacro %}
{% macro own(key) %}{% set r = rng(key) %}
{% for i in range(20) %}{{ r.randint(0, 99) }} {% endfor %}{% endmacro %}
{% macro deep(n) %}[{{ deep(n - 1) if n }}]{% endmacro %}
{% macro around(n) %}{{ around(n - 1) if n else deep(60) }}{% endmacro %}
{% macro framed(n) %}<g>{% for i in range(n) %}{{ caller(i) }}{% endfor %}</g>{% endmacro %}
{% macro late(n) %}{% import 'more.svg' as again %}{{ again.line(n) }}{% endmacro %}
"""
MORE = "{% macro line(n) %}{% for i in range(n) %}<l y='{{ i }}'/>{% endfor %}{% endmacro %}"
USES = [
    "{{ s.dots(card.n) }}{{ s.dots(card.n, fill=card.hue) }}",
    "{{ s.dots(n=30) }}{{ s.both(card.n) }}{{ s.both(30) }}",
    "{{ s.lucky(9) }}{{ s.lucky(9) }}",
    "{{ s.even(card.n) }}{{ s.odd(card.n * 2) }}",
    "{{ s.own(card.hue) }}{{ s.own('fix') }}",
    "{% call(i) s.framed(card.n) %}{{ card.hue }}{{ i }}{% endcall %}",
    "{% call(i) s.framed(9) %}{{ i }}{% endcall %}",
    "{{ s.late(card.n) }}{{ s.late(card.n) }}",
    "{% macro here(n) %}{{ card.hue }}{{ s.dots(n) }}{% endmacro %}{{ here(3) }}{{ here(card.n) }}",
    "{% macro here(n) %}{{ low_ink }}{{ side }}{{ n }}{% endmacro %}"
    "{{ here(1) }}{{ here(1.0) }}{{ here(true) }}",
    "{% macro here(x) %}[{{ x }}]{% endmacro %}"
    "{{ here(0.0) }}{{ here(-0.0) }}{{ here('<b>') }}{{ here('<b>'|safe) }}",
    "{% set k = 1 %}{% macro here() %}{{ k }}{% endmacro %}{{ here() }}{% set k = 2 %}{{ here() }}",
    "{% macro here(t) %}{{ t.hand }}{{ tables.setup.hand }}{% endmacro %}"
    "{{ here(tables.setup) }}{{ here({'hand': 1}) }}",
    "{% macro here(n) %}{{ tables.setup.hand + n }}{% endmacro %}{{ here(1) }}{{ here(1) }}",
    "{% set ns = namespace(k=0) %}{% macro up() %}{% set ns.k = ns.k + 1 %}{{ ns.k }}{% endmacro %}"
    "{{ up() }}{{ up() }}",
    "{% macro here(f, n) %}{{ f(n) }}{% endmacro %}{{ here(s.dots, card.n) }}{{ here(s.even, card.n) }}",
    "{% macro here(m, n) %}{{ m.dots(n) }}{% endmacro %}{{ here(s, card.n) }}",
    "{% macro here() %}{{ missing_one is defined }}{{ kwargs|length }}{{ varargs|length }}{% endmacro %}"
    "{{ here(1, 2) }}{{ here(a=1) }}{{ here() }}",
    "{% macro here(p) %}{{ p.hues.a }}{{ p.list|join }}{% endmacro %}"
    "{{ here(theme) }}{{ here(card.theme) }}",
    "{% for i in range(3) %}{% macro here() %}{{ i }}{{ loop is defined }}{% endmacro %}"
    "{{ here() }}{% endfor %}",
    "{% macro here(n) %}{% include 'part.svg' %}{{ n }}{% endmacro %}{{ here(1) }}",
    "{% macro deep(n) %}{{ deep(n - 1) if n }}{% endmacro %}{{ deep(card.n * 12) }}",
    "{% macro long(n) %}{% for i in range(n) %}{{ s.dots(100) }}{% endfor %}{% endmacro %}"
    "{{ long(card.n * 70) }}",
]
CARDS = st.fixed_dictionaries(
    {
        "n": st.sampled_from([0, 1, 2, 3, 8, 20]),
        "hue": st.sampled_from(["red", "blue"]),
        "theme": st.just({"hues": {"a": 1}, "list": [1, 2]}),
    }
)
SIDES = st.lists(st.tuples(st.sampled_from(range(len(USES))), CARDS, st.booleans()), min_size=2, max_size=8)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> ProjectFolders:
    root = tmp_path_factory.mktemp("macros")
    (root / "templates").mkdir()
    parts = {"shared.svg": SHARED, "more.svg": MORE, "part.svg": "{{ card.hue }}"}
    parts["levels.svg"] = "{% import 'shared.svg' as s %}{{ s.around(levels) }}"
    parts |= {f"{index}.svg": "{% import 'shared.svg' as s %}" + use for index, use in enumerate(USES)}
    for name, text in parts.items():
        (root / "templates" / name).write_text(text)
    return ProjectFolders((root,))


def _rendered(
    env: TemplateEnvironment, readings: Readings, name: str, variables: Mapping[str, Any]
) -> tuple[object, ...]:
    """What a template writes or fails with, the steps it takes, and what it reads of the tables."""
    env.begin()
    readings.begin()
    env.given, env.noted = readings.given, readings.count
    try:
        template = env.get_template(name)
        text = "".join(env.run(template, template.new_context({**env.globals, **variables}, shared=True)))
    except Exception as error:
        return type(error), str(error), readings.plain()
    return text, env.budget.taken, readings.plain()


def _readings(hand: int) -> Readings:
    game: Any = SimpleNamespace(effects=None, language="en", fonts=(), words=None, components=())
    game.tables = {"setup": {"hand": hand}}
    return Readings(game)


class Kept(dict[str, str]):
    """What outlives a process: plain JSON."""

    def get_value(self, key: str) -> Any:
        return json.loads(self.get(key, "null"))

    def put_value(self, key: str, value: Any) -> None:
        self[key] = json.dumps(value)


@given(sides=SIDES, hands=st.lists(st.sampled_from([1, 2]), min_size=8, max_size=8))
def test_macros_write_and_take_the_same(
    folders: ProjectFolders, sides: list[tuple[int, dict[str, Any], bool]], hands: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(macros, "_LEAST_STEPS", 0)
        patch.setattr(macros, "_LEAST_KEPT", 0)
        reusing = [TemplateEnvironment(folders), TemplateEnvironment(folders)]
        results, kept = MacroResults(), Kept()
        for env in reusing:
            env.results = results
        plain = TemplateEnvironment(folders)
        for place, (index, card, low_ink) in enumerate(sides):
            about = {"card": card, "low_ink": low_ink, "side": "face", "theme": card["theme"]}
            found = []
            later = TemplateEnvironment(folders)  # in another process
            later.results, later.kept = MacroResults(), kept
            for env in (reusing[place % 2], plain, later):
                readings = _readings(hands[place])
                found.append(_rendered(env, readings, f"{index}.svg", about | {"tables": readings.tables}))
            assert found[0] == found[1] == found[2], USES[index]


def _runs(
    folders: ProjectFolders, index: int, cards: list[dict[str, Any]], kept: Kept | None = None
) -> int:
    """Count the macros that run, of those that may be known again, for a template's cards."""
    runs = 0

    class Counting(TemplateEnvironment):
        def watch(self) -> Any:
            nonlocal runs
            runs += 1
            return super().watch()

    env = Counting(folders)
    env.results, env.kept = MacroResults(), kept
    readings = _readings(1)
    for card in cards:
        _rendered(env, readings, f"{index}.svg", {"card": card, "tables": readings.tables, "theme": {}})
    return runs


@pytest.mark.parametrize(
    ("index", "runs"),
    [
        (1, 7),  # both(20) with its two, both(30) with its own but dots(30), which is known, and dots(30)
        (2, 6),  # each dots(9), which is cheap; what draws on chance can't be known again
        (4, 3),
        (16, 1),  # dots(20): the module has chance, so what takes all of it can't be known again
    ],
)
def test_macros_run_once_for_what_they_read(folders: ProjectFolders, index: int, runs: int) -> None:
    cards = [{"n": 20, "hue": hue, "theme": {}, "id": hue} for hue in ("red", "blue", "red")]
    assert _runs(folders, index, cards) == runs


def test_another_process_runs_no_macro_whose_result_is_kept(
    folders: ProjectFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(macros, "_LEAST_KEPT", 100)
    card, kept = {"n": 200, "hue": "red", "theme": {}, "id": "red"}, Kept()
    assert _runs(folders, 0, [card], kept) == 2  # dots(200) in each of two colors
    assert len(kept) == 2
    assert _runs(folders, 0, [card], kept) == 0
    assert _runs(folders, 0, [card | {"hue": "blue"}], kept) == 1


def test_a_known_result_takes_as_many_levels_of_calls_as_its_run(
    folders: ProjectFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(macros, "_LEAST_STEPS", 0)
    reusing, plain = TemplateEnvironment(folders), TemplateEnvironment(folders)
    reusing.results = MacroResults()
    for levels in (0, 30, 38, 39, 50):
        found = [_rendered(env, _readings(1), "levels.svg", {"levels": levels}) for env in (reusing, plain)]
        assert found[0] == found[1], levels
    assert found[1][0] is RecursionError


@for_each("change", ["inside", "outside"])
def test_a_changed_template_changes_what_macros_of_others_write(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(macros, "_LEAST_STEPS", 0)
    folder = tmp_path / "templates"
    folder.mkdir()
    same = "{% from 'NEXT' import m as inner %}\n{% macro m(n) %}{{ inner(n) }}{% endmacro %}"
    importing = "\n{% macro m(n) %}{% from 'last.svg' import m as inner %}{{ inner(n) }}{% endmacro %}"
    second = importing if change == "inside" else same.replace("NEXT", "last.svg")
    (folder / "first.svg").write_text(same.replace("NEXT", "second.svg"))
    (folder / "second.svg").write_text(second)
    (folder / "use.svg").write_text("{% from 'first.svg' import m %}{{ m(1) }}")
    results = MacroResults()
    for word in ("old", "new"):
        (folder / "last.svg").write_text(f"{{% macro m(n) %}}{word}{{% endmacro %}}")
        env = TemplateEnvironment(ProjectFolders((tmp_path,)))
        env.results = results
        assert _rendered(env, _readings(1), "use.svg", {})[0] == word


def test_results_are_bounded(folders: ProjectFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macros, "MOST_CHARACTERS", 2_000)
    monkeypatch.setattr(macros, "MOST_VALUES", 50)
    env = TemplateEnvironment(folders)
    env.results = MacroResults()
    readings = _readings(1)
    for n in range(1, 120):
        card = {"n": n, "hue": f"hue {n}"}
        _rendered(env, readings, "0.svg", {"card": card, "tables": readings.tables})
        assert sum(len(each.text) for each in env.results._results.values()) <= 2_000
        assert len(env.results._numbers) <= 60
