"""What viewers call the pages of a sheet: the label of a page (ISO 32000-1, 12.4.2) leads to its cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.model.sheets import Page

FEW = 3
"""Cards that a label names one by one; of more it names the first and the last."""
MOST = 24
"""Characters of an id in a label. Viewers show some forty in their page box."""


def page_names(pages: Sequence[Page]) -> Iterator[str]:
    """The label of each page: its own number where it has one, else the ids of its cards in the order of
    the sheet, `fox, owl` or `fox … wren`, with `back` after them on a page of backs. Of pages that would
    have the same one, all but the first say which page they are. Without cards it is its side and place."""
    taken: set[str] = set()
    for number, page in enumerate(pages, start=1):
        if page.number is not None:
            yield page.number
            continue
        name = _cards(page) or f"{page.side} {number}"
        if name in taken:
            name = f"{name} (page {number})"
        taken.add(name)
        yield name


def _cards(page: Page) -> str:
    ids = list(dict.fromkeys(slot.card for slot in page.slots if slot.card))
    if not ids:
        return ""
    short = [card if len(card) <= MOST else f"{card[: MOST - 1]}…" for card in ids]
    names = ", ".join(short) if len(short) <= FEW else f"{short[0]} … {short[-1]}"
    return f"{names} back" if page.side == "back" else names
