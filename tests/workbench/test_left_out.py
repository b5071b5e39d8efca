"""What stands there while its component can't be read."""

from __future__ import annotations

from pathlib import Path

from cardgen.commands.data.new import new_project
from tests.workbench.support import at_rest, bench_of


def test_cards_keep_their_component_while_their_file_is_in_error(tmp_path: Path) -> None:
    project = new_project("owls", tmp_path)
    bench = bench_of(project, "owls")
    before = bench.state
    file = project / "data" / "owls" / "cards.yaml"
    whole = file.read_text(encoding="utf-8")
    for content in (whole.replace("title: Gardener", 'title: "Gardener'), ""):
        file.write_text(content, encoding="utf-8")
        bench.refresh()
        state = at_rest(bench).state
        assert [card.id for card in state.cards] == [card.id for card in before.cards]
        assert {card.face.look for card in state.cards if card.face} == {"stale"}
        assert state.components == before.components
    file.write_text(whole, encoding="utf-8")
    bench.refresh()
    assert at_rest(bench).state.cards == before.cards
    assert bench.state.components == before.components
