"""Schema files: read by relative name, their references followed, their mistakes found with the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from cardgen.core.findings import Findings
from cardgen.files.listing import ProjectFolders
from cardgen.game.schema_store import SchemaStore
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parent.parent.parent


class Schemas:
    """A project folder with schemas in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings = Findings()
        self.store = SchemaStore(ProjectFolders((root, ROOT)), self.findings)

    def write(self, name: str, content: object) -> None:
        path = self.root / "schemas" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8"
        )

    def fits(self, name: str, value: Any) -> bool:
        schema = self.store.schema(f"schemas/{name}")
        assert schema is not None, self.found
        return schema.is_valid(value)

    @property
    def found(self) -> list[str]:
        return [f"{f.location}: {f.code}: {f.message}" for f in self.findings]


@pytest.fixture
def schemas(tmp_path: Path) -> Schemas:
    return Schemas(tmp_path)


def test_references_to_files_pointers_and_anchors(schemas: Schemas) -> None:
    schemas.write(
        "a/one.json", {"prefixItems": [{"$ref": "../two.json"}, {"$ref": "../two.json#/$defs/n"}]}
    )
    schemas.write(
        "two.json",
        {"$ref": "#word", "$defs": {"n": {"type": "integer"}, "w": {"$anchor": "word", "type": "string"}}},
    )
    assert schemas.fits("a/one.json", ["x", 1])
    assert not schemas.fits("a/one.json", [1, 1])
    assert not schemas.fits("a/one.json", ["x", "y"])
    assert schemas.store.files == ["schemas/a/one.json", "schemas/two.json"]


def test_a_games_schemas_are_the_projects_and_cardgens_own_are_not(schemas: Schemas) -> None:
    schemas.write("mine/x.json", {"$ref": "../card.schema.json"})
    schemas.write("ptsd/actions.schema.json", {"type": "string"})
    assert schemas.fits("ptsd/actions.schema.json", "text")
    assert schemas.fits("mine/x.json", {"id": "a"})
    assert not schemas.fits("mine/x.json", {"id": "A"})
    schemas.write("card.schema.json", {"type": "string"})
    schemas.store = SchemaStore(schemas.store.paths, schemas.findings)
    assert not schemas.fits("mine/x.json", "text")
    assert not schemas.fits("card.schema.json", "text")


def test_a_schema_that_contains_itself(schemas: Schemas) -> None:
    schemas.write(
        "tree.json",
        {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False},
    )
    assert schemas.fits("tree.json", {"next": {"next": {}}})
    assert not schemas.fits("tree.json", {"next": {"next": {"x": 1}}})


def test_files_that_contain_each_other(schemas: Schemas) -> None:
    schemas.write("hen.json", {"properties": {"egg": {"$ref": "egg.json"}}, "additionalProperties": False})
    schemas.write("egg.json", {"properties": {"hen": {"$ref": "hen.json"}}, "additionalProperties": False})
    assert schemas.fits("hen.json", {"egg": {"hen": {"egg": {}}}})
    assert not schemas.fits("hen.json", {"egg": {"hen": {"hen": {}}}})


def _chain(length: int) -> dict[str, Any]:
    """Schemas a0, a1, … that each refer to the next; the last allows anything."""
    links = {f"a{n}": {"$ref": f"#/$defs/a{n + 1}"} for n in range(length)}
    return {**links, f"a{length}": {}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{\n  "type": \n}', "3:1: schema/json"),
        ("[" * 100_000, "1:65: schema/json"),
        ('{"not": ' * 300 + "{}" + "}" * 300, "1:513: schema/json"),
        (
            '{\n  "type": "object",\n  "type": "array"\n}',
            "3:3: schema/json",
        ),
        ('[\n]', "1:1"),
        (
            {"properties": {"a": {"type": "strng"}}},
            "4:15: properties.a.type",
        ),
        (
            {"propertes": {}},
            "2:3: propertes",
        ),
        ({"items": []}, "2:12: items"),
        ({"required": "id"}, "2:15: required"),
        ({"pattern": "(["}, "2:14: pattern"),
        (
            {"patternProperties": {"([": {}}},
            "3:5: patternProperties['([']",
        ),
        ({"minimum": True}, "2:14: minimum"),
        ({"minItems": -1}, "2:15: minItems"),
        ({"anyOf": []}, "2:12: anyOf"),
        ({"properties": []}, "2:17: properties"),
        ({"definitions": {}}, "2:3: definitions"),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#"},
            "2:14: $schema",
        ),
        ({"$ref": "none.json"}, "2:11: $ref"),
        ({"$ref": "../../etc/x.json"}, "2:11: $ref"),
        (
            {"$ref": "https://example.com/x.json"},
            "2:11: $ref",
        ),
        ({"$ref": "#/$defs/none"}, "2:11: $ref"),
        (
            {"required": ["a"], "properties": {"a": {"$ref": "#/properties"}}},
            "7:15: properties.a.$ref",
        ),
        (
            {"properties": {"n": {"type": "integer", "default": "1"}}},
            "5:18: properties.n.default",
        ),
        ('{"minimum": NaN}', "1:13: schema/json"),
        ('{"maximum": 1e999}', "1:13: schema/json"),
        (
            '{"minItems": 1' + "0" * 300 + "}",
            "1:14: schema/json",
        ),
        (r'{"const": "\ud800"}', "1:12: schema/json"),
        ({"description": ["x"]}, "2:18: description"),
        (
            {"properties": {"a": {"default": [0] * 1000}}},
            "4:18: properties.a.default",
        ),
        (
            {"pattern": "^(?=a)"},
            "2:14: pattern",
        ),
        ({"$ref": "http://[::1"}, "2:11: $ref"),
        ({"$ref": "#/x/" + "9" * 5000}, "2:11: $ref"),
        (
            {"$ref": "#/$defs/a0", "$defs": _chain(101)},
            "302:15: $defs.a99.$ref",
        ),
        (
            {
                "$ref": "#/$defs/a0",
                "$defs": {name: {"items": part, "contains": part} for name, part in _chain(20).items()},
            },
            "57:17: $defs.a6.contains.$ref",
        ),
        ({"$ref": "#"}, "1:1"),
        (
            {"properties": {"a": {"anyOf": [{"type": "string"}, {"$ref": "#/properties/a"}]}}},
            "3:10: properties.a",
        ),
    ],
)  # fmt: skip
def test_broken_schemas(schemas: Schemas, content: object, expected: str, wording: Wording) -> None:
    schemas.write("x.json", content)
    assert schemas.store.schema("schemas/x.json") is None
    found = [line.removeprefix("schemas/x.json:").replace(" schema/schema:", "") for line in schemas.found]
    assert [line.startswith(f"{expected}: ") for line in found] == [True]
    wording(found)


