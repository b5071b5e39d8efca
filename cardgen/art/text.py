"""A `<text>` element to set text: wrapped in a box, or in lines at points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from cardgen.art.icons import IconSet, keeps_colors
from cardgen.art.text_flow import NBSP, Block, Break, Content, IconMark, Part, Rule, Words
from cardgen.art.text_lines import Frame, Spacing, bounds, set_lines
from cardgen.art.text_style import Look, Styles, TextError, points
from cardgen.core.artwork import IconRun, SetText, Stroke, TextRun, turned
from cardgen.core.findings import Problem, Severity
from cardgen.core.game import Limits
from cardgen.core.geometry import MM_PER_PT, Rect
from cardgen.core.records import dataclass, replace
from cardgen.expressions.values import number
from cardgen.files.cache import Cache
from cardgen.svg.tree import MOST_PROBLEMS, Node, short
from cardgen.text.fonts import FontBook
from cardgen.text.icon_marks import Mark
from cardgen.text.setting import compose, compose_within, size_of
from cardgen.text.shaping import FontError
from cardgen.text.spans import SAME, Composed, HardBreak, IconSpan, Paragraph, Span

_SIZE_TOLERANCE_PT = 0.02
"""Sizes in templates are rounded to 0.0001 mm, and fitting steps are finer than this."""
EDGE_TOLERANCE = 0.05
_LEAST_SCALE = 1e-6
"""The least scale of a transform that leaves a text visible."""


@dataclass(frozen=True, slots=True)
class Side:
    """The side that contains a text: its whole area, and the area within the safe zone."""

    area: Rect
    safe: Rect


class TextResult(NamedTuple):
    """`text` is None if nothing is left to print. `characters` are those that had to be set, `hard` those
    of them that line breaking had to check one by one."""

    text: SetText | None
    problems: tuple[Problem, ...]
    characters: int = 0
    hard: int = 0


class Need(NamedTuple):
    """The need of a text of a group: its size in mm on the card by itself, True if that is less than its
    own, and its possible sizes if its tag lists them, the largest first."""

    group: str
    size: float
    shrunk: bool
    sizes: tuple[float, ...]


class TextSetter:
    """Sets the text elements of a game."""

    def __init__(self, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        self.outlines = Outlines(fonts)
        self._styles = Styles(fonts)
        self._icons = icons
        self._limits = limits

    def set(self, node: Node, frame: Frame, side: Side, groups: Mapping[str, float]) -> TextResult:
        """Set one element by its tag, no larger than its group's size: `groups` are mm on the card. Never
        raises for bad input; problems are in the result."""
        if frame.hidden and not frame.shows(node):
            return TextResult(None, ())
        content = Content()
        try:
            content = frame.flow.read(node)
            text, problems = self._set(content, frame, side, groups.get(frame.group or ""))
        except TextError as error:
            text, problems = None, [error.problem]
        except FontError as error:  # a font whose problem only these letters show
            said = error.findings[0]
            text, problems = None, [Problem(said.code, said.message, said.hint)]
        placed = tuple(replace(problem, place=frame.place) for problem in problems)
        return TextResult(text, placed, content.characters, content.hard)

    def need(self, node: Node, frame: Frame) -> tuple[Need | None, int, int]:
        """Return the need of a text of a group by itself, None if it is empty or invalid; and its
        characters, as in a result."""
        if frame.group is None or frame.hidden:
            return None, 0, 0
        content = Content()
        try:
            content = frame.flow.read(node)
            need = self._need(content, frame)
        except (TextError, FontError):
            need = None
        return need, content.characters, content.hard

    def _need(self, content: Content, frame: Frame) -> Need | None:
        assert frame.group is not None
        if any(each.is_error for each in self._problems(content)):
            return None
        if frame.wrapped:
            options = frame.options
            found = size_of(self._paragraphs(content.parts, frame.spacing), frame.box, options)
        else:
            options = frame.lines.fit[1]
            line = set_lines(frame.lines, content.parts, self._styles, self._icons.marks)
            found = (line.size, line.overflow is None) if line.runs or line.overflow else None
        full, scale = frame.look.size, frame.matrix.scale
        if full is None or scale < _LEAST_SCALE or found is None:
            return None
        size, fits = found
        if not fits and options.shrink and not (options.steps or options.min_size):
            return None  # it fits at no size
        stepped = options.steps or not options.shrink
        sizes = tuple(round(each * scale, 6) for each in (full, *options.steps)) if stepped else ()
        return Need(frame.group, round(size * scale, 9), size < full - SAME, sizes)

    def _set(
        self, content: Content, frame: Frame, side: Side, size: float | None
    ) -> tuple[SetText | None, list[Problem]]:
        most = most_of(frame, size)
        own = self._problems(content)
        composed = self._composed(content.parts, frame, most)
        problems = [*_typeset_problems(composed, frame, self._styles.fonts), *own]
        if frame.wrapped and frame.style.get("white-space") == "nowrap":
            hint = "use no-break spaces (U+00A0), or a single line: cg:max-width"
            message = "white-space: nowrap has no effect on text in a box"
            problems.append(Problem("text/unset", message, hint, Severity.WARNING))
        if any(each.is_error for each in own):  # its fit is unknown, but not its letters
            return None, [each for each in problems if each.code != "text/overflow"]
        if not (composed.runs or composed.bars):
            return None, problems
        text = text_of(composed, frame)
        if not frame.decor and composed.overflow is None:
            problems += self._print_problems(text, frame, side, most)
        return text, problems

    def _composed(self, parts: Sequence[Part], frame: Frame, most: float | None) -> Composed:
        """Return the parts of a text set in its box, or in lines at points. Raises TextError."""
        if not frame.wrapped:
            return set_lines(frame.lines, parts, self._styles, self._icons.marks, most)
        options = frame.options
        if (shape := frame.shape) is not None:
            if frame.group is not None:
                hint = "remove cg:group, or put the text in a <rect>, without shape-outside"
                raise TextError("text/fit", "text in or around a shape can't share a group's size", hint)
            if options.last_line:
                hint = "remove cg:last-line, or put the text in a <rect>, without shape-outside"
                raise TextError("text/fit", "cg:last-line doesn't apply in or around a shape", hint)
            return compose_within(self._paragraphs(parts, frame.spacing), shape.room, shape.box, options)
        options = options if most is None else options.held(most)
        composed = compose(self._paragraphs(parts, frame.spacing), frame.box, options)
        return composed if frame.baseline is None else on_baseline(composed, frame.baseline)

    def _problems(self, content: Content) -> list[Problem]:
        """Return the problems of a text's content, each once. Errors keep it from being printed."""
        found = list(content.problems)
        looks: dict[int, None] = {}
        marks: dict[Mark, None] = {}
        stray = None
        for part in content.parts:
            if isinstance(part, IconMark):
                marks[part.mark] = None
            elif isinstance(part, Words):
                if stray is None and (stray := _stray_problem(part.text)) is not None:
                    found.append(stray)
                if id(part.look) not in looks:
                    looks[id(part.look)] = None
                    found += self._font_problems(part.look)
        for mark in marks if len(found) < MOST_PROBLEMS else ():
            found += self._icon_problems(mark)
            if len(found) >= MOST_PROBLEMS:
                break
        return list(dict.fromkeys(found[:MOST_PROBLEMS]))

    def _font_problems(self, look: Look) -> Iterator[Problem]:
        """Yield the problems of a missing family that a list names before an existing one, and of missing
        features."""
        if (pair := self._styles.passed_over(look.properties)) is not None:
            yield Problem(
                "text/font",
                f"there is no font family '{short(pair[0])}'; the next one listed, {pair[1]}, is used",
                "delete its name from font-family, or add its files: cardgen font add --missing-from FILE",
                Severity.WARNING,
                once=True,
            )
        yield from self._styles.lacking(look)

    def _icon_problems(self, mark: Mark) -> Iterator[Problem]:
        """Yield the problems of an icon in a text: an unknown name, a wrong size or color."""
        name = mark.name
        if name not in self._icons:
            near = self._icons.near(name)
            plain = "rite \\: for a plain colon, or list the icons: cardgen list GAME --icons"
            hint = f"did you mean ':{near}:'? W{plain}" if near else f"w{plain}"
            message = f"there is no icon ':{name}:'"
            yield Problem("icon/unknown", message, hint, of_card=True, about=(name,))
        elif (wrong := mark.wrong) is not None:
            yield Problem("icon/mark", wrong.message, wrong.hint, of_card=True, about=(wrong.written,))
        elif mark.fill is not None and self._icons.get(name).keeps_colors:
            yield replace(keeps_colors(name), of_card=True, about=(name,))

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
                    spans += self._styles.spans(part.text, part.look)
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

    # ---- limits of the finished text

    def _print_problems(self, text: SetText, frame: Frame, side: Side, most: float | None) -> list[Problem]:
        found: list[Problem] = []
        least = self._limits.type_pt
        scale = text.matrix.scale
        sizes = [run.size for run in text.runs if isinstance(run, TextRun) and run.within is None]
        smallest = min(sizes, default=text.size) * scale
        if smallest / MM_PER_PT < least - _SIZE_TOLERANCE_PT:
            shrunk = text.size < (frame.look.size or text.size) - 1e-6
            held = most is not None and text.size > most - SAME  # as all texts of its group are
            does = "shrinks to" if shrunk else "prints at"
            group = f" with its group '{short(frame.group or '')}'" if held else ""
            message = f"the text {frame.name} {does} {points(smallest)}{group}; the minimum is {least:g} pt"
            lower = math.floor(10 * smallest / MM_PER_PT) / 10
            hint = f"raise its font-size, or set a lower limit in game.yaml: limits: {{type: {lower:g}pt}}"
            if shrunk:
                which = "the longest text of the group" if held else "the text"
                hint = f"shorten {which}, enlarge its box, or raise cg:min-size or cg:steps"
            of_card = shrunk and not held
            found.append(Problem("text/size", message, hint, of_card=of_card, words=_telling(text)))
        found += _figure_problems(text.runs, scale, least)
        if not side.safe.contains(bounds(text.box, text.matrix), EDGE_TOLERANCE):
            # The box reserves room for descenders; only now does the place of the ink matter.
            ink = self.outlines.ink(text.runs)
            if ink is not None:
                found += _edge_problems(bounds(ink, text.matrix), frame.name, side, _telling(text))
        return found


