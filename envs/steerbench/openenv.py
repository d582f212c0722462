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
from contextlib import contextmanager

from ._errors import SteerError
from ._framework import require
from ._http import TOKEN_HINT, ServerGone, gone, post_json

require("openenv", at_least="0.10", below="0.11")

from openenv.core import EnvClient  # noqa: E402
from openenv.core.client_types import StepResult  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

from ._openenv_types import (  # noqa: E402
    ParsedAction,
    SteerAction,
    SteerObservation,
    SteerState,
)

__all__ = [
    "ParsedAction",
    "ServerGone",
    "SteerAction",
    "SteerEnvClient",
    "SteerHttpClient",
    "SteerObservation",
    "SteerState",
]


#: What a reset may say. The protocol lets servers leave other fields alone, so that a misspelt
#: scheme would go unseen: it is refused here.
_RESET_OPTIONS = ("seed", "episode_id", "split", "trace_id", "readout", "scheme")
#: Close code of WebSocket: a message is too big.
_TOO_BIG = 1009


class SteerEnvClient(EnvClient):
    """One session; the methods are those of every OpenEnv client, with our types.

    ``connect_timeout_s`` and ``message_timeout_s`` are the deadlines of a call, together. A server
    with a token wants ``headers={"authorization": "Bearer TOKEN"}``.
    """

    def __init__(self, base_url, connect_timeout_s=10.0, message_timeout_s=10.0, **options):
        super().__init__(base_url, connect_timeout_s, message_timeout_s, **options)

    async def _connect_async(self):
        with _told(self.base_url):
            return await super()._connect_async()

    async def _reset_async(self, **options):
        return await super()._reset_async(**_known(options, _RESET_OPTIONS, "reset"))

    async def _step_async(self, action, **options):
        # The base class drops them; what belongs to an answer is a field of the action.
        return await super()._step_async(action, **_known(options, (), "step"))

    async def _send_and_receive(self, message):
        # The base class puts no deadline on sending.
        deadline = self._connect_timeout + self._message_timeout
        with _told(self.base_url):
            return await asyncio.wait_for(super()._send_and_receive(message), deadline)

    def _step_payload(self, action):
        return _fields(action)

    def _parse_result(self, payload):
        return _result(payload, self.base_url)

    def _parse_state(self, payload):
        return SteerState(**payload)


class SteerHttpClient:
    """The same over plain HTTP, for a caller without WebSockets.

    Nothing is remembered between calls: an action must carry the ``trace_id`` of the observation it
    answers, and the ``readout`` and ``scheme`` of the reset where those were given.
    """

    def __init__(self, base_url, timeout_s=10.0, headers=None):
        """``timeout_s``: seconds for a whole call; ``headers``: such as a bearer token's."""
        self.base_url = base_url.rstrip("/")
        self._timeout = timeout_s
        self._headers = {"content-type": "application/json", **(headers or {})}

    def reset(self, **options):
        """Begins an episode.

        Takes ``seed``, ``episode_id``, ``trace_id``, ``split``, ``readout`` and ``scheme``.
        """
        return self._post("/reset", _known(options, _RESET_OPTIONS, "reset"))

    def step(self, action):
        """Answers the trace that the action names."""
        return self._post("/step", {"action": _fields(action)})

    def _post(self, path, body):
        url = self.base_url + path
        return _result(post_json(url, body, self._headers, self._timeout), url)


@contextmanager
def _told(url):
    try:
        yield
    except SteerError:
        raise
    except (AttributeError, ValueError) as error:
        raise gone(url, f"its reply is none of steerbench serve: {error}") from error
    except ConnectionClosed as error:
        if any(frame and frame.code == _TOO_BIG for frame in (error.rcvd, error.sent)):
            raise SteerError(
                f"{url}: the message is too large; send a shorter answer (a server takes 16 MiB)"
            ) from error
        raise gone(url, str(error)) from error
    except (OSError, asyncio.TimeoutError) as error:
        # The base class wraps what the handshake said.
        if isinstance(error.__cause__, InvalidStatus):
            status = error.__cause__.response.status_code
            if status == 401:
                raise SteerError(f"{url}: {TOKEN_HINT}") from error
        raise gone(url, str(error) or "no answer in time") from error


def _known(options, known, call):
    unknown = [name for name in options if name not in known]
    if unknown:
        raise SteerError(
            f"{call}: unknown option {', '.join(unknown)}; it takes "
            + (", ".join(known) or "an action alone")
        )
    return options


def _fields(action):
    return action if isinstance(action, dict) else action.model_dump(exclude_unset=True)


def _result(payload, url):
    try:
        reward, done = payload["reward"], payload["done"]
        observation = SteerObservation(reward=reward, done=done, **payload["observation"])
    except (KeyError, TypeError, ValueError) as error:
        raise gone(url, f"its reply is none of steerbench serve: {error!r:.200}") from error
    if done and not isinstance(reward, (int, float)):
        raise gone(url, f"an episode ended without a reward: {reward!r:.80}")
    return StepResult(observation, reward, done, payload.get("metadata"))
