"""Components made from tables: of a file, of each sheet of a workbook, or of each CSV file of a folder."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from cardgen.commands.data.game_file import GameFile, add_theme
from cardgen.commands.data.new import SIDES, check_game_id, new_project, size_called
from cardgen.commands.production.choices import must_exist
from cardgen.core.findings import CardgenError, Finding, Findings, Location, UsageError
from cardgen.core.geometry import Size
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, replace
from cardgen.files.listing import ProjectFolders, names_in
from cardgen.files.project import bundled_root
from cardgen.files.reading import PICTURE, TABLE, read_file
from cardgen.files.table_formats import FORMATS, format_of, is_delimited, is_table_of, parted
from cardgen.files.table_grid import is_ignored
from cardgen.game.inferred_files import TableDeck

if TYPE_CHECKING:
    from cardgen.files.network import Way
    from cardgen.files.tables import Table
    from cardgen.game.guessing import Column, Roles

MOST_PICTURES = 2_000
LEAST = Size(31.0, 44.0)
"""The smallest size that a face can be laid out in, mm."""
_USUAL_LISTS = ("cards", "deck", "data", "rows", "items")
"""Names of lists of cards, preferred to other lists."""
_USUAL = ("", "art", "images", "pictures", "img", "bilder")
"""Usual folders of a table's pictures, relative to it."""
_MINI = "mini-euro"
_TOKEN = Size(30.0, 30.0)


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table that becomes a component: the component's `id` and title, and its kind for `cardgen add`;
    the file's path, its name in messages and its bytes; its sheet, None for the whole file; the address
    that it was downloaded from."""

    id: str
    title: str
    kind: str
    path: Path
    shown: str
    raw: bytes
    sheet: str | None = None
    address: str | None = None

    @property
    def ending(self) -> str:
        return self.path.suffix.lower()


@dataclass(frozen=True, slots=True)
class DeckFromTable:
    """A component to create from a table: the deck; its pictures by the names in the table; the `missing`
    ones, which have drawn scenes; findings about ambiguous columns."""

    deck: TableDeck
    pictures: Mapping[str, bytes]
    missing: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """Return the columns by their use."""
        shown: dict[str, tuple[str, ...]] = {}
        typed = [each.header for each in self.deck.columns if each.style is not None or each.is_truth]
        for column, what in self.deck.roles.in_words():
            shown[what] = (*shown.get(what, ()), column.header)
        shown |= {"as typed": tuple(typed)} if typed else {}
        icons = tuple(self.deck.markup.get("icons", ()))
        return shown | ({"icon": icons} if icons else {})

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return the columns that are in the data but not on the cards."""
        return tuple(column.header for column in self.deck.roles.rest)


def is_link(source: str) -> bool:
    """Return True if a source of cards is an address instead of a file."""
    return "://" in source


def sources_of(source: str, command: str, way: Way | None = None) -> tuple[list[TableSource], list[str]]:
    """Return the tables of a file or address, a workbook's sheet such as `deck.xlsx#Cards`, or a folder of
    CSV files, and the names of the sheets or files that are skipped: hidden, empty, or marked by `_` or
    `#`. `way` is for tests.

    Raises UsageError for a name of no table, `command` being the beginning of one that has it; CardgenError
    for a file that can't be read.
    """
    if is_link(source):
        from cardgen.commands.data.pull import download

        link, mark, tab = source.rpartition("#")
        if not mark or tab.startswith("gid="):
            link, tab = source, ""
        name, raw = download(link, way)
        return _in_file(Path(name), name, raw, tab or None, link)
    folder = Path(source)
    if folder.is_dir():
        return _in_folder(folder, source, command)
    file, sheet = parted(source)
    if format_of(file) is None:
        from cardgen.game.schema_file import either

        hint = f"name a file that ends in {either(FORMATS)}: {command} --from deck.csv"
        raise UsageError(f"'{source}' is not the name of a table", hint)
    path = Path(file)
    return _in_file(path, file, read_file(path, TABLE, file, None), sheet)


def _in_file(
    path: Path, file: str, raw: bytes, sheet: str | None, address: str | None = None
) -> tuple[list[TableSource], list[str]]:
    findings = Findings()
    if not is_table_of(file, sheet):
        sheet = _list_of(raw, file, findings)
    alone = TableSource("cards", "Cards", "cards", path, file, raw, sheet, address)
    found = [] if sheet is not None else _visible(raw, file, findings)
    findings.raise_if_errors()
    named, skipped = _without_marked(found)
    named = [each for each in named if not _is_empty(raw, file, each)]
    skipped += [each for each in found if each not in (*named, *skipped)]
    if len(named) == 1:
        alone = replace(alone, sheet=named[0] if len(found) > 1 else None)
        (only,) = _named({named[0]: alone})
        return [alone if only.kind == "cards" else only], skipped
    return _named({each: replace(alone, sheet=each) for each in named}) or [alone], skipped


