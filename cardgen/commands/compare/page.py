"""Differences as one self-contained HTML page: it includes pictures and styles, and no script.

Card data is escaped text, never markup, and the page's own policy allows only its style sheet and its
embedded pictures.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.compare.differences import CardChange, Differences, about_revision
from cardgen.commands.production.stages import Production
from cardgen.core.artwork import CardArt
from cardgen.core.findings import Finding, Findings
from cardgen.core.geometry import MM_PER_INCH
from cardgen.core.records import dataclass
from cardgen.core.terminal import shown
from cardgen.files.reading import read_bundled

if TYPE_CHECKING:
    from cardgen.art.cards import SideName
    from cardgen.core.game import Card, Component, Game
    from cardgen.pdf.objects import DrawnArt


DPI = 150
MOST_PIXELS = 1_600
"""Most pixels of a picture's longer side: boards are shown smaller."""
MOST_CARDS = 250
"""Most cards on a page; more would be too large to open."""
_MOST_FINDINGS = 100
_SCREEN = 96 * 1.2
"""Pixels of an inch on the page, slightly more than its true size."""
_LINES = re.compile(r"[\t\n]")

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture on the page, its size in pixels of the page."""

    url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SideEntry:
    """A side before and now; the same two as those of `like`, if it is set."""

    name: SideName
    old: Shown | None
    new: Shown | None
    like: Entry | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A card on the page."""

    number: int
    change: CardChange
    sides: tuple[SideEntry, ...]


def difference_page(found: Differences) -> bytes:
    """Return the page in UTF-8. Sides that can't be drawn have no pictures; findings give the reason."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    findings = [*found.findings, *found.old_findings]
    pictured = list(islice((change for change in found.cards if _sides(change)), MOST_CARDS))
    gallery = [_Gallery(found.old), _Gallery(found.game)]
    for state, each in zip(("old", "new"), gallery):
        cards = [card for change in pictured if (card := getattr(change, state)) is not None]
        drawn = each.draw(cards)
        findings += about_revision(found.revision, drawn) if state == "old" else drawn
    entries = list(_entries(found.cards, pictured, gallery))
    grouped = [(id, list(some)) for id, some in groupby(entries, lambda entry: entry.change.component)]
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["words"] = _words
    style = read_bundled("commands", "difference_page.css").decode("utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    template = read_bundled("commands", "difference_page.html").decode("utf-8")
    page = environment.from_string(template).render(
        found=found,
        cards=grouped,
        pairs=any(side.old and side.new for entry in entries for side in entry.sides),
        findings=list(dict.fromkeys(findings))[:_MOST_FINDINGS],
        left_out=sum(len(_sides(change)) for change in found.cards) - sum(map(len, map(_sides, pictured))),
        style=Markup(style),
        style_digest=f"sha256-{digest}",
    )
    return page.encode("utf-8", "replace")


def write_difference_page(found: Differences, path: Path) -> None:
    """Write the page to a file, whole or not at all. Raises CardgenError."""
    from cardgen.files.writing import write_bytes

    write_bytes(path, difference_page(found))


def _words(text: str) -> str:
    """Return text with invisible characters spelled out, its lines kept."""
    parts = _LINES.split(text)
    ends = [*_LINES.findall(text), ""]
    visible = (part if part.isprintable() else shown(part) for part in parts)
    return "".join(f"{part}{end}" for part, end in zip(visible, ends))


def _sides(change: CardChange) -> tuple[SideName, ...]:
    """Return the card's sides on the page."""
    return change.looks if change.kind == "changed" else ("face", "back")


def _entries(
    changes: Iterable[CardChange], pictured: Sequence[CardChange], gallery: Sequence[_Gallery]
) -> Iterator[Entry]:
    shown = {id(change) for change in pictured}
    first: dict[tuple[str | None, ...], Entry] = {}
    for number, change in enumerate(changes, 1):
        sides, keys = [], []
        for name in _sides(change) if id(change) in shown else ():
            place = (change.component, change.id)
            pair = tuple(each.key(place, name) for each in gallery)
            if change.kind != "changed" and pair == (None, None):
                continue
            token = (name, *(pair if change.kind == "changed" else (pair[0] or pair[1],)))
            known = first.get(token)
            old, new = (each.picture(key) for each, key in zip(gallery, pair))
            sides.append(SideEntry(name, None, None, known) if known else SideEntry(name, old, new))
            if any(pair) and known is None:
                keys.append(token)
        entry = Entry(number, change, tuple(sides))
        first |= dict.fromkeys(keys, entry)
        yield entry


class _Gallery:
    """Pictures of the sides of one state of a game, none without a game."""

    def __init__(self, game: Game | None) -> None:
        self._game = game
        self._art: dict[Place, CardArt] = {}
        self._pictures: dict[str, Shown] = {}

    def draw(self, cards: Sequence[Card]) -> list[Finding]:
        """Draw the cards; return the errors of those that can't be drawn."""
        if self._game is None or not cards:
            return []
        findings = Findings()
        with Production(self._game, findings) as making:
            drawn = making.draw_cards(cards)
            art = making.art(drawn.sides)
        by_component: dict[str, dict[str, None]] = {}
        for each in drawn.cards:
            keys = by_component.setdefault(each.component, {})
            keys.update(dict.fromkeys(key for key in (each.face, each.back) if key))
            self._art[each.component, each.card] = each
        for id, keys in by_component.items():
            self._pictures |= _pictures(art, keys, self._game.component(id))
        return findings.errors

    def key(self, place: Place, side: SideName) -> str | None:
        """Return the key of a side's picture."""
        art = self._art.get(place)
        return None if art is None else art.face if side == "face" else art.back

    def picture(self, key: str | None) -> Shown | None:
        return None if key is None else self._pictures[key]


def _pictures(drawn: DrawnArt, keys: Iterable[str], component: Component) -> Mapping[str, Shown]:
    """Return sides as PNGs in the shape of their pieces."""
    from cardgen.pdf.pixels import RasterOptions, encode_png, rasterise

    found = {}
    for key in keys:
        trim = drawn.faces[key].trim
        longest = max(trim.width, trim.height) / MM_PER_INCH
        dpi = min(DPI, MOST_PIXELS / longest)
        options = RasterOptions(dpi, "trim", component.shape, component.corner_radius, transparent=True)
        [(_, image)] = rasterise(drawn, [key], options)
        width, height = (
            max(1, round(image_side / dpi * _SCREEN)) for image_side in (image.width, image.height)
        )
        url = f"data:image/png;base64,{b64encode(encode_png(image, dpi)).decode('ascii')}"
        found[key] = Shown(url, width, height)
    return found
