"""Families of files that grow with n, one or more for each reader of a stranger's bytes.

A family that is refused at its size costs no more at twice the size, so its ratio is about 1.
"""

from __future__ import annotations

import base64
import shutil
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.tables.making import ods, xlsx

from .cases import PROJECT, Case, lay_out, run
from .confined import Commands

REPEATS = 3
GAME = "data/demo/game.yaml"


@dataclass(frozen=True, slots=True)
class Family:
    """Payloads of a role of `cases.ROLES` by n, and the n to begin with."""

    reader: str
    name: str
    role: str
    n: int
    payload: Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds, MB and kB of input of a `check`, beyond those of the plain project."""

    seconds: float
    mb: float
    kb: float


def _table(ending: str, content: bytes) -> dict[str, Any]:
    game = (PROJECT / GAME).read_text("utf-8").replace("cards.yaml", f"cards.{ending}")
    return {GAME: game, f"data/demo/cards.{ending}": {"base64": base64.b64encode(content).decode()}}


def _csv(row: str, n: int, sign: str = ",") -> dict[str, Any]:
    ending = "csv" if sign == "," else "tsv"
    return _table(ending, (f"id{sign}title{sign}value{sign}text\n" + row * n).encode())


def _xlsx(rows: str, *, before: str = "", after: str = "", strings: str = "") -> dict[str, Any]:
    return _table("xlsx", xlsx({"A": f"{before}<sheetData>{rows}</sheetData>{after}"}, strings=strings))


def _ods(n: int) -> dict[str, Any]:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    head = f"<table:table-row>{cell.format('id')}</table:table-row>"
    row = f'<table:table-row table:number-rows-repeated="{n}">{cell.format("a" * 99_000)}</table:table-row>'
    return _table("ods", ods({"A": head + row}))


def _svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>'


def _png(n: int) -> dict[str, Any]:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0))
    raw = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(n), 9)) + chunk(b"IEND", b"")
    template = (PROJECT / "templates/demo/card.svg").read_text("utf-8")
    image = '<image href="a.png" x="10" y="30" width="20" height="20"/></svg>'
    return {
        "templates/demo/card.svg": template.replace("</svg>", image),
        "templates/demo/a.png": {"base64": base64.b64encode(raw).decode()},
    }


_CELL = '<row><c t="inlineStr"><is><t>c</t></is></c><c t="s"><v>0</v></c></row>'
_HEAD = '<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>text</t></is></c></row>'

FAMILIES = (
    Family("YAML", "aliases", "cards", 5_000, lambda n: "cards:\n- &a {id: a}\n" + "- *a\n" * n),
    Family("YAML", "repeated keys", "cards", 5_000, lambda n: "cards: []\n" + "a: 1\n" * n),
    Family("schema", "references", "schema", 2_000, lambda n:
           '{"$defs":{"a":{"type":"string"}},"properties":{'
           + ",".join(f'"k{i}":{{"$ref":"#/$defs/a"}}' for i in range(n)) + "}}"),
    Family("CSV", "cells of faults", "files", 2_000, lambda n: _csv("c,#REF!,1,x\n", n)),
    Family("CSV", "wrong quotes", "files", 4_000, lambda n: _csv('"a"b,t,1,x\n', n)),
    Family("TSV", "wrong quotes", "files", 4_000, lambda n: _csv('"a"b\tt\t1\tx\n', n, "\t")),
    Family("JSON table", "empty values", "files", 4_000, lambda n:
           _table("json", b'{"cards":[' + b",".join([b'{"id":"a","b":null}'] * n) + b"]}")),
    Family("XLSX", "shared text of 99 kB", "files", 5_000, lambda n:
           _xlsx(_HEAD + _CELL * n, strings=f"<si><t>{'a' * 99_000}</t></si>")),
    Family("XLSX", "merged ranges over rows", "files", 4_000, lambda n:
           _xlsx(_HEAD + "<row><c><v>1</v></c><c><v>1</v></c></row>" * n,
                 after="<mergeCells>" + f'<mergeCell ref="B2:B{n}"/>' * n + "</mergeCells>")),
    Family("XLSX", "comment", "files", 4_000_000, lambda n: _xlsx(_HEAD, before=f"<!--{'x' * n}-->")),
    Family("XLSX", "empty elements", "files", 200_000, lambda n:
           _xlsx(_HEAD, before=f"<x>{'<a/>' * n}</x>")),
    Family("ODS", "repeated rows of 99 kB", "files", 10_000, _ods),
    Family("deck list", "unknown names", "deck", 2_000, lambda n:
           "".join(f"1 Nobody {i}\n" for i in range(n))),
    Family("SVG", "use", "icon", 2_000, lambda n:
           _svg('<rect id="a" width="1" height="1"/>' + '<use href="#a"/>' * n)),
    Family("SVG", "corners of a path", "icon", 10_000, lambda n: _svg(f'<path d="M0 0{"l9 9-9 0" * n}"/>')),
    Family("SVG", "rules", "icon", 400, lambda n: _svg(
           "<style>" + "".join(f".c{i}{{fill:red}}" for i in range(n)) + "</style>" + "<g/>" * n)),
    Family("PNG", "zeros", "files", 8_000_000, _png),
    Family("template", "loops", "expression", 100, lambda n: "{% for i in range(9) %}a{% endfor %}" * n),
    Family("expression", "steps", "rule-expression", 500, lambda n: " and ".join(["1 == 1"] * n)),
    Family("Markdown", "stars", "prose", 5_000, lambda n: "*" * n),
    Family("Markdown", "brackets", "prose", 5_000, lambda n: "[" * n),
    Family("Markdown", "quotes", "prose", 2_000, lambda n: ">" * n),
)  # fmt: skip


def cost_of(family: Family, n: int, folder: Path, commands: Commands, repeats: int = REPEATS) -> Cost:
    """Check a family's project of a size several times; return the median."""
    case = Case(family.name, "", family.role, family.payload(n), "check", (), None, None, None)
    lay_out(case, folder)
    outcomes = []
    for _ in range(repeats):
        shutil.rmtree(commands.cache, ignore_errors=True)  # or only the first run would read
        outcomes.append(run(case, folder, commands)[0])
    bad = [each for each in outcomes if each.signal or each.code not in (0, 1)]
    assert not bad, f"{family.reader}, {family.name}, {n}: {bad[0].err[-500:]}"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    seconds, mb = (median(getattr(each, what) for each in outcomes) for what in ("processor_s", "peak_mb"))
    return Cost(seconds, mb, size / 1000)


def plain(folder: Path, commands: Commands) -> Cost:
    """Return the cost of the plain project, which each family has besides."""
    return cost_of(Family("", "plain", "files", 0, lambda _: {}), 0, folder, commands)
