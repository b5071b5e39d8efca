"""Values that somebody would not write, and somebody else would."""

from __future__ import annotations

import datetime
from random import Random
from typing import Any

TEXTS: tuple[str, ...] = (
    "",
    " ",
    "\n",
    "\t\n\t",
    "0",
    "-1",
    "null",
    "true",
    "1e999",
    "0x10",
    "٣",
    "½",
    "x" * 3000,
    "long word " * 300,
    "\u200b",
    "\u202eabc\u202c",
    "é" + "\u0301" * 60,
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "\ufeff",
    "\ue000\U0010ffff",
    "שלום עולם",
    "தமிழ்",
    "<b>&amp;</b>",
    "]]>",
    "<!--",
    "{{",
    "{{ card }}",
    "{% raw %}",
    "${x}",
    "%s%n%d",
    "{0.__class__}",
    "__class__",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "a/b/../c",
    "C:\\con",
    "https://example.org/",
    "data:text/plain,x",
    "url(#a)",
    "#",
    "#fff",
    "rgb(1,2",
    "5mm",
    "-5mm",
    "0in",
    "1e9mm",
    ":coin:",
    ":nothing:",
    "**",
    "- a\n  - b",
    "[](card:cards/first)",
    "(a+)+$",
    "[",
    "\\",
    "'",
    '"',
)
NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 255, 256, 65536, 2**31, 2**63, -(2**63), 10**30),
    *(0.5, -0.0, 1e-9, 1e9, 1e308, -1e308, float("inf"), float("-inf"), float("nan")),
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    datetime.date(2001, 2, 3),
    b"\x00\xff",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {None: 1},
    {1: 1, "1": 2},
    [[[[[[[[]]]]]]]],
    {"a": {"a": {"a": {"a": {}}}}},
    list(range(50)),
)


def text(random: Random) -> str:
    return random.choice(TEXTS)


def value(random: Random) -> Any:
    """An odd value of any kind."""
    return random.choice(random.choice((TEXTS, NUMBERS, VALUES)))


def number(random: Random, near: float) -> Any:
    """A number that is odd, or odd beside another one."""
    if random.random() < 0.4:
        return random.choice(NUMBERS)
    factor = random.choice((-1, 0, 0.5, 2, 10, 1000, 1e6, 1e-6))
    try:
        return near * factor if isinstance(near, float) or factor % 1 else near * int(factor)
    except OverflowError:
        return 0
