"""`cardgen new`: a project folder with one small working game, from a starter or a spreadsheet's rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.data.starters import starter_files
from cardgen.commands.production.editor_files import editor_files, own_schemas
from cardgen.core.findings import Finding, Findings, Location, UsageError, did_you_mean
from cardgen.core.geometry import Size
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.files.changes import Changes
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import bundled_root, enclosing
from cardgen.files.reading import PICTURE, TABLE, read_file
from cardgen.files.writing import Output

if TYPE_CHECKING:
    from cardgen.files.tables import Table
    from cardgen.game.guessing import Column, Roles


GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_project(
    name: str, parent: Path, *, template: str | None = None, files: Mapping[str, bytes] | None = None
) -> Path:
    """Make the folder `parent/name`, a project with one game whose id is `name`.

    It has a copy of cardgen's schemas, and editor settings that use them.

    Args:
        template: A starter of `cardgen new --list`; the default is a small deck.
        files: The whole game instead of a starter: contents by path in the project.

    Returns:
        The project's folder.

    Raises:
        UsageError: The name is no id, the starter is unknown, the folder exists and is not empty, or it
            would lie in another project.

    Example:
        from pathlib import Path

        folder = cardgen.new_project("night-market", Path.cwd())
        print(cardgen.Project.open(folder).games())
    """
    check_game_id(name)
    copied = starter_files(name, template) if files is None else files
    folder = parent / name
    taken = UsageError(f"'{folder}' exists already", "choose another name, or move it away")
    with Output(folder):
        if folder.exists() and not folder.is_dir():
            raise taken
    if (around := enclosing(folder.parent)) not in (None, bundled_root()):
        raise UsageError(
            f"'{folder}' would be inside the project '{around}'",
            "go to a folder outside it, or add to that project: cardgen add cards",
            "usage/nested",
        )
    with Changes(folder) as changes:
        with Output(folder):
            if any(folder.iterdir()):
                raise taken
        for file, content in copied.items():
            changes.write_bytes(file, content)
        for file, content in (own_schemas() | editor_files()).items():
            changes.write_bytes(file, content)
        changes.commit()
    return folder


def check_game_id(name: str) -> None:
    """Raise UsageError for a name that can't be a game's id, with a valid one."""
    if not GAME_ID.fullmatch(name):
        from cardgen.game.spreadsheets import id_of

        example = id_of(name or "night market")
        hint = f"use letters a to z in lower case, digits and '-' between words, such as {example}"
        raise UsageError(f"'{name}' can't be a game's id", hint)


def suggested_id(file: str) -> str:
    """Return an id for a game made from a file of that name."""
    from cardgen.game.spreadsheets import id_of

    name = id_of(Path(file).stem)[:40].strip("-")
    return name if GAME_ID.fullmatch(name) else "my-game"


MOST_PICTURES = 2_000
LEAST = Size(31.0, 44.0)
"""The smallest size that a face can be laid out in, mm."""
_USUAL_LISTS = ("cards", "deck", "data", "rows", "items")
"""Names of lists of cards, preferred to other lists."""
_USUAL = ("", "art", "images", "pictures", "img", "bilder")
"""Usual folders of a table's pictures, relative to it."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A project made from a table: its folder, and in it the table, `data`, and the folder of its pictures,
    `art`; the number of `cards`, copies included. `shown` are columns by their use; those `left_out` are in
    the data but not on the cards. `pictures` is the number found next to the table; the `missing` ones have
    gray placeholders. `findings` are about ambiguous columns."""

    folder: Path
    data: str
    art: str
    cards: int
    shown: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    pictures: int = 0
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def new_from_table(name: str, parent: Path, source: str, *, trim: str | None = None) -> NewGame:
    """Make the project `parent/name` from the table `source`, a file; `deck.xlsx#Cards` names its sheet.

    The table is copied into the project and becomes the game's data, along with the pictures next to it
    that it names. `trim` is the name of one of cardgen's sizes; the default is the smallest usual one that
    fits the texts. Raises UsageError as `new_project`, and for an invalid table name, an unknown size, or a
    size in which no face can be laid out; CardgenError with all findings for a table that can't be read or
    has no rows.
    """
    from cardgen.files.table_formats import FORMATS, format_of, is_table_of, parted
    from cardgen.files.table_reading import read_table
    from cardgen.files.table_texts import has_html
    from cardgen.game.guessing import columns_of, roles_of, table_numbers
    from cardgen.game.inferred_files import SIZES, TableGame, game_files, trim_name
    from cardgen.game.schema_file import either
    from cardgen.game.starter_look import PICTURES, picture_file

    file, sheet = parted(source)
    if format_of(file) is None:
        hint = f"name a file that ends in {either(FORMATS)}: cardgen new {name} --from deck.csv"
        raise UsageError(f"'{source}' is not the name of a table", hint)
    check_game_id(name)
    size = None if trim is None else _size_for_texts(trim)
    path = Path(file)
    raw = read_file(path, TABLE, file, None)
    findings = Findings()
    if not is_table_of(file, sheet):
        sheet = _list_of(raw, file, findings)
    table = read_table(raw, file, sheet, findings)
    if table is not None and not table.rows:
        findings.error("tables/empty", "the table has no cards: no row below the first", Location(file))
    if table is not None:
        _look_for_faults(table, findings)
    findings.raise_if_errors()
    assert table is not None
    columns = columns_of(table)
    html = any(has_html(text) for column in columns for text in column.texts)
    roles = roles_of(_without_html(columns) if html else columns)
    named = {column.header: column for column in roles.columns}
    columns = [
        replace(named[column.header], values=column.values)
        if column.kind == "text"
        else named[column.header]
        for column in columns
    ]
    own = f"deck{path.suffix.lower()}"
    data = own if sheet is None else f"{own}#{sheet}"
    title = name.replace("-", " ").title()
    usual = trim_name(roles) if trim is None else ""
    markup = _markup(columns, roles, html)
    about = (name, title, data, columns, roles, len(table.rows))
    game = TableGame(*about, trim or usual, size or SIZES[usual], usual, markup, table_numbers(table))
    contents = {place: text.encode("utf-8") for place, text in game_files(game).items()}
    contents[f"data/{name}/{own}"] = raw
    found, missing = _pictures(path.parent, roles, game.size)
    contents |= {picture_file(picture): content for picture, content in found.items()}
    told = _doubtful(table, columns, f"schemas/{name}/cards.schema.json", roles.is_german)
    folder = new_project(name, parent, files=contents)
    shown: dict[str, tuple[str, ...]] = {}
    typed = tuple(column.header for column in columns if column.style is not None or column.is_truth)
    for column, what in roles.in_words():
        shown[what] = (*shown.get(what, ()), column.header)
    shown |= {"as typed": typed} if typed else {}
    shown |= {"icon": icons} if (icons := tuple(game.markup.get("icons", ()))) else {}
    return NewGame(
        folder=folder,
        data=f"data/{name}/{own}",
        art=PICTURES,
        cards=game.copies,
        shown=shown,
        left_out=tuple(column.header for column in roles.rest),
        pictures=len(found) - len(missing),
        missing=tuple(missing),
        findings=tuple(told),
    )


def _without_html(columns: Sequence[Column]) -> list[Column]:
    """Return columns with the text that cards show of cells in HTML."""
    from cardgen.game.markup import Markup

    shown = Markup(html=True)
    return [
        replace(
            column,
            values=tuple(each if each is None else shown.text(each) or None for each in column.values),
        )
        if column.kind == "text"
        else column
        for column in columns
    ]


def _markup(columns: Sequence[Column], roles: Roles, html: bool) -> dict[str, Any]:
    """Return game.yaml's settings for the markup of a table's texts."""
    from cardgen.files.table_texts import with_symbols
    from cardgen.game.markup import icon_name, icon_words

    symbols = with_symbols if html else str
    rows = zip(*(column.values for column in columns if column.kind == "text"), strict=True)
    words = icon_words([symbols(text) for text in row if text is not None] for row in rows)
    markup: dict[str, Any] = {}
    if html:
        reading = (column for column in (*roles.texts, roles.flavour) if column is not None)
        markup = {"html": True, "fields": [column.field for column in reading]}
    if words:
        markup["icons"] = {use.word: icon_name(use.word) for use in words}
    return markup


def _doubtful(table: Table, columns: Sequence[Column], schema: str, is_german: bool) -> list[Finding]:
    """Return a warning for each text column with ambiguous numbers."""
    from cardgen.files.table_formats import format_of
    from cardgen.files.tables import number_in

    findings = Findings()
    at = {column.name: index for index, column in enumerate(table.columns)}
    for column in columns:
        style = column.style
        if style is None or style.other is None:
            continue
        one, two = (number_in(style.example, way) for way in (style.way, style.other))
        message = f"'{column.header}' is printed as typed; as a number, '{style.example}' is {one} or {two}"
        hint = (
            f'to count with it, write "type": "number" in {schema}, and beside data: in game.yaml '
            f'numbers: "{style.way}" for {one}, or "{style.other}" for {two}'
        )
        findings.warning("tables/numbers", message, table.place(table.header, at[column.header]), hint)
    format = format_of(table.name)
    if is_german and format is not None and format.lacks_signs:
        _note_points(table, findings)
    return findings.sorted()


def _note_points(table: Table, findings: Findings) -> None:
    """Report the first number of a workbook with decimals, which the program shows with a comma."""
    from cardgen.files.number_formats import shown_in
    from cardgen.files.tables import text_of

    for row in table.rows:
        for at, value in enumerate(row.cells):
            if value is not None and (there := shown_in(value, "1.234,5")) != (here := text_of(value)):
                message = f"numbers print with English signs, as in '{here}': a workbook stores none"
                hint = f"write numbers: \"1.234,5\" beside data: in game.yaml, for '{there}'"
                findings.note("tables/numbers", message, table.place(row, at), hint)
                return


def _list_of(raw: bytes, file: str, findings: Findings) -> str:
    """Return the name of the one list of objects in a JSON file. Raises CardgenError for several."""
    from cardgen.files.table_reading import sheet_names

    names = sheet_names(raw, file, findings)
    findings.raise_if_errors()
    outer = [name for name in names if name.count(".") == names[0].count(".")]
    usual = [name for name in outer if name.rpartition(".")[2].casefold() in _USUAL_LISTS]
    if len(outer) == 1 or len(usual) == 1:
        return usual[0] if len(usual) == 1 else outer[0]
    if not names:
        message, hint = "the file has no list of objects", 'a card is an object: [{"title": "Fox"}, …]'
    else:
        message = "the file has several lists of objects"
        hint = f"name one: {' or '.join(f'--from {file}#{name}' for name in outer[:4])}"
    findings.error("tables/sheet", message, Location(file), hint)
    findings.raise_if_errors()
    return ""


_MEASURES = re.compile(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)mm")

_SIDES = re.compile(r"(\d{1,4}(?:\.\d+)?)(?:\s*[x×]\s*(\d{1,4}(?:\.\d+)?)?|\s*mm)")


def size_called(name: str, paths: ProjectPaths) -> Size:
    """Return a size of a project, mm, upright; or that of `60x90mm`. Raises UsageError for others."""
    from cardgen.game.facts import load_sizes

    if measures := _MEASURES.fullmatch(name):
        return Size(float(measures[1]), float(measures[2]))
    sizes = {id: fact.size for id, fact in load_sizes(paths).items()}
    names = "list all: cardgen list --sizes"
    if name not in sizes:
        meant = did_you_mean(name, sizes)
        if sides := _SIDES.match(name):
            meant = f"did you mean '{sides[1]}x{sides[2] or sides[1]}mm'?"
        raise UsageError(f"there is no size '{name}'", f"{meant} {names}" if meant else names)
    return sizes[name].upright


def _size_for_texts(name: str) -> Size:
    """Return the size of a card with texts, mm. Raises UsageError for an unknown or too small one."""
    paths = ProjectFolders((bundled_root(),))
    names = "list all: cardgen list --sizes"
    if _SIDES.match(name):  # game.yaml of a new deck takes names alone
        raise UsageError(f"'{name}' is not the name of a size", names)
    size = size_called(name, paths)
    if size.width < LEAST.width or size.height < LEAST.height:
        least = f"{LEAST.width:g} × {LEAST.height:g} mm"
        raise UsageError(
            f"'{name}' is too small for a card with texts, which needs {least}",
            f"choose a larger size; {names}",
        )
    return size


def _look_for_faults(table: Table, findings: Findings) -> None:
    """Report formulas without a value: their columns are unusable, and no card can be printed."""
    from cardgen.files.tables import Fault
    from cardgen.game.columns import fault_trouble

    for row in table.rows:
        for at, value in enumerate(row.cells):
            if isinstance(value, Fault) and not value.character:  # otherwise only its own card is in error
                fault_trouble(value)(findings, table.place(row, at))


def _pictures(folder: Path, roles: Roles, trim: Size) -> tuple[dict[str, bytes], list[str]]:
    """Return pictures by their names in a table, from its folder or a usual picture folder, and the missing
    ones, which get placeholders."""
    from cardgen.game.guessing import picture_path
    from cardgen.game.inferred_files import picture_size
    from cardgen.game.starter_look import stand_in

    if roles.art is None:
        return {}, []
    size = picture_size(roles, trim)
    found: dict[str, bytes] = {}
    missing: list[str] = []
    for name in list(dict.fromkeys(roles.art.texts))[:MOST_PICTURES]:
        there = ProjectFolders((folder,)).locate(name, _USUAL, [""])
        place = None if there is None else folder / there[1].file
        if place is None:
            missing.append(name)
        found[picture_path(name)] = (
            stand_in(name, size) if place is None else read_file(place, PICTURE, str(place), [folder])
        )
    return found, missing
