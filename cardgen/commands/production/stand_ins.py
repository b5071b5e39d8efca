"""Boxes in the places of cards that can't be printed: `cardgen build --keep-going`.

A box is a side like any other, of the card's size, so that sheets, cuts and backs keep their layout. It is
light, hatched and crossed out, so that nobody takes it for a card, and shows which card is missing and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from cardgen.art.laying_out import LayingOut
from cardgen.art.outlining import LaidOut
from cardgen.art.sources import LayoutSettings, Source
from cardgen.art.splitting import Measures
from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.game import Card, Game
from cardgen.core.geometry import MM_PER_PT, Rect, Size
from cardgen.text.fonts import FontBook
from cardgen.text.spans import missing

FAMILY = "IBM Plex Sans Condensed"
SIZE_PT = 7.0
LEAST_PT = 6.5
LENGTHS = (240, 120, 60, 30, 0)
"""Lengths of the reason in characters that are tried until the words fit."""
STEP = 4.0
"""mm between the lines of the hatching."""
_INSET = 1.5
"""mm from the safe zone, or the trim, to the words."""
_PANEL = 30.0
"""mm, the height of the area for words on a card that has room for twice as much."""
_ROUND = 0.146
"""The share of an ellipse's box outside of its largest rectangle, on each side."""
_FEW = 12


class StandIns:
    """Makes the boxes of one game's cards. `reasons` are the errors of unreadable cards, by file and entry.
    `made` are the cards that have a box."""

    def __init__(self, game: Game, fonts: FontBook, findings: Iterable[Finding]) -> None:
        self._game = game
        self._font = fonts.face(FAMILY)
        self._settings = LayoutSettings(game.id, "en", game.limits, fallback=game.fallback)
        self._laying_out = LayingOut(game.paths, fonts, self._settings)
        self._reasons = _by_card(findings)
        self.made: dict[tuple[str, str], None] = {}

    def side(self, card: Card, reason: str | None) -> LaidOut:
        """Return the box in the place of a card's side that can't be drawn for that reason."""
        component = self._game.component(card.component)
        self.made[card.component, card.id] = None
        size = card.trim.grown(component.bleed)
        trim = Rect(0, 0, size.width, size.height).inset(component.bleed)
        measures = Measures(size, component.bleed, component.safe)
        room = trim.inset(min(component.safe + _INSET, min(trim.width, trim.height) / 6))
        if room.height > 2 * _PANEL:
            room = Rect(room.x, room.y + (room.height - _PANEL) / 2, room.width, _PANEL)
        if component.shape == "ellipse":
            across, down = trim.width * _ROUND, trim.height * _ROUND
            room = Rect(trim.x + across, trim.y + down, trim.width - 2 * across, trim.height - 2 * down)
        if reason is None:
            reason = self._reasons.get((card.file, f"{card.path[0]}[{card.path[1]}]"), "")
        for words in (*_shorter(card.id, reason), [card.id], []):
            made = self._laid_out(measures, trim, room, words)
            if not made.problems:
                break
        return made

    def not_printed(self) -> Finding:
        """Return the remark about unprinted parts in error: cards with a box, and those without one."""
        ids = [f"'{id}'" for _, id in self.made]
        said = []
        if ids:
            noun = "card is" if len(ids) == 1 else "cards are"
            said.append(f"{len(ids)} {noun} not printed, with a box in each place: {_few(ids)}")
        placed = {id for _, id in self.made}
        gone = [
            f"the {kind} '{id}'"
            for kind, id in self._game.left_out
            if (kind, id in placed) != ("card", True)
        ]
        if gone:
            said.append(f"skipped without a placeholder: {_few(gone)}")
        message = "; ".join(said) or "not all sheets are printed"
        hint = "fix the errors and build again; files named .incomplete are not final"
        place = Location(f"data/{self._game.id}/game.yaml")
        return Finding(Severity.NOTE, "build/incomplete", message, place, hint)

    def _laid_out(self, measures: Measures, trim: Rect, room: Rect, words: list[str]) -> LaidOut:
        svg = _svg(measures.size, trim, room, [self._settable(text) for text in words])
        source = Source(svg, measures, "")
        return self._laying_out.lay_out(source, source.digest(self._settings))

    def _settable(self, text: str) -> str:
        """Return the text with a mark for each letter that no font has."""
        text = text.replace("<", "‹").replace(">", "›")  # a text with tags isn't set
        lacking = set(missing(self._font, text))
        shown = "".join("?" if letter in lacking or not letter.isprintable() else letter for letter in text)
        return escape(shown)


def _shorter(id: str, reason: str) -> Iterator[list[str]]:
    """Yield the texts of a box, with less and less of the reason."""
    for length in LENGTHS:
        if length < len(reason) or length == LENGTHS[0]:
            said = reason if len(reason) <= length else f"{reason[: length - 1].rstrip()}…" * bool(length)
            yield [id, "not printed", *([said] if said else [])]


def _svg(whole: Size, trim: Rect, room: Rect, words: list[str]) -> str:
    width, height = f"{whole.width:.4f}", f"{whole.height:.4f}"
    lines = []
    at = STEP
    while at < whole.width + whole.height:  # from the left or bottom edge to the top or right edge
        left, right = max(0.0, at - whole.height), min(at, whole.width)
        lines.append(f"M{left:.3f} {at - left:.3f}L{right:.3f} {at - right:.3f}")
        at += STEP
    cross = f"M{trim.x:.3f} {trim.y:.3f}L{trim.right:.3f} {trim.bottom:.3f}"
    cross += f"M{trim.right:.3f} {trim.y:.3f}L{trim.x:.3f} {trim.bottom:.3f}"
    area = f'x="{room.x:.4f}" y="{room.y:.4f}" width="{room.width:.4f}" height="{room.height:.4f}"'
    text = ""
    if words:
        bold, *others = words
        rest = "".join(f'<tspan cg:block="break"/><tspan>{each}</tspan>' for each in others)
        text = (
            f'<rect {area} rx="1" fill="#ffffff" fill-opacity="0.85"/>'
            f'<text shape-inside="url(#room)" shape-padding="0.8" font-family="{FAMILY}" fill="#1a1a1a" '
            f'font-size="{SIZE_PT * MM_PER_PT:.4f}" line-height="1.15" text-align="center" '
            f'cg:valign="middle" cg:decor="true" cg:fit="shrink" cg:min-size="{LEAST_PT * MM_PER_PT:.4f}">'
            f'<tspan font-weight="600">{bold}</tspan>{rest}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="{width}mm" '
        f'height="{height}mm" viewBox="0 0 {width} {height}"><defs><rect id="room" {area}/></defs>'
        f'<rect width="{width}" height="{height}" fill="#f4f4f4"/>'
        f'<path d="{"".join(lines)}" stroke="#d0d0d0" stroke-width="0.25" fill="none"/>'
        f'<path d="{cross}" stroke="#8a8a8a" stroke-width="0.4" fill="none"/>{text}</svg>'
    )


def _by_card(findings: Iterable[Finding]) -> dict[tuple[str, str], str]:
    """Return the first error of each entry of a list, by file and the entry's path."""
    found: dict[tuple[str, str], str] = {}
    for finding in findings:
        place = finding.location
        if finding.severity is Severity.ERROR and place is not None and "]" in place.path:
            found.setdefault((place.file, place.path[: place.path.index("]") + 1]), finding.message)
    return found


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
