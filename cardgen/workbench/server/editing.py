"""Edits of the page: written to the game's files, undone and redone."""

from __future__ import annotations

import os
import zlib
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.records import dataclass, field
from cardgen.workbench.server.rooms import REFRESHING, FailedError, Room
from cardgen.workbench.states import plain_findings

if TYPE_CHECKING:
    from cardgen.commands.data.card_edits import CardEditor

T = TypeVar("T")
Plain = dict[str, Any]

MOST_UNDONE = 500
MOST_UNDONE_BYTES = 64_000_000
"""Packed bytes of the steps that can be undone."""


@dataclass(slots=True)
class _Step:
    """A step that can be undone: the packed old content of its files, and the new one, which is packed once
    the step is complete. Edits with the same `group` are one step."""

    label: str
    group: str
    files: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    is_packed: bool = False

    def pack(self) -> None:
        """Pack the new content: while somebody types, it is replaced at every key."""
        if not self.is_packed:
            self.files = {file: (old, zlib.compress(new, 1)) for file, (old, new) in self.files.items()}
            self.is_packed = True

    @property
    def size(self) -> int:
        return sum(len(before) + len(after) for before, after in self.files.values())


class Edits:
    """The edits of this run. Files are only written if nobody else has changed them meanwhile."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._editor: CardEditor | None = None
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._own: dict[str, tuple[int, int]] = {}
        """The time and size of the files that were written last, by their paths."""

    def is_own(self, path: str) -> bool:
        """Return True if a file is as an edit left it."""
        real = os.path.realpath(path)
        return real in self._own and self._own[real] == _stat(real)

    async def form(self, component: str, card: str | None) -> Plain:
        """Return a component's fields, and its cards or one of them, as they are in their files."""
        return await self._do(lambda: self._cards().form(component, card))

    async def make(self, asked: Plain) -> Plain:
        """Make edits; return whether they were saved, and the problems or conflicts."""
        edits, label, group = asked.get("edits"), asked.get("label", ""), asked.get("group", "")
        if not isinstance(edits, list) or not isinstance(label, str) or not isinstance(group, str):
            raise UsageError("name the edits, as a list")
        anyway = asked.get("anyway") is True
        return await self._do(lambda: self._make(edits, label[:80], group[:80], anyway=anyway))

    async def knobs(self) -> Plain:
        """Return the settings of the game that are controls."""
        from cardgen.commands.data.knobs import knobs

        return {"groups": await self._do(lambda: knobs(self._room.project, self._room.game))}

    async def turn(self, asked: Plain) -> Plain:
        """Change a setting; return whether it was saved, and the problems."""
        file, path = asked.get("file"), asked.get("path")
        if (
            not isinstance(file, str)
            or not isinstance(path, list)
            or not all(isinstance(x, str) for x in path)
        ):
            raise UsageError("name the file and the keys of the setting")
        return await self._do(lambda: self._turn(file, tuple(path), asked))

    async def put_art(self, asked: Plain) -> Plain:
        """Save a picture among the game's own; return its name for a card and its file."""
        component, name, data = (asked.get(key) for key in ("component", "name", "data"))
        if not (isinstance(component, str) and isinstance(name, str) and isinstance(data, str)):
            raise UsageError("name the component, the picture and its content")
        try:
            content = b64decode(data, validate=True)
        except ValueError:
            raise UsageError("the picture's content is not base64") from None
        value, file = await self._do(lambda: self._cards().put_art(component, name, content))
        return {"value": value, "file": file}

    async def record(self, asked: Plain) -> Plain:
        """Save the record of a playtest in a file of its own; return its name, or the problems."""
        from cardgen.commands.data.playtest import record_playtest

        room = self._room
        version = str((await room.bench(room.first)).state.game.get("version", ""))
        try:
            file = await self._do(lambda: record_playtest(room.project, room.game, version, asked))
        except FailedError as error:
            return {"findings": error.findings}
        return {"file": file}

    async def turn_back(self, *, forward: bool) -> Plain:
        """Undo the last step, or redo it."""
        return await self._do(lambda: self._turn_back(forward=forward))

    async def bring_back(self, file: str) -> Plain:
        """Write the last text without mistakes of a file that can't be read now; it is a step to undo."""
        return await self._do(lambda: self._bring_back(file))

    async def _do(self, work: Callable[[], T]) -> T:
        try:
            return await self._room.do(REFRESHING, work)
        except UsageError:
            raise
        except CardgenError as error:
            raise FailedError(plain_findings(error.findings)) from None

    # ---- in the thread of the benches

    def _cards(self) -> CardEditor:
        from cardgen.commands.data.card_edits import CardEditor

        if self._editor is None:
            self._editor = CardEditor(self._room.project, self._room.game)
        return self._editor

    def _make(self, edits: Sequence[Any], label: str, group: str, *, anyway: bool) -> Plain:
        from cardgen.commands.data.card_edits import CardChange

        made = self._cards().edit([CardChange.of(each) for each in edits], anyway=anyway)
        found = [each.plain() for each in made.findings]
        if made.conflicts:
            conflicts = [each.plain() for each in made.conflicts]
            return self._answer({"saved": False, "conflicts": conflicts})
        if found and not anyway:
            return self._answer({"saved": False, "findings": found})
        if changed := self._write(made.contents):
            return self._answer({"saved": False, "changed": changed})
        self._note(label, group, made.contents)
        files = sorted(made.contents)
        return self._answer({"saved": True, "files": files, "findings": found, "cards": made.cards})

    def _turn(self, file: str, path: tuple[str, ...], asked: Plain) -> Plain:
        from cardgen.commands.data.knobs import turn

        values = {name: asked[name] for name in ("value", "was") if name in asked}
        turned = turn(self._room.project, self._room.game, file, path, **values)
        if turned.is_outdated:
            return self._answer({"saved": False, "changed": file})
        if turned.findings:
            return self._answer({"saved": False, "findings": plain_findings(turned.findings)})
        if changed := self._write(turned.contents):
            return self._answer({"saved": False, "changed": changed})
        self._note(path[-1], f"{file} {path}", turned.contents)
        return self._answer({"saved": True, "files": sorted(turned.contents), "findings": []})

    def _note(self, label: str, group: str, contents: Mapping[str, tuple[bytes, bytes]]) -> None:
        if not contents:
            return
        last = self._done[-1] if self._done else None
        if last is None or not group or last.group != group or self._undone or last.is_packed:
            if last is not None:
                last.pack()
            last = _Step(label, group)
            self._done.append(last)
        self._undone = []
        for file, (before, after) in contents.items():
            first = last.files[file][0] if file in last.files else zlib.compress(before, 1)
            last.files[file] = first, after
        del self._done[:-MOST_UNDONE]
        while len(self._done) > 1 and sum(step.size for step in self._done) > MOST_UNDONE_BYTES:
            del self._done[0]

    def _turn_back(self, *, forward: bool) -> Plain:
        source, target = (self._undone, self._done) if forward else (self._done, self._undone)
        if not source:
            return self._answer({"saved": False, "files": []})
        step = source[-1]
        step.pack()
        contents = {
            file: (zlib.decompress(after), zlib.decompress(before))
            for file, (before, after) in step.files.items()
        }
        if forward:
            contents = {file: (after, before) for file, (before, after) in contents.items()}
        if changed := self._write(contents):
            return self._answer({"saved": False, "changed": changed})
        target.append(source.pop())
        return self._answer({"saved": True, "files": sorted(contents), "label": step.label})

    def _bring_back(self, file: str) -> Plain:
        from cardgen.commands.data.card_edits import current

        text = next((each.good[file] for each in self._room.benches.values() if file in each.good), None)
        if text is None:
            return self._answer({"saved": False, "files": []})
        contents = {file: (current(self._room.project, file), text.encode())}
        if changed := self._write(contents):
            return self._answer({"saved": False, "changed": changed})
        self._note(f"the last good {file}", "", contents)
        return self._answer({"saved": True, "files": [file]})

    def _write(self, contents: Mapping[str, tuple[bytes, bytes]]) -> str | None:
        """Write files; return the one that was changed elsewhere, if any: then none is written."""
        from cardgen.commands.data.card_edits import write_contents

        root = self._room.project.root
        changed = write_contents(self._room.project, contents)
        if changed is None:
            for file in contents:
                real = os.path.realpath(root / file)
                self._own[real] = _stat(real)
        return changed

    def _answer(self, content: Plain) -> Plain:
        undo, redo = (steps[-1].label if steps else None for steps in (self._done, self._undone))
        return {**content, "undo": undo, "redo": redo}


def _stat(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, -1
    return found.st_mtime_ns, found.st_size
