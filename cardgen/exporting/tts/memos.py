"""What an object remembers of the game that it is from, in its `Memo`: a field that Tabletop Simulator
keeps and does nothing with (API, Object, `memo`). By it an object is known again on a designer's own table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.exporting.tts.save_objects import Guids, Object

CARDS = ("card", "piece", "state", "in bag")
"""Kinds whose objects are one of a component's cards: `KIND/COMPONENT/CARD/SEAT`."""


@dataclass(frozen=True, slots=True)
class Memo:
    """`identity` is what the object is, the same in every export; `scale` across and deep, `tags` and `of`,
    how many such objects there were, are as they were exported, so that what was changed since is told
    from what the game has changed."""

    game: str
    identity: str
    scale: tuple[float, float] = (1.0, 1.0)
    tags: tuple[str, ...] = ()
    of: int = 0

    @property
    def card(self) -> tuple[str, str] | None:
        """Component and card, of an object that is one."""
        kind, *more = self.identity.split("/")
        return (more[0], more[1]) if kind in CARDS and len(more) >= 2 else None

    def text(self) -> str:
        content = {"cardgen": self.game, "is": self.identity, "scale": self.scale, "of": self.of}
        return json.dumps(content | ({"tags": self.tags} if self.tags else {}), ensure_ascii=False)


def memo_of(each: Mapping[str, Any]) -> Memo | None:
    """What an object remembers; None for one that is not from an export, whatever stands there."""
    try:
        found = json.loads(each["Memo"])
        across, deep = map(float, found["scale"])
        tags = tuple(map(str, found.get("tags", ())))
        return Memo(str(found["cardgen"]), str(found["is"]), (across, deep), tags, int(found["of"]))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        return None


def remember(game: str, objects: Iterable[Object], guids: Guids) -> None:
    """Give each object, and what is in it, its memo."""
    all_of_them = list(everything(objects))
    counts = Counter(guids.identity(each["GUID"]) for each in all_of_them)
    for each in all_of_them:
        identity, place = guids.identity(each["GUID"]), each["Transform"]
        scale = (place["scaleX"], place["scaleZ"])
        each["Memo"] = Memo(game, identity, scale, tuple(each.get("Tags", ())), counts[identity]).text()


def everything(objects: Iterable[Object]) -> Iterator[Object]:
    """Objects, what is in them and what else they can be turned to."""
    for each in objects:
        yield each
        yield from everything(inner(each))


def inner(each: Mapping[str, Any]) -> Iterator[Object]:
    """What is in an object, and its other states."""
    for found in (each.get("ContainedObjects"), each.get("States")):
        values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        yield from (value for value in values if isinstance(value, dict))
