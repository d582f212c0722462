"""The cookbook's decisions recipe and rollouts over exported decisions."""

import asyncio
import math
import pickle

import pytest

pytest.importorskip("tinker_cookbook")

from tinker_cookbook.completers import TinkerTokenCompleter  # noqa: E402
from tinker_cookbook.recipes.decisions.decision import sample_decision  # noqa: E402
from tinker_cookbook.recipes.decisions.train import decision_choice_datums  # noqa: E402
from tinker_cookbook.renderers import get_renderer  # noqa: E402
from tinker_cookbook.rl.rollouts import do_group_rollout  # noqa: E402
from tinker_cookbook.tokenizer_utils import get_tokenizer  # noqa: E402
from tinker_service import Service  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.scorer import LABELS, LETTERS, SteerError  # noqa: E402
from steerbench.tinker import (  # noqa: E402
    SteerDatasetBuilder,
    SteerDecisionRenderer,
    decision_examples,
    decision_of,
)

RENDERERS = ["qwen3", "qwen3_disable_thinking", "qwen3_instruct"]


@pytest.fixture(scope="module")
def folder(cli, tmp_path_factory):
    """Exports of the demo set."""
    folder = tmp_path_factory.mktemp("decisions")
    source = ("scenario-sets/demo", "--split", "splits/demo.json")
    cli("export", "decisions", *source, "-o", folder / "decisions")
    cli("export", "rl", *source, "-o", folder / "rl")
    return folder


@pytest.fixture(scope="module")
def rows(folder):
    """The exported decisions."""
    return load_rows(folder / "decisions/train.jsonl")


@pytest.fixture(scope="module")
def model(repository):
    """A model folder, for its tokenizer."""
    return str(repository / "models/tiny")


def test_the_rendering_is_the_exported_prompt_and_prefix(rows, model):
    tokenizer = get_tokenizer(model)
    renderer = SteerDecisionRenderer(get_renderer("qwen3_instruct", tokenizer))
    for row in rows:
        rendering = renderer.render(decision_of(row))
        prompt = tokenizer.apply_chat_template(
            row["prompt"], tokenize=False, add_generation_prompt=True
        )
        read = tokenizer.decode(rendering.tokens[: rendering.choice_pos])
        assert read == prompt + row["raw"]["prefix"] and read.endswith("choice#")
        assert rendering.labels == row["letters"]
        assert tokenizer.decode(list(rendering.label_tokens.values())) == "".join(LETTERS)
        gold = rendering.with_label(row["gold"])
        assert tokenizer.decode(gold[-1:]) == row["raw"]["gold_letter"]


@pytest.mark.parametrize("name", RENDERERS)
def test_a_sampled_decision_gives_each_label_the_probability_of_its_letter(rows, model, name):
    renderer = SteerDecisionRenderer(get_renderer(name, get_tokenizer(model)))
    # The service says -1 for A to -5 for E.
    weights = [math.exp(-number) for number in range(1, 6)]
    for row in rows[:5]:
        rendering = renderer.render(decision_of(row))
        probabilities = asyncio.run(sample_decision(Service(model, []), rendering))
        assert list(probabilities) == row["letters"]
        expected = [weight / sum(weights) for weight in weights]
        assert list(probabilities.values()) == pytest.approx(expected)


def test_training_weighs_the_gold_letter_alone(rows, model):
    tokenizer = get_tokenizer(model)
    renderer = SteerDecisionRenderer(get_renderer("qwen3_instruct", tokenizer))
    datums = decision_choice_datums(renderer, decision_examples(rows))
    for row, datum in zip(rows, datums):
        weights = datum.loss_fn_inputs["weights"].to_torch()
        target = datum.loss_fn_inputs["target_tokens"].to_torch()[weights > 0]
        assert tokenizer.decode(target.tolist()) == row["raw"]["gold_letter"]


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("name", RENDERERS)
def test_a_rollout_begins_where_the_reading_does_and_pays_for_one_token(
    folder, model, cli_score, name, scheme
):
    builder = SteerDatasetBuilder(
        path=str(folder / "decisions/train.jsonl"),
        model_name_for_tokenizer=model,
        renderer_name=name,
        scheme=scheme,
        group_size=8,
    )
    dataset, _ = asyncio.run(builder())
    # The sampler says "length" of each: one token is all that it may give.
    answers = [(letter, "length") for letter in LETTERS] + [
        ("no letter", "length"),
        ("", "stop"),
        ("B) the rest does not count", "length"),
    ]
    asked, told = [], []
    for group in dataset.get_batch(0):
        service = Service(model, answers)
        policy = TinkerTokenCompleter(service, max_tokens=3)
        result = asyncio.run(do_group_rollout(pickle.loads(pickle.dumps(group)), policy))
        renderer = SteerDecisionRenderer(group.renderer)
        rendering = renderer.render(decision_of(group.row))
        assert list(service.asked) == [tuple(rendering.tokens[: rendering.choice_pos])]
        for trajectory in result.trajectories_G:
            [step] = trajectory.transitions
            told.append(step)
            row = {key: step.logs[key] for key in ("gold", "answer", "finish")}
            asked.append({**row, "letters": group.row["letters"]})
    for step, expected in zip(told, cli_score(asked, scheme)):
        assert step.reward == expected["reward"] and step.logs["outcome"] == expected["outcome"]
        assert {key: step.metrics[key] for key in METRIC_KEYS} == expected["metrics"]
    assert [step.logs["answer"] for step in told[:8]] == [*LETTERS, "no", "<|im_end|>", "B"]
    preds = [step.logs["pred"] for step in told[:8]]
    assert sorted(preds[:5]) == sorted(LABELS) and preds[5:] == ["", "", preds[1]]


def test_rows_without_letters_are_refused(folder):
    with pytest.raises(SteerError, match="export decisions"):
        decision_examples(load_rows(folder / "rl/train.jsonl"))
