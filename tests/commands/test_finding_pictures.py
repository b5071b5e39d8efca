"""A report's page shows the card that a finding stands at."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pikepdf
from PIL import Image

import cardgen
from cardgen.commands.check import report_parts as finding_pictures
from cardgen.commands.check.check import examine

RULE = "rules:\n  - {id: short, question: Short?, kind: each, component: cards, holds: value < 3}\n"


def page_of(demo: Path) -> str:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    return cardgen.make_report(game, "html").decode()


def ruled(demo: Path) -> int:
    (demo / "data/demo/rules.yaml").write_text(RULE, encoding="utf-8")
    (result,) = examine(cardgen.load("demo", project=cardgen.Project.open(demo))).results
    return len(result.findings)


def test_a_finding_has_its_card_beside_it(demo: Path) -> None:
    wrong = ruled(demo)
    page = page_of(demo)
    pictures = re.findall(r'<li><img alt="" src="data:image/png;base64,([^"]+)">', page)
    assert len(set(pictures)) == len(pictures) == wrong > 1
    with Image.open(io.BytesIO(base64.b64decode(pictures[0]))) as image:
        assert image.size == (150, 210)  # 63.5 × 88.9 mm at 60 dpi
    assert "img-src data:" in page
    assert page == page_of(demo)


def test_a_card_that_cannot_be_drawn_has_none(demo: Path) -> None:
    ruled(demo)
    for template in (demo / "templates/demo").glob("*.svg"):
        template.write_text("<svg", encoding="utf-8")
    assert "data:image/png" not in page_of(demo)


def test_findings_elsewhere_have_none(demo: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    places = (None, cardgen.Location("data/demo/game.yaml", 1, 1, "title"))
    findings = [cardgen.Finding(cardgen.Severity.ERROR, "rule/x", "so", place) for place in places]
    assert finding_pictures.finding_pictures(game, findings) == {}


def test_reports_show_some_cards_of_each_component(demo: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    found = finding_pictures.thumbnails(game)
    assert set(found) == {component.id for component in game.components if component.cards}
    for component in game.components:
        assert len(found[component.id]) == min(len(component.cards), finding_pictures.SAMPLE)
    page = cardgen.make_report(game, "html").decode()
    shown = re.search('<p class="thumbnails">(.*?)</p>', page)
    assert shown is not None
    (first,) = (base64.b64encode(png).decode() for png in found["cards"][:1])
    assert first in shown[1]


def test_a_pdf_report_shows_them_too(demo: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    with pikepdf.open(io.BytesIO(cardgen.make_report(game, "pdf"))) as document:
        things = [thing for thing in document.objects if isinstance(thing, pikepdf.Stream)]
        sizes = {(each.Width, each.Height) for each in things if each.get("/Subtype") == "/Image"}
    assert (150, 210) in sizes
