"""`cardgen new NAME --from TABLE`: a spreadsheet to a project whose game is made of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.new import GAME_ID, new_project
from cardgen.findings import Findings, Location, UsageError, did_you_mean
from cardgen.geometry import Size
from cardgen.model.game import ProjectPaths
from cardgen.project import bundled_root
from cardgen.storage.reading import PICTURE, TABLE, read_file

if TYPE_CHECKING:
    from cardgen.guessing.roles import Roles
    from cardgen.tables.table import Table

MOST_PICTURES = 2_000
PICTURES = "art/"
"""The folder of a game's pictures, beside its templates."""
LEAST = Size(31.0, 44.0)
"""The smallest size that a face can be laid out in, mm."""
_USUAL_LISTS = ("cards", "deck", "data", "rows", "items")
"""Names of lists of cards, where there are others beside."""
_USUAL = ("", "art", "images", "pictures", "img", "bilder")
"""Folders beside a table in which its pictures may lie."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A project that was made from a table: its folder, and in it the table, `data`, and the folder of its
    pictures, `art`; how many `cards` there are, copies counted. `shown` are columns by what they became;
    those `left_out` are in the data and not on the cards. So many `pictures` were found beside the table;
    the `missing` have grey stand-ins."""

    folder: Path
    data: str
    art: str
    cards: int
    shown: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    pictures: int = 0
    missing: tuple[str, ...] = ()


def new_from_table(name: str, parent: Path, source: str, *, trim: str | None = None) -> NewGame:
    """Make the project `parent/name` from the table `source`, a file; `deck.xlsx#Cards` names its sheet.

    The table is copied into the project, where it is the game's data from then on; so are the pictures
    beside it that it names. `trim` is the name of the cards' size, which comes with cardgen; without one it
    is the smallest of the usual ones in which their texts have room. Raises UsageError as `new_project`,
    and for what is no table's name, no size's name, or a size in which no face can be laid out;
    CardgenError with all findings for a table that can't be read or has no rows.
    """
    from cardgen.guessing.columns import columns_of
    from cardgen.guessing.game_files import SIZES, TableGame, game_files, trim_name
    from cardgen.guessing.roles import roles_of
    from cardgen.tables.names import ENDINGS, JSON, is_table, parted
    from cardgen.tables.reading import read_table

    file, sheet = parted(source)
    if not is_table(source) and not file.lower().endswith(JSON):
        hint = f"write --from deck.csv; it takes {', '.join((*ENDINGS, JSON))}"
        raise UsageError(f"'{source}' is not the name of a table", hint)
    if not GAME_ID.fullmatch(name):
        hint = "use lower-case words and digits joined by '-', such as night-market"
        raise UsageError(f"'{name}' can't be a game's id", hint)
    size = None if trim is None else _size_called(trim)
    path = Path(file)
    raw = read_file(path, TABLE, file, None)
    findings = Findings()
    if sheet is None and file.lower().endswith(JSON):
        sheet = _list_of(raw, file, findings)
    table = read_table(raw, file, sheet, findings)
    if table is not None and not table.rows:
        findings.error("tables/empty", "the table has no cards: no row below the first", Location(file))
    if table is not None:
        _look_for_faults(table, findings)
    findings.raise_if_errors()
    assert table is not None
    columns = columns_of(table)
    roles = roles_of(columns)
    named = {column.header: column for column in roles.columns}
    columns = [named[column.header] for column in columns]
    own = f"deck{path.suffix.lower()}"
    data = own if sheet is None else f"{own}#{sheet}"
    title = name.replace("-", " ").title()
    if trim is None or size is None:
        trim = trim_name(roles)
        game = TableGame(name, title, data, columns, roles, len(table.rows), trim, SIZES[trim], trim)
    else:
        game = TableGame(name, title, data, columns, roles, len(table.rows), trim, size)
    texts = game_files(game)
    contents = {place: text.encode("utf-8") for place, text in texts.items()}
    contents[f"data/{name}/{own}"] = raw
    found, missing = _pictures(path.parent, roles, game.size)
    for picture, content in found.items():
        contents[f"templates/{name}/{picture if '/' in picture else f'{PICTURES}{picture}'}"] = content
    folder = new_project(name, parent, files=contents)
    shown: dict[str, tuple[str, ...]] = {}
    for column, what in roles.in_words():
        shown[what] = (*shown.get(what, ()), column.header)
    return NewGame(
        folder=folder,
        data=f"data/{name}/{own}",
        art=f"templates/{name}/{PICTURES}",
        cards=game.copies,
        shown=shown,
        left_out=tuple(column.header for column in roles.rest),
        pictures=len(found) - len(missing),
        missing=tuple(missing),
    )


def _list_of(raw: bytes, file: str, findings: Findings) -> str:
    """The name of the one list of objects in a JSON file. CardgenError where it is not known which."""
    from cardgen.tables.reading import sheet_names

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


def _size_called(name: str) -> Size:
    """One of cardgen's own sizes, upright, mm; UsageError where there is none, or too small a one."""
    from cardgen.loading.facts import load_sizes

    sizes = {id: fact.size for id, fact in load_sizes(ProjectPaths((bundled_root(),))).items()}
    names = "cardgen list --sizes names all of them"
    if name not in sizes:
        meant = did_you_mean(name, sizes)
        raise UsageError(f"there is no size '{name}'", f"{meant} {names}" if meant else names)
    size = sizes[name].upright
    if size.width < LEAST.width or size.height < LEAST.height:
        least = f"{LEAST.width:g} × {LEAST.height:g} mm"
        raise UsageError(f"'{name}' is too small for a card with texts: it takes {least}", names)
    return size


def _look_for_faults(table: Table, findings: Findings) -> None:
    """Say which formulas have no value: nothing can be made of their columns, and no card be printed."""
    from cardgen.loading.spreadsheets import fault_trouble
    from cardgen.tables.values import Fault

    for row in table.rows:
        for at, value in enumerate(row.cells):
            if isinstance(value, Fault):
                fault_trouble(value)(findings, table.place(row, at))


def _pictures(folder: Path, roles: Roles, trim: Size) -> tuple[dict[str, bytes], list[str]]:
    """Pictures by the names that a table has for them, from its folder or one in which pictures usually
    lie; and which of them are not there, so that others stand in for them."""
    from cardgen.guessing.game_files import picture_size
    from cardgen.guessing.stand_ins import stand_in

    if roles.art is None:
        return {}, []
    size = picture_size(roles, trim)
    found: dict[str, bytes] = {}
    missing: list[str] = []
    for name in list(dict.fromkeys(roles.art.texts))[:MOST_PICTURES]:
        there = ProjectPaths((folder,)).locate(name, _USUAL, [""])
        place = None if there is None else folder / there[1].file
        if place is None:
            missing.append(name)
        found[name] = (
            stand_in(name, size) if place is None else read_file(place, PICTURE, str(place), [folder])
        )
    return found, missing
