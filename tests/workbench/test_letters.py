"""Fonts that are cut for more sides than one."""

from __future__ import annotations

from typing import Any

from cardgen.commands.production.fonts import fontbook
from cardgen.pdf.fonts import font_objects
from cardgen.text.fonts import FontBook
from cardgen.workbench import studio as letters
from cardgen.workbench.studio import Letters
from tests.shipped import PROJECT


def test_a_font_is_cut_again_only_for_letters_that_it_lacks() -> None:
    font, known = _any_font(fontbook(PROJECT.paths)), Letters()
    first = known.objects(font, {3, 4, 5})
    assert first == font_objects(font, {3, 4, 5})
    assert known.objects(font, {4}) is first
    more = known.objects(font, {4, 9})
    assert more == font_objects(font, {3, 4, 5, 9})
    assert known.objects(font, {3}) is more


def test_a_font_that_was_exchanged_is_cut_anew() -> None:
    known = Letters()
    paths = PROJECT.paths
    first = known.objects(_any_font(FontBook(paths)), {3, 4, 5})
    second = known.objects(_any_font(FontBook(paths)), {4})
    assert second is not first
    assert second == font_objects(_any_font(FontBook(paths)), {4})


def test_a_font_of_very_many_letters_is_cut_for_each_side() -> None:
    font, known = _any_font(fontbook(PROJECT.paths)), Letters()
    known.objects(font, set(range(letters.MOST_GLYPHS)))
    assert known.objects(font, {7000}) == font_objects(font, {7000})


def _any_font(book: FontBook) -> Any:
    """A font of many letters."""
    return book.face("IBM Plex Sans")
