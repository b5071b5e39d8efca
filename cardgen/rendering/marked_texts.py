"""A text in which something is wrong, set to be looked at: all of it, the words that don't fit in red."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

from cardgen.findings import Problem
from cardgen.geometry import Matrix, Rect
from cardgen.model.artwork import IconRun, SetText, TextRun, turned
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.marks import RED_INK, Mark, kind_of
from cardgen.rendering.places import union
from cardgen.rendering.text import (
    EDGE_TOLERANCE,
    Side,
    TextResult,
    TextSetter,
    most_of,
    on_baseline,
    text_of,
)
from cardgen.rendering.text_error import TextError
from cardgen.rendering.text_flow import IconMark, Part
from cardgen.rendering.text_frame import LINE_HEIGHT, Frame, bounds
from cardgen.rendering.text_lines import joined, set_whole
from cardgen.svg.limits import MOST_PROBLEMS
from cardgen.svg.tree import Node
from cardgen.typesetting.fonts import FontBook
from cardgen.typesetting.overflowing import compose_beyond, compose_whole
from cardgen.typesetting.shaping import FontError
from cardgen.typesetting.spans import Composed

_HAIR = 1e-3
"""mm by which a word may leave its box."""
_LETTER_HEIGHT = 0.75
"""Of the box of a letter that the font lacks, and the least of its width, in em."""
_NARROW = 0.2
_WIDE = 0.5
"""How wide a letter is of a text that can't be set, in em."""

Run = TextRun | IconRun


class _Set(NamedTuple):
    """All of a text. `room` is what it does not fit into, `sides` where that ends left and right of each
    run; runs from number `within` on stand below it."""

    composed: Composed
    room: Rect | None = None
    sides: tuple[tuple[float, float], ...] = ()
    within: int | None = None


class MarkedText(NamedTuple):
    """A text as it is to be looked at, None where it can't be set, the marks of its problems, and its runs
    that are `red`. Its icons are those that can be drawn."""

    text: SetText | None
    marks: tuple[Mark, ...]
    red: tuple[TextRun, ...] = ()


