"""The benchmarks' deck is as hard as it says, and their figures are what they say."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import pytest
from PIL import Image

import cardgen
from tests.sampling import one_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import measured  # noqa: E402
import people  # noqa: E402
import saga  # noqa: E402
import saga_project  # noqa: E402
import stages  # noqa: E402
from saga_figures import OfCards, OfSides  # noqa: E402


@pytest.mark.long
def test_the_cards_have_the_statistics_of_a_real_deck() -> None:
    found = OfCards.count(list(saga.cards(2000)))
    assert (found.words.least, found.words.median, found.words.most) == (3, 24, 130)
    assert found.words.tenth > 2 * found.words.median
    assert found.words.hundredth > 4 * found.words.median
    assert (found.icons.least, found.icons.most) == (0, 9)
    assert found.symbols == 400
    assert len({name for name in found.shares if name in saga.TYPES}) == 7
    assert all(10 < found.shares[name] < 95 for name in ("bold", "italic", "subtitle", "flavour", "traits"))


@pytest.mark.long
def test_templates_draw_25_to_40_elements_and_half_the_texts_shrink() -> None:
    found = OfSides.count(saga_project.Deck(120))
    assert len(found.elements) == 7
    for spread in found.elements.values():
        assert 25 <= spread.least <= spread.most <= 40
    assert 40 < found.shrinking < 60
    for type in saga.TYPES.values():
        drawing = saga_project.template(type, saga_project.Deck())
        assert "{% include" in drawing
        assert "{% import" in drawing


@pytest.mark.long
def test_photographs_are_large_and_distinct(tmp_path: Path) -> None:
    saga_project.write_project(tmp_path, saga_project.Deck(3, photos=2))
    files = sorted((tmp_path / "templates" / "saga" / "art").iterdir())
    assert len({path.read_bytes() for path in files}) == 2
    for path in files:
        with Image.open(path) as image:
            assert (image.format, image.size) == ("JPEG", (750, 1050))


@pytest.mark.long
def test_german_is_hyphenated(tmp_path: Path) -> None:
    saga_project.write_project(tmp_path, saga_project.Deck(20, language="de"))
    game = cardgen.load("saga", project=cardgen.Project.open(tmp_path))
    texts = [text for side in cardgen.render(game).artworks.values() for text in side.texts()]
    assert any(getattr(run, "text", "").endswith(("-", "\u2010")) for text in texts for run in text.runs)


@pytest.mark.long
def test_japanese_is_set_in_the_font_that_is_named(tmp_path: Path) -> None:
    if not any(saga_project.SYSTEM_FONTS.rglob("DroidSansFallbackFull.ttf")):
        pytest.skip("no Japanese font on this machine")
    options = argparse.Namespace(cards=5, photos=0, language="ja", font=None)
    saga_project.write_project(tmp_path, saga_project.Deck.of(options))
    game = cardgen.load("saga", project=cardgen.Project.open(tmp_path))
    fonts = {
        run.font
        for side in cardgen.render(game).artworks.values()
        for text in side.texts()
        for run in text.runs
        if re.search("[ぁ-ヶ一-龠]", getattr(run, "text", ""))
    }
    assert fonts
    assert all("DroidSansFallbackFull" in font for font in fonts), fonts


def test_without_a_japanese_font_one_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saga_project, "SYSTEM_FONTS", tmp_path)
    with pytest.raises(SystemExit, match="--font"):
        saga_project.Deck.of(argparse.Namespace(cards=5, photos=0, language="ja", font=None))


def test_one_card_is_edited_and_still_in_order(tmp_path: Path) -> None:
    saga_project.write_project(tmp_path, saga_project.Deck(9))
    project = cardgen.Project.open(tmp_path)
    before = {card.id: card.fields["rules"] for card in cardgen.load("saga", project=project).cards()}
    saga_project.change_one(tmp_path)
    after = {card.id: card.fields["rules"] for card in cardgen.load("saga", project=project).cards()}
    assert [card for card in after if after[card] != before[card]] == ["s00004"]


@pytest.mark.parametrize("game", one_in(5, sorted(people.FIGURES)))
def test_one_card_of_a_shipped_game_is_edited(game: str, tmp_path: Path) -> None:
    code = people.Code("new", ROOT, tmp_path)
    bench = people.Bench(code, game, lambda: ROOT, people.FIGURES[game])
    bench.begin_anew()
    project = cardgen.Project.open(bench.project)
    before = {
        (card.component, card.id): card.fields for card in cardgen.load(game, project=project).cards()
    }
    bench.edit()
    after = {(card.component, card.id): card.fields for card in cardgen.load(game, project=project).cards()}
    assert sum(after[card] != before[card] for card in after) == 1


def test_all_shipped_games_are_timed() -> None:
    assert sorted(people.FIGURES) == sorted(cardgen.Project.open().games())


def test_rows_come_with_those_before_them() -> None:
    rows = [measured.Row(name, (), after=after) for name, after in (("a", ""), ("b", ""), ("c", "b"))]
    assert [row.name for row in measured.wanted(rows, ["c"])] == ["b", "c"]
    assert measured.wanted(rows, []) == rows
    with pytest.raises(SystemExit, match="there is no row d: they are a, b, c"):
        measured.wanted(rows, ["d"])


HOLD = "held = b'x' * 80_000_000; print(flush=True); input()"
HOLD_TOO = f"""
import subprocess, sys, time
pipes = {{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}}
child = subprocess.Popen([sys.executable, "-c", {HOLD!r}], **pipes)
child.stdout.readline()
held = b"x" * 80_000_000
time.sleep(0.5)
child.communicate(b"\\n")
"""


def test_memory_is_that_of_all_processes_together() -> None:
    assert measured.run([sys.executable, "-c", HOLD_TOO]).peak_mb > 160


def test_what_failed_is_said() -> None:
    with pytest.raises(SystemExit, match="wrong"):
        measured.run([sys.executable, "-c", "raise SystemExit('wrong')"])


def test_the_stages_name_modules_that_exist() -> None:
    for names in stages.STAGES.values():
        for name in names:
            if name.startswith("cardgen/"):
                assert (ROOT / name).is_dir() or (ROOT / f"{name}.py").is_file(), name


def test_time_counts_to_the_stage_that_asked_for_it() -> None:
    fit = ("/x/cardgen/text/measuring.py", 1, "fit")
    read = ("/x/cardgen/game/loading.py", 1, "read")
    copy, inner = ("/usr/lib/copy.py", 1, "copy"), ("~", 0, "<built-in>")
    stats = {
        read: (1, 1, 1.0, 9.0, {}),
        fit: (1, 1, 2.0, 5.0, {}),
        copy: (4, 4, 4.0, 6.0, {read: (1, 1, 1.0, 1.5), fit: (3, 3, 3.0, 4.5)}),
        inner: (4, 4, 2.0, 2.0, {copy: (4, 4, 2.0, 2.0)}),
    }
    found = stages.shared_out(stats, 9.0).stages()
    assert found["load"] == pytest.approx(1.0 + 1.0 + 0.5)
    assert found["fit"] == pytest.approx(2.0 + 3.0 + 1.5)
    assert sum(found.values()) == pytest.approx(9.0)


def test_what_the_profiler_added_is_taken_off_by_calls() -> None:
    often = ("/x/cardgen/svg/tree.py", 1, "often")
    seldom = ("/x/cardgen/pdf/drawing.py", 1, "seldom")
    stats = {often: (999, 999, 2.0, 2.0, {}), seldom: (1, 1, 1.0, 1.0, {})}
    found = stages.shared_out(stats, 2.0).stages()
    assert found["parse and split"] < 2.0
    assert found["draw pictures"] == pytest.approx(1.0, abs=0.4)
    assert sum(found.values()) == pytest.approx(2.0)
