"""verl's own reward loop, data set and validation metrics with our file and our rows."""

import asyncio
import subprocess
import sys
from statistics import mean

import pytest

pytest.importorskip("verl")

import numpy  # noqa: E402
import torch  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from tensordict import TensorDict  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402
from verl import DataProto  # noqa: E402
from verl.trainer.ppo.metric_utils import process_validation_metrics  # noqa: E402
from verl.trainer.ppo.reward import load_reward_manager  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402

ROWS = [
    ("ASK", '{"intervention": "ASK", "reason": "permission"}'),
    ("ASK", "ACT"),
    ("ACT", "I would WAIT for the build."),
    ("WAIT", "REMEMBER"),
    ("FORGET", ""),
    ("FORGET", "ACT or FORGET"),
    ("WAIT", '{"intervention": "WAI'),
]
MILD = {"wrong": -0.05, "unreadable": -0.4, "cut_off": -0.4}


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return AutoTokenizer.from_pretrained(make_tiny_model(tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="module")
def path():
    """As the documented command prints it."""
    command = [sys.executable, "-m", "steerbench.verl", "--path"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def one(value):
    return numpy.array([value], dtype=object)


def answered(tokenizer, gold, answer):
    """A rollout of one answer, as the trainer hands it to the reward manager."""
    ids = tokenizer(answer + tokenizer.eos_token, return_tensors="pt")["input_ids"]
    batch = {
        "prompts": torch.zeros(1, 4, dtype=torch.long),
        "responses": ids,
        "attention_mask": torch.ones(1, 4 + ids.shape[1], dtype=torch.long),
    }
    return DataProto(
        batch=TensorDict(batch, [1]),
        non_tensor_batch={
            "data_source": one("steerbench/v1"),
            "reward_model": one({"style": "rule", "ground_truth": gold}),
            "extra_info": one({"split": "train"}),
        },
    )


def reward_all(path, tokenizer, name, manager="naive", **kwargs):
    """What the manager makes of every row; all at once, as in a step."""
    config = OmegaConf.create(
        {
            "reward": {
                "custom_reward_function": {"path": path, "name": name, "reward_kwargs": kwargs},
                "reward_manager": {"source": "register", "name": manager},
                "reward_model": {"enable": False},
            }
        }
    )

    async def run():
        loaded = load_reward_manager(config, tokenizer)
        rollouts = [answered(tokenizer, gold, answer) for gold, answer in ROWS]
        return await asyncio.gather(*map(loaded.run_single, rollouts))

    return asyncio.run(run())


def check(found, expected):
    keys = {"score", "acc", "pred", "outcome", *METRIC_KEYS}
    for rewarded, told in zip(found, expected, strict=True):
        extra = rewarded["reward_extra_info"]
        assert set(extra) == keys
        assert rewarded["reward_score"] == extra["score"] == told["reward"]
        assert (extra["outcome"], extra["pred"]) == (told["outcome"], told["pred"] or "")
        assert {key: extra[key] for key in METRIC_KEYS} == told["metrics"]


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
def test_the_reward_loop_pays_what_steerbench_score_says(scheme, name, path, tokenizer, cli_score):
    found = reward_all(path, tokenizer, name, scheme=scheme)
    check(found, cli_score([{"gold": gold, "answer": answer} for gold, answer in ROWS], scheme))
    assert len({rewarded["reward_extra_info"]["outcome"] for rewarded in found}) == 5


def test_prices_of_the_configuration_and_the_node_engine_reach_the_scorer(
    path, tokenizer, repository
):
    engine = {
        "name": "node",
        "command": ["node", str(repository / "dist/cli/main.js")],
        "timeout": 60,
    }
    mild = reward_all(path, tokenizer, "compute_score", scheme="symmetric", prices=MILD)
    assert [rewarded["reward_score"] for rewarded in mild] == [1, 0, 0, -0.05, -0.4, -0.4, -0.4]
    for name in ("compute_score", "compute_score_async"):
        on_node = reward_all(path, tokenizer, name, scheme="symmetric", prices=MILD, engine=engine)
        assert on_node == mild


def test_a_gold_answer_that_is_no_label_ends_the_step(path, tokenizer, monkeypatch):
    monkeypatch.setitem(globals(), "ROWS", [("ESCALATE", "ASK")])
    for name in ("compute_score", "compute_score_async"):
        with pytest.raises(ValueError, match="'ESCALATE' is not a label"):
            reward_all(path, tokenizer, name)


def test_exported_rows_become_prompts_that_carry_gold_and_ids(repository, tokenizer):
    config = OmegaConf.create({"max_prompt_length": 4096, "filter_overlong_prompts_workers": 1})
    data = RLHFDataset([str(repository / "exports" / "rl-verl.parquet")], tokenizer, config)
    assert len(data) == 3
    batch = collate_fn([data[index] for index in range(3)])
    assert set(batch["data_source"]) == {"steerbench/v1"}
    for model, extra in zip(batch["reward_model"], batch["extra_info"], strict=True):
        assert model["style"] == "rule"
        assert (extra["split"], extra["trace_id"][:2]) == ("train", "t-")
    read = [load_rows(repository / "exports" / f"rl-verl.{end}") for end in ("jsonl", "parquet")]
    assert read[0] == read[1] == load_rows(repository / "exports" / "rl-verl.arrow")
    assert [row["trace_id"] for row in read[0]] == [
        extra["trace_id"] for extra in batch["extra_info"]
    ]
    golds = [model["ground_truth"] for model in batch["reward_model"]]
    assert set(golds) <= {"ACT", "ASK", "WAIT", "REMEMBER", "FORGET"}


def test_validation_reports_every_outcome_and_the_majority_answer(path, tokenizer):
    found = [
        rewarded["reward_extra_info"]
        for rewarded in reward_all(path, tokenizer, "compute_score")[:4]
    ]
    columns = {key: [extra[key] for extra in found] for key in found[0]}
    columns["reward"] = columns["score"]
    told = process_validation_metrics(
        ["steerbench/v1"] * 4, ["first", "first", "second", "second"], columns
    )["steerbench/v1"]
    for key in ("score", *METRIC_KEYS):
        assert told[key]["mean@2"] == pytest.approx(mean(columns[key]))
    assert "maj@2/mean" in told["acc"]
