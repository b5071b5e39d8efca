"""Cards in groups: by the value of an expression, a card with a list of values being in several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, Selection, show
from cardgen.checking.subjects import Subject, items_of

Key = str | int | float | bool | None


@dataclass(slots=True)
class Group:
    """The cards that have one value. `size` counts cards or copies, as the rule says."""

    key: Key
    subjects: list[Subject] = field(default_factory=list)
    size: int = 0


def grouped(case: Case, selection: Selection, expected: list[Key] | None = None) -> dict[Key, Group]:
    """The groups by `group_by`: the expected ones first and in their order, empty or not.

    Without `group_by` all cards are one group, named None. Where the rule gives `groups` as a
    mapping, groups go by their names: the keys of a mapping in YAML are text.
    """
    groups = {key: Group(key) for key in expected or ()}
    by_text = isinstance(case.data.get("groups"), Mapping)
    given = case.data.get("group_by")
    expression = None if given is None else case.expression("group_by", sources=selection.sources)
    for subject in selection:
        weight = case.weight(subject)
        value = None if expression is None else case.value(expression, subject, ("group_by",))
        keys = items_of(value) if isinstance(value, (list, tuple)) else [value]
        for key in dict.fromkeys(group_key(case, key, subject, ("group_by",)) for key in keys):
            if by_text:
                key = group_name(key)
            group = groups.setdefault(key, Group(key))
            group.subjects.append(subject)
            group.size += weight
    return groups


def group_key(case: Case, value: Any, subject: Subject | None, path: tuple[str | int, ...]) -> Key:
    """A value as a group's key. Raises BrokenRuleError for lists and mappings."""
    if value is None or value == None:  # noqa: E711 (an absent field equals none)
        return None
    if isinstance(value, (str, bool, int, float)):
        return value
    raise BrokenRuleError(
        f"{show(value)} cannot name a group: a word or a number is needed", path, None, subject
    )


def group_name(key: Key) -> str:
    """A group's name in a sentence or a chart."""
    return "none" if key is None else str(key).lower() if isinstance(key, bool) else str(key)


def expected_groups(case: Case) -> list[Key] | None:
    """The groups that the rule's `groups` lists (or gives bounds for), or None."""
    given = case.data.get("groups")
    if given is None:
        return None
    if "group_by" not in case.data:
        raise BrokenRuleError("groups are listed, but group_by does not say what they are", ("groups",))
    return list(given) if isinstance(given, Mapping) else [*given]


def unexpected(case: Case, groups: dict[Key, Group], expected: list[Key] | None) -> None:
    """Fail every card that is in a group which the rule does not list."""
    if expected is None or case.data.get("other_groups") == "allowed":
        return
    for key, group in groups.items():
        if key in expected:
            continue
        for subject in group.subjects:
            path = _field(case, subject)
            names = ", ".join(group_name(name) for name in expected)
            case.fail(f"“{subject.label}” is in group {show(key)}, which is none of {names}", subject, path)


def _field(case: Case, subject: Subject) -> tuple[str | int, ...]:
    expression = case.pool.engine.compile(str(case.data["group_by"]))
    return case.field_of(expression, subject)
