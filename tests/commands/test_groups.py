"""A group's size is that of the whole deck, whatever is printed, and whatever was kept."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.art.laying_out import LayingOut
from cardgen.art.outlining import LaidOut
from cardgen.art.sources import Source
from cardgen.art.text import NeedStore
from cardgen.commands.production.results import GameResults
from tests.commands.test_spreading import COUNT, Counting, _many_cards, _smaller

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
Settle = Callable[[Path], None]

CARDS = "data/demo/cards.yaml"
FACE = "templates/demo/card.svg"
OAK = "This card can’t be taken, turned or swapped."
LONG = "It counts for as long as it stands where it stands. " * 9
LONGER = LONG + "And for longer. " * 4


@pytest.fixture
def deck(demo: Path, edit: Edit, settle: Settle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The demo project with its cards' texts in a group, and one card whose text is long; a cache of its
    own."""
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "own-cache"))
    edit(FACE, 'cg:min-size="{{ 7.5|pt }}"', 'cg:group="rules" cg:min-size="{{ 5.5|pt }}"')
    edit("data/demo/game.yaml", "title: Demo", "title: Demo\nlimits: {type: 5pt}")
    edit(CARDS, OAK, f"{OAK} {LONG}")
    settle(demo)
    return demo


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The sizes of the texts in the box that were laid out, by the words that they begin with."""
    sizes: dict[str, float] = {}
    whole = LayingOut.lay_out

    def lay_out(self: LayingOut, source: Source, made_from: bytes) -> LaidOut:
        made = whole(self, source, made_from)
        for text in made.artwork.texts() if made.artwork is not None else ():
            if "cg:group" in source.svg and text.box.y > 56 and text.box.bottom < 86:
                sizes[getattr(text.runs[0], "text", "")] = text.size
        return made

    monkeypatch.setattr(LayingOut, "lay_out", lay_out)
    return sizes


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Source]:
    done: list[Source] = []
    whole = LayingOut.needs
    monkeypatch.setattr(
        LayingOut, "needs", lambda self, source: (done.append(source), whole(self, source))[1]
    )
    return done


def one_size(laid: dict[str, float], count: int) -> float:
    """The size that so many texts have in common."""
    assert len(laid) == count, laid
    [size] = set(laid.values())
    laid.clear()
    return size


@pytest.mark.long
def test_every_command_gives_the_size_of_the_whole_deck(
    run: Run, deck: Path, laid: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("build", "demo")[0] == 0
    size = one_size(laid, 6)
    assert 5.5 * 0.352 < size < 8 * 0.353
    for command, count in (
        (("build", "demo", "--low-ink"), 6),
        (("proof", "demo", "early-bird"), 1),
        (("check", "demo"), 6),
    ):
        monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "-".join(command)))
        assert run(*command)[0] == 0
        assert one_size(laid, count) == size
    for command in (
        ("build", "demo", "--card", "early-bird"),
        ("export", "demo", "--to", "svg"),
    ):
        assert run(*command)[0] == 0
        assert set(laid.values()) <= {size}
        laid.clear()


def test_bad_cards_leave_the_size_to_the_others(
    run: Run, deck: Path, edit: Edit, laid: dict[str, float]
) -> None:
    run("build", "demo")
    size = one_size(laid, 6)
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :leef:")
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    code, _, err = run("build", "demo", "--keep-going", "--no-backs", "--output", str(deck / "other"))
    assert (code, err.count("[icon/unknown]"), err.count("[schema/enum]")) == (1, 1, 1)
    assert set(laid.values()) <= {size}
    edit(CARDS, "cards face down", "cards face  down")
    assert run("proof", "demo", "early-bird")[0] == 0  # it is in order itself
    assert run("build", "demo", "--keep-going", "--card", "old-oak", "--no-backs")[0] == 1
    assert set(laid.values()) <= {size}


@pytest.mark.long
def test_another_card_s_text_makes_kept_sides_anew(
    run: Run,
    deck: Path,
    edit: Edit,
    laid: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    pdf = deck / "output/demo/poker.pdf"
    run("build", "demo")
    first, size = pdf.read_bytes(), one_size(laid, 6)
    edit(CARDS, f"{OAK} {LONG}", f"{OAK} {LONGER}")
    assert run("build", "demo")[0] == 0
    smaller = one_size(laid, 6)
    assert smaller < size
    kept = pdf.read_bytes()
    with monkeypatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(tmp_path / "empty"))
        run("build", "demo", "--output", str(tmp_path / "clean"))
    assert (tmp_path / "clean/demo/poker.pdf").read_bytes() == kept
    laid.clear()
    edit(CARDS, f"{OAK} {LONGER}", f"{OAK} {LONG}")
    assert run("build", "demo")[0] == 0
    assert pdf.read_bytes() == first
    assert not laid, "the sides of before were kept"
    edit(CARDS, "**First turn:**", "**Turn one:**")
    assert run("build", "demo")[0] == 0
    assert one_size(laid, 1) == size, "no other card is laid out again"


@pytest.mark.long
def test_what_was_measured_is_kept_till_a_file_changes(
    run: Run, deck: Path, edit: Edit, settle: Settle, measured: list[Source]
) -> None:
    assert run("build", "demo", "--card", "early-bird")[0] == 0
    assert len(measured) == 6
    run("proof", "demo", "old-oak")
    run("check", "demo")
    run("build", "demo")
    edit(CARDS, "**First turn:**", "**Turn one:**")
    assert len(measured) in (6, 12)  # the light variant has sources of its own
    before = len(measured)
    run("build", "demo")
    assert len(measured) == before + 1
    icons = deck / "templates/demo/icons"
    icons.mkdir(exist_ok=True)
    (icons / "star.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 24"><path d="M3 3h66v18z"/></svg>', "utf-8"
    )
    settle(deck / "templates")
    run("build", "demo")
    assert len(measured) == before + 7, "an icon may be wider now"


smaller = _smaller


@pytest.mark.long
@pytest.mark.usefixtures("smaller")
def test_spread_over_processes_the_bytes_are_the_same(
    deck: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _many_cards(deck)
    cards = deck / CARDS
    cards.write_text(cards.read_text("utf-8").replace("Take **37**", f"{LONG} Take **37**"), "utf-8")
    made = []
    for executor in (None, Counting()):
        monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / f"cache-{executor is None}"))
        options = cardgen.BuildOptions("demo", output=tmp_path / f"out-{executor is None}")
        result = cardgen.build(options, project=cardgen.Project.open(deck), executor=executor)
        made.append(Path(result.files[0].path).read_bytes())
    assert made[0] == made[1]
    assert executor is not None
    assert sum(executor.chunks) == COUNT + 1


def notes(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out)["findings"]
    return [each for each in found if each["code"] == "text/group"]


@pytest.mark.long
def test_check_says_which_card_sets_the_size(run: Run, deck: Path, edit: Edit) -> None:
    code, out, _ = run("check", "demo", "--format", "json")
    [note] = notes(out)
    assert (code, note["severity"]) == (0, "note")
    assert note["message"].startswith("the texts 'rules' print at ")
    assert note["message"].endswith(" pt, as card 'old-oak' needs")
    assert note["file"] == CARDS
    edit(FACE, "{{ card.text|md }}", "{{ card.text|md }}{% if low_ink %} Little ink.{% endif %}")
    _, out, _ = run("check", "demo", "--format", "json")
    assert sorted(" in low ink" in each["message"] for each in notes(out)) == [False, True]
    edit(CARDS, f"{OAK} {LONG}", OAK)
    _, out, _ = run("check", "demo", "--format", "json")
    assert [each["message"] for each in notes(out)] == [
        "the texts 'rules' print at 9.00 pt, at which all of them fit"
    ]
    edit(FACE, 'cg:group="rules" ', "")
    assert not notes(run("check", "demo", "--format", "json")[1])


def test_nothing_is_kept_where_a_file_goes_while_others_are_read(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundled icon may have taken its place, and the next run would not see that it was ever there."""
    icon = deck / "templates/demo/icons/star.svg"
    icon.parent.mkdir(exist_ok=True)
    icon.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 24"/>', "utf-8")
    game = cardgen.load("demo", project=cardgen.Project.open(deck))
    done: list[str] = []

    def measure() -> tuple[()]:
        done.append("")
        return ()

    def look(store: NeedStore) -> int:
        store.needs([("a", "source", measure)])
        return len(done)

    now, later = time.time_ns, 10**9
    monkeypatch.setattr(time, "time_ns", lambda: now() + later)
    store = GameResults(game).needs()
    later *= 2
    icon.unlink()
    os.utime(icon.parent, ns=(now() + later, now() + later))  # at the time that this is told to be
    assert look(store) == 1
    later *= 2
    assert look(GameResults(game).needs()) == 2
    assert look(GameResults(game).needs()) == 2
