"""What a rule's solving may take: steps, counted and never timed: the same verdict everywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardgen import progress


class OutOfStepsError(Exception):
    """The steps were used up before there was an answer; the message says so in words."""


@dataclass(slots=True)
class Effort:
    """The steps that all questions of one rule may take together, each worth about five microseconds.

    `nodes` bounds the solver's nodes as well, where the rule says so. `spent` hears of all steps, and
    whoever watches hears how far the `question` is that they are taken for.
    """

    steps: int
    nodes: int | None = None
    spent: Callable[[int], None] | None = None
    question: str = ""
    used: int = 0
    nodes_used: int = 0

    @property
    def left(self) -> int:
        return self.steps - self.used

    def spend(self, steps: int) -> None:
        """Take steps. Raises OutOfStepsError."""
        if steps > self.left:
            raise self.exhausted()
        self.took(steps)

    def took(self, steps: int, nodes: int = 0) -> None:
        """Count steps, and nodes of the solver, that were taken: what they led to is known by now. Of more
        than there were left nothing is owed."""
        taken = min(steps, self.left)
        self.used += taken
        self.nodes_used += nodes
        if self.spent:
            self.spent(taken)
        self.tell()

    def tell(self, more: int = 0) -> None:
        """Tell who watches how many steps were taken, `more` of them in what is still being solved."""
        progress.tell(self.question, min(self.steps, self.used + more), self.steps)

    def nodes_left(self, each: int) -> int:
        """How many nodes a programme may take whose nodes cost so much."""
        most = self.left // each
        return most if self.nodes is None else min(most, self.nodes - self.nodes_used)

    @property
    def out_of_nodes(self) -> bool:
        return self.nodes is not None and self.nodes_used >= self.nodes

    def exhausted(self) -> OutOfStepsError:
        """Nothing may be spent any more: what there is to say of it."""
        count, what = (self.nodes or 0, "node") if self.out_of_nodes else (self.steps, "step")
        self.used = self.steps
        about = f": {self.question}" if self.question else ""
        return OutOfStepsError(f"not settled after {count:,} {what}{'' if count == 1 else 's'}{about}")
