"""`cardgen table`: write a game's cards to a spreadsheet, and edits of it back into their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardgen.commands.compare.values import ValueChange, card_counts, field_lines, plain, value_changes
from cardgen.commands.production.choices import must_exist, own_folder
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import Project
from cardgen.files.reading import TABLE, is_there, read_file
from cardgen.files.table_formats import ENDINGS, FORMATS, WORKBOOK_ENDINGS

if TYPE_CHECKING:
    from cardgen.game.edited_files import CardList, Returned
    from cardgen.game.sources import Sources


TABLE_FORMATS = tuple(each.ending[1:] for each in FORMATS.values() if each.writer is not None)
_MOST_NAMED = 12
"""Sheets that a hint names."""


def to_spreadsheet(
    game: str,
    to: str,
    *,
    project: Project | None = None,
    output: Path | None = None,
    components: Sequence[str] = (),
    replace: bool = False,
) -> list[Path]:
    """Write the cards of a game, or of some of its components, as a workbook (`xlsx`, `ods`) with a sheet
    for each data file, or as `csv` files; return the path.

    The default `output` is GAME.xlsx, or a folder GAME-csv, in the current folder. Existing files may
    contain edits, so they are overwritten only on request. Raises UsageError for unknown names,
    CardgenError for files that can't be read or written.
    """
    from cardgen.files.table_writing import write_sheets
    from cardgen.files.writing import write_bytes
    from cardgen.game.edited_files import sheet_of

    if to not in TABLE_FORMATS:
        raise UsageError(f"there is no format '{to}'", f"use one of: {', '.join(TABLE_FORMATS)}")
    project = project or Project.open()
    findings = Findings()
    _, lists = _lists(game, components, project, findings)
    sheets = [sheet_of(each, findings) for each in lists]
    findings.raise_if_errors()
    if FORMATS[f".{to}"].has_sheets:
        place = output or Path(f"{game}.{to}")
        contents = {place: write_sheets(sheets, f".{to}", place.name, findings)}
    else:
        places = _places(game, to, output, [each.name for each in sheets])
        contents = {
            place: write_sheets([sheet], f".{to}", place.name, findings)
            for place, sheet in zip(places, sheets, strict=True)
        }
    findings.raise_if_errors()
    if not replace:
        for place, content in contents.items():
            _refuse_edited(place, content, game, project)
    for place, content in contents.items():
        write_bytes(place, content)
    return list(contents)


def _places(game: str, to: str, output: Path | None, sheets: Sequence[str]) -> list[Path]:
    """Return the paths of files with one sheet each: one is the named file, several are in a folder."""
    if output is not None and output.suffix.lower() == f".{to}":
        if len(sheets) > 1:
            hint = "name a folder, or one component with --component"
            raise UsageError(f"{output}: {len(sheets)} sheets don't fit into one {to.upper()} file", hint)
        return [output]
    folder = output or Path(f"{game}-{to}")
    return [folder / f"{sheet}.{to}" for sheet in sheets]


def _refuse_edited(place: Path, content: bytes, game: str, project: Project) -> None:
    if is_there(place) and read_file(place, TABLE, project.show(place), project.holders(place)) != content:
        hint = f"overwrite it with --replace, or read its edits: cardgen table {game} --from {place}"
        raise UsageError(f"{place} already exists with different content", hint)


@dataclass(frozen=True, slots=True)
class CardEdit:
    """A card that a spreadsheet changes, with the changed fields. `file` is the data file."""

    kind: Literal["new", "removed", "changed"]
    component: str
    id: str
    file: str
    fields: tuple[ValueChange, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the edits as plain values."""
        return {
            "kind": self.kind,
            "component": self.component,
            "card": self.id,
            "file": self.file,
            "fields": [plain(each.plain()) for each in self.fields],
        }


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """The result of reading a spreadsheet back: changed cards, and files that were or would be written.
    `findings` are notes and warnings."""

    edits: tuple[CardEdit, ...]
    files: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def from_spreadsheet(
    game: str,
    source: Path,
    *,
    project: Project | None = None,
    components: Sequence[str] = (),
    write: bool = True,
) -> BroughtBack:
    """Write the edits of a spreadsheet (a workbook, a CSV file or a folder of these) back into the data
    files of a game, or only report them.

    The rest of the files stays unchanged. Raises UsageError for unknown names, CardgenError with a finding
    at each wrong cell. Nothing is written then, nor if a file changes meanwhile.
    """
    from cardgen.game.edited_files import in_lists, judge, new_contents

    project = project or Project.open()
    own_folder(project, game, "cards")
    findings = Findings()
    sources, lists = _lists(game, components, project, findings)
    findings.raise_if_errors()
    found = _returned(source, lists, bool(components), project, findings)
    in_lists(found, findings)
    for each in found:
        judge(each, sources, findings)
    findings.raise_if_errors()
    contents = new_contents(found, sources, findings)
    findings.raise_if_errors()
    if write and contents:
        _write(contents, project)
    edits = tuple(edit for each in found for edit in _edits(each))
    return BroughtBack(edits, tuple(contents), tuple(findings.sorted()))


