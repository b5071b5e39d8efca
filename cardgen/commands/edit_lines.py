"""What a spreadsheet brought back, as text for people: a card a paragraph, fields with old and new
values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.commands.difference_lines import value_line
from cardgen.commands.spreadsheets import CardEdit

_MOST_FIELDS = 50


def edit_lines(edits: Sequence[CardEdit]) -> Iterator[str]:
    """Edits in lines, and a last one that counts them."""
    for edit in edits:
        yield f"{edit.file}: {edit.component}/{edit.id} {edit.kind}"
        for change in edit.fields[:_MOST_FIELDS]:
            yield f"  {change.name}: {value_line(change)}"
        if len(edit.fields) > _MOST_FIELDS:
            yield f"  and {len(edit.fields) - _MOST_FIELDS} more fields"
    counts = [(sum(edit.kind == kind for edit in edits), kind) for kind in ("changed", "new", "removed")]
    parts = [f"{number} card{'s' if number > 1 else ''} {kind}" for number, kind in counts if number]
    if parts:
        yield ", ".join(parts)
