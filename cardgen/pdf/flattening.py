"""A PDF in RGB without anything transparent, as PDF/X-1a asks (ISO 15930-4).

For a press, inks are mixed, not red, green and blue, as they are in PDF/X-4.

What is transparent gives way to a picture of what it makes of all that lies below it, where it changes
that and nowhere else. All else stays what it was: what is painted before shows around the picture, what
is painted after lies on it. A transparent text on one color stays text, in the color that comes of it.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import BytesIO
from math import ceil
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT, Matrix
from cardgen.core.records import dataclass, field, replace
from cardgen.pdf.ink_operators import SpotInk, SpotInks, Use, use_of_letters
from cardgen.pdf.inks import Ink

DPI = 450
"""Pixels an inch of pictures that stand for what is transparent."""
MOST = 200
"""See-through parts of a side that do not follow one another at once, each of which is looked at."""
MOST_PIXELS = 60_000_000
"""Pixels a side; one that has more at `DPI`, larger than 44 cm square, has fewer an inch."""
_BAND = 4_000_000
"""Pixels that are looked at at a time."""
_ONE_AT_A_TIME = Lock()
"""pdfium has state of its own."""
_PLAIN = "/cg-plain"


class SeeThroughSpotError(ValueError):
    """Something in a spot color, or upon it, is transparent, whose picture would be of the four inks."""

    def __init__(self, message: str, spot: SpotInk) -> None:
        super().__init__(message)
        self.spot = spot


class SeeThroughError(ValueError):
    """A side has more transparent parts than can be looked at one by one."""


Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Group:
    """The instructions that one picture replaces: the instructions from `start` to before `end`.
    `matrix` is that of `Unit`."""

    start: int
    end: int
    matrix: Matrix
    text: Text | None


class Mixer(Protocol):
    """A press's colors, to mix by."""

    def plates(self, content: bytes, unit: float) -> tuple[bytes, bytes]:
        """Return a PDF in RGB, whose pages have units of so many mm, as two: cyan, magenta and yellow as
        the absence of red, green and blue, and black as gray."""

    def inks_of(self, color: Sequence[float], use: Use) -> Ink:
        """Return the inks of a color."""

    def limited(self, pixels: Pixels) -> Pixels:
        """Return pixels of four inks within the ink limit."""


def flatten(pdf: pikepdf.Pdf, spots: Sequence[SpotInk] = (), mixer: Mixer | None = None) -> None:
    """Take everything transparent out of a PDF, in place. Sides lie on white paper. With a `mixer`, mixed
    colors are its inks. Raises SeeThroughError, and SeeThroughSpotError for what is painted in the colors
    of `spots` or upon them."""
    inks = SpotInks(spots)
    done: set[tuple[int, int]] = set()
    for page in pdf.pages:
        holder = page.obj
        if "/Resources" not in holder:
            continue
        shown: Any = holder.Resources.get("/XObject") or {}
        for unit in units_of(pikepdf.parse_content_stream(page), holder.Resources):
            if unit.shows is None or shown[unit.shows].get("/Subtype") != "/Form":
                continue
            form = shown[unit.shows]
            if form.objgen not in done and object_is_see_through(form):
                done.add(form.objgen)
                across = Matrix(*(float(value) for value in form.get("/Matrix", [1, 0, 0, 1, 0, 0])))
                matrix = across.then(unit.matrix)
                length = MM_PER_PT * _scale(matrix)
                _Flattening(pdf, form, form, form.BBox, length, mixer).run(inks)
        _Flattening(pdf, page, holder, page.mediabox, MM_PER_PT, mixer).run(inks)
    for page in pdf.pages:
        _opaque(page.obj, set())


