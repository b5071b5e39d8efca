"""Snap points: places on a side that pieces are laid on, marked in its template with `cg:snap="NAME"`.

The mark stands on a rect, circle or ellipse, drawn or not; the place is its middle, turned as the groups
around it are. Nothing that is printed depends on it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Literal

from jinja2.exceptions import TemplateError

from cardgen.art.side_findings import Reporter
from cardgen.art.sources import SourceStore
from cardgen.art.templates import Rendered, RenderError, Templates
from cardgen.art.templating import TemplateLoader
from cardgen.art.text_style import TextError, length
from cardgen.core.findings import Findings, Problem
from cardgen.core.game import Card, Game, ProjectPaths
from cardgen.core.geometry import Matrix
from cardgen.core.table import Snap
from cardgen.files.cache import Cache
from cardgen.svg.outlines import transform_of
from cardgen.svg.root import fitting, says_millimetres
from cardgen.svg.tree import MOST_PROBLEMS, MOST_SNAPS, Node, SvgError, parse, short
from cardgen.text.fonts import FontBook

SNAP = "cg:snap"
_MARK = "cg:snap"
_USES = re.compile(r"""\{%-?\s*(?:include|import|from|extends)\s+["']([^"']+)["']""")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 80
_TOLERANCE = 0.01

SideName = Literal["face", "back"]
Snaps = Mapping[tuple[str, str, SideName], tuple[Snap, ...]]
"""The snap points of sides by component, card and side; sides without any are left out."""


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
    """Return the snap points of the cards' sides. Wrong ones go to `findings`, at their template's
    lines; a side that can't be rendered has none (rendering it says why). What is rendered for that is
    shared by `sources` with whoever lays the sides out. Sides on which nothing was wrong are `kept`, by
    their SVG and measures, which is all that counts."""
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


class _Finder:
    """Looks at the sides of one game."""

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
        """Return True if a template, or one that it uses, has the mark."""
        if template not in self._marked:
            used = {template: None}
            todo = [template]
            while todo:
                asking = todo.pop()
                text = self._source(asking)
                if _MARK in text:
                    break
                for name in _USES.findall(text):
                    name = self._loader.canonical(name, asking.rpartition("/")[0])
                    if name not in used:
                        used[name] = None
                        todo.append(name)
            else:
                self._marked.update(dict.fromkeys(used, False))
            self._marked.setdefault(template, True)
        return self._marked[template]

    def _source(self, template: str) -> str:
        try:
            return self._loader.source(template)
        except TemplateError:  # rendering says what is wrong with it
            return ""

    def snaps(self, card: Card, side: SideName, template: str) -> tuple[Snap, ...]:
        component = self._game.component(card.component)
        try:
            rendered = self._templates.render(component, card, side, template)
            made_from = f"{rendered.digest.hex()} {component.bleed!r} {card.trim!r}"
            known = self._kept.get_value(made_from)
            if known is not None:
                return tuple(Snap(*each) for each in known)
            root = parse(rendered.whole().encode()).root
        except (RenderError, SvgError):
            return ()
        found, wrong = self._read(root, card, side, template, rendered)
        if not wrong:
            self._kept.put_value(made_from, [astuple(each) for each in found])
        return found

    def _read(
        self, root: Node, card: Card, side: SideName, template: str, rendered: Rendered
    ) -> tuple[tuple[Snap, ...], int]:
        """Return the snap points of a side, and how much is wrong."""
        bleed = self._game.component(card.component).bleed
        found: dict[str, Snap] = {}

        wrong = 0

        def report(node: Node, code: str, message: str, hint: str | None = None) -> None:
            nonlocal wrong
            wrong += 1
            problem = Problem(code, message, hint, offset=node.start)
            self.reporter.problem(problem, card, side, template, rendered.locate)

        size = card.trim.grown(bleed)
        placed_by = Matrix() if says_millimetres(root, size) else fitting(root, size, bleed).matrix
        stack = [(root, placed_by, True)]
        while stack and wrong < MOST_PROBLEMS:
            node, around, placed = stack.pop()
            try:
                matrix = transform_of(node.attrs).then(around)
            except ValueError:
                continue  # rendering says what is wrong with it
            inner = placed and (node is root or node.name in ("g", "a"))
            stack += [(child, matrix, inner) for child in reversed(list(node.elements()))]
            name = node.get(SNAP)
            if name is None:
                continue
            try:
                middle = _middle(node)
            except TextError as error:
                report(node, "snap/element", str(error), 'write it in mm, such as x="12"')
                continue
            if middle is None:
                hint = "put it on a rect, circle or ellipse"
                report(node, "snap/element", f"a snap point can't be on a <{short(node.name)}>", hint)
                continue
            if not placed:
                hint = "move it into <svg> itself or into plain groups <g>"
                report(node, "snap/element", f"a snap point can't be on a <{short(node.name)}> here", hint)
                continue
            if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
                hint = "use lower-case words or numbers joined by -"
                report(node, "snap/name", f"'{short(name)}' is not a valid name", hint)
                continue
            if name in found:
                report(
                    node,
                    "snap/name",
                    f"two snap points are called '{name}'",
                    "give each snap point a different name",
                )
                continue
            if len(found) == MOST_SNAPS:
                report(node, "snap/bounds", f"the side has more than {MOST_SNAPS:,} snap points")
                break
            x, y = matrix.apply(*middle)
            x, y = round(x - bleed, 4), round(y - bleed, 4)
            if not (
                -_TOLERANCE <= x <= card.trim.width + _TOLERANCE
                and -_TOLERANCE <= y <= card.trim.height + _TOLERANCE
            ):
                where = f"{x:g}, {y:g} mm from the corner of the trim"
                message = f"the snap point '{name}' is outside the trim, at {where}"
                report(node, "snap/outside", message, f"move it into the trim of {card.trim}")
                continue
            turn = round(math.degrees(math.atan2(matrix.b, matrix.a)), 4) % 360
            found[name] = Snap(name, x, y, turn)
        return tuple(found.values()), wrong


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
