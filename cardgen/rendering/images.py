"""Image files that templates show: where they lie, their digest and their size, from headers alone."""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from cardgen.findings import Severity
from cardgen.geometry import Matrix
from cardgen.model.game import ProjectPaths
from cardgen.rendering.embedding import embed
from cardgen.rendering.lint import lint
from cardgen.rendering.problems import Problem
from cardgen.rendering.style import StyleSheet
from cardgen.rendering.svg import Node, SvgError, parse
from cardgen.units import MM_PER_INCH

MAX_PIXELS = 100_000_000
"""Pixels of one image; an A3 page at 600 dpi has 70 million."""

GOOD_DPI = 300
LEAST_DPI = 150
"""Common advice of print services: 300 dpi, and below 150 pixels show at reading distance."""

_ROUNDING_DPI = 1.0
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class Image:
    """An image file. `width` and `height` are pixels, 0 for an SVG drawing, which has its `view_box`
    and `markup` instead. `problem` says why it can't be shown (code, message, hint)."""

    path: Path
    digest: str
    width: int = 0
    height: int = 0
    view_box: str = ""
    markup: str = ""
    problem: tuple[str, str, str | None] | None = None


class ImageStore:
    """Images by name, read once."""

    def __init__(self, paths: ProjectPaths, game: str) -> None:
        self._roots = [(root / "templates").resolve() for root in paths.roots]
        self._game = game
        self._found: dict[tuple[str, str], Image | tuple[str, str, str | None]] = {}
        self._files: dict[Path, Image] = {}

    def find(self, href: str, folder: str) -> Image | tuple[str, str, str | None]:
        """The image that `href` means in a template of `templates/<folder>/`, or why there is none
        (code, message, hint)."""
        key = (href, folder)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find(href, folder)
        return found

    def _find(self, href: str, folder: str) -> Image | tuple[str, str, str | None]:
        if href.startswith("data:"):
            return ("image/data", "images inside the drawing are not read", "save it as a file beside it")
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", href) or href.startswith("//"):
            return (
                "image/external",
                f"the image '{href}' lies outside the project",
                "put it into templates/",
            )
        parts = href.split("/")
        if href.startswith("/") or "\\" in href or "%" in href or any(p in ("", ".", "..") for p in parts):
            hint = "give its path below the template's folder, such as art/hero.png"
            return ("image/path", f"'{href}' is not a path within the templates", hint)
        places = dict.fromkeys((folder, self._game, ""))
        for place in places:
            for root in self._roots:
                path = root.joinpath(place, *parts)
                if path.is_file():
                    if not path.resolve().is_relative_to(root):
                        return ("image/path", f"the image '{href}' lies outside the project", None)
                    return self._read(path, href)
        looked = ", ".join(f"templates/{place}/".replace("//", "/") for place in places)
        return ("image/missing", f"there is no image '{href}'", f"looked in {looked}")

    def _read(self, path: Path, href: str) -> Image:
        image = self._files.get(path)
        if image is None:
            data = path.read_bytes()
            digest = hashlib.blake2b(data, digest_size=16).hexdigest()
            image = self._files[path] = _inspect(path, href, data, digest)
        return image


def _inspect(path: Path, href: str, data: bytes, digest: str) -> Image:
    def broken(code: str, message: str, hint: str | None = None) -> Image:
        return Image(path, digest, problem=(code, message, hint))

    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = struct.unpack(">II", data[16:24]) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    elif data.startswith(b"\xff\xd8"):
        frame = _jpeg_frame(data)
        size = frame[:2] if frame else None
        if frame and frame[2] == 4:
            return broken("image/cmyk", f"the image '{href}' is a CMYK JPEG", "save it as RGB")
    elif b"<svg" in data[:4096]:
        drawing = _read_svg(data, f"image-{digest}")
        if isinstance(drawing, str):
            return broken("image/svg", f"the drawing '{href}' can't be shown: {drawing}")
        return Image(path, digest, view_box=drawing[0], markup=drawing[1])
    else:
        return broken("image/format", f"the image '{href}' is neither PNG, JPEG nor SVG")
    if size is None or 0 in size:
        return broken("image/format", f"the image '{href}' is damaged")
    width, height = size
    if width * height > MAX_PIXELS:
        message = f"the image '{href}' has {width}×{height} pixels, more than {MAX_PIXELS:,}"
        return broken("image/pixels", message, "no print needs that many; make it smaller")
    return Image(path, digest, width, height)


def _jpeg_frame(data: bytes) -> tuple[int, int, int] | None:
    """Width, height and number of channels, from the frame header."""
    position = 2
    while position + 10 <= len(data):
        if data[position] != 0xFF:
            return None
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
            continue
        if marker in _SOF:
            height, width, channels = struct.unpack(">HHB", data[position + 5 : position + 10])
            return (width, height, channels)
        if marker == 0xD9 or marker == 0xDA:
            return None
        position += 2 + struct.unpack(">H", data[position + 2 : position + 4])[0]
    return None


def _read_svg(data: bytes, prefix: str) -> tuple[str, str] | str:
    """An SVG file's viewBox and markup, or why it can't be shown as an image."""
    try:
        document = parse(data)
    except SvgError as error:
        return str(error)
    root = document.root
    if root.name != "svg":
        return "it is not an SVG file"
    view_box = root.get("viewBox")
    if view_box is None:
        return "it has no viewBox"
    sheet = StyleSheet(node for node in root.iter() if node.name == "style")
    for node in root.iter():
        if node.name == "text":
            return "it holds text; turn it into paths"
        if node.name == "image":
            return "it holds an image of its own"
    for problem in (*sheet.problems, *lint(root, document.ids, sheet)):
        line = data.count(b"\n", 0, problem.offset) + 1
        return f"{problem.message} (its line {line})"
    return view_box, embed(prefix, document, sheet)


def check_size(node: Node, image: Image, matrix: Matrix, href: str) -> Problem | None:
    """Whether the image has enough pixels for the size it is printed at."""
    try:
        width, height = (float(node.attrs[name].removesuffix("px")) for name in ("width", "height"))
    except KeyError:
        hint = "say its size in mm: width and height"
        return Problem("image/size", f"the image '{href}' has no width and height", hint)
    except ValueError:
        return None  # a percentage; any other text is a finding of the lint
    if not image.width or width <= 0 or height <= 0:
        return None
    across = image.width / (width * matrix.scale / MM_PER_INCH)
    down = image.height / (height * matrix.scale / MM_PER_INCH)
    mode = node.attrs.get("preserveAspectRatio", "xMidYMid meet")
    # `slice` fills the box and crops, so the denser way is stretched; else the box holds all of it.
    dpi = min(across, down) if "slice" in mode or mode.startswith("none") else max(across, down)
    if dpi >= GOOD_DPI - _ROUNDING_DPI:
        return None
    printed = f"{width * matrix.scale:.3g}×{height * matrix.scale:.3g} mm"
    return Problem(
        "image/resolution",
        f"the image '{href}' ({image.width}×{image.height} pixels) comes to {dpi:.0f} dpi at {printed}",
        f"print wants {GOOD_DPI} dpi; use a larger image or show it smaller",
        Severity.ERROR if dpi < LEAST_DPI else Severity.WARNING,
    )
