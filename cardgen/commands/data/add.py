"""`cardgen add`: a component or a sheet, added to a game with all its files."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.commands.data.game_file import GameFile, add_theme
from cardgen.commands.data.new import GAME_ID, size_called
from cardgen.commands.data.schemas import write_schemas
from cardgen.commands.data.starters import part_files, starter_files
from cardgen.commands.production.choices import DEFAULT_PAPER, find_paper, must_exist
from cardgen.core.findings import Finding, Findings, UsageError
from cardgen.core.geometry import Size, parse_length
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import MAX_BLEED, MAX_TRIM, MIN_TRIM
from cardgen.files.changes import Changes
from cardgen.files.project import Project
from cardgen.files.reading import PICTURE, is_there, read_bundled, read_file
from cardgen.files.yaml import parse_yaml

if TYPE_CHECKING:
    from cardgen.commands.data.table_decks import TableSource
    from cardgen.core.game import Component, Game
    from cardgen.core.sheets import SheetLayout
    from cardgen.files.network import Way
    from cardgen.game.inferred_files import TableDeck

KINDS: dict[str, dict[str, Any]] = json.loads(read_bundled("commands/data", "kinds_to_add.json"))
"""What can be added, by its name: its `starter` (the default is the plain deck), a `part` of ours, or the
`layout` of its sheet."""
FROM_COLUMNS = ("cards", "minis", "tokens")
"""Kinds whose look can be made from the columns of a table."""
_NAMED = ("data", "schema", "face", "back")
"""The keys of a starter's component that name its files."""
_BLEED, _SAFE = "3.175mm", "3.2mm"
"""The default bleed and safe zone of game.yaml."""


@dataclass(frozen=True, slots=True)
class Added:
    """An addition to a game: the component's id, None for a sheet alone; the name of its sheet, None if it
    lies on the usual one; the files written and those of the same name that were kept, relative to the
    project; findings about ambiguous columns of its table."""

    game: str
    component: str | None
    sheet: str | None
    files: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def add_component(
    kind: str,
    game: str,
    *,
    project: Project | None = None,
    template: str | None = None,
    size: str | None = None,
    id: str | None = None,
    source: str | None = None,
    look: str | None = None,
    way: Way | None = None,
) -> Added:
    """Add a component to one of the project's own games, and name it in game.yaml.

    Args:
        kind: One of KINDS; `sleeves` adds a sheet alone.
        template: The starter whose component is copied; the default is the kind's own.
        size: A name of sizes.yaml or `20x30mm`, in the proportions of the starter.
        id: The component's id; the default is the kind, with a number if that is taken.
        source: A table, `deck.xlsx#Cards` for one sheet of a workbook; or the https address of a published
            one, which `cardgen pull` downloads again (`way` is for tests). Its rows replace the starter's
            cards. Without a `template`, cards, minis and tokens get a look that fits its columns.
        look: Its name, for a table; the default is that of the game's other cards.

    Raises:
        UsageError: An unknown kind, starter or size, a taken id, or a game that isn't the project's own.
        CardgenError: game.yaml can't be read or changed in place, or the table can't be read.
    """
    from cardgen.game.starter_look import box_svg

    project = project or Project.open()
    must_exist("kind of component", kind, list(KINDS))
    about = KINDS[kind]
    if "layout" in about:
        for option, value in {"--template": template, "--size": size, "--id": id, "--from": source}.items():
            if value is not None:
                raise UsageError(
                    f"'{kind}' is a sheet and has no {option}", f"add it: cardgen add {kind} --game {game}"
                )
        return add_sheet(about["layout"], game, project=project)
    manifest = GameFile.of(project, game)
    table = None if source is None else _one_table(kind, source, way)
    id = component_id(manifest, kind, id)
    if table is not None and template is None and kind in FROM_COLUMNS:
        return _add_table(manifest, project, replace(table, id=id), size, look)
    if look is not None:
        hint = f"remove it, or name a table: cardgen add cards --from FILE --look {look}"
        raise UsageError("--look is for cards, minis and tokens of a table", hint)
    starter = _Starter(template or about.get("starter"), None if template else about.get("part"))
    entry, files = starter.component(game, str(manifest.data.get("title", game)), id)
    if size is not None:
        _resize(entry, size, project, f"{kind} --game {game}")
    if "box" in entry:
        entry["box"]["holds"] = _boxed(manifest)
        if template is None and (own := _own_look(manifest, project)) is not None:
            files[f"templates/{game}/{entry['face']}"] = box_svg(own).encode("utf-8")
    add_theme(manifest, starter.theme, template or kind)
    findings: tuple[Finding, ...] = ()
    if table is not None:
        findings = _fill_starter(entry, files, project, manifest, replace(table, id=id))
    manifest.components[id] = entry
    fits = size is None or _fits_starter(entry, starter, project)
    sheet = _add_sheet_for(manifest, project, game, id, starter, fits=fits)
    layout = starter.layout_file
    if layout is not None and sheet is not None and fits and not is_there(project.root / layout[0]):
        files[layout[0]] = layout[1]
    added = write_added(project, manifest, Added(game, id, sheet, findings=findings), files)
    if table is not None:
        write_schemas(game, project=project, components=(id,))
    return added


