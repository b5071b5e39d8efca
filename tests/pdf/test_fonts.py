"""Embedded fonts: what the file says, one subset, and text that comes back."""

from __future__ import annotations

import zlib
from dataclasses import replace
from io import BytesIO

import pikepdf
import pytest
import uharfbuzz as hb

from cardgen.pdf.fonts import font_facts, font_name, font_objects
from cardgen.pdf.objects import DrawingError, PdfObject, reference
from tests.for_each import for_each

from .samples import BEBAS, SANS, artwork, drawn, fonts, pdf, text

ITALIC, MONO = "IBMPlexSans-BoldItalic", "IBMPlexMono-Regular"


def by_type(objects: list[PdfObject], mark: bytes) -> PdfObject:
    (found,) = [obj for obj in objects if mark in obj.head]
    return found


def test_names_tell_fonts_apart() -> None:
    keys = ["\u5b57\u4f53-400", "\u6f22\u5b57-400", "----400", "Sans-400", "Sans 400", "Sans.20.400"]
    names = [font_name(key) for key in keys]
    assert len(set(names)) == len(keys)
    assert all(PdfObject.of(reference(name)).refs == (name,) for name in names)
    assert font_name(SANS) == "font-IBMPlexSans-Regular"


def test_a_font_that_hardly_leans(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = replace(font_facts(fonts().by_key(SANS).face), italic_angle=-1 / 65536)
    monkeypatch.setattr("cardgen.pdf.fonts.font_facts", lambda face: facts)
    head = by_type(font_objects(fonts().by_key(SANS), [5]), b"/FontDescriptor/").head
    assert b"/ItalicAngle 0/" in head  # not -1.52588e-05, which is no number in PDF


def test_facts_of_a_font_file() -> None:
    facts = font_facts(fonts().by_key(SANS).face)  # as `ttx` shows them for IBM Plex Sans 400
    assert (facts.ascent, facts.descent, facts.cap_height, facts.weight) == (1025, -275, 698, 400)
    assert (facts.italic_angle, facts.fixed_pitch, facts.flags) == (0, False, 4)
    assert facts.stem == 88


def test_flags() -> None:
    italic, mono = (font_facts(fonts().by_key(key).face) for key in (ITALIC, MONO))
    assert italic.flags == 4 | 64
    assert italic.italic_angle < 0
    assert italic.weight == 700
    assert mono.flags == 4 | 1


@for_each(
    ("key", "kind", "file"), [(SANS, b"CIDFontType2", b"FontFile2"), (BEBAS, b"CIDFontType0", b"FontFile3")]
)
def test_truetype_and_cff(key: str, kind: bytes, file: bytes) -> None:
    objects = font_objects(fonts().by_key(key), [5, 6, 7, 20])
    assert by_type(objects, b"/Subtype/" + kind + b"/")
    assert b"/" + file + b" @" in by_type(objects, b"/FontDescriptor/").head
    assert objects[-1].name == font_name(key)
    assert b"/Encoding/Identity-H" in objects[-1].head


def test_a_subset_keeps_glyph_ids_and_drops_the_rest() -> None:
    font = fonts().by_key(SANS)
    gid = font.word("g").glyphs[0][0]
    program = zlib.decompress(by_type(font_objects(font, [gid]), b"/Length1").stream or b"")
    face = hb.Face(program)
    shape = hb.Font(face)
    assert shape.get_glyph_h_advance(gid) == round(font.advance(gid) * font.upem)
    assert shape.get_glyph_extents(gid).height != 0
    assert shape.get_glyph_extents(font.word("h").glyphs[0][0]) is None
    assert len(program) < 5000


def test_widths_come_in_runs() -> None:
    font = fonts().by_key(SANS)
    head = by_type(font_objects(font, [7, 5, 6, 20]), b"/CIDFontType2").head
    widths = [round(font.advance(gid) * 1000) for gid in (0, 5, 6, 7, 20)]
    expected = "/W[0[{}]5[{} {} {}]20[{}]]/DW 0".format(*widths)
    assert expected.encode() in head


def test_the_tag_comes_from_the_content() -> None:
    font = fonts().by_key(SANS)
    names = [font_objects(font, gids)[-1].head for gids in ([5], [5], [6])]
    assert names[0] == names[1] != names[2]
    tag = names[0].partition(b"/BaseFont/")[2][:7]
    assert tag[:6].isalpha()
    assert tag[:6].isupper()
    assert tag[6:] == b"+"


def test_a_ligature_stands_for_its_letters() -> None:
    font = fonts().by_key(SANS)
    ligature = next(glyph[0] for glyph in font.word("fi").glyphs)
    cmap = zlib.decompress(font_objects(font, [ligature])[3].stream or b"")
    assert b"<%04X> <00660069>" % ligature in cmap


def test_each_font_is_embedded_once_for_all_sides() -> None:
    art = drawn(
        artwork(text("one two"), text("CAPS", font=BEBAS), key="a"),
        artwork(text("three"), key="b"),
    )
    document = pikepdf.open(BytesIO(pdf(art)))
    found = [
        obj for obj in document.objects if isinstance(obj, pikepdf.Dictionary) and "/FontDescriptor" in obj
    ]
    assert sorted(str(font.BaseFont).partition("+")[2] for font in found) == [BEBAS, SANS]
    assert all("/FontFile2" in font.FontDescriptor or "/FontFile3" in font.FontDescriptor for font in found)


def test_a_side_names_only_the_fonts_it_uses() -> None:
    art = drawn(artwork(text("one"), key="a"), artwork(text("TWO", font=BEBAS), key="b"))
    assert [obj.name for obj in art.objects(["b"]) if obj.name.startswith("font-")] == [font_name(BEBAS)]


def test_a_font_that_cannot_be_subset_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """HarfBuzz refuses damage deeper in a file than what is looked at when it is read."""

    def refuses(face: object, wanted: object) -> None:
        raise RuntimeError("Subsetting failed")

    monkeypatch.setattr(hb, "subset", refuses)
    font = fonts().by_key(SANS)
    with pytest.raises(DrawingError) as raised:
        font_objects(font, [5])
    (finding,) = raised.value.findings
    assert finding.code == "font/subset"
    assert finding.location is not None
    assert finding.location.file == "fonts/ibm-plex-sans/IBMPlexSans-Regular.ttf"
