"""A running Tabletop Simulator on this machine: Lua for it, and what that returns.

It listens for editors on port 39999 of this machine, and answers on 39998, a connection a message (its
External Editor API). Nothing but this machine is talked to.
"""

from __future__ import annotations

import json
import socket
import time
from typing import Any

GAME_PORT, EDITOR_PORT = 39999, 39998
EXECUTE, FAILED, RETURNED = 3, 3, 5
"""Kinds of messages: ours, and two of those that come back."""
SECONDS = 15.0
"""For all of it: a table of a thousand cards answers within one."""
MOST = 256 * 1024 * 1024
"""Bytes of an answer."""
_HOST = "127.0.0.1"
_BLOCK = 64 * 1024


class LiveError(Exception):
    """What could not be done with a running game, in words that go on after "Tabletop Simulator"; `hint`
    is what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def execute(
    script: str, *, game: int = GAME_PORT, editor: int = EDITOR_PORT, seconds: float = SECONDS
) -> Any:
    """What a Lua script returns that runs in the table's own script. Raises LiveError."""
    deadline = time.monotonic() + seconds
    try:
        listener = socket.create_server((_HOST, editor))
    except OSError:
        hint = "close the other editor (Atom, VS Code) that listens for it"
        raise LiveError("can't answer, since another program listens for it", hint) from None
    with listener:
        message = json.dumps({"messageID": EXECUTE, "guid": "-1", "script": script}).encode("utf-8")
        try:
            with socket.create_connection((_HOST, game), timeout=seconds) as connection:
                connection.sendall(message)
        except OSError:
            hint = "start it, load the table, and try again"
            raise LiveError("does not run on this machine", hint) from None
        while True:
            answer = _next(listener, deadline)
            if answer.get("messageID") == RETURNED:
                return answer.get("returnValue")
            if answer.get("messageID") == FAILED:
                hint = "load the table anew with --into or --install"
                raise LiveError(f"says: {answer.get('error')}", hint)


def _next(listener: socket.socket, deadline: float) -> dict[str, Any]:
    """The next message, an empty one for what is none. Raises LiveError when time is over."""
    content = bytearray()
    try:
        listener.settimeout(max(0.01, deadline - time.monotonic()))
        connection, _ = listener.accept()
        with connection:
            while len(content) <= MOST:
                connection.settimeout(max(0.01, deadline - time.monotonic()))
                block = connection.recv(_BLOCK)
                if not block:
                    break
                content += block
    except OSError:
        hint = "look whether a table is loaded and this computer hosts it"
        raise LiveError("does not answer", hint) from None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
