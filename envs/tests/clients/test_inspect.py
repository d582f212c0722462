"""Inspect's own runner over our tasks; what its log file says equals ``steerbench score``."""

import asyncio
import json
import os
import subprocess
from statistics import mean

import pytest

pytest.importorskip("inspect_ai")

from chat_server import chat_server  # noqa: E402
from inspect_ai import eval as inspect_eval  # noqa: E402
from inspect_ai import score as inspect_score  # noqa: E402
from inspect_ai.log import read_eval_log  # noqa: E402
from inspect_ai.model import ModelName, ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_ai.scorer import Target  # noqa: E402
from inspect_ai.solver import TaskState  # noqa: E402

from steerbench._errors import SteerError  # noqa: E402
from steerbench.inspect_task import steer_scorer, steerbench, steerbench_decisions  # noqa: E402
from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402

ANSWERS = (
    ('{"intervention": "ACT", "reason": "all in place"}', "stop"),
    ('{"intervention": "ASK", "reason": "permission"}', "stop"),
    ("Final answer: WAIT", "unknown"),
    ("no idea", "stop"),
    ("", "stop"),
    ('{"intervention": "ACT", "rea', "max_tokens"),
    ('{"intervention": "FORGET", "reason": "stale"}', "model_length"),
)
FINISHES = {"unknown": None, "model_length": "length"}


@pytest.fixture(scope="module")
def rl_rows(demo_export):
    return str(demo_export("rl") / "train.jsonl")


@pytest.fixture(scope="module")
def decision_rows(demo_export):
    return str(demo_export("decisions") / "train.jsonl")


def scripted(answers, count):
    """A model that gives these answers in turn."""

    def output(answer, stop_reason):
        given = ModelOutput.from_content("mockllm/model", answer, stop_reason=stop_reason)
        # Without it, Inspect fetches a vocabulary to count tokens.
        given.usage = ModelUsage()
        return given

    outputs = [output(*answers[index % len(answers)]) for index in range(count)]
    return get_model("mockllm/model", custom_outputs=outputs)


def run(task, answers, folder, samples):
    count = samples * (task.epochs or 1)
    [log] = inspect_eval(
        task,
        model=scripted(answers, count),
        limit=samples,
        log_dir=str(folder),
        log_format="json",
        display="none",
        max_samples=1,
    )
    assert log.status == "success", log.error
    return read_eval_log(log.location)


def rows_of(log):
    """What the model said to each sample, as rows for the command."""
    rows = []
    for sample in log.samples:
        reason = sample.output.stop_reason
        finish = FINISHES.get(reason, reason)
        row = {"answer": sample.output.completion, "gold": sample.target}
        rows.append({**row, **({"finish": finish} if finish else {})})
        if sample.metadata["letters"]:
            rows[-1]["letters"] = sample.metadata["letters"]
    return rows


def check(log, cli_score, scheme):
    expected = cli_score(rows_of(log), scheme)
    for sample, truth in zip(log.samples, expected):
        found = sample.scores["steer_scorer"]
        assert found.value == {"reward": truth["reward"], **truth["metrics"]}
        assert found.answer == (truth["pred"] or "")
        assert found.metadata["outcome"] == truth["outcome"]
    by_name = {each.name: each.metrics for each in log.results.scores}
    assert set(by_name) == {"reward", *METRIC_KEYS}
    assert by_name["reward"]["mean"].value == pytest.approx(mean(x["reward"] for x in expected))
    for key in METRIC_KEYS:
        rate = mean(truth["metrics"][key] for truth in expected)
        assert by_name[key]["mean"].value == pytest.approx(rate)
    assert by_name["acc"]["stderr"].value >= 0
    domains = {sample.metadata["domain"] for sample in log.samples}
    assert {f"grouped_{domain}" for domain in domains} < set(by_name["acc"])
    return expected


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_the_log_holds_our_rewards_and_every_metric(rl_rows, cli_score, tmp_path, scheme):
    log = run(steerbench(rl_rows, scheme), ANSWERS, tmp_path, 35)
    expected = check(log, cli_score, scheme)
    assert {"correct", "unreadable", "cut_off"} <= {each["outcome"] for each in expected}


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_5000_answers_are_scored_as_the_command_scores_them(mixed_answers, cli_score, scheme):
    words = {"length": "max_tokens", None: "unknown"}
    score = steer_scorer(scheme)

    async def score_all():
        for row in mixed_answers:
            stop_reason = words.get(row["finish"], row["finish"])
            state = TaskState(
                model=ModelName("mockllm/model"),
                sample_id=1,
                epoch=1,
                input="",
                messages=[],
                output=ModelOutput.from_content("m", row["answer"], stop_reason=stop_reason),
                metadata={"letters": row["letters"]},
            )
            yield await score(state, Target(row["gold"]))

    async def collect():
        return [each async for each in score_all()]

    found = asyncio.run(collect())
    for each, truth in zip(found, cli_score(mixed_answers, scheme), strict=True):
        assert each.value == {"reward": truth["reward"], **truth["metrics"]}
        assert (each.metadata["outcome"], each.answer) == (truth["outcome"], truth["pred"] or "")


