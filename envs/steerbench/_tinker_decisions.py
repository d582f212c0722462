"""Exported decisions in the words of the cookbook's ``recipes/decisions``."""

from dataclasses import dataclass
from typing import Sequence

from tinker_cookbook.recipes.decisions.decision import (
    Decision,
    DecisionRenderer,
    PrefixedChoiceRenderer,
)

from ._errors import SteerError


@dataclass(frozen=True)
class SteerDecision(Decision):
    """A decision that keeps its prompt; its choices are the labels, in the order of A to E."""

    messages: Sequence[dict] = ()


class SteerDecisionRenderer(DecisionRenderer):
    """Renders the exported prompt as it is, where the cookbook would write one of its own.

    ``renderer``: the model's cookbook renderer. ``prefix``: what the reply begins with, as the
    rows say; the letter is the one token behind it.
    """

    def __init__(self, renderer, prefix="choice#"):
        super().__init__(renderer, PrefixedChoiceRenderer(renderer, prefix=prefix))

    def _build_messages(self, decision, choice_rendering):
        return [*decision.messages]


def decision_of(row):
    """The :class:`SteerDecision` of a row of :func:`steerbench.rows.load_rows`.

    Raises SteerError for a row without letters.
    """
    if not row.get("letters"):
        raise SteerError(
            f"{row['trace_id']}: has no letters; use what steerbench export decisions wrote"
        )
    choices = [(label, "") for label in row["letters"]]
    return SteerDecision(row["prompt"][-1]["content"], choices, row["prompt"])


def decision_examples(rows):
    """Pairs of decision and gold label, for ``decision_choice_datums`` and ``sample_decision``."""
    return [(decision_of(row), row["gold"]) for row in rows]
