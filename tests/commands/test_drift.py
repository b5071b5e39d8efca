"""What a check says of cuts that are slightly off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PIL import Image

from cardgen.commands.check.drift import say_drift
from cardgen.core.findings import Finding, Findings
from cardgen.core.geometry import Size
from cardgen.pdf.drift import SAMPLES, Color, CutEdges
from tests.for_each import for_each
from tests.sheets.decks import POKER, Deck, game_of, imposed, layout

RED, BLUE, WHITE = (200, 0, 0), (0, 0, 200), (255, 255, 255)
NO_FRAMES = (None, None, None, None)

Edit = Callable[[str, str, str], Path]
Run = Callable[..., tuple[int, str, str]]


def all_of(*colors: Color) -> CutEdges:
    """A side whose top, right, bottom and left edges have these colors."""
    return CutEdges(tuple((color,) * SAMPLES for color in colors), NO_FRAMES)


def said(edges: CutEdges, *decks: Deck, **changes: object) -> list[Finding]:
    findings = Findings()
    sheet = imposed(*decks, sheet_layout=layout(**changes))
    game, rendering, about = game_of(*decks)
    say_drift(game, about, sheet, dict.fromkeys(rendering.artworks, edges), findings)
    return list(findings)


def test_shared_cuts_of_one_color_are_not_reported() -> None:
    assert said(all_of(RED, RED, RED, RED), Deck("a", POKER, 9)) == []


@for_each(
    ("edges", "count", "cuts"),
    [
        (all_of(RED, RED, RED, BLUE), 9, 6),  # right beside left: two in each of three rows
        (all_of(RED, RED, BLUE, RED), 9, 6),
        (all_of(RED, RED, RED, BLUE), 2, 1),
        (all_of(RED, BLUE, RED, BLUE), 9, 0),
    ],
)
def test_shared_cuts_between_colors_are_counted(edges: CutEdges, count: int, cuts: int) -> None:
    found = said(edges, Deck("a", POKER, count, back=False))
    assert [finding.code for finding in found] == ["print/drift"] * bool(cuts)
    words = f"{cuts} shared cuts" if cuts > 1 else "a shared cut"
    assert all(words in finding.message for finding in found)


def test_wide_gutters_hold_a_drift() -> None:
    edges = all_of(RED, RED, RED, BLUE)
    assert said(edges, Deck("a", POKER, 9), widen=True) == []
    assert said(edges, Deck("a", Size(63.5, 89.6), 9), widen=True) == [], "rows share cuts of one color"
    rows = said(all_of(RED, RED, BLUE, RED), Deck("a", Size(63.5, 89.6), 9, back=False), widen=True)
    assert len(rows) == 1


def test_turned_cards_are_compared_as_they_lie() -> None:
    """A landscape card among portrait ones lies on its side: its top is at the right of its slot."""
    deck = Deck("a", POKER, 1, back=False).add(1, POKER.turned, back=False)
    game, rendering, about = game_of(deck)
    sheet = imposed(deck, sheet_layout=layout())
    standing, lying = sheet.pages[0].slots
    assert (standing.rotation, lying.rotation) == (0, 90)
    for bottom, count in ((RED, 0), (BLUE, 1)):  # the bottom of the lying card faces the standing one
        findings = Findings()
        edges = {
            standing.artwork: all_of(WHITE, RED, WHITE, WHITE),
            lying.artwork: all_of(WHITE, WHITE, bottom, WHITE),
        }
        say_drift(game, about, sheet, edges, findings)
        assert len(list(findings)) == count
    assert rendering.artworks.keys() == {standing.artwork, lying.artwork}


@for_each(
    ("frame", "words"),
    [(0.9, "leaves 0.2 to 1.6 mm of it"), (0.4, "removes it"), (-0.3, "shows a line of up to 0.4 mm")],
)
def test_thin_frames_are_reported_once_a_component(frame: float, words: str) -> None:
    framed = replace(all_of(RED, RED, RED, RED), frames=(None, frame, None, None))
    (finding,) = said(framed, Deck("a", POKER, 9, back=False))
    assert finding.message.endswith(words)
    assert finding.location is not None
    assert finding.location.path == "components.a"


def test_a_layout_can_turn_the_check_off(demo: Path, edit: Edit, run: Run) -> None:
    own = demo / "data/sheets/mine.yaml"
    own.parent.mkdir(exist_ok=True)
    own.write_text("title: Mine\n", encoding="utf-8")
    edit("data/demo/game.yaml", "layout: poker", "layout: mine")
    first = run("check", "demo")
    assert first[1].count("[print/drift]") == 1
    assert "sheets.poker: warning" in first[1]
    assert run("check", "demo") == first, "from the cache"
    for gutters in ("drift: false\n", "gutter: auto\n"):
        own.write_text(f"title: Mine\n{gutters}", encoding="utf-8")
        assert "print/drift" not in run("check", "demo")[1]


def test_a_drift_proof_shows_nine_cuts(demo: Path, run: Run) -> None:
    done = run("proof", "demo", "full-moon", "--drift", "--dpi", "127")
    assert done[0] == 0, done
    with Image.open(demo / "output/demo/proof/full-moon-face.drift.png") as image:
        assert image.size == (3 * 318 + 4 * 20, 3 * 445 + 4 * 20)  # 63.5 × 88.9 mm, 4 mm apart
        assert image.getpixel((10, 10)) == image.getpixel((20 + 318 + 10, 10)) == (0x8A,) * 3
        cuts = {
            image.crop((x, y, x + 318, y + 445)).tobytes() for x in (20, 358, 696) for y in (20, 485, 950)
        }
    assert len(cuts) > 1
    assert run("proof", "demo", "full-moon", "--drift", "--bleed")[0] == 2
