"""Families of files that grow with n, one or more for each reader of a stranger's bytes.

A family that is refused at its size costs no more at twice the size, so its ratio is about 1.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.files.making import ods, xlsx

from . import growing_files as grown
from .cases import COMMANDS, PROJECT, Case, lay_out
from .confined import Commands

GAME = "data/demo/game.yaml"
TEMPLATE = "templates/demo/card.svg"
CHECK = COMMANDS["check"]
DECK = (*CHECK, "--deck", "deck.txt")
PRESS = ("build", "demo", "--quiet", "--inks", "cmyk", "--profile", "shop.icc")
NEW = ("new", "made", "--from", "table.csv")
ADD_FONT = ("font", "add", "own.ttf", "--family", "Mine")
INTO = ("export", "demo", "--to", "tts", "--quiet", "--into", "table.json")
DIFF = ("diff", "demo")
READ_ANSWER = ("read", "tests.hostile.growing_files:read_answer", "answer")


@dataclass(frozen=True, slots=True)
class Family:
    """Payloads of a role of `cases.ROLES` by n, the n to begin with, and the command that reads them."""

    reader: str
    name: str
    role: str
    n: int
    payload: Callable[[int], Any]
    words: tuple[str, ...] = CHECK


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds, MB and kB of input of a command: the least of several runs."""

    seconds: float
    mb: float
    kb: float

    def beyond(self, other: Cost) -> Cost:
        """Return the cost beyond that of a smaller input."""
        return Cost(
            max(0.0, self.seconds - other.seconds), max(0.0, self.mb - other.mb), self.kb - other.kb
        )

    def least(self, other: Cost) -> Cost:
        """Return the lesser of two costs of the same input."""
        return Cost(min(self.seconds, other.seconds), min(self.mb, other.mb), self.kb)


def _table(ending: str, content: bytes) -> dict[str, Any]:
    game = (PROJECT / GAME).read_text("utf-8").replace("cards.yaml", f"cards.{ending}")
    return {GAME: game, f"data/demo/cards.{ending}": grown.encoded(content)}


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


def _changed(file: str, *changes: tuple[str, str]) -> str:
    text = (PROJECT / file).read_text("utf-8")
    for old, new in changes:
        text = text.replace(old, new, 1)
    return text


def _picture(ending: str, content: bytes) -> dict[str, Any]:
    image = f'<image href="a.{ending}" x="10" y="30" width="20" height="20"/></svg>'
    return {
        TEMPLATE: _changed(TEMPLATE, ("</svg>", image)),
        f"templates/demo/a.{ending}": grown.encoded(content),
    }


def _font(kind: str, n: int) -> dict[str, Any]:
    text = '<text x="9" y="70" font-family="Mine" font-size="4" stroke="red">ABCA</text></svg>'
    return {
        TEMPLATE: _changed(TEMPLATE, ("</svg>", text)),
        "fonts/fonts.yaml": "families: {Mine: {faces: [{file: own.ttf}]}}\n",
        "fonts/own.ttf": grown.encoded(grown.font(kind, n)),
        "own.ttf": grown.encoded(grown.font(kind, n)),
    }


def _po(text: str) -> dict[str, Any]:
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    return {
        GAME: _changed(GAME, ("language: en", "language: en\nlanguages: {de: {}}")),
        "data/demo/de/texts.po": head + text,
    }


def _deck(ending: str, content: str) -> dict[str, Any]:
    changes = ("components:", "decks: {component: cards}\ncomponents:")
    return {GAME: _changed(GAME, changes), f"data/demo/decks/a.{ending}": content}


def _answer(head: str, content: bytes) -> dict[str, Any]:
    lines = f"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n{head}\r\n"
    return {"answer": grown.encoded(lines.encode() + content)}


def _save(n: int) -> dict[str, Any]:
    card = '{"Name":"Card","GUID":"a","Nickname":"x","GMNotes":"{}","Transform":{"posX":1}}'
    return {"table.json": '{"SaveName":"a","ObjectStates":[' + ",".join([card] * n) + "]}"}


_CELL = '<row><c t="inlineStr"><is><t>c</t></is></c><c t="s"><v>0</v></c></row>'
_HEAD = '<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>text</t></is></c></row>'

