"""Runs the cookbook's own trainer against a stand-in for Tinker's service."""

import asyncio
import json

import pytest

pytest.importorskip("tinker_cookbook")

import chz  # noqa: E402
import tinker  # noqa: E402
from tinker_cookbook.rl import train  # noqa: E402
from tinker_service import ANSWERS, Service, arguments  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.scorer import LABELS, SCHEMES, group_advantages  # noqa: E402
from steerbench.tinker import SteerDatasetBuilder, rl_blueprint  # noqa: E402

SCHEME_NAMES = ("symmetric", "asymmetric")


@pytest.fixture(scope="module")
def folder(cli, repository, tmp_path_factory):
    """Exports of the demo set."""
    folder = tmp_path_factory.mktemp("tinker")
    source = ("scenario-sets/demo", "--split", "splits/demo.json")
    cli("export", "rl", *source, "-o", folder / "rl")
    cli("export", "rl", *source, "--part", "test", "--allow-test", "-o", folder / "held-out")
    return folder


@pytest.fixture(scope="module")
def runs(folder, repository, tmp_path_factory):
    """Both schemes trained from one blueprint; by scheme, the log folder and the service."""
    blueprint, runs = rl_blueprint(), {}
    with pytest.MonkeyPatch.context() as patch:
        for scheme in SCHEME_NAMES:
            log, service = (
                tmp_path_factory.mktemp(scheme),
                Service(repository / "models/tiny", ANSWERS),
            )
            patch.setattr(tinker, "ServiceClient", lambda service=service, **options: service)
            argv = arguments(
                *(folder, repository, f"dataset_builder.scheme={scheme}", f"log_path={log}"),
                *("dataset_builder.batch_size=45", "max_steps=2", "num_groups_to_log=0"),
                *(f"dataset_builder.test_path={folder / 'held-out/test.jsonl'}", "eval_every=1"),
                "dataset_builder.allow_test=True",
            )
            asyncio.run(train.main(blueprint.clone().make_from_argv(argv)))
            runs[scheme] = log, service
    return runs


def rollouts(log, step=0, name="train"):
    lines = (log / f"iteration_{step:06}/{name}_rollout_summaries.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
@pytest.mark.parametrize("name", ["train", "eval_test"])
def test_the_trainers_rollout_file_equals_the_command(runs, cli_score, scheme, name):
    summaries = rollouts(runs[scheme][0], name=name)
    steps = [summary["steps"][0] for summary in summaries]
    assert len(steps) == (45 * 8 if name == "train" else 30)
    expected = cli_score(
        [{key: step["logs"][key] for key in ("gold", "answer", "finish")} for step in steps], scheme
    )
    for summary, step, each in zip(summaries, steps, expected):
        assert summary["total_reward"] == step["reward"] == each["reward"]
        assert {key: step["metrics"][key] for key in METRIC_KEYS} == each["metrics"]
        assert (step["logs"]["outcome"], step["logs"]["pred"]) == (
            each["outcome"],
            each["pred"] or "",
        )
    assert not {key for step in steps for key in step["metrics"]} & {"outcome", "pred", "answer"}


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_the_trainers_metrics_file_has_every_rate(runs, scheme):
    log, _ = runs[scheme]
    logged = [json.loads(line) for line in (log / "metrics.jsonl").read_text().splitlines()]
    assert len(logged) == 2
    for step, line in enumerate(logged):
        taken = [summary["steps"][0] for summary in rollouts(log, step)]
        mean_reward = sum(each["reward"] for each in taken) / len(taken)
        assert line["env/all/reward/total"] == pytest.approx(mean_reward)
        for key in METRIC_KEYS:
            rate = sum(each["metrics"][key] for each in taken) / len(taken)
            assert line[f"env/all/{key}"] == pytest.approx(rate)
            assert {f"env/{label}/{key}" for label in LABELS} <= set(line)
            assert f"test/env/all/{key}" in line and f"env/coding/{key}" in line
        groups = [
            f"env/all/group/{key}"
            for key in ("signal", "all_correct", "same_mistake", "equal_price")
        ]
        assert sum(line[key] for key in groups) == pytest.approx(1)


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_the_trainer_trains_on_our_advantages(runs, scheme):
    log, service = runs[scheme]
    outcomes = [summary["steps"][0]["logs"]["outcome"] for summary in rollouts(log)]
    expected = []
    for start in range(0, len(outcomes), 8):
        group = group_advantages(outcomes[start : start + 8], SCHEMES[scheme])
        assert group.skip is None, "eight of nine different answers must carry signal"
        expected += group.advantages
    trained = [
        datum.loss_fn_inputs["advantages"].to_torch()[-1].item() for datum in service.trained[0]
    ]
    assert trained == pytest.approx(expected, abs=1e-6)


def test_a_built_dataset_in_a_blueprint_cannot_be_overridden_and_a_factory_can(folder, repository):
    built = SteerDatasetBuilder(path="rows.jsonl", model_name_for_tokenizer="model")
    blueprint = chz.Blueprint(train.Config).apply({"dataset_builder": built})
    argv = arguments(folder, repository, "dataset_builder.scheme=symmetric")
    with pytest.raises(Exception, match="dataset_builder"):
        blueprint.make_from_argv(argv)
    fields = {
        "batch_size": 3,
        "group_size": 4,
        "seed": 5,
        "epochs": 6,
        "scheme": "symmetric",
        "renderer_name": "qwen3",
        "model_name_for_tokenizer": "other",
        "path": "other.jsonl",
        "test_path": "test.jsonl",
        "allow_test": True,
        "allow_dominated": True,
    }
    argv += [f"dataset_builder.{key}={value}" for key, value in fields.items()]
    config = rl_blueprint().make_from_argv([*argv, "dataset_builder.prices.wrong=-0.05"])
    assert chz.asdict(config.dataset_builder) == {**fields, "prices": {"wrong": -0.05}}
    with pytest.raises(Exception, match="schem"):
        rl_blueprint().make_from_argv([*argv, "dataset_builder.schema=symmetric"])
