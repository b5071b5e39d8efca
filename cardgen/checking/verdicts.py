"""What rules came to, kept with all that they read: a rule whose reads are the same isn't judged again.

What is kept of a rule is what its kind reported, before it is known where that stands: findings are placed
anew each time. Only what a kind reported to its end is kept, so no rule that can't be judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from cardgen.checking.case import Case, Failure
from cardgen.checking.pool import Pool
from cardgen.checking.reads import Reads, digest_of
from cardgen.checking.results import Histogram, Matrix, Measure, Table
from cardgen.checking.subjects import UnknownNameError
from cardgen.storage.kept import Kept


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging a rule took of what all rules of a file share: steps, and the operations of its
    expressions, by their sources in the order in which they were first compiled."""

    steps: int
    expressions: Sequence[tuple[str, int]]


class VerdictStore:
    """What the rules of a game in one language came to, in `kept`.

    A rule's verdict depends on what the rule says (and on all `about` the game that is the same for every
    rule, such as its definitions), and on the values that were read as it was judged, in that order: where
    all of these are the same, judging reads the same again and comes to the same. The digest of the first
    is the key of the list of reads; that and the digest of what is read now are the key of the outcome.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def key(self, entry: Mapping[str, Any], about: str | None) -> str | None:
        """The key of a rule; None where that can't be told from others."""
        return None if about is None else digest_of([about, _plain(entry)])

    def get(self, key: str | None, pool: Pool) -> tuple[list[Any], Cost] | None:
        """What the rule reported when it read what there is to read now, and what that took."""
        reads = None if key is None else self._kept.get(key)
        if reads is None or key is None:
            return None
        found = self._kept.get(_outcome(key, pool, reads) or "")
        if found is None:
            return None
        reported, steps, expressions = found
        return reported, Cost(steps, [(source, size) for source, size in expressions])

    def put(self, key: str | None, case: Case, reads: Reads, cost: Cost) -> None:
        """Keep what a rule reported that was judged to its end."""
        if key is None:
            return
        plain = reads.plain()
        outcome = _outcome(key, case.pool, plain)
        if outcome is None:
            return
        try:
            reported = json.loads(json.dumps(_reported(case)))
        except (LookupError, TypeError, ValueError):  # no plain figures
            return
        self._kept.put(key, plain)
        self._kept.put(outcome, [reported, cost.steps, [list(each) for each in cost.expressions]])

    def save(self) -> None:
        """Write what is new."""
        self._kept.save()


def _outcome(key: str, pool: Pool, reads: list[Any]) -> str | None:
    try:
        read = pool.digests.of(reads)
    except UnknownNameError:  # a list that is no longer there
        return None
    return None if read is None else digest_of([key, read])


def _plain(entry: Any) -> Any:
    """Parameters with nothing but lists and mappings in them."""
    if isinstance(entry, Mapping):
        return {key: _plain(value) for key, value in entry.items()}
    return [_plain(value) for value in entry] if isinstance(entry, (list, tuple)) else entry


def _reported(case: Case) -> list[Any]:
    return [
        list(map(astuple, case.measures)),
        [_failure(case, each) for each in case.failures],
        [_failure(case, each) for each in case.doubts],
        list(map(astuple, case.tables)),
        list(map(astuple, case.histograms)),
        list(map(astuple, case.matrices)),
        case.looked_at,
    ]


def restore(case: Case, reported: list[Any]) -> None:
    """Let a case have reported what was kept."""
    measures, failures, doubts, tables, histograms, matrices, looked_at = reported
    for name, value, unit, text, interval, exact, bounds in measures:
        ends = None if interval is None else (interval[0], interval[1])
        case.measures.append(Measure(name, value, unit, text, ends, exact, _rows(bounds)))
    for found, said in ((case.failures, failures), (case.doubts, doubts)):
        for message, subject, path, hint, off in said:
            about = None if subject is None else case.pool.subjects(subject[0])[subject[1]]
            found.append(Failure(message, about, tuple(path), hint, off))
    case.tables += [Table(title, tuple(columns), _rows(rows)) for title, columns, rows in tables]
    case.histograms += [Histogram(title, _rows(bins), numeric) for title, bins, numeric in histograms]
    case.matrices += [
        Matrix(title, tuple(rows), tuple(columns), _rows(values))
        for title, rows, columns, values in matrices
    ]
    case.looked_at += looked_at


def _failure(case: Case, failure: Failure) -> list[Any]:
    subject = failure.subject
    place = None if subject is None else [subject.source, case.pool.place_of(subject)]
    return [failure.message, place, list(failure.path), failure.hint, failure.off]


def _rows(rows: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(map(tuple, rows))
