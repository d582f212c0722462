"""NeMo Gym's collector, agent and web framework over both our resources servers."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean
from unittest.mock import MagicMock

import pytest

pytest.importorskip("nemo_gym")

from fastapi.testclient import TestClient  # noqa: E402
from nemo_gym.base_resources_server import BaseVerifyResponse  # noqa: E402
from nemo_gym.server_utils import ServerClient  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.nemo_gym import (  # noqa: E402
    SteerResourcesServer,
    SteerServerConfig,
    SteerVerifyRequest,
)

from nemo_run import response_of  # noqa: E402

FINISHES = {"completed": "stop", "incomplete": "max_output_tokens"}


@pytest.fixture(scope="module")
def rows_file(demo_export):
    return demo_export("rl", "--format", "nemo-gym") / "train.jsonl"


@pytest.fixture(scope="module")
def row(rows_file):
    return json.loads(rows_file.read_text().splitlines()[0])


def collect(rows_file, folder, *resources_url):
    """The rollouts and the metrics that NeMo Gym's collector wrote."""
    target = folder / "rollouts.jsonl"
    script = Path(__file__).with_name("nemo_run.py")
    command = [sys.executable, script, rows_file, target, *resources_url]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    rollouts = [json.loads(line) for line in target.read_text().splitlines()]
    [metrics] = json.loads((folder / "rollouts_aggregate_metrics.json").read_text())
    return rollouts, metrics


@pytest.mark.parametrize("served_by", ["python", "node"])
def test_rollouts_on_disk_hold_our_rewards_and_metrics(
    serving, rows_file, cli_score, tmp_path, served_by
):
    if served_by == "python":
        rollouts, metrics = collect(rows_file, tmp_path)
    else:
        with serving() as (_, url):
            rollouts, metrics = collect(rows_file, tmp_path, url)
    assert len(rollouts) == 180
    expected = cli_score([told(each) for each in rollouts])
    for rollout, truth in zip(rollouts, expected):
        assert rollout["reward"] == truth["reward"]
        assert (rollout["outcome"], rollout["pred"]) == (truth["outcome"], truth["pred"])
        assert {key: rollout[key] for key in METRIC_KEYS} == truth["metrics"]
        assert rollout["mask_sample"] is False
    assert {truth["outcome"] for truth in expected} >= {"correct", "unreadable", "cut_off"}
    summed = metrics["key_metrics"]
    assert summed["mean/reward"] == pytest.approx(mean(truth["reward"] for truth in expected))
    for key in METRIC_KEYS:
        rate = mean(truth["metrics"][key] for truth in expected)
        assert summed[f"mean/{key}"] == pytest.approx(rate)


def told(rollout):
    """A rollout as a row for the command."""
    [message] = rollout["response"]["output"]
    answer = message["content"][0]["text"]
    finish = FINISHES[rollout["response"]["status"]]
    return {"answer": answer, "gold": rollout["gold"], "finish": finish}


def server_of(**config):
    told_by_yaml = {"host": "127.0.0.1", "port": 1, "entrypoint": "app.py", "domain": "agent"}
    config = SteerServerConfig(name="steerbench", **told_by_yaml, **config)
    return SteerResourcesServer(config=config, server_client=MagicMock(spec=ServerClient))


def client_of(**config):
    return TestClient(server_of(**config).setup_webserver(), raise_server_exceptions=False)


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_5000_answers_are_verified_as_the_command_scores_them(
    row, mixed_answers, cli_score, scheme
):
    server = server_of(scheme=scheme)
    words = {"length": "incomplete", "stop": "completed", None: None}

    async def verify_all():
        for own in mixed_answers:
            response = response_of(own["answer"], words[own["finish"]])
            request = {**row, **own, "response": response}
            yield await server.verify(SteerVerifyRequest.model_validate(request))

    async def collect():
        return [each async for each in verify_all()]

    for reply, truth in zip(asyncio.run(collect()), cli_score(mixed_answers, scheme), strict=True):
        found = reply.model_dump()
        assert found["reward"] == truth["reward"]
        assert (found["outcome"], found["pred"]) == (truth["outcome"], truth["pred"])
        assert {key: found[key] for key in METRIC_KEYS} == truth["metrics"]


