"""The loading stage: YAML data and JSON Schemas to a finished Game.

`load_game` is the way in; `load_papers`, `load_sizes`, `load_layouts` and `load_service` read what all
games share.
`load_yaml` is the project's only YAML reader; `load_checked` adds a schema. All findings of all files
come at once, each with its file, line, column and path.

One file does one step: `yaml_source` reads (with `scalars`, `yaml_parser`, `yaml_problems`,
`positions`), `schema_store` makes schemas ready (`schema_keywords`, `schema_merge`), `schema_findings`
words their errors (`schema_branches`, `wording`), `defaults` fills in; `sources` joins these. On them
stand `facts`, `cards`, `components`, `decks` (with `deck_names`, `deck_text`, `deck_table`) and `game`.
"""

from __future__ import annotations

from cardgen.loading.decks import load_deck
from cardgen.loading.facts import load_layouts, load_papers, load_sizes
from cardgen.loading.game import list_games, load_game
from cardgen.loading.services import load_service
from cardgen.loading.sources import SourceLocator, load_checked
from cardgen.loading.yaml_source import Document, load_yaml

__all__ = [
    "Document",
    "SourceLocator",
    "list_games",
    "load_checked",
    "load_deck",
    "load_game",
    "load_layouts",
    "load_papers",
    "load_service",
    "load_sizes",
    "load_yaml",
]
