"""`cardgen suggest`: what to change in cards so that a rule holds."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check import suggest
from cardgen.commands.check import suggest as card_values
from cardgen.rules import suggesting
from tests.for_each import for_each
from tests.sampling import one_in
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

CARDS = "data/demo/cards.yaml"
RULES = """\
rules:
  - {id: deck-size, question: Are there ten cards?, kind: count, component: cards, equals: 10}
  - {id: suns, question: Four suns?, kind: count, component: cards, where: suit == 'sun', equals: 4}
  - id: values
    question: Is the mean value low?
    kind: distribution
    component: cards
    counting: cards
    value: value
    mean: {max: 2}
  - id: cheap
    question: Is each owl and each oak worth 3?
    kind: each
    component: cards
    where: title in ['Night Owl', 'Old Oak']
    holds: value == 3
  - id: rare
    question: Is there a fourth suit?
    kind: count
    component: cards
    group_by: suit
    groups: [sun, moon, leaf, star]
    min: 1
  - {id: fine, question: Are there cards?, kind: count, component: cards, min: 1}
  - {id: seen, question: How many are there?, kind: count, component: cards, report: true}
  - {id: wrong, question: Is it so?, kind: count, component: card, equals: 1}
  - {id: words, question: Is it new?, kind: text, component: cards, value: text, must_not: [cards]}
