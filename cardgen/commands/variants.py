"""What a build's files are called: a narrowed or varied sheet does not take the place of the sheet."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cardgen.commands.choices import DEFAULT_PAPER, BuildOptions, is_pattern

if TYPE_CHECKING:
    from cardgen.model.game import GameSheet
    from cardgen.model.sheets import ImposedSheet, SheetLayout

MOST_NAMED = 3
"""Most cards that a file's name names."""


def file_stem(
    sheet: GameSheet,
    layout: SheetLayout,
    imposed: ImposedSheet,
    options: BuildOptions,
    *,
    is_book: bool,
    incomplete: bool = False,
) -> str:
    """The name of a sheet's file without `.pdf`: the sheet's, then, each after a dot, what makes this
    build another one. Names of sheets and of all else in it have no dots."""
    parts = [f"{sheet.name}-low-ink" if options.low_ink else sheet.name]
    if not is_book:  # a book is always the whole of it
        chosen = [id for id in sheet.components if id in options.components]
        if options.components and chosen != list(sheet.components):
            parts += chosen
        if options.cards:
            parts.append(_cards(options.cards))
        if options.changed_since is not None:
            parts.append(f"since-{options.changed_since[:10]}")
        if options.players is not None:
            parts.append(f"{options.players}-players")
    if imposed.paper != DEFAULT_PAPER and imposed.paper in options.papers:
        parts.append(imposed.paper)
    in_pairs = not is_book or layout.grid == "booklet"
    # A sheet without backs stays as it is, and so may one that can't be folded. Pages of single sides have
    # the same backs for every edge.
    gains_backs = layout.grid == "single" and layout.duplex == "none"
    in_this_way = options.duplex == imposed.duplex or (options.duplex is not None and gains_backs)
    if in_pairs and in_this_way and options.duplex != layout.duplex:
        parts.append(f"duplex-{options.duplex}")
    if not is_book and not options.backs:
        parts.append("no-backs")
    if in_pairs and options.printer is not None:
        parts.append(f"printer-{options.printer}")
    if options.image_dpi is not None:
        parts.append(f"{options.image_dpi}-dpi")
    if options.press is not None:
        parts.append("cmyk")
    if "spot" in options.cut and not is_book:
        parts.append("cuts")
    if incomplete:
        parts.append("incomplete")
    return ".".join(parts)


def _cards(ids: tuple[str, ...]) -> str:
    """What stands for chosen cards: their ids if they are few. Patterns can't stand in a file's name."""
    named = sorted(set(ids))
    patterns = any(map(is_pattern, named))
    if len(named) <= MOST_NAMED and not patterns:
        return ".".join(named)
    digest = hashlib.blake2b(" ".join(named).encode(), digest_size=3).hexdigest()
    return f"cards-{digest}" if patterns else f"{len(named)}-cards-{digest}"
