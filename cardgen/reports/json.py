"""The report as JSON, for programs: how every rule came out and what it measured."""

from __future__ import annotations

import json
from typing import Any

from cardgen.reports.content import Report
from cardgen.reports.typefaces import Faces
from cardgen.terminal import shown_json


def write(report: Report, faces: Faces) -> bytes:
    """`{"game", "version", "rules": [{"id", "verdict", "measures", …}]}` in UTF-8, with a last newline.

    Of a game with deck lists also `"decks": [{"id", "title", "cards", "verdict"}]`; a rule asked of a
    deck names it (`"deck"`). Of a game for a press also `"press"`, as `PressPage` says."""
    content: dict[str, Any] = {
        "game": report.game.id,
        "version": report.game.version,
        "rules": [result.as_json() for result in report.results],
    }
    if report.decks:
        content["decks"] = [
            {
                "id": section.deck.id,
                "title": section.deck.title,
                "cards": section.deck.copies,
                "verdict": section.verdict.value,
            }
            for section in report.decks
        ]
    if report.press is not None:
        content["press"] = report.press.as_json()
    return (shown_json(json.dumps(content, ensure_ascii=False, indent=2)) + "\n").encode("utf-8")
