"""Four players of MindNet, each in another temper. They see no hand or deck but their own."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from mindnet_sides import Card, Choice, InPlay, Side, Unit


def value(one: InPlay) -> float:
    """What an active individual is worth to its side, in Credits or so."""
    return 1 + one.motivation + 0.5 * one.aggression + sum(card.earnings for card in one.cards())


def packed(mine: Side, party: list[InPlay], formed: int = 0) -> list[list[InPlay]]:
    """As many hacker units as `party` gives after the `formed` ones, the weakest that will do first."""
    left = sorted(party, key=lambda one: one.motivation + one.has("hacker"))
    units: list[list[InPlay]] = []
    while left:
        need = mine.to_hack(formed + len(units))
        unit: list[InPlay] = []
        while left and sum(one.motivation + one.has("hacker") for one in unit) < need:
            missing = need - sum(one.motivation + one.has("hacker") for one in unit)
            unit.append(
                next((one for one in left if one.motivation + one.has("hacker") >= missing), left[-1])
            )
            left.remove(unit[-1])
        if sum(one.motivation + one.has("hacker") for one in unit) >= need:
            units.append(unit)
    return units


class Player:
    """The moves that all of them share. The figures are tempers.

    `genie` and `care` weigh a Genie and an own individual put to sleep; `company` is how many people
    it wants at home before it saves for a dear card; `dear` how much more it likes what costs more;
    with `slack` it reckons with help for a host, as people do.
    """

    name = "player"
    genie = 6.0
    care = 1.0
    company = 4
    dear = 0.5
    slack = 1

    # ---- cards and Credits

    def worth(self, mine: Side, card: Card) -> float:
        if card.unique and any(one.card is card for one in mine.people):
            return 1.5
        if card.type == "item" and not mine.people:
            return 0.5
        held = list(mine.live(card.effect)) if card.type == "event" else [{}]
        return (0.5 if not held else 1.0) + card.price**self.dear

    def recruit(self, mine: Side) -> tuple[Card, InPlay | None] | None:
        able = [card for card in dict.fromkeys(mine.hand) if mine.may_play(card)]
        saving = self.saving(mine)
        able = [card for card in able if mine.credits - mine.price(card) >= saving or card.price >= 8]
        people = [card for card in able if card.type == "individual"]
        others = [card for card in able if card.type != "individual"]
        if people and (len(mine.people) < self.company or not others):
            return max(people, key=lambda card: self.liking(mine, card)), None
        if not able:
            return None
        card = max(able, key=lambda card: self.liking(mine, card))
        if card.type == "item":
            bearers = [one for one in mine.people if not one.exhausted] or mine.people
            return card, max(
                bearers, key=lambda one: (one.health + card.health > 1, value(one) - len(one.items))
            )
        return card, None

    def liking(self, mine: Side, card: Card) -> float:
        return self.worth(mine, card) - 0.2 * mine.price(card) + 0.1 * card.motivation

    def saving(self, mine: Side) -> int:
        """How many Credits to keep for a dear card in hand."""
        dear = [card.price for card in mine.hand if card.price >= 8 and self.wants(mine, card)]
        if not dear or len([one for one in mine.people if not one.exhausted]) < self.company:
            return 0
        return min(dear)

    def wants(self, mine: Side, card: Card) -> bool:
        if card.unique and any(one.card is card for one in mine.people):
            return False
        return card.type != "event" or bool(list(mine.live(card.effect)))

    def discard(self, mine: Side, most: int) -> list[Card]:
        credits = mine.credits + most
        kept: list[Card] = []
        rest = []
        for card in sorted(mine.hand, key=lambda card: -self.worth(mine, card)):
            if card.price <= credits and self.wants(mine, card):
                credits -= card.price
                kept.append(card)
            else:
                rest.append(card)
        dear = [card for card in rest if card.price >= 8 and self.wants(mine, card)][:2]
        for card in dear:
            rest.remove(card)
        return sorted(rest, key=lambda card: self.worth(mine, card))[:most]

    def encourage(self, mine: Side, asleep: list[InPlay], paid: bool) -> InPlay | None:
        best = max(asleep, key=lambda one: value(one) + sum(card.motivation for card in one.cards()))
        strength = sum(card.motivation for card in best.cards())
        if paid and (
            strength < 3 or mine.credits - self.saving(mine) < mine.table.rules.figures["activation"]
        ):
            return None
        return best

    # ---- events and abilities

    def gain(self, mine: Side, action: dict[str, Any]) -> float:
        """What an action is worth in the Event phase, in Credits or so."""
        word, count, rival = action["do"], action.get("count", 1), mine.rival
        if word == "draw":
            return 1.0 * min(count, len(mine.library))
        if word == "earn":
            return float(count)
        if word == "fine":
            return 0.8 * min(count, rival.credits)
        if word == "jam":
            return 0.8 * min(count, len(rival.hand))
        if word == "wake":
            return self.genie * 1.4 * min(count, len(mine.library))
        if word == "steal":
            return self.genie * 2 * min(count, len(rival.genies))
        if word == "recall":
            return 1.2 * any(card.type == action["card"] for card in mine.pile)
        if word == "scrap":
            things = (
                rival.goods
                if action["thing"] == "possession"
                else [i for one in rival.people for i in one.items]
            )
            return 0.9 * max((thing.card.price for thing in things), default=0)
        who = action.get("who", "")
        if who in ("facing", "it", ""):
            return 0.3 if word == "scout" else 0.0
        awake = [one for one in (mine if "yours" in who else rival).people if not one.exhausted]
        if word == "exhaust":
            return max((value(one) for one in awake), default=0)
        if word == "activate":
            return max((2 + one.card.motivation for one in mine.people if one.exhausted), default=0)
        if word in ("damage", "degrade"):
            return max((value(one) * (1.5 if one.health <= count else 0.4) for one in awake), default=0)
        if word in ("heal", "upgrade"):
            return max((0.8 * min(count, one.damage) + 0.3 for one in mine.people), default=0)
        if word == "motivation" and who == "all-rivals":
            return sum(0.8 * value(one) for one in awake if one.motivation + count <= 0)
        return 0.0

    def act(self, mine: Side, unit: Unit | None) -> Choice | None:
        if unit:
            return self.turn_it(mine, unit)
        best, most = None, 0.3
        for choice in mine.choices():
            gain = sum(self.gain(mine, action) for action in mine.live(choice.phrases)) - self.cost(
                mine, choice
            )
            if gain > most:
                best, most = choice, gain
        return best

    def cost(self, mine: Side, choice: Choice) -> float:
        cost = 0.8 * choice.price if choice.card.price < 8 else 0.0
        if choice.source is None:
            return cost + 0.5
        test = choice.source.card.abilities[choice.number]["if"]["test"]
        if test == "exhaust":
            return cost + self.care * (value(choice.source.bearer or choice.source) + 0.5)
        return cost + {"spend": 0.5 + choice.card.price * 0.5, "discard": 0.8}.get(test, 0)

    def turn_it(self, mine: Side, unit: Unit) -> Choice | None:
        """What turns a lost interaction into one won, if it costs less than what is at stake."""
        ours, facing = unit.of(mine)
        guest = unit.guests[0].side is mine
        margin = sum(one.motivation for one in ours) - sum(one.motivation for one in facing) - guest
        stakes = sum(map(value, ours)) + sum(map(value, facing))
        if not unit.hosts:
            hacker = mine if guest else mine.rival
            need = hacker.to_hack()
            strength = sum(one.motivation + one.has("hacker") for one in (ours or facing))
            margin, stakes = (strength - need if guest else need - 1 - strength), self.genie * 2
        if margin >= 0 or (guest and not ours) or (unit.hosts and not (ours and facing)):
            return None
        found: list[tuple[float, float, Choice]] = []
        for choice in mine.choices():
            swing = sum(
                self.swing(mine, action, choice, ours, facing) for action in mine.live(choice.phrases)
            )
            if swing > 0 and (price := self.cost(mine, choice)) < stakes:
                found.append((swing, -price, choice))
        found.sort(key=lambda row: row[:2], reverse=True)
        credits, total, price = mine.credits, 0.0, 0.0
        for swing, cost, choice in found:
            if choice.price <= credits:
                credits, total, price = credits - choice.price, total + swing, price - cost
        return found[0][2] if found and margin + total >= 0 and price < stakes else None

    def swing(
        self, mine: Side, action: dict[str, Any], choice: Choice, ours: list[InPlay], facing: list[InPlay]
    ) -> float:
        word, who, count = action["do"], action.get("who", ""), action.get("count", 0)
        bearer = (choice.source.bearer or choice.source) if choice.source else None
        if word == "motivation":
            if who == "it":
                return count if bearer in ours else 0
            if who == "yours":
                return count if ours else 0
            if who == "all-yours":
                return count * len(ours)
            hit = min(-count, max((one.motivation for one in facing), default=0))
            in_it = who != "facing" or bearer in ours
            return (hit * len(facing) if who == "all-rivals" else hit) if in_it else 0
        if word == "exhaust" and who in ("rival", "facing"):
            own = bearer.motivation if bearer in ours and self.exhausts(choice) and bearer else 0
            return max((one.motivation for one in facing), default=0) - own
        return 0

    def exhausts(self, choice: Choice) -> bool:
        return (
            choice.source is not None
            and choice.source.card.abilities[choice.number]["if"]["test"] == "exhaust"
        )

    def target(self, mine: Side, action: dict[str, Any], among: list[InPlay]) -> InPlay:
        word, count = action["do"], action.get("count", 1)
        if word == "activate":
            return max(among, key=lambda one: (one.exhausted, one.card.motivation))
        if word in ("heal", "upgrade"):
            return max(among, key=lambda one: (one.damage, value(one)))
        if word in ("damage", "degrade"):
            return max(among, key=lambda one: (one.health <= count, value(one)))
        return max(among, key=lambda one: (one.busy, not one.exhausted, value(one)))

    # ---- parties

    def party(self, mine: Side) -> tuple[list[InPlay], InPlay | None] | None:
        ours = sorted(mine.awake(), key=lambda one: one.motivation)
        theirs = sorted(mine.rival.awake(), key=lambda one: -one.motivation)
        if not theirs:
            units = packed(mine, ours, mine.formed) if mine.rival.genies else []
            return (units[0], None) if units else None
        plans = [self.flood(mine, ours, theirs, match) for match in (True, False)]
        plans.append(self.attack(ours, theirs))
        gain, step = max(plans, key=lambda plan: plan[0])
        return step if gain > 0 else None

    def flood(
        self, mine: Side, ours: list[InPlay], theirs: list[InPlay], match: bool
    ) -> tuple[float, tuple[list[InPlay], InPlay | None] | None]:
        """Keep all of theirs busy with one each, so that the others can hack."""
        left, gain = list(ours), 0.0
        first: tuple[list[InPlay], InPlay | None] | None = None
        for host in theirs:
            if not left:
                return 0.0, None
            winners = (
                [one for one in left if one.motivation > host.motivation + self.slack] if match else []
            )
            sent = (winners or left)[0]
            gain += (
                0.7 * value(host)
                if winners
                else -self.care * value(sent) * (0.4 if sent.has("tireless") else 1)
            )
            left.remove(sent)
            first = first or ([sent], host)
        return gain + self.genie * min(len(packed(mine, left)), len(mine.rival.genies)), first

    def attack(
        self, ours: list[InPlay], theirs: list[InPlay]
    ) -> tuple[float, tuple[list[InPlay], InPlay] | None]:
        """The best single party of one, two or three that wins; see `slack`."""
        parties = [
            (
                sum(one.motivation for one in party),
                0.35 * self.care * sum(map(value, party)) - 0.5 * sum(one.aggression for one in party),
                party,
            )
            for size in (1, 2, 3)
            for party in combinations(ours[:8], size)
        ]
        best: tuple[float, tuple[list[InPlay], InPlay] | None] = (0.0, None)
        for host in theirs:
            helper = max((one.motivation for one in theirs if one is not host), default=0)
            fear, prize = host.motivation + (helper if self.slack else 0), value(host)
            for strength, cost, party in parties:
                if strength > fear and prize - cost > best[0]:
                    best = prize - cost, (list(party), host)
        return best

    def host(self, mine: Side, party: list[InPlay], named: InPlay) -> tuple[InPlay, list[InPlay]]:
        total = sum(one.motivation for one in party)
        free = mine.awake()
        if named.motivation >= total:
            return named, []
        alone = [
            one for one in free if one.motivation - (not one.has("bodyguard")) >= total and one is not named
        ]
        if alone:
            return min(alone, key=lambda one: one.motivation), []
        others = sorted((one for one in free if one is not named), key=lambda one: -one.motivation)
        joining: list[InPlay] = []
        for one in others:
            if named.motivation + sum(each.motivation for each in joining) >= total:
                break
            joining.append(one)
        weakest = min(free, key=value)
        guests = len(mine.rival.awake())
        hacks = max(0, guests - (len(free) - 1 - len(joining))) - max(0, guests - (len(free) - 1))
        enough = named.motivation + sum(each.motivation for each in joining) >= total
        if enough and self.care * value(weakest) + sum(map(value, party)) > self.genie * hacks:
            return named, joining
        return (weakest if not any(one.has("covert") for one in party) else named), []

    def blows(self, mine: Side, winners: list[InPlay], losers: list[InPlay]) -> list[tuple[InPlay, InPlay]]:
        left = {one: one.health + one.has("armor") for one in losers}
        plan: list[tuple[InPlay, InPlay]] = []
        gain = 0.0
        for striker in sorted(winners, key=lambda one: -one.aggression):
            alive = [one for one in losers if left[one] > 0]
            if not alive:
                break
            kills = [one for one in alive if left[one] <= striker.aggression]
            struck = max(kills or alive, key=value)
            left[struck] -= striker.aggression
            gain += 1.6 * (value(struck) + 1) if kills else 0.3 * striker.aggression
            plan.append((striker, struck))
        return plan if gain > sum(value(one) for one in losers) else []


class Crowd(Player):
    """Many cheap people, kept busy."""

    name, genie, care, company, dear = "crowd", 6.0, 0.9, 6, 0.3


class Tower(Player):
    """Few and dear, careful with them; saves early."""

    name, genie, care, company, dear = "tower", 6.0, 1.3, 4, 0.9


class Raider(Player):
    """Genies first, but it counts who has to sleep for them."""

    name, genie, care, company, dear = "raider", 9.0, 1.3, 5, 0.5


class Rusher(Player):
    """Genies at any price."""

    name, genie, care, company, dear = "rusher", 9.0, 0.6, 5, 0.5
