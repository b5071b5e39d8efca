"""The page's modules that know no page: the search's language, and chances."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.workbench.desk import Desk

CARDS: list[dict[str, Any]] = [
    {
        "component": "cards",
        "id": "ghost",
        "copies": 3,
        "number": 1,
        "file": "data/x/cards.yaml",
        "fields": {
            "title": "A Ghost",
            "cost": 2,
            "suits": ["sun", "moon"],
            "text": "Draw two cards.",
            "rare": True,
        },
        "face": {"key": "a", "look": "good"},
        "back": {"key": "b", "look": "good"},
    },
    {
        "component": "cards",
        "id": "wraith",
        "copies": 1,
        "number": 2,
        "file": "data/x/cards.yaml",
        "fields": {
            "title": "Wraith",
            "cost": 4.5,
            "suits": ["moon"],
            "text": "Lose.",
            "needs": [{"points": 3}, {"points": 7}],
        },
        "face": {"key": "c", "look": "marked"},
        "back": None,
    },
    {
        "component": "aids",
        "id": "Übersicht",
        "copies": 1,
        "number": 1,
        "file": "data/x/aids.yaml",
        "fields": {"title": "Übersicht, lang", "cost": "10", "rare": False, "art": "", "constructor": "x"},
        "face": {"key": "", "look": "none"},
        "back": None,
    },
]
FIELDS = ["title", "cost", "suits", "text", "rare", "needs", "art", "constructor"]
G, W, U = "ghost", "wraith", "Übersicht"

MATCHES: dict[str, list[str]] = {
    "": [G, W, U],
    "   ": [G, W, U],
    "ghost": [G],
    "GHOST": [G],
    "übersicht": [U],
    '"two cards"': [G],
    '"cards two"': [],
    "“two cards”": [G],
    "suits:moon": [G, W],
    "suits:sun,art": [G],
    "Suits:SUN": [G],
    "cost:2": [G],
    "cost:2.0": [G],
    "cost=4.5": [W],
    "cost=4,5": [],  # 4 or 5
    "cost:1..3": [G],
    "cost:..3": [G],
    "cost:3..": [W],
    "cost>2": [W, U],  # words that are a number count as it
    "cost>=2": [G, W, U],
    "cost<4.5": [G],
    "cost<=4.5": [G, W],
    "cost!=2": [W, U],
    "-cost:2": [W, U],
    "text~DRAW": [G],
    'text~"w t"': [G],
    "rare:yes": [G],
    "rare:false": [U],
    "has:rare": [G],
    "has:art": [],
    "has:needs": [W],
    "needs.points>5": [W],
    "needs.points:3": [W],
    "needs.points:4": [],
    "needs.nothing:4": [],
    "has:back": [G],
    "has:copies": [G],
    "copies>1": [G],
    "id:wraith": [W],
    "component:aids": [U],
    "number:1": [G, U],
    "is:good": [G],
    "is:marked": [W],
    "is:missing": [U],
    "is:changed": [W],
    "is:edited": [G],
    "is:new": [U],
    "is:stale": [],
    "has:findings": [W],
    "-has:findings": [G, U],
    "ghost or wraith": [G, W],
    "ghost OR wraith": [G, W],
    "(ghost or wraith) cost>3": [W],
    "ghost or wraith cost>3": [G, W],
    "-(ghost or wraith)": [U],
    "--ghost": [G],
    "lang": [U],
    "orange": [],
    "constructor:x": [U],
    "constructor:Object": [],
    'title:"Übersicht, lang"': [U],
    "a" * 3000: [],
}

PROBLEMS = {
    "<img src=x>": [],
    "siut:moon": [G, W, U],
    "cost>many": [G, W, U],
    "cost>": [G, W, U],
    "cost:": [G, W, U],
    '"open': [],
    "(ghost": [G],
    "ghost)": [G],
    "is:purple": [G, W, U],
    "has:nothing ghost": [G],
    "cost>1,2": [G, W, U],
    "toString:1": [G, W, U],
    "__proto__:1": [G, W, U],
}

_ASK = """async texts => {
  const {parse} = await import(new URL("query.js", document.baseURI).href);
  const {cards, fields, around} = texts;
  const [changed, edited, fresh] = ["changed", "edited", "new"].map(name => new Set(around[name]));
  const context = {findings: new Map(around.findings), changed, edited, new: fresh};
  return Object.fromEntries(texts.asked.map(text => {
    const {match, problems} = parse(text, fields);
    return [text, [cards.filter(card => match(card, context)).map(card => card.id), problems]];
  }));
}"""
AROUND = {
    "findings": [["cards/wraith", [1]]],
    "changed": ["cards/wraith"],
    "edited": ["cards/ghost"],
    "new": ["aids/Übersicht"],
}


@pytest.fixture
def bare(desk: Desk, page: Page) -> Page:
    """A page of the workbench's own address with nothing of it running."""
    page.goto(f"{desk.shop.address}query.js")
    return page


