"""OpenEnv's own client classes and validator against the server, started as a user starts it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time

import pytest

pytest.importorskip("openenv")

from openenv.core import GenericEnvClient  # noqa: E402
from openenv.core.generic_client import GenericAction  # noqa: E402

from steerbench._errors import SteerError  # noqa: E402
from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.openenv import (  # noqa: E402
    ParsedAction,
    ServerGone,
    SteerAction,
    SteerEnvClient,
    SteerHttpClient,
)


@pytest.fixture(scope="module")
def url(serving):
    with serving() as (_, address):
        yield address


def check(played, cli_score, scheme="asymmetric"):
    """Rewards, outcomes and metrics of steps equal those of ``steerbench score``."""
    rows = [told(*each) for each in played]
    for (ended, _, _), expected in zip(played, cli_score(rows, scheme), strict=True):
        assert ended.done is True
        assert ended.reward == expected["reward"]
        assert ended.observation.outcome == expected["outcome"]
        metrics = dict(ended.observation.metrics)
        assert metrics.pop("pred") == expected["pred"]
        assert metrics == expected["metrics"]
        assert set(metrics) == set(METRIC_KEYS)


def told(ended, answer, finish):
    """A played episode as a row for the command."""
    return {"answer": answer, "gold": ended.observation.gold, "finish": finish}


def test_openenv_validate_passes(url):
    done = subprocess.run(["openenv", "validate", "--url", url], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.findall(r"PASS +(\w+)", done.stdout)
    assert "FAIL" not in done.stdout
    assert len(passed) == 6, done.stdout


def test_5000_answers_earn_what_the_command_says_under_both_schemes(url, mixed_answers, cli_score):
    played = asyncio.run(play_all(url, mixed_answers))
    check(played, cli_score)
    expected = cli_score([told(*each) for each in played], "symmetric")
    assert [ended.observation.rewards["symmetric"] for ended, *_ in played] == [
        truth["reward"] for truth in expected
    ]
    assert {ended.observation.outcome for ended, *_ in played} == set(METRIC_KEYS[:6])


async def play_all(url, rows, sessions=8):
    """Plays an episode for each row, in a few sessions at once; in the rows' order."""

    async def play(own):
        async with SteerEnvClient(url) as env:
            ended = []
            for seed, row in enumerate(own):
                await env.reset(seed=seed)
                action = SteerAction(answer=row["answer"], finish=row["finish"])
                ended.append((await env.step(action), row["answer"], row["finish"]))
            return ended

    parts = await asyncio.gather(*(play(rows[at::sessions]) for at in range(sessions)))
    return [ended for part in parts for ended in part]


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_a_reset_chooses_the_scheme_that_pays(url, cli_score, scheme):
    with SteerEnvClient(url) as env:
        begun = env.reset(seed=7, scheme=scheme)
        assert begun.reward is None and begun.done is False
        ended = env.step(SteerAction(answer="", finish="stop"))
        state = env.state()
    check([(ended, "", "stop")], cli_score, scheme)
    assert (state.trace_id, state.step_count) == (begun.observation.trace_id, 1)


def test_an_answer_that_a_client_parsed_before_is_taken_and_marked(url, cli_score):
    with SteerEnvClient(url) as env:
        env.reset(seed=1)
        ended = env.step(ParsedAction(intervention="ASK", reason="so"))
    assert ended.observation.pre_parsed is True
    assert ended.observation.metrics["pred"] == "ASK"
    check([(ended, '{"intervention": "ASK", "reason": "so"}', None)], cli_score)


def test_the_generic_client_plays_both_forms_and_keeps_the_metadata(url):
    with GenericEnvClient(base_url=url) as env:
        env.reset(seed=3)
        as_text = env.step(GenericAction(answer='{"intervention":"ACT"}'))
        env.reset(seed=3)
        as_object = env.step(GenericAction(intervention="ACT", reason="because"))
    assert as_text.reward == as_object.reward
    assert as_text.metadata["outcome"] == as_object.observation["outcome"]
    assert (as_text.metadata["pre_parsed"], as_object.metadata["pre_parsed"]) == (False, True)


