"""`--to cockatrice`: a card database (version 4), pictures and decks for Cockatrice.

The file's form is that of Cockatrice's own schema, doc/carddatabase_v4/cards.xsd; pictures are found by
the card's name below `pics/CUSTOM/`, and decks are what its deck editor saves (`.cod`).
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from cardgen.core.findings import UsageError
from cardgen.core.game import DeckList
from cardgen.core.services import CardDatabase, CardEntry
from cardgen.exports.job import ExportJob, Piece, PlannedFile, encoding_of, filled_in
from cardgen.pdf.pixels import RasterOptions

_UNFIT = re.compile(r'[<>:"\\|?*\x00-\x1f]')


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return the database, a picture a card, a deck a deck list, and how to install them. Raises UsageError
    if the cards that decks draw from are not exported."""
    database = job.database
    assert database is not None
    pool = next((each for each in job.components if each.id == database.component), None)
    if pool is None:
        message = f"the decks of {job.game.title} draw from '{database.component}', which is skipped"
        raise UsageError(message, f"--component {database.component}")
    entries = {entry.card.id: entry for entry in database.entries}
    files = [_file(f"customsets/{job.game.id}.xml", "\n".join(_database(job, database)))]
    taken: dict[str, str] = {}
    for piece in job.pieces(pool):
        name = file_name(entries[piece.card.id].name)
        other = taken.setdefault(name.casefold(), piece.card.id)
        if other != piece.card.id:
            job.findings.error(
                "cockatrice/picture",
                f"the pictures of '{piece.card.id}' and '{other}' would have the same name, {name}",
                job.game.where(piece.card),
                "make their names differ by more than punctuation and capitals",
            )
        files.append(_picture(job, piece, name))
    for deck in job.game.decks:
        files.append(_file(f"decks/{deck.id}.cod", "\n".join(_deck(deck, entries))))
    about = {"title": job.game.title, "version": job.game.version, "game": job.game.id}
    files.append(PlannedFile.of("README.txt", filled_in("cockatrice_readme.txt", **about).encode("utf-8")))
    return files


def file_name(card: str) -> str:
    """A card's name as Cockatrice looks for its picture: without signs that files can't have."""
    return _UNFIT.sub("", card.replace(" // ", "").replace("/", " ")).strip(" .")


def _file(name: str, text: str) -> PlannedFile:
    return PlannedFile.of(name, (text + "\n").encode("utf-8"))


def _element(name: str, text: str, indent: int) -> str:
    return f"{'  ' * indent}<{name}>{escape(text)}</{name}>"


def _database(job: ExportJob, database: CardDatabase) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<cockatrice_carddatabase version="4">'
    yield "  <info>"
    yield _element("author", job.game.author, 2)
    yield _element("sourceVersion", job.game.version, 2)
    yield "  </info>"
    yield "  <sets>"
    for each in database.sets:
        yield "    <set>"
        yield _element("name", each.name, 3)
        yield _element("longname", each.title, 3)
        yield _element("settype", each.type, 3)
        if each.released:
            yield _element("releasedate", each.released, 3)
        yield "    </set>"
    yield "  </sets>"
    yield "  <cards>"
    for entry in database.entries:
        yield from _card(job, entry)
    yield "  </cards>"
    yield "</cockatrice_carddatabase>"


def _card(job: ExportJob, entry: CardEntry) -> Iterator[str]:
    yield "    <card>"
    yield _element("name", entry.name, 3)
    if entry.text:
        yield _element("text", entry.text, 3)
    if entry.properties:
        yield "      <prop>"
        for key, value in entry.properties:
            yield _element(key, value, 4)
        yield "      </prop>"
    id = uuid.uuid5(uuid.NAMESPACE_URL, f"cardgen:{job.game.id}/{entry.card.component}/{entry.card.id}")
    attributes = {"uuid": str(id), "num": entry.number, "rarity": entry.rarity}
    stated = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if value)
    yield f"      <set{stated}>{escape(entry.set)}</set>"
    if entry.row is not None:
        yield _element("tablerow", str(entry.row), 3)
    yield "    </card>"


def _deck(deck: DeckList, entries: dict[str, CardEntry]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<cockatrice_deck version="1">'
    yield _element("deckname", deck.title, 1)
    yield _element("comments", deck.description, 1)
    yield '  <zone name="main">'
    for entry in deck.entries:
        yield f'    <card number="{entry.copies}" name={quoteattr(entries[entry.card].name)}/>'
    yield "  </zone>"
    yield "</cockatrice_deck>"


def _picture(job: ExportJob, piece: Piece, name: str) -> PlannedFile:
    """The card's face, its corners left square: Cockatrice rounds them itself."""
    encoding, dpi = encoding_of(job), job.whole_number("dpi")
    options = RasterOptions(dpi)
    return PlannedFile.of_picture(
        f"pics/CUSTOM/{name}{encoding.suffix}",
        ("cockatrice", job.look(piece.face), dpi, encoding),
        lambda: job.sides.image(piece.face, options=options),
        encoding,
        dpi,
    )
