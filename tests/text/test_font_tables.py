"""Font files without some of their tables, or with damaged ones: used, or refused by the table's name."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from cardgen.pdf.fonts import font_facts, font_objects
from cardgen.text.font_files import read_face
from cardgen.text.shaping import Font, FontError
from tests.for_each import for_each
from tests.text.color_fonts import changed, plain, saved
from tests.wording import Wording


def without(*tags: str) -> Callable[[TTFont], None]:
    def change(font: TTFont) -> None:
        for tag in tags:
            del font[tag]

    return change


def boxes(change: Callable[[TTFont], object] = lambda font: None, **said: str) -> bytes:
    return changed(saved(plain("AxH", **said)), change)


def loaded(tmp_path: Path, data: bytes) -> Font:
    (tmp_path / "a.ttf").write_bytes(data)
    return Font("a", tmp_path / "a.ttf", "fonts/a.ttf")


@for_each("tags", [["OS/2"], ["name"], ["post"], ["OS/2", "name", "post"]])
def test_font_without_an_optional_table_is_set_and_drawn(tags: list[str], tmp_path: Path) -> None:
    data = boxes(without(*tags))
    font = loaded(tmp_path, data)
    assert font.missing("AxH") == ""
    assert (font.ascent, font.descent) == (0.8, 0.2)
    assert (font.cap_height, font.x_height) == (0.7, 0.5)
    assert set(font.bars) == {"underline", "line-through"}
    assert font_facts(font.face).weight == 400
    assert font_objects(font, font.word("Ax").gids)
    face = read_face(data, "Old Box.ttf")
    assert (face.weight, face.italic) == (400, False)
    assert face.family == ("Old Box" if "name" in tags else "Color Box")


def test_font_without_weights_is_bold_where_its_head_tells(tmp_path: Path) -> None:
    def bold(font: TTFont) -> None:
        del font["OS/2"]
        font["head"].macStyle = 3

    data = boxes(bold)
    face = read_face(data, "a.ttf")
    assert (face.weight, face.italic) == (700, True)
    assert font_facts(loaded(tmp_path, data).face).weight == 700


@for_each(("stated", "weight"), [(4, 400), (7, 700), (1, 100), (9, 900), (0, 400), (250, 250), (2000, 400)])
def test_weight_of_an_old_font_counts_hundreds(stated: int, weight: int, tmp_path: Path) -> None:
    data = boxes(lambda font: setattr(font["OS/2"], "usWeightClass", stated))
    assert read_face(data, "a.ttf").weight == weight
    assert font_facts(loaded(tmp_path, data).face).weight == weight


@for_each("tag", ["head", "hhea", "maxp", "hmtx", "cmap", "glyf", "loca"])
def test_missing_table_that_every_font_needs_is_named(tag: str, tmp_path: Path) -> None:
    whole = boxes()
    entry = whole.index(tag.encode(), 12)
    data = whole[:entry] + b"zzzz" + whole[entry + 4 :]
    for read in (lambda: loaded(tmp_path, data), lambda: read_face(data, "fonts/a.ttf")):
        with pytest.raises(FontError, match=rf"the font file fonts/a\.ttf .*\btable {tag}\b"):
            read()


@for_each("tag", ["head", "hhea", "maxp", "cmap"])
def test_table_that_is_cut_short_is_named(tag: str, tmp_path: Path) -> None:
    data = bytearray(boxes())
    struct.pack_into(">I", data, data.index(tag.encode(), 12) + 12, 2)
    for read in (lambda: loaded(tmp_path, bytes(data)), lambda: read_face(bytes(data), "fonts/a.ttf")):
        with pytest.raises(FontError, match=rf"fonts/a\.ttf .*\btable {tag}\b"):
            read()


@for_each("tag", ["glyf", "name", "GSUB"])
def test_table_beyond_the_end_of_the_file_is_named(tag: str, tmp_path: Path, wording: Wording) -> None:
    data = bytearray(boxes())
    entry = data.index(tag.encode() if tag != "GSUB" else b"post", 12)
    data[entry : entry + 4] = tag.encode()
    struct.pack_into(">I", data, entry + 8, len(data))
    with pytest.raises(FontError) as caught:
        loaded(tmp_path, bytes(data))
    wording(caught.value)


def test_damaged_optional_table_is_named(wording: Wording) -> None:
    data = bytearray(boxes())
    struct.pack_into(">I", data, data.index(b"OS/2", 12) + 12, 20)
    with pytest.raises(FontError) as caught:
        read_face(bytes(data), "a.ttf")
    wording(caught.value)


@for_each(
    ("start", "what"),
    [(b"wOF2", "web font"), (b"wOFF", "web font"), (b"\x80\x01", "Type 1"), (b"%!PS", "Type 1")],
)
def test_font_of_another_format_is_named(start: bytes, what: str, tmp_path: Path) -> None:
    data = start + bytes(200)
    for read in (lambda: loaded(tmp_path, data), lambda: read_face(data, "fonts/a.ttf")):
        with pytest.raises(FontError, match=what):
            read()


def test_font_whose_letters_are_all_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FontError) as raised:
        loaded(tmp_path, saved(plain("", blank="AxH")))
    assert [each.code for each in raised.value.findings] == ["font/blank"]
