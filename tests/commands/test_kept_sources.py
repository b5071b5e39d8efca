"""Templates run only for sides whose variables changed, and then the sides are those of a clean build."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.art.sources import KeptSource, SideKeys, SourceStore
from cardgen.art.templates import Templates
from cardgen.commands.production.books import kept_sources
from cardgen.core.game import Game
from cardgen.files.cache import KEPT_GENERATIONS as KEEP
from cardgen.files.cache import RACY_NS, Cache, Kept
from tests.shipped import shipped

Edit = Callable[[str, str, str], Path]
Run = Callable[..., tuple[int, str, str]]
Settle = Callable[[Path], None]

TEMPLATE = "templates/demo/card.svg"
CARDS = "data/demo/cards.yaml"
FIRST = "  - id: first\n    title: First\n    suit: moon\n    value: 3\n    text: New.\n"
SEEN = (
    '<text x="6" y="60" font-family="IBM Plex Sans" font-size="2.5">{{ number }} of {{ component.count }}, '
    "{{ copies }} {{ text_width('abc', 4, 'IBM Plex Sans')|round(2) }} {{ game.title }}</text></svg>"
)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were run."""
    names: list[str] = []
    render = Templates._render

    def noted(self: Templates, env: Any, name: str, variables: Any) -> str:
        names.append(name)
        return render(self, env, name, variables)

    monkeypatch.setattr(Templates, "_render", noted)
    return names


def pdf(folder: Path) -> str:
    return hashlib.sha256((folder / "demo/poker.pdf").read_bytes()).hexdigest()


def test_only_what_changed_is_rendered(demo: Path, edit: Edit, run: Run, rendered: list[str]) -> None:
    assert run("build", "demo")[0] == 0
    every = len(rendered)
    rendered.clear()
    edit(CARDS, "title: Early Bird", "title: Earlier Bird")
    assert run("build", "demo")[0] == 0
    assert rendered == ["demo/card.svg"]
    assert every > 3
    changed = pdf(demo / "output")
    rendered.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo", "--output", str(demo / "clean"))[0] == 0
    assert len(rendered) == every
    assert pdf(demo / "clean") == changed


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (CARDS, "  - id: early-bird\n", f"{FIRST}  - id: early-bird\n"),
        ("templates/demo/part.svg", "Old", "New"),
    ],
)
def test_whatever_a_template_sees_makes_it_run(
    file: str, old: str, new: str, demo: Path, edit: Edit, settle: Settle, run: Run, tmp_path: Path
) -> None:
    part = '<text x="6" y="70" font-family="IBM Plex Sans" font-size="4">Old</text>'
    (demo / "templates/demo/part.svg").write_text(part, "utf-8")
    edit(TEMPLATE, "</svg>", "{% include './part.svg' %}" + SEEN)
    settle(demo)
    before = run("build", "demo")
    assert before[0] == 0, before[2]
    was = pdf(demo / "output")
    edit(file, old, new)
    assert run("build", "demo")[0] == 0
    now = pdf(demo / "output")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(tmp_path / "no-cache"))
        assert run("build", "demo", "--output", str(tmp_path / "clean"))[0] == 0
    assert pdf(tmp_path / "clean") == now != was


