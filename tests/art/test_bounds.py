"""Drawings that come to too much are said at their lines, in templates, icons and pictures."""

from __future__ import annotations

import pytest

from cardgen.svg import tree as limits
from tests.for_each import for_each
from tests.svg.test_costs import BOX, doubling
from tests.wording import Wording

from .support import FONT, Workshop

LOOP = f'{BOX}\n<rect width="1" height="1"/>\n<g id="a"><use href="#a"/></g></svg>'
BOMB = f"{BOX}\n{doubling(30)}".replace("</defs>", "</defs>\n") + "</svg>"


@for_each(("source", "code", "line"), [(LOOP, "svg/cycle", 3), (BOMB, "svg/bounds", 3)])
@for_each("role", ["icon", "picture"])
def test_files_are_named_with_their_line(
    shop: Workshop, role: str, source: str, code: str, line: int
) -> None:
    if role == "icon":
        shop.write("demo/icons/odd.svg", f"<?xml version='1.0'?>\n{source}")
        result = shop.render('{{ icon("odd", 9, 9, 9) }}')
        file = "templates/demo/icons/odd.svg"
    else:
        shop.write("demo/art/odd.svg", f"<?xml version='1.0'?>\n{source}")
        result = shop.render('<image href="art/odd.svg" x="9" y="9" width="9" height="9"/>')
        file = "templates/demo/art/odd.svg"
    (finding,) = result.findings
    assert finding.location is not None
    assert (finding.code, finding.location.file, finding.location.line) == (code, file, line + 1)
    assert result.pictures == [] or role == "icon"


def test_a_side_stops_at_what_is_too_much_together(shop: Workshop, wording: Wording) -> None:
    uses = '<use href="#s" width="9" height="9"/>\n' * 300
    body = f'<symbol id="s">{"<rect/>" * 100}</symbol>\n{uses}'
    (finding,) = shop.render(body).findings
    assert finding.code == "svg/bounds"
    wording(finding)
    assert finding.location is not None
    assert finding.location.line is not None
    assert 100 < finding.location.line < 210


@pytest.mark.long
def test_a_drawing_in_a_file_counts_once_for_each_time_it_is_shown(shop: Workshop) -> None:
    shop.write("demo/art.svg", f"{BOX}{'<rect/>' * 40_000}</svg>")
    image = '<image href="art.svg" x="9" y="9" width="9" height="9"/>'
    assert shop.render(image * 12).codes == []
    assert shop.render(image * 13).codes == ["svg/bounds"]


def test_problems_are_cut_off(shop: Workshop) -> None:
    codes = shop.render("<odd/>\n" * 500).codes
    assert codes.count("svg/element") == limits.MOST_PROBLEMS + 1
    assert codes[-1] == "svg/more"


def test_texts_of_a_side_count_together(shop: Workshop) -> None:
    text = f'<text x="9" y="19" {FONT}>{"a " * 9}</text>'
    assert shop.render(text * 3000).codes == []
    codes = shop.render(f"<g>{'<rect/>'}{text * 6000}</g>").codes
    assert codes == ["svg/bounds"]


def test_servers_set_on_groups_of_texts_reach_the_shapes_in_them(shop: Workshop) -> None:
    gradient = '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>'
    text = f'<text x="9" y="19" fill="#000" {FONT}>a</text>'
    result = shop.render(f'{gradient}<g fill="url(#g)"><rect width="9" height="9"/>{text}</g>')
    assert result.codes == []
    assert "<linearGradient" in result.pictures[0].svg


def test_rules_that_refer_bring_what_they_refer_to(shop: Workshop) -> None:
    result = shop.render(
        "<style>.a { fill: url(#g) }</style>"
        '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>'
        '<rect class="a" width="9" height="9"/>'
    )
    assert result.codes == []
    assert "<linearGradient" in result.pictures[0].svg
