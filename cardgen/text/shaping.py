"""Read a font file and shape words with it.

HarfBuzz shapes word by word; a shaped word doesn't depend on its size and is kept as long as the font. Only
kerning across spaces is lost.
"""

from __future__ import annotations

import copy
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from pathlib import Path
from shlex import quote
from typing import Any, Literal, NamedTuple

import uharfbuzz as hb

from cardgen.core.artwork import Word
from cardgen.core.findings import CardgenError, Finding, Parsing, Severity
from cardgen.core.geometry import decimal
from cardgen.files.reading import FONT, ReadingError, read_file
from cardgen.text.color_glyphs import PEN, Commands, GlyphPicture, glyph_picture, is_colored

Direction = Literal["ltr", "rtl"]
_SPREAD = {"liga": 0, "clig": 0}
"""Spaced letters must not be joined (CSS Text 3 §8.2)."""
_ONE_HEIGHT = 0.06
"""Largest difference in em between figures of one height: round ones are a bit taller than flat ones."""
_LIGATURES = ("ff", "fi", "fl", "fj", "ft", "tt", "Th", "ffi", "ffl", "fft", "ffj")
_DAMAGED = ("is damaged or not a TrueType or OpenType font", "use a .ttf or .otf file")
_DROP_IGNORABLES = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES

_INVISIBLE = frozenset(
    " \t\n\r\f\v\x85\xad\u034f\u061c\u180e\ufeff"
    + "".join(map(chr, (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070))))
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Characters that need no glyph: white space that collapses, and controls of shaping and line breaks."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\u17b4\u17b5\U0001d159\U00016fe4")
"""Letters and signs that are blank by nature, besides white space and text controls."""
_SPACES = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf"))
_MOST_TRIED = 300
"""Most letters of a font that are tested until one is drawn."""

MAX_WORDS = 50_000
"""Most shaped words kept by a font: more than in a game, too few to fill the memory."""


