"""Findings of a named object stand where they do for an expression: at the card, or at the file's line."""

from __future__ import annotations

from tests.art.support import HEAD, Workshop
from tests.for_each import for_each

TEXT = "style=\"font-family:'IBM Plex Sans';font-size:4px\""
LONG = "A title that is much too long for the card that it stands on"


@for_each("sample", ["Short", LONG])
def test_words_of_a_sample_are_not_the_templates_own(shop: Workshop, sample: str) -> None:
    shop.write("demo/card.svg", f'{HEAD}\n<text\n id="title" x="8" y="14" {TEXT}>{sample}</text>\n</svg>')
    (found,) = shop.render(cards=[{"title": LONG}]).findings
    assert found.code == "text/outside"
    assert str(found.location).startswith("data/demo/cards.yaml:10")
    assert "templates/demo/card.svg:2" in (found.hint or "")


def test_a_letter_that_the_card_brings_stands_at_the_card(shop: Workshop) -> None:
    shop.write("demo/card.svg", f'{HEAD}\n<text id="title" x="8" y="14" {TEXT}>\ue999</text>\n</svg>')
    (found,) = shop.render(cards=[{"title": "\ue999"}]).findings
    assert (found.code, str(found.location)[:23]) == ("text/glyph", "data/demo/cards.yaml:10")


def test_all_names_of_a_file_are_judged_at_once(shop: Workshop) -> None:
    texts = f'<text cg:field="titel" x="8" y="9" {TEXT}>x</text>\n  <g cg:if="cots"/>'
    shop.write("demo/card.svg", f"{HEAD}\n{texts}\n</svg>")
    found = shop.render(cards=[{"title": "x", "cost": 1}]).findings
    assert [str(each.location) for each in found] == [
        "templates/demo/card.svg:2:7",
        "templates/demo/card.svg:3:6",
    ]
    assert found[0].hint == "did you mean 'title'?"
    assert "did you mean 'cost'?" in (found[1].hint or "")


def test_what_an_expression_does_wrong_stands_at_its_line(shop: Workshop) -> None:
    shop.write("demo/card.svg", f'{HEAD}\n<g/>\n<g\n  cg:if="theme.inks.x > 3"/>\n</svg>')
    (found,) = shop.render(cards=[{"title": "x"}]).findings
    assert found.code.startswith("template/")
    assert str(found.location) == "templates/demo/card.svg:3"
    assert "did you mean 'ink'?" in found.message


def test_a_file_of_the_wrong_size_says_so_whatever_its_names_are(shop: Workshop) -> None:
    root = '<svg xmlns="http://www.w3.org/2000/svg" width="90mm" height="86mm" viewBox="0 0 90 86">'
    shop.write("demo/card.svg", f'{root}<text id="title" x="8" y="14" {TEXT}>x</text></svg>')
    (found,) = shop.render(cards=[{"title": "x"}]).findings
    assert (found.code, str(found.location)) == ("svg/size", "templates/demo/card.svg:1")


def test_what_is_wrong_in_a_drawing_of_the_art_folder_stands_at_its_file(shop: Workshop) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<foreignObject/>\n</svg>'
    shop.write("../art/owl.svg", drawing)
    image = '<image id="art" x="8" y="9" width="20" height="9" href="../../art/hen.svg"/>'
    shop.write("demo/card.svg", f"{HEAD}\n{image}\n</svg>")
    (found,) = shop.render(cards=[{"art": "owl"}]).findings
    assert (found.code, str(found.location)) == ("svg/foreignobject", "art/owl.svg:2")


def test_a_name_that_is_nearly_a_picture_of_the_art_folder(shop: Workshop) -> None:
    shop.write("../art/demo/owl.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    shop.write("demo/card.svg", f'{HEAD}\n<rect id="art" x="8" y="9" width="20" height="9"/>\n</svg>')
    (found,) = shop.render(cards=[{"art": "owk.svg"}]).findings
    assert found.code == "image/missing"
    hint = "did you mean 'owl.svg'? If not, put the file into one of: templates/demo/, "
    assert (found.hint or "").startswith(hint)
