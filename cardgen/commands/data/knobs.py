"""Settings of a game as controls: the theme, limits and fonts of game.yaml, its sheets' layouts, and the
project's defaults.

A change is made in place, with comments and order kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from cardgen.commands.data.new import NO_SETTINGS
from cardgen.commands.production.choices import DEFAULT_PAPER, SETTINGS_SCHEMA, own_folder
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.records import dataclass
from cardgen.files.project import OUTPUT, SETTINGS, Project
from cardgen.files.reading import YAML, is_there, read_file
from cardgen.files.table_formats import parted
from cardgen.files.yaml import copied, parse_yaml
from cardgen.files.yaml_editing import edited, same
from cardgen.files.yaml_text import SourceError
from cardgen.game.edited_files import ABSENT, put_in, take_out, value_at
from cardgen.game.schema_findings import schema_findings
from cardgen.game.schema_store import SchemaStore

Plain = dict[str, Any]

GAME_SCHEMA, SHEET_SCHEMA = "schemas/game.schema.json", "schemas/sheet.schema.json"
COLOR = re.compile("#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
MOST_DEPTH, MOST_KNOBS = 5, 1_000
LAYOUT_KEYS = {
    "duplex": ("choice", ("long-edge", "short-edge", "fold", "none")),
    "marks": ("choice", ("crop", "outline", "silhouette", "opos", "none")),
    "gutter": ("text", ()),
    "bleed": ("text", ()),
    "margin": ("text", ()),
    "order": ("choice", ("pages", "stacks")),
    "nest": ("flag", ()),
    "strip": ("flag", ()),
}
"""The keys of a sheet layout that are controls, with their kinds and choices."""


@dataclass(frozen=True, slots=True)
class Turned:
    """The result of a change: the file's old and new bytes, or the problems that it would cause."""

    contents: Mapping[str, tuple[bytes, bytes]]
    findings: tuple[Finding, ...] = ()
    is_outdated: bool = False
    """The value isn't the one that was seen."""


def knobs(project: Project, game: str) -> list[Plain]:
    """Return the groups of controls of one of the project's own games: `title`, `file`, `fields`.

    Raises UsageError for a game that isn't the project's own, CardgenError for files that can't be read.
    """
    from cardgen.commands.production.fonts import fontbook
    from cardgen.game.facts import load_layouts

    own_folder(project, game, "game.yaml")
    file = f"data/{game}/game.yaml"
    data = _Text(project, file).data
    families = sorted(fontbook(project.paths).families)
    layouts = load_layouts(project.paths)
    theme = data.get("theme")
    colors = list(_theme(theme if isinstance(theme, dict) else {}, ("theme",), families))
    groups = [
        {
            "title": "Theme",
            "file": file,
            "note": "Colors and other values that templates use.",
            "fields": colors,
        }
    ]
    limits = [
        _knob(("limits", "type"), data, "text", note="The smallest type, such as 6.5pt.", default="6.5pt"),
        _knob(
            ("limits", "contrast"), data, "number", note="The least contrast of type, 1 to 21.", default=4.5
        ),
    ]
    fonts = [
        _knob(("fonts", "fallback"), data, "list", families, note="Families for letters that a font lacks.")
    ]
    groups += [
        {
            "title": "Limits",
            "file": file,
            "note": "The limits that a check holds type to.",
            "fields": limits,
        },
        {"title": "Fonts", "file": file, "note": "", "fields": fonts},
    ]
    groups.append(_project_knobs(project))
    if tables := list(_tables(data)):
        note = "The address that shares each spreadsheet, which Refresh downloads."
        fields = [_knob(("pull", table), data, "text") for table in tables]
        groups.append({"title": "Published sheets", "file": file, "note": note, "fields": fields})
    sheets = data.get("sheets")
    stated = sheets if isinstance(sheets, dict) and sheets else _usual_sheets(project, game)
    chosen = {}
    for name, entry in stated.items():
        if isinstance(entry, dict):
            chosen[name] = entry.get("layout", name)
    fields = [
        _knob(("sheets", name, "layout"), data, "choice", sorted(layouts), default=layout)
        for name, layout in chosen.items()
    ]
    if fields:
        groups.append(
            {"title": "Sheets", "file": file, "note": "The layout of each sheet.", "fields": fields}
        )
    for layout in dict.fromkeys(each for each in chosen.values() if each in layouts):
        place, at = layouts[layout].file, layouts[layout].path
        of_layout = _Text(project, place).data
        note = "How cards lie on paper, for all games of this project."
        fields = [_knob(at(key), of_layout, kind, choices) for key, (kind, choices) in LAYOUT_KEYS.items()]
        groups.append({"title": f"Layout {layout}", "file": place, "note": note, "fields": fields})
    return groups


def _usual_sheets(project: Project, game: str) -> Plain:
    """Return the entries of the sheets of a game whose game.yaml states none."""
    from cardgen.commands.data.add import entries_of
    from cardgen.game.loading import load_game

    try:
        return entries_of(load_game(project.paths, game, partial=True)[0])
    except CardgenError:
        return {}


def _tables(data: Plain) -> Iterator[str]:
    """Yield the spreadsheets that hold a game's cards."""
    components = data.get("components")
    seen = set()
    for entry in components.values() if isinstance(components, dict) else ():
        named = entry.get("data", ()) if isinstance(entry, dict) else ()
        for name in [named] if isinstance(named, str) else named:
            table = parted(name)[0] if isinstance(name, str) else ""
            if table.endswith((".csv", ".tsv", ".xlsx", ".ods")) and table not in seen:
                seen.add(table)
                yield table


