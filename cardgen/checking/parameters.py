"""What the parameters of rule kinds are made of: JSON Schema, said shortly.

References lead to the parts of `schemas/rules.schema.json` that all kinds share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = dict[str, Any]


def shared(name: str, description: str = "", **more: Any) -> Schema:
    """What stands there for all kinds under this name: `number`, `confidence` …"""
    said = {"description": description} if description else {}
    return {**said, **more, "$ref": f"#/$defs/{name}"}


def expression(description: str) -> Schema:
    return shared("expression", description)


def flag(description: str) -> Schema:
    """Yes or no."""
    return {"description": description, "type": "boolean"}


def integer(description: str, least: int | None = None, most: int | None = None) -> Schema:
    """A whole number from `least` to `most`, or any."""
    bounds = {} if least is None else {"minimum": least, "maximum": most}
    return {"description": description, "type": "integer", **bounds}


def string(description: str, **more: Any) -> Schema:
    return {"description": description, "type": "string", **more}


def choice(description: str, *words: str) -> Schema:
    """One of these words."""
    return {"description": description, "enum": list(words)}


def several(description: str, items: Schema, **more: Any) -> Schema:
    """A list of one or more."""
    return {"description": description, "type": "array", "items": items, "minItems": 1, **more}


def bounded(description: str = "") -> Schema:
    """Bounds of a figure, at least one of them."""
    return shared("bounds", description, type="object", minProperties=1, unevaluatedProperties=False)


def cards(description: str = "") -> Schema:
    """Which cards are meant, beside the cards that the rule looks at itself."""
    return shared("selection", description, type="object", unevaluatedProperties=False)


def mapping(properties: Mapping[str, Schema], *required: str, **more: Any) -> Schema:
    """A mapping with these keys, and no other."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False, **more}


def also(name: str, properties: Mapping[str, Schema], *required: str, **more: Any) -> Schema:
    """A mapping with these keys and those of a shared part (`bounds`, `selection`), and no other."""
    made = mapping(properties, *required, **more, unevaluatedProperties=False, allOf=[shared(name)])
    del made["additionalProperties"]
    return made


def parameters(
    properties: Mapping[str, Schema],
    required: Sequence[str] = (),
    shares: Sequence[str] = ("selection",),
    **more: Any,
) -> Schema:
    """The parameters of a kind: these, `report`, and the keys of the shared parts."""
    report = flag("Only measure: the rule has no verdict, and no bounds.")
    made: Schema = {"type": "object", "properties": {**properties, "report": report}, **more}
    if required:
        made["required"] = list(required)
    if shares:
        made["allOf"] = [shared(name) for name in shares]
    return made


VALUE = shared("value")
AXES = shared("axes")
GROUP_BY: Mapping[str, Schema] = {
    "group_by": expression(
        "Cards with the same value of this are a group; a card with a list of values is in several."
    ),
    "groups": several("The groups there are to be, in order.", VALUE, uniqueItems=True),
    "other_groups": {
        "description": "Say allowed if there may be groups that are not listed; else a card in one is "
        "a finding.",
        "const": "allowed",
    },
}
COUNTING: Mapping[str, Schema] = {
    "counting": choice(
        "Count copies (as printed) or cards (each once). Left out: copies.", "copies", "cards"
    )
}


def side(description: str) -> Schema:
    """Values that cards give, or that are listed."""
    return also(
        "selection",
        {
            "values": expression("What each card gives: one value or a list."),
            "list": {
                "description": "Instead of cards: the values themselves.",
                "type": "array",
                "items": VALUE,
            },
        },
        description=description,
        oneOf=[{"required": ["values"]}, {"required": ["list"]}],
    )
