"""Words that templates write themselves, `t('Players')`: said in the game's language, found for
translators."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import TemplateError

from cardgen.model.game import ProjectPaths
from cardgen.model.translation import Words
from cardgen.rendering.templating import TemplateEnvironment
from cardgen.sandbox import Sandbox, SandboxError, WrongValueError, kind_of, shown
from cardgen.storage.walking import walk

NAME = "t"
_CALL = re.compile(r"\bt\s*\(")
_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]{0,40})\}")


def speaker(words: Words | None, sandbox: Sandbox) -> Callable[..., str]:
    """The function `t`: a text in the game's language, its `{holes}` filled with the values of these
    names."""

    def t(text: object, **values: Any) -> str:
        if not isinstance(text, str):
            raise WrongValueError(f"t was given {kind_of(text)} and not a text")
        said = str(text)
        if words is not None and any(map(str.isalpha, said)):
            if (known := words.words.get(said)) is not None:
                said = known[0]
            elif words.must:
                raise WrongValueError(f"the word {shown(said)} has no translation into {words.language}")
        texts = {name: sandbox.text_of(value) for name, value in values.items()}

        def fill(hole: re.Match[str]) -> str:
            if hole[1] not in texts:
                raise WrongValueError(f"{shown(said)} has a hole {hole[0]} that no value is given for")
            return texts[hole[1]]

        holes = len(_HOLE.findall(said))
        sandbox.budget.text(len(said) + holes * max(map(len, texts.values()), default=0))
        return _HOLE.sub(fill, said) if holes else said

    return t


def template_words(paths: ProjectPaths, game: str) -> dict[str, list[tuple[str, int]]]:
    """The texts that a game's templates give to `t`, each with the files and lines where they do, in order.

    Templates that can't be read are passed over: rendering says what is wrong with them.
    """
    found: dict[str, list[tuple[str, int]]] = {}
    env = TemplateEnvironment(paths)
    for name in _templates(paths, game):
        try:
            source = env.templates.get_source(env, name)[0]
            calls = list(_calls(env, source)) if _CALL.search(source) else []
        except (TemplateError, SandboxError):
            continue
        for word, line in calls:
            if any(map(str.isalpha, word)):
                found.setdefault(word, []).append((f"templates/{name}", line))
    return found


def _templates(paths: ProjectPaths, game: str) -> list[str]:
    """The names of all templates in a game's folder, sorted."""
    found: set[str] = set()
    for root in paths.roots:
        base = os.path.realpath(root / "templates")
        for file, _, _ in walk(os.path.join(base, game), f"templates/{game}", paths.roots).files:
            if file.endswith(".svg"):
                found.add(os.path.relpath(file, base).replace(os.sep, "/"))
    return sorted(found)


def _calls(env: TemplateEnvironment, source: str) -> Iterator[tuple[str, int]]:
    for call in env.parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == NAME and call.args:
            yield from _texts(call.args[0])


def _texts(node: nodes.Node) -> Iterator[tuple[str, int]]:
    """The texts that an expression may be: one, or one of two."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value, node.lineno
    elif isinstance(node, nodes.CondExpr):
        yield from _texts(node.expr1)
        if node.expr2 is not None:
            yield from _texts(node.expr2)
