"""What lies on a table of MindNet: cards, individuals with their items, a side. All comes from the YAML.

A bot decides whatever a player may decide; `Bot` says what that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import cardgen

if TYPE_CHECKING:
    from mindnet_table import Table

ROOT = Path(__file__).resolve().parent.parent.parent
STATES = ("control", "rich", "behind")
COSTS = ("pay", "exhaust", "discard", "spend")


class Card:
    """A card of the pool; `effect` as loaded, `abilities` its phrases that cost something."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.title: str = fields["title"]
        self.type: str = fields["type"]
        self.kind: str = fields.get("kind", "")
        self.unique: bool = fields.get("unique", False)
        self.traits: list[str] = fields.get("traits", [])
        self.price: int = fields["price"]
        self.motivation: int = fields.get("motivation", 0)
        self.health: int = fields.get("health", 0)
        self.aggression: int = fields.get("aggression", 0)
        self.earnings: int = fields.get("earnings", 0)
        self.effect: list[dict[str, Any]] = fields.get("effect", [])
        tests = [phrase.get("if", {}).get("test", "") for phrase in self.effect]
        self.abilities = [phrase for phrase, test in zip(self.effect, tests, strict=True) if test in COSTS]
        self.triggers = {test for test in tests if test and test not in (*COSTS, *STATES)}
        self.standing = [
            phrase for phrase, test in zip(self.effect, tests, strict=True) if not test or test in STATES
        ]
        self.words = {action["do"] for phrase in self.standing for action in phrase.get("then", [phrase])}
        self.leads = [(each["folk"], each["count"]) for each in self.standing if each.get("do") == "lead"]

    def __repr__(self) -> str:
        return self.title


class InPlay:
    """A card on the table: an individual with its items, an item, or a possession."""

    def __init__(self, card: Card, side: Side, bearer: InPlay | None = None) -> None:
        self.card, self.side, self.bearer = card, side, bearer
        self.items: list[InPlay] = []
        self.damage = self.growth = 0
        self.motivation_now = self.aggression_now = 0
        self.exhausted = self.busy = self.gone = False
        self.used: set[int] = set()

    def cards(self) -> Iterator[Card]:
        yield self.card
        for item in self.items:
            yield item.card

    def has(self, keyword: str) -> int:
        """Its number of a standing ability that is about its bearer; 1 where there is none."""
        found = 0
        for card in self.cards():
            if keyword in card.words:
                live = self.side.live(card.standing)
                found += sum(action.get("count", 1) for action in live if action["do"] == keyword)
        return found

    @property
    def motivation(self) -> int:
        """What it counts in an interaction: nothing while exhausted, and never less than 0."""
        if self.exhausted or self.gone:
            return 0
        own = sum(card.motivation for card in self.cards()) + self.motivation_now
        return max(0, own + sum(count for folk, count in self.side.leads() if self.side.is_of(self, folk)))

    @property
    def aggression(self) -> int:
        return max(0, sum(card.aggression for card in self.cards()) + self.aggression_now)

    @property
    def health(self) -> int:
        return sum(card.health for card in self.cards()) + self.growth - self.damage


class Rules:
    """The game as its YAML has it."""

    def __init__(self, game: cardgen.Game) -> None:
        self.game = game
        self.figures: dict[str, int] = dict(self.game.tables["turn"]["figures"])
        self.pool = {card.id: Card(dict(card.fields)) for card in self.game.component("cards").cards}
        self.decks = {
            deck.id: [self.pool[entry.card] for entry in deck.entries for _ in range(entry.copies)]
            for deck in self.game.decks
        }


class Bot(Protocol):
    """What a player decides. `mine` is the bot's own side, `mine.rival` the other."""

    def recruit(self, mine: Side) -> tuple[Card, InPlay | None] | None: ...
    def discard(self, mine: Side, most: int) -> list[Card]: ...
    def encourage(self, mine: Side, asleep: list[InPlay], paid: bool) -> InPlay | None: ...
    def act(self, mine: Side, unit: Unit | None) -> Choice | None: ...
    def party(self, mine: Side) -> tuple[list[InPlay], InPlay | None] | None: ...
    def host(self, mine: Side, party: list[InPlay], named: InPlay) -> tuple[InPlay, list[InPlay]]: ...
    def blows(
        self, mine: Side, winners: list[InPlay], losers: list[InPlay]
    ) -> list[tuple[InPlay, InPlay]]: ...
    def target(self, mine: Side, action: dict[str, Any], among: list[InPlay]) -> InPlay: ...
    def worth(self, mine: Side, card: Card) -> float: ...


class Choice:
    """An event of the hand, or the ability `number` of a card in play."""

    def __init__(
        self, phrases: list[dict[str, Any]], price: int, card: Card, source: InPlay | None, number: int
    ) -> None:
        self.phrases, self.price, self.card, self.source, self.number = phrases, price, card, source, number


class Unit:
    """An interaction. Nobody hosts a hacker unit."""

    def __init__(self, guests: list[InPlay], hosts: list[InPlay]) -> None:
        self.guests, self.hosts = guests, hosts

    def of(self, side: Side) -> tuple[list[InPlay], list[InPlay]]:
        """Those of a side, and those facing them; the dead left out."""
        mine, facing = (
            (self.guests, self.hosts) if self.guests[0].side is side else (self.hosts, self.guests)
        )
        return [one for one in mine if not one.gone], [one for one in facing if not one.gone]


