"""One side of a card as PDF operators, in millimetres, y down, from the corner of the bleed.

Pictures and icons are painted by reference, type is set glyph by glyph id. The operators depend on the
side alone, never on other cards; fonts and forms get names local to the side.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from cardgen.drawing.fonts import font_name
from cardgen.drawing.objects import DrawnFace, PdfObject, reference
from cardgen.geometry import Matrix, Point, Rect, Shape, corners_of
from cardgen.model.artwork import (
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
)
from cardgen.units import MM_PER_PT, PT_PER_MM, decimal

IconColor = tuple[str, Color]

_PLAIN, _TJ = attrgetter("plain"), attrgetter("tj")


@dataclass(frozen=True, slots=True)
class Forms:
    """Names of the form objects that pictures and icons became."""

    pictures: Mapping[str, str]
    """By `Picture.key`."""
    icons: Mapping[IconColor, str]
    """By the icon's name and colour."""
    sides: dict[str, DrawnFace] = field(default_factory=dict)
    """By `Artwork.key`: those drawn so far, which later ones may show."""


def color_operator(color: Color, *, stroke: bool = False) -> str:
    """Sets the fill or the stroke: grey as grey, so that black type is printed with black ink alone."""
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
        """The /Resources dictionary."""
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
        """Another side within its trim. Its form is in points with y up."""
        face = self.forms.sides[item.artwork]
        upright = Matrix(MM_PER_PT, 0, 0, -MM_PER_PT, 0, face.size.height)
        outline = _outline(item.trim, item.shape, item.radius)
        name = self._xobject(face.name)
        self.lines.append(f"q {_concat(item.matrix)} {outline} W n {_concat(upright)} /{name} Do Q")

    def _group(self, items: tuple[Item, ...], opacity: float) -> None:
        """Items composed on their own and laid down as one, under one opacity."""
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
        """The outlines of letters. Those that are painted as text, too, are found there."""
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
        """Runs and icons in order, text between two icons in one text object; runs less opaque than a text
        of this opacity each in their own."""
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
        """The operators that show runs, in their own colours or by their outlines."""
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
    """The operators that show a run, from its pen position on; `told` with what text its letters stand
    for."""
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
    """The same for a run that is turned about its pen, glyph by glyph."""
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
    """The inside of one array for all words of a run. A space stays only where a number meets a number:
    spaced words end in one, a gap is one, and a word may begin with one."""
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
"""How far along its tangent, in radii, the handle of a Bézier curve for a quarter circle lies."""


def _outline(rect: Rect, shape: Shape, radius: float) -> str:
    """The path of a trimmed piece."""
    if (corners := corners_of(shape, rect)) is not None:
        return straight(corners, decimal)
    rx, ry = (rect.width / 2, rect.height / 2) if shape == "ellipse" else (radius, radius)
    if min(rx, ry) <= 0:
        return " ".join(decimal(value) for value in (rect.x, rect.y, rect.width, rect.height)) + " re"
    return rounded(rect, rx, ry, decimal)


def straight(corners: Sequence[Point], written: Callable[[float], str]) -> str:
    """The path of a polygon."""
    parts = [f"{written(x)} {written(y)} {'l' if index else 'm'}" for index, (x, y) in enumerate(corners)]
    return " ".join([*parts, "h"])


def rounded(rect: Rect, rx: float, ry: float, written: Callable[[float], str]) -> str:
    """The path of a rectangle whose corners are quarter ellipses of these radii."""
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
    """A side and its objects, its form last. `shows` picks the text to set."""
    width, height = artwork.size.width, artwork.size.height
    content = Content(forms, shows, box=f"0 0 {decimal(width, 4)} {decimal(height, 4)}")
    content.items(artwork.items)
    matrix = f"/Matrix[{PT_PER_MM:.8f} 0 0 -{PT_PER_MM:.8f} 0 {decimal(height * PT_PER_MM, 6)}]"
    obj = content.form(matrix.encode())
    return DrawnFace(obj.name, artwork.size, artwork.bleed), [*content.groups, obj]


def runs_of(items: Iterable[Item], shows: Callable[[SetText], bool]) -> Iterable[TextRun]:
    """Every run that is set."""
    for item in leaves(items):
        if isinstance(item, SetText) and shows(item):
            yield from (run for run in item.runs if isinstance(run, TextRun))
