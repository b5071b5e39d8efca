"""Small games for the tests: cards named a0, a1, … whose sides are blank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.core.artwork import Artwork, CardArt, Rendering
from cardgen.core.findings import Findings, Location
from cardgen.core.game import Card, Component, Game, GameSheet, Limits
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.core.sheets import Duplex, ImposedSheet, Paper, PrinterProfile, SheetLayout, Slot, TrimLine
from cardgen.files.listing import ProjectFolders
from cardgen.sheets.imposition import impose

LETTER = Paper("letter", Size(215.9, 279.4))
A4 = Paper("a4", Size(210, 297))
A3 = Paper("a3", Size(297, 420))
TABLOID = Paper("tabloid", Size(279.4, 431.8))
POKER = Size(63.5, 88.9)
BLEED = 3.175


class Nowhere:
    """A locator that only repeats what it is asked for."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        return Location(file, 1, 1, ".".join(map(str, path)))

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        return None, {}


def layout(**changes: object) -> SheetLayout:
    values: dict[str, object] = {
        "name": "cards",
        "title": "Cards",
        "grid": "auto",
        "gutter": 0.0,
        "bleed": BLEED,
        "margin": 5.0,
        "marks": "crop",
        "duplex": "long-edge",
    }
    return SheetLayout(**{**values, **changes})  # type: ignore[arg-type]


class Deck:
    """A component in the making: `add` cards to it, then give it to `game_of`."""

    def __init__(
        self,
        name: str = "a",
        trim: Size = POKER,
        count: int = 1,
        *,
        copies: int = 1,
        back: bool = True,
        bleed: float = BLEED,
        shape: str = "rectangle",
        lines: Sequence[TrimLine] = (),
    ) -> None:
        self.name, self.bleed, self.shape, self.lines = name, bleed, shape, tuple(lines)
        self.cards: list[tuple[str, Size, int, bool]] = []
        self.add(count, trim, copies=copies, back=back)

    def add(self, count: int, trim: Size = POKER, *, copies: int = 1, back: bool = True) -> Deck:
        for _ in range(count):
            self.cards.append((f"{self.name}{len(self.cards)}", trim, copies, back))
        return self

    def component(self) -> Component:
        cards = tuple(
            Card(
                id, self.name, {"id": id}, copies, trim, "t/f.svg", "t/b.svg" if back else None, "d", (), n
            )
            for n, (id, trim, copies, back) in enumerate(self.cards, start=1)
        )
        return Component(
            self.name,
            f"Deck {self.name}",
            "card",
            self.shape,
            None,
            3.0,
            self.bleed,
            3.2,
            cards,
            {},  # type: ignore[arg-type]
            lines=self.lines,
        )


def game_of(*decks: Deck) -> tuple[Game, Rendering, GameSheet]:
    components = tuple(deck.component() for deck in decks)
    sheet = GameSheet("cards", "cards", tuple(component.id for component in components))
    game = Game(
        id="demo",
        title="Demo",
        version="1.2.3",
        author="Nobody",
        description="",
        language="en",
        players=(2, 4),
        player_count=None,
        components=components,
        sheets=(sheet,),
        theme={},
        tables={},
        limits=Limits(),
        rules=None,
        sources=(),
        paths=ProjectFolders(()),
        locator=Nowhere(),
    )
    artworks, cards = {}, []
    for component in components:
        for card in component.cards:
            size = card.trim.grown(component.bleed)
            for side in ("face", "back")[: 2 if card.back else 1]:
                artworks[f"{card.id}.{side}"] = Artwork(f"{card.id}.{side}", size, component.bleed, ())
            back = f"{card.id}.back" if card.back else None
            cards.append(CardArt(component.id, card.id, card.copies, f"{card.id}.face", back))
    return game, Rendering(tuple(cards), artworks), sheet


def imposed(
    *decks: Deck,
    paper: Paper = LETTER,
    sheet_layout: SheetLayout | None = None,
    duplex: Duplex | None = None,
    backs: bool = True,
    printer: PrinterProfile | None = None,
    papers: Sequence[Paper] = (),
    findings: Findings | None = None,
) -> ImposedSheet:
    game, rendering, sheet = game_of(*decks)
    found = Findings() if findings is None else findings
    result = impose(
        game,
        sheet,
        sheet_layout or layout(),
        paper,
        rendering,
        findings=found,
        duplex=duplex,
        backs=backs,
        printer=printer,
        papers=papers,
    )
    if findings is None:
        assert not found.errors, found.items
    return result


def rows(slots: Sequence[Slot]) -> list[list[str]]:
    """Card ids as one sees them on the page: rows from the top, each from the left."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for slot in slots:
        lines.setdefault(round(slot.trim.y, 3), []).append((slot.trim.x, slot.card))
    return [[card for _, card in sorted(line)] for _, line in sorted(lines.items())]


def placing(slot: Slot, art: Size) -> Matrix:
    """The map from a trimmed side (top left corner of its trim at 0, 0) to its place on the page,
    worked out from what `Slot.rotation` means rather than from the code under test: the side is
    turned clockwise about its middle, and its middle lies in the middle of the slot."""
    cos, sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[slot.rotation]
    turn = Matrix(1, 0, 0, 1, -art.width / 2, -art.height / 2).then(Matrix(cos, sin, -sin, cos, 0, 0))
    trim: Rect = slot.trim
    return turn.then(Matrix(1, 0, 0, 1, trim.x + trim.width / 2, trim.y + trim.height / 2))
