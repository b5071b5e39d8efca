"""An integer programme: variables, rows, HiGHS, and a bound counted in nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

INFINITY = float("inf")


class OutOfNodesError(Exception):
    """The solver used up its nodes before it had an answer."""


class NoSolverError(Exception):
    """highspy is not installed."""


@dataclass(slots=True)
class Budget:
    """The nodes that all programmes of one rule may use together; a solve costs at least one."""

    nodes: int
    used: int = 0

    def spend(self, nodes: int) -> None:
        self.used += max(1, nodes)
        if self.used > self.nodes:
            raise OutOfNodesError(
                f"the solver needs more than {self.nodes:,} node{'' if self.nodes == 1 else 's'}"
            )


@dataclass(slots=True)
class Programme:
    """Minimise `costs`·x where rows and variables lie within their bounds, some x whole numbers."""

    budget: Budget
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

        Raises OutOfNodesError, NoSolverError. One thread and a fixed seed: the same answer always.
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
            "mip_max_nodes": max(1, self.budget.nodes - self.budget.used),
        }
        for name, value in options.items():
            solver.setOptionValue(name, value)
        solver.passModel(model)
        solver.run()
        self.budget.spend(int(solver.getInfo().mip_node_count))
        status, known = solver.getModelStatus(), highspy.HighsModelStatus
        if status == known.kOptimal:
            return [float(value) for value in solver.getSolution().col_value]
        if status in (known.kInfeasible, known.kUnboundedOrInfeasible):
            return None  # every variable is bounded, so it is not unbounded
        raise OutOfNodesError(f"the solver stopped without an answer: {status.name.removeprefix('k')}")


def _silent(kind: Any) -> Any:
    """A solver of a kind that prints nothing. From 1.16 on HiGHS names itself on the output when a solver
    is given callbacks, which it is while it is made, before an option can be stated."""

    class Silent(kind):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802  its own name
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()