class _Flattening:
    """A stream on its way. `shown` is what is read and written, a page or a form, `unit` how many mm a unit
    of its space is."""

    def __init__(
        self, pdf: pikepdf.Pdf, shown: Any, holder: Any, box: Any, unit: float, mixer: Mixer | None
    ) -> None:
        self._unit, self._mixer = unit, mixer
        self._pdf, self._shown, self._holder = pdf, shown, holder
        self._instructions = list(pikepdf.parse_content_stream(shown))
        self._box = [float(value) for value in box]
        left, bottom, right, top = self._box
        least = (abs((right - left) * (top - bottom)) / MOST_PIXELS) ** 0.5
        self._per_pixel = max(MM_PER_INCH / DPI / unit, least)
        """Units a pixel."""

    def run(self, spots: SpotInks) -> None:
        units = units_of(self._instructions, self._holder.Resources)
        groups = _groups(units)
        if not groups:
            return
        self._must_have_none_of(spots, units)
        resources = self._holder.Resources = pikepdf.Dictionary(self._holder.Resources)
        for kind in ("/XObject", "/ExtGState"):
            inner: Any = resources.get(kind) or {}
            resources[kind] = pikepdf.Dictionary(inner)
        resources.ExtGState[_PLAIN] = pikepdf.Dictionary(
            ca=1, CA=1, BM=pikepdf.Name.Normal, SMask=pikepdf.Name("/None")
        )
        with _ONE_AT_A_TIME:
            instead = list(self._pictures(groups, spots))
        out: list[Any] = []
        at = 0
        for group, those in zip(groups, instead):
            out += [*self._instructions[at : group.start], *those]
            at = group.end
        out += self._instructions[at:]
        out = [each for each in out if not names_see_through(each, resources)]
        written = pikepdf.unparse_content_stream(out)
        if isinstance(self._shown, pikepdf.Page):
            self._holder.Contents = self._pdf.make_stream(written)
        else:
            self._shown.write(written)
        _prune(resources, out)
        _opaque(self._holder, set())

    def _must_have_none_of(self, spots: SpotInks, units: Sequence[Unit]) -> None:
        objects = self._holder.Resources.get("/XObject", pikepdf.Dictionary())
        for unit in units:
            if unit.see_through and any(spots):
                inner = () if unit.shows is None else colors_in(objects[unit.shows])
                for color in (*unit.colors, *inner):
                    if (spot := spots.of(color)) is not None:
                        message = f"artwork in the spot color '{spot.name}' is transparent"
                        raise SeeThroughSpotError(message, spot)

    def _pictures(self, groups: Sequence[_Group], spots: SpotInks) -> Iterator[list[Any]]:
        """Return what is painted in place of each group."""
        bands = list(self._bands())
        document = self._before_and_after(groups, bands)
        mixed = (document,) if self._mixer is None else self._mixer.plates(document, self._unit)
        with ExitStack() as stack:
            documents = dict.fromkeys((document, *mixed))
            opened = [stack.enter_context(pypdfium2.PdfDocument(each)) for each in documents]
            screen, plates = opened[0], opened[1:] or opened
            for number, group in enumerate(groups):
                start = 2 * number * len(bands)
                yield self._instead(group, bands, plates, screen, start, spots)

    def _bands(self) -> Iterator[tuple[list[float], tuple[int, int]]]:
        """Yield rectangles from the top of the side to its bottom, each with its pixels."""
        left, bottom, right, top = self._box
        width = max(1, ceil((right - left) / self._per_pixel - 1e-6))
        left_over = max(1, ceil((top - bottom) / self._per_pixel - 1e-6))
        most = max(16, _BAND // width)
        while left_over:
            rows = min(most, left_over)
            low = top - rows * self._per_pixel
            yield [left, low, left + width * self._per_pixel, top], (width, rows)
            top, left_over = low, left_over - rows

    def _before_and_after(
        self, groups: Sequence[_Group], bands: Sequence[tuple[list[float], tuple[int, int]]]
    ) -> bytes:
        """Return a PDF with the side as it is before each group and with it, a page a band."""
        out = pikepdf.new()
        resources = out.copy_foreign(self._pdf.make_indirect(self._holder.Resources))
        for group in groups:
            for end in (group.start, group.end):
                shown = [*self._instructions[:end], *_ends(self._instructions[:end])]
                content = out.make_stream(pikepdf.unparse_content_stream(shown))
                for box, _ in bands:
                    own: Any = pikepdf.Dictionary(dict(resources.items()))
                    if "/ColorSpace" in own:  # those of a page in inks lose what it no longer names
                        own.ColorSpace = pikepdf.Dictionary(dict(own.ColorSpace.items()))
                    page = pikepdf.Dictionary(
                        Type=pikepdf.Name.Page, MediaBox=box, Resources=own, Contents=content
                    )
                    out.pages.append(pikepdf.Page(out.make_indirect(page)))
        written = BytesIO()
        out.save(written)
        return written.getvalue()

    def _instead(
        self,
        group: _Group,
        bands: Sequence[Any],
        plates: Sequence[Any],
        screen: Any,
        start: int,
        spots: SpotInks,
    ) -> list[Any]:
        changed: list[tuple[list[float], Pixels, Any]] = []
        grounds: set[tuple[int, ...] | None] = set()
        for number, (box, size) in enumerate(bands):
            before = _pixels(plates, start + number, size)
            after = _pixels(plates, start + len(bands) + number, size)
            where = np.logical_or.reduce(np.moveaxis(before != after, 2, 0))
            if not where.any():
                continue
            ground = _one_color(before, where) if group.text is not None else None
            grounds.add(ground)
            colors = _pixels([screen], start + number, size) if any(spots) else before
            for spot in spots:
                if _shows(colors, where, spot.shows):
                    message = f"transparent artwork overlaps the spot color '{spot.name}'"
                    raise SeeThroughSpotError(message, spot)
            changed.append((box, after, where))
        ground = next(iter(grounds)) if len(grounds) == 1 else None
        if group.text is not None and ground is not None:
            return self._text(group, group.text, ground)
        out: list[Any] = []
        for box, after, where in changed:
            out += self._picture(group.matrix, box, after, where)
        return out

    def _picture(self, matrix: Matrix, box: Sequence[float], after: Pixels, where: Any) -> list[Any]:
        """Return the instructions that paint those pixels of a band that changed."""
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
        mask = where[top:bottom, left:right]
        pixels = np.where(mask[..., None], after[top:bottom, left:right], 255).astype(np.uint8)
        if self._mixer is None:
            image = self._image(pixels, "/DeviceRGB", 8)
        else:
            image = self._image(self._mixer.limited(255 - pixels), "/DeviceCMYK", 8)
        if not mask.all():
            stencil = self._image(np.packbits(~mask, axis=1), None, 1, mask.shape)
            stencil.ImageMask = True
            image.Mask = self._pdf.make_indirect(stencil)
        objects = self._holder.Resources.XObject
        name = next(name for n in range(len(objects) + 1) if (name := f"/flat{n}") not in objects)
        objects[name] = self._pdf.make_indirect(image)
        size = self._per_pixel
        place = Matrix(
            *((right - left) * size, 0, 0, (bottom - top) * size),
            *(box[0] + left * size, box[3] - bottom * size),
        ).then(matrix.inverse())
        values = [round(float(v), 6) for v in (place.a, place.b, place.c, place.d, place.e, place.f)]
        return [
            _instruction("q"),
            _instruction("gs", pikepdf.Name(_PLAIN)),
            _instruction("cm", *values),
            _instruction("Do", pikepdf.Name(name)),
            _instruction("Q"),
        ]

    def _image(
        self, data: Pixels, space: str | None, bits: int, shape: tuple[int, ...] | None = None
    ) -> pikepdf.Stream:
        height, width = (shape or data.shape)[:2]
        image = pikepdf.Stream(self._pdf, b"")
        image.write(zlib.compress(data.tobytes(), 6), filter=pikepdf.Name.FlateDecode)
        image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
        image.Width, image.Height, image.BitsPerComponent = int(width), int(height), bits
        if space is not None:
            image.ColorSpace = pikepdf.Name(space)
        return image

    def _text(self, group: _Group, text: Text, ground: Sequence[int]) -> list[Any]:
        """Return a text in the colors that come of it on one ground."""
        use = self._use(group)

        def mixed(values: Sequence[float], name: str) -> Any:
            color: Sequence[float] = [*values] * 3 if name == "g" else [*values]
            if self._mixer is not None:
                color = [1 - ink for ink in self._mixer.inks_of(color, use)]
            shares = [text.alpha * c + (1 - text.alpha) * g / 255 for c, g in zip(color, ground)]
            if self._mixer is None:
                return _instruction("rg", *(round(share, 4) for share in shares))
            return _instruction("k", *(round(1 - share, 4) for share in shares))

        out = [_instruction("gs", pikepdf.Name(_PLAIN)), mixed(*text.color)]
        values, name = text.color
        for each in self._instructions[group.start : group.end]:
            if str(each.operator) in ("g", "rg"):
                values, name = [float(value) for value in each.operands], str(each.operator)
                out.append(mixed(values, name))
            else:
                out.append(each)
        return [*out, _instruction(name, *values)]

    def _use(self, group: _Group) -> Use:
        """Return how the largest letters of a text are inked."""
        sizes, size, scale = [0.0], 0.0, 1.0
        for each in self._instructions[group.start : group.end]:
            name, operands = str(each.operator), list(each.operands)
            if name == "Tf":
                size = abs(float(operands[1]))
            elif name == "Tm":
                scale = _scale(Matrix(*(float(value) for value in operands)))
            elif name in ("Tj", "TJ", "'", '"'):
                sizes.append(size * scale)
        return use_of_letters(max(sizes) * _scale(group.matrix) * self._unit)


def _groups(units: Sequence[Unit]) -> list[_Group]:
    """Return the transparent units, adjacent ones in one group; texts by themselves."""
    found: list[_Group] = []
    for unit in units:
        if not unit.see_through:
            continue
        last = found[-1] if found else None
        if last is not None and last.end == unit.start and last.text is None and unit.text is None:
            found[-1] = _Group(last.start, unit.end, unit.matrix, None)
        else:
            found.append(_Group(unit.start, unit.end, unit.matrix, unit.text))
    if len(found) > MOST:
        raise SeeThroughError(f"a side has {len(found)} transparent parts mixed with others")
    return found


def _instruction(name: str, *operands: Any) -> Any:
    return pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(name))


