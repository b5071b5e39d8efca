"""A font file and the words shaped with it.

HarfBuzz shapes word by word; a shaped word does not depend on its size and is kept for the life of
the font. Kerning across a space is the one thing this loses.
"""

from __future__ import annotations

import copy
import struct
import unicodedata
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import uharfbuzz as hb

from cardgen.findings import CardgenError, Finding, Severity
from cardgen.foreign import Parsing
from cardgen.model.artwork import Word
from cardgen.storage.reading import FONT, ReadingError, read_file
from cardgen.units import decimal

Direction = Literal["ltr", "rtl"]
_SPREAD = {"liga": False, "clig": False}
"""Spaced letters must not be joined (CSS Text 3 §8.2)."""
_LIGATURES = ("ff", "fi", "fl", "fj", "ft", "tt", "Th", "ffi", "ffl", "fft", "ffj")
_DROP_IGNORABLES = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES

_LEAST_OF_TABLES = {b"cmap": 4, b"head": 54, b"hhea": 36, b"hmtx": 4, b"OS/2": 78, b"post": 32}
"""Bytes of the tables that every font has; nothing is read beyond these without looking."""

_UNITS = (16, 16384)
"""Units of an em, by the OpenType specification."""

_DAMAGED = ("is damaged or not a TrueType or OpenType font", "use a .ttf or .otf file")

_USUAL = {"underline": (-0.1, 0.05), "line-through": (0.25, 0.05)}

_INVISIBLE = frozenset(
    " \t\n\r\f\v\x85\xad\u034f\u061c\u180e\ufeff"
    + "".join(map(chr, (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070))))
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Characters that need no glyph: white space that collapses, and what steers shaping and line breaks."""

MAX_WORDS = 50_000
"""Most words that a font keeps shaped: more than a game has, fewer than fill the memory."""


class FontError(CardgenError):
    """A font that is not there, not readable or not declared. Carries one finding without a place;
    the caller knows where the font was asked for."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(Finding(Severity.ERROR, code, message, None, hint))


Commands = list[tuple[str, tuple[float, ...]]]
"""Path data: M, L, Q and C with their places, and Z."""


