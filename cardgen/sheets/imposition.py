"""Arrange cards on pages in printing order."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from cardgen.core.artwork import CardArt, CardSides
from cardgen.core.findings import Findings
from cardgen.core.game import Game, GameSheet
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import (
    Duplex,
    ImposedSheet,
    Label,
    Line,
    Page,
    Paper,
    Patch,
    PrinterProfile,
    SheetLayout,
    Side,
    Slot,
    Span,
    Tool,
)
from cardgen.sheets import marks
from cardgen.sheets.boxes import impose_boxes, impose_standees
from cardgen.sheets.grid import (
    TOLERANCE,
    Arrangement,
    Axis,
    Filling,
    Shapes,
    adjusted,
    arrange,
    back_slots,
    behind,
    block_size,
    bounds,
    face_slots,
    flip_axis,
    within,
)
from cardgen.sheets.job import Bookmarks, SheetJob, say_not_folded, say_other_backs, say_unused_keys
from cardgen.sheets.nesting import nest
from cardgen.sheets.ruler_and_labels import AT_FULL_SIZE, Furniture, furnish, text_width
from cardgen.sheets.single import ALL_INKS, CLEAR, REGISTER, impose_single, register_marks
from cardgen.sheets.tiling import impose_tiled
from cardgen.sheets.trim_lines import LinesInside, legend_of, line_marks, spans_of


def impose(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    paper: Paper,
    rendering: CardSides,
    *,
    findings: Findings,
    duplex: Duplex | None = None,
    backs: bool = True,
    printer: PrinterProfile | None = None,
    papers: Sequence[Paper] = (),
) -> ImposedSheet:
    """Lay the sheet's cards out on `paper`, every copy once, in the order of `sheet.components`.

    Cards of one trim share pages, with landscape ones turned to portrait (or the other way round). If the
    layout nests, those that don't fill a page share pages with other trims, unless folded. The backs, if
    there are any and `backs` is set, are printed

    - `long-edge`, `short-edge`: on every second page, behind their faces after the printer turns the
      paper about that edge. A page whose cards have no backs is kept blank, or the next face would be
      printed on it; it is only dropped after the last face;
    - `fold`: on the same page, across a fold line, the paper then being folded and glued;
    - `none`: not at all.

    The default `duplex` is the layout's. `printer` corrects the back pages of the first two, and limits
    marks to its printable area. `papers` are suggestions for findings. A sheet with cards that fit on the
    paper, but not on half of it, isn't folded but printed as in the layout. `grid: single` is never folded.
    A board in tiles has no backs. Standees have face and back in one piece, folded.

    Findings: `sheet/too-large`, `sheet/grid`, `sheet/gutter` are errors; `sheet/empty`, `sheet/duplex` and
    `printer/unmeasured` warnings; `sheet/no-room` and `sheet/marks` notes; `printer/margin` one or the
    other.
    """
    cards = [card for name in sheet.components for card in rendering.cards if card.component == name]
    cards = [card for card in cards if card.copies > 0]
    with_backs = backs and any(card.back is not None for card in cards)
    mode = (duplex or layout.duplex) if with_backs else "none"
    job = SheetJob(game, sheet, layout, paper, rendering.artworks, findings, printer, papers)
    say_unused_keys(job)
    if not cards:
        job.warning(
            "sheet/empty",
            f"there are no cards to print on the sheet '{sheet.name}'",
            "add cards, or set copies",
        )
    boxes = [name for name in sheet.components if game.component(name).box is not None]
    if boxes and layout.grid != "single":
        if len(boxes) < len(sheet.components):
            job.error(
                "sheet/box",
                f"the box '{boxes[0]}' can't share the sheet '{sheet.name}' with other components",
                "put the boxes on a sheet of their own with the layout `box`",
            )
            return job.imposed()
        boxed = impose_boxes(job, cards)
        marks.say_what_is_not_printed(job, boxed.pages)
        return boxed
    if layout.grid == "single":
        if mode == "fold":
            say_other_backs(job, "single", mode)
        if job.has_too_many((1 if mode == "none" else 2) * len(cards)):
            cards = []
        return impose_single(job, cards, backs=mode != "none")
    within_reach = replace(job, layout=replace(layout, margin=job.margin))
    if layout.grid == "tiled":
        if duplex is not None and mode != "none":
            say_other_backs(job, "tiled", mode)
        return impose_tiled(within_reach, cards)
    if layout.grid == "booklet":
        job.error(
            "sheet/book",
            f"the layout '{layout.name}' is for books, and '{sheet.name}' contains none",
            "choose a layout for cards, such as poker",
        )
        return job.imposed()
    if any(game.component(name).standee is not None for name in sheet.components):
        if duplex == "none" and backs:
            say_other_backs(job, "standees", duplex)
        return impose_standees(within_reach, cards, backs=backs)
    widest = max(layout.bleed, layout.of_backs)
    if TOLERANCE < layout.gutter < 2 * widest - TOLERANCE:
        findings.error(
            "sheet/gutter",
            f"a gutter of {layout.gutter:g} mm is too narrow for two bleeds of {widest:g} mm",
            game.locator.locate(layout.file, layout.path("gutter")),
            f"make it 0 (one cut between neighbors) or at least {2 * widest:g}mm",
        )
    components = {name: game.component(name) for name in sheet.components}
    shapes = {name: (component.shape, component.corner_radius) for name, component in components.items()}
    inside = {name: component.lines for name, component in components.items()}
    setting = _Imposition(job, mode, shapes, inside).unfolded_where_too_large(cards)
    mode = setting.duplex
    fillings = setting.fill(cards)
    if job.has_too_many((1 if mode == "none" else 2) * len(fillings)):
        fillings = []
    drafts = list(setting.drafts(fillings))
    pages = setting.finish(drafts)
    if layout.marks == "crop":
        straight = (draft for draft in drafts if draft.side == "face" and not draft.arrangement.honeycomb)
        marks.say_unprinted_marks(job, ((draft.arrangement.page, draft.trims) for draft in straight))
    marks.say_what_is_not_printed(job, pages)
    return job.imposed(pages, sum(len(filling.cards) for filling in fillings), mode)


_GRAIN = 0.02
"""mm, more than the difference between trims that are treated as equal: those are in neighboring
squares."""


@dataclass(frozen=True, slots=True)
class _Imposition:
    """The values that are the same for all pages of a sheet."""

    job: SheetJob
    duplex: Duplex
    shapes: Shapes
    inside: LinesInside

    def fill(self, cards: Sequence[CardArt]) -> list[Filling]:
        """Return the copies by page, trim by trim in the order of the first card of each."""
        fillings: list[Filling] = []
        leftovers: list[tuple[Size, Sequence[CardArt], int]] = []
        layout, paper, fold = self.job.grid, self.job.paper, self.duplex == "fold"
        for trim, honeycomb, group in self._by_trim(cards):
            lying = sum(card.copies for card in group if self._trim(card).landscape)
            standing = sum(card.copies for card in group) - lying
            arrangement = marks.arrange_beside_marks(
                trim, paper.size, layout, lying=lying, standing=standing, fold=fold, honeycomb=honeycomb
            )
            if arrangement is None:
                self._too_large(trim, group[0])
                continue
            copies = [card for card in group for _ in range(card.copies)]
            starts = range(0, len(copies), arrangement.capacity)
            for number, start in enumerate(starts):
                page = tuple(copies[start : start + arrangement.capacity])
                if layout.stacks:
                    page = tuple(copies[number :: len(starts)])
                if layout.nest and len(page) < arrangement.capacity and not (honeycomb or fold):
                    leftovers.append((trim, page, len(fillings)))
                fillings.append(Filling(arrangement, page))
        nested = nest([(trim, page) for trim, page, _ in leftovers], paper.size, layout)
        if nested is None:
            return fillings
        replaced = {number for _, _, number in leftovers}
        return [filling for number, filling in enumerate(fillings) if number not in replaced] + nested

    def unfolded_where_too_large(self, cards: Sequence[CardArt]) -> _Imposition:
        """Return the setting, but without the fold if a card is too large for it."""
        if self.duplex != "fold":
            return self
        layout, paper = self.job.grid, self.job.paper
        unfolded: Duplex = "long-edge" if layout.duplex == "fold" else layout.duplex
        for trim, honeycomb, group in self._by_trim(cards):
            folded, flat = (
                arrange(trim, paper.size, layout, fold=fold, honeycomb=honeycomb) for fold in (True, False)
            )
            if folded or not flat:
                continue
            card = group[0]
            grid = f" in a grid of {'×'.join(map(str, layout.grid))}" * isinstance(layout.grid, tuple)
            reason = (
                f"'{card.card}' in '{card.component}' ({trim}){grid} does not fit on half of {paper.name}"
            )
            hint = "use larger paper, or put the large cards on a sheet of their own"
            if layout.places is not None:
                reason = f"the places of '{layout.name}' have no fold between them"
                hint = "use a layout without places"
            say_not_folded(self.job, reason, hint, unfolded)
            return replace(self, duplex=unfolded)
        return self

    def _by_trim(self, cards: Sequence[CardArt]) -> list[tuple[Size, bool, list[CardArt]]]:
        """Return cards of one trim, hexagons separate from other shapes."""
        groups: list[tuple[Size, bool, list[CardArt]]] = []
        near: dict[tuple[int, int], list[int]] = {}  # groups of about that size, in order of appearance
        for card in cards:
            trim = self._trim(card).upright
            spot = round(trim.width / _GRAIN), round(trim.height / _GRAIN)
            hexagon = self.shapes[card.component][0] == "hexagon"
            close = (
                index
                for index in near.get(spot, ())
                if groups[index][0].close_to(trim) and groups[index][1] is hexagon
            )
            index = next(close, len(groups))
            if index == len(groups):
                groups.append((trim, hexagon, []))
                for column in (-1, 0, 1):
                    for row in (-1, 0, 1):
                        near.setdefault((spot[0] + column, spot[1] + row), []).append(index)
            groups[index][2].append(card)
        return groups

    def _trim(self, card: CardArt) -> Size:
        return self.job.artworks[card.face].trim.size

    def _too_large(self, trim: Size, card: CardArt) -> None:
        job, layout, fold = self.job, self.job.layout, self.duplex == "fold"
        if (places := layout.places) is not None:
            job.error(
                "sheet/too-large",
                f"'{card.card}' in '{card.component}' is {trim}; it fits no place of '{layout.name}': "
                f"{places.columns}×{places.rows} of {places.size} on {places.paper}",
                f"set the trim to [{places.size.width:g}mm, {places.size.height:g}mm], or choose another "
                "layout",
            )
            return
        loose = replace(job.grid, grid="auto")
        area = f"half of {job.area}" if fold else job.area
        area += " beside the machine's marks" * (layout.marks in marks.MACHINES)
        if isinstance(layout.grid, tuple) and arrange(trim, job.paper.size, loose, fold=fold):
            columns, rows = layout.grid
            needed = block_size(trim, columns, rows, layout.gutter)
            job.error(
                "sheet/grid",
                f"a grid of {columns}×{rows} cards of {trim} needs {needed}, more than {area}",
                "choose a smaller grid, `grid: auto` or another paper",
            )
            return
        job.too_large(
            f"'{card.card}' in '{card.component}' is {trim}, larger than {area}",
            lambda paper: arrange(trim, paper.size, loose, fold=fold),
            "set `grid: single` to print it in one piece; no known paper is large enough",
        )

    def drafts(self, fillings: Sequence[Filling]) -> Iterator[Draft]:
        """Yield the pages in printing order."""
        bookmarks = Bookmarks(self.job.game)
        last = len(fillings) - 1
        for number, filling in enumerate(fillings):
            bookmark = bookmarks.of(card.component for card in filling.cards)
            if self.duplex == "fold":
                yield self._fold_draft(filling, bookmark)
                continue
            yield self._faces(filling, bookmark)
            if self.duplex != "none":
                draft = self._backs(filling, flip_axis(filling.arrangement.page, self.duplex))
                if draft.slots or number < last:
                    yield draft

    def _faces(self, filling: Filling, bookmark: str | None) -> Draft:
        arrangement = filling.arrangement
        slots = face_slots(filling, self.job.artworks, self._bleed(arrangement), self.shapes)
        return Draft(arrangement, "face", "faces", slots, tuple(slot.trim for slot in slots), bookmark)

    def _bleed(self, arrangement: Arrangement) -> float:
        """Return the sheet's bleed, limited by a machine's marks."""
        return marks.printed_bleed(arrangement, self.job.layout.bleed, self.job.layout)

    def _bleed_of(self, side: Side) -> float:
        """Return the bleed on pages of a side, as stated."""
        return self.job.layout.bleed if side == "face" else self.job.layout.of_backs

    def _back_slots(self, filling: Filling, axis: Axis) -> tuple[Slot, ...]:
        layout = self.job.layout
        bleed = marks.printed_bleed(filling.arrangement, layout.of_backs, layout)
        return back_slots(filling, self.job.artworks, bleed, axis, self.shapes)

    def _backs(self, filling: Filling, axis: Axis) -> Draft:
        arrangement = filling.arrangement
        slots = self._back_slots(filling, axis)
        places = (arrangement.place(index) for index in range(len(filling.cards)))
        trims = tuple(behind(place, arrangement.page, axis) for place in places)
        adjust = adjusted(self.job, arrangement.page, axis)
        if not slots:
            return Draft(arrangement, "back", "backs (blank)", (), (), adjust=adjust)
        return Draft(arrangement, "back", "backs", slots, trims, adjust=adjust)

    def _fold_draft(self, filling: Filling, bookmark: str | None) -> Draft:
        faces = self._faces(filling, bookmark)
        axis = filling.arrangement.fold
        assert axis is not None
        mirrored = tuple(behind(trim, filling.arrangement.page, axis) for trim in faces.trims)
        return replace(
            faces,
            content="faces and backs, fold along the dashed line",
            slots=faces.slots + self._back_slots(filling, axis),
            trims=faces.trims + mirrored,
        )

    def finish(self, drafts: Sequence[Draft]) -> tuple[Page, ...]:
        """Return the pages with marks, outlines, ruler and labels."""
        missing: dict[str, None] = {}
        pages = []
        known: dict[Hashable, tuple[Furniture, Sequence[str]]] = {}
        for number, draft in enumerate(drafts, start=1):
            order = self._cut_order(draft)
            content = f"{draft.content} · page {number}/{len(drafts)}"
            texts = [self.job.version, f"{self.job.sheet.printed_name} · {content}", AT_FULL_SIZE]
            texts += [str(order)] if order is not None else []
            if self.job.layout.marks == "crop" and draft.side == "face":
                texts += legend_of(draft.slots, self.inside)
            # Most pages differ only in their numbers.
            alike = (draft.arrangement, draft.side, draft.trims, order, self._spans(draft))
            key = (*alike, *map(text_width, texts))
            if key not in known:
                known[key] = self._furniture(draft, order, texts), texts
            furniture, before = known[key]
            pages.append(self._page(draft, furniture.with_texts(before, texts)))
            missing.update(dict.fromkeys(furniture.missing))
        if missing:
            names = ["the ruler"] * ("ruler" in missing) + ["the strip"] * ("strip" in missing)
            names += ["the labels"] * bool(set(missing) - {"ruler", "strip"})
            self.job.findings.note(
                "sheet/no-room",
                f"the cards of '{self.job.sheet.name}' leave no room on {self.job.paper.name} for "
                f"{' and '.join(names)}",
                None,
                "use a smaller grid or larger paper",
            )
        return tuple(pages)

    def _furniture(self, draft: Draft, order: marks.CutOrder | None, texts: Sequence[str]) -> Furniture:
        """Return all lines and labels of a page, and those without room."""
        job, size, fold = self.job, draft.arrangement.page, draft.arrangement.fold
        layout, margin = job.layout, job.margin
        lines: tuple[Line, ...] = (marks.fold_line(size, fold, margin),) if fold else ()
        bleed = max(layout.bleed, layout.of_backs) if fold else self._bleed_of(draft.side)
        blocks = [within(block.inset(-bleed), size) for block in draft.blocks]
        if draft.side == "face":
            lines += marks.registration_marks(size, layout.marks, layout.registration)
            blocks += marks.marked_corners(size, layout.marks, layout.registration)

        spans = self._spans(draft)

        def marker(length: float) -> tuple[Line, ...]:
            if layout.marks != "crop" or draft.arrangement.honeycomb:  # no straight cut separates a hexagon
                return ()
            if nested := draft.arrangement.blocks:
                return marks.nested_marks(
                    draft.trims, nested, size, bleed=bleed, margin=margin, length=length
                )
            cuts = marks.crop_marks(draft.trims, size, bleed=bleed, margin=margin, length=length)
            offset = marks.mark_offset(bleed)
            for block in draft.blocks[:1]:
                cuts += line_marks(spans, block, size, offset=offset, margin=margin, length=length)
            return cuts + marks.fold_crossings(draft.halves[0], size, fold) if fold else cuts

        registers: list[Rect] = []
        if self._has_registers(draft):
            registers = register_marks(size, layout.slug)
            blocks += registers
        numbering: tuple[Label, ...] = ()
        if order is not None:
            numbered = list(marks.numbers(order, marker(marks.LEAST_LENGTH), draft.halves[0]))
            blocks += [area for _, area in numbered]
            numbering = tuple(label for label, _ in numbered)
        found = furnish(size, blocks, marker, lines, texts, margin=margin, strip=layout.strip)
        patches = (*found.patches, *(Patch(rect, ALL_INKS) for rect in registers))
        every = found.marks + lines + found.lines
        return replace(found, lines=every, labels=found.labels + numbering, patches=patches)

    def _has_registers(self, draft: Draft) -> bool:
        """Return True if a page has register marks: in a slug of enough width, but not across a fold."""
        layout = self.job.layout
        alone = layout.places is None and layout.marks not in marks.MACHINES and not draft.arrangement.fold
        return alone and layout.slug >= REGISTER + CLEAR

    def _spans(self, draft: Draft) -> tuple[tuple[Tool, Span], ...]:
        """Return the lines inside the faces of a page."""
        faces = draft.slots[: len(draft.halves[0])] if draft.side == "face" and draft.slots else ()
        return tuple(each for slot in faces for each in spans_of(slot, self.inside[slot.component]))

    def _page(self, draft: Draft, furniture: Furniture) -> Page:
        """Return a finished page."""
        size, kind, faces = draft.arrangement.page, self.job.layout.marks, draft.slots
        if draft.side == "back":
            faces = ()
        elif draft.arrangement.fold:
            faces = draft.slots[: len(draft.halves[0])]
        return Page(
            size,
            draft.side,
            size.whole,
            size.whole,
            draft.slots,
            furniture.lines,
            marks.outlines(faces, kind, self.shapes),
            furniture.labels,
            draft.bookmark,
            draft.adjust,
            patches=furniture.patches,
            marked=marks.opos_squares(size) if draft.side == "face" and kind == "opos" else (),
        )

    def _cut_order(self, draft: Draft) -> marks.CutOrder | None:
        """Return the order of cuts to print on a page, if the layout includes it."""
        if not self.job.layout.cut_order or draft.side == "back":
            return None
        order = None
        if {self.shapes[slot.component][0] for slot in draft.slots} == {"rectangle"}:
            order = marks.cut_order(draft.halves[0], draft.arrangement.page)
        if order is None:
            marks.say_no_order(self.job, nested=bool(draft.arrangement.blocks))
        return order


@dataclass(frozen=True, slots=True)
class Draft:
    """A page without marks and labels. `trims` are the places to mark, including those of blank backs."""

    arrangement: Arrangement
    side: Side
    content: str
    slots: tuple[Slot, ...]
    trims: tuple[Rect, ...]
    bookmark: str | None = None
    adjust: Matrix = IDENTITY

    @property
    def halves(self) -> tuple[tuple[Rect, ...], ...]:
        """Return the places on each side of a fold; without one, all of them."""
        if self.arrangement.fold is None:
            return (self.trims,) if self.trims else ()
        middle = len(self.trims) // 2
        return self.trims[:middle], self.trims[middle:]

    @property
    def blocks(self) -> tuple[Rect, ...]:
        """Return the rectangles around the occupied cells."""
        return tuple(bounds(half) for half in self.halves)
