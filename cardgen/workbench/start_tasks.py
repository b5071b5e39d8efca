"""Tasks for the page that starts a game: draw what it would look like, and make it. Data is plain, as in
module tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import UsageError
from cardgen.core.progress import tell
from cardgen.files.project import Project
from cardgen.workbench.states import plain_findings

if TYPE_CHECKING:
    from cardgen.commands.data.table_decks import NewGame
    from cardgen.workbench.bench import Bench
    from cardgen.workbench.states import CardPlace, CardState

Order = Mapping[str, Any]

MOST_OF_STARTER, MOST_OF_TABLE = 2, 6
"""Cards that are drawn of a game."""
_SAMPLE = "my-game"


def starter_pictures(order: Order) -> dict[str, Any]:
    """Draw the cards of the starter `name`, whose project is made in the folder `into` → `pictures`."""
    from cardgen.commands.data.new import new_project

    folder = new_project(_SAMPLE, Path(order["into"]), template=order["name"] or None)
    return {"pictures": _pictures(Project.open(folder), _SAMPLE, int(order["px"]), MOST_OF_STARTER)}


def sample_game(order: Order) -> dict[str, Any]:
    """Make the game `name` of a spreadsheet (`file`, in the server's own folder) in the folder `into` → its
    cards in `pictures` and in words."""
    new = _from_table(order["name"], order["into"], order)
    project = Project.open(new.folder)
    return {**_told(new), "pictures": _pictures(project, order["name"], int(order["px"]), MOST_OF_TABLE)}


def new_game(order: Order) -> dict[str, Any]:
    """Make the project `name` in the folder `into`, of a spreadsheet (`file`) or the starter `starter` →
    `project`, `game`."""
    from cardgen.commands.data.new import local_paper, new_project

    name, into = order["name"], order["into"]
    paper = local_paper()
    tell("making the game", 0, 1)
    if order.get("file") is not None:
        new = _from_table(name, into, order, paper)
        return {"project": str(new.folder), "game": name, **_told(new)}
    folder = new_project(name, Path(into), template=order.get("starter") or None, paper=paper)
    return {"project": str(folder), "game": name}


def _from_table(name: str, into: str, order: Order, paper: str | None = None) -> NewGame:
    from cardgen.commands.data.table_decks import new_from_table

    tell("reading the spreadsheet", 0, 1)
    return new_from_table(name, Path(into), order["file"], look=order.get("look"), paper=paper)


def _told(new: NewGame) -> dict[str, Any]:
    """Return a game made of a table in words."""
    return {
        "cards": new.cards,
        "shown": {use: list(headers) for use, headers in new.shown.items()},
        "left_out": list(new.left_out),
        "skipped": list(new.skipped),
        "missing": len(new.missing),
        "findings": plain_findings(new.findings),
    }


def _pictures(project: Project, game: str, px: int, most: int) -> list[dict[str, Any]]:
    """Draw cards of each component as PNG files in the project's output → `file`, `title`, size in mm."""
    from cardgen.files.writing import write_bytes
    from cardgen.workbench.bench import Bench

    bench = Bench(project, game)
    bench.refresh()
    each = max(1, most // max(1, len(bench.state.components)))
    found: list[dict[str, Any]] = []
    for component in bench.state.components:
        for place in [card.place for card in bench.state.cards if card.component == component.id][:each]:
            card = _rendered(bench, place)
            key = card.face.key if card.face is not None else ""
            content = bench.picture(key, px) if key and len(found) < most else None
            if content is not None:
                tell("drawing", len(found), most)
                path = project.root / f"output/{len(found)}.png"
                write_bytes(path, content)
                title = str(card.fields.get("title") or card.fields.get("name") or card.id)
                found.append(
                    {
                        "file": str(path),
                        "title": title,
                        "size": list(card.trim),
                        "round": component.shape == "ellipse",
                    }
                )
    return found


def _rendered(bench: Bench, place: CardPlace) -> CardState:
    """Return a card as soon as its face is known."""
    while True:
        card = next(each for each in bench.state.cards if each.place == place)
        if card.face is None or card.face.key or bench.is_idle:
            return card
        bench.idle()


def checked_id(name: object) -> str:
    """Return a game's id. Raises UsageError for anything else."""
    from cardgen.commands.data.new import check_game_id

    if not isinstance(name, str):
        raise UsageError("name the game")
    check_game_id(name)
    return name


TASKS: dict[str, Callable[[Order], dict[str, Any]]] = {
    task.__name__: task for task in (starter_pictures, sample_game, new_game)
}
