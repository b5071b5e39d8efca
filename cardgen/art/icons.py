"""Icons and image files that templates show."""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import unquote_to_bytes

from cardgen.core.artwork import Color
from cardgen.core.findings import Parsing, Problem, Severity, nearest
from cardgen.core.geometry import MM_PER_INCH, Matrix, Rect
from cardgen.core.paths import ProjectPaths, composed
from cardgen.core.records import dataclass, replace
from cardgen.files.listing import candidates, is_elsewhere, names_in, spellings
from cardgen.files.reading import ICON, PICTURE, ReadingError, in_words, read_file
from cardgen.svg.costs import NOTHING, Cost, is_overfiltered
from cardgen.svg.embedding import excerpt, read_drawing
from cardgen.svg.grounds import filled_area, inks_at
from cardgen.svg.normal import normalised
from cardgen.svg.outlines import ViewportError, own_box
from cardgen.svg.raster_files import (
    FORMATS,
    Header,
    ProfileError,
    RasterError,
    check_whole,
    kind_of,
    open_pixels,
    read_header,
    srgb_transform,
)
from cardgen.svg.root import utf8_of
from cardgen.svg.style import parse_color
from cardgen.svg.tree import (
    FARTHEST,
    FILTER_PIXELS,
    MOST_PIXELS,
    MOST_PIXELS_DECODED,
    NEAREST,
    Document,
    Node,
    SvgError,
    number,
    parse,
    short,
)
from cardgen.text.color_glyphs import GlyphPicture
from cardgen.text.fonts import FontBook
from cardgen.text.icon_marks import IconNames, IconShape
from cardgen.text.shaping import FontError

PREFIX = "icon-"
SHARED = "_shared"
_WHITE = 0.9
"""The least of red, green and blue in a color that is invisible on paper."""
_FAINT = 0.05
_MOST_ASPECT = 50.0
"""The largest ratio of an icon's longer side to its shorter side."""
_SPREAD = 0.16
"""The distance from an icon's middle, in parts of its sides, of samples behind a figure."""
_HEIGHT_MM = 9.0
"""At least the height at which icons in texts are drawn, once for all sizes."""
_CLIPPED = re.compile(rb"\b(?:clip-path|mask|overflow)\b")
_LEAST_OVER, _MOST_OVER = 0.01, 0.25
"""The margin drawn beyond an icon's view, in parts of its sides, if all of it is shown."""
_NO_VIEW = Rect(0.0, 0.0, 24.0, 24.0)
_VIEW_HINT = 'write its size, such as viewBox="0 0 24 24"'


def no_text(document: Document) -> tuple[Document, Sequence[Problem]]:
    """Report a problem for text if no fonts are available."""
    texts = (node for node in document.root.iter() if node.name == "text")
    message = "text in this drawing is not supported"
    return document, [
        Problem("text/in-drawing", message, "convert the text to paths", offset=node.start)
        for node in texts
    ]


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon: its drawing within `view`, and as an SVG document of its own.

    `problems` are those of its file, at their lines of it. `cost` is its drawing cost; `grounds` are the
    colors in its middle, None for the color it is shown in.
    """

    name: str
    file: str
    markup: str
    view: Rect
    svg: str
    problems: tuple[Problem, ...] = ()
    cost: Cost = NOTHING
    grounds: Callable[[], tuple[Color | None, ...]] = tuple
    line: int = 1
    whole: Rect = _NO_VIEW
    """Its view and the drawing a little beyond, which texts show."""
    is_unfilled: bool = False
    """True if some shape of it sets no fill, so that it takes the current color."""
    keeps_colors: bool = False
    """True if everything it paints has colors of its own."""

    @property
    def place(self) -> tuple[str, int]:
        """Return the start of its drawing: the file below `templates/`, and the line."""
        return self.file.removeprefix("templates/"), self.line


def icon_files(paths: ProjectPaths, folder: str) -> dict[str, tuple[Path, str]]:
    """Return the icons of a folder of `templates/`, a game's or SHARED, by name: the root that contains it,
    and its file. Raises CardgenError if they can't be listed."""
    found = {}
    for root in reversed(paths.roots):
        place = f"templates/{folder}/icons"
        for file in names_in(root / place, place, paths.roots, ".svg"):
            found[composed(file.removesuffix(".svg"))] = (root, f"{place}/{file}")
    return found


