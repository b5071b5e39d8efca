"""The budget of a command: processor time, memory and written bytes.

Every command runs inside `held`. A command that reaches a limit ends with a finding `budget/…`, which names
the last step of its progress. Long-lived commands run each build or job inside `held` instead.

Linux and macOS limit all three. If a library never returns control to Python, the system ends it `GRACE_S`
later, without a message. Windows has no resource limits: memory is not limited there.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

from cardgen.core import progress
from cardgen.core.findings import CardgenError, Finding, Severity, UsageError
from cardgen.core.records import dataclass, field

BUDGET_VARIABLE = "CARDGEN_BUDGET"
GIGABYTE = 1_000_000_000
SECONDS = 600
"""Processor time of a command. The largest shipped game takes a tenth of it without a cache."""
MEMORY = 4 * GIGABYTE
"""Bytes that a command may add to its memory: ten times the need of the largest shipped game."""
WRITTEN = 2 * GIGABYTE
"""Bytes that a command may write in all, caches included; the largest shipped game writes a tenth."""
GRACE_S = 5
"""Seconds for a command to clean up, and then again before the system ends it."""

WATCHER = "budget"
"""The name of the thread that looks at time and memory."""
_HEADROOM = GIGABYTE
"""Bytes of address space that libraries reserve but never use, on top of `memory`."""
_LOOK_S = 0.2
"""Seconds between two checks of time and memory."""
_UNITS = {"s": 1, "min": 60, "h": 3600}
_SIZES = {"MB": 1_000_000, "GB": GIGABYTE}
_MOST = {
    "seconds": (1, 1_000_000),
    "memory": (50_000_000, 1000 * GIGABYTE),
    "written": (1_000_000, 1000 * GIGABYTE),
}
_PART = re.compile(r"(files=)?(\d{1,7}(?:\.\d{1,3})?)\s?([A-Za-z]+)")
_Limits = Mapping[str, tuple[int, "int | None"]]


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds of processor time, bytes of added memory, bytes written."""

    seconds: float = SECONDS
    memory: int = MEMORY
    written: int = WRITTEN

    @classmethod
    def stated(cls, text: str | None = None, usual: Budget | None = None) -> Budget:
        """Read `10min,8GB,files=2GB`, with any parts in any order, or else $CARDGEN_BUDGET. The default for
        missing parts is `usual`. Raises UsageError."""
        name = "--budget" if text is not None else BUDGET_VARIABLE
        text = os.environ.get(BUDGET_VARIABLE, "") if text is None else text
        usual = usual or cls()
        found = {"seconds": usual.seconds, "memory": usual.memory, "written": usual.written}
        for part in filter(None, (each.strip() for each in text.split(","))):
            match = _PART.fullmatch(part)
            is_files, number, unit = match.groups() if match else ("", "0", "")
            kind = "seconds" if unit in _UNITS and not is_files else "written" if is_files else "memory"
            value = float(number) * {**_UNITS, **_SIZES}.get(unit, 0)
            least, most = _MOST[kind]
            if not least <= value <= most or (unit in _UNITS) != (kind == "seconds"):
                message = (
                    f"{name}: '{part[:40]}' is not a time, a memory size or files=SIZE within the limits"
                )
                raise UsageError(message, "write it like 10min,8GB,files=2GB (s, min, h; MB, GB)")
            found[kind] = value if kind == "seconds" else int(value)
        return cls(found["seconds"], int(found["memory"]), int(found["written"]))

    @property
    def time_shown(self) -> str:
        return f"{self.seconds / 60:g} min" if self.seconds % 60 == 0 else f"{self.seconds:g} s"


def size_shown(count: int) -> str:
    return f"{count / GIGABYTE:g} GB" if count >= GIGABYTE else f"{count / 1_000_000:g} MB"


def unheld() -> tuple[str, ...]:
    """Return the limits that this system can't enforce."""
    return ("memory",) if sys.platform == "win32" else ()


class _OverBudgetError(BaseException):
    """The error of a reached limit. It is no Exception, so that no handler mistakes it for bad input."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(slots=True)
class _Meter:
    """The running command's use of its budget."""

    budget: Budget
    started: float
    memory: int
    written: int = 0
    reached: str = ""
    """The kind of limit that was reached."""
    since: float = 0.0
    over: threading.Event = field(default_factory=threading.Event)

    def finding(self, kind: str) -> Finding:
        budget = self.budget
        step = progress.last_step()
        doing = f" while {step}" if step else ""
        if kind == "time":
            message, hint = (
                f"{budget.time_shown} of processor time",
                Budget(2 * budget.seconds).time_shown.replace(" ", ""),
            )
        elif kind == "memory":
            message, hint = f"{size_shown(budget.memory)} of memory", f"{2 * budget.memory / GIGABYTE:g}GB"
        else:
            message = f"{size_shown(budget.written)} of files"
            hint = f"files={2 * budget.written / GIGABYTE:g}GB"
        message = f"the command needed more than {message}{doing}"
        hint = f"allow more, if you trust the game: --budget {hint}"
        return Finding(Severity.ERROR, f"budget/{kind}", message, None, hint)

    def look(self) -> str:
        """Return the kind of limit that is reached, or nothing."""
        if _processor_time() - self.started > self.budget.seconds:
            return "time"
        if _resident() - self.memory > self.budget.memory:
            return "memory"
        return ""


