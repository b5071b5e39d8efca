"""CSV files edited in their place: the cells that were meant change, and no character besides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.files.table_reading import read_table
from cardgen.files.table_sheets import UneditedError, edited_table, encoded
from cardgen.files.tables import Table

COLUMNS = ("title", "cost", "text")
words = st.text("ab1 ,;\t\"'=+-\n#é", max_size=6).map(str.strip)
cells = words.map(lambda word: word or None)


def table_of(text: str) -> Table:
    findings = Findings()
    found = read_table(text.encode(), "deck.csv", None, findings)
    assert found is not None
    assert not findings.items
    return found


def quoted(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', '""') + '"'


def plain(text: str | None) -> str | None:
    """A cell's text as it is read: without the mark before what looks like a formula."""
    if text and text[0] == "'" and text[1:2] in ("=", "+", "-", "@", "\t", "'"):
        text = text[1:].strip()
    return text or None


@given(
    st.lists(st.tuples(words.map(lambda word: f"x{word}"), cells, cells), min_size=2, max_size=5),
    st.sampled_from((",", ";", "\t")),
    st.sampled_from(("\n", "\r\n")),
    st.booleans(),
    st.data(),
)
def test_cells_change_and_nothing_else(
    rows: list[tuple[str | None, ...]], sign: str, newline: str, ends: bool, data: st.DataObject
) -> None:
    lines = [sign.join(COLUMNS), *(sign.join(map(quoted, row)) for row in rows)]
    text = newline.join(lines) + newline * ends
    table = table_of(text)
    index = data.draw(st.integers(0, len(rows) - 1))
    at = data.draw(st.integers(1, 2))
    value = data.draw(cells)
    gone = data.draw(st.integers(0, len(rows) - 1).filter(lambda other: other != index))
    new = {0: "new", at: "=1+1"}
    again = edited_table(table, [(table.rows[index], {at: value})], [table.rows[gone]], [new])
    wanted = [[plain(cell) for cell in row] for row in rows]
    wanted[index][at] = value
    del wanted[gone]
    read = [list(row.cells) for row in table_of(again).rows]
    assert read[:-1] == wanted
    assert read[-1][0] == "new"
    assert read[-1][at] == "=1+1"
    kept = [line for number, line in enumerate(lines) if number not in (index + 1, gone + 1)]
    assert all(line in again for line in kept)


def test_comments_short_rows_and_columns_without_a_name_stay() -> None:
    table = table_of("title,cost,# why\n# later,1,x\nFox\nOwl,2,dear\n")
    fox, owl = table.rows
    assert edited_table(table, [(fox, {1: 3}), (owl, {1: None})], [], []) == (
        "title,cost,# why\n# later,1,x\nFox,3\nOwl,,dear\n"
    )


def test_a_table_that_does_not_begin_at_the_left_is_refused() -> None:
    table = table_of(",title\n,Fox\n")
    with pytest.raises(UneditedError, match="first column"):
        edited_table(table, [(table.rows[0], {0: "Owl"})], [], [])


def test_bytes_are_as_they_were() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        raw = "title\nÉlan\n".encode(encoding)
        assert encoded("title\nÉlan\n", raw) == raw
    with pytest.raises(UneditedError, match="UTF-8"):
        encoded("x", "É".encode("cp1252"))
