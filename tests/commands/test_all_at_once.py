"""What is wrong in one place hides nothing that is wrong in another: `cardgen check` says all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.art.cards import CardSide, SideRenderer
from cardgen.core.artwork import Rendering
from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.pdf import legibility
from tests.book.conftest import add_book
from tests.commands.test_keep_going import listed, pages
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

GAME = "data/demo/game.yaml"
CARDS = "data/demo/cards.yaml"
FACE = "templates/demo/card.svg"
PALE = "#f4f0e8"
TINY = '<text x="20" y="20" font-family="IBM Plex Sans" font-size="1" fill="#000">tiny</text>'


def found(run: Run) -> dict[str, dict[str, Any]]:
    """The findings of `check demo` by code, of which each stands once."""
    code, out, err = run("check", "demo", "--format", "json")
    assert (code, err) == (1, "")
    findings = json.loads(out)["findings"]
    assert len({finding["code"] for finding in findings}) == len(findings), findings
    return {finding["code"]: finding for finding in findings}


def test_a_slip_in_one_card_hides_nothing_in_others(run: Run, edit: Edit) -> None:
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :leef: :coim:")
    edit(FACE, "{{ 6.5|pt }}", "{{ 5|pt }}")
    edit(FACE, 'fill="{{ theme.ink }}">{{ card.title }}', f'fill="{PALE}">{{{{ card.title }}}}')
    code, out, err = run("check", "demo")
    assert (code, err) == (1, "")
    lines = [line for line in out.splitlines() if line.endswith("]")]
    assert out.splitlines()[-2:] == ["", "5 errors, 1 note in 3 files"]
    assert [line.rpartition(" ")[2] for line in lines] == [
        "[schema/enum]",
        "[icon/unknown]",
        "[icon/unknown]",
        "[text/contrast]",
        "[text/size]",
        "[check/left-out]",
    ]
    assert lines[-1].startswith(f"{GAME}: note: skipped because of the errors above: ")
    assert "the card 'night-owl', 5 of 6 rules [" in lines[-1], "that of colors reads no card"


def test_a_drawing_in_error_is_no_ground_to_judge_by(run: Run, edit: Edit) -> None:
    edit(FACE, "fill=\"{{ '#ffffff' if low_ink else hue }}\"", 'fill="url(#gone)"')
    edit(FACE, '<path d="M{{ trim.x + 7 }} 55.5h', '<path d="M{{ trim.x + 7 }} 55.5 oops h')
    said = found(run)
    assert "text/contrast" not in said
    assert "drawings with errors" in said["check/left-out"]["message"]


def test_a_component_in_error_hides_nothing_in_the_game(run: Run, demo: Path, edit: Edit) -> None:
    second = "  more:\n    title: More\n    kind: crad\n    trim: poker\n    data: cards.yaml\n"
    edit(GAME, "\nsheets:", f"{second}\ndecks: {{component: more}}\n\nsheets:")
    edit(GAME, "components: [cards]", "components: [cards, more]")
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :leef:")
    code, out, _ = run("check", "demo", "--format", "json")
    said = [(finding["code"], finding["path"]) for finding in json.loads(out)["findings"]]
    assert code == 1
    assert ("schema/enum", "components.more.kind") in said
    assert ("schema/required", "components.more") in said
    assert ("icon/unknown", "cards[2]") in said
    assert {code for code, _ in said} == {
        "schema/enum",
        "schema/required",
        "icon/unknown",
        "check/left-out",
    }


def test_a_template_in_error_hides_nothing_on_the_other_side(run: Run, edit: Edit) -> None:
    edit(FACE, "{{ card.value }}", "{{ card.valeu }}")
    edit("templates/demo/back.svg", "</svg>", f"{TINY}</svg>")
    said = found(run)
    assert set(said) == {"template/undefined", "text/size", "check/left-out"}
    assert "the sheet 'poker'" in said["check/left-out"]["message"]


def test_what_is_asked_of_a_whole_game_is_not_asked_of_a_part(run: Run, edit: Edit) -> None:
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    code, out, _ = run("check", "demo", "--rule", "none", "--deck", "none.yaml")
    assert code == 1
    assert "[schema/enum]" in out
    assert "[check/left-out]" not in out


def test_a_picture_and_an_icon_stand_where_they_are_named(run: Run, edit: Edit) -> None:
    image = '<image href="art/{{ card.title }}.png" width="9" height="9"/>'
    icon = "{{ icon('Gardener', 1, 1, 9) }}"
    edit(FACE, "</svg>", f"{{% if card.id == 'gardener' %}}\n{image}\n{icon}{{% endif %}}</svg>")
    said = found(run)
    places = {code: (each["file"], each["line"], each["path"]) for code, each in said.items()}
    assert places["image/missing"] == (CARDS, 22, "cards[2].title")
    assert places["icon/unknown"] == (FACE, 18, None)


# ---------------------------------------------------------------- what can't be judged at all


def test_without_fonts_nothing_is_laid_out_but_rules_are_judged(run: Run, demo: Path) -> None:
    (demo / "fonts").mkdir()
    (demo / "fonts/fonts.yaml").write_text("families: 3\n", encoding="utf-8")
    said = found(run)
    assert set(said) == {"schema/type", "check/left-out"}
    assert said["schema/type"]["file"] == "fonts/fonts.yaml"
    assert "all that is printed" in said["check/left-out"]["message"]


def test_a_book_tells_of_the_whole_game_and_is_left_out_with_a_part(
    run: Run, demo: Path, edit: Edit
) -> None:
    add_book(demo, "# T\n\n:no-such:\n")
    assert set(found(run)) == {"book/icon"}
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    said = found(run)
    assert set(said) == {"schema/enum", "check/left-out"}
    assert "rulebooks" in said["check/left-out"]["message"]


def test_a_book_on_a_sheet_for_cards_is_said_by_check(run: Run, demo: Path, edit: Edit) -> None:
    add_book(demo, "# T\n")
    edit(GAME, "  rules: {layout: single,", "  rules: {layout: poker,")
    assert set(found(run)) == {"sheet/book"}


def test_cards_whose_templates_use_no_table_are_judged_beside_one_in_error(
    run: Run, demo: Path, edit: Edit
) -> None:
    edit(GAME, "\nsheets:", "\ntables: [costs.yaml]\n\nsheets:")
    (demo / "data/demo/costs.yaml").write_text("moves: [1, 2\n", encoding="utf-8")
    edit(FACE, "{{ card.value }}", "{{ card.valeu }}")
    said = found(run)
    assert set(said) == {"yaml/syntax", "template/undefined", "check/left-out"}
    assert "cards whose templates use tables" in said["check/left-out"]["message"]


def test_a_picture_that_cannot_be_drawn_leaves_out_the_contrast_on_its_own_side(
    run: Run, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(FACE, 'fill="{{ theme.ink }}">{{ card.title }}', f'fill="{PALE}">{{{{ card.title }}}}')
    whole = legibility.contrasts

    def contrasts(rendering: Rendering, *rest: Any) -> Any:
        for artwork in rendering.artworks.values():
            runs = [run for text in artwork.texts() for run in text.runs]
            if any("Gardener" in getattr(run, "text", "") for run in runs):
                raise CardgenError(
                    Finding(Severity.ERROR, "art/failed", "the picture can't be drawn", None)
                )
        return whole(rendering, *rest)

    monkeypatch.setattr("cardgen.commands.check.looks.contrasts", contrasts)
    code, out, _ = run("check", "demo", "--format", "json")
    said = {each["code"]: each for each in json.loads(out)["findings"]}
    assert code == 1
    assert set(said) == {"art/failed", "text/contrast", "check/left-out"}
    assert "contrast" in said["check/left-out"]["message"]
    assert "and 4 more" in said["text/contrast"]["message"], "the titles of five of six cards"


def test_a_picture_that_cannot_be_drawn_stops_what_writes(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw_sides(*_: Any) -> Any:
        raise CardgenError(Finding(Severity.ERROR, "art/failed", "the picture can't be drawn", None))

    monkeypatch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
    monkeypatch.setattr("cardgen.commands.production.sides.draw_sides", draw_sides)
    for words in (("build", "demo"), ("export", "demo", "--to", "png")):
        code, _, err = run(*words)
        assert code == 1
        assert "the picture can't be drawn" in err
    assert not (demo / "output/demo").exists() or not list((demo / "output/demo").rglob("*.p*"))


RULES = """
define: {low: value < 9}
rules:
  - {id: many, question: Are there enough?, kind: count, component: more, counting: cards, min: 9}
  - {id: bees, question: Is it one?, kind: each, component: [more], holds: title == 'Bee'}
  - {id: whole, question: Is it right?, kind: count, component: cards, equals: 3}
  - {id: both, question: Is it right?, kind: count, component: [cards, more], equals: 3}
  - {id: all, question: Is it right?, kind: count, equals: 3}
  - {id: any, question: Is it right?, kind: count, component: m*, equals: 3}
  - {id: far, question: Is it right?, kind: each, component: more, holds: "value > cards('cards')|count"}
  - {id: defined, question: Is it right?, kind: each, component: more, holds: not low}
  - id: of
    question: Is it right?
    kind: references
    component: more
    names: title
    to: {component: cards, values: title}