def test_plain_http_answers_by_trace_id(url, cli_score):
    client = SteerHttpClient(url)
    begun = client.reset(seed=2)
    answer = '{"intervention": "WAIT", "reason": "it runs"}'
    ended = client.step(SteerAction(answer=answer, trace_id=begun.observation.trace_id))
    check([(ended, answer, None)], cli_score)
    with pytest.raises(RuntimeError, match="trace_id: required over HTTP"):
        client.step(SteerAction(answer=answer))


def test_a_faulty_action_is_an_error_and_the_session_lives_on(url):
    with SteerEnvClient(url) as env:
        env.reset(seed=1)
        with pytest.raises(RuntimeError, match="VALIDATION_ERROR"):
            env.step({"answr": "ACT"})
        assert env.step(SteerAction(answer="ACT")).done


def test_held_out_traces_are_refused(url):
    with SteerEnvClient(url) as env, pytest.raises(RuntimeError, match="held out"):
        env.reset(split="test")


def test_a_hundred_sessions_at_once_keep_their_own_episodes(url, cli_score):
    async def play(seed):
        async with SteerEnvClient(url) as env:
            begun = await env.reset(seed=seed)
            await asyncio.sleep(0)
            answer = json.dumps({"intervention": "ACT" if seed % 2 else "ASK", "reason": str(seed)})
            ended = await env.step(SteerAction(answer=answer, finish="stop"))
            assert ended.observation.trace_id == begun.observation.trace_id
            return ended, answer, "stop"

    async def play_all():
        return await asyncio.gather(*map(play, range(100)))

    check(asyncio.run(play_all()), cli_score)


@pytest.mark.parametrize("moment", ["before the step", "after the step", "stopped, not ended"])
def test_a_killed_server_is_an_error_within_the_deadline(serving, moment):
    with serving() as (child, url):
        with SteerEnvClient(url, connect_timeout_s=2, message_timeout_s=2) as env:
            env.reset(seed=1)
            if moment == "after the step":
                env.step(SteerAction(answer="ACT"))
            # A stopped process keeps its sockets: only the deadline ends the wait.
            is_stopped = moment == "stopped, not ended"
            os.kill(child.pid, signal.SIGSTOP if is_stopped else signal.SIGKILL)
            began = time.monotonic()
            with pytest.raises(ServerGone, match="steerbench serve"):
                env.step(SteerAction(answer="ACT"))
            assert time.monotonic() - began < 5
            if is_stopped:
                os.kill(child.pid, signal.SIGCONT)
        child.kill()
        child.wait()
        with pytest.raises(ServerGone):
            SteerHttpClient(url, timeout_s=2).reset(seed=1)
        with pytest.raises(ServerGone), SteerEnvClient(url):
            pass


@pytest.mark.parametrize("options", [{"scheem": "symmetric"}, {"part": "train"}, {"prices": {}}])
def test_a_reset_option_that_is_not_known_is_refused_before_it_is_sent(url, options):
    (name,) = options
    with SteerEnvClient(url) as env:
        with pytest.raises(SteerError, match=f"reset: unknown option {name}; it takes seed, "):
            env.reset(**options)
        env.reset(seed=1, episode_id="e", split="train", readout="generative", scheme="symmetric")
        with pytest.raises(SteerError, match="step: unknown option finish"):
            env.step(SteerAction(answer="ACT"), finish="length")
    with pytest.raises(SteerError, match=f"reset: unknown option {name}"):
        SteerHttpClient(url).reset(**options)


def test_a_missing_token_is_told_with_how_to_send_one(serving, monkeypatch):
    monkeypatch.setenv("STEERBENCH_TOKEN", "open-sesame")
    with serving("--token-env", "STEERBENCH_TOKEN") as (_, url):
        with pytest.raises(SteerError, match="Bearer TOKEN"), SteerEnvClient(url):
            pass
        with pytest.raises(SteerError, match="Bearer TOKEN"):
            SteerHttpClient(url).reset()
        headers = {"authorization": "Bearer open-sesame"}
        with SteerEnvClient(url, headers=headers) as env:
            assert env.reset(seed=1).done is False
        assert SteerHttpClient(url, headers=headers).reset(seed=1).done is False


def test_an_answer_that_no_message_holds_is_told_as_too_large(url):
    with SteerEnvClient(url) as env:
        env.reset(seed=1)
        with pytest.raises(SteerError, match="too large"):
            env.step(SteerAction(answer="x" * (17 << 20)))
        env.reset(seed=1)
        assert env.step(SteerAction(answer="ACT")).done
