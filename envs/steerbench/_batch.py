"""A batch of answers to judge, checked before any of it is scored."""

from collections.abc import Mapping
from typing import NamedTuple

from ._errors import SteerError
from ._letters import LETTERS, ORDERS
from ._rules import LABELS

_MOST_FAULTS = 5


class Batch(NamedTuple):
    """Columns of equal length; what was not given is a column of None."""

    golds: list
    answers: list
    finishes: list
    letters: list
    prompts: list


def batch_of(golds, answers, finishes=None, letters=None, prompts=None):
    """The columns as a :class:`Batch`.

    Raises SteerError when lengths differ or a value is of the wrong kind, naming each.
    """
    columns = {"golds": _listed("golds", golds), "answers": _listed("answers", answers)}
    for name, values in (("finishes", finishes), ("letters", letters), ("prompts", prompts)):
        given = [None] * len(columns["answers"]) if values is None else _listed(name, values)
        columns[name] = given
    columns["letters"] = list(map(_ordered, columns["letters"]))
    if any(len(values) != len(columns["answers"]) for values in columns.values()):
        lengths = ", ".join(f"{len(values)} {name}" for name, values in columns.items())
        raise SteerError(f"there must be as many of each, not {lengths}")
    faults = _faults(**columns)
    if faults:
        more = len(faults) - _MOST_FAULTS
        shown = faults[:_MOST_FAULTS] + ([f"and {more} more"] if more > 0 else [])
        raise SteerError("\n".join(shown))
    return Batch(**columns)


def _listed(name, values):
    """A column as a list. A text is none, though it can be gone through letter by letter."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise SteerError(f"{name} must be a list, one for each answer, not {values!r:.60}")
    return list(values)


def _faults(golds, answers, finishes, letters, prompts):
    faults = [
        f"golds[{i}]: {gold!r} is not a label; use one of {', '.join(LABELS)}"
        for i, gold in enumerate(golds)
        if gold not in LABELS
    ]
    faults += _no_texts("answers", answers)
    faults += _no_texts("finishes", finishes, optional=True)
    faults += _no_texts("prompts", prompts, optional=True)
    faults += [
        f"letters[{i}] must list the {len(LETTERS)} labels that A to E stand for, not {value!r}"
        for i, value in enumerate(letters)
        if value is not None and not _is_order(value)
    ]
    return faults


def _no_texts(name, values, optional=False):
    return [
        f"{name}[{i}] must be a text, not {type(value).__name__}"
        for i, value in enumerate(values)
        if not isinstance(value, str) and not (optional and value is None)
    ]


def _ordered(letters):
    """Letters as a tuple; what is no list of them stays as it is, to be named in an error."""
    return tuple(letters) if hasattr(letters, "__iter__") else letters


def _is_order(letters):
    try:
        return letters in ORDERS
    except TypeError:
        return False
