"""The confined process: takes away what it can from itself, tries it, and becomes the program asked for.

`parent` starts it, and nothing of a stranger's is read before `start` has run.
"""

from __future__ import annotations

import contextlib
import json
import os
import runpy
import signal
import sys
from dataclasses import asdict
from typing import Any

from cardgen.confinement import landlock, libc, rights, seccomp, trial
from cardgen.confinement.held import Held, now_confined
from cardgen.confinement.limits import Limits, limit

OUT_OF_MEMORY, NOT_STRICT = 113, 114
"""Exit codes from here to the parent, which no program of ours has."""


def start(order: dict[str, Any]) -> None:
    """Confine this process as `order` says (see `parent`), then run its program, as Python itself does
    with `-m NAME` or `-c CODE`."""
    limits = Limits(**order["limits"])
    held = _confined(order, limits)
    now_confined()
    if order["strict"] and not held.strict:
        sys.stderr.write(held.line(limits) + "\n")
        _end(NOT_STRICT)
    if order["program"] is None:
        json.dump(asdict(held), sys.stdout)
        return
    sys.stderr.write(held.line(limits) + "\n")
    sys.stderr.flush()
    # The order came by standard input; the program has none.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    kind, text, *words = order["program"]
    try:
        if kind == "-m":
            sys.argv = [text, *words]
            runpy.run_module(text, run_name="__main__", alter_sys=True)
        else:
            sys.argv = [kind, *words]
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    except MemoryError:
        _end(OUT_OF_MEMORY)


def _end(code: int) -> None:
    """End here and now: with no memory left, tidying up would fail."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code)


def _confined(order: dict[str, Any], limits: Limits) -> Held:
    """Take away what can be taken away, and tell what is gone."""
    outside = trial.Outside(**order["outside"])
    network_by, files_by = order["network_by"], order["files_by"]
    without = order["without"]
    limit(limits)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            libc.die_with_parent(signal.SIGKILL)
        filtered = "seccomp" not in without and seccomp.supported()
        if not filtered and not network_by and "namespace" not in without:
            with contextlib.suppress(OSError):
                rights.leave_network()
                network_by = "namespace"
        with contextlib.suppress(OSError):
            libc.no_new_privileges()
        if not files_by and "landlock" not in without:
            with contextlib.suppress(OSError):
                version = landlock.restrict(order["reads"], order["writes"])
                files_by = f"landlock {version}"
        with contextlib.suppress(OSError, KeyError):
            rights.give_up()
        if filtered:
            with contextlib.suppress(OSError):
                seccomp.refuse_calls()
                network_by = "seccomp"
    return Held(
        network=trial.no_network(outside),
        services=trial.no_services(outside),
        writing=trial.no_writing(outside),
        reading=trial.no_reading(outside),
        processes=trial.no_processes(),
        memory=trial.no_more_memory(limits),
        seconds=trial.no_more_time(limits),
        network_by=network_by,
        files_by=files_by,
    )
