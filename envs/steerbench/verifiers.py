"""A taskset for verifiers: exported rows as tasks, the one scorer as reward and metrics.

Works with verifiers 0.4 up to 0.5. Its commands look for a module that exports exactly one
taskset: install ``envs/verifiers_steerbench`` beside this package and name it::

    vf-eval verifiers-steerbench --env.taskset.path out/rl/train.jsonl \
        --env.taskset.task.scheme symmetric --env.agent.harness.id null --model NAME …

``path`` is a file that ``steerbench export rl`` or ``steerbench export decisions`` wrote. ``split``
is ``train``, ``validation`` or ``test``; nothing but ``--env.taskset.split test`` plays held-out
rows. ``seed`` fixes the order, ``n`` is how many of them are played.

The reward is ``steer_reward``; :data:`steerbench.judge.METRIC_KEYS` are metrics, ``outcome`` and
``pred`` are in the trace's ``info``. The answer is the last reply as the model wrote it; none, or
one without content, is judged as empty. The finish reason is that of the last call that went well;
where it has none, a truncated trace was cut off. A rollout that failed is an error of verifiers
and is never scored.
"""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Dict, List, Literal, Optional

from ._errors import SteerError
from ._framework import require
from .judge import judge
from .rows import load_rows
from .schemes import resolve_scheme
from .scorer import LABELS, LETTERS, SCORER_VERSION

require("verifiers", "0.4", "0.5")

import verifiers.v1 as vf  # noqa: E402

__all__ = ["SteerData", "SteerTask", "SteerTaskConfig", "SteerTaskset", "SteerTasksetConfig"]


class SteerTaskConfig(vf.TaskConfig):
    """What pays: ``--env.taskset.task.*``."""

    scheme: str = "asymmetric"
    """``symmetric``, ``asymmetric`` or a scheme file."""
    prices: Dict[str, float] = {}
    """Prices that replace the scheme's, by outcome."""
    allow_dominated: bool = False
    """See :func:`steerbench.schemes.resolve_scheme`."""


class SteerTasksetConfig(vf.TasksetConfig):
    """Which rows are played: ``--env.taskset.*``."""

    path: Optional[Path] = None
    """An exported file of rl or decisions rows. Needed; the commands make a configuration without
    values first, so it must have a default."""
    split: Literal["train", "validation", "test"] = "train"
    """The part that the rows must be of; ``test`` allows held-out rows."""
    seed: int = 0
    """Fixes the order, whatever that of the file."""
    n: Optional[int] = None
    """How many rows are played; all by default."""
    task: SteerTaskConfig = SteerTaskConfig()


class SteerData(vf.TaskData):
    """A row as it travels with its trace."""

    gold: str
    domain: str
    family_id: Optional[str] = None
    letters: Optional[List[str]] = None
    """The labels that A to E stand for, in a lettered prompt."""


class SteerTask(vf.Task[SteerData, vf.State, SteerTaskConfig]):
    """One prompt, one answer."""

    @property
    def key(self):
        """The trace id."""
        return self.data.id

    @vf.stop
    async def answered(self, trace: vf.Trace) -> bool:
        """One turn is all."""
        return trace.num_turns >= 1

    @vf.reward
    async def steer_reward(self, trace: vf.Trace) -> float:
        """What the scheme pays; says in ``trace.info`` for what."""
        scheme, judgement = self._judge(_reply_of(trace), _finish_of(trace))
        trace.info["steerbench"] = {
            "outcome": judgement.outcome,
            "pred": judgement.pred,
            "scheme": scheme.name,
            "scorer_version": SCORER_VERSION,
        }
        return judgement.reward

    @vf.metric
    async def steer_metrics(self, trace: vf.Trace) -> Dict[str, float]:
        """Every outcome and every flag, each as a metric of its own."""
        return self._judge(_reply_of(trace), _finish_of(trace))[1].metrics

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the gold answer is judged correct and no other label is."""
        right = [
            label
            for label in LABELS
            if self._judge(self._answer_naming(label))[1].outcome == "correct"
        ]
        return right == [self.data.gold]

    def _answer_naming(self, label):
        letters = self.data.letters
        if letters:
            return LETTERS[letters.index(label)]
        return json.dumps({"intervention": label, "reason": ""})

    def _judge(self, answer, finish=None):
        scheme = _scheme_of(self.config)
        letters = [self.data.letters]
        [judgement] = judge([self.data.gold], [answer], [finish], scheme, letters)
        return scheme, judgement


class SteerTaskset(vf.Taskset[SteerTask, SteerTasksetConfig]):
    """The rows of an exported file."""

    def load(self):
        """The tasks, in the seed's order. Raises SteerError before the first of them."""
        config = self.config
        if config.path is None:
            raise SteerError("name the exported rows: --env.taskset.path FILE")
        _scheme_of(config.task)
        rows = load_rows(config.path.expanduser(), allow_test=config.split == "test")
        parts = {row["split"] for row in rows} - {config.split, None}
        if parts:
            raise SteerError(f"{config.path}: has {' and '.join(parts)} rows, not {config.split}")
        rows.sort(key=lambda row: sha256(f"{config.seed} {row['trace_id']}".encode()).digest())
        return [SteerTask(_data_of(row), config.task) for row in rows[: config.n]]


def _scheme_of(config):
    return _scheme(config.scheme, tuple(config.prices.items()), config.allow_dominated)


# A task is copied deeply on its way, which a Scheme cannot be.
@lru_cache(maxsize=None)
def _scheme(scheme, prices, allow_dominated):
    return resolve_scheme(scheme, dict(prices), allow_dominated)


def _data_of(row):
    *system, user = row["prompt"]
    data = {key: row.get(key) for key in ("gold", "domain", "family_id", "letters")}
    is_plain = [message["role"] for message in system] in ([], ["system"])
    if is_plain and user["role"] == "user":
        # Texts, since most harnesses take no list of messages.
        data.update(prompt=user["content"], system_prompt=system[0]["content"] if system else None)
    else:
        data.update(prompt=row["prompt"])
    return SteerData(id=row["trace_id"], name=row["trace_id"], **data)


def _reply_of(trace):
    # Not trace.last_reply: it strips, and strict reading depends on what surrounds an answer.
    if trace.root_reply is not None:
        return trace.root_reply
    messages = trace.assistant_messages
    return (messages[-1].content or "") if messages else ""


def _finish_of(trace):
    calls = [call for call in trace.calls if call.error is None]
    finish = calls[-1].finish_reason if calls else None
    # A limit on turns or tokens makes a trace truncated, too, but stops the turn after the answer.
    return finish or ("length" if trace.is_truncated else None)
