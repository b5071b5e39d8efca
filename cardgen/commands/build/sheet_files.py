"""Write a game's sheets and files for cutting machines, all together, each whole."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from cardgen.commands.build.print_runs import say_prices, say_print_run
from cardgen.commands.production import stages
from cardgen.commands.production.books import book_of
from cardgen.commands.production.choices import (
    SINGLE,
    BuildOptions,
    BuildResult,
    CutFormat,
    OutputFile,
    file_stem,
    find_sheet,
    language_folder,
    named_by,
    select,
)
from cardgen.commands.production.deck_lists import deck_cards, deck_folder, deck_sheets, load_deck
from cardgen.commands.production.pressing import press_of
from cardgen.commands.production.stamping import Run
from cardgen.core.findings import Findings, UsageError
from cardgen.core.progress import tell
from cardgen.core.records import dataclass, replace
from cardgen.files.cache import stat_outputs
from cardgen.files.changes import Changes
from cardgen.files.project import Project
from cardgen.files.writing import Output

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cardgen.art.cards import SideName
    from cardgen.commands.production.sides import DrawnSides
    from cardgen.core.game import Card, DeckList, Game, GameSheet
    from cardgen.core.geometry import Shape, Size
    from cardgen.core.sheets import Cut, Dieline, ImposedSheet, Page
    from cardgen.pdf.objects import DrawnArt

    Cuts = tuple[Cut, ...]


class SheetBuild(Run):
    """One build that isn't up to date."""

    def __init__(
        self,
        options: BuildOptions,
        project: Project,
        executor: Executor | None,
        start: float,
    ) -> None:
        super().__init__(project, start)
        self.options, self.executor = options, executor
        self.changed: dict[tuple[str, str], Card] | None = None
        """The cards to print, with their copies; None for all."""
        self.underlays: dict[str, bytes | None] = {}
        """The PDF under each sheet, if it has one."""

    def run(self) -> BuildResult:
        options = self.options
        tell("reading")
        game = self._load(self.options.players)
        self.findings.extend(game.remarks)
        deck = self._deck(game)
        sheets = self._sheets(game, deck)
        if options.since is not None:
            from cardgen.commands.compare.differences import changed_cards

            self.changed = changed_cards(game, self.project, options, self.findings)
            present = {component for component, _ in self.changed}
            sheets = [sheet for sheet in sheets if present & set(sheet.components)]
        self.lap("load")
        if not sheets:  # no card changed, so nothing is written
            return self._result([], "")
        tell("laying out")
        with stages.Production(
            game, self.findings, low_ink=options.low_ink, keep_going=options.keep_going
        ) as making:
            pages = self._impose(making, sheets, self._cards(game, sheets, deck))
            self.lap("draw")
            files, manifest = self._write(making, deck, pages)
            del pages  # before drawn sides are stored, which takes memory too
            self.lap("export")
        return self._result(files, manifest)

    def _result(self, files: list[OutputFile], manifest: str) -> BuildResult:
        total = time.perf_counter() - self.start
        if len(files) == 1:
            files = [replace(files[0], seconds=total)]
        return BuildResult(tuple(files), manifest, tuple(self.findings.sorted()), False, total, self.stages)

    def _load(self, players: int | None) -> Game:
        options = self.options
        game = stages.load(
            options.game,
            project=self.project,
            players=players,
            language=options.language,
            partial=options.keep_going,
        )
        return replace(game, image_dpi=self.options.image_dpi, inked=self.options.press is not None)

    def _cards(self, game: Game, sheets: Sequence[GameSheet], deck: DeckList | None) -> list[Card]:
        """Return the chosen cards of the sheets."""
        wanted = {name for sheet in sheets for name in sheet.components}
        components, ids = self.options.components, self.options.cards
        cards = [card for card in select(game, components, ids) if card.component in wanted]
        if self.changed is not None:
            among = [(card.component, card.id) for card in cards]
            return [self.changed[place] for place in among if place in self.changed]
        if deck is not None:
            return deck_cards(deck, cards)
        places = [
            card
            for card in game.missing
            if card.component in wanted
            and (not components or card.component in components)
            and (not ids or named_by(card.id, ids))
        ]
        if places:
            order = {component.id: number for number, component in enumerate(game.components)}
            cards = sorted([*cards, *places], key=lambda card: (order[card.component], card.number))
        return cards

    def _impose(
        self, making: stages.Production, sheets: Sequence[GameSheet], cards: list[Card]
    ) -> dict[str, tuple[ImposedSheet, DrawnArt]]:
        """Return the sheets that have pages, each with its drawn sides, by file name."""
        options, game = self.options, making.game
        imposers = [
            stages.Imposer(game, paper, duplex=options.duplex, backs=options.backs, printer=options.printer)
            for paper in options.papers
        ]
        sides: tuple[SideName, ...] = ("face", "back") if options.backs else ("face",)
        drawn = making.draw_cards(cards, sides=sides, executor=self.executor)
        books = self._books(making, sheets, drawn)
        making.sources.save()  # no rendering follows
        if not options.keep_going:
            self.findings.raise_if_errors()
        self.underlays = {
            sheet.name: imposers[0].underlay(imposers[0].layouts[sheet.layout]) for sheet in sheets
        }
        imposed = []
        printed, times = drawn, options.sets or 1
        if times > 1:
            more = (replace(art, copies=art.copies * times) for art in drawn.cards)
            printed = replace(drawn, cards=tuple(more))
        for imposer, sheet in product(imposers, sheets):
            said = Findings()
            if sheet.name in books:
                done = imposer.impose_book(sheet, books[sheet.name].book, said)
            elif book_of(game, sheet) is None:
                done = imposer.impose(sheet, printed, said)
            else:
                continue  # an invalid book
            known = set(self.findings)  # the same findings on another paper are not repeated
            self.findings.extend(finding for finding in said if finding not in known)
            if not said.errors and done.pages:
                imposed.append((sheet, done))
        incomplete = bool(self.findings.errors)
        if not options.keep_going or not imposed:
            self.findings.raise_if_errors()
        if incomplete and making.stand_ins is not None:
            self.findings.extend([making.stand_ins.not_printed()])
        making.kept.forget()
        art = making.art(drawn.sides)
        book_art = {name: making.art(book.sides) for name, book in books.items()}
        making.pictures.forget()

        def stem(sheet: GameSheet, done: ImposedSheet) -> str:
            layout, is_book = imposers[0].layouts[sheet.layout], sheet.name in books
            return file_stem(sheet, layout, done, options, is_book=is_book, incomplete=incomplete)

        made = {stem(sheet, done): (done, book_art.get(done.name, art)) for sheet, done in imposed}
        if options.sets is not None and made:
            say_print_run(game, options.sets, list(made.values()), self.findings)
            say_prices(game, options.sets, self.findings)
        return made

    def _books(
        self, making: stages.Production, sheets: Sequence[GameSheet], drawn: DrawnSides
    ) -> dict[str, stages.DrawnBook]:
        """Return the books among the sheets, by the sheet's name, without those that have findings."""
        found = {sheet.name: book for sheet in sheets if (book := book_of(making.game, sheet)) is not None}
        if not found:
            return {}
        shown: DrawnSides | None = drawn
        foiled = making.game.inked and making.game.spots  # books show cards without spot inks
        if self.options.players is not None or foiled:  # a rulebook covers the whole game
            making, shown = making.of(replace(self._load(None), inked=False)), None
        distinct = {book.id: book for book in found.values()}
        made = {id: making.draw_book(book, shown) for id, book in distinct.items()}
        return {name: each for name, book in found.items() if (each := made[book.id]) is not None}

    def _write(
        self,
        making: stages.Production,
        deck: DeckList | None,
        sheets: Mapping[str, tuple[ImposedSheet, DrawnArt]],
    ) -> tuple[list[OutputFile], str]:
        """Write sheets and the manifest of their folder. Return the files, and the manifest's path.
        Unmodified files of sheets that the game no longer has are removed."""
        from cardgen.exports.manifest import NAME, entry_for, manifest_of
        from cardgen.sheets.ruler_and_labels import in_pure_inks

        game, options = making.game, self.options
        folder = self.project.output(game.id, options.output, *language_folder(game))
        place = folder if deck is None else deck_folder(folder, deck)
        title = deck.title if deck is not None else None
        press = None if options.press is None else press_of(options.press, game)
        files, entries = [], []
        with Changes(folder) as changes:

            def put(name: str, write: Callable[[BinaryIO], object]) -> Path:
                return changes.write((place / name).relative_to(folder).as_posix(), write)

            for number, (stem, (sheet, drawn)) in enumerate(sheets.items()):
                tell("writing", number, len(sheets))
                lined = with_lines(game, sheet) if "spot" in options.cut else sheet
                if press is not None:
                    lined = in_pure_inks(lined)
                begun = time.perf_counter()
                name = f"{stem}.pdf"
                write: Callable[[BinaryIO], object]
                write = partial(
                    stages.write_sheet, game, lined, drawn, title=title, underlay=self.underlays[sheet.name]
                )
                if press is not None:
                    is_book = any(each.name == sheet.name and book_of(game, each) for each in game.sheets)
                    write = partial((press.without_spots() if is_book else press).write, write)
                written = put(name, write)
                with Output(place / name):
                    entry = entry_for(name, written, sheet)
                entries.append(entry)
                files.append(self._file(place / name, sheet, entry.pages, entry.cards, entry.bytes, begun))
                for each in cut_files(game, sheet, stem, options.cut, drawn, self.findings):
                    begun = time.perf_counter()
                    written = put(each.name, each.write)
                    with Output(place / each.name):
                        size = written.stat().st_size
                    files.append(self._file(place / each.name, sheet, each.pages, 0, size, begun))
            manifest = place / NAME
            names = None  # an invalid game may just hide its sheets
            if not self.findings.errors:
                names = {sheet.name for sheet in game.sheets} | {SINGLE}
            listed, gone = manifest_of(place, game.id, game.version, entries, names)
            for name in gone:
                changes.remove((place / name).relative_to(folder).as_posix())
            put(NAME, lambda out: out.write(listed))
            changes.commit()
            self.outputs = stat_outputs([*(Path(file.path) for file in files), manifest])
        return files, os.path.realpath(manifest)

    def _file(
        self, path: Path, sheet: ImposedSheet, pages: int, cards: int, size: int, begun: float
    ) -> OutputFile:
        seconds, shown = time.perf_counter() - begun, self.project.show(path)
        return OutputFile(os.path.realpath(path), shown, sheet.name, pages, cards, size, seconds)

    def _deck(self, game: Game) -> DeckList | None:
        """Return the requested deck list, its remarks among the findings."""
        if self.options.deck is None:
            return None
        if self.options.players is not None:
            raise UsageError("a deck list sets its own number of copies", "remove --players")
        deck = load_deck(game, self.options.deck, project=self.project)
        self.findings.extend(deck.remarks)
        return deck

    def _sheets(self, game: Game, deck: DeckList | None) -> list[GameSheet]:
        """Return the requested sheets; if only a component is named, the sheets that contain it."""
        options = self.options
        cards = select(game, options.components, options.cards)
        chosen = {card.component for card in (cards if deck is None else deck_cards(deck, cards))}
        if not options.cards and deck is None and options.since is None:  # books have no cards
            books = {component.id for component in game.components if component.book is not None}
            chosen |= books & set(options.components or books)
        named = [find_sheet(game, name) for name in dict.fromkeys(options.sheets)]
        sheets = named or list(game.sheets)
        if deck is not None:
            sheets = deck_sheets(deck, sheets) or sheets
        narrowed = [sheet for sheet in sheets if chosen & set(sheet.components)]
        if not narrowed:
            names = ", ".join(sheet.name for sheet in sheets)
            raise UsageError(
                f"none of the chosen cards is on the sheet {names}",
                f"choose a sheet that has them: cardgen list {game.id}",
            )
        return narrowed


