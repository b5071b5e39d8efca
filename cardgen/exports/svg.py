"""`--to svg`: every side as an SVG file of its own, which needs no font and no other file.

Pictures keep the markup and ids of their templates. Text becomes outlines, so it looks the same everywhere,
and its content is in `aria-label`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from weakref import WeakKeyDictionary
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr, unescape

from cardgen.core import geometry
from cardgen.core.artwork import (
    Artwork,
    Bar,
    Color,
    IconRun,
    Item,
    Picture,
    Placed,
    Rendering,
    SetText,
    Stroke,
    TextRun,
)
from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.core.game import Component
from cardgen.core.geometry import Matrix, Rect, Shape, corners_of
from cardgen.exports.job import ExportJob, Named, PlannedFile, filled_in, named_sides
from cardgen.files.reading import PICTURE, ReadingError, read_file
from cardgen.pdf.images import for_screens
from cardgen.text.fonts import FontBook
from cardgen.text.shaping import Font

SHOWN_TEXT = 4000
"""Most characters of a side's text in its `desc`."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return the files of `--to svg`, named like those of `--to png`. Books are skipped."""
    return [
        _file(job, component, side)
        for component in job.drawn
        for side in named_sides(component, list(job.pieces(component)))
    ]


def _file(job: ExportJob, component: Component, side: Named) -> PlannedFile:
    artwork, bleed = job.rendering.artworks[side.artwork], job.switch("bleed")
    shape = None
    if not bleed and not job.switch("square-corners"):
        shape = component.shape_of(side.side), component.corner_radius
    text = standalone(job.rendering, job.fontbook, artwork, side.title, bleed=bleed, shape=shape)
    return PlannedFile.of_text(f"{side.stem}.svg", text)


def standalone(
    rendering: Rendering,
    fonts: FontBook,
    artwork: Artwork,
    title: str,
    *,
    bleed: bool,
    shape: tuple[Shape, float] | None,
) -> str:
    """Return a side of a rendering as an SVG document in mm: its trim, or with its `bleed`, clipped to a
    shape with a radius of its corners, if there is one."""
    clip = "" if shape is None else _clip(*shape, artwork.trim)
    side = Side(rendering, fonts)
    body = side.items(artwork.items)
    whole = Rect(0, 0, artwork.size.width, artwork.size.height)
    area = whole if bleed else artwork.trim
    defs = "".join([clip and f'<clipPath id="shape">{clip}</clipPath>', *side.glyphs()])
    words = "\n".join(" ".join(text.split()) for text in side.texts)[:SHOWN_TEXT]
    return filled_in(
        "side.svg",
        width=decimal(area.width),
        height=decimal(area.height),
        box=" ".join(decimal(value) for value in (area.x, area.y, area.width, area.height)),
        title=title,
        words=words,
        defs=defs,
        clip=clip,
        body=body,
    )


def _clip(shape: Shape, corner: float, trim: Rect) -> str:
    """Return the finished shape; nothing for square corners, since the document's own edge clips them."""
    x, y, width, height = (decimal(value) for value in (trim.x, trim.y, trim.width, trim.height))
    if (corners := corners_of(shape, trim)) is not None:
        points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in corners)
        return f'<polygon points="{points}"/>'
    if shape == "ellipse":
        cx, cy = decimal(trim.x + trim.width / 2), decimal(trim.y + trim.height / 2)
        rx, ry = decimal(trim.width / 2), decimal(trim.height / 2)
        return f'<ellipse cx="{cx}" cy="{cy}" rx="{rx}" ry="{ry}"/>'
    if corner > 0:
        radius = decimal(corner)
        return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'
    return ""


_ROOT = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?<svg\b([^>]*)>(.*)</svg>\s*", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")
_DROPPED = ("xmlns", "width", "height", "viewBox", "version", "x", "y", "id")
_ID = re.compile(r' id="([^"]+)"')
_NAMED = re.compile(r"""( id="|href="#|url\(["']?#)([^"')]+)(?=["')])""")
_IMAGE = re.compile(r'(<image\b[^>]*?\s(?:xlink:)?href=)"([^"]*)"')
MOST_EMBEDDED = 100_000_000
"""Bytes of the images in one document, each counted as often as it is shown."""
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&#34;": '"', "&#39;": "'"}


def decimal(value: float, places: int = 4) -> str:
    """Return a number in the format of these files."""
    return geometry.decimal(value, places)


def color_of(color: Color) -> str:
    """Return a color in hexadecimal if that is exact enough, which is true for all template colors."""
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in color)


