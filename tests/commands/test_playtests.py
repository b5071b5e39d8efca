"""Playtests: their records, the form, and what a report counts."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.compare.differences import difference_lines
from cardgen.commands.data.playtest import begin_playtest, record_playtest
from cardgen.core.findings import Findings
from cardgen.game.playtests import Tally, by_version, load_playtests
from tests.for_each import for_each
from tests.repositories import commit

DAY = date(2026, 3, 1)


def opened(root: Path) -> tuple[cardgen.Game, cardgen.Project]:
    project = cardgen.Project.open(root)
    return cardgen.load("demo", project=project), project


def record(root: Path, name: str, cards: str, version: str = "0.1.0") -> None:
    folder = root / "data/demo/playtests"
    folder.mkdir(exist_ok=True)
    text = f'date: 2026-03-0{name}\nversion: "{version}"\ncards: {{cards: {{{cards}}}}}\n'
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_a_record_and_its_form_are_begun(demo: Path) -> None:
    game, project = opened(demo)
    path, form = begin_playtest(game, project, on=DAY)
    assert path.relative_to(demo).as_posix() == "data/demo/playtests/2026-03-01.yaml"
    second, _ = begin_playtest(game, project, on=DAY)
    assert second.name == "2026-03-01-2.yaml"
    findings = Findings()
    assert [each.cards for each in load_playtests(game, findings)] == [{}, {}]
    assert not findings.sorted()
    shown = subprocess.run(["pdftotext", form, "-"], capture_output=True, text=True, check=True).stdout
    assert all(card.fields["title"] in shown for card in game.cards())


def test_a_form_that_was_filled_in_is_a_record(demo: Path) -> None:
    game, project = opened(demo)
    counts = {"cards": {"night-owl": {"drawn": 2, "played": 1, "won": 1}, "gardener": {"drawn": 0}}}
    values = {
        "date": "2026-03-01",
        "players": 3,
        "minutes": None,
        "notes": "“Good”: # fun",
        "cards": counts,
    }
    assert record_playtest(project, "demo", "0.1.0", values) == "data/demo/playtests/2026-03-01.yaml"
    second = record_playtest(project, "demo", "0.1.0", {"date": "2026-03-01", "cards": {}})
    assert second == "data/demo/playtests/2026-03-01-2.yaml"
    findings = Findings()
    found = load_playtests(game, findings)
    assert not findings.sorted()
    assert [(each.players, each.minutes, each.cards) for each in found] == [
        (None, None, {}),
        (3, None, {("cards", "night-owl"): Tally(2, 1, 1)}),
    ]


@for_each(
    ("values", "code"),
    [
        ({"cards": {}}, "usage"),
        ({"date": "../evil", "cards": {}}, "usage"),
        ({"date": "2026-03-01", "cards": {"cards": {"a\nb: c": {"drawn": -1}}}}, "schema/minimum"),
        ({"date": "2026-03-01", "cards": {"cards": {"owl": {"drawn": 1, "won": 2}}}}, "playtest/counts"),
        ({"date": "2026-03-01", "players": "many", "cards": {}}, "schema/type"),
    ],
)
def test_a_wrong_form_writes_nothing(demo: Path, values: dict[str, object], code: str) -> None:
    _, project = opened(demo)
    with pytest.raises(cardgen.CardgenError) as caught:
        record_playtest(project, "demo", "0.1.0", values)
    assert [each.code for each in caught.value.findings] == [code]
    assert not (demo / "data/demo/playtests").exists()


@for_each(
    ("cards", "version", "codes"),
    [
        ("night-owl: {drawn: 2, played: 1, won: 2}", "0.1.0", []),
        ("night-owl: {drawn: 2, played: 3}", "0.1.0", ["playtest/counts"]),
        ("night-owl: {drawn: 0, won: 1}", "0.1.0", ["playtest/counts"]),
        ("owl: {drawn: 2}", "0.1.0", ["reference/card"]),
        ("owl: {drawn: 2}", "0.0.9", []),
        ("night-owl: {drawn: -1}", "0.1.0", ["schema/minimum"]),
        ("night-owl: {played: 1}", "0.1.0", ["schema/required"]),
    ],
)
def test_what_is_wrong_in_a_record_is_said(demo: Path, cards: str, version: str, codes: list[str]) -> None:
    record(demo, "1", cards, version)
    findings = Findings()
    load_playtests(opened(demo)[0], findings)
    assert [each.code for each in findings] == codes
    assert all(str(each.location).startswith("data/demo/playtests/1.yaml:3:") for each in findings)


def test_a_report_counts_each_card_by_version(demo: Path) -> None:
    record(demo, "3", "night-owl: {drawn: 1, played: 1}")
    record(demo, "2", "night-owl: {drawn: 3, won: 2}")
    record(demo, "1", "early-bird: {drawn: 2, played: 1}, owl: {drawn: 4}", "0.0.9")
    game, project = opened(demo)
    found = by_version(load_playtests(game, Findings()))
    assert list(found) == ["0.0.9", "0.1.0"]
    assert found["0.1.0"] == {("cards", "night-owl"): Tally(4, 1, 2)}
    report = json.loads(cardgen.make_report(game, "json", project=project))
    assert [list(row.values()) for row in report["playtests"]] == [
        ["cards/early-bird", "0.0.9", 2, "50 %", "0 %"],
        ["cards/night-owl", "0.1.0", 4, "25 %", "50 %"],
        ["cards/owl", "0.0.9", 4, "0 %", "0 %"],
    ]


def test_a_difference_tells_how_a_changed_card_did(demo: Path) -> None:
    record(demo, "1", "night-owl: {drawn: 4, played: 3, won: 1}")
    commit(demo)
    path = demo / "data/demo/cards.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("title: Night Owl", "title: Day Owl"), encoding="utf-8"
    )
    found = cardgen.differences(*opened(demo))
    assert found.plain()["cards"][0]["playtests"] == {"0.1.0": {"drawn": 4, "played": 3, "won": 1}}
    assert "  playtests of 0.1.0: drawn 4, played 3, won 1" in list(difference_lines(found))


def test_an_invalid_record_is_an_error_of_the_check(demo: Path) -> None:
    record(demo, "1", "night-owl: {drawn: 1, played: 2}")
    found = cardgen.check(opened(demo)[0])
    assert [each.code for each in found if each.severity is cardgen.Severity.ERROR] == ["playtest/counts"]


def test_a_shipped_game_keeps_its_folder(demo: Path) -> None:
    project = cardgen.Project.open(demo)
    game = cardgen.load("hackers", project=project)
    with pytest.raises(cardgen.UsageError):
        begin_playtest(game, project)
