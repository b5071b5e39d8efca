"""The same cards by Typst, as the process that a user of it would start.

usage: peers.py SOURCE.typ CARDS.json DRAWINGS OUT.pdf DOCUMENTS FONTS…

`DRAWINGS` has the folders `icons` and `art`. With `DOCUMENTS` above 1 a list of cards is divided.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import typst


def compile_cards(source: str, cards: str, drawings: str, out: str, fonts: list[str]) -> None:
    """Typeset the cards of a JSON file."""
    inputs = {"data": cards, "icons": f"{drawings}/icons", "pictures": f"{drawings}/art"}
    typst.compile(source, output=out, root="/", font_paths=fonts, sys_inputs=inputs)


if __name__ == "__main__":
    source, cards, drawings, out, documents, *fonts = sys.argv[1:]
    count = int(documents)
    if count == 1:
        compile_cards(source, cards, drawings, out, fonts)
    else:
        entries = json.loads(Path(cards).read_text(encoding="utf-8"))
        for number in range(count):
            part = Path(f"{out}.{number}.json")
            part.write_text(json.dumps(entries[number::count]), encoding="utf-8")
            compile_cards(source, str(part), drawings, f"{out}.{number}.pdf", fonts)