def _line(stroke: Stroke, scale: float) -> str:
    """Return the attributes of a stroke where a unit is `scale` mm."""
    cap, join = ("butt", "round", "square")[stroke.cap], ("miter", "round", "bevel")[stroke.join]
    return (
        f'fill="none" stroke="{color_of(stroke.color)}" stroke-width="{decimal(stroke.width / scale)}" '
        f'stroke-linecap="{cap}" stroke-linejoin="{join}" stroke-miterlimit="{decimal(stroke.miter)}"'
    )


def matrix_of(matrix: Matrix) -> str:
    linear = [decimal(value, 6) for value in (matrix.a, matrix.b, matrix.c, matrix.d)]
    return f"matrix({' '.join((*linear, decimal(matrix.e), decimal(matrix.f)))})"


class Side:
    """A document in progress: the ids that it has, the glyphs that it shows."""

    def __init__(self, rendering: Rendering, fonts: FontBook) -> None:
        self._rendering, self._fonts = rendering, fonts
        self._taken: set[str] = {"shape"}
        self._numbers: dict[str, int] = {}
        self._shown: dict[tuple[str, int], str] = {}
        self.texts: list[str] = []
        self._embedded_bytes = 0

    # ------------------------------------------------------------ items

    def items(self, items: Iterable[Item]) -> Iterator[str]:
        """Return the elements of items, in paint order."""
        return iter([self._item(item) for item in items])

    def _item(self, item: Item) -> str:
        if isinstance(item, Picture):
            return self._embedded(item.svg)
        if isinstance(item, SetText):
            return self._text(item)
        if isinstance(item, Placed):
            raise TypeError("only pages of books show other sides")
        inner = "".join(self.items(item.items))
        return f'<g opacity="{decimal(item.opacity)}">{inner}</g>'

    # ------------------------------------------------------------ pictures

    def _embedded(self, svg: str) -> str:
        """Return a document's drawing as a group, with the style of its root."""
        match = _ROOT.fullmatch(svg)
        if match is None:  # an empty root
            return ""
        attributes = [
            f"{name}={value}"
            for name, value in _ATTRIBUTE.findall(match[1])
            if name not in _DROPPED and not name.startswith("xmlns:")
        ]
        body = _IMAGE.sub(self._with_data, self._renamed(match[2]))
        head = " ".join(["<g", *attributes])
        return body if head == "<g" else f"{head}>{body}</g>"

    def _with_data(self, match: re.Match[str]) -> str:
        """Return the image with its bytes embedded instead of a path."""
        href = unescape(match[2], _ENTITIES)
        if href.startswith(("data:", "#")):
            return match[0]
        try:
            data = read_file(href, PICTURE, href, None)  # found in the project when it was laid out
        except ReadingError as error:
            message = f"the image {error.reason}"
            raise CardgenError(
                Finding(Severity.ERROR, "picture/image", message, Location(href), error.hint)
            ) from error
        self._embedded_bytes += len(data)
        if self._embedded_bytes > MOST_EMBEDDED:
            message = f"the images of a side take more than {MOST_EMBEDDED // 1_000_000} MB in one file"
            hint = "make this one smaller, or export another format"
            raise CardgenError(Finding(Severity.ERROR, "picture/image", message, Location(href), hint))
        kind, data = for_screens(data)
        return f'{match[1]}"data:{kind};base64,{b64encode(data).decode("ascii")}"'

    def _renamed(self, body: str) -> str:
        """Return the drawing with ids that are unique in the document."""
        names = {id: self._name(id) for id in dict.fromkeys(_ID.findall(body))}
        changed = {old: new for old, new in names.items() if old != new}
        if not changed:
            return body
        return _NAMED.sub(lambda match: match[1] + changed.get(match[2], match[2]), body)

    def _name(self, wanted: str) -> str:
        name, number = wanted, self._numbers.get(wanted, 1)
        while name in self._taken:
            number += 1
            name = f"{wanted}-{number}"
        self._numbers[wanted] = number
        self._taken.add(name)
        return name

    # ------------------------------------------------------------ text

    def _text(self, text: SetText) -> str:
        words = " ".join(
            run.text if isinstance(run, TextRun) else f"({run.icon})"
            for run in text.runs
            if isinstance(run, TextRun) or not run.letter
        )
        words = " ".join(words.split())
        parts = [_bar(bar) for bar in text.bars]
        stroke = text.stroke
        # Parts may be more opaque than their text, so then each has its own opacity.
        each = any(isinstance(run, TextRun) and run.opacity != 1 for run in text.runs)
        own = text.opacity if each else 1.0
        parts += [
            self._run(run, stroke, own) if isinstance(run, TextRun) else self._icon(run, own)
            for run in text.runs
            if stroke is None or isinstance(run, TextRun)
        ]
        head = "<g"
        if text.decor:
            head += ' aria-hidden="true"'
        elif words:
            self.texts.append(words)
            head += f" aria-label={quoteattr(words)}"
        if not text.matrix.is_identity:
            head += f' transform="{matrix_of(text.matrix)}"'
        if text.opacity < 1 and not each:
            head += f' opacity="{decimal(text.opacity)}"'
        return f"{head}>{''.join(parts)}</g>"

    def _run(self, run: TextRun, stroke: Stroke | None, opacity: float) -> str:
        """Return glyphs, or their outlines, in the font's own units, so that a run needs one matrix.
        `opacity` is the text's, unless its parts have their own."""
        upem = self._fonts.by_key(run.font).upem
        uses = []
        pen = 0.0
        for index, word in enumerate(() if run.hidden else run.words):
            for gid, x, up, _ in word.glyphs:
                name = self._glyph(run.font, gid)
                if name:
                    place = f' x="{decimal((pen + x) * upem, 1)}"'
                    place += f' y="{decimal(up * upem, 1)}"' if up else ""
                    uses.append(f'<use xlink:href="#{name}"{place}/>')
            pen += word.advance + (run.gaps[index] if index < len(run.gaps) else 0.0)
        if not uses:
            return ""
        scale = run.size / upem
        a, b, c, d = (1.0, 0.0, 0.0, 1.0) if run.turn is None else run.turn
        linear = " ".join(f"{value:.8f}" if value else "0" for value in (a * scale, b * scale, -c * scale))
        matrix = f"matrix({linear} {-d * scale:.8f} {decimal(run.x)} {decimal(run.y)})"
        look = f'fill="{color_of(run.fill)}"' if stroke is None else _line(stroke, scale)
        if opacity * run.opacity != 1:
            look += f' opacity="{decimal(min(1.0, opacity * run.opacity))}"'
        return f'<g transform="{matrix}" {look}>{"".join(uses)}</g>'

    def _icon(self, run: IconRun, opacity: float) -> str:
        """Return the icon's drawing at its place, in its color."""
        source = self._rendering.icons[run.icon]
        box = _view_box(source)
        scale = run.size / box[3]
        x, y = run.x - box[0] * scale, run.y - box[1] * scale
        ink = color_of(run.fill)
        place = f"matrix({scale:.8f} 0 0 {scale:.8f} {decimal(x)} {decimal(y)})"
        root = _ROOT.fullmatch(source.strip())
        own = root is not None and re.search(r"""\sfill\s*=""", root[1]) is not None
        fill = "" if own else f' fill="{ink}"'
        fill += f' opacity="{decimal(opacity)}"' if opacity < 1 else ""
        return f'<g transform="{place}" color="{ink}"{fill}>{self._embedded(source)}</g>'

    # ------------------------------------------------------------ glyphs

    def _glyph(self, font: str, gid: int) -> str:
        """Return the id of a glyph's outline; empty for one without ink."""
        key = (font, gid)
        if key not in self._shown:
            self._shown[key] = self._name("glyph") if glyph_path(self._fonts, font, gid) else ""
        return self._shown[key]

    def glyphs(self) -> Iterator[str]:
        """Yield the outlines of all glyphs shown so far, in font units, y up."""
        for (font, gid), name in self._shown.items():
            if name:
                yield f'<path id="{name}" d="{glyph_path(self._fonts, font, gid)}"/>'


