"""The cards of a component: from its data files to finished values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any, cast

from cardgen.core.findings import Findings, Location, Problem
from cardgen.core.game import Card, Component, Effect, Effects, PackedRecords
from cardgen.core.geometry import Size
from cardgen.core.records import dataclass
from cardgen.core.records import field as dataclass_field
from cardgen.core.sheets import MAX_PIECES
from cardgen.files.table_formats import is_table, is_table_of, parted
from cardgen.files.table_texts import has_html
from cardgen.files.yaml import Document
from cardgen.files.yaml_text import DataPath
from cardgen.game.effect_language import read_effect, read_language
from cardgen.game.effects import effect_prose, phrases_of, unused_phrases, wording_slips, wrong_numbers
from cardgen.game.facts import Players, copies, read_number_words, trim
from cardgen.game.markup import Markup, bracketed_words, frequent_words, icon_name, letters_of, texts_of
from cardgen.game.schema_file import counted, listed, name_hint
from cardgen.game.schema_findings import wrong_parts
from cardgen.game.sources import MadeCards, Sources, Subject, TableUse, by_file

if TYPE_CHECKING:
    from cardgen.game.spreadsheets import TableDocument


CARD_SCHEMA = "schemas/card.schema.json"
_MANY = 1_000
"""Cards of a file from which on they are packed, for the memory of games with 100,000 cards."""

Path = tuple[str | int, ...]


def load_cards(context: GameContext, id: str, entry: Mapping[str, Any], size: Any) -> list[Card]:
    """Return the cards of the component `id`, whose entry in game.yaml is `entry`.

    `size` is the component's own trim, before `turned`, or a choice of such; None if it is unknown, and
    then only cards with a trim of their own are returned. Problems are added to the context's findings.
    """
    return _CardLoader(context, id, entry, size).load()


class _CardLoader:
    """A loader of the cards of one component."""

    def __init__(self, context: GameContext, id: str, entry: Mapping[str, Any], size: Any) -> None:
        self._context, self._id, self._entry, self._size = context, id, entry, size
        self._schema = schema_of(context, id, entry)
        self._markup = Markup.of(entry["markup"]) if "markup" in entry else None
        self._chooser = Chooser(context, id)
        self._cards: list[Card] = []
        self._places = 0
        """Cards so far, including invalid ones whose size and copies are known."""
        self._taken: dict[str, tuple[Document, int]] = {}
        """The place of each id that a card has already."""
        self._before, self._made = self._cards_before()
        self._templates: dict[str, str] = {}
        """The files of templates that cards name."""
        self._fields: set[str] = set()
        self._complete = True
        self._unprinted = False
        """True if some card has 0 copies, so that it is no part of the game."""

    def load(self) -> list[Card]:
        context, id, cards = self._context, self._id, self._cards
        for document in documents(context, id, self._entry):
            if document is None:
                self._leave_out("component", id)
            else:
                self._read(document)
        self._chooser.finish(self._fields)
        tell_words(context, id, cards, Markup() if self._markup is None else self._markup)
        if not self._complete:
            context.incomplete.add(id)
        elif not cards:
            hint = "add a card, or remove the component"
            if self._unprinted:
                hint = "set `copies` of a card above 0, or remove the component"
            context.subject("components", id, "data").error("deck/empty", f"{id} has no cards", hint)
        return cards

    def _cards_before(self) -> tuple[MadeCards, MadeCards]:
        """Return the cards that were made before from the same values, and a place for the ones of now."""
        context, entry = self._context, self._entry
        if context.sources.kept is None:
            return {}, {}
        named = {name for key in ("face", "back") for _, name in options((), entry.get(key)) if name}
        files = {name: context.template_file(name) for name in named}
        made_with = (self._size, dict(entry), dict(context.sizes), context.players, files)
        return context.sources.kept.made_cards(self._id, made_with)

    def _leave_out(self, kind: str, id: str) -> None:
        self._complete = False
        self._context.leave_out(kind, id)

    def _read(self, document: Document) -> None:
        """Read the cards of one file."""
        id, findings = self._id, self._context.findings
        if hasattr(document, "markup"):  # of rows
            cast("TableDocument", document).markup = self._markup
        items = document.data.get(id) if isinstance(document.data, dict) else None
        if items is None and (table := _list_in(document)):
            message = f"the file has no list '{id}', but one that can be read as a table"
            hint = f"write in game.yaml: data: '{table}'"
            Subject(document, findings).error("data/list", message, hint)
            self._leave_out("file", document.relative)
            return
        listed = Subject(document, findings, (id,))
        twins = self._twins(listed, items) if isinstance(items, list) else set()
        wrong = self._wrong_cards(document)
        if wrong is None or not isinstance(items, list):
            if wrong is not None:
                stated = listed if items is not None else Subject(document, findings)
                hint = f"write the cards below the key '{id}'"
                stated.error("data/list", f"the file has no list '{id}'", hint)
            self._leave_out("file", document.relative)
            return
        bad = twins | wrong | getattr(document, "spoilt", set())
        kept, before = self._context.sources.kept, len(self._cards)
        is_plain = "effects" not in self._context.manifest.data  # those are read for each document
        for index, fields in enumerate(items):
            known = len(findings)
            self._fields.update(fields if isinstance(fields, dict) else ())
            card = None
            if index not in bad:
                card = self._same(document, index, fields) if is_plain else None
                card = card or self._card(listed.below(index), fields)
            if card is not None and len(findings) == known:
                if fields.get("copies") == 0:
                    self._unprinted = True
                    continue
                self._cards.append(card if kept is None else kept.card(card))
                self._places += 1
                continue
            name = fields.get("id") if isinstance(fields, dict) else None
            name = name if isinstance(name, str) and index not in twins else f"{id}[{index}]"
            self._leave_out("card", name)
            place = self._place(document, index, name, fields if isinstance(fields, dict) else {})
            if place is not None:
                self._context.missing.append(place)
                self._places += 1
        if kept is None and len(items) >= _MANY and len(document.data) == 1:
            _pack(document, id, items, self._cards[before:])

    def _twins(self, listed: Subject, items: list[Any]) -> set[int]:
        """Report cards whose id another has, and return their indexes. Accepts data of any shape."""
        twins: set[int] = set()
        for index, fields in enumerate(items):
            name = fields.get("id") if isinstance(fields, dict) else None
            if not isinstance(name, str):
                continue
            document, at = self._taken.setdefault(name, (listed.document, index))
            if document is listed.document and at == index:
                continue
            there = document.locate((self._id, at, "id"))
            file = document.relative
            if document is listed.document:
                where = f"the cell {there.cell}" if there.cell else f"line {there.line}"
            else:
                where = f"{file}: {there.cell}" if there.cell else f"{file}:{there.line}"
            message = f"the id '{name}' is taken by the card in {where}"
            hint = "give every card its own id; to print it more often, use copies"
            listed.below(index, "id").error("data/duplicate-id", message, hint)
            twins.add(index)
        return twins

    def _wrong_cards(self, document: Document) -> set[str | int] | None:
        """Return the indexes of the list's cards that don't fit the game's schema, or else cardgen's own,
        which the game's may omit; None if the file can't be used. Findings give the reason."""
        id, sources, findings = self._id, self._context.sources, self._context.findings
        card = sources.schemas.schema(CARD_SCHEMA)
        if card is None or sources.schemas.schema(self._schema) is None:
            return None
        good = sources.check(document, self._schema)
        wrong = frozenset() if good else sources.wrong_parts(document, self._schema)
        if wrong is None:
            return None
        cards, before = card.of_list(id), len(findings)
        said = {f"{id}[{part}]" for key, part in wrong if key == id}
        if not sources.fits(document, cards):
            more = wrong_parts(document.data, cards, findings)
            wrong = None if more is None else wrong | more
        findings.items[before:] = [
            each
            for each in document.new(findings.items[before:])
            if each.location is None or f"{(each.location.path or '').partition(']')[0]}]" not in said
        ]
        return None if wrong is None else {part for key, part in wrong if key == id}

    def _card(self, subject: Subject, found: dict[str, Any]) -> Card | None:
        """Return one card, or None after findings."""
        context, entry, said = self._context, self._entry, len(self._context.findings)
        read = structured(context, subject, self._id, found)
        if read is None:
            return None
        if (same := self._same(subject.document, int(subject.path[-1]), read)) is not None:
            return same
        file, place, number = subject.document.relative, subject.path, self._places + 1
        fields = read if self._markup is None else self._markup.card(read)
        stated = {"trim": self._size, "turned": entry["turned"], "face": entry["face"]}
        stated["back"] = entry.get("back")
        if "trim" in fields:
            stated["trim"] = trim(subject.below("trim"), fields["trim"], context.sizes)
            stated["turned"] = False
        stated |= {key: fields[key] for key in ("turned", "face", "back") if key in fields}
        for key in ("face", "back"):
            if fields.get(key) is not None:
                context.check_template(subject.below(key), fields[key])
        own = self._chooser.choose(subject, fields, stated)
        count = copies(subject.below("copies"), fields.get("copies", 1), context.players)
        if own is None or own["trim"] is None:
            return None
        back = own["back"]
        card = Card(
            id=fields["id"],
            component=self._id,
            fields=fields,
            copies=count,
            trim=own["trim"].turned if own["turned"] else own["trim"],
            face=intern(context.template_file(own["face"])),
            back=None if back is None else intern(context.template_file(back)),
            file=file,
            path=place,
            number=number,
        )
        if said == len(context.findings) and context.sources.kept is not None:
            self._made[id(read)] = read, card
        return card

    def _same(self, document: Document, index: int, fields: dict[str, Any]) -> Card | None:
        """Return the card that was made of these very fields, if it would be made again."""
        known = self._before.get(id(fields))
        if known is None or known[0] is not fields:
            return None
        card = known[1]
        if card.number != self._places + 1 or card.path[-1] != index or card.file != document.relative:
            return None
        for key, file in (("face", card.face), ("back", card.back)):
            if (name := card.fields.get(key)) is not None and self._templates.get(name) != file:
                if not self._has_template(
                    Subject(document, self._context.findings, (*card.path, key)), name
                ):
                    return None
                if self._templates[name] != file:
                    return None
        self._made[id(fields)] = known
        return card

    def _has_template(self, named: Subject, name: str) -> bool:
        """Return True if there is a template, whose file is then noted; else report it."""
        before = len(self._context.findings)
        self._context.check_template(named, name)
        if len(self._context.findings) > before:
            return False
        self._templates[name] = self._context.template_file(name)
        return True

    def _place(self, document: Document, index: int, name: str, fields: Mapping[str, Any]) -> Card | None:
        """Return a placeholder for an invalid card; None if its size or copies are unknown, or 0. Accepts
        fields of any shape."""
        stated, named = fields.get("copies", 1), fields.get("trim")
        if named is None:
            size = picked(self._size, fields)
        else:
            size = self._context.sizes.get(named) if isinstance(named, str) else None
        is_count = isinstance(stated, int) and not isinstance(stated, bool)
        if size is None or not is_count or not 0 < stated <= MAX_PIECES:
            return None
        turned = fields.get("turned", named is None and picked(self._entry["turned"], fields)) is True
        back = fields.get("back", picked(self._entry.get("back"), fields))
        trimmed = size.turned if turned else size
        sides = ("", None if back is None else "")
        path, number = (self._id, index), self._places + 1
        return Card(name, self._id, {}, stated, trimmed, *sides, document.relative, path, number)


def _pack(document: Document, key: str, items: list[Any], cards: list[Card]) -> None:
    """Pack the cards of a file with one list, and its data."""
    if hasattr(document, "rows"):  # of a table, whose rows are in memory anyway
        return
    own = [*items]
    for card in cards:
        own[int(card.path[-1])] = card.fields
    try:
        records = packed = PackedRecords(items)
        if any(each is not item for each, item in zip(own, items)):
            packed = PackedRecords(own)
    except ValueError:  # fields that aren't plain data
        return
    document.pack(key, records)
    for card in cards:
        card.pack(packed)


def documents(context: GameContext, id: str, entry: Mapping[str, Any]) -> Iterator[Document | None]:
    """Yield the data files of a component whose entry may lack keys, each read when it is requested; None
    for each unusable one. A missing schema is reported too."""
    sources, subject = context.sources, context.subject("components", id)
    if "schema" in entry:
        folder = f"schemas/{context.game}"
        sources.file(subject.below("schema"), folder, entry["schema"], "reference/schema")
    data = entry.get("data", [])
    named = [(subject.below("data"), data)] if isinstance(data, str) else []
    if not isinstance(data, str):
        named = [(subject.below("data", index), file) for index, file in enumerate(data)]
    folder = f"data/{context.game}"
    tables = by_file([file for _, file in named if is_table(file)])
    found: list[Document | None] = []
    for stated, name in named:
        file, sheet = parted(name)
        if not sources.file(stated, folder, file, "reference/data"):
            found.append(None)
        elif not is_table_of(file, sheet):
            found.append(sources.read(f"{folder}/{file}"))
        elif (sheets := tables.pop(file, None)) is not None:  # all of its sheets are read with the first
            use = cards_use(context.game, id, entry, sheets)
            found.append(sources.table(f"{folder}/{file}", use))
        else:
            continue
        yield found[-1]
    _check_columns(context, id, entry, found)


def cards_use(game: str, id: str, entry: Mapping[str, Any], sheets: tuple[str | None, ...]) -> TableUse:
    """Return the rules for reading the sheets of a component's table; its entry may lack keys, or have odd
    values."""
    schema, columns = entry.get("schema"), entry.get("columns")
    return TableUse(
        sheets,
        id,
        f"schemas/{game}/{schema}" if isinstance(schema, str) else None,
        CARD_SCHEMA,
        entry.get("separator"),
        tuple(columns.items()) if isinstance(columns, dict) else (),
        entry.get("numbers"),
    )


def _check_columns(
    context: GameContext, id: str, entry: Mapping[str, Any], found: list[Document | None]
) -> None:
    """Warn of columns that an entry maps to fields, but that none of its tables has."""
    stated = entry.get("columns", {})
    tables = (
        {part.table.name: part.table for document in found for part, _ in getattr(document, "rows", ())}
        if stated and None not in found
        else {}
    )
    names = {column.name for table in tables.values() for column in table.columns}
    for name in (each for each in stated if names and each not in names):
        subject, hint = (
            context.subject("components", id, "columns", name),
            name_hint(name, names, "columns"),
        )
        subject.warning("tables/stated", f"no table of {id} has a column '{name}'", hint, key=True)


def schema_of(context: GameContext, id: str, entry: Mapping[str, Any]) -> str:
    """Return the schema that checks a component's data files, as `Sources.check` takes it: the file that
    its entry names, or else the one for every list of cards."""
    if "schema" in entry:
        return f"schemas/{context.game}/{entry['schema']}"
    return context.sources.schemas.of_lists(CARD_SCHEMA, id)


def _list_in(document: Document) -> str | None:
    """Return how `data:` names the only list of a JSON file; None for other files."""
    name = document.relative.rpartition("/")[2]
    if not name.lower().endswith(".json"):
        return None
    if isinstance(document.data, list):
        return f"{name}#"
    data = document.data if isinstance(document.data, dict) else {}
    lists = [key for key, value in data.items() if isinstance(value, list)]
    return f"{name}#{lists[0]}" if len(lists) == 1 else None


@dataclass(frozen=True, slots=True)
class GameContext:
    """A game being loaded: its id, its game.yaml (valid), the sizes by name, the players and the
    language of its effects, if it has one."""

    sources: Sources
    game: str
    manifest: Document
    sizes: Mapping[str, Size]
    players: Players
    effects: Effects | None = None
    left_out: dict[tuple[str, str], None] = dataclass_field(default_factory=dict)
    """Invalid things, which are no part of the game: the kind ("card", "component", …) and the id."""
    incomplete: set[str] = dataclass_field(default_factory=set)
    """The components that lack some of their cards."""
    missing: list[Card] = dataclass_field(default_factory=list)
    """Placeholders of these cards if their size and copies are known: no data, no templates."""

    stand_ins: dict[str, str] = dataclass_field(default_factory=dict)
    """Icons of words in brackets that have no file, each with the letters of its word."""

    @property
    def findings(self) -> Findings:
        return self.sources.findings

    def subject(self, *path: str | int) -> Subject:
        """Return a value in game.yaml, for findings about it."""
        return Subject(self.manifest, self.findings, path)

    def leave_out(self, kind: str, id: str) -> None:
        """Exclude something from the game, after findings that explain why."""
        self.left_out[kind, id] = None

    def check_template(self, named: Subject, name: str) -> None:
        """Report a missing template of the game, at its name."""
        self.sources.file(named, f"templates/{self.game}", name, "reference/template")

    def template_file(self, name: str) -> str:
        """Return the file below `templates/` for a template's name."""
        return self.sources.spelled(f"templates/{self.game}", name).removeprefix("templates/")


