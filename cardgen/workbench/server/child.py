"""A process beside the server that does its long work: orders as lines of JSON, answers as lines of JSON.

    {"kind": "build", "order": {…}}
    {"progress": ["drawing", 3, 54]}        any number of times
    {"result": {…}}  or  {"findings": […]}

It ends with the server, even after a crash, since the pipe of its orders closes then.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any, TextIO

from cardgen.core import budget
from cardgen.core.findings import CardgenError, Finding
from cardgen.workbench.states import plain_findings
from cardgen.workbench.tasks import run

BEHIND = 4
"""The difference in priority to the server (nice): a child gets 40 % of the server's share. With 10 it got
a tenth, and waited for seconds while other programs were busy."""
BETWEEN_S = 0.05
"""The minimum of seconds between two lines of progress."""


def main() -> None:
    """Run orders until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    with suppress(AttributeError, OSError):
        os.nice(BEHIND)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep other output out of the answers
    orders: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        order = orders.get()
        _Answers(out).to(order)


def _listen(orders: queue.Queue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        orders.put(json.loads(line))
    os._exit(0)  # the server is gone, so nobody needs the running work


class _Answers:
    """The answers to one order."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._step, self._said = "", 0.0

    def to(self, order: dict[str, Any]) -> None:
        try:
            with budget.held(budget.Budget.stated(), self._fail):
                result = run(order["kind"], order["order"], self._progress)
        except CardgenError as error:
            self._fail(*error.findings)
        except OSError as error:
            self._fail(Finding.of_system(error))
        else:
            self._say({"result": result})

    def _fail(self, *findings: Finding) -> None:
        self._say({"findings": plain_findings(findings)})

    def _progress(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if step != self._step or now - self._said >= BETWEEN_S:
            self._step, self._said = step, now
            self._say({"progress": [step, done, total]})

    def _say(self, content: dict[str, Any]) -> None:
        self._out.write(json.dumps(content) + "\n")
        self._out.flush()


if __name__ == "__main__":
    main()
