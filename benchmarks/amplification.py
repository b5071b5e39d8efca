"""Cost of each reader of foreign files by size: processor time and memory of n, of 2n, and per kB.

    python -m benchmarks.amplification [PART OF A NAME …]

Each figure is the median of three `check` commands, less that of the plain project.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.hostile.cases import rehearse
from tests.hostile.confined import Commands
from tests.hostile.families import FAMILIES, cost_of, plain


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        commands = Commands(base / "cache")
        rehearse(commands, base / "rehearsal")
        least = plain(base / "plain", commands)
        print(f"{'reader':12}{'family':26}{'n':>10}{'s(n)':>8}{'s(2n)':>8}{'ratio':>7}", end="")
        print(f"{'MB(n)':>8}{'MB(2n)':>8}{'ms/kB':>9}")
        for number, family in enumerate(FAMILIES):
            if words and not any(word in f"{family.reader} {family.name}" for word in words):
                continue
            one, two = (
                cost_of(family, family.n * times, base / f"{number}-{times}", commands) for times in (1, 2)
            )
            first, second = (max(0.0, each.seconds - least.seconds) for each in (one, two))
            ratio = f"{second / first:7.1f}" if first > 0.05 else "      –"
            per_kb = 1000 * second / max(1.0, two.kb - least.kb)
            print(
                f"{family.reader:12}{family.name:26}{family.n:10,}{first:8.2f}{second:8.2f}{ratio}"
                f"{max(0.0, one.mb - least.mb):8.0f}{max(0.0, two.mb - least.mb):8.0f}{per_kb:9.2f}",
                flush=True,
            )
        commands.close()


if __name__ == "__main__":
    main(sys.argv[1:])
