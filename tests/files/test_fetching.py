"""What is fetched from an address: that alone, from there alone, within its bounds."""

from __future__ import annotations

import ssl
import threading
from dataclasses import replace

import pytest

from cardgen.files.network import (
    MOST_REDIRECTS,
    Address,
    FetchError,
    Way,
    fetch,
    is_public,
    parse_address,
    resolve,
)
from tests.files.serving import WAY, always, answer, serving
from tests.for_each import for_each

MB = 2**20
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def fails(address: str, said: str, *, most: int = MB, seconds: float = 30.0, way: Way = WAY) -> None:
    with pytest.raises(FetchError, match=said):
        fetch(address, most, seconds, way)


def test_a_file_is_fetched() -> None:
    asked: list[str] = []

    def reply(line: str, channel: ssl.SSLSocket) -> None:
        asked.append(line)
        channel.sendall(answer(b"title\nFox\n", "Content-Type: Text/CSV; charset=utf-8"))

    with serving(reply) as port:
        found = fetch(f"https://Sheets.example:{port}/a b".replace(" ", "%20") + "?x=1&y=ü#z", MB, way=WAY)
    assert (found.content, found.media_type) == (b"title\nFox\n", "text/csv")
    assert found.address == f"https://sheets.example:{port}/a%20b?x=1&y=%C3%BC"
    assert asked == ["GET /a%20b?x=1&y=%C3%BC HTTP/1.1"]


@for_each(
    "content",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntitl\r\n2\r\ne\n\r\n0\r\n\r\n",
        CHUNKED + b"0006;a=b;c\r\ntitle\n\r\n000 \r\nA: b\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n6\r\ntitle\n\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\ntitle\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 6, 6\r\nContent-Length: 6 \r\n\r\ntitle\n",
        b"HTTP/1.1 200 OK\r\n\r\ntitle\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ntitle\n",
    ],
)
def test_ways_to_send_it(content: bytes) -> None:
    with serving(always(content)) as port:
        assert fetch(f"https://sheets.example:{port}/", MB, way=WAY).content == b"title\n"


def test_redirects_are_followed_and_each_is_checked() -> None:
    seen: list[tuple[str, int]] = []

    def find(host: str, port: int) -> list[str]:
        seen.append((host, port))
        return ["10.0.0.1"] if host == "inside.example" else ["127.0.0.1"]

    def reply(line: str, channel: ssl.SSLSocket) -> None:
        to = {
            "/": f"//other.example:{port}/next",
            "/next": "last?a",
            "/in": "https://inside.example/",
            "/plain": "http://sheets.example/",
            "/round": "/round",
            "/nowhere": None,
        }.get(line.split()[1], "")
        if to == "":
            channel.sendall(answer(b"title\n"))
        else:
            head = () if to is None else (f"Location: {to}",)
            channel.sendall(answer(b"", *head, status="302 Found"))

    way = replace(WAY, resolve=find, allow=lambda address: address == "127.0.0.1")
    with serving(reply) as port:
        base = f"https://sheets.example:{port}"
        assert fetch(f"{base}/", MB, way=way).address == f"https://other.example:{port}/last?a"
        assert seen == [("sheets.example", port), ("other.example", port), ("other.example", port)]
        fails(f"{base}/in", "inside.example is 10.0.0.1, not a public internet address", way=way)
        fails(f"{base}/plain", "'http://sheets.example/' is not an https address", way=way)
        fails(f"{base}/round", f"redirects more than {MOST_REDIRECTS} times", way=way)
        fails(f"{base}/nowhere", "redirects without an address", way=way)


def test_one_address_within_is_enough_to_refuse_a_name() -> None:
    way = replace(WAY, resolve=lambda host, port: ["8.8.8.8", "192.168.0.1"], allow=is_public)
    fails("https://sheets.example/", r"sheets.example is 192\.168\.0\.1, not a public", way=way)


def test_the_usual_way_reaches_nothing_of_this_machine() -> None:
    asked: list[str] = []
    with serving(lambda line, channel: asked.append(line)) as port:
        for host in ("localhost", "127.0.0.1", "[::1]", "2130706433", "0x7f.1", "0.0.0.0"):
            with pytest.raises(FetchError):
                fetch(f"https://{host}:{port}/", MB)
    assert asked == []


