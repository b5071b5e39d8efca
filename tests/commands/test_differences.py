"""What changed in a game since a git revision: cards, their fields and looks, and what else there is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.compare.differences import Differences, difference_lines
from tests.repositories import commit

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"
GAME = "data/demo/game.yaml"
FACE = "templates/demo/card.svg"


@pytest.fixture(autouse=True)
def committed(demo: Path, settle: Callable[[Path], None]) -> str:
    """The demo project as its first commit has it."""
    (demo / ".gitignore").write_text("output/\n")
    return commit(demo)


@pytest.fixture
def found(demo: Path) -> Callable[..., Differences]:
    def of(since: str = "HEAD", **more: object) -> Differences:
        project = cardgen.Project.open(demo)
        game = cardgen.load("demo", project=project, partial=True)
        return cardgen.differences(game, project, since, **more)  # type: ignore[arg-type]

    return of


Found = Callable[..., Differences]


def looks(found: Differences) -> dict[str, tuple[str, ...]]:
    return {change.id: change.looks for change in found.cards if change.kind == "changed"}


def test_nothing_changed(run: Run) -> None:
    code, out, err = run("diff", "demo", "--exit-code")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"nothing changed since HEAD \([0-9a-f]{10}\)\n", out)


def test_a_changed_card(run: Run, edit: Edit, committed: str) -> None:
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    edit(CARDS, "play a second card, if it is a :moon: card", "play a third card, if it is a :moon: card")
    code, out, err = run("diff", "demo")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "data/demo/cards.yaml:12: cards/night-owl changed, looks different: face",
        "  title: Night Owl → Dawn Owl",
        "  text: **Last turn:** play a [second → third] card, if it is a :moon:…",
        f"1 card changed since HEAD ({committed[:10]})",
    ]
    assert run("diff", "demo", "--exit-code")[0] == 1


def test_new_removed_and_renamed(demo: Path, edit: Edit, found: Found) -> None:
    edit(CARDS, "id: old-oak", "id: elder")
    text = (demo / CARDS).read_text()
    start = text.index("  - id: gardener")
    end = text.index("  - id: long-lunch")
    gardener = text[start:end]
    (demo / CARDS).write_text(
        text.replace(gardener, "") + gardener.replace("gardener", "digger").replace("value: 2", "value: 3")
    )
    now = found()
    changes = [(change.kind, change.id, change.renamed_from) for change in now.cards]
    assert changes == [
        ("changed", "long-lunch", None),
        ("changed", "full-moon", None),
        ("new", "elder", "old-oak"),
        ("new", "digger", None),
        ("removed", "gardener", None),
        ("removed", "old-oak", None),
    ]
    removed = now.of("removed")[0]
    assert (removed.location.file, removed.location.line) == (CARDS, 21)
    lines = list(difference_lines(now))
    assert lines[:2] == [
        "data/demo/cards.yaml:21: cards/long-lunch changed, looks different: face",
        "  number: 4 → 3",
    ]
    assert lines[4:8] == [
        "data/demo/cards.yaml:35: cards/elder new, likely renamed from 'old-oak'",
        "data/demo/cards.yaml:40: cards/digger new, 2 copies",
        "cards/gardener removed, 2 copies; it was at data/demo/cards.yaml:21",
        "cards/old-oak removed; it was at data/demo/cards.yaml:42",
    ]
    assert lines[-1].startswith("2 cards changed, 2 cards new, 2 cards removed since ")


def test_copies_alone(edit: Edit, found: Found) -> None:
    edit(CARDS, "suit: leaf\n    value: 2\n    copies: 2", "suit: leaf\n    value: 2\n    copies: 5")
    now = found()
    [change] = now.cards
    assert (change.id, change.looks) == ("gardener", ())
    assert change.pair("copies") == {"old": 2, "new": 5}
    assert list(difference_lines(now))[:2] == [
        "data/demo/cards.yaml:21: cards/gardener changed, looks the same",
        "  copies: 2 → 5",
    ]


def test_another_order_is_said_once(demo: Path, found: Found) -> None:
    text = (demo / CARDS).read_text()
    start, end = text.index("  - id: night-owl"), text.index("  - id: gardener")
    (demo / CARDS).write_text(text.replace(text[start:end], "") + text[start:end])
    now = found()
    assert [str(change) for change in now.settings] == ["order of cards: changed"]
    assert set(looks(now)) == {"night-owl", "gardener", "long-lunch", "full-moon", "old-oak"}, (
        "their faces show their numbers"
    )
    number = next(change for change in now.cards if change.id == "night-owl").pair("number")
    assert number == {"old": 2, "new": 6}


# ---------------------------------------------------------------- looks


ALL = {"early-bird", "night-owl", "gardener", "long-lunch", "full-moon", "old-oak"}


def test_what_a_template_is_written_like_is_not_what_it_looks_like(demo: Path, found: Found) -> None:
    path = demo / FACE
    text = path.read_text()
    path.write_text(text.replace("</svg>", "  <!-- the end -->\n</svg>").replace("<text ", "<text\n   "))
    (demo / "templates/demo/README.txt").write_text("what else lies here")
    assert found().is_same


def test_a_template_changes_all_its_cards(demo: Path, found: Found) -> None:
    path = demo / "templates/demo/back.svg"
    group = '<g opacity="0.5"><text y="30" font-size="3" font-family="IBM Plex Sans">Psst</text></g></svg>'
    path.write_text(path.read_text().replace("</svg>", group))
    now = found()
    assert looks(now) == dict.fromkeys(ALL, ("back",))
    assert [change.fields for change in now.cards] == [()] * 6
    assert looks(found(sides=("face",))) == {}
    commit(demo)
    text = path.read_text()
    path.write_text(text.replace("</g>", "</g>\n"))
    assert looks(found()) == {}
    path.write_text(text.replace('"0.5"', '"0.6"'))
    assert looks(found()) == dict.fromkeys(ALL, ("back",))


def test_an_icon_changes_the_cards_that_show_it(demo: Path, found: Found) -> None:
    moon = demo / "templates/demo/icons/moon.svg"
    moon.write_text((demo / "templates/demo/icons/sun.svg").read_text())
    for _ in range(2):  # the second time what was kept says the same
        assert looks(found()) == {
            id: ("face", "back") if id in ("night-owl", "full-moon") else ("back",) for id in ALL
        }


def test_the_theme_shows(edit: Edit, found: Found) -> None:
    edit(GAME, "moon: '#3457a0'", "moon: '#123456'")
    now = found()
    assert [str(change) for change in now.settings] == ["theme: hues.moon #3457a0 → #123456"]
    assert looks(now) == {"night-owl": ("face",), "full-moon": ("face",)}


# ---------------------------------------------------------------- settings


def test_settings_in_a_line_each(demo: Path, edit: Edit, found: Found) -> None:
    edit(GAME, "version: 0.1.0", "version: 0.2.0")
    edit(GAME, "players: {min: 2, max: 4}", "players: {min: 2, max: 5}")
    edit(GAME, "    title: Cards", "    title: All cards")
    edit(GAME, "    trim: poker", "    trim: [60mm, 88mm]")
    edit(
        GAME,
        "  poker: {layout: poker, components: [cards]}",
        "  cards: {layout: poker, components: [cards]}",
    )
    schema = demo / "schemas/demo/cards.schema.json"
    schema.write_text(schema.read_text() + "\n\n")
    now = found()
    assert [str(change) for change in now.settings] == [
        "game: version 0.1.0 → 0.2.0; players[1] 4 → 5",
        "component cards: title Cards → All cards; trim 63.5×88.9 mm → 60×88 mm",
        "sheet cards: new",
        "sheet poker: removed",
        "schema schemas/demo/cards.schema.json: text differs in 2 lines",
    ]
    assert looks(now) == dict.fromkeys(ALL, ("face", "back"))


def test_rules_and_sheets(demo: Path, edit: Edit, found: Found) -> None:
    rule = "rules: [{{id: {}, question: How many?, kind: count, component: cards, equals: {}}}]\n"
    (demo / "data/demo/rules.yaml").write_text(rule.format("many", 6))
    commit(demo)
    (demo / "data/demo/rules.yaml").write_text(rule.format("many", 7))
    assert [str(change) for change in found().settings] == ["rule many: equals 6 → 7"]
    (demo / "data/demo/rules.yaml").write_text(rule.format("more", 6))
    assert [str(change) for change in found().settings] == ["rule more: new", "rule many: removed"]
    assert found(components=["cards"]).settings == ()
    with pytest.raises(cardgen.UsageError, match="no component 'card'"):
        found(components=["card"])


# ---------------------------------------------------------------- what is in error


def test_a_card_in_error_is_not_called_removed(edit: Edit, run: Run, found: Found) -> None:
    edit(CARDS, "suit: leaf\n    value: 2", "suit: leef\n    value: 2")
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    now = found()
    assert [(change.kind, change.id) for change in now.cards] == [("changed", "night-owl")]
    assert now.uncompared == (("cards", "gardener"),)
    code, out, err = run("diff", "demo", "--exit-code")
    assert code == 1
    assert "cards/gardener can't be compared: it has errors in one of the two" in out
    assert "[schema/enum]" in err
    assert "'leef'" in err


def test_a_card_that_was_in_error_is_not_called_new(demo: Path, edit: Edit, run: Run, found: Found) -> None:
    edit(CARDS, "suit: leaf\n    value: 2", "suit: leef\n    value: 2")
    was = commit(demo)
    edit(CARDS, "suit: leef\n    value: 2", "suit: leaf\n    value: 2")
    now = found()
    assert (now.cards, now.uncompared) == ((), (("cards", "gardener"),))
    code, _, err = run("diff", "demo")
    assert code == 0
    assert f"data/demo/cards.yaml:23:11: cards[2].suit: at {was[:10]}: 'leef'" in err


def test_a_template_that_was_in_error_looks_different_now(demo: Path, edit: Edit, found: Found) -> None:
    text = (demo / FACE).read_text()
    (demo / FACE).write_text(text.replace("</svg>", "{{ nothing.there }}</svg>"))
    commit(demo)
    assert found().cards == (), "both are in error in the same way"
    (demo / FACE).write_text(text)
    now = found()
    assert looks(now) == dict.fromkeys(ALL, ("face",))
    assert any(each.message.startswith("at ") for each in now.old_findings)
    assert now.findings == ()


def test_a_game_that_could_not_be_loaded_at_all(demo: Path, edit: Edit, run: Run) -> None:
    edit(GAME, "title: Demo", "title: [Demo")
    was = commit(demo)
    edit(GAME, "title: [Demo", "title: Demo")
    code, out, err = run("diff", "demo")
    assert (code, out) == (1, "")
    assert f"at {was[:10]}: " in err


def test_a_game_that_was_not_there(demo: Path, run: Run) -> None:
    (demo / "data/demo").rename(demo / "data/other")
    (demo / "templates/demo").rename(demo / "templates/other")
    (demo / "schemas/demo").rename(demo / "schemas/other")
    manifest = demo / "data/other/game.yaml"
    manifest.write_text(manifest.read_text().replace("id: demo", "id: other"))
    code, out, err = run("diff", "other")
    assert (code, err) == (0, "")
    assert out.startswith("Demo did not exist at HEAD")
    assert out.splitlines()[-1].startswith("6 cards new since HEAD")


def test_fonts_in_error(demo: Path, found: Found) -> None:
    (demo / "fonts").mkdir()
    (demo / "fonts/fonts.yaml").write_text("families: 3\n")
    now = found()
    assert looks(now) == dict.fromkeys(ALL, ("face", "back"))
    assert {finding.location.file for finding in now.findings if finding.location} == {"fonts/fonts.yaml"}
    assert now.old_findings == ()


# ---------------------------------------------------------------- forms


def test_json(edit: Edit, run: Run, committed: str) -> None:
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    edit(GAME, "version: 0.1.0", "version: 0.2.0")
    code, out, _ = run("diff", "demo", "--format", "json", "--since", "HEAD", "--component", "cards")
    assert code == 0
    content = json.loads(out)
    entry = next(card for card in content["cards"] if card["card"] == "night-owl")
    assert entry == {
        "component": "cards",
        "card": "night-owl",
        "kind": "changed",
        "file": CARDS,
        "line": 12,
        "fields": [{"path": "title", "kind": "changed", "old": "Night Owl", "new": "Dawn Owl"}],
        "looks_different": ["face"],
        "playtests": {},
        "copies": {"old": 2, "new": 2},
        "number": {"old": 2, "new": 2},
        "renamed_from": None,
    }
    assert content["version"] == 1
    assert content["since"] == {"revision": "HEAD", "commit": committed}
    assert (content["settings"], content["uncompared"], content["findings"]) == ([], [], [])
    assert content["counts"] == {"new": 0, "removed": 0, "changed": len(content["cards"])}


def test_a_language(demo: Path, edit: Edit, run: Run) -> None:
    edit(GAME, "language: en\n", "language: en\nlanguages: {de: {}}\n")
    assert run("translate", "demo")[0] == 0
    code, out, err = run("diff", "demo", "--language", "de")
    assert code == 0, err
    assert "the game was not in" not in out
    commit(demo)
    file = demo / "data/demo/de/texts.po"
    text = file.read_text()
    file.write_text(text.replace('msgid "Night Owl"\nmsgstr ""', 'msgid "Night Owl"\nmsgstr "Nachteule"'))
    code, out, err = run("diff", "demo", "--language", "de")
    assert code == 0, err
    assert "  title: Night Owl → Nachteule" in out
    assert run("diff", "demo")[1].startswith("nothing changed")


def test_names_of_strangers_stay_on_their_line(demo: Path, edit: Edit, run: Run) -> None:
    edit(CARDS, "title: Night Owl", r'title: "::error::Owl\n##[set-env] \u202e"')
    out = run("diff", "demo")[1]
    page = demo / "page.html"
    assert run("diff", "demo", "--html", str(page))[0] == 0
    assert "\u202e" not in page.read_text() + out
    assert r"  title: Night Owl → ::error::Owl\n#\x23[set-env] \u202e" in out
