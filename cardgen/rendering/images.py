"""Image files that templates show: where they lie, their digest and size, and whether they can be shown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cardgen.findings import Problem, Severity, nearest
from cardgen.geometry import Matrix
from cardgen.model.game import ProjectPaths
from cardgen.rasters.header import RasterError, kind_of
from cardgen.rendering.icons import no_text, of_file, template_name
from cardgen.rendering.image_files import (
    GZIP,
    Image,
    Outlining,
    read_drawn,
    read_pixels,
    read_url,
    unpacked,
)
from cardgen.storage.names import candidates, is_elsewhere, spellings
from cardgen.storage.reading import PICTURE, ReadingError, read_file
from cardgen.storage.walking import names_in
from cardgen.svg.encoding import utf8_of
from cardgen.svg.limits import FARTHEST, NEAREST, short
from cardgen.svg.numbers import number
from cardgen.svg.tree import Node, SvgError
from cardgen.units import MM_PER_INCH

GOOD_DPI = 300
LEAST_DPI = 150
"""Common advice of print services: 300 dpi, and below 150 pixels show at reading distance."""

_SVG = re.compile(rb"<(?:[\w-]+:)?svg\b")
_ROUNDING_DPI = 1.0
DRAWN = ("templates", "art")
"""The folders that hold pictures."""
CASE_HINT = "write the name as the file has it; Linux tells capitals from small letters"
_MOST_WITHIN = 3
"""Drawings in one another."""


class ImageStore:
    """Images by name, read once. `finest` is the dpi that finer ones are brought down to, if they are;
    `outlined` turns the texts of drawings into shapes."""

    def __init__(
        self, paths: ProjectPaths, game: str, finest: int | None = None, outlined: Outlining = no_text
    ) -> None:
        self.finest = finest
        self._outlined = outlined
        self._paths, self._roots = paths, paths.roots
        self._game = game
        self._found: dict[tuple[str, str], Image | Problem] = {}
        self._files: dict[Path, Image] = {}
        self._reading: list[Path] = []
        self._names: dict[Path, tuple[dict[str, frozenset[str]], dict[str, str]]] = {}

    def find(self, href: str, folder: str) -> Image | Problem:
        """The image that `href` means in a template of `templates/<folder>/`, or why there is none."""
        key = (href, folder)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find(href, folder)
        return found

    def _find(self, href: str, folder: str) -> Image | Problem:
        if href.startswith("data:"):
            return read_url(href)
        places = _folders(folder, self._game)
        starts = _starts(href, places)
        found = self._paths.locate(href, starts, DRAWN)
        if found is not None:
            root, named = found
            image = self._read(root / named.file, href)
            if not named.has_other_case or isinstance(image, Problem):
                return image
            return replace(image, remark=image.remark or _other_case(href, named.file))
        if is_elsewhere(href):
            return self._outside(href, folder)
        if not candidates(spellings(href)[-1], starts, DRAWN):
            hint = "give its path below the template's folder, such as art/hero.png"
            return Problem("image/path", f"'{short(href)}' is not a path within the templates", hint)
        hint = f"looked in {', '.join(f'{place}/' for place in places)}"
        if other := self._paths.other_case(href, starts, DRAWN):
            hint = f"{_called(other)}; {CASE_HINT}"
        elif near := self._near(spellings(href)[-1].split("/"), places):
            hint = f"did you mean '{near}'? ({hint})"
        return Problem("image/missing", f"there is no image '{short(href)}'", hint)

    def _outside(self, href: str, folder: str) -> Problem:
        """What to do about an address, or a path of somebody's own computer."""
        last = spellings(href)[-1].rpartition("/")[2].partition("?")[0]
        beside = self._paths.locate(last, _folders(folder, self._game), DRAWN)
        if beside is not None:
            file = beside[1].file
            hint = f"write '{file.rpartition('/')[2]}': a file of that name is {file}"
        else:
            hint = f"put a copy into {_folders(folder, self._game)[0]}/ and write its name alone"
            hint += f", '{short(last)}'" if last else ""
        if href[0] in "/\\" and not href.startswith("//"):
            return Problem("image/path", f"'{short(href)}' is not a path within the templates", hint)
        return Problem("image/external", f"the image '{short(href)}' lies outside the project", hint)

    def _near(self, parts: list[str], places: Iterable[str]) -> str | None:
        """The file that a name probably means: with any ending, and the same digits, as `card-12` is not
        `card-13`."""
        *folders, name = parts
        stem = _stem(name)
        for place in places:
            for root in self._roots:
                by_digits, names = self._names_in(root.joinpath(place, *folders))
                if near := nearest(stem, by_digits.get(_digits(stem), ())):
                    return "/".join((*folders, names[near]))
        return None

    def _names_in(self, folder: Path) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
        """The names in a folder, read once: those without their endings by their digits, and whole."""
        known = self._names.get(folder)
        if known is None:
            try:
                names = {_stem(name): name for name in names_in(folder, str(folder), self._roots)}
            except ReadingError:
                names = {}
            by_digits: dict[str, list[str]] = {}
            for stem in names:
                by_digits.setdefault(_digits(stem), []).append(stem)
            known = {key: frozenset(each) for key, each in by_digits.items()}, names
            self._names[folder] = known
        return known

    def _read(self, path: Path, href: str) -> Image | Problem:
        image = self._files.get(path)
        if image is None:
            if any("\udc80" <= letter <= "\udcff" for letter in str(path)):  # it is written into SVG
                message = f"the image '{href}' lies in a folder whose name is not UTF-8"
                return Problem("image/path", message, "rename the folder")
            try:
                data = read_file(path, PICTURE, href, self._roots)
            except ReadingError as error:
                return Problem(error.code, f"the image '{href}' {error.reason}", error.hint)
            if path in self._reading or len(self._reading) > _MOST_WITHIN:
                message = f"the drawing '{href}' is shown in itself, or too deep in others"
                return Problem("image/svg", message, "show it in the template")
            digest = hashlib.blake2b(data, digest_size=16).hexdigest()
            self._reading.append(path)
            try:
                image = self._inspect(path, href, data, digest)
            finally:
                self._reading.pop()
            self._files[path] = image
        return image

    def _inspect(self, path: Path, href: str, data: bytes, digest: str) -> Image:
        if data.startswith(GZIP):
            try:
                data = unpacked(data)
            except RasterError as error:
                message = f"the image '{href}' {error.what}"
                return Image(path, digest, problem=Problem(error.code, message, error.hint))
        if kind_of(data) is None:
            try:
                text = utf8_of(data)
            except SvgError as error:
                if _SVG.search(data[:4096]):
                    return Image(path, digest, problem=_unread(error, href))
            else:
                if _SVG.search(text[:4096]):
                    return self._drawing(path, text, digest)
        return read_pixels(path, href, data, digest)

    def _drawing(self, path: Path, data: bytes, digest: str) -> Image:
        """An SVG file as an image, with what is wrong with it."""
        found: list[Problem] = []
        root = next(root for root in self._roots if path.is_relative_to(root))
        file = path.relative_to(root).as_posix()
        folder = file.removeprefix("templates/").rpartition("/")[0] if file.startswith("templates/") else ""
        image = read_drawn(
            path, data, digest, found, self._outlined, lambda href: self._inner(href, folder)
        )
        place = (template_name(file), data.count(b"\n", 0, image.start) + 1)
        return replace(image, problems=of_file(file, data, found), place=place)

    def _inner(self, href: str, folder: str) -> Image | Problem:
        """The image that a drawing of `templates/<folder>/` shows."""
        if href.startswith("data:image/svg"):
            return Problem("image/data", "a drawing within a drawing is not read", "put it into a <g>")
        return self._find(href, folder)  # what is found in its midst is not kept


