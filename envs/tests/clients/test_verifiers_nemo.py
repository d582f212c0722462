"""verifiers' own client of NeMo Gym resources servers, against `steerbench serve`."""

import asyncio
import json

import pytest

vf = pytest.importorskip("verifiers.v1")

from verifiers.v1.graph import MessageNode  # noqa: E402
from verifiers.v1.tasksets.nemo_gym import (  # noqa: E402
    NeMoGymConfig,
    NeMoGymTaskConfig,
    NeMoGymTaskset,
)
from verifiers.v1.tasksets.nemo_gym.taskset import NeMoGymState  # noqa: E402
from verifiers.v1.trace import AgentInfo, TraceTask  # noqa: E402

from steerbench.judge import METRIC_KEYS  # noqa: E402

ANSWERS = ('{"intervention": "ACT", "reason": "so"}', "Final answer: ASK", "", "ACT or ASK")


def test_traces_get_the_reward_and_metrics_that_the_server_verified(
    serving, demo_export, cli_score
):
    rows = demo_export("rl", "--format", "nemo-gym") / "train.jsonl"
    with serving() as (_, url):
        config = NeMoGymConfig(
            id="nemo-gym", dataset=str(rows), task=NeMoGymTaskConfig(resources_url=url)
        )
        tasks = list(NeMoGymTaskset(config))[:12]
        traces = asyncio.run(score_all(tasks))
    asked = [
        {"answer": ANSWERS[at % len(ANSWERS)], "gold": json.loads(line)["gold"], "finish": "stop"}
        for at, line in enumerate(rows.read_text().splitlines()[: len(tasks)])
    ]
    for trace, truth in zip(traces, cli_score(asked), strict=True):
        assert trace.reward == truth["reward"]
        assert {key: trace.metrics[key] for key in METRIC_KEYS} == truth["metrics"]


async def score_all(tasks):
    return [await scored(task, ANSWERS[at % len(ANSWERS)]) for at, task in enumerate(tasks)]


async def scored(task, answer):
    """A trace of one answer, set up and scored as an evaluation does it."""
    about = TraceTask(type="NeMoGymTask", data=task.data, key=task.key, hash=task.hash)
    agent = AgentInfo(config=vf.AgentConfig(model="toy"))
    trace = vf.Trace(task=about, agent=agent, state=NeMoGymState())
    asked = MessageNode(parent=None, message=vf.UserMessage(content="q"), sampled=False)
    said = MessageNode(parent=0, message=vf.AssistantMessage(content=answer), sampled=True)
    trace.nodes += [asked, said]
    await task.setup(trace, None)
    await task.score(trace)
    return trace
