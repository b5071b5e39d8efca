"""Schema files: read by relative name, their references followed, their mistakes found with the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from cardgen.findings import Findings
from cardgen.loading.schema_store import SchemaStore
from cardgen.model.game import ProjectPaths

ROOT = Path(__file__).resolve().parent.parent.parent


class Schemas:
    """A project folder with schemas in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings = Findings()
        self.store = SchemaStore(ProjectPaths((root, ROOT)), self.findings)

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


def test_the_project_comes_before_the_bundled_schemas(schemas: Schemas) -> None:
    schemas.write("mine.json", {"$ref": "card.schema.json"})
    assert schemas.fits("mine.json", {"id": "a"})
    assert not schemas.fits("mine.json", {"id": "A"})
    schemas.write("card.schema.json", {"type": "string"})
    schemas.store = SchemaStore(schemas.store.paths, schemas.findings)
    assert schemas.fits("mine.json", "text")


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


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{\n  "type": \n}', "3:1: schema/json: not JSON: expecting value"),
        ("[" * 100_000, " schema/json: not JSON that can be read: too deep or too long"),
        ('{"not": ' * 300 + "{}" + "}" * 300, " schema/json: the schema is nested more than 64 deep"),
        (
            '{\n  "type": "object",\n  "type": "array"\n}',
            "3:3: yaml/duplicate-key: the key 'type' stands twice",
        ),
        ('[\n]', "1:1: a schema must be an object, true or false"),
        (
            {"properties": {"a": {"type": "strng"}}},
            "4:15: properties.a.type: 'type' must be one of string, integer, number, "
            "boolean, array, object, null, or a list of them",
        ),
        (
            {"propertes": {}},
            "2:3: propertes: unknown keyword 'propertes'",
        ),
        ({"items": []}, "2:12: items: 'items' must be one schema"),
        ({"required": "id"}, "2:15: required: 'required' must be a list of names"),
        ({"pattern": "(["}, "2:14: pattern: 'pattern' must be a regular expression"),
        (
            {"patternProperties": {"([": {}}},
            "3:5: patternProperties['([']: '([' must be a regular expression",
        ),
        ({"minimum": True}, "2:14: minimum: 'minimum' must be a number"),
        ({"minItems": -1}, "2:15: minItems: 'minItems' must be a whole number of at least 0"),
        ({"anyOf": []}, "2:12: anyOf: 'anyOf' must be a list of schemas"),
        ({"properties": []}, "2:17: properties: 'properties' must be an object of schemas by name"),
        ({"definitions": {}}, "2:3: definitions: unknown keyword 'definitions'"),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#"},
            "2:14: $schema: 'http://json-schema.org/draft-07/schema#' is not used here",
        ),
        ({"$ref": "none.json"}, "2:11: $ref: the schema 'none.json' does not exist"),
        ({"$ref": "../../etc/x.json"}, "2:11: $ref: the schema '../../etc/x.json' does not exist"),
        (
            {"$ref": "https://example.com/x.json"},
            "2:11: $ref: 'https://example.com/x.json' is not a file",
        ),
        ({"$ref": "#/$defs/none"}, "2:11: $ref: '#/$defs/none' names nothing in schemas/x.json"),
        (
            {"required": ["a"], "properties": {"a": {"$ref": "#/properties"}}},
            "7:15: properties.a.$ref: '#/properties' names no schema in schemas/x.json",
        ),
        (
            {"properties": {"n": {"type": "integer", "default": "1"}}},
            "5:18: properties.n.default: the default does not fit this schema",
        ),
        ({"$ref": "#"}, "1:1: this schema refers to itself without end"),
        (
            {"properties": {"a": {"anyOf": [{"type": "string"}, {"$ref": "#/properties/a"}]}}},
            "3:10: properties.a: this schema refers to itself without end",
        ),
    ],
)  # fmt: skip
def test_broken_schemas(schemas: Schemas, content: object, expected: str) -> None:
    schemas.write("x.json", content)
    assert schemas.store.schema("schemas/x.json") is None
    found = [line.removeprefix("schemas/x.json:").replace(" schema/schema:", "") for line in schemas.found]
    assert found == [expected]


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


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.relative_to(ROOT / "schemas").as_posix())
def test_schemas_in_the_repository(path: Path) -> None:
    """Each is a good schema by the standard's own measure and by ours."""
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))
    findings = Findings()
    store = SchemaStore(ProjectPaths((ROOT,)), findings)
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
