"""Texts of a group have one size on all cards of a component: the smallest that any of them needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardgen.art.cards import SideRenderer, render_cards
from cardgen.art.laying_out import LayingOut
from cardgen.art.sources import SourceStore
from cardgen.art.templates import Templates
from cardgen.art.text import NeedStore
from cardgen.core.findings import Findings
from cardgen.core.game import Game, Limits
from cardgen.files.cache import Cache
from cardgen.files.listing import ProjectFolders
from tests.art.support import FONT, HEAD, Result, Workshop, book
from tests.wording import Wording

WORDS = ("one", "one two", "one two six", "one two three")
"""Each wider than the one before: in 10.5 mm the first fits at 3 mm, the last at less than 2."""
OWN = (
    '{% if card.steps is defined %}cg:steps="{{ card.steps }}"{% endif %} '
    '{% if card.least is defined %}cg:min-size="{{ card.least }}"{% endif %} '
    'visibility="{{ card.visibility|default("visible") }}" font-family="IBM Plex Sans" '
    'font-size="{{ card.size|default(3) }}"'
)
BOX = '<defs><rect id="box" x="10" y="20" width="10.5" height="{{ card.high|default(9) }}"/></defs>'
LINE = (
    '<text x="9" y="20" cg:max-width="10.5" cg:fit="shrink" cg:group="{{ card.group|default(\'rules\') }}" '
    f"{OWN}>{{{{ card.words }}}}</text>"
)
WRAPPED = (
    f'{BOX}<text shape-inside="url(#box)" line-height="1" cg:fit="shrink" cg:group="rules" '
    f"{OWN}>{{{{ card.words }}}}</text>"
)


def cards(*words: str, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"c{number}", "words": each, **more} for number, each in enumerate(words)]


def sizes(result: Result) -> dict[str, list[float]]:
    """The sizes of the texts on each card, faces before backs."""
    assert not result.findings, [str(finding) for finding in result.findings]
    return sizes_in(result)


def sizes_in(result: Result) -> dict[str, list[float]]:
    made = result.rendering
    return {
        art.card: [
            round(text.size, 6)
            for key in (art.face, art.back)
            if key is not None
            for text in made.artworks[key].texts()
        ]
        for art in made.cards
    }


@pytest.fixture
def free(shop: Workshop) -> Workshop:
    """A workshop in which any size may be printed."""
    shop.limits = Limits(type_pt=0.1)
    return shop


@pytest.mark.parametrize("body", [LINE, WRAPPED])
def test_all_cards_have_the_size_that_one_needs(body: str, free: Workshop) -> None:
    alone = {words: sizes(free.render(body, cards(words)))["c0"][0] for words in WORDS}
    assert list(alone.values()) == sorted(alone.values(), reverse=True)
    assert alone["one"] == 3
    assert alone["one two three"] < alone["one two"]
    made = sizes(free.render(body, cards(*WORDS)))
    assert [found for (found,) in made.values()] == [alone["one two three"]] * 4


def test_steps_are_taken_that_all_fit_at(free: Workshop) -> None:
    for words, size in zip(WORDS, (3, 2.5, 2, 1.2)):
        made = sizes(free.render(LINE, cards("one", words, steps="3 2.5 2 1.2")))
        assert made == {"c0": [size], "c1": [size]}


def test_a_text_without_steps_takes_those_of_its_group(free: Workshop) -> None:
    """ "one two" fits at more than 2.5 mm by itself; what has steps can have no size between."""
    among = [*cards("one", steps="2.5 1.2"), {"id": "other", "words": "one two six"}]
    alone = sizes(free.render(LINE, among[1:]))["other"][0]
    assert 2 < alone < 2.5
    assert sizes(free.render(LINE, among)) == {"c0": [1.2], "other": [1.2]}


def test_lists_that_share_no_size_are_each_kept_to(free: Workshop) -> None:
    among = [
        {"id": "a", "words": "one", "size": 3, "steps": "2.4 1.3"},
        {"id": "b", "words": "one two six", "size": 2.9, "steps": "2.6 1.9"},
    ]
    assert sizes(free.render(LINE, among)) == {"a": [1.3], "b": [1.9]}


def test_no_text_goes_below_its_own_least_size(free: Workshop) -> None:
    among = [*cards("one", least=2.2), {"id": "long", "words": "one two three"}]
    made = sizes(free.render(LINE, among))
    assert made["long"][0] < 2
    assert made["c0"] == [2.2]


def test_a_text_that_cannot_fit_takes_the_group_no_lower_than_its_least_size(free: Workshop) -> None:
    result = free.render(LINE, cards("one", "far too much to fit", least=2.2))
    assert result.codes == ["text/overflow"]
    assert "even at 6.24 pt" in result.findings[0].message
    assert sizes_in(result) == {"c0": [2.2], "c1": [2.2]}


def test_a_text_that_fits_at_no_size_at_all_sets_none(free: Workshop) -> None:
    among = [*cards("one"), {"id": "none", "words": "one", "high": 0.001}]
    result = free.render(WRAPPED, among)
    assert result.codes == ["text/overflow"]
    assert sizes_in(result)["c0"] == [3]


def test_texts_that_are_empty_or_in_error_set_no_size(free: Workshop) -> None:
    among = [
        *cards("one two"),
        {"id": "empty", "words": "", "size": 1},
        {"id": "odd", "words": ":nope: one two three four five"},
        {"id": "hidden", "words": "one two three", "visibility": "hidden"},
    ]
    result = free.render(LINE, among)
    assert result.codes == ["icon/unknown"]
    assert sizes_in(result)["c0"] == sizes(free.render(LINE, cards("one two")))["c0"]


def test_groups_of_other_names_and_components_are_apart(free: Workshop) -> None:
    among = [*cards("one"), {"id": "long", "words": "one two three", "group": "names"}]
    made = sizes(free.render(LINE, among))
    assert made["c0"] == [3]
    assert made["long"][0] < 2
    free.write("demo/card.svg", f"{HEAD}{LINE}</svg>")
    game = free.game(cards(*WORDS))
    [component] = game.components
    first, *others = component.cards
    other = tuple(replace(card, component="other") for card in others)
    two = replace(
        game,
        components=(
            replace(component, cards=(first,)),
            replace(component, id="other", cards=other),
        ),
    )
    findings = Findings()
    rendering = render_cards(two, two.cards(), ProjectFolders((free.root,)), book(), findings=findings)
    found = sizes(Result(rendering, findings.sorted()))
    assert found["c0"] == [3]
    assert found["c1"] == found["c3"] != [3]


def test_faces_and_backs_share_a_group(free: Workshop) -> None:
    free.write("demo/back.svg", f"{HEAD}{LINE.replace('card.words', 'card.turned')}</svg>")
    among = cards("one", "one two", turned="one")
    among[0]["turned"] = "one two three"
    made = sizes(free.render(LINE, among, back="demo/back.svg"))
    assert len({size for each in made.values() for size in each}) == 1
    assert made["c1"][0] < 2


def test_a_size_is_that_on_the_card(free: Workshop) -> None:
    """Turned text is as large as upright text; that of a group drawn half as large is, too."""
    turned = f'<g transform="rotate(33 30 40)">{LINE}</g>'
    small = f'<g transform="translate(20 20) scale(0.5)">{LINE}</g>'
    body = f"{{% if card.size is defined %}}{small}{{% else %}}{turned}{{% endif %}}"
    made = sizes(free.render(body, [*cards("one two"), {"id": "small", "words": "one", "size": 6}]))
    assert made["small"] == [pytest.approx(2 * made["c0"][0], abs=1e-6)]
    assert made["c0"][0] < 3


def test_all_of_a_text_gets_smaller_with_its_group(free: Workshop) -> None:
    """Spans of other sizes keep their share, lines set apart and pieces pushed on shrink as well."""
    body = (
        '<text x="9" y="20" cg:valign="middle" cg:max-width="10.5" cg:fit="shrink" cg:group="a" '
        f'{FONT}>{{{{ card.words }}}}</text><text x="9" y="30" cg:max-width="30" cg:fit="shrink" '
        f'cg:valign="middle" cg:group="a" {FONT}><tspan font-size="6">Big</tspan> small'
        '<tspan x="9" y="40" dx="1" font-size="1.5">tiny<tspan dx="2">er</tspan></tspan></text>'
    )
    short, long = (free.render(body, cards(words)) for words in ("one", "one two three"))
    factor = sizes(long)["c0"][0] / 3
    assert factor < 0.7
    runs, fewer = ([run for text in each.texts[1:] for run in text.runs] for each in (short, long))
    for run, other in zip(runs, fewer, strict=True):
        assert other.size == pytest.approx(run.size * factor)
    assert {round(run.size, 6) for run in runs} == {6, 3, 1.5}
    above = 30 - runs[0].y
    assert 30 - fewer[0].y == pytest.approx(above * factor)


def test_the_size_is_that_of_all_cards_whichever_are_rendered(free: Workshop) -> None:
    free.write("demo/card.svg", f"{HEAD}{LINE}</svg>")
    game = free.game(cards(*WORDS, "{{ broken"))
    paths = ProjectFolders((free.root,))
    whole = render_cards(game, game.cards(), paths, book(), findings=Findings())
    one = render_cards(game, [next(game.cards())], paths, book(), findings=Findings())
    assert list(one.artworks) == list(whole.artworks)[:1]
    [text] = next(iter(one.artworks.values())).texts()
    assert text.size < 2


def test_a_template_that_fails_for_one_card_leaves_the_size_to_the_others(free: Workshop) -> None:
    body = LINE + "{% if card.bad is defined %}{{ card.nothing }}{% endif %}"
    among = [*cards("one two"), {"id": "bad", "words": "one two three", "bad": 1}]
    result = free.render(body, among)
    assert result.codes == ["template/undefined"]
    assert sizes_in(result)["c0"] == sizes(free.render(LINE, cards("one two")))["c0"]


@pytest.mark.parametrize(
    "attributes",
    [
        'cg:group="a"',
        'cg:group="a" cg:fit="none"',
        'cg:group=" " cg:fit="shrink"',
        f'cg:group="{"a" * 65}" cg:fit="shrink"',
    ],
)
def test_wrong_groups_are_reported(attributes: str, free: Workshop, wording: Wording) -> None:
    for shape in ('x="9" y="20" cg:max-width="9"', 'x="9" y="20" inline-size="9"'):
        (finding,) = free.render(f"<rect/>\n<text {shape} {attributes} {FONT}>a</text>").findings
        assert finding.code == "text/fit"
        wording(finding)
        assert finding.hint is not None
        assert finding.location is not None
        assert (finding.location.file, finding.location.line) == ("templates/demo/card.svg", 3)


def test_a_group_below_the_least_type_is_said_once_at_the_template(
    shop: Workshop, wording: Wording
) -> None:
    (finding,) = shop.render(LINE, cards(*WORDS)).findings
    assert finding.code == "text/size"
    assert "its group 'rules'" in finding.message
    assert finding.hint is not None
    wording(finding)
    assert finding.location is not None
    assert finding.location.file == "templates/demo/card.svg"


# ---- what sides are made from, and what is kept


def made_from(shop: Workshop, game: Game) -> list[str]:
    return [side.made_from for side in SideRenderer(game, game.paths, book()).sides(game.cards())]


def test_what_a_side_is_made_from_changes_with_its_groups_size_alone(free: Workshop) -> None:
    free.write("demo/card.svg", f"{HEAD}{LINE}</svg>")
    first, second, apart = made_from(free, free.game([*cards("one", "one two"), NAMES]))
    longer, _, same = made_from(free, free.game([*cards("one", "one two six"), NAMES]))
    shorter, *_ = made_from(free, free.game([*cards("one", "two two"), NAMES]))
    assert first != longer
    assert apart == same
    assert len({first, second, longer, shorter}) >= 3


NAMES = {"id": "apart", "words": "one two three", "group": "names"}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were measured."""
    done: list[str] = []
    whole = LayingOut.needs

    def needs(self: LayingOut, source: Any) -> Any:
        done.append(source.svg)
        return whole(self, source)

    monkeypatch.setattr(LayingOut, "needs", needs)
    return done