"""


@pytest.fixture
def ruled(demo: Path) -> Path:
    """The demo project with rules, most of which fail."""
    (demo / "data/demo/rules.yaml").write_text(RULES, encoding="utf-8")
    return demo


def suggested(run: Run, rule: str, *words: str) -> dict[str, list[dict[str, list[dict[str, object]]]]]:
    code, out, err = run("suggest", "demo", rule, "--format", "json", *words)
    assert (code, err) == (0, "")
    found: dict[str, list[dict[str, list[dict[str, object]]]]] = json.loads(out)
    return found


def test_copies_that_make_a_count_come_first_where_nothing_breaks(
    run: Run, ruled: Path, wording: Wording
) -> None:
    code, out, _ = run("suggest", "demo", "deck-size")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "deck-size: Are there ten cards?"
    # One copy more of a sun makes the four suns as well.
    first = next(line for line in lines if "→" in line)
    assert re.fullmatch(
        r"  \S*data/demo/cards\.yaml:\d+:\d+: cards\[\d\]\.copies: \d → \d \([a-z-]+\)", first
    )
    assert "  also fixes: suns" in lines
    wording(lines[-1])


@pytest.mark.parametrize("rule", one_in(2, ["cheap", "deck-size"]))
def test_what_is_suggested_makes_the_rule_hold_in_the_files(run: Run, ruled: Path, rule: str) -> None:
    """Each suggestion is written into the file by hand, and the rule asked again."""
    before = (ruled / CARDS).read_text(encoding="utf-8")
    assert run("check", "demo", "--rule", rule)[0] == 1
    found = suggested(run, rule, "--limit", "2")
    assert 1 <= len(found["suggestions"]) <= 2
    for each in found["suggestions"]:
        lines = before.split("\n")
        for change in each["changes"]:
            line, column = int(str(change["line"])) - 1, int(str(change["column"])) - 1
            key = str(change["path"]).rpartition(".")[2]
            if lines[line][column:].startswith(str(change["old"])) and key in lines[line]:
                lines[line] = f"{lines[line][:column]}{change['new']}"
            else:  # not stated: the place is that of the card
                lines[line] = f"{lines[line][:column]}{key}: {change['new']}\n    {lines[line][column:]}"
        (ruled / CARDS).write_text("\n".join(lines), encoding="utf-8")
        assert run("check", "demo", "--rule", rule)[:2] == (0, "no findings\n"), each


@pytest.mark.long
def test_every_card_found_wrong_is_changed_at_once(run: Run, ruled: Path) -> None:
    (first, *_) = suggested(run, "cheap")["suggestions"]
    assert [(each["card"], each["path"], each["old"], each["new"]) for each in first["changes"]] == [
        ("night-owl", "cards[1].value", 1, 3),
        ("old-oak", "cards[5].value", 5, 3),
    ]


def test_nothing_is_suggested_that_no_schema_allows(run: Run, ruled: Path) -> None:
    """There is no suit “star”."""
    code, out, _ = run("suggest", "demo", "rare", "--tries", "60")
    assert code == 1
    assert re.search(r"^none found in \d+ tries$", out, re.M)


def test_a_rule_that_reads_no_card_is_not_searched(run: Run, ruled: Path) -> None:
    rules = ruled / "data/demo/rules.yaml"
    more = "  - {id: odd, question: Two?, kind: formula, value: game.players.max, equals: 99}\n"
    rules.write_text(rules.read_text(encoding="utf-8") + more, encoding="utf-8")
    code, out, _ = run("suggest", "demo", "odd")
    assert code == 1
    assert out.endswith("reads no value of a card that could change, so there is nothing to try\n")


def test_a_large_deck_takes_fewer_tries(run: Run, ruled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "MOST_JUDGED", 40)
    monkeypatch.setattr(suggest, "_LEAST_TRIES", 3)
    code, out, _ = run("suggest", "demo", "rare")
    assert (code, out.splitlines()[-1]) == (1, "none found in 6 tries")


def test_the_search_ends_with_its_tries(run: Run, ruled: Path) -> None:
    code, out, _ = run("suggest", "demo", "deck-size", "--tries", "1", "--limit", "1")
    assert (code, out.splitlines()[-1].partition(";")[0]) in (
        (0, "found in 1 try"),
        (1, "none found in 1 try"),
    )


def test_a_rule_that_holds_needs_nothing(run: Run, ruled: Path) -> None:
    assert run("suggest", "demo", "fine") == (
        0,
        "fine: Are there cards?\n  the rule passes: nothing needs to change\n",
        "",
    )


def test_what_can_not_be_mended_is_said(
    run: Run, ruled: Path, edit: Callable[[str, str, str], Path], wording: Wording
) -> None:
    for words, code in (
        (("seen",), 2),
        (("words",), 2),
        (("sun",), 2),
        (("wrong",), 1),
        (("suns", "--limit", "0"), 2),
        (("suns", "--tries", "-1"), 2),
    ):
        found, out, err = run("suggest", "demo", *words)
        assert (found, out) == (code, "")
        wording(err)
    edit("data/demo/game.yaml", "rules: rules.yaml\n", "")
    found, _, err = run("suggest", "demo", "suns")
    assert found == 2
    wording(err)


def test_the_library_gives_values(ruled: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(ruled))
    found = suggest.suggest(game, "suns", limit=1)
    assert not found.holds
    (one,) = found.sets
    (change,) = one.changes
    assert change.location.file == CARDS
    assert (change.card, change.old, change.new) == ("early-bird", 2, 3)
    assert [each["card"] for each in found.plain()["suggestions"][0]["changes"]] == ["early-bird"]


def without_maximum(project: Path) -> None:
    path = project / "schemas/demo/cards.schema.json"
    text = re.sub(r'"maximum": 9,?', "", path.read_text(encoding="utf-8"))
    path.write_text(re.sub(r",(\s*})", r"\1", text), encoding="utf-8")


@pytest.mark.long
def test_a_number_far_from_the_others_is_tried_like_any_other(run: Run, ruled: Path) -> None:
    without_maximum(ruled)
    path = ruled / CARDS
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"value: \d+", f"value: {10**12}", text, count=1), encoding="utf-8")
    found = suggested(run, "values")
    changes = found["suggestions"][0]["changes"]
    assert 10**12 in [each["old"] for each in changes]


@pytest.mark.long
def test_what_may_stand_in_a_field_takes_work_in_proportion_to_the_cards(
    ruled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_maximum(ruled)
    looked = []

    def count(fields: object, path: tuple[str, ...]) -> object:
        looked.append(path)
        return value_at(fields, path)

    value_at = card_values.value_at
    monkeypatch.setattr(card_values, "value_at", count)
    amounts = []
    for number in (20, 80):
        cards = "".join(
            f"  - {{id: c{i}, title: T, suit: sun, value: {i + 1}, text: T.}}\n" for i in range(number)
        )
        (ruled / CARDS).write_text(f"cards:\n{cards}", encoding="utf-8")
        looked.clear()
        suggest.suggest(cardgen.load("demo", project=cardgen.Project.open(ruled)), "values", tries=1)
        amounts.append(len(looked))
    assert amounts[0] > 20
    assert amounts[1] < 5 * amounts[0]


def commit(folder: Path) -> None:
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True)


def test_an_edit_since_the_last_commit_is_undone_first(run: Run, ruled: Path, edit: Edit) -> None:
    edit(
        "data/demo/rules.yaml",
        RULES,
        """\
rules:
  - id: cheap
    question: Is each owl worth 1?
    kind: each
    component: cards
    where: title == 'Night Owl'
    holds: value == 1
  - {id: plain, question: No owls in a text?, kind: text, component: cards, value: text, must_not: [owl]}
