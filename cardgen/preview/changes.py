"""What changed since a git revision, with the pictures of how it was."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.model.game import ProjectPaths
from cardgen.preview.lanes import Lane
from cardgen.preview.rooms import OPENING, Room, Variant
from cardgen.project import Project, bundled_root
from cardgen.workbench.states import State

if TYPE_CHECKING:
    from cardgen.workbench.bench import Bench

MOST_OLD = 3
"""Old states that are held for their pictures."""

Plain = dict[str, Any]


class Changes:
    """Compares, in a process of its own; the pictures of old states are drawn by benches of the room."""

    def __init__(self, room: Room) -> None:
        self._room, self._lane = room, Lane()
        self._known: dict[tuple[str, Variant, int], Plain] = {}
        self._benches: dict[tuple[str, Variant], Bench] = {}

    async def close(self) -> None:
        """End, with the process."""
        await self._lane.close()

    async def revisions(self) -> Plain:
        """What a comparison may begin from. Raises FailedError where there is no repository."""
        return await self._lane.do("revisions", self._order(Variant()))

    async def since(self, rev: str, variant: Variant) -> Plain:
        """What changed since a revision. Raises FailedError for one that there is not."""
        bench = await self._room.bench(variant)
        saves = self._room.saves
        found = await self._lane.do(
            "since", {**self._order(variant), "rev": rev, "low_ink": variant.low_ink}
        )
        known = found["commit"], variant, saves
        if known not in self._known:
            old = await self._old(found["commit"], Path(found["root"]), variant)
            await self._room.know_sides(old)
            await self._room.know_sides(bench)
            self._known = {known: _answer(found, old.state, bench.state)}
        return {"rev": rev, **self._known[known]}

    def _order(self, variant: Variant) -> Plain:
        room = self._room
        return {"project": str(room.project.root), "game": room.game, "language": variant.language}

    async def _old(self, commit: str, root: Path, variant: Variant) -> Bench:
        key = commit, variant
        if key not in self._benches:
            while len(self._benches) >= MOST_OLD:
                self._room.discard(self._benches.pop(next(iter(self._benches))))
            paths = self._room.project.paths.roots
            roots = (root,) if self._room.project.root == bundled_root() else (root, *paths[1:])
            project = Project(root, ProjectPaths(roots))
            from cardgen.workbench.bench import Bench

            bench = Bench(project, self._room.game, language=variant.language, low_ink=variant.low_ink)
            await self._room.do(OPENING, partial(bench.refresh, whole=True))
            self._benches[key] = bench
            self._room.add(bench)
        return self._benches[key]


def _answer(found: Plain, old: State, new: State) -> Plain:
    """Differences with the keys of pictures."""
    before = {card.place: card for card in old.cards}
    after = {card.place: card for card in new.cards}

    def sides(change: Plain) -> Plain:
        was = before.get((change["component"], change["card"]))
        now = after.get((change["component"], change["card"]))
        keys: Plain = {}
        for name in ("face", "back"):
            pair = {
                "old": side.key if was is not None and (side := getattr(was, name)) else None,
                "new": side.key if now is not None and (side := getattr(now, name)) else None,
            }
            alike = change["kind"] == "changed" and name not in change["looks_different"]
            keys[name] = None if alike else pair
        return {**change, "id": change["card"], **keys}

    cards = [sides(change) for change in found["cards"]]
    return {
        "commit": found["commit"],
        "changed": [change for change in cards if change["kind"] == "changed"],
        "new": [change for change in cards if change["kind"] == "new"],
        "removed": [change for change in cards if change["kind"] == "removed"],
        "settings": found["settings"],
        "uncompared": found["uncompared"],
        "notes": found["notes"],
    }
