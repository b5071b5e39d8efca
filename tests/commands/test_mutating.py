"""Mistakes that `cardgen check --mutate` makes, and what it says of those that pass."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.check import mutating
from cardgen.core.findings import CardgenError, UsageError
from tests.for_each import for_each

Edit = Callable[[str, str, str], Path]


def made_in(folder: Path, count: int = 16, seed: int = 1) -> mutating.Tested:
    return mutating.mutate("demo", count, seed, project=cardgen.Project.open(folder))


def missed_by(found: mutating.Tested) -> set[str]:
    return {each.message.partition(": ")[0] for each in found.findings}


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_seed_makes_the_same_mistakes_and_writes_nothing(demo: Path) -> None:
    before = content(demo)
    once = made_in(demo)
    assert once == made_in(demo)
    assert once.findings != made_in(demo, seed=2).findings
    assert content(demo) == before
    assert once.made == 16
    assert 0 < once.caught < 16
    assert {each.code for each in once.findings} == {"mutation/missed"}
    assert {each.severity for each in once.findings} == {cardgen.Severity.NOTE}
    assert f"{once.caught} of 16 mistakes caught" in once.figures


def test_a_rule_that_reads_a_field_catches_its_mistakes(demo: Path, edit: Edit) -> None:
    everything = mutating.MOST
    before = made_in(demo, everything)
    assert "cards[].title" in missed_by(before)
    cards = cardgen.load("demo", project=cardgen.Project.open(demo)).component("cards").cards
    titles = "".join(f"      - {card.fields['title']!r}\n" for card in cards)
    rule = f"""rules:
  - id: the-deck
    question: Are these the cards?
    kind: exactly
    component: cards
    value: title
    are:
{titles}"""
    edit("data/demo/rules.yaml", "rules:\n", rule)
    after = made_in(demo, everything)
    assert "cards[].title" not in missed_by(after)
    assert after.made == before.made
    assert after.caught > before.caught


def test_each_field_gets_its_turn() -> None:
    place = cardgen.Location("data/demo/cards.yaml")
    mistakes = [
        mutating.Mistake(field, place, str(number), (), lambda: None)
        for field, count in (("a", 50), ("b", 2), ("c", 1))
        for number in range(count)
    ]
    chosen = mutating._chosen(mistakes, 7, random.Random(1))
    assert sorted(each.field for each in chosen[:3]) == ["a", "b", "c"]
    assert sorted(each.field for each in chosen) == [*"aaaabbc"]
    assert len(set(chosen)) == 7
    assert chosen == mutating._chosen(mistakes, 7, random.Random(1))


@pytest.mark.parametrize("count", [0, mutating.MOST + 1])
def test_counts_are_bounded(demo: Path, count: int) -> None:
    with pytest.raises(UsageError):
        made_in(demo, count)


def test_a_game_in_error_is_not_mutated(demo: Path, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "suit: leaf\n    value: 5", "suit: lea\n    value: 5")
    with pytest.raises(CardgenError) as caught:
        made_in(demo)
    assert {each.code for each in caught.value.findings} == {"schema/enum"}


def test_a_game_whose_rules_fail_is_not_mutated(demo: Path) -> None:
    (demo / "data/demo/rules.yaml").write_text(
        "rules:\n  - {id: size, question: Ten?, kind: count, component: cards, min: 10}\n", encoding="utf-8"
    )
    with pytest.raises(CardgenError) as caught:
        made_in(demo)
    assert [each.code for each in caught.value.findings] == ["rule/size"]


def test_tables_are_not_changed_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text("id,title,cost\na,Ant,1\nb,Bee,2\n", encoding="utf-8")
    cardgen.new_from_table("demo", tmp_path, str(tmp_path / "deck.csv"))
    found = made_in(tmp_path / "demo", 400)
    assert found.made < 400
    assert f"no more than {found.made}" in found.figures
    assert found.figures.endswith("spreadsheets were not changed")


@for_each(
    ("value", "others"),
    [
        (True, []),
        (0, []),
        (7, []),
        (2.5, []),
        ("sun", ["sun", "moon"]),
        ("Draw 3 cards.", []),
        ([1, 2], []),
    ],
)
def test_a_mistake_changes_the_value_in_its_kind(value: Any, others: list[Any]) -> None:
    for seed in range(20):
        new, change = mutating._changed(value, others, random.Random(seed))
        assert change
        assert new != value
        assert type(new) is type(value)


@for_each("value", ["", "…", "#ff8800", "{{ design.hand }}", [1], [1, 1]])
def test_values_without_a_likely_mistake_stay(value: Any) -> None:
    assert mutating._changed(value, [value], random.Random(1))[1] == ""


def test_code_in_a_text_stays() -> None:
    text = "Take {{ 12 + market.number }} cards :sword: and [read](page-12.md#there) `code 7`."
    for seed in range(60):
        new, change = mutating._slip(text, random.Random(seed))
        assert change
        for part in ("{{ 12 + market.number }}", ":sword:", "(page-12.md#there)", "`code 7`"):
            assert part in new


def test_the_command_prints_the_score(demo: Path, run: Any, edit: Edit) -> None:
    code, out, _ = run("check", "demo", "--mutate", "8")
    assert code == 0
    assert "of 8 mistakes caught" in out
    assert "mutation/missed" in out
    code, _, err = run("check", "demo", "--mutate", "--rule", "titles")
    assert code == 2
    assert "--mutate" in err
