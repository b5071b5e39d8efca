"""Describe one sheet to lay out: the values that are the same for all of its pages, and its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from shlex import quote
from typing import Literal

from cardgen.core.artwork import Extent
from cardgen.core.findings import Findings, Location
from cardgen.core.game import Game, GameSheet
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import MAX_PAGES, Duplex, ImposedSheet, Page, Paper, PrinterProfile, SheetLayout


@dataclass(frozen=True, slots=True)
class SheetJob:
    """A sheet of a game, its layout and its paper.

    `artworks` are the finished sides by key. `printer` corrects backs and limits the printable area.
    `papers` are suggestions for findings.
    """

    game: Game
    sheet: GameSheet
    layout: SheetLayout
    paper: Paper
    artworks: Mapping[str, Extent]
    findings: Findings
    printer: PrinterProfile | None = None
    papers: Sequence[Paper] = ()

    @property
    def margin(self) -> float:
        """Return mm at the paper's edges without marks, ruler or labels: the printer's, if measured."""
        measured = None if self.printer is None else self.printer.margin
        return self.layout.margin if measured is None else measured

    @property
    def grid(self) -> SheetLayout:
        """Return the layout for arranging several cards: its margin includes the slug, and their bleed."""
        layout = self.layout
        if not layout.slug:
            return layout
        bled = layout.slug + max(layout.bleed, layout.of_backs)
        return replace(layout, margin=max(layout.margin, bled))

    @property
    def place(self) -> Location:
        """Return the place in game.yaml that declares the sheet."""
        return self.game.locate("sheets", self.sheet.name)

    @property
    def version(self) -> str:
        """Return the label with the version of the game."""
        return f"{self.game.title} {self.game.version}"

    @property
    def area(self) -> str:
        """Return the paper and its margins in words."""
        return f"{self.paper.name} ({self.paper.size}, less {self.grid.margin:g} mm on each side)"

    def error(self, code: str, message: str, hint: str) -> None:
        """Report an error that prevents printing."""
        self.findings.error(code, message, self.place, hint)

    def warning(self, code: str, message: str, hint: str | None = None) -> None:
        """Report a deviation from the requested print."""
        self.findings.warning(code, message, self.place, hint)

    def note(self, code: str, message: str, hint: str) -> None:
        """Report a note."""
        self.findings.note(code, message, self.place, hint)

    def imposed(self, pages: Iterable[Page] = (), cards: int = 0, duplex: Duplex = "none") -> ImposedSheet:
        """Return the sheet with these pages."""
        return ImposedSheet(self.sheet.name, self.paper.name, duplex, tuple(pages), cards)

    def has_too_many(self, pages: int) -> bool:
        """Report a sheet that would have too many pages: `sheet/pages`."""
        if pages <= MAX_PAGES:
            return False
        self.error(
            "sheet/pages",
            f"the sheet '{self.sheet.name}' would have {pages:,} pages, more than {MAX_PAGES:,}",
            "print fewer copies, or divide the components among several sheets",
        )
        return True

    def too_large(self, message: str, fits: Callable[[Paper], object], otherwise: str) -> None:
        """Report an object that is larger than the paper, with the smallest paper that fits, or `otherwise`
        if none does: `sheet/too-large`."""
        fitting = (paper for paper in self.papers if fits(paper))
        best = min(
            fitting, key=lambda paper: (paper.size.width * paper.size.height, paper.name), default=None
        )
        hint = otherwise
        if best is not None:
            command = f"cardgen build {self.game.id} --sheet {quote(self.sheet.name)} --paper {best.name}"
            hint = f"use the smallest paper that fits, {best.name} ({best.size}): {command}"
        self.error("sheet/too-large", message, hint)


class Bookmarks:
    """The titles of components, each on the first page with a card of it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._started: set[str] = set()

    def of(self, components: Iterable[str]) -> str | None:
        """Return the titles of the components that start on a page, one a line."""
        new = [name for name in dict.fromkeys(components) if name not in self._started]
        self._started.update(new)
        return "\n".join(self._game.component(name).title for name in new) or None