def _pen() -> Any:
    """HarfBuzz draw functions that collect commands."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, out: out.append(("M", (x, y))))
    functions.set_line_to_func(lambda x, y, out: out.append(("L", (x, y))))
    functions.set_quadratic_to_func(lambda a, b, x, y, out: out.append(("Q", (a, b, x, y))))
    functions.set_cubic_to_func(lambda a, b, c, d, x, y, out: out.append(("C", (a, b, c, d, x, y))))
    functions.set_close_path_func(lambda out: out.append(("Z", ())))
    return functions


_PEN = _pen()


class Font:
    """One face of a family, from one file.

    All measures are em: `ascent` and `descent` (both positive) as the file states them, and, measured
    on its letters, `cap_height` and `x_height` and the reach of tall letters above (`rise`) and of
    descenders below (`depth`) the baseline. Raises FontError for a file that is not a static TrueType
    or OpenType font, or does not lie in one of the folders `within`.
    `file` is its name as findings show it.
    """

    def __init__(
        self, key: str, path: Path, name: str | None = None, within: Sequence[Path] | None = None
    ) -> None:
        shown = name or str(path)
        try:
            data = read_file(path, FONT, shown, within)
        except ReadingError as error:
            missing = error.code == "file/missing"
            hint = "check the file's name in fonts/fonts.yaml" if missing else error.hint
            code = "font/file" if missing else error.code
            raise FontError(code, f"the font file {shown} {error.reason}", hint) from None
        self.key = key
        self.path = path
        self.file = shown
        self.blob: Any = hb.Blob(data)
        self.face: Any = hb.Face(self.blob)
        damaged = FontError("font/file", f"the font file {shown} {_DAMAGED[0]}", _DAMAGED[1])
        with Parsing(lambda _: damaged, FontError):
            if problem := _problem(data, self.face):
                raise FontError("font/file", f"the font file {shown} {problem[0]}", problem[1])
            self.bars = _bars(self.face, self.face.upem)
            """Where a line that underlines letters or strikes them out lies: its middle above the
            baseline, and how thick it is, em, by its name."""
        message = f"the font file {shown} makes too many glyphs of a word"
        bomb = FontError("font/file", message, "use another font: its substitutions (GSUB) have no end")
        # HarfBuzz has a bound of its own, which uharfbuzz reports as a lack of memory.
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
        self.rulers: dict[Any, Any] = {}
        """What `rulers` keeps for the life of the font."""
        self._lacking: dict[str, str] = {}
        self._features: dict[str, bool] = {}
        self._featured: dict[str, Font] = {}
        self._direction: Direction | None = None
        self._directed: dict[Direction, Font] = {}
        self.others: Callable[[], Sequence[Font]] = tuple
        """The fonts that letters which this one lacks are taken from, the first that has them."""
        self._stand_ins: dict[str, Font] = {}

    def __repr__(self) -> str:
        return f"Font({self.key!r})"

    def advance(self, gid: int) -> float:
        """The glyph's own advance in em, without kerning (what a PDF's W array states)."""
        advance = self._advances.get(gid)
        if advance is None:
            advance = self._advances[gid] = self._font.get_glyph_h_advance(gid) / self.upem
        return advance

    def outline(self, gid: int) -> Commands:
        """The glyph's outline in units of the em, y up."""
        found = self._outlines.get(gid)
        if found is None:
            found = self._outlines[gid] = []
            self._font.draw_glyph(gid, _PEN, found)
        return found

    @cached_property
    def unicode_of(self) -> dict[int, str]:
        """The text of each glyph, for ToUnicode: a function of the file alone, so that no card's bytes
        depend on what was shaped before. Glyphs of several characters have the least of them; a
        ligature has its letters. A glyph that only a substitution reaches may be absent. Words
        which this does not give back have an `actual_text`."""
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
        """`text` shaped as one piece, with `spacing` em after each letter, the last one too."""
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
        """`text` as `word` shapes it, not kept: for one that hardly comes again, as a page's number."""
        return self._words.get(text) or self._set(text, 0.0)

    @property
    def flawed(self) -> bool:
        """Whether any text shaped so far had missing characters."""
        return bool(self._lacking)

    def directed(self, direction: Direction) -> Font:
        """The same font, whose words run in this direction whatever their letters are."""
        font = self._directed.get(direction)
        if font is None:
            _ = self.unicode_of  # which does not depend on the direction
            font = self._directed[direction] = copy.copy(self)
            font._direction = direction
            font._words, font._spaced, font._lacking, font.rulers = {}, {}, {}, {}
            font._featured = {}
        return font

    @cached_property
    def _feature_tags(self) -> frozenset[str]:
        scripts = range(len(self.face.get_table_script_tags("GSUB")))
        tags = [self.face.get_language_feature_tags("GSUB", script) for script in scripts]
        return frozenset(str(tag) for of_script in tags for tag in of_script)

    def has_feature(self, tag: str) -> bool:
        """Whether the font can set some letters otherwise, by an OpenType feature such as smcp."""
        return tag in self._feature_tags

    def featured(self, tag: str) -> Font:
        """The same font, with that feature of it turned on."""
        font = self._featured.get(tag)
        if font is None:
            _ = self.unicode_of  # of its plain letters
            font = self._featured[tag] = copy.copy(self)
            font._features = {**self._features, tag: True}
            font._words, font._spaced, font._lacking, font.rulers = {}, {}, {}, {}
            font._directed, font._featured, font._stand_ins = {}, {}, {}
        return font

    def with_others(self, others: Callable[[], Sequence[Font]]) -> Font:
        """The same font, which takes the letters that it lacks from these."""
        _ = self.unicode_of  # the same for both
        font = copy.copy(self)
        font.others, font._stand_ins, font._directed, font.rulers = others, {}, {}, {}
        font._featured = {}
        return font

    @cached_property
    def _letters(self) -> frozenset[str]:
        return frozenset(map(chr, self.face.unicodes)) | _INVISIBLE

    @cached_property
    def _has_ascii(self) -> bool:
        return self._letters.issuperset(map(chr, range(0x20, 0x7F)))

    def covers(self, text: str) -> bool:
        """Whether the font has every character of a text as it stands there; it may be able to set others,
        made of parts."""
        return (self._has_ascii and text.isascii()) or self._letters.issuperset(text)

    def stand_in(self, cluster: str) -> Font:
        """The font that sets a cluster of characters: this one, or if it can't the first of the others that
        can, or this one if none can."""
        found = self._stand_ins.get(cluster)
        if found is None:
            if len(self._stand_ins) >= MAX_WORDS:
                self._stand_ins.clear()
            fonts = (self, *self.others()) if self._lacks(cluster) else ()
            found = next((font for font in fonts if not font._lacks(cluster)), self)
            self._stand_ins[cluster] = found
        return found

    def _lacks(self, cluster: str) -> bool:
        if len(cluster) == 1 and not unicodedata.decomposition(cluster):
            return cluster not in self._letters
        return bool(self.missing(cluster))

    def missing(self, text: str) -> str:
        """The distinct characters of `text` that the font lacks, in order."""
        found: dict[str, None] = {}
        for part in text.split():
            self.word(part)
            found.update(dict.fromkeys(self._lacking.get(part, "")))
        return "".join(found)

    def _shape(self, text: str, features: dict[str, bool]) -> Any:
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
        buffer = self._shape(text, {**self._features, **_SPREAD} if spacing else self._features)
        infos, positions = buffer.glyph_infos, buffer.glyph_positions
        em = self.upem
        extra = spacing * em
        unit = 1000 / em
        own, texts = self._advances, self.unicode_of
        pen = at = 0.0  # where a PDF reader's pen stands; where the shaper's does
        raised = False
        glyphs: list[tuple[int, float, float, int]] = []
        parts = ["<"]
        said = ""
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
            said += texts.get(gid, "")
        kern = round((pen - at) * unit, 2)
        parts.append(f">{decimal(kern, 2)}" if kern else ">")
        if said != text:
            self._inspect(text, buffer)
        tj = "".join(parts).replace("<>", "")
        return Word(text, at / em, tuple(glyphs), tj, raised, None if said == text else text)

    def _inspect(self, text: str, buffer: Any) -> None:
        """Note what is wrong with a text that its glyphs do not spell: only such texts can have
        missing glyphs, which spell nothing."""
        if all(info.codepoint for info in buffer.glyph_infos):
            return
        clusters = [*sorted({info.cluster for info in buffer.glyph_infos}), len(text)]
        ends = dict(pairwise(clusters))
        lacking: dict[str, None] = {}
        for start in sorted({info.cluster for info in buffer.glyph_infos if not info.codepoint}):
            cluster = text[start : ends[start]]
            absent = [char for char in cluster if not self._has(char)]
            lacking.update(dict.fromkeys(absent or cluster))
        self._lacking[text] = "".join(lacking)

    def _has(self, char: str) -> bool:
        # Joiners and variation selectors have no glyph of their own and need none.
        return bool(self._font.get_nominal_glyph(ord(char))) or char in "\u200c\u200d\ufe0e\ufe0f"

    def _reach(self, letters: str, sign: int, otherwise: float) -> float:
        """How far the tallest (sign 1) or deepest (-1) of the letters goes, in em; `otherwise` for a
        font that has none of them."""
        edges: list[float] = []
        for letter in letters:
            gid = self._font.get_nominal_glyph(ord(letter))
            extents = self._font.get_glyph_extents(gid) if gid else None
            if extents is not None:
                edges.append(extents.y_bearing if sign > 0 else -(extents.y_bearing + extents.height))
        return max(0.0, *edges) / self.upem if edges else otherwise


