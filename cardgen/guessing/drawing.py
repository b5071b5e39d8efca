"""SVG as a template without code: objects named after fields, in millimetres, with sample words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from cardgen.geometry import Rect
from cardgen.units import MM_PER_PT

INK, MUTED, HAIR, PAPER = "#1d2433", "#5a6274", "#c3c8d2", "#ffffff"
FAMILY = "IBM Plex Sans"
LEAST = 6.5
"""The smallest type, pt: labels. What is for reading is no smaller than READING."""
READING = 7.5

_UNSAFE = re.compile(r"[^\w \-'’.,;/()+&!?–—€$£°%♠♥♦♣★]")
_SPACES = re.compile(r"\s+")
_SAFE_WORD = re.compile(r"[^\W_]([\w .&/+\-]*\w)?")
_LONGEST_SAMPLE = 400


def plain_words(text: str, longest: int = _LONGEST_SAMPLE) -> str:
    """A stranger's text as words that stand in a template: no code, no markup and no icons among them."""
    words = _SPACES.sub(" ", _UNSAFE.sub(" ", text[: 4 * longest])).strip()
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def is_safe_word(text: str) -> bool:
    """Whether a text may stand in quotes in an expression."""
    return _SAFE_WORD.fullmatch(text) is not None


def mm(value: float) -> str:
    """A length as SVG has it: at most three decimals."""
    return f"{round(value, 3):g}"


def points(size: float) -> str:
    """Points as mm, exact enough that they come back as points."""
    return f"{size * MM_PER_PT:.4f}".rstrip("0").rstrip(".")


