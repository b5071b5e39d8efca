"""A project so small that it is built in a few hundredths of a second."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

CARDS = "data/demo/cards.yaml"
_PROJECT = Path(__file__).parents[1] / "hostile/project"
_CARD = "templates/demo/card.svg"


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody cuts the power here, and bringing every file to the disk takes most of the time."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Two cards with text and a picture, from two templates: each part of a cache gets something."""
    folder = Path(shutil.copytree(_PROJECT, tmp_path / "tiny"))
    card = folder / _CARD
    text = card.read_text("utf-8").replace("</svg>", "{% include 'demo/part.svg' %}</svg>")
    card.write_text(text, "utf-8")
    (folder / "templates/demo/part.svg").write_text(
        '<path d="M10 40 q 15 {{ 10 * card.value }} 30 0" stroke="{{ theme.ink }}" fill="none"/>', "utf-8"
    )
    return folder


def retitle(project: Path) -> None:
    """Edit a card."""
    cards = project / CARDS
    cards.write_text(cards.read_text("utf-8").replace("title: First", "title: The first"), "utf-8")
