"""Define spans of text in one style: parts of words, segments, directions and fallback fonts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from operator import sub
from typing import Literal, TypeVar
from weakref import WeakKeyDictionary

from cardgen.core.artwork import Bar, Color, IconRun, TextRun, Word
from cardgen.core.geometry import Rect
from cardgen.core.records import dataclass, replace
from cardgen.text.line_ends import ICON, PLAIN, Cut, WordRules
from cardgen.text.shaping import Font

Direction = Literal["ltr", "rtl", "auto"]
"""The direction of a paragraph; "auto" depends on its first letter."""
Align = Literal["start", "center", "end", "justify"]
VAlign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]
BEFORE: Mapping[str, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The share of a line before its anchor."""

USUAL_SPACES = (2 / 3, 1.5)
"""The limits of spaces in justified text, which are those of TeX's fonts."""
SAME = 1e-5
"""mm; sizes with a smaller difference are equal."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a span. `size` is mm; `spacing` (added after each letter) and `baseline_shift` (upwards)
    are em of that size. `target` is the link of its text, passed to the runs. `lines` are drawn along it:
    "underline", "line-through", and `inks` are their colors, if they differ from the letters'. `level` is
    its direction in a line with both: odd levels are right to left. `base` is the style whose font lacks
    these letters: it decides the position of lines. `opacity` is multiplied by that of the whole text;
    invisible text keeps its room. `word_spacing` is added to each space, em."""

    font: Font
    size: float
    fill: Color
    spacing: float = 0.0
    baseline_shift: float = 0.0
    target: str | None = None
    lines: tuple[str, ...] = ()
    level: int = 0
    base: Style | None = None
    inks: tuple[Color, ...] = ()
    opacity: float = 1.0
    word_spacing: float = 0.0

    @property
    def lead(self) -> Style:
        """Return the style that decides the height of lines."""
        return self.base or self


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one style. White space collapses as in CSS, across spans too: any run of spaces, tabs
    and line ends is one space, and none at the start or end of a paragraph. A no-break space stays."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class IconSpan:
    """An icon in the text: as high as the style's size, centered on half the cap height.

    `size` is a factor for its height, `aspect` its width to height ratio; a `figure` is at its center. The
    default `fill` is the style's. It breaks like a letter (`2:coin:` and `:coin:.` stay together), but a
    line may end between two icons.
    """

    name: str
    style: Style
    size: float = 1.0
    aspect: float = 1.0
    fill: Color | None = None
    figure: Span | None = None

    @property
    def height(self) -> float:
        """Return the nominal height in mm."""
        return self.style.size * self.size

    @property
    def width(self) -> float:
        """Return the nominal width in mm."""
        return self.height * self.aspect

    @property
    def text(self) -> str:
        """Return it as written, except for its size and color."""
        return f":{self.name}:" if self.figure is None else f":{self.name} {self.figure.text}:"


@dataclass(frozen=True, slots=True)
class HardBreak:
    """A line break within a paragraph. One at the very end of a paragraph adds no line."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Spans that are set together. Its em is the size of its first span.

    `indent` (em) moves all its lines in from the start side. A `bullet`, set in the first span's style,
    begins `hang` em (None: the indent) before the first line; widened if too small. `space_before` (em) is
    extra space above, not applied to the first paragraph. A paragraph without any text or icon takes no
    room. A `rule` is a line across the box instead of text.
    """

    spans: Sequence[Span | IconSpan | HardBreak]
    bullet: str | None = None
    indent: float = 0.0
    space_before: float = 0.0
    hang: float | None = None
    rule: bool = False

    @property
    def style(self) -> Style | None:
        """Return the style of its first span, None if there is none."""
        return next((span.style.lead for span in self.spans if not isinstance(span, HardBreak)), None)


@dataclass(frozen=True, slots=True)
class Options:
    """The options for filling a paragraph's box.

    `line_height` is in sizes. With `shrink`, all sizes are scaled down together until the text fits, the
    base size in steps of `step` mm and not below `min_size` mm (None: no limit), or to one of `steps`,
    descending smaller sizes in mm. `size` is the base size for `min_size` and `Composed.size`; the default
    is that of the first span. `direction` is the paragraphs' direction, which decides their start side.
    `words` are further rules for breaking words. The base size is at most `most` mm, if given. Sizes and
    steps are above 0. The last one of several lines is at least `last_line` of the width long (a share from
    0 to 1), if no additional line is needed.
    """

    align: Align = "start"
    valign: VAlign = "top"
    line_height: float = 1.2
    shrink: bool = False
    min_size: float | None = None
    words: WordRules = PLAIN
    size: float | None = None
    step: float = 0.01
    steps: tuple[float, ...] = ()
    direction: Direction = "ltr"
    most: float | None = None
    last_line: float = 0.0
    spaces: tuple[float, float] = USUAL_SPACES
    """In justified text, the least width of a space, and the width that it should not exceed: shares of its
    own."""

    @property
    def least_space(self) -> float:
        """Return the least width of a space, as a share of its own."""
        return self.spaces[0] if self.align == "justify" else 1.0

    def held(self, most: float) -> Options:
        """Return options for a text with a base size, `size`, of at most `most` mm, as far as its own sizes
        allow: the largest step that is no larger, or else the minimum size."""
        if self.steps:
            sizes = self.steps if self.size is None else (self.size, *self.steps)
            first = next((i for i, size in enumerate(sizes) if size <= most + SAME), len(sizes) - 1)
            below = sizes[first + 1 :]
            return replace(self, most=sizes[first], steps=below, shrink=bool(below))
        return replace(self, most=max(most, self.min_size or 0.0) if self.shrink else None)


@dataclass(frozen=True, slots=True)
class Stub:
    """A line that is too short or too loose: its text, and its share of the width, or the width of its
    spaces as a share of their own."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Overflow:
    """Text that doesn't fit into its `room` at `size` mm, the minimum size: the words after the room is
    full, and single words that are wider than it. Icons are written `:name:`. It is still set, beyond the
    room; runs from number `fitting` on are below it."""

    size: float
    words: tuple[str, ...]
    room: Rect
    fitting: int

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Composed:
    """Set text.

    `size` is the base size reached in mm and `lines` the number of lines set. `box` is the area of the
    lines: the widest line across, from the top of the first line's tall letters (or icons) to the foot of
    the last line's descenders. `missing` pairs font keys with the characters that the font lacks, which are
    set as the font's blank box: an error for the caller to report. `stub` is the shortest of the last lines
    that are shorter than `Options.last_line`, `loose` the justified line with the widest spaces, if they
    exceed `Options.spaces`.
    """

    runs: tuple[TextRun | IconRun, ...]
    size: float
    lines: int
    box: Rect
    overflow: Overflow | None = None
    missing: tuple[tuple[str, str], ...] = ()
    bars: tuple[Bar, ...] = ()
    stub: Stub | None = None
    loose: Stub | None = None

    def moved(self, dx: float, dy: float) -> Composed:
        """Return the same, moved right and down."""
        box = replace(self.box, x=self.box.x + dx, y=self.box.y + dy)
        runs: list[TextRun | IconRun] = [replace(run, x=run.x + dx, y=run.y + dy) for run in self.runs]
        bars = [
            replace(bar, area=replace(bar.area, x=bar.area.x + dx, y=bar.area.y + dy)) for bar in self.bars
        ]
        overflow = self.overflow
        if overflow is not None:
            room = replace(overflow.room, x=overflow.room.x + dx, y=overflow.room.y + dy)
            overflow = replace(overflow, room=room)
        return replace(self, runs=tuple(runs), box=box, overflow=overflow, bars=tuple(bars))


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a word with possible breaks: `text[start:end]`. Neighbors on one line are shaped together, to
    preserve kerning and ligatures across an unused break.
    """

    text: str
    start: int
    end: int


Pieces = tuple[tuple[Piece, float, float, bool], ...]
"""Each piece, its start and end in em from the start of the word, and True if it ends with a hyphen."""

_Key = tuple[str, float, tuple[Cut, ...]]
_kept_pieces: WeakKeyDictionary[Font, dict[_Key, Pieces]] = WeakKeyDictionary()