@pytest.fixture
def drawn(free: Workshop, tmp_path: Path) -> Callable[..., dict[str, list[float]]]:
    """Renders with a cache of needs; gives the sizes."""

    def run(among: list[dict[str, Any]], made_with: str | None = "a", **changes: Any) -> Mapping[str, Any]:
        game = replace(free.game(among), **changes)
        store = NeedStore(Cache("groups", str(tmp_path), made_with))
        findings = Findings()
        rendering = render_cards(
            game, game.cards(), ProjectFolders((free.root,)), book(), findings=findings, needs=store
        )
        return sizes(Result(rendering, findings.sorted()))

    free.write("demo/card.svg", f"{HEAD}{LINE}</svg>")
    return run  # type: ignore[return-value]


def test_a_side_is_measured_once(drawn: Any, measured: list[str]) -> None:
    first = drawn(cards(*WORDS))
    assert len(measured) == 4
    assert drawn(cards(*WORDS)) == first
    assert len(measured) == 4
    changed = drawn(cards(*WORDS[:3], "one two ten"))
    assert len(measured) == 5
    assert changed["c0"][0] > first["c0"][0]
    assert drawn(cards(*WORDS)) == first  # those of another variant stay for a while
    assert len(measured) == 5


def test_nothing_is_kept_for_other_files_or_another_language(drawn: Any, measured: list[str]) -> None:
    drawn(cards(*WORDS))
    drawn(cards(*WORDS), "b")
    assert len(measured) == 8
    drawn(cards(*WORDS), "b", language="de")
    assert len(measured) == 12
    drawn(cards(*WORDS), None)
    drawn(cards(*WORDS), None)
    assert len(measured) == 20


