"""The process in which Typst draws, run by its path: an order on standard input, the PDF on its output.

It imports nothing of cardgen, so that it starts in hundredths of a second.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from typing import Any

FAILED = 3
"""Exit code of a document that Typst refuses; standard output then says why."""
_STACK = 64_000_000
"""Bytes. Typst calls itself for what is nested, and a process's own stack is small on some systems."""


def compiled(order: dict[str, Any]) -> bytes:
    """The PDF of a document. Raises whatever Typst raises."""
    import typst  # loads 80 MB of code: only where a picture asks for it

    data = typst.compile(
        order["source"].encode(),
        root=order["root"],
        sys_inputs=order["inputs"],
        ignore_system_fonts=True,
        pdf_tags=False,
        timestamp=0,
    )
    assert isinstance(data, bytes)
    return data


def _limit(memory: int, seconds: int) -> None:
    """At most so many bytes and seconds of processor time, where the system knows of such limits."""
    if sys.platform == "win32":
        return
    import resource

    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_CPU", seconds), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            number = getattr(resource, name)
            _, hard = resource.getrlimit(number)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (most, most))


def main() -> None:
    order = json.load(sys.stdin.buffer)
    _limit(order["memory"], order["seconds"])
    sys.path.append(order["modules"])
    answer: list[tuple[int, bytes]] = []

    def work() -> None:
        try:
            answer.append((0, compiled(order)))
        except Exception as error:
            answer.append((FAILED, str(error)[:1000].encode("utf-8", "replace")))
        except BaseException:  # a panic of Rust's is no Exception, and says nothing to designers
            answer.append((FAILED, b""))

    threading.stack_size(_STACK)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    code, data = answer[0]
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