def pieces_of(font: Font, text: str, spacing: float, cuts: tuple[Cut, ...]) -> Pieces:
    """Return the pieces of `text` between `cuts`, measured once.

    Widths don't add up: kerning and ligatures join pieces. A piece's start is that of a line that continues
    to the word's end; its end is the furthest of any line ending there. So a line's width is never too
    small, and is exact if it contains the start or the end of the word. A cut that doesn't make the word
    longer (a hyphen wider than the text it replaces) is dropped.
    """
    kept = _kept_pieces.setdefault(font, {})
    pieces = kept.get((text, spacing, cuts))
    if pieces is None:
        pieces = kept[text, spacing, cuts] = _measure(font, text, spacing, cuts)
    return pieces


def _measure(font: Font, text: str, spacing: float, cuts: tuple[Cut, ...]) -> Pieces:
    def width(start: int, end: int, hyphen: bool = False) -> float:
        return font.word(text[start:end] + ("-" if hyphen else ""), spacing).advance

    length = len(text)
    total = width(0, length)
    kept: list[Cut] = []
    ends: list[float] = []
    starts = [0.0]
    for cut, hyphen in cuts:
        bounds = [0, *(offset for offset, _ in kept)]
        end = max(start + width(bound, cut, hyphen) for start, bound in zip(starts, bounds))
        start = total - width(cut, length)
        if end < total and start > starts[-1] and (not ends or end > ends[-1]):
            kept.append((cut, hyphen))
            ends.append(end)
            starts.append(start)
    bounds = [0, *(offset for offset, _ in kept), length]
    hyphens = [*(hyphen for _, hyphen in kept), False]
    return tuple(
        (Piece(text, bounds[index], bounds[index + 1]), starts[index], end, hyphens[index])
        for index, end in enumerate([*ends, total])
    )


Item = Word | Piece | IconSpan


def runs_of(items: Iterable[tuple[Style, Item]]) -> Iterator[tuple[Style, list[Item]]]:
    """Yield stretches of items in one style; an icon is one by itself."""
    current: Style | None = None
    run: list[Item] = []
    for style, item in items:
        is_parted = style is not current or isinstance(item, IconSpan) or isinstance(run[-1], IconSpan)
        if is_parted and current is not None:
            yield current, run
            run = []
        current = style
        run.append(item)
    if current is not None:
        yield current, run


@dataclass(slots=True)
class Segment:
    """Items split into chunks, between which a line may end.

    A line of the chunks a to b is `ends[b] - starts[a]` wide. `ends` don't include the space after a chunk
    but the hyphen of those in `hyphens`; both lists are ascending. A segment without chunks is a blank
    line.
    """

    starts: list[float]
    ends: list[float]
    items: list[tuple[Style, Item]]
    """Words, pieces of words, spaces and icons in order, each in its style."""
    bounds: tuple[list[int], list[int]]
    """The start and end of each chunk in the items, with spaces between them."""
    hyphens: set[int]
    sizes: list[float] | None
    """The largest type size of each chunk; None if all are `lead.size`."""
    leads: dict[float, Style]
    """The first style of each size. The style of the largest size on a line places its baseline."""
    lead: Style
    rise: float
    """The largest extent above the baseline, and below it."""
    depth: float
    indent: float = 0.0
    space_before: float = 0.0
    bullet: tuple[Style, Word] | None = None
    hang: float = 0.0
    """The distance of the bullet before the first line."""
    rule: bool = False
    """True if it is a line across the box."""
    right_to_left: bool = False
    """True if its lines start on the right."""

    def leader(self, start: int, end: int) -> Style:
        """Return the style that places the baseline of a line of the chunks from `start` to before
        `end`."""
        return self.lead if self.sizes is None else self.leads[max(self.sizes[start:end])]

    def spaced(self, chunk: int) -> bool:
        """Return True if a space separates the chunk from the next one. False for the last."""
        firsts, afters = self.bounds
        return chunk + 1 < len(firsts) and firsts[chunk + 1] > afters[chunk]

    def room_between(self) -> list[float]:
        """Return the width of all spaces before each chunk, as far as they can stretch and shrink."""
        gaps = (
            self.starts[chunk + 1] - self.ends[chunk] if self.spaced(chunk) else 0.0
            for chunk in range(len(self.starts) - 1)
        )
        return list(accumulate(gaps, initial=0.0))

    def tight(self, least: float) -> tuple[list[float], list[float]]:
        """Return the starts and ends of chunks if all spaces shrink to this share of their width."""
        if least >= 1.0:
            return self.starts, self.ends
        saved = [(1.0 - least) * room for room in self.room_between()]
        return list(map(sub, self.starts, saved)), list(map(sub, self.ends, saved))

    def line(self, start: int, end: int) -> Iterator[tuple[Style, list[Item]]]:
        """Return the content of the chunks from `start` to before `end`, with the spaces between them, run
        by run."""
        firsts, afters = self.bounds
        return runs_of(self.items[firsts[start] : afters[end - 1]])


