"""`cardgen build --keep-going`: good cards are printed, and boxes stand in the places of the others."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import cardgen
from cardgen.commands.production.fonts import fontbook
from cardgen.commands.production.stand_ins import LEAST_PT, StandIns
from cardgen.core.geometry import MM_PER_PT, Size
from tests.book.conftest import add_book

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

GAME = "data/demo/game.yaml"
CARDS = "data/demo/cards.yaml"
FACE = "templates/demo/card.svg"


def pages(demo: Path, name: str) -> list[str]:
    """The text of each page of a file."""
    with pypdfium2.PdfDocument(demo / "output/demo" / name) as document:
        return [page.get_textpage().get_text_range() for page in document]


def listed(demo: Path) -> dict[str, dict[str, Any]]:
    manifest = json.loads((demo / "output/demo/manifest.json").read_text(encoding="utf-8"))
    return {entry["path"]: entry for entry in manifest["files"]}


def slip(edit: Edit) -> None:
    """One card that has no such icon and one that does not fit its schema."""
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :leef:")
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")


def test_bad_cards_have_boxes_in_their_places(run: Run, demo: Path, edit: Edit) -> None:
    assert run("build", "demo")[0] == 0
    before, (whole, _) = listed(demo), pages(demo, "poker.pdf")
    slip(edit)
    edit(FACE, "{{ game.version }}", "{{ component.count }}/{{ component.copies }}")
    code, out, err = run("build", "demo", "--keep-going")
    assert (code, "poker.incomplete.pdf" in out) == (1, True)
    assert [each in err for each in ("[schema/enum]", "[icon/unknown]")] == [True, True]
    assert "[build/incomplete]" in err
    assert "'night-owl'" in err
    assert "'gardener'" in err
    after = listed(demo)
    assert after["poker.pdf"] == before["poker.pdf"], "the deck's own file stays"
    assert after["poker.incomplete.pdf"]["cards"] == before["poker.pdf"]["cards"]
    faces, backs = pages(demo, "poker.incomplete.pdf")
    assert faces.count("Demo 6/9") == 5, "and all of them are counted"
    assert [faces.count(each) for each in ("night-owl", "gardener", "not printed")] == [2, 2, 4]
    assert (faces.count("there is no icon ':leef:'"), faces.count("'moo' is not one of")) == (2, 2)
    assert (backs.count("night-owl"), backs.count("gardener")) == (2, 0), "whose backs can be printed"
    for number in (1, 4, 5, 6):  # the others keep their numbers
        assert faces.count(f"{number} · Demo") == whole.count(f"{number} · Demo") > 0
    assert run("build", "demo", "--keep-going")[::2] == (1, err[err.index("data/") :]), "said again"


def test_a_whole_sheet_takes_the_incomplete_one_away(run: Run, demo: Path, edit: Edit) -> None:
    slip(edit)
    assert run("build", "demo", "--keep-going")[0] == 1
    assert set(listed(demo)) == {"poker.incomplete.pdf"}
    edit(CARDS, ":leef:", ":leaf:")
    edit(CARDS, "suit: moo\n", "suit: moon\n")
    assert run("build", "demo")[0] == 0
    assert set(listed(demo)) == {"poker.pdf"}
    assert not (demo / "output/demo/poker.incomplete.pdf").exists()


def test_two_cards_of_one_name(run: Run, demo: Path, edit: Edit) -> None:
    edit(CARDS, "id: night-owl", "id: early-bird")
    assert run("build", "demo", "--keep-going")[0] == 1
    (faces, *_) = pages(demo, "poker.incomplete.pdf")
    assert faces.count("cards[1]") == 2
    assert "the id 'early-bird' is taken" in faces.replace("\r\n", " ")


def test_books_show_boxes(run: Run, demo: Path, edit: Edit) -> None:
    add_book(demo, "# T\n\n## Cards\n\n![Look](card:cards/gardener)\n")
    slip(edit)
    code, _, err = run("build", "demo", "--keep-going")
    assert (code, err.count("[icon/unknown]")) == (1, 1)
    assert "there is no icon ':leef:'" in "".join(pages(demo, "rules.incomplete.pdf"))


def test_books_show_boxes_for_cards_that_do_not_fit_their_schema(run: Run, demo: Path, edit: Edit) -> None:
    """And go without those of which not even the size and the copies are known."""
    text = "![Owl](card:cards/night-owl) ![Bird](card:cards/early-bird) See [](card:cards/night-owl)."
    add_book(
        demo,
        f"# T\n\n## Cards\n\n{text}\n\n![](card:cards/gardener) No more.\n",
        "cover: [cards/night-owl]",
    )
    slip(edit)
    edit(CARDS, "id: gardener", "copies: many\n    id: gardener")
    code, _, err = run("build", "demo", "--keep-going", "--sheet", "rules")
    assert (code, "[book/" in err) == (1, False), err
    assert "[build/incomplete]" in err
    assert "'gardener'" in err
    said = "".join(pages(demo, "rules.incomplete.pdf"))
    assert said.count("'moo' is not one of") == 2, "on the title page and in the text"
    assert ("See night-owl." in said, "No more." in said, "Early Bird" in said) == (True, True, True)


def test_a_book_in_error_is_left_out_alone(run: Run, demo: Path) -> None:
    add_book(demo, "# T\n\n:no-such:\n")
    code, _, err = run("build", "demo", "--keep-going")
    assert (code, "[book/icon]" in err) == (1, True)
    assert "[build/incomplete]" in err
    assert set(listed(demo)) == {"poker.incomplete.pdf"}


SIZES = (Size(8, 8), Size(16, 16), Size(44, 68), Size(300, 20), Size(500, 500))
REASONS = ("", "it is not so", "there is no <icon> ':leef:' & \x1b 𒀀 " * 9, "Donaudampfschifffahrt" * 9)


@pytest.mark.parametrize("shape", ["rectangle", "ellipse"])
def test_boxes_can_be_read_at_any_size(demo: Path, shape: Any) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    home = replace(game.components[0], shape=shape)
    boxes = StandIns(replace(game, components=(home,)), fontbook(game.paths), ())
    for size, reason in itertools.product(SIZES, REASONS):
        made = boxes.side(replace(home.cards[0], trim=size), reason)
        assert made.problems == ()
        assert made.artwork is not None
        assert made.artwork.size == size.grown(home.bleed)
        texts = list(made.artwork.texts())
        assert bool(texts) or min(size.width, size.height) < 20
        for text in texts:
            assert text.size >= LEAST_PT * MM_PER_PT - 1e-6
            assert made.artwork.trim.contains(text.box)
