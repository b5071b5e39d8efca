"""The icons that drawings and texts may show: `icons/` of the game, then the shared ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path

from cardgen.findings import Problem, Severity
from cardgen.geometry import Rect
from cardgen.model.artwork import Color
from cardgen.model.game import ProjectPaths
from cardgen.rendering.image_files import Outlining
from cardgen.storage.names import composed
from cardgen.storage.reading import ICON, ReadingError, read_file
from cardgen.storage.walking import names_in
from cardgen.svg.colors import parse_color
from cardgen.svg.embedding import excerpt, read_drawing
from cardgen.svg.encoding import utf8_of
from cardgen.svg.grounds import filled_area, inks_at
from cardgen.svg.limits import FILTER_PIXELS, short
from cardgen.svg.normal import normalised
from cardgen.svg.tree import Document, Node, SvgError, parse
from cardgen.svg.viewports import ViewportError, own_box
from cardgen.svg.weights import NOTHING, Outline, Weight
from cardgen.typesetting.color_glyphs import GlyphPicture
from cardgen.typesetting.fonts import FontBook
from cardgen.typesetting.icon_marks import IconNames, IconShape
from cardgen.typesetting.shaping import FontError

PREFIX = "icon-"
SHARED = "_shared"
_WHITE = 0.9
"""The least of red, green and blue in a colour that can't be told from paper."""
_FAINT = 0.05
_MOST_ASPECT = 50.0
"""How many times as wide as high, or as high as wide, an icon may be."""
_SPREAD = 0.16
"""How far from an icon's middle, in parts of its sides, is looked at what a figure stands on."""
_HEIGHT_MM = 9.0
"""No less than the height at which icons in texts are drawn, once for all sizes."""
_CLIPPED = re.compile(rb"\b(?:clip-path|mask|overflow)\b")
_LEAST_OVER, _MOST_OVER = 0.01, 0.25
"""How far an icon is drawn beyond its view, in parts of its sides, where all of it is shown."""
_NO_VIEW = Rect(0.0, 0.0, 24.0, 24.0)


def no_text(document: Document) -> tuple[Document, Sequence[Problem]]:
    """Where no fonts are at hand, texts are problems."""
    texts = (node for node in document.root.iter() if node.name == "text")
    message = "text in a drawing is not set here"
    return document, [
        Problem("text/in-drawing", message, "turn it into paths", offset=node.start) for node in texts
    ]


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon: its drawing within `view`, and as an SVG document of its own.

    `problems` are those of its file, at their lines of it. `weight` and `outline` are what drawing it
    comes to; `grounds` what it paints in its middle, None for the colour it is shown in.
    """

    name: str
    file: str
    markup: str
    view: Rect
    svg: str
    problems: tuple[Problem, ...] = ()
    weight: Weight = NOTHING
    outline: Callable[[], Outline] = Outline
    grounds: Callable[[], tuple[Color | None, ...]] = tuple
    line: int = 1
    whole: Rect = _NO_VIEW
    """Its view and what is drawn a little beyond: what a text shows of it."""
    is_unfilled: bool = False
    """Whether some shape of it states no fill, so that it takes the colour it is shown in."""
    keeps_colors: bool = False
    """Whether all that it paints has colours of its own."""

    @property
    def place(self) -> tuple[str, int]:
        """Where its drawing begins: the file below `templates/`, and the line."""
        return self.file.removeprefix("templates/"), self.line


def icon_files(paths: ProjectPaths, folder: str) -> dict[str, tuple[Path, str]]:
    """The icons of a folder of `templates/`, a game's or SHARED, by name: the root that each lies in,
    and its file. Raises CardgenError where they can't be listed."""
    found = {}
    for root in reversed(paths.roots):
        place = f"templates/{folder}/icons"
        for file in names_in(root / place, place, paths.roots, ".svg"):
            found[composed(file.removesuffix(".svg"))] = (root, f"{place}/{file}")
    return found