def test_letters_are_read_by_each_row_s_own_order(decision_rows, cli_score, tmp_path):
    answers = [(f"choice#{letter}", "stop") for letter in "ABCDE"] + [("?", "stop")]
    task = steerbench_decisions(decision_rows)
    expected = check(run(task, answers, tmp_path, 30), cli_score, "asymmetric")
    assert len({each["pred"] for each in expected}) == 6


def test_epochs_are_averaged_and_keep_every_key(rl_rows, tmp_path):
    answers = [("", "stop"), ("ACT", "stop"), ('{"intervention": "ACT"}', "max_tokens")]
    log = run(steerbench(rl_rows, epochs=3), answers, tmp_path, 4)
    assert len(log.samples) == 12
    by_name = {each.name: each.metrics["mean"].value for each in log.results.scores}
    assert by_name["empty"] == pytest.approx(1 / 3)
    assert by_name["cut_off"] == pytest.approx(1 / 3)


def test_a_stored_log_is_scored_again_under_other_prices(rl_rows, cli_score, tmp_path):
    log = run(steerbench(rl_rows), ANSWERS, tmp_path, 7)
    scored = inspect_score(log, steer_scorer("symmetric"), action="overwrite", display="none")
    check(scored, cli_score, "symmetric")


def test_an_answer_that_the_model_s_side_failed_to_give_is_in_no_mean(rl_rows, tmp_path):
    task = steerbench(rl_rows)
    failed = ModelOutput.from_content("mockllm/model", "ACT", error="the endpoint is down")
    good = ModelOutput.from_content("mockllm/model", "", stop_reason="stop")
    failed.usage = good.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=[failed, good])
    [log] = inspect_eval(task, model=model, limit=2, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    by_name = {each.name: each for each in log.results.scores}
    assert by_name["reward"].metrics["mean"].value == -0.5
    assert by_name["reward"].scored_samples == 1


def test_held_out_rows_need_a_word(demo_export):
    path = str(demo_export("rl", "--part", "test", "--allow-test") / "test.jsonl")
    with pytest.raises(SteerError, match="allow_test"):
        steerbench(path)
    assert len(steerbench(path, allow_test=True).dataset) == len(load_rows(path, allow_test=True))


def test_rows_of_the_other_kind_are_refused(rl_rows, decision_rows):
    with pytest.raises(SteerError, match="wants decisions"):
        steerbench_decisions(rl_rows)
    with pytest.raises(SteerError, match="wants rl"):
        steerbench(decision_rows)


def test_inspect_s_commands_find_the_tasks_and_score_a_stored_log(
    repository, rl_rows, cli_score, tmp_path
):
    file = repository / "envs/steerbench/inspect_task.py"
    listed = json.loads(inspect("list", "tasks", file.name, "--json", cwd=file.parent))
    assert {each["name"] for each in listed} == {"steerbench", "steerbench_decisions"}
    log = run(steerbench(rl_rows), ANSWERS, tmp_path, 7)
    target = tmp_path / "again.json"
    inspect(
        *("score", log.location, "--action", "overwrite", "--output-file", target, "--overwrite"),
        *("--scorer", f"{file}@steer_scorer", "-S", "scheme=symmetric"),
        cwd=tmp_path,
    )
    check(read_eval_log(str(target)), cli_score, "symmetric")


def test_inspect_s_command_evaluates_an_endpoint(repository, rl_rows, cli_score, tmp_path):
    replies = [('{"intervention": "ACT", "reason": "so"}', "stop"), ('{"interv', "length")]
    file = repository / "envs/steerbench/inspect_task.py"
    with chat_server(replies) as (url, requests):
        inspect(
            *("eval", f"{file}@steerbench", "--model", "openai-api/own/scripted"),
            *("-M", "stream=true", "-T", f"rows={rl_rows}", "-T", "scheme=symmetric"),
            *("-T", "epochs=2", "--limit", "3", "--display", "none", "--log-dir", tmp_path),
            cwd=tmp_path,
            env={**os.environ, "OWN_BASE_URL": url, "OWN_API_KEY": "none"},
        )
    [log] = map(read_eval_log, map(str, tmp_path.glob("*.eval")))
    assert log.status == "success" and len(log.samples) == 6
    prompts = [[turn["content"] for turn in request["messages"]] for request in requests]
    exported = [[turn["content"] for turn in row["prompt"]] for row in load_rows(rl_rows)[:3]]
    assert sorted(prompts) == sorted(exported * 2)
    for sample, truth in zip(log.samples, cli_score(rows_of(log), "symmetric"), strict=True):
        assert sample.scores["steer_scorer"].value["reward"] == truth["reward"]
    assert {each.scores["steer_scorer"].metadata["outcome"] for each in log.samples} > {"cut_off"}


def inspect(*args, **options):
    """Runs Inspect's command; what it printed."""
    command = ["inspect", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
