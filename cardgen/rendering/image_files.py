"""A file that templates show as an image: pixels, or a drawing, and whether it can be shown."""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

from cardgen.findings import Problem, Severity
from cardgen.foreign import Parsing
from cardgen.rasters.colours import ProfileError, srgb_transform
from cardgen.rasters.header import Header, RasterError, kind_of, read_header
from cardgen.rasters.pixels import check_whole, open_pixels
from cardgen.storage.reading import PICTURE, in_words
from cardgen.svg.embedding import read_drawing
from cardgen.svg.limits import MOST_PIXELS, MOST_PIXELS_DECODED, short
from cardgen.svg.normal import normalised
from cardgen.svg.tree import Document, Node, SvgError, parse
from cardgen.svg.viewports import ViewportError, own_box
from cardgen.svg.weights import NOTHING, Outline, Weight

GZIP = b"\x1f\x8b"
"""How a file begins that is packed, such as `drawing.svgz`."""
Outlining = Callable[[Document], tuple[Document, Sequence[Problem]]]
"""A drawing with its texts as shapes, and what is wrong with them, offsets in the file."""

_MODES = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA", "I", "I;16", "I;16B", "I;16L", "CMYK"))
"""Pillow's names of what is shown; others are measured colours (LAB), or numbers rather than colours."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image file. `width` and `height` are pixels as it is shown, 0 for an SVG drawing, which has its
    `view_box` and `markup` instead, and what drawing it comes to. `problem` says why it can't be shown,
    `remark` what to know of one that can. `url` is where its data stand instead of at the path;
    `shown` are the images that a drawing shows, paths and digests. The `problems` are those of a
    drawing, at its own lines; with an error among them it is `broken`. It begins at the byte `start`,
    which is at `place`, template and line."""

    path: Path
    digest: str
    width: int = 0
    height: int = 0
    view_box: str = ""
    markup: str = ""
    problem: Problem | None = None
    remark: Problem | None = None
    broken: bool = False
    problems: tuple[Problem, ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    url: str = ""
    weight: Weight = NOTHING
    outline: Callable[[], Outline] = Outline
    start: int = 0
    place: tuple[str, int] | None = None


def unpacked(data: bytes) -> bytes:
    """What is packed in a file such as `drawing.svgz`. Raises RasterError for one that is damaged, holds
    more than a picture may have, or pixels, which are packed already."""
    unpacking = zlib.decompressobj(wbits=31)
    with Parsing(lambda _: RasterError("is damaged", "save it again")):
        content = unpacking.decompress(data, PICTURE.most + 1)
    if len(content) > PICTURE.most:
        raise RasterError(f"unpacks to more than {in_words(PICTURE.most)}", PICTURE.hint, "file/size")
    if not unpacking.eof:
        raise RasterError("is damaged: its end is missing", "save it again")
    if kind_of(content) is not None or content.startswith(GZIP):
        raise RasterError("is packed with gzip, which only drawings are", "unpack it")
    return content


def read_pixels(path: Path, href: str, data: bytes, digest: str) -> Image:
    """A file of pixels as an image, looked at as a whole."""
    try:
        header = read_header(data)
        width, height = header.shown
        if width * height > MOST_PIXELS:
            what = f"has {width}×{height} pixels, more than {MOST_PIXELS:,}"
            raise RasterError(what, "no print needs that many; make it smaller", "image/pixels")
        if not header.still:
            raise RasterError("holds several pictures", "save the one to be shown by itself")
        if header.decoded:
            _hold_decoded(header, "transparency, 16 bits or interlacing, or is a WebP, TIFF or GIF")
        file = open_pixels(data, header)
        if file.mode not in _MODES:
            raise RasterError(f"holds colours of the kind {file.mode}", "save it as RGB")
        converted, ignored = False, ""
        try:
            converted = srgb_transform(file) is not None
        except ProfileError as error:
            ignored = str(error)
        if file.mode == "CMYK" and not converted:
            why = "has CMYK colours, and no profile that says which"
            raise RasterError(why, "save it as RGB, or with its colour profile", "image/cmyk")
        if converted:
            _hold_decoded(header, "a colour profile other than sRGB")
        check_whole(data, header)
    except RasterError as error:
        return Image(
            path, digest, problem=Problem(error.code, f"the image '{href}' {error.what}", error.hint)
        )
    remark = None
    if ignored:
        message = f"the colour profile of the image '{href}' {ignored}; it is left out"
        remark = Problem("image/profile", message, "save it as sRGB", Severity.WARNING)
    return Image(path, digest, width, height, remark=remark)


def _hold_decoded(header: Header, what: str) -> None:
    """Raise RasterError for more pixels than are read one by one."""
    if header.width * header.height > MOST_PIXELS_DECODED:
        pixels = f"has {header.width}×{header.height} pixels and {what}"
        hint = "make it smaller, or save it without that"
        raise RasterError(f"{pixels}, more than {MOST_PIXELS_DECODED:,} for such", hint, "image/pixels")


def read_drawn(
    path: Path,
    data: bytes,
    digest: str,
    problems: list[Problem],
    outlined: Outlining,
    find: Callable[[str], Image | Problem],
) -> Image:
    """An SVG file as an image, broken if there are problems. `find` answers the images in it."""
    broken = Image(path, digest, broken=True)
    try:
        normal = normalised(parse(data))
    except SvgError as error:
        problems.append(error.of("image/svg"))
        return broken
    document, found = outlined(normal.document)
    root = document.root
    problems += normal.problems
    problems += found
    if root.name != "svg":
        problems.append(Problem("image/svg", f"<{short(root.name)}> is not a drawing", offset=root.start))
        return broken
    try:
        view = own_box(root)
    except ViewportError as error:
        problems.append(Problem("svg/viewport", f"the drawing can't be placed: {error}", offset=root.start))
        return broken
    if view is None:
        hint = 'write viewBox="0 0 WIDTH HEIGHT"'
        problems.append(
            Problem("image/svg", "the drawing has neither viewBox nor size", hint, offset=root.start)
        )
        return broken
    shown: dict[str, str] = {}
    room = [MOST_PIXELS]
    for node in root.iter():
        if node.name == "image":
            problems += _place_inner(node, find, shown, room)
    if any(problem.is_error for problem in problems):
        return broken
    drawing = read_drawing(document, f"image-{digest}", view.width * view.height)
    problems += (problem.moved(root.start) for problem in drawing.problems)
    if any(problem.is_error for problem in problems):
        return broken
    view_box = root.get("viewBox") or f"0 0 {view.width:.10g} {view.height:.10g}"
    return Image(
        path,
        digest,
        view_box=view_box,
        markup=drawing.markup,
        shown=tuple(sorted(shown.items())),
        weight=drawing.weight,
        outline=drawing.outline,
        start=root.start,
    )


def _place_inner(
    node: Node, find: Callable[[str], Image | Problem], shown: dict[str, str], room: list[int]
) -> list[Problem]:
    """Have an image in a drawing name its file as such, and what is wrong with it. `room` is left for
    pixels whose data stand in the drawing, of which few bytes may come to very many."""
    if room[0] < 0:
        return []  # said already
    href = node.href or ""
    found = find(href)
    trouble = found if isinstance(found, Problem) else found.problem
    if trouble is None and isinstance(found, Image) and (found.markup or found.broken):
        message = "a drawing shown as an image holds another drawing"
        trouble = Problem("image/svg", message, "show it in the template")
    if trouble is None and isinstance(found, Image) and found.url:
        room[0] -= found.width * found.height
        if room[0] < 0:
            message = f"the images whose data stand in the drawing have more than {MOST_PIXELS:,} pixels"
            trouble = Problem("image/pixels", message, "save them as files beside it, or make them smaller")
    if trouble is not None:
        return [replace(trouble, offset=node.start)]
    assert isinstance(found, Image)
    node.attrs.pop("xlink:href", None)
    node.attrs["href"] = found.url or str(found.path)
    if not found.url:
        shown[str(found.path)] = found.digest
    return [] if found.remark is None else [replace(found.remark, offset=node.start)]


def url_data(url: str) -> bytes:
    """The data that stand in a URL. Raises ValueError."""
    head, _, body = url.partition(",")
    return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)


def read_url(url: str) -> Image | Problem:
    """An image whose data stand in the drawing itself (RFC 2397)."""
    try:
        data = url_data(url)
    except ValueError as error:
        return Problem(
            "image/data", f"an image's data can't be read: {error}", "save it as a file beside it"
        )
    if kind_of(data) is None:
        message = "an image's data are neither PNG, JPEG, WebP, TIFF nor GIF"
        return Problem("image/data", message, "save it as a file beside it")
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    return replace(read_pixels(Path(f"{digest}"), "data:", data, digest), url=url)
