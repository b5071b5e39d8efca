"""Small games for the checker: read from an example file, or made from plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from cardgen.core.findings import Findings, Location
from cardgen.core.game import Card, Component, Game, Limits, PrintedText
from cardgen.core.geometry import Size
from cardgen.files.listing import ProjectFolders
from cardgen.files.yaml import Document, load_yaml, parse_yaml
from cardgen.rules.judging import check_rules
from cardgen.rules.results import RuleResult

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "tests" / "examples" / "rules"
POKER = Size(63.5, 88.9)


class DocumentLocator:
    """Places of a game that is all in one document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        table = file.partition("/tables/")[2].removesuffix(".yaml")
        return self.document.locate(("tables", table, *path) if table else path)

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        return None, {}

    def texts(self) -> list[PrintedText]:
        """All words of cards, but their names."""
        return [
            PrintedText(f"{id}: {card['id']}/{key}", "deck.yaml", ("components", id, index, key), value)
            for id, cards in (self.document.data.get("components") or {}).items()
            for index, card in enumerate(cards)
            for key, value in card.items()
            if isinstance(value, str) and key != "id"
        ]


class NoLocator:
    """Places of a game that was never in a file: the path alone."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        return Location(file, None, None, "/".join(map(str, path)))

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        return None, {}

    def texts(self) -> list[PrintedText]:
        return []


def game_of(data: Mapping[str, Any], locator: Any = None, file: str = "deck.yaml") -> Game:
    """A game of `components` (lists of cards), `tables`, `theme`, `players` and `declared` fields."""
    declared = data.get("declared") or {}
    components = tuple(
        component(id, cards, file, tuple(declared.get(id, ())))
        for id, cards in (data.get("components") or {}).items()
    )
    least, most = data.get("players", (2, 4))
    return Game(
        id="demo",
        title="Demo",
        version="1.0.0",
        author="",
        description="",
        language="en",
        players=(least, most),
        player_count=None,
        components=components,
        sheets=(),
        theme=data.get("theme") or {},
        tables=data.get("tables") or {},
        limits=Limits(),
        rules=file,
        paths=ProjectFolders((ROOT,)),
        sources=(file, *(f"{file}/tables/{name}.yaml" for name in data.get("tables") or {})),
        locator=locator or NoLocator(),
    )


def component(id: str, cards: list[Mapping[str, Any]], file: str, declared: tuple[str, ...]) -> Component:
    made = []
    for index, fields in enumerate(cards):
        copies = fields.get("copies", 1)
        made.append(
            Card(
                id=str(fields.get("id", f"{id}-{index + 1}")),
                component=id,
                fields=fields,
                copies=copies if isinstance(copies, int) else 4,
                trim=POKER,
                face="card.svg",
                back=None,
                file=file,
                path=("components", id, index),
                number=index + 1,
            )
        )
    return Component(id, id.title(), "card", "rectangle", POKER, 3, 3, 3, tuple(made), {}, declared)


@cache
def schema() -> Any:
    text = (ROOT / "schemas" / "rules.schema.json").read_text(encoding="utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def judge(
    data: Mapping[str, Any], locator: Any = None, file: str = "deck.yaml", **options: Any
) -> list[RuleResult]:
    """The results of the rules in `data`, which must be valid against the schema."""
    rules = {key: data[key] for key in ("define", "rules") if key in data}
    schema().validate(rules)
    return check_rules(game_of(data, locator, file), rules, file, **options)


def judge_one(
    kind: str, components: Mapping[str, Any], *, tables: Any = None, define: Any = None, **parameters: Any
) -> RuleResult:
    """The result of one rule, named "it", about these components."""
    rule = {"id": "it", "question": "Is it so?", "kind": kind, **parameters}
    data = {"components": components, "tables": tables or {}, "rules": [rule]}
    if define:
        data["define"] = define
    return judge(data)[-1]


def judge_text(text: str) -> list[RuleResult]:
    """The results for a deck and rules written as YAML."""
    return _judge_document(parse_yaml(text, "deck.yaml", Findings()))


@cache
def judge_file(path: Path) -> list[RuleResult]:
    """Judge an example. Nobody may change what is returned: it is shared."""
    return _judge_document(load_yaml(path, path.name, Findings()))


def _judge_document(document: Document | None) -> list[RuleResult]:
    assert document is not None
    return judge(document.data, DocumentLocator(document), document.relative)