def test_a_broken_schema_breaks_those_that_refer_to_it_but_is_reported_once(schemas: Schemas) -> None:
    schemas.write("x.json", {"type": "strng"})
    schemas.write("y.json", {"$ref": "x.json"})
    assert schemas.store.schema("schemas/x.json") is None
    assert schemas.store.schema("schemas/y.json") is None
    assert len(schemas.found) == 1


def test_a_schema_file_that_is_no_text(schemas: Schemas) -> None:
    schemas.write("x.json", "")
    (schemas.root / "schemas/x.json").write_bytes(b'{"title": "\xff"}')
    assert schemas.store.schema("schemas/x.json") is None
    assert schemas.found == ["schemas/x.json:1:12: yaml/encoding: the byte 0xff is not UTF-8"]


EXPLAINED = [f"{name}.schema.json" for name in ("game", "card", "sheet", "sizes", "papers", "fonts")]
"""Schemas of the files that designers write from nothing: an editor can explain every key of them."""
SCHEMAS = sorted((ROOT / "schemas").rglob("*.json"))


@pytest.mark.long
@for_each("path", SCHEMAS, ids=lambda path: path.relative_to(ROOT / "schemas").as_posix())
def test_schemas_in_the_repository(path: Path) -> None:
    """Each is a good schema by the standard's own measure and by ours."""
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))
    findings = Findings()
    store = SchemaStore(ProjectFolders((ROOT,)), findings)
    relative = path.relative_to(ROOT).as_posix()
    schema = store.schema(relative)
    assert findings.items == []
    assert schema is not None
    if path.name in EXPLAINED and path.parent == ROOT / "schemas":
        assert _unexplained(schema.schema, "") == []


def _unexplained(schema: Any, path: str) -> list[str]:
    """Keys without a description, which an editor would show as completion."""
    found = []
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            if not isinstance(part, dict) or "description" not in part:
                found.append(f"{path}.{name}")
        for keyword, part in schema.items():
            if keyword == "properties":
                for name, nested in part.items():
                    found += _unexplained(nested, f"{path}.{name}")
            elif isinstance(part, list):
                for nested in part:
                    found += _unexplained(nested, path)
            elif keyword not in ("default", "const", "enum", "examples"):
                found += _unexplained(part, path)
    return found


def test_anchors_in_values_are_none(schemas: Schemas) -> None:
    schemas.write("x.json", {"enum": [{"$anchor": "a"}], "$defs": {"b": {"$anchor": "a", "type": "null"}}})
    schemas.write("y.json", {"$ref": "x.json#a"})
    assert schemas.fits("y.json", None)
    assert not schemas.fits("y.json", {"$anchor": "a"})


def test_a_schema_that_contains_itself_in_many_places_is_prepared_once(schemas: Schemas) -> None:
    """Each of them used to be made anew wherever it was named."""
    definitions = {
        f"a{n}": {
            "properties": {
                "self": {"$ref": f"#/$defs/a{n}"},
                **{side: {"$ref": f"#/$defs/a{n + 1}"} for side in ("left", "right")},
            }
        }
        for n in range(10)
    }
    schemas.write("x.json", {"$ref": "#/$defs/a0", "$defs": {**definitions, "a10": {"type": "null"}}})
    assert schemas.fits("x.json", {"self": {"left": {"self": {}}}})
    assert not schemas.fits("x.json", _down(10, 1))
    assert schemas.fits("x.json", _down(10, None))


def _down(depth: int, value: Any) -> Any:
    for _ in range(depth):
        value = {"left": value}
    return value
