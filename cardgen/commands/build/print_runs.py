"""Say what a print run takes: sheets of paper, ink, and places that are left empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgen.core.findings import Findings, Location, plural
from cardgen.game.facts import priced_services

if TYPE_CHECKING:
    from PIL import Image

    from cardgen.core.game import Component, Game
    from cardgen.core.geometry import Size
    from cardgen.core.services import Product, Service
    from cardgen.core.sheets import ImposedSheet, Page
    from cardgen.pdf.objects import DrawnArt

OFFICE_PAGE_MM2 = 4 * 0.05 * 210 * 297
"""Area in mm² that a page of office text covers: 5 % of A4 in each of four inks, the measure of cartridges'
yields (ISO/IEC 24712)."""

_DPI = 20
"""Enough for a mean."""

_ALONE = 4
"""A last sheet of which at most one part in so many is used is worth a word."""


def say_print_run(
    game: Game, sets: int, sheets: Sequence[tuple[ImposedSheet, DrawnArt]], findings: Findings
) -> None:
    """Add notes: `sheet/run` for what a run takes, and `sheet/last` for each sheet whose last page is
    nearly empty. Books aren't counted, as a game may have one in several forms."""
    place = Location(f"data/{game.id}/game.yaml")
    parts = {each.name: [game.component(id) for id in each.components] for each in game.sheets}
    books = sorted(
        {sheet.name for sheet, _ in sheets if any(each.book for each in parts.get(sheet.name, ()))}
    )
    papers: Counter[str] = Counter()
    used = whole = ink = 0.0
    for sheet, art in sheets:
        if sheet.name in books:
            continue
        two_sided = sheet.duplex in ("long-edge", "short-edge")
        papers[sheet.paper] += -(-len(sheet.pages) // 2) if two_sided else len(sheet.pages)
        ink += _ink(sheet, art)
        if any(each.box for each in parts.get(sheet.name, ())):
            continue
        faces = [page for page in sheet.pages if page.side == "face" and page.slots]
        used += sum(slot.trim.width * slot.trim.height for page in faces for slot in page.slots)
        whole += sum(page.size.width * page.size.height for page in faces)
        _say_last(sheet.name, faces, sets, place, findings)
    if papers:
        sizes = [f"{plural(number, 'sheet')} of {name}" for name, number in sorted(papers.items())]
        pages = plural(max(1, round(ink / OFFICE_PAGE_MM2)), "office page")
        message = f"{plural(sets, 'set')}: {' and '.join(sizes)}; ink as for {pages} of text"
        if whole:
            message += f"; pieces take {used / whole:.0%} of the paper"
        findings.note("sheet/run", message, place)
    if books and sets > 1:
        message = f"files of books have one copy: print {' or '.join(books)} {sets} times"
        findings.note("sheet/run", message, place)


def say_prices(game: Game, sets: int, findings: Findings) -> None:
    """Add a note `sheet/price` for the cost of so many sets at each service with a price table, and one for
    each component that a few cards more than a step take to the next price."""
    place = Location(f"data/{game.id}/game.yaml")
    for service in priced_services(game.paths):
        prices = service.prices
        assert prices is not None
        total, lines = 0.0, []
        for component in game.components:
            product = _product(service, component)
            cards = sum(card.copies for card in component.cards)
            step = prices.step(product.id, cards) if product is not None and cards else None
            if product is None or step is None:
                continue
            most, price, over = step
            total += prices.of(price, sets)
            lines.append(f"{component.id} {cards} of {most} cards")
            cheaper = prices.step(product.id, cards - over) if cards > over else None
            if cheaper is not None and over * _ALONE <= most - cheaper[0]:
                saved = prices.of(price - cheaper[1], sets)
                message = (
                    f"'{component.id}' has {plural(over, 'card')} more than the step of {cheaper[0]} at "
                    f"{service.title}"
                )
                hint = f"leave out {plural(over, 'card')} to save {saved:.2f} {prices.currency}, or add "
                findings.note("sheet/price", message, place, f"{hint}{most - cards} for the same price")
        if lines:
            message = (
                f"{plural(sets, 'set')} at {service.title}: {total:.2f} {prices.currency} "
                f"({', '.join(lines)}), without shipping"
            )
            findings.note("sheet/price", message, place)


def _product(service: Service, component: Component) -> Product | None:
    """Return the product that a service makes a component of, if all its cards have one size."""
    from cardgen.exports.service_orders import matching

    found = None if component.trim is None else matching(service, component, component.trim)
    return None if found is None else found[0]


def _say_last(name: str, faces: Iterable[Page], sets: int, place: Location, findings: Findings) -> None:
    """Say which pages of a size of pieces end in a nearly empty one."""
    counts: dict[Size, list[int]] = {}
    for page in faces:
        sizes = {slot.trim.size.upright for slot in page.slots}
        if len(sizes) == 1:
            counts.setdefault(sizes.pop(), []).append(len(page.slots))
    for size, numbers in counts.items():
        room, last, total = max(numbers), numbers[-1], sum(numbers)
        if len(numbers) < 2 or last * _ALONE > room:
            continue
        message = (
            f"'{name}': the last {plural(last, 'piece')} of {size.width:g} × {size.height:g} mm "
            f"{'takes' if last == 1 else 'take'} a sheet with room for {room}"
        )
        hint = f"leave out {plural(-(-last // sets), 'piece')} of each set to save a sheet"
        better = min(range(sets, 2 * sets + 1), key=lambda each: (-total // sets * each % room, each))
        if better > sets:
            hint += f", or fill it with more sets: --sets {better}"
        findings.note("sheet/last", message, place, hint)


def _ink(sheet: ImposedSheet, art: DrawnArt) -> float:
    """Return mm² that the four inks of an office printer cover on all pages."""
    from cardgen.pdf.pixels import RasterOptions, rasterise

    areas: dict[str, float] = {}
    for page in sheet.pages:
        for slot in page.slots:
            areas[slot.artwork] = areas.get(slot.artwork, 0.0) + slot.clip.width * slot.clip.height
    drawn = rasterise(art, areas, RasterOptions(_DPI, "bleed"))
    return sum(areas[key] * _coverage(image) for key, image in drawn)


def _coverage(image: Image.Image) -> float:
    """Return how much of a picture is covered, all four inks together, gray parts by black alone."""
    from PIL import ImageChops, ImageStat

    inks = image.convert("CMYK").split()[:3]
    black = ImageChops.darker(ImageChops.darker(inks[0], inks[1]), inks[2])
    means = [ImageStat.Stat(ink).mean[0] / 255 for ink in (*inks, black)]
    return sum(means[:3]) - 2 * means[3]
