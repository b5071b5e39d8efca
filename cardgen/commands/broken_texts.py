"""Texts of a game that were read in another encoding than they were written in, or have lost letters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from jinja2.exceptions import TemplateError

from cardgen.findings import Findings, Location
from cardgen.loading.broken_data import broken_data
from cardgen.model.game import Game
from cardgen.rendering.templates import Templates
from cardgen.rendering.templating import TemplateLoader
from cardgen.storage.reading import MARKDOWN, ReadingError, read_file
from cardgen.tables.mojibake import broken_words

MOST = 200
"""Texts that are named."""
_SAVE = "then save the file as UTF-8, or export it again with that encoding"


def say_broken(game: Game, templates: Templates, findings: Findings) -> None:
    """Add a warning for each text of a game that seems to be broken: in data, translations, names of sheets
    and columns, templates and rulebooks."""
    for words, meant, place in islice(_broken(game, templates), MOST):
        if words == meant:
            message = f"'{words[:80]}' has lost a letter to a wrong encoding (U+FFFD)"
            hint = f"type it again, {_SAVE}"
        else:
            message = f"'{words[:80]}' was read in a wrong encoding"
            hint = f"did you mean '{meant[:80]}'? {_SAVE}"
        findings.warning("text/encoding", message, place, hint)


def _broken(game: Game, templates: Templates) -> Iterator[tuple[str, str, Location]]:
    yield from broken_data(game.locator.documents())
    for name, text in _texts(game, templates):
        if not text.isascii():
            for number, line in enumerate(text.split("\n"), 1):
                if (found := broken_words(line)) is not None:
                    yield *found, Location(name, number, line.find(found[0]) + 1)


def _texts(game: Game, templates: Templates) -> Iterator[tuple[str, str]]:
    """The templates of a game's cards and what these use, and its rulebooks, by their names."""
    loader = TemplateLoader(game.paths)
    stated = {name for card in game.cards() for name in (card.face, card.back) if name is not None}
    for name in sorted(stated.union(*(templates.used(name) or () for name in stated))):
        try:
            yield f"templates/{name}", loader.source(name)
        except TemplateError:  # rendering says it
            continue
    for file in sorted({each.book.file for each in game.components if each.book is not None}):
        path = game.paths.find(file)
        try:
            text = b"" if path is None else read_file(path, MARKDOWN, file, game.paths.roots)
        except ReadingError:  # the book says it
            continue
        yield file, text.decode("utf-8", "ignore")
