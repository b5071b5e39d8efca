"""Fonts as PDF objects, and a side as PDF operators."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Protocol

import uharfbuzz as hb

from cardgen.core.artwork import (
    Artwork,
    Bar,
    Color,
    IconRun,
    Item,
    Picture,
    Placed,
    SetText,
    Stroke,
    TextRun,
    leaves,
    stated_weight,
)
from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.geometry import MM_PER_PT, PT_PER_MM, Matrix, Point, Rect, Shape, corners_of, decimal
from cardgen.core.records import dataclass, field, replace
from cardgen.pdf.objects import DrawingError, DrawnFace, PdfObject, digest, reference

IconColor = tuple[str, Color]

_PLAIN, _TJ = attrgetter("plain"), attrgetter("tj")


@dataclass(frozen=True, slots=True)
class Forms:
    """Names of the form objects that pictures and icons became."""

    pictures: Mapping[str, str]
    """By `Picture.key`."""
    icons: Mapping[IconColor, str]
    """By the icon's name and color."""
    sides: dict[str, DrawnFace] = field(default_factory=dict)
    """By `Artwork.key`: those drawn so far, which later ones may show."""


@lru_cache(maxsize=1024)
def color_operator(color: Color, *, stroke: bool = False) -> str:
    """Return the operator for the fill or the stroke color: gray as gray, so that black type is printed
    with black ink alone."""
    red, green, blue = (decimal(channel, 4) for channel in color)
    grey, colored = ("G", "RG") if stroke else ("g", "rg")
    return f"{red} {grey}" if red == green == blue else f"{red} {green} {blue} {colored}"