class IconSet:
    """Icons by name. Files are read when an icon is first shown. Raises CardgenError if a folder of icons
    can't be listed."""

    def __init__(
        self,
        paths: ProjectPaths,
        game: str,
        outlined: Outlining = no_text,
        fonts: FontBook | None = None,
        stand_ins: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Keep the icon files; `stand_ins` are icons drawn as their letters in a box until they have
        files."""
        self._outlined = outlined
        self._fonts = fonts
        self._files: dict[str, tuple[Path, str]] = {}
        for folder in (SHARED, game):
            self._files |= icon_files(paths, folder)
        self._roots = paths.roots
        self._game = game
        self._letters = {name: letters for name, letters in stand_ins if name not in self._files}
        names = {*self._files, *self._letters}
        self.marks = IconNames(names, self._shape)
        """The icons that texts may name."""
        self.ids = frozenset(PREFIX + name for name in names)
        self._icons: dict[str, Icon] = {}
        self._grounds: dict[str, tuple[Color | None, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._files or name in self._icons or name in self._letters

    def near(self, name: str) -> str | None:
        """Return the name that was probably intended."""
        return self.marks.near(name)

    def get(self, name: str) -> Icon:
        """Return the icon of that name; KeyError if there is none."""
        icon = self._icons.get(name)
        if icon is None:
            if name in self._files:
                root, file = self._files[name]
                icon = self._read(name, root / file, file)
            elif name in self._letters:
                file = f"templates/{self._game}/icons/{name}.svg"
                icon = self._drawn(name, file, _stand_in(self._letters[name]))
            else:
                icon = self._letter(name)
            self._icons[name] = icon
        return icon

    def _letter(self, name: str) -> Icon:
        """Return the picture of a letter, by its `glyph_name`. Raises KeyError if there is none."""
        key, _, number = name.rpartition(".")
        if self._fonts is None or not number.isdecimal():
            raise KeyError(name)
        try:
            font = self._fonts.by_key(key)
        except FontError:
            raise KeyError(name) from None
        picture = font.picture(int(number))
        if picture is None:
            raise KeyError(name)
        return self._drawn(name, font.file, picture.svg, picture)

    def _shape(self, name: str, ground: bool) -> IconShape:
        """Return the data that a line of text needs about an icon; with `ground`, also the color behind a
        figure in it."""
        icon = self.get(name)
        aspect = icon.whole.width / icon.whole.height
        if not ground:
            return IconShape(aspect)
        if name not in self._grounds:
            self._grounds[name] = icon.grounds()
        return IconShape(aspect, self._grounds[name])

    def _read(self, name: str, path: Path, file: str) -> Icon:
        try:
            data = read_file(path, ICON, file, self._roots)
        except ReadingError as error:
            problem = Problem(error.code, f"the icon '{name}' {error.reason}", error.hint)
            return Icon(name, file, "", _NO_VIEW, "", of_file(file, b"", [problem]))
        return self._drawn(name, file, data)

    def _drawn(self, name: str, file: str, data: bytes, letter: GlyphPicture | None = None) -> Icon:
        """Return the icon of a file's content, or of a letter's picture."""
        try:
            data = utf8_of(data)
            if b"<marker" not in data:
                # context-fill is the paint of the element that shows the icon; fonts use the text's.
                data = data.replace(b"context-fill", b"currentColor")
            if letter is not None and letter.element is not None:
                data = excerpt(parse(data), letter.element, letter.view)
            normal = normalised(parse(data))
        except SvgError as error:
            return Icon(name, file, "", _NO_VIEW, "", of_file(file, data, [error.of("icon/file")]))
        document, wrong = self._outlined(normal.document)
        root = document.root
        view, trouble = _view(root, name)
        if trouble is not None:
            return Icon(name, file, "", _NO_VIEW, "", of_file(file, data, [trouble]))
        drawing = read_drawing(document, PREFIX + name, view)
        found = [problem.moved(-root.start) for problem in (*normal.problems, *wrong)]
        found += drawing.problems
        if drawing.image is not None:
            message = f"the icon '{name}' contains an image"
            offset = drawing.image.start - root.start
            found.append(Problem("icon/file", message, "draw it as shapes", offset=offset))
        # As large as a line of text at most: an icon in a template's own box counts there.
        if is_overfiltered(drawing.cost, _HEIGHT_MM / view.height * FILTER_PIXELS):
            message = f"the icon '{name}' has too many filters"
            found.append(Problem("svg/bounds", message, "use fewer filters, or draw it as shapes"))
        if letter is None and not found and all(map(_unseen, drawing.inks)):
            message = f"the icon '{name}' is white or not painted and ignores its color"
            hint = 'paint it with "currentColor"'
            found.append(Problem("icon/unseen", message, hint, Severity.WARNING))
        problems = of_file(file, data, [problem.moved(root.start) for problem in found])
        markup = drawing.markup
        whole = _whole(document, view) if drawing.markup and letter is None else view
        box = " ".join(f"{value:.9g}" for value in (whole.x, whole.y, whole.width, whole.height))
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{markup}</svg>'
        broken = any(problem.is_error for problem in found)
        line = data.count(b"\n", 0, root.start) + 1
        grounds = partial(_grounds, document, view) if not broken else tuple
        own = bool(drawing.inks) and not any(ink.lower() in ("", "currentcolor") for ink in drawing.inks)
        return Icon(
            *(name, file, markup, view, svg, problems, drawing.cost, grounds, line),
            whole=whole,
            is_unfilled="" in drawing.inks,
            keeps_colors=own,
        )


def keeps_colors(name: str) -> Problem:
    """Return the note that an icon can't take the requested color."""
    message = f"the icon '{name}' has its own colors and can't be recolored"
    return Problem(
        "icon/color", message, 'write fill="currentColor" in its file, and remove its colors', Severity.NOTE
    )


def _stand_in(letters: str) -> bytes:
    """Return the drawing of an icon that has no file: its letters in a box."""
    width = max(24, 8 + 7 * len(letters))
    box = f'x="1" y="1" width="{width - 2}" height="22" rx="{5 if letters[1:] else 11}"'
    font = 'font-family="IBM Plex Sans Condensed" font-weight="700" font-size="15" fill="currentColor"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 24">'
        f'<rect {box} fill="none" stroke="currentColor" stroke-width="1.6"/>'
        f'<text x="{width / 2:g}" y="17.2" text-anchor="middle" {font}>'
        f"{escape(letters, quote=False)}</text></svg>"
    ).encode()