def web_font(data: bytes) -> tuple[str, str] | None:
    """Describe a web font, and the way to a file that is none. None for any other file."""
    kind = {b"wOFF": "WOFF", b"wOF2": "WOFF2"}.get(data[:4])
    if kind is None:
        return None
    unpack = f"fonttools ttLib -o FONT.ttf FONT.{kind.lower()}"
    hint = f"get the .ttf or .otf file, or unpack this one: pip install fonttools brotli && {unpack}"
    return f"is a web font ({kind}), which cardgen does not read", hint


def _problem(data: bytes, face: Any) -> tuple[str, str] | None:
    """Why the file cannot be used, and what to do, or None."""
    if web := web_font(data):
        return web
    if face.count > 1:
        return "is a collection of fonts", "take one face of it: cardgen font add FILE --face N"
    # The table directory: from byte 12, 16 bytes a table, of which the first 4 are its name and the last
    # 8 offset and length. HarfBuzz takes any bytes for a name.
    (count,) = struct.unpack_from(">H", data, 4) if len(data) >= 12 else (0,)
    entries = list(struct.iter_unpack(">4s4xII", data[12 : 12 + 16 * count][: (len(data) - 12) // 16 * 16]))
    lengths = {name: length for name, _, length in entries}
    lacking = any(lengths.get(name, 0) < least for name, least in _LEAST_OF_TABLES.items())
    if not face.glyph_count or lacking or not {b"glyf", b"CFF "} & lengths.keys():
        return _DAMAGED
    if len(entries) < count or any(offset + length > len(data) for _, offset, length in entries):
        return "is damaged: it ends too early", "get the file again"
    (units,) = struct.unpack_from(">H", face.reference_table("head").data, 18)
    if not _UNITS[0] <= units <= _UNITS[1]:
        return f"is damaged: it counts {units} units to the em", "get the file again"
    if face.has_var_data:
        return "is a variable font", "take one weight of it: cardgen font add FILE --weight N"
    return None


def _bars(face: Any, upem: int) -> dict[str, tuple[float, float]]:
    """By the tables `post` and `OS/2` of OpenType; a font that says nothing has the usual."""
    (under, thickness) = struct.unpack_from(">hh", face.reference_table("post").data, 8)
    (strike, middle) = struct.unpack_from(">hh", face.reference_table("OS/2").data, 26)
    places = {"underline": (under, thickness), "line-through": (middle - strike / 2, strike)}
    return {
        name: (place / upem, width / upem) if 0 < width <= upem / 4 and abs(place) < upem else _USUAL[name]
        for name, (place, width) in places.items()
    }
