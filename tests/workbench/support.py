"""Benches at rest, and what is to be seen of them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import cardgen
from cardgen.workbench.bench import Bench
from cardgen.workbench.states import CardState, FindingState

WIDTH = 90


def bench_of(project: Path, game: str = "demo", **options: Any) -> Bench:
    """A bench that has done all there is to do."""
    bench = Bench(cardgen.Project.open(project), game, **options)
    bench.refresh()
    return at_rest(bench)


def at_rest(bench: Bench) -> Bench:
    """The same bench, when all its sides were laid out."""
    for _ in range(1000):
        if bench.is_idle:
            return bench
        bench.idle(1.0)
    raise AssertionError("the bench finds no rest")


def seen(bench: Bench, *, pictures: bool = True) -> dict[str, Any]:
    """All that is to be seen: the state without its number, and the pictures by their keys."""
    plain = asdict(bench.state)
    del plain["epoch"]
    keys = {side.key for card in bench.state.cards for side in (card.face, card.back) if side and side.key}
    plain["pictures"] = {key: bench.picture(key, WIDTH) for key in sorted(keys)} if pictures else {}
    return plain


def card(bench: Bench, id: str) -> CardState:
    """The card of that id."""
    [found] = [each for each in bench.state.cards if each.id == id]
    return found


def finding(bench: Bench, code: str) -> FindingState:
    """The one finding of that code."""
    [found] = [each for each in bench.state.findings if each.code == code]
    return found