def test_a_template_that_gave_up_is_not_run_for_kept_sides(demo: Path, edit: Edit, run: Run) -> None:
    loop = "{% if card.title == 'Endless' %}{% for i in range(99999) %}{% for j in range(9) %}{{ j }}"
    edit(TEMPLATE, "</svg>", loop + "{% endfor %}{% endfor %}{% endif %}</svg>")
    assert run("build", "demo")[0] == 0
    edit(CARDS, "title: Early Bird", "title: Endless")
    told = run("build", "demo")
    assert told[0] == 1
    assert "template/budget" in told[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo") == told


class TestKeys:
    @pytest.fixture
    def game(self) -> Game:
        return shipped("mindnet")

    def test_each_variable_counts(self, game: Game) -> None:
        keys = SideKeys(game, {"theme": {"a": 1}, "low_ink": False})
        own = ("a.svg", "face", {"id": "x", "n": 1}, 1, 1, 63.0, 88.0)
        first = keys.of("c", {"count": 2}, own)
        assert first == SideKeys(game, {"theme": {"a": 1}, "low_ink": False}).of("c", {"count": 2}, own)
        others = [
            ("b.svg", *own[1:]),
            ("a.svg", "back", *own[2:]),
            (*own[:2], {"id": "y", "n": 1}, *own[3:]),
            (*own[:3], 2, *own[4:]),
            (*own[:4], 2, *own[5:]),
            (*own[:5], 62.0, 88.0),
        ]
        made = {first, *(keys.of("c", {"count": 2}, other) for other in others)}
        made.add(keys.of("d", {"count": 3}, own))
        made.add(SideKeys(game, {"theme": {"a": 2}, "low_ink": False}).of("c", {"count": 2}, own))
        made.add(SideKeys(game, {"theme": {"a": 1}, "low_ink": True}).of("c", {"count": 2}, own))
        for changed in (
            replace(game, fonts=(("A", "B"),)),
            replace(game, fallback=("A",)),
            replace(game, language="xx"),
            replace(game, effects=None),
        ):
            made.add(SideKeys(changed, {"theme": {"a": 1}, "low_ink": False}).of("c", {"count": 2}, own))
        assert None not in made
        assert len(made) == 1 + len(others) + 3 + 4

    def test_a_variable_that_a_template_does_not_mention_does_not_count(self, game: Game) -> None:
        def key(mentioned: frozenset[str] | None, **tables: int) -> str | None:
            return SideKeys(game, {"theme": {"a": 1}, "tables": tables}).of("c", {}, ("a",), mentioned)

        some = frozenset(("theme", "card"))
        assert key(some, a=1) == key(some, a=2) != key(frozenset(("card",)), a=1)
        for may_see in (None, some | {"tables"}):
            assert None is not key(may_see, a=1) != key(may_see, a=2)

    def test_values_that_print_otherwise_are_others(self, game: Game) -> None:
        keys = SideKeys(game, {})
        values: list[Any] = [1, 1.0, True, "1", None, "", [1], [[1]], (1,), {"1": 1}, {1: 1}, 0.1, 1e-17]
        values += [
            0.0,
            -0.0,
            0.1 + 2e-17,
            "a\0b",
            ["a", "b"],
            ["ab"],
            {"a": 1, "b": 2},
            {"b": 2, "a": 1},
        ]
        made = [keys.of("c", {}, (value,)) for value in values]
        assert None not in made
        assert len({*made}) == len({repr(value) for value in values})

    def test_equal_data_have_one_key_whatever_they_share(self, game: Game) -> None:
        keys, shared, name = SideKeys(game, {}), ["a"], "".join(["na", "me"])
        assert keys.of("c", {}, ([shared, shared], name)) == keys.of("c", {}, ([["a"], ["a"]], "name"))

    def test_what_is_not_plain_is_not_kept(self, game: Game) -> None:
        class Text(str):
            pass

        keys = SideKeys(game, {})
        assert keys.of("c", {}, ({"a": Text("b")},)) is None
        assert keys.of("c", {}, (object(),)) is None
        assert SideKeys(game, {"a": object()}).of("c", {}, ("a",)) is None
        around: list[Any] = []
        around.append(around)
        assert keys.of("c", {}, (around,)) is None


class TestStore:
    def test_kept_until_long_unused(self, tmp_path: Path) -> None:
        cache = Cache("sources", folder=tmp_path)
        side = KeptSource(b"0123456789abcdef", True)

        def opened(made_with: str | None = "x") -> SourceStore:
            return SourceStore(Kept(cache, "game", lambda: made_with))

        store = opened()
        store.put("one", side)
        store.put(None, side)
        store.save()
        assert opened().get("one") == side
        assert opened().get(None) is opened().get("two") is None
        assert opened("y").get("one") is None
        assert opened(None).get("one") is None
        for number in range(KEEP):
            assert opened().get("one") == side
            store = opened()
            store.put(f"more {number}", side)
            store.save()
        assert opened().get("one") is None

    def test_what_was_closed_is_kept_and_takes_no_more(self, tmp_path: Path) -> None:
        cache = Cache("sources", folder=tmp_path)
        kept = Kept(cache, "game", lambda: "x")
        kept.put("one", 1)
        kept.close()
        assert kept.get("one") is None
        kept.put("two", 2)
        kept.save()
        assert dict(Kept(cache, "game", lambda: "x").items()) == {"one": 1}

    def test_what_is_used_stays_whatever_comes(self, tmp_path: Path) -> None:
        cache = Cache("sources", folder=tmp_path)
        kept = Kept(cache, "game", lambda: "x")
        kept.put("one", 1)
        kept.save()
        for number in range(3 * KEEP):
            others = Kept(cache, "game", lambda: "x")
            others.put(f"more {number}", [number])
            others.save()
            user = Kept(cache, "game", lambda: "x")
            assert user.get("one") == 1
            user.save()
        assert dict(user.items()).keys() < {"one", *(f"more {number}" for number in range(3 * KEEP))}

    def test_many_languages_forget_nothing_of_each_other(self, demo: Path, settle: Settle) -> None:
        settle(demo)
        time.sleep(2 * RACY_NS / 1e9)
        game = cardgen.load("demo", project=cardgen.Project.open(demo))
        languages = [replace(game, language=f"{number:x}{number:x}") for number in range(KEEP + 2)]
        for each in languages:
            store = kept_sources(each)
            store.put(each.language, KeptSource(b"0123456789abcdef", False))
            store.save()
        assert all(kept_sources(each).get(each.language) for each in languages)

    def test_nothing_is_kept_of_files_that_may_change(self, demo: Path, settle: Settle) -> None:
        settle(demo)
        game = cardgen.load("demo", project=cardgen.Project.open(demo))
        (demo / TEMPLATE).write_text((demo / TEMPLATE).read_text("utf-8"), "utf-8")
        store = kept_sources(game)
        store.put("one", KeptSource(b"0123456789abcdef", False))
        store.save()
        assert kept_sources(game).get("one") is None


@pytest.mark.parametrize(
    ("template", "again"),
    [
        ("{{ game.title }}", ["demo/card.svg"]),  # that of the card alone: its own words
        ('{% include "./part.svg" %}', None),
        ('{% from "./macro.svg" import said with context %}{{ said() }}', None),
    ],
)
def test_a_table_counts_where_it_is_mentioned(
    template: str,
    again: list[str] | None,
    demo: Path,
    edit: Edit,
    run: Run,
    rendered: list[str],
    settle: Settle,
) -> None:
    said = "{{ tables.cards.cards[0].title }}"
    (demo / "templates/demo/part.svg").write_text(said, "utf-8")
    (demo / "templates/demo/macro.svg").write_text(f"{{% macro said() %}}{said}{{% endmacro %}}", "utf-8")
    text = '<text x="6" y="60" font-family="IBM Plex Sans" font-size="2.5">'
    edit(TEMPLATE, "</svg>", f"{text}{template}</text></svg>")
    edit("data/demo/game.yaml", "sheets:", "tables: [cards.yaml]\n\nsheets:")
    settle(demo)
    assert run("build", "demo")[0] == 0
    rendered.clear()
    edit(CARDS, "title: Early Bird", "title: Earlier Bird")
    assert run("build", "demo")[0] == 0
    assert rendered == (again or ["demo/card.svg"] * 6)
    changed = pdf(demo / "output")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo", "--output", str(demo / "clean"))[0] == 0
    assert pdf(demo / "clean") == changed
