"""The games that ship, as they lie in the checkout: read once a process, by whichever test asks first.

What is handed out is shared: nobody may change it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

import cardgen
from cardgen.core.game import Game

ROOT = Path(__file__).resolve().parent.parent
PROJECT = cardgen.Project.open(ROOT)
GAMES = PROJECT.games()


@cache
def shipped(game: str, language: str | None = None) -> Game:
    """A loaded game."""
    return cardgen.load(game, project=PROJECT, language=language)


@cache
def plain_yaml(file: str) -> Any:
    """The data of a YAML file, named from the checkout's root."""
    return yaml.load((ROOT / file).read_text(encoding="utf-8"), yaml.CSafeLoader)