@dataclass(frozen=True, slots=True)
class CutFile:
    """A file to write: its name, the number of its printed pages, and its writer."""

    name: str
    pages: int
    write: Callable[[BinaryIO], object]


def cut_files(
    game: Game,
    sheet: ImposedSheet,
    stem: str,
    formats: Sequence[CutFormat],
    drawn: DrawnArt,
    findings: Findings,
) -> Iterator[CutFile]:
    """Yield the cutting files of a sheet, named after it. SVG and DXF have one file for all pages with the
    same cuts, named after the first of them: `poker.cut-1.svg`. A PDF has all pages with faces; PNG has one
    file a page. Books and tiled boards have none, boxes no PNG. Finding: `sheet/print-then-cut`."""
    wanted = [kind for kind in dict.fromkeys(formats) if kind != "spot"]
    shapes, boxes = _shapes(game, sheet), _boxes(game, sheet)
    pages = _pages(game, sheet, shapes, boxes) if wanted else []
    for kind in wanted if pages else ():
        if kind == "pdf":
            from cardgen.exports.pdf import write_cuts_pdf

            sized = [(page.size, cuts, page.marked) for _, page, cuts in pages]
            title = f"{game.title}: {sheet.name}, cuts"
            yield CutFile(f"{stem}.cut.pdf", len(pages), partial(write_cuts_pdf, sized, title=title))
            continue
        if kind == "png":
            flat = [page for page in pages if any(slot.component not in boxes for slot in page[1].slots)]
            yield from _pictures(game, sheet, stem, flat, shapes, drawn, findings)
            continue
        alike: dict[object, list[tuple[int, Page, Cuts]]] = {}
        for number, page, cuts in pages:
            alike.setdefault((page.size, cuts), []).append((number, page, cuts))
        for same in alike.values():
            number, page, cuts = same[0]
            title = f"{game.title}: {sheet.name}, cuts of page {number}"
            write = partial(_write_document, kind, cuts, page, title)
            yield CutFile(f"{stem}.cut-{number}.{kind}", len(same), write)


