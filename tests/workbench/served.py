"""A workbench that runs for a test, asked as any program can ask: by HTTP, one request a connection."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 30.0
"""Seconds until something that does not come is given up: no measure of how fast it is."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered; header names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Served:
    """A running workbench: `base` is the path that begins with its token."""

    address: str
    port: int
    base: str
    process: subprocess.Popen[str]

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        whole: bool = False,
    ) -> Answer:
        """Ask for a path below the token's, or for a `whole` one, sent as it stands."""
        sent = dict(headers or {})
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        with contextlib.closing(connection):
            connection.request(method, path if whole else self.base + path, body=data, headers=sent)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, names, answer.read())

    @contextlib.contextmanager
    def events(self) -> Iterator[Iterator[tuple[str, Any]]]:
        """The events from now on: kind and content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        with contextlib.closing(connection):
            connection.request("GET", self.base + "events")
            answer = connection.getresponse()
            assert answer.status == 200

            def read() -> Iterator[tuple[str, Any]]:
                kind, told = "", time.monotonic()
                for line in answer:
                    assert time.monotonic() < told + PATIENCE_S, "nothing was told"
                    text = line.decode().rstrip("\n")
                    if text.startswith("event: "):
                        kind = text.removeprefix("event: ")
                    elif text.startswith("data: "):
                        yield kind, json.loads(text.removeprefix("data: "))
                        told = time.monotonic()

            events = read()
            assert next(events)[0] == "hello"
            yield events


@contextlib.contextmanager
def served(project: Path, *words: str, environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """`cardgen preview` with these words in a project's folder, until the test is done with it."""
    command = [sys.executable, "-P", "-m", "cardgen", "preview", *words]
    with subprocess.Popen(
        command,
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip().partition(": ")[2]
            assert address, "it did not start"
            assert "Ctrl-C" in process.stdout.readline()
            parts = urlsplit(address)
            assert parts.port is not None
            yield Served(address, parts.port, parts.path, process)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(PATIENCE_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise
