"""What `check` says about fields that nothing on the cards shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.check.check import CheckOptions, check_game
from tests.art.support import BUNDLED

DRAWING = (BUNDLED / "docs" / "named" / "inkscape.svg").read_text("utf-8")
DRAWING = DRAWING.replace("each: stars", "dot").replace("if: cost &gt; 3", "if: suit == 'sun'")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A game whose face is a drawing without code."""
    folder = cardgen.new_project("demo", tmp_path)
    (folder / "templates/demo/card.svg").write_text(DRAWING, "utf-8")
    return folder


def found(folder: Path) -> list[tuple[str, str]]:
    checked = check_game(CheckOptions("demo"), project=cardgen.Project.open(folder))
    assert not [each for each in checked.findings if each.severity == "error"]
    return [
        (each.message, str(each.location)) for each in checked.findings if each.code == "template/unread"
    ]


def described(folder: Path, field: str, **keywords: Any) -> None:
    path = folder / "schemas/demo/cards.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    schema["properties"]["cards"]["items"]["properties"][field] |= keywords
    path.write_text(json.dumps(schema), "utf-8")


def test_a_field_that_nothing_shows_is_noted(project: Path) -> None:
    message = "nothing on the cards 'cards' shows 'value'"
    assert found(project) == [(message, "templates/demo/card.svg:4:1")]


def test_a_field_that_is_not_for_print_is_not(project: Path) -> None:
    described(project, "value", printed=False)
    assert found(project) == []


def test_nor_is_one_that_chooses_the_template(project: Path) -> None:
    path = project / "data/demo/game.yaml"
    text = path.read_text("utf-8")
    chosen = "face: {by: value, of: {1: card.svg, 2: card.svg, 3: card.svg, 4: card.svg, 5: card.svg}}"
    path.write_text(text.replace("face: card.svg", chosen), "utf-8")
    assert found(project) == []
