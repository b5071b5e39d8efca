"""One test of many cases: it runs all of them, and names those that fail.

If cases need nothing of their own, an item of pytest for each takes longer than the case itself.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]
Ids = Iterable[str] | Callable[[Any], Any] | None


def for_each(
    names: str | Sequence[str], cases: Iterable[Any] | Callable[[], Iterable[Any]], ids: Ids = None
) -> Callable[[Test], Test]:
    """Run a test with each case, as `pytest.mark.parametrize` does, but as one test.

    Give a function that makes the cases if that takes long: it is called when the test runs.
    Use `parametrize` if a case leaves something behind that another would find. With `tmp_path`, each case
    has a folder of its own; `wording` compares each with its own text.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    known = [] if callable(cases) else list(cases)
    if any(_is_param(case) and case.marks for case in known):
        raise TypeError("a case with marks needs pytest.mark.parametrize")

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @wraps(test)
        def run(**given: Any) -> None:
            listed = list(cases()) if callable(cases) else known
            values = [_values(case, len(arguments)) for case in listed]
            labels = _labels(listed, values, arguments, ids)
            failures: list[BaseException] = []
            folder = given.get("tmp_path")
            for index, (label, case) in enumerate(zip(labels, values, strict=True)):
                if folder is not None:
                    given["tmp_path"] = folder / str(index)
                    given["tmp_path"].mkdir()
                if "wording" in given:
                    given["wording"].start(label, given.get("tmp_path"))
                try:
                    test(**dict(zip(arguments, case, strict=True)), **given)
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"This is the case {label}.")
                    failures.append(failure)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(values)} cases fail", failures)

        others = [each for name, each in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate


def _is_param(case: Any) -> bool:
    return type(case).__name__ == "ParameterSet"  # of `pytest.param`


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if _is_param(case):
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)


def _labels(listed: list[Any], values: list[tuple[Any, ...]], arguments: list[str], ids: Ids) -> list[str]:
    """Name each case as pytest does, so that its wording is found."""
    names = []
    for index, case in enumerate(listed):
        if _is_param(case) and case.id is not None:
            names.append(str(case.id))
        elif ids is not None and not callable(ids):
            names.append(str(list(ids)[index]))
        else:
            shown = zip(values[index], arguments, strict=True)
            names.append("-".join(_shown(value, name, index, ids) for value, name in shown))
    total, seen = Counter(names), Counter[str]()
    for index, name in enumerate(names):
        if total[name] > 1:
            names[index] = f"{name}{'_' if name[-1:].isdigit() else ''}{seen[name]}"
            seen[name] += 1
    return names


def _shown(value: Any, name: str, index: int, ids: Ids) -> str:
    chosen = ids(value) if callable(ids) else None
    value = value if chosen is None else chosen
    if isinstance(value, bytes):
        return repr(value)[2:-1] if len(value) <= 40 else name
    if isinstance(value, str) and len(value) <= 100:
        return value.encode("unicode_escape").decode("ascii")
    if isinstance(value, bool | int | float | complex) or value is None:
        return str(value)
    own = getattr(value, "__name__", None)
    return own if isinstance(own, str) else f"{name}{index}"
