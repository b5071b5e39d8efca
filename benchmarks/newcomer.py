"""What a newcomer waits for: from a spreadsheet of 54 rows to checked sheets, in two commands.

    python benchmarks/newcomer.py [TIMES]

`cardgen new … --from deck.csv` and `cardgen check`, each in a process of its own, with a cache that is
empty each time. Prints the processor time (user and system) of both, and fails where it is not below three
seconds.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT_S = 3.0
SUITS = ("Ember", "Tide", "Moss")


def deck() -> str:
    """A deck of three suits with a text on each card."""
    rows = [
        f'{suit} {rank},{suit},{rank},"Win the trick with it and **draw** a card, if you have {rank}."'
        for suit in SUITS
        for rank in range(1, 19)
    ]
    return "\n".join(("title,suit,rank,text", *rows)) + "\n"


def once() -> float:
    """Seconds of processor time of both commands."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "deck.csv").write_text(deck(), encoding="utf-8")
        environment = {**os.environ, "CARDGEN_CACHE": str(home / "cache")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for place, *words in ((home, "new", "first", "--from", "deck.csv"), (home / "first", "check")):
            command = [sys.executable, "-m", "cardgen", *words]
            done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(
                    f"cardgen {' '.join(words)} ends with {done.returncode}:\n{done.stdout}{done.stderr}"
                )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not (home / "first/output/first/poker.pdf").is_file():
            sys.exit("there is no poker.pdf")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    taken = sorted(once() for _ in range(times))
    print(
        f"new --from and check: {taken[0]:.2f} to {taken[-1]:.2f} s, median {taken[len(taken) // 2]:.2f} s"
    )
    if taken[len(taken) // 2] >= LIMIT_S:
        sys.exit(f"that is not below {LIMIT_S:g} s")


if __name__ == "__main__":
    main()
