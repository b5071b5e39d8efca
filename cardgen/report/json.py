"""The report as JSON, for programs: how every rule came out and what it measured."""

from __future__ import annotations

import json

from cardgen.report.content import Report


def write_summary(report: Report) -> bytes:
    """`{"game", "version", "rules": [{"id", "verdict", "measures", …}]}` in UTF-8, with a last newline."""
    content = {
        "game": report.game.id,
        "version": report.game.version,
        "rules": [result.as_json() for result in report.results],
    }
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
