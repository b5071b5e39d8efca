"""Tabletop Simulator saves: written, found, merged with a designer's table, set up by a button."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cardgen.core.findings import CardgenError, Findings, Location, span
from cardgen.core.game import Game
from cardgen.core.records import dataclass, field
from cardgen.core.seating import resting_place
from cardgen.core.table import LARGEST, Placed, Spot, Step, Table, is_called, title_of
from cardgen.exports.job import ExportJob, PlannedFile, digest_of, filled_in, skeleton
from cardgen.exports.tts_objects import (
    CARDS_A_KEY,
    DROPPED,
    NATIVE,
    RESTING,
    Guids,
    Memo,
    Object,
    everything,
    inner,
    memo_of,
    rounded,
    thing,
    tint,
    transform,
    units,
)
from cardgen.files.listing import names_in
from cardgen.files.reading import SAVE, ReadingError, read_file

_GREY = {"r": 0.5, "g": 0.5, "b": 0.5}


def saved_object(objects: Sequence[Object]) -> dict[str, Any]:
    """Return objects to be put on any table."""
    return skeleton("tts_saved_object") | {"ObjectStates": list(objects)}


def whole_save(
    game: Game, table: Table, objects: Sequence[Object], setup: str, surface: str
) -> dict[str, Any]:
    """Return a table to play at. `surface` is the address of its top's picture."""
    date = _date()
    save = skeleton("tts_save") | {
        "SaveName": game.title,
        "EpochTime": int(date.timestamp()),
        "Date": _american(date),
        "GameMode": game.title,
        "PlayingTime": list(table.minutes),
        "PlayerCounts": list(game.players),
        "Tags": list(table.tags),
        "TableURL": surface,
        "Note": setup,
        "TabStates": _tabs({"Set-up": setup, "About": _about(game)}),
        "ComponentTags": {"labels": labels(objects)},
        "ObjectStates": list(objects),
    }
    save["Turns"]["TurnOrder"] = [seat.color for seat in table.seats]
    return save


def labels(objects: Iterable[Object]) -> list[dict[str, str]]:
    """Return all tags of objects and their contents, as a save lists them."""
    tags = {tag for each in everything(objects) for tag in each.get("Tags", ())}
    return [{"displayed": tag, "normalized": tag.lower().replace(" ", "_")} for tag in sorted(tags)]


def _tabs(pages: Mapping[str, str]) -> dict[str, Any]:
    """Return the pages of the notebook."""
    return {
        str(number): {
            "title": title,
            "body": body,
            "color": "Grey",
            "visibleColor": _GREY,
            "id": number,
        }
        for number, (title, body) in enumerate(pages.items())
        if body
    }


def _about(game: Game) -> str:
    players = span(*game.players, "players")
    return f"{game.title}, version {game.version}\nby {game.author}\n{players}\n\n{game.description}"


def _american(date: datetime) -> str:
    """Return a date in the format of saves, the same in every locale: 1/31/2000 2:05:09 PM."""
    half = "AM" if date.hour < 12 else "PM"
    return f"{date.month}/{date.day}/{date.year} {date.hour % 12 or 12}:{date:%M:%S} {half}"


