"""Who may ask the workbench, and what every answer says to the browser."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import itertools
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from cardgen.commands.data.new import new_project
from cardgen.workbench.server import app as guard
from cardgen.workbench.server import serving as connections
from cardgen.workbench.server.app import MOST_BODY
from tests.workbench.served import PATIENCE_S, Served, served


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    project = new_project("owls", tmp_path_factory.mktemp("guard"))
    (project / "secret.txt").write_text("nobody's business")
    with served(project) as running:
        yield running


def test_the_page_is_served_to_who_knows_the_token(shop: Served) -> None:
    answer = shop.ask("index.html")
    assert answer.status == 200
    assert b"<script" in answer.body
    policy = dict(each.split(" ", 1) for each in answer.headers["content-security-policy"].split("; "))
    assert policy == {
        **dict.fromkeys(("default-src", "base-uri", "form-action", "frame-ancestors"), "'none'"),
        **dict.fromkeys(("script-src", "style-src", "connect-src", "frame-src"), "'self'"),
        "img-src": "'self' data: blob:",
    }
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_first_page_moves_token_from_address_to_cookie(shop: Served) -> None:
    first = shop.ask("")
    assert (first.status, first.headers["location"]) == (303, "/")
    cookie, *flags = first.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=strict"} <= set(flags)
    assert not any(flag.startswith(("Max-Age", "expires")) for flag in flags)
    page = shop.ask("/", whole=True, headers={"Cookie": f"other=1; {cookie}"})
    assert page.status == 200
    assert b"<script" in page.body
    assert shop.ask("/state.json", whole=True, headers={"Cookie": cookie}).status == 200
    for other in (f"{cookie}x", f"x{cookie}", cookie.partition("=")[0], f"{cookie[:-1]}; {cookie}é"):
        assert shop.ask("/state.json", whole=True, headers={"Cookie": other}).status == 404
    for site in ("same-site", "cross-site"):
        headers = {"Cookie": cookie, "Sec-Fetch-Site": site}
        assert shop.ask("/state.json", whole=True, headers=headers).status == 403


def test_silent_connections_never_lock_the_owner_out(shop: Served) -> None:
    """Neither those that say nothing nor those whose request never ends."""
    with contextlib.ExitStack() as stack:
        silent = []
        for number in range(201):
            silent.append(stack.enter_context(socket.create_connection(("127.0.0.1", shop.port))))
            silent[-1].sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " if number % 2 else b"")
        assert shop.ask("state.json").status == 200
        with shop.events():  # the owner's page outlasts them
            for each in silent:
                each.settimeout(PATIENCE_S)
                with contextlib.suppress(ConnectionResetError):
                    assert each.recv(1) == b""
            assert shop.ask("state.json").status == 200


def test_without_the_token_there_is_nothing(shop: Served) -> None:
    for path in ("/", "/state.json", "/0123456789abcdef/state.json", "/favicon.ico", "//"):
        answer = shop.ask(path, whole=True)
        assert answer.status == 404
        assert b"owls" not in answer.body
        assert "content-security-policy" in answer.headers


def test_another_name_that_leads_here_is_refused(shop: Served) -> None:
    for host in ("evil.example", "127.0.0.1", "localhost:1", f"127.0.0.1.evil.example:{shop.port}", ""):
        answer = shop.ask("state.json", headers={"Host": host})
        assert answer.status in (400, 421)
        assert b"owls" not in answer.body


def test_localhost_is_this_machine_too(shop: Served) -> None:
    assert shop.ask("state.json", headers={"Host": f"localhost:{shop.port}"}).status == 200


def test_another_site_may_not_ask(shop: Served) -> None:
    job = {"kind": "build", "options": {}}
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{shop.port}", "http://localhost:1"):
        assert shop.ask("state.json", headers={"Origin": origin}).status == 403
        assert shop.ask("jobs", method="POST", body=job, headers={"Origin": origin}).status == 403
    assert shop.ask("jobs.json").json == {"jobs": []}


def test_nor_have_its_pictures_loaded(shop: Served) -> None:
    for site in ("cross-site", "same-site"):
        headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
        assert shop.ask("state.json", headers=headers).status == 403


def test_what_changes_something_must_be_json(shop: Served) -> None:
    body = b'{"kind": "build", "options": {}}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert shop.ask("jobs", method="POST", body=body, headers={"Content-Type": kind}).status == 415
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE"):
        assert shop.ask("jobs", method=method, body=body).status == 405
    assert shop.ask("state.json", method="POST", body={}).status == 405
    assert shop.ask("jobs", method="POST", body=b"[" * 60_000).status == 400
    assert shop.ask("jobs", method="POST", body=b"x" * (MOST_BODY + 1)).status == 413
    assert shop.ask("jobs.json").json == {"jobs": []}


def test_length_of_what_is_sent_must_be_stated(shop: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", shop.port, timeout=PATIENCE_S)
    with contextlib.closing(connection):
        kind = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
        connection.request("POST", f"{shop.base}jobs", iter([b"{}"]), kind, encode_chunked=True)
        assert connection.getresponse().status == 411


def test_token_has_192_bits_and_is_new_at_each_start(shop: Served, tmp_path: Path) -> None:
    with served(new_project("owls", tmp_path)) as another:
        tokens = [each.base.strip("/") for each in (shop, another)]
    assert tokens[0] != tokens[1]
    assert [len(base64.urlsafe_b64decode(token)) * 8 for token in tokens] == [192, 192]


def test_token_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is that of `hmac.compare_digest`, even where it is wrong."""
    guarded = guard.Guard(lambda *_: pytest.fail("it was let through"), "right", ("127.0.0.1",), 1)
    for holds, word in itertools.product((True, False), ("wrong", "right")):
        monkeypatch.setattr(guard.hmac, "compare_digest", lambda one, other, holds=holds: holds)
        cookie = [(b"cookie", f"cardgen-1={word}".encode())]
        assert guarded.knows({"path": f"/{word}/state.json", "headers": []}) is holds
        assert guarded.knows({"path": "/", "headers": cookie}) is holds


