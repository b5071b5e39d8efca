"""How the processor time of a command of cardgen is spent, by stages: milliseconds a card and shares.

A command runs twice, each time in one process: as it is, for how long it takes, and under Python's
profiler, for how that is shared out. The profiler makes every call dearer by about the same; what it added
in all is taken off again, call by call. A function's own time counts to the stage of its module, by
`STAGES`; that of helpers and libraries that no stage has to itself (storage, geometry, `copy`, CairoSVG,
HarfBuzz, zlib …) and of what is compiled to the modules that called them, to each as much as it asked for.
"""

from __future__ import annotations

import os
import pstats
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measured import CARDGEN, run

START = "<start>"
"""What imports count to."""

STAGES: dict[str, tuple[str, ...]] = {
    "start": (START,),
    "load": ("cardgen/game", "cardgen/files"),
    "template": (
        "cardgen/expressions",
        "cardgen/art/functions",
        "cardgen/art/templating",
        "cardgen/art/markdown",
        "cardgen/art/markdown_blocks",
        "cardgen/art/templates",
        "jinja2",
        "markdown_it",
    ),
    "parse and split": ("cardgen/art", "cardgen/svg", "cardgen/svg"),
    "shape and break": ("cardgen/text",),
    "fit": ("cardgen/text/measuring",),
    "draw pictures": ("cardgen/pdf",),
    "judge": ("cardgen/rules", "cardgen/pdf/legibility", "cardgen/pdf/edges"),
    "order": (
        "cardgen/__init__",
        "cardgen/__main__",
        "cardgen/cli",
        "cardgen/commands",
    ),
    "write": (
        "cardgen/pdf/fonts",
        "cardgen/pdf/objects",
        "cardgen/pdf/fonts",
        "cardgen/pdf/pixels",
        "cardgen/exports",
        "cardgen/sheets",
    ),
}
"""Each stage's modules and packages; where several names fit a module, the longest does. `start` is the
interpreter and what it imports, `order` the commands, which call the stages."""

PROFILER = """\
import cProfile, runpy, sys, time
out, *sys.argv[1:] = sys.argv[1:]
profile = cProfile.Profile(time.process_time)
try:
    profile.runcall(runpy.run_module, "cardgen", run_name="__main__", alter_sys=True)
finally:
    profile.dump_stats(out)
"""

Function = tuple[str, int, str]
"""A function as `pstats` has it: file, line and name."""

Shares = Mapping[str, float]
"""How much of a whole belongs to each module."""

ROUNDS = 40
"""How far time is handed up from callee to caller: more than libraries call one another deep."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds by module, as `STAGES` names modules."""

    modules: Mapping[str, float]

    def stages(self) -> dict[str, float]:
        """Seconds by stage, in order of the stages."""
        found = dict.fromkeys(STAGES, 0.0)
        for module, seconds in self.modules.items():
            found[stage_of(module) or "start"] += seconds
        return found

    def dearest(self, stage: str, count: int = 3) -> list[tuple[str, float]]:
        """The modules of a stage that took most."""
        own = [each for each in self.modules.items() if stage_of(each[0]) == stage and each[1] > 0]
        return sorted(own, key=lambda each: -each[1])[:count]


def profile(words: Sequence[str], cards: int, begin: Callable[[], None]) -> None:
    """Run `cardgen WORDS` twice, each time after `begin`, and print the table."""
    if sys.platform == "linux":  # on one core, commands don't start others
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    begin()
    plain = run([*CARDGEN, *words], codes=(0, 1))
    begin()
    with tempfile.TemporaryDirectory(prefix="cardgen-profile-") as folder:
        out = Path(folder) / "stats"
        run([sys.executable, "-c", PROFILER, str(out), *words], codes=(0, 1))
        spent = shared_out(pstats.Stats(str(out)).stats, plain.cpu)  # type: ignore[attr-defined]
    unit = "ms a card" if cards > 1 else "ms"
    print(f"{'stage':<16} {unit:>9} {'%':>6}  most of it, {unit}")
    for stage, seconds in spent.stages().items():
        most = ", ".join(
            f"{name.removeprefix('cardgen/')} {1000 * taken / cards:.2f}"
            for name, taken in spent.dearest(stage)
        )
        print(f"{stage:<16} {1000 * seconds / cards:>9.2f} {100 * seconds / plain.cpu:>6.1f}  {most}")
    print(f"{'all':<16} {1000 * plain.cpu / cards:>9.2f} {100:>6.1f}")


def stage_of(module: str) -> str | None:
    """The stage that a module belongs to: of those that name it or a package around it the one with the
    longest name; None if it belongs to its callers'."""
    around = [
        (len(name), stage)
        for stage, names in STAGES.items()
        for name in names
        if f"{module}/".startswith(f"{name}/")
    ]
    return max(around)[1] if around else None


def module_of(function: Function) -> str | None:
    """The module that a function's time counts to, as `STAGES` names it; None if to its callers'."""
    file, _, name = function
    if name == "<module>" or file.startswith("<frozen importlib"):
        return START
    found = re.search(r"/(cardgen/(?:\w+/)*\w+|jinja2/\w+|markdown_it/(?:\w+/)*\w+)\.py$", file)
    return found[1] if found is not None and stage_of(found[1]) is not None else None


def shared_out(stats: Mapping[Function, Any], total: float) -> Spent:
    """The `total` of processor seconds by module. `stats` are calls, own time and callers of each function,
    as `pstats` has them."""
    own = _without_profiler(stats, total)
    belongs: dict[Function, Shares] = {
        function: {module: 1.0} if (module := module_of(function)) else {} for function in stats
    }
    weights = {function: _weights(said[4]) for function, said in stats.items() if not belongs[function]}
    for _ in range(ROUNDS):
        for function, callers in weights.items():
            shares: defaultdict[str, float] = defaultdict(float)
            for caller, weight in callers.items():
                for module, share in belongs.get(caller, {}).items():
                    shares[module] += weight * share
            belongs[function] = shares
    modules: defaultdict[str, float] = defaultdict(float)
    for function, seconds in own.items():
        for module, share in belongs[function].items():
            modules[module] += seconds * share
    modules[START] += total - sum(modules.values())
    return Spent(modules)


def _weights(callers: Mapping[Function, Any]) -> dict[Function, float]:
    """How much of a function's own time each of its callers asked for."""
    weighed = {caller: said[2] + 1e-9 * said[1] for caller, said in callers.items()}
    whole = sum(weighed.values())
    return {caller: weight / whole for caller, weight in weighed.items()}


def _without_profiler(stats: Mapping[Function, Any], total: float) -> dict[Function, float]:
    """Functions' own seconds, together no more than the `total`: a call's cost is half its own, half its
    caller's."""
    calls, made = {name: said[1] for name, said in stats.items()}, defaultdict[Function, int](int)
    for _, _, _, _, callers in stats.values():
        for caller, said in callers.items():
            made[caller] += said[1]
    taken = {name: said[2] for name, said in stats.items()}
    added = max(sum(taken.values()) - total, 0.0) / max(sum(calls.values()), 1)
    own = {name: max(taken[name] - added * (calls[name] + made[name]) / 2, 0.0) for name in stats}
    scale = min(total / max(sum(own.values()), 1e-9), 1.0)
    return {name: seconds * scale for name, seconds in own.items()}
