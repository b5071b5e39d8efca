"""Cards in groups: by the value of an expression, a card with a list of values being in several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, Path, Selection, show
from cardgen.checking.expressions import Expression
from cardgen.checking.subjects import Subject, items_of

Key = str | int | float | bool | None


@dataclass(slots=True)
class Group:
    """The cards that have one value. `size` counts cards or copies, as the rule says; `listed` groups are
    those that there are to be."""

    key: Key
    listed: bool
    subjects: list[Subject] = field(default_factory=list)
    size: int = 0


def grouped(case: Case, selection: Selection) -> dict[Key, Group]:
    """The groups by `group_by`: those in `groups` first and in their order, empty or not. A card in any
    other fails, unless the rule allows it.

    Without `group_by` all cards are one group, named None. Where the rule gives `groups` as a
    mapping, groups go by their names: the keys of a mapping in YAML are text.
    """
    listed = case.data.get("groups")
    given = case.data.get("group_by")
    if listed is not None and given is None:
        raise BrokenRuleError("groups are listed, but group_by does not say what they are", ("groups",))
    groups = {key: Group(key, True) for key in listed or ()}
    expression = case.choosing("group_by", sources=selection.sources)
    for subject in selection:
        weight = case.weight(subject)
        value = None if expression is None else case.value(expression, subject, ("group_by",))
        keys = items_of(value) if isinstance(value, (list, tuple)) else [value]
        for key in dict.fromkeys(group_key(key, subject, ("group_by",)) for key in keys):
            if isinstance(listed, Mapping):
                key = group_name(key)
            group = groups.setdefault(key, Group(key, listed is None))
            group.subjects.append(subject)
            group.size += weight
    if expression is not None and case.data.get("other_groups") != "allowed":
        names = ", ".join(group_name(key) for key in listed or ())
        for group in groups.values():
            for subject in () if group.listed else group.subjects:
                text = f"“{subject.label}” is in group {show(group.key)}, which is none of {names}"
                case.fail(text, subject, case.field_of(expression, subject))
    return groups


def keys_of(case: Case, expression: Expression, subject: Subject, path: Path) -> list[Key]:
    """What an expression gives for a card, a value or a list, as keys. Raises BrokenRuleError."""
    return [group_key(value, subject, path) for value in items_of(case.value(expression, subject, path))]


def side_of(case: Case, *path: str) -> tuple[str, list[tuple[Key, Subject | None]]]:
    """A side that a rule states: what it is called, and its values, each with the card that gives it; none
    where the values are listed. Raises BrokenRuleError."""
    listed = case.parameter((*path, "list"))
    if listed is not None:
        return "the list", [(key, None) for key in listed]
    selection = case.select(*path)
    values = case.expression(*path, "values", sources=selection.sources)
    place = (*path, "values")
    pairs: list[tuple[Key, Subject | None]] = []
    for subject in selection:
        pairs += [(key, subject) for key in keys_of(case, values, subject, place)]
    return selection.name, pairs


def group_key(value: Any, subject: Subject | None, path: Path) -> Key:
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