@dataclass(slots=True)
class Content:
    """A content stream while it is written, and the resources that it names."""

    forms: Forms
    shows: Callable[[SetText], bool]
    lines: list[str] = field(default_factory=list)
    fonts: dict[str, str] = field(default_factory=dict)
    """Font key to local name."""
    xobjects: dict[str, str] = field(default_factory=dict)
    """Object name to local name."""
    alphas: dict[str, str] = field(default_factory=dict)
    """Opacity, as written, to local name."""
    groups: list[PdfObject] = field(default_factory=list)
    box: str = ""
    ink: Color | None = None

    # ------------------------------------------------------------ names

    def _xobject(self, name: str) -> str:
        return self.xobjects.setdefault(name, f"x{len(self.xobjects)}")

    def _font(self, key: str) -> str:
        return self.fonts.setdefault(key, f"f{len(self.fonts)}")

    def _alpha(self, opacity: float) -> str:
        return self.alphas.setdefault(decimal(opacity, 4), f"g{len(self.alphas)}")

    def resources(self) -> bytes:
        """Return the /Resources dictionary."""
        fonts = b"".join(
            b"/%s %s" % (local.encode(), reference(font_name(key))) for key, local in self.fonts.items()
        )
        xobjects = b"".join(
            b"/%s %s" % (local.encode(), reference(name)) for name, local in self.xobjects.items()
        )
        alphas = b"".join(
            b"/%s<</ca %s/CA %s>>" % (local.encode(), alpha.encode(), alpha.encode())
            for alpha, local in self.alphas.items()
        )
        named = ((b"ExtGState", alphas), (b"Font", fonts), (b"XObject", xobjects))
        return b"<<%s>>" % b"".join(b"/%s<<%s>>" % (kind, entries) for kind, entries in named if entries)

    # ------------------------------------------------------------ items

    def items(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Picture):
                self.lines.append(f"/{self._xobject(self.forms.pictures[item.key])} Do")
            elif isinstance(item, SetText):
                if self.shows(item):
                    self._text(item)
            elif isinstance(item, Placed):
                self._placed(item)
            else:
                self._group(item.items, item.opacity)

    def _placed(self, item: Placed) -> None:
        """Draw another side within its trim. Its form is in points with y up."""
        face = self.forms.sides[item.artwork]
        upright = Matrix(MM_PER_PT, 0, 0, -MM_PER_PT, 0, face.size.height)
        outline = _outline(item.trim, item.shape, item.radius)
        name = self._xobject(face.name)
        self.lines.append(f"q {_concat(item.matrix)} {outline} W n {_concat(upright)} /{name} Do Q")

    def _group(self, items: tuple[Item, ...], opacity: float) -> None:
        """Draw items as one group with one opacity."""
        inner = Content(self.forms, self.shows, box=self.box)
        inner.items(items)
        if not inner.lines:
            return
        obj = inner.form(b"/Group<</Type/Group/S/Transparency/I true/CS/DeviceRGB>>")
        self.groups += [*inner.groups, obj]
        self.lines.append(f"q /{self._alpha(opacity)} gs /{self._xobject(obj.name)} Do Q")

    def form(self, entries: bytes) -> PdfObject:
        """This content as a Form XObject."""
        stream = zlib.compress("\n".join(self.lines).encode("ascii"), 6)
        head = b"<</Type/XObject/Subtype/Form/BBox[%s]%s/Resources%s/Filter/FlateDecode/Length %d>>"
        return PdfObject.of(head % (self.box.encode(), entries, self.resources(), len(stream)), stream)

    # ------------------------------------------------------------ text

    def _text(self, text: SetText) -> None:
        if text.stroke is not None:
            self._outlines(text, text.stroke)
            return
        has_icons = any(isinstance(run, IconRun) for run in text.runs)
        if text.opacity < 1 and (has_icons or text.bars):  # parts of icons and lines may overlap
            self._group((_opaque(text),), text.opacity)
            return
        state = []
        if text.opacity < 1:
            state.append(f"/{self._alpha(text.opacity)} gs")
        if not text.matrix.is_identity:
            state.append(_concat(text.matrix))
        ink = self.ink
        if state:
            self.lines.append(" ".join(("q", *state)))
        for bar in text.bars:
            self._bar(bar)
        if any(isinstance(run, TextRun) and run.opacity != 1 for run in text.runs):
            self._mixed(text.runs, text.opacity)
        elif not has_icons:
            self._runs([run for run in text.runs if isinstance(run, TextRun)])
        else:
            self._mixed(text.runs)
        if state:
            self.lines.append("Q")
            self.ink = ink

    def _bar(self, bar: Bar) -> None:
        if bar.fill != self.ink:
            self.ink = bar.fill
            self.lines.append(color_operator(bar.fill))
        area = bar.area
        self.lines.append(" ".join(map(decimal, (area.x, area.y, area.width, area.height))) + " re f")

    def _outlines(self, text: SetText, stroke: Stroke) -> None:
        """Draw the outlines of letters. Those that are painted as text, too, are found there."""
        state = ["q"]
        if text.opacity < 1:
            state.append(f"/{self._alpha(text.opacity)} gs")
        if not text.matrix.is_identity:
            state.append(_concat(text.matrix))
        state += [f"{decimal(stroke.width)} w {stroke.cap} J {stroke.join} j {decimal(stroke.miter)} M"]
        state += [color_operator(stroke.color, stroke=True), "1 Tr"]
        parts = [" ".join(state), "BT"]
        if stroke.again:
            parts.insert(1, "/Span<</ActualText<FEFF>>>BDC")
        self._shown((run for run in text.runs if isinstance(run, TextRun)), parts, stroke=stroke)
        self.lines.append("\n".join([*parts, "ET", "EMC Q" if stroke.again else "Q"]))

    def _mixed(self, runs: tuple[TextRun | IconRun, ...], opacity: float = 1.0) -> None:
        """Draw runs and icons in order, text between two icons in one text object; runs less opaque than
        a text of this opacity each in their own."""
        pending: list[TextRun] = []
        for run in runs:
            if isinstance(run, TextRun) and run.opacity == 1:
                pending.append(run)
                continue
            if isinstance(run, TextRun):
                self._runs(pending)
                pending = []
                ink = self.ink
                self.lines.append(f"q /{self._alpha(max(0.0, min(1.0, opacity * run.opacity)))} gs")
                self._runs([run])
                self.lines.append("Q")
                self.ink = ink
                continue
            self._runs(pending)
            pending = []
            name = self._xobject(self.forms.icons[run.icon, run.fill])
            width, height = decimal(run.width), decimal(run.size)
            self.lines.append(f"q {width} 0 0 {height} {decimal(run.x)} {decimal(run.y)} cm /{name} Do Q")
        self._runs(pending)

    def _runs(self, runs: list[TextRun]) -> None:
        if not runs:
            return
        parts = ["BT"]
        self._shown(runs, parts)
        parts.append("ET")
        self.lines.append("\n".join(parts))

    def _shown(self, runs: Iterable[TextRun], parts: list[str], stroke: Stroke | None = None) -> None:
        """Write the operators that show runs, in their own colors or by their outlines."""
        font: tuple[str, str] | None = None
        for run in runs:
            if run.hidden and stroke is not None:
                continue
            if stroke is None and run.fill != self.ink:
                self.ink = run.fill
                parts.append(color_operator(run.fill))
            wanted = (run.font, decimal(run.size, 4))
            if wanted != font:
                font = wanted
                parts.append(f"/{self._font(run.font)} {wanted[1]} Tf")
            if run.hidden:
                parts.append("3 Tr")
            _show(run, parts, told=stroke is None or not stroke.again)
            if run.hidden:
                parts.append("0 Tr")


