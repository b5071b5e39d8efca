"""The page that is shown where there is no game yet: starters, spreadsheets, and the games of a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardgen.core.findings import CardgenError, UsageError
from cardgen.files.listing import names_in
from cardgen.files.project import Project, bundled_root
from cardgen.files.reading import OUTPUT, RASTERS, read_file
from cardgen.files.table_formats import FORMATS
from cardgen.workbench.server.app import FOREVER, PAGE, read_json, refusals
from cardgen.workbench.server.rooms import FailedError, Lane, died
from cardgen.workbench.server.uploads import Uploads
from cardgen.workbench.start_tasks import checked_id
from cardgen.workbench.states import plain_findings

Plain = dict[str, Any]
Opened = Callable[[Project, str], Awaitable[None]]

PX = 260
"""The width of the pictures of starters and spreadsheets."""
MOST_LISTED = 200
"""Games of a folder that can be opened from the page."""
TABLES = tuple(ending for ending in FORMATS if ending != ".json")
PICTURES = (".svg", *RASTERS)


class Start:
    """The games that the start page shows and makes in a folder. `folder` is the server's own, which
    is deleted with it; `opened` shows a game instead of this page."""

    def __init__(self, project: Project, folder: Path, opened: Opened) -> None:
        self._project, self._folder, self._opened = project, folder, opened
        self._drawing, self._making = Lane(), Lane()
        self.uploads = Uploads(folder)
        self._starters: dict[str, asyncio.Task[list[Plain]]] = {}
        self._pictures: dict[str, Path] = {}
        self._samples = 0

    async def close(self) -> None:
        """End the processes that draw and make games."""
        for task in self._starters.values():
            task.cancel()
        await asyncio.gather(*self._starters.values(), return_exceptions=True)
        await self._drawing.close()
        await self._making.close()

    def plain(self) -> Plain:
        """Return the folder, its games, ours, and the starters."""
        from cardgen.commands.data.starters import list_starters
        from cardgen.commands.data.table_decks import look_list

        starters = [{"name": "", "about": "A small deck with icons and two rules."}]
        starters += [{"name": each.name, "about": each.about} for each in list_starters()]
        own = set(self._project.own_games())
        return {
            "folder": self._project.root.name,
            "starters": starters,
            "games": [{"folder": folder, "game": game} for folder, game in self._games()],
            "examples": [game for game in self._project.games() if game not in own],
            "looks": look_list(),
            "tables": list(TABLES),
            "pictures": list(PICTURES),
        }

    def _games(self) -> list[tuple[str, str]]:
        """Return the games of the project, and of the projects in the folder, with their folders."""
        root = self._project.root
        found = [("", game) for game in self._project.own_games()]
        if root == bundled_root():
            return found
        for name in names_in(root, root.name, (root,), ""):
            folder = root / name
            if name.startswith(".") or folder.is_symlink() or not folder.is_dir():
                continue
            found += [(name, game) for game in Project.open(folder).own_games()]
            if len(found) >= MOST_LISTED:
                break
        return found[:MOST_LISTED]

    async def starter(self, name: str) -> list[Plain]:
        """Return the pictures of a starter, drawn on the first request. Raises UsageError for an unknown
        one."""
        if name not in {each["name"] for each in self.plain()["starters"]}:
            raise UsageError(f"there is no starter '{name}'")
        if name not in self._starters:
            self._starters[name] = asyncio.create_task(self._draw_starter(name))
        await asyncio.wait([self._starters[name]])
        if self._starters[name].cancelled():
            raise died()
        return self._starters[name].result()

    async def _draw_starter(self, name: str) -> list[Plain]:
        made = await self._drawing.do("starter_pictures", {"name": name, "into": self._new(), "px": PX})
        return self._keep(made["pictures"])

    async def sample(self, asked: Plain) -> Plain:
        """Return what a game of an uploaded spreadsheet, or one at an address, would look like."""
        from cardgen.commands.data.new import suggested_id
        from cardgen.commands.data.table_decks import is_link

        file = self._table(asked)
        name = suggested_id("" if is_link(file) else Path(file).name)
        order: Plain = {"name": name, "into": self._new(), "file": file, "px": 2 * PX}
        order["look"] = _look(asked)
        made = await self._making.do("sample_game", order)
        return {**made, "pictures": self._keep(made["pictures"]), "name": name}

    async def make(self, asked: Plain) -> Plain:
        """Make a game in the folder and show it."""
        name, starter = checked_id(asked.get("name")), asked.get("starter")
        order: Plain = {"name": name, "into": str(self._project.root)}
        if starter is None:
            order |= {"file": self._table(asked), "look": _look(asked)}
        elif isinstance(starter, str):
            order["starter"] = starter
        else:
            raise UsageError("name the starter")
        made = await self._making.do("new_game", order)
        await self._opened(Project.open(made["project"]), made["game"])
        return {"game": made["game"]}

    async def open(self, asked: Plain) -> Plain:
        """Show one of the games of `plain`. Raises UsageError for any other."""
        folder, game = asked.get("folder"), asked.get("game")
        about = self.plain()
        if {"folder": folder, "game": game} in about["games"]:
            project = Project.open(self._project.root / str(folder)) if folder else self._project
        elif folder is None and game in about["examples"]:
            project = self._project
        else:
            raise UsageError("there is no such game in this folder")
        await self._opened(project, str(game))
        return {"game": game}

    def _table(self, asked: Plain) -> str:
        """Return the spreadsheet that a game is made of: an uploaded file or an address (`link`)."""
        from cardgen.commands.data.pull import checked_link

        if "link" in asked:
            return checked_link(asked["link"])
        return str(self.uploads.file(asked.get("upload"), asked.get("file")))

    def picture(self, key: str) -> bytes | None:
        """Return a picture by its key."""
        path = self._pictures.get(key)
        return None if path is None else read_file(path, OUTPUT, path.name, (self._folder,))

    def _new(self) -> str:
        self._samples += 1
        return str(self._folder / f"sample-{self._samples}")

    def _keep(self, pictures: list[Plain]) -> list[Plain]:
        found = []
        for each in pictures:
            key = str(len(self._pictures))
            self._pictures[key] = Path(each["file"])
            found.append({**each, "file": None, "key": key})
        return found


def _look(asked: Plain) -> str | None:
    """Return the look that a page asks for. Raises UsageError for an unknown one."""
    from cardgen.commands.data.table_decks import look_called

    look = asked.get("look")
    return None if look is None else look_called(str(look))


def start_application(start: Start) -> Starlette:
    """Return the addresses of the start page."""

    async def page(request: Request) -> Response:
        return FileResponse(PAGE / "start.html")

    async def about(request: Request) -> Response:
        try:
            return JSONResponse(await asyncio.to_thread(start.plain))
        except CardgenError as error:
            raise FailedError(plain_findings(error.findings)) from None

    async def starter(request: Request) -> Response:
        return JSONResponse({"pictures": await start.starter(request.query_params.get("name", ""))})

    async def picture(request: Request) -> Response:
        found = start.picture(request.path_params["key"])
        return Response(found, 404 if found is None else 200, media_type="image/png", headers=FOREVER)

    def posted(does: Callable[[Plain], Awaitable[Plain]]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            return JSONResponse(await does(await read_json(request)))

        return answer

    async def upload(asked: Plain) -> Plain:
        return start.uploads.put(asked, (*TABLES, *PICTURES))

    actions = {"upload": upload, "sample": start.sample, "new": start.make, "open": start.open}
    routes = [
        Route("/", page),
        Route("/index.html", page),
        Route("/start.json", about),
        Route("/starter.json", starter),
        Route("/picture/{key:str}.png", picture),
        *(Route(f"/start/{name}", posted(does), methods=["POST"]) for name, does in actions.items()),
        Mount("/", StaticFiles(directory=PAGE)),
    ]
    return Starlette(routes=routes, exception_handlers=refusals())