def _one_table(kind: str, source: str, way: Way | None) -> TableSource:
    """Return the table that becomes a component. Raises UsageError for several."""
    from cardgen.commands.data.table_decks import sources_of

    found, _ = sources_of(source, f"cardgen add {kind}", way)
    if kind == "box":
        raise UsageError("a box has no table", "add it without --from: cardgen add box")
    if len(found) > 1:
        sheets = [each.sheet for each in found]
        first = f"{source}#{sheets[0]}" if sheets[0] is not None else found[0].shown
        hint = f"name one: cardgen add {kind} --from {shlex.quote(first)}"
        raise UsageError(f"'{source}' has several tables", hint)
    title = kind.title() if found[0].title == "Cards" else found[0].title
    return replace(found[0], kind=kind, title=title)


def _own_table(project: Project, manifest: GameFile, table: TableSource) -> tuple[str, dict[str, bytes]]:
    """Return a table's file as game.yaml names it, and the file to be copied, if it isn't the game's. Note
    the address of a downloaded one."""
    game = manifest.game
    if table.address is not None:
        name = f"{table.id}{table.ending}"
        manifest.data.setdefault("pull", {})[name] = table.address
        return name, {f"data/{game}/{name}": table.raw}
    folder = (project.root / "data" / game).resolve()
    path = table.path.resolve()
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix(), {}
    name = f"{table.id}{table.ending}"
    return name, {f"data/{game}/{name}": table.raw}


def _add_table(
    manifest: GameFile, project: Project, table: TableSource, size: str | None, look: str | None
) -> Added:
    """Add a component whose look fits the columns of a table; the default look is that of the game's other
    cards."""
    from cardgen.commands.data.table_decks import add_deck, deck_from_table, look_called

    look = look_called(look or _own_look(manifest, project))

    file, files = _own_table(project, manifest, table)
    found = deck_from_table(table, file, size, look, project.paths)
    files |= add_deck(manifest, found)
    sheet = None
    if sheets := manifest.data.get("sheets"):
        layout = _usual_layout(found.deck, project)
        sheet = free_name(layout, sheets)
        sheets[sheet] = {"layout": layout, "components": [table.id]}
    added = Added(manifest.game, table.id, sheet, findings=found.findings)
    return write_added(project, manifest, added, files)


def _own_look(manifest: GameFile, project: Project) -> str | None:
    """Return the look of a game's cards, if they have one."""
    from cardgen.game.starter_look import looks

    folder = project.root / "templates" / manifest.game
    return next((each for each in looks() if is_there(folder / f"{each}-scenes.svg")), None)


def _usual_layout(deck: TableDeck, project: Project) -> str:
    """Return the layout for cards or tokens of a size."""
    from cardgen.game.components import usual_layout
    from cardgen.game.facts import load_sizes
    from cardgen.game.inferred_files import BLEED

    sizes = {id: fact.size for id, fact in load_sizes(project.paths).items()}
    return usual_layout(deck.kind, {deck.size.upright}, BLEED, sizes)


def _fill_starter(
    entry: dict[str, Any], files: dict[str, bytes], project: Project, manifest: GameFile, table: TableSource
) -> tuple[Finding, ...]:
    """Replace the cards of a starter's component with those of a table; return findings about it."""
    from cardgen.commands.data.table_decks import deck_from_table
    from cardgen.game.inferred_files import deck_entry
    from cardgen.game.starter_look import looks, picture_file

    del files[f"data/{manifest.game}/{entry['data']}"]
    file, copied = _own_table(project, manifest, table)
    found = deck_from_table(table, file, None, next(iter(looks())), project.paths)
    stated = deck_entry(found.deck)
    entry |= {key: stated[key] for key in ("data", "columns", "numbers", "markup") if key in stated}
    files |= copied | {picture_file(name): content for name, content in found.pictures.items()}
    return found.findings