def test_the_answer_is_all_that_the_model_wrote_and_nothing_that_it_was_sent(row):
    response = response_of("Final answer: ")
    [said] = response["output"]
    sent = {"type": "message", "role": "user", "content": "WAIT"}
    again = {**said, "id": "m1", "content": [{**said["content"][0], "text": "ASK"}]}
    response["output"] = [said, sent, again]
    reply = client_of().post("/verify", json={**row, "response": response})
    assert reply.json()["pred"] == "ASK"


def test_the_row_comes_back_whole_with_its_reward(row):
    request = {**row, "response": response_of('{"intervention": "ACT", "reason": "so"}'), "own": 7}
    reply = client_of(scheme="symmetric", prices={"wrong": -0.05}).post("/verify", json=request)
    assert reply.status_code == 200
    body = reply.json()
    assert BaseVerifyResponse.model_validate(body).reward == body["reward"]
    assert body["trace_id"] == row["trace_id"] and body["own"] == 7
    sent = [(turn["role"], turn["content"]) for turn in row["responses_create_params"]["input"]]
    echoed = body["responses_create_params"]["input"]
    assert [(turn["role"], turn["content"]) for turn in echoed] == sent
    assert body["response"]["output"][0]["content"][0]["text"].startswith('{"intervention"')
    assert (body["scorer_version"], body["failure_kind"]) == ("1", None)


def test_a_response_that_the_model_s_side_failed_is_masked(row):
    failed = {
        **response_of("", "failed"),
        "error": {"code": "server_error", "message": "out of memory"},
    }
    failed["output"] = []
    body = client_of().post("/verify", json={**row, "response": failed}).json()
    assert body["mask_sample"] is True
    assert body["failure_kind"] == "agent_run_error"
    assert "out of memory" in body["failure_reason"]
    assert body["finish_known"] == 0


@pytest.mark.parametrize("gold", [None, "Ask ", "ESCALATE"])
def test_f01_a_row_whose_gold_cannot_be_read_is_an_error_and_never_a_reward(row, gold):
    request = {**row, "gold": gold, "response": response_of("ACT")}
    if gold is None:
        del request["gold"]
    reply = client_of().post("/verify", json=request)
    assert reply.status_code in (422, 500)
    assert "reward" not in reply.text


def test_letters_are_read_by_the_row_s_own_order(row):
    letters = ["ASK", "WAIT", "REMEMBER", "FORGET", "ACT"]
    request = {**row, "gold": "ACT", "letters": letters, "response": response_of("choice#E")}
    assert client_of().post("/verify", json=request).json()["outcome"] == "correct"


def test_unknown_schemes_and_dominated_prices_stop_the_server_before_it_starts():
    with pytest.raises(ValueError, match="unknown scheme 'symetric'"):
        client_of(scheme="symetric")
    with pytest.raises(ValueError, match="garbage pays"):
        client_of(prices={"unreadable": 0.0})


def test_the_other_routes_are_the_framework_s(row):
    client = client_of()
    assert client.post("/seed_session", json={}).status_code == 200
    replies = [
        client.post("/verify", json={**row, "response": response_of(text)}).json()
        for text in ("", "ACT")
    ]
    for at, reply in enumerate(replies):
        reply.update(_ng_task_index=at, _ng_rollout_index=0)
    summed = client.post("/aggregate_metrics", json={"verify_responses": replies}).json()
    assert summed["agent_metrics"]["mean/empty"] == 0.5
    modes = [route.path for route in client.app.routes if route.path == "/reverify_mode"]
    if modes:
        assert client.get("/reverify_mode").json() == "stateless"