def template_name(file: str) -> str:
    """Return a file of the project as problems name it: below `templates/`, or from there, as
    `../art/owl.svg`."""
    return file.removeprefix("templates/") if file.startswith("templates/") else f"../{file}"


def of_file(file: str, data: bytes, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of a file below `templates/` at their lines of it; `data` is its content."""
    name = template_name(file)
    return tuple(
        replace(problem, place=(name, data.count(b"\n", 0, problem.offset) + 1)) for problem in problems
    )


def _view(root: Node, name: str) -> tuple[Rect, Problem | None]:
    """Return the area of an icon's drawing, or its problem."""
    message, hint, view = f"the icon '{name}' has no viewBox", _VIEW_HINT, None
    if root.name != "svg":
        message, hint = (
            f"the icon '{name}' is a <{short(root.name)}>, not an <svg>",
            "save it as an SVG file",
        )
    else:
        try:
            view = own_box(root)
        except ViewportError as error:
            message, hint = f"the icon '{name}' can't be placed: {error}", error.hint
    if view is not None and not 1 / _MOST_ASPECT <= view.width / view.height <= _MOST_ASPECT:
        message = f"the icon '{name}' is {view.width:g} wide and {view.height:g} high"
        hint = f"make the longer side at most {_MOST_ASPECT:g} times the shorter"
        return _NO_VIEW, Problem("icon/file", message, hint, offset=root.start)
    if view is None:
        return _NO_VIEW, Problem("icon/file", message, hint, offset=root.start)
    return view, None


def _whole(document: Document, view: Rect) -> Rect:
    """Return the view of an icon with a little of the drawing beyond it, as some icon sets need."""
    if _CLIPPED.search(document.data) or (area := filled_area(document)) is None:
        return view
    over = [view.x - area.x, area.right - view.right, view.y - area.y, area.bottom - view.bottom]
    parts = [each / side for each, side in zip(over, (view.width, view.width, view.height, view.height))]
    if not _LEAST_OVER < max(parts) < _MOST_OVER:
        return view
    left, right, above, below = (max(0.0, each) for each in over)
    return Rect(view.x - left, view.y - above, view.width + left + right, view.height + above + below)


def _grounds(document: Document, view: Rect) -> tuple[Color | None, ...]:
    """Return the colors that an icon paints behind a figure, None for the color in which it is shown."""
    found = inks_at(document, _spots(view))
    painted = [parse_color(ink) for ink in found if ink is not None]
    if 2 * len(painted) < len(found):
        return ()
    return tuple(dict.fromkeys(color[:3] if color is not None else None for color in painted))


def _spots(view: Rect) -> list[tuple[float, float]]:
    """Return places in the middle of an icon, where a figure goes."""
    steps = (-_SPREAD, 0.0, _SPREAD)
    x, y = view.x + view.width / 2, view.y + view.height / 2
    return [(x + across * view.width, y + down * view.height) for down in steps for across in steps]


def _unseen(ink: str) -> bool:
    """Return True if a paint is invisible on paper: white, or transparent. A paint server counts as
    visible."""
    color = parse_color(ink)
    return color is not None and (min(color[:3]) >= _WHITE or color[3] <= _FAINT)


GOOD_DPI = 300
LEAST_DPI = 150
"""Common advice of print services: 300 dpi, and below 150 pixels show at reading distance."""

_SVG = re.compile(rb"<(?:[\w-]+:)?svg\b")
_ROUNDING_DPI = 1.0
DRAWN = ("templates", "art")
"""The folders that contain pictures."""
CASE_HINT = "write the name as the file has it; Linux distinguishes upper and lower case"
_MOST_WITHIN = 3
"""Drawings in one another."""


class ImageStore:
    """Images by name, read once. `finest` is the dpi to which finer ones are reduced, if they are;
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
        """Return the image that `href` means in a template of `templates/<folder>/`, or a problem if there
        is none."""
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
            return Problem("image/path", f"'{short(href)}' is not a path inside templates/", hint)
        hint = f"put the file into one of: {', '.join(f'{place}/' for place in places)}"
        if other := self._paths.other_case(href, starts, DRAWN):
            hint = f"{_called(other)}; {CASE_HINT}"
        elif near := self._near(spellings(href)[-1].split("/"), places):
            hint = f"did you mean '{near}'? If not, {hint}"
        return Problem("image/missing", f"there is no image '{short(href)}'", hint)

    def _outside(self, href: str, folder: str) -> Problem:
        """Return the problem with an address, or a path of somebody's own computer."""
        last = spellings(href)[-1].rpartition("/")[2].partition("?")[0]
        beside = self._paths.locate(last, _folders(folder, self._game), DRAWN)
        if beside is not None:
            file = beside[1].file
            hint = f"write '{file.rpartition('/')[2]}': a file with that name is {file}"
        else:
            hint = f"put a copy into {_folders(folder, self._game)[0]}/ and write only its name"
            hint += f", '{short(last)}'" if last else ""
        if href[0] in "/\\" and not href.startswith("//"):
            return Problem("image/path", f"'{short(href)}' is not a path inside templates/", hint)
        return Problem("image/external", f"the image '{short(href)}' is outside the project", hint)

    def _near(self, parts: list[str], places: Iterable[str]) -> str | None:
        """Return the file that a name probably means: with any ending, and the same digits (`card-12` is
        not `card-13`)."""
        *folders, name = parts
        stem = _stem(name)
        for place in places:
            for root in self._roots:
                by_digits, names = self._names_in(root.joinpath(place, *folders))
                if near := nearest(stem, by_digits.get(_digits(stem), ())):
                    return "/".join((*folders, names[near]))
        return None

    def _names_in(self, folder: Path) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
        """Return the names in a folder, read once: those without their endings by their digits, and full
        names."""
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
                message = f"the image '{href}' is in a folder whose name is not UTF-8"
                return Problem("image/path", message, "rename the folder")
            try:
                data = read_file(path, PICTURE, href, self._roots)
            except ReadingError as error:
                return Problem(error.code, f"the image '{href}' {error.reason}", error.hint)
            if path in self._reading or len(self._reading) > _MOST_WITHIN:
                message = f"the drawing '{href}' contains itself or is nested too deep"
                return Problem("image/svg", message, "place it in the template instead")
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
        """Return an SVG file as an image, with its problems."""
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
        """Return the image that a drawing of `templates/<folder>/` shows."""
        if href.startswith("data:image/svg"):
            return Problem("image/data", "a drawing inside a drawing is not supported", "put it into a <g>")
        return self._find(href, folder)  # results found in the middle of it are not kept


def _folders(folder: str, game: str) -> list[str]:
    """Return the folders to search for pictures, for a template of `templates/<folder>/`: in the project's
    folders, one after the other."""
    templates = ["/".join(filter(None, ("templates", place))) for place in (folder, game, "")]
    return list(dict.fromkeys((*templates, f"art/{game}", "art")))


def _starts(href: str, places: list[str]) -> list[str]:
    """Return the folders in which a picture's name may start."""
    return [*places, ""] if spellings(href)[0].startswith("art/") else places


def places_of(href: str, folder: str, game: str) -> list[str]:
    """Return the files of a project that a picture's name may mean; the first existing one counts."""
    return candidates(href, _starts(href, _folders(folder, game)), DRAWN)


def _unread(error: SvgError, href: str) -> Problem:
    found = error.of("image/svg")
    return replace(found, message=f"the image '{short(href)}' can't be read: {error}", offset=0)


def _called(file: str) -> str:
    return f"the file is called '{file.rpartition('/')[2]}' (in {file.rpartition('/')[0]}/)"


def _other_case(href: str, file: str) -> Problem:
    """Return the remark on a name that only a case-insensitive disk finds."""
    message = f"the image '{short(href)}' is found only on this disk: {_called(file)}"
    return Problem("file/case", message, CASE_HINT, Severity.WARNING, named=href)


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _printed(node: Node, matrix: Matrix) -> tuple[float, float]:
    """Return the box of an image in mm. A percentage counts as nothing, and is not checked; the lint
    reports any other text."""
    width, height = (
        number(node.attrs.get(name, "").strip().removesuffix("px")) for name in ("width", "height")
    )
    return (width or 0.0) * matrix.scale, (height or 0.0) * matrix.scale


def printed_dpi(node: Node, image: Image, matrix: Matrix) -> float | None:
    """Return the resolution, in dpi, at which the image prints, if its box is known."""
    width, height = _printed(node, matrix)
    if not image.width or not (NEAREST < width < FARTHEST and NEAREST < height < FARTHEST):
        return None
    across = image.width / (width / MM_PER_INCH)
    down = image.height / (height / MM_PER_INCH)
    mode = node.attrs.get("preserveAspectRatio", "xMidYMid meet")
    # `slice` fills the box and crops, so the denser direction is stretched; else the box contains it.
    return min(across, down) if "slice" in mode or mode.startswith("none") else max(across, down)


def check_size(node: Node, image: Image, matrix: Matrix, href: str) -> Problem | None:
    """Check that the image has enough pixels for its printed size."""
    if "width" not in node.attrs or "height" not in node.attrs:
        hint = "set width and height in mm"
        return Problem("image/size", f"the image '{short(href)}' has no width and height", hint)
    dpi = printed_dpi(node, image, matrix)
    if dpi is None or dpi >= GOOD_DPI - _ROUNDING_DPI:
        return None
    width, height = _printed(node, matrix)
    printed = f"{width:.3g}×{height:.3g} mm"
    return Problem(
        "image/resolution",
        f"the image '{short(href)}' ({image.width}×{image.height} pixels) prints at {dpi:.0f} dpi "
        f"at {printed}",
        f"use a larger image or show it smaller; print needs {GOOD_DPI} dpi",
        Severity.ERROR if dpi < LEAST_DPI else Severity.WARNING,
        named=href,
    )


GZIP = b"\x1f\x8b"
"""The first bytes of a compressed file, such as `drawing.svgz`."""
Outlining = Callable[[Document], tuple[Document, Sequence[Problem]]]
"""A drawing with its texts as shapes, and its problems, with offsets in the file."""

_MODES = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA", "I", "I;16", "I;16B", "I;16L", "CMYK"))
"""Pillow's names of the supported modes; others are measured colors (LAB), or numbers rather than
colors."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image file. `width` and `height` are pixels as shown, 0 for an SVG drawing, which has its
    `view_box`, `markup` and drawing cost instead. `problem` is the reason why it can't be shown, `remark` a
    note on one that can. `url` contains its data if they aren't at the path; `shown` are the images that a
    drawing shows, paths and digests. The `problems` are those of a drawing, at its own lines; with an error
    among them it is `broken`. It begins at the byte `start`, which is at `place`, template and line."""

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
    cost: Cost = NOTHING
    start: int = 0
    place: tuple[str, int] | None = None


def unpacked(data: bytes) -> bytes:
    """Return a decompressed file such as `drawing.svgz`. Raises RasterError for one that is damaged, larger
    than a picture may be, or contains pixels, which are compressed already."""
    unpacking = zlib.decompressobj(wbits=31)
    with Parsing(lambda _: RasterError("is damaged", "save it again")):
        content = unpacking.decompress(data, PICTURE.most + 1)
    if len(content) > PICTURE.most:
        raise RasterError(f"unpacks to more than {in_words(PICTURE.most)}", PICTURE.hint, "file/size")
    if not unpacking.eof:
        raise RasterError("is damaged: its end is missing", "save it again")
    if kind_of(content) is not None or content.startswith(GZIP):
        raise RasterError("is compressed with gzip, which only drawings may be", "unpack it")
    return content


_EMBEDDED = "data:"
_KINDS = {"WEBP": "WebP", "HEIF": "HEIC"}


def read_pixels(path: Path, href: str, data: bytes, digest: str) -> Image:
    """Return a file of pixels as an image, checked as a whole."""
    named = "an embedded image" if href == _EMBEDDED else f"the image '{href}'"
    try:
        header = read_header(data)
        width, height = header.shown
        if width * height > MOST_PIXELS:
            what = f"has {width}×{height} pixels, more than {MOST_PIXELS:,}"
            raise RasterError(what, "make it smaller; no print needs that many pixels", "image/pixels")
        if not header.still:
            raise RasterError("contains several pictures", "save the picture you need in a file of its own")
        if header.decoded:
            if header.kind == "PNG":
                what = "a PNG with transparency, 16 bits or interlacing"
                _hold_decoded(header, what, "save it as a plain 8-bit PNG")
            else:
                _hold_decoded(header, f"a {_KINDS.get(header.kind, header.kind)} file", "save it as a JPEG")
        file = open_pixels(data, header)
        if file.mode not in _MODES:
            raise RasterError(f"uses the color mode {file.mode}", "save it as RGB")
        converted, ignored = False, ""
        try:
            converted = srgb_transform(file) is not None
        except ProfileError as error:
            ignored = str(error)
        if file.mode == "CMYK" and not converted:
            why = "has CMYK colors but no color profile"
            raise RasterError(why, "save it as RGB, or with its color profile", "image/cmyk")
        if converted:
            _hold_decoded(header, "a color profile other than sRGB", "save it as sRGB")
        check_whole(data, header)
    except RasterError as error:
        return Image(path, digest, problem=Problem(error.code, f"{named} {error.what}", error.hint))
    remark = None
    if ignored:
        message = f"the color profile of {named} {ignored} and is ignored"
        remark = Problem("image/profile", message, "save it as sRGB", Severity.WARNING)
    return Image(path, digest, width, height, remark=remark)


def _hold_decoded(header: Header, what: str, hint: str) -> None:
    """Raise RasterError for more pixels than are read one by one."""
    if header.width * header.height > MOST_PIXELS_DECODED:
        pixels = f"has {header.width}×{header.height} pixels, more than {MOST_PIXELS_DECODED:,}"
        message = f"{pixels}, the limit for {what}"
        raise RasterError(message, f"make it smaller, or {hint}", "image/pixels")


def read_drawn(
    path: Path,
    data: bytes,
    digest: str,
    problems: list[Problem],
    outlined: Outlining,
    find: Callable[[str], Image | Problem],
) -> Image:
    """Return an SVG file as an image, broken if there are problems. `find` returns the images in it."""
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
        problems.append(
            Problem(
                "image/svg",
                f"<{short(root.name)}> is not a drawing",
                "save it as an SVG file",
                offset=root.start,
            )
        )
        return broken
    try:
        view = own_box(root)
    except ViewportError as error:
        message = f"the drawing can't be placed: {error}"
        problems.append(Problem("svg/viewport", message, error.hint, offset=root.start))
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
    drawing = read_drawing(document, f"image-{digest}", view)
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
        cost=drawing.cost,
        start=root.start,
    )


