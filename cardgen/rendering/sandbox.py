"""The Jinja2 environment of templates: sandboxed, counted, strict about what is missing."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, nodes, pass_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateError, TemplateRuntimeError
from jinja2.ext import Extension
from jinja2.filters import FILTERS as STOCK_FILTERS
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from cardgen.model.game import ProjectPaths
from cardgen.rendering import functions, lines
from cardgen.rendering.budget import Budget
from cardgen.rendering.compiled import CompiledTemplate, Mentions
from cardgen.rendering.names import names

_KEPT_FILTERS = names(
    "abs capitalize count d default dictsort e escape first float forceescape groupby int items "
    "last length list lower map max min reject rejectattr reverse round safe select selectattr "
    "sort string sum title trim truncate unique upper wordcount"
)
"""Jinja2's own filters that neither grow text nor depend on chance; `batch`, `join` and `replace`
come back counted."""

_TEXT_METHODS = names(
    "capitalize casefold count endswith find isalpha isdigit islower isnumeric isspace isupper "
    "lower lstrip partition removeprefix removesuffix rfind rpartition rsplit rstrip split "
    "splitlines startswith strip swapcase title upper"
)
"""Methods of text that can't make it much longer."""

_SPECIAL = re.compile("[<>&'\"]")
_LOOP_NUMBERS = names("depth depth0 first index index0 last length revindex revindex0")
_MAPPING_METHODS = frozenset(("get", "items", "keys", "values"))


class MissingValue(StrictUndefined):
    """Undefined, with a message that says what there is instead."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name, owner = self._undefined_name, self._undefined_obj
        if self._undefined_hint:
            return str(self._undefined_hint)
        if isinstance(owner, Mapping):
            near = difflib.get_close_matches(str(name), list(map(str, owner)), 1)
            return f"there is no '{name}' here" + (f"; did you mean '{near[0]}'?" if near else "")
        if isinstance(owner, (str, list, tuple, int, float)) or owner is None:
            kind = "an empty value" if owner is None else f"a {_KINDS.get(type(owner), 'value')}"
            return f"{kind} has no '{name}'"
        return f"there is nothing called '{name}'"


_KINDS = {str: "text", list: "list", tuple: "list", int: "number", float: "number"}


class TemplateLoader(BaseLoader):
    """Templates by name below the `templates/` folders of the project, the user's own first."""

    def __init__(self, paths: ProjectPaths) -> None:
        self.roots = [(root / "templates").resolve() for root in paths.roots]

    def find(self, name: str) -> Path | None:
        """The file of a template; None if there is none or it lies outside the folders."""
        parts = name.split("/")
        if not name or "\\" in name or any(part in ("", ".", "..") for part in parts):
            return None
        for root in self.roots:
            path = root.joinpath(*parts)
            if path.is_file() and path.resolve().is_relative_to(root):
                return path
        return None

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        try:
            text = path.read_text("utf-8-sig")
        except UnicodeDecodeError as error:
            raise TemplateError(f"the template {template} is not UTF-8 text") from error
        return text, str(path), lambda: True

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        source, path, _ = self.get_source(environment, name)
        assert isinstance(environment, TemplateEnvironment)
        kept = CompiledTemplate(environment.kind, path, source)
        known = kept.read()
        if known is not None:
            code, environment.mentions[name] = known
        else:
            code = environment.compile(source, name, path)
            kept.write(code, environment.mentions[name])
        return environment.template_class.from_code(environment, code, globals or {})

    def names(self) -> list[str]:
        """All templates, for suggestions."""
        found = {path.relative_to(root).as_posix() for root in self.roots for path in root.rglob("*.svg")}
        return sorted(found)


