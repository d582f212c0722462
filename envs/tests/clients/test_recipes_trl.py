"""The TRL recipes, launched by their documented commands: a few steps of a tiny random model."""

import importlib.util
import json
import math

import pytest

pytest.importorskip("trl")

import pandas  # noqa: E402
import torch  # noqa: E402
from datasets import Dataset  # noqa: E402
from documented import SCHEMES as SCHEME_NAMES  # noqa: E402
from documented import RECIPES, launch  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402
from trl import GRPOConfig  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.schemes import resolve_scheme  # noqa: E402
from steerbench.scorer import LABELS, SCHEMES, SteerError, group_advantages  # noqa: E402
from steerbench.trl import make_reward  # noqa: E402

STEPS = 4
CPU = "--use_cpu True --bf16 False --report_to none --disable_tqdm True --save_strategy no".split()
#: Of two of these tokens, one answer in ten can be read, and half of the groups hold none.
WORDS = [*LABELS, " or ", " maybe ", " then "]


@pytest.fixture(scope="module")
def model(repository, tmp_path_factory):
    """A random model that has a token for each label, so that some of its answers can be read."""
    torch.manual_seed(0)
    prompts = (repository / "exports/rl-trl.jsonl").read_text(encoding="utf-8").splitlines()
    folder = make_tiny_model(tmp_path_factory.mktemp("model"), texts=prompts, vocabulary=1000)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(WORDS)
    tokenizer.save_pretrained(folder)
    tiny = AutoModelForCausalLM.from_pretrained(folder)
    tiny.resize_token_embeddings(len(tokenizer))
    tiny.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """An empty folder to run a recipe in for each scheme."""
    return lambda: {scheme: tmp_path_factory.mktemp(scheme) for scheme in SCHEME_NAMES}


def module(name):
    """A recipe, imported."""
    spec = importlib.util.spec_from_file_location(name, RECIPES / f"{name}.py")
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    return recipe


def logs(folder):
    """The trainer's log, step by step, without its closing line."""
    history = json.loads((folder / "trainer_state.json").read_text())["log_history"]
    return [entry for entry in history if "loss" in entry]


def unwanted(tokenizer):
    """All tokens but the words and the end."""
    wanted = {*tokenizer.convert_tokens_to_ids(WORDS), tokenizer.eos_token_id}
    return [token for token in range(len(tokenizer)) if token not in wanted]


@pytest.fixture(scope="module")
def grpo(model, folders):
    """Both schemes: the folders in which they ran."""
    made = folders()
    more = f"--max_steps {STEPS} --max_completion_length 2 --seed 7 --learning_rate 0.01"
    more += " --per_device_train_batch_size 16 --price missed_act=-0.08 --price wrong=-0.05"
    generation = json.dumps({"suppress_tokens": unwanted(AutoTokenizer.from_pretrained(model))})
    options = [*CPU, *more.split(), "--generation_kwargs", generation]
    launch("trl_grpo.py", made, {"MODEL": model}, options)
    return {scheme: folder / "runs/grpo" for scheme, folder in made.items()}


def tables(folder, scheme):
    """Of each step, the groups: pairs of the outcomes and of what the trainer noted down."""
    paths = sorted(folder.glob("completions/*.parquet"))
    assert len(paths) == STEPS
    found = []
    for path in paths:
        table = pandas.read_parquet(path)
        groups = [table[k : k + 8] for k in range(0, 16, 8)]
        assert all(len({str(each) for each in group["prompt"]}) == 1 for group in groups)
        found.append([(list(group[f"{scheme}_reward/outcome"]), group) for group in groups])
    return found


def prices(scheme):
    return resolve_scheme(scheme, ["missed_act=-0.08", "wrong=-0.05"])


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_grpo_pays_the_scheme_and_the_prices_of_its_command_line(grpo, scheme):
    seen = set()
    for step in tables(grpo[scheme], scheme):
        for outcomes, group in step:
            seen |= set(outcomes)
            paid = [prices(scheme).prices[outcome] for outcome in outcomes]
            assert list(group[f"{scheme}_reward"]) == pytest.approx(paid)
    assert len(seen) > 2, "the model's answers are all alike: the comparison says little"


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_grpo_trains_on_our_advantages_and_counts_the_groups_that_it_drops(grpo, scheme):
    dropped = 0
    for log, step in zip(logs(grpo[scheme]), tables(grpo[scheme], scheme), strict=True):
        assert {*METRIC_KEYS, f"rewards/{scheme}_reward/mean"} <= set(log)
        expected = [group_advantages(outcomes, prices(scheme)) for outcomes, _ in step]
        skips = [each.skip for each in expected]
        dropped += len(skips) - skips.count(None)
        for reason in ("all_correct", "same_mistake", "equal_price"):
            assert log[f"group/{reason}"] == skips.count(reason) / len(skips)
        assert log["group/signal"] == skips.count(None) / len(skips)
        for each, (outcomes, group) in zip(expected, step):
            own = each.advantages or [0.0] * len(outcomes)
            assert list(group["advantage"]) == pytest.approx(own, abs=1e-6)
    assert 0 < dropped < 2 * STEPS, "both kinds of group are needed to see the difference"


