"""`cardgen playtest`: begin the record of a game that is played, and the form to fill in at the table or on
the page of `cardgen preview`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.choices import language_folder, own_folder
from cardgen.commands.production.turns import in_turn
from cardgen.core.findings import Findings, UsageError
from cardgen.files.listing import check_place
from cardgen.files.reading import is_there

if TYPE_CHECKING:
    from cardgen.core.game import Card, Component, Game
    from cardgen.files.project import Project

_SCHEMA_LINE = "# yaml-language-server: $schema=../../../schemas/playtest.schema.json"
MOST_A_DAY = 99
"""Most records of one day."""


@in_turn
def begin_playtest(
    game: Game, project: Project, *, on: date | None = None, output: Path | None = None
) -> tuple[Path, Path]:
    """Write a record with a line for each card, `data/GAME/playtests/DATE.yaml`, and a form to print,
    `GAME/playtest.pdf` below the project's `output/`, or below `output`. Return their paths. `on` is the
    day, by default today.

    Raises UsageError for a game without cards, and for one that ships with cardgen, CardgenError if a file
    can't be written.
    """
    from cardgen.commands.check.report_parts import report_faces
    from cardgen.files.changes import Changes
    from cardgen.files.writing import write_bytes
    from cardgen.game.playtests import FOLDER
    from cardgen.rules.reports import form_pdf

    home = own_folder(project, game.id, "playtests")
    parts = [each for each in game.components if each.kind == "card" and each.cards]
    if not parts:
        raise UsageError(f"{game.title} has no cards to count", "add some: cardgen add cards")
    check_place(home / FOLDER, project.root, within=False)
    path = _free(home / FOLDER, (on or date.today()).isoformat())
    written = _record(game, parts, path.stem[: len("2000-01-01")]).encode("utf-8")
    form = form_pdf(
        {
            "title": game.title,
            "version": game.version,
            "author": game.author,
            "file": project.show(path),
            "parts": [
                {"title": each.title, "cards": [_name(card) for card in each.cards]} for each in parts
            ],
        },
        report_faces(),
    )
    folder = project.output(game.id, output, *language_folder(game))
    with Changes(folder) as changes:
        changes.write_bytes("playtest.pdf", form)
        changes.commit()
    path.parent.mkdir(exist_ok=True)
    write_bytes(path, written)
    return path, folder / "playtest.pdf"


def record_playtest(project: Project, game_id: str, version: str, values: Mapping[str, Any]) -> str:
    """Write the record of a game that was played, with the `values` of its schema, as a new file; return
    its name in the project. Cards that nobody drew are left out.

    Raises UsageError for a game that ships with cardgen and for a date that is none, CardgenError for
    values that the schema refuses and for cards played more often than drawn.
    """
    from cardgen.files.changes import Changes
    from cardgen.files.listing import ProjectFolders
    from cardgen.files.memory import hold
    from cardgen.game.playtests import FOLDER, SCHEMA, folder_of, tally_in
    from cardgen.game.sources import Subject, load_checked

    home = own_folder(project, game_id, "playtests")
    try:
        day = date.fromisoformat(str(values.get("date"))).isoformat()
    except ValueError:
        raise UsageError("the date is missing", "write it as 2026-11-29") from None
    check_place(home / FOLDER, project.root, within=False)
    lines = [_SCHEMA_LINE, f"date: {json.dumps(day)}", f"version: {json.dumps(version)}"]
    for key in ("players", "minutes", "notes"):
        if values.get(key):
            lines.append(f"{key}: {json.dumps(values[key], ensure_ascii=False)}")
    cards = values.get("cards")
    lines.append("cards:" if isinstance(cards, dict) and cards else "cards: {}")
    for component, counts in cards.items() if isinstance(cards, dict) else ():
        lines.append(f"  {json.dumps(component)}:")
        drawn = counts if isinstance(counts, dict) else {}
        lines += [f"    {json.dumps(id)}: {json.dumps(each)}" for id, each in drawn.items()]
    file = f"{folder_of(game_id)}/{_free(home / FOLDER, day).name}"
    content = "\n".join(lines) + "\n"
    held, findings = hold({file: content}), Findings()
    document = load_checked(ProjectFolders((held.root, *project.paths.roots), held), file, SCHEMA, findings)
    if document is not None:
        for component, counts in document.data["cards"].items():
            for id in counts:
                tally_in(Subject(document, findings, ("cards", component, id)))
    findings.raise_if_errors()
    with Changes(project.root) as changes:
        changes.write_bytes(file, content.encode("utf-8"))
        changes.commit()
    return file


def _free(folder: Path, day: str) -> Path:
    names = (f"{day}.yaml", *(f"{day}-{number}.yaml" for number in range(2, MOST_A_DAY + 1)))
    for name in names:
        if not is_there(folder / name):
            return folder / name
    raise UsageError(f"there are {MOST_A_DAY} playtests of {day}", "delete those that weren't played")


def _record(game: Game, parts: list[Component], day: str) -> str:
    lines = [
        _SCHEMA_LINE,
        f"date: {day}",
        f"version: {json.dumps(game.version)}",
        "# players: 3",
        "# minutes: 45",
        "# notes: What the players said.",
        "cards:",
    ]
    for component in parts:
        lines.append(f"  {component.id}:")
        lines += [f"    {card.id}: {{ drawn: 0, played: 0, won: 0 }}" for card in component.cards]
    return "\n".join(lines) + "\n"


def _name(card: Card) -> str:
    """Return the name by which players know a card, else its id."""
    name = card.fields.get("title") or card.fields.get("name")
    return name if isinstance(name, str) else card.id