def _date() -> datetime:
    """Return $SOURCE_DATE_EPOCH or the start of the year 2000, like the dates of PDFs: the same input gives
    the same bytes."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated.isdigit():
        return datetime.fromtimestamp(int(stated), UTC)
    return datetime(2000, 1, 1, tzinfo=UTC)


WORDS = ("Nickname", "Description", "GMNotes")
BOOKS = ("Name", "CardID", "CustomDeck")
"""The fields for the pictures of a card."""


@dataclass(slots=True)
class Merged:
    """A table with the current game, and how many objects were renewed, added and removed. Of the renewed,
    `by_guid` had no memo and were recognized by their GUIDs."""

    save: dict[str, Any]
    renewed: int = 0
    added: int = 0
    removed: int = 0
    by_guid: int = 0


def merge(old: Mapping[str, Any], fresh: Mapping[str, Any], game: str) -> Merged:
    """Return the saved table `old`, updated from a `fresh` export of `game`. Neither is changed."""
    save = copy.deepcopy(dict(old))
    merging = _Merging(save, copy.deepcopy(dict(fresh)), game)
    return merging.run()


@dataclass(slots=True)
class _Merging:
    save: dict[str, Any]
    fresh: dict[str, Any]
    game: str
    by_guid: dict[str, Memo] = field(default_factory=dict)
    by_card: dict[tuple[str, str], Object] = field(default_factory=dict)
    by_identity: dict[str, Object] = field(default_factory=dict)
    wanted: Counter[str] = field(default_factory=Counter)
    too_many: Counter[str] = field(default_factory=Counter)
    """Copies that the game had at the last update of the table but lacks now, by identity."""
    families: dict[str, list[Object]] = field(default_factory=dict)
    """The states of an object, including itself, by the identity of each."""
    result: Merged = field(init=False)

    def run(self) -> Merged:
        self.result = Merged(self.save)
        self._learn()
        self._clear_keys()
        there: Counter[str] = Counter()
        for each, memo in self._ours():
            there[memo.identity] += stacked(each)
            if memo.card is not None and memo.identity in self.wanted:
                less = memo.of - self.wanted[memo.identity]
                self.too_many[memo.identity] = max(less, self.too_many[memo.identity])
        objects = self._renewed(self.save["ObjectStates"], loose=True)
        self.save["ObjectStates"] = objects
        self._add(objects, self.wanted - there)
        self._heading()
        return self.result

    def _ours(self) -> Iterator[tuple[Object, Memo]]:
        """Yield the objects of the table that belong to this game, as exported."""
        for each in everything(self.save["ObjectStates"]):
            if (memo := self._memo(each)) is not None:
                yield each, memo

    def _learn(self) -> None:
        for each in everything(self.fresh["ObjectStates"]):
            memo = memo_of(each)
            if memo is None:
                continue
            self.by_guid[each["GUID"]] = memo
            self.by_identity.setdefault(memo.identity, each)
            self.wanted[memo.identity] += 1
            if memo.card is not None:
                self.by_card.setdefault(memo.card, each)
            if each.get("States"):
                family = [each, *each["States"].values()]
                self.families |= {found.identity: family for one in family if (found := memo_of(one))}

    def _memo(self, each: Object) -> Memo | None:
        """Return the memo of a table's object; None if it isn't from this game."""
        memo = memo_of(each)
        if memo is None and "Memo" not in each:
            return self.by_guid.get(str(each.get("GUID")))
        return memo if memo is not None and memo.game == self.game else None

    def _clear_keys(self) -> None:
        """Change the keys of the game's atlases if other atlases on the table have the same number."""
        others = [0]
        for each in everything(self.save["ObjectStates"]):
            if "CardID" in each and self._memo(each) is None:
                others.append(int(each["CardID"]) // CARDS_A_KEY)
        ours = {int(key) for each in self.by_card.values() for key in each.get("CustomDeck", ())}
        shift = max(others) if ours & set(others) else 0
        if not shift:
            return
        for each in everything(self.fresh["ObjectStates"]):
            if "CustomDeck" in each:
                each["CustomDeck"] = {
                    str(int(key) + shift): deck for key, deck in each["CustomDeck"].items()
                }
            if "CardID" in each:
                each["CardID"] += shift * CARDS_A_KEY
            if "DeckIDs" in each:
                each["DeckIDs"] = [id + shift * CARDS_A_KEY for id in each["DeckIDs"]]

    # ------------------------------------------------------------ existing objects

    def _renewed(self, objects: list[Object], *, loose: bool) -> list[Object]:
        kept = []
        for each in reversed(objects):  # surplus cards go from the bottom of a pile
            whole = self._one(each, loose=loose) if isinstance(each, dict) else each
            if whole is not None:
                if isinstance(whole, dict):
                    self._add_states(whole)
                kept.append(whole)
        return kept[::-1]

    def _add_states(self, each: Object) -> None:
        """Give an object its missing states, whichever state it shows."""
        memo = self._memo(each)
        family = self.families.get(memo.identity, ()) if memo is not None else ()
        states = each.setdefault("States", {}) if family else {}
        there = {found.identity for one in (each, *inner(each)) if (found := self._memo(one))}
        for one in family:
            if self.by_guid[one["GUID"]].identity not in there:
                last = max([len(states) + 1, *(int(key) for key in states if key.isdecimal())])
                states[str(last + 1)] = {key: value for key, value in one.items() if key != "States"}
                self.result.added += 1

    def _one(self, each: Object, *, loose: bool) -> Object | None:
        """Return an object updated; None if the game no longer has it."""
        memo = self._memo(each)
        if memo is not None and self._is_gone(memo, loose=loose):
            self.result.removed += 1
            return None
        if memo is not None:
            self.result.by_guid += "Memo" not in each
            self._renew(each, memo)
            self.result.renewed += 1
        states = each.get("States")
        if isinstance(states, dict):
            for key, state in list(states.items()):
                if isinstance(state, dict) and self._one(state, loose=True) is None:
                    del states[key]
        held = each.get("ContainedObjects")
        if isinstance(held, list) and held:
            each["ContainedObjects"] = self._renewed(held, loose=False)
            return as_pile(each) if "DeckIDs" in each else each
        return each

    def _is_gone(self, memo: Memo, *, loose: bool) -> bool:
        if memo.card is None:
            kind = memo.identity.split("/")[0]
            # Decks and bags go when they are empty; other objects go when the table drops them.
            return kind not in ("deck", "bag") and memo.identity not in self.wanted
        if memo.card not in self.by_card:
            return True
        if loose or not self.too_many[memo.identity]:
            return False
        self.too_many[memo.identity] -= 1
        return True

    def _renew(self, each: Object, memo: Memo) -> None:
        new = self.by_identity.get(memo.identity)
        if new is None and memo.card is not None:
            new = self.by_card[memo.card]
        if new is None:
            return
        said = memo_of(new)
        assert said is not None
        of = self.wanted[memo.identity] or memo.of
        each["Memo"] = Memo(self.game, memo.identity, said.scale, said.tags, of).text()
        self._resize(each, memo, said)
        kind = memo.identity.split("/")[0]
        if memo.card is not None or kind == "note":
            each.update({key: new[key] for key in (*WORDS, "RotationValues") if key in new})
        tags = [*said.tags, *(tag for tag in each.get("Tags", ()) if tag not in {*memo.tags, *said.tags})]
        each.pop("Tags", None)
        if tags:
            each["Tags"] = tags
        if "CardID" in new and "CardID" in each:
            each.update({key: copy.deepcopy(new[key]) for key in BOOKS})
        if kind == SETUP:
            each["LuaScript"] = new["LuaScript"]
        self._repicture(each, new)

    def _resize(self, each: Object, memo: Memo, said: Memo) -> None:
        """Keep the ratio of the designer's size to the game's."""
        place = each.get("Transform", {})
        for key, was, is_ in zip(("scaleX", "scaleZ"), memo.scale, said.scale):
            if was != is_ and was > 0 and key in place:
                place[key] = rounded(place[key] / was * is_)

    def _repicture(self, each: Object, new: Object) -> None:
        image, fresh = each.get("CustomImage"), new.get("CustomImage")
        if isinstance(image, dict) and fresh:
            image.update({key: fresh[key] for key in ("ImageURL", "ImageSecondaryURL")})
            if isinstance(image.get("CustomTile"), dict) and "CustomTile" in fresh:
                image["CustomTile"]["Type"] = fresh["CustomTile"]["Type"]
            each.pop("AttachedSnapPoints", None)
            if "AttachedSnapPoints" in new:
                each["AttachedSnapPoints"] = copy.deepcopy(new["AttachedSnapPoints"])
        if isinstance(each.get("CustomPDF"), dict) and "CustomPDF" in new:
            each["CustomPDF"]["PDFUrl"] = new["CustomPDF"]["PDFUrl"]

    # ------------------------------------------------------------ new objects

    def _add(self, objects: list[Object], missing: Counter[str]) -> None:
        """Put missing objects where a new table has them: cards into their piles if these still exist, else
        onto the table."""
        homes = {memo.identity: each for each in everything(objects) if (memo := self._memo(each))}
        for new in self.fresh["ObjectStates"]:
            identity = self.by_guid[new["GUID"]].identity
            held = new.get("ContainedObjects")
            if held is None:
                if missing[identity] > 0:
                    missing[identity] -= 1
                    objects.append(new)
                    self.result.added += 1
                continue
            lacking = []
            for card in held:
                name = self.by_guid[card["GUID"]].identity
                if missing[name] > 0:
                    missing[name] -= 1
                    lacking.append(card)
            if lacking:
                self.result.added += len(lacking)
                self._hold(objects, homes.get(identity), new, lacking)

    def _hold(self, objects: list[Object], home: Object | None, new: Object, lacking: list[Object]) -> None:
        if home is not None and ("DeckIDs" in home or "Bag" in home or home.get("Name") == "Bag"):
            home["ContainedObjects"] = [*home.get("ContainedObjects", ()), *lacking]
            if "DeckIDs" in home:
                home.update(as_pile(home) or {})
            return
        new["ContainedObjects"] = lacking
        whole = as_pile(new) if "DeckIDs" in new else new
        if whole is not None:
            objects.append(whole)

    def _heading(self) -> None:
        """Update the table top, the setup in the notebook, and the names of tags."""
        if "/table-top-" in str(self.save.get("TableURL", "")):
            self.save["TableURL"] = self.fresh["TableURL"]
        pages = {page["title"]: page["body"] for page in self.fresh["TabStates"].values()}
        tabs = self.save.get("TabStates")
        for page in tabs.values() if isinstance(tabs, dict) else ():
            if isinstance(page, dict) and page.get("title") in pages:
                page["body"] = pages[page["title"]]
        known = self.save.get("ComponentTags")
        if isinstance(known, dict) and isinstance(known.get("labels"), list):
            there = {label.get("normalized") for label in known["labels"] if isinstance(label, dict)}
            more = labels(self.save["ObjectStates"])
            known["labels"] += [label for label in more if label["normalized"] not in there]


def stacked(each: Mapping[str, Any]) -> int:
    """Return the number of pieces in an object: several if equal ones were stacked."""
    number = each.get("Number") if str(each.get("Name", "")).endswith("_Stack") else 1
    return number if isinstance(number, int) and number > 1 else 1


def as_pile(deck: Object) -> Object | None:
    """Return a deck with an updated list of its cards; a single card is no deck, and none is nothing."""
    held = deck["ContainedObjects"]
    if not held:
        return None
    if len(held) == 1:
        return {**held[0], "Transform": {**held[0]["Transform"], **_place(deck["Transform"])}}
    atlases: dict[str, Any] = {}
    for card in held:
        key = str(card["CardID"] // CARDS_A_KEY)
        found = card.get("CustomDeck", {}).get(key) or deck.get("CustomDeck", {}).get(key)
        if found is not None:  # otherwise it is one of the program's own cards
            atlases.setdefault(key, found)
    deck["DeckIDs"] = [card["CardID"] for card in held]
    deck["CustomDeck"] = {key: atlases[key] for key in sorted(atlases, key=int)}
    return deck


def _place(transform: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in transform.items() if not key.startswith("scale")}


def is_save(content: Any) -> bool:
    """Return True if a value is a save: a list of objects that can be walked."""
    if not isinstance(content, dict) or not isinstance(content.get("ObjectStates"), list):
        return False
    todo: list[Any] = list(content["ObjectStates"])
    while todo:
        each = todo.pop()
        if not isinstance(each, dict) or not isinstance(each.get("Transform", {}), dict):
            return False
        if not isinstance(each.get("CardID", 0), int) or not isinstance(each.get("Tags", []), list):
            return False
        if not all(isinstance(value, int | float) for value in each.get("Transform", {}).values()):
            return False
        if not isinstance(each.get("CustomDeck") or {}, dict):
            return False
        if "DeckIDs" in each and not _is_deck(each):
            return False
        todo += inner(each)
    return True


def _is_deck(each: Mapping[str, Any]) -> bool:
    held = each.get("ContainedObjects")
    return (
        isinstance(held, list)
        and "Transform" in each
        and all(isinstance(card, dict) and "CardID" in card and "Transform" in card for card in held)
    )


NUMBERED = re.compile(r"TS_Save_([1-9][0-9]{0,8})\.json")
"""The program lists only saves with such names (knowledge base, Save File Format)."""


def read_save(path: Path, shown: str) -> dict[str, Any]:
    """Return a save with objects, read whole. Raises ReadingError for any other file."""
    content = read_file(path, SAVE, shown, None)
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ReadingError("tts/save", shown, "is not a save of Tabletop Simulator", HINT) from None
    if not is_save(found):
        raise ReadingError("tts/save", shown, "is not a save of Tabletop Simulator", HINT)
    whole: dict[str, Any] = found
    return whole


HINT = "name a table that was saved in the game: Saves/TS_Save_N.json"


def merged_into(job: ExportJob, fresh: dict[str, Any], chosen: str) -> list[PlannedFile]:
    """Return the table `chosen` with the current game, to replace it, and its old content beside the
    export. Neither after a finding."""
    try:
        path = Path(chosen).expanduser().absolute()
        old = read_save(path, chosen)
    except CardgenError as error:
        job.findings.extend(error.findings)
        return []
    except RuntimeError:
        job.findings.error("tts/save", "the save can't be found", Location(chosen), HINT)
        return []
    result = merge(old, fresh, job.game.id)
    place = Location(chosen)
    if not result.renewed:
        message = f"nothing on this table is from {job.game.title}, so all of it was added"
        job.findings.warning("tts/strange-table", message, place, "check that it is the right save")
    if result.save == old:
        return []
    counts = f"{result.renewed} objects updated, {result.added} added, {result.removed} removed"
    if result.by_guid:
        message = f"{result.by_guid} objects had lost their memo, and were recognized by their GUIDs"
        job.findings.note("tts/by-guid", message, place, "copies of them with other GUIDs were not updated")
    job.findings.note("tts/merged", f"{counts}; the old save is in merged/", place)
    before = PlannedFile.of_json(f"merged/{path.stem} {digest_of(repr(old))[:6]}.json", old)
    now = PlannedFile.of_json(f"merged/{path.stem}.json", result.save, closing=True)
    return [before, PlannedFile(now.name, now.digest, now.write, True, (path,))]


def numbered_save(saves: Path, save: dict[str, Any], game: str, findings: Findings) -> Path | None:
    """Find the file in the folder `saves` for a game's table: its current number, or else the first free
    one. None, after a warning, if the table was changed and saved in the program since, so that no work is
    lost."""
    numbers: dict[int, str] = {}
    for name in names_in(saves, saves.as_posix(), None, ".json"):
        if match := NUMBERED.fullmatch(name):
            numbers[int(match[1])] = name
    for number in sorted(numbers):
        path = saves / numbers[number]
        try:
            there = read_save(path, path.as_posix())
        except CardgenError:  # not exported from this game
            continue
        if there.get("SaveName") != save["SaveName"] or not _is_from(there, game):
            continue
        if isinstance(there.get("EpochTime"), int) and there["EpochTime"] <= save["EpochTime"]:
            return path
        message = (
            "this table was saved in Tabletop Simulator since it was installed, so it is not overwritten"
        )
        hint = f"update it in place: cardgen export {game} --to tts --into '{path}'"
        findings.warning("tts/changed", message, Location(path.as_posix()), hint)
        return None
    free = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    return saves / f"TS_Save_{free}.json"


def _is_from(save: dict[str, Any], game: str) -> bool:
    memos = (memo_of(each) for each in everything(save["ObjectStates"]))
    return any(memo is not None and memo.game == game for memo in memos)


SAVED_OBJECTS = Path("Saves", "Saved Objects")
NO_FOLDER_HINT = "start it once, or name the folder that contains its Saves: --tts-dir DIR"


def default_folder(platform: str = sys.platform, home: Path | None = None) -> Path:
    """Return the game's data folder on Windows, macOS and Linux (knowledge base, Technical Info)."""
    home = home or Path.home()
    if platform == "win32":
        return home / "Documents" / "My Games" / "Tabletop Simulator"
    if platform == "darwin":
        return home / "Library" / "Tabletop Simulator"
    return home / ".local" / "share" / "Tabletop Simulator"


def saved_objects(chosen: str | None, title: str, findings: Findings) -> Path | None:
    """Return the folder for a game's saved objects, below the data folder `chosen` or the usual one. None,
    after a finding, if that is not the game's data folder or can't be written to."""
    try:
        folder = default_folder() if chosen is None else Path(chosen).expanduser().absolute()
    except RuntimeError:  # ~nobody, or no home at all
        what = f"the folder '{chosen}'" if chosen is not None else "your home folder"
        findings.error("tts/folder", f"{what} can't be found", None, NO_FOLDER_HINT)
        return None
    saves = folder / SAVED_OBJECTS.parent
    problem = None
    if chosen == "" or not os.path.exists(folder):
        problem = "does not exist"
    elif not os.path.isdir(folder):
        problem = "is not a folder"
    elif not os.path.exists(saves):
        problem = "contains no Saves, so Tabletop Simulator doesn't keep its files there"
    if problem is not None:
        place = Location(folder.as_posix() if chosen != "" else "--tts-dir")
        findings.error("tts/folder", f"the folder of Tabletop Simulator {problem}", place, NO_FOLDER_HINT)
        return None
    inner = folder / SAVED_OBJECTS / file_name(title)
    for path in (inner, inner.parent, saves):
        if os.path.exists(path):
            if not os.path.isdir(path) or not os.access(path, os.W_OK | os.X_OK):
                place = Location(path.as_posix())
                findings.error("tts/folder", "nothing can be written to this folder", place, NO_FOLDER_HINT)
                return None
            break
    return inner


def file_name(title: str) -> str:
    """Return a title as the name of a file or folder on any system."""
    name = re.sub(r'[<>:"/\\|?*\x00-\x1f]+', " ", title)
    name = " ".join(name.split()).rstrip(". ")
    return name or "game"


SETUP = "set-up"
"""The kind of the object in its memo."""
BESIDE = 60.0
"""From the used part of the table to the middle of the button, in mm."""


def setup_button(job: ExportJob, table: Table, objects: Sequence[Object], guids: Guids) -> list[Object]:
    """Return the block with the button, for a table of these `objects` with their memos; none if there is
    nothing to do."""
    named = {memo.identity for each in objects if (memo := memo_of(each)) is not None}
    titles = {component.id: component.title for component in job.game.components}
    factor = NATIVE if job.text("scale") == "native" else 1.0
    steps = list(table.steps) or _usual(table, titles)
    zones = [
        (item, resting_place(job.game, job.screen_table, item))
        for item in table.items
        if item.kind == "zone"
    ]
    lines = [line for step in steps for line in _lines(step, table, titles, named, zones, factor)]
    if not lines:
        return []
    x = -min(table.size.width / 2 + BESIDE, LARGEST.width / 2 - BESIDE / 2)
    where = transform(Spot(x, 0.0), (1.0, 0.3, 1.0), height=RESTING)
    script = filled_in(
        "tts_setup.lua",
        title=" ".join(job.game.title.split()),
        file=table.file or f"data/{job.game.id}/game.yaml",
        seats=", ".join(quoted(seat.color) for seat in table.seats),
        belongings=_belongings(table, objects) if any(step.act == "clear" for step in steps) else "",
        steps="\n".join(f"  {line}" for line in lines),
    )
    guid = guids.take(SETUP)
    block = thing("BlockSquare", guid, where, "Set up", LuaScript=script, Locked=True)
    return [block | {"ColorDiffuse": tint("#2f6f4f")}]


def _usual(table: Table, titles: dict[str, str]) -> list[Step]:
    """Return the steps for a table without any: shuffle, so that no two games begin the same way."""
    names = [
        title_of(item, titles) for item in table.items if item.shuffle and item.kind in ("deck", "bag")
    ]
    nowhere = Spot(0.0, 0.0)
    return [Step("shuffle", name, 1, nowhere, (0.0, 0.0), True, ()) for name in dict.fromkeys(names)]


def _lines(
    step: Step,
    table: Table,
    titles: dict[str, str],
    named: Iterable[str],
    zones: Sequence[tuple[Placed, Spot]],
    factor: float,
) -> list[str]:
    """Return a step as Lua, a line for each of its piles, and each of the `zones` that it fills; places are
    multiplied by `factor`."""
    lines = []
    if step.act == "clear":
        lines.append("clear()")
    piles = [
        item for item in table.items if item.kind in ("deck", "bag") and is_called(item, step.pile, titles)
    ]
    for item in piles if step.act != "clear" else ():
        identity = f"{item.kind}/{item.component}/{title_of(item, titles)}/{item.seat or ''}"
        if identity not in named:  # a single card isn't a pile
            continue
        what = found_by(identity)
        if step.act == "shuffle":
            lines.append(f"shuffle({what})")
        elif step.act == "deal" and item.seat is not None:
            seat = quoted(item.seat)
            lines.append(f"if Player[{seat}].seated then deal({what}, {step.cards}, {{{seat}}}) end")
        elif step.act == "deal":
            lines.append(f"deal({what}, {step.cards}, colors)")
        elif not step.zone:
            lines.append(_place_call(step, what, step.at, factor))
        for zone, spot in zones if step.zone else ():
            if zone.name == step.zone and (item.seat is None or zone.seat in (None, item.seat)):
                line = _place_call(step, what, _first_in(spot, step), factor)
                owner = zone.seat or item.seat
                lines.append(f"if Player[{quoted(owner)}].seated then {line} end" if owner else line)
    if step.players and lines:
        test = " or ".join(f"players == {count}" for count in step.players)
        lines = [f"if {test} then", *(f"  {line}" for line in lines), "end"]
    return lines


def _first_in(spot: Spot, step: Step) -> Spot:
    """Return the place of a step's first card, so that the cards are centered in the zone."""
    back = -(step.cards - 1) / 2
    return spot.place(Spot(back * step.step[0], back * step.step[1], step.at.turn))


def _place_call(step: Step, what: str, at: Spot, factor: float) -> str:
    """Return the Lua that lays out cards from `at` on; the direction between cards rotates with them."""
    way = Spot(0.0, 0.0, at.turn - step.at.turn).place(Spot(*step.step)) if step.zone else Spot(*step.step)
    across, down = way.x * factor, way.y * factor
    at = Spot(at.x * factor, at.y * factor, at.turn)
    start = f"{{{units(at.x):g}, {DROPPED:g}, {units(-at.y):g}}}"
    onward = f"{{{units(across):g}, {units(-down):g}}}"
    turn = f"{{0, {rounded((180 + at.turn) % 360):g}, {0 if step.face_up else 180}}}"
    return f"place({what}, {step.cards}, {start}, {onward}, {turn})"


def _belongings(table: Table, objects: Sequence[Object]) -> str:
    """Return each seat's belongings, as the entries of a Lua table: all but its hand."""
    entries = []
    for seat in table.seats:
        found = []
        for each in objects:
            memo = memo_of(each)
            if (
                memo is not None
                and memo.identity.endswith(f"/{seat.color}")
                and each["Name"] != "HandTrigger"
            ):
                found.append(found_by(memo.identity))
        found = list(dict.fromkeys(found))
        if found:
            entries.append(f"\n  {seat.color} = {{{', '.join(found)}}},")
    return "".join(entries) + ("\n" if entries else "")


def found_by(identity: str) -> str:
    """Return the memo text of an object with that identity, as Lua."""
    return quoted(f'"is": {json.dumps(identity, ensure_ascii=False)}')


def quoted(text: str) -> str:
    """Return a text as Lua writes it."""
    marks = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
    signs = (marks.get(sign) or (f"\\{ord(sign):03d}" if ord(sign) < 32 else sign) for sign in text)
    return f'"{"".join(signs)}"'
