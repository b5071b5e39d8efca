"""The whole table where Tabletop Simulator lists it, and the table that a designer has already."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.tts.memos import everything, memo_of
from cardgen.exporting.tts.merging import is_save, merge
from cardgen.findings import CardgenError, Findings, Location
from cardgen.storage.reading import SAVE, ReadingError, read_file
from cardgen.storage.walking import names_in

NUMBERED = re.compile(r"TS_Save_([1-9][0-9]{0,8})\.json")
"""Only saves of such names are listed in the program (knowledge base, Save File Format)."""


def read_save(path: Path, shown: str) -> dict[str, Any]:
    """A save with objects, read whole. Raises ReadingError for a file that is none."""
    content = read_file(path, SAVE, shown, None)
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ReadingError("tts/save", shown, "is no save of Tabletop Simulator", HINT) from None
    if not is_save(found):
        raise ReadingError("tts/save", shown, "is no save of Tabletop Simulator", HINT)
    whole: dict[str, Any] = found
    return whole


HINT = "name a table that was saved in the game: Saves/TS_Save_N.json"


def merged_into(job: ExportJob, fresh: dict[str, Any], chosen: str) -> list[PlannedFile]:
    """The table `chosen` with the game as it is now, in its place, and what it was before beside the
    export. None of it after a finding."""
    try:
        path = Path(chosen).expanduser().absolute()
        old = read_save(path, chosen)
    except CardgenError as error:
        job.findings.extend(error.findings)
        return []
    except RuntimeError:
        job.findings.error("tts/save", "the save can't be found", Location(chosen), HINT)
        return []
    result = merge(old, fresh, job.game.id)
    place = Location(chosen)
    if not result.renewed:
        message = f"nothing on this table is from {job.game.title}, so all of it was added"
        job.findings.warning("tts/strange-table", message, place, "take care that it is the right save")
    if result.save == old:
        return []
    counts = f"{result.renewed} objects renewed, {result.added} added, {result.removed} removed"
    job.findings.note("tts/merged", f"{counts}; what it was lies in merged/", place)
    before = PlannedFile.of_json(f"merged/{path.stem} {digest_of(repr(old))[:6]}.json", old)
    now = PlannedFile.of_json(f"merged/{path.stem}.json", result.save, closing=True)
    return [before, PlannedFile(now.name, now.digest, now.write, True, (path,))]


def numbered_save(saves: Path, save: dict[str, Any], game: str, findings: Findings) -> Path | None:
    """Where in the folder `saves` a game's table is installed: under the number that it has there
    already, else the first that is free. None, after a warning, where the table was changed and saved
    in the program since, so that nobody's work is lost."""
    numbers: dict[int, str] = {}
    for name in names_in(saves, saves.as_posix(), None, ".json"):
        if match := NUMBERED.fullmatch(name):
            numbers[int(match[1])] = name
    for number in sorted(numbers):
        path = saves / numbers[number]
        try:
            there = read_save(path, path.as_posix())
        except CardgenError:  # not ours to judge
            continue
        if there.get("SaveName") != save["SaveName"] or not _is_from(there, game):
            continue
        if isinstance(there.get("EpochTime"), int) and there["EpochTime"] <= save["EpochTime"]:
            return path
        message = "this table was saved in Tabletop Simulator since it was installed, and stays as it is"
        hint = f"renew it in its place: --into '{path}'"
        findings.warning("tts/changed", message, Location(path.as_posix()), hint)
        return None
    free = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    return saves / f"TS_Save_{free}.json"


def _is_from(save: dict[str, Any], game: str) -> bool:
    memos = (memo_of(each) for each in everything(save["ObjectStates"]))
    return any(memo is not None and memo.game == game for memo in memos)
