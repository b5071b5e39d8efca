"""A service of The Game Crafter's kind on this machine: it answers as its pages for developers say, and
notes what it was asked."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.files.serving import PEM

SECRETS = {"TGC_API_KEY": "KEY-1234", "TGC_USER": "fox@example.com", "TGC_PASSWORD": "hunter 2"}


@dataclass
class Crafting:
    """What was asked, in order: method, path, fields, and the content of a file. `refuse` gives the status
    of an answer, and its message, once, to the nth request from 1 of a method and path."""

    port: int = 0
    asked: list[tuple[str, str, dict[str, str], bytes | None]] = field(default_factory=list)
    designers: list[dict[str, str]] = field(default_factory=lambda: [{"id": "D-1", "name": "Fox Games"}])
    refuse: dict[tuple[str, str, int], tuple[int, str]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"https://sheets.example:{self.port}/api"

    def paths(self, method: str) -> list[str]:
        return [path for asked, path, _, _ in self.asked if asked == method]

    def fields(self, method: str, path: str) -> list[dict[str, str]]:
        return [fields for asked, each, fields, _ in self.asked if (asked, each) == (method, path)]

    def answer(self, method: str, path: str) -> tuple[int, Any]:
        count = len(self.fields(method, path))
        if (method, path, count) in self.refuse:
            status, message = self.refuse.pop((method, path, count))
            return status, {"error": {"code": status, "message": message}}
        if path.startswith("session"):
            return 200, {"result": {"id": "S-1", "user_id": "U-1"}}
        if path == "user/U-1":
            return 200, {"result": {"root_folder_id": "F-0"}}
        if path == "user/U-1/designers":
            return 200, {"result": {"items": self.designers}}
        return 200, {"result": {"id": f"{path.replace('/', '-')}-{count}"}}


@contextmanager
def crafting() -> Iterator[Crafting]:
    here = Crafting()

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            parts = urlsplit(self.path)
            fields = dict(parse_qsl(parts.query))
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            file = None
            if body:
                kind = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
                for part in BytesParser().parsebytes(kind + body).get_payload():
                    assert not isinstance(part, str)
                    content = part.get_payload(decode=True)
                    assert isinstance(content, bytes)
                    if part.get_filename() is None:
                        name = part.get_param("name", header="content-disposition")
                        fields[str(name)] = content.decode("utf-8")
                    else:
                        file = content
            path = parts.path.removeprefix("/api/")
            here.asked.append((self.command, path, fields, file))
            status, content = here.answer(self.command, path)
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    for method in ("GET", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler._reply)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        here.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield here
        finally:
            server.shutdown()
            thread.join()
