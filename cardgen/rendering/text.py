"""A `<text>` element to set text: wrapped in a box, or in lines at points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from cardgen.findings import Problem, Severity
from cardgen.geometry import Rect
from cardgen.model.artwork import IconRun, SetText, TextRun
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.letters import Outlines
from cardgen.rendering.text_flow import NBSP, Block, Break, IconMark, Part, Refused, Rule, Words
from cardgen.rendering.text_frame import Frame, Spacing, bounds
from cardgen.rendering.text_lines import set_lines
from cardgen.rendering.text_style import Styles, TextError, points
from cardgen.svg.limits import MOST_PROBLEMS
from cardgen.svg.tree import Node
from cardgen.typesetting.composing import compose
from cardgen.typesetting.fonts import FontBook
from cardgen.typesetting.spans import Composed, HardBreak, IconSpan, Paragraph, Span
from cardgen.units import MM_PER_PT

_SIZE_TOLERANCE_PT = 0.02
"""Sizes in templates are rounded to 0.0001 mm, and fitting steps are finer than this."""
_EDGE_TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class Side:
    """The side that a text stands on: its whole area, and the area within the safe zone."""

    area: Rect
    safe: Rect


class TextResult(NamedTuple):
    """`text` is None where nothing is left to print. `characters` are those that had to be set, `hard`
    those of them that line breaking had to look at one by one."""

    text: SetText | None
    problems: tuple[Problem, ...]
    characters: int = 0
    hard: int = 0


class TextSetter:
    """Sets the text elements of a game."""

    def __init__(self, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        self.outlines = Outlines(fonts)
        self._styles = Styles(fonts)
        self._icons = icons
        self._limits = limits

    def set(self, node: Node, frame: Frame, side: Side) -> TextResult:
        """Set one element with what its tag says. Never raises for bad input; what is wrong is in the
        result's problems."""
        if frame.hidden:
            return TextResult(None, ())
        characters = hard = 0
        try:
            parts, characters, hard = frame.flow.parts(node)
            text, problems = self._set(parts, frame, side)
        except TextError as error:
            text, problems = None, [error.problem]
        placed = tuple(replace(problem, place=frame.place) for problem in problems)
        return TextResult(text, placed, characters, hard)

    def _set(self, parts: Sequence[Part], frame: Frame, side: Side) -> tuple[SetText | None, list[Problem]]:
        refused = dict.fromkeys(part.problem for part in parts if isinstance(part, Refused))
        broken = [*self._wrong_icons(parts), *islice(refused, MOST_PROBLEMS)]
        if not frame.wrapped:
            composed = set_lines(frame.lines, parts, self._styles, self._icons.marks)
        else:
            composed = compose(self._paragraphs(parts, frame.spacing), frame.box, frame.options)
            if frame.baseline is not None:
                composed = _on_baseline(composed, frame.baseline)
        problems = _typeset_problems(composed, frame)
        if broken:  # it can't be told whether it fits, but it can which letters there are
            return None, broken + [each for each in problems if each.code != "text/overflow"]
        if not (composed.runs or composed.bars):
            return None, problems
        text = SetText(
            composed.runs,
            composed.box,
            composed.size,
            frame.matrix,
            frame.opacity,
            frame.decor,
            frame.place,
            composed.bars,
        )
        if not frame.decor:
            problems += self._print_problems(text, frame, side)
        return text, problems

    # ---- icons in text

    def _wrong_icons(self, parts: Sequence[Part]) -> list[Problem]:
        """What is wrong with the icons of a text: those that there are not, sizes, colours."""
        found: dict[str, Problem] = {}
        for mark in (part.mark for part in parts if isinstance(part, IconMark)):
            if mark.name not in self._icons and mark.name not in found:
                near = self._icons.near(mark.name)
                hint = f"did you mean ':{near}:'?" if near else "the icons are in templates/_shared/icons/"
                hint += " (write \\: for a plain colon)"
                message = f"there is no icon ':{mark.name}:'"
                found[mark.name] = Problem("icon/unknown", message, hint, of_card=True, about=(mark.name,))
            elif (wrong := mark.wrong) is not None and mark.name in self._icons:
                about = (wrong.written,)
                problem = Problem("icon/mark", wrong.message, wrong.hint, of_card=True, about=about)
                found.setdefault(wrong.message, problem)
            if len(found) == MOST_PROBLEMS:
                break
        return list(found.values())

    # ---- wrapped text

    def _paragraphs(self, parts: Sequence[Part], spacing: Spacing) -> list[Paragraph]:
        paragraphs: list[Paragraph] = []
        spans: list[Span | IconSpan | HardBreak] = []
        block = Block("paragraph")

        def close() -> None:
            while spans and isinstance(spans[0], HardBreak):
                spans.pop(0)
            if spans:
                above = spacing.item if block.kind == "item" and block.bullet else spacing.paragraph
                inset = spacing.indent * block.level
                paragraphs.append(Paragraph(tuple(spans), block.bullet, inset, above, spacing.indent))
            spans.clear()

        for part in parts:
            if isinstance(part, Words):
                if spans or not part.text.isspace():
                    spans.append(Span(part.text, self._styles.style(part.look)))
            elif isinstance(part, IconMark):
                spans.append(self._icons.marks.span(part.mark, self._styles.style(part.look)))
            elif isinstance(part, Break):
                spans.append(HardBreak())
            elif isinstance(part, Rule):
                close()
                line = Span(NBSP, self._styles.style(part.look))
                paragraphs.append(Paragraph((line,), space_before=spacing.paragraph, rule=True))
            elif isinstance(part, Block):
                close()
                block = part if part.kind else Block("paragraph")
        close()
        return paragraphs

    # ---- what the finished text must hold to

    def _print_problems(self, text: SetText, frame: Frame, side: Side) -> list[Problem]:
        found: list[Problem] = []
        least = self._limits.type_pt
        scale = text.matrix.scale
        sizes = [run.size for run in text.runs if isinstance(run, TextRun) and run.within is None]
        smallest = min(sizes, default=text.size) * scale
        if smallest / MM_PER_PT < least - _SIZE_TOLERANCE_PT:
            shrunk = text.size < (frame.look.size or text.size) - 1e-6
            hint = f"the game's least type size is {least:g} pt"
            if shrunk:
                hint += "; shorten the text, enlarge its box, or raise cg:min-size or cg:steps"
            message = f"the text {frame.name} is set in {points(smallest)}"
            found.append(Problem("text/size", message, hint, of_card=shrunk))
        found += _figure_problems(text.runs, scale, least)
        if not side.safe.contains(bounds(text.box, text.matrix), _EDGE_TOLERANCE):
            # The box reserves room for descenders; only now is it worth knowing where the ink is.
            ink = self.outlines.ink(text.runs)
            if ink is not None:
                found += _edge_problems(bounds(ink, text.matrix), frame.name, side)
        return found