def test_the_name_is_looked_up_once_and_asked_by_its_number() -> None:
    answers = [["127.0.0.1"], ["10.0.0.1"]]
    way = replace(WAY, resolve=lambda host, port: answers.pop(0), allow=lambda each: each == "127.0.0.1")
    with serving(always(answer(b"x"))) as port:
        assert fetch(f"https://sheets.example:{port}/", MB, way=way).content == b"x"
    assert answers == [["10.0.0.1"]]


def test_certificates_hold() -> None:
    with serving(always(answer(b"x"))) as port:
        fails(f"https://elsewhere.example:{port}/", "certificate of elsewhere.example is not valid")
        usual = replace(WAY, context=ssl.create_default_context)
        fails(f"https://sheets.example:{port}/", "certificate of sheets.example is not valid", way=usual)


@for_each(
    ("content", "said"),
    [
        (answer(b"no", status="404 Not Found"), "sheets.example answers 404 Not Found"),
        (answer(b"no", status="206 Partial"), "answers 206 Partial"),
        (answer(b"x" * (MB + 1)), "sheets.example sends more than 1 MB"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (MB + 1), "sheets.example sends more than 1 MB"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
            "closed the connection before its answer was complete",
        ),
        (CHUNKED + b"9\r\nx", "closed the connection before its answer was complete"),
        (answer(b"x", "Content-Encoding: gzip"), "sends the file compressed"),
        (b"SSH-2.0\r\n\r\n", "doesn't answer like a web server"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 20_000 + b"\r\n", "doesn't answer like a web server"),
        (b"", "doesn't answer like a web server|can't be reached"),
    ],
)
def test_what_is_refused(content: bytes, said: str) -> None:
    with serving(always(content)) as port:
        fails(f"https://sheets.example:{port}/", said)


@for_each(
    "content",
    [
        *(
            CHUNKED + size + b"\r\nhello\r\n0\r\n\r\n"
            for size in (b"-5", b"-0", b"+5", b"0x5", b" 5", b"0_5", b"zz", b"", b"5 5", b"f" * 21)
        ),
        CHUNKED + b"5\nhello\r\n0\r\n\r\n",
        CHUNKED + b"5\r\nhello5\r\nhello\r\n0\r\n\r\n",
        CHUNKED + b"5;" + b"a" * 100_000 + b"\r\nhello\r\n0\r\n\r\n",
        *(
            b"HTTP/1.1 200 OK\r\nContent-Length: " + length + b"\r\n\r\nhello"
            for length in (b"-5", b"+5", b"x", b"", b"0x5", b"5_0", b"5, 6", b"1" + b"0" * 30, b"\xb2")
        ),
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 4\r\n\r\nhello",
        *(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            for coding in (b"gzip", b"gzip, chunked", b"identity", b"chunked, chunked", b"xchunked", b"")
        ),
        CHUNKED[:-2] + b"Content-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000,
    ],
)
def test_a_framing_that_is_wrong_is_not_guessed(content: bytes) -> None:
    with serving(always(content)) as port:
        fails(f"https://sheets.example:{port}/", "doesn't answer like a web server")


@for_each(
    "content",
    [
        CHUNKED,
        CHUNKED + b"5\r\nhell",
        CHUNKED + b"5\r\nhello\r\n",
        CHUNKED + b"5\r\nhello\r\n0\r\nA: b\r\n",
    ],
)
def test_an_answer_that_is_cut_off_is_not_taken(content: bytes) -> None:
    with serving(always(content)) as port:
        fails(f"https://sheets.example:{port}/", "closed the connection before its answer was complete")


