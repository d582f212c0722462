"""verifiers' own loader and scoring over our taskset."""

import asyncio
import copy
import json

import pytest

vf = pytest.importorskip("verifiers.v1")

from verifiers.v1.utils.loaders import load_taskset, taskset_config_type  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.scorer import SteerError  # noqa: E402

ID = "verifiers-steerbench"


@pytest.fixture(scope="module")
def folder(cli, tmp_path_factory):
    """Exports of the demo set."""
    folder = tmp_path_factory.mktemp("verifiers")
    source = ("scenario-sets/demo", "--split", "splits/demo.json")
    for kind in ("rl", "decisions"):
        cli("export", kind, *source, "-o", folder / kind)
    cli("export", "rl", *source, "--format", "nemo-gym", "-o", folder / "nemo-gym")
    cli("export", "rl", *source, "--system", "merged", "-o", folder / "merged")
    cli("export", "rl", *source, "--part", "test", "--allow-test", "-o", folder / "held-out")
    return folder


def tasks_of(path, **options):
    return list(load_taskset(taskset_config_type(ID)(id=ID, path=path, **options)))


def trace_of(task, answer=None, finish=None):
    """A trace as verifiers leaves it for scoring; without an answer, one that never began."""
    trace = vf.Trace(
        task=vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
        agent=vf.AgentInfo(config=vf.AgentConfig(model="scripted")),
    )
    if answer is not None:
        message = vf.AssistantMessage(content=answer)
        trace.nodes.append(vf.MessageNode(parent=None, message=message, sampled=True))
        trace.calls.append(vf.ModelCall(node=0, finish_reason=finish))
    return trace


def score(task, *answer):
    trace = trace_of(task, *answer)
    asyncio.run(task.score(trace))
    return trace


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_every_answer_of_the_parity_vectors_gets_what_the_command_gives(
    folder, repository, cli_score, scheme
):
    tasks = tasks_of(folder / "rl/train.jsonl", task={"scheme": scheme})
    cases = json.loads((repository / "parity-vectors/parses.json").read_text())["cases"]
    answers = [case["answer"] for case in cases if isinstance(case["answer"], str)]
    asked, traces = [], []
    for index, answer in enumerate(answers):
        finish = (None, "stop", "length")[index % 3]
        task = tasks[index % len(tasks)]
        asked.append({"gold": task.data.gold, "answer": answer, "finish": finish})
        traces.append(score(task, answer, finish))
    for trace, expected in zip(traces, cli_score(asked, scheme)):
        assert trace.reward == expected["reward"]
        assert trace.metrics == expected["metrics"] and list(trace.metrics) == list(METRIC_KEYS)
        info = trace.info["steerbench"]
        assert (info["outcome"], info["pred"]) == (expected["outcome"], expected["pred"])
        assert info["scheme"] == scheme


@pytest.mark.parametrize("export", ["rl", "nemo-gym", "decisions", "merged"])
def test_tasks_carry_the_exported_prompt_and_validate_themselves(folder, export):
    rows = {row["trace_id"]: row for row in load_rows(folder / export / "train.jsonl")}
    tasks = tasks_of(folder / export / "train.jsonl")
    assert sorted(task.key for task in tasks) == sorted(rows)
    for task in tasks:
        turns = [{"role": "user", "content": task.data.prompt}]
        if task.data.system_prompt is not None:
            turns.insert(0, {"role": "system", "content": task.data.system_prompt})
        assert turns == rows[task.key]["prompt"]
        assert asyncio.run(task.validate(None)) is True
    wrong = copy.deepcopy(tasks[0]).with_data(letters=["ACT"] * 5)
    with pytest.raises(SteerError, match="letters"):
        asyncio.run(wrong.validate(None))


def test_a_letter_answers_a_lettered_prompt(folder):
    path = folder / "decisions/train.jsonl"
    rows = {row["trace_id"]: row["raw"] for row in load_rows(path)}
    for task in tasks_of(path, n=9):
        trace = score(task, rows[task.key]["gold_letter"], "stop")
        assert trace.reward == trace.metrics["strict_ok"] == 1.0


def test_f11_a_failing_scorer_is_an_error_and_no_reply_an_empty_answer(folder, monkeypatch):
    [task] = tasks_of(folder / "rl/train.jsonl", n=1, task={"prices": {"unreadable": -0.75}})
    trace = score(task)
    assert (trace.reward, trace.metrics["empty"], trace.metrics["finish_known"]) == (-0.75, 1, 0)

    def fail(*_):
        raise OSError("no scorer")

    monkeypatch.setattr("steerbench.verifiers.judge", fail)
    trace = trace_of(task, "ACT", "stop")
    with pytest.raises(vf.TaskError, match="no scorer"):
        asyncio.run(task.score(trace))
    assert set(trace.rewards.values()) == {None}, "a failure must not leave a reward"


@pytest.mark.parametrize(
    ("finish", "stop", "cut_off"),
    [
        ("stop", "max_turns", 0),
        (None, "max_output_tokens", 1),
        (None, None, 0),
        ("length", None, 1),
    ],
)
def test_a_limit_that_stops_the_next_turn_cuts_no_whole_answer_off(folder, finish, stop, cut_off):
    [task] = tasks_of(folder / "rl/train.jsonl", n=1)
    trace = trace_of(task, "Final answer: ASK", finish)
    trace.stop_condition = stop
    asyncio.run(task.score(trace))
    assert trace.metrics["cut_off"] == cut_off
    assert trace.metrics["finish_known"] == float(finish is not None or stop is not None)


def test_the_seed_orders_and_n_limits(folder):
    path = folder / "rl/train.jsonl"

    def keys(**options):
        return [task.key for task in tasks_of(path, **options)]

    assert keys() == keys(seed=0) != keys(seed=1) and keys(n=5) == keys()[:5]
    assert sorted(keys()) == sorted(keys(seed=1))


def test_broken_configurations_are_refused_before_the_first_task(folder):
    path, held_out = folder / "rl/train.jsonl", folder / "held-out/test.jsonl"
    refused = [
        ("held out", held_out, {}),
        ("train rows, not test", path, {"split": "test"}),
        ("train rows, not validation", path, {"split": "validation"}),
        ("--env.taskset.path", None, {}),
        ("unknown scheme", path, {"task": {"scheme": "kind"}}),
        ("garbage pays", path, {"task": {"prices": {"unreadable": 0.5}}}),
    ]
    for message, file, options in refused:
        with pytest.raises(SteerError, match=message):
            tasks_of(file, **options)
    assert len(tasks_of(held_out, split="test")) == 30
    allowed = {"prices": {"unreadable": 0.5}, "allow_dominated": True}
    assert score(tasks_of(path, task=allowed)[0], "no idea").reward == 0.5