def with_lines(game: Game, sheet: ImposedSheet) -> ImposedSheet:
    """Return a sheet whose pages have their own cuts and folds, instead of printed outlines."""
    found = _pages(game, sheet, _shapes(game, sheet), _boxes(game, sheet))
    cuts = {number: each for number, _, each in found}
    pages = (
        replace(page, cuts=cuts[number], outlines=()) if number in cuts else page
        for number, page in enumerate(sheet.pages, start=1)
    )
    return replace(sheet, pages=tuple(pages))


def _shapes(game: Game, sheet: ImposedSheet) -> dict[str, tuple[Shape, float]]:
    """Return the shapes on a sheet, with the radii of their corners, by component."""
    components = {slot.component for page in sheet.pages for slot in page.slots}
    return {
        each.id: (each.shape, each.corner_radius)
        for each in game.components
        if each.id in components and each.book is None
    }


def _boxes(game: Game, sheet: ImposedSheet) -> dict[str, Dieline]:
    components = {slot.component for page in sheet.pages for slot in page.slots}
    return {each.id: each.box for each in game.components if each.id in components and each.box}


def _pages(
    game: Game,
    sheet: ImposedSheet,
    shapes: Mapping[str, tuple[Shape, float]],
    boxes: Mapping[str, Dieline],
) -> list[tuple[int, Page, Cuts]]:
    """Return the pages with cuts, each with its number from 1."""
    from cardgen.sheets.boxes import box_lines
    from cardgen.sheets.marks import cuts_of, folds_of, pages_to_cut
    from cardgen.sheets.trim_lines import cuts_inside

    inside = {name: game.component(name).lines for name in shapes}
    pages: list[tuple[int, Page, Cuts]] = []
    for number, page in pages_to_cut(sheet):
        if all(slot.component in boxes for slot in page.slots):
            pages.append((number, page, box_lines(page, boxes)))
        elif all(slot.component in shapes for slot in page.slots) and (cuts := cuts_of(page, shapes)):
            pages.append((number, page, cuts + folds_of(page) + cuts_inside(page, inside)))
    return pages


