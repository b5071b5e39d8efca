"""`cardgen pull`: download a game's published spreadsheets, and report the changes."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from cardgen.commands.compare.differences import CardChange, card_changes, card_lines
from cardgen.commands.production.choices import own_folder
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.game import Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass
from cardgen.files.listing import ProjectFolders, check_place
from cardgen.files.network import MOST_ADDRESS, Fetched, FetchError, Way, fetch
from cardgen.files.project import Project
from cardgen.files.reading import TABLE, is_there, read_file
from cardgen.files.table_formats import is_delimited, parted
from cardgen.files.table_reading import read_table
from cardgen.files.tables import Table
from cardgen.files.writing import write_bytes
from cardgen.files.yaml import Document

_SCHEMA = "schemas/game.schema.json"
_PAGE = (b"<!doctype", b"<html", b"<head", b"<?xml")
_NO_TABLES = frozenset(("text/html", "application/xhtml+xml", "application/json"))
"""Media types that are no table, even if the file's name is one of a table."""
_OF_TEXTS = frozenset(("tables/html", "tables/icon-word", "icon/stand-in"))
"""Findings about texts of other programs."""
_HINT = "publish it as CSV or XLSX (in Google Sheets: File, Share, Publish to web)"
_GOOGLE = re.compile(
    r"(https://docs\.google\.com(?::\d+)?/spreadsheets/)(?:u/\d+/)?d/(e/)?([\w-]{10,})(.*)"
)
_TAB = re.compile(r"[?#&]gid=(\d+)")
_MEDIA = {
    "csv": ".csv",
    "tab-separated": ".tsv",
    "spreadsheetml": ".xlsx",
    "opendocument.spreadsheet": ".ods",
}
"""Parts of media types, and the endings of files of that type."""


def download_address(link: str, ending: str) -> str:
    """Return the address of a link's content as a file with that ending, such as `.csv`.

    The address that the browser shows for a Google sheet, one to share it, or one of its published page
    becomes that of its export: in CSV and TSV of the link's tab, or the first, in others of all tabs. All
    other addresses stay the same.
    """
    found = _GOOGLE.fullmatch(link)
    if found is None or "/export" in found[4] or "output=" in found[4]:
        return link
    start, published, id, rest = found.groups()
    base = f"{start}d/e/{id}/pub?output=" if published else f"{start}d/{id}/export?format="
    tab = _TAB.search(rest) if ending in (".csv", ".tsv") else None
    more = "" if tab is None else f"&gid={tab[1]}&single=true" if published else f"&gid={tab[1]}"
    return f"{base}{ending.removeprefix('.')}{more}"


def checked_link(text: object) -> str:
    """Return an address of the web that a page sent. Raises UsageError for anything else."""
    if not isinstance(text, str) or not text.startswith("https://") or len(text) > MOST_ADDRESS:
        raise UsageError("paste the address of a shared spreadsheet, which begins with https://")
    return text


def download(link: str, way: Way | None = None) -> tuple[str, bytes]:
    """Return a published spreadsheet and a name for it: a Google sheet as `deck.xlsx`, with all its tabs.

    Raises CardgenError pull/failed and pull/content for an address that returns none.
    """
    ending = ".xlsx" if _GOOGLE.fullmatch(link) else PurePosixPath(urlsplit(link).path).suffix.lower()
    try:
        fetched = fetch(download_address(link, ending), TABLE.most, way=way)
    except FetchError as error:
        raise CardgenError(Finding(Severity.ERROR, "pull/failed", str(error), None, error.hint)) from None
    if ending not in _MEDIA.values():
        ending = next((end for part, end in _MEDIA.items() if part in fetched.media_type), "")
    if not ending or fetched.media_type == "text/html" or _start_of(fetched).startswith(_PAGE):
        message = "the address returns no spreadsheet"
        hint = "share the sheet with everybody who has the link, or publish it as CSV or XLSX"
        raise CardgenError(Finding(Severity.ERROR, "pull/content", message, None, hint))
    return f"deck{ending}", fetched.content


