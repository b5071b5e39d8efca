"""Forms, and the interface that they are sent to."""

from __future__ import annotations

import json
import ssl

import pytest

from cardgen.exports.exporters import SERVICE
from cardgen.files.network import (
    ADDRESS,
    FAMILIES,
    MOST_ANSWER,
    Access,
    Crafter,
    CrafterError,
    FetchError,
    Way,
    send,
)
from tests.files.crafting import SECRETS, crafting
from tests.files.serving import WAY, always, answer, here, serving, trusting
from tests.for_each import for_each
from tests.shipped import ROOT
from tests.wording import Wording

WHO = Access(*SECRETS.values())


def test_fields_and_a_file_arrive_as_they_are() -> None:
    odd = {"name": 'Füchse "&" Co', "text": "two\r\nlines\r\n--x--", 'q"': "", "n": "1"}
    content = bytes(range(256)) * 300
    with crafting() as service:
        send("POST", f"{service.address}/thing", odd, ('a"b.png', content), way=WAY)
        send("GET", f"{service.address}/thing", {"a b": "ü&="}, way=WAY)
    (_, _, fields, file), (_, _, asked, _) = service.asked
    assert file == content
    assert {name.replace("%22", '"'): value for name, value in fields.items()} == odd
    assert asked == {"a b": "ü&="}


def test_a_form_goes_to_nobody_else(wording: Wording) -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: https://other.example/\r\nContent-Length: 0\r\n\r\n"
    with serving(always(moved)) as port:
        assert send("GET", f"https://sheets.example:{port}/", {}, way=WAY).status == 302
    inside = Way(here, context=trusting)
    with pytest.raises(FetchError) as caught:
        send("POST", "https://sheets.example:1/", SECRETS, way=inside)
    wording(caught.value)


@for_each(
    "content",
    [
        answer(b"x" * (MOST_ANSWER + 1)),
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
    ],
)
def test_answers_that_are_none(content: bytes, wording: Wording) -> None:
    with serving(always(content)) as port, pytest.raises(FetchError) as caught:
        send("GET", f"https://sheets.example:{port}/", {}, way=WAY)
    wording(caught.value)


def test_an_answer_that_does_not_come() -> None:
    def wait(line: str, channel: ssl.SSLSocket) -> None:
        channel.recv(1)

    with serving(wait) as port, pytest.raises(FetchError, match=r"more than 0\.1 seconds"):
        send("POST", f"https://sheets.example:{port}/", {"a": "b"}, seconds=0.1, way=WAY)


def test_one_signs_in_and_out() -> None:
    with crafting() as service:
        with Crafter(WHO, address=service.address, way=WAY, pause=0) as crafter:
            assert crafter.make("deck", {"name": "Cards"}) == "deck-1"
            assert crafter.root_folder == "F-0"
        assert service.asked[0] == (
            "POST",
            "session",
            {"api_key_id": "KEY-1234", "username": "fox@example.com", "password": "hunter 2"},
            None,
        )
        assert service.asked[1] == ("POST", "deck", {"name": "Cards", "session_id": "S-1"}, None)
        assert service.asked[-1][:2] == ("DELETE", "session/S-1")


def test_a_session_that_was_brought_stays() -> None:
    with crafting() as service:
        with Crafter(Access(session="S-9"), address=service.address, way=WAY, pause=0) as crafter:
            assert crafter.designers == {"D-1": "Fox Games"}
        assert service.asked[0][:2] == ("GET", "session/S-9")
        assert service.paths("DELETE") == []


def test_nothing_secret_is_said(wording: Wording) -> None:
    with crafting() as service:
        service.refuse["POST", "session", 1] = (401, "no KEY-1234 of fox@example.com with hunter 2")
        with pytest.raises(CrafterError) as told, Crafter(WHO, address=service.address, way=WAY, pause=0):
            pass
    assert str(told.value) == "answers 401: no … of … with …"
    wording(told.value)
    assert not any(secret in repr(WHO) for secret in SECRETS.values())


@for_each(
    "content",
    [
        answer(b"<html>"),
        answer(b'{"result": []}'),
        answer(json.dumps({"result": {"id": "../user", "user_id": "U"}}).encode()),
        answer(b"{}", status="503 Busy"),
    ],
)
def test_answers_that_it_would_not_give(content: bytes, wording: Wording) -> None:
    with (
        serving(always(content)) as port,
        pytest.raises(CrafterError) as caught,
        Crafter(WHO, address=f"https://sheets.example:{port}/api", way=WAY, pause=0),
    ):
        pass
    wording(caught.value)


def test_the_address_is_the_vendors_and_families_are_what_files_may_name() -> None:
    assert ADDRESS == "https://www.thegamecrafter.com/api"
    schema = json.loads((ROOT / "schemas/service.schema.json").read_text("utf-8"))
    assert set(schema["$defs"]["product"]["properties"]["api"]["enum"]) == set(FAMILIES)
    assert {"upload", "dry-run"} <= set(SERVICE.options)