class Side:
    """A player's half of the table."""

    rival: Side

    def __init__(self, table: Table, bot: Bot, deck: list[Card], credits: int) -> None:
        self.table, self.bot, self.credits = table, bot, credits
        self.library = list(deck)
        table.random.shuffle(self.library)
        figures = table.rules.figures
        self.genies = [self.library.pop() for _ in range(figures["start_genies"])]
        self.hand: list[Card] = []
        self.seen: Counter[Card] = Counter()
        self.played: Counter[Card] = Counter()
        self.pile: list[Card] = []
        self.people: list[InPlay] = []
        self.goods: list[InPlay] = []
        self.formed = 0
        """Hacker units of this turn."""
        self.spent = self.fetched = 0
        """Individuals of it that lost where they approached, and Genies that its hacker units took."""
        self.draw(figures["hand"])

    def draw(self, count: int) -> None:
        drawn = [self.library.pop() for _ in range(min(count, len(self.library)))]
        self.hand += drawn
        self.seen.update(drawn)

    def awake(self) -> list[InPlay]:
        """Those who may form a party or host: active, with Motivation, in no interaction of this turn."""
        return [one for one in self.people if not one.exhausted and not one.busy and one.motivation > 0]

    def working(self) -> Iterator[InPlay]:
        """Everything whose abilities work."""
        for one in self.people:
            if not one.exhausted:
                yield one
                yield from one.items
        yield from self.goods

    def live(self, phrases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Actions that hold as things are, states looked at."""
        for phrase in phrases:
            if "do" in phrase:
                yield phrase
            elif phrase["if"]["test"] in STATES and self.state(phrase["if"]):
                yield from self.live(phrase["then"])

    def state(self, test: dict[str, Any]) -> bool:
        if test["test"] == "control":
            return sum(self.is_of(one, test["folk"]) for one in self.people) >= test["count"]
        if test["test"] == "rich":
            return self.credits >= int(test["count"])
        return self.rival.count_genies() > self.count_genies()

    def is_of(self, one: InPlay, folk: str) -> bool:
        if folk == "cyborgs":
            return any(item.card.kind == "implant" for item in one.items)
        return folk == one.card.kind + "s" or folk in one.card.traits

    def leads(self) -> list[tuple[str, int]]:
        return [lead for thing in self.working() for lead in thing.card.leads]

    def total(self, keyword: str) -> int:
        """The sum of a standing ability that is not about a bearer: firewall, shelter, genie."""
        return sum(
            action["count"]
            for thing in self.working()
            if keyword in thing.card.words
            for action in self.live(thing.card.standing)
            if action["do"] == keyword
        )

    def count_genies(self) -> int:
        return len(self.genies) + self.total("genie")

    def to_hack(self, earlier: int = 0) -> int:
        """The Motivation that its hacker unit needs, once `earlier` ones have taken a Genie each."""
        figures = self.table.rules.figures
        lost = max(0, figures["start_genies"] - len(self.rival.genies) + earlier)
        return figures["hack"] + figures["guard"] * lost + self.rival.total("firewall")

    def price(self, card: Card) -> int:
        words = {card.kind + "s", "items" if card.type == "item" else ""}
        less = sum(
            action["count"]
            for thing in self.working()
            if "discount" in thing.card.words
            for action in thing.card.standing
            if action.get("do") == "discount" and action["goods"] in words
        )
        return max(0, card.price - less)

    def may_play(self, card: Card) -> bool:
        if card.type == "event" or self.price(card) > self.credits:
            return False
        if card.unique and any(one.card is card for one in self.people):
            return False
        return card.type != "item" or bool(self.people)

    def choices(self) -> Iterator[Choice]:
        """Events and abilities that can be paid for."""
        for card in dict.fromkeys(self.hand):
            if card.type == "event" and card.price <= self.credits:
                yield Choice(card.effect, card.price, card, None, 0)
        for thing in self.working():
            for number, phrase in enumerate(thing.card.abilities):
                cost = phrase["if"]
                price = cost["count"] if cost["test"] == "pay" else 0
                if number in thing.used or price > self.credits:
                    continue
                if cost["test"] == "discard" and len(self.hand) < cost["count"]:
                    continue
                yield Choice(phrase["then"], price, thing.card, thing, number)

    def candidates(self, who: str, unit: Unit | None, bearer: InPlay | None) -> list[InPlay]:
        if who == "it":
            return [bearer] if bearer and not bearer.gone else []
        if who == "facing":
            return unit.of(self)[1] if unit else []
        return list(self.rival.people if who in ("rival", "all-rivals") else self.people)

    def lose(self, one: InPlay) -> None:
        """An individual leaves play with all it carries."""
        if one.gone:
            return
        one.gone = True
        self.people.remove(one)
        self.pile += one.cards()
        self.table.happens("dies", one)

    def pay(self, count: int) -> None:
        self.credits = max(0, self.credits - count)
