"""A server of https on this machine, with a certificate for `sheets.example` and `other.example`."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.files.network import Way

PEM = Path(__file__).with_name("sheets.example.pem")
Answer = Callable[[str, ssl.SSLSocket], None]
"""Answers a request by its first line."""


def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(PEM))


def here(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


WAY = Way(here, lambda address: True, trusting)


def answer(body: bytes, *heads: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *heads]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@contextmanager
def serving(reply: Answer) -> Iterator[int]:
    """The port of a server that gives each connection to `reply`, until the end."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(30)

        def serve() -> None:
            while True:
                try:
                    plain, _ = listening.accept()
                except OSError:  # it was closed
                    return
                threading.Thread(target=talk, args=(plain,), daemon=True).start()

        def talk(plain: socket.socket) -> None:
            try:
                with context.wrap_socket(plain, server_side=True) as channel:
                    asked = b""
                    while b"\r\n\r\n" not in asked and (block := channel.recv(4096)):
                        asked += block
                    if asked:
                        reply(asked.split(b"\r\n")[0].decode(), channel)
            except OSError:  # whoever asked has gone
                plain.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)


def always(content: bytes) -> Answer:
    return lambda line, channel: channel.sendall(content)
