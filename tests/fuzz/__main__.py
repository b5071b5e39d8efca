"""`python -m tests.fuzz`: mutated packs by hand, for as long as one likes."""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

from .making import WEIGHTS
from .running import fuzzer, written


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated game packs.")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after so long (default: 60)")
    parser.add_argument("--cases", type=int, metavar="N", help="stop after so many cases")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other cases")
    parser.add_argument("--start", type=int, default=0, metavar="N", help="begin with this case")
    parser.add_argument("--role", choices=sorted(WEIGHTS), help="only this kind of file")
    parser.add_argument(
        "--keep", type=Path, default=Path("fuzzed"), metavar="DIR", help="where failures go"
    )
    parser.add_argument("--whole", action="store_true", help="don't make failures smaller")
    options = parser.parse_args()
    most = options.seconds if options.seconds or options.cases else 60
    kinds: dict[str, int] = {}
    began, number = time.monotonic(), options.start
    with fuzzer() as running:
        while (options.cases is None or number < options.start + options.cases) and (
            most is None or time.monotonic() - began < most
        ):
            for failure in running.failures(options.seed, number, options.role):
                kinds[failure.kind] = kinds.get(failure.kind, 0) + 1
                if kinds[failure.kind] == 1:
                    small = failure if options.whole else running.smaller(failure)
                    options.keep.mkdir(parents=True, exist_ok=True)
                    name = re.sub(r"\W+", "-", f"{small.case.name}-{small.kind}")[:100].strip("-")
                    path = options.keep / f"{name}.yaml"
                    path.write_text(written(small), "utf-8")
                    print(f"{path}: {small.fault.splitlines()[0][:200]}", flush=True)
            number += 1
        seconds, slowest = running.slowest
    print(f"{number - options.start} cases, {running.processor_s:.0f} s of processor time")
    print(f"the slowest took {seconds:.1f} s: {slowest}")
    for kind, count in sorted(kinds.items(), key=lambda entry: -entry[1]):
        print(f"{count:5d}  {kind}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
