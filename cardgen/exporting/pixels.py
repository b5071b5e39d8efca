"""Sides as pixels for exporters: from any thread, in exactly as many pixels as asked for.

pdfium reads some sides at a time from a PDF of their own, and does one thing at a time; packing a picture
into PNG or JPEG runs beside it on other threads.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.metadata import version
from itertools import islice
from threading import Lock
from typing import Any, Literal, TypeVar

import pypdfium2
from PIL import Image

from cardgen.drawing.document import View, write_views
from cardgen.drawing.objects import DrawnArt, DrawnFace
from cardgen.drawing.raster import TRIMMED, Pixels, RasterOptions, cut_to_shape, page_pixels, shown_area
from cardgen.geometry import Rect
from cardgen.units import MM_PER_INCH, to_px

Area = Literal["bleed", "trim"]
In = TypeVar("In")
Out = TypeVar("Out")

WORKERS = max(2, min(4, os.cpu_count() or 2))
"""Threads that pack pictures. More than four only wait for pdfium."""

_TOGETHER = 40
"""Sides in one document: they share fonts and pictures."""
_MOST_OPEN = 2 * WORKERS
"""Documents kept open, those used last: each thread has one at hand, and one of backs."""

_PDFIUM = Lock()
"""pdfium has state of its own: never two calls at once, whichever the document."""


class Sides:
    """The sides of drawn art as pixels. Close it, or use it in a `with`, to let go of what it holds: pages
    of some sides at a time, for a document of all would grow with each one that is looked at."""

    def __init__(self, art: DrawnArt) -> None:
        self._art = art
        self._numbers = {key: number for number, key in enumerate(art.faces)}
        self._keys = list(art.faces)
        self._open: OrderedDict[tuple[Area | Rect, int], Any] = OrderedDict()

    def __enter__(self) -> Sides:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with _PDFIUM:
            for pdf in self._open.values():
                pdf.close()
            self._open.clear()

    def size(self, artwork: str, dpi: float, area: Area = "trim") -> tuple[int, int]:
        """The pixels that a side covers at `dpi`, rounded to nearest."""
        shown = shown_area(self._art.faces[artwork], area)
        return max(1, to_px(shown.width, dpi)), max(1, to_px(shown.height, dpi))

    def image(
        self,
        artwork: str,
        size: tuple[int, int] | None = None,
        options: RasterOptions = TRIMMED,
    ) -> Image.Image:
        """A side in `size` pixels (default: what its area covers at `options.dpi`): RGBA if
        `options.transparent`, else RGB, its corners cut as `options` say. KeyError for a side that
        was not drawn."""
        shown = shown_area(self._art.faces[artwork], options.area)
        size = size or self.size(artwork, options.dpi, options.area)
        with self._page(artwork, options.area) as page:
            image = page_pixels(page, size, options.transparent)
        if not options.shaped:
            return image
        return cut_to_shape(image, options, size[0] / shown.width * MM_PER_INCH)

    def cut_out(
        self,
        artwork: str,
        size: tuple[int, int] | None = None,
        options: RasterOptions = TRIMMED,
    ) -> Image.Image:
        """A side on white paper, RGBA, transparent outside the shape that `options` say and nowhere
        else. Size and errors as for `image`."""
        square = replace(options, shape="rectangle", corner_radius=0.0, transparent=False)
        image = self.image(artwork, size, square).convert("RGBA")
        if not options.shaped:
            return image
        shown = shown_area(self._art.faces[artwork], options.area)
        return cut_to_shape(image, options, image.width / shown.width * MM_PER_INCH)

    def face(self, artwork: str) -> DrawnFace:
        """The drawn side behind a key."""
        return self._art.faces[artwork]

    def window(self, artwork: str, area: Rect, size: tuple[int, int]) -> Image.Image:
        """Any `area` of a side (mm from its bleed's corner) in `size` pixels, RGB: white where there is
        no art."""
        with self._page(artwork, area) as page:
            return page_pixels(page, size, False)

    def paint(self, artwork: str, onto: Pixels, corner: tuple[int, int], size: tuple[int, int]) -> None:
        """Fit a side's trim into a rectangle of `onto`."""
        with self._page(artwork, "trim") as page:
            onto.paint(page, corner, size)

    @contextmanager
    def _page(self, artwork: str, area: Area | Rect) -> Iterator[Any]:
        """A side's page, showing an area of its own or any rectangle; nobody else has pdfium meanwhile."""
        group, number = divmod(self._numbers[artwork], _TOGETHER)
        with _PDFIUM:
            pdf = self._open.get((area, group))
            if pdf is None:
                pdf = self._open[area, group] = self._document(group, area)
                if len(self._open) > _MOST_OPEN:
                    self._open.popitem(last=False)[1].close()
            self._open.move_to_end((area, group))
            with closing(pdf[number]) as page:
                yield page

    def _document(self, group: int, area: Area | Rect) -> Any:
        """Neighbouring sides, each on its page."""
        keys = self._keys[group * _TOGETHER : (group + 1) * _TOGETHER]
        views = [
            View(key, area if isinstance(area, Rect) else shown_area(self._art.faces[key], area))
            for key in keys
        ]
        return pypdfium2.PdfDocument(write_views(self._art, views))


_TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
"""Pillow turns counter-clockwise."""


def turned(image: Image.Image, turn: int) -> Image.Image:
    """A picture turned clockwise by 0, 90, 180 or 270 degrees."""
    return image.transpose(_TURNS[turn]) if turn else image


def raster_version() -> str:
    """What pixels depend on besides the sides: part of the digest of any file made of pixels."""
    return f"pdfium {version('pypdfium2')}, pillow {version('pillow')}"


def on_threads(work: Callable[[In], Out], items: Iterable[In]) -> Iterator[Out]:
    """`work` of each item, in order, some at a time; never more than a few results are held."""
    rest = iter(items)
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: list[Future[Out]] = [pool.submit(work, item) for item in islice(rest, WORKERS + 1)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(work, item) for item in islice(rest, 1)]
        finally:
            for future in waiting:
                future.cancel()