def test_65th_connection_without_token_ends_the_oldest() -> None:
    """Connections of the server's own protocol, on transports that only note their end."""

    class Transport(asyncio.Transport):
        is_ended = False

        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return default

        def abort(self) -> None:
            self.is_ended = True

    async def connect() -> list[bool]:
        config = uvicorn.Config(lambda *_: None, log_level="critical")
        config.load()
        kind = connections.protocol(lambda scope: False)
        transports = [Transport() for _ in range(connections.MOST_STRANGERS + 1)]
        made = [kind(config, ServerState(), {}) for _ in transports]
        for each, transport in zip(made, transports, strict=True):
            each.connection_made(transport)
        return [each.is_ended for each in transports]

    with ThreadPoolExecutor(1) as thread:  # a browser's tests keep a loop running in this one
        ended = thread.submit(lambda: asyncio.run(connect())).result()
    assert ended == [True] + [False] * connections.MOST_STRANGERS


def test_nothing_but_the_page_is_served_of_files(shop: Served) -> None:
    for path in (
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "%2e%2e%2fapp.py",
        "....//app.py",
        "..%5capp.py",
        "%00",
        "/etc/passwd",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "secret.txt",
        "data/owls/game.yaml",
        "side/../../secret.txt",
        "sheets/..%2f..%2fsecret/0.png",
    ):
        answer = shop.ask(path)
        assert answer.status in (400, 404)
        assert b"nobody" not in answer.body
        assert b"root:" not in answer.body
        assert b"import" not in answer.body


def test_it_listens_to_this_machine_alone(shop: Served) -> None:
    with pytest.raises(OSError):
        socket.create_connection((_other_address(), shop.port), timeout=5)


def _other_address() -> str:
    """An address of this machine that is not 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses a way out
            found = str(probe.getsockname()[0])
        except OSError:
            found = "127.0.0.1"
    return found if not found.startswith("127.") else "127.0.0.2"


def test_a_file_of_the_project_is_opened_and_no_other(shop: Served, tmp_path: Path) -> None:
    place = {"file": "data/owls/game.yaml", "line": 3, "column": 1}
    url = shop.ask("open", method="POST", body=place).json["url"]
    assert url.startswith("vscode://file/")
    assert url.endswith("data/owls/game.yaml:3:1")
    for file in (
        "secret.txt",
        "data/../secret.txt",
        "/etc/passwd",
        "data\\..\\secret.txt",
        "data",
        "data/no.yaml",
        3,
    ):
        assert shop.ask("open", method="POST", body={**place, "file": file}).status == 400
    for line in (0, -1, "3", 10**9, True, [3]):
        assert shop.ask("open", method="POST", body={**place, "line": line}).status in (200, 400)
    assert shop.ask("open", method="POST", body={**place, "line": "3; rm"}).status == 400
