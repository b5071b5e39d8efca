"""The steps of a table's set-up: what a button on the table does with its piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args

from cardgen.findings import Findings
from cardgen.loading.table_items import read_spot
from cardgen.model.game import Component
from cardgen.model.table import Act, Placed, Spot, Step, title_of
from cardgen.schema.wording import either, name_hint
from cardgen.units import parse_length
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

ACTS: Final = get_args(Act)
MEANS: dict[str, tuple[str, ...]] = {
    "shuffle": (),
    "deal": ("cards",),
    "place": ("cards", "at", "turn", "step", "face"),
    "clear": (),
}
"""The keys that mean something to each step, besides `players`."""
NEEDS: dict[str, tuple[str, ...]] = {"deal": ("cards",), "place": ("at",)}
ENOUGH = 1
"""Cards that are laid out where a step does not say how many."""


def read_steps(
    document: Document,
    components: Sequence[Component],
    items: Sequence[Placed],
    most: int,
    findings: Findings,
) -> tuple[Step, ...]:
    """The steps of a table with these `items` and `most` seats. What is wrong is a finding."""
    titles = {component.id: component.title for component in components}
    piles = [item for item in items if item.kind in ("deck", "bag")]
    known = sorted({name for item in piles for name in (title_of(item, titles), *dict(item.parts))})
    steps = []
    for index, entry in enumerate(document.data.get("steps", ())):
        step = _step(document, ("steps", index), entry, known, most, findings)
        if step is not None:
            steps.append(step)
    return tuple(steps)


def _step(
    document: Document,
    path: DataPath,
    entry: dict[str, Any],
    known: Sequence[str],
    most: int,
    findings: Findings,
) -> Step | None:
    acts: list[Act] = [act for act in ACTS if act in entry]
    if len(acts) != 1:
        message = f"a step is one of {either(ACTS)}" + (f", not {' and '.join(acts)}" if acts else "")
        findings.error("table/step", message, document.locate(path))
        return None
    (act,) = acts
    before = len(findings.errors)
    for key in entry:
        if key not in (act, "players", *MEANS[act]):
            place = document.locate((*path, key), key=True)
            findings.error("table/step", f"'{key}' means nothing to {act}", place, "leave it out")
    for key in NEEDS.get(act, ()):
        if key not in entry:
            example = "cards: 5" if key == "cards" else "at: [0mm, 0mm]"
            findings.error("table/step", f"{act} needs {key}", document.locate(path), f"write {example}")
    if act != "clear" and entry[act] not in known:
        place = document.locate((*path, act))
        hint = name_hint(entry[act], known, "piles")
        findings.error("table/step", f"there is no pile or bag called '{entry[act]}'", place, hint)
    players = entry.get("players", [])
    counts = tuple(players if isinstance(players, list) else [players])
    if any(count > most for count in counts):
        place = document.locate((*path, "players"))
        findings.error("table/step", f"there are {most} seats", place, "leave larger numbers out")
    if len(findings.errors) > before:
        return None
    across = [parse_length(text) for text in entry.get("step", ("0mm", "0mm"))]
    at = read_spot(entry["at"], entry.get("turn", 0)) if "at" in entry else Spot(0.0, 0.0)
    return Step(
        act,
        "" if act == "clear" else entry[act],
        entry.get("cards", ENOUGH),
        at,
        (across[0], across[1]),
        entry.get("face", "up") == "up",
        counts,
    )
