"""Every mistake that can be made in Access Denied's deck is caught by the rule meant for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .mutants import RULE, Mutant, Mutation, add, cases, dead_rules, drop, edit

pytestmark = pytest.mark.usefixtures("read_once")

GAME = "access-denied"


def both(id: str, card: str, changes: dict[str, str], code: str, at: str = "") -> Mutation:
    """Several texts of one card replaced, as by somebody who is thorough in being wrong."""

    def change(mutant: Mutant) -> None:
        for old, new in changes.items():
            mutant.edit(card, old, new)

    return Mutation(id, change, code, at or card)


SAMURAI_AGAIN = {
    "id: samurai": "id: ronin",
    "title: Samurai": "title: Ronin",
}

MUTATIONS = [
    # -- cards lost
    drop("usenet", "rule/deck-size"),
    drop("samurai", "rule/deck-list"),
    drop("revoke-login", "rule/code-counts"),
    drop("worm", "rule/code-ladder"),
    drop("line-spike", "rule/required-access"),
    drop("flame-war", "rule/requirements"),
    drop("spam", "rule/free-cards"),
    drop("major-release", "rule/root-only"),
    drop("war-dialer", "rule/upgrades"),
    drop("bbs", "rule/upgrade-codes"),
    drop("ice", "rule/upgrade-sectors"),
    drop("backup", "rule/any-time-cards"),
    drop("logic-bomb", "rule/sector-cards"),
    drop("bug", "rule/held-cards"),
    drop("multi-virus", "rule/viruses"),
    drop("warez", "rule/user-access-cards"),
    # -- cards gained or repeated
    add("add-a-card", "samurai", SAMURAI_AGAIN, "rule/deck-list", "ronin"),
    add("add-the-same-picture", "samurai", SAMURAI_AGAIN, "rule/emblems", "ronin"),
    add("add-the-same-title", "samurai", {"id: samurai": "id: ronin"}, "rule/titles", "ronin"),
    add("add-the-same-id", "samurai", {"title: Samurai": "title: Ronin"}, "data/duplicate-id", "samurai"),
    edit("print-twice", "guru", "code: A", "code: A\n    copies: 2", "rule/titles"),
    # -- titles
    edit("rename", "spam", "title: Spam", "title: Ham", "rule/deck-list"),
    edit("rename-to-another", "bug", "title: Bug", "title: Spam", "rule/titles"),
    edit("title-missing", "spam", "    title: Spam\n", "", "schema/required"),
    edit("straight-quote", "dads-office-computer", "title: Dad’s", "title: Dad's", "rule/typography"),
    edit("two-spaces", "samurai", "Remove 1", "Remove  1", "rule/typography"),
    # -- codes
    edit("recode", "samurai", "code: A", "code: B", "rule/deck-list"),
    edit("recode-a-held-card", "trojan", "code: D", "code: E", "rule/held-cards"),
    edit("recode-an-upgrade", "ice", "code: E", "code: D", "rule/upgrade-passwords"),
    edit("code-outside-the-six", "samurai", "code: A", "code: G", "schema/enum"),
    edit("code-in-small-type", "samurai", "code: A", "code: a", "schema/enum"),
    # -- requirements
    edit("wrong-sector", "red-tape", "sector: Government", "sector: Banking", "rule/requirements"),
    edit("sector-unknown", "red-tape", "sector: Government", "sector: Pentagon", "schema/enum"),
    edit("wrong-access", "red-tape", "access: any", "access: oper-or-root", "rule/requirements"),
    edit("access-unknown", "red-tape", "access: any", "access: admin", "schema/enum"),
    edit("root-lost", "fdic", "access: root", "access: oper-or-root", "rule/root-only"),
    edit("root-gained", "wiretap", "access: oper-or-root", "access: root", "rule/root-only"),
    both(
        "requirement-lost",
        "overdraft",
        {"symbols: [key]": "symbols: []", "    requires: {sector: Banking, access: any}\n": ""},
        "rule/free-cards",
    ),
    both(
        "requirement-gained",
        "spam",
        {"symbols: []": "symbols: [key]\n    requires: {sector: Banking, access: any}"},
        "rule/requirements",
    ),
    edit("requirement-misspelt", "overdraft", "requires:", "require:", "schema/unknown-key"),
    # -- upgrades
    edit("wrong-password-code", "ice", "password: E", "password: F", "rule/upgrade-passwords"),
    edit("password-lost", "over-clock", ", password: F", "", "rule/passwords-on-upgrades"),
    edit(
        "password-gained",
        "mocking-bird",
        "access: any",
        "access: any, password: C",
        "rule/passwords-on-upgrades",
    ),
    edit("upgrade-moved", "bbs", "sector: NewsMedia", "sector: TeleComm", "rule/requirements"),
    both(
        "upgrade-lost",
        "second-phone-line",
        {"[arrow, key]": "[key]", "play: upgrade": "play: action"},
        "rule/upgrades",
    ),
    both(
        "upgrade-gained",
        "loan-default",
        {"[key]": "[arrow, key]", "play: action": "play: upgrade"},
        "rule/upgrades",
    ),
    # -- symbols
    edit("scissors-lost", "backdoor", "[scissors]", "[]", "rule/symbols-agree"),
    edit("scissors-gained", "bank-run", "[key]", "[scissors, key]", "rule/symbols-agree"),
    edit("arrow-lost", "war-dialer", "[arrow, key]", "[key]", "rule/symbols-agree"),
    edit("arrow-gained", "guru", "[]", "[arrow]", "rule/symbols-agree"),
    edit("card-lost", "packet-sniffer", "[card]", "[]", "rule/symbols-agree"),
    edit("card-gained", "multi-virus", "[]", "[card]", "rule/symbols-agree"),
    edit("joker-lost", "worm", "[joker]", "[]", "rule/symbols-agree"),
    edit("joker-gained", "samurai", "[]", "[joker]", "rule/symbols-agree"),
    edit("key-lost", "sol", "[key]", "[]", "rule/symbols-agree"),
    edit("key-gained", "cancelbot", "[scissors]", "[scissors, key]", "rule/symbols-agree"),
    edit("symbol-exchanged", "retro-virus", "[card]", "[joker]", "rule/symbols-agree"),
    edit("symbol-unknown", "retro-virus", "[card]", "[skull]", "schema/enum"),
    edit("symbol-twice", "retro-virus", "[card]", "[card, card]", "schema/unique"),
    edit("played-otherwise", "firewall", "play: any-time", "play: action", "rule/symbols-agree"),
    both(
        "any-time-lost",
        "route-trace",
        {"[scissors]": "[]", "play: any-time": "play: action"},
        "rule/any-time-cards",
    ),
    both(
        "any-time-gained",
        "samurai",
        {"[]": "[scissors]", "play: action": "play: any-time"},
        "rule/any-time-cards",
    ),
    both(
        "beside-a-sector-lost",
        "logic-bomb",
        {"[card]": "[]", "play: sector": "play: action"},
        "rule/sector-cards",
    ),
    both(
        "beside-a-sector-gained",
        "multi-virus",
        {"[]": "[card]", "play: action": "play: sector"},
        "rule/sector-cards",
    ),
    both("held-lost", "bug", {"[joker]": "[]", "play: hold": "play: action"}, "rule/held-cards"),
    both("held-gained", "spam", {"[]": "[joker]", "play: action": "play: hold"}, "rule/held-cards"),
    edit("virus-lost", "retro-virus", "    virus: true\n", "", "rule/viruses"),
    edit("virus-denied", "multi-virus", "virus: true", "virus: false", "rule/viruses"),
    edit("virus-gained", "trojan", "play: hold", "play: hold\n    virus: true", "rule/viruses"),
    # -- access as a gift
    edit(
        "gift-of-another-sector",
        "warez",
        "sector: Micronopoly",
        "sector: Banking",
        "rule/user-access-cards",
    ),
    edit("gift-of-any-sector", "phreaking", "sector: TeleComm", "sector: any", "rule/user-access-cards"),
    edit("gift-of-more", "telecourse", "access: User", "access: Oper", "rule/user-access-cards"),
    edit("gift-of-less", "guru", "access: Oper", "access: User", "rule/user-access-cards"),
    edit(
        "gift-lost",
        "free-checking",
        "    grants: {sector: Banking, access: User}\n",
        "",
        "rule/gifts-unstoppable",
    ),
    edit("gift-stoppable", "warez", " No card can stop this.", "", "rule/gifts-unstoppable"),
    edit(
        "gift-misnamed", "public-library", "access to Government", "access to TeleComm", "rule/gifts-named"
    ),
    edit("gift-of-a-misnamed-level", "warez", "have User access", "have Root access", "rule/gifts-named"),
    # -- cards that name others
    edit("bold-name-unknown", "ice", "**Retro-Virus**", "**Retrovirus**", "rule/named-cards"),
    edit("mention-unknown", "burnout", "[over-clock]", "[overclock]", "rule/mentions"),
    edit("mention-of-another", "burnout", "[over-clock]", "[backup]", "rule/mentions-in-bold"),
    edit("mention-not-in-bold", "anti-virus", "**Multi-Virus**", "Multi-Virus", "rule/mentions-in-bold"),
    edit("bold-without-mention", "satan-virus", "    mentions: [samurai]\n", "", "rule/bold-in-mentions"),
    # -- pictures
    edit("picture-of-another", "worm", "emblem: worm", "emblem: bug", "rule/emblems"),
    edit("picture-unknown", "worm", "emblem: worm", "emblem: snake", "schema/enum"),
    # -- sectors
    drop("universities", "rule/sectors"),
    edit("sector-renamed", "telecomm", "title: TeleComm", "title: Telecom", "schema/enum"),
    edit("sector-renamed-to-another", "telecomm", "title: TeleComm", "title: Banking", "rule/sectors"),
    edit(
        "sector-gone-from-under-a-card",
        "telecomm",
        "title: TeleComm",
        "title: Banking",
        "rule/required-sectors",
        "sol",
    ),
    drop("phreaking", "rule/every-sector-entered", "telecomm"),
    # -- the rest of the box
    drop("teal-clover", "rule/markers"),
    edit("a-marker-short", "navy-moon", "copies: 6", "copies: 5", "rule/markers"),
    edit("a-marker-over", "sky-drop", "copies: 6", "copies: 7", "rule/markers"),
    edit("marker-of-another-color", "yellow-star", "color: F", "color: E", "rule/markers"),
    edit("marker-of-another-shape", "yellow-star", "shape: star", "shape: moon", "rule/marker-shapes"),
    edit("a-checklist-short", "checklist", "copies: 6", "copies: 5", "rule/checklists"),
    drop("turn", "rule/aids"),
    edit("an-aid-short", "turn", "copies: 6", "copies: 3", "rule/aids"),
    edit("a-step-renamed", "turn", "title: 3 Discard", "title: 3 Draw", "rule/turn-steps"),
    edit("another-hand-limit", "turn", "[Hand, '6']", "[Hand, '7']", "rule/limits"),
    edit("root-for-less", "turn", "[Root, '3']", "[Root, '2']", "rule/access-prices"),
    edit("uncontrolled-for-less", "turn", "[Oper, +3 cards]", "[Oper, +2 cards]", "rule/access-prices"),
    edit("no-bonuses", "two-players", "bonuses: true", "bonuses: false", "rule/bonuses"),
    Mutation(
        "a-seventh-player",
        lambda mutant: mutant.edit_file(
            "game.yaml", "players: {min: 2, max: 6}", "players: {min: 2, max: 7}"
        ),
        "rule/player-sets",
        RULE,
    ),
]


def test_the_game_as_it_is_passes(tmp_path: Path) -> None:
    findings, results = Mutant(GAME, tmp_path).judge()
    assert findings == []
    assert all(result.ok for result in results)


@pytest.mark.parametrize("mutation", cases(MUTATIONS))
def test_mutation(mutation: Mutation, tmp_path: Path) -> None:
    mutation.must_be_caught(Mutant(GAME, tmp_path))


def test_no_rule_is_dead() -> None:
    """A rule that nothing can break proves nothing: each is meant for a mutation above."""
    assert dead_rules(GAME, MUTATIONS) == set()


def test_most_mistakes_are_a_matter_of_rules() -> None:
    assert len({mutation.id for mutation in MUTATIONS}) == len(MUTATIONS)
    assert sum(mutation.code.startswith("rule/") for mutation in MUTATIONS) >= 40