class FontError(CardgenError):
    """A missing, unreadable or undeclared font. The error has one finding without a place, which the caller
    adds."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(Finding(Severity.ERROR, code, message, None, hint))


class Font:
    """One face of a family, from one file.

    All measures are em: `ascent` and `descent` (both positive) from the file and, measured on its letters,
    `cap_height` and `x_height` and the extent of tall letters above (`rise`) and of descenders below
    (`depth`) the baseline. Raises FontError for a file that is not a static TrueType or OpenType font, or
    is not in one of the folders `within`. `file` is its name in findings.
    """

    def __init__(
        self, key: str, path: Path, name: str | None = None, within: Sequence[Path] | None = None
    ) -> None:
        title = name or str(path)
        try:
            data = read_file(path, FONT, title, within)
        except ReadingError as error:
            missing = error.code == "file/missing"
            hint = "check the file's name in fonts/fonts.yaml" if missing else error.hint
            code = "font/file" if missing else error.code
            raise FontError(code, f"the font file {title} {error.reason}", hint) from None
        self.key = key
        self.path = path
        self.file = title
        self.blob: Any = hb.Blob(data)
        self.face: Any = hb.Face(self.blob)
        damaged = FontError("font/file", f"the font file {title} {_DAMAGED[0]}", _DAMAGED[1])
        with Parsing(lambda _: damaged, FontError):
            if problem := problem_of(data, self.face):
                hint = problem.hint.replace("FILE", quote(title))
                raise FontError("font/file", f"the font file {title} {problem.what}", hint)
            self.bars = bars_of(self.face)
            """The positions of lines under and through letters: their middle above the baseline, and their
            thickness, em, by name."""
        message = f"the font file {title} makes too many glyphs for one word"
        bomb = FontError("font/file", message, "use another font; its substitutions (GSUB) never end")
        # HarfBuzz has a limit of its own, which uharfbuzz reports as a lack of memory.
        self._shaping = Parsing(lambda _: bomb, is_bounded=True)
        self._font: Any = hb.Font(self.face)
        self.upem: int = self.face.upem
        extents = self._font.get_font_extents("ltr")
        self.ascent: float = extents.ascender / self.upem
        self.descent: float = -extents.descender / self.upem
        self.rise: float = self._reach("bdfhklHEX", 1, self.ascent)
        self.depth: float = self._reach("gjpqyQ", -1, self.descent)
        self.cap_height: float = self._reach("H", 1, self.rise)
        self.x_height: float = self._reach("x", 1, self.cap_height)
        self._words: dict[str, Word] = {}
        self._spaced: dict[tuple[str, float], Word] = {}
        self._advances: dict[int, float] = {}
        self._outlines: dict[int, Commands] = {}
        self._lacking: dict[str, str] = {}
        self._drawn: dict[str, bool] = {}
        self._plain: set[str] = set()
        """Characters that the font sets in one color, as far as requested."""
        self._pictures: dict[int, GlyphPicture | str | None] = {}
        self.is_colored = any(
            (self.face.has_color_layers, self.face.has_color_paint, self.face.has_color_svg)
        )
        """True if the font has multicolor letters."""
        self.is_painted = False
        """True if words are set as pictures of their letters, in the letters' own colors."""
        if not self._draws_letters():
            table = self._bitmaps
            how = f"has only bitmap letters (table {table})" if table else "contains no letter shapes"
            raise FontError(
                "font/blank", f"the font file {title} {how}", NO_PIXELS if table else "get another font"
            )
        self._features: dict[str, int] = {}
        self._direction: Direction | None = None
        self._variants: dict[object, Font] = {}
        self.others: Callable[[], Sequence[Font]] = tuple
        """The fonts for missing letters; the first one with a letter is used."""
        self._stand_ins: dict[str, Font] = {}

    def __repr__(self) -> str:
        return f"Font({self.key!r})"

    def advance(self, gid: int) -> float:
        """Return the glyph's own advance in em, without kerning (the value in a PDF's W array)."""
        advance = self._advances.get(gid)
        if advance is None:
            advance = self._advances[gid] = self._font.get_glyph_h_advance(gid) / self.upem
        return advance

    def outline(self, gid: int) -> Commands:
        """Return the glyph's outline in units of the em, y up."""
        found = self._outlines.get(gid)
        if found is None:
            found = self._outlines[gid] = []
            self._font.draw_glyph(gid, PEN, found)
        return found

    @cached_property
    def unicode_of(self) -> dict[int, str]:
        """Return the text of each glyph, for ToUnicode. It depends on the file alone, so that a card's
        bytes don't depend on words shaped before. Glyphs of several characters have the least of them; a
        ligature has its letters. A glyph that is only reached by substitution may be missing. Words that
        this doesn't restore have an `actual_text`."""
        texts: dict[int, str] = {}
        for code in sorted(self.face.unicodes):
            gid = self._font.get_nominal_glyph(code)
            if gid and gid not in texts:
                text = chr(code)
                texts[gid] = unicodedata.normalize("NFKC", text) if 0xFB00 <= code <= 0xFB4F else text
        for text in _LIGATURES:
            infos = self._shape(text, {}).glyph_infos
            if len(infos) == 1 and infos[0].codepoint:
                texts.setdefault(infos[0].codepoint, text)
        return texts

    def word(self, text: str, spacing: float = 0.0) -> Word:
        """Return `text` shaped as one piece, with `spacing` em after each letter, including the last."""
        if not spacing:
            word = self._words.get(text)
            if word is None:
                if len(self._words) >= MAX_WORDS:
                    self._words.clear()
                word = self._words[text] = self._set(text, 0.0)
            return word
        word = self._spaced.get((text, spacing))
        if word is None:
            word = self._spaced[text, spacing] = self._set(text, spacing)
        return word

    def passing(self, text: str) -> Word:
        """Return `text` as `word` shapes it, but don't keep it: for rare texts, such as page numbers."""
        return self._words.get(text) or self._set(text, 0.0)

    @property
    def postscript_name(self) -> str:
        """Return its name of ID 6, as in drawing programs; "" if the file has none."""
        return str(self.face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or "")

    @property
    def flawed(self) -> bool:
        """Return True if any text shaped so far had missing characters."""
        return bool(self._lacking)

    def _variant(self, key: object, **changes: Any) -> Font:
        """Return a copy of the font with some attributes changed, the same for the same key."""
        font = self._variants.get(key)
        if font is None:
            _ = self.unicode_of  # of its plain letters, which all variants have
            font = self._variants[key] = copy.copy(self)
            font._words, font._spaced, font._lacking = {}, {}, {}
            font._variants, font._stand_ins = {}, {}
            vars(font).update(changes)
        return font

    def directed(self, direction: Direction) -> Font:
        """Return a copy of the font that sets words with any letters in this direction."""
        return self._variant(direction, _direction=direction)

    @cached_property
    def feature_tags(self) -> frozenset[str]:
        """Return the tags of the OpenType features that the font has for any script."""
        return frozenset(
            str(tag)
            for table in ("GSUB", "GPOS")
            for script in range(len(self.face.get_table_script_tags(table)))
            for tag in self.face.get_language_feature_tags(table, script)
        )

    def has_figures(self, tag: str) -> bool:
        """Return True if the font's figures are by nature as this feature would make them: of one width
        (tnum) or not (pnum), of one height (lnum) or not (onum)."""
        gids = [gid for digit in "0123456789" if (gid := self._font.get_nominal_glyph(ord(digit)))]
        if tag in ("tnum", "pnum"):
            return (len(set(map(self.advance, gids))) < 2) == (tag == "tnum")
        extents = [each for gid in gids if (each := self._font.get_glyph_extents(gid)) is not None]
        heights = [each.height for each in extents]
        even = not heights or max(heights) - min(heights) < _ONE_HEIGHT * self.upem
        return tag in ("lnum", "onum") and even == (tag == "lnum")

    def featured(self, features: Mapping[str, int]) -> Font:
        """Return a copy of the font with these features: 0 turns one off, 1 on, more chooses a form."""
        if not features:
            return self
        return self._variant(tuple(features.items()), _features={**self._features, **features})

    def with_others(self, others: Callable[[], Sequence[Font]]) -> Font:
        """Return a copy of the font that takes missing letters from these."""
        return self._variant(others, others=others)

    @property
    def painted(self) -> Font:
        """Return a copy of the font that sets words as pictures of its letters."""
        return self._variant("painted", is_painted=True)

    def picture(self, gid: int) -> GlyphPicture | None:
        """Return the picture of a glyph in its colors, or in the text's; None if it draws nothing."""
        found = self._picture(gid)
        return None if isinstance(found, str) else found

    def _picture(self, gid: int) -> GlyphPicture | str | None:
        if gid not in self._pictures:
            reach = (max(self.ascent, self.rise), max(self.descent, self.depth))
            self._pictures[gid] = glyph_picture(self._font, gid, reach)
        return self._pictures[gid]

    def _draws(self, char: str) -> bool:
        """Return True if the font has a character and, if it is visible, draws it."""
        drawn = self._drawn.get(char)
        if drawn is None:
            gid = self._font.get_nominal_glyph(ord(char))
            drawn = char in _INVISIBLE or (gid and (_is_blank(char) or self._has_ink(gid)))
            self._drawn[char] = drawn = bool(drawn)
        return drawn

    def _has_ink(self, gid: int) -> bool:
        if self._colors(gid):
            return self.picture(gid) is not None
        if self._bitmaps is not None:
            return bool(self.outline(gid))  # the extents are those of the pixels
        extents = self._font.get_glyph_extents(gid)
        return extents is not None and bool(extents.width or extents.height)

    def _colors(self, gid: int) -> bool:
        return self.is_colored and is_colored(self.face, gid)

    @property
    def _bitmaps(self) -> str | None:
        """Return the table with letters as pixels."""
        return next((tag for tag in BITMAPS if len(self.face.reference_table(tag))), None)

    def _draws_letters(self) -> bool:
        letters = (char for char in map(chr, self.face.unicodes) if not _is_blank(char))
        tried = list(islice(letters, _MOST_TRIED))
        return not tried or any(map(self._draws, tried))

    @cached_property
    def _has_ascii(self) -> bool:
        return self._sets_in_one_color(map(chr, range(0x20, 0x7F)))

    def _sets_in_one_color(self, chars: Iterable[str]) -> bool:
        for char in chars:
            if char not in self._plain:
                gid = self._font.get_nominal_glyph(ord(char)) if self.is_colored else None
                if not self._draws(char) or (gid and self._colors(gid)):
                    return False
                self._plain.add(char)
        return True

    def covers(self, text: str) -> bool:
        """Return True if the font has every character of a text, encoded and in one color; others may be
        composed from parts."""
        return (
            (self._has_ascii and text.isascii())
            or self._plain.issuperset(text)
            or self._sets_in_one_color(set(text))
        )

    def stand_in(self, cluster: str) -> Font:
        """Return the font for a cluster of characters: this one, or else the first of the others that has
        it, or this one if none has."""
        found = self._stand_ins.get(cluster)
        if found is None:
            if len(self._stand_ins) >= MAX_WORDS:
                self._stand_ins.clear()
            fonts = (self, *self.others()) if self._lacks(cluster) else ()
            found = next((font for font in fonts if not font._lacks(cluster)), self)
            if found.is_colored and any(map(found._colors, found.word(cluster).gids)):
                found = found.painted
            self._stand_ins[cluster] = found
        return found

    def _lacks(self, cluster: str) -> bool:
        if len(cluster) == 1 and not unicodedata.decomposition(cluster):
            return not self._draws(cluster)
        return bool(self.missing(cluster))

    def missing(self, text: str) -> str:
        """Return the distinct characters of `text` that the font lacks, in order."""
        found: dict[str, None] = {}
        for part in text.split():
            self.word(part)
            found.update(dict.fromkeys(self._lacking.get(part, "")))
        return "".join(found)

    def _shape(self, text: str, features: dict[str, int]) -> Any:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        if self._direction is not None:
            buffer.direction = self._direction
        buffer.flags = _DROP_IGNORABLES
        with self._shaping:
            hb.shape(self._font, buffer, features)
        return buffer

    def _set(self, text: str, spacing: float) -> Word:
        buffer = self._shape(text, {**_SPREAD, **self._features} if spacing else self._features)
        infos, positions = buffer.glyph_infos, buffer.glyph_positions
        em = self.upem
        extra = spacing * em
        unit = 1000 / em
        own, texts = self._advances, self.unicode_of
        pen = at = 0.0  # the pen of a PDF reader, and that of the shaper
        raised = False
        glyphs: list[tuple[int, float, float, int]] = []
        parts = ["<"]
        restored = ""
        last = len(infos) - 1
        for index, info in enumerate(infos):
            gid, cluster = info.codepoint, info.cluster
            dx, dy, step, _ = positions[index].position
            x = at + dx
            if x != pen:
                kern = round((pen - x) * unit, 2)
                if kern:
                    parts.append(f">{decimal(kern, 2)}<")
                    pen -= kern / unit
            parts.append(f"{gid:04X}")
            advance = own.get(gid)
            pen += (self.advance(gid) if advance is None else advance) * em
            glyphs.append((gid, x / em, dy / em, cluster))
            at += step
            if dy:
                raised = True
            if extra and (index == last or infos[index + 1].cluster != cluster):
                at += extra
            restored += texts.get(gid, "")
        kern = round((pen - at) * unit, 2)
        parts.append(f">{decimal(kern, 2)}" if kern else ">")
        if restored != text or not self.covers(text):
            self._inspect(text, buffer)
        tj = "".join(parts).replace("<>", "")
        return Word(text, at / em, tuple(glyphs), tj, raised, None if restored == text else text)

    def _inspect(self, text: str, buffer: Any) -> None:
        """Note the characters of a text without a glyph, or with one that draws nothing."""
        infos = buffer.glyph_infos
        gids = {info.codepoint for info in infos}
        undrawn: dict[str, None] = {}
        if 0 in gids:
            clusters = [*sorted({info.cluster for info in infos}), len(text)]
            ends = dict(pairwise(clusters))
            for start in sorted({info.cluster for info in infos if not info.codepoint}):
                cluster = text[start : ends[start]]
                absent = [char for char in cluster if not self._has(char)]
                undrawn.update(dict.fromkeys(absent or cluster))
        # If other letters replace it, a character's own glyph doesn't matter.
        for char in text:
            if not self._draws(char) and self._font.get_nominal_glyph(ord(char)) in gids - {0}:
                undrawn[char] = None
        if undrawn:
            self._lacking[text] = "".join(undrawn)

    def lack(self, chars: str) -> str:
        """Return the end of a sentence on what the font has instead of `missing` characters."""
        gids = {char: self._font.get_nominal_glyph(ord(char)) for char in chars}
        parts = []
        absent = [char for char in chars if not gids[char]]
        if absent:
            parts.append(f"has no {_listed(absent)}")
        blank = [char for char in chars if gids[char]]
        if blank:
            reasons = [self._picture(gids[char] or 0) for char in blank if self._colors(gids[char] or 0)]
            why = next((f": {reason}" for reason in reasons if isinstance(reason, str)), "")
            if not why and (table := self._bitmaps) is not None:
                why = f": it has only bitmaps (table {table})"
            parts.append(f"draws nothing for {_listed(blank)}{why}")
        return " and ".join(parts)

    def _has(self, char: str) -> bool:
        # Joiners and variation selectors have no glyph and need none.
        return bool(self._font.get_nominal_glyph(ord(char))) or char in "\u200c\u200d\ufe0e\ufe0f"

    def _reach(self, letters: str, sign: int, otherwise: float) -> float:
        """Return the extent of the tallest (sign 1) or deepest (-1) of the letters, in em; `otherwise` for
        a font without them."""
        edges: list[float] = []
        for letter in letters:
            gid = self._font.get_nominal_glyph(ord(letter))
            extents = self._font.get_glyph_extents(gid) if gid else None
            if extents is not None:
                edges.append(extents.y_bearing if sign > 0 else -(extents.y_bearing + extents.height))
        return max(0.0, *edges) / self.upem if edges else otherwise


