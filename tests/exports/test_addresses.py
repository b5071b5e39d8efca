"""Addresses that saves refer to their files by."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest

from cardgen.core.findings import UsageError
from cardgen.core.sheets import LEAST_INK, MOST_INK
from cardgen.exports.exporters import OPTIONS, local_address, settle, web_address
from tests.for_each import for_each


@for_each(
    ("path", "address"),
    [
        (PureWindowsPath("C:\\Users\\Ann Lee\\out\\x.png"), "file:///C:/Users/Ann Lee/out/x.png"),
        (PureWindowsPath("\\\\server\\share\\x.png"), "file:////server/share/x.png"),
        (PurePosixPath("/home/ann/my games/schöner/x.png"), "file:///home/ann/my games/schöner/x.png"),
    ],
)
def test_files_here_are_named_letter_by_letter(path: PurePath, address: str) -> None:
    assert local_address(path) == address


@for_each(
    ("text", "address"),
    [
        ("https://example.com", "https://example.com"),
        ("https://example.com/a/", "https://example.com/a"),
        ("http://example.com:8080/a%20b", "http://example.com:8080/a%20b"),
        ("https://example.com/schön", "https://example.com/sch%C3%B6n"),
    ],
)
def test_addresses_on_the_web(text: str, address: str) -> None:
    assert web_address(text) == address


@for_each(
    "url",
    [
        "ftp://x.org/a",
        "example.com",
        "https://",
        "https://x.org/a?b=1",
        "https://x.org/#a",
        "http://[x",
        "https://x y.org",
    ],
)
def test_a_wrong_address_is_refused_before_anything_is_read(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        settle("tts", {"base-url": url})
    assert refused.value.findings[0].code == "usage/base-url"


def test_the_ink_limit_has_the_bounds_of_presses() -> None:
    assert (OPTIONS["ink-limit"].least, OPTIONS["ink-limit"].most) == (LEAST_INK, MOST_INK)