class _Counting(NodeTransformer):
    """Wraps what can grow or go on for long in counted filters."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802
        self.generic_visit(node)
        iterated = node.iter
        assert isinstance(iterated, nodes.Expr)
        node.iter = _filtered(iterated, "_counted")
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802
        self.generic_visit(node)
        return _filtered(nodes.List(node.nodes, lineno=node.lineno), "_joined")


def _filtered(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _guarded(name: str) -> Callable[[CodeGenerator, nodes.BinExpr, Frame], None]:
    """Compiles an operator to a call of the environment's method of that name. (The sandbox's own way,
    `call_binop`, takes twice as long, and generative art does a lot of sums.)"""

    def visit(self: CodeGenerator, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"environment.{name}(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    return visit


class _Generator(CodeGenerator):
    """Compiles the counted tree, and notes which variables a template mentions."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.printed(context, ")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_post(node, frame, finalize)
        else:
            self.write(")")

    visit_Add = _guarded("add")  # noqa: N815
    visit_Mul = _guarded("multiply")  # noqa: N815
    visit_Pow = _guarded("power")  # noqa: N815
    visit_Mod = _guarded("modulo")  # noqa: N815

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        environment = self.environment
        if isinstance(environment, TemplateEnvironment):
            environment.note(self.name or "", node)
            transformer = _Counting()
            transformer.visit(node)
            # Nodes made after parsing have no environment, which constant folding asks for.
            node.set_environment(environment)
        super().visit_Template(node, frame)


