"""A case from a seed and a number: always the same one."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile.cases import PROJECT, TEMPLATE, Case

from . import binary, markup, trees, words

ROOT = Path(__file__).resolve().parent.parent.parent
SEEDS = Path(__file__).parent / "seeds"
_EXAMPLES = ROOT / "tests" / "examples"

WEIGHTS: Mapping[str, int] = {
    "template": 6,
    "expression": 5,
    "rule": 4,
    "rule-expression": 3,
    "prose": 3,
    "picture": 4,
    "icon": 3,
    "schema": 4,
    "cards": 3,
    "game": 4,
    "sheet": 3,
    "service": 2,
    "table": 3,
    "deck": 1,
    "fonts": 2,
    "image": 3,
    "font": 3,
}
"""How often each role comes, in a run over all of them."""

_PLACES = {"picture": "templates/demo/hostile.svg", "icon": "templates/demo/icons/hostile.svg"}
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "service": ("export-service", "export-service", "check", "version"),
    "table": ("export", "check"),
    "cards": ("check", "build", "list-game", "reference"),
    "game": ("check", "check", "build", "list-game", "export"),
    "deck": ("check",),
}
_FONTS = ("loudmouth/Loudmouth-Regular.ttf", "bebas-neue/BebasNeue-Regular.otf")
_USUAL = ("check", "check", "check", "check", "build")
_FAMILY = """\
families:
  IBM Plex Sans:
    licence: OFL-1.1
    origin: tests
    faces:
      - {file: fuzzed.%s, weight: 400}
"""


def make(seed: int, number: int, role: str | None = None) -> Case:
    """Case `number` of a run: of one role, or of all by their weights."""
    random = Random(f"{seed}/{number}")
    role = role or random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    payload, kept = _payload(role, random)
    return Case(
        f"{role}-{seed}-{number}",
        f"Case {number} of a run over mutated packs with the seed {seed}.",
        kept,
        payload,
        random.choice(_COMMANDS.get(role, _USUAL)),
        (),
        None,
        None,
        None,
    )


def _payload(role: str, random: Random) -> tuple[Any, str]:
    """What goes into the project, and the role it has there."""
    if role == "image":
        return _image(random), "files"
    if role == "font":
        return _font(random), "files"
    text = random.choice(seeds(role))
    if role in ("template", "icon", "picture"):
        return markup.mutate_svg(text, random), role
    if role == "expression":
        return words.mutate_expressions(text, random), role
    if role == "rule-expression":
        return words.mutate_expressions("{{" + text + "}}", random).strip("{} "), role
    if role == "prose":
        change = random.choice((words.mutate_lines, words.mutate_words, words.mutate_expressions))
        return change(text, random), role
    if role == "deck":
        return words.mutate_lines(text, random), role
    if role == "schema":
        return trees.mutate_json(text, random), role
    if role in ("rule", "table") and random.random() < 0.3:
        return words.mutate_words(text, random), role
    return trees.mutate_yaml(text, random), role


def _image(random: Random) -> dict[str, Any]:
    """A photograph on the card."""
    path = random.choice(sorted((SEEDS / "images").iterdir()))
    template = (PROJECT / TEMPLATE).read_text("utf-8")
    name = random.choice((path.name, path.name, path.name, "other.png", "other.jpg"))
    picture = f'<image href="{name}" x="10" y="30" width="1" height="1"/></svg>'
    content = binary.mutate_bytes(path.read_bytes(), random)
    return {
        f"templates/demo/{name}": {"base64": base64.b64encode(content).decode("ascii")},
        TEMPLATE: template.replace("</svg>", picture),
    }


def _font(random: Random) -> dict[str, Any]:
    """A font that the card is set in."""
    path = ROOT / "fonts" / random.choice(_FONTS)
    content = binary.mutate_bytes(path.read_bytes(), random)
    return {
        f"fonts/fuzzed{path.suffix}": {"base64": base64.b64encode(content).decode("ascii")},
        "fonts/fonts.yaml": _FAMILY % path.suffix[1:],
    }


@cache
def seeds(role: str) -> tuple[str, ...]:
    """The texts that a role starts from, in a fixed order: those made for this, and parts of the
    shipped games and of other tests' examples."""
    own = sorted((SEEDS / role).glob("*")) if (SEEDS / role).is_dir() else []
    texts = [path.read_text("utf-8") for path in own]
    if role == "expression":
        return tuple(line for text in texts for line in text.splitlines() if line)
    if role == "rule-expression":
        return _RULE_EXPRESSIONS
    shipped = {
        "template": [PROJECT / TEMPLATE, *sorted((_EXAMPLES / "templates").glob("*.svg"))],
        "picture": sorted((_EXAMPLES / "pictures").glob("*.svg")),
        "icon": sorted((ROOT / "templates/_shared/icons").glob("*.svg"))[::5],
        "schema": [PROJECT / "schemas/demo/cards.schema.json"],
        "cards": [PROJECT / "data/demo/cards.yaml"],
        "game": [PROJECT / "data/demo/game.yaml"],
        "sheet": sorted((ROOT / "data/sheets").glob("*.yaml")),
        "service": sorted((ROOT / "data/services").glob("*.yaml")),
        "fonts": [ROOT / "fonts/fonts.yaml"],
    }
    found = tuple(texts + [path.read_text("utf-8") for path in shipped.get(role, ())])
    assert found, f"no seeds for {role}"
    # What was made for a role says more than a short example of it.
    return found + found[: len(own)] * 4


_RULE_EXPRESSIONS = (
    "value < 3 and title != ''",
    "text|length > 2 or value in [1, 2, 3]",
    "cards|selectattr('value', 'gt', 1)|list|length == 1",
    "title|lower|replace('a', 'b') is string",
    "(value * 2 + 1) % 3 == 0",
    "find_all('[a-z]+', text)|length >= 1",
    "tables is defined and game.players.min <= copies",
    "{'a': [1, {'b': value}]}.a[1].b > 0",
    "[1, 2]|map('string')|join(',') == '1,2'",
    "range(value)|sum < 10",
)
