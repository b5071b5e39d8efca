"""A test of many cases runs them all, and names those that fail."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.for_each import for_each


def test_each_case_is_run_and_a_single_failure_is_raised_with_its_name() -> None:
    ran: list[tuple[int, str]] = []

    @for_each("number, word", [(1, "a"), (2, "b"), (3, "c")])
    def test(number: int, word: str) -> None:
        ran.append((number, word))
        assert number != 2

    with pytest.raises(AssertionError) as caught:
        test()
    assert ran == [(1, "a"), (2, "b"), (3, "c")]
    assert caught.value.__notes__ == ["This is the case 2-b."]


def test_several_failures_are_raised_together() -> None:
    cases = [pytest.param(1, id="one"), *([0] * 2), [None]]

    @for_each("number", cases)
    def test(number: object) -> None:
        raise ValueError(number)

    with pytest.raises(ExceptionGroup, match="4 of 4 cases fail") as caught:
        test()
    names = [each.__notes__[0].split()[-1] for each in caught.value.exceptions]
    assert names == ["one.", "0_0.", "0_1.", "number3."]


@for_each("doubled", [2, 4], ids=["one", "two"])
@pytest.mark.parametrize("single", [1, 2])
def test_fixtures_and_marks_are_kept(doubled: int, single: int, tmp_path_factory: object) -> None:
    assert doubled in (2, 4)
    assert single in (1, 2)
    assert tmp_path_factory


def test_each_failure_by_pytest_counts() -> None:
    @for_each("number", [1, 2, 3])
    def test(number: int) -> None:
        if number != 2:
            pytest.fail(f"not {number}")

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases fail"):
        test()


def test_a_case_with_a_mark_is_refused() -> None:
    with pytest.raises(TypeError, match="marks"):
        for_each("number", [pytest.param(1, marks=pytest.mark.long)])


@for_each("name", ["a", "b"])
def test_each_case_has_a_folder_of_its_own(name: str, tmp_path: Path) -> None:
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text(name, "utf-8")


@for_each("number, word", lambda: [(1, "one"), (2, "two")])
def test_cases_are_made_when_the_test_runs(number: int, word: str) -> None:
    assert (number, word) in {(1, "one"), (2, "two")}


def test_other_arguments_are_left_for_fixtures() -> None:
    names = list(inspect.signature(test_fixtures_and_marks_are_kept).parameters)
    assert names == ["single", "tmp_path_factory"]