@pytest.mark.parametrize(
    ("start", "endless"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (CHUNKED + b"0\r\n", b"A: b\r\n"),
        (CHUNKED, b"1;" + b"a" * 100 + b"\r\nx\r\n"),
    ],
)
def test_what_is_no_content_is_bounded_in_bytes(
    start: bytes, endless: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 50_000
    monkeypatch.setattr("cardgen.files.network.MOST_FRAMING", most)
    whole = start + endless * (3 * most // len(endless) + 1) + b"\r\n"
    with serving(always(whole)) as port:
        said = "has more framing than content|doesn't answer like a web server"
        fails(f"https://sheets.example:{port}/", said, most=most)


def test_the_reason_of_a_status_is_cut() -> None:
    with serving(always(b"HTTP/1.1 404 " + b"a" * 60_000 + b"\r\n\r\n")) as port:
        fails(f"https://sheets.example:{port}/", "answers 404 a{100}$")


@for_each("start", [b"", b"HTTP/1.1 200 OK\r\nA: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_who_is_slow_is_not_waited_for(start: bytes) -> None:
    """Neither for ever nor a little longer with each byte."""
    done = threading.Event()

    def drip(line: str, channel: ssl.SSLSocket) -> None:
        channel.sendall(start)
        while not done.wait(0.05):
            channel.sendall(b"x")

    with serving(drip) as port:
        fails(f"https://sheets.example:{port}/", "the answer took more than 0.5 seconds", seconds=0.5)
    done.set()


def test_a_name_that_is_looked_up_for_ever() -> None:
    done = threading.Event()

    def never(host: str, port: int) -> list[str]:
        done.wait(30)
        return []

    fails(
        "https://sheets.example/",
        "the answer took more than 0.1 seconds",
        seconds=0.1,
        way=replace(WAY, resolve=never),
    )
    done.set()


def test_names_that_nobody_has() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise OSError(-2, "Name or service not known")

    fails("https://sheets.example/", "is unknown: Name or service", way=replace(WAY, resolve=unknown))
    fails("https://sheets.example/", "can't be reached", way=replace(WAY, resolve=lambda host, port: []))
    assert resolve("127.0.0.1", 443) == ["127.0.0.1"]


def test_nobody_listens() -> None:
    with serving(always(b"")) as port:
        pass
    fails(f"https://sheets.example:{port}/", "sheets.example can't be reached", seconds=5)


@for_each(
    ("text", "expected"),
    [
        ("https://a.example", Address("a.example", 443, "/")),
        ("https://A.example./x?y#z", Address("a.example", 443, "/x?y")),
        ("https://bücher.example/ä", Address("xn--bcher-kva.example", 443, "/%C3%A4")),
        ("https://[2001:DB8::1]:8443/", Address("2001:db8::1", 8443, "/")),
    ],
)
def test_addresses(text: str, expected: Address) -> None:
    assert parse_address(text) == expected
    assert parse_address(str(expected)) == expected


@for_each(
    "text",
    [
        "http://a.example/", "ftp://a.example/", "//a.example/", "a.example", "https:///x", "https://",
        "https://a.example:x/", "https://a.example:99999/", "https://a.example:0/", "https://u:p@a.example/",
        "https://a.example/a b", "https://a.example/\r\nX: y", "https://a.example/" + "x" * 2000,
        "https://[fe80::1%eth0]/", "https://a%2fb.example/", "https://" + "a" * 70 + ".example/", "file:///x",
    ],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(FetchError):
        parse_address(text)


@for_each(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2606:4700::1111", True), ("::ffff:8.8.8.8", True), ("64:ff9b::808:808", True),
        ("127.0.0.1", False), ("10.1.2.3", False), ("172.16.0.1", False), ("192.168.1.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False),
        ("255.255.255.255", False), ("240.0.0.1", False), ("198.18.0.1", False), ("192.0.2.1", False),
        ("::1", False), ("::", False), ("fe80::1", False), ("fe80::1%eth0", False), ("fc00::1", False),
        ("ff02::1", False), ("2001:db8::1", False), ("::ffff:127.0.0.1", False), ("::ffff:10.0.0.1", False),
        ("fec0::1", False), ("192.88.99.1", False), ("3fff::1", False), ("3fff:fff::1", False),
        ("192.0.0.8", False), ("192.0.0.9", False), ("192.0.0.170", False), ("192.31.196.1", False),
        ("192.52.193.1", False), ("192.175.48.1", False), ("2620:4f:8000::1", False), ("2001::1", False),
        ("2001:1::1", False), ("2001:2::1", False), ("2001:3::1", False), ("2001:4:112::1", False),
        ("2001:10::1", False), ("2001:20::1", False), ("2001:30::1", False), ("5f00::1", False),
        ("100::1", False), ("100:0:0:1::1", False), ("4000::1", False), ("::7f00:1", False),
        ("::8.8.8.8", False), ("64:ff9b:1::808:808", False), ("::ffff:0:808:808", False),
        ("64:ff9b::c058:6301", False), ("::ffff:192.88.99.1", False), ("2002:808:808::1", False),
        ("198.51.100.1", False), ("203.0.113.1", False), ("172.31.255.255", False), ("172.32.0.1", True),
        ("192.0.1.1", True), ("2001:200::1", True), ("2a00:1450::1", True), ("3ffe::1", True),
        ("64:ff9b::a00:1", False), ("2002:7f00:1::", False), ("2002:a00:1::", False), ("x", False),
    ],
)  # fmt: skip
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public
