"""`load_game`: a game's folder to a finished Game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from cardgen.core.findings import Finding, Findings, Location, Severity, UsageError, did_you_mean
from cardgen.core.game import (
    Component,
    DeckList,
    DeckSource,
    Game,
    GameSheet,
    Limits,
    Spot,
    StatedPress,
    plain_values,
)
from cardgen.core.geometry import MM_PER_PT
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import replace
from cardgen.core.sheets import MAX_PIECES, MAX_TYPE
from cardgen.core.table import Table
from cardgen.files.listing import homes
from cardgen.files.table_formats import is_table, parted
from cardgen.files.yaml import Document
from cardgen.game.cards import GameContext, check_fields, load_effects, with_printed
from cardgen.game.components import judge_part, load_box, load_component, usual_sheets
from cardgen.game.deck_lists import deck_source, load_decks
from cardgen.game.facts import Players, layout_names, length, read_number_words, read_sizes
from cardgen.game.json_values import Path as KeyPath
from cardgen.game.languages import Texts, read_translation, texts_file
from cardgen.game.schema_file import name_hint
from cardgen.game.schema_findings import Parts, wrong_parts, wrong_paths
from cardgen.game.sources import KeptFiles, Sources, Subject, TableUse, table_name
from cardgen.game.table import load_table

GAME_SCHEMA = "schemas/game.schema.json"
_PARTS = {"components": "component", "sheets": "sheet"}
"""The parts of game.yaml whose invalid entries can be skipped, and the name of such an entry."""
_NAMED = 12
"""Most unchecked things that are named."""


def list_games(paths: ProjectPaths) -> list[str]:
    """Return the ids of all games: the folders of `data/` with a game.yaml, sorted. Raises CardgenError if
    data/ can't be listed."""
    return homes(paths.roots, "data", "game.yaml")


def load_game(
    paths: ProjectPaths,
    game_id: str,
    *,
    players: int | None = None,
    language: str | None = None,
    partial: bool = False,
    collect: Texts | None = None,
    like: Game | None = None,
    kept: KeptFiles | None = None,
) -> tuple[Game, Findings]:
    """Return the game `game_id`, whole and valid, and the warnings and notes on the way.

    `players` is the number of players that copies are resolved for; None prints enough for all. `language`
    is one of game.yaml's, None the game's own; then its texts may be collected in `collect`. Files that
    were read for `like`, the game in its own language, are not read or reported again. `kept` has the files
    read the last time, of the same game in its own language. Raises UsageError for an unknown game or
    number of players, CardgenError with all findings for anything wrong in its files. If it may be
    `partial`, invalid parts are skipped and their errors are among the findings, to search for more
    problems; it raises only if nothing is left.
    """
    games = list_games(paths)
    if game_id not in games:
        hint = did_you_mean(game_id, games) or (f"use one of: {', '.join(games)}" if games else None)
        raise UsageError(f"there is no game '{game_id}'", hint, "usage/game")
    findings = Findings()
    sources = Sources(paths, findings, before=like.locator if like is not None else None, kept=kept)
    manifest = sources.read(f"data/{game_id}/game.yaml")
    if manifest is None or not _judge(sources, game_id, manifest):
        if partial:
            findings.extend([not_judged(game_id, ["all that is printed", "rules"])])
        findings.raise_if_errors()
        raise AssertionError("an unusable game.yaml has findings")
    wrong = sources.wrong_parts(manifest, GAME_SCHEMA) or frozenset()
    sources.texts = collect if language is None else texts_in(sources, game_id, manifest, language)
    if sources.texts is not None:
        sources.translate(manifest, GAME_SCHEMA)
    game = _build(sources, game_id, manifest, wrong, players)
    if sources.texts is not None and sources.texts.translation is not None:
        game = replace(game, words=sources.texts.words(game))
    if not partial:
        findings.raise_if_errors()
    return game, findings


def texts_in(sources: Sources, game_id: str, manifest: Document, language: str) -> Texts | None:
    """Return the texts of a language stated in game.yaml; None for the game's own. The game's settings
    become that language's. Raises UsageError for an unstated language."""
    data = manifest.data
    source = data["language"]
    if language == source:
        return None
    stated = data.get("languages", {})
    if language not in stated:
        known = [source, *stated]
        hint = did_you_mean(language, known) or f"use one of: {', '.join(known)}"
        raise UsageError(f"{data['title']} is not translated into '{language}'", hint, "usage/language")
    own = stated[language]
    before = len(sources.findings.errors)
    translation = read_translation(sources.paths, texts_file(game_id, language), sources.findings)
    if len(sources.findings.errors) > before:
        return None  # the missing texts are unknown
    data["language"] = language
    data["limits"] = {**data.get("limits", {}), **own.get("limits", {})}
    stated_theme = Subject(manifest, sources.findings, ("languages", language, "theme"))
    data["theme"] = _laid_over(data["theme"], own.get("theme", {}), stated_theme)
    must = own["missing"] == "error"
    words = read_number_words(sources, source), read_number_words(sources, language)
    return Texts(game_id, language, sources.paths, sources.findings, translation, must, words)