def test_no_template_without_a_group_is_measured(drawn: Any, measured: list[str], free: Workshop) -> None:
    free.write("demo/card.svg", f"{HEAD}{LINE.replace('cg:group=', 'class=')}</svg>")
    made = drawn(cards(*WORDS))
    assert made["c0"] == [3]
    assert not measured


@pytest.mark.parametrize(("held", "most"), [(60_000_000, 5), (0, 8)])
def test_sides_are_rendered_once_as_far_as_they_can_be_held(
    held: int, most: int, free: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = sizes(free.render(LINE, cards(*WORDS)))
    rendered: list[str] = []
    whole = Templates._render

    def render(self: Templates, env: Any, name: str, variables: Any) -> Any:
        rendered.append(name)
        return whole(self, env, name, variables)

    monkeypatch.setattr(Templates, "_render", render)
    monkeypatch.setattr("cardgen.art.sources.MOST_SHARED", held)
    monkeypatch.setattr("cardgen.art.sources.MOST_RECENT", 0)
    sources = SourceStore(Cache("sources", str(tmp_path)))
    game, findings = free.game(cards(*WORDS)), Findings()
    made = render_cards(
        game, game.cards(), ProjectFolders((free.root,)), book(), findings=findings, sources=sources
    )
    assert sizes(Result(made, findings.sorted())) == expected
    assert len(rendered) == most
