"""A small project for tests of the rendering stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cardgen.art.cards import render_cards
from cardgen.core.artwork import Artwork, Group, Item, Picture, Rendering, SetText, TextRun
from cardgen.core.findings import Finding, Findings, Location
from cardgen.core.game import Card, Component, Game, Limits
from cardgen.core.geometry import Size
from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook

BUNDLED = Path(__file__).resolve().parents[2]
TRIM = Size(60.0, 80.0)
BLEED = 3.0
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" '
    'width="66mm" height="86mm" viewBox="0 0 66 86">'
)
FONT = 'font-family="IBM Plex Sans" font-size="3"'

_book: FontBook | None = None


def book() -> FontBook:
    """The bundled fonts, read once for all tests."""
    global _book
    if _book is None:
        _book = FontBook(ProjectFolders((BUNDLED,)))
    return _book


class Lines:
    """A locator that puts card n at line 10 n of its file."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        index = path[1] if len(path) > 1 and isinstance(path[1], int) else 0
        return Location(file, 10 * (index + 1), path="".join(f"[{p}]" for p in path))

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        return None, {}


@dataclass
class Result:
    """A rendering and what was said about it."""

    rendering: Rendering
    findings: list[Finding]

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]

    @property
    def art(self) -> Artwork:
        """The first card's face."""
        return self.rendering.artworks[self.rendering.cards[0].face]

    @property
    def texts(self) -> list[SetText]:
        return list(self.art.texts())

    @property
    def pictures(self) -> list[Picture]:
        return list(_pictures(self.art.items))

    def words(self) -> str:
        """All text of the first face, a line for each baseline."""
        rows: dict[float, list[str]] = {}
        for text in self.texts:
            for run in text.runs:
                if isinstance(run, TextRun):
                    rows.setdefault(round(run.y, 3), []).append(run.text)
        return "\n".join("".join(parts) for _, parts in sorted(rows.items()))


def _pictures(items: Sequence[Item]) -> list[Picture]:
    found: list[Picture] = []
    for item in items:
        if isinstance(item, Picture):
            found.append(item)
        elif isinstance(item, Group):
            found += _pictures(item.items)
    return found


@dataclass
class Workshop:
    """A project folder whose templates a test writes."""

    root: Path
    theme: Mapping[str, Any] = field(default_factory=lambda: {"ink": "#112233"})
    limits: Limits = field(default_factory=Limits)
    safe: float = 3.0
    language: str = "en"

    def write(self, name: str, text: str | bytes) -> None:
        """A file below templates/."""
        path = self.root / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def game(
        self, cards: Sequence[Mapping[str, Any]], back: str | None = None, declared: Sequence[str] = ()
    ) -> Game:
        made = tuple(
            Card(
                id=str(fields.get("id", f"card-{index + 1}")),
                component="cards",
                fields={"id": f"card-{index + 1}", **fields},
                copies=1,
                trim=TRIM,
                face=str(fields.get("face", "demo/card.svg")),
                back=back,
                file="data/demo/cards.yaml",
                path=("cards", index),
                number=index + 1,
            )
            for index, fields in enumerate(cards)
        )
        about = ("cards", "Cards", "card", "rectangle", TRIM, 3.0, BLEED, self.safe)
        component = Component(*about, made, {"tint": "#abcdef"}, tuple(declared))
        return Game(
            id="demo",
            title="Demo",
            version="1.2",
            author="A. Nyone",
            description="",
            language=self.language,
            players=(2, 4),
            player_count=None,
            components=(component,),
            sheets=(),
            theme=self.theme,
            tables={"actions": {"cut": 3}},
            limits=self.limits,
            rules=None,
            sources=(),
            locator=Lines(),
            paths=ProjectFolders((self.root, BUNDLED)),
        )

    def render(
        self,
        body: str | None = None,
        cards: Sequence[Mapping[str, Any]] = ({},),
        *,
        low_ink: bool = False,
        back: str | None = None,
        bundled: bool = False,
        image_dpi: int | None = None,
        declared: Sequence[str] = (),
    ) -> Result:
        """Render cards; `body` becomes the content of demo/card.svg."""
        if body is not None:
            self.write("demo/card.svg", f"{HEAD}\n{body}\n</svg>\n")
        game = replace(self.game(cards, back, declared), image_dpi=image_dpi)
        findings = Findings()
        roots = (self.root, BUNDLED) if bundled else (self.root,)
        rendering = render_cards(
            game, game.cards(), ProjectFolders(roots), book(), low_ink=low_ink, findings=findings
        )
        return Result(rendering, findings.sorted())