def most_of(frame: Frame, size: float | None) -> float | None:
    """Return the largest base size of a text, for a group's size in mm on the card."""
    scale = frame.matrix.scale
    return None if size is None or scale < _LEAST_SCALE else round(size / scale, 9)


def text_of(composed: Composed, frame: Frame) -> SetText:
    """Return the set text of a frame."""
    return SetText(
        composed.runs,
        composed.box,
        composed.size,
        frame.matrix,
        frame.opacity,
        frame.decor,
        frame.place,
        composed.bars,
    )


def _figure_problems(runs: Iterable[TextRun | IconRun], scale: float, least: float) -> Iterator[Problem]:
    """Yield figures in icons that are too small to print, each once."""
    found: dict[tuple[str, str], float] = {}
    for run in runs:
        if isinstance(run, TextRun) and run.within is not None:
            size = run.size * scale / MM_PER_PT
            if size < least - _SIZE_TOLERANCE_PT:
                found.setdefault((run.within, run.text), size * MM_PER_PT)
    for (icon, figure), size in islice(found.items(), MOST_PROBLEMS):
        number = f"the number '{figure}' in the icon ':{icon}:'"
        message = f"{number} prints at {points(size)}; the minimum is {least:g} pt"
        times = math.ceil(10 * least * MM_PER_PT / size) / 10
        hint = f"make the icon {times:g} times as large, with @, or shorten the number"
        yield Problem("text/size", message, hint, of_card=True, about=(f" {figure}:",))