def _visible(raw: bytes, file: str, findings: Findings) -> list[str]:
    from cardgen.files.table_reading import visible_sheets

    return visible_sheets(raw, file, findings)


def _is_empty(raw: bytes, file: str, sheet: str) -> bool:
    from cardgen.files.table_reading import read_rows

    findings = Findings()
    return len(read_rows(raw, file, findings, sheet)) < 2 and not findings.errors


def _in_folder(folder: Path, source: str, command: str) -> tuple[list[TableSource], list[str]]:
    names = {Path(name).stem: name for name in names_in(folder, source, None) if is_delimited(name)}
    named, skipped = _without_marked(names)
    if not named:
        hint = f"name a table: {command} --from deck.csv"
        raise UsageError(f"the folder '{source}' has no .csv file", hint)
    found = {}
    for stem in named:
        path = folder / names[stem]
        raw = read_file(path, TABLE, str(path), None)
        found[stem] = TableSource("cards", "Cards", "cards", path, str(path), raw)
    return _named(found), [names[stem] for stem in skipped]


def _without_marked(names: Sequence[str] | Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return names, and those of them that begin with `_` or `#`."""
    skipped = [each for each in names if is_ignored(each)]
    return [each for each in names if each not in skipped], skipped


def _named(found: Mapping[str, TableSource]) -> list[TableSource]:
    """Return sources with ids and titles from names of their own, and the kinds that these suggest."""
    from cardgen.game.guessing import TABS
    from cardgen.game.spreadsheets import id_of

    named: list[TableSource] = []
    for name, source in found.items():
        plain = id_of(name)
        id, number = plain, 1
        while id in [each.id for each in named]:
            number += 1
            id = f"{plain}-{number}"
        title = " ".join(name.replace("_", " ").split())[:80]
        kind = next((kind for kind, words in TABS.items() if plain in words), "cards")
        named.append(replace(source, id=id, title=title[:1].upper() + title[1:] or id, kind=kind))
    return named


def deck_from_table(
    source: TableSource,
    file: str,
    trim: str | None,
    look: str,
    paths: ProjectPaths,
    by: str | None = None,
) -> DeckFromTable:
    """Return the component for a table. `file` is the table's file as game.yaml names it; `trim` is one
    of the project's sizes or `60x90mm`, by default the smallest usual one that fits the texts; `by` is the
    column whose words have a template each.

    Raises UsageError for an unknown size, or one in which no face can be laid out; CardgenError with all
    findings for a table that can't be read or has no rows.
    """
    from cardgen.files.table_reading import read_table
    from cardgen.files.table_texts import has_html
    from cardgen.game.guessing import columns_of, roles_of, table_numbers
    from cardgen.game.inferred_files import SIZES, trim_name

    findings = Findings()
    table = read_table(source.raw, source.shown, source.sheet, findings)
    if table is not None and not table.rows:
        where = Location(source.shown)
        findings.error("tables/empty", "the table has no cards: no row below the first", where)
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
    is_token = source.kind == "tokens" and trim is None
    if trim is None and source.kind == "minis":
        trim = _MINI
    stated: str | list[str]
    if is_token:
        size, stated = _TOKEN, _measures(_TOKEN)
    elif trim is not None:
        size = _size_for_texts(trim, paths)
        stated = _measures(size) if SIDES.match(trim) else trim
    else:
        stated = trim_name(roles, look)
        size = SIZES[stated]
    deck = TableDeck(
        source.id,
        source.title,
        "token" if is_token else "card",
        file if source.sheet is None else f"{file}#{source.sheet}",
        columns,
        roles,
        len(table.rows),
        stated,
        size,
        "ellipse" if is_token else "rectangle",
        look,
        _markup(columns, roles, html),
        table_numbers(table),
        None if by is None else _choosing(by, roles.columns),
    )
    pictures, missing = _pictures(None if source.address else source.path.parent, deck)
    return DeckFromTable(deck, pictures, tuple(missing), tuple(_doubtful(table, deck)))


MOST_LAYOUTS = 40
"""Most templates that a column can choose from."""


def _choosing(name: str, columns: Sequence[Column]) -> Column:
    """Return the column that chooses the layout. Raises UsageError for one that can't."""
    may = [
        column
        for column in columns
        if column.is_full
        and column.kind == "text"
        and not any(mark in text for text in column.texts for mark in "\"'")
        and 2 <= len(set(column.texts)) <= min(MOST_LAYOUTS, len(column.texts) - 1)
    ]
    found = next((each for each in may if name.casefold() in (each.header.casefold(), each.field)), None)
    if found is None:
        known = " or ".join(f"--by {shlex.quote(column.header)}" for column in may[:4])
        hint = f"use {known}" if known else "omit --by: no column has a few words, one on each card"
        raise UsageError(f"the column '{name}' can't choose the layout", hint)
    return found


def _measures(size: Size) -> list[str]:
    return [f"{side:g}mm" for side in (size.width, size.height)]


def add_deck(manifest: GameFile, found: DeckFromTable) -> dict[str, bytes]:
    """Add a component to a game's game.yaml; return its files by their places in the project, except the
    table."""
    from cardgen.game.inferred_files import deck_entry, deck_files
    from cardgen.game.starter_look import picture_file

    manifest.components[found.deck.id] = deck_entry(found.deck)
    add_theme(manifest, found.deck.theme, found.deck.id)
    texts = deck_files(manifest.game, str(manifest.data.get("title", manifest.game)), found.deck)
    files = {place: text.encode() for place, text in texts.items()}
    return files | {picture_file(name): content for name, content in found.pictures.items()}


@dataclass(frozen=True, slots=True)
class NewGame:
    """A project made from tables: its folder, and in it the folder of its pictures, `art`; its components,
    and the names of the sheets or files that were skipped."""

    folder: Path
    art: str
    components: tuple[DeckFromTable, ...]
    skipped: tuple[str, ...] = ()

    @property
    def cards(self) -> int:
        """Return the number of cards, copies included."""
        return sum(each.deck.copies for each in self.components)

    @property
    def data(self) -> str:
        """Return the file with the first component's cards, by its place in the project."""
        return f"data/{self.folder.name}/{self.components[0].deck.file}"

    @property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of all components by their use."""
        uses = dict.fromkeys(use for each in self.components for use in each.shown)
        found = {
            use: [name for each in self.components for name in each.shown.get(use, ())] for use in uses
        }
        return {use: tuple(dict.fromkeys(names)) for use, names in found.items()}

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return the columns that are in the data but not on the cards."""
        return tuple(dict.fromkeys(name for each in self.components for name in each.left_out))

    @property
    def pictures(self) -> int:
        """Return the number of pictures found next to the tables."""
        return sum(len(each.pictures) - len(each.missing) for each in self.components)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of pictures that weren't found, which have drawn scenes."""
        return tuple(dict.fromkeys(name for each in self.components for name in each.missing))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return findings about ambiguous columns."""
        return tuple(finding for each in self.components for finding in each.findings)


def look_list() -> list[dict[str, str]]:
    """Return the looks by `name`, the default first, each `about` what it looks like."""
    from cardgen.game.starter_look import looks

    return [{"name": name, "about": style["about"]} for name, style in looks().items()]


def look_called(name: str | None) -> str:
    """Return the name of a look; the default is the first. Raises UsageError for an unknown one."""
    from cardgen.game.starter_look import looks

    if name is None:
        return next(iter(looks()))
    must_exist("look", name, list(looks()))
    return name


def new_from_table(
    name: str,
    parent: Path,
    source: str,
    *,
    trim: str | None = None,
    look: str | None = None,
    by: str | None = None,
    paper: str | None = None,
    way: Way | None = None,
) -> NewGame:
    """Make the project `parent/name` from the table `source`: a file, a folder of CSV files, or the https
    address of a published spreadsheet, which `cardgen pull` downloads again (`way` is for tests).
    `deck.xlsx#Cards` names one sheet of a workbook, whose sheets are a component each otherwise.

    The tables are copied into the project and become the game's data, along with the pictures next to them
    that they name. `trim` is the name of one of cardgen's sizes or `60x90mm`; the default is the smallest
    usual one that fits the texts; `look` is poster (the default), midnight or mosaic; each word of the
    column `by` gets a template of its own; `paper` is the project's. Raises UsageError as
    `new_project`, and for an invalid table name, an unknown look or size, a size in which no face can be
    laid out, or a column that can't choose; CardgenError with all findings for tables that can't be read or
    have no rows.
    """
    from cardgen.game.inferred_files import game_files
    from cardgen.game.starter_look import PICTURES

    check_game_id(name)
    look = look_called(look)
    sources, skipped = sources_of(source, f"cardgen new {name}", way)
    is_one_file = len({each.path for each in sources}) == 1
    found, findings = [], Findings()
    paths = ProjectFolders((bundled_root(),))
    contents: dict[str, bytes] = {}
    for each in sources:
        file = f"{'deck' if is_one_file else each.id}{each.ending}"
        contents[f"data/{name}/{file}"] = each.raw
        try:
            found.append(deck_from_table(each, file, trim, look, paths, by))
        except UsageError:
            raise
        except CardgenError as error:
            findings.extend(error.findings)
    findings.raise_if_errors()
    title = name.replace("-", " ").title()
    decks = [each.deck for each in found]
    files = {place: text.encode() for place, text in game_files(name, title, decks).items()}
    place = f"data/{name}/game.yaml"
    manifest = GameFile(name, files[place].decode())
    for deck in found:
        contents |= add_deck(manifest, deck)
    if sources[0].address is not None:
        manifest.data["pull"] = {f"deck{sources[0].ending}": sources[0].address}
    contents = {**files, **contents, place: manifest.text().encode()}
    instead = f"cardgen add {sources[0].kind} --from {shlex.quote(source)}"
    folder = new_project(name, parent, files=contents, instead=instead, paper=paper)
    return NewGame(folder, PICTURES, tuple(found), tuple(skipped))


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
    straight = any(mark in text for column in columns for text in column.texts for mark in "\"'")
    words = icon_words([symbols(text) for text in row if text is not None] for row in rows)
    markup: dict[str, Any] = {}
    if html:
        fields = [each.field for each in (*roles.texts, roles.flavour) if each is not None]
        markup = {"html": True} | ({"fields": fields} if fields else {})
    if straight:
        markup["quotes"] = "„“‚‘" if roles.is_german else "“”‘’"
    if words:
        markup["icons"] = {use.word: icon_name(use.word) for use in words}
    return markup


def _doubtful(table: Table, deck: TableDeck) -> list[Finding]:
    """Return a warning for each text column with ambiguous numbers."""
    from cardgen.files.table_formats import format_of
    from cardgen.files.tables import number_in

    findings = Findings()
    at = {column.name: index for index, column in enumerate(table.columns)}
    for column in deck.columns:
        style = column.style
        if style is None or style.other is None:
            continue
        one, two = (number_in(style.example, way) for way in (style.way, style.other))
        message = f"'{column.header}' is printed as typed; as a number, '{style.example}' is {one} or {two}"
        hint = (
            f'to count with it, write "type": "number" in its schema, and beside data: in game.yaml '
            f'numbers: "{style.way}" for {one}, or "{style.other}" for {two}'
        )
        findings.warning("tables/numbers", message, table.place(table.header, at[column.header]), hint)
    format = format_of(table.name)
    if deck.roles.is_german and format is not None and format.lacks_signs:
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


def _size_for_texts(name: str, paths: ProjectPaths) -> Size:
    """Return the size of a card with texts, mm. Raises UsageError for an unknown or too small one."""
    size = size_called(name, paths)
    if size.width < LEAST.width or size.height < LEAST.height:
        least = f"{LEAST.width:g} × {LEAST.height:g} mm"
        raise UsageError(
            f"'{name}' is too small for a card with texts, which needs {least}",
            "choose a larger size; list all: cardgen list --sizes",
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


def _pictures(folder: Path | None, deck: TableDeck) -> tuple[dict[str, bytes], list[str]]:
    """Return pictures by their names in a table, from its folder or a usual picture folder, and the missing
    ones, which get placeholders: scenes like those of cards without a picture."""
    from cardgen.game.guessing import picture_path
    from cardgen.game.inferred_files import picture_size
    from cardgen.game.starter_look import (
        DEFAULT_HUE,
        SCENES,
        group_hues,
        group_scenes,
        group_words,
        stand_in,
    )

    if deck.roles.art is None:
        return {}, []
    size, roles = picture_size(deck), deck.roles
    words = group_words(roles)
    hues, scenes = group_hues(words), group_scenes(words)
    found: dict[str, bytes] = {}
    missing: list[str] = []
    first = {
        str(name): at for at, name in reversed([*enumerate(deck.roles.art.values)]) if name is not None
    }
    for name in list(dict.fromkeys(deck.roles.art.texts))[:MOST_PICTURES]:
        there = None if folder is None else ProjectFolders((folder,)).locate(name, _USUAL, [""])
        place = None if folder is None or there is None else folder / there[1].file
        if folder is not None and place is not None:
            found[picture_path(name)] = read_file(place, PICTURE, str(place), [folder])
            continue
        missing.append(name)
        title = name if roles.title is None else str(roles.title.values[first[name]] or name)
        word = "" if roles.group is None else str(roles.group.values[first[name]])
        scene = scenes.get(word) or SCENES[crc32(title.encode()) % len(SCENES)]
        found[picture_path(name)] = stand_in(name, size, hues.get(word, DEFAULT_HUE), scene, title)
    return found, missing
