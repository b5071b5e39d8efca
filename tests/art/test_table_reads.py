"""A template that read the same of the tables rendered the same."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cardgen.art.templates import Readings
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.game import Words
from cardgen.expressions.budget import in_words
from cardgen.files.listing import ProjectFolders
from tests.for_each import for_each

from .support import Workshop

TABLES: dict[str, Any] = {
    "cards": {
        "cards": [
            {"id": "axe", "title": "Axe", "cost": 3, "part": {"deep": 1, "side": 2}, "quip": "Hm."},
            {"id": "bow", "title": "Bow", "cost": 1, "tags": ["red", "quick"], "quip": "Ah."},
        ],
        "note": "none",
    },
    "setup": {"hand": 3, "rows": [[1, 2], [3, {"n": 4}]], "seats": {"one": {"x": 1}, "two": {"x": 2}}},
}
TEMPLATES = [
    "{{ tables.cards.cards[0].title }}",
    "{% set deck = tables.cards.cards %}{{ deck|length }}{{ deck[1].cost }}",
    "{% for row in tables.cards.cards %}{{ row.title }}{{ row.part.deep if row.part }}{% endfor %}",
    "{{ tables.cards.cards|sum(attribute='cost') }}{{ tables.cards.cards|map(attribute='id')|join }}",
    "{{ tables.cards.cards|selectattr('tags', 'defined')|map(attribute='title')|join }}",
    "{{ (tables.cards.cards|sort(attribute='cost')|first).title }}",
    "{% for cost, group in tables.cards.cards|groupby('cost') %}{{ cost }}{{ group[0].id }}{% endfor %}",
    "{% for name in tables.setup.seats %}{{ name }}{{ tables.setup.seats[name].x }}{% endfor %}",
    "{% for name, seat in tables.setup.seats.items() %}{{ name }}{{ seat.x }}{% endfor %}",
    "{{ tables.setup.seats.values()|map(attribute='x')|join }}{{ tables.setup.seats|length }}",
    "{{ tables.setup.rows[1][0] }}{{ tables.setup.rows|length }}",
    "{% for row in tables.setup.rows %}{{ row|length }}{% endfor %}",
    "{{ tables.setup.get('hand') }}{{ tables.setup.get('feet', 2) }}",
    "{{ 'feet' in tables.setup }}{{ tables.setup.feet is defined }}",
    "{{ tables.setup.seats.one == tables.setup.seats.two }}",
    "{{ tables.cards.cards[0] in tables.cards.cards[:1] }}",
    "{% set one = dict(tables.setup.seats.one, y=3) %}{{ one.x + one.y }}",
    "{% set ns = namespace(tables.setup.seats.one) %}{{ ns.x }}",
    "{% macro show(row) %}{{ row.title }}{% endmacro %}{{ show(tables.cards.cards[1]) }}",
    "{% macro show(x) %}{{ x }}{% endmacro %}{{ show(**tables.setup.seats.two) }}",
    "{{ tables.cards.cards[0]['ti' ~ 'tle'] }}",
    "{% if tables.cards.cards[0].part %}there{% endif %}{% if tables.setup.seats.one %}one{% endif %}",
    "{{ tables|length }}{% for name in tables %}{{ name }}{% endfor %}",
    "{{ (tables.cards.cards|last).quip if tables.setup.hand > 2 else tables.cards.note }}",
    "{{ tables.cards.cards[0].part.deep is sameas tables.cards.cards[0].part.side }}",
    "{{ tables.setup.seats|dictsort|length }}{{ tables.cards.cards[1].tags|join }}",
    "{{ tables.cards.cards[0].part is mapping }}{{ tables.cards.cards is iterable }}",
    "{{ 'nothing' }}",
]


def reads_of(tables: Any, **more: Any) -> Readings:
    game: Any = SimpleNamespace(
        **{"effects": None, "language": "en", "fonts": (), "words": None, "components": (), **more}
    )
    game.tables = tables
    return Readings(game)


def _edits() -> Iterator[dict[str, Any]]:
    def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if isinstance(value, (dict, list)):
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield (*path, key)
                yield from places(member, (*path, key))

    for path in places(TABLES, ()):
        for change in ("other", "gone", "mapping", "list", "null", "more", "turned"):
            edited = deepcopy(TABLES)
            holder: Any = edited
            for key in path[:-1]:
                holder = holder[key]
            value, key = holder[path[-1]], path[-1]
            if change == "other":
                holder[key] = value + 1 if isinstance(value, int) else f"{value}!"
            elif change == "gone":
                del holder[key]
            elif change in ("mapping", "list", "null"):
                holder[key] = {"mapping": {"x": 5}, "list": [{"x": 5}, 6], "null": None}[change]
            elif change == "more" and isinstance(value, list):
                value.append(deepcopy(value[0]))
            elif change == "more" and isinstance(value, dict):
                value["feet"] = 7
            elif change == "turned" and isinstance(value, list):
                value.reverse()
            elif change == "turned" and isinstance(value, dict):
                holder[key] = dict(reversed(value.items()))
            yield edited


@pytest.fixture(scope="module")
def env() -> TemplateEnvironment:
    return TemplateEnvironment(ProjectFolders(()))


def _rendered(env: TemplateEnvironment, template: Any, tables: Any) -> tuple[str, int]:
    env.begin()
    try:
        context = template.new_context({**env.globals, "tables": tables}, shared=True)
        text = "".join(env.run(template, context))
    except Exception as error:
        text = f"{type(error).__name__}: {in_words(error)}"
    return text, env.budget.taken


@pytest.mark.long
@for_each("source", TEMPLATES)
def test_what_is_read_tells_whether_it_renders_the_same(env: TemplateEnvironment, source: str) -> None:
    template = env.from_string(source)
    reading = reads_of(TABLES)
    before = _rendered(env, template, reading.tables)
    assert before == _rendered(env, template, TABLES)
    reading.begin()
    _rendered(env, template, reading.tables)
    reads = reading.plain()
    same = other = 0
    for tables in _edits():
        now = reads_of(tables)
        after = _rendered(env, template, tables)
        assert after == _rendered(env, template, now.tables)
        if now.digest(reads) == reading.digest(reads):
            same += 1
            assert after == before, tables
        else:
            other += 1
    assert same > 0
    assert other > 0 or "tables" not in source


def test_words_that_no_template_reads_change_nothing() -> None:
    reading = reads_of(TABLES)
    [row.title for row in map(_Row, reading.tables["cards"]["cards"])]
    reads = reading.plain()
    assert reads == [
        [["tables", "cards", "cards", 0], "title"],
        [["tables", "cards", "cards", 1], "title"],
        [["tables", "cards"], "cards"],
        [["tables"], "cards"],
    ]
    edited = deepcopy(TABLES)
    edited["cards"]["cards"][0]["quip"] = "Hmm."
    edited["setup"]["hand"] = 4
    assert reads_of(edited).digest(reads) == reading.digest(reads)


class _Row:
    def __init__(self, row: Any) -> None:
        self.title = row["title"]


def test_functions_read_what_they_ask_for() -> None:
    words = Words("de", "de.po", {"Draw": ("Zieh", 3), "Discard": ("Wirf ab", 5)}, True, 0, 0)
    reading = reads_of({}, words=words)
    assert reading.given["words"].words.get("Draw") == ("Zieh", 3)
    reads = reading.plain()
    assert reads == [[["given"], "words"], [["texts"], "Draw"]]

    def told(**more: Any) -> str:
        return reads_of({}, **{"words": words, **more}).digest(reads)

    other = {"Draw": ("Zieh", 9), "Discard": ("Ablegen", 5)}
    assert told(language="de", words=replace(words, words=other)) == told()
    assert told(words=replace(words, words={"Draw": ("Ziehe", 3)})) != told()
    assert told(words=replace(words, must=False)) != told()
    assert told(words=None) != told()


def test_numbers_of_cards_are_read_only_where_a_template_asks_for_them(shop: Workshop) -> None:
    def reads_in(body: str) -> list[Any]:
        game = shop.game([{"n": 1}, {"n": 2}])
        reading = Readings(game)
        (component,) = game.components
        about = {"id": component.id, "trim": {"width": 63.0}, "count": 2, "copies": 2}
        env = TemplateEnvironment(ProjectFolders(()))
        reading.begin()
        env.begin()
        variables = {**env.globals, "component": reading.component(component.id, about)}
        template = env.from_string(body)
        env.run(template, template.new_context(variables, shared=True))
        return [[place[0], key] for place, key in reading.plain()]

    assert reads_in("{{ component.id }}{{ component.trim.width }}") == []
    assert reads_in("{{ component.copies }}") == [["numbers", "copies"]]
    assert reads_in("{{ component|length }}") == [["numbers", None]]
