"""Mutations of data: YAML and JSON, as trees of mappings and lists."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import yaml

from . import odd, words

Place = tuple[Any, Any]
"""A mapping or list, and the key or index in it."""


def mutate_yaml(text: str, random: Random) -> str:
    """YAML, changed as a tree, or now and then as text, for what a tree can't say (tags, anchors)."""
    if random.random() < 0.25:
        return _as_text(text, random)
    try:
        tree = yaml.safe_load(text)
    except yaml.YAMLError:
        return words.mutate_lines(text, random)
    tree = mutate_tree(tree, random)
    try:
        return str(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=200))
    except (yaml.YAMLError, RecursionError):
        return words.mutate_lines(text, random)


def mutate_json(text: str, random: Random) -> str:
    """JSON likewise."""
    if random.random() < 0.15:
        return words.mutate_lines(text, random)
    try:
        tree = mutate_tree(json.loads(text), random)
        return json.dumps(tree, ensure_ascii=False, indent=1, default=str)
    except (ValueError, TypeError, RecursionError):
        return words.mutate_lines(text, random)


def mutate_tree(tree: Any, random: Random) -> Any:
    """A tree with one to four changes; the one given is left alone."""
    holder = [copy.deepcopy(tree)]
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        places = _places(holder)
        at = random.choice(places)
        random.choice(_CHANGES)(at, random, places)
    return holder[0]


def _places(holder: list[Any]) -> list[Place]:
    found: list[Place] = []
    pending: list[Any] = [holder]
    while pending and len(found) < 20_000:
        node = pending.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            found.append((node, key))
            if isinstance(node[key], dict | list):
                pending.append(node[key])
    return found


def _replace(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    node[key] = copy.deepcopy(odd.value(random))


def _nudge(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    value = node[key]
    if isinstance(value, bool) or value is None:
        node[key] = not value
    elif isinstance(value, int | float):
        node[key] = odd.number(random, value)
    elif isinstance(value, str):
        node[key] = words.mutate_words(value, random)
    else:
        _replace(at, random, places)


def _delete(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    whole, _ = places[0]
    if node is not whole:
        del node[key]


def _copy_over(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    other, there = random.choice(places)
    if key in node if isinstance(node, dict) else key < len(node):
        node[key] = copy.deepcopy(other[there])


def _swap(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    other, there = random.choice(places)
    mine, theirs = copy.deepcopy(node[key]), copy.deepcopy(other[there])
    node[key] = theirs
    other[there] = mine


def _rename(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    if isinstance(node, dict):
        keys = [key for where, key in places if isinstance(where, dict)]
        new = random.choice((odd.text(random), random.choice(keys), words.mutate_words(str(key), random)))
        node[new] = node.pop(key)


def _repeat(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    value = node[key]
    if isinstance(value, list) and value:
        value.extend(copy.deepcopy(random.choice(value)) for _ in range(random.choice((1, 2, 20, 200))))
    elif isinstance(value, str) and value:
        node[key] = value * random.choice((2, 10, 100))
    elif isinstance(value, dict) and value:
        model = random.choice(list(value.values()))
        for number in range(random.choice((1, 5, 50))):
            value[f"more{number}"] = copy.deepcopy(model)


def _wrap(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    for _ in range(random.choice((1, 1, 2, 30))):
        node[key] = [node[key]] if random.random() < 0.5 else {odd.text(random)[:20]: node[key]}


def _shuffle(at: Place, random: Random, places: list[Place]) -> None:
    node, key = at
    value = node[key]
    if isinstance(value, list):
        random.shuffle(value)
    elif isinstance(value, dict):
        entries = list(value.items())
        random.shuffle(entries)
        value.clear()
        value.update(entries)


_CHANGES = (
    _replace,
    _replace,
    _nudge,
    _nudge,
    _delete,
    _copy_over,
    _swap,
    _rename,
    _repeat,
    _wrap,
    _shuffle,
)


def _as_text(text: str, random: Random) -> str:
    """What only YAML's text can have."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    line = lines[at]
    indent = line[: len(line) - len(line.lstrip())]
    lines[at : at + 1] = random.choice(
        (
            [line, line],
            [f"{indent}  {line.lstrip()}"],
            [line[: random.randrange(len(line) + 1)]],
            [line.replace(": ", ": !!python/object/apply:os.system ", 1)],
            [line.replace(": ", ": !!binary ", 1)],
            [line.replace(": ", ": &a ", 1), f"{indent}again: *a"],
            [f"{indent}<<: *a"],
            [line.replace(": ", ": |\n" + indent + "  ", 1)],
            [line.replace(": ", ":", 1)],
            [f"? {line}"],
            ["---", line],
            ["%YAML 3.0", line],
            [f"\t{line}"],
            [line.replace(" ", "\u00a0")],
            [line + random.choice(("'", '"', "{", "[", "]", "}", ",", "#", ":", "\x00", "\x85", "\ud7ff"))],
        )
    )
    return "\n".join(lines)
