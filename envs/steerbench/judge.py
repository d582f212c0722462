"""The one function behind all adapters: rewards, outcomes and metrics of a batch of answers.

The metrics are those of ``steerbench serve``. At import, a few stored judgements are made again;
a difference raises ImportError, so that nothing trains on a scorer that is not the one described.
"""

from ._batch import batch_of
from ._errors import SteerError
from ._judgement import METRIC_KEYS, Judgement, metrics_of
from ._outcome import SCHEMES, Scheme, classify
from ._read import read
from ._smoke import find_difference
from .schemes import known_scheme, resolve_scheme

__all__ = ["METRIC_KEYS", "Judgement", "judge"]


def judge(
    golds,
    answers,
    finishes=None,
    scheme="asymmetric",
    letters=None,
    prompts=None,
    engine=None,
):
    """Judges a batch; one :class:`Judgement` per answer, in order.

    ``golds``: the right labels. ``answers``: texts; "" where the model said nothing.
    ``finishes``: why each answer ended, such as ``"stop"`` or ``"length"``; ``letters``: the labels
    that A to E stand for; ``prompts``: where an answer may begin with an echo of it. These three
    may be None, or hold None where a value is unknown. ``scheme``: a Scheme, or what
    :func:`steerbench.schemes.resolve_scheme` takes; a Scheme saves looking it up in every call.
    ``engine``: see :mod:`steerbench.engines`; in process by default.

    The numbers of ``metrics`` are :data:`METRIC_KEYS`, 0.0 or 1.0 each, always all of them: the six
    outcomes; ``acc`` (the outcome is correct); ``strict_ok`` and ``lenient_ok`` (that parse read a
    label); ``empty`` (nothing was left to read); ``finish_known`` (why the answer ended was given).

    Raises SteerError for a broken call, naming each faulty value; whatever a model wrote is judged.
    """
    if engine is not None:
        if not hasattr(engine, "judge"):
            raise SteerError(
                f"engine must be what steerbench.engines.open_engine opened, not {engine!r:.60}"
            )
        return engine.judge(golds, answers, finishes, scheme, letters, prompts)
    return judge_batch(batch_of(golds, answers, finishes, letters, prompts), scheme_for(scheme))


def judge_batch(batch, scheme):
    """Judges a checked ``_batch.Batch`` under a Scheme, in process."""
    is_strict, prices = scheme.parse == "strict", scheme.prices
    judgements = []
    for gold, answer, finish, letters, prompt in zip(*batch):
        strict, lenient = read(answer, letters, prompt, ())
        pred = strict.label if is_strict else lenient.label
        outcome = classify(gold, pred, finish)
        metrics = metrics_of(outcome, strict, lenient, finish)
        judgements.append(Judgement(prices[outcome], outcome, pred, metrics))
    return judgements


def scheme_for(scheme):
    """The Scheme of a call. One that is given was checked for dominance where it was made."""
    if isinstance(scheme, Scheme):
        return known_scheme(scheme)
    # Looked up first: checking a built-in scheme takes longer than judging an answer.
    is_built_in = isinstance(scheme, str) and scheme in SCHEMES
    return SCHEMES[scheme] if is_built_in else resolve_scheme(scheme)


_difference = find_difference(judge_batch)
if _difference:
    raise ImportError(f"this copy of steerbench is damaged; install it anew: {_difference}")