class IconSet:
    """Icons by name. Files are read when an icon is first shown. Raises CardgenError where a folder of
    icons can't be listed."""

    def __init__(
        self,
        paths: ProjectPaths,
        game: str,
        outlined: Outlining = no_text,
        fonts: FontBook | None = None,
        stand_ins: Iterable[tuple[str, str]] = (),
    ) -> None:
        """`stand_ins` are icons that are drawn as their letters in a box until they have files."""
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
        """What texts may name."""
        self.ids = frozenset(PREFIX + name for name in names)
        self._icons: dict[str, Icon] = {}
        self._grounds: dict[str, tuple[Color | None, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._files or name in self._icons or name in self._letters

    def near(self, name: str) -> str | None:
        """The name that was probably meant."""
        return self.marks.near(name)

    def get(self, name: str) -> Icon:
        """The icon of that name; KeyError if there is none."""
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
        """The picture of a letter, by its `glyph_name`. Raises KeyError where there is none."""
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
        """What a line of text knows of an icon; with `ground`, what a figure in it stands on, too."""
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
        """The icon of a file's content, or of a letter's picture."""
        try:
            data = utf8_of(data)
            if b"<marker" not in data:
                # Some programs fill icons with the paint of what shows them, fonts with that of the text.
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
        drawing = read_drawing(document, PREFIX + name, view.width * view.height)
        found = [problem.moved(-root.start) for problem in (*normal.problems, *wrong)]
        found += drawing.problems
        if drawing.image is not None:
            message = f"the icon '{name}' holds an image"
            offset = drawing.image.start - root.start
            found.append(Problem("icon/file", message, "draw it as shapes", offset=offset))
        # As large as a line of text is high at most: what stands in a template's own box counts there.
        square = (_HEIGHT_MM / view.height * FILTER_PIXELS) ** 2
        if what := drawing.weight.filtered.trouble(square):
            message = f"the icon '{name}' comes to more than {what}"
            found.append(Problem("svg/bounds", message, "filter less, or draw it as shapes"))
        if letter is None and not found and all(map(_unseen, drawing.inks)):
            message = f"the icon '{name}' is white or not painted, whatever colour it is shown in"
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
            *(name, file, markup, view, svg, problems, drawing.weight, drawing.outline, grounds, line),
            whole=whole,
            is_unfilled="" in drawing.inks,
            keeps_colors=own,
        )


def keeps_colors(name: str) -> Problem:
    """Say that an icon is asked for in a color that it doesn't take."""
    message = f"the icon '{name}' has its own colors and takes no other"
    return Problem(
        "icon/color", message, 'write fill="currentColor" in its file, and no color', Severity.NOTE
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
    """A file of the project as problems name it: below `templates/`, or from there, as `../art/owl.svg`."""
    return file.removeprefix("templates/") if file.startswith("templates/") else f"../{file}"


def of_file(file: str, data: bytes, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems of a file below `templates/` at their lines of it; `data` is what it holds."""
    name = template_name(file)
    return tuple(
        replace(problem, place=(name, data.count(b"\n", 0, problem.offset) + 1)) for problem in problems
    )


def _view(root: Node, name: str) -> tuple[Rect, Problem | None]:
    """The area that an icon's drawing takes, or what is wrong with it."""
    message, view = f"the icon '{name}' has no viewBox such as \"0 0 24 24\"", None
    if root.name != "svg":
        message = f"the icon '{name}' is a <{short(root.name)}>, not an <svg>"
    else:
        try:
            view = own_box(root)
        except ViewportError as error:
            message = f"the icon '{name}' can't be placed: {error}"
    if view is not None and not 1 / _MOST_ASPECT <= view.width / view.height <= _MOST_ASPECT:
        message = f"the icon '{name}' is {view.width:g} wide and {view.height:g} high"
        hint = f"an icon has one side at most {_MOST_ASPECT:g} times as long as the other"
        return _NO_VIEW, Problem("icon/file", message, hint, offset=root.start)
    if view is None:
        return _NO_VIEW, Problem("icon/file", message, offset=root.start)
    return view, None


def _whole(document: Document, view: Rect) -> Rect:
    """The view of an icon with what it paints a little beyond, as some sets of icons do."""
    if _CLIPPED.search(document.data) or (area := filled_area(document)) is None:
        return view
    over = [view.x - area.x, area.right - view.right, view.y - area.y, area.bottom - view.bottom]
    parts = [each / side for each, side in zip(over, (view.width, view.width, view.height, view.height))]
    if not _LEAST_OVER < max(parts) < _MOST_OVER:
        return view
    left, right, above, below = (max(0.0, each) for each in over)
    return Rect(view.x - left, view.y - above, view.width + left + right, view.height + above + below)


def _grounds(document: Document, view: Rect) -> tuple[Color | None, ...]:
    """The colours that an icon paints where a figure stands, None for that in which it is shown."""
    found = inks_at(document, _spots(view))
    painted = [parse_color(ink) for ink in found if ink is not None]
    if 2 * len(painted) < len(found):
        return ()
    return tuple(dict.fromkeys(color[:3] if color is not None else None for color in painted))


def _spots(view: Rect) -> list[tuple[float, float]]:
    """Places in the middle of an icon, where a figure stands."""
    steps = (-_SPREAD, 0.0, _SPREAD)
    x, y = view.x + view.width / 2, view.y + view.height / 2
    return [(x + across * view.width, y + down * view.height) for down in steps for across in steps]


def _unseen(ink: str) -> bool:
    """Whether a paint shows nothing on paper: white, or seen through. What isn't a colour shows what it
    names."""
    color = parse_color(ink)
    return color is not None and (min(color[:3]) >= _WHITE or color[3] <= _FAINT)