T = TypeVar("T")
_Part = Span | IconSpan | HardBreak

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Unicode's blocks of right-to-left scripts, and the signs that change the direction."""
_LANGUAGES = frozenset(("ar", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))
_SCRIPTS = frozenset(("adlm", "arab", "hebr", "nkoo", "syrc", "thaa"))
_BREAKS = str.maketrans(dict.fromkeys("\n\r\x1c\x1d\x1e\x85\u2029", " "))
"""Characters that would end a paragraph; here they are white space."""
_LEVEL = re.compile(r"\d+")
_LEVELS = "\n    levels: ["
_PARAGRAPHS = "\n    paragraphs: ["


def direction_of(language: str) -> Direction:
    """Return the default direction of paragraphs in a game of this language (BCP 47): right to left for a
    language written so, otherwise by the first letter."""
    name, *more = language.lower().replace("_", "-").split("-")
    script = next((part for part in more if len(part) == 4), None)
    return "rtl" if (name in _LANGUAGES if script is None else script in _SCRIPTS) else "auto"


def runs_right_to_left(spans: Sequence[_Part], direction: Direction) -> bool:
    """Return True if a paragraph with this `direction` is right to left. One without letters is left to
    right."""
    if direction != "auto":
        return direction == "rtl"
    if not _has_such_letters(spans):
        return False
    from bidi import get_base_level  # few games need it

    text = "".join(span.text for span in spans if isinstance(span, Span))
    return bool(get_base_level(text.translate(_BREAKS)) == 1)


def directed(spans: Sequence[_Part], right_to_left: bool) -> Sequence[_Part]:
    """Return the spans of a paragraph, split at changes of direction, with styles of their levels."""
    if not right_to_left and not _has_such_letters(spans):
        return spans
    styles: dict[tuple[int, int], Style] = {}

    def style_at(style: Style, level: int) -> Style:
        key = (id(style), level)
        if key not in styles:
            font = style.font.directed("rtl" if level % 2 else "ltr")
            styles[key] = replace(style, font=font, level=level) if level else style
        return styles[key]

    result: list[_Part] = []
    for is_break, line in groupby(spans, lambda span: isinstance(span, HardBreak)):
        parts = list(line)
        if is_break:
            result += parts
            continue
        levels = _bidi_levels("".join(_text(part) for part in parts), right_to_left)
        at = 0
        for part in parts:
            length = len(_text(part))
            own, at = levels[at : at + length], at + length
            if isinstance(part, IconSpan):
                result.append(replace(part, style=style_at(part.style, own[0])))
            elif isinstance(part, Span):
                start = 0
                for level, same in groupby(own):
                    end = start + len(list(same))
                    result.append(Span(part.text[start:end], style_at(part.style, level)))
                    start = end
    return result


