"""Mistakes that `cardgen check --mutate` makes, and what it says of those that pass."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.check import mistakes, mutating
from cardgen.core.findings import CardgenError, Findings, UsageError
from cardgen.files.table_sheets import Heading, Sheet
from cardgen.files.table_writing import write_sheets
from cardgen.game.number_words import NumberWords
from tests.for_each import for_each

ENGLISH = NumberWords({"two": (2, True), "three": (3, True), "four": (4, True)})
Edit = Callable[[str, str, str], Path]


def made_in(folder: Path, count: int = 16, seed: int = 1) -> mutating.Tested:
    return mutating.mutate("demo", count, seed, project=cardgen.Project.open(folder))


def missed_by(found: mutating.Tested) -> set[str]:
    """The fields of data, without the numbers of entries."""
    return {re.sub(r"\d+", "", each.location.path) for each in found.findings if each.location}


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


def judged(folder: Path, file: str, old: str, new: str, path: tuple[str | int, ...]) -> list[str] | None:
    """The codes of the findings of an edit, in the order of the steps; None if it changes nothing."""
    game = cardgen.load("demo", project=cardgen.Project.open(folder))
    name = f"data/demo/{file}"
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    mistake = mistakes.Mistake("", game.locator.locate(name, path), "", path, lambda: None)
    found = mutating._Court(game, Findings()).judge(mistake, text.replace(old, new))
    return None if found is None else [each.code for each in found]


def test_changed_cards_are_laid_out(demo: Path) -> None:
    long = "Very-long-" * 9
    codes = judged(demo, "cards.yaml", "title: Old Oak", f"title: {long}", ("cards", 0, "title"))
    assert codes == ["text/outside"]


@for_each(
    ("line", "file", "shown", "path"),
    [
        (
            "first: sun",
            "back.svg",
            ("icon('sun', width / 2 - 9, h", "icon(theme.first, width / 2 - 9, h"),
            (),
        ),
        ("leaf: sun", "card.svg", ("icon(card.suit, ", "icon(theme.icons[card.suit], "), ("icons",)),
    ],
)
def test_an_unknown_icon_of_the_theme_is_at_its_name(
    demo: Path, edit: Edit, line: str, file: str, shown: tuple[str, str], path: tuple[str, ...]
) -> None:
    """Cards that name the changed part of the theme are laid out too."""
    theme = f"icons: {{sun: sun, moon: moon, {line}}}" if path else line
    edit("data/demo/game.yaml", "  ink: '#1d2433'", f"  ink: '#1d2433'\n  {theme}")
    edit(f"templates/demo/{file}", *shown)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    path = ("theme", *path, line.partition(":")[0])
    place = game.locate(*path)
    mistake = mistakes.Mistake("", place, "", path, lambda: None)
    text = (demo / "data/demo/game.yaml").read_text(encoding="utf-8")
    (found,) = mutating._Court(game, Findings()).judge(mistake, text.replace(line, f"{line}n")) or ()
    assert (found.code, found.location) == ("icon/unknown", place)
    edit("data/demo/game.yaml", f"\n  {theme}", "")
    edit(f"templates/demo/{file}", *reversed(shown))


def test_a_finding_about_two_places_is_at_both() -> None:
    place = cardgen.Location("data/demo/cards.yaml", 7, 3, "cards[1].id")
    mistake = mistakes.Mistake("", place, "", ("cards", 1, "id"), lambda: None)
    other = cardgen.Location("data/demo/cards.yaml", 17, 3, "cards[3].id")
    for message, is_at in (("taken by the card in line 7", True), ("… in line 17", False)):
        finding = cardgen.Finding(cardgen.Severity.ERROR, "data/duplicate-id", message, other)
        assert mutating._is_at(finding, mistake) is is_at


def test_a_mistake_without_an_effect_does_not_count(demo: Path) -> None:
    assert judged(demo, "cards.yaml", "title: Old Oak", "title: 'Old Oak'", ("cards", 0, "title")) is None


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


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_cells_and_rows_of_tables_are_changed(tmp_path: Path, ending: str) -> None:
    (tmp_path / "deck.csv").write_text("id,title,cost\na,Ant,1\nb,Bee,2\n", encoding="utf-8")
    cardgen.new_from_table("demo", tmp_path, str(tmp_path / "deck.csv"))
    if ending == "xlsx":
        table = tmp_path / "demo/data/demo/deck.csv"
        headings = tuple(map(Heading, ("id", "title", "cost")))
        sheet = Sheet("deck", headings, (("a", "Ant", 1), ("b", "Bee", 2)))
        table.with_suffix(".xlsx").write_bytes(write_sheets([sheet], ".xlsx", "deck", Findings()))
        manifest = tmp_path / "demo/data/demo/game.yaml"
        manifest.write_text(manifest.read_text().replace("deck.csv", "deck.xlsx"))
    game = cardgen.load("demo", project=cardgen.Project.open(tmp_path / "demo"))
    made = [each for each in mistakes.mistakes_in(game, random.Random(1)) if f"deck.{ending}" in each.field]
    assert {each.field.partition(": ")[2] for each in made} == {
        "cards[].title",
        "cards[].cost",
        "cards[].id",
        "cards[]",
    }
    for each in made:
        content = each.make()
        assert content
        assert content != game.paths.find(each.place.file).read_bytes()


def test_numbers_of_translations_are_changed_and_judged(german: Path, edit: Edit) -> None:
    edit("data/demo/cards.yaml", "title: Old Oak", "title: 3 Oaks")
    file = german / "data/demo/de/texts.po"
    text = file.read_text(encoding="utf-8")
    assert text.count('msgid "Old Oak"\nmsgstr ""') == 1
    file.write_text(
        text.replace('msgid "Old Oak"\nmsgstr ""', 'msgid "3 Oaks"\nmsgstr "3"'), encoding="utf-8"
    )
    edit("data/demo/game.yaml", "{de: {}}", "{de: {missing: source}}")
    game = cardgen.load("demo", project=cardgen.Project.open(german))
    (wrong,) = (
        each for each in mistakes.mistakes_in(game, random.Random(1)) if each.place.file.endswith(".po")
    )
    assert wrong.field == "data/demo/de/texts.po: cards.yaml: cards … title"
    court = mutating._Court(game, Findings())
    (found,) = court.judge(wrong, wrong.make() or "") or ()
    assert found.code == "text/translation-number"
    assert mutating._is_at(found, wrong)


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
        new, change = mistakes._changed(value, others, random.Random(seed), ENGLISH)
        assert change
        assert new != value
        assert type(new) is type(value)


@for_each("value", ["", "…", "#ff8800", "{{ design.hand }}", [1], [1, 1]])
def test_values_without_a_likely_mistake_stay(value: Any) -> None:
    assert mistakes._changed(value, [value], random.Random(1), ENGLISH)[1] == ""


def test_number_words_become_others() -> None:
    changes = {mistakes._slip("Three", random.Random(seed), ENGLISH)[0] for seed in range(40)}
    assert {"Two", "Four"} <= changes


def test_code_in_a_text_stays() -> None:
    text = "Take {{ 12 + market.number }} cards :sword: and [read](page-12.md#there) `code 7`."
    for seed in range(60):
        new, change = mistakes._slip(text, random.Random(seed), ENGLISH)
        assert change
        for part in ("{{ 12 + market.number }}", ":sword:", "(page-12.md#there)", "`code 7`"):
            assert part in new


def test_the_command_prints_the_score(demo: Path, run: Any, edit: Edit) -> None:
    code, out, _ = run("check", "demo", "--mutate", "8")
    assert code == 0
    assert "of 8 mistakes caught" in out
    assert "mutation/missed" in out
    code, out, _ = run("report", "demo", "--mutate", "8", "--format", "json")
    (result,) = (each for each in json.loads(out)["rules"] if each["id"] == "mistakes-noticed")
    assert [each["name"] for each in result["measures"]] == [
        "mistakes",
        "noticed",
        "noticed at the changed entry",
    ]
    code, _, err = run("check", "demo", "--seed", "2")
    assert (code, "--mutate --seed 2" in err) == (2, True)
    code, _, err = run("check", "demo", "--mutate", "--rule", "titles")
    assert code == 2
    assert "--mutate" in err
