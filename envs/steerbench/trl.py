"""Reward functions for TRL: GRPOTrainer, RLOOTrainer and whatever takes theirs.

Supported: ``trl>=1.10,<2`` (tested with 1.16.0), conversational and plain-text data sets with the
columns of ``steerbench export rl --format trl``; ``gold`` is needed, and ``letters`` is used where
a row has it. One function per scheme, each in a sync and an async form, all picklable::

    from datasets import Dataset
    from steerbench.trl import asymmetric_reward
    from trl import GRPOTrainer

    GRPOTrainer(model, reward_funcs=asymmetric_reward, train_dataset=Dataset.from_json(path))

or ``trl grpo --reward_funcs steerbench.trl.symmetric_reward``. :func:`make_reward` makes others.

Every call logs every number of ``steerbench.judge.METRIC_KEYS`` as the batch's mean, 0.0 for an
empty batch, and outcome and label read ("" for none) of each completion into the table of
completions. No reward is ever None: what cannot be read has its price.

Finish reason: TRL hands over none. With the tokens that end an answer and the longest completion,
``make_reward`` tells: a completion that ends with such a token ended by itself (``stop``), another
one that is as long as can be was cut off (``length``). The ready functions know neither: to them
no answer is cut off, and ``finish_known`` is 0.0.
"""

import asyncio
from collections.abc import Mapping

from steerbench._errors import SteerError
from steerbench._framework import refuse_other
from steerbench.judge import METRIC_KEYS, judge
from steerbench.schemes import resolve_scheme

__all__ = [
    "AsyncReward",
    "Reward",
    "asymmetric_reward",
    "asymmetric_reward_async",
    "make_reward",
    "symmetric_reward",
    "symmetric_reward_async",
]

refuse_other("trl", "1.10", "2")


def make_reward(
    scheme="asymmetric",
    prices=None,
    allow_dominated=False,
    name=None,
    end_token_ids=None,
    max_completion_length=None,
    engine=None,
    is_async=False,
):
    """A reward function with a scheme, prices or an engine of one's own; it can be pickled.

    ``scheme``, ``prices``, ``allow_dominated``: see :func:`steerbench.schemes.resolve_scheme`.
    ``name``: what the trainer's log calls it, ``SCHEME_reward`` by default. ``end_token_ids`` (one
    id or several, the padding id among them) and ``max_completion_length``, the trainer's own, go
    together and tell which answers were cut off. ``engine``: see :mod:`steerbench.engines`.
    ``is_async``: makes an :class:`AsyncReward`, which does not hold up other reward functions.
    """
    if (end_token_ids is None) != (max_completion_length is None):
        raise SteerError("end_token_ids and max_completion_length tell the finish only together")
    resolved = resolve_scheme(scheme, prices, allow_dominated)
    ends = (end_token_ids,) if isinstance(end_token_ids, int) else tuple(end_token_ids or ())
    kind = AsyncReward if is_async else Reward
    return kind(resolved, name or f"{resolved.name}_reward", ends, max_completion_length, engine)


class Reward:
    """A reward function, as :func:`make_reward` makes it."""

    def __init__(self, scheme, name, end_token_ids=(), max_completion_length=None, engine=None):
        """See :func:`make_reward`; ``scheme`` is a resolved one."""
        self.__name__ = name
        self._scheme = scheme
        self._ends = frozenset(end_token_ids)
        self._most = max_completion_length
        self._engine = engine

    def __call__(self, completions, gold=None, **columns):
        """One float per completion; ``columns`` is whatever else the trainer passes."""
        return self._reward(completions, gold, **columns)

    def _reward(
        self,
        completions,
        gold,
        prompts=None,
        completion_ids=None,
        letters=None,
        log_extra=None,
        log_metric=None,
        **_,
    ):
        if gold is None:
            raise SteerError("the data set needs a column gold, as steerbench export rl writes it")
        judgements = judge(
            gold,
            [_text(completion) for completion in completions],
            self._finishes(completion_ids),
            self._scheme,
            letters,
            _plain(prompts),
            self._engine,
        )
        if log_metric is not None:
            for key in METRIC_KEYS:
                total = sum(judgement.metrics[key] for judgement in judgements)
                log_metric(key, total / max(1, len(judgements)))
        if log_extra is not None:
            # Named after the function: two of them in one trainer must not share a column.
            log_extra(f"{self.__name__}/outcome", [each.outcome for each in judgements])
            log_extra(f"{self.__name__}/pred", [each.pred or "" for each in judgements])
        return [judgement.reward for judgement in judgements]

    def _finishes(self, completion_ids):
        if self._most is None or completion_ids is None:
            return None
        return [self._finish(ids) for ids in completion_ids]

    def _finish(self, ids):
        if len(ids) > 0 and ids[-1] in self._ends:
            return "stop"
        # Something else ended a shorter one: a stop text, a tool, an interruption.
        return "length" if len(ids) >= self._most else None


class AsyncReward(Reward):
    """The same, awaited: waiting for an engine leaves the trainer's event loop to others."""

    async def __call__(self, completions, gold=None, **columns):
        """One float per completion; ``columns`` is whatever else the trainer passes."""
        if self._engine is None:
            return self._reward(completions, gold, **columns)
        return await asyncio.to_thread(self._reward, completions, gold, **columns)


def _text(completion):
    """The text of a completion; "" for a message without content, such as a mere tool call."""
    if isinstance(completion, str) or not isinstance(completion, (list, tuple)):
        return completion
    content = completion[-1].get("content") if completion else None
    if isinstance(content, (list, tuple)):
        parts = [part for part in content if isinstance(part, Mapping)]
        return "".join(part["text"] for part in parts if part.get("type") == "text")
    return "" if content is None else content


def _plain(prompts):
    """Prompts that a completion could echo; a chat template keeps messages out of the answer."""
    if prompts is None:
        return None
    return [prompt if isinstance(prompt, str) else None for prompt in prompts]


_SYMMETRIC = make_reward("symmetric")
_ASYMMETRIC = make_reward("asymmetric")
_SYMMETRIC_ASYNC = make_reward("symmetric", name="symmetric_reward_async", is_async=True)
_ASYMMETRIC_ASYNC = make_reward("asymmetric", name="asymmetric_reward_async", is_async=True)


def symmetric_reward(completions, gold=None, **columns):
    """The symmetric scheme; one float per completion."""
    return _SYMMETRIC(completions, gold, **columns)


def asymmetric_reward(completions, gold=None, **columns):
    """The asymmetric scheme; one float per completion."""
    return _ASYMMETRIC(completions, gold, **columns)


async def symmetric_reward_async(completions, gold=None, **columns):
    """The symmetric scheme, awaited; one float per completion."""
    return await _SYMMETRIC_ASYNC(completions, gold, **columns)


async def asymmetric_reward_async(completions, gold=None, **columns):
    """The asymmetric scheme, awaited; one float per completion."""
    return await _ASYMMETRIC_ASYNC(completions, gold, **columns)
