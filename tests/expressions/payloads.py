"""Thousands of expressions that try to reach what is not data, made from all that there is to name.

Every function, filter, test and method is given every kind of value; every gate through which an
attribute can be read is given every name that leads further in Python; everything that is no data is put
to everything that writes out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.expressions.worlds import World

DATA = (
    *(
        "'abc'",
        "''",
        "'<b>'",
        "'{0.__class__}'",
        "'%s'",
        "1",
        "0",
        "-2",
        "2.5",
        "true",
        "none",
        "[]",
        "[1, 2]",
    ),
    *("(1, 'a')", "['b', 'a']", "[[1], [2]]", "{'a': 1}", "{}", "missing", "('x' if false)", "card"),
    *("card.rows", "card.tags", "card.part", "range(3)", "card.does"),
)
OBJECTS = (
    *("range", "[range]", "{'a': range}", "'x'.upper", "[1].count", "{}.get", "card.part.get", "rng(1)"),
    *("rng(1).random", "rng", "namespace", "namespace(a=1)", "str", "int", "dict", "polar", "text_width"),
    *("m", "[m]", "ns", "kit", "kit.word", "kit.kept", "kit.dice", "self", "self.b", "loop", "loop.cycle"),
    *("caller", "varargs", "kwargs", "super", "cards", "lookup", "[1]|map('abs')", "card.items()"),
)
HIDDEN = (
    *("__class__", "__dict__", "__globals__", "__init__", "__mro__", "__subclasses__", "__builtins__"),
    *("__self__", "__func__", "__code__", "__closure__", "__module__", "__reduce__", "__reduce_ex__"),
    *("__getattribute__", "__format__", "__html__", "__call__", "__wrapped__", "__iter__", "__next__"),
    *("func_globals", "gi_frame", "gi_code", "f_globals", "cr_frame", "mro", "format", "format_map"),
    *(
        "translate",
        "encode",
        "to_bytes",
        "join",
        "append",
        "extend",
        "clear",
        "update",
        "pop",
        "setdefault",
    ),
    *("_func", "_environment", "_context", "_stack", "_recurse", "_iterable", "_body_stream", "_state"),
    *(
        "_Namespace__attrs",
        "_TemplateReference__context",
        "environment",
        "name",
        "arguments",
        "call",
        "owner",
    ),
)
GATES = (
    *("(%s).%s", "(%s)['%s']", "[%s]|map(attribute='%s')|list", "[%s]|groupby('%s')", "[%s]|sum('%s')"),
    *("[%s]|sort(attribute='%s')", "[%s]|join(',', '%s')", "[%s]|unique(attribute='%s')|list"),
    *("[%s]|selectattr('%s')|list", "[%s]|max(attribute='%s')", "(%s).%s()", "(%s)|attr('%s')"),
)
SINKS = (
    *("%s", "(%s) ~ ''", "[%s]|join", "'%%s'|format(%s)", "str(%s)", "(%s)|string", "(%s)|e", "(%s)|safe"),
    *(
        "[%s]|string",
        "{'a': %s}|string",
        "(%s)|list",
        "(%s)|first",
        "(%s)|upper",
        "'a' + (%s)",
        "'%%s' %% (%s)",
    ),
    *(
        "'{}'.format(%s)",
        "rng(%s).random()",
        "{(%s): 1}",
        "'x'|replace('x', %s)",
        "(%s)|title",
        "(%s)|truncate",
    ),
    *(
        "(%s) == 'a'",
        "(%s) < (%s)",
        "(%s) in 'a'",
        "'a' in (%s)",
        "[%s]|sort",
        "[%s]|unique|list",
        "(%s)|md",
    ),
    *("(%s)|default('a')", "missing|default(%s)", "(%s)[0]", "(%s)['a']", "(%s)[1:]", "(%s)()", "(%s)(1)"),
    *("(%s)(*[1, 2])", "(%s)(**{'a': 1})", "(%s) * 2", "(%s) + 1", "-(%s)", "not (%s)", "(%s)|tojson"),
    *("(%s)|pprint", "(%s)|xmlattr", "(%s)|dictsort(by=%s)", "[1]|map(%s)|list", "[1]|select(%s)|list"),
    *("[{}]|map(attribute='x', default=%s)|join", "[1]|map('default', %s)|join", "icon(%s, 1, 1, 1)"),
    *(
        "(%s)|effect_text",
        "(%s)|length",
        "[%s]|sum(start=%s)",
        "(%s)|int",
        "(%s)|f",
        "(%s)|pt",
        "loop.cycle(%s)",
    ),
    *(
        "dict(%s)",
        "dict(a=%s)|string",
        "namespace(a=%s).a",
        "namespace(%s)",
        "(%s)|nested",
        "(%s)|find_all('a')",
    ),
    *("[0, %s]|max", "zip(%s, [1])|first", "enumerate(%s)|first", "sorted(%s)", "m(%s)", "kit.word(%s)"),
    *(
        "(%s)|map('string')|list",
        "(%s) is matching('a')",
        "lookup(%s, 'a', 1)",
        "cards(%s)",
        "range(%s)|list",
    ),
)


def payloads(world: World) -> Iterator[str]:
    """All payloads for a world, each once."""
    seen = set()
    for payload in _made(world):
        if payload not in seen:
            seen.add(payload)
            yield payload


def _made(world: World) -> Iterator[str]:
    values = (*DATA, *OBJECTS)
    for sink in SINKS:
        for value in values:
            yield sink.replace("%s", value).replace("%%", "%")
    for place, gate in enumerate(GATES):
        for step, name in enumerate(HIDDEN):
            # Every gate with every name, and every name with every value, not each with each.
            for number, value in enumerate(values):
                if (place + step + number) % 6 == 0:
                    yield gate % (value, name)
    functions = [name for name, value in world.names().items() if world.sandbox.callable(value)]
    for name in sorted(functions):
        for value in values:
            yield f"{name}({value})"
        for first, second in zip(values, values[7:] + values[:7], strict=True):
            yield f"{name}({first}, {second}, {first})"
    for name in sorted(world.sandbox.filters):
        for value in values:
            yield f"({value})|{name}"
        for first, second in zip(values, values[11:] + values[:11], strict=True):
            yield f"({first})|{name}({second})"
        yield f"'a'|{name}(value=range)"
        yield f"'a'|{name}(*range)"
        yield f"'a'|{name}(**{{'_x': 1}})"
        yield f"[range]|map('{name}')|list"
    for name in sorted(world.sandbox.tests):
        if name.isidentifier():
            for value in values:
                yield f"({value}) is {name}"
                yield f"({value}) is {name}(range)"
        yield f"[range, 'a']|select('{name}')|list|string"
        yield f"[range, 'a']|select('{name}', range)|list|string"
    for kind in world.sandbox.methods.values():
        for name in sorted(kind):
            for owner in ("'abc'", "'<b>'|safe", "[1, 2]", "(1, 2)", "rng(1)", "loop"):
                for value in (*DATA[::4], *OBJECTS[::5]):
                    yield f"({owner}).{name}({value})"
                yield f"({owner}).{name}()"
                yield f"({owner}).{name}"
