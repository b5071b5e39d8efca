"""What a standee's entry in game.yaml states of its foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.findings import Findings
from cardgen.geometry import Shape
from cardgen.loading.lengths import length
from cardgen.model.game import Card
from cardgen.model.standees import LEAST_EDGE, Standee, flanks
from cardgen.yaml.reader import Document

DEPTHS = (4.0, 60.0)
"""mm that a tab may be deep."""
SLOTS = (0.1, 5.0)
"""mm that a slit may be wide: as thick as what is put into it."""


def standee_of(
    manifest: Document,
    base: tuple[str | int, ...],
    entry: Mapping[str, Any],
    shape: Shape,
    radius: float,
    cards: Sequence[Card],
    findings: Findings,
) -> Standee | None:
    """The foot of a component of the kind standee; None after findings, `component/standee`."""
    stated = entry.get("standee", {})
    before = len(findings)

    def measure(key: str, default: str, least: float, most: float) -> float:
        value = length(manifest, (*base, "standee", key), stated.get(key, default), findings, most=most)
        if value is not None and value < least:
            message = f"a {key} of {value:g}mm is below the minimum {least:g}mm"
            findings.error("component/standee", message, manifest.locate((*base, "standee", key)))
        return value or least

    standee = Standee(
        stated.get("foot", "flaps"), measure("depth", "12mm", *DEPTHS), measure("slot", "0.8mm", *SLOTS)
    )
    if radius > 0:
        findings.error(
            "component/corner-radius",
            "a standee has no rounded corners: its halves hang together at its head",
            manifest.locate((*base, "corner_radius")),
            "leave corner_radius out, or draw the figure as a polygon",
        )
    card = next((card for card in cards if flanks(shape, card.trim) is None), None)
    if card is not None:
        key = next((key for key in ("corners", "shape") if key in entry), "trim")
        findings.error(
            "component/standee",
            f"the figure '{card.id}' is folded at the top and stands on the bottom of its {card.trim}, and "
            f"its shape does not have one level edge of {LEAST_EDGE:g}mm or more at each of them",
            manifest.locate((*base, key)),
            "let the outline of a polygon begin [30, 0], [70, 0] and pass [70, 100], [30, 100]",
        )
    return standee if len(findings) == before else None