def test_the_search_s_language(desk: Desk, bare: Page) -> None:
    asked = {"cards": CARDS, "fields": FIELDS, "around": AROUND, "asked": [*MATCHES, *PROBLEMS]}
    found = bare.evaluate(_ASK, asked)
    assert {text: found[text] for text in MATCHES} == {text: [ids, []] for text, ids in MATCHES.items()}
    assert {text: found[text][0] for text in PROBLEMS} == PROBLEMS
    for text in PROBLEMS:
        for problem in found[text][1]:
            assert 0 <= problem["at"] < problem["end"] <= len(text)
            assert len(problem["message"]) > 10
        assert found[text][1]


def test_the_order(bare: Page) -> None:
    found = bare.evaluate(
        """async cards => {
          const {sorted} = await import(new URL("query.js", document.baseURI).href);
          const by = (name, down = false) => sorted(cards, name, down).map(card => card.id);
          const asked = [["cost"], ["cost", true], ["title"], ["nothing", true], ["copies", true]];
          return asked.map(each => by(...each));
        }""",
        CARDS,
    )
    assert found == [[G, W, U], [W, G, U], [G, U, W], [G, W, U], [G, W, U]]


FOLLOWED = {
    # before, after (title:text, or id=title:text where ids are stated), the selected card, what it becomes
    "unchanged": ("Fox:a Owl:b", "Fox:a Owl:b", 0, "fox"),
    "renamed": ("Fox:a Owl:b", "Yak:a Owl:b", 0, "yak"),
    "the first of two alike, renamed": ("Guard:a Guard:b", "Warden:a Guard:b", 0, "warden"),
    "the second, while the first is renamed": ("Guard:a Guard:b", "Warden:a Guard:b", 1, "guard"),
    "the first of two equal ones, renamed": ("Guard:a Guard:a", "Warden:a Guard:a", 0, "warden"),
    "renamed to what is there": ("Fox:a Owl:b", "Fox:a Fox:b", 1, "fox-2"),
    "titles exchanged": ("Fox:a Owl:b", "Owl:a Fox:b", 0, "owl"),
    "rows exchanged": ("Fox:a Owl:b Elk:c", "Elk:c Owl:b Fox:a", 0, "fox"),
    "a row before it": ("Guard:a Guard:b", "Guard:x Guard:a Guard:b", 0, "guard-2"),
    "a row before it, and its text": ("Fox:a Owl:b", "Elk:c Fox:z Owl:b", 0, "fox"),
    "the one before it gone": ("Guard:a Guard:b", "Guard:b", 1, "guard"),
    "gone, and another has its id": ("Guard:a Guard:b", "Guard:b", 0, ""),
    "gone for now": ("Fox:a Owl:b", "Owl:b", 0, "fox"),
    "stated ids in another order": ("f=Fox:a o=Owl:b", "o=Owl:z f=Fox:y", 0, "f"),
    "a stated id renamed": ("f=Fox:a o=Owl:b", "fox=Fox:a o=Owl:b", 0, "fox"),
}


