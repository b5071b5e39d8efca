"""What one fills in to put a table on the Steam Workshop: a picture, a description, and a list."""

from __future__ import annotations

import re

from cardgen.drawing.raster import encode_png
from cardgen.exporting.job import PlannedFile, digest_of
from cardgen.exporting.tts.overview import Overview
from cardgen.exporting.tts.side_images import fitted
from cardgen.model.game import Game
from cardgen.model.table import Table

THUMBNAIL = 512
"""Pixels of a side of the picture: it is shown as a square, and may have 1 MB."""


def workshop_kit(
    game: Game, table: Table, setup: str, overview: Overview, *, hosted: bool
) -> list[PlannedFile]:
    """The files of `workshop/`. `hosted` says that pictures are on the web already."""
    picture = PlannedFile(
        "workshop/thumbnail.png",
        digest_of(overview.digest(), "workshop", THUMBNAIL),
        lambda out: out.write(encode_png(fitted(overview.draw(), THUMBNAIL))),
    )
    texts = {
        "description.txt": described(game, table, setup),
        "upload.txt": _upload(game, table, hosted=hosted),
    }
    return [picture, *(PlannedFile.of(f"workshop/{name}", text.encode()) for name, text in texts.items())]


def described(game: Game, table: Table, setup: str) -> str:
    """The description in the Workshop's markup."""
    parts = [f"[h1]{plain(game.title)}[/h1]", plain(game.description)]
    facts = [_players(game), *_minutes(table), f"By {plain(game.author)}", f"Version {plain(game.version)}"]
    parts.append("[list]\n" + "\n".join(f"[*] {fact}" for fact in facts) + "\n[/list]")
    if setup:
        parts.append(f"[h2]Set-up[/h2]\n{plain(setup)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(text: str) -> str:
    """A text in which nothing is markup: square brackets are round there."""
    return re.sub(r"[\[\]]", lambda found: "(" if found[0] == "[" else ")", text).strip()


def _players(game: Game) -> str:
    least, most = game.players
    return f"{least} to {most} players" if least < most else f"{least} players"


def _minutes(table: Table) -> list[str]:
    least, most = table.minutes
    if not most:
        return []
    return [f"{least} to {most} minutes" if least < most else f"{least} minutes"]


def _upload(game: Game, table: Table, *, hosted: bool) -> str:
    tags = ", ".join(table.tags) or "none stated: tags: [...] under workshop: in the game's table.yaml"
    minutes = " ".join(_minutes(table)) or "not stated: minutes: [45, 90] under workshop: in table.yaml"
    web = (
        "The pictures are on the web; look at the table from another computer before you upload it."
        if hosted
        else "Let the Cloud Manager upload all pictures first: nobody else sees those of this computer."
    )
    return (
        f"To put {game.title} on the Workshop: load its table in Tabletop Simulator, open the Workshop\n"
        "upload, and fill in\n\n"
        f"name         {game.title}\n"
        "description  description.txt\n"
        "thumbnail    thumbnail.png\n"
        f"tags         {tags}\n"
        f"players      {_players(game)}\n"
        f"time         {minutes}\n\n{web}\n"
    )