def _lists(
    game: str, components: Sequence[str], project: Project, findings: Findings
) -> tuple[Sources, list[CardList]]:
    """Return the lists of cards of a game, or of the components that are named."""
    from cardgen.game.edited_files import card_lists, component_entries
    from cardgen.game.sources import Sources

    must_exist("game", game, project.games())
    sources = Sources(project.paths, findings)
    entries = component_entries(sources.read(f"data/{game}/game.yaml"))
    for name in components:
        must_exist("component", name, list(entries))
    if components:
        entries = {id: entry for id, entry in entries.items() if id in components}
    return sources, card_lists(sources, game, entries)


def _returned(
    source: Path, lists: Sequence[CardList], is_narrowed: bool, project: Project, findings: Findings
) -> list[Returned]:
    """Return the edited lists. A list missing from the spreadsheet is a finding: its cards are not meant to
    be removed."""
    from cardgen.game.edited_files import returned

    found = []
    sheets = _sheets(source, lists, is_narrowed, project, findings)
    findings.raise_if_errors()
    for each in lists:
        if each.sheet not in sheets:
            message = f"there is no sheet '{each.sheet}', for the cards of {each.component}"
            there = ", ".join(islice(sheets, _MOST_NAMED))
            hint = f"rename one of the sheets ({there}), or name the file's component with --component"
            findings.error("tables/sheet", message, Location(project.show(source)), hint)
            continue
        raw, name, sheet = sheets[each.sheet]
        result = returned(each, raw, name, sheet, findings)
        if result is not None:
            found.append(result)
    return found


def _sheets(
    source: Path, lists: Sequence[CardList], is_narrowed: bool, project: Project, findings: Findings
) -> dict[str, tuple[bytes, str, str | None]]:
    """Return the file's bytes, its name in findings and the sheet in it, by the names of sheets."""
    from cardgen.files.listing import names_in
    from cardgen.files.table_reading import sheet_names

    if source.is_dir():
        names = names_in(source, project.show(source), project.holders(source), ".csv")
        files = [source / name for name in names]
    else:
        files = [source]
    ending = files[0].suffix.lower() if files else ""
    if ending not in ENDINGS:
        hint = "name an .xlsx, .ods or .csv file, or a folder of .csv files"
        raise UsageError(f"{source} is not a spreadsheet", hint)
    found: dict[str, tuple[bytes, str, str | None]] = {}
    for file in files:
        name = project.show(file)
        raw = read_file(file, TABLE, name, project.holders(file))
        if ending in WORKBOOK_ENDINGS:
            found |= {sheet: (raw, name, sheet) for sheet in sheet_names(raw, name, findings)}
        else:
            alone = is_narrowed and len(lists) == 1 and len(files) == 1
            found[lists[0].sheet if alone else file.stem] = (raw, name, None)
    return found


def _edits(found: Returned) -> list[CardEdit]:
    component, file = found.source.component, found.source.file
    edits = []
    now = {card["id"]: card for card in found.cards}
    for id, card in now.items():
        if id not in found.before:
            edits.append(CardEdit("new", component, id, file))
        elif changes := tuple(value_changes(found.before[id], card)):
            edits.append(CardEdit("changed", component, id, file, changes))
    edits += [CardEdit("removed", component, id, file) for id in found.before if id not in now]
    return edits


def _write(contents: dict[str, tuple[bytes, bytes]], project: Project) -> None:
    """Replace files with new contents, all or none; none if one of the files has changed since."""
    from cardgen.files.changes import Changes

    with Changes(project.root) as changes:
        for file, (before, after) in contents.items():
            if read_file(project.root / file, TABLE, file, project.paths.roots) != before:
                message = "the file changed in the meantime; nothing was written"
                raise CardgenError(
                    Finding(Severity.ERROR, "file/changed", message, Location(file), "run it again")
                )
            changes.write_bytes(file, after)
        changes.commit()


def edit_lines(edits: Sequence[CardEdit]) -> Iterator[str]:
    """Yield edits in lines, and a last line that counts them."""
    for edit in edits:
        yield f"{edit.file}: {edit.component}/{edit.id} {edit.kind}"
        yield from field_lines(edit.fields)
    if parts := card_counts([edit.kind for edit in edits]):
        yield ", ".join(parts)
