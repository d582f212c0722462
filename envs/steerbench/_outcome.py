"""What becomes of an answer, and what a scheme pays for it."""

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ._errors import SteerError
from ._rules import LABELS, load_table

_TABLE = load_table("schemes.json")

#: Version of the scorer: it changes when any answer could score differently.
SCORER_VERSION = _TABLE["scorerVersion"]
#: Exactly one of these for every answer.
OUTCOMES = tuple(_TABLE["outcomes"])
#: Finish reasons, of several providers, that say an answer hit its token limit.
CUT_OFF_REASONS = tuple(_TABLE["cutOffReasons"])


class Scheme(NamedTuple):
    """Six prices, one per outcome, and which parse decides the outcome."""

    name: str
    #: ``"lenient"`` or ``"strict"``.
    parse: str
    prices: Mapping[str, float]

    def __reduce__(self):
        # Read-only mappings cannot be pickled; trainers send reward functions to other processes.
        return _frozen, (self.name, self.parse, dict(self.prices))


def _frozen(name, parse, prices):
    return Scheme(name, parse, MappingProxyType(prices))


def _built_in(table):
    prices = {outcome: float(table["prices"][outcome]) for outcome in OUTCOMES}
    return Scheme(table["name"], table["parse"], MappingProxyType(prices))


#: The built-in schemes by name.
SCHEMES = MappingProxyType({name: _built_in(table) for name, table in _TABLE["schemes"].items()})


def _outcome(gold, read):
    if read is None:
        return "unreadable"
    if read == gold:
        return "correct"
    if read == "ACT":
        return "premature_act"
    return "missed_act" if gold == "ACT" else "wrong"


#: The outcome of an answer that was not cut off, by gold label and then by label read.
OUTCOME_OF = {gold: {read: _outcome(gold, read) for read in (*LABELS, None)} for gold in LABELS}


def known_label(label, what):
    """The label itself; raises SteerError when it is none of the five."""
    if label not in LABELS:
        raise SteerError(f"{what} {label!r} is not a label; use one of {', '.join(LABELS)}")
    return label


def is_cut_off(finish):
    """Whether a finish reason says that the answer hit its token limit."""
    return finish in CUT_OFF_REASONS


def classify(gold, read, finish=None):
    """The outcome of an answer.

    ``read`` is the label that the scheme's parse read, None when unreadable; ``finish`` says why
    the answer ended, where known. Raises SteerError for an unknown label.
    """
    known_label(gold, "gold")
    if read is not None:
        known_label(read, "read")
    return "cut_off" if finish in CUT_OFF_REASONS else OUTCOME_OF[gold][read]


def pay(scheme, gold, answer):
    """What a scheme pays for naming ``answer`` (None: unreadable) when ``gold`` is right."""
    return scheme.prices[classify(gold, answer)]


def with_prices(scheme, changes):
    """A scheme with some prices replaced.

    Raises SteerError for an unknown outcome or a price that is no finite number.
    """
    prices = dict(scheme.prices)
    for outcome, price in changes.items():
        if outcome not in prices:
            raise SteerError(f"unknown outcome {outcome!r}; use {', '.join(OUTCOMES)}")
        is_number = isinstance(price, (int, float)) and not isinstance(price, bool)
        # Not math.isfinite: a whole number beyond every float would be an OverflowError there.
        if not is_number or not abs(price) <= sys.float_info.max:
            raise SteerError(f"price of {outcome} must be a finite number, not {price!r:.50}")
        prices[outcome] = float(price)
    return scheme._replace(prices=MappingProxyType(prices))


class DominatedCell(NamedTuple):
    """A case in which garbage pays at least as much as a readable answer."""

    gold: str
    answer: str
    pays: float
    garbage: float


class Dominance(NamedTuple):
    """What each answer pays for each gold label, and the cells where garbage pays no less."""

    pays: Mapping[str, Mapping[str, float]]
    #: What the dearer of ``unreadable`` and ``cut_off`` pays.
    garbage: float
    dominated: "tuple[DominatedCell, ...]"


def dominance(scheme):
    """Compares garbage with every readable answer under a scheme."""
    garbage = max(scheme.prices["unreadable"], scheme.prices["cut_off"])
    pays = {gold: {answer: pay(scheme, gold, answer) for answer in LABELS} for gold in LABELS}
    dominated = tuple(
        DominatedCell(gold, answer, pays[gold][answer], garbage)
        for gold in LABELS
        for answer in LABELS
        if pays[gold][answer] <= garbage
    )
    return Dominance(pays, garbage, dominated)


def expected_rewards(scheme, probabilities):
    """What each label would pay on average if the probability of each gold label were right."""
    if set(probabilities) != set(LABELS):
        raise SteerError(f"probabilities need one entry for each of {', '.join(LABELS)}")
    expected = {}
    for answer in LABELS:
        total = 0.0
        for gold in LABELS:
            total += probabilities[gold] * pay(scheme, gold, answer)
        expected[answer] = total
    return expected


def break_even(scheme):
    """The probability of ACT, against one rival, from which acting pays no less than the rival."""
    prices = scheme.prices
    gain_when_right = prices["correct"] - prices["missed_act"]
    loss_when_wrong = prices["correct"] - prices["premature_act"]
    return loss_when_wrong / (gain_when_right + loss_when_wrong)


class GroupAdvantages(NamedTuple):
    """Each answer's reward minus the group's mean; or why the group is skipped."""

    advantages: "tuple[float, ...] | None"
    #: ``"all_correct"``, ``"same_mistake"`` or ``"equal_price"``; None with advantages.
    skip: "str | None"


def group_advantages(outcomes, scheme):
    """The advantages of the answers to one prompt, from their outcomes.

    A group in which every answer is paid alike carries no signal and is skipped. Outcomes and
    prices are compared, never computed floats. Raises SteerError for an empty group or an
    unknown outcome.
    """
    outcomes = list(outcomes)
    if not outcomes:
        raise SteerError("a group needs at least one answer")
    prices = scheme.prices
    for outcome in outcomes:
        if outcome not in prices:
            raise SteerError(f"unknown outcome {outcome!r}; use {', '.join(OUTCOMES)}")
    first = outcomes[0]
    if all(outcome == first for outcome in outcomes):
        return GroupAdvantages(None, "all_correct" if first == "correct" else "same_mistake")
    if all(prices[outcome] == prices[first] for outcome in outcomes):
        return GroupAdvantages(None, "equal_price")
    total = 0.0
    # Outcome by outcome: a float sum depends on its order, the order of samples must not matter.
    for outcome in OUTCOMES:
        total += outcomes.count(outcome) * prices[outcome]
    mean = total / len(outcomes)
    return GroupAdvantages(tuple(prices[outcome] - mean for outcome in outcomes), None)
