"""A game's newest look on a designer's own table.

What the designer made stays: where things lie and how they are turned, locks, scripts, ids (GUIDs), notes,
zones, and all that is not from the game. What the game owns is renewed: pictures, books, names, tags, snap
points, sizes, and which cards there are. Objects are known by their memos, those of earlier exports by
their ids.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgen.exporting.tts.atlases import CARDS_A_KEY
from cardgen.exporting.tts.measures import rounded
from cardgen.exporting.tts.memos import Memo, everything, inner, memo_of
from cardgen.exporting.tts.save_objects import Object
from cardgen.exporting.tts.saves import labels

WORDS = ("Nickname", "Description", "GMNotes")
BOOKS = ("Name", "CardID", "CustomDeck")
"""What says where a card's pictures are."""
SCRIPTED = "set-up"
"""The kind of the object whose script is the game's own."""


@dataclass(slots=True)
class Merged:
    """A table with the game as it is now, and how many objects were renewed, added and removed."""

    save: dict[str, Any]
    renewed: int = 0
    added: int = 0
    removed: int = 0


def merge(old: Mapping[str, Any], fresh: Mapping[str, Any], game: str) -> Merged:
    """The table `old`, as it was saved, with what a `fresh` export of `game` has. Neither is changed."""
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
    families: dict[str, list[Object]] = field(default_factory=dict)
    """What a thing can be turned to, itself among it, by the identity of each."""
    result: Merged = field(init=False)

    def run(self) -> Merged:
        self.result = Merged(self.save)
        self._learn()
        self._clear_keys()
        there: Counter[str] = Counter()
        for each in self._all():
            memo = self._memo(each)
            if memo is not None:
                there[memo.identity] += stacked(each)
        self._count_gone()
        objects = self._renewed(self.save["ObjectStates"], loose=True)
        self.save["ObjectStates"] = objects
        self._add(objects, self.wanted - there)
        self._heading()
        return self.result

    def _all(self) -> Iterable[Object]:
        return everything(self.save["ObjectStates"])

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
        """What an object of the table is to this game; None for one that has nothing to do with it."""
        memo = memo_of(each)
        if memo is None and "Memo" not in each:
            return self.by_guid.get(str(each.get("GUID")))
        return memo if memo is not None and memo.game == self.game else None

    def _clear_keys(self) -> None:
        """Move the keys of the game's atlases where the table has others of the same number."""
        others = [0]
        for each in self._all():
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

    def _count_gone(self) -> None:
        """Copies that the game had when the table was last renewed, and does not have now."""
        for each in self._all():
            memo = self._memo(each)
            if memo is not None and memo.card is not None and memo.identity in self.wanted:
                less = memo.of - self.wanted[memo.identity]
                self.too_many[memo.identity] = max(less, self.too_many[memo.identity])

    # ------------------------------------------------------------ what is there

    def _renewed(self, objects: list[Object], *, loose: bool) -> list[Object]:
        kept = []
        for each in reversed(objects):  # what is left over goes from the bottom of a pile
            whole = self._one(each, loose=loose) if isinstance(each, dict) else each
            if whole is not None:
                if isinstance(whole, dict):
                    self._add_states(whole)
                kept.append(whole)
        return kept[::-1]

    def _add_states(self, each: Object) -> None:
        """Give a thing the states that it lacks, whichever it is turned to."""
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
        """An object as it is now, None for one that is no more."""
        memo = self._memo(each)
        if memo is not None and self._is_gone(memo, loose=loose):
            self.result.removed += 1
            return None
        if memo is not None:
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
            # A deck or bag goes when it is empty; what else the table no longer says is gone.
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
        if kind == SCRIPTED:
            each["LuaScript"] = new["LuaScript"]
        self._repicture(each, new)

    def _resize(self, each: Object, memo: Memo, said: Memo) -> None:
        """A size that the designer chose stays so many times that of the game."""
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

    # ------------------------------------------------------------ what is new

    def _add(self, objects: list[Object], missing: Counter[str]) -> None:
        """Put what the table does not have where a new one has it: cards into their piles, if these are
        there still, else onto the table."""
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
        """The table top, the set-up in the notebook, and the names of tags."""
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
    """How many pieces an object is: several where like ones were put on one another."""
    number = each.get("Number") if str(each.get("Name", "")).endswith("_Stack") else 1
    return number if isinstance(number, int) and number > 1 else 1


def as_pile(deck: Object) -> Object | None:
    """A deck that says which cards it has now; a single card is no deck, and none is nothing."""
    held = deck["ContainedObjects"]
    if not held:
        return None
    if len(held) == 1:
        return {**held[0], "Transform": {**held[0]["Transform"], **_place(deck["Transform"])}}
    atlases: dict[str, Any] = {}
    for card in held:
        key = str(card["CardID"] // CARDS_A_KEY)
        found = card.get("CustomDeck", {}).get(key) or deck.get("CustomDeck", {}).get(key)
        if found is not None:  # without one it is a card of the program's own
            atlases.setdefault(key, found)
    deck["DeckIDs"] = [card["CardID"] for card in held]
    deck["CustomDeck"] = {key: atlases[key] for key in sorted(atlases, key=int)}
    return deck


def _place(transform: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in transform.items() if not key.startswith("scale")}


def is_save(content: Any) -> bool:
    """Whether a value is a save: a list of objects, of a form that can be walked."""
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
