"""Cost of each reader of foreign files by size: processor time and memory of n, of 2n, and per kB.

    python -m benchmarks.amplification [PART OF A NAME …]

Each figure is of one command, less that of a file of one part.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.hostile.cases import rehearse
from tests.hostile.confined import Commands
from tests.hostile.families import FAMILIES, costs_of

TIMES = 2


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        commands = Commands(base / "cache")
        rehearse(commands, base / "rehearsal")
        print(f"{'reader':12}{'family':26}{'n':>10}{'s(n)':>8}{'s(2n)':>8}{'ratio':>7}", end="")
        print(f"{'MB(n)':>8}{'MB(2n)':>8}{'ms/kB':>9}")
        for family in FAMILIES:
            if words and not any(word in f"{family.reader} {family.name}" for word in words):
                continue
            one, two = costs_of(family, TIMES, base / "game", commands, lambda *_: True)
            first, second = one.seconds, two.seconds
            ratio = f"{second / first:7.1f}" if first > 0.05 else "      –"
            per_kb = 1000 * second / max(1.0, two.kb)
            print(
                f"{family.reader:12}{family.name:26}{family.n:10,}{first:8.2f}{second:8.2f}{ratio}"
                f"{one.mb:8.0f}{two.mb:8.0f}{per_kb:9.2f}",
                flush=True,
            )
        commands.close()


if __name__ == "__main__":
    main(sys.argv[1:])
