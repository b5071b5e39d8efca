"""The first letters of each card are its own, so that players who announce cards can shorten them.

`value` is the text to compare, `letters` the number of its first letters.

```yaml
rules:
  - {id: short, question: Are three letters enough?, kind: first-letters, value: title, letters: 3}
```
"""

from cardgen.plugins import BrokenRuleError, Case, Traits

SCHEMA = {
    "properties": {
        "value": {"description": "The text to compare.", "$ref": "#/$defs/expression"},
        "letters": {
            "description": "How many letters differ.",
            "type": "integer",
            "minimum": 1,
            "maximum": 20,
        },
    },
    "required": ["value", "letters"],
    "allOf": [{"$ref": "#/$defs/selection"}],
}
TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    selection = case.select()
    value, letters = selection.reading("value"), case.data["letters"]
    first: dict[str, str] = {}
    for subject in selection:
        text = value.of(subject)
        if not isinstance(text, str):
            raise BrokenRuleError("the value is no text", ("value",), subject=subject)
        start = text[:letters].casefold()
        other = first.setdefault(start, text)
        if other is not text:
            message = f"'{text}' and '{other}' both begin with '{text[:letters]}'"
            case.fail(message, subject, value.place(subject))
    case.measure("beginnings", len(first), "", f"{len(first)} of {len(selection)} cards")
