"""Sides kept between builds: the same bytes with and without them, and none that is out of date."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from cardgen.core.artwork import Group, IconRun, Rendering
from cardgen.core.findings import Problem, Severity
from cardgen.files.cache import Cache, Part
from cardgen.pdf.drawing import assemble, draw, draw_sides
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.store import ArtStore, SideStore

from .samples import ICONS, artwork, fonts, pdf, picture, text

SIDES = {
    "source-a": artwork(picture('<circle r="9"/>'), text("one fine day"), key="a", bleed=3.0),
    "source-b": artwork(
        picture('<ellipse rx="9" ry="4"/>'),
        text("two", icons=(IconRun("ring", 9, 9, 9, (1, 0, 0)),)),
        Group((text("faint"), picture('<circle r="5"/>')), 0.5),
        key="b",
    ),
}


class Kept:
    """The two stores of one game, and builds with them."""

    def stores(self, made_with: str | None = "now", art: str = "art") -> tuple[ArtStore, SideStore]:
        pictures = ArtStore(Cache(art, "game", environment=""))
        return pictures, SideStore(Cache("sides", "game", made_with, environment=""), pictures)

    def build(self, *sources: str, made_with: str | None = "now", art: str = "art") -> tuple[DrawnArt, int]:
        """The drawn sides, and how many were laid out anew."""
        pictures, sides = self.stores(made_with, art)
        made = {source: sides.get(source) for source in sources}
        new = [source for source, side in made.items() if side is None]
        for source, side in zip(
            new, draw_sides([SIDES[each] for each in new], ICONS, pictures), strict=True
        ):
            sides.put(source, side)
            made[source] = side
        result = assemble({side.key: side for side in made.values() if side is not None}, fonts(), pictures)
        pictures.save()
        sides.save()
        return result, len(new)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    return Kept()


def test_kept_and_new_sides_give_a_clean_build_s_bytes(cache: Kept) -> None:
    clean = pdf(draw(Rendering((), {s.key: s for s in SIDES.values()}, ICONS), fonts(), ArtStore.memory()))
    first, new = cache.build("source-a")
    assert new == 1
    mixed, new = cache.build("source-a", "source-b")
    assert new == 1
    kept, new = cache.build("source-a", "source-b")
    assert new == 0
    assert pdf(mixed) == pdf(kept) == clean != pdf(first)
    assert kept.faces["a"].trim == SIDES["source-a"].trim


def test_a_kept_side_tells_its_measures(cache: Kept) -> None:
    cache.build("source-a")
    kept = cache.stores()[1].get("source-a")
    assert kept is not None
    made = SIDES["source-a"]
    assert (kept.key, kept.face.size, kept.face.bleed) == (made.key, made.size, made.bleed)


@pytest.mark.parametrize("made_with", ["later", None])
def test_sides_made_with_anything_else_do_not_count(cache: Kept, made_with: str | None) -> None:
    cache.build("source-a")
    assert cache.build("source-a", made_with=made_with)[1] == 1


def test_a_side_is_drawn_anew_where_its_pictures_are_gone(cache: Kept) -> None:
    expected, _ = cache.build("source-b")
    again, new = cache.build("source-b", art="other")
    assert new == 1
    assert pdf(again) == pdf(expected)


def test_much_is_held_in_a_file_and_gives_the_same_bytes(
    cache: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = cache.build("source-a", "source-b")
    monkeypatch.setattr("cardgen.pdf.store._HELD", 0)
    kept, new = cache.build("source-a", "source-b")
    assert new == 0
    fresh, new = cache.build("source-a", "source-b", made_with="later")
    assert new == 2
    assert pdf(fresh) == pdf(kept) == pdf(expected)
    side = cache.stores()[1].get("source-a")
    assert side is not None
    assert isinstance(side.packed, Part)


def test_warnings_are_kept_with_their_side(cache: Kept) -> None:
    mild = Problem(
        "text/x",
        "it is so",
        "do",
        Severity.WARNING,
        ("a", 1),
        True,
        7,
        ("demo/card.svg", 3),
        True,
        "name",
        ("a", "b"),
    )
    art, sides = cache.stores()
    for source, side in zip(SIDES, draw_sides(SIDES.values(), ICONS, art), strict=True):
        sides.put(source, side, (mild,) if source == "source-a" else ())
    art.save()
    sides.save()
    _, again = cache.stores()
    assert again.get("source-a") is not None
    assert (again.problems("source-a"), again.problems("source-b")) == ((mild,), ())


def test_sides_of_other_processes_share_what_is_alike(cache: Kept) -> None:
    art, sides = cache.stores()
    drawn = draw_sides(SIDES.values(), ICONS, art)
    sent = [pickle.loads(pickle.dumps(side)) for side in drawn]
    first, second = (sides.put(source, side) for source, side in zip(SIDES, sent, strict=True))
    assert (first, second) == tuple(drawn)
    assert all(entry is art.entry(*entry) for side in (first, second) for entry in side.art)
    for side in drawn:  # and a picture that comes again is the one that is there
        for key, root in side.art:
            known = art.entry(key, root)
            art.put(*pickle.loads(pickle.dumps((key, root, art.objects([root])))))
            assert art.entry(key, root) is known