def _show(run: TextRun, parts: list[str], *, told: bool) -> None:
    """Write the operators that show a run, from its pen position on; `told` with what text its letters
    stand for."""
    if run.turn is not None:
        _show_turned(run, parts, told=told)
        return
    y = decimal(run.y)
    if all(map(_PLAIN, run.words)):
        parts.append(f"1 0 0 -1 {decimal(run.x)} {y} Tm [{_array(run)}]TJ")
        return
    pen = run.x
    for index, word in enumerate(run.words):
        if told and word.actual_text is not None:
            codes = word.actual_text.encode("utf-16-be").hex().upper()
            parts.append(f"/Span<</ActualText<FEFF{codes}>>>BDC")
        if word.raised:
            for gid, x, up, _ in word.glyphs:
                place = f"{decimal(pen + x * run.size)} {decimal(run.y - up * run.size)}"
                parts.append(f"1 0 0 -1 {place} Tm <{gid:04X}>Tj")
        else:
            parts.append(f"1 0 0 -1 {decimal(pen)} {y} Tm [{word.tj}]TJ")
        if told and word.actual_text is not None:
            parts.append("EMC")
        pen += (word.advance + (run.gaps[index] if index < len(run.gaps) else 0.0)) * run.size


def _show_turned(run: TextRun, parts: list[str], *, told: bool) -> None:
    """Write the operators for a run that is turned about its pen, glyph by glyph."""
    a, b, c, d = run.turn or (1.0, 0.0, 0.0, 1.0)
    linear = " ".join(decimal(value, 6) for value in (a, b, -c, -d))
    pen = 0.0
    for index, word in enumerate(run.words):
        if told and word.actual_text is not None:
            codes = word.actual_text.encode("utf-16-be").hex().upper()
            parts.append(f"/Span<</ActualText<FEFF{codes}>>>BDC")
        for gid, x, up, _ in word.glyphs:
            across, down = (pen + x) * run.size, -up * run.size
            place = f"{decimal(run.x + a * across + c * down)} {decimal(run.y + b * across + d * down)}"
            parts.append(f"{linear} {place} Tm <{gid:04X}>Tj")
        if told and word.actual_text is not None:
            parts.append("EMC")
        pen += word.advance + (run.gaps[index] if index < len(run.gaps) else 0.0)


