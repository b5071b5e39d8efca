"""The sandbox of card templates and prose: the sources of templates, and the functions for them."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, nodes
from jinja2.exceptions import TemplateError
from jinja2.runtime import Context
from markupsafe import Markup

from cardgen.art.functions import RNG_KIND, DrawingFunctions, Rng, drawing_filters, rng_methods
from cardgen.art.markdown import printed_line_ends
from cardgen.art.named import Naming
from cardgen.art.template_lines import Marks, mark_texts
from cardgen.core.findings import nearest
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import replace
from cardgen.expressions.budget import Bounds, SandboxError, WrongValueError, kind_of
from cardgen.expressions.filters import GENERAL
from cardgen.expressions.sandbox import Sandbox
from cardgen.expressions.values import number
from cardgen.files.cache import Cache, digest_of
from cardgen.files.listing import walk
from cardgen.files.plugins import filter_of
from cardgen.files.reading import TEMPLATE, ReadingError, read_file
from cardgen.svg.root import utf8_of, without_metadata
from cardgen.svg.tree import SvgError, names

MAX_STEPS = 250_000
"""Loop rounds, calls and printed values of one side. A 60 kB side takes about 5,000."""

MAX_OUTPUT = 2_000_000
"""Characters of SVG of one side; also of any text that a template builds."""

MAX_ITEMS = 100_000
"""Items of a range or a list that a template makes."""

BOUNDS = Bounds(
    steps=MAX_STEPS,
    characters=MAX_OUTPUT,
    items=MAX_ITEMS,
    bits=4_096,  # art mixes large whole numbers for its random values
    subject="the template",
    whole="for one side of a card",
)

MARKING_BOUNDS = replace(BOUNDS, steps=4 * MAX_STEPS, characters=10 * MAX_OUTPUT)
"""Marks must not push a rendering beyond its bounds."""

FILTERS = names(
    "abs batch capitalize count d default dictsort e escape first float forceescape format groupby int "
    "items join last length list lower map max min reject rejectattr replace reverse round safe select "
    "selectattr sort string sum title trim truncate unique upper wordcount"
)

_USING = frozenset((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends))
_INCLUDE_COST = 50
_NEAR_NAMES = 500
"""Most names that are compared for a suggestion."""


class MissingValue(StrictUndefined):
    """Undefined, with a message that lists the existing names."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name, owner = self._undefined_name, self._undefined_obj
        if self._undefined_hint:
            return str(self._undefined_hint)
        word = str(name) if len(str(name)) <= 60 else f"{str(name)[:57]}…"
        if isinstance(owner, Mapping):
            known = [str(key)[:60] for key in list(owner)[:_NEAR_NAMES]]
            near = nearest(word, known)
            return f"there is no '{word}' here" + (f"; did you mean '{near}'?" if near else "")
        if isinstance(owner, (str, list, tuple, range, int, float)) or owner is None:
            return f"{_KINDS.get(type(owner), kind_of(owner))} has no '{word}'"
        return f"there is no variable '{word}'"


_KINDS = {str: "a text", type(None): "an empty value"}