_MARKS = {"stars": "*", "brackets": "[", "quotes": ">", "backticks": "` `` ", "links": "[a]("}
_MARKS |= {"bold": "**a *b ", "angles": "<a ", "entities": "&amp;", "lines": "a\n", "images": "![a]("}
_LIST = '"description": "What it does.", "type": "string", "minLength": 1'

FAMILIES = (
    Family("YAML", "aliases", "cards", 500, lambda n: "cards:\n- &a {id: a}\n" + "- *a\n" * n),
    Family("YAML", "repeated keys", "cards", 5_000, lambda n: "cards: []\n" + "a: 1\n" * n),
    Family("YAML", "anchors", "cards", 500, lambda n:
           "cards:\n" + "".join(f"- &a{i} {{id: a{i}}}\n" for i in range(n))),
    Family("YAML", "lines of a text", "cards", 20_000, lambda n:
           "cards:\n- id: a\n  text: >\n" + "    a\n" * n),
    Family("schema", "references", "schema", 200, lambda n:
           '{"$defs":{"a":{"type":"string"}},"properties":{'
           + ",".join(f'"k{i}":{{"$ref":"#/$defs/a"}}' for i in range(n)) + "}}"),
    Family("CSV", "cells of faults", "files", 2_000, lambda n: _csv("c,#REF!,1,x\n", n)),
    Family("CSV", "wrong quotes", "files", 4_000, lambda n: _csv('"a"b,t,1,x\n', n)),
    Family("CSV", "empty cells", "files", 100, lambda n: _csv("," * 480 + "\n", n)),
    Family("CSV", "columns", "files", 20, lambda n: _table("csv", (
           ",".join(f"k{i}" for i in range(n)) + "\n" + ("x," * n + "\n") * 200).encode())),
    Family("CSV", "items of lists", "files", 500, lambda n: {
           **_csv(f"c,t,1,{'a;' * 20}\n", n), "schemas/demo/cards.schema.json": _changed(
               "schemas/demo/cards.schema.json", (_LIST, '"type":"array","items":{"type":"string"}'))}),
    Family("TSV", "wrong quotes", "files", 4_000, lambda n: _csv('"a"b\tt\t1\tx\n', n, "\t")),
    Family("JSON table", "empty values", "files", 250, lambda n:
           _table("json", b'{"cards":[' + b",".join([b'{"id":"a","b":null}'] * n) + b"]}")),
    Family("XLSX", "shared text of 99 kB", "files", 5_000, lambda n:
           _xlsx(_HEAD + _CELL * n, strings=f"<si><t>{'a' * 99_000}</t></si>")),
    Family("XLSX", "merged ranges over rows", "files", 2_000, lambda n:
           _xlsx(_HEAD + "<row><c><v>1</v></c><c><v>1</v></c></row>" * n,
                 after="<mergeCells>" + f'<mergeCell ref="B2:B{n}"/>' * n + "</mergeCells>")),
    Family("XLSX", "comment", "files", 4_000_000, lambda n: _xlsx(_HEAD, before=f"<!--{'x' * n}-->")),
    Family("XLSX", "empty elements", "files", 20_000, lambda n:
           _xlsx(_HEAD, before=f"<x>{'<a/>' * n}</x>")),
    Family("ODS", "repeated rows of 99 kB", "files", 10_000, _ods),
    Family("new --from", "words", "files", 300, lambda n: {
           "table.csv": "title,cost,text\n" + "".join(f"Card {i},{i},Take {i}.\n" for i in range(n))}, NEW),
    Family("new --from", "long cells", "files", 10, lambda n: {
           "table.csv": "title,text\n" + f"A,{'word ' * 1_000}\n" * n}, NEW),
    Family("deck list", "unknown names", "deck", 1_000, lambda n:
           "".join(f"1 Nobody {i}\n" for i in range(n)), DECK),
    Family("deck list", "the same name", "deck", 1_000, lambda n: "1 One\n" * n, DECK),
    Family("deck list", "rows of CSV", "files", 1_000, lambda n:
           _deck("csv", "copies,name\n" + "".join(f"1,Nobody {i}\n" for i in range(n)))),
    Family("PO", "lines of one head", "files", 40_000, lambda n: _po('"A: b\\n"\n' * n)),
    Family("PO", "lines of the head", "files", 20_000, lambda n:
           _po("".join(f'"A{i}: b\\n"\n' for i in range(n)))),
    Family("PO", "lines of a text", "files", 40_000, lambda n:
           _po('\nmsgctxt "c"\nmsgid ""\n' + '"a"\n' * n + 'msgstr "b"\n')),
    Family("PO", "entries", "files", 1_000, lambda n: _po("".join(
           f'\nmsgctxt "c{i}"\nmsgid "a"\nmsgstr "b"\n' for i in range(n)))),
    Family("PO", "comments", "files", 20_000, lambda n:
           _po("\n" + "# a\n" * n + 'msgid "a"\nmsgstr "b"\n')),
    Family("PO", "places", "files", 20_000, lambda n:
           _po("\n" + "#: a:1\n" * n + 'msgid "a"\nmsgstr "b"\n')),
    Family("PO", "places in a line", "files", 10_000, lambda n:
           _po("\n#: " + "a:1 " * n + '\nmsgid "a"\nmsgstr "b"\n')),
    Family("PO", "flags", "files", 10_000, lambda n:
           _po("\n#, " + "fuzzy, " * n + '\nmsgid "a"\nmsgstr "b"\n')),
    Family("PO", "old texts", "files", 5_000, lambda n:
           _po("\n" + '#| "a"\n' * n + 'msgid "a"\nmsgstr "b"\n')),
    Family("SVG", "use", "icon", 500, lambda n:
           _svg('<rect id="a" width="1" height="1"/>' + '<use href="#a"/>' * n)),
    Family("SVG", "corners of a path", "icon", 2_000, lambda n: _svg(f'<path d="M0 0{"l9 9-9 0" * n}"/>')),
    Family("SVG", "rules", "icon", 100, lambda n: _svg(
           "<style>" + "".join(f".c{i}{{fill:red}}" for i in range(n)) + "</style>" + "<g/>" * n)),
    Family("SVG", "stops of a gradient", "icon", 500, lambda n: _svg(
           '<linearGradient id="g">' + "".join(f'<stop offset="{i / n}"/>' for i in range(n))
           + '</linearGradient><rect fill="url(#g)" width="9" height="9"/>')),
    Family("SVG", "transforms", "icon", 2_000, lambda n: _svg(f'<g transform="{"rotate(1)" * n}"/>')),
    Family("SVG", "dashes", "icon", 500, lambda n: _svg(
           f'<path d="M0 0h9" stroke="red" stroke-dasharray="{"1 " * n}"/>')),
    Family("SVG", "properties", "icon", 2_000, lambda n: _svg(f'<g style="{"fill:red;" * n}"/>')),
    Family("SVG", "spans of a text", "icon", 80, lambda n:
           _svg(f'<text font-family="IBM Plex Sans">{"<tspan>a</tspan>" * n}</text>')),
    Family("SVG", "clips", "icon", 100, lambda n: _svg("".join(
           f'<clipPath id="c{i}"><rect width="9" height="9"/></clipPath>'
           f'<rect width="9" height="9" clip-path="url(#c{i})"/>' for i in range(n)))),
    Family("PNG", "zeros", "files", 4_000_000, lambda n: _picture("png", grown.png(zeros=n))),
    Family("PNG", "chunks", "files", 15_000, lambda n: _picture("png", grown.png(chunks=n))),
    Family("JPEG", "scans", "files", 100, lambda n: _picture("jpg", grown.jpeg(scans=n))),
    Family("JPEG", "notes", "files", 20_000, lambda n: _picture("jpg", grown.jpeg(notes=n))),
    Family("WEBP", "chunks", "files", 20_000, lambda n: _picture("webp", grown.webp(n))),
    Family("TIFF", "strips", "files", 3_000, lambda n: _picture("tif", grown.tiff(n))),
    Family("GIF", "blocks", "files", 20_000, lambda n: _picture("gif", grown.gif(n))),
    Family("font", "composites", "files", 20, lambda n: _font("composites", n)),
    Family("font", "substitutes", "files", 20, lambda n: _font("substitutes", n)),
    Family("font", "names", "files", 600, lambda n: _font("names", n)),
    Family("font", "groups of characters", "files", 2_000, lambda n: _font("groups", n)),
    Family("font", "tables", "files", 100, lambda n: _font("tables", n)),
    Family("font add", "composites", "files", 20, lambda n: _font("composites", n), ADD_FONT),
    Family("font add", "names", "files", 600, lambda n: _font("names", n), ADD_FONT),
    Family("font add", "groups of characters", "files", 5, lambda n: _font("groups", n), ADD_FONT),
    Family("ICC", "tags", "files", 1_000, lambda n: {"shop.icc": grown.encoded(grown.icc(tags=n))}, PRESS),
    Family("ICC", "bytes", "files", 500_000, lambda n:
           {"shop.icc": grown.encoded(grown.icc(behind=n))}, PRESS),
    Family("git", "files", "files", 300, lambda n: grown.repository(files=n), DIFF),
    Family("git", "branches", "files", 5_000, lambda n: grown.repository(branches=n), DIFF),
    Family("git", "commits", "files", 300, lambda n: grown.repository(commits=n), DIFF),
    Family("HTTP", "chunks of a byte", "files", 5_000, lambda n:
           _answer("Transfer-Encoding: chunked\r\n", b"1\r\na\r\n" * n + b"0\r\n\r\n"), READ_ANSWER),
    Family("HTTP", "trailers", "files", 5_000, lambda n:
           _answer("Transfer-Encoding: chunked\r\n", b"0\r\n" + b"a: b\r\n" * n + b"\r\n"), READ_ANSWER),
    Family("HTTP", "heads", "files", 5_000, lambda n: _answer("A: b\r\n" * n, b""), READ_ANSWER),
    Family("save", "objects", "files", 1_000, _save, INTO),
    Family("template", "loops", "expression", 50, lambda n: "{% for i in range(9) %}a{% endfor %}" * n),
    Family("expression", "steps", "rule-expression", 500, lambda n: " and ".join(["1 == 1"] * n)),
    *(Family("Markdown", name, "prose", 700, lambda n, sign=sign: sign * n)  # type: ignore[misc]
      for name, sign in _MARKS.items()),
    Family("Markdown", "definitions", "prose", 200, lambda n:
           "".join(f"[a{i}]: /b\n" for i in range(n)) + "".join(f"[a{i}]\n" for i in range(n))),
    Family("Markdown", "cells", "prose", 100, lambda n: "|a" * 20 + "\n" + "|-" * 20 + "\n" + "|a|\n" * n),
    Family("Markdown", "nested lists", "prose", 10, lambda n:
           "".join(f"{'  ' * i}- a\n" for i in range(n))),
)  # fmt: skip