def _array(run: TextRun) -> str:
    """Return the inside of one array for all words of a run. A space stays only where a number meets a
    number: spaced words end in one, a gap is one, and a word may begin with one."""
    if run.gaps:
        pieces = [f"{word.tj} {_gap(gap)}" if gap else word.tj for word, gap in zip(run.words, run.gaps)]
        pieces += map(_TJ, run.words[len(run.gaps) :])
    else:
        pieces = [*map(_TJ, run.words)]
    return " ".join(filter(None, pieces)).replace("> <", "").replace("> ", ">").replace(" <", "<")


def _gap(gap: float) -> str:
    return decimal(-1000 * gap, 1)


def _concat(matrix: Matrix) -> str:
    linear = " ".join(decimal(value, 6) for value in (matrix.a, matrix.b, matrix.c, matrix.d))
    return f"{linear} {decimal(matrix.e)} {decimal(matrix.f)} cm"


_ARC = 0.5522847498
"""The handle length, in radii, of a Bézier curve for a quarter circle."""


def _outline(rect: Rect, shape: Shape, radius: float) -> str:
    """Return the path of a trimmed piece."""
    if (corners := corners_of(shape, rect)) is not None:
        return straight(corners, decimal)
    rx, ry = (rect.width / 2, rect.height / 2) if shape == "ellipse" else (radius, radius)
    if min(rx, ry) <= 0:
        return " ".join(decimal(value) for value in (rect.x, rect.y, rect.width, rect.height)) + " re"
    return rounded(rect, rx, ry, decimal)


def straight(corners: Sequence[Point], written: Callable[[float], str]) -> str:
    """Return the path of a polygon."""
    parts = [f"{written(x)} {written(y)} {'l' if index else 'm'}" for index, (x, y) in enumerate(corners)]
    return " ".join([*parts, "h"])


def rounded(rect: Rect, rx: float, ry: float, written: Callable[[float], str]) -> str:
    """Return the path of a rectangle whose corners are quarter ellipses of these radii."""
    left, top, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    kx, ky = rx * (1 - _ARC), ry * (1 - _ARC)
    curves = (
        (left + kx, top, left, top + ky, left, top + ry, left, bottom - ry),
        (left, bottom - ky, left + kx, bottom, left + rx, bottom, right - rx, bottom),
        (right - kx, bottom, right, bottom - ky, right, bottom - ry, right, top + ry),
        (right, top + ky, right - kx, top, right - rx, top, left + rx, top),
    )
    path = [f"{written(left + rx)} {written(top)} m"]
    for curve in curves:
        values = [written(value) for value in curve]
        path.append(f"{' '.join(values[:6])} c {' '.join(values[6:])} l")
    return " ".join([*path, "h"])


def _opaque(text: SetText) -> SetText:
    return replace(text, opacity=1.0)


def draw_face(
    artwork: Artwork, forms: Forms, shows: Callable[[SetText], bool] = lambda text: True
) -> tuple[DrawnFace, list[PdfObject]]:
    """Return a side and its objects, its form last. `shows` picks the text to set."""
    width, height = artwork.size.width, artwork.size.height
    content = Content(forms, shows, box=f"0 0 {decimal(width, 4)} {decimal(height, 4)}")
    content.items(artwork.items)
    matrix = f"/Matrix[{PT_PER_MM:.8f} 0 0 -{PT_PER_MM:.8f} 0 {decimal(height * PT_PER_MM, 6)}]"
    obj = content.form(matrix.encode())
    return DrawnFace(obj.name, artwork.size, artwork.bleed), [*content.groups, obj]


def runs_of(items: Iterable[Item], shows: Callable[[SetText], bool]) -> Iterable[TextRun]:
    """Yield every set run."""
    for item in leaves(items):
        if isinstance(item, SetText) and shows(item):
            yield from (run for run in item.runs if isinstance(run, TextRun))


