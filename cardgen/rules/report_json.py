"""Write the report as JSON: the results of every rule, its measures, and the cards."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core.game import Component
from cardgen.core.terminal import shown_json
from cardgen.rules.report_content import Report, deck_verdict
from cardgen.rules.report_fields import Crossed
from cardgen.rules.report_fonts import Faces


def write_json(report: Report, faces: Faces) -> bytes:
    """Return `{"game", "version", "rules": [{"id", "verdict", "measures", "findings", …}], "components":
    [{"id", "cards": [{"id", "copies", "fields"}], …}]}` in UTF-8, with a last newline.

    Of a game with deck lists also `"decks": [{"id", "title", "cards", "verdict"}]`; a rule asked of a
    deck names it (`"deck"`). Of a report compared with an earlier revision also `"compared": {"with",
    "components", "rules"}`, a row of its tables each; for a press `"press"`, a `PressPage`."""
    content: dict[str, Any] = {
        "game": report.game.id,
        "version": report.game.version,
        "rules": [result.as_json() for result in report.results],
        "components": [
            _component(component, report.crossed.get(component.id, ()))
            for component in report.game.components
        ],
    }
    if report.compared:
        known = report.compared
        content["compared"] = {
            "with": known.name,
            **{
                key: [dict(zip(one.columns, row, strict=True)) for row in one.rows]
                for key, one in (("components", known.sizes), ("rules", known.rules))
            },
        }
    if report.game.decks:
        content["decks"] = [
            {
                "id": deck.id,
                "title": deck.title,
                "cards": deck.copies,
                "verdict": deck_verdict(deck, report.results)[0].value,
            }
            for deck in report.game.decks
        ]
    if report.press is not None:
        content["press"] = report.press.as_json()
    text = json.dumps(_plain(content), ensure_ascii=False, indent=2, allow_nan=False)
    return (shown_json(text) + "\n").encode("utf-8")


def _component(component: Component, crossed: Sequence[Crossed]) -> dict[str, Any]:
    return {
        "id": component.id,
        "title": component.title,
        "kind": component.kind,
        "distinct": component.unique,
        "copies": component.copies,
        "cards": [
            {
                "id": card.id,
                "copies": card.copies,
                "file": card.file,
                "fields": {key: value for key, value in card.fields.items() if key not in ("id", "copies")},
            }
            for card in component.cards
        ],
        **({"crossed": list(map(_crossed, crossed))} if crossed else {}),
    }


def _crossed(each: Crossed) -> dict[str, Any]:
    return {
        "down": each.down,
        "across": each.across,
        "rows": each.matrix.rows,
        "columns": each.matrix.columns,
        "values": [list(map(int, row)) for row in each.matrix.values],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can represent: infinity and similar numbers as words."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if (
        value is None
        or isinstance(value, bool | int | str)
        or (isinstance(value, float) and math.isfinite(value))
    ):
        return value
    return str(value)