_LONGEST = 60
_MOST_HINTED = 200
"""Values of a component's cards for which a suggestion is searched."""


def is_choice(stated: Any) -> bool:
    """Return True if a value in a valid game.yaml is chosen by a field."""
    return isinstance(stated, dict)


def options(path: DataPath, stated: Any) -> Iterator[tuple[DataPath, Any]]:
    """Yield all choices, each with its place."""
    if is_choice(stated):
        base = (*path, "of") if "of" in stated else path
        yield from (((*base, name), value) for name, value in in_full(stated)["of"].items())
    else:
        yield path, stated


def in_full(stated: Any) -> Any:
    """Return a value of a valid game.yaml, a choice in its long form."""
    if not is_choice(stated) or "of" in stated:
        return stated
    return {"by": stated["by"], "of": {name: value for name, value in stated.items() if name != "by"}}


class Chooser:
    """A chooser of the values of a component's keys, in full, for each card; `finish` reports problems, so
    that one of all cards is reported only once."""

    def __init__(self, context: GameContext, component: str) -> None:
        self._context = context
        self._component = component
        self._lacking: list[tuple[Subject, str, tuple[str, ...], tuple[str, ...]]] = []
        """Cards without a field: the field, the keys chosen by it, and the values with an entry for
        these."""
        self._hints: dict[tuple[str, str, str], str | None] = {}
        """Suggestions for a field's value, by a key: a search among many names is slow, so few are made."""

    def choose(
        self, card: Subject, fields: Mapping[str, Any], stated: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Return the values of the `stated` keys for a card; None after a problem: one finding for each
        field."""
        found: dict[str, Any] = {}
        lacking: dict[str, list[str]] = {}
        for key, value in stated.items():
            if not is_choice(value):
                found[key] = value
            elif value["by"] in fields and (name := _name(fields[value["by"]])) in value["of"]:
                found[key] = value["of"][name]
            else:
                lacking.setdefault(value["by"], []).append(key)
        for field, keys in lacking.items():
            of = stated[keys[0]]["of"]
            if field not in fields:
                self._lacking.append((card, field, tuple(keys), tuple(of)))
                continue
            name = _name(fields[field])
            message = f"game.yaml sets no {' or '.join(keys)} for the {field} '{name}'"
            hint = self._hint(field, name, keys[0], of)
            card.below(field).error("choice/unknown", message, hint)
        return None if lacking else found

    def _hint(self, field: str, name: str, key: str, of: Mapping[str, Any]) -> str | None:
        asked = (field, name, key)
        if asked not in self._hints and len(self._hints) < _MOST_HINTED:
            self._hints[asked] = name_hint(name, of, f"those with a {key}")
        return self._hints.get(asked)

    def finish(self, fields: Collection[str]) -> None:
        """Report cards that lack a field, and unknown fields (not among `fields` of all cards), where
        game.yaml names them."""
        strange: dict[tuple[str, str], None] = {}
        for card, field, keys, of in self._lacking:
            if field in fields:
                message = f"the card has no '{field}', which chooses its {' or '.join(keys)}"
                card.error("choice/missing", message, f"give it one of {listed(sorted(of))}")
            else:
                strange.update(((key, field), None) for key in keys)
        for key, field in strange:
            message = f"no card of '{self._component}' has the field '{field}' that chooses its {key}"
            subject = self._context.subject("components", self._component, key, "by")
            subject.error("choice/field", message, name_hint(field, fields, "fields"))


def picked(stated: Any, fields: Mapping[str, Any]) -> Any:
    """Return the value of a component's key, in full, for a card of any shape; None if it is unknown."""
    return stated["of"].get(_name(fields.get(stated["by"]))) if is_choice(stated) else stated


def _name(value: Any) -> str:
    """Return a value as a key of game.yaml spells it; empty for a long one."""
    if isinstance(value, (dict, list)):
        return "…"
    name = str(value).lower() if isinstance(value, bool) else str(value)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


KEYWORDS_SCHEMA = "schemas/keywords.schema.json"


def load_effects(sources: Sources, game_id: str, manifest: Document) -> Effects | None:
    """Return the content of `effects:` in game.yaml; None if it is missing or after findings."""
    stated = manifest.data.get("effects")
    if stated is None:
        return None
    folder, name = f"data/{game_id}", stated["keywords"]
    stated_file = Subject(manifest, sources.findings, ("effects", "keywords"))
    if not sources.file(stated_file, folder, name, "reference/keywords"):
        return None
    document = sources.checked(f"{folder}/{name}", KEYWORDS_SCHEMA)
    if document is None:
        return None
    text, kept = stated.get("text", ""), sources.kept
    fields = tuple(stated["fields"])
    if text and len(fields) > 1:
        message = f"{len(fields)} fields of effects would be printed into '{text}'"
        hint = "name one field, or remove text: and print effects by templates"
        Subject(manifest, sources.findings, ("effects", "text")).error("effect/field", message, hint)
        return None
    if kept is not None and (known := kept.effects(document, (*fields, text))) is not None:
        return known
    language, problems = read_language(document.data, prose=bool(text))
    _report(sources.findings, document, (), problems)
    if problems:
        return None
    reading = language
    if sources.texts is not None:  # data are written in the words of the source
        plain = sources.plain().checked(f"{folder}/{name}", KEYWORDS_SCHEMA)
        reading = language if plain is None else read_language(plain.data, prose=bool(text))[0]
    effects = Effects(language, fields, reading, text)
    if kept is not None:
        kept.keep_effects(document, (*fields, text), effects)
    return effects


def structured(
    context: GameContext, card: Subject, component: str, fields: dict[str, Any]
) -> dict[str, Any] | None:
    """Return a card's fields with the structure of its effects in place of their text; None if an effect
    can't be read. Problems are added to the context's findings."""
    if context.effects is None:  # none stated, or an invalid table, which can't read effects
        stated = context.manifest.data.get("effects", {"fields": ()})
        return None if any(name in fields for name in stated["fields"]) else fields
    kept, effects = context.sources.kept, context.effects
    printed = effects.text and effects.text not in fields
    for name in effects.of(fields) if printed else ():
        card.document.printed[(*card.path, effects.text)] = (*card.path, name)
    if kept is not None and (known := kept.structured(fields, effects)) is not None:
        return known
    complete = True
    read: dict[str, Any] = {}
    for name in effects.of(fields):
        read[name], problems = read_effect(effects.read_in, fields[name], component)
        _report(context.findings, card.document, (*card.path, name), problems)
        complete = complete and not problems
        if printed and not problems:
            read[effects.text] = effect_prose(effects.language, read[name])
        elif effects.text and not problems:
            _compare(context, card.below(effects.text), read[name], fields[effects.text])
    whole = fields | read if read else fields
    if kept is not None and complete:
        kept.keep_structured(fields, effects, whole)
    return whole if complete else None


def with_printed(context: GameContext, document: Document) -> Any:
    """Return a table with the effects of its entries printed as text, as those of cards are; None if one
    can't be read, which is reported."""
    effects, data = context.effects, document.data
    if effects is None or not effects.text or not isinstance(data, dict):
        return data
    printed, complete = {**data}, True
    for key, entries in data.items():
        if isinstance(entries, list):
            printed[key] = [*entries]
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if not isinstance(entry, dict) or effects.text in entry:
                continue
            for name in effects.of(entry):
                effect, problems = read_effect(effects.read_in, entry[name])
                if problems:
                    _report(context.findings, document, (key, index, name), problems)
                    complete = False
                else:
                    text = effect_prose(effects.language, effect)
                    printed[key][index] = {**printed[key][index], effects.text: text}
    return printed if complete else None


def _compare(context: GameContext, card: Subject, effect: Effect, own: Any) -> None:
    """Report what a card's own wording says otherwise than its effect."""
    assert context.effects is not None
    if not isinstance(own, str):
        return
    words = read_number_words(context.sources, context.manifest.data["language"])
    language = context.effects.language
    for slip in wording_slips(language, effect, own, words):
        printed = effect_prose(language, effect)
        hint = f"correct one of them; without '{context.effects.text}' the card says “{printed}”"
        card.error("effect/wording", slip, hint)


def check_fields(context: GameContext, components: Sequence[Component]) -> None:
    """Report fields in `effects:` that no card has: most often they are misspelled. Report sentences that
    no card says, and bounds of their numbers that no card reaches."""
    effects = context.effects
    if effects is None:
        return
    used = {key for component in components for card in component.cards for key in card.fields}
    for index, name in enumerate(effects.fields):
        if name not in used:
            subject, hint = context.subject("effects", "fields", index), name_hint(name, used, "fields")
            subject.error("effect/field", f"no card has a field '{name}'", hint)
    if not effects.text or context.left_out or context.incomplete or context.sources.texts is not None:
        return
    file = f"data/{context.game}/{context.manifest.data['effects']['keywords']}"
    cards = (card.fields for component in components for card in component.cards)
    found = [phrase for card in cards for name in effects.of(card) for phrase in phrases_of(card[name])]
    document = context.sources.checked(file, KEYWORDS_SCHEMA)
    assert document is not None  # its language was read
    words = read_number_words(context.sources, context.manifest.data["language"])
    for problem in (*unused_phrases(effects.read_in, found), *wrong_numbers(document.data, words)):
        if not _is_stated(document.data, problem.path):
            continue  # a bound that is left out
        place = document.locate(problem.path)
        context.findings.warning(problem.code, problem.message, place, problem.hint)


def _is_stated(data: Any, path: Path) -> bool:
    for step in path:
        if step not in data:
            return False
        data = data[step]
    return True


def _report(findings: Findings, document: Document, path: DataPath, problems: list[Problem]) -> None:
    findings.extend(problem.at(document.locate((*path, *problem.path))) for problem in problems)


_FOLDERS = ("_shared/icons", "{game}/icons")


def tell_words(context: GameContext, component: str, cards: Sequence[Card], markup: Markup) -> None:
    """Report once each: words in brackets whose icon has no file, those that many cards print as letters,
    and HTML in fields without stated markup."""
    _note_stand_ins(context, component, cards, markup)
    kept = context.sources.kept
    tagged: list[tuple[Card, str]] = []
    """The cards with HTML, and their first such text."""

    def words_of_cards() -> Iterator[list[str]]:
        for card in cards:
            fields = card.fields
            words, text = _words_of(fields) if kept is None else kept.words(fields, _words_of)
            if text is not None and not markup.html:
                tagged.append((card, text))
            yield words

    for use in frequent_words(words_of_cards()):
        if use.word not in markup.icons:
            message = f"'{use.word}' is printed as letters on {use.cards:,} cards"
            hint = (
                f"if it is an icon, write next to data: in data/{context.game}/game.yaml "
                f"markup: {{icons: {{'{use.word}': {icon_name(use.word)}}}}}, or false for letters"
            )
            place = _word_place(context, cards[use.first], use.word)
            context.findings.warning("tables/icon-word", message, place, hint)
    if tagged:
        card, text = tagged[0]
        message = f"the texts of {counted(len(tagged), 'card')} contain HTML"
        hint = (
            f"write next to data: in data/{context.game}/game.yaml markup: {{html: true, fields: [text]}}"
        )
        context.findings.warning("tables/html", message, _word_place(context, card, text), hint)


def _words_of(fields: Mapping[str, Any]) -> tuple[list[str], str | None]:
    """Return the words in brackets of a card's texts, and the first text with HTML."""
    texts = texts_of(fields)
    return bracketed_words(texts), next(filter(has_html, texts), None)


def _note_stand_ins(context: GameContext, component: str, cards: Sequence[Card], markup: Markup) -> None:
    """Keep the icons of stated words that have no file, and warn of each that cards show."""
    lacking = {
        word: icon
        for word, icon in markup.icons.items()
        if isinstance(icon, str) and icon not in context.stand_ins and not _has_file(context, icon)
    }
    if not lacking:
        return
    uses: Counter[str] = Counter()
    for card in cards:
        whole = "\n".join(texts_of(card.fields))
        uses.update(icon for icon in dict.fromkeys(lacking.values()) if f":{icon}:" in whole)
    for word, icon in lacking.items():
        if icon in context.stand_ins:
            continue
        context.stand_ins[icon] = letters_of(word)
        if uses[icon]:
            count = f"{uses[icon]:,} card{'s' if uses[icon] > 1 else ''}"
            message = f"there is no icon '{icon}': {count} show the letters of '{word}' in a box"
            file = f"templates/{context.game}/icons/{icon}.svg"
            hint = f"draw it in {file}, or write '{word}': false for letters"
            subject = context.subject("components", component, "markup", "icons", word)
            subject.warning("icon/stand-in", message, hint)


def _has_file(context: GameContext, icon: str) -> bool:
    places = (f"templates/{folder.format(game=context.game)}/{icon}.svg" for folder in _FOLDERS)
    return any(map(context.sources.has, places))


def _word_place(context: GameContext, card: Card, text: str) -> Location:
    """Return the first of a card's fields that has a text."""
    name = next(key for key, value in card.fields.items() if text in "\n".join(texts_of({key: value})))
    return context.sources.locator.locate(card.file, (*card.path, name))
