"""A measured paragraph, or its part between hard breaks: chunks with their places on an endless line.

Lengths are *nominal* mm: at the sizes that the styles ask for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from cardgen.model.artwork import Word
from cardgen.typesetting.spans import IconSpan, Style
from cardgen.typesetting.word_parts import Piece

Item = Word | Piece | IconSpan


@dataclass(slots=True)
class Strip:
    """Words, pieces of words, spaces and icons in order, each in its style."""

    items: list[Item] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    """Where in `items` a new run begins: another style, or an icon, which is a run by itself."""
    styles: list[Style] = field(default_factory=list)
    """The style of each run."""
    current: Style | None = None
    """The style of the last item, if what follows may join its run."""

    def begin(self, style: Style) -> None:
        """Words in `style` are put into `items` next."""
        if style is not self.current:
            self.changes.append(len(self.items))
            self.styles.append(style)
            self.current = style

    def put(self, style: Style, item: Item) -> None:
        if isinstance(item, IconSpan):
            self.current = None
        self.begin(style)
        self.items.append(item)
        if isinstance(item, IconSpan):
            self.current = None

    def runs(self, start: int, end: int) -> Iterator[tuple[Style, list[Item]]]:
        """The runs of the items from `start` to before `end`."""
        changes, count = self.changes, len(self.changes)
        run = bisect_right(changes, start) - 1
        while start < end:
            following = run + 1
            until = changes[following] if following < count and changes[following] < end else end
            yield self.styles[run], self.items[start:until]
            start, run = until, following


@dataclass(slots=True)
class Segment:
    """Chunks are what no line break parts.

    A line of the chunks a to b is `ends[b] - starts[a]` wide. `ends` leave out the space after a
    chunk and include the hyphen of those in `hyphens`; both lists never fall. A segment without chunks
    is a blank line.
    """

    starts: list[float]
    ends: list[float]
    strip: Strip
    bounds: tuple[list[int], list[int]]
    """Where in the strip each chunk begins and where it ends; spaces stand between."""
    hyphens: set[int]
    sizes: list[float] | None
    """The largest type size of each chunk; None where all are `lead.size`."""
    leads: dict[float, Style]
    """The first style of each size. The style that leads a line, placing its baseline, is the one of
    the largest size on it."""
    lead: Style
    rise: float
    """How far anything reaches above its baseline, and below it."""
    depth: float
    indent: float = 0.0
    space_before: float = 0.0
    bullet: tuple[Style, Word] | None = None
    hang: float = 0.0
    """How far before the first line the bullet begins."""
    rule: bool = False
    """Whether a line is drawn across the box in its place."""
    right_to_left: bool = False
    """Whether its lines start on the right."""
    broken: bool = False
    """Whether there are pieces of words among the chunks."""

    def leader(self, start: int, end: int) -> Style:
        """The style that leads a line of the chunks from `start` to before `end`."""
        return self.lead if self.sizes is None else self.leads[max(self.sizes[start:end])]

    def spaced(self, chunk: int) -> bool:
        """Whether a space parts the chunk from the next one. False for the last."""
        firsts, afters = self.bounds
        return chunk + 1 < len(firsts) and firsts[chunk + 1] > afters[chunk]

    def line(self, start: int, end: int) -> Iterator[tuple[Style, list[Item]]]:
        """What the chunks from `start` to before `end` hold, spaces between them too, run by run."""
        firsts, afters = self.bounds
        return self.strip.runs(firsts[start], afters[end - 1])
