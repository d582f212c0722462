"""Training of lettered decisions with the Tinker cookbook's ``recipes/decisions``.

    steerbench export decisions SET --split SPLIT --validation 15 -o out/decisions
    python envs/recipes/tinker_decisions.py model_name=MODEL log_path=runs/decisions \
        path=out/decisions/train.jsonl eval_path=out/decisions/validation.jsonl scheme=symmetric

Cross-entropy on one token, the letter behind ``choice#``. Before the first step and after the last,
``metrics.jsonl`` says how sure the model is of the right letter, and what the likeliest letter of
each row earns under the scheme, with every outcome. ``prices.wrong=-0.05`` replaces a price. For
reinforcement learning on the same rows, see ``tinker_rl.py``.
"""

import asyncio
from statistics import mean
from typing import Mapping, Optional

import chz
import tinker
from tinker_cookbook import checkpoint_utils, cli_utils
from tinker_cookbook.model_info import get_recommended_renderer_name
from tinker_cookbook.recipes.decisions import decision_choice_datums, sample_decision
from tinker_cookbook.renderers import get_renderer
from tinker_cookbook.tokenizer_utils import get_tokenizer
from tinker_cookbook.utils import ml_log

from steerbench._recipe import refusals_told
from steerbench.judge import METRIC_KEYS, judge
from steerbench.rows import load_rows
from steerbench.schemes import resolve_scheme
from steerbench.tinker import SteerDecisionRenderer, decision_examples, decision_of


@chz.chz
class Config:
    """The options of the command line."""

    model_name: str
    log_path: str
    #: An exported file of the train side, and one to measure on; held-out rows need allow_test.
    path: str
    eval_path: str
    allow_test: bool = False
    scheme: str = "asymmetric"
    prices: Mapping[str, float] = chz.field(default_factory=dict)
    renderer_name: Optional[str] = None
    lora_rank: int = 32
    learning_rate: float = 1e-4
    batch_size: int = 16
    epochs: int = 1
    max_steps: Optional[int] = None
    base_url: Optional[str] = None


async def train(config):
    """Trains, measures before and after, and saves the weights."""
    scheme = resolve_scheme(config.scheme, config.prices)
    examples = decision_examples(load_rows(config.path))
    measured = load_rows(config.eval_path, config.allow_test)
    name = config.renderer_name or get_recommended_renderer_name(config.model_name)
    renderer = SteerDecisionRenderer(get_renderer(name, get_tokenizer(config.model_name)))
    logger = ml_log.setup_logging(config.log_path, config=config)
    service = tinker.ServiceClient(base_url=config.base_url)
    client = await service.create_lora_training_client_async(
        config.model_name, rank=config.lora_rank
    )

    size = config.batch_size
    batches = [examples[k : k + size] for k in range(0, len(examples), size)] * config.epochs
    batches = batches[: config.max_steps]
    logger.log_metrics(await measure(client, renderer, measured, scheme), step=0)
    for step, batch in enumerate(batches, 1):
        datums = decision_choice_datums(renderer, batch)
        # Both are sent before either is awaited: the service runs them together.
        passed = await client.forward_backward_async(datums, "cross_entropy")
        adam = tinker.AdamParams(learning_rate=config.learning_rate)
        stepped = await client.optim_step_async(adam)
        result = await passed.result_async()
        await stepped.result_async()
        loss = -mean(each["logprobs"].data[-1] for each in result.loss_fn_outputs)
        logger.log_metrics({"train/loss": loss, "train/rows": len(batch)}, step=step)
    logger.log_metrics(await measure(client, renderer, measured, scheme), step=len(batches))
    await checkpoint_utils.save_checkpoint_async(
        client, "final", config.log_path, {"step": len(batches), "final": True}, kind="both"
    )
    logger.close()


async def measure(client, renderer, rows, scheme):
    """The mean probability of the gold label; reward and metrics of the likeliest letters."""
    sampler = await client.save_weights_and_get_sampling_client_async()
    found = await asyncio.gather(
        *(sample_decision(sampler, renderer.render(decision_of(row))) for row in rows)
    )
    letters = ["ABCDE"[row["letters"].index(max(p, key=p.get))] for row, p in zip(rows, found)]
    golds, orders = [row["gold"] for row in rows], [row["letters"] for row in rows]
    judged = judge(golds, letters, ["stop"] * len(rows), scheme, orders)
    means = {f"eval/{key}": mean(each.metrics[key] for each in judged) for key in METRIC_KEYS}
    means["eval/reward"] = mean(each.reward for each in judged)
    means["eval/p_gold"] = mean(p[gold] for p, gold in zip(found, golds))
    return means


def main():
    """Stops with a question where the log folder exists."""
    config = chz.entrypoint(Config)
    cli_utils.check_log_dir(config.log_path, behavior_if_exists="ask")
    asyncio.run(train(config))


if __name__ == "__main__":
    with refusals_told():
        main()
