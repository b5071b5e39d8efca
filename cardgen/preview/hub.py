"""What happens, told to every page that listens (server-sent events)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

MOST_WAITING = 500
"""Events that wait for one page; a page that is further behind is let go, and asks for all anew."""
HEARTBEAT_S = 15.0
"""Seconds of silence after which a page is told that nothing happened, so that a dead one is found out."""


class Hub:
    """Sends events to all that listen."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[str | None]] = set()

    @property
    def listeners(self) -> int:
        """How many pages listen."""
        return len(self._listeners)

    def send(self, kind: str, content: Any) -> None:
        """Tell all pages. `content` is plain data."""
        text = event(kind, content)
        for queue in list(self._listeners):
            if queue.qsize() >= MOST_WAITING:
                self._listeners.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(text)

    def close(self) -> None:
        """Let all pages go."""
        for queue in self._listeners:
            queue.put_nowait(None)
        self._listeners.clear()

    async def listen(self, hello: Any) -> AsyncIterator[str]:
        """The events from now on, `hello` before them."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield event("hello", hello)
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), HEARTBEAT_S)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if text is None:
                    return
                yield text
        finally:
            self._listeners.discard(queue)


def event(kind: str, content: Any) -> str:
    """An event as it is sent. JSON has no line breaks of its own, which would end the event."""
    return f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