def _laid_over(theme: dict[str, Any], changes: dict[str, Any], stated: Subject) -> dict[str, Any]:
    """Return a theme with the changes of game.yaml; a change to an unknown key is a finding."""
    result = dict(theme)
    for key, value in changes.items():
        if key not in theme:
            message = f"the game's theme has no '{key}'"
            hint = name_hint(key, theme, "values of the theme")
            stated.below(key).error("game/theme", message, hint, key=True)
        elif isinstance(value, dict) and isinstance(theme[key], dict):
            result[key] = _laid_over(theme[key], value, stated.below(key))
        else:
            result[key] = value
    return result


def not_judged(game_id: str, what: Sequence[str]) -> Finding:
    """Return a note of the parts that were skipped because of other findings."""
    more = f" and {len(what) - _NAMED} more" if len(what) > _NAMED else ""
    message = f"skipped because of the errors above: {', '.join(what[:_NAMED])}{more}"
    hint = f"fix the errors above, then check the rest: cardgen check {game_id}"
    place = Location(f"data/{game_id}/game.yaml")
    return Finding(Severity.NOTE, "check/left-out", message, place, hint)


def _judge(sources: Sources, game_id: str, manifest: Document) -> bool:
    """Return True if a game.yaml is usable, with some of its entries skipped. If not, add all findings
    about the things that it names."""
    findings = sources.findings
    if sources.check(manifest, GAME_SCHEMA):
        return True
    if not isinstance(manifest.data, dict):
        return False
    wrong = sources.wrong_parts(manifest, GAME_SCHEMA)
    if wrong is not None and all(key in _PARTS for key, _ in wrong):
        return True
    schema = sources.schemas.schema(GAME_SCHEMA)
    if schema is None:
        return False
    data, keys = mended(manifest.data, game_id, wrong_paths(manifest.data, schema))
    other = Document(manifest.relative, data, manifest.text)
    wrong = wrong_parts(data, schema, findings)
    if wrong is None or any(key not in _PARTS for key, _ in wrong):
        return False  # so many errors that checking takes too long, or nothing is left
    before = len(findings)
    _build(sources, game_id, other, wrong, None, tuple(sorted(keys)), tuple(named(manifest.data)))
    findings.items[before:] = [each for each in findings.items[before:] if not rests_on(each.code, keys)]
    return False


def _build(
    sources: Sources,
    game_id: str,
    manifest: Document,
    wrong: Parts,
    chosen: int | None,
    stood_in: Sequence[str] = (),
    unknown: Sequence[str] = (),
) -> Game:
    """Return the game of a game.yaml that is valid except for the `wrong` entries; findings skip the things
    that they are about. Keys in `stood_in` have placeholders; if components are among them, sheets and deck
    lists name those in `unknown`."""
    data, findings = manifest.data, sources.findings
    parts = _take_out(sources, data, wrong)
    if data["id"] != game_id:
        message = f"the id '{data['id']}' is not the folder's name '{game_id}'"
        Subject(manifest, findings, ("id",)).error("game/id", message, f"write id: {game_id}")
    players = _players(manifest, findings, chosen)
    effects = load_effects(sources, game_id, manifest)
    context = GameContext(sources, game_id, manifest, read_sizes(sources), players, effects)
    _leave_out(context, parts, stood_in, unknown)
    # References to cards and components are checked only if all of these exist.
    tables = _tables(context)
    loaded = _components(context)
    sources.warn_of_unused_sheets()
    sheets = _sheets(context, {name: part for (key, name), part in parts.items() if key == "sheets"})
    if "sheets" not in data:
        sheets = usual_sheets([each for each in loaded if each is not None], context.sizes)
    _note_shapeless(context)
    rules = None
    if "rules" in data:
        rules = f"data/{game_id}/{data['rules']}"
        sources.file(context.subject("rules"), f"data/{game_id}", data["rules"], "reference/rules")
    for id, component in zip(data["components"], loaded):
        if component is None:
            context.leave_out("component", id)
    components = tuple(component for component in loaded if component is not None)
    if not _check_pieces(context, components):
        sheets = ()
        context.leave_out("list", "sheets")
    kept = {component.id for component in components}
    source, decks, table, aside = _decks_and_table(context, components)
    own = data.get("languages", {}).get(data["language"], {})
    shown_by = ("languages", data["language"]) if "fallback" in own else ("fonts",)
    press = data.get("press")
    return Game(
        **plain_values(data),
        players=(players.least, players.most),
        player_count=players.count,
        components=components,
        sheets=tuple(
            replace(sheet, components=tuple(id for id in sheet.components if id in kept))
            for sheet in sheets
            if kept & set(sheet.components)
        ),
        tables=tables,
        limits=_limits(context),
        rules=rules,
        sources=tuple(sorted({*sources.files, *aside.files})),
        paths=sources.paths,
        locator=sources.locator,
        effects=effects,
        table=table,
        table_problems=tuple(aside.findings.sorted()),
        deck_source=source,
        decks=decks,
        fallback=tuple(own.get("fallback", data.get("fonts", {}).get("fallback", ()))),
        fallback_path=(*shown_by, "fallback"),
        left_out=tuple(context.left_out),
        incomplete=frozenset(context.incomplete),
        missing=tuple(card for card in context.missing if card.component in kept),
        languages=tuple(data.get("languages", ())),
        spots=_spots(context),
        press=None if press is None else StatedPress(**press),
        fonts=tuple(own.get("fonts", {}).items()),
        stand_ins=tuple(context.stand_ins.items()),
    )