def add_sheet(
    layout: str, game: str, *, project: Project | None = None, components: Sequence[str] = ()
) -> Added:
    """Add a sheet with that layout to one of the project's own games; the default `components` are those
    that the layout is for and whose cards fit it.

    Raises UsageError for an unknown layout or component, a layout that suits none, and one that a sheet
    with these components has; without `components`, for one that any sheet has.
    """
    from cardgen.game.components import suits_layout
    from cardgen.game.facts import load_layouts

    project = project or Project.open()
    manifest = GameFile.of(project, game)
    layouts = load_layouts(project.paths)
    must_exist("layout", layout, sorted(layouts))
    loaded = _loaded(project, game)
    for each in components:
        must_exist("component", each, [part.id for part in loaded.components], loaded)
    suited = [
        part
        for part in loaded.components
        if (part.id in components if components else suits_layout(part, layout))
    ]
    if layouts[layout].grid == "booklet":
        _refuse_no_book(suited, layout, loaded)
    book = next((part.id for part in suited if part.book is not None), None)
    if book is not None and len(suited) > 1:
        hint = f"give the book its own: cardgen add sheet {layout} --game {game} --component {book}"
        raise UsageError(f"the book '{book}' can't share a sheet with other components", hint)
    wanted = [part.id for part in suited if components or _fits(part, layouts[layout], project)]
    if suited and not wanted:
        raise UsageError(
            f"no cards of {loaded.title} fit the layout '{layout}'",
            "choose a layout for their size: cardgen list --layouts",
        )
    if not wanted:
        known = ", ".join(part.id for part in loaded.components)
        raise UsageError(
            f"{loaded.title} has nothing for the layout '{layout}'",
            f"name a component ({known}): cardgen add sheet {layout} --game {game} --component ID",
        )
    sheets = _stated_sheets(manifest, loaded)
    for name, entry in sheets.items():
        if isinstance(entry, dict) and entry.get("layout", name) == layout:
            others = [id for id in wanted if id not in entry.get("components", ())]
            if others and components:
                continue
            hint = f"print it: cardgen build {game} --sheet {name}"
            if others:
                more = " ".join(f"--component {id}" for id in others)
                hint = f"add one for the other components: cardgen add sheet {layout} --game {game} {more}"
            raise UsageError(f"the sheet '{name}' has the layout '{layout}' already", hint)
    name = free_name(layout, sheets)
    sheets[name] = {"layout": layout, "components": wanted}
    return write_added(project, manifest, Added(game, None, name), {})


def _refuse_no_book(parts: Sequence[Component], layout: str, game: Game) -> None:
    """Refuse a sheet for folding with anything but books."""
    books = [part.id for part in game.components if part.book is not None]
    if not books or any(part.book is None for part in parts):
        has_none = f", and {game.title} has none" if not books else ""
        hint = "choose a layout for cards: cardgen list --layouts"
        if books:
            hint = f"name a book: cardgen add sheet {layout} --game {game.id} --component {books[0]}"
        raise UsageError(f"the layout '{layout}' is for books{has_none}", hint)


def _fits(component: Component, layout: SheetLayout, project: Project) -> bool:
    """Return True if all cards of a component fit a layout's places, or the paper that is the default."""
    trims = {card.trim.upright for card in component.cards}
    return component.box is not None or _trims_fit(trims, component.shape == "hexagon", layout, project)


def _trims_fit(trims: Iterable[Size], honeycomb: bool, layout: SheetLayout, project: Project) -> bool:
    from cardgen.sheets.marks import arrange_beside_marks

    if layout.grid in ("single", "tiled", "booklet"):
        return True
    paper = find_paper(project.paths, layout.places.paper if layout.places else DEFAULT_PAPER)
    size = paper.doubled(()).size if layout.double else paper.size
    return all(arrange_beside_marks(trim, size, layout, honeycomb=honeycomb) for trim in trims)


