"""The meter of a table: what each family of large tables is charged, and where it is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from cardgen.core.findings import Findings
from cardgen.files import table_grid as delimited
from cardgen.files import table_grid as grids
from cardgen.files import table_grid as json_lists
from cardgen.files import table_reading as reading
from cardgen.files import tables as meter
from cardgen.files import workbooks as archive
from cardgen.files.table_grid import Grid
from cardgen.files.table_texts import rich_text
from cardgen.files.tables import Bound, Meter, Rich
from cardgen.game.columns import Shapes
from cardgen.game.spreadsheets import Recording, id_of, read_records
from tests.files.making import ods, rows, xlsx
from tests.for_each import for_each

LONG = 99_000
LIST = {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
ONE = (
    '<table:table-cell table:number-columns-repeated="{}" office:value-type="string"{}>{}'
    "</table:table-cell>"
)


def shared(n: int, text: str, *, column: str = "B") -> bytes:
    """A workbook of `n` cells with one shared text."""
    content = rows(("id", "text"))
    content += "".join(
        f'<row r="{at}"><c r="{column}{at}" t="s"><v>0</v></c></row>' for at in range(2, n + 2)
    )
    return xlsx({"A": content}, strings=f"<si>{text}</si>")


def repeated(rows: int, columns: int, text: str, attributes: str = "") -> bytes:
    head = f"<table:table-row>{ONE.format(1, '', '<text:p>id</text:p>')}</table:table-row>"
    cell = ONE.format(columns, attributes, text)
    return ods(
        {"A": f'{head}<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'}
    )


def merged(n: int) -> bytes:
    content = "<sheetData>" + rows(("a", "b"), ("x", "y"), *(("x",) for _ in range(n))) + "</sheetData>"
    ranges = f'<mergeCell ref="B2:B{n + 2}"/>' * 10
    return xlsx({"A": f"{content}<mergeCells>{ranges}</mergeCells>"})


def markup(inside: str) -> bytes:
    return xlsx({"A": f"{inside}<sheetData>{rows(('a',), ('x',))}</sheetData>"})


def quotes(n: int, sign: str = ",") -> bytes:
    return (f"a{sign}b\n" + f'"a"b{sign}1\n' * n).encode()


def spent(raw: bytes, name: str, monkeypatch: pytest.MonkeyPatch) -> Counter[Bound]:
    """Read a table; return what it was charged for."""
    used: Counter[Bound] = Counter()

    def charge(_: Meter, bound: Bound, amount: int = 1) -> None:
        used[bound] += amount

    monkeypatch.setattr(Meter, "charge", charge)
    reading.read_table(raw, name, None, Findings())
    return used


def codes(raw: bytes, name: str) -> list[str]:
    findings = Findings()
    reading.read_table(raw, name, None, findings)
    return [each.code for each in findings]


@pytest.mark.parametrize(
    ("bound", "name", "family", "n"),
    [
        (meter.CHARACTERS, "a.xlsx", lambda n: shared(n, f"<t>{'a' * LONG}</t>"), 50),
        (meter.CHARACTERS, "a.xlsx", lambda n: shared(n, f"<t xml:space='preserve'> {'a' * LONG}</t>"), 50),
        (meter.CHARACTERS, "a.xlsx", lambda n: shared(n, f"<r><rPr><b/></rPr><t>{'a' * LONG}</t></r>"), 25),
        (meter.CHARACTERS, "a.ods", lambda n: repeated(n, 1, f"<text:p>{'a' * LONG}</text:p>"), 50),
        (meter.CHARACTERS, "a.csv", lambda n: b"a\n" + (b"x" * LONG + b"\n") * n, 20),
        (meter.CHARACTERS, "a.tsv", lambda n: b"a\n" + (b"x" * LONG + b"\n") * n, 20),
        (meter.CHARACTERS, "a.json", lambda n: json.dumps([{"a": "x" * LONG}] * n).encode(), 20),
        (meter.SEEN, "a.ods", lambda n: repeated(n, 1, "", ' office:string-value=" "'), 5_000),
        (meter.SEEN, "a.csv", lambda n: b"a,b\n1,2\n" + b",\n" * n, 5_000),
        (meter.SEEN, "a.json", lambda n: json.dumps([{"a": 1, "b": None}] * n).encode(), 5_000),
        (meter.MERGED, "a.xlsx", merged, 2_000),
        (meter.ELEMENTS, "a.xlsx", lambda n: markup("<a/>" * n), 20_000),
        (meter.UNPACKED, "a.xlsx", lambda n: markup(f"<x>{'a' * n}</x>"), 1_000_000),
        (meter.FINDINGS, "a.csv", quotes, 100),
        (meter.FINDINGS, "a.tsv", lambda n: quotes(n, "\t"), 100),
    ],
)  # fmt: skip
def test_twice_as_much_costs_twice(
    bound: Bound, name: str, family: Callable[[int], bytes], n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (spent(family(each), name, monkeypatch)[bound] for each in (n, 2 * n))
    assert 1.9 < two / one < 2.01
    assert one >= n


@pytest.mark.parametrize(
    ("bound", "name", "raw"),
    [
        ("CHARACTERS", "a.xlsx", shared(2, f"<t>{'a' * LONG}</t>")),
        ("CHARACTERS", "a.xlsx", shared(1, f"<r><rPr><b/></rPr><t>{'a' * LONG}</t></r>")),
        ("CHARACTERS", "a.ods", repeated(20_000, 10, f"<text:p>{'a' * LONG}</text:p>")),
        ("CHARACTERS", "a.json", json.dumps([{"a": "x" * LONG}] * 2).encode()),
        ("CHARACTERS", "a.csv", b"a\n" + (b"x" * LONG + b"\n") * 2),
        ("SEEN", "a.ods", repeated(99_999_999, 1, "", ' office:string-value=" "')),
        ("SEEN", "a.csv", ",".join(f"k{i}" for i in range(500)).encode() + b"\nx" * 41),
        ("CELLS", "a.ods", repeated(6_000, 1, "<text:p>x</text:p>")),
        ("TOKEN", "a.xlsx", markup(f"<!--{'x' * 600_000}-->")),
        ("TOKEN", "a.xlsx", markup(f'<x a="{"x" * 600_000}"/>')),
        ("TOKEN", "a.xlsx", markup(f"<{'x' * 600_000}/>")),
        ("TOKEN", "a.xlsx", markup(f"<?a {'x' * 600_000}?>")),
        ("ELEMENTS", "a.xlsx", markup("<x>" + "<a/>" * 25_001 + "</x>")),
        ("PART", "a.xlsx", markup("<x>" + " " * 600_000 + "</x>")),
        ("MERGED", "a.xlsx", merged(510)),
        ("MERGES", "a.xlsx", markup("<mergeCells>" + '<mergeCell ref="A1:A2"/>' * 201 + "</mergeCells>")),
        ("FINDINGS", "a.csv", quotes(11)),
        ("COLUMNS", "a.json", json.dumps([{f"k{i}": None for i in range(6)}]).encode()),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)  # fmt: skip
def test_a_table_over_a_bound_is_refused(
    bound: str, name: str, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundredth of each bound will do."""
    whole = getattr(meter, bound)
    for module in (archive, grids, delimited, json_lists):
        if hasattr(module, bound):
            monkeypatch.setattr(module, bound, replace(whole, most=whole.most // 100))
    findings = Findings()
    assert reading.read_table(raw, name, None, findings) is None
    assert findings.items[-1].code == "tables/size"
    words = whole.message.split("{most}")[-1].split("{mb}")[-1]
    assert findings.items[-1].message.endswith(words)


def test_a_token_of_text_may_be_long() -> None:
    assert codes(markup(f"<x><![CDATA[{'x' * 2_000_000}]]></x>"), "a.xlsx") == []


@for_each(
    "text", ["<t> padded</t>", "<t>a_x000D_b</t>", "<r><rPr><b/></rPr><t>bold</t></r><r><t> x</t></r>"]
)
def test_a_shared_text_is_made_once(text: str) -> None:
    table = reading.read_table(shared(3, text), "a.xlsx", None, Findings())
    assert table is not None
    first, second, third = (row.cells[1] for row in table.rows)
    assert first is second is third is not None


def test_the_lines_of_a_text_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    class Counted:
        def finditer(self, text: str) -> list[object]:
            searched.append(len(text))
            return []

    monkeypatch.setattr("cardgen.files.tables._BREAK", Counted())
    reading.read_table(quotes(500), "a.csv", None, Findings())
    reading.read_rows(b"3,Fox\n" * 500, "a.csv", Findings())
    reading.read_table(b"a\n" + b"1,2,3,4,5\n" * 50, "a.csv", None, Findings())
    assert len(searched) == 3


def test_merged_cells_that_overlap_are_filled_by_the_first() -> None:
    grid = Grid("a", rows={1: {0: "a", 1: "b"}, 2: {0: "x", 1: "y"}, 3: {0: "x"}, 4: {0: "x"}})
    for first, last in ((2, 3), (3, 4)):
        grid.merge(first, 1, last, 1)
    found = [row.cells[-1] for row, _ in grids.rows_of(grid)]
    assert found == ["b", "y", "y", "y"]


def test_runs_of_text_are_joined_once_however_many_they_are() -> None:
    bold, both = frozenset(("bold",)), frozenset(("bold", "italic"))
    assert rich_text([("a", frozenset())] * 1_000) == "a" * 1_000
    assert rich_text([("a", bold), ("b", both)] * 2) == Rich("abab", "**abab**")


# ---- as records


def recorded(raw: bytes, schema: object, name: str = "a.csv") -> tuple[list[object] | None, Findings]:
    findings = Findings()
    how = Recording(Shapes({}), [schema] if schema else [], schemed=bool(schema))
    document = read_records(raw, name, (None,), None, how, findings)
    return None if document is None else document.records, findings


@pytest.mark.long
def test_items_of_lists_are_bounded() -> None:
    few, _ = recorded(b"id,tags\nx," + b"a;" * 1_000 + b"\n", LIST)
    assert few == [{"id": "x", "tags": ["a"] * 1_000}]
    raw = b"id,tags\n" + (b"x," + b"a;" * 45_000 + b"\n") * 12
    none, findings = recorded(raw, LIST)
    assert none is None
    assert [each.code for each in findings] == ["tables/size"]
    assert str(meter.ITEMS.exceeded()) in findings.items[0].message


def test_faults_of_cells_are_bounded() -> None:
    none, findings = recorded(b"id,text\n" + b"x,#REF!\n" * (meter.FINDINGS.most + 5), None)
    assert none is None
    found = [each.code for each in findings]
    assert found == ["tables/formula"] * meter.FINDINGS.most + ["tables/size"]


def test_equal_titles_do_not_count_from_one_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Watched(set[str]):
        def __contains__(self, id: object) -> bool:
            asked.append(str(id))
            return super().__contains__(id)

    monkeypatch.setattr("cardgen.game.spreadsheets.set", Watched, raising=False)
    found, _ = recorded(b"title\n" + b"Fox\n" * 500 + b"Fox-2\n", None)
    assert found is not None
    ids = [record["id"] for record in found]  # type: ignore[index]
    assert ids[:3] == ["fox", "fox-2", "fox-3"]
    assert ids[-1] == "fox-2-2"
    assert len(set(ids)) == 501
    assert len(asked) < 1_100 or not asked


def test_an_id_is_made_from_the_start_of_a_title() -> None:
    assert id_of("The Fox " * 20_000) == id_of("The Fox " * 30)
