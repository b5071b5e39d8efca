"""Calls of the library from several threads, which take turns: the libraries that draw have one state a
process."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")

_turn = RLock()


def in_turn(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Let only one thread of the process at a time run this function, or another of these."""

    @wraps(function)
    def call(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        with _turn:
            return function(*args, **kwargs)

    return call


def _renew() -> None:
    """Free the turn in a forked process: the thread that had it isn't in this one."""
    global _turn
    _turn = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
