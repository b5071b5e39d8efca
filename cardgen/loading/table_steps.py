"""The steps of a table's set-up: what a button on the table does with its piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args

from cardgen.findings import Findings
from cardgen.loading.table_items import read_spot
from cardgen.model.game import Component
from cardgen.model.table import Act, Placed, Step, title_of
from cardgen.schema.wording import either, name_hint
from cardgen.units import parse_length
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

ACTS: Final = get_args(Act)
MEANS: dict[str, tuple[str, ...]] = {
    "shuffle": (),
    "deal": ("cards",),
    "place": ("cards", "at", "in", "turn", "step", "face"),
    "clear": (),
}
"""The keys that mean something to each step, besides `players`."""
ENOUGH = 1
"""Cards that are laid out where a step does not say how many."""


def read_steps(
    document: Document,
    components: Sequence[Component],
    items: Sequence[Placed],
    most: int,
    findings: Findings,
) -> list[tuple[int, Step]]:
    """The steps of a table with these `items` and `most` seats, each with the index of its entry: one that
    says how many cards by players is several. What is wrong is a finding."""
    titles = {component.id: component.title for component in components}
    piles = [item for item in items if item.kind in ("deck", "bag")]
    known = sorted({name for item in piles for name in (title_of(item, titles), *dict(item.parts))})
    zones = sorted({item.name or "" for item in items if item.kind == "zone"})
    steps = []
    for index, entry in enumerate(document.data.get("steps", ())):
        found = _steps(document, ("steps", index), entry, known, zones, most, findings)
        steps += [(index, step) for step in found]
    return steps


def _steps(
    document: Document,
    path: DataPath,
    entry: dict[str, Any],
    known: Sequence[str],
    zones: Sequence[str],
    most: int,
    findings: Findings,
) -> list[Step]:
    """What an entry says: a step, or one for each number of players."""
    acts: list[Act] = [act for act in ACTS if act in entry]
    if len(acts) != 1:
        message = f"a step is one of {either(ACTS)}" + (f", not {' and '.join(acts)}" if acts else "")
        findings.error("table/step", message, document.locate(path))
        return []
    (act,) = acts
    before = len(findings.errors)
    for key in entry:
        if key not in (act, "players", *MEANS[act]):
            place = document.locate((*path, key), key=True)
            findings.error("table/step", f"'{key}' means nothing to {act}", place, "leave it out")
    if act == "deal" and "cards" not in entry:
        findings.error("table/step", "deal needs cards", document.locate(path), "write cards: 5")
    if act == "place" and ("at" in entry) == ("in" in entry):
        message = "place needs at" if "at" not in entry else "a card is placed at a spot or in a zone"
        hint = "write at: [0mm, 0mm], or in: ZONE" if "at" not in entry else "leave one out"
        findings.error("table/step", message, document.locate(path), hint)
    if "in" in entry and entry["in"] not in zones:
        place = document.locate((*path, "in"))
        hint = name_hint(entry["in"], zones, "zones") if zones else "place one among the items: zone: NAME"
        findings.error("table/step", f"there is no zone called '{entry['in']}'", place, hint)
    if act != "clear" and entry[act] not in known:
        place = document.locate((*path, act))
        hint = name_hint(entry[act], known, "piles")
        findings.error("table/step", f"there is no pile or bag called '{entry[act]}'", place, hint)
    players, cards = entry.get("players", []), entry.get("cards", ENOUGH)
    each = {tuple(players if isinstance(players, list) else [players]): cards}
    said = (*path, "players")
    if isinstance(cards, dict):
        said = (*path, "cards", "by_players")
        each = {(int(count),): number for count, number in cards["by_players"].items()}
        if "players" in entry:
            message = "'players' and 'by_players' both say with how many"
            findings.error("table/step", message, document.locate(said), "leave one out")
    if any(count > most for counts in each for count in counts):
        findings.error(
            "table/step", f"there are {most} seats", document.locate(said), "leave larger numbers out"
        )
    if len(findings.errors) > before:
        return []
    across = [parse_length(text) for text in entry.get("step", ("0mm", "0mm"))]
    at = read_spot(entry.get("at", ("0mm", "0mm")), entry.get("turn", 0))
    face_up, zone = entry.get("face", "up") == "up", entry.get("in", "")
    pile, step = "" if act == "clear" else entry[act], (across[0], across[1])
    return [Step(act, pile, number, at, step, face_up, counts, zone) for counts, number in each.items()]
