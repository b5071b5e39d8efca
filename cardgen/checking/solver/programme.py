"""An integer programme: variables, rows, HiGHS, and a bound that is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from cardgen.checking.solver.effort import Effort, OutOfStepsError

INFINITY = float("inf")

_STEPS_PER_SOLVE = 1000
_STEPS_PER_ITERATION = 40
"""Of the simplex method, with the cuts and heuristics that come with it."""
_STEPS_PER_NODE = 40
_ENTRIES_PER_STEP = 280
"""Of the rows, times their square root: how the work of a node was found to grow with them."""
_LOOKS_PER_NODE = 2
"""How often the solver asks whether to go on: at a node, and in each round of cuts of the first one."""


class NoSolverError(Exception):
    """highspy is not installed."""


@dataclass(slots=True)
class Programme:
    """Minimise `costs`·x where rows and variables lie within their bounds, some x whole numbers."""

    effort: Effort
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    row_low: list[float] = field(default_factory=list)
    row_high: list[float] = field(default_factory=list)
    rows: list[Mapping[int, float]] = field(default_factory=list)

    def variable(self, low: float, high: float, cost: float = 0, whole: bool = True) -> int:
        self.low.append(low)
        self.high.append(high)
        self.costs.append(cost)
        self.whole.append(whole)
        return len(self.low) - 1

    def row(self, terms: Mapping[int, float], low: float = -INFINITY, high: float = INFINITY) -> int:
        self.rows.append(terms)
        self.row_low.append(low)
        self.row_high.append(high)
        return len(self.rows) - 1

    def solve(self) -> list[float] | None:
        """The values of an optimal solution, or None if there is none at all.

        Raises OutOfStepsError, NoSolverError. One thread and a fixed seed: the same answer always.
        """
        try:
            import highspy  # loads in 0.1 s, and only this rule kind needs it
            import numpy
        except ImportError:
            raise NoSolverError("the solver highspy is not installed") from None
        if not self.low:
            return [] if all(low <= 0 <= high for low, high in zip(self.row_low, self.row_high)) else None
        starts, indexes, values = [0], list[int](), list[float]()
        for terms in self.rows:
            indexes.extend(terms.keys())
            values.extend(terms.values())
            starts.append(len(indexes))
        each = _STEPS_PER_NODE + len(indexes) * isqrt(len(indexes)) // _ENTRIES_PER_STEP
        nodes = self.effort.nodes_left(each)
        if nodes < 1:
            raise self.effort.exhausted()
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.low), len(self.rows)
        model.col_cost_ = numpy.array(self.costs, dtype=float)
        model.col_lower_ = numpy.array(self.low, dtype=float)
        model.col_upper_ = numpy.array(self.high, dtype=float)
        model.row_lower_ = numpy.array(self.row_low, dtype=float)
        model.row_upper_ = numpy.array(self.row_high, dtype=float)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = numpy.array(starts, dtype=numpy.int32)
        model.a_matrix_.index_ = numpy.array(indexes, dtype=numpy.int32)
        model.a_matrix_.value_ = numpy.array(values, dtype=float)
        kind = highspy.HighsVarType
        model.integrality_ = [kind.kInteger if whole else kind.kContinuous for whole in self.whole]
        solver = _silent(highspy.Highs)
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": 1,
            "parallel": "off",
            "random_seed": 0,
            # Presolve calls some feasible programmes infeasible (ERGO-Code/HiGHS#3090, 1.14 to 1.15
            # at least); ours are small enough to do without.
            "presolve": "off",
            "mip_rel_gap": 0.0,
            # A large programme's first node would take seconds with these.
            "mip_heuristic_run_rens": False,
            "mip_heuristic_run_rins": False,
            "mip_max_nodes": nodes,
        }
        for name, value in options.items():
            solver.setOptionValue(name, value)
        solver.passModel(model)
        looks = 0

        def look(event: Any) -> None:
            nonlocal looks
            looks += 1
            self.effort.tell(looks * each // _LOOKS_PER_NODE)
            if looks > nodes * _LOOKS_PER_NODE:
                event.interrupt()

        solver.cbMipInterrupt.subscribe(look)
        solver.run()
        info = solver.getInfo()
        work = _STEPS_PER_ITERATION * max(0, info.simplex_iteration_count)
        self.effort.took(_STEPS_PER_SOLVE + len(indexes) // 2 + work, max(1, int(info.mip_node_count)))
        status, known = solver.getModelStatus(), highspy.HighsModelStatus
        if status == known.kOptimal:
            return [float(value) for value in solver.getSolution().col_value]
        if status in (known.kInfeasible, known.kUnboundedOrInfeasible):
            return None  # every variable is bounded, so it is not unbounded
        if status in (known.kSolutionLimit, known.kInterrupt):
            raise self.effort.exhausted()
        raise OutOfStepsError(f"the solver stopped without an answer: {status.name.removeprefix('k')}")


def _silent(kind: Any) -> Any:
    """A solver of a kind that prints nothing. From 1.16 on HiGHS names itself on the output when a solver
    is given callbacks, which it is while it is made, before an option can be stated."""

    class Silent(kind):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802  its own name
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()