"""


def test_rules_about_what_is_whole_are_judged(run: Run, demo: Path, edit: Edit) -> None:
    second = "  more:\n    title: More\n    kind: card\n    trim: poker\n    data: more.yaml\n"
    second += "    schema: more.schema.json\n    face: card.svg\n    back: back.svg\n"
    edit(GAME, "\nsheets:", f"{second}\nsheets:")
    edit(GAME, "components: [cards]", "components: [cards, more]")
    (demo / "data/demo/rules.yaml").write_text(RULES, encoding="utf-8")
    schema = (demo / "schemas/demo/cards.schema.json").read_text(encoding="utf-8")
    (demo / "schemas/demo/more.schema.json").write_text(
        schema.replace('"cards"', '"more"'), encoding="utf-8"
    )
    cards = "more:\n  - {id: ant, title: Ant, suit: sun, value: 1, text: An ant.}\n"
    (demo / "data/demo/more.yaml").write_text(cards, encoding="utf-8")
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    said = found(run)
    assert set(said) == {"schema/enum", "rule/many", "rule/bees", "check/left-out"}
    assert "the card 'night-owl', 7 of 9 rules" in said["check/left-out"]["message"]


@pytest.mark.parametrize(("minds", "times"), [(True, 24), (False, 12)])
def test_sides_are_rendered_twice_only_where_ink_matters(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch, minds: bool, times: int
) -> None:
    for file in (demo / "templates/demo").glob("*.svg") if not minds else ():
        file.write_text(file.read_text(encoding="utf-8").replace("low_ink", "false"), encoding="utf-8")
    rendered: list[str] = []
    whole = SideRenderer.sides

    def sides(*args: Any) -> Iterator[CardSide]:
        for side in whole(*args):
            rendered.append(side.card.id)
            yield side

    monkeypatch.setattr(SideRenderer, "sides", sides)
    assert run("check", "demo")[0] == 0
    assert len(rendered) == times


def test_what_lies_on_a_text_is_said(run: Run, edit: Edit, wording: Wording) -> None:
    edit(FACE, "</svg>", '<rect x="10" y="45" width="50" height="40" fill="#ffffff"/></svg>')
    edit(FACE, "{{ trim.x + 17 }}", "{{ trim.x + 11 }}")
    edit(FACE, 'r="4.6" fill="{{ hue }}"', 'r="4.6" fill="none"')
    edit(FACE, 'fill="#ffffff">{{ card.value }}', 'fill="#000000">{{ card.value }}')
    code, out, _ = run("check", "demo", "--format", "json")
    findings = json.loads(out)["findings"]
    assert code == 0
    assert [(each["code"], each["severity"], each["line"]) for each in findings] == [
        ("text/overlap", "warning", 12),
        ("text/covered", "warning", 14),
    ]
    assert (
        "'1' runs into 'Early' of line 13 in templates/demo/card.svg (card 'early-bird' and "
        in findings[0]["message"]
    )
    wording(findings[1]["message"])


def test_a_title_that_runs_off_its_card_stands_there(run: Run, edit: Edit) -> None:
    """One that the template says itself stands at the template."""
    edit(CARDS, "title: Night Owl", "title: The Director of the Natural History of Owls")
    said = found(run)
    assert said["text/outside"]["file"] == CARDS
    assert "card 'night-owl'" in said["text/outside"]["message"]
    edit(CARDS, "title: The Director of the Natural History of Owls", "title: Night Owl")
    edit(FACE, "{{ card.title }}", "The Director of the Natural History of Owls")
    said = found(run)
    assert said["text/outside"]["file"] == FACE


# ---------------------------------------------------------------- unknown columns of a table

HEAD = "id,title,suit,value,text,copies,colour\n"
BIRD = "early-bird,Early Bird,sun,1,Draw :leef:,2,red\n"
ROWS = BIRD + "\n".join(
    [
        "night-owl,Night Owl,moo,1,x,2,blue",
        "gardener,Gardener,sun,many,x,1,red",
        "gardener,Gardener 2,moon,2,x,1,",
        "fine,Fine,moon,2,x,a,red\n",
    ]
)
SLIP = HEAD.replace("title", "titel")


def of_table(run: Run, demo: Path, edit: Edit, text: str) -> list[tuple[str, str | None]]:
    """The code and place of each error, with the cards in a table."""
    edit(GAME, "data: cards.yaml", "data: cards.csv")
    edit(GAME, "rules: rules.yaml", "")
    (demo / "data/demo/cards.csv").write_text(text, encoding="utf-8")
    code, out, _ = run("check", "demo", "--format", "json")
    assert code == 1
    said = [each for each in json.loads(out)["findings"] if each["severity"] == "error"]
    return [(each["code"], f"{each['line']}:{each['column']}") for each in said]


@pytest.mark.parametrize(
    ("head", "unknown"), [(HEAD, ["1:33"]), (SLIP, ["1:4", "1:33"])], ids=["unknown", "misspelled"]
)
def test_an_unknown_column_is_said_once_and_hides_nothing(
    run: Run, demo: Path, edit: Edit, head: str, unknown: list[str]
) -> None:
    assert of_table(run, demo, edit, head + ROWS) == [
        *(("schema/unknown-key", place) for place in unknown),
        ("icon/unknown", "2:29"),
        ("schema/enum", "3:21"),
        ("schema/type", "4:23"),
        ("data/duplicate-id", "5:1"),
        ("schema/type", "6:20"),
    ]


def test_what_is_printed_beside_an_unknown_column_is_incomplete(run: Run, demo: Path, edit: Edit) -> None:
    of_table(run, demo, edit, SLIP + BIRD.replace("leef", "leaf"))
    assert run("build", "demo")[0] == 1
    assert not (demo / "output/demo").exists()
    assert run("build", "demo", "--keep-going")[0] == 1
    assert set(listed(demo)) == {"poker.incomplete.pdf"}
    assert "Early Bird" in pages(demo, "poker.incomplete.pdf")[0]


def test_an_unknown_column_makes_no_translation_unknown(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "language: en\n", "language: en\nlanguages: {de: {}}\n")
    edit(GAME, "data: cards.yaml", "data: cards.csv")
    table = demo / "data/demo/cards.csv"
    good = HEAD.replace(",colour", "") + "early-bird,Early Bird,sun,1,Draw,2\n"
    table.write_text(good, encoding="utf-8")
    assert run("translate", "demo")[0] == 0
    (words,) = (demo / "data/demo").rglob("*.po")
    text = re.sub(r'(msgid "(.+)"\nmsgstr) ""', r'\1 "\2"', words.read_text(encoding="utf-8"))
    assert '"Early Bird"\nmsgstr "Early Bird"' in text
    words.write_text(text, encoding="utf-8")
    table.write_text(HEAD + "early-bird,Early Bird,sun,1,Draw,2,red\n", encoding="utf-8")
    _, out, _ = run("check", "demo", "--format", "json")
    codes = {each["code"] for each in json.loads(out)["findings"]}
    assert "schema/unknown-key" in codes
    assert not {code for code in codes if code.startswith("translation/")}


@pytest.mark.parametrize(("head", "column"), [("id,price,colour", 10), ("id,prize", 4)])
def test_an_unknown_column_of_a_further_table_hides_no_card(
    run: Run, demo: Path, edit: Edit, head: str, column: int
) -> None:
    edit(GAME, "\nsheets:", "\ntables: [costs.csv]\n\nsheets:")
    row = "a,1,red" if "colour" in head else "a,1"
    (demo / "data/demo/costs.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    field = '{"type": "integer"}'
    items = f'{{"properties": {{"id": {{}}, "price": {field}}}, "additionalProperties": false}}'
    schema = f'{{"properties": {{"costs": {{"type": "array", "items": {items}}}}}}}'
    (demo / "schemas/demo/costs.schema.json").write_text(schema, encoding="utf-8")
    used = head.split(",")[1]
    edit(FACE, "{{ card.title }}", f"{{{{ tables.costs.costs[0].{used} + card.valeu }}}}")
    said = found(run)
    assert set(said) == {"schema/unknown-key", "template/undefined", "check/left-out"}
    assert said["schema/unknown-key"]["column"] == column
    assert "'valeu'" in said["template/undefined"]["message"]


def test_a_card_in_error_hides_no_slip_that_only_the_schema_of_all_cards_finds(
    run: Run, demo: Path, edit: Edit
) -> None:
    """The game's own schema leaves ids and copies open."""
    edit("schemas/demo/cards.schema.json", '"allOf": [{ "$ref": "../card.schema.json" }],', "")
    edit("schemas/demo/cards.schema.json", '"title": { "desc', '"id": {}, "copies": {}, "title": { "desc')
    text = "id,title,suit,value,text,copies\nx,Early,moo,1,Draw,2\nY y,Late,sun,1,Draw,a\n"
    assert of_table(run, demo, edit, text) == [
        ("schema/enum", "2:9"),
        ("schema/pattern", "3:1"),
        ("schema/type", "3:21"),
    ]


def test_what_follows_from_a_misspelled_key_is_not_said_by_the_schema_of_all_cards(
    run: Run, edit: Edit
) -> None:
    edit(CARDS, "- id: gardener", "- idd: gardener")
    assert set(found(run)) == {"schema/unknown-key", "check/left-out"}