class TemplateLoader(BaseLoader):
    """Templates by name below the `templates/` folders of the project, the user's own first."""

    def __init__(self, paths: ProjectPaths) -> None:
        self.paths = paths
        self._names: list[str] | None = None
        self._canonical: dict[tuple[str, str], str] = {}

    def canonical(self, name: str, folder: str = "") -> str:
        """Return the name of the file for a template's name, below `templates/`; the name itself if there
        is none.

        Args:
            name: As a template writes it; with `./` or `../` in front it starts from `folder`.
            folder: The requesting template's folder, below `templates/`.
        """
        key = name, folder
        if key not in self._canonical:
            is_beside = name.replace("\\", "/").startswith(("./", "../"))
            start = f"templates/{folder}" if is_beside and folder else "templates"
            found = self.paths.locate(name, [start], ["templates"])
            is_found = found is not None and not found[1].has_other_case
            file = found[1].file if found is not None and is_found else f"templates/{name}"
            self._canonical[key] = file.removeprefix("templates/")
        return self._canonical[key]

    def other_case(self, name: str) -> str | None:
        """Return the template whose name differs from this one only in capitals."""
        found = self.paths.other_case(name, ["templates"], ["templates"])
        return None if found is None else found.removeprefix("templates/")

    def find(self, name: str) -> Path | None:
        """Return the file of a template; None if there is none or it is outside the folders."""
        found = self.paths.locate(name, ["templates"], ["templates"])
        if found is None or found[1].has_other_case:
            return None
        root, file = found[0], found[1].file
        # Through a folder that is a link, the same file would have endless names.
        inner = os.path.dirname(file)
        real = os.path.realpath(os.path.join(root, inner))
        return root / file if real == os.path.join(os.path.realpath(root), inner) else None

    def source(self, name: str) -> str:
        """Return the text of a template, without parts that only programs need. Raises TemplateError."""
        return self._source(name)[0]

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        text, path = self._source(template)
        return text, path, lambda: True

    def _source(self, template: str) -> tuple[str, str]:
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        try:
            data = read_file(path, TEMPLATE, f"templates/{template}", self.paths.roots)
            text = utf8_of(data).decode().replace("\r\n", "\n").replace("\r", "\n")
        except ReadingError as error:
            raise TemplateError(f"the template '{template}' {error.reason}") from error
        except SvgError as error:
            raise TemplateError(f"the template {template} can't be read: {error}") from error
        return without_metadata(text), str(path)

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        source, _, _ = self.get_source(environment, name)
        assert isinstance(environment, TemplateEnvironment)
        if environment.naming is not None:
            source = environment.naming.template(source, name)
        return environment.compiled(source, name, globals or {})

    def names(self) -> list[str]:
        """Return all templates, for suggestions."""
        if self._names is None:
            found: set[str] = set()
            for root in self.paths.roots:
                base = os.path.realpath(root / "templates")
                for file, _, _ in walk(base, "templates", self.paths.roots).files:
                    if file.endswith(".svg"):
                        found.add(os.path.relpath(file, base).replace(os.sep, "/"))
            self._names = sorted(found)
        return self._names


