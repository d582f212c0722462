"""TRL's GRPO and RLOO trainers with our reward functions: what their logs say is the truth."""

import json
from statistics import mean

import pytest

pytest.importorskip("trl")

import pandas  # noqa: E402
from datasets import Dataset  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer  # noqa: E402
from trl.scripts import grpo  # noqa: E402

from steerbench import trl as rewards  # noqa: E402
from steerbench._errors import SteerError  # noqa: E402
from steerbench.engines import open_engine  # noqa: E402
from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.scorer import LABELS  # noqa: E402

MOST_TOKENS = 3
TRAINERS = {"grpo": (GRPOTrainer, GRPOConfig), "rloo": (RLOOTrainer, RLOOConfig)}
WORDS = [*LABELS, " or "]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A random model that has a token for each label, so that some of its answers can be read."""
    folder = make_tiny_model(tmp_path_factory.mktemp("model"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(WORDS)
    tokenizer.save_pretrained(folder)
    tiny = AutoModelForCausalLM.from_pretrained(folder)
    tiny.resize_token_embeddings(len(tokenizer))
    tiny.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tokenizer(model):
    return AutoTokenizer.from_pretrained(model)


@pytest.fixture(scope="module")
def rows(repository):
    """Exported rows, their prompts shortened: to this model they all say as much."""
    lines = (repository / "exports" / "rl-trl.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row["prompt"] = [
            {**message, "content": message["content"][-200:]} for message in row["prompt"]
        ]
    return rows


def options(tokenizer):
    """Few tokens: labels, ``or`` and the end."""
    wanted = {*tokenizer.convert_tokens_to_ids(WORDS), tokenizer.eos_token_id}
    unwanted = [token for token in range(len(tokenizer)) if token not in wanted]
    return {
        "max_completion_length": MOST_TOKENS,
        "generation_kwargs": {"suppress_tokens": unwanted},
        "num_generations": 8,
        "per_device_train_batch_size": 8,
        "max_steps": 2,
        "logging_steps": 1,
        "log_completions": True,
        "report_to": "none",
        "save_strategy": "no",
        "use_cpu": True,
        "bf16": False,
        "disable_tqdm": True,
        "seed": 7,
    }


def train(kind, model, tokenizer, data, reward, folder):
    """Two steps; the log of each and its completions, as the trainer wrote them down if it does."""
    seen = []

    def witness(prompts, completions, **_):
        seen.append(pandas.DataFrame({"prompt": prompts, "completion": completions}))
        return [0.0] * len(completions)

    own = reward if isinstance(reward, list) else [reward]
    trainer_class, config = TRAINERS[kind]
    trainer = trainer_class(
        model=model,
        reward_funcs=[*own, witness],
        train_dataset=data,
        args=config(
            output_dir=str(folder), reward_weights=[1.0] * len(own) + [0.0], **options(tokenizer)
        ),
    )
    trainer.train()
    written = [pandas.read_parquet(path) for path in sorted(folder.glob("completions/*.parquet"))]
    assert bool(written) == (kind == "grpo")
    tables = written or seen
    logs = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(logs) == len(tables) == 2
    return logs, tables


def text_of(completion):
    return completion if isinstance(completion, str) else completion[-1]["content"]


def prompt_key(prompt):
    return prompt if isinstance(prompt, str) else prompt[-1]["content"]


def check(logs, tables, gold_of, score, scheme, name, finish_of=lambda text: None):
    """Compares what the trainer logged with ``steerbench score`` on its completions."""
    outcomes = set()
    for log, table in zip(logs, tables):
        answers = [text_of(completion) for completion in table["completion"]]
        golds = [gold_of[prompt_key(prompt)] for prompt in table["prompt"]]
        asked = [
            {"gold": gold, "answer": answer, "finish": finish_of(answer)}
            for gold, answer in zip(golds, answers)
        ]
        expected = score(asked, scheme)
        assert len(expected) == 8
        if name in table:
            # The trainer keeps rewards in single precision.
            assert table[name].tolist() == pytest.approx([each["reward"] for each in expected])
            assert table[f"{name}/outcome"].tolist() == [each["outcome"] for each in expected]
            assert table[f"{name}/pred"].tolist() == [each["pred"] or "" for each in expected]
        means = {key: mean(each["metrics"][key] for each in expected) for key in METRIC_KEYS}
        assert {key: log[key] for key in METRIC_KEYS} == pytest.approx(means)
        reward = mean(each["reward"] for each in expected)
        assert log[f"rewards/{name}/mean"] == pytest.approx(reward)
        assert log["reward"] == pytest.approx(reward)
        outcomes |= {each["outcome"] for each in expected}
    return outcomes


@pytest.mark.parametrize("kind", TRAINERS)
@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("form", ["", "_async"], ids=["sync", "async"])
def test_logs_hold_every_metric_and_the_rewards_of_steerbench_score(
    kind, scheme, form, model, tokenizer, rows, cli_score, tmp_path
):
    name = f"{scheme}_reward{form}"
    reward = getattr(rewards, name)
    logs, tables = train(kind, model, tokenizer, Dataset.from_list(rows), reward, tmp_path)
    gold_of = {prompt_key(row["prompt"]): row["gold"] for row in rows}
    outcomes = check(logs, tables, gold_of, cli_score, scheme, name)
    assert len(outcomes) > 1, "the model's answers are all alike: the comparison says little"
    assert all(log["finish_known"] == 0 for log in logs)


def test_a_made_reward_pays_its_own_prices_and_tells_which_answers_were_cut_off(
    model, tokenizer, rows, cli_score, tmp_path
):
    scheme = {
        "version": 1,
        "name": "mild",
        "parse": "lenient",
        "prices": {
            "correct": 1,
            "premature_act": -0.5,
            "missed_act": -0.1,
            "wrong": 0.1,
            "unreadable": -0.6,
            "cut_off": -0.7,
        },
    }
    (tmp_path / "mild.json").write_text(json.dumps(scheme))
    reward = rewards.make_reward(
        str(tmp_path / "mild.json"),
        end_token_ids=[tokenizer.eos_token_id, tokenizer.pad_token_id],
        max_completion_length=MOST_TOKENS,
    )
    logs, tables = train("grpo", model, tokenizer, Dataset.from_list(rows), reward, tmp_path)

    def finish_of(text):
        return "length" if len(tokenizer.encode(text)) == MOST_TOKENS else "stop"

    gold_of = {prompt_key(row["prompt"]): row["gold"] for row in rows}
    path = str(tmp_path / "mild.json")
    outcomes = check(logs, tables, gold_of, cli_score, path, "mild_reward", finish_of)
    assert "cut_off" in outcomes and len(outcomes) > 1
    assert all(log["finish_known"] == 1 for log in logs)


def test_plain_texts_and_both_schemes_at_once_on_the_node_engine(
    model, tokenizer, rows, cli_score, repository, tmp_path
):
    plain = [{"prompt": f"{k}: what now?", "gold": row["gold"]} for k, row in enumerate(rows)]
    command = ["node", str(repository / "dist/cli/main.js")]
    with open_engine("node", command, timeout=60) as engine:
        both = [
            rewards.make_reward("symmetric", engine=engine),
            rewards.make_reward("asymmetric", engine=engine, is_async=True),
        ]
        logs, tables = train("grpo", model, tokenizer, Dataset.from_list(plain), both, tmp_path)
    gold_of = {row["prompt"]: row["gold"] for row in plain}
    for log, table in zip(logs, tables):
        answers = [
            {"gold": gold_of[prompt], "answer": answer}
            for prompt, answer in zip(table["prompt"], table["completion"])
        ]
        for scheme in ("symmetric", "asymmetric"):
            expected = [each["reward"] for each in cli_score(answers, scheme)]
            assert table[f"{scheme}_reward"].tolist() == pytest.approx(expected)
            assert log[f"rewards/{scheme}_reward/mean"] == pytest.approx(mean(expected))
        assert set(METRIC_KEYS) <= set(log)


def test_a_gold_answer_that_is_no_label_stops_the_training(model, tokenizer, rows, tmp_path):
    broken = Dataset.from_list([{**row, "gold": "Ask "} for row in rows])
    with pytest.raises(SteerError, match="'Ask ' is not a label"):
        train("grpo", model, tokenizer, broken, rewards.asymmetric_reward, tmp_path)


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_the_command_line_finds_the_reward_by_its_dotted_path(scheme, model, rows, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (data / "train.jsonl").write_text(lines)
    words = f"""
        --model_name_or_path {model} --dataset_name {data} --output_dir {tmp_path}
        --reward_funcs steerbench.trl.{scheme}_reward --max_steps 1 --logging_steps 1
        --num_generations 4 --per_device_train_batch_size 4 --max_completion_length 2
        --use_cpu True --bf16 False --report_to none --dtype float32
    """
    parsed = grpo.make_parser().parse_args_and_config(args=words.split())
    grpo.main(*parsed[:4])
    state = json.loads((tmp_path / "checkpoint-1" / "trainer_state.json").read_text())
    assert {*METRIC_KEYS, f"rewards/{scheme}_reward/mean"} <= set(state["log_history"][0])
