"""Reinforcement learning with the Tinker cookbook, under either scheme.

    steerbench export rl SET --split SPLIT -o out/rl
    python envs/recipes/tinker_rl.py model_name=MODEL log_path=runs/rl \
        dataset_builder.path=out/rl/train.jsonl dataset_builder.scheme=symmetric

Every field of the cookbook's ``rl.train.Config`` and of ``SteerDatasetBuilder`` is an option:
``dataset_builder.prices.wrong=-0.05``, ``dataset_builder.group_size=16``. Rows of ``steerbench
export decisions`` are answered by the one letter behind ``choice#``; add ``max_tokens=1``.

The estimator: eight answers to a prompt; advantage = reward - mean of the group. A group whose
answers are all paid alike has advantages of zero; ``metrics.jsonl`` counts such groups by reason as
``env/all/group/all_correct`` and its like. Tinker sums its loss over tokens and divides by nothing:
the learning rate takes the place of the number of answer tokens.
"""

import asyncio
import sys

from tinker_cookbook import cli_utils
from tinker_cookbook.rl import train

from steerbench._recipe import refusals_told
from steerbench.tinker import rl_blueprint


def main():
    """Trains; stops with a question where the log folder exists."""
    config = rl_blueprint().make_from_argv(sys.argv[1:])
    cli_utils.check_log_dir(config.log_path, behavior_if_exists="ask")
    asyncio.run(train.main(config))


if __name__ == "__main__":
    with refusals_told():
        main()
