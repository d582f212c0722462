"""What an OpenEnv client sends to ``steerbench serve``, and what comes back."""

from typing import Any, Dict, List, Optional

from openenv.core.env_server.types import Action, Observation, State
from pydantic import ConfigDict


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
