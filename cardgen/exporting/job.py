"""What an exporter is given, and what it answers: a game drawn, and a list of files to write.

An exporter plans first and writes later. Its function `plan` looks at everything, reports what is wrong
to `job.findings` and decides every name, number and place; no file is written if a finding is an error.
Each `PlannedFile` it returns has a digest of all that the file is made of, so that an export which is
there already is brought up to date by writing only the files whose digest has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from cardgen.drawing.objects import DrawnArt
from cardgen.exporting.exporters import Value
from cardgen.exporting.pixels import Sides
from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.artwork import CardArt, Rendering
from cardgen.model.database import CardDatabase
from cardgen.model.game import Card, Component, Game
from cardgen.model.services import Service
from cardgen.model.table import Snap, Table
from cardgen.typesetting.fonts import FontBook


@dataclass(frozen=True, slots=True)
class Piece:
    """A distinct card (board, token, …) with its sides: keys of `Rendering.artworks`, `back` None
    where it has none."""

    card: Card
    face: str
    back: str | None
    copies: int


@dataclass(frozen=True, slots=True)
class BookPdf:
    """A rulebook's pages in reading order as a PDF: how many, their trim, and how to write them.
    `digest` is of all that the file is made of. `art` holds its pages as sides, `keys` theirs in reading
    order, and `sides` gives their pixels, from any thread."""

    component: Component
    pages: int
    trim: Size
    digest: str
    write: Callable[[BinaryIO], None]
    art: DrawnArt
    keys: tuple[str, ...]
    sides: Sides

    @property
    def cover(self) -> str:
        return self.keys[0]


@dataclass(frozen=True, slots=True)
class Words:
    """What a card is called and found by: filled in, each a plain text."""

    nickname: str
    description: str
    tags: tuple[str, ...]
    gm_notes: str
    sides: tuple[str, ...] = ()
    """Of face and back, where they have names."""


Side = Literal["face", "back"]


@dataclass(frozen=True, slots=True)
class Tabletop:
    """What tables on screens are told besides looks.

    `table` is where everything lies, made up where the game does not say. `snaps` are the snap points of
    sides by component, card and side; `words` are by component and card; `setup` says how to begin.
    """

    table: Table
    snaps: Mapping[tuple[str, str, Side], tuple[Snap, ...]]
    words: Mapping[tuple[str, str], Words]
    setup: str


class Inks(Protocol):
    """What puts PDF into the inks of a press. `key` tells those apart whose files differ; as text it says
    which inks they are."""

    ink_limit: int
    standard: Literal["x4", "x1a"]

    @property
    def key(self) -> str: ...

    def write(self, write: Callable[[BinaryIO], object], out: BinaryIO) -> None:
        """Write in inks what `write` writes in RGB."""


@dataclass(frozen=True, slots=True)
class ExportJob:
    """A game ready to be exported.

    `components` are those to export, in the game's order, books included; `partial` says that the
    user named only some. `cards` have their sides in `art`, and in `rendering` for exporters that ask for
    items. `settings` holds every option of the exporter (`settings["dpi"]`). `books`
    and `tabletop` are there only for exporters that ask for them. `folder` is where the files will lie,
    absolute; `made` tells by name where a file lies while a closing one that holds it is written.
    `sides` gives pixels, from any thread. `findings` collects what the plan has to say. `service` is
    the print service of `data/services/` that is exported to, if it is one, `inks` are those that its PDF
    are put into, None for RGB; `database` the cards of the
    game's deck lists, for exporters that ask for it.
    """

    game: Game
    components: tuple[Component, ...]
    cards: tuple[CardArt, ...]
    rendering: Rendering
    art: DrawnArt
    sides: Sides
    fontbook: FontBook
    settings: Mapping[str, Value]
    folder: Path
    made: Callable[[str], Path]
    findings: Findings
    books: Mapping[str, BookPdf] = field(default_factory=dict)
    tabletop: Tabletop | None = None
    low_ink: bool = False
    partial: bool = False
    service: Service | None = None
    inks: Inks | None = None
    database: CardDatabase | None = None

    @property
    def drawn(self) -> tuple[Component, ...]:
        """The components that have sides: all but books."""
        return tuple(component for component in self.components if component.book is None)

    def pieces(self, component: Component) -> Iterator[Piece]:
        """A component's distinct cards with their sides, in the order of the data files."""
        arts = self._arts()
        for card in component.cards:
            art = arts[card.component, card.id]
            yield Piece(card, art.face, art.back, art.copies)

    def needed(self, component: Component) -> Iterator[Piece]:
        """Those of a component's pieces that have copies, for so many players, or lie on the table."""
        items = self.tabletop.table.items if self.tabletop is not None else ()
        lying = {shown for item in items for shown in item.shown}
        for piece in self.pieces(component):
            if piece.copies > 0 or (component.id, piece.card.id) in lying:
                yield piece

    def piece(self, component: str, card: str) -> Piece:
        """A piece by its component and id. KeyError if there is none."""
        art = self._arts()[component, card]
        home = self.game.component(component)
        return Piece(next(each for each in home.cards if each.id == card), art.face, art.back, art.copies)

    def exports(self, component: str) -> bool:
        """Whether a component, by id, is exported."""
        return any(each.id == component for each in self.components)

    def _arts(self) -> dict[tuple[str, str], CardArt]:
        return {(art.component, art.card): art for art in self.cards}

    def look(self, artwork: str) -> str:
        """A digest of how a side looks: its artwork, and the drawing that came of it."""
        return f"{artwork}/{self.art.faces[artwork].name}"

    def sides_of(self, component: Component) -> Sides:
        """The pixels of a component's sides, or of a book's pages."""
        return self.sides if component.book is None else self.books[component.id].sides

    def whole_number(self, name: str) -> int:
        """A setting that is a whole number."""
        value = self.settings[name]
        assert isinstance(value, int)
        return value

    def switch(self, name: str) -> bool:
        """Whether a switch is on."""
        return bool(self.settings[name])

    def text(self, name: str) -> str | None:
        """A setting that is a text, None where it was not given."""
        value = self.settings[name]
        return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file of an export. `name` is relative to the export's folder, with forward slashes.

    `write` is called with the open file, from any thread and at the same time as others. `digest`
    (see `digest_of`) tells whether it need be called at all. A `closing` file refers to others
    and is written when those are there. `also` are places outside of the export's folder, absolute,
    that get a copy.
    """

    name: str
    digest: str
    write: Callable[[BinaryIO], object]
    closing: bool = False
    also: tuple[Path, ...] = ()

    @classmethod
    def of(cls, name: str, content: bytes, *, closing: bool = False) -> PlannedFile:
        """A file whose content is at hand."""
        return cls(name, digest_of(content), lambda out: out.write(content), closing)

    @classmethod
    def of_json(cls, name: str, content: Any, *, closing: bool = False) -> PlannedFile:
        """The same for a value to be written as JSON."""
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        return cls.of(name, text.encode("utf-8"), closing=closing)


def digest_of(*parts: object) -> str:
    """24 hex digits that tell what a file is made of apart. Parts are values whose `repr` says all
    about them: text, bytes, numbers, tuples, frozen values."""
    state = hashlib.blake2b(digest_size=12)
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.hexdigest()


def hashed(stem: str, digest: str, suffix: str) -> str:
    """A file name that changes with its content: `cards-1f0e9c2a77b1.png`."""
    return f"{stem}-{digest[:12]}{suffix}"
