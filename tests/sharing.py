"""What each of a process's tests would make anew though it is always the same."""

from __future__ import annotations

import gc
import os
from collections.abc import Hashable, Sequence
from functools import partial

import cardgen.commands.production.books
import cardgen.files.project
from cardgen.commands.production import git
from cardgen.core.findings import Findings
from cardgen.files import cache as stamps
from cardgen.files.listing import Skip, Walked
from cardgen.files.project import bundled_root
from cardgen.files.reading import Name
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_file import SchemaFile
from cardgen.game.schema_store import SchemaStore

SHIPPED_RACY_NS = stamps.RACY_NS
STEP_NS = 20_000_000
"""Twice the longest steps in which file systems keep time."""

count_frozen = gc.get_freeze_count

LIMITED = git._limited

_kept: dict[str, tuple[PreparedSchema, dict[str, SchemaFile]]] = {}
_walked: dict[Hashable, Walked] = {}


def share() -> None:
    """Have all that is below shared from now on."""
    _share_own_schemas()
    _share_the_count_of_what_is_frozen()
    _share_walks_of_the_bundled_folders()
    git._limited = None  # type: ignore[assignment]  # limits need a copy of this process, which is large
    wait_at_most(STEP_NS)


def wait_at_most(step_ns: int) -> None:
    """How long commands wait for files that were written a moment ago, as those of tests always were."""
    stamps.RACY_NS = step_ns


def _share_the_count_of_what_is_frozen() -> None:
    """Whoever pauses the collector asks how much is frozen, and to count that is to go through all of it:
    with all test modules imported, nearly half of what a small project's command takes."""
    counted: list[int] = []

    def count() -> int:
        if not counted or not counted[0]:
            counted[:] = [count_frozen()]
        return counted[0]

    gc.get_freeze_count = count


def _share_own_schemas() -> None:
    """Cardgen's own schemas are read and prepared once in this process and not once in every project: a
    fifth of what a small project's build takes. Those with faults are not shared."""
    prepare = SchemaStore._prepare

    def prepared(store: SchemaStore, relative: str) -> PreparedSchema | None:
        root = store.paths.roots[-1]
        if relative.count("/") != 1 or root != bundled_root() or not (root / relative).is_file():
            return prepare(store, relative)
        if relative not in _kept:
            alone = SchemaStore(store.paths, Findings())
            schema = prepare(alone, relative)
            if schema is None or alone.findings.items:
                return prepare(store, relative)
            _kept[relative] = schema, dict(alone._files)
        schema, files = _kept[relative]
        for name, file in files.items():
            store._files.setdefault(name, file)
        return schema

    SchemaStore._prepare = prepared  # type: ignore[method-assign]


def _share_walks_of_the_bundled_folders() -> None:
    """What lies in the checkout behind a test's own project is looked at once in this process and not
    several times in every command: a fifth of what a small project's takes. No test writes there."""
    walk = cardgen.files.project.walk

    def walked(
        folder: Name, shown: str, within: Sequence[Name] | None, *, skip: Skip | None = None
    ) -> Walked:
        bundled = bundled_root()
        behind = within is not None and within[0] != bundled and os.path.dirname(folder) == str(bundled)
        if not behind:
            return walk(folder, shown, within, skip=skip)
        game = skip.args[1] if isinstance(skip, partial) else None
        if (folder, game) not in _walked:
            _walked[folder, game] = walk(folder, shown, within, skip=skip)
        return _walked[folder, game]

    cardgen.files.project.walk = walked