class _Lines(Extension):
    """Writes line marks into the template's literal text (see lines.py)."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        environment = self.environment
        assert isinstance(environment, TemplateEnvironment)
        marker = lines.mark_every_line if environment.mark_lines else lines.mark_texts
        name = stream.name or ""
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, "data", marker(token.value, name, token.lineno))
            else:
                yield token


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox. `mark_lines` makes one whose output says for each stretch which line it is from."""

    code_generator_class = _Generator
    # Keeps the compiler from working these out in advance; _Generator compiles them.
    intercepted_binops = frozenset(("+", "*", "**", "%"))
    mark_lines = False

    def __init__(self, paths: ProjectPaths, *, mark_lines: bool = False) -> None:
        self.mark_lines = mark_lines
        self.budget = Budget()
        self.kind = f"{type(self).__qualname__} {mark_lines}"
        """Tells environments apart that compile differently."""
        self.mentions: dict[str, Mentions] = {}
        self._broken: dict[str, Exception] = {}
        self.templates = TemplateLoader(paths)
        super().__init__(
            loader=self.templates,
            undefined=MissingValue,
            autoescape=True,
            finalize=self._finalize,
            auto_reload=False,
            cache_size=-1,
            keep_trailing_newline=False,
            extensions=("jinja2.ext.loopcontrols", _Lines),
        )
        budget = self.budget
        self.filters = {name: STOCK_FILTERS[name] for name in _KEPT_FILTERS}
        self.filters |= functions.FILTERS
        self.filters |= {
            "_counted": budget.counted,
            "_joined": self._joined,
            "batch": self._batch,
            "join": self._join,
            "replace": self._replace,
        }
        self.globals.clear()
        self.globals |= functions.FUNCTIONS
        self.globals |= functions.counted_functions(budget)
        self.globals |= {"range": budget.range, "dict": dict, "namespace": Namespace}
        self.add, self.multiply = budget.add, budget.multiply
        self.power, self.modulo = budget.power, budget.modulo
        self._plain = frozenset(value for value in self.globals.values() if type(value) is FunctionType)
        self.concat = budget.concat  # type: ignore[method-assign]

    # ---- what templates may do

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Data before methods, so that a card may have a field called `items`."""
        kind = type(obj)
        if kind is LoopContext and attribute in _LOOP_NUMBERS:
            return getattr(obj, attribute)
        if kind is dict or isinstance(obj, Mapping):
            try:
                return obj[attribute]
            except KeyError:
                if attribute in _MAPPING_METHODS:
                    return getattr(obj, attribute)
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str):
            return attr in _TEXT_METHODS
        return super().is_safe_attribute(obj, attr, value)

    def unsafe_undefined(self, obj: Any, attribute: str) -> MissingValue:
        hint = f"'{attribute}' is not available to templates"
        return MissingValue(hint, obj=obj, name=attribute, exc=TemplateRuntimeError)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        __self.budget.step()
        kind = type(__obj)
        if kind is BuiltinFunctionType or (kind is FunctionType and __obj in __self._plain):
            # Nothing about these for the context to arrange; it would take its own arguments out.
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return __obj(*args, **kwargs)
        return super().call(__context, __obj, *args, **kwargs)

    @staticmethod
    @pass_context
    def _finalize(context: Context, value: Any) -> Any:
        """What `{{ … }}` prints: floats shortened, nothing printed by accident.

        It asks for the context, which it does not need, because constants would otherwise be
        printed while compiling, and not come by here.
        """
        environment = context.environment
        assert isinstance(environment, TemplateEnvironment)
        environment.budget.step()
        kind = type(value)
        if kind is float:
            return functions.number(value, 4)
        if value is None:
            raise TemplateRuntimeError("an empty value (null) would be printed here")
        if kind is str:
            if len(value) > 100:
                environment.budget.text(len(value))
        elif kind is tuple or kind is list or kind is dict:
            raise TemplateRuntimeError("a whole list or mapping would be printed here")
        return value

    def printed(self, context: Context, value: Any) -> str:
        """What `{{ … }}` prints into XML: finalized and escaped, the common kinds without detours."""
        kind = type(value)
        if kind is str and len(value) < 100 and not _SPECIAL.search(value):
            self.budget.step()
            return str(value)
        if kind is float or kind is int:
            self.budget.step()
            return functions.number(value, 4)
        if kind is Markup:
            self._finalize(context, value)
            return str(value)
        return str(escape(self._finalize(context, value)))

    # ---- counted stand-ins for Jinja2's own

    def _joined(self, parts: list[Any]) -> Any:
        texts = [functions.number(part, 4) if type(part) is float else part for part in parts]
        if any(isinstance(part, Markup) for part in texts):
            texts = [escape(part) for part in texts]
            return Markup(self.budget.concat(texts))
        return self.budget.concat(map(str, texts))

    def _join(self, value: Iterable[Any], separator: str = "", attribute: str | None = None) -> Any:
        parts: list[Any] = []
        for item in value:
            if parts:
                parts.append(separator)
            parts.append(item if attribute is None else self.getitem(item, attribute))
        self.budget.items(len(parts))
        return self._joined(parts)

    def _replace(self, value: str, old: str, new: str) -> str:
        value, old, new = str(value), str(old), str(new)
        self.budget.text(len(value) + max(0, value.count(old) * (len(new) - len(old))))
        return value.replace(old, new)

    def _batch(self, value: Iterable[Any], count: int) -> Iterator[list[Any]]:
        row: list[Any] = []
        for item in value:
            row.append(item)
            if len(row) == count:
                yield row
                row = []
        if row:
            yield row

    # ---- loading

    def join_path(self, template: str, parent: str) -> str:
        """`./x.svg` is beside the template that asks; all other names are below `templates/`."""
        if template.startswith("./"):
            folder = parent.rpartition("/")[0]
            return f"{folder}/{template[2:]}" if folder else template[2:]
        return template

    def _load_template(self, name: str, globals: Any) -> Template:
        """Compile once; a template that failed to compile fails again without another try."""
        self.budget.template()
        known = self._broken.get(name)
        if known is not None:
            raise known
        try:
            return super()._load_template(name, globals)
        except TemplateError as error:
            self._broken[name] = error
            raise

    def note(self, name: str, node: nodes.Template) -> None:
        """Remember what a template mentions; called while compiling."""
        names = frozenset(found.name for found in node.find_all(nodes.Name))
        kinds = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
        others: list[str | None] = []
        for found in node.find_all(kinds):
            target = found.template  # type: ignore[attr-defined]
            known = isinstance(target, nodes.Const) and isinstance(target.value, str)
            others.append(self.join_path(target.value, name) if known else None)
        self.mentions[name] = (names, tuple(others))

    def mentioned(self, name: str) -> frozenset[str] | None:
        """Variables that a template and all it includes mention; None if that can't be told."""
        found: set[str] = set()
        todo, done = [name], set()
        while todo:
            current = todo.pop()
            if current in done:
                continue
            done.add(current)
            if current not in self.mentions:
                try:
                    self.get_template(current)
                except TemplateError:
                    return None
            names, others = self.mentions[current]
            found |= names
            for other in others:
                if other is None:
                    return None
                todo.append(other)
        return frozenset(found)
