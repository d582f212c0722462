"""Preference training with TRL, on the pairs that ``steerbench export preferences`` wrote.

    steerbench export preferences SET --split SPLIT --scheme symmetric -o out/pairs
    python envs/recipes/trl_dpo.py --rows out/pairs/train.jsonl --scheme symmetric \
        --model_name_or_path MODEL --output_dir runs/dpo

The scheme, and ``--price outcome=x``, say which of two answers is the better one: that is settled
when the pairs are exported. ``--scheme`` here only asserts it. Every field of TRL's ``DPOConfig``
and ``ModelConfig`` is an option, and ``--config FILE`` reads options from a YAML file.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from datasets import Dataset
from trl import DPOConfig, DPOTrainer, ModelConfig, TrlParser, get_peft_config

from steerbench._recipe import refusals_told
from steerbench.rows import load_records
from steerbench.scorer import SteerError


@dataclass
class Recipe:
    """What this recipe adds to TRL's own options."""

    rows: str = field(metadata={"help": "exported file of the train side"})
    scheme: Optional[str] = field(
        default=None, metadata={"help": "refuse pairs that were made with another scheme"}
    )
    eval_rows: Optional[str] = field(
        default=None, metadata={"help": "exported validation file, for --eval_strategy"}
    )


def main():
    """Trains and saves the model."""
    parser = TrlParser((Recipe, DPOConfig, ModelConfig))
    # TRL's own limit is 1,024 tokens, and it leaves out longer prompts in silence.
    parser.set_defaults(max_length=4096, logging_steps=1)
    recipe, training, model = parser.parse_args_and_config()
    training.model_init_kwargs = {"dtype": model.dtype, **(training.model_init_kwargs or {})}
    trainer = DPOTrainer(
        model=model.model_name_or_path,
        args=training,
        train_dataset=dataset(recipe.rows, recipe.scheme),
        eval_dataset=dataset(recipe.eval_rows, recipe.scheme) if recipe.eval_rows else None,
        peft_config=get_peft_config(model),
    )
    trainer.train(resume_from_checkpoint=training.resume_from_checkpoint)
    trainer.save_model()
    trainer.save_state()


def dataset(path, scheme):
    """An exported file, checked against its manifest; a held-out one is refused."""
    records = load_records(path, "preferences")
    manifest = json.loads((Path(path).parent / "manifest.json").read_text(encoding="utf-8"))
    made_with = manifest["preferences"]["scheme"]["name"]
    if scheme not in (None, made_with):
        raise SteerError(f"{path}: its pairs were made with the scheme {made_with}, not {scheme}")
    return Dataset.from_list(records)


if __name__ == "__main__":
    with refusals_told():
        main()
