"""Those who play Blockminers by themselves: people with some sense, decks built or not, and careless ones.

A sensible player knows what a card is worth at this moment, in markers of Money or so: `Worth` adds up its
paragraphs until one would Crash. Everything else (which deck, which card, what to keep) follows from that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from blockminers_table import Card, Phrase, Seat, Table

BEATEN = [sum(a + b >= at for a in range(1, 7) for b in range(1, 7)) / 36 for at in range(14)]
"""The chance of two dice to reach 0, 1, 2 … 13."""


def chance(needed: int) -> float:
    """Of two dice to reach so much."""
    return BEATEN[min(13, max(0, needed))]


SAFE = 10.0
"""What a purse that lasts for ever is worth, for each marker of rent."""
DAYS = 3.0
"""After so many days of rent in the purse, what is added counts a third of what the first markers do."""
SHORT = 2.5
"""What each marker that today's rent still lacks is worth besides."""


class StopError(Exception):
    """A paragraph would Crash: what is below it is worth nothing."""


class Worth:
    """What paragraphs are worth to a seat now; `lasting`: on an ordinary day, for a card to be kept."""

    def __init__(self, table: Table, seat: Seat, card: Card | None, *, lasting: bool = False) -> None:
        self.table, self.seat, self.card, self.lasting = table, seat, card, lasting
        self.money, self.blocks = table.money, table.blocks
        self.infiltrating = 0

    def card_worth(self) -> float:
        card, table = self.card, self.table
        assert card is not None
        if card.virus:
            assert card.check is not None
            ready = table.bonus(self.seat, "hacking") + self.seat.who["mind"]
            return chance(card.check["at"] - ready) * sum(map(self.virus, card.effect))
        if card.deck != "encounter":
            return self.of(card.effect)
        if table.threat < card.threat and not self.lasting:
            return 0
        missed = 1.0
        if card.check is not None:
            missed = 1 - chance(card.check["at"] - self.seat.who[card.check["stat"]])
        return missed * self.of(card.effect)

    def virus(self, phrase: Phrase) -> float:
        days = 5
        if "if" not in phrase:
            return 2.0 * days if phrase["do"] == "infiltrating" else 1.0 * days
        each = Worth(self.table, self.seat, None, lasting=True).of(phrase["then"])
        return (
            each
            * {"workday": days, "rent": days, "promoted": 3, "installed": 1.5, "jailed": 0.3}[
                phrase["if"]["moment"]
            ]
        )

    def of(self, phrases: Sequence[Phrase]) -> float:
        total = 0.0
        try:
            for phrase in phrases:
                total += self.phrase(phrase)
        except StopError as stop:
            total += stop.args[0] if stop.args else 0.0
        return total

    def phrase(self, phrase: Phrase) -> float:
        if "choose" in phrase:
            return max(Worth.of(self.copy(), option) for option in phrase["choose"])
        if "if" in phrase:
            return self.likely(phrase["if"]) * self.copy().of(phrase["then"])
        return float(getattr(self, "do_" + phrase["do"])(phrase))

    def copy(self) -> Worth:
        other = Worth(self.table, self.seat, self.card, lasting=self.lasting)
        other.money, other.blocks, other.infiltrating = self.money, self.blocks, self.infiltrating
        return other

    def likely(self, test: Phrase) -> float:
        if test["test"] == "check":
            return chance(test["at"] - self.seat.who[test["stat"]])
        if not self.lasting and test["test"] == "first":
            return float(self.seat.turns == 0)
        if self.lasting and test["test"] in ("played", "funds", "stock", "viruses", "threat", "calm"):
            return 0.5 / math.sqrt(test["count"])
        return float(self.table.holds(self.seat, self.card, test))

    # ---- keywords

    def purse(self, money: float, blocks: float) -> float:
        """What lies there is worth, to all: days of rent, each worth less than the one before."""
        rent = self.table.rent
        short = max(0.0, rent - money)
        return SAFE * rent * (1 - math.exp(-(money + 0.8 * blocks) / rent / DAYS)) - SHORT * short

    def spent(self, money: int, blocks: int) -> float:
        if self.lasting:
            return (money + 0.7 * blocks) * 4 / self.table.rent
        room = self.table.rules.markers - self.table.rent - self.money - self.blocks
        before = self.purse(self.money, self.blocks)
        self.money += min(money, room)
        self.blocks += min(blocks, room)
        return self.purse(self.money, self.blocks) - before

    def do_money(self, phrase: Phrase) -> float:
        amount = phrase["amount"]
        if not self.lasting and (
            self.money + amount < 0 or (amount > 0 and not self.table.gives(self.seat, "money"))
        ):
            raise StopError
        return self.spent(amount, 0)

    def do_blocks(self, phrase: Phrase) -> float:
        amount = phrase["amount"]
        if not self.lasting and self.blocks + amount < 0:
            raise StopError
        return self.spent(0, amount)

    def do_transfer(self, phrase: Phrase) -> float:
        if self.lasting:
            return 1.5
        moved = self.blocks
        before = self.purse(self.money, self.blocks)
        self.money, self.blocks = self.money + moved, 0
        return self.purse(self.money, 0) - before

    def step(self, seat: Seat) -> float:
        """What one level more is worth to all."""
        levels = len(self.table.rules.levels)
        if seat.level + 2 == levels:
            return 40
        best = max(other.level for other in self.table.seats)
        behind = 0.55 if seat.level < best else 1.0
        return (4 + 1.5 * seat.level) * behind

    def climbs(self, seat: Seat, bonus: int) -> float:
        """What an attempt is worth, with that much more than now."""
        check = self.table.rules.levels[seat.level + 1]["check"]
        ready = self.table.bonus(seat, "infiltrating") + seat.who[check["stat"]] + bonus
        return chance(check["at"] - ready) * self.step(seat)

    def do_infiltrate(self, phrase: Phrase) -> float:
        return self.climbs(self.seat, self.infiltrating)

    def do_infiltrating(self, phrase: Phrase) -> float:
        bonus = phrase["bonus"]
        self.infiltrating += bonus
        if self.lasting:
            return bonus * (1.6 if phrase["who"] == "all" else 1.2)
        total = 0.0
        for seat in self.table.seats if phrase["who"] == "all" else [self.seat]:
            tries = sum(attempts(card) for card in seat.hand if card is not self.card)
            total += tries * (self.climbs(seat, bonus) - self.climbs(seat, 0))
        return total

    def do_hacking(self, phrase: Phrase) -> float:
        seats = self.table.seats if phrase["who"] == "all" else [self.seat]
        return 0.5 + 0.8 * phrase["bonus"] * sum(card.virus for seat in seats for card in seat.hand)

    def do_browse(self, phrase: Phrase) -> float:
        return 1.5 + 0.6 * self.seat.who["mind"] * max(0.2, 1.2 - self.table.day / 10)

    def do_draw(self, phrase: Phrase) -> float:
        if phrase["deck"] == "encounter":
            return -1.8 * phrase["count"]
        if not self.lasting and not self.table.may_draw(self.seat, phrase["deck"]):
            raise StopError
        return 1.6 * phrase["count"]

    def do_demote(self, phrase: Phrase) -> float:
        return -0.9 * self.step(self.seat) if self.seat.level else 0.0

    def do_promote(self, phrase: Phrase) -> float:
        return self.step(self.seat)

    def bad(self, seat: Seat) -> list[float]:
        """What its Encounter cards cost, ascending; those that hand on or away themselves cost nothing."""
        others = (card for card in seat.meets() if card is not self.card and not escapes(card.effect))
        return sorted(max(0.0, -Worth(self.table, seat, card).card_worth()) for card in others)

    def do_escape(self, phrase: Phrase) -> float:
        if self.lasting:
            return 1.2 * math.sqrt(phrase["count"])
        return sum(self.bad(self.seat)[-phrase["count"] :])

    def do_distract(self, phrase: Phrase) -> float:
        return 0.4 * self.do_escape(phrase)

    def do_extract(self, phrase: Phrase) -> float:
        return 2.0 * min(phrase["count"], 2 if self.lasting else len(self.table.web.discards))

    def do_reboot(self, phrase: Phrase) -> float:
        return 0.5 * min(phrase["count"], 2 if self.lasting else len(self.seat.owns()))

    def do_reveal(self, phrase: Phrase) -> float:
        return 0.3 * phrase["count"]

    def do_delete(self, phrase: Phrase) -> float:
        what = phrase["what"]
        places = {"hand": self.seat.hand, "played": self.seat.row, "virus": self.table.viruses}
        there = [card for card in places.get(what, ()) if card.set == "dark-web" and card is not self.card]
        if not self.lasting and what in places and not there:
            raise StopError
        return {"this": -1.0, "hand": -0.5, "played": -2.0, "virus": -5.0}[what]


