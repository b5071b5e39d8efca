"""The press and the spot colours of game.yaml."""

from __future__ import annotations

from cardgen.findings import Findings
from cardgen.model.presses import StatedPress
from cardgen.model.spots import Spot
from cardgen.yaml.reader import Document


def read_press(manifest: Document) -> StatedPress | None:
    """The press that a game states, which its schema has judged."""
    stated = manifest.data.get("press")
    return None if stated is None else StatedPress(**stated)


def read_spots(manifest: Document, findings: Findings) -> tuple[Spot, ...]:
    """The spot colours that a game states, which its schema has judged. No two may be shown by one colour,
    by which they are told apart, or have one plate."""
    found: list[Spot] = []
    for id, entry in manifest.data.get("spots", {}).items():
        spot = Spot(id, entry["name"], entry["shows"].lower(), entry["overprint"], entry["screen"])
        for key in ("name", "shows"):
            other = next((each for each in found if getattr(each, key) == getattr(spot, key)), None)
            if other is not None:
                message = f"the spot colour '{other.id}' has the {_WORDS[key]} '{entry[key]}' already"
                place = manifest.locate(("spots", id, key))
                findings.error("game/spot", message, place, _HINTS[key])
        found.append(spot)
    return tuple(found)


_WORDS = {"name": "name", "shows": "colour"}
_HINTS = {
    "name": "each plate has a name of its own",
    "shows": "what is painted in that colour is of that ink, so each needs one that nothing else has",
}
