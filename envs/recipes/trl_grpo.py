"""Reinforcement learning with TRL's GRPO trainer, under either scheme.

    steerbench export rl SET --split SPLIT -o out/rl
    python envs/recipes/trl_grpo.py --rows out/rl/train.jsonl --scheme symmetric \
        --model_name_or_path MODEL --output_dir runs/grpo

``--price wrong=-0.05 missed_act=-0.08`` replaces prices. Every field of TRL's ``GRPOConfig`` and
``ModelConfig`` is an option (``--use_vllm``, ``--use_peft``), ``--config FILE`` reads a YAML file.

The estimator: eight answers to a prompt; advantage = reward - mean of the group, not divided by
its standard deviation; no step for a group whose answers are all paid alike, and the log counts
such groups by reason (``group/all_correct`` and its like, shares of the step's groups). With one
group to a step, the default, the loss is divided by the number of answer tokens of that group.
TRL has no such option for more groups: ``dapo``, the nearest, then divides the sum over the kept
groups of a step by the tokens of all of them, so that a group with longer answers weighs more.
"""

from dataclasses import dataclass, field
from typing import List

import torch
from datasets import Dataset
from transformers import AutoTokenizer, GenerationConfig, TrainerCallback
from trl import GRPOConfig, GRPOTrainer, ModelConfig, TrlParser, get_peft_config

from steerbench._recipe import refusals_told
from steerbench.rows import load_rows
from steerbench.schemes import resolve_scheme
from steerbench.scorer import group_advantages
from steerbench.trl import make_reward

SKIP_REASONS = ("all_correct", "same_mistake", "equal_price")
ESTIMATOR = {
    "num_generations": 8,
    "per_device_train_batch_size": 8,
    "gradient_accumulation_steps": 1,
    "scale_rewards": "none",
    "loss_type": "dapo",
    "beta": 0.0,
}


@dataclass
class Recipe:
    """What this recipe adds to TRL's own options."""

    rows: str = field(metadata={"help": "exported file of the train side"})
    scheme: str = field(default="asymmetric", metadata={"help": "its name, or a scheme file"})
    price: List[str] = field(
        default_factory=list, metadata={"help": "outcome=x, replaces a price", "action": "extend"}
    )
    allow_dominated: bool = field(default=False, metadata={"help": "accept any prices"})


class GroupTrainer(GRPOTrainer):
    """Leaves out the groups in which every answer is paid alike, and counts them by reason."""

    scheme = None

    def _generate_and_score_completions(self, inputs):
        batch = super()._generate_and_score_completions(inputs)
        if not self.model.training:
            return batch
        # The trainer's own table holds the outcomes of every process, group by group.
        outcomes = list(self._logs["extra"][f"{self.reward_func_names[0]}/outcome"])
        size, metrics = self.num_generations, self._metrics["train"]
        starts = range(0, len(outcomes), size)
        skips = [group_advantages(outcomes[k : k + size], self.scheme).skip for k in starts]
        for reason in SKIP_REASONS:
            metrics[f"group/{reason}"].append(skips.count(reason) / len(skips))
        metrics["group/signal"].append(skips.count(None) / len(skips))

        mask = batch["completion_mask"]
        kept = torch.tensor([skip is None for skip in skips], device=mask.device)
        first = self.accelerator.process_index * len(mask)
        kept = kept.repeat_interleave(size)[first : first + len(mask)]
        batch["advantages"] = batch["advantages"] * kept
        batch["completion_mask"] = mask = mask * kept.unsqueeze(1)
        batch["num_items_in_batch"] = self.accelerator.gather(mask.sum()).sum()
        return batch


class NoEmptySteps(TrainerCallback):
    """Leaves the weights alone where no group gave a gradient: Adam's momentum would move them."""

    def on_pre_optimizer_step(self, args, state, control, model, **_):
        """Takes away gradients that are zero throughout."""
        if not any(each.grad is not None and each.grad.any() for each in model.parameters()):
            model.zero_grad(set_to_none=True)


def main():
    """Trains and saves the model."""
    parser = TrlParser((Recipe, GRPOConfig, ModelConfig))
    parser.set_defaults(**ESTIMATOR, logging_steps=1, log_completions=True)
    recipe, training, model = parser.parse_args_and_config()
    training.model_init_kwargs = {"dtype": model.dtype, **(training.model_init_kwargs or {})}
    scheme = resolve_scheme(recipe.scheme, recipe.price, recipe.allow_dominated)
    tokenizer = AutoTokenizer.from_pretrained(model.model_name_or_path)
    reward = make_reward(
        scheme,
        allow_dominated=True,
        end_token_ids=end_tokens(model.model_name_or_path, tokenizer),
        max_completion_length=training.max_completion_length,
    )
    trainer = GroupTrainer(
        model=model.model_name_or_path,
        reward_funcs=reward,
        args=training,
        train_dataset=dataset(recipe.rows),
        processing_class=tokenizer,
        peft_config=get_peft_config(model),
        callbacks=[NoEmptySteps()],
    )
    trainer.scheme = scheme
    trainer.train(resume_from_checkpoint=training.resume_from_checkpoint)
    trainer.save_model()
    trainer.save_state()


def dataset(path):
    """An exported file, checked against its manifest; a held-out one is refused."""
    columns = ("prompt", "gold", "trace_id", "domain")
    return Dataset.from_list([{each: row[each] for each in columns} for row in load_rows(path)])


def end_tokens(model, tokenizer):
    """Every token that ends an answer: by these the reward knows which answers were cut off."""
    ends = GenerationConfig.from_pretrained(model).eos_token_id or []
    ends = [ends] if isinstance(ends, int) else ends
    more = (tokenizer.eos_token_id, tokenizer.pad_token_id)
    return {each for each in (*ends, *more) if each is not None}


if __name__ == "__main__":
    with refusals_told():
        main()
