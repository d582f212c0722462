"""Gymnasium environments: one decision an episode, its reward from the one scorer.

Works with gymnasium 1.1 up to 2. Importing this module registers two ids:

- ``steerbench/Decision-v0``: the action is the number of a label, 0 to 4 in the order of
  ``steerbench.scorer.LABELS``. It is judged as the JSON answer that names the label.
- ``steerbench/Answer-v0``: the action is what a model wrote.

::

    import gymnasium, steerbench.gymnasium

    env = gymnasium.make("steerbench/Answer-v0", path="out/rl/train.jsonl", scheme="symmetric")
    prompt, info = env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step('{"intervention": "ASK", "reason": "…"}')

``path`` is a file that ``steerbench export rl`` or ``steerbench export decisions`` wrote; held-out
rows need ``allow_test=True``. ``scheme``, ``prices`` and ``allow_dominated`` are those of
:func:`steerbench.schemes.resolve_scheme`.

The observation is the prompt: its messages with a blank line between them. Every episode ends with
its one step, so ``terminated`` is always true; ``truncated`` as well where the answer was cut off.
A plain text says nothing about its end: it is scored by its parse, and ``finish_known`` is 0.
Whoever knows the finish reason passes :class:`Answer`. A label's number is a whole answer.

``info`` after a step has ``outcome``, ``pred`` ("" when unreadable), every key of
:data:`steerbench.judge.METRIC_KEYS`, ``gold`` and the trace's ids; after ``reset``, the ids.

Traces come in a seeded random order, with replacement. A first ``reset`` without a seed takes the
environment's own ``seed``, 0 by default. ``make_vec`` gives that to each environment alike: seed
its ``reset``. By default it plays the steps and the resets of such short episodes in turn; with
``vector_kwargs={"autoreset_mode": "SameStep"}`` each step both answers and begins anew, and the
answer's info is in ``final_info``.
"""

import json
import string

from ._errors import SteerError
from ._framework import require
from ._rules import LABELS
from .judge import judge
from .rows import load_rows
from .schemes import resolve_scheme

require("gymnasium", "1.1", "2")

import gymnasium  # noqa: E402
import numpy  # noqa: E402
from gymnasium.spaces import Discrete, Text  # noqa: E402

__all__ = ["Answer", "AnswerEnv", "DecisionEnv"]

#: Length of the longest sampled action of ``Answer-v0``, in characters; any text is judged.
MAX_ANSWER = 4096

_ANSWERS = tuple(json.dumps({"intervention": label, "reason": ""}) for label in LABELS)


class Answer(str):
    """A text that knows why it ended: ``Answer(text, finish="length")`` was cut off."""

    #: ``"stop"``, ``"length"`` or what else a provider says; None when unknown.
    finish = None

    def __new__(cls, text, finish=None):
        answer = super().__new__(cls, text)
        answer.finish = finish
        return answer


class _SteerEnv(gymnasium.Env):
    """What both environments share; they differ in how they read an action."""

    metadata = {"render_modes": []}

    def __init__(
        self,
        path,
        scheme="asymmetric",
        prices=None,
        allow_dominated=False,
        allow_test=False,
        seed=0,
    ):
        self._scheme = resolve_scheme(scheme, prices, allow_dominated)
        rows = {row["trace_id"]: row for row in load_rows(path, allow_test)}
        if not rows:
            raise SteerError(f"{path}: has no rows to play")
        # The order of the file must not decide which trace a seed brings.
        self._rows = {trace_id: rows[trace_id] for trace_id in sorted(rows)}
        self._ids = list(self._rows)
        self._first_seed = seed
        self._row = None
        prompts = [_text_of(row) for row in rows.values()]
        self._characters = frozenset().union(*prompts)
        longest = max(map(len, prompts))
        # The observation after the one step is empty.
        self.observation_space = Text(longest, min_length=0, charset=self._characters)

    def reset(self, *, seed=None, options=None):
        """Shows a prompt. ``options={"trace_id": …}`` names the trace to show."""
        super().reset(seed=self._first_seed if seed is None else seed)
        self._first_seed = None
        named = dict(options or {})
        trace_id = named.pop("trace_id", None)
        if named:
            raise SteerError(f"unknown options {', '.join(map(str, named))}; use trace_id")
        if trace_id is None:
            trace_id = self._ids[int(self.np_random.integers(len(self._ids)))]
        if trace_id not in self._rows:
            raise SteerError(f"no trace {trace_id!r} in these rows")
        self._row = self._rows[trace_id]
        return _text_of(self._row), _ids_of(self._row)

    def step(self, action):
        """Judges the one answer of the episode."""
        row = self._row
        if row is None:
            raise SteerError("the episode is over or was never begun: call reset() first")
        answer, finish, letters = self._read(action, row)
        [judgement] = judge([row["gold"]], [answer], [finish], self._scheme, [letters])
        self._row = None
        info = {
            **judgement.flat(),
            "outcome": judgement.outcome,
            "gold": row["gold"],
            **_ids_of(row),
        }
        return "", judgement.reward, True, judgement.outcome == "cut_off", info

    def _read(self, action, row):
        """The answer, its finish reason and its letters."""
        raise NotImplementedError


class DecisionEnv(_SteerEnv):
    """``steerbench/Decision-v0``: the action is the number of a label."""

    def __init__(self, path, **options):
        super().__init__(path, **options)
        self.action_space = Discrete(len(LABELS))

    def _read(self, action, row):
        # A truth value is 0 or 1 to Discrete; it names no label.
        if isinstance(action, (bool, numpy.bool_)) or not self.action_space.contains(action):
            labels = ", ".join(f"{number} {label}" for number, label in enumerate(LABELS))
            raise SteerError(f"action {action!r} is not the number of a label: {labels}")
        return _ANSWERS[int(action)], "stop", None


class AnswerEnv(_SteerEnv):
    """``steerbench/Answer-v0``: the action is a text, or an :class:`Answer`."""

    def __init__(self, path, **options):
        super().__init__(path, **options)
        characters = self._characters.union(string.printable)
        self.action_space = Text(MAX_ANSWER, min_length=0, charset=characters)

    def _read(self, action, row):
        return action, getattr(action, "finish", None), row.get("letters")


def _text_of(row):
    return "\n\n".join(message["content"] for message in row["prompt"])


def _ids_of(row):
    # Vector forms gather each key into one array: no None among texts.
    return {key: row[key] or "" for key in ("trace_id", "family_id", "domain")}


for _name in ("Decision", "Answer"):
    if f"steerbench/{_name}-v0" not in gymnasium.registry:
        gymnasium.register(f"steerbench/{_name}-v0", f"steerbench.gymnasium:{_name}Env")
