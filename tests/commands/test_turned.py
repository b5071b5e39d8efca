"""A turned card turns its back, which other cards may share: every command says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


def test_a_shared_back_that_is_turned_is_said(
    run: Run, edit: Callable[[str, str, str], Path], wording: Wording
) -> None:
    edit("data/demo/cards.yaml", "id: gardener", "turned: true\n    face: back.svg\n    id: gardener")
    for words in (("check", "demo"), ("build", "demo"), ("export", "demo", "--to", "png")):
        code, out, err = run(*words)
        assert code == 0, out + err
        (said,) = [line for line in (out + err).splitlines() if "[component/turned-back]" in line]
        assert said.startswith("data/demo/cards.yaml:")
        wording(said, "gardener")
        assert "templates/demo/back.svg" in said
