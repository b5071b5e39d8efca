"""Blockminers as its rulebook says, card by card, from the YAML. Players decide what is theirs to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import cardgen

LAST_DAY = 60
"""A game that goes on longer counts as lost: nobody would play it to the end."""
Phrase = Mapping[str, Any]


class CrashError(Exception):
    """A paragraph can't be carried out."""


@dataclass(eq=False, slots=True)
class Card:
    """One printed card. `deck` is its back: office, basement or encounter."""

    title: str
    deck: str
    set: str
    banner: str | None
    threat: int
    check: Mapping[str, Any] | None
    virus: bool
    effect: Sequence[Phrase]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the YAML says, ready to be played."""

    cards: tuple[tuple[int, Mapping[str, Any], str], ...]
    """Copies, fields and deck of every card."""
    characters: tuple[Mapping[str, Any], ...]
    levels: tuple[Mapping[str, Any], ...]
    figures: Mapping[str, Any]
    markers: int

    @classmethod
    def of(cls, game: cardgen.Game) -> Rules:
        """What a game's YAML says."""
        cards = [
            (card.copies, card.fields, deck)
            for deck in ("office", "basement", "encounter")
            for card in game.component(deck).cards
        ]
        marker = next(card for card in game.component("tokens").cards if card.id == "marker")
        return cls(
            tuple(cards),
            tuple(card.fields for card in game.component("characters").cards),
            tuple(game.tables["capitall"]["levels"]),
            game.tables["rounds"]["figures"],
            marker.copies,
        )

    def printed(self) -> list[Card]:
        """All cards of a box."""
        return [
            Card(
                fields["title"],
                deck,
                fields["set"],
                fields.get("banner"),
                fields.get("threat", 0),
                fields.get("check"),
                fields.get("virus", False),
                fields["effect"],
            )
            for copies, fields, deck in self.cards
            for _ in range(copies)
        ]


@dataclass(eq=False, slots=True)
class Pile:
    """A deck, its top last, and the discard pile or Archive beside it."""

    dice: Random
    deck: list[Card]
    discards: list[Card] = field(default_factory=list)
    topped: int = 0
    """How many cards on top somebody has put there, and knows."""

    @property
    def size(self) -> int:
        return len(self.deck) + len(self.discards)

    def draw(self, count: int) -> list[Card]:
        """Up to so many from the top; an empty deck is made of the discards."""
        drawn: list[Card] = []
        while len(drawn) < count and self.size:
            if not self.deck:
                self.deck, self.discards = self.discards, []
                self.dice.shuffle(self.deck)
            drawn.append(self.deck.pop())
        self.topped = max(0, self.topped - len(drawn))
        return drawn

    def put_on_top(self, card: Card) -> None:
        self.deck.append(card)
        self.topped += 1


@dataclass(eq=False, slots=True)
class Seat:
    """A player's own things."""

    who: Mapping[str, Any]
    level: int
    piles: dict[str, Pile]
    hand: list[Card] = field(default_factory=list)
    row: list[Card] = field(default_factory=list)
    folded: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    """Today, deleted ones and Encounters that were beaten left out."""
    turns: int = 0
    """Cards played today, whatever became of them."""
    bonuses: list[tuple[Card | None, str, int, str]] = field(default_factory=list)
    """Card, kind (infiltrating, hacking), figure, to whom."""

    def meets(self) -> list[Card]:
        return [card for card in self.hand if card.deck == "encounter"]

    def owns(self) -> list[Card]:
        return [card for card in self.hand if card.deck != "encounter"]