def in_sight(units: list[T], levels: Sequence[int]) -> list[T]:
    """Return a line's runs in visual order, given reading order (rule L2)."""
    order = list(range(len(units)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = max(end, start + 1)
    return [units[index] for index in order]


def _has_such_letters(spans: Sequence[_Part]) -> bool:
    return any(
        isinstance(span, Span) and not span.text.isascii() and _RIGHT_TO_LEFT.search(span.text) is not None
        for span in spans
    )


def _text(part: _Part) -> str:
    return part.text if isinstance(part, Span) else ICON


@lru_cache(maxsize=4096)
def _bidi_levels(text: str, right_to_left: bool) -> list[int]:
    """Return the level of each character: even ones are left to right, odd ones right to left."""
    from bidi import get_display

    text = text.translate(_BREAKS)
    dump = str(get_display(text, base_dir="R" if right_to_left else "L", debug=True))
    # The levels of all bytes of the text, from the library's debug output. Before them it prints the text
    # with its line ends escaped.
    of_bytes = [
        int(level)
        for level in _LEVEL.findall(dump, dump.index(_LEVELS) + len(_LEVELS), dump.rindex(_PARAGRAPHS))
    ]
    return list(_at_characters(text, of_bytes))


def _at_characters(text: str, of_bytes: Sequence[int]) -> Iterator[int]:
    at = 0
    for character in text:
        yield of_bytes[at]
        at += len(character.encode())


_JOINER = "\u200d"


def in_fonts(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs with spans in the fonts that have their letters."""
    styles: dict[tuple[int, Font], Style] = {}
    result = list(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        spans: list[Span | IconSpan | HardBreak] = []
        cut = False
        for span in paragraph.spans:
            if not isinstance(span, Span) or span.style.font.covers(span.text):
                spans.append(span)
                continue
            style = span.style
            for font, text in _runs(style.font, span.text):
                if font is style.font:
                    spans.append(Span(text, style))
                else:
                    cut = True
                    key = (id(style), font)
                    if key not in styles:
                        styles[key] = replace(style, font=font, base=style)
                    spans.append(Span(text, styles[key]))
        if cut:
            result[index] = replace(paragraph, spans=spans)
    return result


def in_one_font(text: str, style: Style) -> Style:
    """Return the style for a short text as a whole: in the first font that has all its letters."""
    if style.font.covers(text):
        return style
    font = style.font.stand_in(text)
    return style if font is style.font else replace(style, font=font, base=style)


def missing(font: Font, text: str) -> str:
    """Return the distinct characters of a text that neither the font nor its fallbacks set in one color."""
    if font.covers(text):
        return ""
    found: dict[str, None] = {}
    for used, run in _runs(font, text):
        found.update(dict.fromkeys(run if used.is_painted else used.missing(run)))
    return "".join(found)


def width_of(font: Font, text: str) -> float:
    """Return the width in em of a line of text in plain style, each word shaped alone."""
    words = text.split(" ")
    parts = [run for word in words if word for run in _runs(font, word)]
    return sum(used.word(part).advance for used, part in parts) + font.word(" ").advance * (len(words) - 1)


def _runs(font: Font, text: str) -> Iterator[tuple[Font, str]]:
    """Yield the text split by font. White space uses the requested `font`, unless it is between letters of
    the same other one."""
    if font.covers(text):
        yield font, text
        return
    current = font
    run: list[str] = []
    space: list[str] = []
    for cluster in clusters(text):
        if cluster.isspace():
            space.append(cluster)
            continue
        found = font.stand_in(cluster)
        if found is not current:
            if current is font:
                run += space
                space = []
            if run:
                yield current, "".join(run)
            run = []
            if space and found is not font:
                yield font, "".join(space)
                space = []
            current = found
        run += space
        run.append(cluster)
        space = []
    if current is font:
        run += space
        space = []
    if run:
        yield current, "".join(run)
    if space:
        yield font, "".join(space)


def clusters(text: str) -> Iterator[str]:
    """Return the grapheme clusters of a text (UAX #29, except for rare scripts): letters with their marks,
    joined ones and the pairs of a flag."""
    start = 0
    paired = False
    for index in range(1, len(text)):
        before, char = text[index - 1], text[index]
        flag = _is_half_flag(before) and _is_half_flag(char) and not paired
        paired = flag
        if not (flag or before == _JOINER or _is_joined(char)):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


@lru_cache(maxsize=8192)
def _is_joined(char: str) -> bool:
    """Return True if a character belongs to the one before it."""
    code = ord(char)
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d\u0e33\u0eb3"  # joiners; vowels of Thai and Lao on both sides
        or 0x1160 <= code <= 0x11FF  # the vowels and ends of Hangul syllables
        or 0xD7B0 <= code <= 0xD7FF
        or 0x1F3FB <= code <= 0x1F3FF  # colors of skin
    )


def _is_half_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