def _folders(folder: str, game: str) -> list[str]:
    """Where pictures are looked for, for a template of `templates/<folder>/`: in the project's folders,
    one after the other."""
    templates = ["/".join(filter(None, ("templates", place))) for place in (folder, game, "")]
    return list(dict.fromkeys((*templates, f"art/{game}", "art")))


def _starts(href: str, places: list[str]) -> list[str]:
    """The folders that a picture's name may start from."""
    return [*places, ""] if spellings(href)[0].startswith("art/") else places


def places_of(href: str, folder: str, game: str) -> list[str]:
    """The files of a project that a picture's name may mean, the first that is there counts."""
    return candidates(href, _starts(href, _folders(folder, game)), DRAWN)


def _unread(error: SvgError, href: str) -> Problem:
    found = error.of("image/svg")
    return replace(found, message=f"the image '{short(href)}' can't be read: {error}", offset=0)


def _called(file: str) -> str:
    return f"the file is called '{file.rpartition('/')[2]}' (in {file.rpartition('/')[0]}/)"


def _other_case(href: str, file: str) -> Problem:
    """The remark on a name that only a case-blind disk answers to."""
    message = f"the image '{short(href)}' is found on this disk alone: {_called(file)}"
    return Problem("file/case", message, CASE_HINT, Severity.WARNING, named=href)


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _printed(node: Node, matrix: Matrix) -> tuple[float, float]:
    """The box of an image in mm. A percentage counts as nothing, and is not judged; any other text is a
    finding of the lint."""
    width, height = (
        number(node.attrs.get(name, "").strip().removesuffix("px")) for name in ("width", "height")
    )
    return (width or 0.0) * matrix.scale, (height or 0.0) * matrix.scale


def printed_dpi(node: Node, image: Image, matrix: Matrix) -> float | None:
    """How many pixels an inch the image is printed with, where its box is stated."""
    width, height = _printed(node, matrix)
    if not image.width or not (NEAREST < width < FARTHEST and NEAREST < height < FARTHEST):
        return None
    across = image.width / (width / MM_PER_INCH)
    down = image.height / (height / MM_PER_INCH)
    mode = node.attrs.get("preserveAspectRatio", "xMidYMid meet")
    # `slice` fills the box and crops, so the denser way is stretched; else the box holds all of it.
    return min(across, down) if "slice" in mode or mode.startswith("none") else max(across, down)


def check_size(node: Node, image: Image, matrix: Matrix, href: str) -> Problem | None:
    """Whether the image has enough pixels for the size it is printed at."""
    if "width" not in node.attrs or "height" not in node.attrs:
        hint = "say its size in mm: width and height"
        return Problem("image/size", f"the image '{short(href)}' has no width and height", hint)
    dpi = printed_dpi(node, image, matrix)
    if dpi is None or dpi >= GOOD_DPI - _ROUNDING_DPI:
        return None
    width, height = _printed(node, matrix)
    printed = f"{width:.3g}×{height:.3g} mm"
    return Problem(
        "image/resolution",
        f"the image '{short(href)}' ({image.width}×{image.height} pixels) comes to {dpi:.0f} dpi "
        f"at {printed}",
        f"print wants {GOOD_DPI} dpi; use a larger image or show it smaller",
        Severity.ERROR if dpi < LEAST_DPI else Severity.WARNING,
        named=href,
    )
