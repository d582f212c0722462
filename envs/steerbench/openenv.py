"""OpenEnv: a typed client of ``steerbench serve``, over WebSocket and over plain HTTP.

Works with openenv 0.10. The finish reason is the caller's to give: ``finish`` of the action, as the
model's server named it; without one the answer is judged by its text alone. Rewards, outcome and
every metric come from the server, which has the one scorer.

    with SteerEnvClient("http://127.0.0.1:8000") as env:
        begun = env.reset(seed=1)
        ended = env.step(SteerAction(answer=reply, finish="stop"))
        ended.reward, ended.observation.outcome, ended.observation.metrics

A server that is gone or silent raises :class:`ServerGone` within the client's deadlines; there is
no default reward.
"""

import asyncio
import json
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import Any, Dict, List, Optional

from ._errors import SteerError
from ._framework import require

require("openenv", at_least="0.10", below="0.11")

from openenv.core import EnvClient  # noqa: E402
from openenv.core.client_types import StepResult  # noqa: E402
from openenv.core.env_server.types import Action, Observation, State  # noqa: E402
from pydantic import ConfigDict  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

__all__ = [
    "ParsedAction",
    "ServerGone",
    "SteerAction",
    "SteerEnvClient",
    "SteerHttpClient",
    "SteerObservation",
    "SteerState",
]


class ServerGone(SteerError, ConnectionError):
    """The server cannot be reached, went away, or did not answer in time."""


class _Answer(Action):
    #: Why it ended, such as ``"stop"`` or ``"length"``; None where unknown.
    finish: Optional[str] = None
    #: Over plain HTTP, where no reset is remembered, these say what is answered.
    trace_id: Optional[str] = None
    readout: Optional[str] = None
    scheme: Optional[str] = None


class SteerAction(_Answer):
    """The model's reply as it wrote it, and why it ended where that is known."""

    answer: str


class ParsedAction(_Answer):
    """A reply that was parsed before; whether its text was strict can no longer be told.

    Other fields of the reply are kept as part of the answer.
    """

    model_config = ConfigDict(extra="allow")

    intervention: Any


class SteerObservation(Observation):
    """The situation after a reset; after a step, what became of the answer."""

    prompt: str
    messages: List[Dict[str, str]]
    trace_id: str
    family: str
    domain: str
    letters: Optional[List[str]] = None
    gold: Optional[str] = None
    rationale: Optional[str] = None
    outcome: Optional[str] = None
    strict: Optional[Dict[str, Any]] = None
    lenient: Optional[Dict[str, Any]] = None
    #: The reward under every scheme of the server.
    rewards: Optional[Dict[str, float]] = None
    #: ``steerbench.judge.METRIC_KEYS`` and ``pred``.
    metrics: Optional[Dict[str, Any]] = None
    pre_parsed: Optional[bool] = None


class SteerState(State):
    """Where an episode stands."""

    trace_id: Optional[str] = None


class SteerEnvClient(EnvClient):
    """One session; the methods are those of every OpenEnv client, with our types.

    ``connect_timeout_s`` and ``message_timeout_s`` are the deadlines of a call, together.
    """

    def __init__(self, base_url, connect_timeout_s=10.0, message_timeout_s=10.0, **options):
        super().__init__(base_url, connect_timeout_s, message_timeout_s, **options)

    async def _connect_async(self):
        with _told(self.base_url):
            return await super()._connect_async()

    async def _send_and_receive(self, message):
        # The base class puts no deadline on sending.
        deadline = self._connect_timeout + self._message_timeout
        with _told(self.base_url):
            return await asyncio.wait_for(super()._send_and_receive(message), deadline)

    def _step_payload(self, action):
        return _fields(action)

    def _parse_result(self, payload):
        return _result(payload)

    def _parse_state(self, payload):
        return SteerState(**payload)


class SteerHttpClient:
    """The same over plain HTTP, for a caller without WebSockets.

    Nothing is remembered between calls: an action must carry the ``trace_id`` of the observation it
    answers, and the ``readout`` and ``scheme`` of the reset where those were given.
    """

    def __init__(self, base_url, timeout_s=10.0, headers=None):
        self.base_url = base_url.rstrip("/")
        self._timeout = timeout_s
        self._headers = {"content-type": "application/json", **(headers or {})}

    def reset(self, **options):
        """Begins an episode; takes ``seed``, ``trace_id``, ``split``, ``readout`` and ``scheme``."""
        return _result(self._post("/reset", options))

    def step(self, action):
        """Answers the trace that the action names."""
        return _result(self._post("/step", {"action": _fields(action)}))

    def _post(self, path, body):
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data, self._headers)
        with _told(self.base_url):
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as error:
                # As the WebSocket client does for what the server refuses.
                said = error.read().decode(errors="replace")
                raise RuntimeError(f"Server error: {said} (status {error.code})") from None


@contextmanager
def _told(url):
    try:
        yield
    except ServerGone:
        raise
    except (ConnectionClosed, OSError, asyncio.TimeoutError) as error:
        why = str(error) or "no answer in time"
        raise ServerGone(
            f"{url}: the server is gone or does not answer: {why}; "
            "`steerbench serve SET --split FILE` starts one"
        ) from error


def _fields(action):
    return action if isinstance(action, dict) else action.model_dump(exclude_unset=True)


def _result(payload):
    reward, done = payload["reward"], payload["done"]
    observation = SteerObservation(reward=reward, done=done, **payload["observation"])
    return StepResult(observation, reward, done, payload.get("metadata"))