def write_added(project: Project, manifest: GameFile, added: Added, files: Mapping[str, bytes]) -> Added:
    """Write an addition's files that don't exist yet, game.yaml last."""
    there = [file for file in files if is_there(project.root / file)]
    text = manifest.text()
    with Changes(project.root) as changes:
        for file, content in files.items():
            if file not in there:
                changes.write_bytes(file, content)
        changes.write_bytes(manifest.file, text.encode("utf-8"))
        changes.commit()
    roots = project.paths.roots[:1]
    kept = [file for file in there if read_file(project.root / file, PICTURE, file, roots) != files[file]]
    return replace(
        added, files=(*(file for file in files if file not in there), manifest.file), kept=tuple(kept)
    )


def component_id(manifest: GameFile, kind: str, id: str | None) -> str:
    """Return the id of a new component. Raises UsageError for an invalid or taken one."""
    if id is None:
        return free_name(kind, manifest.components)
    if not GAME_ID.fullmatch(id) or len(id) > 64:
        valid = f"cardgen add {kind} --game {manifest.game} --id {kind}-2"
        hint = f"use letters a to z in lower case, digits and '-': {valid}"
        raise UsageError(f"'{id[:80]}' can't be a component's id", hint)
    if id in manifest.components:
        free = free_name(id, manifest.components)
        hint = f"choose another: cardgen add {kind} --game {manifest.game} --id {free}"
        raise UsageError(f"there is a component '{id}' already", hint)
    return id