_WrongParts = Mapping[tuple[str, str | int], dict[str, Any]]
"""The valid part of each wrong entry, by its outer key and its own."""


def _take_out(sources: Sources, data: dict[str, Any], wrong: Parts) -> _WrongParts:
    """Remove the wrong entries from game.yaml's data."""
    schema = sources.schemas.schema(GAME_SCHEMA)
    places = wrong_paths(data, schema) if wrong and schema else frozenset()
    ordered = sorted(wrong, key=str)
    return {(key, name): of_entry(data[key].pop(name, None), places, (key, name)) for key, name in ordered}


def _leave_out(
    context: GameContext, parts: _WrongParts, stood_in: Sequence[str], unknown: Sequence[str]
) -> None:
    """Note the invalid parts of the game, and report problems in the rest of wrong components."""
    for (key, name), part in parts.items():
        context.leave_out(_PARTS[key], str(name))
        if key == "components":
            judge_part(context, str(name), part)
    for key in stood_in:
        context.leave_out("value", key)
        if key in _PARTS:
            context.manifest.data[key].pop(NOBODY)
        for id in {"components": unknown, "sheets": (NOBODY,)}.get(key, ()):
            context.leave_out(_PARTS[key], id)


def _decks_and_table(
    context: GameContext, components: Sequence[Component]
) -> tuple[DeckSource | None, tuple[DeckList, ...], Table | None, Sources]:
    """Return the component of deck lists, the game's own ones, and its table, with the files read for that.
    A game with an invalid table can still be printed."""
    sources, manifest = context.sources, context.manifest
    drawn = manifest.data.get("decks", {}).get("component")
    source = None
    if ("component", drawn) not in context.left_out:
        source = deck_source(context.game, manifest, context.findings)
    pool = next((each for each in components if source and each.id == source.component), None)
    aside = sources.aside()
    decks: tuple[DeckList, ...] = ()
    table = None
    before = len(context.findings.errors)
    if source and pool and not any(kind in ("card", "file") for kind, _ in context.left_out):
        decks = load_decks(sources, manifest, source, _named_in_lists(sources, source, pool))
    if not context.left_out:
        check_fields(context, components)
    if not context.left_out and len(context.findings.errors) == before:
        players = context.players
        seats = (players.least, players.most)
        table = load_table(aside, context.game, components, decks, seats, players.count)
    return source, decks, table, aside


def _components(context: GameContext) -> list[Component | None]:
    """Return the game's components, boxes after their contents, lids last; None for invalid ones."""
    entries = context.manifest.data["components"]
    found: dict[str, Component | None] = {}
    for id, entry in entries.items():
        if entry["kind"] != "box":
            found[id] = load_component(context, id, entry)
    boxes = {id: entry for id, entry in entries.items() if entry["kind"] == "box"}
    for is_lid in (False, True):
        others = dict(found)
        for id, entry in boxes.items():
            if (entry["box"]["form"] == "lid") is is_lid:
                found[id] = load_box(context, id, entry, others)
    return [found[id] for id in entries]


