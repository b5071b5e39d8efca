"""SVG files as text, and the outermost element fitted onto its card."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import IDENTITY, MM_PER_INCH, Matrix, Rect, Size, parse_length
from cardgen.core.records import dataclass
from cardgen.svg.outlines import ViewportError, fit, view_box_of
from cardgen.svg.tree import FARTHEST, NEAREST, Node, SvgError, number, numbers, short

_TOLERANCE = 0.01
_PROPORTION = 0.005
"""The tolerance for proportions; it moves the edge of a card by less than a hair."""
_PX = MM_PER_INCH / 96
"""mm of a drawing's unit where nothing else says how large it is (CSS Values 4, 6.2)."""
_UNITS = {"pc": MM_PER_INCH / 6, "q": 0.25}
_SIDES = ("width", "height")
WHOLE = {
    "clip-path": "none",
    "filter": "none",
    "isolation": "auto",
    "mask": "none",
    "mix-blend-mode": "normal",
    "opacity": "1",
    "transform": "none",
    "transform-origin": "",
}
"""Attributes that hold for a side as a whole, with the values that mean nothing."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """The placement of a drawing's units on the side, in mm; `view` is its own box, and `problems` are
    those of its root. Without a `view` it can't be placed."""

    view: Rect | None
    matrix: Matrix = IDENTITY
    problems: tuple[Problem, ...] = ()


def says_millimetres(root: Node, size: Size) -> bool:
    """Return True if width, height and viewBox set `size` (trim and bleed) in mm, one unit each, and
    nothing else applies to the whole side."""
    box = numbers(root.get("viewBox") or "")
    expected = [0.0, 0.0, size.width, size.height]
    return (
        all(_agrees(root.get(name), side) for name, side in zip(_SIDES, expected[2:]))
        and len(box) == 4
        and all(abs(a - b) <= _TOLERANCE for a, b in zip(box, expected))
        and all((root.get(name) or none).strip() in (none, "none", "") for name, none in WHOLE.items())
    )


def fitting(root: Node, size: Size, bleed: float) -> Fitting:
    """Return a drawing of any size fitted onto a side of `size` (trim and bleed), as a browser fits it
    into a page: its viewBox into its width and height, and those onto the card."""
    try:
        view = view_box_of(root.get("viewBox"))
    except ViewportError:
        message = f"the viewBox is '{short(root.get('viewBox') or '')}', a size that can't be drawn"
        return Fitting(None, problems=(Problem("svg/viewbox", message, _hint(size)),))
    known = {name: _side(root.get(name)) for name in _SIDES}
    odd = [name for name, value in known.items() if value is not None and not NEAREST <= value <= FARTHEST]
    if odd:
        return Fitting(None, problems=(_wrong(root, size, odd),))
    stretched = (root.get("preserveAspectRatio") or "").strip().startswith("none")
    natural, stated = _natural(known, None if stretched and not any(known.values()) else view, size)
    area, problem = _area(root, natural if stated else None, natural, size, bleed)
    if area is None:
        return Fitting(None, problems=(problem,) if problem else ())
    problems = [problem] if problem else []
    scale = max(area.width / natural.width, area.height / natural.height)
    placed = Matrix(scale, 0.0, 0.0, scale, area.x, area.y)
    box = Rect(0.0, 0.0, natural.width, natural.height)
    aspect = root.get("preserveAspectRatio")
    if view is None:
        view, aspect = Rect(0.0, 0.0, natural.width / _PX, natural.height / _PX), None
    elif aspect is None:
        problems += _gaps(view, natural, root)
    try:
        inner = fit(view, box, aspect)
    except ViewportError as error:
        problems.append(Problem("svg/aspect", str(error), error.hint))
        inner = fit(view, box, None)
    return Fitting(view, inner.then(placed), tuple(problems))


def _natural(known: dict[str, float | None], view: Rect | None, size: Size) -> tuple[Size, bool]:
    """Return the size of a drawing in mm, and whether it says one: a side that it leaves open follows
    from its viewBox, or the card."""
    width, height = known["width"], known["height"]
    like = size if view is None else view.size
    if width is not None and height is not None:
        return Size(width, height), True
    if width is not None:
        return Size(width, width * like.height / like.width), True
    if height is not None:
        return Size(height * like.width / like.height, height), True
    return like, False


