"""The cookbook's single-use environments, one for each answer, and the group of one prompt."""

from dataclasses import dataclass
from typing import Mapping

import tinker
from tinker_cookbook.renderers import Renderer, get_text_content
from tinker_cookbook.rl.types import Env, EnvGroupBuilder, StepResult, StopReason

from ._errors import SteerError
from ._rules import load_table
from ._tinker_decisions import SteerDecisionRenderer, decision_of
from .judge import judge
from .schemes import resolve_scheme
from .scorer import group_advantages

#: Why a group carries no signal; see :func:`steerbench.scorer.group_advantages`.
SKIP_REASONS = tuple(load_table("schemes.json")["skipReasons"])


class SteerEnv(Env):
    """One prompt and one written answer."""

    def __init__(self, row, renderer, scheme):
        self.row = row
        self.renderer = renderer
        self.scheme = scheme

    async def initial_observation(self):
        """The prompt's tokens and what ends an answer."""
        prompt = self.renderer.build_generation_prompt(self.row["prompt"])
        return prompt, self.renderer.get_stop_sequences()

    async def step(self, action, *, extra=None):
        """Pays for the answer: its text without thinking, cut off when the sampler says so."""
        message, termination = self.renderer.parse_response(action)
        finish = (extra or {}).get("stop_reason")
        if finish is None:
            # A termination is an enum whose every value is true.
            finish = "stop" if termination.is_clean else "length"
        return self._paid(get_text_content(message), finish)

    def _paid(self, answer, finish):
        row = self.row
        [judgement] = judge([row["gold"]], [answer], [finish], self.scheme, [row.get("letters")])
        is_cut_off = judgement.outcome == "cut_off"
        stop = StopReason.MAX_TOKENS if is_cut_off else StopReason.COMPLETED
        return StepResult(
            reward=judgement.reward,
            episode_done=True,
            next_observation=tinker.ModelInput.empty(),
            next_stop_condition=self.renderer.get_stop_sequences(),
            # Only the reason that holds: the cookbook takes the first such key for the reason.
            metrics={**judgement.metrics, f"stop/{stop}": 1.0},
            logs={
                "trace_id": row["trace_id"],
                "gold": row["gold"],
                "outcome": judgement.outcome,
                "pred": judgement.pred or "",
                "finish": finish,
                "answer": answer,
            },
        )


class SteerDecisionEnv(SteerEnv):
    """One lettered prompt whose reply has begun: the action is the letter's token.

    The prompt's tokens are those that ``sample_decision`` reads, so what is trained is what is
    measured. Only the action's first token counts, which cannot be cut off: sample one token.
    """

    async def initial_observation(self):
        """The prompt's tokens up to the letter."""
        rendering = SteerDecisionRenderer(self.renderer, self.row["prefix"]).render(
            decision_of(self.row)
        )
        tokens = rendering.tokens[: rendering.choice_pos]
        return tinker.ModelInput.from_ints(tokens), self.renderer.get_stop_sequences()

    async def step(self, action, *, extra=None):
        """Pays for the first token."""
        return self._paid(str(self.renderer.tokenizer.decode(list(action[:1]))), "stop")


@dataclass(frozen=True)
class SteerGroupBuilder(EnvGroupBuilder):
    """The answers to one prompt; can be pickled."""

    row: Mapping
    #: From the cookbook's ``get_renderer``.
    renderer: Renderer
    #: The content of a scheme file, checked for dominated prices by who made it.
    scheme: Mapping
    num_envs: int

    async def make_envs(self):
        """One environment for each answer."""
        kind = SteerDecisionEnv if self.row.get("letters") else SteerEnv
        scheme = self._scheme()
        return [kind(self.row, self.renderer, scheme) for _ in range(self.num_envs)]

    async def compute_group_rewards(self, trajectory_group, env_group):
        """Adds nothing to the rewards; says whether the group carries signal, and why not.

        Raises SteerError for a trajectory that a limit ended before it was answered: no reward is
        assumed.
        """
        outcomes = [_outcome(trajectory) for trajectory in trajectory_group]
        metrics = {}
        if self.num_envs > 1:
            skip = group_advantages(outcomes, self._scheme()).skip
            metrics["group/signal"] = float(skip is None)
            metrics.update({f"group/{reason}": float(reason == skip) for reason in SKIP_REASONS})
        return [(0.0, dict(metrics)) for _ in outcomes]

    def logging_tags(self):
        """The domain and the gold label, for rates of their own."""
        return [self.row["domain"], self.row["gold"]]

    def _scheme(self):
        return resolve_scheme(self.scheme, allow_dominated=True)


def _outcome(trajectory):
    logs = trajectory.transitions[-1].logs if trajectory.transitions else {}
    if "outcome" in logs:
        return logs["outcome"]
    raise SteerError(
        f"a rollout ended unanswered ({trajectory.stop_reason}): raise the limit that ended it"
    )