def _named_in_lists(sources: Sources, source: DeckSource, pool: Component) -> Component:
    """Return the cards that deck lists draw from with their names there: those of the source language, even
    if the game is loaded in another."""
    if sources.texts is None:
        return pool
    said = sources.texts.sources
    named = (
        replace(card, fields={**card.fields, source.name: name})
        if (name := said.get((card.file, (*card.path, source.name)))) is not None
        else card
        for card in pool.cards
    )
    return replace(pool, cards=tuple(named))


def _check_pieces(context: GameContext, components: Sequence[Component]) -> bool:
    """Return True if a game has no more pieces than can be printed; else add a finding at the component
    that has most of them."""
    total = sum(component.copies for component in components)
    if total > MAX_PIECES:
        most = max(components, key=lambda component: component.copies)
        message = f"the game has {total:,} pieces including copies, more than {MAX_PIECES:,}"
        hint = f"reduce the copies of '{most.id}', now {most.copies:,}"
        context.subject("components", most.id).error("game/pieces", message, hint, key=True)
    return total <= MAX_PIECES


def _players(manifest: Document, findings: Findings, chosen: int | None) -> Players:
    least, most = int(manifest.data["players"]["min"]), int(manifest.data["players"]["max"])
    if least > most:
        message = f"the minimum number of players {least} is above the maximum {most}"
        Subject(manifest, findings, ("players", "min")).error("game/players", message)
    elif chosen is not None and not least <= chosen <= most:
        title = manifest.data["title"]
        range_ = f"{least} to {most} players" if least < most else f"{least} players"
        raise UsageError(f"{title} is for {range_}, not {chosen}", None, "usage/players")
    return Players(min(least, most), max(least, most), chosen)


def _note_shapeless(context: GameContext) -> None:
    """Note the components without a schema, so that their cards' fields aren't checked."""
    entries = context.manifest.data["components"].items()
    without = [id for id, entry in entries if entry["kind"] != "book" and "schema" not in entry]
    if without:
        named = " and ".join(filter(None, [", ".join(without[:-1]), without[-1]]))
        message = f"{named}: without a schema, typos in fields and values are not reported"
        hint = f"write one from the data: cardgen schema {context.game}"
        place = context.manifest.locate(("components", without[0]), key=True)
        context.findings.note("game/no-schema", message, place, hint)


def _limits(context: GameContext) -> Limits:
    stated = context.manifest.data.get("limits", {})
    usual = Limits()
    type_pt = usual.type_pt
    if "type" in stated:
        size = length(context.subject("limits", "type"), stated["type"], most=MAX_TYPE)
        if size is not None:
            # Rounded so that 6.5pt remains 6.5 after conversion to millimeters.
            type_pt = round(size / MM_PER_PT, 4)
    return Limits(type_pt, float(stated.get("contrast", usual.contrast)))


def _tables(context: GameContext) -> dict[str, Any]:
    """Return the content of the further data files by stem. `schemas/GAME/STEM.schema.json` checks each."""
    tables: dict[str, Any] = {}
    sources, folder = context.sources, f"data/{context.game}"
    for index, file in enumerate(context.manifest.data.get("tables", ())):
        subject = context.subject("tables", index)
        stem, (name, sheet) = table_name(file), parted(file)
        if not sources.file(subject, folder, name, "reference/data"):
            context.leave_out("table", stem)
            continue
        if stem in tables:
            subject.error("game/tables", f"two tables are called '{stem}'", "rename one")
        schema = f"schemas/{context.game}/{stem}.schema.json"
        document = (
            sources.table(f"{folder}/{name}", TableUse((sheet,), stem, schema))
            if is_table(file)
            else sources.read(f"{folder}/{name}")
        )
        is_usable = document is not None and (
            not sources.has(schema)
            or sources.check(document, schema)
            or sources.wrong_parts(document, schema) == frozenset()  # but for unknown columns
        )
        data = with_printed(context, document) if document is not None and is_usable else None
        if data is None:
            context.leave_out("table", stem)
        else:
            tables[stem] = data
    return tables


