"""SteerBench for the Tinker cookbook: environments, datasets and decisions.

Works with tinker-cookbook 0.5.8 up to 0.6. A run, with every field open to the command line::

    # python run.py model_name=Qwen/Qwen3-8B log_path=~/runs/steer \
    #     dataset_builder.path=out/rl/train.jsonl dataset_builder.scheme=symmetric
    import asyncio, sys
    from steerbench.tinker import rl_blueprint
    from tinker_cookbook.rl import train

    asyncio.run(train.main(rl_blueprint().make_from_argv(sys.argv[1:])))

Rows of ``steerbench export rl`` are answered in writing; rows of ``steerbench export decisions``
by one letter behind the prefix ``choice#`` (set ``max_tokens=1``).

The finish reason is the sampler's ``stop_reason``; without one, an answer whose termination is
not clean was cut off. Rewards and :data:`steerbench.judge.METRIC_KEYS` are metrics of every step,
texts are its logs. Groups in which every answer is paid alike are counted by reason as
``group/all_correct``, ``group/same_mistake`` and ``group/equal_price``, the others as
``group/signal``. Leave ``remove_constant_reward_groups`` off: their advantages are zero anyway,
and without them every rate would be that of the mixed groups alone.

Decision training and reading, with the cookbook's own functions::

    examples = decision_examples(load_rows("out/decisions/train.jsonl"))
    datums = decision_choice_datums(SteerDecisionRenderer(renderer), examples)
    probabilities = await sample_decision(client, SteerDecisionRenderer(renderer).render(decision))
"""

from hashlib import sha256
from math import ceil
from typing import Mapping, Optional

from ._errors import SteerError
from ._framework import require
from .rows import load_rows
from .schemes import resolve_scheme

require("tinker-cookbook", "0.5.8", "0.6")

import chz  # noqa: E402
from chz.blueprint import Reference  # noqa: E402
from tinker_cookbook.model_info import get_recommended_renderer_name  # noqa: E402
from tinker_cookbook.renderers import get_renderer  # noqa: E402
from tinker_cookbook.rl.types import RLDataset, RLDatasetBuilder  # noqa: E402
from tinker_cookbook.tokenizer_utils import get_tokenizer  # noqa: E402

from ._tinker_decisions import (  # noqa: E402
    SteerDecision,
    SteerDecisionRenderer,
    decision_examples,
    decision_of,
)
from ._tinker_envs import SteerDecisionEnv, SteerEnv, SteerGroupBuilder  # noqa: E402

__all__ = [
    "SteerDataset",
    "SteerDatasetBuilder",
    "SteerDecision",
    "SteerDecisionEnv",
    "SteerDecisionRenderer",
    "SteerEnv",
    "SteerGroupBuilder",
    "decision_examples",
    "decision_of",
    "rl_blueprint",
]


class SteerDataset(RLDataset):
    """Batches of groups; every epoch in an order of its own, fixed by the seed.

    The last batch may be smaller. ``builders``: a group for each row, in any order.
    """

    def __init__(self, builders, batch_size, seed=0, epochs=1):
        for name, value in (("rows", len(builders)), ("batch_size", batch_size)):
            if value < 1:
                raise SteerError(f"{name} must be at least 1, not {value}")
        self._batch_size = batch_size
        self._order = [
            builder
            for epoch in range(epochs)
            for builder in sorted(builders, key=lambda each: _place(each, seed, epoch))
        ]

    def get_batch(self, index):
        """The groups of a batch."""
        return self._order[index * self._batch_size : (index + 1) * self._batch_size]

    def __len__(self):
        return ceil(len(self._order) / self._batch_size)


def _place(builder, seed, epoch):
    # Not the file's order, and the same on every machine.
    return sha256(f"{seed} {epoch} {builder.row['trace_id']}".encode()).digest()


@chz.chz
class SteerDatasetBuilder(RLDatasetBuilder):
    """Builds the dataset of a run. Put the class into a blueprint, not a built object: only then
    can the command line set its fields."""

    #: An exported file of the train side.
    path: str
    #: Name or folder of the model's tokenizer.
    model_name_for_tokenizer: str
    #: The cookbook's renderer; the one it recommends for the model by default.
    renderer_name: Optional[str] = None
    #: ``symmetric``, ``asymmetric`` or a scheme file.
    scheme: str = "asymmetric"
    #: Replaces prices: ``dataset_builder.prices.wrong=-0.05``.
    prices: Mapping[str, float] = chz.field(default_factory=dict)
    #: See :func:`steerbench.schemes.resolve_scheme`.
    allow_dominated: bool = False
    #: Prompts in a batch.
    batch_size: int = 16
    #: Answers to a prompt.
    group_size: int = 8
    #: Fixes the order of the prompts.
    seed: int = 0
    #: How often each prompt comes.
    epochs: int = 1
    #: A file to evaluate on, one answer to a prompt; held-out rows need ``allow_test``.
    test_path: Optional[str] = None
    allow_test: bool = False

    async def __call__(self):
        """The training dataset, and the one to evaluate on or None."""
        name = self.renderer_name or get_recommended_renderer_name(self.model_name_for_tokenizer)
        renderer = get_renderer(name, get_tokenizer(self.model_name_for_tokenizer))
        scheme = resolve_scheme(self.scheme, self.prices, self.allow_dominated)
        # A Scheme cannot be pickled, its table can.
        table = {"version": 1, **scheme._asdict(), "prices": dict(scheme.prices)}

        def groups(path, size, allow_test=False):
            rows = map(_lean, load_rows(path, allow_test))
            return [SteerGroupBuilder(row, renderer, table, size) for row in rows]

        train = groups(self.path, self.group_size)
        dataset = SteerDataset(train, self.batch_size, self.seed, self.epochs)
        if self.test_path is None:
            return dataset, None
        test = groups(self.test_path, 1, self.allow_test)
        return dataset, SteerDataset(test, self.batch_size, self.seed)


def _lean(row):
    """What a group needs of a row; it travels to other processes."""
    kept = {key: value for key, value in row.items() if key != "raw"}
    return {**kept, "prefix": row["raw"].get("prefix")}


def rl_blueprint():
    """A new blueprint of ``rl.train.Config`` that lacks a model, a log path and a file of rows."""
    from tinker_cookbook.rl import train

    return chz.Blueprint(train.Config).apply(
        {
            "recipe_name": "steerbench_rl",
            "dataset_builder": SteerDatasetBuilder,
            "dataset_builder.model_name_for_tokenizer": Reference("model_name"),
            "learning_rate": 1e-5,
            "max_tokens": 256,
        }
    )
