"""The reference as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.model.game import Card, Component, Game
from cardgen.reference.data_tables import data_tables
from cardgen.reference.demands import demand
from cardgen.reference.fields import Field, fields_of, values_at
from cardgen.reference.markdown_tables import code, shown, table

FILE_NAME = "GAME_CARDS.md"
_BASE = ("id", "copies", "trim", "turned", "face", "back")
"""Keys that every card may have; the reference lists those that some card of the component uses."""
MOST_VALUES = 40
"""Values of a field that are listed one by one where the cards don't repeat them."""
MOST_NAMED = 12
"""Values of a field that stand beside it; all of them stand under the identifiers in use."""
BESIDE, ROOM = 32, 120
"""Most characters of a value in a column of its own, and of all such columns: the cards' other fields stand
one below the other in a last column, so that the table is narrow enough to read."""
MOST_FIELDS, MOST_LISTED, MOST_COLUMNS = 500, 1_000, 200
"""Most fields of a component, values of a field and columns of cards in a reference. Nobody reads more, and
each is looked up in every card; what is left out is counted."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the game's files say beyond the finished game: by component, the schema file, its
    description and the schema of one card; the content of the rules file, or nothing."""

    schema_files: Mapping[str, str]
    descriptions: Mapping[str, str]
    schemas: Mapping[str, Any]
    rules: Mapping[str, Any]
    results: Mapping[str, str]
    """What each rule came to, in words, by its id."""


def reference_document(game: Game, sources: Sources) -> str:
    """The reference of a game as Markdown, its last line ended."""
    command = f"cardgen reference {game.id}"
    command += f" --language {game.language}" if game.words is not None else ""
    parts = [
        f"# {game.title}: card reference",
        f"Version {game.version}. Made by `{command}` from the game's data, schemas and "
        "rules: change those, then run it again.",
        *_overview(game, sources),
        *_rules(game, sources),
    ]
    tables = list(data_tables(game.tables))
    if tables:
        parts += ["## Tables", *tables]
    for component in game.components:
        if component.cards:
            parts += _component(component, sources)
    return "\n\n".join(parts) + "\n"


def _overview(game: Game, sources: Sources) -> Iterator[str]:
    yield "## What there is"
    rows = []
    for component in game.components:
        if component.book is not None:
            files = code(component.book.file)
        else:
            files = ", ".join(code(file) for file in dict.fromkeys(card.file for card in component.cards))
        schema = sources.schema_files.get(component.id)
        rows.append(
            (
                code(component.id),
                component.title,
                component.kind,
                str(component.trim) if component.trim else "several sizes",
                component.unique,
                component.copies,
                files,
                code(schema) if schema else "",
            )
        )
    head = ("component", "title", "kind", "size", "distinct", "printed", "data", "schema")
    yield table(head, rows, ("distinct", "printed"))
    least, most = game.players
    players = f"{least} players" if least == most else f"{least} to {most} players"
    yield f"For {players}; *printed* counts enough for {game.player_count or most}."


def _rules(game: Game, sources: Sources) -> Iterator[str]:
    entries = sources.rules.get("rules") or ()
    if not entries:
        return
    yield "## Deck building and coverage"
    yield (
        f"What `cardgen check {game.id}` asks of the cards, from {code(game.rules)}: what there "
        "*should be*, and what there *is*."
    )
    rows = []
    for entry in entries:
        where = entry.get("component") or entry.get("components") or ""
        verdict = "measure" if entry.get("report") else entry.get("severity", "error")
        question = str(entry.get("question", ""))
        why = entry.get("why")
        of = shown(where)
        rows.append(
            (
                f"{code(entry.get('id', ''))}\n{entry.get('kind', '')}" + (f" of {of}" if of else ""),
                question + (f"\n*{' '.join(str(why).split())}*" if why else ""),
                demand(entry) + (f" ({verdict})" if verdict not in ("error", "measure") else ""),
                sources.results.get(str(entry.get("id", "")), ""),
            )
        )
    yield table(("rule", "question", "should be", "is"), rows)