def _write_document(kind: CutFormat, cuts: Cuts, page: Page, title: str, out: BinaryIO) -> None:
    from cardgen.exports.cut_files import cuts_as_dxf, cuts_as_svg

    if kind == "dxf":
        out.write(cuts_as_dxf(cuts, page.size, page.marked))
    else:
        out.write(cuts_as_svg(cuts, page.size, title, page.marked))


def _pictures(
    game: Game,
    sheet: ImposedSheet,
    stem: str,
    pages: Sequence[tuple[int, Page, Cuts]],
    shapes: Mapping[str, tuple[Shape, float]],
    drawn: DrawnArt,
    findings: Findings,
) -> Iterator[CutFile]:
    """Yield a picture for each page. Report pieces that touch or are too many for a cutter's program."""
    from cardgen.exports.cut_files import LARGEST, block_of
    from cardgen.sheets.marks import cuts_of, whole_cuts_of

    def say(message: str, hint: str) -> None:
        place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
        findings.warning("sheet/print-then-cut", f"'{sheet.name}': {message}", place, hint)

    whole = [(number, page, whole_cuts_of(page, shapes)) for number, page, _ in pages]
    shared = ((cuts_of(page, shapes), cuts) for _, page, cuts in whole)
    if any(_strokes(once) < _strokes(cuts) for once, cuts in shared):
        say(
            "pieces touch, so a machine that follows the picture cuts them out as one",
            "print it on a layout with a gutter, such as tokens",
        )
    if any(not _fits(block_of(cuts).size, LARGEST) for _, _, cuts in whole):
        say(
            f"a picture is larger than {LARGEST}, the limit of Cricut's Print then Cut on US Letter",
            "put fewer pieces on a page: add a paper of that size to data/papers.yaml",
        )
    for number, page, cuts in whole:
        write = partial(_picture, game, sheet, page, cuts, drawn)
        yield CutFile(f"{stem}.cut-{number}.png", 1, write)


def _strokes(cuts: Sequence[Cut]) -> int:
    return sum(len(cut.strokes) for cut in cuts)


def _fits(size: Size, most: Size) -> bool:
    size = size.upright
    return size.width <= most.width + 0.01 and size.height <= most.height + 0.01


def _picture(
    game: Game, sheet: ImposedSheet, page: Page, cuts: Sequence[Cut], drawn: DrawnArt, out: BinaryIO
) -> None:
    from cardgen.commands.production import stages as production
    from cardgen.exports.cut_files import cuts_as_png

    art = replace(page, lines=(), outlines=(), labels=(), bookmark=None)
    pdf = BytesIO()
    production.write_sheet(game, replace(sheet, pages=(art,)), drawn, pdf)
    out.write(cuts_as_png(page.size, pdf.getvalue(), cuts))
