"""Effects as structure: what cards do, written as data in a game's own keywords.

`read_language` makes a game's keyword table ready, `read_effect` turns what a designer writes into
the plain structure that `model.effects` describes, `print_effect` gives the lines of a card,
`parse_effect` reads printed text back. The keywords, their parameters, wordings and punctuation all
come from the table; nothing here knows a game.
"""

from __future__ import annotations

from cardgen.effects.keywords import read_language
from cardgen.effects.parsing import parse_effect
from cardgen.effects.printing import Line, effect_line, effect_text, print_effect
from cardgen.effects.structure import read_effect

__all__ = [
    "Line",
    "effect_line",
    "effect_text",
    "parse_effect",
    "print_effect",
    "read_effect",
    "read_language",
]
