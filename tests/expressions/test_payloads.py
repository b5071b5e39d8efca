"""No expression reaches anything but data: each prints data, or is a finding in a designer's words."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from tests.expressions.payloads import payloads
from tests.expressions.worlds import SECRET, World, worlds
from tests.sampling import one_in

EVERY = 32
"""All 78,000 payloads take over a minute of processor time: `-m long` tries all, other runs one of
32."""
PLACES = pytest.mark.parametrize("place", one_in(3, [0, 1, 2], ["drawings", "prose", "rules"]))

LEAK = re.compile(
    r"0x[0-9a-fA-F]{6,}|<built-in|<class|<function|<bound|<method|<generator|<module|<cardgen|<jinja2|<Macro"
    r"|<TemplateModule|<LoopContext|<Namespace|<Block|<slot|object at|Undefined\b|MissingValue"
    rf"|environ\(|/site-packages/|{SECRET}|{re.escape(str(Path.home()))}\b"
)
PYTHON = re.compile(
    r"Traceback|\bobject\b|instance|positional|keyword arg|subscriptable|unhashable|\biterable\b|NoneType"
    r"|builtin|\bTypeError|\bNameError|\bargument|concatenate|literal|jinja2|markupsafe"
)
QUOTED = re.compile("'[^']*'|“[^”]*”|`[^`]*`")
"""What a message says back of what the author wrote."""


@pytest.fixture
def all_worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[World]:
    monkeypatch.setenv("CARDGEN_SECRET", SECRET)
    return worlds(tmp_path)


@PLACES
def test_payloads(all_worlds: list[World], place: int) -> None:
    assert_harmless(all_worlds[place], EVERY)


@pytest.mark.long
@PLACES
def test_all_payloads(all_worlds: list[World], place: int) -> None:
    assert_harmless(all_worlds[place], 1)


def assert_harmless(world: World, every: int) -> None:
    faults: list[str] = []
    tried = printed = 0
    for payload in islice(payloads(world), 0, None, every):
        tried += 1
        outcome = world.evaluate(payload)  # any other exception than a finding's fails here
        printed += not outcome.code
        said = outcome.message.replace(payload, "")
        leak = LEAK.search(outcome.text) or LEAK.search(said) or PYTHON.search(QUOTED.sub("", said))
        if leak:
            faults.append(f"{payload}: {leak[0]} in {outcome}")
    assert faults == []
    assert tried >= 20_000 // every
    assert printed > tried // 20, "payloads are to be worked out, not only refused"