class TextMarker(TextSetter):
    """Sets the texts of a game to be looked at. `noted` are the marks of those that were set to be outlines
    in a picture, with offsets from the start of the document."""

    def __init__(self, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        super().__init__(fonts, icons, limits)
        self.noted: list[Mark] = []

    def set(self, node: Node, frame: Frame, side: Side, groups: Mapping[str, float]) -> TextResult:
        """Set a text that becomes outlines, with the problems that it has in print."""
        result = super().set(node, frame, side, groups)
        if not result.problems:
            return result
        found = self.marked(node, frame, side, groups, result.problems)
        if not frame.decor:  # of others it is not known where they are printed
            self.noted += [mark.moved(node.start) for mark in found.marks if not mark.of_file]
        return result._replace(text=found.text)

    def marked(
        self,
        node: Node,
        frame: Frame,
        side: Side,
        groups: Mapping[str, float],
        problems: Sequence[Problem],
    ) -> MarkedText:
        """A text with `problems`, offsets from its start. Those that lie in no part of it that can be told
        lie in all of it."""
        try:
            if frame.hidden and not frame.shows(node):
                raise TextError("text/hidden", "nothing of it is shown")
            parts = frame.flow.parts(node)[0]
            found = self._whole(parts, frame, most_of(frame, groups.get(frame.group or "")))
            text = text_of(found.composed, frame)
        except (TextError, FontError):
            return MarkedText(None, self._unset(node, frame, problems))
        limits = _limits(problems, side)
        runs, red, gone = self._runs(found, text.matrix, limits)
        marks = islice(self._marks(text, parts, found, red, gone, problems), MOST_PROBLEMS)
        left = replace(text, runs=tuple(runs))
        words = tuple(run for run in red if isinstance(run, TextRun))
        return MarkedText(left if runs or text.bars else None, tuple(marks), words)

    def _whole(self, parts: Sequence[Part], frame: Frame, most: float | None) -> _Set:
        """All of a text at the size that fitting came to. Raises TextError."""
        composed = self._composed(parts, frame, most)
        if composed.overflow is None:
            return _Set(composed)
        if not frame.wrapped:
            lines = set_whole(frame.lines, parts, self._styles, self._icons.marks, most)
            sides = tuple((each.left, each.right) for each in lines for _ in each.composed.runs)
            rooms = [
                replace(each.composed.box, x=each.left, width=each.right - each.left)
                for each in lines
                if not each.fits
            ]
            return _Set(joined([each.composed for each in lines]), union(rooms), sides)
        paragraphs = self._paragraphs(parts, frame.spacing)
        if (shape := frame.shape) is not None:
            whole = compose_beyond(paragraphs, shape.room, shape.box, frame.options, composed)
            return _Set(whole.composed, shape.box, (), whole.within)
        box, options = frame.box, frame.options
        whole = compose_whole(paragraphs, box, options, composed.size)
        done = whole.composed
        if frame.baseline is not None:
            done = on_baseline(done, frame.baseline)
            box = Rect(box.x, done.box.y, box.width, done.box.height)
        return _Set(done, box, ((box.x, box.right),) * len(done.runs), whole.within)

    # ---- what is red, and what is not there

    def _runs(
        self, found: _Set, matrix: Matrix, limits: Rect | None
    ) -> tuple[list[Run], list[Run], list[IconRun]]:
        """The runs with words that don't fit, or leave the `limits`, in red; the red ones; and the icons
        that are not there, which are left out."""
        runs: list[Run] = []
        red: list[Run] = []
        gone: list[IconRun] = []
        for number, run in enumerate(found.composed.runs):
            if isinstance(run, IconRun) and not self._is_drawn(run.icon):
                gone.append(run)
                continue
            if isinstance(run, TextRun) and run.within is not None and not self._is_drawn(run.within):
                continue
            below = found.within is not None and number >= found.within
            ends = found.sides[number] if found.sides else None

            def leaves(part: Run, below: bool = below, ends: tuple[float, float] | None = ends) -> bool:
                if below:
                    return True
                ink = self._ink([part])
                if ink is None:
                    return False
                wide = part.x + (part.width if isinstance(part, IconRun) else part.advance)
                if ends is not None and (part.x < ends[0] - _HAIR or wide > ends[1] + _HAIR):
                    return True
                return limits is not None and not limits.contains(bounds(ink, matrix), EDGE_TOLERANCE)

            for part, is_red in _parted(run, leaves):
                if is_red:
                    part = replace(part, fill=RED_INK)
                    if isinstance(part, TextRun):
                        part = replace(part, opacity=1.0)
                    red.append(part)
                runs.append(part)
        return runs, red, gone

    def _is_drawn(self, icon: str) -> bool:
        """Whether there is an icon of that name whose file can be drawn."""
        if icon not in self._icons:
            return False
        return not any(problem.is_error for problem in self._icons.get(icon).problems)

    def _ink(self, runs: Iterable[Run]) -> Rect | None:
        return self.outlines.ink(runs)

    # ---- where the problems lie

    def _marks(
        self,
        text: SetText,
        parts: Sequence[Part],
        found: _Set,
        red: Sequence[Run],
        gone: Sequence[IconRun],
        problems: Sequence[Problem],
    ) -> Iterator[Mark]:
        whole = self._ink(text.runs) or text.box
        if not (whole.width or whole.height):
            whole = found.room or whole
        for problem in problems:
            areas, kind = [whole], kind_of(problem)
            if problem.code == "text/overflow" and found.room is not None:
                areas = [found.room]
            elif problem.code in ("text/outside", "text/safe-zone"):
                kind = "words"
                areas = [self._ink(red) or whole]
            elif problem.code == "text/glyph":
                areas = list(_letters(text.runs, problem.about)) or areas
            elif problem.code == "icon/unknown":
                kind = "missing"
                areas = [_area(run) for run in gone if run.icon in problem.about] or areas
            elif problem.code == "icon/mark":
                areas = list(_wrong(parts, found.composed.runs, problem.about)) or areas
            elif problem.code in ("text/html", "text/markdown") and problem.about:
                areas = list(self._words(text.runs, problem.about[0])) or areas
            yield from (Mark(problem, bounds(area, text.matrix), kind) for area in areas)
        for run in text.runs:
            if isinstance(run, IconRun) and run.icon in self._icons:
                for problem in self._icons.get(run.icon).problems:
                    kind = "missing" if problem.is_error else "noted"
                    yield Mark(problem, bounds(_area(run), text.matrix), kind, of_file=True)

    def _words(self, runs: Iterable[Run], said: str) -> Iterator[Rect]:
        """The areas of the words that hold the beginning of what is written."""
        first = said.split()[0] if said.split() else said
        for run in runs:
            for part, holds in _parted(run, lambda part: isinstance(part, TextRun) and first in part.text):
                area = self._ink([part]) if holds else None
                if area is not None:
                    yield area

    def _unset(self, node: Node, frame: Frame, problems: Iterable[Problem]) -> tuple[Mark, ...]:
        """The marks of a text that can't be set: all in the place where it would stand."""
        try:
            area = _room_of(node, frame)
        except TextError:
            return ()
        return tuple(Mark(problem, bounds(area, frame.matrix), kind_of(problem)) for problem in problems)


def _limits(problems: Iterable[Problem], side: Side) -> Rect | None:
    """What words are to be within, where some are not."""
    codes = {problem.code for problem in problems}
    if "text/safe-zone" in codes:
        return side.safe
    return side.area if codes & {"text/outside", "text/overflow"} else None


def _room_of(node: Node, frame: Frame) -> Rect:
    """About where a text stands that can't be set: its box, or a line as long as it may be or would
    be. Raises TextError."""
    size = frame.look.size or 0.0
    if not frame.wrapped:
        lines = frame.lines
        width = lines.fit[0] or _WIDE * size * len(" ".join(node.text().split()))
        before = {"middle": 0.5, "end": 1.0}.get(lines.anchor, 0.0)
        return Rect(lines.x - before * width, lines.y - size, width, LINE_HEIGHT * size)
    if frame.shape is not None:
        return frame.shape.box
    box = frame.box
    if frame.baseline is not None:
        return Rect(box.x, frame.baseline - size, box.width, LINE_HEIGHT * size)
    return box


def _area(run: IconRun) -> Rect:
    return Rect(run.x, run.y, run.width, run.size)


def _wrong(parts: Iterable[Part], runs: Iterable[Run], said: Sequence[str]) -> Iterator[Rect]:
    """Where the icons stand whose marks are written so."""
    written = [part.mark for part in parts if isinstance(part, IconMark)]
    icons = [run for run in runs if isinstance(run, IconRun)]
    if [mark.name for mark in written] == [run.icon for run in icons]:
        for mark, run in zip(written, icons):
            if mark.wrong is not None and mark.wrong.written in said:
                yield _area(run)


def _parted(run: Run, leaves: Callable[[Run], bool]) -> Iterator[tuple[Run, bool]]:
    """A run cut where words begin that `leaves` tells from those before."""
    if isinstance(run, IconRun):
        yield run, leaves(run)
        return
    pieces: list[tuple[int, int]] = []
    start = 0
    for index, word in enumerate(run.words):
        after_space = index and not run.words[index - 1].text.strip() and word.text.strip()
        if after_space:
            pieces.append((start, index))
            start = index
    pieces.append((start, len(run.words)))
    gaps = run.gaps or (0.0,) * len(run.words)
    pens = [0.0, *accumulate(word.advance + gap for word, gap in zip(run.words, gaps))]
    told = [leaves(_piece(run, start, _shown(run, start, end), pens[start])) for start, end in pieces]
    begun = 0
    for number in range(1, len(pieces) + 1):
        if number == len(pieces) or told[number] != told[begun]:
            start = pieces[begun][0]
            yield _piece(run, start, pieces[number - 1][1], pens[start]), told[begun]
            begun = number


def _piece(run: TextRun, start: int, end: int, pen: float) -> TextRun:
    """The words of a run from `start`, `pen` em along it, to before `end`, where they stand."""
    if start == 0 and end == len(run.words):
        return run
    before = pen * run.size
    a, b, _, _ = run.turn or (1.0, 0.0, 0.0, 1.0)
    x, y = run.x + a * before, run.y + b * before
    return replace(run, x=x, y=y, words=run.words[start:end], gaps=run.gaps[start:end])


def _shown(run: TextRun, start: int, end: int) -> int:
    """The end of some words of a run without the blanks there."""
    while end > start + 1 and not run.words[end - 1].text.strip():
        end -= 1
    return end


def _letters(runs: Iterable[Run], letters: Sequence[str]) -> Iterator[Rect]:
    """Boxes around the letters that no font has: those of `letters` that are set as glyph 0."""
    for run in runs:
        if not isinstance(run, TextRun):
            continue
        pen = 0.0
        for index, word in enumerate(run.words):
            ends = dict(pairwise([*sorted({glyph[3] for glyph in word.glyphs}), len(word.text)]))
            for place, (gid, x, _, first) in enumerate(word.glyphs):
                if gid == 0 and any(letter in word.text[first : ends[first]] for letter in letters):
                    after = word.glyphs[place + 1][1] if place + 1 < len(word.glyphs) else word.advance
                    width = max(after - x, _NARROW) * run.size
                    high = _LETTER_HEIGHT * run.size
                    yield turned(Rect(run.x + (pen + x) * run.size, run.y - high, width, high), run)
            pen += word.advance + (run.gaps[index] if run.gaps else 0.0)
