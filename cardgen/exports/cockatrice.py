"""`--to cockatrice`: a card database (version 4), pictures and decks for Cockatrice.

The database follows Cockatrice's own schema, doc/carddatabase_v4/cards.xsd. Cockatrice finds pictures by
the card's name below `pics/CUSTOM/`, and decks have the format of its deck editor (`.cod`).
"""

from __future__ import annotations

import re
import uuid

from cardgen.core.findings import UsageError
from cardgen.core.services import CardDatabase
from cardgen.exports.job import ExportJob, PlannedFile, filled_in, side_picture

_UNFIT = re.compile(r'[<>:"\\|?*\x00-\x1f]')


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return the database, a picture for each card, a deck for each deck list, and installation
    instructions. Raises UsageError if the cards that decks use are not exported."""
    database = job.database
    assert database is not None
    pool = next((each for each in job.components if each.id == database.component), None)
    if pool is None:
        message = f"the decks of {job.game.title} draw from '{database.component}', which is skipped"
        command = f"cardgen export {job.game.id} --to cockatrice --component {database.component}"
        raise UsageError(message, f"export them too: {command}")
    names = {entry.card.id: entry.name for entry in database.entries}
    cards = filled_in("cockatrice_cards.xml", game=job.game, database=database, ids=_ids(job, database))
    files = [PlannedFile.of_text(f"customsets/{job.game.id}.xml", cards)]
    taken: dict[str, str] = {}
    for piece in job.pieces(pool):
        name = file_name(names[piece.card.id])
        other = taken.setdefault(name.casefold(), piece.card.id)
        if other != piece.card.id:
            job.findings.error(
                "cockatrice/picture",
                f"the pictures of '{piece.card.id}' and '{other}' would have the same name, {name}",
                job.game.where(piece.card),
                "make their names differ by more than punctuation and capitals",
            )
        # Cockatrice rounds the corners itself.
        place = f"pics/CUSTOM/{name}{job.encoding.suffix}"
        files.append(side_picture(job, place, piece.face, dpi=job.dpi))
    for deck in job.game.decks:
        text = filled_in("cockatrice_deck.xml", deck=deck, names=names)
        files.append(PlannedFile.of_text(f"decks/{deck.id}.cod", text))
    about = {"title": job.game.title, "version": job.game.version, "game": job.game.id}
    files.append(PlannedFile.of_text("README.txt", filled_in("cockatrice_readme.txt", **about)))
    return files


def _ids(job: ExportJob, database: CardDatabase) -> dict[str, uuid.UUID]:
    """Return an id for each card, the same in every export."""
    return {
        card.id: uuid.uuid5(uuid.NAMESPACE_URL, f"cardgen:{job.game.id}/{card.component}/{card.id}")
        for card in (entry.card for entry in database.entries)
    }


def file_name(card: str) -> str:
    """Return a card's file name as Cockatrice expects it: without characters that file names can't have."""
    return _UNFIT.sub("", card.replace(" // ", "").replace("/", " ")).strip(" .")
