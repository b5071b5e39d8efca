"""A game and its judged rules as a report to read: a page, a book, or JSON for programs.

`fields` reads what the cards' fields are, `content` collects what a report says, `charts` draws, and
`html`, `pdf` and `json` are the formats, each imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cardgen.checking.results import RuleResult
from cardgen.model.game import Game
from cardgen.reports.content import Report, collect
from cardgen.reports.typefaces import Faces

__all__ = ["FORMATS", "Faces", "Report", "collect", "report"]


def _html(content: Report, faces: Faces) -> bytes:
    from cardgen.reports.html import write_page

    return write_page(content, faces)


def _pdf(content: Report, faces: Faces) -> bytes:
    from cardgen.reports.pdf import write_book

    return write_book(content, faces)


def _json(content: Report, faces: Faces) -> bytes:
    from cardgen.reports.json import write_summary

    return write_summary(content)


FORMATS: Mapping[str, Callable[[Report, Faces], bytes]] = {"html": _html, "pdf": _pdf, "json": _json}


def report(game: Game, results: Sequence[RuleResult], format: str, faces: Faces) -> bytes:
    """A report as the content of a file. The same input gives the same bytes.

    KeyError for a format that is not in FORMATS.
    """
    return FORMATS[format](collect(game, results), faces)
