"""The formats of tables: ours are declared here once, with all their traits; other endings may be those of
plug-ins (`cardgen.table_formats`)."""

from __future__ import annotations

from cardgen.core.records import dataclass
from cardgen.files import plugins


@dataclass(frozen=True, slots=True)
class TableFormat:
    """A format with its traits.

    Args:
        ending: The end of their names, in lower case.
        source: The module and the class of their readers, made with the file's bytes and name.
        is_text: Text editors open them, so findings name their lines.
        is_delimited: Rows are lines whose cells are separated by a sign; they can be edited in place.
        separator: The sign that separates cells, if it is always the same.
        has_sheets: A name can contain a sheet, as `deck.xlsx#Cards` does.
        needs_sheet: Only a name with a sheet is that of a table.
        has_cells: People see cells such as B7 in them.
        lacks_signs: Numbers are stored without the separators of their country.
        writer: The module and the function that writes sheets in this format; None if none does.
    """

    ending: str
    source: str
    is_text: bool = False
    is_delimited: bool = False
    separator: str = ""
    has_sheets: bool = False
    needs_sheet: bool = False
    has_cells: bool = True
    lacks_signs: bool = False
    writer: str | None = None

    @property
    def title(self) -> str:
        """Return the format's name: CSV, XLSX."""
        return self.ending[1:].upper()


FORMATS = {
    each.ending: each
    for each in (
        TableFormat(
            ".csv",
            "cardgen.files.table_grid:Delimited",
            is_text=True,
            is_delimited=True,
            writer="cardgen.files.table_sheets:csv_bytes",
        ),
        TableFormat(
            ".tsv",
            "cardgen.files.table_grid:Delimited",
            is_text=True,
            is_delimited=True,
            separator="\t",
        ),
        TableFormat(
            ".xlsx",
            "cardgen.files.workbooks:Xlsx",
            has_sheets=True,
            lacks_signs=True,
            writer="cardgen.files.xlsx_writing:xlsx_bytes",
        ),
        TableFormat(
            ".ods",
            "cardgen.files.workbooks:Ods",
            has_sheets=True,
            writer="cardgen.files.table_writing:ods_bytes",
        ),
        TableFormat(
            ".json",
            "cardgen.files.table_grid:JsonLists",
            is_text=True,
            has_sheets=True,
            needs_sheet=True,
            has_cells=False,
        ),
    )
}
ENDINGS = tuple(each.ending for each in FORMATS.values() if not each.needs_sheet)
"""Of files that are always tables."""
WORKBOOK_ENDINGS = tuple(each.ending for each in FORMATS.values() if not each.is_text)
"""Of files that a spreadsheet program opens, and no editor of text."""


def format_of(file: str) -> TableFormat | None:
    """Return the format of a file by the end of its name; None if it is no table."""
    stem, _, ending = file.rpartition("/")[2].lower().rpartition(".")
    if not stem or ending in _NO_TABLES:
        return None
    return FORMATS.get(f".{ending}") or _plugged(ending)


_NO_TABLES = frozenset(("yaml", "yml"))


def _plugged(ending: str) -> TableFormat | None:
    """Return the format of a plug-in. Raises CardgenError for one that can't be loaded."""
    if plugins.find("table_formats", ending) is None:
        return None
    return TableFormat(f".{ending}", "cardgen.files.table_plugins:PluginReader", has_sheets=True)


def parted(name: str) -> tuple[str, str | None]:
    """Split a name such as `deck.xlsx#Cards`: the file, and the sheet if one is named; of JSON,
    the list of objects."""
    at = name.rfind("#")
    while at >= 0:
        found = format_of(name[:at])
        if found is not None and found.has_sheets:
            return name[:at], name[at + 1 :]
        at = name.rfind("#", 0, at)
    return name, None


def is_table(name: str) -> bool:
    """Return True if a file's name, with or without a sheet, is that of a table. JSON is one if a list is
    named; else its content is the same as YAML."""
    return is_table_of(*parted(name))


def is_table_of(file: str, sheet: str | None) -> bool:
    """Return True if a split name is that of a table."""
    found = format_of(file)
    return found is not None and (sheet is not None or not found.needs_sheet)


def is_delimited(file: str) -> bool:
    """Return True if a file has lines whose cells are separated by a sign."""
    found = format_of(file)
    return found is not None and found.is_delimited


def separator_of(file: str) -> str:
    """Return the sign that separates cells in a file by its name; empty if the file's content decides
    it."""
    found = format_of(file)
    return "" if found is None else found.separator
