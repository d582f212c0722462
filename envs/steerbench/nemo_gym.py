"""NeMo Gym: a resources server that scores in process.

Works with nemo-gym 0.4 to 0.7. The finish reason is the Responses object's: ``stop`` where its
status is ``completed``, ``incomplete_details.reason`` where it is ``incomplete``, else not known. A
response that failed on the model's side is scored as the text it has and masked; an exception is
never a reward.

Gym launches an ``app.py`` of yours, in a folder of its own (run this module itself and Python would
take it for Gym):

    from steerbench.nemo_gym import SteerResourcesServer

    if __name__ == "__main__":
        SteerResourcesServer.run_webserver()

Its YAML may set ``scheme`` and ``prices``. Rows are those of ``steerbench export rl --format
nemo-gym``. The Node server answers the same routes: ``steerbench serve``.
"""

from typing import Any, ClassVar, Dict, List, Optional

from ._framework import require

require("nemo-gym", at_least="0.4", below="0.8")

from nemo_gym.base_resources_server import (  # noqa: E402
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from pydantic import ConfigDict, PrivateAttr  # noqa: E402

from .judge import judge  # noqa: E402
from .schemes import resolve_scheme  # noqa: E402
from .scorer import SCORER_VERSION  # noqa: E402

__all__ = ["SteerResourcesServer", "SteerServerConfig", "SteerVerifyRequest", "SteerVerifyResponse"]


class SteerServerConfig(BaseResourcesServerConfig):
    """As every resources server's, and the scheme that pays."""

    #: A name or the path of a scheme file.
    scheme: str = "asymmetric"
    #: Replaces prices: outcome to number.
    prices: Optional[Dict[str, float]] = None
    #: Any verify can be repeated.
    REVERIFY_MODE: ClassVar[str] = "stateless"


class SteerVerifyRequest(BaseVerifyRequest):
    """An exported row with the model's response; its other fields are passed through."""

    model_config = ConfigDict(extra="allow")

    gold: str
    letters: Optional[List[str]] = None


class SteerVerifyResponse(BaseVerifyResponse):
    """The request, its reward, and every metric at the top level, where Gym averages it."""

    model_config = ConfigDict(extra="allow")

    gold: str
    outcome: str
    #: The label that the scheme's parse read; None when unreadable.
    pred: Optional[str]
    mask_sample: bool = False
    failure_kind: Optional[str] = None
    failure_reason: Optional[str] = None
    scorer_version: str = SCORER_VERSION


class SteerResourcesServer(SimpleResourcesServer):
    """The resources server; it keeps no state between requests."""

    config: SteerServerConfig
    _scheme: Any = PrivateAttr()

    def model_post_init(self, context):
        """Checks the prices before the first request."""
        super().model_post_init(context)
        self._scheme = resolve_scheme(self.config.scheme, self.config.prices)

    async def verify(self, body: SteerVerifyRequest) -> SteerVerifyResponse:
        """Scores a response. Raises SteerError, an HTTP error, for an unknown gold label."""
        response = body.response
        [judged] = judge(
            [body.gold], [_text(response)], [_finish(response)], self._scheme, [body.letters]
        )
        failure = _failure(response)
        return SteerVerifyResponse(
            **{
                **body.model_dump(),
                **judged.metrics,
                "reward": judged.reward,
                "outcome": judged.outcome,
                "pred": judged.pred,
                "mask_sample": failure is not None,
                "failure_kind": failure and "agent_run_error",
                "failure_reason": failure,
            }
        )


def _text(response):
    """All output texts of all messages, joined; "" where the model wrote none."""
    messages = [item.content for item in response.output if item.type == "message"]
    # A message with plain text is one that was sent to the model.
    parts = [part for content in messages if isinstance(content, list) for part in content]
    return "".join(part.text for part in parts if part.type == "output_text")


def _finish(response):
    if response.status == "incomplete":
        return response.incomplete_details.reason if response.incomplete_details else None
    return "stop" if response.status == "completed" else None


def _failure(response):
    """Why there is no answer to measure; None when there is one."""
    if response.error is None and response.status not in (
        "failed",
        "cancelled",
        "in_progress",
        "queued",
    ):
        return None
    detail = f": {response.error.message[:500]}" if response.error else ""
    return f"the model's response has status {response.status or 'unknown'}{detail}"
