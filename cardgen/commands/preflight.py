"""How a loaded game prints, judged without printing it: for `cardgen check`.

Renders both variants, imposes the sheets on their default paper and looks at contrast.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.commands.garbage import collector_paused
from cardgen.commands.production import DEFAULT_PAPER, Imposer, art_store, fontbook, render_chosen
from cardgen.commands.rulebooks import book_of, lay_out_books
from cardgen.commands.tabletops import check_tabletop
from cardgen.findings import CardgenError, Finding, Findings, Location
from cardgen.model.game import Card, Game

if TYPE_CHECKING:
    from cardgen.drawing.legibility import Contrast
    from cardgen.model.artwork import Artwork, Rendering


@collector_paused()
def check_look(game: Game) -> list[Finding]:
    """What can be said about how a loaded game prints, sorted by file and line.

    Templates and text fit in both variants (full and low ink), the sheets on their default paper,
    contrast and type sizes, snap points and the table. Never raises for bad input.
    """
    findings = Findings()
    try:
        fontbook(game.paths)
    except CardgenError as error:  # fonts.yaml: nothing can be set without it
        return list(error.findings)
    cards = list(game.cards())
    known: dict[str, Artwork] = {}  # sides that are the same in both variants are judged once
    icons: dict[str, str] = {}
    for low_ink in (False, True):
        rendering = render_chosen(game, cards, findings, backs=True, low_ink=low_ink, kept=known.get)
        icons |= rendering.icons
        rendering = replace(rendering, icons=icons)
        judged = {artwork.key for artwork in known.values()}
        known |= {source: rendering.artworks[key] for source, key in rendering.sources.items()}
        if findings.errors:
            break
        try:
            if not low_ink:
                imposer = Imposer(game, DEFAULT_PAPER)
                for sheet in game.sheets:
                    if book_of(game, sheet) is None:
                        imposer.impose(sheet, rendering, findings)
            new = {key: each for key, each in rendering.artworks.items() if key not in judged}
            check_contrast(game, replace(rendering, artworks=new), findings)
            books = [component for component in game.components if component.book is not None]
            laid_out = lay_out_books(
                game, books, fontbook(game.paths), findings, low_ink=low_ink, rendered=rendering
            )
            for sheet in game.sheets if not low_ink else ():
                book = book_of(game, sheet)
                if book is not None and book.id in laid_out:
                    imposer.impose_book(sheet, laid_out[book.id].book, findings)
        except CardgenError as error:
            findings.extend(error.findings)
    if not findings.errors:
        check_tabletop(game, findings)
    return findings.sorted()


def check_contrast(game: Game, rendering: Rendering, findings: Findings) -> None:
    """Add a finding for each text of a template that can't be told from its ground, at its worst card.

    The game's limit holds for text; for large type WCAG 2 asks two thirds of it (3 where 4.5).
    """
    from cardgen.drawing.legibility import contrasts

    store = art_store(game)
    cards = {(card.component, card.id): card for card in game.cards()}
    owners: dict[str, tuple[Card, str]] = {}  # the first card that shows a side, and its template
    for art in rendering.cards:
        card = cards[art.component, art.card]
        owners.setdefault(art.face, (card, card.face))
        if art.back is not None and card.back is not None:
            owners.setdefault(art.back, (card, card.back))
    faint: dict[tuple[str, int | None], list[tuple[Contrast, Card, float]]] = {}
    for contrast in contrasts(rendering, fontbook(game.paths), store):
        least = game.limits.contrast * (2 / 3 if contrast.large else 1)
        if contrast.ratio < least - 0.005:
            card, template = owners[contrast.artwork]
            faint.setdefault((template, contrast.text.line), []).append((contrast, card, least))
    for (template, line), found in faint.items():
        contrast, card, least = min(found, key=lambda entry: entry[0].ratio)
        others = f" and {len(found) - 1} more" if len(found) > 1 else ""
        findings.error(
            "text/contrast",
            f"'{contrast.words}' has a contrast of {contrast.ratio:.1f} to its ground, less than "
            f"{least:.1f} (card '{card.id}'{others})",
            Location(f"templates/{template}", line),
            'change a colour; mark mere texture with cg:decor="true"',
        )
    store.save()
