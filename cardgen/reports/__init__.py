"""A game and its judged rules as a report to read: a page, a book, or JSON for programs.

`fields` reads what the cards' fields are, `content` collects what a report says, `charts` draws them,
`html`, `pdf` and `json` are the formats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module

from cardgen.checking.results import RuleResult
from cardgen.findings import Finding
from cardgen.model.game import Game
from cardgen.reports.compared import Earlier
from cardgen.reports.content import Report, collect
from cardgen.reports.press import PressPage
from cardgen.reports.typefaces import Faces

__all__ = ["FORMATS", "Earlier", "Faces", "PressPage", "Report", "collect", "report"]

FORMATS = ("html", "pdf", "json")
"""Each a module with a function `write(report, faces)`, imported when it is asked for."""


def report(
    game: Game,
    results: Sequence[RuleResult],
    format: str,
    faces: Faces,
    cross: Sequence[tuple[str, str]] = (),
    earlier: Earlier | None = None,
    pictures: Mapping[Finding, bytes] | None = None,
    *,
    press: PressPage | None = None,
) -> bytes:
    """A report as the content of a file, with a page on a press if there is one. The same input gives the
    same bytes. `cross` are pairs of fields that get a cross-table; `earlier` is the game as it was, to be
    compared with; `pictures` are PNG files of the cards that findings stand at, which pages show.

    KeyError for a format that is not in FORMATS, UsageError for a pair that no component has.
    """
    if format not in FORMATS:
        raise KeyError(format)
    collected = replace(collect(game, results, cross, earlier, pictures), press=press)
    content: bytes = import_module(f"cardgen.reports.{format}").write(collected, faces)
    return content
