"""Which names mean fields, which files have any, and that no other file is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.art.named import naming_of, translated
from cardgen.art.named_labels import Drawing, Fields, expression
from tests.art.support import BUNDLED, Workshop
from tests.for_each import for_each
from tests.shipped import GAMES, shipped

FIELDS = ("id", "back", "title", "cost", "flavor_text", "box-art", "line_2", "reward")
TEXT = 'font-family="IBM Plex Sans" font-size="4"'


@for_each(
    ("name", "path"),
    [
        ("title", ("title",)),
        ("Title", ("title",)),
        (" title ", ("title",)),
        ("title_2", ("title",)),
        ("title-12", ("title",)),
        ("title copy", ("title",)),
        ("title_1_", ("title",)),
        ("title_00000123456789012345_", ("title",)),
        ("line_2", ("line_2",)),
        ("line_2_3", ("line_2",)),
        ("Flavor Text", ("flavor_text",)),
        ("flavor-text", ("flavor_text",)),
        ("flavor_x5F_text", ("flavor_text",)),
        ("flavor_x20_text", ("flavor_text",)),
        ("box_art", ("box-art",)),
        ("reward.die", ("reward", "die")),
        ("id", None),
        ("back", None),
        ("titles", None),
        ("title2", None),
        ("text123", None),
        ("", None),
        ("x" * 500, None),
    ],
)
def test_a_name_means_a_field(name: str, path: tuple[str, ...] | None) -> None:
    assert Fields(FIELDS).named(name) == path


@for_each(
    ("text", "source"),
    [
        ("cost", "card.get('cost')"),
        ("cost > 3", "(card.get('cost') is not none and card.get('cost') > 3)"),
        ("not cost", "not card.get('cost')"),
        ("reward.die == 6", "(card.get('reward') or {}).get('die') == 6"),
        ("box-art", "card.get('box-art')"),
        ("'cost' in title", "'cost' in card.get('title')"),
        ("cost is defined", "card.get('cost') is not none"),
        ("cost is not defined", "card.get('cost') is none"),
        ("cost|default(2)", "card.cost|default(2)"),
        ("cost is odd", "card.get('cost') is odd"),
        ("title.startswith('A')", "card.get('title').startswith('A')"),
        ("range(cost)", "range(card.get('cost'))"),
        ("number == 1", "number == 1"),
        ("card.cost", "card.get('cost')"),
        ("'cost > 3' in title", "'cost > 3' in card.get('title')"),
        ("cost is not undefined", "card.get('cost') is not none"),
    ],
)
def test_an_expression_names_fields_by_their_bare_names(text: str, source: str) -> None:
    read = expression(text, Fields(FIELDS))
    assert (read.source, read.unknown) == (source, ())


@for_each("text", ["", "{{ cost }}", "cost %} x", "c" * 5_000])
def test_an_expression_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        expression(text, Fields(FIELDS))


def test_files_that_are_included_are_filled_by_attributes_alone(shop: Workshop) -> None:
    shop.write(
        "demo/part.svg",
        f'<text id="title" y="9" {TEXT}>A</text><text cg:field="title" y="14" {TEXT}>B</text>',
    )
    result = shop.render("{% include './part.svg' %}", cards=[{"title": "Owl"}])
    assert result.words() == "A\nOwl"


def test_a_file_says_what_it_always_said_where_another_component_has_the_field(shop: Workshop) -> None:
    body = f'<text id="title" x="9" y="9" {TEXT}>Sample</text>'
    assert shop.render(body, cards=[{"cost": 1}]).words() == "Sample"
    assert shop.render(body, cards=[{"title": "Owl"}]).words() == "Owl"


@pytest.mark.long
@for_each("game", GAMES)
def test_the_shipped_games_have_no_named_objects(game: str) -> None:
    naming = naming_of(shipped(game))
    for path in sorted((BUNDLED / "templates" / game).rglob("*.svg")):
        name = path.relative_to(BUNDLED / "templates").as_posix()
        source = path.read_text("utf-8")
        assert naming.translation(source, name).source is source


PIECES = st.sampled_from(
    [
        *(
            "<g>",
            "</g>",
            '<text id="title">',
            "</text>",
            '<tspan x="3">',
            "</tspan>",
            "words",
            "\n",
            "<rect",
        ),
        *(
            ' id="cost"',
            ' cg:if="cost > 3"',
            ' cg:each="title"',
            '"',
            "'",
            "/>",
            ">",
            "{%",
            "%}",
            "{{",
            "}}",
        ),
        *("{#", "#}", "{% if x %}", "{% endif %}", "{cost}", "<!--", "-->", "<![CDATA[", "]]>", "<svg>"),
        *('<image id="box-art" href="a.png"', ' x="1" y="2" width="3" height="4"', ' style="fill:url(#p)"'),
        *('<pattern id="p">', "</pattern>", "<style>", "</style>", ".a{fill:red}", "é", "</", "&lt;"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_keeps_its_lines(text: str) -> None:
    made = translated(text, "a.svg", FIELDS, True)
    assert made.source.count("\n") == text.count("\n")
    lines = [problem.place[1] for problem in made.problems if problem.place is not None]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


@pytest.mark.long
@for_each(
    "piece",
    [
        "{%",
        "{{",
        "{#",
        "<",
        "<!--",
        "<a ",
        "<g>",
        "</g>",
        "<a b='",
        '<a b="{{',
        "<text>{",
        "{a.",
        "</a ",
        "<a b",
        "x3A",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    """What is never closed is not sought again and again: else these would take minutes."""
    source = '<svg id="title">' + piece * (100_000 // len(piece))
    drawing = Drawing(source)
    assert len(drawing.elements) <= 50_001
    assert translated(source, "a.svg", FIELDS, True).source.count("\n") == 0