_COLORS = tuple(
    int.from_bytes(tag, "big") for tag in (b"COLR", b"CPAL", b"SVG ", b"CBDT", b"CBLC", b"sbix")
)
"""Tables for letters in colors, which are drawn as pictures."""


_OS2, _POST = 68, 32
"""Bytes of these tables in their first versions; fonts without them are usual ones."""


class Font(Protocol):
    """The parts of a `cardgen.text` font that drawing needs. `advance` is in em."""

    @property
    def key(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def face(self) -> Any: ...
    @property
    def unicode_of(self) -> Mapping[int, str]: ...
    def advance(self, gid: int, /) -> float: ...


class Fonts(Protocol):
    """The parts of a font book that drawing needs."""

    def by_key(self, key: str, /) -> Font: ...


@dataclass(frozen=True, slots=True)
class FontFacts:
    """The facts a font file states about itself, lengths in 1/1000 em."""

    bbox: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap_height: int
    weight: int
    """1 to 1000; 400 is regular, 700 bold."""
    italic_angle: float
    fixed_pitch: bool
    serif: bool

    @property
    def flags(self) -> int:
        """ISO 32000-1 table 123. Symbolic, since codes are glyph ids and no character set."""
        return 1 * self.fixed_pitch | 2 * self.serif | 4 | 64 * (self.italic_angle != 0)

    @property
    def stem(self) -> int:
        """Return the width of vertical stems. Font files don't say; this rule of thumb from the weight
        gives 88 for regular and 166 for bold. Viewers use it only when they must replace the font."""
        return round(50 + (self.weight / 65) ** 2)


def font_facts(face: Any) -> FontFacts:
    """Read the tables head, hhea, OS/2 and post of an hb.Face (layout: the OpenType specification)."""
    head, hhea, os2, post = (
        bytes(face.reference_table(tag).data or b"") for tag in ("head", "hhea", "OS/2", "post")
    )
    os2 = os2 if len(os2) >= _OS2 else b""
    bold = bool(head[45] & 1)
    scale = 1000 / struct.unpack_from(">H", head, 18)[0]
    ascent, descent = (round(value * scale) for value in struct.unpack_from(">hh", hhea, 4))
    cap_height = struct.unpack_from(">h", os2, 88)[0] if len(os2) >= 90 and os2[1] >= 2 else 0
    left, bottom, right, top = (round(value * scale) for value in struct.unpack_from(">4h", head, 36))
    return FontFacts(
        bbox=(left, bottom, right, top),
        ascent=ascent,
        descent=descent,
        cap_height=round(cap_height * scale) or ascent,
        weight=stated_weight(struct.unpack_from(">H", os2, 4)[0] if os2 else 0, bold=bold),
        italic_angle=struct.unpack_from(">i", post, 4)[0] / 65536 if len(post) >= _POST else 0.0,
        fixed_pitch=len(post) >= _POST and struct.unpack_from(">I", post, 12)[0] != 0,
        serif=bool(os2) and os2[30] in (1, 2, 3, 4, 5, 7),  # the classes of sFamilyClass that have serifs
    )


def font_name(key: str) -> str:
    """Return the name of a font's object; no two fonts have the same."""
    return "font-" + re.sub(r"[^0-9A-Za-z-]", lambda match: f".{ord(match[0]):x}.", key)


def font_objects(font: Font, gids: Iterable[int]) -> list[PdfObject]:
    """Return a font with the glyphs `gids` as PDF objects, references first; the last, named
    `font_name(font.key)`, is what a /Font resource refers to."""
    used = sorted({0, *gids})
    program, cff = _subset(font, used)
    facts = font_facts(font.face)
    base = b"%s+%s" % (_tag(program), re.sub(r"[^0-9A-Za-z-]", "", font.key).encode("ascii"))
    kind = b"/Subtype/CIDFontType0C" if cff else b"/Length1 %d" % len(program)
    file = _stream(kind, program)
    descriptor = PdfObject.of(
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[%d %d %d %d]/ItalicAngle %s"
        b"/Ascent %d/Descent %d/CapHeight %d/StemV %d/FontFile%s %s>>"
        % (
            base,
            facts.flags,
            *facts.bbox,
            _number(facts.italic_angle),
            facts.ascent,
            facts.descent,
            facts.cap_height,
            facts.stem,
            b"3" if cff else b"2",
            reference(file.name),
        )
    )
    descendant = PdfObject.of(
        b"<</Type/Font/Subtype/CIDFontType%s/BaseFont/%s"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        b"/FontDescriptor %s/W[%s]/DW 0%s>>"
        % (
            b"0" if cff else b"2",
            base,
            reference(descriptor.name),
            _widths(font, used),
            b"" if cff else b"/CIDToGIDMap/Identity",
        )
    )
    unicode = _stream(b"", _unicode_map(font.unicode_of, used))
    root = PdfObject(
        font_name(font.key),
        b"<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%s]/ToUnicode %s>>"
        % (base, reference(descendant.name), reference(unicode.name)),
    )
    return [file, descriptor, descendant, unicode, root]


def _subset(font: Font, gids: list[int]) -> tuple[bytes, bool]:
    """Return the font program with only these glyphs, numbered as before, and whether it is CFF."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(gids)
    wanted.drop_table_tag_set.update(_COLORS)
    wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING
    try:
        face = hb.subset(font.face, wanted)
    except RuntimeError as error:
        place = Location(font.file)
        raise DrawingError(
            Finding(
                Severity.ERROR, "font/subset", "the font is damaged", place, "get another copy of the file"
            )
        ) from error
    cff = bytes(face.reference_table("CFF ").data)
    return (cff, True) if cff else (bytes(face.blob.data), False)


def _tag(program: bytes) -> bytes:
    """Six capitals that tell this subset from others of the same font (ISO 32000-1, 9.6.4)."""
    value = int(digest(program), 16)
    letters = []
    for _ in range(6):
        value, letter = divmod(value, 26)
        letters.append(65 + letter)
    return bytes(letters)


def _widths(font: Font, gids: list[int]) -> bytes:
    """Return a W array: runs of consecutive glyph ids, widths in 1/1000 em."""
    parts: list[bytes] = []
    previous = -2
    for gid in gids:
        width = _number(round(font.advance(gid) * 1000, 2))
        if gid == previous + 1:
            parts[-1] += b" " + width
        else:
            parts.append(b"%d[%s" % (gid, width))
        previous = gid
    return b"]".join(parts) + b"]"


def _number(value: float) -> bytes:
    """Return a number as PDF writes it, six digits of it; what would need an exponent is as good as
    nothing."""
    text = b"%g" % value
    return b"0" if b"e-" in text else b"%.0f" % value if b"e" in text else text


def _unicode_map(unicode_of: Mapping[int, str], gids: list[int]) -> bytes:
    """Return a ToUnicode CMap. A ligature's glyph stands for all its letters."""
    entries = [
        b"<%04X> <%s>" % (gid, unicode_of[gid].encode("utf-16-be").hex().upper().encode("ascii"))
        for gid in gids
        if unicode_of.get(gid)
    ]
    blocks = [entries[start : start + 100] for start in range(0, len(entries), 100)]  # 100: Adobe TN 5014
    body = b"".join(
        b"%d beginbfchar\n%s\nendbfchar\n" % (len(block), b"\n".join(block)) for block in blocks
    )
    return (
        b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
        b"/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
        b"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
        + body
        + b"endcmap CMapName currentdict/CMap defineresource pop end end\n"
    )


def _stream(entries: bytes, data: bytes) -> PdfObject:
    packed = zlib.compress(data, 6)
    return PdfObject.of(b"<<%s/Filter/FlateDecode/Length %d>>" % (entries, len(packed)), packed)