MOST_ROUNDS = 6


def costs_of(
    family: Family, times: int, folder: Path, commands: Commands, is_enough: Callable[[Cost, Cost], bool]
) -> tuple[Cost, Cost]:
    """Return the costs of n and of n `times` as large, both beyond the cost of 1.

    Other programs on the machine can only add to a cost. So each is the least of up to MOST_ROUNDS runs,
    until `is_enough`.
    """
    cases = [
        Case(family.name, "", family.role, family.payload(n), "check", (), None, None, None)
        for n in (1, family.n, family.n * times)
    ]
    least: list[Cost] = []
    for _ in range(MOST_ROUNDS):
        costs = [_cost(case, family.words, folder, commands) for case in cases]
        least = [before.least(cost) for before, cost in zip(least, costs, strict=True)] if least else costs
        one, more = (cost.beyond(least[0]) for cost in least[1:])
        if is_enough(one, more):
            break
    return one, more


def _cost(case: Case, words: tuple[str, ...], folder: Path, commands: Commands) -> Cost:
    for place in (folder, commands.cache):  # or only the first run would read and write
        shutil.rmtree(place, ignore_errors=True)
    lay_out(case, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    outcome = commands.run(words, folder)
    problem = f"{case.name}: exit code {outcome.code}, signal {outcome.signal}: {outcome.err[-500:]}"
    assert not outcome.signal, problem
    assert outcome.code in (0, 1, 2), problem
    return Cost(outcome.processor_s, outcome.peak_mb, size / 1000)
