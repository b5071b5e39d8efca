"""Connections to the workbench: strangers have a few, for a few seconds, and never take the owner's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_STRANGERS = 64
"""Connections without the token at a time: a new one ends the oldest. A browser opens six."""
MOST_SILENT_S = 5.0
"""Seconds that a connection has for a complete head with the token."""

Knows = Callable[[Any], bool]


def protocol(knows: Knows) -> type[H11Protocol]:
    """A protocol for uvicorn whose connections are strangers until a request comes that `knows` accepts."""
    strangers: dict[H11Protocol, None] = {}

    class Connection(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._deadline = self.loop.call_later(MOST_SILENT_S, transport.abort)
            strangers[self] = None
            if len(strangers) > MOST_STRANGERS:
                oldest = next(iter(strangers))
                del strangers[oldest]
                oldest.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            self._accept()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self in strangers and self.scope is not None and knows(self.scope):
                self._accept()

        def _accept(self) -> None:
            strangers.pop(self, None)
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Connection
