"""The loading stage: YAML data and JSON Schemas to a finished Game.

`load_game` is the way in; `load_papers`, `load_layouts` and `load_service` read what all games share.
`load_checked` reads any file with its schema. All findings of all files
come at once, each with its file, line, column and path.
"""

from __future__ import annotations

from cardgen.loading.deck_lists import load_deck
from cardgen.loading.facts import load_layouts, load_papers
from cardgen.loading.game import list_games, load_game, not_judged
from cardgen.loading.services import check_services, load_service
from cardgen.loading.sources import load_checked

__all__ = [
    "check_services",
    "list_games",
    "load_checked",
    "load_deck",
    "load_game",
    "load_layouts",
    "load_papers",
    "load_service",
    "not_judged",
]