class Drawing:
    """The lines of an SVG file of one side; sizes of type are pt, all else is mm from its corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        """The whole file."""
        size = f'width="{mm(self.width)}mm" height="{mm(self.height)}mm"'
        spaces = (
            'xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" '
            'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        )
        head = f'<svg {spaces} {size} viewBox="0 0 {mm(self.width)} {mm(self.height)}">'
        return "\n".join((head, *self._lines, "</svg>", ""))

    def remark(self, words: str) -> None:
        self.put(f"<!-- {words.replace('--', '- -')} -->")

    def put(self, markup: str) -> None:
        self._lines.append("  " * self._depth + markup)

    def begin(self, condition: str, *, layer: bool = False) -> None:
        """A group that is there on a condition: an expression in which fields are bare names."""
        kind = ' inkscape:groupmode="layer"' if layer else ""
        self.put(f"<g{kind} inkscape:label={quoteattr(f'if: {condition}')}>")
        self._depth += 1

    def end(self) -> None:
        self._depth -= 1
        self.put("</g>")

    def ground(self, fill: str) -> None:
        self.put(f'<rect width="{mm(self.width)}" height="{mm(self.height)}" fill="{fill}"/>')

    def rect(
        self, box: Rect, fill: str = "none", stroke: str = "", weight: float = 0, radius: float = 0
    ) -> None:
        line = f' stroke="{stroke}" stroke-width="{mm(weight)}"' if stroke else ""
        corner = f' rx="{mm(radius)}"' if radius else ""
        self.put(f'<rect {_box(box)}{corner} fill="{fill}"{line}/>')

    def rule(self, x: float, y: float, width: float) -> None:
        self.put(
            f'<path d="M{mm(x)} {mm(y)}h{mm(width)}" fill="none" stroke="{HAIR}" stroke-width="0.25"/>'
        )

    def mark(
        self, path: str, x: float, y: float, radius: float, fill: str, *, turned: bool = False
    ) -> None:
        """A shape that is drawn from -1 to 1, around a point; `turned`, upside down."""
        move = f"translate({mm(x)} {mm(y)}) scale({mm(-radius if turned else radius)})"
        self.put(f'<path transform="{move}" d="{path}" fill="{fill}"/>')

    def words(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        anchor: str = "start",
        weight: int = 400,
        room: float = 0,
    ) -> None:
        """A line that is the same on all cards; `y` is the middle of its capitals."""
        if words := plain_words(words):
            fit = (
                f' cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(LEAST)}"' if room else ""
            )
            style = f'cg:valign="middle" text-anchor="{anchor}" {_type(size, weight)} fill="{MUTED}"{fit}'
            self.put(f'<text x="{mm(x)}" y="{mm(y)}" {style}>{escape(words)}</text>')

    def line(
        self,
        field: str,
        sample: str,
        x: float,
        y: float,
        size: float,
        *,
        anchor: str = "start",
        weight: int = 400,
        fill: str = INK,
        room: float = 0,
        least: float = LEAST,
        turned: bool = False,
        markdown: bool = False,
    ) -> None:
        """A line that a field fills; `y` is the middle of its capitals. It gets smaller where it needs more
        than its `room`."""
        fit = ""
        if room:
            fit = f' cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(least)}"'
        more = _as(markdown)
        turn = f' transform="rotate(180 {mm(x)} {mm(y)})"' if turned else ""
        self.put(
            f'<text inkscape:label={quoteattr(field)} x="{mm(x)}" y="{mm(y)}" cg:valign="middle" '
            f'text-anchor="{anchor}" {_type(size, weight)} fill="{fill}"{fit}{turn}{more}>'
            f"{_sample(sample)}</text>"
        )

    def joined(
        self,
        fields: Sequence[tuple[str, str, bool]],
        x: float,
        y: float,
        size: float,
        room: float,
        least: float,
    ) -> None:
        """Words of several fields, each with its sample and whether it is Markdown, in one line that ends
        at `x`."""
        parts = " · ".join(
            f"<tspan cg:field={quoteattr(field)}{_as(markdown)}>{_sample(sample)}</tspan>"
            for field, sample, markdown in fields
        )
        fit = f'cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(least)}"'
        style = f'cg:valign="middle" text-anchor="end" {_type(size, 400)} fill="{MUTED}" {fit}'
        self.put(f'<text x="{mm(x)}" y="{mm(y)}" {style}>{parts}</text>')

    def box(
        self,
        field: str,
        sample: str,
        box: Rect,
        sizes: Sequence[float],
        *,
        weight: int = 400,
        italic: bool = False,
        fill: str = INK,
        align: str = "start",
        valign: str = "top",
        leading: float = 1.25,
        markdown: bool = False,
        hyphens: bool = False,
    ) -> None:
        """A text that a field fills, wrapped in a box, in the largest of these sizes that it fits at."""
        steps = " ".join(points(size) for size in sizes)
        slant = ' font-style="italic"' if italic else ""
        more = "" if markdown else ' cg:as="plain"'
        more += ' cg:hyphens="auto"' if hyphens else ""
        x = box.x if align == "start" else box.x + box.width / 2
        anchor = "" if align == "start" else ' text-anchor="middle"'
        first = box.y + 0.8 * sizes[0] * MM_PER_PT
        name = f"inkscape:label={quoteattr(field)}"
        self.put(f'<rect {name} {_box(box)} fill="none"/>')
        self.put(
            f'<text {name} x="{mm(x)}" y="{mm(first)}"{anchor} {_type(sizes[0], weight)}{slant} '
            f'fill="{fill}" text-align="{align}" line-height="{leading:g}" cg:fit="shrink" '
            f'cg:steps="{steps}" cg:valign="{valign}"{more}>{_sample(sample)}</text>'
        )

    def picture(self, field: str, file: str, box: Rect) -> None:
        """A picture that a field names, cropped to its box."""
        href = f"href={quoteattr(file)}"
        self.put(
            f"<image inkscape:label={quoteattr(field)} {href} {_box(box)} "
            'preserveAspectRatio="xMidYMid slice"/>'
        )


def _as(markdown: bool) -> str:
    return ' cg:as="markdown"' if markdown else ""


def _box(box: Rect) -> str:
    return f'x="{mm(box.x)}" y="{mm(box.y)}" width="{mm(box.width)}" height="{mm(box.height)}"'


def _type(size: float, weight: int) -> str:
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    return f'font-family="{FAMILY}" font-size="{points(size)}"{bold}'


def _sample(text: str) -> str:
    return escape(plain_words(text)) or "–"