@dataclass(frozen=True, slots=True)
class Pulled:
    """The result for one file, named from the project's folder: if it `is_new` or `is_changed`, its rows,
    and the changes to the game's cards. `findings` are the reasons if it was not updated, or problems in
    the new file."""

    file: str
    address: str
    is_new: bool = False
    is_changed: bool = False
    rows: int = 0
    cards: tuple[CardChange, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def lines(self) -> Iterator[str]:
        """Yield the changes, card by card, in the words of `cardgen diff`."""
        for change in self.cards:
            yield from card_lines(change)


def pull(
    game: str, *, project: Project | None = None, write: bool = True, way: Way | None = None
) -> list[Pulled]:
    """Download the spreadsheets of a game's `pull:` into their places, or only report the changes. Each is
    downloaded whole, and read as a table, before it replaces the current one.

    Raises UsageError for a game that is not the project's own or has no `pull:`, CardgenError if its
    game.yaml can't be read. `way` is for tests.
    """
    project = project or Project.open()
    own_folder(project, game, "spreadsheets")
    manifest = _manifest(project, game)
    named: Mapping[str, str] = manifest.data.get("pull", {})
    if not named:
        hint = "add the address of a published file: pull: {deck.csv: https://…}"
        raise UsageError(f"{game} has no address of a published spreadsheet", hint, "usage/pull")
    done = []
    for file, address in named.items():
        place = manifest.locate(("pull", file))
        sheets = _sheets(manifest.data, file)
        done.append(_pulled(project, game, file, address, sheets, place, write, way))
    return done


def published_files(project: Project, game: str) -> Mapping[str, str]:
    """Return the addresses of a game's published spreadsheets by their files; none for a game.yaml in
    error."""
    try:
        return _manifest(project, game).data.get("pull", {})  # type: ignore[no-any-return]
    except CardgenError:
        return {}


def _manifest(project: Project, game: str) -> Document:
    from cardgen.game.sources import Sources

    findings = Findings()
    manifest = Sources(project.paths, findings).checked(f"data/{game}/game.yaml", _SCHEMA)
    findings.raise_if_errors()
    assert manifest is not None
    return manifest


def _sheets(data: Mapping[str, Any], file: str) -> Sequence[str | None]:
    """Return the sheets of a file that a game.yaml names, or the default one."""
    named = [*data.get("tables", ())]
    for entry in data["components"].values():
        listed = entry.get("data", [])
        named += [listed] if isinstance(listed, str) else listed
    found = [sheet for other, sheet in map(parted, named) if other == file]
    return list(dict.fromkeys(found)) or [None]


def _pulled(
    project: Project,
    game: str,
    file: str,
    address: str,
    sheets: Sequence[str | None],
    place: Location,
    write: bool,
    way: Way | None,
) -> Pulled:
    relative = f"data/{game}/{file}"
    path = project.root / relative
    result = partial(Pulled, relative, address)
    try:
        check_place(path.parent, project.root, within=False)
        fetched = fetch(download_address(address, path.suffix), TABLE.most, way=way)
        before = read_file(path, TABLE, relative, project.paths.roots) if is_there(path) else None
    except FetchError as error:
        return result(findings=(Finding(Severity.ERROR, "pull/failed", str(error), place, error.hint),))
    except CardgenError as error:
        return result(findings=error.findings)
    rows = 0
    for sheet in sheets:
        table = _table(fetched, relative, sheet, place)
        if not isinstance(table, Table):
            return result(findings=table)
        rows += len(table.rows)
    if before == fetched.content:
        return result(rows=rows)
    cards, findings = _changes(project, game, relative, fetched.content)
    if write:
        write_bytes(path, fetched.content)
    return result(is_new=before is None, is_changed=True, rows=rows, cards=cards, findings=findings)


def _start_of(fetched: Fetched) -> bytes:
    """Return the first bytes of a download in small letters, without a mark or space before them."""
    return fetched.content[:500].lstrip(b"\xef\xbb\xbf \t\r\n").lower()


def _table(
    fetched: Fetched, relative: str, sheet: str | None, place: Location
) -> Table | tuple[Finding, ...]:
    """Return the downloaded table, or why it is the wrong one."""
    start = _start_of(fetched)
    if is_delimited(relative) and (fetched.media_type in _NO_TABLES or start.startswith(_PAGE)):
        kind = "a web page" if "html" in fetched.media_type or b"html" in start else "no table"
        message = f"the address returns {kind} instead of a {relative.rpartition('.')[2].upper()} file"
        return (Finding(Severity.ERROR, "pull/content", message, place, _HINT),)
    found = Findings()
    table = read_table(fetched.content, relative, sheet, found)
    if table is not None:
        return table
    said = Finding(Severity.ERROR, "pull/content", "the downloaded file can't be used", place, _HINT)
    return (said, *found.errors)


def _changes(
    project: Project, game: str, relative: str, content: bytes
) -> tuple[tuple[CardChange, ...], tuple[Finding, ...]]:
    """Return the changes to the game's cards in the file's new content, changes in its texts' markup, and a
    warning if they put the game in error."""
    was, before = _loaded(project.paths, game)
    with tempfile.TemporaryDirectory(prefix="cardgen-") as folder:
        write_bytes(Path(folder) / relative, content)
        now, found = _loaded(ProjectFolders((Path(folder).resolve(), *project.paths.roots)), game)
        changes = [] if now is None else card_changes(was, now)
    cards = tuple(change for change in changes if change.location.file == relative)
    known = set(map(_topic, before))
    told = [each for each in found if each.code in _OF_TEXTS and _topic(each) not in known]
    if errors := sum(each.severity is Severity.ERROR for each in found):
        message = f"there {'is an error' if errors == 1 else f'are {errors} errors'} in the game now"
        hint = f"list them: cardgen check {game}"
        told.append(Finding(Severity.WARNING, "pull/errors", message, Location(relative), hint))
    return cards, tuple(told)


def _topic(finding: Finding) -> tuple[str, str]:
    """Return the topic of a finding about texts: its code, and the first word that it quotes."""
    return finding.code, finding.message.partition("'")[2].partition("'")[0]


def _loaded(paths: ProjectPaths, game: str) -> tuple[Game | None, Sequence[Finding]]:
    """Return the game, partly loaded if necessary, with its findings; None if nothing is valid."""
    from cardgen.game.loading import load_game

    try:
        found, findings = load_game(paths, game, partial=True)
    except CardgenError as error:
        return None, error.findings
    return found, findings.items