def _ends(instructions: Sequence[Any]) -> list[Any]:
    names = [str(each.operator) for each in instructions]
    return [_instruction("Q")] * (names.count("q") - names.count("Q"))


def _pixels(documents: Sequence[Any], number: int, size: tuple[int, int]) -> Pixels:
    """Return a page on white, in so many pixels: red, green and blue, and black if a second document has
    it in gray."""
    colors, *gray = [_page(each, number, size) for each in documents]
    return np.concatenate([colors, *(each[:, :, :1] for each in gray)], axis=2) if gray else colors


def _page(pdf: Any, number: int, size: tuple[int, int]) -> Pixels:
    width, height = size
    data = bytearray(b"\xff" * (3 * width * height))
    shared = (ctypes.c_ubyte * len(data)).from_buffer(data)
    page = pdf[number]
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, shared, 3 * width)
    try:
        flags = pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, width, height, 0, flags)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
        page.close()
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def _one_color(pixels: Pixels, where: Any) -> tuple[int, ...] | None:
    """Return the color of these pixels, None if they have several."""
    color = tuple(pixels[tuple(np.argwhere(where)[0])].tolist())
    return None if (where & ~_in_color(pixels, color)).any() else color


def _shows(pixels: Pixels, where: Any, color: Sequence[int]) -> bool:
    return bool((where & _in_color(pixels, color)).any())


