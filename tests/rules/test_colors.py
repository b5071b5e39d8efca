"""Kind `colors`: what is measured, what is blamed, and that a changed theme is judged again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgen.files.cache import Cache
from cardgen.pdf.color_vision import SIGHTS, difference, lab
from cardgen.rules.judging import VerdictStore, check_rules
from cardgen.rules.results import RuleResult, Verdict
from tests.for_each import for_each
from tests.wording import Wording

from .decks import game_of, judge

HUES = {"red": "#d03030", "green": "#308030", "blue": "#3050c0"}


def seen(theme: dict[str, Any], store: VerdictStore | None = None, **parameters: Any) -> RuleResult:
    rule = {"id": "it", "question": "Is it seen?", "kind": "colors", **parameters}
    if store is None:
        return judge({"theme": theme, "rules": [rule]})[0]
    (result,) = check_rules(game_of({"theme": theme}), {"rules": [rule]}, "deck.yaml", kept=store)
    store.save()
    return result


def test_the_least_of_all_pairs_is_measured() -> None:
    result = seen({"hues": HUES}, colors=["hues.*"], report=True)
    found = {measure.name: measure.value for measure in result.measures}
    rgb = [[int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)] for color in HUES.values()]
    for sight in SIGHTS:
        looks = lab(np.array(rgb), sight)
        apart = [float(difference(looks[one], looks[other])) for one, other in ((0, 1), (0, 2), (1, 2))]
        assert found[sight] == pytest.approx(min(apart), abs=0.1)
    assert found["colors"] == 3
    assert [measure.text.partition(": ")[2] for measure in result.measures if measure.name == "tritan"] == [
        "hues.green and hues.blue"
    ]
    assert len(result.tables[0].rows) == 3
    assert result.verdict is Verdict.REPORT


def test_what_is_near_to_most_is_blamed() -> None:
    hues = {"a": "#ffffff", "bad": "#808080", "b": "#708070", "c": "#807070"}
    result = seen({"hues": hues}, colors=["hues.*"], sights={"normal": 15})
    places = [each.location.path for each in result.findings if each.location]
    assert places[:2] == ["theme/hues/bad", "theme/hues/bad"]
    assert result.off > 0


def test_a_finding_says_how_much_is_missing_by_whom() -> None:
    (finding,) = seen({"hues": HUES}, colors=["hues.red", "hues.green"], min=30, grey=1).findings
    assert "hues.red #d03030 and hues.green #308030 are " in finding.message
    assert finding.message.endswith("apart (ΔE2000) by deutan sight; the minimum is 30")
    assert finding.hint is not None
    assert "by protan sight; the minimum is 30" in finding.hint


def test_one_color_named_twice_is_one() -> None:
    assert seen({"hues": HUES}, colors=["hues.*", "hues.red"], min=5).verdict is Verdict.PASS


@for_each(
    ("theme", "parameters"),
    [
        ({"hues": HUES}, {"colors": ["hues.*"]}),
        ({"hues": HUES}, {"colors": ["hues.*"], "grey": 3, "report": True}),
        ({"hues": HUES}, {"colors": ["hue.*"], "min": 1}),
        ({"hues": HUES}, {"colors": ["hues"], "min": 1}),
        ({"hues": ["#fff"] * 61}, {"colors": ["hues.*"], "min": 1}),
        ({"hues": HUES}, {"colors": ["hues.*", "#ffx"], "min": 1}),
    ],
)
def test_a_question_that_can_not_be_asked(theme: Any, parameters: Any, wording: Wording) -> None:
    result = seen(theme, **parameters)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0])


def test_a_changed_theme_is_judged_again(tmp_path: Path) -> None:
    def store() -> VerdictStore:
        return VerdictStore(Cache("verdicts", str(tmp_path)))

    near = {**HUES, "green": "#d03038"}
    verdicts = [
        seen({"hues": hues}, store(), colors=["hues.*"], min=5).verdict for hues in (HUES, HUES, near, HUES)
    ]
    assert verdicts == [Verdict.PASS, Verdict.PASS, Verdict.FAIL, Verdict.PASS]
    # What was kept of the one that failed stands where it stood.
    (finding,) = seen({"hues": near}, store(), colors=["hues.*"], min=5).findings
    assert finding.location is not None
    assert finding.location.path == "theme/hues/green"


def test_expressions_read_the_theme_and_are_judged_again_when_it_changes(tmp_path: Path) -> None:
    rule = {
        "id": "it",
        "question": "?",
        "kind": "each",
        "holds": "shape == theme.players[number - 1].shape",
    }
    said = []
    for shape in ("star", "moon", "moon"):
        store = VerdictStore(Cache("verdicts", str(tmp_path)))
        cards = {"cards": [{"id": "a", "shape": "star"}]}
        game = game_of({"components": cards, "theme": {"players": [{"shape": shape}]}})
        said += [each.verdict for each in check_rules(game, {"rules": [rule]}, "deck.yaml", kept=store)]
        store.save()
    assert said == [Verdict.PASS, Verdict.FAIL, Verdict.FAIL]
