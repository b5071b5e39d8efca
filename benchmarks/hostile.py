"""Every hostile case of the tests: what was answered, processor time and memory.

    python -m benchmarks.hostile [PART OF A NAME …]

Each case is a whole command in a process of its own, forked from one that has checked, built and exported a
plain game; memory is what the command added to that.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.hostile.cases import CASES, all_cases, lay_out, read, rehearse, run
from tests.hostile.confined import Commands
from tests.hostile.test_hostile import faults

AIM_S, AIM_MB = 2.0, 500.0


def main(words: list[str]) -> int:
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        commands = Commands(base / "cache")
        rehearse(commands, base / "rehearsal")
        for number, path in enumerate(all_cases()):
            case = read(path)
            if words and not any(word in path.relative_to(CASES).as_posix() for word in words):
                continue
            folder = base / str(number)
            lay_out(case, folder)
            outcome, found = run(case, folder, commands)
            wrong = faults(case, outcome, found)
            slow = outcome.processor_s > AIM_S or outcome.peak_mb > AIM_MB
            verdict = "WRONG" if wrong else "passed" if not case.finds else "refused"
            totals[verdict] += 1
            totals["over 2 s or 500 MB"] += slow
            print(
                f"{outcome.processor_s:6.2f} s {outcome.peak_mb:6.0f} MB  {verdict:8}{'!' if slow else ' '}"
                f"{case.name}  {', '.join(sorted({each.code for each in found}))}"
            )
            for each in wrong:
                print(f"        {each.splitlines()[0]}")
        commands.close()
    print(f"{sum(totals.values()) - totals['over 2 s or 500 MB']} cases:", dict(totals))
    return 1 if totals["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
