"""Times whole processes on the same cards, cardgen beside Typst and WeasyPrint, and prints ratios.

    pip install typst weasyprint
    python benchmarks/run.py [--sizes 54 200 1000] [--rounds 5] [--pictures] [--no-weasyprint]

Every figure is a fresh process: start, imports, reading, checking, drawing, writing. The tools take
turns within a round, so that a busy machine is busy for all of them; figures are medians over the rounds.
Memory is the largest resident size of the process. cardgen's clean builds start with an empty cache.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import deck

HERE = Path(__file__).resolve().parent


@dataclass
class Series:
    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    pdf_bytes: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def peak(self) -> float:
        return max(self.megabytes)


def measure(series: Series, command: list[str], pdf: Path, **env: str) -> None:
    """Run one process to its end; its wall time, peak memory and output go to `series`."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    errors = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    series.seconds.append(time.perf_counter() - start)
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
    series.megabytes.append(usage.ru_maxrss * scale / 1e6)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors.decode(errors='replace')}")
    series.pdf_bytes = pdf.stat().st_size


def compare(count: int, rounds: int, pictures: bool, weasyprint: bool, work: Path) -> dict[str, Series]:
    project = work / "project"
    shutil.rmtree(project, ignore_errors=True)
    deck.write_project(project, count, pictures)
    data = work / "cards.json"
    deck.write_json(data, count)
    art = [str(project / "templates" / "bench" / "art")] if pictures else []
    cards_file = project / "data" / "bench" / "cards.yaml"
    original = cards_file.read_bytes()
    pdf = project / "output" / "bench" / "poker.pdf"
    build = [sys.executable, "-m", "cardgen", "build", "bench", "--quiet", "--no-backs"]
    build += ["--project", str(project)]
    peer = [sys.executable, str(HERE / "peers.py")]
    results = {name: Series() for name in ("cardgen clean", "cardgen one card", "cardgen no change")}
    results |= {"typst": Series()} | ({"weasyprint": Series()} if weasyprint else {})
    for turn in range(rounds):
        cache = work / f"cache-{count}-{turn}"
        env = {"CARDGEN_CACHE": str(cache)}
        shutil.rmtree(project / "output", ignore_errors=True)
        cards_file.write_bytes(original)
        time.sleep(0.1)  # let the edit grow older than the clock's grain, as a person's edit is
        measure(results["cardgen clean"], build, pdf, **env)
        deck.change_one(project)
        time.sleep(0.1)
        measure(results["cardgen one card"], build, pdf, **env)
        measure(results["cardgen no change"], build, pdf, **env)
        for name in ("typst", "weasyprint"):
            if name in results and (name == "typst" or turn == 0):
                out = work / f"{name}.pdf"
                measure(results[name], [*peer, name, str(data), str(out), *art], out)
        shutil.rmtree(cache, ignore_errors=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="+", type=int, default=[54, 200, 1000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pictures", action="store_true", help="a photograph on every card")
    parser.add_argument("--no-weasyprint", action="store_true", help="leave the slow peer out")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package comes compiled
    print(f"{'cards':>5}  {'build':<18} {'seconds':>8} {'÷ typst':>8} {'peak MB':>8} {'PDF MB':>7}")
    with tempfile.TemporaryDirectory(prefix="cardgen-bench-") as folder:
        for count in options.sizes:
            results = compare(
                count, options.rounds, options.pictures, not options.no_weasyprint, Path(folder)
            )
            floor = results["typst"].median
            for name, series in results.items():
                print(
                    f"{count:>5}  {name:<18} {series.median:>8.3f} {series.median / floor:>8.2f} "
                    f"{series.peak:>8.0f} {series.pdf_bytes / 1e6:>7.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
