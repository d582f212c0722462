"""Supervised fine-tuning with the Tinker cookbook, on what ``steerbench export sft`` wrote.

    steerbench export sft SET --split SPLIT --format tinker -o out/sft
    python envs/recipes/tinker_sft.py model_name=MODEL log_path=runs/sft \
        dataset_builder.path=out/sft/train.jsonl

Every field of the cookbook's ``supervised.train.Config`` and of the builder below is an option:
``learning_rate=2e-4``, ``dataset_builder.batch_size=32``. The loss covers the answer only.
"""

import asyncio
import sys
from typing import Optional

import chz
from chz.blueprint import Reference
from tinker_cookbook import cli_utils
from tinker_cookbook.model_info import get_recommended_renderer_name
from tinker_cookbook.supervised import train
from tinker_cookbook.supervised.data import FromConversationFileBuilder
from tinker_cookbook.supervised.types import (
    ChatDatasetBuilderCommonConfig,
    SupervisedDatasetBuilder,
)

from steerbench._recipe import refusals_told
from steerbench.rows import load_records


@chz.chz
class ExportedConversations(SupervisedDatasetBuilder):
    """An exported file, checked against its manifest; a held-out one is refused."""

    path: str
    model_name_for_tokenizer: str
    #: The one that the cookbook recommends for the model, by default.
    renderer_name: Optional[str] = None
    #: The cookbook leaves out rows that do not fill a batch.
    batch_size: int = 16
    max_length: int = 4096

    def __call__(self):
        """The training dataset, and None."""
        load_records(self.path, "sft")
        name = self.model_name_for_tokenizer
        common = ChatDatasetBuilderCommonConfig(
            model_name_for_tokenizer=name,
            renderer_name=self.renderer_name or get_recommended_renderer_name(name),
            max_length=self.max_length,
            batch_size=self.batch_size,
        )
        return FromConversationFileBuilder(file_path=self.path, common_config=common)()


def main():
    """Trains; stops with a question where the log folder exists."""
    blueprint = chz.Blueprint(train.Config).apply(
        {
            "recipe_name": "steerbench_sft",
            # The class, not a built object: only so can the command line set its fields.
            "dataset_builder": ExportedConversations,
            "dataset_builder.model_name_for_tokenizer": Reference("model_name"),
        }
    )
    config = blueprint.make_from_argv(sys.argv[1:])
    cli_utils.check_log_dir(config.log_path, behavior_if_exists="ask")
    asyncio.run(train.main(config))


if __name__ == "__main__":
    with refusals_told():
        main()