def glyph_name(key: str, gid: int) -> str:
    """Return the name of a letter's picture among the icons: files of icons have no period in their
    names."""
    return f"{key}.{gid}"


def web_font(data: bytes) -> tuple[str, str] | None:
    """Return a description of a web font, and how to convert it. None for any other file."""
    kind = {b"wOFF": "WOFF", b"wOF2": "WOFF2"}.get(data[:4])
    if kind is None:
        return None
    hint = "get the .ttf or .otf file from its maker, or convert this one with a font converter"
    return f"is a web font ({kind}), which cardgen doesn't support", hint


def _listed(chars: Sequence[str]) -> str:
    return " ".join(f"'{char}' (U+{ord(char):04X})" for char in chars)


@lru_cache(maxsize=8192)
def _is_blank(char: str) -> bool:
    """Return True if a character draws nothing by nature: white space, and text controls."""
    return char in _BLANK or char in _INVISIBLE or unicodedata.category(char) in _SPACES


_LEAST = {"head": 54, "maxp": 6, "hhea": 36, "hmtx": 4, "cmap": 4}
"""Minimum bytes of the tables that every font has; reading beyond them is checked. `name`, `OS/2` and
`post` may be missing."""
_OS2, _POST = 68, 32
"""Bytes of the tables `OS/2` and `post` in their first versions."""
_UNITS = (16, 16384)
"""Units of an em, by the OpenType specification."""
_USUAL = {"underline": (-0.1, 0.05), "line-through": (0.25, 0.05)}
_SFNT = (b"\0\1\0\0", b"OTTO", b"true")
_OTHERS = {
    b"wOFF": "is a web font (WOFF)",
    b"wOF2": "is a web font (WOFF 2)",
    b"\x80\x01": "is a Type 1 font",
    b"%!": "is a Type 1 font",
}
BITMAPS = ("CBDT", "EBDT", "sbix")
"""The tables with letters as pixels."""
NO_PIXELS = "use a font whose letters are outlines, such as a COLR version of it"
_NO_FONT = "is damaged or not a TrueType or OpenType font"
_AGAIN = "get the file again"
_USE = "use a .ttf or .otf file"