def _figure_problems(runs: Iterable[TextRun | IconRun], scale: float, least: float) -> Iterator[Problem]:
    """Figures in icons that are too small to be printed, each said once."""
    found: dict[tuple[str, str], float] = {}
    for run in runs:
        if isinstance(run, TextRun) and run.within is not None:
            size = run.size * scale / MM_PER_PT
            if size < least - _SIZE_TOLERANCE_PT:
                found.setdefault((run.within, run.text), size * MM_PER_PT)
    for (icon, figure), size in islice(found.items(), MOST_PROBLEMS):
        message = f"the figure '{figure}' in the icon ':{icon}:' is set in {points(size)}"
        times = math.ceil(10 * least * MM_PER_PT / size) / 10
        hint = f"the game's least type size is {least:g} pt; make the icon {times:g} times as large, with @"
        yield Problem("text/size", message, hint, of_card=True, about=(f" {figure}:",))


_SOUGHT = 200
"""Characters of a text that does not fit by which it is found in a translation."""


def _edge_problems(area: Rect, name: str, side: Side) -> Iterator[Problem]:
    if not side.area.contains(area, _EDGE_TOLERANCE):
        message = f"the text {name} runs off the card"
        yield Problem("text/outside", message, _past(area, side.area))
    elif not side.safe.contains(area, _EDGE_TOLERANCE):
        hint = f"{_past(area, side.safe)}; cutting may take it off"
        message = f"the text {name} leaves the safe zone"
        yield Problem("text/safe-zone", message, hint, Severity.WARNING)


def _typeset_problems(composed: Composed, frame: Frame) -> list[Problem]:
    found: list[Problem] = []
    if composed.overflow is not None:
        lost = composed.overflow.text
        shown = lost if len(lost) <= 80 else lost[:79].rstrip() + "…"
        reached = (
            f"even at {points(composed.overflow.size)}" if frame.shrinks else f"at {points(composed.size)}"
        )
        message = f"the text {frame.name} does not fit {reached}; lost: “{shown}”"
        hint = "shorten the text or enlarge its box"
        if not frame.shrinks:
            hint += ', or let it shrink: cg:fit="shrink"'
        found.append(Problem("text/overflow", message, hint, of_card=True, words=lost[:_SOUGHT]))
    for font, characters in composed.missing:
        shown = " ".join(f"'{char}' (U+{ord(char):04X})" for char in characters)
        hint = "use another character, or name a font that has it: fonts: {fallback: […]} in game.yaml"
        message = f"the font {font} has no {shown}"
        found.append(Problem("text/glyph", message, hint, of_card=True, about=tuple(characters)))
    return found


def _on_baseline(composed: Composed, y: float) -> Composed:
    """The text moved so that its first baseline is at y, as `inline-size` has it."""
    first = next((run for run in composed.runs if isinstance(run, TextRun)), None)
    if first is None:
        return composed
    return composed.moved(0.0, y - first.y)


def _past(area: Rect, limits: Rect) -> str:
    """How far, and where, `area` reaches beyond `limits`."""
    sides = (
        (limits.x - area.x, "left"),
        (area.right - limits.right, "right"),
        (limits.y - area.y, "top"),
        (area.bottom - limits.bottom, "bottom"),
    )
    return "by " + " and ".join(f"{by:.2f} mm at the {name}" for by, name in sides if by > _EDGE_TOLERANCE)
