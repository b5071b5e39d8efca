"""Times whole processes on a real deck (see `saga.py`), cardgen's commands beside Typst's build.

    pip install typst
    python benchmarks/real.py [--cards 2000] [--photographs 0] [--language en] [--no-typst] [--work FOLDER]

The cards are the same, in the same seven layouts, and both tools set each text as large as fits its box.
`cpu` is the processor time of the whole process, which a busy machine changes least; `peak MB` its largest
resident size. Every command but the ones said to be again starts with an empty cache.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import saga

HERE = Path(__file__).resolve().parent
FONTS = [HERE.parent / "fonts" / name for name in ("ibm-plex-sans", "ibm-plex-mono")]

TYPST = """\
import sys, typst
source, data, icons, pictures, out, *fonts = sys.argv[1:]
inputs = {"data": data, "icons": icons, "pictures": pictures}
typst.compile(source, output=out, root="/", font_paths=fonts, sys_inputs=inputs)
"""


def measure(name: str, command: list[str], floor: float | None = None, **env: str) -> float:
    """Run one process to its end and print what it took; its processor seconds."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, **env}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
    cpu = usage.ru_utime + usage.ru_stime
    ratio = f"{cpu / floor:>8.2f}" if floor else f"{'':>8}"
    print(
        f"{name:<26} {seconds:>8.2f} {cpu:>8.2f} {ratio} {usage.ru_maxrss * scale / 1e6:>8.0f}", flush=True
    )
    return cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--photographs", type=int, default=0)
    parser.add_argument("--language", choices=sorted(saga.WORDS), default="en")
    parser.add_argument("--no-typst", action="store_true", help="leave the peer out")
    parser.add_argument("--work", type=Path, help="where to work, and to leave the project and the PDFs")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package comes compiled
    with tempfile.TemporaryDirectory(prefix="cardgen-real-") as folder:
        run(options.work or Path(folder), options)


def run(work: Path, options: argparse.Namespace) -> None:
    project, cache, data = work / "project", work / "cache", work / "cards.json"
    for old in (project, cache):
        shutil.rmtree(old, ignore_errors=True)
    made = {"photographs": options.photographs, "language": options.language}
    saga.write_project(project, options.cards, **made)
    saga.write_json(data, options.cards, **made)
    print(f"{options.cards} cards, {options.photographs} photographs, {options.language}")
    print(f"{'':<26} {'seconds':>8} {'cpu':>8} {'÷ typst':>8} {'peak MB':>8}")
    floor = None
    drawings = project / "templates" / "saga"
    if not options.no_typst:
        command = [sys.executable, "-c", TYPST, str(HERE / "saga" / "deck.typ"), str(data)]
        command += [
            str(drawings / "icons"),
            str(drawings / "art"),
            str(work / "typst.pdf"),
            *map(str, FONTS),
        ]
        floor = measure("typst", command)
    tool, to = [sys.executable, "-m", "cardgen"], ["saga", "--project", str(project)]
    build, check = [*tool, "build", *to, "--quiet", "--no-backs"], [*tool, "check", *to]
    env = {"CARDGEN_CACHE": str(cache)}
    measure("build, clean", build, floor, **env)
    measure("build, nothing changed", build, floor, **env)
    saga.change_one(project)
    measure("build, one card changed", build, floor, **env)
    shutil.rmtree(cache)
    measure("check, clean", check, floor, **env)
    measure("check, again", check, floor, **env)
    saga.change_one(project)
    measure("check, one card changed", check, floor, **env)
    tts = [*tool, "export", *to, "--to", "tts", "--output", str(work / "tts")]
    measure("export --to tts", tts, floor, **env)


if __name__ == "__main__":
    main()