_running: _Meter | None = None


def wrote(count: int) -> None:
    """Charge written bytes. Raises CardgenError if they exceed the budget."""
    meter = _running
    if meter is not None:
        meter.written += count
        if meter.written > meter.budget.written:
            raise CardgenError(meter.finding("files"))


def too_large_file() -> CardgenError:
    """Return the finding for a file that the system refused for its size."""
    meter = _running or _Meter(Budget(), 0.0, 0)
    return CardgenError(meter.finding("files"))


@contextlib.contextmanager
def held(budget: Budget, last_words: Callable[[Finding], object]) -> Iterator[None]:
    """Limit a command to its budget.

    Raises CardgenError with `budget/time`, `budget/memory` or `budget/files`. If the command doesn't end
    `GRACE_S` later, `last_words` is called and the process exits with 1. Nothing is limited outside the
    main thread, where work can't be interrupted, or inside another budget.
    """
    global _running
    if _running is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = _limit(budget)
    meter = _running = _Meter(budget, _processor_time(), _resident())
    progress.forget_step()
    handler = _on_signal(meter)
    watcher = threading.Thread(target=_watch, args=(meter, last_words), daemon=True, name=WATCHER)
    watcher.start()
    kind = ""
    try:
        yield
    except _OverBudgetError as error:
        kind = error.kind
    except MemoryError:
        kind = "memory"
    finally:
        meter.over.set()
        _running = None
        _restore(before, handler)
    if kind:
        raise CardgenError(meter.finding(kind))


def set_limits(wished: _Limits) -> dict[str, tuple[int, int]]:
    """Set resource limits by name, each soft and hard, None for the current hard limit. Return the limits
    before. A limit that the system doesn't know, or refuses, is skipped."""
    before: dict[str, tuple[int, int]] = {}
    if sys.platform == "win32":
        return before
    import resource

    for name, (soft, hard) in wished.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        old = resource.getrlimit(number)
        most = old[1]
        if hard is None:
            hard = most
        if most != resource.RLIM_INFINITY:
            soft = most if soft == resource.RLIM_INFINITY else min(soft, most)
            hard = most if hard == resource.RLIM_INFINITY else min(hard, most)
        with contextlib.suppress(OSError, ValueError):
            # macOS refuses some of them.
            resource.setrlimit(number, (soft, hard))
            before[name] = old
    return before


def _limit(budget: Budget) -> dict[str, tuple[int, int]]:
    """Set the soft limits that work without Python's help. Child processes inherit them."""
    if sys.platform == "win32":
        return {}
    import resource

    # Lower limits of the system stay in force.
    wished = {
        "RLIMIT_CPU": math.ceil(time.process_time() + budget.seconds) + 2 * math.ceil(GRACE_S),
        "RLIMIT_AS": _address_space() + budget.memory + _HEADROOM,
        "RLIMIT_FSIZE": budget.written,
    }
    for name, soft in wished.items():
        now, _ = resource.getrlimit(getattr(resource, name))
        wished[name] = soft if now == resource.RLIM_INFINITY else min(soft, now)
    return set_limits({name: (soft, None) for name, soft in wished.items()})


def _on_signal(meter: _Meter) -> Any:
    """Make the watcher's signal raise in the main thread. Return the handler before."""
    if sys.platform == "win32":
        return None

    def stop(number: int, frame: FrameType | None) -> None:
        if meter.reached and not meter.over.is_set():
            raise _OverBudgetError(meter.reached)

    return signal.signal(signal.SIGUSR2, stop)


def _restore(before: Mapping[str, tuple[int, int]], handler: Any) -> None:
    set_limits(dict(before))
    if sys.platform != "win32":
        signal.signal(signal.SIGUSR2, handler or signal.SIG_DFL)


def _watch(meter: _Meter, last_words: Callable[[Finding], object]) -> None:
    """Watch time and memory until the command is over; interrupt it, then end it."""
    while not meter.over.wait(_LOOK_S):
        if not meter.reached:
            meter.reached = meter.look()
            meter.since = time.monotonic()
            if meter.reached and sys.platform != "win32":
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR2)
        elif sys.platform == "win32" or time.monotonic() - meter.since > GRACE_S:
            with contextlib.suppress(Exception):
                last_words(meter.finding(meter.reached))
            _end_children()
            os._exit(1)


def _end_children() -> None:
    """End the processes that draw for this one, which would wait forever."""
    module = sys.modules.get("multiprocessing")
    for child in module.active_children() if module is not None else ():
        with contextlib.suppress(Exception):
            child.kill()


def _processor_time() -> float:
    """Return the seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _statm(field: int) -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read(200).split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _address_space() -> int:
    return _statm(0)


def _resident() -> int:
    """Return the bytes of memory in use; on macOS the peak."""
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return _statm(1) if sys.platform == "linux" else 0