class TemplateEnvironment(Sandbox):
    """The sandbox of drawings. `mark_lines` makes one whose output gives the line of each stretch, in
    `marks`."""

    marks: Marks | None = None
    naming: Naming | None = None
    """The fields that objects of drawings may be named after; None if names mean nothing."""
    given: Mapping[str, Any] = MappingProxyType({})
    """The parts of the game that filters and functions work with."""
    noted: Callable[[], int] | None = None
    """Counts reads of `given` and of the tables."""

    def __init__(
        self, paths: ProjectPaths, *, mark_lines: bool = False, naming: Naming | None = None
    ) -> None:
        self.naming = naming
        self.configure(paths, mark_lines=mark_lines, general=GENERAL, autoescape=True)
        self.offer_filters({"f": number, **drawing_filters(self)})
        self.kinds[Rng] = RNG_KIND
        self.methods[Rng] = rng_methods(self)
        self.offer(DrawingFunctions(self).offered())

    def configure(
        self, paths: ProjectPaths, *, mark_lines: bool, general: Iterable[str], autoescape: bool
    ) -> None:
        """Set up the functions that drawings and prose share."""
        self.mentions: dict[str, Mentions] = {}
        self._broken: dict[str, Exception] = {}
        self.templates = TemplateLoader(paths)
        super().__init__(
            MARKING_BOUNDS if mark_lines else BOUNDS,
            general=general,
            filters=FILTERS,
            undefined=MissingValue,
            loader=self.templates,
            autoescape=autoescape,
            extensions=("jinja2.ext.loopcontrols",),
            find_filter=filter_of,
        )
        if mark_lines:
            self.marks = Marks()
            self.concat = self._concat_marked  # type: ignore[method-assign]

    @property
    def kind(self) -> str:
        """Return the kind that distinguishes environments that compile differently."""
        return f"{self.autoescape} {' '.join(sorted(self.filters))}"

    @property
    def notes(self) -> int:
        return 0 if self.noted is None else self.noted()

    def escaped(self, value: Any) -> str:
        return super().escaped(printed_line_ends(value) if type(value) is str else value)

    # ---- marking lines

    def literal(self, text: str, name: str, line: int) -> str:
        """Return the text with line marks (see template_lines.py)."""
        marks = self.marks
        return mark_texts(text, name, line) if marks is None else marks.every_line(text, name, line)

    def printing(self, name: str | None, line: int) -> str:
        if self.marks is None:
            return super().printing(name, line)
        return f"environment.print_marked({self.marks.mark(name or '', line)!r}, "

    def print_marked(self, mark: str, value: Any) -> str:
        """Return the output of `{{ … }}`, with the mark of its line and those of its content."""
        assert self.marks is not None
        text = self.printed(value)
        if type(value) is Markup or not self.autoescape:
            text = self.marks.given(text)
        return mark + text

    def _concat_marked(self, parts: Iterable[str]) -> str:
        """Join the output of a macro, a block or `~`, without marks."""
        assert self.marks is not None
        return self.marks.taken(self.budget.concat(list(map(self.marks.given, parts))))

    def run(self, template: Template, context: Context) -> list[str]:
        """Return all output of a template, piece by piece, with the marks of its lines if there are any."""
        pieces = list(template.root_render_func(context))
        return pieces if self.marks is None else list(map(self.marks.given, pieces))

    def begin(self) -> None:
        super().begin()
        if self.marks is not None:
            self.marks.begin()

    # ---- loading

    def compiled(self, source: str, name: str, globals: MutableMapping[str, Any]) -> Template:
        """Return the template of a source; its code is kept."""
        # Code with marks contains numbers that only mean something in its environment.
        cache = Cache("templates") if self.marks is None else Cache.nowhere()
        key = digest_of(self.kind, name, source)
        kept = cache.get(key)
        if kept is not None:
            code, self.mentions[name] = marshal.loads(kept)
        else:
            code = self.compile(source, name, name)
            cache.put(key, marshal.dumps((code, self.mentions[name])))
            cache.save()
        return self.template_class.from_code(self, code, globals)

    def join_path(self, template: str, parent: str) -> str:
        """Start `./x.svg` and `../x.svg` from the requesting template, other names from `templates/`."""
        if not isinstance(template, str):
            raise WrongValueError(f"a template name must be text, not {kind_of(template)}")
        return self.templates.canonical(template, parent.rpartition("/")[0])

    def select_template(
        self, names: Any, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        """Return the first of several templates that exists."""
        return super().select_template(list(self.members(names)), parent, globals)

    def _load_template(self, name: str, globals: Any) -> Template:
        """Return a template, compiled once; one that failed to compile fails again without another try."""
        self.budget.step(_INCLUDE_COST)
        known = self._broken.get(name)
        if known is not None:
            raise known
        try:
            return super()._load_template(name, globals)
        except TemplateNotFound:
            raise
        except TemplateError as error:
            self._broken[name] = error
            raise

    def admit(self, tree: nodes.Template, name: str | None) -> tuple[list[nodes.Node], list[int]]:
        """Check a template, and record the names that it mentions."""
        everything, parents = super().admit(tree, name)
        self.note(name or "", everything)
        return everything, parents

    def note(self, name: str, everything: Iterable[nodes.Node]) -> None:
        """Record the names that a template mentions, given its nodes; called while compiling."""
        names: set[str] = set()
        others: list[str | None] = []
        for found in everything:
            kind = type(found)
            if kind is nodes.Name:
                names.add(found.name)  # type: ignore[attr-defined]
            elif kind in _USING:
                target = found.template  # type: ignore[attr-defined]
                text = target.value if isinstance(target, nodes.Const) else None
                others.append(text if isinstance(text, str) else None)
        self.mentions[name] = (frozenset(names), tuple(others))

    def mentioned(self, name: str) -> frozenset[str] | None:
        """Return the variables that a template and all it includes mention; None if they are unknown."""
        used = self.used(name)
        return None if used is None else frozenset().union(*(self.mentions[each][0] for each in used))

    def used(self, name: str) -> frozenset[str] | None:
        """Return a template and all that it includes or takes macros from; None if they are unknown."""
        todo, done = [name], set[str]()
        while todo:
            current = todo.pop()
            if current in done:
                continue
            done.add(current)
            if current not in self.mentions:
                try:
                    self.get_template(current)
                except (TemplateError, SandboxError):
                    return None
            for other in self.mentions[current][1]:
                if other is None:
                    return None
                todo.append(self.join_path(other, current))
        return frozenset(done)


Mentions = tuple[frozenset[str], tuple[str | None, ...]]
"""Variables that a template mentions, and the templates that it includes (None: unknown)."""