def _area(
    root: Node, stated: Size | None, natural: Size, size: Size, bleed: float
) -> tuple[Rect | None, Problem | None]:
    """Return the part of a side that a drawing is fitted onto, and what is to be said of that."""
    whole = Rect(0.0, 0.0, size.width, size.height)
    trim = whole.inset(bleed)
    fits_trim = _alike(natural, trim.size)
    of_trim = stated is not None and fits_trim and stated.close_to(trim.size, 0.005 * trim.width)
    if _alike(natural, size) and not (of_trim and bleed > 0 and not natural.close_to(size, 0.1)):
        return whole, None
    if not fits_trim:
        return None, _wrong(root, size, [name for name in _SIDES if root.get(name) is not None])
    message = f"the drawing has the size of the card, {trim.size}, but no bleed"
    hint = f"draw {bleed:g} mm more on each side: {size}; without bleed, cutting may leave a white edge"
    return trim, Problem("svg/bleed", message, hint, Severity.WARNING)


def _gaps(view: Rect, natural: Size, root: Node) -> Iterator[Problem]:
    if not _alike(view.size, natural):
        message = (
            f"the viewBox is {short(root.get('viewBox') or '')}, which differs in proportions from "
            "width and height, so the drawing doesn't fill the side"
        )
        yield Problem(
            "svg/viewbox",
            message,
            "give both the same proportions, or set preserveAspectRatio",
            Severity.WARNING,
        )


def _alike(one: Size, other: Size) -> bool:
    """Return True if two sizes have the same proportions."""
    across, down = one.width * other.height, one.height * other.width
    return abs(across - down) <= _PROPORTION * max(across, down)


def _wrong(root: Node, size: Size, names: list[str]) -> Problem:
    said = " and ".join(f"{name} {short(root.get(name) or 'missing')}" for name in names)
    said = said or f"viewBox {short(root.get('viewBox') or 'missing')}"
    message = f"the side with its bleed is {size}, but the template sets {said}"
    return Problem("svg/size", message, _hint(size))


def _hint(size: Size) -> str:
    width, height = f"{size.width:g}", f"{size.height:g}"
    tag = f'<svg width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
    return f"write {tag}, or any size of these proportions"


def _side(text: str | None) -> float | None:
    """Return a width or height in mm; None if the page has to say it, 0 where it can't be read."""
    text = (text or "").strip()
    if text in ("", "auto") or text.endswith("%"):
        return None
    plain = number(text.removesuffix("px"))
    if plain is not None:
        return plain * _PX
    unit = _UNITS.get(text[-2:].lower()) or _UNITS.get(text[-1:].lower())
    if unit is not None:
        return (number(text.lower().rstrip("pcq").strip()) or 0.0) * unit
    try:
        return parse_length(text)
    except ValueError:
        return 0.0


def _agrees(text: str | None, expected: float) -> bool:
    try:
        return text is not None and abs(parse_length(text) - expected) <= _TOLERANCE
    except ValueError:
        return False


_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARED = re.compile(rb"""^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']""")
_READ = {
    "utf-8": "utf-8",
    "ascii": "utf-8",
    "utf-16": "utf-8",  # of a file whose bytes are not: another program has saved it again
    "iso8859-1": "cp1252",  # as browsers read it: curly quotes and dashes are in use
    "cp1252": "cp1252",
    "iso8859-15": "iso8859-15",
    "mac-roman": "mac-roman",
}
"""The encodings that are read, by Python's names of what files declare."""
_METADATA = re.compile(
    r"<((?:[\w.-]+:)?metadata|[\w.-]+:(?:ai)?pgf)(?=[\s>])[^>]*(?<!/)>.*?</\1\s*>", re.DOTALL
)
_HINT = "save the drawing as UTF-8"


def utf8_of(data: bytes) -> bytes:
    """Return an SVG file as UTF-8, without a byte order mark. Raises SvgError."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    for start, encoding in _UNMARKED:
        if data.startswith(start):
            return _decoded(data, encoding)
    stated = _DECLARED.match(data[:1_000])
    if stated is None:
        return _decoded(data, "utf-8")
    name = stated[1].decode("ascii", "replace")
    try:
        known = _READ.get(codecs.lookup(name).name)
    except LookupError:
        known = None
    if known is None:
        raise SvgError(f"its encoding '{name}' is not supported", 0, _HINT)
    return _decoded(data, known)


def _decoded(data: bytes, encoding: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "cp1252":  # five bytes stand for nothing there
            return data.decode("latin-1").encode()
        message = f"the byte 0x{data[error.start]:02x} is not {encoding.upper()}"
        raise SvgError(message, error.start, _HINT) from None
    return data if encoding == "utf-8" else text.encode()


def without_metadata(text: str) -> str:
    """Return a drawing without the elements that programs keep their own data in, line for line.

    These may hold anything, template tags among it, and megabytes.
    """
    if "metadata" not in text and "pgf" not in text:
        return text
    return _METADATA.sub(lambda found: "\n" * found[0].count("\n"), text)