def test_grpo_divides_by_the_answer_tokens_of_the_groups_that_it_keeps(model, tmp_path):
    recipe, seen = module("trl_grpo"), []

    class Watched(recipe.GroupTrainer):
        def compute_loss(self, model, inputs, **options):
            seen.append(inputs)
            return super().compute_loss(model, inputs, **options)

    tokenizer = AutoTokenizer.from_pretrained(model)
    prompts = ["what now", "go on", "stop here", "and then"] * 8
    config = {"max_steps": 8, "max_completion_length": 2, "use_cpu": True, "bf16": False, "seed": 7}
    config["generation_kwargs"] = {"suppress_tokens": unwanted(tokenizer)}
    config |= {**recipe.ESTIMATOR, "per_device_train_batch_size": 32, "logging_steps": 1}
    trainer = Watched(
        model=model,
        reward_funcs=make_reward(
            "symmetric",
            end_token_ids=recipe.end_tokens(model, tokenizer),
            max_completion_length=2,
        ),
        args=GRPOConfig(str(tmp_path), report_to="none", save_strategy="no", **config),
        train_dataset=Dataset.from_list([{"prompt": each, "gold": "ASK"} for each in prompts]),
        processing_class=tokenizer,
    )
    trainer.scheme = SCHEMES["symmetric"]
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    signals = [entry["group/signal"] for entry in trainer.state.log_history if "loss" in entry]
    assert 0 < sum(signals) < 8, "both kinds of group are needed to see the difference"
    for batch, signal, loss in zip(seen, signals, losses, strict=True):
        lengths = batch["completion_mask"].sum(1)
        assert (lengths > 0).sum() == 32 * signal
        assert not batch["advantages"][lengths == 0].any()
        assert batch["num_items_in_batch"] == lengths.sum()
        # On-policy every ratio is 1: each token of an answer weighs its advantage.
        expected = -(batch["advantages"] * lengths).sum() / lengths.sum().clamp(min=1)
        assert loss == pytest.approx(expected.item(), abs=1e-4)


def test_a_step_without_signal_moves_no_weight():
    layer = torch.nn.Linear(2, 1)
    optimizer = torch.optim.AdamW(layer.parameters(), lr=0.1)
    layer(torch.ones(2)).sum().backward()
    optimizer.step()
    before = layer.weight.detach().clone()
    for weight in layer.parameters():
        weight.grad.zero_()
    module("trl_grpo").NoEmptySteps().on_pre_optimizer_step(None, None, None, model=layer)
    optimizer.step()
    assert torch.equal(layer.weight, before)


def test_dpo_takes_pairs_of_its_scheme_and_refuses_others(model, folders):
    made = folders()
    options = [*CPU, "--max_steps", "2", "--per_device_train_batch_size", "2"]
    launch("trl_dpo.py", made, {"MODEL": model}, options)
    for folder in made.values():
        steps = logs(folder / "runs/dpo")
        assert len(steps) == 2 and all(math.isfinite(each["loss"]) for each in steps)
        assert all("rewards/margins" in each for each in steps)
    with pytest.raises(SteerError, match="made with the scheme symmetric, not asymmetric"):
        module("trl_dpo").dataset(made["symmetric"] / "out/pairs/train.jsonl", "asymmetric")


def test_sft_learns_from_its_export(model, tmp_path):
    options = [*CPU, "--max_steps", "2", "--per_device_train_batch_size", "2"]
    launch("trl_sft.py", {"symmetric": tmp_path}, {"MODEL": model}, options)
    steps = logs(tmp_path / "runs/sft")
    assert len(steps) == 2 and all(math.isfinite(each["loss"]) for each in steps)
    AutoModelForCausalLM.from_pretrained(tmp_path / "runs/sft")
