"""`export --to tts --push`: the game on the table of a running Tabletop Simulator, as it is now.

What lies on the table is asked for, the game is renewed on it as on any saved table, and what came out
different is put back in its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardgen.exporting.tts.merging import is_save, merge
from cardgen.exporting.tts.setup import quoted
from cardgen.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.network.live import EDITOR_PORT, GAME_PORT, LiveError, execute

ASK = """\
local found = {}
for _, each in ipairs(getObjects()) do table.insert(found, each.getJSON(false)) end
return JSON.encode(found)
"""
PUT = """\
local gone = {%s}
local new = {%s}
for _, guid in ipairs(gone) do
  local each = getObjectFromGUID(guid)
  if each then each.destruct() end
end
Wait.frames(function()
  for _, text in ipairs(new) do spawnObjectJSON({json = text}) end
end, 5)
return #new
"""
"""Ids are free again some frames after their objects are gone."""


def push_table(
    fresh: Mapping[str, Any],
    game: str,
    findings: Findings,
    *,
    ports: tuple[int, int] = (GAME_PORT, EDITOR_PORT),
) -> None:
    """Renew a game on the table that is loaded; `fresh` is the save of an export. Raises CardgenError."""
    to, back = ports
    try:
        old = _objects(execute(ASK, game=to, editor=back))
        result = merge({"ObjectStates": old}, fresh, game)
        before = {each.get("GUID"): each for each in old}
        after = {each.get("GUID"): each for each in result.save["ObjectStates"]}
        new = [each for guid, each in after.items() if before.get(guid) != each]
        gone = [guid for guid, each in before.items() if after.get(guid) != each]
        if new or gone:
            texts = ", ".join(quoted(json.dumps(each, ensure_ascii=False)) for each in new)
            script = PUT % (", ".join(quoted(str(guid)) for guid in gone), texts)
            execute(script, game=to, editor=back)
    except LiveError as error:
        message = f"Tabletop Simulator {error}"
        raise CardgenError(
            Finding(Severity.ERROR, "tts/live", message, Location("--push"), error.hint)
        ) from None
    counts = f"{len(new)} things put onto the table, {result.removed} taken away"
    findings.note("tts/pushed", f"{counts}, {len(before) - len(gone)} left alone", Location("--push"))


def _objects(answer: Any) -> list[dict[str, Any]]:
    """What lies on a table, of the answer to `ASK`. Raises LiveError for what is none."""
    try:
        found = [json.loads(text) for text in json.loads(answer)]
    except (TypeError, ValueError, RecursionError):
        found = [None]
    if not is_save({"ObjectStates": found}):
        raise LiveError("answers with what is no table", "load the table anew, and try again")
    return found
