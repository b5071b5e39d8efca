"""The least and most that a project may ask for in print. docs/limits.md tells designers.

What lies beyond is a wrong unit or a slip of the pen, or more than paper, memory and patience hold.
"""

from __future__ import annotations

MIN_TRIM = 5.0
"""Smallest trimmed side in mm: below it no cutter holds a piece."""
MAX_TRIM = 2000.0
"""Largest trimmed side in mm, and of paper: the widest playmats are 1830 mm, printers' rolls 1600."""
MAX_BLEED = 25.0
"""Widest bleed of a component in mm; printers ask for 2 to 6."""
MAX_GUTTER = 50.0
"""Widest gutter, bleed, margin and overlap of a sheet in mm; more is a wrong unit."""
LEAST_PAGE = 90.0
"""Least side of a book's page in mm."""
MAX_STOCK = 5.0
"""Thickest card in mm, in a box and of one: more is a board, or a wrong unit."""
MAX_PLAY = 100.0
"""Most in mm that cards have to spare in a box; more is a wrong unit."""
MAX_TYPE = 20.0
"""Largest least type size in mm; more is a wrong unit."""
LEAST_INK, MOST_INK = 180, 400
"""What the most ink of a press may be, in per cent, all four inks together: less prints nothing dark, more
there is not."""
MAX_PIECES = 200_000
"""Most pieces of a game, copies counted: 20,000 cards ten times."""
MAX_STICKERS = 20_000
"""Most distinct stickers of the dice of a component: 3,000 dice of six faces."""
MAX_PAGES = 50_000
"""Most pages of a sheet: faces and backs of 20,000 cards, one a page, and a quarter more."""
MAX_TILES = 1_000
"""Most tiles of a board. 2000×2000 mm on A4 take 96."""
