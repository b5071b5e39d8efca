"""The icons that drawings and texts may show: `icons/` of the game, then the shared ones."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from cardgen.model.game import ProjectPaths
from cardgen.rendering.embedding import embed
from cardgen.rendering.lint import lint
from cardgen.rendering.problems import Problem
from cardgen.rendering.style import StyleSheet
from cardgen.rendering.svg import SvgError, parse

PREFIX = "icon-"


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon: its drawing within (0, 0)–(`side`, `side`), and as an SVG document of its own.

    `broken` says that its file can't be drawn; the problem has been noted.
    """

    name: str
    file: str
    markup: str
    side: float
    svg: str
    broken: bool = False


class IconSet:
    """Icons by name. Files are read when an icon is first shown."""

    def __init__(self, paths: ProjectPaths, game: str) -> None:
        self._files: dict[str, tuple[Path, str]] = {}
        for folder in ("_shared", game):
            for root in reversed(paths.roots):
                place = f"templates/{folder}/icons"
                for path in sorted((root / place).glob("*.svg")):
                    self._files[path.stem] = (path, f"{place}/{path.name}")
        self.ids = frozenset(PREFIX + name for name in self._files)
        self.problems: list[tuple[str, Problem, bytes]] = []
        """What is wrong with icon files: file, problem, the file's content."""
        self._icons: dict[str, Icon] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._files)

    def near(self, name: str) -> str | None:
        """The name that was probably meant."""
        close = difflib.get_close_matches(name, self._files, 1)
        return close[0] if close else None

    def get(self, name: str) -> Icon:
        """The icon of that name; KeyError if there is none."""
        icon = self._icons.get(name)
        if icon is None:
            path, file = self._files[name]
            icon = self._icons[name] = self._read(name, path, file)
        return icon

    def _read(self, name: str, path: Path, file: str) -> Icon:
        data = path.read_bytes()
        try:
            document = parse(data)
        except SvgError as error:
            self._problem(file, data, Problem("icon/file", str(error), error.hint, offset=error.offset))
            return Icon(name, file, "", 24.0, "", True)
        root = document.root
        box = [float(part) for part in re.findall(r"[-+\d.eE]+", root.get("viewBox") or "")]
        if root.name != "svg" or len(box) != 4 or box[2] != box[3] or box[2] <= 0 or box[:2] != [0, 0]:
            message = f"the icon '{name}' has no square viewBox such as \"0 0 24 24\""
            self._problem(file, data, Problem("icon/file", message, offset=root.start))
            return Icon(name, file, "", 24.0, "", True)
        sheet = StyleSheet(node for node in root.iter() if node.name == "style")
        found = list(lint(root, document.ids, sheet)) + sheet.problems
        if root.has_text:
            found.append(Problem("icon/file", f"the icon '{name}' holds text", "turn it into paths"))
        if any(node.name == "image" for node in root.iter()):
            found.append(Problem("icon/file", f"the icon '{name}' holds an image", "draw it as shapes"))
        for problem in found:
            self._problem(file, data, problem)
        markup = embed(PREFIX + name, document, sheet)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box[2]:g} {box[2]:g}">{markup}</svg>'
        return Icon(name, file, markup, box[2], svg, bool(found))

    def _problem(self, file: str, data: bytes, problem: Problem) -> None:
        self.problems.append((file, problem, data))
