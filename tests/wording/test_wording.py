"""The approved wording is that of tests that exist, and another one fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import Finding, Severity
from tests.wording import FOLDER, Approved, Wording, is_there, read

FINDING = Finding(Severity.ERROR, "usage/x", "there is no 'fox'", None, "add it")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_entries_belong_to_tests(path: Path) -> None:
    assert [function for function in read(path.stem) if not is_there(function)] == []


def test_unapproved_words_fail(request: pytest.FixtureRequest) -> None:
    with pytest.raises(pytest.fail.Exception, match="pytest --approve-wording"):
        Wording(Approved(False), request.node, None)(FINDING)


def test_a_missing_value_fails(request: pytest.FixtureRequest) -> None:
    approving = Wording(Approved(True), request.node, None)
    approving(FINDING, "usage/x", "fox", "add it")
    with pytest.raises(AssertionError):
        approving(FINDING, "owl")


def test_only_messages_have_wording(request: pytest.FixtureRequest) -> None:
    with pytest.raises(TypeError):
        Wording(Approved(True), request.node, None)({"fox": 1})