def attempts(card: Card) -> int:
    """How often a card lets one Infiltrate."""
    return sum(phrase.get("do") == "infiltrate" for phrase in card.effect)


def escapes(phrases: Sequence[Phrase]) -> bool:
    """Whether the phrases help against Encounter cards."""
    for phrase in phrases:
        inner = [phrase.get("then", ()), *phrase.get("choose", ())]
        if phrase.get("do") in ("escape", "distract") or any(map(escapes, inner)):
            return True
    return False


FIRST = ("draw", "reveal", "reboot", "escape", "distract")
"""Keywords of cards that are played before others: they change what there is to play."""


class Sensible:
    """Draws, plays and keeps what is worth most. `building`: takes Dark Web cards into the decks."""

    def __init__(self, *, building: bool = True) -> None:
        self.building = building

    def worth(self, table: Table, seat: Seat, card: Card, *, lasting: bool = False) -> float:
        return Worth(table, seat, card, lasting=lasting).card_worth()

    def daily(self, table: Table, seat: Seat, count: int) -> int:
        means = {}
        for deck, pile in seat.piles.items():
            known = [self.worth(table, seat, card) for card in pile.deck[-pile.topped :] if pile.topped]
            others = (pile.deck[: len(pile.deck) - pile.topped] or pile.discards) if pile.size else []
            each = [max(0.0, self.worth(table, seat, card)) for card in others]
            mean = sum(each) / max(1, len(each))
            known = known[:count]
            means[deck] = (sum(known) + mean * (count - len(known))) if pile.size >= count else -1.0
        if table.gives(seat, "split"):
            share = means["office"] / max(0.1, means["office"] + means["basement"])
            return min(count, max(0, round(count * share)))
        return count if means["office"] >= means["basement"] else 0

    def play(self, table: Table, seat: Seat) -> Card | None:
        meets = {card: self.worth(table, seat, card) for card in seat.meets()}
        for card, worth in meets.items():
            if worth > -0.3:
                return card
        own = {card: self.worth(table, seat, card) for card in seat.owns()}
        good = [card for card, worth in own.items() if worth > 0.05]
        if good:
            return max(good, key=lambda card: (self.rank(card), own[card]))
        if meets:
            # What costs most only if others are played before it comes last.
            return max(meets, key=meets.__getitem__)
        return None

    def rank(self, card: Card) -> int:
        deeds = [phrase.get("do") for phrase in card.effect]
        if any(deed in FIRST for deed in deeds) and "infiltrate" not in deeds:
            return 3
        if "infiltrating" in deeds or "hacking" in deeds:
            return 2
        return 0 if "transfer" in deeds or "infiltrate" in deeds else 1

    def choose(self, table: Table, seat: Seat, options: Sequence[Sequence[Phrase]]) -> int:
        each = [Worth(table, seat, None).of(option) for option in options]
        return each.index(max(each))

    def keep(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card | None:
        if not self.building:
            return None
        best = max(cards, key=lambda card: self.worth(table, seat, card, lasting=True))
        return best if self.worth(table, seat, best, lasting=True) > 1.5 else None

    def extract(self, table: Table, seat: Seat, count: int) -> list[Card]:
        if not self.building:
            return []
        cards = sorted(table.web.discards, key=lambda card: self.worth(table, seat, card, lasting=True))
        return cards[-count:]

    def reboot(self, table: Table, seat: Seat, cards: Sequence[Card], count: int) -> list[Card]:
        return sorted(
            (card for card in cards if self.worth(table, seat, card) < 1),
            key=lambda card: self.worth(table, seat, card),
        )[:count]

    def escape(self, table: Table, seat: Seat, count: int) -> list[Card]:
        cards = sorted(seat.meets(), key=lambda card: self.worth(table, seat, card))
        return cards[:count]

    def distract(self, table: Table, seat: Seat, count: int) -> tuple[Seat, list[Card]]:
        """To whoever suffers least, if anybody suffers less."""
        best: tuple[float, Seat, list[Card]] = (0.0, seat, [])
        for other in table.seats:
            if other is seat:
                continue
            gains = {
                card: self.worth(table, other, card) - self.worth(table, seat, card)
                for card in seat.meets()
            }
            cards = sorted((card for card in gains if gains[card] > 0), key=gains.__getitem__)[-count:]
            total = sum(gains[card] for card in cards)
            if total > best[0]:
                best = (total, other, cards)
        return best[1], best[2]

    def revealed(self, table: Table, seat: Seat) -> Card | None:
        """The one that hurts least, if it hurts less than most."""
        best = max(table.face_up, key=lambda card: self.worth(table, seat, card))
        return best if self.worth(table, seat, best) > -1.5 else None

    def transfer(self, table: Table, seat: Seat) -> int:
        return table.blocks

    def delete(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card:
        return min(cards, key=lambda card: self.worth(table, seat, card, lasting=True))


class Careless:
    """Draws, plays and chooses at random, and folds as soon as may be one time in four."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def some(self, cards: Sequence[Card], count: int) -> list[Card]:
        return self.dice.sample(list(cards), min(count, len(cards)))

    def daily(self, table: Table, seat: Seat, count: int) -> int:
        return self.dice.choice((0, count))

    def play(self, table: Table, seat: Seat) -> Card | None:
        if not seat.meets() and self.dice.random() < 0.25:
            return None
        return self.dice.choice(seat.hand)

    def choose(self, table: Table, seat: Seat, options: Sequence[Sequence[Phrase]]) -> int:
        return self.dice.randrange(len(options))

    def keep(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card | None:
        return self.dice.choice(cards)

    def extract(self, table: Table, seat: Seat, count: int) -> list[Card]:
        return self.some(table.web.discards, count)

    def reboot(self, table: Table, seat: Seat, cards: Sequence[Card], count: int) -> list[Card]:
        return self.some(cards, count)

    def escape(self, table: Table, seat: Seat, count: int) -> list[Card]:
        return self.some(seat.meets(), count)

    def distract(self, table: Table, seat: Seat, count: int) -> tuple[Seat, list[Card]]:
        return self.dice.choice([other for other in table.seats if other is not seat]), self.some(
            seat.meets(), count
        )

    def revealed(self, table: Table, seat: Seat) -> Card | None:
        return self.dice.choice([None, *table.face_up])

    def transfer(self, table: Table, seat: Seat) -> int:
        return table.blocks

    def delete(self, table: Table, seat: Seat, cards: Sequence[Card]) -> Card:
        return self.dice.choice(cards)
