"""Rules that a game can be judged by though some of its cards are left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardgen.rules.judging import judgeable
from tests.for_each import for_each
from tests.shipped import shipped

WHOLE = "office"


def rule(**keys: Any) -> dict[str, Any]:
    return {"id": "it", "question": "Are all cards( there?", "kind": "each", "component": WHOLE} | keys


@for_each(
    ("keys", "judged"),
    [
        ({"holds": "title == 'x'"}, True),
        ({"kind": "count", "counting": "cards", "min": 3}, True),
        ({"component": [WHOLE]}, True),
        ({"component": [WHOLE, "characters"]}, False),
        ({"component": "characters"}, False),
        ({"component": None}, False),
        ({"component": "*"}, False),
        ({"component": "none"}, False),
        ({"kind": "simulate"}, False),
        ({"kind": "colors", "component": None}, True),
        ({"kind": "signs", "component": None, "roles": {"a": {"colors": ["players.*.full"]}}}, True),
        ({"kind": "signs", "component": None, "roles": {"a": {"signs": ["tables.a.b.*.icon"]}}}, False),
        ({"table": "a.b"}, False),
        ({"holds": "lookup('characters', 'id', title)"}, False),
        ({"groups": ["a", {"is": "tables.a"}]}, False),
        ({"where": "strange and title"}, False),
    ],
)
def test_only_what_looks_at_whole_components_is_judged(keys: dict[str, Any], judged: bool) -> None:
    rules = {"define": {"strange": "cards('characters')"}, "rules": [rule(**keys)]}
    game = replace(shipped("blockminers"), incomplete=frozenset({"characters"}))
    assert WHOLE in {component.id for component in game.components}
    assert judgeable(game, rules) == ["it"] * judged
