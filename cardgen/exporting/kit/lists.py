"""manifest.json and manifest.csv: every card with its files, its cell and its copies."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from cardgen.exporting.job import ExportJob, Words
from cardgen.exporting.kit.atlases import Pictured, Sheet

FORMAT = 1
COLUMNS = (
    *("component", "kind", "card", "name", "copies", "width_mm", "height_mm", "face", "back"),
    *("atlas", "back_atlas", "columns", "rows", "slot", "column", "row", "tags"),
)


def _cells(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, int, Pictured]]:
    for sheet in sheets:
        for slot, card in enumerate(sheet.cards):
            yield sheet, slot, card


def _words(job: ExportJob, card: Pictured) -> Words:
    assert job.tabletop is not None
    return job.tabletop.words[card.piece.card.component, card.piece.card.id]


def manifest_csv(job: ExportJob, sheets: Sequence[Sheet]) -> str:
    """A line a card. Slots, columns and rows count from 0, from the left and from the top."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for sheet, slot, card in _cells(sheets):
        row, column = divmod(slot, sheet.grid.columns)
        words = _words(job, card)
        writer.writerow(
            [
                sheet.component.id,
                sheet.component.kind,
                card.piece.card.id,
                words.nickname,
                card.piece.copies,
                f"{sheet.trim.width:g}",
                f"{sheet.trim.height:g}",
                card.face,
                card.back or "",
                sheet.faces,
                (sheet.backs or "") if sheet.own_backs else "",
                sheet.grid.columns,
                sheet.grid.rows,
                slot,
                column,
                row,
                "; ".join(words.tags),
            ]
        )
    return text.getvalue()


def manifest(job: ExportJob, sheets: Sequence[Sheet]) -> dict[str, Any]:
    """The same for programs, by component and atlas."""
    return {
        "manifest": FORMAT,
        "game": job.game.id,
        "title": job.game.title,
        "version": job.game.version,
        "players": list(job.game.players),
        "dpi": job.settings["dpi"],
        "low_ink": job.low_ink,
        "components": [
            {
                "id": component.id,
                "title": component.title,
                "kind": component.kind,
                "shape": component.outline if component.outline != "rounded" else "rectangle",
                "corner_radius_mm": component.corner_radius,
                "atlases": [_sheet(job, each) for each in sheets if each.component is component],
            }
            for component in job.drawn
        ],
    }


def _sheet(job: ExportJob, sheet: Sheet) -> dict[str, Any]:
    return {
        "faces": sheet.faces,
        "backs": sheet.backs,
        "backs_are": None if sheet.backs is None else "atlas" if sheet.own_backs else "one",
        "columns": sheet.grid.columns,
        "rows": sheet.grid.rows,
        "cell_px": list(sheet.grid.cell),
        "trim_mm": [sheet.trim.width, sheet.trim.height],
        "cards": [_card(job, slot, card) for slot, card in enumerate(sheet.cards)],
    }


def _card(job: ExportJob, slot: int, card: Pictured) -> dict[str, Any]:
    words = _words(job, card)
    return {
        "slot": slot,
        "id": card.piece.card.id,
        "name": words.nickname,
        "description": words.description,
        "tags": list(words.tags),
        "copies": card.piece.copies,
        "face": card.face,
        "back": card.back,
    }