def records(words: str) -> list[dict[str, Any]]:
    """Cards as the page has them, of one file."""
    made: list[dict[str, Any]] = []
    for number, word in enumerate(words.split(), start=1):
        stated, _, content = word.rpartition("=")
        title, _, text = content.partition(":")
        taken = {each["id"] for each in made}
        names = (f"{title.lower()}-{n}" if n > 1 else title.lower() for n in range(1, 9))
        id = stated or next(name for name in names if name not in taken)
        fields = {"id": id, "title": title, "text": text}
        lines = dict.fromkeys([*(["id"] if stated else []), "title", "text"], number)
        made.append({**PLACE, "id": id, "number": number, "fields": fields, "lines": lines})
    return made


PLACE = {"component": "cards", "file": "data/owls/cards.csv"}


def test_a_selected_card_is_followed_by_its_place(bare: Page) -> None:
    asked = [
        [records(before), records(after), f"cards/{records(before)[at]['id']}"]
        for before, after, at, _ in FOLLOWED.values()
    ]
    found = bare.evaluate(
        """async cases => {
          const {follow} = await import(new URL("following.js", document.baseURI).href);
          const map = cards => new Map(cards.map(card => [`${card.component}/${card.id}`, card]));
          return cases.map(([before, after, selected]) => follow(selected, map(before), map(after)));
        }""",
        asked,
    )
    expected = [f"cards/{id}" if id else "" for *_, id in FOLLOWED.values()]
    assert dict(zip(FOLLOWED, found, strict=True)) == dict(zip(FOLLOWED, expected, strict=True))


CHANCES = [
    (cards, hits, drawn, least)
    for cards in (1, 4, 9, 52, 120)
    for hits in (0, 1, 3, 52)
    for drawn in (0, 1, 5, 60)
    for least in (0, 1, 2, 6)
]


def test_chances_are_exact(bare: Page) -> None:
    cases = [case for case in CHANCES if case[1] <= case[0]]
    found = bare.evaluate(
        """async cases => {
          const odds = await import(new URL("odds.js", document.baseURI).href);
          return cases.map(([cards, hits, drawn, least]) => {
            const {over, under} = odds.atLeast(cards, hits, drawn, least);
            const one = odds.exactly(cards, hits, drawn, least);
            const mean = odds.mean(cards, hits, drawn);
            return [over, under, one.over, one.under, mean.over, mean.under].map(String);
          });
        }""",
        cases,
    )
    for (cards, hits, drawn, least), said in zip(cases, found, strict=True):
        draw = min(drawn, cards)
        ways = [comb(hits, held) * comb(cards - hits, draw - held) for held in range(draw + 1)]
        expected = (
            Fraction(sum(ways[least:]), comb(cards, draw)),
            Fraction(ways[least] if least <= draw else 0, comb(cards, draw)),
            Fraction(draw * hits, cards),
        )
        numbers = list(map(int, said))
        for value, over, under in zip(expected, numbers[::2], numbers[1::2], strict=True):
            assert Fraction(over, under) == value
            if over:
                assert (over, under) == (value.numerator, value.denominator)


def test_chances_in_words(bare: Page) -> None:
    found = bare.evaluate(
        """async () => {
          const odds = await import(new URL("odds.js", document.baseURI).href);
          const of = (over, under) => ({over: BigInt(over), under: BigInt(under)});
          const refused = [[3, 4, 1], [3, -1, 1], [3.5, 1, 1]].map(values => {
            try { odds.hypergeometric(...values); return "" } catch (error) { return error.name }
          });
          return [
            odds.decimal(of(2, 3), 3), odds.decimal(of(1, 2), 0), odds.decimal(of(1, 200), 2),
            ...[of(1, 3), of(1, 10 ** 9), of(10 ** 9 - 1, 10 ** 9), of(0, 1), of(1, 1)]
              .map(each => odds.percentage(each)),
            odds.oneIn(of(1, 4)), odds.oneIn(of(0, 1)), odds.oneIn(of(1, 1)), ...refused,
          ];
        }"""
    )
    assert found == [
        "0.667",
        "1",
        "0.01",
        "33.33 %",
        "under 0.01 %",
        "over 99.99 %",
        "0.00 %",
        "100.00 %",
        "About one hand in 4",
        "Never",
        "Always",
        *["RangeError"] * 3,
    ]