""",
    )
    commit(ruled)
    text = (ruled / CARDS).read_text(encoding="utf-8")
    owl = text.replace(
        "title: Night Owl\n    suit: moon\n    value: 1", "title: Night Owl\n    suit: moon\n    value: 3"
    )
    assert owl != text
    wrong = owl.replace("Everybody passes", "Every owl passes").replace("value: 5", "value: 4")
    (ruled / CARDS).write_text(wrong, encoding="utf-8")
    (only,) = suggested(run, "cheap")["suggestions"]
    assert only["undoes"] is True
    assert [(each["card"], each["old"], each["new"]) for each in only["changes"]] == [("night-owl", 3, 1)]
    (only,) = suggested(run, "plain")["suggestions"]  # a kind that no other change is tried for
    assert [(each["card"], each["path"]) for each in only["changes"]] == [("full-moon", "cards[4].text")]
    code, out, _ = run("suggest", "demo", "cheap")
    assert code == 0
    assert "1. undo 1 change since the last commit" in out


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cards.yaml", "title: Night Owl", "title: Night Owls"),  # the kind tries no other change
        ("rules.yaml", "min: 1", "min: 100"),
        ("rules.yaml", "value: title, must", "value: titel, must"),  # it can't be judged
        ("design.yaml", "owls: 1", "owls: 7"),  # no value of a card
    ],
)
def test_lines_of_any_file_are_undone(
    run: Run, ruled: Path, edit: Edit, file: str, old: str, new: str
) -> None:
    edit(
        "data/demo/rules.yaml",
        RULES,
        """\
rules:
  - {id: the-rule, question: No owls?, kind: text, component: cards, value: title, must_not: [Owls]}
  - {id: the-rule-of-many, question: Many?, kind: count, component: cards, min: 1}
  - {id: the-rule-of-owls, question: As many?, kind: formula, value: tables.design.owls, equals: 1}
""",
    )
    (ruled / "data/demo/design.yaml").write_text("# Figures.\nowls: 1\n", encoding="utf-8")
    edit("data/demo/game.yaml", "rules: rules.yaml", "tables: [design.yaml]\nrules: rules.yaml")
    commit(ruled)
    path = edit(f"data/demo/{file}", old, new)
    line = path.read_text(encoding="utf-8").split(new)[0].count("\n") + 1
    rule = {"min: 1": "the-rule-of-many", "owls: 1": "the-rule-of-owls"}.get(old, "the-rule")
    (only,) = suggested(run, rule)["suggestions"]
    (change,) = only["changes"]
    assert only["undoes"] is True
    assert (change["file"], change["line"]) == (f"data/demo/{file}", line)
    assert old.split()[-1] in str(change["new"])


def test_words_in_effects_are_changed_and_their_texts_printed_again(demo: Path) -> None:
    game = cardgen.load("hackers", project=cardgen.Project.open(demo))
    said = "does|nested|selectattr('target', 'defined')|selectattr('target', 'equalto', 'anyone')|list"
    rule = {"id": "any", "question": "Many?", "kind": "count", "component": "cards", "counting": "cards"}
    rules = {"rules": [{**rule, "where": f"{said}|length > 0", "min": 2}]}
    found = suggesting.suggest(
        game, rules, "rules.yaml", "any", card_values.CardValues(game, ()), limit=1, tries=400
    )
    ((change,),) = (each.changes for each in found.suggestions)
    placed = card_values._placed(game, change)
    assert (placed.card, placed.old, placed.new) == ("hack", "guess rival", "guess anyone")
    assert placed.location.path == "cards[0].does[0]"
    text = suggesting.changed_game(game, [change]).component("cards").cards[0].fields["effect"]
    assert text == change.card.fields["effect"].replace("a rival", "anyone, even yourself")


@for_each(
    ("old", "new", "size"),
    [(3, 5, 2), ("a", "b", 1), ([{"do": "hop", "far": 2}], [{"do": "hop", "far": 5}], 3), ([1], [1, 2], 1)],
)
def test_small_changes_are_tried_first(old: object, new: object, size: float) -> None:
    assert suggesting._step(old, new) == size


def test_changes_that_break_another_rule_are_never_offered(run: Run, ruled: Path, edit: Edit) -> None:
    rules = """\
rules:
  - {id: ten, question: Ten?, kind: count, component: cards, equals: 10}
  - {id: as-many, question: As many?, kind: formula, value: "copies_in('cards')", equals: SIZE}
"""
    size = sum(card.copies for card in cardgen.load("demo", project=cardgen.Project.open(ruled)).cards())
    edit("data/demo/rules.yaml", RULES, rules.replace("SIZE", str(size)))
    code, out, err = run("suggest", "demo", "ten", "--format", "json")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert (found["suggestions"], found["broken"]) == ([], ["as-many"])


def test_a_search_ends_at_its_deadline() -> None:
    assert suggesting.Deadline(-1).is_over()
    assert not suggesting.Deadline(None).is_over()
    assert not suggesting.Deadline(1000).is_over(0.5)
