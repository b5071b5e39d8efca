"""The shipped rulebooks' rhythm: pages are full to their foot, but where the book ends."""

from __future__ import annotations

import pytest

from cardgen.commands.production import stages as production
from cardgen.core.artwork import Placed, SetText
from cardgen.core.book import BookPage
from cardgen.core.findings import Findings
from tests.for_each import for_each
from tests.shipped import shipped

FOOT = 199.0
"""mm, on a half-letter page: below it stands the page's number alone."""


def depth(page: BookPage) -> float:
    """How far down a page its text and cards reach, mm."""
    ends = [0.0]
    for item in page.artwork.items:
        if isinstance(item, SetText):
            ends += [item.matrix.f + run.y for run in item.runs]
        elif isinstance(item, Placed):
            ends.append(item.matrix.apply(item.trim.right, item.trim.bottom)[1])
    return max(end for end in ends if end < FOOT)


@pytest.mark.long
@for_each(("name", "least"), [("access-denied", 145.0), ("blockminers", 165.0), ("hackers", 148.0)])
def test_no_page_of_a_rulebook_is_left_empty(name: str, least: float) -> None:
    """From the first chapter up to the last one's page; 182 mm is all that there is."""
    game = shipped(name)
    made = production.render_book(game, game.component("rules"), Findings(), low_ink=False)
    assert made is not None
    pages = made.book.pages
    last = max(number for number, page in enumerate(pages) if page.headings)
    short = {page.number: round(depth(page)) for page in pages[2:last] if depth(page) < least}
    assert not short
