"""Sides kept between builds: the same bytes with and without them, and none that is out of date."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardgen.drawing import ArtStore, DrawingError, DrawnArt, SideStore, draw
from cardgen.drawing.store import KEEP
from cardgen.model.artwork import Artwork, Group, IconRun, Rendering
from cardgen.storage.cache import Cache

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

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stores(self, made_with: str | None = "now") -> tuple[ArtStore, SideStore]:
        art = ArtStore(Cache("art", "", self.folder), "game")
        return art, SideStore(Cache("sides", "", self.folder), made_with, art, "game")

    def file(self, kind: str) -> Path:
        path = Cache(kind, "", self.folder).path("game")
        assert path is not None
        return path

    def build(self, *sources: str, made_with: str | None = "now") -> tuple[DrawnArt, int]:
        """The drawn sides, and how many were laid out anew."""
        art, sides = self.stores(made_with)
        artworks: dict[str, Artwork] = {}
        new: dict[str, str] = {}
        for source in sources:
            kept = sides.get(source)
            made = SIDES[source] if kept is None else kept
            artworks[made.key] = made
            if kept is None:
                new[source] = made.key
        result = draw(Rendering((), artworks, ICONS, new), fonts(), art, sides=sides)
        art.save()
        sides.save()
        return result, len(new)


@pytest.fixture
def cache(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


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


def test_a_kept_artwork_tells_its_measures_and_has_no_items(cache: Kept) -> None:
    cache.build("source-a")
    kept = cache.stores()[1].get("source-a")
    assert kept == replace(SIDES["source-a"], items=())


@pytest.mark.parametrize("made_with", ["later", None])
def test_sides_made_with_anything_else_do_not_count(cache: Kept, made_with: str | None) -> None:
    cache.build("source-a")
    assert cache.build("source-a", made_with=made_with)[1] == 1


def test_a_state_that_can_t_be_told_is_not_kept(cache: Kept) -> None:
    cache.build("source-a", made_with=None)
    assert not cache.file("sides").exists()


def test_a_side_is_drawn_anew_where_its_pictures_are_gone(cache: Kept) -> None:
    expected, _ = cache.build("source-b")
    cache.file("art").unlink()
    again, new = cache.build("source-b")
    assert new == 1
    assert pdf(again) == pdf(expected)


def test_a_damaged_file_is_as_if_it_were_not_there(cache: Kept) -> None:
    expected, _ = cache.build("source-a", "source-b")
    path = cache.file("sides")
    whole = path.read_bytes()
    places = [0, 20, 60, len(whole) // 2, len(whole) - 1]
    for damaged in [b"", whole[:30], whole[:-1], *(_flipped(whole, place) for place in places)]:
        path.write_bytes(damaged)
        again, new = cache.build("source-a", "source-b")
        assert new == 2
        assert pdf(again) == pdf(expected)
        assert path.read_bytes() == whole


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_a_side_that_no_build_uses_is_dropped_in_the_end(cache: Kept) -> None:
    cache.build("source-a", "source-b")
    for turn in range(KEEP):
        assert cache.stores()[1].get("source-b") is not None
        _, sides = cache.stores()
        assert sides.get("source-a") is not None
        drawn = sides.drawn("a")
        assert drawn is not None
        sides.put(f"new-{turn}", "a", drawn)
        sides.save()
    assert cache.stores()[1].get("source-b") is None
    assert cache.stores()[1].get("source-a") is not None


def test_only_sides_that_were_asked_for_are_taken(cache: Kept) -> None:
    """An artwork of the same key may look different once anything else has changed."""
    cache.build("source-a")
    _, sides = cache.stores()
    assert sides.drawn("a") is None
    sides.get("source-a")
    assert sides.drawn("a") is not None


def test_another_cairo_than_the_kept_pictures_is_said_once(cache: Kept) -> None:
    cache.build("source-a")
    art, sides = cache.stores()
    art.drawn_by = ["0.1", None, 0, 0]
    kept = sides.get("source-a")
    assert kept is not None
    rendering = Rendering((), {"a": kept, "b": SIDES["source-b"]}, ICONS)
    with pytest.raises(DrawingError) as raised:
        draw(rendering, fonts(), art, sides=sides)
    assert [finding.code for finding in raised.value.findings] == ["cairo/changed"]
    art.save()
    assert cache.build("source-a", "source-b")[1] == 2
