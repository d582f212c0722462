"""The scorer: how an answer is read, what becomes of it, and what each scheme pays.

A port of the TypeScript scorer, pinned to it by ``parity-vectors/``; docs/parse-rules.md says how
an answer is read. Standard library only.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ._errors import SteerError
from ._letters import LETTERS, ORDERS, letter_of, letters_at, offset_of
from ._outcome import (
    CUT_OFF_REASONS,
    OUTCOME_OF,
    OUTCOMES,
    SCHEMES,
    SCORER_VERSION,
    Dominance,
    DominatedCell,
    GroupAdvantages,
    Scheme,
    break_even,
    classify,
    dominance,
    expected_rewards,
    group_advantages,
    is_cut_off,
    known_label,
    pay,
    with_prices,
)
from ._parses import Parse, Parses
from ._read import read
from ._rules import LABELS, load_table

__all__ = [
    "CUT_OFF_REASONS",
    "LABELS",
    "LETTERS",
    "OUTCOMES",
    "SCHEMES",
    "SCORER_VERSION",
    "VECTORS_SHA256",
    "Dominance",
    "DominatedCell",
    "GroupAdvantages",
    "Parse",
    "Parses",
    "Payment",
    "Scheme",
    "Score",
    "SteerError",
    "break_even",
    "classify",
    "dominance",
    "expected_rewards",
    "group_advantages",
    "is_cut_off",
    "letter_of",
    "letters_at",
    "offset_of",
    "parse",
    "pay",
    "score",
    "with_prices",
]

#: Which parity vectors this port was made with.
VECTORS_SHA256 = load_table("manifest.json")["sha256"]


class Payment(NamedTuple):
    """What a scheme makes of an answer."""

    outcome: str
    reward: float


class Score(NamedTuple):
    """Both parses of an answer and what each scheme makes of it, by scheme name."""

    strict: Parse
    lenient: Parse
    payments: Mapping[str, Payment]


def parse(answer, letters=None, prompt=None, end_tokens=None):
    """Reads an answer strictly and leniently; any text gives two parses.

    ``letters``: the labels that A to E stand for, to read a lettered reply. ``prompt``: where the
    answer may begin with an echo of it. ``end_tokens``: the model's own, besides the known ones.
    Raises SteerError for an argument of the wrong kind, never for what the text says.
    """
    if not isinstance(answer, str):
        raise SteerError(f"answer must be a text, not {type(answer).__name__}")
    if letters is not None:
        letters = _known_letters(letters)
    if prompt is not None and not isinstance(prompt, str):
        raise SteerError(f"prompt must be a text, not {type(prompt).__name__}")
    if end_tokens is not None:
        end_tokens = _known_texts(end_tokens)
    return read(answer, letters, prompt, end_tokens or ())


def _known_texts(end_tokens):
    texts = None if isinstance(end_tokens, str) else tuple(end_tokens)
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise SteerError(f"end_tokens must be a list of texts, not {end_tokens!r}")
    return texts


def _known_letters(letters):
    try:
        ordered = tuple(letters)
        if ordered in ORDERS:
            return ordered
    except TypeError:
        pass
    raise SteerError(f"letters must list {', '.join(LABELS)} in some order, not {letters!r}")


def score(gold, answer, finish=None, letters=None, prompt=None, end_tokens=None, schemes=None):
    """Reads, classifies and pays one answer: the one scorer behind every reward.

    ``schemes``: the :class:`Scheme` values to pay by; the built-in ones by default.
    Raises SteerError for an unknown gold label and whatever :func:`parse` refuses.
    """
    known_label(gold, "gold")
    strict, lenient = parse(answer, letters, prompt, end_tokens)
    is_cut = finish in CUT_OFF_REASONS
    payments = {}
    for name, is_strict, paid in _BUILT_IN if schemes is None else map(_payable, schemes):
        label = strict.label if is_strict else lenient.label
        payments[name] = paid["cut_off" if is_cut else OUTCOME_OF[gold][label]]
    return Score(strict, lenient, payments)


def _payable(scheme):
    """A scheme as its name, whether it reads the strict parse, and its payment by outcome."""
    if scheme.parse not in ("strict", "lenient"):
        raise SteerError(f"scheme {scheme.name}: parse is strict or lenient, not {scheme.parse!r}")
    payments = {outcome: Payment(outcome, scheme.prices[outcome]) for outcome in OUTCOMES}
    return scheme.name, scheme.parse == "strict", payments


_BUILT_IN = tuple(map(_payable, SCHEMES.values()))