class Refusal(NamedTuple):
    """The reason why a font file can't be used, as the end of a sentence, and a fix. A variable font needs
    one weight."""

    what: str
    hint: str
    is_variable: bool = False


def problem_of(data: bytes, face: Any) -> Refusal | None:
    """Return the reason why the file of an hb.Face can't be used; None if it can."""
    found = _problem(data, face)
    if found is not None:
        return Refusal(*found)
    if face.has_var_data:
        return Refusal("is a variable font", "extract one weight: cardgen font add FILE --weight 400", True)
    return None


def _problem(data: bytes, face: Any) -> tuple[str, str] | None:
    if face.count > 1:
        return "is a font collection", "extract one face: cardgen font add FILE --face 1"
    if data[:4] not in _SFNT:
        other = next((what for start, what in _OTHERS.items() if data.startswith(start)), None)
        return other or _NO_FONT, _USE
    # The table directory: from byte 12, 16 bytes a table: the first 4 are its name, the last 8 offset and
    # length. HarfBuzz accepts any bytes as a name.
    (count,) = struct.unpack_from(">H", data, 4) if len(data) >= 12 else (0,)
    entries = list(struct.iter_unpack(">4s4xII", data[12 : 12 + 16 * count][: (len(data) - 12) // 16 * 16]))
    if not count:
        return _NO_FONT, _USE
    if len(entries) < count:
        return "is damaged: its list of tables ends too early", _AGAIN
    lengths = {name.decode("latin-1"): length for name, _, length in entries}
    short = [name for name, offset, length in entries if offset + length > len(data)]
    if short:
        return f"is damaged: its table {_table_name(short[0])} ends after the file", _AGAIN
    for name, least in _LEAST.items():
        if name not in lengths:
            return f"has no table {name}, which every font needs", _USE
        if lengths[name] < least:
            return f"is damaged: its table {name} is too short", _AGAIN
    if not {"glyf", "CFF "} & lengths.keys():
        pixels = next((name for name in BITMAPS if name in lengths), None)
        if pixels is not None:
            return f"has only bitmap letters (table {pixels})", NO_PIXELS
        if "CFF2" in lengths:
            return "is a variable font (table CFF2)", "get the file of one weight"
        return "has no outlines (table glyf or CFF)", _USE
    if "glyf" in lengths and "loca" not in lengths:
        return "has no table loca, which locates its outlines", _AGAIN
    if not face.glyph_count:
        return "is damaged: its table maxp counts no glyphs", _AGAIN
    (units,) = struct.unpack_from(">H", face.reference_table("head").data, 18)
    if not _UNITS[0] <= units <= _UNITS[1]:
        return f"is damaged: it counts {units} units to the em (table head)", _AGAIN
    if not len(face.unicodes):
        return "has no letters in its table cmap", "get another font"
    return None


def bars_of(face: Any) -> dict[str, tuple[float, float]]:
    """Return the positions and thicknesses of lines along letters, em, by name: from the tables `post` and
    `OS/2`, or the usual values if they are missing or empty."""
    places = dict(_bars_in_file(face))
    upem = face.upem
    return {
        name: (places[name][0] / upem, places[name][1] / upem)
        if name in places and 0 < places[name][1] <= upem / 4 and abs(places[name][0]) < upem
        else usual
        for name, usual in _USUAL.items()
    }


def _bars_in_file(face: Any) -> Iterator[tuple[str, tuple[float, float]]]:
    post, os2 = (bytes(face.reference_table(tag).data or b"") for tag in ("post", "OS/2"))
    if len(post) >= _POST:
        under, thickness = struct.unpack_from(">hh", post, 8)
        yield "underline", (under, thickness)
    if len(os2) >= _OS2:
        strike, middle = struct.unpack_from(">hh", os2, 26)
        yield "line-through", (middle - strike / 2, strike)


def _table_name(name: bytes) -> str:
    return name.decode("latin-1").strip() if name.isascii() and name.isalnum() else repr(name)
