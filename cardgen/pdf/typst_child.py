"""The process in which Typst draws, run by its path. It answers orders on standard input until that ends.

An order is JSON after its size in eight bytes. The answer is a code in one byte, a size and the PDF, or
what is wrong. It imports nothing of cardgen, so that it starts in hundredths of a second.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from typing import Any

SIZE = 8
"""Bytes of a size."""
DRAWN, FAILED = 0, 3
"""Codes of an answer: a PDF, or why Typst refuses the document."""
_STACK = 64_000_000
"""Bytes. Typst calls itself for what is nested, and a process's own stack is small on some systems."""


def compiled(order: dict[str, Any]) -> bytes:
    """Return the PDF of a document. Raises Typst's own exceptions."""
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
    """Allow this process so many bytes, and from now on so many seconds of processor time, where the system
    knows of such limits."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_CPU", spent + seconds), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            number = getattr(resource, name)
            _, hard = resource.getrlimit(number)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (most, hard))


def _answer(order: dict[str, Any]) -> tuple[int, bytes]:
    answer: list[tuple[int, bytes]] = []

    def work() -> None:
        try:
            answer.append((DRAWN, compiled(order)))
        except Exception as error:
            answer.append((FAILED, str(error)[:1000].encode("utf-8", "replace")))
        except BaseException:  # a panic of Rust's is no Exception, and says nothing to designers
            answer.append((FAILED, b""))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return answer[0]


def main() -> None:
    threading.stack_size(_STACK)
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    while size := orders.read(SIZE):
        order = json.loads(orders.read(int.from_bytes(size, "big")))
        _limit(order["memory"], order["seconds"])
        if order["modules"] not in sys.path:
            sys.path.append(order["modules"])
        code, data = _answer(order)
        answers.write(bytes((code,)) + len(data).to_bytes(SIZE, "big") + data)
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