def free_name(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name that isn't taken: the name itself, or with a number."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


class _Starter:
    """The component of a starter, to be copied into another game."""

    def __init__(self, starter: str | None, part: str | None) -> None:
        self._starter, self._part = starter, part
        findings = Findings()
        file = "data/game/game.yaml"
        manifest = parse_yaml(self._files("game", "Game")[file].decode("utf-8"), file, findings)
        findings.raise_if_errors()
        assert manifest is not None
        self._entries = manifest.data
        self.theme: Mapping[str, Any] = manifest.data.get("theme", {})
        sheets = manifest.data.get("sheets")
        if not sheets or not manifest.data.get("components"):
            hint = "choose another: cardgen list --starters"
            raise UsageError(f"the starter '{starter}' has no component with a sheet", hint)
        (self.sheet_name, self.sheet), *_ = sheets.items()

    def _files(self, game: str, title: str) -> dict[str, bytes]:
        if self._part is not None:
            return part_files(game, self._part, title)
        return starter_files(game, self._starter, title)

    @property
    def layout_file(self) -> tuple[str, bytes] | None:
        """Return the starter's own sheet layout, if it has one: its file and content."""
        file = f"data/sheets/{self.sheet['layout']}.yaml"
        files = self._files("game", "Game")
        return (file, files[file]) if file in files else None

    def layout(self, project: Project) -> SheetLayout | None:
        """Return the layout of its sheet: the project's of that name, or its own; None for neither."""
        from cardgen.game.facts import load_layouts

        name, own = self.sheet["layout"], self.layout_file
        found = load_layouts(project.paths).get(name)
        if found is None and own is not None:
            found = load_layouts(Project.from_files(dict([own])).paths).get(name)
        return found

    def component(self, game: str, title: str, id: str) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return the component's entry in game.yaml and its files, all named after its new id."""
        (old, entry), *_ = self._entries["components"].items()
        entry = dict(entry)
        files = self._files(game, title)
        names: dict[str, str] = {}
        for key in _NAMED:
            if key in entry:
                ending = "schema.json" if key == "schema" else entry[key].rpartition(".")[2]
                own = f"{id}-back" if key == "back" else id
                entry[key] = names.setdefault(entry[key], f"{own}.{ending}")
        if "box" in entry:
            entry["box"] = dict(entry["box"])
        copied = {}
        for file, content in files.items():
            folder, _, name = file.rpartition("/")
            if name in names and folder.partition("/")[0] in ("data", "schemas", "templates"):
                text = content.decode("utf-8")
                if folder.startswith("data"):
                    text = text.replace(f"/{_schema_of(files)}", f"/{id}.schema.json")
                    text = re.sub(rf"^{old}:", f"{id}:", text, count=1, flags=re.MULTILINE)
                elif folder.startswith("schemas"):
                    text = text.replace(f'"{old}"', f'"{id}"')
                copied[f"{folder}/{names[name]}"] = text.encode("utf-8")
            elif re.match(r"templates/[^/]+/", file) and name not in names:
                copied[file] = content
        return entry, copied


def _schema_of(files: Mapping[str, bytes]) -> str:
    return next(file.rpartition("/")[2] for file in files if file.endswith(".schema.json"))


def _resize(entry: dict[str, Any], size: str, project: Project, added: str) -> None:
    """Scale a component to another size of the same proportions. `added` are the arguments of `add`."""
    if "box" in entry:
        raise UsageError("a box's size follows from its cards", f"omit --size: cardgen add {added}")
    is_list = isinstance(entry["trim"], list)
    old = _trim(entry, project)
    new = size_called(size, project.paths)
    new = new.turned if is_list and old.landscape != new.landscape else new
    usual = {"bleed": _BLEED, "safe": _SAFE}
    insets = {key: parse_length(entry.get(key, usual[key])) for key in usual}
    least = MIN_TRIM / min(old.width, old.height)
    most = min(MAX_TRIM / max(old.width, old.height), MAX_BLEED / (insets["bleed"] or MIN_TRIM))
    scale = new.width / old.width
    low, high = sorted((scale, new.height / old.height))
    if low < least or high > most:
        limit, round_in = (least, math.ceil) if low < least else (most, math.floor)
        sides = [f"{round_in(round(side * limit * 100, 6)) / 100:g}" for side in (old.width, old.height)]
        problem = f"has a side below the minimum {MIN_TRIM:g}mm"
        if low >= least:
            problem = (
                f"is too large: a side is {MAX_TRIM:g}mm at most, the bleed in proportion {MAX_BLEED:g}mm"
            )
        raise UsageError(
            f"the size '{size}' {problem}",
            f"choose the {'least' if low < least else 'largest'}: "
            f"cardgen add {added} --size {'x'.join(sides)}mm",
        )
    if abs(old.width * new.height - new.width * old.height) > 0.01 * old.width * new.height:
        raise UsageError(
            f"the template is for {old}, and '{size}' has other proportions",
            "choose a size of the same proportions; list all: cardgen list --sizes",
        )
    entry["trim"] = [f"{new.width:g}mm", f"{new.height:g}mm"] if is_list or "mm" in size else size
    for key, inset in insets.items():
        entry[key] = f"{round(inset * scale, 3):g}mm"


def _trim(entry: Mapping[str, Any], project: Project) -> Size:
    trim = entry["trim"]
    return Size(*map(parse_length, trim)) if isinstance(trim, list) else size_called(trim, project.paths)


def _fits_starter(entry: Mapping[str, Any], starter: _Starter, project: Project) -> bool:
    """Return True if a resized component fits the layout of its starter."""
    layout = starter.layout(project)
    trims = [_trim(entry, project).upright]
    return layout is None or _trims_fit(trims, entry.get("shape") == "hexagon", layout, project)


def _boxed(manifest: GameFile) -> list[str]:
    """Return the components that a box holds: cards and aids. Raises UsageError without any."""
    held = [
        id
        for id, entry in manifest.components.items()
        if isinstance(entry, dict) and entry.get("kind") in ("card", "aid")
    ]
    if not held:
        raise UsageError(
            "a box is folded around cards, and the game has none",
            f"add them: cardgen add cards --game {manifest.game}",
        )
    return held


def _loaded(project: Project, game: str) -> Game:
    from cardgen.game.loading import load_game

    return load_game(project.paths, game, partial=True)[0]


def _stated_sheets(manifest: GameFile, loaded: Game) -> dict[str, Any]:
    """Return the entries of sheets, to be changed. A game without any gets its usual ones, which it would
    lose otherwise."""
    if not manifest.data.get("sheets"):
        manifest.data["sheets"] = entries_of(loaded)
    return manifest.data["sheets"]  # type: ignore[no-any-return]


def entries_of(loaded: Game) -> dict[str, Any]:
    """Return the entries of a game's sheets for its game.yaml."""
    return {
        each.name: {"layout": each.layout, "components": list(each.components)} for each in loaded.sheets
    }


def _add_sheet_for(
    manifest: GameFile, project: Project, game: str, id: str, starter: _Starter, *, fits: bool
) -> str | None:
    """Add the sheet of a new component, and return its name; None if the usual sheets have it. What does
    not fit the starter's layout is printed in tiles."""
    layout = starter.sheet["layout"] if fits else "board"
    if not manifest.data.get("sheets") and starter.layout_file is None:
        return None
    has_stated = bool(manifest.data.get("sheets"))
    sheets = manifest.data["sheets"] if has_stated else _stated_sheets(manifest, _loaded(project, game))
    name = starter.sheet_name if fits and starter.sheet_name not in sheets else free_name(id, sheets)
    sheets[name] = {"layout": layout, "components": [id]}
    return name
