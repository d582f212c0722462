"""The commands of verifiers over our taskset; what their files say equals the command's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("verifiers.v1")

from chat_server import chat_server  # noqa: E402

from steerbench.rows import load_rows  # noqa: E402

ID = "verifiers-steerbench"
REPLIES = [
    ('{"intervention": "ACT", "reason": "all is in place"}', "stop"),
    ("Final answer: ASK\n", "stop"),
    ("\u2028WAIT\u3000", "stop"),
    ("no idea", "stop"),
    ("", "stop"),
    ('{"intervention": "ACT", "rea', "length"),
]


@pytest.fixture(scope="module")
def folder(cli, tmp_path_factory):
    """Exports of the demo set."""
    folder = tmp_path_factory.mktemp("verifiers")
    source = ("scenario-sets/demo", "--split", "splits/demo.json")
    for kind in ("rl", "decisions"):
        cli("export", kind, *source, "-o", folder / kind)
    return folder


def run_command(name, *args):
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "STEERBENCH_TEST_KEY": "unused",
    }
    command = [Path(sys.executable).parent / name, *args, "--no-rich"]
    done = subprocess.run(
        list(map(str, command)), env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def read_traces(folder):
    [file] = folder.rglob("traces.jsonl")
    with open(file, encoding="utf-8") as lines:
        episodes = [json.loads(line) for line in lines]
    return file.parent, [trace for episode in episodes for trace in episode["traces"]]


def test_vf_eval_logs_rewards_and_metrics_that_equal_the_command(folder, cli_score, tmp_path):
    path = folder / "rl/train.jsonl"
    with chat_server([*REPLIES, ("no more today", None)]) as (url, requests):
        run_command(
            *("vf-eval", ID, "--env.taskset.path", path, "--env.taskset.n", 2, "-r", 7),
            *("--env.taskset.task.scheme", "symmetric", "--env.agent.harness.id", "null"),
            *("--env.agent.runtime.type", "subprocess", "--push", "false", "-o", tmp_path / "eval"),
            *("--client.base-url", url, "--client.api-key-var", "STEERBENCH_TEST_KEY"),
            *("--model", "scripted"),
        )
    prompts = [task["prompt"] for task in load_rows(path)]
    assert len(requests) == 14 and all(body["messages"] in prompts for body in requests)
    run, traces = read_traces(tmp_path / "eval")
    failed = [trace for trace in traces if not trace["ok"]]
    assert len(failed) == 2 and all(not each["rewards"] and not each["metrics"] for each in failed)
    compare(traces, cli_score, "symmetric")

    # The same answers under the other scheme, without asking a model again.
    run_command(
        *("vf-replay", run, "--taskset.id", ID),
        *("--taskset.task.scheme", "asymmetric", "-o", tmp_path / "replay"),
    )
    compare(read_traces(tmp_path / "replay")[1], cli_score, "asymmetric")


def compare(traces, cli_score, scheme):
    scored = [trace for trace in traces if trace["ok"]]
    asked = [
        {
            "gold": trace["task"]["data"]["gold"],
            "answer": trace["nodes"][-1]["message"].get("content") or "",
            "finish": trace["calls"][-1]["finish_reason"],
        }
        for trace in scored
    ]
    assert sorted(row["answer"] for row in asked) == sorted(text for text, _ in REPLIES * 2)
    for trace, expected in zip(scored, cli_score(asked, scheme)):
        assert trace["rewards"] == {"steer_reward": {"score": expected["reward"], "weight": 1.0}}
        assert trace["metrics"] == expected["metrics"]
        assert trace["info"]["steerbench"]["outcome"] == expected["outcome"]


def test_vf_validate_finds_every_task_valid(folder, tmp_path):
    run_command(
        *("vf-validate", ID, "--taskset.path", folder / "decisions/train.jsonl"),
        *("--runtime.type", "subprocess", "-o", tmp_path),
    )
    [summary] = tmp_path.rglob("summary.json")
    outcomes = json.loads(summary.read_text())["outcomes"]
    assert outcomes["valid"] == 90 == sum(outcomes.values())