_SOUGHT = 200
"""Characters of a text that does not fit that identify it in a translation."""


def _telling(text: SetText) -> str:
    """Return words of a text that identify it in a translation."""
    runs = (run.text for run in text.runs if isinstance(run, TextRun))
    return max(runs, key=len, default="")[:_SOUGHT]


def _edge_problems(area: Rect, name: str, side: Side, words: str) -> Iterator[Problem]:
    if not side.area.contains(area, EDGE_TOLERANCE):
        message = f"the text {name} runs off the card"
        yield Problem("text/outside", message, _past(area, side.area), words=words)
    elif not side.safe.contains(area, EDGE_TOLERANCE):
        hint = f"{_past(area, side.safe)}, since cutting may remove it"
        message = f"the text {name} leaves the safe zone"
        yield Problem("text/safe-zone", message, hint, Severity.WARNING, words=words)


def _stray_problem(text: str) -> Problem | None:
    """Return the problem of the first Markdown mark without effect, which is printed; None if there is
    none."""
    if "*" not in text:
        return None
    from cardgen.text.emphasis import STRAY_HINT, stray_mark  # loads markdown-it

    if (found := stray_mark(text)) is None:
        return None
    message = "the stars {} in '{}' print as stars, not as emphasis".format(*found)
    problem = Problem("text/markdown", message, STRAY_HINT, Severity.WARNING, of_card=True)
    return replace(problem, about=(found[0],), words=text[:_SOUGHT])