def _component(component: Component, sources: Sources) -> Iterator[str]:
    cards = component.cards
    used = {key for card in cards for key in card.fields}
    every = [
        field
        for field in fields_of(sources.schemas.get(component.id))
        if field.path[0] not in _BASE or field.path[0] in used
    ]
    fields = every[:MOST_FIELDS]
    yield f"## {component.title}"
    count = f"{component.unique} distinct, {component.copies} printed"
    description = sources.descriptions.get(component.id, "")
    yield f"{description} {count}.".strip() if description else f"{count}."
    if fields:
        yield f"### {component.title}: fields"
        yield table(("field", "kind", "meaning", "limits"), map(_field_row, fields))
        if len(every) > len(fields):
            yield f"{len(every) - len(fields):,} more fields are left out."
        yield from _identifiers(component, fields)
    yield f"### {component.title}: cards"
    yield _cards(cards, fields)


def _field_row(field: Field) -> Sequence[Any]:
    limits = list(field.limits)
    if field.values:
        limits.insert(0, ", ".join(code(value) for value in _listed(field)))
    kind = field.kind if field.required else f"{field.kind}, may be left out"
    return (code(field.name), kind, field.description, "; ".join(limits))


def _listed(field: Field) -> list[str]:
    """The values of a field in words, the first of very many."""
    values = [shown(value) for value in field.values[:MOST_NAMED]]
    more = len(field.values) - len(values)
    return [*values, f"… {more:,} more"] if more else values


def _identifiers(component: Component, fields: Sequence[Field]) -> Iterator[str]:
    """For each field with a list of values, how many cards have each of them."""
    blocks = []
    for field in fields:
        if not field.values:
            continue
        distinct: Counter[str] = Counter()
        printed: Counter[str] = Counter()
        for card in component.cards:
            for value in {shown(each) for each in values_at(card.fields, field.path)}:
                distinct[value] += 1
                printed[value] += card.copies
        values = [shown(value) for value in field.values]
        if len(values) > MOST_VALUES and max(distinct.values(), default=0) <= 1:
            unused = [value for value in values if not distinct[value]]
            text = f"{len(values)} values, no two cards alike"
            more = f" and {len(unused) - MOST_LISTED:,} more" if len(unused) > MOST_LISTED else ""
            listed = ", ".join(map(code, unused[:MOST_LISTED]))
            text += f"; unused: {listed}{more}." if unused else ", all in use."
            blocks.append(f"{code(field.name)}: {text}")
            continue
        rows = [(code(value), distinct[value], printed[value]) for value in values[:MOST_LISTED]]
        blocks.append(table((field.name, "cards", "printed"), rows, ("cards", "printed")))
        if len(values) > MOST_LISTED:
            blocks.append(f"{len(values) - MOST_LISTED:,} more values are left out.")
    if blocks:
        yield f"### {component.title}: identifiers in use"
        yield from blocks


def _beside(cards: Sequence[Card], keys: Sequence[str]) -> list[str]:
    """The fields that have columns of their own: short ones, as many as there is room for."""
    found, room = [], ROOM
    for key in keys:
        texts = [shown(card.fields.get(key)) for card in cards]
        width = max(len(key), *map(len, texts))
        if width <= min(BESIDE, room) and not any("\n" in text for text in texts):
            found.append(key)
            room -= width
    return found


def _cards(cards: Sequence[Card], fields: Sequence[Field]) -> str:
    known = dict.fromkeys(field.path[0] for field in fields)
    used = dict.fromkeys(key for card in cards for key in card.fields)
    every = [key for key in known if key in used] + [key for key in used if key not in known]
    every = [key for key in every if key not in ("id", "copies")]
    keys = every[:MOST_COLUMNS]
    beside = _beside(cards, keys)
    below = [key for key in keys if key not in beside]
    rows = []
    for card in cards:
        more_of = [f"*{key}:* {shown(card.fields[key])}" for key in below if shown(card.fields.get(key))]
        last = ("\n".join(more_of),) if below else ()
        rows.append((card.number, code(card.id), card.copies, *map(card.fields.get, beside), *last))
    head = ("#", "id", "printed", *beside, *(("further",) if below else ()))
    text = table(head, rows, ("#", "printed"))
    more = len(every) - len(keys)
    return f"{text}\n\n{more:,} more columns are left out." if more else text