class Players(Protocol):
    """Those who decide, all of them together: the game is cooperative and hands may be shown."""

    def daily(self, table: Table, seat: Seat, count: int) -> int: ...
    def play(self, table: Table, seat: Seat) -> Card | None: ...
    def choose(self, table: Table, seat: Seat, options: Sequence[Sequence[Phrase]]) -> int: ...
    def keep(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card | None: ...
    def extract(self, table: Table, seat: Seat, count: int) -> list[Card]: ...
    def reboot(self, table: Table, seat: Seat, cards: Sequence[Card], count: int) -> list[Card]: ...
    def escape(self, table: Table, seat: Seat, count: int) -> list[Card]: ...
    def distract(self, table: Table, seat: Seat, count: int) -> tuple[Seat, list[Card]]: ...
    def revealed(self, table: Table, seat: Seat) -> Card | None: ...
    def transfer(self, table: Table, seat: Seat) -> int: ...
    def delete(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card: ...


class Table:
    """A game from set-up to its end; `won` is None while it goes on."""

    def __init__(
        self, rules: Rules, count: int, players: Players, dice: Random, *, long_nights: bool = False
    ) -> None:
        self.rules, self.players, self.dice, self.long_nights = rules, players, dice, long_nights
        cards = rules.printed()
        web = [card for card in cards if card.set == "dark-web"]
        meets = [card for card in cards if card.set == "encounter"]
        dice.shuffle(web)
        dice.shuffle(meets)
        self.web, self.encounters = Pile(dice, web), Pile(dice, meets)
        self.face_up: list[Card] = []
        self.viruses: list[Card] = []
        start = next(at for at, level in enumerate(rules.levels) if level.get("start"))
        self.seats = [self._seat(who, start, cards) for who in dice.sample(rules.characters, count)]
        self.rent = count
        self.money = sum(seat.who["money"] for seat in self.seats)
        self.blocks = 0
        self.day = 0
        self.first = 0
        self.won: bool | None = None
        self.capped = 0
        """How often a gain was lost for want of markers."""
        self.most_threat = 0

    def _seat(self, who: Mapping[str, Any], start: int, cards: Sequence[Card]) -> Seat:
        piles = {}
        for deck in ("office", "basement"):
            own = [card for card in cards if card.banner == who["id"] and card.deck == deck]
            self.dice.shuffle(own)
            piles[deck] = Pile(self.dice, own)
        return Seat(who, start, piles)

    # ---- the day

    def play(self) -> bool:
        """Plays to the end: whether it was won."""
        while self.won is None:
            self.day += 1
            self._start_of_day()
            self._workday()
            if self.won is None:
                self._end_of_day()
            if self.won is None and self.day == LAST_DAY:
                self.won = False
        return self.won

    def in_order(self) -> list[Seat]:
        return self.seats[self.first :] + self.seats[: self.first]

    def _start_of_day(self) -> None:
        for seat in self.in_order():
            longer = self.long_nights and seat is self.seats[self.first]
            more = self.rules.figures["long_nights"][str(len(self.seats))] if longer else 0
            for _ in range(self.rules.figures["encounters"] + more):
                self.meet(seat)
        for seat in self.in_order():
            count = seat.who["will"] + self.gives(seat, "cards")
            office = self.players.daily(self, seat, count) if self.may_draw(seat, "basement") else count
            if not self.gives(seat, "split") and office not in (0, count):
                raise ValueError("both decks before the level that allows it")
            seat.hand += seat.piles["office"].draw(office)
            seat.hand += seat.piles["basement"].draw(count - office)

    def _workday(self) -> None:
        order = self.in_order()
        self._moment("workday", order[0])
        out: set[int] = set()
        while self.won is None and any(seat.hand for seat in order):
            for at, seat in enumerate(order):
                if not seat.hand or self.won is not None:
                    continue
                card = self.players.play(self, seat) if at not in out or seat.meets() else None
                if card is None:
                    if seat.meets():
                        raise ValueError("folded with an Encounter card in hand")
                    out.add(at)
                    seat.folded += seat.hand
                    seat.hand = []
                else:
                    self.turn(seat, card)

    def _end_of_day(self) -> None:
        order = self.in_order()
        self.most_threat = max(self.most_threat, self.threat)
        self._moment("rent", order[0])
        if self.money < self.rent:
            self.won = False
            return
        self.money -= self.rent
        self.encounters.discards += self.face_up
        self.face_up = []
        for seat in self.seats:
            for card in seat.row + seat.folded:
                pile = self.encounters if card.deck == "encounter" else seat.piles[card.deck]
                pile.discards.append(card)
            seat.row, seat.folded, seat.played, seat.bonuses, seat.turns = [], [], [], [], 0
        self.first = (self.first + 1) % len(self.seats)

    def _moment(self, moment: str, seat: Seat, besides: Card | None = None) -> None:
        """What viruses do then; one that Crashes ends nothing but itself."""
        for virus in list(self.viruses):
            for phrase in virus.effect:
                if virus is not besides and phrase.get("if", {}).get("moment") == moment:
                    self.resolve(seat, virus, phrase["then"])

    # ---- playing a card

    def turn(self, seat: Seat, card: Card) -> None:
        """Plays a card of a hand: checks, banners, effect."""
        seat.hand.remove(card)
        before = self.threat
        seat.turns += 1
        if card.check is not None and not card.virus and self.beats(seat, card.check):
            self.encounters.discards.append(card)
            return
        seat.row.append(card)
        seat.played.append(card)
        if card.virus:
            assert card.check is not None
            if self.beats(seat, card.check, "hacking"):
                seat.row.remove(card)
                self.viruses.append(card)
                self._moment("installed", seat, besides=card)
        elif before >= card.threat:
            self.resolve(seat, card, card.effect)

    @property
    def threat(self) -> int:
        return sum(card.deck == "encounter" for seat in self.seats for card in seat.row)

    def resolve(self, seat: Seat, card: Card, phrases: Iterable[Phrase]) -> None:
        """Carries paragraphs out until one Crashes, or the game is won."""
        try:
            self._paragraphs(seat, card, phrases)
        except CrashError:
            return

    def _paragraphs(self, seat: Seat, card: Card, phrases: Iterable[Phrase]) -> None:
        for phrase in phrases:
            if self.won is not None:
                return
            if "choose" in phrase:
                options = phrase["choose"]
                self._paragraphs(seat, card, options[self.players.choose(self, seat, options)])
            elif "if" in phrase:
                if self.holds(seat, card, phrase["if"]):
                    self._paragraphs(seat, card, phrase["then"])
            else:
                DEEDS[phrase["do"]](self, seat, card, phrase)

    def holds(self, seat: Seat, card: Card | None, test: Phrase) -> bool:
        """Whether a condition holds; of cards played, `card` itself does not count."""
        match test["test"]:
            case "level":
                return seat.level >= self.level(test["level"])
            case "jail":
                return seat.level == 0
            case "threat":
                return self.threat >= test["count"]
            case "calm":
                return self.threat <= test["count"]
            case "funds":
                return self.money >= test["count"]
            case "stock":
                return self.blocks >= test["count"]
            case "played":
                others = [
                    other for other in seat.played if other is not card and other.deck == test["deck"]
                ]
                return len(others) >= test["count"]
            case "first":
                return seat.turns == 1
            case "token":
                return seat is self.seats[self.first]
            case "check":
                return self.beats(seat, test)
            case "viruses":
                return len(self.viruses) >= test["count"]
        raise ValueError(f"no such condition: {test['test']}")

    # ---- what is asked and answered

    def level(self, id: str) -> int:
        return next(at for at, level in enumerate(self.rules.levels) if level["id"] == id)

    def gives(self, seat: Seat, what: str) -> int:
        """The sum of what the seat's level and those below give."""
        return sum(
            int(level.get("gives", {}).get(what, 0)) for level in self.rules.levels[: seat.level + 1]
        )

    def may_draw(self, seat: Seat, deck: str) -> bool:
        return any(
            deck in level.get("gives", {}).get("decks", ()) for level in self.rules.levels[: seat.level + 1]
        )

    def bonus(self, seat: Seat, kind: str) -> int:
        """What is added to a check to Infiltrate or to install."""
        cards = [
            bonus
            for other in self.seats
            for _, what, bonus, who in other.bonuses
            if what == kind and (who == "all" or other is seat)
        ]
        installed = [
            phrase["bonus"] for virus in self.viruses for phrase in virus.effect if phrase.get("do") == kind
        ]
        return sum(cards) + sum(installed) + self.gives(seat, kind)

    def beats(self, seat: Seat, check: Phrase, kind: str | None = None) -> bool:
        thrown = self.dice.randint(1, 6) + self.dice.randint(1, 6) + seat.who[check["stat"]]
        return thrown + (self.bonus(seat, kind) if kind else 0) >= check["at"]

    def meet(self, seat: Seat) -> bool:
        """Takes an Encounter card, Revealed or from the deck: whether there was one."""
        card = self.players.revealed(self, seat) if self.face_up else None
        if card is not None:
            self.face_up.remove(card)
        elif self.encounters.size:
            (card,) = self.watched(1)
        elif self.face_up:
            card = self.face_up.pop()
        if card is not None:
            seat.hand.append(card)
        return card is not None

    def watched(self, count: int) -> list[Card]:
        """Draws Encounter cards; the rent rises when their Archive has to be shuffled."""
        if len(self.encounters.deck) < count and self.encounters.discards:
            rise = self.rules.figures["rent_rises"][str(len(self.seats))]
            self.rent += rise
            # If there are not enough markers left, they come from Blocks, then from Money.
            short = max(0, self.rent + self.money + self.blocks - self.rules.markers)
            taken = min(short, self.blocks)
            self.blocks, self.money = self.blocks - taken, max(0, self.money - (short - taken))
        return self.encounters.draw(count)

    def gain(self, amount: int) -> int:
        """How much of a gain there are markers for."""
        room = max(0, self.rules.markers - self.rent - self.money - self.blocks)
        self.capped += amount > room
        return min(amount, room)

    # ---- keywords

    def browse(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        seen = self.web.draw(seat.who["mind"])
        kept = self.players.keep(self, seat, seen) if seen else None
        for other in seen:
            if other is kept:
                seat.piles[other.deck].put_on_top(other)
            else:
                self.web.discards.append(other)

    def delete(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        match phrase["what"]:
            case "this":
                choice = [card]
            case "hand":
                choice = [other for other in seat.hand if other.set == "dark-web"]
            case "played":
                choice = [other for other in seat.row if other.set == "dark-web" and other is not card]
            case _:
                choice = self.viruses
        if not choice:
            raise CrashError
        gone = self.players.delete(self, seat, choice)
        for place in (seat.hand, seat.row, seat.played, self.viruses):
            if gone in place:
                place.remove(gone)
        for other in self.seats:
            other.bonuses = [bonus for bonus in other.bonuses if bonus[0] is not gone]
        self.web.discards.append(gone)

    def demote(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        if seat.level == 0:
            return
        seat.level -= 1
        if seat.level == 0:
            self._moment("jailed", seat)

    def promote(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        seat.level += 1
        if seat.level == len(self.rules.levels) - 1:
            self.won = True
            return
        self._moment("promoted", seat)

    def infiltrate(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        if self.beats(seat, self.rules.levels[seat.level + 1]["check"], "infiltrating"):
            self.promote(seat, card, phrase)

    def distract(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        to, cards = self.players.distract(self, seat, phrase["count"])
        for given in cards[: phrase["count"]]:
            seat.hand.remove(given)
            to.hand.append(given)

    def draw(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        deck, count = phrase["deck"], phrase["count"]
        if deck == "encounter":
            if self.encounters.size + len(self.face_up) < count:
                raise CrashError
            for _ in range(count):
                self.meet(seat)
        elif not self.may_draw(seat, deck) or seat.piles[deck].size < count:
            raise CrashError
        else:
            seat.hand += seat.piles[deck].draw(count)

    def escape(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        for gone in self.players.escape(self, seat, phrase["count"])[: phrase["count"]]:
            seat.hand.remove(gone)
            self.encounters.discards.append(gone)

    def extract(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        for found in self.players.extract(self, seat, phrase["count"])[: phrase["count"]]:
            self.web.discards.remove(found)
            seat.piles[found.deck].put_on_top(found)

    def add_bonus(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        seat.bonuses.append((card, phrase["do"], phrase["bonus"], phrase["who"]))

    def change_money(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        amount = phrase["amount"]
        if (amount > 0 and not self.gives(seat, "money")) or self.money + amount < 0:
            raise CrashError
        self.money += self.gain(amount) if amount > 0 else amount

    def change_blocks(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        amount = phrase["amount"]
        if self.blocks + amount < 0:
            raise CrashError
        self.blocks += self.gain(amount) if amount > 0 else amount

    def reboot(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        """Of the hand's Office and Basement cards; what could not be drawn anew stays."""
        able = [other for other in seat.owns() if self.may_draw(seat, other.deck)]
        gone = self.players.reboot(self, seat, able, phrase["count"])[: phrase["count"]]
        for other in gone:
            seat.hand.remove(other)
            seat.piles[other.deck].discards.append(other)
        for deck in ("office", "basement"):
            seat.hand += seat.piles[deck].draw(sum(other.deck == deck for other in gone))

    def reveal(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        self.face_up += self.watched(phrase["count"])

    def transfer(self, seat: Seat, card: Card, phrase: Phrase) -> None:
        moved = min(self.blocks, self.players.transfer(self, seat))
        self.money, self.blocks = self.money + moved, self.blocks - moved


DEEDS: dict[str, Callable[[Table, Seat, Card, Phrase], None]] = {
    "browse": Table.browse,
    "delete": Table.delete,
    "demote": Table.demote,
    "distract": Table.distract,
    "draw": Table.draw,
    "escape": Table.escape,
    "extract": Table.extract,
    "infiltrate": Table.infiltrate,
    "promote": Table.promote,
    "infiltrating": Table.add_bonus,
    "hacking": Table.add_bonus,
    "money": Table.change_money,
    "blocks": Table.change_blocks,
    "reboot": Table.reboot,
    "reveal": Table.reveal,
    "transfer": Table.transfer,
}
"""What each keyword of keywords.yaml does."""