_REASONS = {
    "single": (
        "'{sheet}' has one side per page, so it can't be folded",
        "use a layout with several cards per page, such as poker",
    ),
    "tiled": (
        "a board in tiles has no backs, so '{sheet}' doesn't accept --duplex {asked}",
        "print backs on a sheet with layout: single",
    ),
    "standees": (
        "standees have face and back in one piece, so '{sheet}' doesn't accept --duplex {asked}",
        "omit --duplex; to leave the second half blank, use --no-backs",
    ),
    "booklet": (
        "a booklet prints on both sides, so '{sheet}' doesn't accept --duplex {asked}: it uses {instead}",
        "print it on both sides, or use a sheet with layout: single for reading",
    ),
}


def say_other_backs(
    job: SheetJob,
    kind: Literal["single", "tiled", "standees", "booklet"],
    asked: Duplex,
    instead: Duplex = "none",
) -> None:
    """Warn that a sheet of this kind prints its backs by the mode `instead`. Finding: `sheet/duplex`."""
    message, hint = _REASONS[kind]
    job.warning("sheet/duplex", message.format(sheet=job.sheet.name, asked=asked, instead=instead), hint)


def say_not_folded(job: SheetJob, reason: str, hint: str, instead: Duplex) -> None:
    """Warn that a sheet can't be folded. Finding: `sheet/duplex`."""
    backs = "prints only faces" if instead == "none" else f"prints its backs with --duplex {instead}"
    job.warning("sheet/duplex", f"'{job.sheet.name}' can't be folded and {backs}: {reason}", hint)


_ONLY_FOR: dict[str, tuple[tuple[str, ...], str]] = {
    "creep": (("booklet",), "the pages of a booklet"),
    "slug": (("single", "auto", "fixed"), "single pages and sheets of several cards"),
    "collate": (("single", "booklet"), "booklets and single pages with a slug"),
    "nest": (("auto",), "grid: auto"),
    "order": (("auto", "fixed"), "several cards on a page"),
    "cut_order": (("auto", "fixed"), "several cards on a page"),
    "back_bleed": (("auto", "fixed"), "several cards on a page"),
}
"""The grids in which keys of a layout have an effect, and these in words."""


def say_unused_keys(job: SheetJob) -> None:
    """Note the keys of a layout without effect on its grid: `sheet/no-effect`."""
    layout = job.layout
    grid = layout.grid if isinstance(layout.grid, str) else "fixed"
    stated = {
        "creep": layout.creep > 0,
        "slug": layout.slug > 0,
        "collate": layout.collate,
        "nest": layout.nest,
        "order": layout.stacks,
        "cut_order": layout.cut_order,
        "back_bleed": layout.back_bleed is not None,
    }
    found = {
        key: f"has no effect with `grid: {_spelled(layout)}`: it is for {_ONLY_FOR[key][1]}"
        for key, is_stated in stated.items()
        if is_stated and grid not in _ONLY_FOR[key][0]
    }
    shared = layout.gutter == 0 and not layout.widen and layout.places is None
    if stated["back_bleed"] and shared and "back_bleed" not in found:
        found["back_bleed"] = "has no effect between cards that share cuts, only around them"
    if layout.nest and layout.places is not None and "nest" not in found:
        found["nest"] = "has no effect on paper with places"
    if layout.collate and grid == "single" and not layout.slug:
        found["collate"] = "has no effect on single pages without a `slug`"
    if (
        layout.slug
        and grid in ("auto", "fixed")
        and (layout.places or layout.marks in ("silhouette", "opos"))
    ):
        found["slug"] = "has no effect on paper with places or a machine's marks"
    for key, problem in found.items():
        hint = "set `gutter: auto`" if key == "back_bleed" and "between" in problem else "remove it"
        job.findings.note(
            "sheet/no-effect",
            f"`{key}` {problem}",
            job.game.locator.locate(layout.file, layout.path(key)),
            hint,
        )


def _spelled(layout: SheetLayout) -> str:
    return layout.grid if isinstance(layout.grid, str) else str(list(layout.grid))