def _project_knobs(project: Project) -> Plain:
    """Return the controls of a project's defaults."""
    from cardgen.game.facts import load_papers, profile_names

    data = _Text(project, SETTINGS).data
    fields = [
        _knob(("paper",), data, "choice", sorted(load_papers(project.paths)), default=DEFAULT_PAPER),
        _knob(("printer",), data, "choice", profile_names(), note="One that calibration stored."),
        _knob(("language",), data, "text", note="Such as de, for games that are translated into it."),
        _knob(("output",), data, "text", note="The folder of finished files.", default=OUTPUT),
    ]
    note = "Defaults of all commands and of this page."
    return {"title": "Project", "file": SETTINGS, "note": note, "fields": fields}


def turn(
    project: Project, game: str, file: str, path: Sequence[str], value: Any = ABSENT, was: Any = ABSENT
) -> Turned:
    """Return a file with one value of `knobs` changed, which `was` another; ABSENT is none. A layout of
    cardgen's is copied to the project first. Raises UsageError for a place that isn't a control's."""
    groups = [each for each in knobs(project, game) if each["file"] == file]
    if not any(field["path"] == list(path) for each in groups for field in each["fields"]):
        raise UsageError("there is no such setting", "reload the page")
    if isinstance(value, dict) or (isinstance(value, str) and len(value) > 2000):
        raise UsageError("a setting is a short text, a number, yes or no, or a list")
    text = _Text(project, file)
    if not _is_same(value_at(text.data, path), was):
        return Turned({}, (), is_outdated=True)
    data = copied(text.data)
    if path[0] == "sheets" and not data.get("sheets"):
        data["sheets"] = _usual_sheets(project, game)
    if value is ABSENT:
        take_out(data, tuple(path))
    else:
        put_in(data, tuple(path), value)
    new = text.with_data(data)
    schema = SHEET_SCHEMA if file.startswith("data/sheets/") else GAME_SCHEMA
    schema = SETTINGS_SCHEMA if file == SETTINGS else schema
    problems = _new_problems(project, file, schema, text.text, new)
    if problems:
        return Turned({}, tuple(problems))
    if not is_there(project.root / file):
        text.copy_here()
    return Turned({file: (text.text.encode("utf-8"), new.encode("utf-8"))})


def _is_same(one: Any, other: Any) -> bool:
    return one is other if one is ABSENT or other is ABSENT else same(one, other)


class _Text:
    """A YAML file of the project, or else cardgen's own, with its data. Raises CardgenError."""

    def __init__(self, project: Project, file: str) -> None:
        self._project, self.file = project, file
        path = project.root / file if file == SETTINGS else project.paths.find(file)
        if path is None:
            raise UsageError(f"there is no file '{file}'")
        is_new = file == SETTINGS and not is_there(path)
        read = partial(read_file, path, YAML, file, project.paths.roots)
        self.text = f"{NO_SETTINGS}{{}}\n" if is_new else read().decode("utf-8")
        findings = Findings()
        document = parse_yaml(self.text, file, findings)
        findings.raise_if_errors()
        self.data: Plain = document.data if document is not None and isinstance(document.data, dict) else {}

    def with_data(self, data: Plain) -> str:
        """Return the text with other data. Raises CardgenError if it can't be changed in place."""
        try:
            return edited(self.text, data)
        except SourceError as error:
            where = Location(self.file, error.line, error.column)
            raise CardgenError(
                Finding(Severity.ERROR, error.code, error.message, where, error.hint)
            ) from None

    def copy_here(self) -> None:
        """Copy the file to the project."""
        from cardgen.files.changes import Changes

        with Changes(self._project.root) as changes:
            changes.write_bytes(self.file, self.text.encode("utf-8"))
            changes.commit()


def _theme(value: Mapping[str, Any], path: tuple[str, ...], families: Sequence[str]) -> Iterator[Plain]:
    """Yield the controls of a theme's values, with those inside."""
    for key, each in value.items():
        place = (*path, str(key))
        if isinstance(each, dict):
            if len(place) < MOST_DEPTH:
                yield from _theme(each, place, families)
        elif isinstance(each, bool):
            yield _field(place, each, "flag")
        elif isinstance(each, int | float):
            yield _field(place, each, "number")
        elif isinstance(each, str) and COLOR.fullmatch(each):
            yield _field(place, each, "color")
        elif isinstance(each, str) and len(each) <= 200 and "\n" not in each:
            yield _field(
                place, each, "choice" if each in families else "text", families if each in families else ()
            )


def _knob(
    path: tuple[str, ...],
    data: Mapping[str, Any],
    kind: str,
    choices: Sequence[str] = (),
    *,
    note: str = "",
    default: Any = None,
) -> Plain:
    found = value_at(data, path)
    return {**_field(path, found, kind, choices), "note": note, "default": default}


def _field(path: tuple[str, ...], value: Any, kind: str, choices: Sequence[str] = ()) -> Plain:
    found: Plain = {"path": list(path), "kind": kind, "choices": list(choices)}
    return found if value is ABSENT else {**found, "value": value}


def _new_problems(project: Project, file: str, schema: str, before: str, after: str) -> list[Finding]:
    """Return the problems of a text by a schema that the text before didn't have."""
    findings = Findings()
    prepared = SchemaStore(project.paths, findings).schema(schema)
    if prepared is None:
        return list(findings)
    found = []
    for text in (before, after):
        document = parse_yaml(text, file, Findings())
        found.append([] if document is None else schema_findings(document, prepared))
    old = {(each.code, each.message) for each in found[0]}
    return [each for each in found[1] if (each.code, each.message) not in old]
