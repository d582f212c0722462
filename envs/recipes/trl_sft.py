"""Supervised fine-tuning with TRL, on the answers that ``steerbench export sft`` wrote.

    steerbench export sft SET --split SPLIT -o out/sft
    python envs/recipes/trl_sft.py --rows out/sft/train.jsonl \
        --model_name_or_path MODEL --output_dir runs/sft

Every field of TRL's ``SFTConfig`` and ``ModelConfig`` (``--use_peft`` for LoRA) is an option, and
``--config FILE`` reads options from a YAML file. The loss covers the answer only.
"""

from dataclasses import dataclass, field
from typing import Optional

from datasets import Dataset
from trl import ModelConfig, SFTConfig, SFTTrainer, TrlParser, get_peft_config

from steerbench._recipe import refusals_told
from steerbench.rows import load_records


@dataclass
class Recipe:
    """What this recipe adds to TRL's own options."""

    rows: str = field(metadata={"help": "exported file of the train side"})
    eval_rows: Optional[str] = field(
        default=None, metadata={"help": "exported validation file, for --eval_strategy"}
    )


def main():
    """Trains and saves the model."""
    parser = TrlParser((Recipe, SFTConfig, ModelConfig))
    # TRL's own limit is 1,024 tokens, and what is cut off is the end: the answer.
    parser.set_defaults(max_length=4096, logging_steps=1)
    recipe, training, model = parser.parse_args_and_config()
    training.model_init_kwargs = {"dtype": model.dtype, **(training.model_init_kwargs or {})}
    trainer = SFTTrainer(
        model=model.model_name_or_path,
        args=training,
        train_dataset=dataset(recipe.rows),
        eval_dataset=dataset(recipe.eval_rows) if recipe.eval_rows else None,
        peft_config=get_peft_config(model),
    )
    trainer.train(resume_from_checkpoint=training.resume_from_checkpoint)
    trainer.save_model()
    trainer.save_state()


def dataset(path):
    """An exported file, checked against its manifest; a held-out one is refused."""
    return Dataset.from_list(load_records(path, "sft"))


if __name__ == "__main__":
    with refusals_told():
        main()
