"""Letters with places of their own: lists of x, y, dx, dy and rotate, textLength and textPath.

As in SVG 2 (11.5): the text is first set as one line, with all its kerning, and then each visible letter is
moved, stretched and turned.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby, pairwise

from cardgen.art.text_flow import Move, Part, Words
from cardgen.art.text_style import Look, Styles, TextError, anchor_of, choice, length, own_matrix
from cardgen.core.artwork import Bar, TextRun, Word, turned
from cardgen.core.geometry import Rect
from cardgen.core.records import dataclass, field, replace
from cardgen.svg.outlines import lines_of
from cardgen.svg.tree import MOST_OUTLINED, Node, short
from cardgen.text.setting import set_line
from cardgen.text.spans import BEFORE, Composed, Options, Span, Style

_LISTS = ("x", "y", "dx", "dy")
_APART = frozenset(("rotate", "textLength", "textPath"))
_COLLAPSED = frozenset(" \t\n\r\f\v\x85\u2028\u2029")
_ADJUSTS = {"spacing": False, "spacingAndGlyphs": True}
_TINY = 1e-9


def is_apart(at: Mapping[str, str]) -> bool:
    """Return True if a tag positions single letters."""
    if not _APART.isdisjoint(at):
        return True
    return any(len(at[name].replace(",", " ").split()) > 1 for name in _LISTS if name in at)


@dataclass(slots=True)
class _Scope:
    """The settings of a tag for the letters from `start` to before `end`."""

    start: int
    lists: dict[str, list[float]]
    turns: list[float]
    width: float | None = None
    stretched: bool = False
    track: Track | None = None
    offset: float = 0.0
    end: int = 0


@dataclass(slots=True)
class _Letter:
    """A character with its settings. `track` is the outline that it follows."""

    char: str
    style: Style
    look: Look
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    on: _Scope | None = None


@dataclass(slots=True)
class _Placed:
    """A visible letter: its part of a run, the pen before it was moved, and after."""

    letter: _Letter
    index: int
    run: TextRun
    word: Word
    start: float
    advance: float
    x: float = 0.0
    y: float = 0.0
    stretch: float = 1.0
    turn: float = 0.0
    shown: bool = True
    bars: list[Bar] = field(default_factory=list)

    @property
    def linear(self) -> tuple[float, float, float, float] | None:
        if not self.turn and abs(self.stretch - 1) < _TINY:
            return None
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        return (cos * self.stretch, sin * self.stretch, -sin, cos)


def set_letters(
    tag: Mapping[str, str],
    look: Look,
    parts: Sequence[Part],
    styles: Styles,
    shapes: Mapping[str, Node],
    options: Options,
    rise: float,
) -> Composed:
    """Set a text with some positioned letters; `tag` has the settings of the whole, `shapes` the outlines
    that text may follow, `rise` the depth of the baseline below its y, mm. Raises TextError."""
    letters, scopes = _letters(tag, look, parts, styles, shapes)
    if not letters:
        return Composed((), look.size or 0.0, 0, Rect(0, 0, 0, 0))
    if len(letters) > MOST_OUTLINED:
        message = f"a text with positioned letters has more than {MOST_OUTLINED:,} letters"
        raise TextError("text/bounds", message, "use several texts")
    seen: dict[int, Style] = {}
    spans = []
    for style, group in groupby(letters, lambda letter: letter.style):
        shown = seen.setdefault(id(style), style if style.opacity == 1 else replace(style, opacity=1.0))
        spans.append(Span("".join(letter.char for letter in group), shown))
    composed = set_line(spans, 0.0, 0.0, options=options)
    placed = _cut(composed, letters, styles)
    _stretch(placed, scopes)
    _move(placed)
    for each in placed:
        each.y += rise
    for chunk in _chunks(placed):
        _anchor(chunk)
        _along(chunk)
    runs, bars = _runs(placed)
    return Composed(tuple(runs), composed.size, 1, _covered(placed), None, composed.missing, tuple(bars))


# ---- the settings of each character


def _letters(
    tag: Mapping[str, str], look: Look, parts: Sequence[Part], styles: Styles, shapes: Mapping[str, Node]
) -> tuple[list[_Letter], list[_Scope]]:
    letters: list[_Letter] = []
    stack = [_scope(tag, look, 0, shapes)]
    done: list[_Scope] = []
    for part in parts:
        if isinstance(part, Words):
            for span in styles.spans(_collapsed(part.text, letters), part.look):
                letters += (_Letter(char, span.style, part.look) for char in span.text)
        elif isinstance(part, Move) and part.at:
            stack.append(_scope(part.at, part.look, len(letters), shapes))
        elif isinstance(part, Move):
            done.append(stack.pop())
            done[-1].end = len(letters)
        else:
            hint = "put them into a <text> of their own"
            message = "icons and line breaks can't be mixed with positioned letters"
            raise TextError("text/positions", message, hint)
    if letters and letters[-1].char == " ":
        letters.pop()
    done.append(stack.pop())
    done[-1].end = len(letters)
    for scope in reversed(done):  # those around first
        _tell(letters[scope.start : scope.end], scope)
    return letters, done


def _collapsed(text: str, before: Sequence[_Letter]) -> str:
    result: list[str] = []
    blank = not before or before[-1].char == " "
    for char in text:
        if char in _COLLAPSED:
            if not blank:
                result.append(" ")
            blank = True
        else:
            result.append(char)
            blank = False
    return "".join(result)


def _scope(at: Mapping[str, str], look: Look, start: int, shapes: Mapping[str, Node]) -> _Scope:
    em = look.size or 0.0
    lists = {name: _lengths(at[name], name, em) for name in _LISTS if name in at and "textPath" not in at}
    turns = [length(word, "rotate") for word in at.get("rotate", "").replace(",", " ").split()]
    scope = _Scope(start, lists, turns)
    if "textLength" in at:
        scope.width = length(at["textLength"].strip(), "textLength", em)
        if scope.width <= 0:
            raise TextError("text/positions", "textLength is not above 0", "write a width in mm")
        adjust = at.get("lengthAdjust", "spacing")
        hint = f"write {' or '.join(_ADJUSTS)}"
        scope.stretched = choice(adjust, _ADJUSTS, "text/positions", "lengthAdjust", hint)
    if "textPath" in at:
        scope.track = track_of(at, shapes)
        scope.offset = scope.track.offset(at.get("startOffset"), em)
    return scope


def _lengths(said: str, name: str, em: float) -> list[float]:
    return [length(word, name, em) for word in said.replace(",", " ").split()]


def _tell(letters: Sequence[_Letter], scope: _Scope) -> None:
    """Set the values of a scope on its letters."""
    for name, values in scope.lists.items():
        for letter, value in zip(letters, values):
            setattr(letter, name, value)
    for index, letter in enumerate(letters if scope.turns else ()):
        letter.turn = math.radians(scope.turns[min(index, len(scope.turns) - 1)])
    if scope.track is not None:
        for letter in letters:
            letter.on = scope


# ---- set as one line, and cut


def _cut(composed: Composed, letters: Sequence[_Letter], styles: Styles) -> list[_Placed]:
    """Return the line cut into visible letters."""
    placed: list[_Placed] = []
    index = 0
    for run in composed.runs:
        if not isinstance(run, TextRun) or run.hidden:
            message = "multicolor letters can't be positioned one by one"
            raise TextError("text/positions", message, "put them into a <text> of their own")
        texts = styles.fonts.by_key(run.font).unicode_of
        for word, pen in zip(run.words, run.pens):
            groups = [
                (start, list(glyphs)) for start, glyphs in groupby(word.glyphs, lambda glyph: glyph[3])
            ]
            starts = [start for start, _ in groups]
            if starts != sorted(set(starts)):
                raise TextError(
                    "text/positions",
                    "right-to-left letters can't be positioned one by one",
                    "write one x and one y",
                )
            bounds = [*(min(glyph[1] for glyph in glyphs) for _, glyphs in groups), word.advance]
            for place, (start, glyphs) in enumerate(groups):
                text = word.text[start : starts[place + 1] if place + 1 < len(starts) else len(word.text)]
                if place == 0:
                    text = word.text[:start] + text
                first = _found(letters, index, text)
                index = first + len(text)
                left, right = bounds[place], bounds[place + 1]
                cut = tuple((gid, x - left, up, at - start) for gid, x, up, at in glyphs)
                said = text if "".join(texts.get(gid, "") for gid, *_ in glyphs) != text else None
                piece = Word(text, right - left, cut, "", True, said)
                at, advance = run.x + (pen + left) * run.size, (right - left) * run.size
                found = _Placed(letters[first], first, run, piece, at, advance, at, run.y)
                found.bars = [bar for bar in composed.bars if bar.area.x <= at < bar.area.right - _TINY]
                placed.append(found)
    return placed


def _found(letters: Sequence[_Letter], index: int, text: str) -> int:
    """Return the place in the text of a piece of the line, skipping unset pieces."""
    while index < len(letters) and letters[index].char != text[0]:
        index += 1
    if index == len(letters):
        raise TextError(
            "text/positions",
            "right-to-left letters can't be positioned one by one",
            "write one x and one y",
        )
    return index


# ---- moved, stretched and turned


def _stretch(placed: Sequence[_Placed], scopes: Sequence[_Scope]) -> None:
    """Make the content of a tag as wide as its textLength."""
    for scope in scopes:
        inner = [each for each in placed if scope.start <= each.index < scope.end]
        if scope.width is None or not inner:
            continue
        left = inner[0].x
        more = scope.width - (inner[-1].x + inner[-1].advance - left)
        if scope.stretched:
            factor = scope.width / (scope.width - more) if scope.width > more else 1.0
            for each in inner:
                each.x = left + (each.x - left) * factor
                each.advance *= factor
                each.stretch *= factor
        elif len(inner) > 1:
            for count, each in enumerate(inner):
                each.x += more * count / (len(inner) - 1)
        for each in placed:
            if each.index >= scope.end:
                each.x += more


def _move(placed: Sequence[_Placed]) -> None:
    across = down = 0.0
    on: _Scope | None = None
    ran = False  # along an outline
    for each in placed:
        letter = each.letter
        if letter.on is not on:  # an outline begins or has ended
            if letter.on is not None:
                across, down = -each.x, 0.0
            on = letter.on
        ran = ran or on is not None
        if ran and on is None and not letter.char.isspace():
            hint = "put it into a <text> of its own"
            raise TextError("text/path", "text after a <textPath> is not supported", hint)
        if letter.x is not None:
            across = letter.x - each.x
        if letter.y is not None and letter.on is None:
            down = letter.y
        across += letter.dx
        down += letter.dy
        each.x += across
        each.y += down
        each.turn = letter.turn


def _chunks(placed: Sequence[_Placed]) -> list[list[_Placed]]:
    """Return the letters that are anchored together."""
    chunks: list[list[_Placed]] = []
    for each in placed:
        letter = each.letter
        begun = not chunks or letter.on is not chunks[-1][-1].letter.on
        if begun or (letter.on is None and (letter.x is not None or letter.y is not None)):
            chunks.append([])
        chunks[-1].append(each)
    return chunks


def _anchor(chunk: Sequence[_Placed]) -> None:
    before = BEFORE[anchor_of(chunk[0].letter.look.properties)]
    left = min(each.x for each in chunk)
    right = max(each.x + each.advance for each in chunk)
    for each in chunk:
        each.x -= (right - left) * before


def _along(chunk: Sequence[_Placed]) -> None:
    """Put letters onto their outlines, each by its middle; those beyond its ends are not shown."""
    for each in chunk:
        scope = each.letter.on
        if scope is None or scope.track is None:
            return
        middle = scope.track.at(each.x + each.advance / 2 + scope.offset)
        if middle is None:
            each.shown = False
            continue
        x, y, turn = middle
        cos, sin = math.cos(turn), math.sin(turn)
        back, down = -each.advance / 2, each.y
        each.x, each.y = x + cos * back - sin * down, y + sin * back + cos * down
        each.turn += turn


# ---- as runs again


def _runs(placed: Sequence[_Placed]) -> tuple[list[TextRun], list[Bar]]:
    """Return the letters as runs, adjacent ones in one, and the lines along them."""
    runs: list[TextRun] = []
    bars: list[Bar] = []
    end: tuple[TextRun, float, float] | None = None
    for each in placed:
        opacity = each.letter.style.opacity
        if not each.shown or not opacity:
            end = None
            continue
        if each.bars and (each.turn or each.letter.on is not None):
            raise TextError(
                "text/positions", "rotated letters can't have text-decoration", "remove text-decoration"
            )
        bars += (_moved(bar, each) for bar in each.bars)
        linear = each.linear
        joins = end is not None and end[0] is each.run and linear is None
        if joins and end is not None and math.dist(end[1:], (each.x, each.y)) < _TINY:
            runs[-1] = replace(runs[-1], words=(*runs[-1].words, each.word))
        else:
            run = replace(each.run, x=each.x, y=each.y, words=(each.word,), gaps=())
            runs.append(replace(run, opacity=opacity, turn=linear))
        end = None if linear is not None else (each.run, each.x + each.advance, each.y)
    return runs, _joined(bars)


def _moved(bar: Bar, each: _Placed) -> Bar:
    area = Rect(each.x, bar.area.y + each.y - each.run.y, each.advance, bar.area.height)
    return Bar(area, bar.fill)


def _joined(bars: Sequence[Bar]) -> list[Bar]:
    """Return the bars, with touching pieces merged."""
    result: list[Bar] = []
    for bar in bars:
        last = result[-1] if result else None
        if last is not None and last.fill == bar.fill and last.area.height == bar.area.height:
            near = math.dist((last.area.right, last.area.y), (bar.area.x, bar.area.y)) < _TINY
            if near:
                result[-1] = Bar(replace(last.area, width=bar.area.right - last.area.x), bar.fill)
                continue
        result.append(bar)
    return result


def _covered(placed: Sequence[_Placed]) -> Rect:
    """Return the area that the letters cover, from the top of tall ones to the foot of descenders."""
    boxes: list[Rect] = []
    for each in placed:
        if each.shown:
            font, size = each.letter.style.font, each.run.size
            width = each.advance / each.stretch
            box = Rect(each.x, each.y - font.rise * size, width, (font.rise + font.depth) * size)
            boxes.append(turned(box, replace(each.run, x=each.x, y=each.y, turn=each.linear)))
    return Rect.union(boxes) if boxes else Rect(0, 0, 0, 0)


_PIECES = 48
"""Straight pieces that approximate a curve for measuring."""
_MOST = 10_000
"""Characters of an outline for text: some 300 curves."""
_SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polygon", "polyline"))


class Track:
    """An outline as straight pieces, with the distance of each start along it."""

    def __init__(self, node: Node) -> None:
        """Read an outline's pieces. Raises TextError for an element that is no outline."""
        if node.name not in _SHAPES:
            raise TextError("text/path", f"text runs along a <{short(node.name)}>", "name a <path> in href")
        if len(node.get("d") or node.get("points") or "") > _MOST:
            message = f"the path of a text has more than {_MOST:,} characters"
            raise TextError("text/bounds", message, "draw it with fewer nodes")
        matrix = own_matrix(node)
        lines = [
            [matrix.apply(*place) for place in line] for line in lines_of(node, _PIECES * _MOST, _PIECES)
        ]
        self.pieces = [
            (start, end) for line in lines for start, end in pairwise(line) if math.dist(start, end) > 0
        ]
        self.ends = list(accumulate(math.dist(start, end) for start, end in self.pieces))
        self.length = self.ends[-1] if self.ends else 0.0
        """All of it, mm."""
        said = node.get("pathLength")
        self._stated = length(said, "pathLength") if said else None

    def at(self, distance: float) -> tuple[float, float, float] | None:
        """Return the place at a distance along it, and the direction there in radians; None beyond its
        ends."""
        if not self.pieces or not 0 <= distance <= self.length:
            return None
        index = min(bisect_left(self.ends, distance), len(self.pieces) - 1)
        (x, y), (ex, ey) = self.pieces[index]
        whole = math.dist((x, y), (ex, ey))
        part = 1 - (self.ends[index] - distance) / whole
        return x + (ex - x) * part, y + (ey - y) * part, math.atan2(ey - y, ex - x)

    def offset(self, said: str | None, em: float) -> float:
        """Return the start of the text, by its startOffset. Raises TextError."""
        if said is None:
            return 0.0
        found = length(said, "startOffset", em, self.length)
        stretched = self._stated is not None and self._stated > 0 and not said.strip().endswith("%")
        return found * self.length / self._stated if stretched and self._stated else found


def track_of(attrs: Mapping[str, str], shapes: Mapping[str, Node]) -> Track:
    """Return the outline that a <textPath> names. Raises TextError."""
    href = attrs.get("href", attrs.get("xlink:href", ""))
    node = shapes.get(href.removeprefix("#")) if href.startswith("#") else None
    if node is None:
        hint = 'write href="#…", the id of a <path> in the same drawing'
        raise TextError("text/path", f"the path '{short(href)}' of a text doesn't exist", hint)
    for name, usual in (("side", "left"), ("method", "align"), ("path", "")):
        if attrs.get(name, usual) != usual:
            raise TextError(
                "text/path", f"{name}='{short(attrs[name])}' on a <textPath> is not supported", "remove it"
            )
    return Track(node)