def _in_color(pixels: Pixels, color: Sequence[int]) -> Any:
    return np.logical_and.reduce([pixels[:, :, each] == value for each, value in enumerate(color)])


def _scale(matrix: Matrix) -> float:
    return float(abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5)


def _prune(resources: Any, instructions: Sequence[Any]) -> None:
    """Leave out what a stream does not name any more."""
    names = ("Do", "gs", "scn", "SCN")
    named = {str(each.operands[-1]) for each in instructions if str(each.operator) in names}
    for kind in {"/XObject", "/ExtGState", "/Pattern"} & set(resources.keys()):
        for name in set(resources[kind].keys()) - named:
            del resources[kind][name]


def _opaque(holder: Any, done: set[tuple[int, int]]) -> None:
    """Take what says how to mix out of a page or form where nothing is mixed, and out of all in it."""
    if holder.get("/Group", {}).get("/S") == "/Transparency":
        del holder["/Group"]
    resources = holder.get("/Resources", pikepdf.Dictionary())
    for state in (resources.get("/ExtGState") or {}).values():
        for key in {"/ca", "/CA", "/BM", "/SMask", "/AIS", "/TK"} & set(state.keys()):
            del state[key]
    inner = [*(resources.get("/XObject") or {}).values(), *(resources.get("/Pattern") or {}).values()]
    for each in inner:
        is_new = not each.is_indirect or each.objgen not in done
        if is_new and (each.get("/Subtype") == "/Form" or each.get("/PatternType") == 1):
            done.add(each.objgen)
            _opaque(each, done)