def test_shuffles_are_the_same_for_the_same_seed_and_fair(bare: Page) -> None:
    found = bare.evaluate(
        """async () => {
          const {shuffled, deckOf} = await import(new URL("shuffling.js", document.baseURI).href);
          const cards = [{id: "a", copies: 1}, {id: "b", copies: 2}, {id: "c", copies: 0}];
          const deck = deckOf(cards).map(card => card.id);
          const first = {};
          for (let seed = 0; seed < 3000; seed += 1) {
            const card = shuffled([..."abcdef"], `s/${seed}`)[0];
            first[card] = (first[card] ?? 0) + 1;
          }
          return [deck, shuffled([..."abcdef"], "x"), shuffled([..."abcdef"], "x"), first];
        }"""
    )
    deck, once, again, first = found
    assert deck == ["a", "b", "b"]
    assert once == again
    assert sorted(once) == list("abcdef")
    assert all(400 < first[letter] < 600 for letter in "abcdef")  # 500 each, 5 standard deviations


def test_pictures_that_come_in_a_row_are_put_in_some_at_a_time(bare: Page) -> None:
    """The first one waits for nothing, nor does the last one on the screen; what is to be done when all are
    there comes after it."""
    said = bare.evaluate(
        """async () => {
          const begun = performance.now();
          performance.now = () => begun; // no time goes by
          const pictures = await import(new URL("pictures.js", document.baseURI).href);
          const said = [];
          const comes = [];
          const turn = () => new Promise((done) => setTimeout(done));
          for (let number = 0; number < 4; number += 1) {
            const picture = new Promise((done) => comes.push(() => done(() => said.push(number))));
            pictures.queue({isSeen: number !== 3}, () => picture);
          }
          await turn();
          pictures.whenThere(() => said.push("all"));
          comes[0]();
          await turn();
          said.push("|");
          comes[1]();
          await turn();
          said.push("|");
          comes[2]();
          await turn();
          said.push("|");
          comes[3]();
          await turn();
          return said;
        }"""
    )
    assert said == [0, "|", "|", 1, 2, "all", "|", 3]


def test_a_large_game_s_first_cards_wait_for_no_others(bare: Page) -> None:
    """The first cards have their tiles at once, the others a little later; a game of few cards has all."""
    counts = bare.evaluate(
        """async (counts) => {
          const load = async (name) => import(new URL(name, document.baseURI).href);
          const [{ store }] = [await load("store.js"), await load("grid.js")];
          const card = (number) => ({
            component: "cards", id: `card-${number}`, copies: 1, number, file: "data/x/cards.yaml",
            fields: {title: `Card ${number}`}, face: {key: "", look: "none"}, back: null, trim: [63, 88],
          });
          const said = [];
          for (const count of counts) {
            const cards = Array.from({length: count}, (_, number) => card(number));
            const components = [{id: "cards", title: "Cards", trim: [63, 88], bleed: 3}];
            const places = new Map(cards.map((each) => [`cards/${each.id}`, each]));
            store.set({cards: places, matching: cards, components});
            const grid = document.createElement("cg-grid");
            document.body.append(grid);
            const tiles = () => grid.querySelectorAll(".tile").length;
            said.push(tiles());
            const until = performance.now() + 20000;
            const wait = () => new Promise((done) => setTimeout(done, 20));
            while (tiles() < count && performance.now() < until) await wait();
            said.push(tiles());
            grid.remove();
          }
          return said;
        }""",
        [60, 200],
    )
    assert counts == [60, 60, 60, 200]
