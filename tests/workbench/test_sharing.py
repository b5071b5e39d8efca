"""What several benches share, what is asked first, and how long things are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.art.templates import Templates
from cardgen.commands.data.translate import translate
from cardgen.workbench import bench as benches
from cardgen.workbench import studio as studios
from cardgen.workbench.bench import Bench
from tests.workbench.support import WIDTH, at_rest, bench_of, card, seen
from tests.workbench.test_looks import face_key

pytestmark = pytest.mark.usefixtures("drawn_here")
Edit = Callable[[str, str, str], Path]
CARDS, GAME, FACE = "data/demo/cards.yaml", "data/demo/game.yaml", "templates/demo/card.svg"

GERMAN = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "cards:cards/old-oak#title"
msgid "Old Oak"
msgstr "Alte Eiche"
"""


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cards that templates draw from now on."""
    drawn: list[str] = []
    draw = Templates._render

    def render(self: Templates, env: object, name: str, variables: dict[str, object]) -> str:
        drawn.append(str(variables["card"]["id"]))  # type: ignore[index]
        return draw(self, env, name, variables)  # type: ignore[arg-type]

    monkeypatch.setattr(Templates, "_render", render)
    return drawn


@pytest.fixture
def german(demo: Path, edit: Edit) -> Path:
    """The demo, a text of which is translated."""
    edit(GAME, "sheets:", "languages:\n  de: {}\nsheets:")
    translate("demo", ["de"], project=cardgen.Project.open(demo))
    po = demo / "data/demo/de/texts.po"
    po.write_text(
        po.read_text("utf-8").replace('msgid "Old Oak"\nmsgstr ""', 'msgid "Old Oak"\nmsgstr "Alte Eiche"'),
        "utf-8",
    )
    return demo


def test_only_the_side_that_changed_is_rendered(demo: Path, edit: Edit, rendered: list[str]) -> None:
    bench = bench_of(demo)
    rendered.clear()
    edit(CARDS, "title: Old Oak", "title: Older Oak")
    bench.refresh()
    assert rendered == ["old-oak"]
    rendered.clear()
    edit(CARDS, "title: Older Oak", "title: Old Oak")
    bench.refresh()
    assert rendered == []


def test_unchanged_values_are_the_same_objects(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = {each.id: each for each in bench.state.cards}
    edit(CARDS, "title: Old Oak", "title: Older Oak")
    bench.refresh()
    same = [each.id for each in bench.state.cards if each is before[each.id]]
    assert same == ["early-bird", "night-owl", "gardener", "long-lunch", "full-moon"]


@pytest.mark.long
def test_a_language_beside_the_own(german: Path, edit: Edit, rendered: list[str]) -> None:
    own = bench_of(german)
    rendered.clear()
    bench = Bench(cardgen.Project.open(german), "demo", language="de", beside=own)
    bench.refresh()
    at_rest(bench)
    assert card(bench, "old-oak").fields["title"] == "Alte Eiche"
    assert card(own, "old-oak").fields["title"] == "Old Oak"
    assert card(bench, "old-oak").lines == card(own, "old-oak").lines
    assert seen(bench) == seen(bench_of(german, language="de"))
    po = german / "data/demo/de/texts.po"
    po.write_text(po.read_text("utf-8").replace("Alte Eiche", "Die Eiche"), "utf-8")
    rendered.clear()
    bench.refresh()
    assert rendered == ["old-oak"]
    assert seen(at_rest(bench)) == seen(bench_of(german, language="de"))
    assert own.refresh() is None


@pytest.mark.long
def test_low_ink_beside_the_full(demo: Path) -> None:
    full = bench_of(demo)
    low = Bench(cardgen.Project.open(demo), "demo", low_ink=True, beside=full)
    low.refresh()
    at_rest(low)
    assert seen(low) == seen(bench_of(demo, low_ink=True))
    faces = [{face_key(each) for each in bench.state.cards} for bench in (full, low)]
    assert not faces[0] & faces[1]
    backs = [{each.back.key for each in bench.state.cards if each.back} for bench in (full, low)]
    assert len(backs[0]) == 1
    assert all(full.picture(key, WIDTH) for key in faces[0] | faces[1])


def test_an_edit_of_an_icon_changes_no_key_of_sides_without_it(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = {each.id: face_key(each) for each in bench.state.cards}
    edit("templates/demo/icons/star.svg", "</svg>", '<circle cx="3" cy="3" r="2"/></svg>')
    bench.refresh()
    at_rest(bench)
    changed = [each.id for each in bench.state.cards if face_key(each) != before[each.id]]
    assert changed == ["early-bird"]


@pytest.mark.long
def test_what_is_on_the_screen_comes_first(
    demo: Path, edit: Edit, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benches, "_AT_ONCE", 2)
    monkeypatch.setattr(benches, "SOON_S", 0.0)
    bench = bench_of(demo)
    for id in ("old-oak", "gardener"):
        bench.picture(face_key(card(bench, id)), WIDTH)
    rendered.clear()
    edit(FACE, 'r="4.6"', 'r="5"')
    change = bench.refresh()
    assert change is not None
    assert {each.id for each in change.cards} == set(rendered) == {"old-oak", "gardener"}
    told = set()
    while not bench.is_idle:
        if (more := bench.idle(0.0)) is not None:
            told |= {each.id for each in more.cards}
    assert told == {"early-bird", "night-owl", "long-lunch", "full-moon"}
    assert seen(bench) == seen(bench_of(demo))


def test_pictures_of_old_keys(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    old = face_key(card(bench, "old-oak"))
    picture = bench.picture(old, WIDTH)
    edit(CARDS, "title: Old Oak", "title: Older Oak")
    edit(FACE, 'r="4.6"', 'r="5"')
    bench.refresh()
    at_rest(bench)
    bench._studio._pictures.clear()
    assert picture is not None
    assert bench.picture(old, WIDTH) == picture
    assert bench.picture(face_key(card(bench, "old-oak")), WIDTH) != picture
    assert bench.picture("0" * 32, WIDTH) is None


def test_no_picture_of_a_key_whose_icon_has_changed(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    old = face_key(card(bench, "early-bird"))
    edit("templates/demo/icons/star.svg", "</svg>", '<circle cx="3" cy="3" r="2"/></svg>')
    bench.refresh()
    assert bench.picture(old, WIDTH) is None
    edit("templates/demo/icons/star.svg", '<circle cx="3" cy="3" r="2"/>', "")
    bench.refresh()
    assert face_key(card(bench, "early-bird")) == old
    assert bench.picture(old, WIDTH) is not None


def test_pictures_are_bounded(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studios, "MOST_PICTURES", 20_000)
    bench = bench_of(demo)
    for each in bench.state.cards:
        assert bench.picture(face_key(each), 150)
    kept = bench._studio._pictures
    assert 0 < kept.weight <= 20_000
    assert len(kept) < 6
    assert bench.picture(face_key(bench.state.cards[0]), 150)


@pytest.mark.long
def test_a_file_that_changes_while_it_is_drawn(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_of(demo)
    look = bench._studio.files.look
    edit(FACE, 'r="4.6"', 'r="5"')

    def late(changed: object = None) -> None:
        look()
        if (demo / FACE).read_text("utf-8").count('r="5"'):
            edit(FACE, 'r="5"', 'r="9"')

    monkeypatch.setattr(bench._studio.files, "look", late)
    bench.refresh()  # sees the one, and draws the other
    monkeypatch.undo()
    edit(FACE, 'r="9"', 'r="5"')
    bench.refresh()
    assert seen(at_rest(bench)) == seen(bench_of(demo))


def test_a_broken_game_is_idle_whatever_is_drawn(demo: Path, edit: Edit) -> None:
    edit(CARDS, "text: This card", "text: " + "Far too many words. " * 60 + "This card")
    bench = Bench(cardgen.Project.open(demo), "demo")
    bench.refresh()
    edit(GAME, "id: demo", "id: [")
    bench.refresh()
    assert bench.state.broken
    for each in bench.state.cards:
        bench.picture(face_key(each), WIDTH)
    assert bench.is_idle
    assert bench.idle() is None


def test_a_whole_refresh_asks_everything(demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benches, "_AT_ONCE", 1)
    monkeypatch.setattr(benches, "SOON_S", 0.0)
    bench = Bench(cardgen.Project.open(demo), "demo")
    bench.refresh()
    assert [face_key(each) != "" for each in bench.state.cards] == [True, *[False] * 5]
    change = bench.idle(60.0)
    assert change is not None
    assert all(map(face_key, bench.state.cards))
    assert bench.idle() is None
    other = Bench(cardgen.Project.open(demo), "demo")
    other.refresh(whole=True)
    assert other.state.cards == bench.state.cards
    edit(FACE, 'r="4.6"', 'r="5"')
    edit(CARDS, "    text: This card", "    text: Old! This card")
    told = other.refresh([demo / FACE, demo / CARDS], whole=True)
    assert told is not None
    assert len(told.cards) == 6


@pytest.mark.parametrize("hint", [["data/demo/cards.yaml"], pytest.param([], marks=pytest.mark.long)])
def test_files_that_changed_may_be_named(demo: Path, edit: Edit, hint: list[str]) -> None:
    bench = bench_of(demo)
    edit(FACE, 'r="4.6"', 'r="5"')
    elsewhere = [Path("/nowhere/x.svg")] if hint == [] else []
    bench.refresh([*(demo / file for file in hint), *elsewhere])
    assert seen(at_rest(bench)) == seen(bench_of(demo))


def test_lines_that_moved_are_told_later(demo: Path, edit: Edit) -> None:
    bench = bench_of(demo)
    before = {each.id: each for each in bench.state.cards}
    edit(CARDS, "cards:\n", "# more\ncards:\n")
    edit(CARDS, "title: Early Bird", "title: Late Bird")
    change = bench.refresh()
    assert change is not None
    assert [each.id for each in change.cards] == ["early-bird"]
    assert not bench.is_idle
    change = bench.idle()
    assert change is not None
    assert [each.id for each in change.cards] == [id for id in before if id != "early-bird"]
    was, now = before["old-oak"], card(bench, "old-oak")
    assert was.line is not None
    assert now.line == was.line + 1
    assert now.lines == {key: line + 1 for key, line in was.lines.items()}
