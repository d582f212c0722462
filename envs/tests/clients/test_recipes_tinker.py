"""The Tinker recipes, launched by their documented commands, against a stand-in for the service."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("tinker_cookbook")

from documented import SCHEMES as SCHEME_NAMES  # noqa: E402
from documented import launch  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.schemes import resolve_scheme  # noqa: E402
from steerbench.scorer import group_advantages  # noqa: E402

STEPS = 2


def run(name, folders, more):
    """Runs a recipe for each scheme; the lines of its metrics file and what it trained on."""
    words = {"MODEL": str(Path(__file__).resolve().parents[3] / "models/tiny")}
    python = (sys.executable, str(Path(__file__).with_name("with_tinker_service.py")))
    launch(name, folders, words, [f"max_steps={STEPS}", *more], python)
    found = {}
    for scheme, folder in folders.items():
        [log] = folder.glob("runs/*")
        lines = (log / "metrics.jsonl").read_text().splitlines()
        trained = json.loads((folder / "trained.json").read_text())
        assert len(trained) == STEPS
        found[scheme] = log, [json.loads(line) for line in lines], trained
    return found


@pytest.fixture(scope="module")
def rl(tmp_path_factory):
    """Both schemes."""
    folders = {scheme: tmp_path_factory.mktemp(scheme) for scheme in SCHEME_NAMES}
    more = ["...renderer_name=qwen3_instruct", "dataset_builder.batch_size=4"]
    return run("tinker_rl.py", folders, [*more, "num_groups_to_log=0"])


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_rl_pays_the_scheme_of_its_command_line_and_trains_on_our_advantages(rl, scheme):
    log, metrics, trained = rl[scheme]
    table, counted = resolve_scheme(scheme), Counter()
    for step, (line, advantages) in enumerate(zip(metrics, trained, strict=True)):
        summaries = (log / f"iteration_{step:06}/train_rollout_summaries.jsonl").read_text()
        steps = [json.loads(text)["steps"][0] for text in summaries.splitlines()]
        assert len(steps) == 4 * 8
        outcomes = [each["logs"]["outcome"] for each in steps]
        assert [each["reward"] for each in steps] == [table.prices[each] for each in outcomes]
        groups = [group_advantages(outcomes[k : k + 8], table) for k in range(0, 32, 8)]
        expected = [each for group in groups for each in group.advantages or [0.0] * 8]
        assert advantages == pytest.approx(expected, abs=1e-6)
        for key in METRIC_KEYS:
            mean = sum(each["metrics"][key] for each in steps) / len(steps)
            assert line[f"env/all/{key}"] == pytest.approx(mean)
        for reason in ("all_correct", "same_mistake", "equal_price"):
            share = sum(group.skip == reason for group in groups) / len(groups)
            assert line[f"env/all/group/{reason}"] == pytest.approx(share)
        counted.update(group.skip for group in groups)
    assert counted[None] > 0 and (counted["equal_price"] > 0) == (scheme == "symmetric")


def test_decisions_log_what_the_likeliest_letter_earns_under_the_scheme(tmp_path_factory):
    folders = {scheme: tmp_path_factory.mktemp(scheme) for scheme in SCHEME_NAMES}
    more = ["renderer_name=qwen3_instruct", "prices.wrong=-0.05"]
    for scheme, (log, metrics, trained) in run("tinker_decisions.py", folders, more).items():
        rows = load_rows(folders[scheme] / "out/decisions/validation.jsonl")
        # The service takes A for the likeliest letter, everywhere.
        table = resolve_scheme(scheme, ["wrong=-0.05"])
        outcomes = ["correct" if row["letters"][0] == row["gold"] else "" for row in rows]
        for line in (metrics[0], metrics[-1]):
            assert {f"eval/{key}" for key in METRIC_KEYS} <= set(line)
            assert line["eval/acc"] == pytest.approx(outcomes.count("correct") / len(rows))
            parts = [line[f"eval/{outcome}"] * price for outcome, price in table.prices.items()]
            assert line["eval/reward"] == pytest.approx(sum(parts))
        assert [line["train/loss"] for line in metrics if "train/loss" in line] == [2.0] * STEPS
        # Only the letter is learnt.
        assert [set(step) for step in trained] == [{1.0}] * STEPS
        assert (log / "checkpoints.jsonl").is_file()


def test_sft_learns_from_its_export(tmp_path):
    more = ["...renderer_name=qwen3_instruct"]
    [(_, metrics, trained)] = run("tinker_sft.py", {"symmetric": tmp_path}, more).values()
    assert [len(step) for step in trained] == [16, 16]
    assert [line["train_mean_nll"] for line in metrics] == [2.0] * STEPS