def _typeset_problems(composed: Composed, frame: Frame, fonts: FontBook) -> list[Problem]:
    found: list[Problem] = []
    if composed.overflow is not None:
        lost = composed.overflow.text
        shown = lost if len(lost) <= 80 else lost[:79].rstrip() + "…"
        reached = (
            f"even at {points(composed.overflow.size)}" if frame.shrinks else f"at {points(composed.size)}"
        )
        message = f"the text {frame.name} does not fit {reached}; lost: “{shown}”"
        count = f"{len(lost):,} character{'s' if len(lost) > 1 else ''}"
        hint = f"shorten the text by {count}, or enlarge its box"
        if not frame.shrinks:
            hint += ', or let it shrink: cg:fit="shrink"'
        found.append(Problem("text/overflow", message, hint, of_card=True, words=lost[:_SOUGHT]))
    if (stub := composed.stub) is not None:
        message = (
            f"the last line of the text {frame.name}, “{short(stub.text)}”, is too short: "
            f"{stub.share * 100:.0f} % of its box; the minimum is {frame.options.last_line * 100:g} %"
        )
        hint = "change a word or two, or the width of the box"
        words = stub.text[:_SOUGHT]
        found.append(Problem("text/last-line", message, hint, Severity.WARNING, of_card=True, words=words))
    if (loose := composed.loose) is not None and frame.limits_spaces:
        message = (
            f"the spaces of “{short(loose.text)}” in the text {frame.name} stretch to "
            f"{loose.share * 100:.0f} %; the maximum is {frame.options.spaces[1] * 100:g} %"
        )
        hint = 'hyphenate the text: cg:hyphens="auto"; or change a word, the width of its box, or cg:spaces'
        words = loose.text[:_SOUGHT]
        found.append(Problem("text/spaces", message, hint, Severity.WARNING, of_card=True, words=words))
    for font, characters in composed.missing:
        hint = "use another character, or set fonts: {fallback: [FAMILY]} in game.yaml; "
        hint += "list the families: cardgen list --fonts"
        message = f"the font {font} {fonts.by_key(font).lack(characters)}"
        found.append(Problem("text/glyph", message, hint, of_card=True, about=tuple(characters)))
    return found


def on_baseline(composed: Composed, y: float) -> Composed:
    """Return the text moved so that its first baseline is at y, as `inline-size` requires."""
    first = next((run for run in composed.runs if isinstance(run, TextRun)), None)
    if first is None:
        return composed
    composed = composed.moved(0.0, y - first.y)
    if (over := composed.overflow) is None:
        return composed
    room = replace(over.room, y=composed.box.y, height=composed.box.height)  # without end
    return replace(composed, overflow=replace(over, room=room))


def _past(area: Rect, limits: Rect) -> str:
    """Return how far, and where, `area` extends beyond `limits`."""
    sides = (
        (limits.x - area.x, "left"),
        (area.right - limits.right, "right"),
        (limits.y - area.y, "top"),
        (area.bottom - limits.bottom, "bottom"),
    )
    over = (f"{by:.2f} mm at the {name}" for by, name in sides if by > EDGE_TOLERANCE)
    return f"move or shorten it by {' and '.join(over)}"


