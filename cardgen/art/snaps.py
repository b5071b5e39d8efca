"""Snap points: places on a side for pieces, marked in its template with `cg:snap="NAME"`.

The mark is on a rect, circle or ellipse, drawn or not; the place is its middle, turned as the groups around
it are. It doesn't change the printed result.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from cardgen.art.side_findings import Reporter
from cardgen.art.sources import SourceStore
from cardgen.art.templates import RenderError, Templates
from cardgen.art.templating import TemplateLoader
from cardgen.art.text_style import TextError, length
from cardgen.core.findings import Findings, Problem
from cardgen.core.game import Card, Game
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import astuple, replace
from cardgen.core.table import Snap
from cardgen.files.cache import Cache
from cardgen.svg.outlines import transform_of
from cardgen.svg.root import fitting, says_millimetres
from cardgen.svg.tree import MOST_PROBLEMS, MOST_SNAPS, Node, SvgError, parse, short
from cardgen.text.fonts import FontBook

SNAP = "cg:snap"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 80
_TOLERANCE = 0.01

SideName = Literal["face", "back"]
Snaps = Mapping[tuple[str, str, SideName], tuple[Snap, ...]]
"""The snap points of sides by component, card and side; sides without any are skipped."""


def find_snaps(
    game: Game,
    cards: Iterable[Card],
    paths: ProjectPaths,
    fontbook: FontBook,
    *,
    findings: Findings,
    sources: SourceStore | None = None,
    kept: Cache | None = None,
) -> Snaps:
    """Return the snap points of the cards' sides. Wrong ones go to `findings`, at their template's lines; a
    side that can't be rendered has none (rendering reports it). `sources` shares the rendered sides with
    later layout. Sides without problems are `kept`, by their SVG and measures, which decide the result."""
    finder = _Finder(game, paths, fontbook, sources, kept or Cache.nowhere())
    found: dict[tuple[str, str, SideName], tuple[Snap, ...]] = {}
    for card in cards:
        sides: tuple[tuple[SideName, str | None], ...] = (("face", card.face), ("back", card.back))
        for side, template in sides:
            if template is not None and finder.may_snap(template):
                snaps = finder.snaps(card, side, template)
                if snaps:
                    found[card.component, card.id, side] = snaps
    finder.reporter.finish(findings)
    return found


class _SnapError(Exception):
    """A mark that is no snap point: a code, a message and a hint."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint)


class _Finder:
    """Finds the snap points on the sides of one game."""

    def __init__(
        self,
        game: Game,
        paths: ProjectPaths,
        fonts: FontBook,
        sources: SourceStore | None,
        kept: Cache,
    ) -> None:
        self.reporter, self._kept = Reporter(game), kept
        self._game, self._loader = game, TemplateLoader(paths)
        self._templates = Templates(game, paths, fonts, low_ink=False, kept=sources, share_rendered=True)
        self._marked: dict[str, bool] = {}

    def may_snap(self, template: str) -> bool:
        """Return True if a template, or one that it uses, has the mark, or if that is unknown."""
        if template not in self._marked:
            used = self._templates.used(template)
            found = used is None or any(SNAP in self._loader.source(name) for name in used)
            self._marked[template] = found
        return self._marked[template]

    def snaps(self, card: Card, side: SideName, template: str) -> tuple[Snap, ...]:
        component = self._game.component(card.component)
        try:
            rendered = self._templates.render(component, card, side, template)
            made_from = f"{rendered.digest.hex()} {component.bleed!r} {card.trim!r}"
            known = self._kept.get_value(made_from)
            if known is not None:
                return tuple(Snap(*each) for each in known)
            source = rendered.whole()
            root = parse(source.encode()).root if SNAP in source else None
        except (RenderError, SvgError):
            return ()
        found: dict[str, Snap] = {}
        wrong = 0
        for node, matrix, is_placed in () if root is None else _marks(root, card.trim, component.bleed):
            try:
                snap = _snap(node, matrix, is_placed, card.trim, component.bleed)
                if snap.name in found:
                    hint = "give each snap point a different name"
                    raise _SnapError("snap/name", f"two snap points are called '{snap.name}'", hint)
                if len(found) == MOST_SNAPS:
                    raise _SnapError("snap/bounds", f"the side has more than {MOST_SNAPS:,} snap points")
            except _SnapError as error:
                wrong += 1
                problem = replace(error.problem, offset=node.start)
                self.reporter.problem(problem, card, side, template, rendered.locate)
                if wrong == MOST_PROBLEMS or problem.code == "snap/bounds":
                    break
            else:
                found[snap.name] = snap
        if not wrong:
            self._kept.put_value(made_from, [astuple(each) for each in found.values()])
        return tuple(found.values())


def _marks(root: Node, trim: Size, bleed: float) -> Iterator[tuple[Node, Matrix, bool]]:
    """Yield the elements with the mark, their maps to the side, and True if their place is that."""
    size = trim.grown(bleed)
    placed_by = Matrix() if says_millimetres(root, size) else fitting(root, size, bleed).matrix
    stack = [(root, placed_by, True)]
    while stack:
        node, around, is_placed = stack.pop()
        try:
            matrix = transform_of(node.attrs).then(around)
        except ValueError:
            continue  # rendering reports its problems
        inner = is_placed and (node is root or node.name in ("g", "a"))
        stack += [(child, matrix, inner) for child in reversed(list(node.elements()))]
        if SNAP in node.attrs:
            yield node, matrix, is_placed


def _snap(node: Node, matrix: Matrix, is_placed: bool, trim: Size, bleed: float) -> Snap:
    """Return the snap point that an element marks. Raises _SnapError."""
    name, element = node.attrs[SNAP], short(node.name)
    try:
        middle = _middle(node)
    except TextError as error:
        raise _SnapError("snap/element", str(error), 'write it in mm, such as x="12"') from None
    if middle is None:
        hint = "put it on a rect, circle or ellipse"
        raise _SnapError("snap/element", f"a snap point can't be on a <{element}>", hint)
    if not is_placed:
        hint = "move it into <svg> itself or into plain groups <g>"
        raise _SnapError("snap/element", f"a snap point can't be on a <{element}> here", hint)
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        hint = "use lower-case words or numbers joined by -"
        raise _SnapError("snap/name", f"'{short(name)}' is not a valid name", hint)
    x, y = (round(each - bleed, 4) for each in matrix.apply(*middle))
    if not Rect(0.0, 0.0, trim.width, trim.height).contains(Rect(x, y, 0.0, 0.0), _TOLERANCE):
        where = f"{x:g}, {y:g} mm from the corner of the trim"
        message = f"the snap point '{name}' is outside the trim, at {where}"
        raise _SnapError("snap/outside", message, f"move it into the trim of {trim}")
    return Snap(name, x, y, round(math.degrees(math.atan2(matrix.b, matrix.a)), 4) % 360)


def _middle(node: Node) -> tuple[float, float] | None:
    """Return the middle of a shape in its own coordinates; None for another element. Raises TextError."""
    if node.name == "rect":
        x, y, width, height = (_number(node, name) for name in ("x", "y", "width", "height"))
        return x + width / 2, y + height / 2
    if node.name in ("circle", "ellipse"):
        return _number(node, "cx"), _number(node, "cy")
    return None


def _number(node: Node, name: str) -> float:
    return length(node.get(name, "0") or "0", name)
