"""Loads, checks and builds pools of many cards, each step in a process of its own, and prints what it took.

    python benchmarks/pool.py [--sizes 1000 2500 5000] [--steps load check build] [--jobs 2] [--dask 1 2]

The cards are those of `deck.py`, all different. `--dask` builds them by Dask clusters of so many local
workers (`pip install "cardgen[dask]"`). `cpu` is the processor time of the process
and of its workers; `peak MB` the largest resident size of the process, and beside it of a
worker. Builds begin with an empty cache. The last lines say how memory grows, and whether it stays
within BASE + PER_1000 for each thousand cards; the exit code is 1 if it does not.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import deck

from cardgen.commands.production.stamping import processes

BASE, PER_1000 = 75.0, 30.0
"""MB that a step may take, and what each thousand cards may add."""

STEPS = ("load", "check", "build")


def step(name: str, root: Path, jobs: int, dask: int) -> None:
    """One step in this process; prints seconds, processor seconds, peak MB of it and of its workers."""
    import cardgen

    begun = time.perf_counter()
    project = cardgen.Project.open(root)
    if name == "build":
        with cardgen.cluster(f"local:{dask}") if dask else processes(jobs) as executor:
            cardgen.build(cardgen.BuildOptions("bench"), project=project, executor=executor)
            seconds = time.perf_counter() - begun
    else:
        game = cardgen.load("bench", project=project)
        if name == "check":
            cardgen.check(game)
        seconds = time.perf_counter() - begun
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    print(seconds, cpu, own.ru_maxrss * scale / 1e6, others.ru_maxrss * scale / 1e6)


def measure(name: str, root: Path, jobs: int, dask: int, cache: Path) -> list[float]:
    shutil.rmtree(cache, ignore_errors=True)
    shutil.rmtree(root / "output", ignore_errors=True)
    command = [sys.executable, __file__, "--step", name, "--root", str(root), "--jobs", str(jobs)]
    command += ["--dask", str(dask)]
    env = {**os.environ, "CARDGEN_CACHE": str(cache)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} of {root} failed:\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 2500, 5000])
    parser.add_argument("--jobs", type=int, default=1, help="build once more with so many processes")
    parser.add_argument(
        "--dask", nargs="+", type=int, default=[], help="and by clusters of so many workers"
    )
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="of one process")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        step(options.step, options.root, options.jobs, *options.dask)
        return 0
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    peaks: dict[tuple[str, int], float] = {}
    print(f"{'cards':>6}  {'step':<14} {'seconds':>8} {'cpu':>7} {'peak MB':>8} {'worker':>7}")
    with tempfile.TemporaryDirectory(prefix="cardgen-pool-") as folder:
        for count in options.sizes:
            root = Path(folder) / f"pool-{count}"
            deck.write_project(root, count)
            runs = [(name, 1, 0) for name in options.steps]
            runs += [("build", options.jobs, 0)] * (options.jobs > 1)
            runs += [("build", 1, workers) for workers in options.dask]
            bytes_of: set[str] = set()
            for name, jobs, dask in runs:
                seconds, cpu, peak, worker = measure(name, root, jobs, dask, Path(folder) / "cache")
                label = name + f" --jobs {jobs}" * (jobs > 1) + f" --dask {dask}" * (dask > 0)
                alone = label == name
                if alone:
                    peaks[name, count] = peak
                beside = "" if alone else f"{worker:7.0f}"
                print(
                    f"{count:>6}  {label:<14} {seconds:>8.2f} {cpu:>7.2f} {peak:>8.0f} {beside}", flush=True
                )
                if name == "build":
                    pdf = root / "output" / "bench" / "poker.pdf"
                    bytes_of.add(hashlib.sha256(pdf.read_bytes()).hexdigest())
            assert len(bytes_of) <= 1, "the files of several processes are not those of one"
            shutil.rmtree(root)
    least, most = min(options.sizes), max(options.sizes)
    wrong = 0
    for name in options.steps:
        if most > least:
            growth = (peaks[name, most] - peaks[name, least]) / (most - least) * 1000
            print(f"{name}: {growth:.1f} MB more for each 1,000 cards")
        wrong += any(peaks[name, count] > BASE + PER_1000 * count / 1000 for count in options.sizes)
    print(f"within {BASE:g} MB + {PER_1000:g} MB for each 1,000 cards: {'no' if wrong else 'yes'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
