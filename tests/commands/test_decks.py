"""Deck lists from file to verdict and to paper, in a small game of their own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
import yaml

import cardgen
from cardgen.cli.main import main
from cardgen.commands.check.check import CheckOptions, check_game, explain_rule
from tests.files.making import rows, xlsx
from tests.wording import Wording

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "deck-lists"
EXPECTED: dict[str, list[str]] = yaml.safe_load((EXAMPLES / "expected.yaml").read_text(encoding="utf-8"))
POOL = cardgen.load("duel", project=cardgen.Project.open(EXAMPLES / "game"))

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A project folder of one's own with the game."""
    return Path(shutil.copytree(EXAMPLES / "game", tmp_path / "game"))


@pytest.fixture
def call(duel: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(command: str, *words: str) -> tuple[int, str, str]:
        code = main([command, "--project", str(duel), *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


# ---------------------------------------------------------------- lists good and bad


def test_a_bad_list_is_refused_for_the_right_reason() -> None:
    """Of each list that rules refuse, and of one that can't be read."""
    judged = [name for name, said in EXPECTED.items() if any(each.startswith("rule/") for each in said)]
    assert len(judged) >= 6
    project = cardgen.Project.open(EXAMPLES / "game")
    for name in (*judged, "a-picture.txt"):
        file = str(EXAMPLES / "invalid" / name)
        found = check_game(CheckOptions("duel", decks=(file,)), project=project).findings
        places = [(each.code, each.location) for each in found]
        assert [f"{code} {place.line}" for code, place in places if place is not None] == EXPECTED[name]
        assert {place.file for _, place in places if place is not None} == {file}


def test_good_lists_pass_and_bad_ones_among_them_fail(call: Run) -> None:
    lists = [word for file in sorted((EXAMPLES / "valid").iterdir()) for word in ("--deck", str(file))]
    code, out, _ = call("check", "duel", *lists)
    assert code == 0
    assert out.count("pass      deck-size    count 1") >= len(lists) // 2
    assert "fail " not in out
    bad = [str(EXAMPLES / "invalid" / name) for name in ("unknown-card.txt", "too-small.yaml")]
    code, out, _ = call("check", "duel", *lists[:2], "--deck", bad[0], "--deck", bad[1])
    assert code == 1
    assert "[deck/unknown-card]" in out
    assert "[rule/deck-size]" in out


def test_extra_copies_of_a_unique_card_get_a_note(call: Run) -> None:
    file = EXAMPLES / "valid" / "unique-twice.yaml"
    code, out, _ = call("check", "duel", "--deck", str(file), "--fail-on", "warning")
    assert code == 0
    assert f"{file}:7:3: " in out
    assert "note: deck “Two of a kind”: “Zoë the Vault-Cracker”: it can be in play only once" in out


# ---------------------------------------------------------------- rules for decks


def test_all_shipped_decks_are_judged(duel: Path, call: Run) -> None:
    assert call("check", "duel")[:2] == (0, "no findings\n")
    edit(duel / "data/duel/decks/alley.yaml", "Rope: 2", "Rope: 4")
    code, out, _ = call("check", "duel")
    assert code == 1
    assert (
        "data/duel/decks/alley.yaml:9:3: cards.Rope: deck “Alley Crew”: “Rope”: more than 3 copies" in out
    )
    assert "rule/starter-size" in out


def test_a_rule_for_the_games_own_lists_is_not_asked_of_a_players(duel: Path, call: Run) -> None:
    own = call("check", "duel", "--deck", "alley")[1]
    same = call("check", "duel", "--deck", str(duel / "data/duel/decks/alley.yaml"))[1]
    other = call("check", "duel", "--deck", str(EXAMPLES / "valid" / "larger.yml"))[1]
    assert "starter-size" in own
    assert own == same
    assert "starter-size" not in other


def test_a_rule_for_decks_reads_pool_and_deck(duel: Path, call: Run) -> None:
    rules = duel / "data/duel/rules.yaml"
    with rules.open("a", encoding="utf-8") as file:
        for rule in (
            "id: part, kind: formula, value: \"copies_in('deck') / copies_in('cards')\", report: true",
            "id: name, kind: formula, value: deck.title|length, equals: 10",
            "id: both, kind: count, component: [deck, cards], counting: cards, equals: 19",
            "id: pool-only, kind: count, component: 'c*', counting: cards, equals: 13",
        ):
            file.write(f"  - {{question: '?', {rule}}}\n")
    code, out, _ = call("check", "duel", "--deck", "alley")
    assert code == 0, out
    assert "0.9231" in out  # 12 of 13


def test_a_wrong_rule_for_decks_is_found_at_its_own_line(duel: Path, call: Run) -> None:
    with (duel / "data/duel/rules.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {id: wrong, question: '?', kind: count, min: 1, decks: aley}\n")
        file.write("  - {id: other, question: '?', kind: formula, value: deck.name, min: 1}\n")
    code, out, _ = call("check", "duel")
    assert code == 1
    assert (out.count("[rule/wrong]"), out.count("[rule/other]")) == (1, 1)
    assert "data/duel/rules.yaml:16:" in out
    assert "the game has no deck list “aley”" in out


def test_rules_for_decks_in_a_game_without(duel: Path, call: Run, wording: Wording) -> None:
    edit(duel / "data/duel/game.yaml", "decks: {component: cards}\n", "")
    code, out, _ = call("check", "duel", "--rule", "deck-size")
    assert code == 1
    assert "[rule/deck-size]" in out
    assert "game.yaml" in out
    code, _, err = call("check", "duel", "--deck", str(EXAMPLES / "valid/plain.txt"))
    assert code == 2
    wording(err)


def test_a_rule_is_explained_for_each_deck(call: Run) -> None:
    plain = str(EXAMPLES / "valid/plain.txt")
    code, out, _ = call("check", "duel", "--explain", "deck-hand", "--deck", plain, "--deck", "alley")
    assert code == 0
    assert out.index("of the deck “Plain Crew”") < out.index("of the deck “Alley Crew”")
    assert "exactly: 495 of 495 hands" in out


# ---------------------------------------------------------------- which file


def test_a_list_that_is_none_is_misuse(call: Run, wording: Wording) -> None:
    for command, deck in (
        ("check", "aley"),
        ("build", str(EXAMPLES / "valid/plian.txt")),
        ("check", "nowhere/at/all.txt"),
        ("build", str(EXAMPLES / "game/templates/duel/back.svg")),
    ):
        code, out, err = call(command, "duel", "--deck", deck)
        assert code == 2
        wording(err)
        assert not out


def test_a_game_without_deck_lists_has_none_by_any_name(demo: Path, wording: Wording) -> None:
    project = cardgen.Project.open(demo)
    game = cardgen.load("demo", project=project)
    for name in ("alley", "alley.txt", "data"):
        with pytest.raises(cardgen.UsageError) as caught:
            cardgen.load_deck(game, name, project=project)
        wording(caught.value)


def test_a_rule_that_judges_no_deck_says_so() -> None:
    words, findings = explain_rule(POOL, "deck-hand", decks=[])
    assert words == "deck-hand\n  this rule checks no deck list"
    assert findings == []


# ---------------------------------------------------------------- on paper, in lists, in the report


def test_a_build_prints_just_the_deck(duel: Path, call: Run) -> None:
    assert call("build", "duel", "--quiet")[0] == 0
    whole = {path: path.read_bytes() for path in sorted((duel / "output/duel").glob("*.*"))}
    assert call("build", "duel", "--deck", str(EXAMPLES / "valid/plain.txt"))[0] == 0
    assert {path: path.read_bytes() for path in sorted((duel / "output/duel").glob("*.*"))} == whole
    folder = duel / "output/duel/decks/plain"
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "poker.pdf"]
    entry = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"][0]
    assert (entry["path"], entry["cards"]) == ("poker.pdf", 12)
    with pikepdf.open(folder / "poker.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]) == "Night Duel: Plain Crew"


def test_an_edited_list_is_built_anew(duel: Path, tmp_path: Path, call: Run) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("3 Lookout\n", encoding="utf-8")
    folder = duel / "output/duel/decks/mine"
    for text, cards in (("3 Lookout\n", 3), ("3 Lookout\n2 Rope\n", 5)):
        file.write_text(text, encoding="utf-8")
        assert call("build", "duel", "--deck", str(file), "--quiet")[0] == 0
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        assert manifest["files"][0]["cards"] == cards


def test_a_deck_takes_no_player_count_and_no_other_sheet(call: Run, wording: Wording) -> None:
    assert call("build", "duel", "--deck", "alley", "--players", "2")[0] == 2
    code, _, err = call("build", "duel", "--deck", "alley", "--sheet", "tokens")
    assert code == 2
    wording(err)


def test_a_deck_with_an_error_prints_nothing(duel: Path, call: Run) -> None:
    code, _, err = call("build", "duel", "--deck", str(EXAMPLES / "invalid/unknown-card.txt"))
    assert code == 1
    assert "deck/unknown-card" in err
    assert not (duel / "output/duel/decks").exists()


def test_list_and_report_name_the_decks(duel: Path, call: Run) -> None:
    assert "--deck alley         Alley Crew: 6 distinct, 12 in all" in call("list", "duel")[1]
    assert json.loads(call("list", "duel", "--format", "json")[1])["decks"] == [
        {"id": "alley", "title": "Alley Crew", "component": "cards", "unique": 6, "copies": 12}
    ]
    edit(duel / "data/duel/decks/alley.yaml", "Rope: 2", "Rope: 4")
    content = json.loads(call("report", "duel", "--format", "json")[1])
    assert content["decks"] == [{"id": "alley", "title": "Alley Crew", "cards": 14, "verdict": "fail"}]
    assert [rule["id"] for rule in content["rules"] if rule.get("deck") == "alley"][:2] == [
        "deck-size", "starter-size",
    ]  # fmt: skip
    assert call("report", "duel")[0] == 0
    page = (duel / "output/duel/report.html").read_text(encoding="utf-8")
    assert 'id="deck-list-alley"' in page
    assert page.count('id="rule-deck-size-of-alley"') == 1


def test_a_passed_rule_is_one_case_whatever_the_number_of_decks(call: Run) -> None:
    names = [str(EXAMPLES / "valid" / name) for name in ("plain.txt", "accents.dec")]
    out = call("check", "duel", "--deck", names[0], "--deck", names[1], "--format", "junit")[1]
    assert out.count('name="rule/deck-size"') == 1
    assert 'failures="0"' in out


def test_a_sheet_of_a_workbook_may_be_named(call: Run, tmp_path: Path) -> None:
    file = tmp_path / "my decks.xlsx"
    head = ("copies", "name")
    file.write_bytes(xlsx({"Notes": rows(("x",)), "Night Run": rows(head, (3, "Courier"), (2, "Curier"))}))
    code, *said = call("check", "duel", "--deck", f"{file}#Night Run")
    assert code == 1
    assert "[deck/unknown-card]" in "".join(said)
    assert "'Night Run'!B3" in "".join(said)
    assert "'Curier'" in "".join(said)
    code, *said = call("check", "duel", "--deck", f"{file}#Night")
    assert code == 1
    assert "[tables/sheet]" in "".join(said)
    assert "'Night'" in "".join(said)
    file.write_bytes(xlsx({"Notes": rows(("x",)), "Night Run": rows(head, (3, "Courier"))}))
    deck = cardgen.load_deck(POOL, f"{file}#Night Run")
    assert (deck.id, deck.title, deck.copies) == ("my-decks-night-run", "Night Run", 3)
