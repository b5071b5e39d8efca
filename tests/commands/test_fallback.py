"""Letters from other fonts, from game.yaml to the notes of `check`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def spades(demo: Path) -> Path:
    """The demo project, whose cards all show ♠ and a corner of a frame."""
    template = demo / "templates/demo/card.svg"
    text = template.read_text(encoding="utf-8")
    added = '<text x="20" y="84" font-size="3" font-family="Bebas Neue">♠ ┌ ♥♠</text></svg>'
    template.write_text(text.replace("</svg>", added), encoding="utf-8")
    return demo


def test_check_notes_each_font_once_with_its_letters(run: Run, spades: Path) -> None:
    with (spades / "data/demo/game.yaml").open("a", encoding="utf-8") as file:
        file.write("fonts: {fallback: [IBM Plex Mono]}\n")
    code, out, _ = run("check", "demo", "--fail-on", "warning")
    assert code == 0, out
    assert out.count(": note: ") == out.count("not in Bebas Neue") == 2
    assert "♠ ♥ from Cardgen Symbols, not in Bebas Neue" in out
    assert "┌ from IBM Plex Mono, not in Bebas Neue" in out
    assert run("build", "demo")[0] == 0


def test_an_unknown_family_hides_nothing_else(run: Run, spades: Path) -> None:
    """Cards whose letters are had elsewhere are printed; those that need the family have boxes."""
    path = spades / "data/demo/cards.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Turn one of your :leaf:", "Turn one of your :leef:"), encoding="utf-8")
    template = spades / "templates/demo/card.svg"
    corner = "{{ '┌' if card.id == 'night-owl' else '♥' }}"
    drawn = template.read_text(encoding="utf-8").replace("♠ ┌ ♥♠", f"♠ {corner} ♥♠")
    template.write_text(drawn, encoding="utf-8")
    with (spades / "data/demo/game.yaml").open("a", encoding="utf-8") as file:
        file.write("fonts: {fallback: [IBM Plex Mon]}\n")
    said = ["no font family 'IBM Plex Mon'", "no icon ':leef:'", "has no '┌'"]
    for command in (["check"], ["build"], ["build", "--keep-going"]):
        code, out, err = run(command[0], "demo", *command[1:])
        assert (code, [(out + err).count(each) for each in said]) == (1, [1, 1, 1]), out + err
    assert "[build/incomplete]" in err
    assert "'night-owl'" in err
    assert "'gardener'" in err
    assert "fonts.fallback[0]" in err
    assert "did you mean 'IBM Plex Mono'?" in err
    assert (spades / "output/demo/poker.incomplete.pdf").exists()


def test_labels_take_letters_from_other_fonts(run: Run, demo: Path) -> None:
    path = demo / "data/demo/game.yaml"
    text = path.read_text(encoding="utf-8").replace("version: 0.1.0", "version: ┌ 紙 ┐")
    path.write_text(text + "fonts: {fallback: [IBM Plex Mono]}\n", encoding="utf-8")
    for template in (demo / "templates/demo").glob("*.svg"):
        drawn = template.read_text(encoding="utf-8").replace("game.version", "game.title")
        template.write_text(drawn, encoding="utf-8")
    for command in ("check", "build"):
        code, out, err = run(command, "demo")
        assert code == 0, out + err
        (said,) = [line for line in (out + err).splitlines() if "[label/glyph]" in line]
        assert said.startswith("data/demo/game.yaml:")
        assert "no font has '紙', which the label '" in said
    with pypdfium2.PdfDocument(demo / "output/demo/poker.pdf") as document:
        assert "Demo ┌ ? ┐" in document[0].get_textpage().get_text_range()


def test_a_font_of_labels_that_is_not_there_is_said_at_the_sheet(run: Run, demo: Path) -> None:
    listed = (ROOT / "fonts/fonts.yaml").read_text(encoding="utf-8")
    (demo / "fonts").mkdir(exist_ok=True)
    (demo / "fonts/fonts.yaml").write_text(
        listed.replace("IBMPlexSansCondensed-Regular.ttf", "gone.ttf"), encoding="utf-8"
    )
    code, out, _ = run("check", "demo")
    assert code == 1
    said = [line for line in out.splitlines() if "gone.ttf" in line]
    assert said
    assert all(re.match(r"data/demo/game\.yaml:\d+:\d+: ", line) for line in said), said
    assert all("does not exist [font/file]" in line for line in said)


def test_a_language_whose_words_are_not_known_is_noted(run: Run, demo: Path) -> None:
    path = demo / "data/demo/game.yaml"
    text = path.read_text(encoding="utf-8")
    assert "U+200B" not in run("check", "demo")[1]
    path.write_text(text.replace("language: en", "language: lo"), encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 0
    assert "[text/words]" in out
    assert "'lo'" in out
    assert "U+200B" in out