def _place_inner(
    node: Node, find: Callable[[str], Image | Problem], shown: dict[str, str], room: list[int]
) -> list[Problem]:
    """Make an image in a drawing refer to its file, and return its problems. `room` is the space left for
    pixels with data in the drawing, whose few bytes may expand to many."""
    if room[0] < 0:
        return []  # reported already
    href = node.href or ""
    found = find(href)
    trouble = found if isinstance(found, Problem) else found.problem
    if trouble is None and isinstance(found, Image) and (found.markup or found.broken):
        message = "a drawing used as an image contains another drawing"
        trouble = Problem("image/svg", message, "place it in the template instead")
    if trouble is None and isinstance(found, Image) and found.url:
        room[0] -= found.width * found.height
        if room[0] < 0:
            message = f"the images embedded in the drawing have more than {MOST_PIXELS:,} pixels"
            trouble = Problem(
                "image/pixels", message, "save them as files next to it, or make them smaller"
            )
    if trouble is not None:
        return [replace(trouble, offset=node.start)]
    assert isinstance(found, Image)
    node.attrs.pop("xlink:href", None)
    node.attrs["href"] = found.url or str(found.path)
    if not found.url:
        shown[str(found.path)] = found.digest
    return [] if found.remark is None else [replace(found.remark, offset=node.start)]


def url_data(url: str) -> bytes:
    """Return the data in a URL. Raises ValueError."""
    head, _, body = url.partition(",")
    return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)


def read_url(url: str) -> Image | Problem:
    """Return an image embedded in the drawing (RFC 2397)."""
    try:
        data = url_data(url)
    except ValueError:
        message = "the data of an embedded image are damaged"
        return Problem("image/data", message, "save it as a file next to the drawing")
    if kind_of(data) is None:
        message = f"an embedded image is not {FORMATS} or BMP"
        return Problem("image/data", message, "save it as a file next to the drawing")
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    return replace(read_pixels(Path(f"{digest}"), _EMBEDDED, data, digest), url=url)
