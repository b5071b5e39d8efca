"""The icons that drawings and texts may show: `icons/` of the game, then the shared ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.findings import Problem, Severity
from cardgen.model.game import ProjectPaths
from cardgen.storage.reading import ICON, ReadingError, read_file
from cardgen.storage.walking import names_in
from cardgen.svg.colors import parse_color
from cardgen.svg.embedding import read_drawing
from cardgen.svg.limits import FARTHEST, NEAREST
from cardgen.svg.numbers import numbers
from cardgen.svg.tree import SvgError, parse
from cardgen.svg.weights import NOTHING, Outline, Weight
from cardgen.typesetting.icon_marks import IconNames

PREFIX = "icon-"
_WHITE = 0.9
"""The least of red, green and blue in a colour that can't be told from paper."""
_FAINT = 0.05


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon: its drawing within (0, 0)–(`side`, `side`), and as an SVG document of its own.

    `problems` are those of its file, at their lines of it. `weight` and `outline` are what drawing it
    comes to.
    """

    name: str
    file: str
    markup: str
    side: float
    svg: str
    problems: tuple[Problem, ...] = ()
    weight: Weight = NOTHING
    outline: Callable[[], Outline] = Outline


class IconSet:
    """Icons by name. Files are read when an icon is first shown. Raises CardgenError where a folder of
    icons can't be listed."""

    def __init__(self, paths: ProjectPaths, game: str) -> None:
        self._files: dict[str, tuple[Path, str]] = {}
        for folder in ("_shared", game):
            for root in reversed(paths.roots):
                place = f"templates/{folder}/icons"
                for file in names_in(root / place, place, paths.roots, ".svg"):
                    self._files[file.removesuffix(".svg")] = (root, f"{place}/{file}")
        self._roots = paths.roots
        self.marks = IconNames(self._files)
        """What texts may name."""
        self.ids = frozenset(PREFIX + name for name in self._files)
        self._icons: dict[str, Icon] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def near(self, name: str) -> str | None:
        """The name that was probably meant."""
        return self.marks.near(name)

    def get(self, name: str) -> Icon:
        """The icon of that name; KeyError if there is none."""
        icon = self._icons.get(name)
        if icon is None:
            root, file = self._files[name]
            icon = self._icons[name] = self._read(name, root / file, file)
        return icon

    def _read(self, name: str, path: Path, file: str) -> Icon:
        try:
            data = read_file(path, ICON, file, self._roots)
        except ReadingError as error:
            problem = Problem(error.code, f"the icon '{name}' {error.reason}", error.hint)
            return Icon(name, file, "", 24.0, "", of_file(file, b"", [problem]))
        try:
            document = parse(data)
        except SvgError as error:
            return Icon(name, file, "", 24.0, "", of_file(file, data, [error.of("icon/file")]))
        root = document.root
        box = numbers(root.get("viewBox") or "")
        square = len(box) == 4 and box[2] == box[3] and NEAREST <= box[2] <= FARTHEST
        if root.name != "svg" or not square or box[:2] != [0, 0]:
            message = f"the icon '{name}' has no square viewBox such as \"0 0 24 24\""
            problem = Problem("icon/file", message, offset=root.start)
            return Icon(name, file, "", 24.0, "", of_file(file, data, [problem]))
        drawing = read_drawing(document, PREFIX + name, box[2] * box[2])
        found = list(drawing.problems)
        if root.has_text:
            found.append(Problem("icon/file", f"the icon '{name}' holds text", "turn it into paths"))
        if drawing.image is not None:
            message = f"the icon '{name}' holds an image"
            offset = drawing.image.start - root.start
            found.append(Problem("icon/file", message, "draw it as shapes", offset=offset))
        if not found and all(map(_unseen, drawing.inks)):
            message = f"the icon '{name}' is white or not painted, whatever colour it is shown in"
            hint = 'paint it with "currentColor"'
            found.append(Problem("icon/unseen", message, hint, Severity.WARNING))
        problems = of_file(file, data, [problem.moved(root.start) for problem in found])
        markup = drawing.markup
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box[2]:g} {box[2]:g}">{markup}</svg>'
        return Icon(name, file, markup, box[2], svg, problems, drawing.weight, drawing.outline)


def of_file(file: str, data: bytes, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems of a file below `templates/` at their lines of it; `data` is what it holds."""
    name = file.removeprefix("templates/")
    return tuple(
        replace(problem, place=(name, data.count(b"\n", 0, problem.offset) + 1)) for problem in problems
    )


def _unseen(ink: str) -> bool:
    """Whether a paint shows nothing on paper: white, or seen through. What isn't a colour shows what it
    names."""
    color = parse_color(ink)
    return color is not None and (min(color[:3]) >= _WHITE or color[3] <= _FAINT)