_PATHS: WeakKeyDictionary[Font, dict[int, str]] = WeakKeyDictionary()
"""Outlines read so far by glyph, for as long as their font is in use."""


def glyph_path(fonts: FontBook, font: str, gid: int) -> str:
    """Return a glyph's outline as path data in the font's units, y up."""
    found = fonts.by_key(font)
    paths = _PATHS.setdefault(found, {})
    if gid not in paths:
        paths[gid] = "".join(
            command + " ".join(decimal(value, 2) for value in values)
            for command, values in found.outline(gid)
        )
    return paths[gid]


@lru_cache(maxsize=256)
def _bar(bar: Bar) -> str:
    area = bar.area
    place = f'x="{decimal(area.x)}" y="{decimal(area.y)}"'
    size = f'width="{decimal(area.width)}" height="{decimal(area.height)}"'
    return f'<rect {place} {size} fill="{color_of(bar.fill)}"/>'


def _view_box(svg: str) -> tuple[float, float, float, float]:
    root = ElementTree.fromstring(svg)
    box = [float(value) for value in root.get("viewBox", "").replace(",", " ").split()]
    if len(box) == 4:
        return box[0], box[1], box[2], box[3]
    sides = [float(re.sub(r"[a-z%]+$", "", root.get(side, "24"))) for side in ("width", "height")]
    return 0.0, 0.0, sides[0], sides[1]
