"""Drives the cookbook's rollouts and advantages with our groups."""

import asyncio
import pickle
import random

import pytest

pytest.importorskip("tinker_cookbook")

import tinker  # noqa: E402
from tinker_cookbook.completers import TinkerTokenCompleter  # noqa: E402
from tinker_cookbook.rl.data_processing import compute_advantages  # noqa: E402
from tinker_cookbook.rl.rollouts import do_group_rollout  # noqa: E402
from tinker_cookbook.rl.types import Trajectory  # noqa: E402
from tinker_service import ANSWERS, Service, arguments  # noqa: E402

from steerbench.scorer import SCHEMES, SteerError, group_advantages  # noqa: E402
from steerbench.tinker import SteerEnv, rl_blueprint  # noqa: E402


@pytest.fixture(scope="module")
def folder(cli, repository, tmp_path_factory):
    """Exports of the demo set."""
    folder = tmp_path_factory.mktemp("tinker")
    source = ("scenario-sets/demo", "--split", "splits/demo.json")
    cli("export", "rl", *source, "-o", folder / "rl")
    cli("export", "rl", *source, "--part", "test", "--allow-test", "-o", folder / "held-out")
    return folder


def build(folder, repository, *more):
    config = rl_blueprint().make_from_argv(arguments(folder, repository, *more))
    return asyncio.run(config.dataset_builder())


@pytest.mark.parametrize("renderer", ["qwen3", "qwen3_disable_thinking", "qwen3_instruct"])
def test_a_group_survives_pickling_and_being_made_again(folder, repository, renderer):
    dataset, _ = build(
        *(folder, repository, f"dataset_builder.renderer_name={renderer}"),
        *("dataset_builder.group_size=9", "dataset_builder.prices.wrong=-0.05"),
    )
    holding = next(each for each in dataset.get_batch(0) if each.row["gold"] != "ACT")
    builder = pickle.loads(pickle.dumps(holding))
    policy = TinkerTokenCompleter(Service(repository / "models/tiny", ANSWERS), max_tokens=100)
    first, second = (asyncio.run(do_group_rollout(builder, policy)) for _ in range(2))
    rewards = first.get_total_rewards()
    assert rewards == second.get_total_rewards() and -0.05 in rewards
    logs = [trajectory.transitions[0].logs for trajectory in first.trajectories_G]
    # The renderer keeps thinking out of the text.
    assert logs[5]["answer"].strip() == "Final answer: WAIT" and logs[5]["pred"] == "WAIT"
    reasons = [trajectory.stop_reason for trajectory in first.trajectories_G]
    assert reasons == ["completed"] * 8 + ["max_tokens"]


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_the_cookbooks_advantages_are_ours(folder, repository, scheme):
    dataset, _ = build(folder, repository, f"dataset_builder.scheme={scheme}")
    draw, skips = random.Random(0), set()
    for builder in dataset.get_batch(0) * 4:
        # Few kinds of answers, so that some groups are alike.
        kinds = draw.choices(ANSWERS, k=draw.choice((1, 2, 2, 9)))
        service = Service(repository / "models/tiny", draw.choices(kinds, k=8))
        group = asyncio.run(
            do_group_rollout(builder, TinkerTokenCompleter(service, max_tokens=100))
        )
        outcomes = [each.transitions[0].logs["outcome"] for each in group.trajectories_G]
        ours = group_advantages(outcomes, SCHEMES[scheme])
        [theirs] = compute_advantages([group])
        expected = (0.0,) * 8 if ours.skip else ours.advantages
        assert theirs.tolist() == pytest.approx(expected, abs=1e-6)
        told = [key for key, value in group.metrics_G[0].items() if value == 1.0]
        assert told == [f"group/{ours.skip or 'signal'}"]
        skips.add(ours.skip)
    assert {None, "same_mistake"} < skips


def test_the_order_is_the_seeds_and_not_the_files(folder, repository, tmp_path):
    def order(*more):
        dataset, _ = build(folder, repository, "dataset_builder.batch_size=40", *more)
        batches = [dataset.get_batch(index) for index in range(len(dataset))]
        return [[builder.row["trace_id"] for builder in batch] for batch in batches]

    once, twice = order(), order("dataset_builder.epochs=2")
    assert list(map(len, once)) == [40, 40, 10] and sum(map(len, twice)) == 180
    assert order() == once != order("dataset_builder.seed=1")
    flat = sum(twice, [])
    assert flat[:90] == sum(once, []) and sorted(flat[90:]) == sorted(flat[:90]) != flat[90:]


def test_held_out_rows_need_an_explicit_word(folder, repository):
    held_out = folder / "held-out/test.jsonl"
    with pytest.raises(SteerError, match="held out"):
        build(folder, repository, f"dataset_builder.path={held_out}")
    with pytest.raises(SteerError, match="allow_test"):
        build(folder, repository, f"dataset_builder.test_path={held_out}")
    with pytest.raises(SteerError, match="batch_size"):
        build(folder, repository, "dataset_builder.batch_size=0")


def test_garbage_pays_on_an_explicit_word_only(folder, repository):
    price = "dataset_builder.prices.unreadable=0.5"
    with pytest.raises(SteerError, match="garbage pays"):
        build(folder, repository, price)
    dataset, _ = build(folder, repository, price, "dataset_builder.allow_dominated=True")
    policy = TinkerTokenCompleter(Service(repository / "models/tiny", ANSWERS), max_tokens=100)
    group = asyncio.run(do_group_rollout(dataset.get_batch(0)[0], policy))
    assert group.get_total_rewards()[6] == 0.5


def test_without_a_stop_reason_the_termination_tells(folder, repository):
    dataset, _ = build(folder, repository)
    builder = dataset.get_batch(0)[0]
    encode = builder.renderer.tokenizer.encode
    env = SteerEnv(builder.row, builder.renderer, "symmetric")
    cut = asyncio.run(env.step(encode("ASK")))
    whole = asyncio.run(env.step(encode("ASK") + builder.renderer.get_stop_sequences()))
    assert (cut.logs["finish"], whole.logs["finish"]) == ("length", "stop")
    assert cut.metrics["cut_off"] == 1.0 and whole.metrics["cut_off"] == 0.0


def test_an_unanswered_rollout_is_no_reward_of_nought(folder, repository):
    dataset, _ = build(folder, repository)
    unanswered = Trajectory([], tinker.ModelInput.empty(), stop_reason="max_tokens")
    with pytest.raises(SteerError, match="unanswered .max_tokens"):
        asyncio.run(dataset.get_batch(0)[0].compute_group_rewards([unanswered], []))