class Outlines:
    """Path data of set text."""

    def __init__(self, fonts: FontBook) -> None:
        self._fonts = fonts
        self._reaches: dict[tuple[str, int], tuple[float, float, float, float] | None] = {}

    def path(self, runs: Iterable[TextRun | IconRun]) -> str:
        """Return SVG path data of the runs, in their own coordinates, without icons."""
        parts: list[str] = []
        for run in runs:
            if not isinstance(run, TextRun) or run.hidden:
                continue
            font = self._fonts.by_key(run.font)
            scale = run.size / font.upem
            a, b, c, d = run.turn or (1.0, 0.0, 0.0, 1.0)
            for gid, x, y in _places(run):
                for command, values in font.outline(gid):
                    points: list[str] = []
                    for across, up in zip(values[::2], values[1::2]):
                        u, v = x - run.x + across * scale, y - run.y - up * scale
                        points += number(run.x + a * u + c * v), number(run.y + b * u + d * v)
                    parts.append(command + " ".join(points))
        return "".join(parts)

    def ink(self, runs: Iterable[TextRun | IconRun]) -> Rect | None:
        """Return the area that the letters and icons cover, in their own coordinates; None if they cover
        none. Curves count with their handles, which fonts keep at the extremes."""
        areas: list[Rect] = []
        for run in runs:
            if isinstance(run, IconRun):
                areas.append(run.box)
                continue
            size = run.size
            for gid, x, y in () if run.hidden else _places(run):
                if (reach := self._reach(run.font, gid)) is not None:
                    left, right, low, high = (each * size for each in reach)
                    areas.append(turned(Rect(x + left, y - high, right - left, high - low), run))
        return Rect.union(areas) if areas else None

    def _reach(self, key: str, gid: int) -> tuple[float, float, float, float] | None:
        """Return the glyph's left, right, lower and upper end in em; None for one without ink."""
        if (key, gid) not in self._reaches:
            font = self._fonts.by_key(key)
            xs = [value / font.upem for _, values in font.outline(gid) for value in values[::2]]
            ys = [value / font.upem for _, values in font.outline(gid) for value in values[1::2]]
            self._reaches[key, gid] = (min(xs), max(xs), min(ys), max(ys)) if xs else None
        return self._reaches[key, gid]


def stroked(
    text: SetText, stroke: tuple[Stroke, float], *, filled: bool, first: bool
) -> tuple[SetText, ...]:
    """Return the outlines of a text, and the text if it is filled; `first` is painted below."""
    line, opacity = stroke
    if line.width <= 0 or opacity <= 0:
        return (text,) if filled else ()
    outlines = replace(text, stroke=replace(line, again=filled), opacity=opacity, decor=True, bars=())
    if not filled:
        return (outlines,)
    return (outlines, text) if first else (text, outlines)


def _places(run: TextRun) -> Iterator[tuple[int, float, float]]:
    """Yield glyph id, x and y (mm, on the baseline) of each glyph."""
    for word, pen in zip(run.words, run.pens):
        for gid, x, y, _ in word.glyphs:
            yield gid, run.x + (pen + x) * run.size, run.y - y * run.size


Needs = tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class GroupSize:
    """The size of a group's texts in mm, True if that is less than their own, and the first card that needs
    it."""

    size: float
    shrunk: bool
    card: str


class Groups:
    """The groups of one component. `sides` are its sides that have any: the card, the digest of the side's
    source without its groups, and the needs of its texts."""

    def __init__(self, sides: Iterable[tuple[str, str, Needs]]) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        least: dict[str, GroupSize] = {}
        listed: dict[str, frozenset[float]] = {}
        for card, made_from, needs in sides:
            self._names[made_from] = tuple(sorted({need.group for need in needs}))
            for need in needs:
                so_far = least.get(need.group)
                if so_far is None or need.size < so_far.size:
                    least[need.group] = GroupSize(need.size, need.shrunk, card)
                if need.sizes:
                    both = listed.get(need.group)
                    sizes = frozenset(need.sizes)
                    listed[need.group] = sizes if both is None else both & sizes
        for name, sizes in listed.items():
            found = least[name]
            common = [size for size in sizes if size <= found.size + SAME]
            if common and max(common) < found.size - SAME:
                least[name] = GroupSize(max(common), True, found.card)
        self.sizes = least
        """By the groups' names."""

    def on(self, made_from: str) -> tuple[tuple[str, float], ...]:
        """Return the groups on a side, each with its size; all of them for a side that is not the
        component's."""
        names = self._names.get(made_from, tuple(sorted(self.sizes)))
        return tuple((name, self.sizes[name].size) for name in names)


class NeedStore:
    """A store of the needs of texts in groups on a game's sides, by the sides' sources."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def needs(self, sides: Iterable[tuple[str, str, Callable[[], Needs]]]) -> list[tuple[str, str, Needs]]:
        """Return sides with their needs, measured if they are not kept."""
        found = []
        used: dict[str, Needs] = {}
        for card, made_from, measure in sides:
            if made_from not in used:
                kept = self._cache.get_value(made_from)
                if kept is not None:
                    used[made_from] = tuple(
                        [Need(name, size, shrunk, tuple(sizes)) for name, size, shrunk, sizes in kept]
                    )
                else:
                    used[made_from] = measure()
                    self._cache.put_value(made_from, used[made_from])
            found.append((card, made_from, used[made_from]))
        self._cache.save()
        return found
