"""Parts of the report that need a drawn game: pictures of cards, fonts, the press."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cardgen.commands.production.choices import PressOptions
from cardgen.commands.production.stages import draw_all, render_chosen
from cardgen.core.findings import Finding, Findings
from cardgen.core.game import Card, Game
from cardgen.core.records import replace
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import bundled_root

if TYPE_CHECKING:
    from cardgen.commands.check.looks import Look
    from cardgen.commands.check.press_looks import Told
    from cardgen.rules.charts import Faces
    from cardgen.rules.report_content import PressColor, PressPage
    from cardgen.rules.results import Table


MOST = 24
"""Most cards with a picture; findings about others have none."""
DPI = 60
SAMPLE = 6
"""Most faces of a component in a report."""


def finding_pictures(game: Game, findings: Sequence[Finding]) -> Mapping[Finding, bytes]:
    """Return, by finding, the face of its card as PNG at 60 dpi, except for findings elsewhere and for
    cards whose face can't be drawn."""
    at = dict(_cards_of(game, findings))
    pictures = _faces(game, list({(card.component, card.id): card for card in at.values()}.values())[:MOST])
    of = {finding: pictures.get((card.component, card.id)) for finding, card in at.items()}
    return {finding: picture for finding, picture in of.items() if picture is not None}


def thumbnails(game: Game) -> dict[str, list[bytes]]:
    """Return faces of each component as PNG at 60 dpi: of all cards, or of some at even distances."""
    chosen = []
    for component in game.components:
        if component.box is None and component.cards:
            step = max(1.0, len(component.cards) / SAMPLE)
            count = min(len(component.cards), SAMPLE)
            chosen += [component.cards[int(index * step)] for index in range(count)]
    found: dict[str, list[bytes]] = {}
    for (component_id, _), picture in _faces(game, chosen).items():
        found.setdefault(component_id, []).append(picture)
    return found


def _faces(game: Game, cards: Sequence[Card]) -> dict[tuple[str, str], bytes]:
    """Return the faces of cards that can be drawn, as PNG, by component and card."""
    from cardgen.exports.png import write_png
    from cardgen.pdf.pixels import RasterOptions

    if not cards:
        return {}
    rendering = render_chosen(game, cards, Findings(), sides=("face",))  # including faces with errors
    art = draw_all(game, rendering)
    pictures: dict[tuple[str, str], bytes] = {}
    for shown in rendering.cards:
        home = game.component(shown.component)
        options = RasterOptions(DPI, "trim", home.shape_of("face"), home.corner_radius, transparent=True)
        if shown.face is not None:
            out = io.BytesIO()
            write_png(art, shown.face, out, options)
            pictures[shown.component, shown.card] = out.getvalue()
    return pictures


def _cards_of(game: Game, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Card]]:
    """Yield findings at a card, or at a part of one, with the card."""
    files = {finding.location.file for finding in findings if finding.location is not None}
    places = {}
    for component in game.components:
        for card in component.cards if component.box is None else ():
            if card.file in files:
                place = game.locator.locate(card.file, card.path)
                places[place.file, place.path] = card
    for finding in findings:
        if finding.location is not None:
            path = finding.location.path
            while path and (finding.location.file, path) not in places:
                path = path[: max(path.rfind("."), path.rfind("["), 0)]
            if path:
                yield finding, places[finding.location.file, path]


def playtest_table(game: Game) -> Table | None:
    """Return what happened to each card in the game's playtests, a row for each version; None without any.
    Raises CardgenError for invalid records."""
    from cardgen.game.playtests import by_version, load_playtests
    from cardgen.rules.results import Table, percent

    findings = Findings()
    playtests = load_playtests(game, findings)
    findings.raise_if_errors()
    rows: list[tuple[str | int, ...]] = []
    sums = by_version(playtests)
    order = {(card.component, card.id): number for number, card in enumerate(game.cards())}
    keys = {key for tallies in sums.values() for key in tallies}
    for key in sorted(keys, key=lambda key: (order.get(key, len(order)), key)):
        for version, tallies in sums.items():
            if (tally := tallies.get(key)) is not None:
                shares = (percent(round(part / tally.drawn, 2)) for part in (tally.played, tally.won))
                rows.append((f"{key[0]}/{key[1]}", version, tally.drawn, *shares))
    return Table("", ("card", "version", "drawn", "played", "won"), tuple(rows)) if rows else None


def report_faces() -> Faces:
    """Return the bundled fonts, so that a report doesn't depend on a project's own."""
    from cardgen.rules.charts import Faces
    from cardgen.text.fonts import FontBook

    book = FontBook(ProjectFolders((bundled_root(),)))
    wanted: Mapping[str, tuple[str, int]] = {
        "regular": ("IBM Plex Sans", 400),
        "bold": ("IBM Plex Sans", 600),
        "narrow": ("IBM Plex Sans Condensed", 400),
        "narrow_bold": ("IBM Plex Sans Condensed", 600),
        "mono": ("IBM Plex Mono", 400),
    }
    return Faces(**{name: book.face(family, weight).path for name, (family, weight) in wanted.items()})


def press_page(game: Game, options: PressOptions | None, *, stated: bool = True) -> PressPage | None:
    """Compare a game's sides with the chosen press or, if `stated`, with the press in game.yaml; None
    without one. Sides that a check examined aren't examined again. Raises as `press_of` does, and
    CardgenError if nothing can be examined."""
    if options is None:
        if not stated or game.press is None:
            return None
        options = PressOptions()
    from cardgen.commands.check.preflight import check_look
    from cardgen.commands.production.pressing import press_of
    from cardgen.pdf.pdfx import NAMES
    from cardgen.rules.report_content import PressPage

    press = press_of(options, game)
    seen: list[tuple[Look, str]] = []
    lacking: dict[str, None] = {}
    check_look(game, lacking, press, seen)
    inkiest = max(seen, key=lambda pair: pair[0].most_ink, default=None)
    missed = _by_much((each, card) for look, card in seen for each in look.missed)
    heavy = _by_much((each, card) for look, card in seen for each in look.heavy)
    return PressPage(
        profile=press.profile.title,
        standard=NAMES[press.standard],
        ink_limit=press.ink_limit,
        most_ink=100 * inkiest[0].most_ink if inkiest is not None else 0.0,
        inkiest=inkiest[1] if inkiest is not None else None,
        sides=len(seen),
        faulty=bool(lacking) or not all(look.whole for look, _ in seen),
        spots=tuple(spot.name for spot in press.spots),
        missed=missed,
        heavy=tuple(replace(each, printed=None, much=100 * each.much) for each in heavy),
    )


def _by_much(told: Iterable[tuple[Told, str]]) -> tuple[PressColor, ...]:
    """Return each color of a place once, the largest deviations first."""
    from cardgen.commands.check.press_looks import grouped
    from cardgen.rules.report_content import PressColor

    colors = [
        PressColor(most[0], most[1], most[2], most[3], tuple(cards), place)
        for most, cards, place in grouped(told)
    ]
    return tuple(sorted(colors, key=lambda each: -each.much))
