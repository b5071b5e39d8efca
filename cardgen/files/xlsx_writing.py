"""Sheets as an Excel workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import xlsxwriter

from cardgen.files.table_sheets import Heading, Out, Sheet

_MADE = datetime(2000, 1, 1)
"""The same for all, for the same bytes."""
_LISTED = 255
"""Most characters of choices at the cells themselves; longer ones are in a sheet of their own."""
_LISTS = "lists"
_FORMULA = ("=", "+", "-", "@")
_SPARE = 500
"""Rows below the last one that have the choices, too."""


def xlsx_bytes(sheets: Sequence[Sheet]) -> bytes:
    """Return the bytes of a file."""
    raw = io.BytesIO()
    with xlsxwriter.Workbook(
        raw, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        book.set_properties({"created": _MADE})
        looks = _Looks(book)
        lists: list[tuple[str, ...]] = []
        for sheet in sheets:
            _write(book.add_worksheet(sheet.name), sheet, looks, lists)
        if lists:
            page = book.add_worksheet(_free(_LISTS, sheets))
            page.hide()
            for column, choices in enumerate(lists):
                page.write_string(0, column, f"# {column + 1}")
                for row, choice in enumerate(choices, 1):
                    page.write_string(row, column, choice)
    return raw.getvalue()


class _Looks:
    """The looks of cells. A cell that begins like a formula is marked as typed text."""

    def __init__(self, book: Any) -> None:
        self.head = book.add_format({"bold": True, "bg_color": "#E7E6E6", "bottom": 1, "num_format": "@"})
        top = {"valign": "top"}
        self.number = book.add_format(top)
        self.text = book.add_format({**top, "num_format": "@", "text_wrap": True})
        self.marked = book.add_format({**top, "num_format": "@", "text_wrap": True, "quote_prefix": True})


def _write(page: Any, sheet: Sheet, looks: _Looks, lists: list[tuple[str, ...]]) -> None:
    page.freeze_panes(1, 1)
    for column, (heading, width) in enumerate(zip(sheet.headings, sheet.widths(), strict=True)):
        page.set_column(column, column, width, looks.text if heading.is_text else looks.number)
        page.write_string(0, column, heading.name, looks.head)
        if heading.note:
            page.write_comment(0, column, heading.note, {"x_scale": 2, "font_size": 9, "author": ""})
        if heading.choices:
            last = len(sheet.rows) + _SPARE
            page.data_validation(1, column, last, column, _choices(heading, lists))
    for row, values in enumerate(sheet.rows, 1):
        for column, value in enumerate(values):
            _cell(page, row, column, value, looks)


def _cell(page: Any, row: int, column: int, value: Out | None, looks: _Looks) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        page.write_boolean(row, column, value, looks.number)
    elif isinstance(value, str):
        page.write_string(row, column, value, looks.marked if value.startswith(_FORMULA) else looks.text)
    else:
        page.write_number(row, column, value, looks.number)


def _choices(heading: Heading, lists: list[tuple[str, ...]]) -> dict[str, Any]:
    """Return the choices of a column as Excel checks them: it asks before accepting other values."""
    choices = heading.choices
    source: Any = list(choices)
    if len(",".join(choices)) > _LISTED or any("," in each or each != each.strip() for each in choices):
        if choices not in lists:
            lists.append(choices)
        column = xlsxwriter.utility.xl_col_to_name(lists.index(choices), True)
        source = f"={_LISTS}!{column}$2:{column}${len(choices) + 1}"
    return {
        "validate": "list",
        "source": source,
        "error_type": "warning",
        "error_title": heading.name[:32],
        "error_message": "None of the values that the game's schema names.",
    }


def _free(name: str, sheets: Sequence[Sheet]) -> str:
    from cardgen.files.table_sheets import sheet_name

    return sheet_name(name, [sheet.name for sheet in sheets])