def _sheets(context: GameContext, parts: Mapping[Any, Mapping[str, Any]]) -> tuple[GameSheet, ...]:
    """Return the game's sheets; reports unknown layouts and components, and components on no sheet. `parts`
    are the valid parts of invalid sheets."""
    data = context.manifest.data
    if "sheets" not in data:
        return ()
    layouts = layout_names(context.sources, variants=False)
    printed: set[str] = set()
    sheets = []
    for name, entry in (*data["sheets"].items(), *parts.items()):
        sheet = context.subject("sheets", name)
        layout = entry.get("layout", None if name in parts else name)
        if layout is not None and layout not in layouts:
            layouts |= layout_names(context.sources.aside())
        if layout is not None and layout not in layouts:
            stated, command = (
                sheet.below("layout") if "layout" in entry else sheet,
                "cardgen list --layouts",
            )
            stated.refuse_unknown("reference/layout", layout, layouts, "sheet layout", "layouts", command)
            context.leave_out("sheet", name)
        listed = entry.get("components", ())
        for index, id in enumerate(listed):
            if id not in data["components"] and ("component", id) not in context.left_out:
                stated, known = sheet.below("components", index), data["components"]
                stated.refuse_unknown("reference/component", id, known, "component", "components")
        books = [id for id in listed if data["components"].get(id, {}).get("kind") == "book"]
        if books and len(listed) > 1:
            message = f"the book '{books[0]}' can't share the sheet '{name}' with other components"
            sheet.below("components").error("sheet/book", message, "give the book its own sheets")
            context.leave_out("sheet", name)
        printed.update(listed)
        if ("sheet", name) not in context.left_out:
            sheets.append(GameSheet(name, layout or name, tuple(listed)))
    whole = not any(kind == "sheet" and name not in data["sheets"] for kind, name in context.left_out)
    for id in data["components"]:
        if whole and id not in printed:
            message, hint = f"the component '{id}' is on no sheet", "name it in a sheet's components"
            context.subject("components", id).warning("sheet/unused-component", message, hint, key=True)
    return tuple(sheets)


NOBODY = "none"
"""The id of a placeholder for all components."""
_BOOK = {"title": "-", "kind": "book", "trim": "a5", "book": "none.md"}
_SHEET = {"components": [NOBODY]}
_STAND_INS: Mapping[str, Any] = {
    "title": "-",
    "version": "-",
    "author": "-",
    "players": {"min": 1, "max": 99},
    "components": {NOBODY: _BOOK},
    "sheets": {NOBODY: _SHEET},
}
"""Values of the required keys."""
_OF_PLAYERS = frozenset(("copies/players", "copies/none", "game/pieces"))
"""Codes of findings about numbers of players."""


def mended(
    data: dict[str, Any], game_id: str, wrong: Collection[KeyPath]
) -> tuple[dict[str, Any], set[str]]:
    """Return a game.yaml's data with placeholders for the wrong keys, or without them, except entries of
    components and sheets; and the names of these keys."""
    keys = {str(path[0]) for path in wrong if len(path) == 1 or path[0] not in ("components", "sheets")}
    stand_ins = deepcopy({"id": game_id, **_STAND_INS})  # loading changes the data
    kept = {key: value for key, value in data.items() if key not in keys}
    return kept | {key: value for key, value in stand_ins.items() if key in keys}, keys


def of_entry(entry: Any, wrong: Collection[KeyPath], base: KeyPath) -> dict[str, Any]:
    """Return the valid parts of an entry, whose misfits are below `base`."""
    if not isinstance(entry, dict) or base in wrong:
        return {}
    bad = {path[2] for path in wrong if path[:2] == base and len(path) > 2}
    return {key: value for key, value in entry.items() if key not in bad}


def named(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the components that sheets and deck lists name, in data of any shape."""
    sheets = data.get("sheets")
    for sheet in sheets.values() if isinstance(sheets, dict) else ():
        listed = sheet.get("components") if isinstance(sheet, dict) else None
        yield from (id for id in (listed if isinstance(listed, list) else ()) if isinstance(id, str))
    decks = data.get("decks")
    if isinstance(decks, dict) and isinstance(decks.get("component"), str):
        yield decks["component"]


def rests_on(code: str, keys: Collection[str]) -> bool:
    """Return True if a finding may be due to a placeholder for one of these keys."""
    return "players" in keys and code in _OF_PLAYERS


def _spots(context: GameContext) -> tuple[Spot, ...]:
    """Return the game's spot colors, which its schema has checked. Each needs its own display color, which
    identifies it, and its own plate."""
    found: list[Spot] = []
    for id, entry in context.manifest.data.get("spots", {}).items():
        spot = Spot(id, entry["name"], entry["shows"].lower(), entry["overprint"], entry["screen"])
        for key in ("name", "shows"):
            other = next((each for each in found if getattr(each, key) == getattr(spot, key)), None)
            if other is not None:
                message = f"the spot color '{other.id}' has the {_WORDS[key]} '{entry[key]}' of another one"
                context.subject("spots", id, key).error("game/spot", message, _HINTS[key])
        found.append(spot)
    return tuple(found)


_WORDS = {"name": "name", "shows": "color"}
_HINTS = {
    "name": "give each plate its own name",
    "shows": "choose a color of its own: art in that color prints in that ink",
}
