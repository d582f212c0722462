"""What a scheme makes of one answer, in the shape that every adapter passes on."""

from functools import cache
from typing import NamedTuple, Optional

from ._outcome import OUTCOMES

METRIC_KEYS = (*OUTCOMES, "acc", "strict_ok", "lenient_ok", "empty", "finish_known")


class Judgement(NamedTuple):
    """What a scheme makes of one answer."""

    reward: float
    #: One of the six.
    outcome: str
    #: The label that the scheme's parse read; None when unreadable.
    pred: Optional[str]
    #: METRIC_KEYS, a dict of its own for each answer.
    metrics: dict

    def flat(self):
        """The metrics and ``pred`` in one dict; ``pred`` is ``""`` when unreadable."""
        return {**self.metrics, "pred": self.pred or ""}


@cache
def _shared_metrics(outcome, strict_ok, lenient_ok, is_empty, finish_known):
    rates = {each: float(each == outcome) for each in OUTCOMES}
    flags = (outcome == "correct", strict_ok, lenient_ok, is_empty, finish_known)
    return {**rates, **dict(zip(METRIC_KEYS[len(OUTCOMES) :], map(float, flags)))}


def metrics_of(outcome, strict, lenient, finish):
    """The metrics of an answer, from its outcome and both parses."""
    # Few different ones exist; copying takes a fifth of the time of making one.
    return _shared_metrics(
        outcome,
        strict.label is not None,
        lenient.label is not None,
        lenient.reason == "empty",
        bool(finish),
    ).copy()


def judgement_of_row(row):
    """A stored judgement: ``reward``, ``outcome`` and ``metrics`` with ``pred`` among them."""
    metrics = row["metrics"]
    numbers = {key: float(metrics[key]) for key in METRIC_KEYS}
    return Judgement(float(row["reward"]), row["outcome"], metrics["pred"], numbers)
