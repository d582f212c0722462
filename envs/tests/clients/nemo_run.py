"""NeMo Gym's own rollout collection: its head server, simple agent and collector, in one process.

    python nemo_run.py INPUT.jsonl OUTPUT.jsonl [RESOURCES_URL]

With a URL, the resources server is the one that listens there; else it is ours in Python. The model
is a script. NeMo Gym keeps one configuration and one HTTP client in a process, hence a process of
its own.
"""

import asyncio
import json
import os
import socket
import sys
from importlib.util import find_spec
from itertools import count
from urllib.parse import urlsplit

import uvicorn

ANSWERS = (
    ('{"intervention": "ACT", "reason": "all in place"}', "completed"),
    ("Final answer: ASK", "completed"),
    ("", "completed"),
    ('{"intervention": "WAIT", "rea', "incomplete"),
    ('{"intervention": "FORGET", "reason": "stale"}', "completed"),
    ("either ACT or WAIT", "completed"),
)


def response_of(answer, status="completed", number=0):
    """An OpenAI Responses object with one message."""
    is_cut = status == "incomplete"
    text = {"type": "output_text", "text": answer, "annotations": []}
    message = {"id": f"m{number}", "type": "message", "role": "assistant"}
    message["status"] = "incomplete" if is_cut else "completed"
    return {
        "id": f"r{number}",
        "created_at": 0,
        "model": "scripted",
        "object": "response",
        "output": [{**message, "content": [text]}],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "status": status,
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
    }


def configuration(resources_url):
    """The global configuration: where each server listens."""

    def at(port, **more):
        return {"host": "127.0.0.1", "port": port, "entrypoint": "app.py", **more}

    def ref(kind, name):
        return {"type": kind, "name": name}

    resources_port = urlsplit(resources_url).port if resources_url else free_port()
    servers = {"resources_server": ref("resources_servers", "steerbench")}
    servers["model_server"] = ref("responses_api_models", "policy_model")
    agent_server = ref("responses_api_agents", "steerbench_simple_agent")
    return {
        "head_server": {"host": "127.0.0.1", "port": free_port()},
        "steerbench": {"resources_servers": {"steerbench": at(resources_port, domain="agent")}},
        "policy_model": {"responses_api_models": {"scripted": at(free_port())}},
        "steerbench_simple_agent": {
            "responses_api_agents": {"simple_agent": at(free_port(), **servers)}
        },
        # Since 0.7 the collector calls agents through one of these; before, nothing reads it.
        "steerbench_environment_server": {
            "environment_servers": {"legacy_agent": at(free_port(), agent_server=agent_server)}
        },
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def apps(config, client, resources_url):
    """The web applications to run here, each with its port."""
    from nemo_gym.base_responses_api_model import (
        BaseResponsesAPIModelConfig,
        SimpleResponsesAPIModel,
    )
    from nemo_gym.openai_utils import NeMoGymResponse
    from responses_api_agents.simple_agent.app import SimpleAgent

    from steerbench.nemo_gym import SteerResourcesServer

    numbers = count()

    class Scripted(SimpleResponsesAPIModel):
        config: BaseResponsesAPIModelConfig

        async def chat_completions(self, body=None):
            raise NotImplementedError

        async def responses(self, body: dict) -> NeMoGymResponse:
            number = next(numbers)
            answer, status = ANSWERS[number % len(ANSWERS)]
            return NeMoGymResponse.model_validate(response_of(answer, status, number))

    def made(server, top):
        [[_, [[_, own]]]] = [(kind, kinds.items()) for kind, kinds in config[top].items()]
        own_config = server.model_fields["config"].annotation(name=top, **own)
        return server(config=own_config, server_client=client).setup_webserver(), own["port"]

    yield made(Scripted, "policy_model")
    yield made(SimpleAgent, "steerbench_simple_agent")
    if find_spec("environment_servers"):
        from environment_servers.legacy_agent.app import LegacyAgentEnvironmentServer

        yield made(LegacyAgentEnvironmentServer, "steerbench_environment_server")
    if not resources_url:
        yield made(SteerResourcesServer, "steerbench")


async def collect(config, source, target, resources_url):
    """Runs NeMo Gym's collector, which writes ``target`` and the metrics beside it."""
    from nemo_gym.rollout_collection import RolloutCollectionConfig, RolloutCollectionHelper
    from nemo_gym.server_utils import HeadServer, ServerClient

    head, *_ = HeadServer.run_webserver()
    while not head.started:
        await asyncio.sleep(0.05)
    client = ServerClient.load_from_global_config()
    servers = []
    for app, port in apps(config, client, resources_url):
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
        servers.append((server, asyncio.create_task(server.serve())))
    while not all(server.started for server, _ in servers):
        await asyncio.sleep(0.05)
    await RolloutCollectionHelper().run_from_config(
        RolloutCollectionConfig(
            input_jsonl_fpath=source,
            output_jsonl_fpath=target,
            num_repeats=2,
            num_samples_in_parallel=4,
            upload_rollouts_to_wandb=False,
        )
    )
    for server, task in servers:
        server.should_exit = True
        await task


def main(source, target, resources_url=None):
    config = configuration(resources_url)
    os.environ["NEMO_GYM_CONFIG_DICT"] = json.dumps(config)
    asyncio.run(collect(config, source, target, resources_url))


if __name__ == "__main__":
    main(*sys.argv[1:])
