"""MindNet as data/mindnet/rulebook.md has it: two bots decide, this does what follows, phase by phase."""

from __future__ import annotations

import random
from typing import Any

from mindnet_sides import Bot, Card, Choice, InPlay, Rules, Side, Unit


class Table:
    """One game. `play()` plays it; `turns` counts the turns of both."""

    def __init__(
        self, rules: Rules, bots: tuple[Bot, Bot], decks: tuple[list[Card], list[Card]], seed: int
    ) -> None:
        self.rules, self.random = rules, random.Random(seed)
        figures = rules.figures
        credits = (figures["start_credits"] + figures["first_credits"], figures["start_credits"])
        self.sides = tuple(Side(self, bots[n], decks[n], credits[n]) for n in (0, 1))
        self.sides[0].rival, self.sides[1].rival = self.sides[1], self.sides[0]
        self.turns = 0
        self.stirred = True
        """Whether anything was played or drawn, or anybody sent, in this turn."""

    def play(self, most: int = 200) -> int | None:
        """Who won, 0 who began or 1; None for a draw, also where nobody has won in `most` turns."""
        for side in self.sides:
            self.deploy(side)
        idle = 0
        while self.turns < most and idle < 2:
            side = self.sides[self.turns % 2]
            self.stirred = False
            self.turn(side)
            self.turns += 1
            idle = 0 if self.stirred or side.library or side.rival.library else idle + 1
            if side.count_genies() >= self.rules.figures["win_genies"]:
                return self.sides.index(side)
            side.pay(max(0, side.credits // self.rules.figures["tax"] - side.total("shelter")))
        ours, theirs = (side.count_genies() for side in self.sides)
        return None if ours == theirs else 0 if ours > theirs else 1

    def turn(self, side: Side) -> None:
        for both in self.sides:
            for thing in (*both.people, *both.goods, *(item for one in both.people for item in one.items)):
                thing.used.clear()
        if self.turns:
            self.ready(side)
            self.deploy(side)
        self.acts(side, None)
        units = self.approach(side)
        self.interact(side, units)
        for both in self.sides:
            for one in both.people:
                one.busy, one.motivation_now, one.aggression_now = False, 0, 0

    # ---- the phases

    def ready(self, side: Side) -> None:
        figures = self.rules.figures
        for one in list(side.people):
            if one.exhausted and not one.has("tireless"):
                self.hurt(one, 1)
        asleep = [one for one in side.people if one.exhausted]
        if asleep and len(asleep) < len(side.people):
            woken = side.bot.encourage(side, asleep, False)
            if woken:
                woken.exhausted = False
        while side.credits >= figures["activation"]:
            asleep = [one for one in side.people if one.exhausted]
            woken = side.bot.encourage(side, asleep, True) if asleep else None
            if woken is None:
                break
            woken.exhausted = False
            side.pay(figures["activation"])
        for one in list(side.people):
            if one.card.unique and one.card in side.hand and (one.exhausted or one.damage):
                side.hand.remove(one.card)
                side.pile.append(one.card)
                side.played[one.card] += 1
                if one.exhausted:
                    one.exhausted = False
                else:
                    one.damage -= 1
        for card in side.bot.discard(side, figures["discards"]):
            side.hand.remove(card)
            side.pile.append(card)
            side.credits += 1
        earned = sum(card.earnings for one in side.people if not one.exhausted for card in one.cards())
        side.credits = max(0, side.credits + earned + sum(thing.card.earnings for thing in side.goods))
        for thing in list(side.working()):
            self.trigger("ready", thing, None)
        before = len(side.hand)
        side.draw(max(0, figures["hand"] - before))
        self.stirred |= len(side.hand) > before

    def deploy(self, side: Side) -> None:
        while (bought := side.bot.recruit(side)) is not None:
            card, bearer = bought
            assert card in side.hand
            assert side.may_play(card), card
            self.stirred = True
            side.pay(side.price(card))
            side.hand.remove(card)
            side.played[card] += 1
            new = InPlay(card, side, bearer)
            if card.type == "item":
                assert bearer is not None
                bearer.items.append(new)
                self.check(bearer)
            else:
                (side.people if card.type == "individual" else side.goods).append(new)
            self.trigger("arrival", new, None)

    def acts(self, side: Side, unit: Unit | None) -> bool:
        """Events and abilities until the bot passes; whether there was one."""
        acted = False
        for _ in range(30):
            choice = side.bot.act(side, unit)
            if choice is None:
                break
            acted = self.stirred = True
            self.use(side, choice, unit)
            if unit:
                break
        return acted

    def use(self, side: Side, choice: Choice, unit: Unit | None) -> None:
        assert choice.price <= side.credits, choice.card
        side.pay(choice.price)
        source = choice.source
        if source is None:
            side.hand.remove(choice.card)
            side.pile.append(choice.card)
            side.played[choice.card] += 1
            self.do(side, choice.phrases, None, unit)
            return
        source.used.add(choice.number)
        cost = source.card.abilities[choice.number]["if"]
        bearer = source.bearer or source
        if cost["test"] == "exhaust":
            assert not bearer.exhausted
            bearer.exhausted = True
        elif cost["test"] == "discard":
            for card in sorted(side.hand, key=lambda one: side.bot.worth(side, one))[: cost["count"]]:
                side.hand.remove(card)
                side.pile.append(card)
        elif cost["test"] == "spend":
            self.scrap(source)
        self.do(side, choice.phrases, bearer, unit)

    def approach(self, side: Side) -> list[Unit]:
        units: list[Unit] = []
        side.formed = 0
        while side.awake() and (step := side.bot.party(side)) is not None:
            party, named = step
            assert party
            assert all(one in side.awake() for one in party)
            self.stirred = True
            for one in party:
                one.busy = True
            hosts: list[InPlay] = []
            if named is None:
                assert not side.rival.awake()
                side.formed += 1
            else:
                free = side.rival.awake()
                if any(one.has("covert") for one in party):
                    host, joining = named, side.rival.bot.host(side.rival, party, named)[1]
                    joining = [one for one in joining if one is not named]
                else:
                    host, joining = side.rival.bot.host(side.rival, party, named)
                if host is not named and not host.has("bodyguard"):
                    host.motivation_now -= 1
                hosts = [host, *joining]
                assert len(set(hosts)) == len(hosts)
                assert all(one in free for one in hosts)
                for one in hosts:
                    one.busy = True
            unit = Unit(party, hosts)
            units.append(unit)
            for one in party:
                self.happens("approaches", one, unit)
        return units

    def interact(self, side: Side, units: list[Unit]) -> None:
        """The host picks: hacker units first, while there is most to stop them with."""
        for unit in sorted(units, key=lambda one: bool(one.hosts)):
            for _ in range(30):
                acted = self.acts(side, unit)
                if not self.acts(side.rival, unit) and not acted:
                    break
            guests, hosts = unit.of(side)
            if not guests or (unit.hosts and not hosts):
                continue
            if not unit.hosts:
                strength = sum(one.motivation + one.has("hacker") for one in guests if not one.exhausted)
                if strength >= side.to_hack():
                    side.fetched += min(1, len(side.rival.genies))
                    self.steal(side, 1)
                    for one in guests:
                        self.happens("hacks", one, unit)
                continue
            wins = sum(one.motivation for one in guests) > sum(one.motivation for one in hosts)
            side.spent += 0 if wins else len(guests)
            self.settle(*((guests, hosts) if wins else (hosts, guests)), unit)

    def settle(self, winners: list[InPlay], losers: list[InPlay], unit: Unit) -> None:
        side = winners[0].side
        aggressive = [one for one in winners if one.aggression and not one.exhausted]
        blows = side.bot.blows(side, aggressive, losers) if aggressive else []
        for striker, struck in blows:
            self.hurt(struck, striker.aggression)
        if not blows:
            for one in losers:
                one.exhausted = True
        for one in winners:
            self.happens("wins", one, unit)

    # ---- what cards do

    def happens(self, what: str, one: InPlay, unit: Unit | None = None) -> None:
        if not one.exhausted:
            for thing in (one, *one.items):
                self.trigger(what, thing, unit)

    def trigger(self, what: str, thing: InPlay, unit: Unit | None) -> None:
        if what in thing.card.triggers:
            for phrase in thing.card.effect:
                if phrase.get("if", {}).get("test") == what:
                    self.do(thing.side, phrase["then"], thing.bearer or thing, unit)

    def hurt(self, one: InPlay, count: int, armor: bool = True) -> None:
        one.damage += max(0, count - (one.has("armor") if armor else 0))
        self.check(one)

    def check(self, one: InPlay) -> None:
        if not one.gone and one.health <= 0:
            one.side.lose(one)

    def scrap(self, thing: InPlay) -> None:
        thing.side.pile.append(thing.card)
        if thing.bearer:
            thing.bearer.items.remove(thing)
            self.check(thing.bearer)
        else:
            thing.side.goods.remove(thing)

    def steal(self, side: Side, count: int) -> None:
        for _ in range(min(count, len(side.rival.genies))):
            side.genies.append(side.rival.genies.pop())

    def do(
        self, side: Side, phrases: list[dict[str, Any]], bearer: InPlay | None, unit: Unit | None
    ) -> None:
        for action in list(side.live(phrases)):
            word, count, who = action["do"], action.get("count", 1), action.get("who")
            rival = side.rival
            if word == "draw":
                side.draw(count)
            elif word == "scout":
                top = side.library[-count:]
                side.library[-count:] = sorted(top, key=lambda card: side.bot.worth(side, card))
            elif word == "recall":
                found = [card for card in side.pile if card.type == action["card"]]
                if found:
                    best = max(found, key=lambda card: side.bot.worth(side, card))
                    side.pile.remove(best)
                    side.hand.append(best)
            elif word == "jam":
                for card in self.random.sample(rival.hand, min(count, len(rival.hand))):
                    rival.hand.remove(card)
                    rival.pile.append(card)
            elif word == "scrap":
                things = (
                    rival.goods
                    if action["thing"] == "possession"
                    else [i for one in rival.people for i in one.items]
                )
                if things:
                    self.scrap(max(things, key=lambda thing: thing.card.price))
            elif word == "earn":
                side.credits += count
            elif word == "fine":
                rival.pay(count)
            elif word == "wake":
                side.genies += [side.library.pop() for _ in range(min(count, len(side.library)))]
            elif word == "steal":
                self.steal(side, count)
            elif word == "strain":
                assert bearer is not None
                self.hurt(bearer, count, armor=False)
            else:
                assert who is not None, word
                among = side.candidates(who, unit, bearer)
                if not who.startswith("all") and among:
                    among = [side.bot.target(side, action, among)]
                for one in among:
                    self.touch(one, word, count)

    def touch(self, one: InPlay, word: str, count: int) -> None:
        if word in ("exhaust", "activate"):
            one.exhausted = word == "exhaust"
        elif word == "damage":
            self.hurt(one, count)
        elif word == "heal":
            one.damage = max(0, one.damage - count)
        elif word in ("upgrade", "degrade"):
            one.growth += count if word == "upgrade" else -count
            self.check(one)
        elif word == "motivation":
            one.motivation_now += count
        else:
            assert word == "aggression", word
            one.aggression_now += count