_PATH_END = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"])
Color = tuple[float, ...]
"""Shares of red, green and blue."""
_COLORS = frozenset(["g", "rg", "k", "sc", "scn", "cs", "G", "RG", "K", "SC", "SCN", "CS"])


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that is painted: the instructions from `start` to before `end`. `matrix` leads from where
    it stands to the stream's own space, `depth` is how many `q` are open there. `shows` is the name of
    what it paints with `Do`."""

    start: int
    end: int
    see_through: bool
    matrix: Matrix
    depth: int
    shows: str | None = None
    text: Text | None = None
    colors: frozenset[Color] = frozenset()
    """Those of its fills and lines, as far as they are red, green and blue or gray."""


@dataclass(frozen=True, slots=True)
class Text:
    """The paint of a text: the share that it covers, and its color before it begins, as the instruction
    that chose it."""

    alpha: float
    color: tuple[list[float], str]


@dataclass(slots=True)
class _State:
    matrix: Matrix = field(default_factory=Matrix)
    graphics: dict[str, Any] = field(default_factory=dict)
    patterns: tuple[bool, bool] = (False, False)
    color: tuple[list[float], str] | None = ([0.0], "g")
    line: Color | None = (0.0, 0.0, 0.0)
    filled: bool = True
    """True if letters are only filled."""

    def colors(self) -> frozenset[Color]:
        fill = None if self.color is None else _rgb(*self.color)
        return frozenset(each for each in (fill, self.line) if each is not None)


def units_of(instructions: Sequence[Any], resources: Any) -> list[Unit]:
    """Return the painting units of a stream, in order. Clips alone paint nothing."""
    states = resources.get("/ExtGState") or {}
    objects = resources.get("/XObject") or {}
    patterns = resources.get("/Pattern") or {}
    found: list[Unit] = []
    state, kept = _State(), list[_State]()
    path: int | None = None
    text: int | None = None
    plain = True
    chosen: set[Color] = set()
    for number, each in enumerate(instructions):
        name, operands = str(each.operator), list(each.operands)
        if name == "q":
            kept.append(replace(state, graphics=dict(state.graphics)))
        elif name == "Q":
            state = kept.pop() if kept else _State()
        elif name == "cm":
            state.matrix = Matrix(*(float(value) for value in operands)).then(state.matrix)
        elif name == "gs":
            state.graphics |= dict(states[operands[0]].items())
            plain = plain and text is None
        elif name in _COLORS:
            _choose(state, name, operands, patterns)
            chosen |= state.colors()
        elif name in ("m", "re"):
            path = number if path is None else path
        elif name == "n":
            path = None
        elif name in _PATH_END:
            start = number if path is None else path
            colors = state.colors()
            found.append(Unit(start, number + 1, _through(state), state.matrix, len(kept), colors=colors))
            path = None
        elif name == "Tr":
            state.filled = int(operands[0]) == 0
            plain = plain and state.filled
        elif name == "BT":
            text, plain, begun, chosen = number, state.filled, state.color, set(state.colors())
        elif name == "ET" and text is not None:
            through, about = _through(state), None
            alpha = _uniform(state.graphics)
            if plain and begun is not None and state.color is not None and alpha is not None:
                about = Text(alpha, begun)
            found.append(
                Unit(
                    text, number + 1, through, state.matrix, len(kept), text=about, colors=frozenset(chosen)
                )
            )
            text = None
        elif name in ("Do", "sh"):
            shows = str(operands[0]) if name == "Do" else None
            through = see_through(state.graphics)
            through = through or (shows is not None and object_is_see_through(objects[shows]))
            found.append(Unit(number, number + 1, through, state.matrix, len(kept), shows))
    return found


def _choose(state: _State, name: str, operands: Sequence[Any], patterns: Any) -> None:
    lines = name.isupper()
    pattern = bool(operands) and isinstance(operands[-1], pikepdf.Name) and str(operands[-1]) in patterns
    through = pattern and _pattern_is_see_through(patterns[operands[-1]])
    state.patterns = (state.patterns[0], through) if lines else (through, state.patterns[1])
    if lines:
        known = name in ("G", "RG")
        state.line = _rgb([float(value) for value in operands], name.lower()) if known else None
    else:
        numbers = [float(value) for value in operands] if name in ("g", "rg") else []
        state.color = (numbers, name) if name in ("g", "rg") else None


def _rgb(values: Sequence[float], name: str) -> Color:
    return (values[0],) * 3 if name == "g" else tuple(values)


def colors_in(object: Any) -> Iterator[Color]:
    """Yield the colors that a form and all that it shows are painted in."""
    if object.get("/Subtype") == "/Image":
        return
    for each in pikepdf.parse_content_stream(object):
        name = str(each.operator)
        if name in ("g", "rg", "G", "RG"):
            yield _rgb([float(value) for value in each.operands], name.lower())
    inner: Any = object.get("/Resources", pikepdf.Dictionary()).get("/XObject") or {}
    for each in inner.values():
        yield from colors_in(each)


def forms_in(form: Any) -> Iterator[Any]:
    """Yield a form and all that it shows."""
    yield form
    inner: Any = form.get("/Resources", pikepdf.Dictionary()).get("/XObject") or {}
    for each in inner.values():
        if each.get("/Subtype") == "/Form":
            yield from forms_in(each)


def _through(state: _State) -> bool:
    return see_through(state.graphics) or any(state.patterns)


def _uniform(graphics: Any) -> float | None:
    """Return the share that fills cover where that is all there is to how they are put on what is there."""
    blend = graphics.get("/BM", "/Normal")
    if blend not in ("/Normal", "/Compatible") or isinstance(graphics.get("/SMask"), pikepdf.Dictionary):
        return None
    return float(graphics.get("/ca", 1))


def see_through(graphics: Any) -> bool:
    """Return True if painting in a graphics state (a dictionary) depends on what is below."""
    alpha = _uniform(graphics)
    return alpha is None or alpha < 1 or float(graphics.get("/CA", 1)) < 1


def object_is_see_through(object: Any) -> bool:
    """Return True if a form or an image contains transparency."""
    if object.get("/Subtype") == "/Image":
        return "/SMask" in object or bool(object.get("/SMaskInData", 0))
    return _resources_are(object.get("/Resources"))


def names_see_through(instruction: Any, resources: Any) -> bool:
    """Return True if an instruction chooses a transparent pattern."""
    patterns = resources.get("/Pattern") or {}
    name = instruction.operands[-1] if str(instruction.operator) in ("scn", "SCN") else None
    chosen = isinstance(name, pikepdf.Name) and str(name) in patterns
    return chosen and _pattern_is_see_through(patterns[name])


def _pattern_is_see_through(pattern: Any) -> bool:
    if int(pattern.PatternType) == 1:
        return _resources_are(pattern.get("/Resources"))
    return "/ExtGState" in pattern and see_through(pattern.ExtGState)


def _resources_are(resources: Any) -> bool:
    if resources is None:
        return False
    return (
        any(see_through(each) for each in (resources.get("/ExtGState") or {}).values())
        or any(object_is_see_through(each) for each in (resources.get("/XObject") or {}).values())
        or any(_pattern_is_see_through(each) for each in (resources.get("/Pattern") or {}).values())
    )
