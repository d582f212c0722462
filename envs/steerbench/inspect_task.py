"""Inspect: evaluates a model on exported rows, with every outcome as a metric of the log.

Works with inspect-ai 0.3.260 to 0.3.x. The finish reason is the ``stop_reason`` of Inspect's model
output: ``max_tokens`` and ``model_length`` are cut off, ``unknown`` counts as not known. An output
that carries an error of the model's side is left unscored and in no mean.

    inspect eval envs/steerbench/inspect_task.py@steerbench --model openai/gpt-5-mini \\
        -T rows=/data/rl/test.jsonl -T allow_test=true -T scheme=symmetric -T epochs=4

Tasks: ``steerbench`` over ``steerbench export rl`` rows, ``steerbench_decisions`` over ``export
decisions`` rows, both as generations. Inspect loads this file from its own folder: give ``rows`` as
an absolute path. Standard errors are clustered by family; reward and accuracy are also grouped by
domain.
"""

from steerbench._errors import SteerError
from steerbench._framework import require

require("inspect-ai", at_least="0.3.260", below="0.4")

from inspect_ai import Epochs, Task, task  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import (  # noqa: E402
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
)
from inspect_ai.scorer import Score, Target, grouped, mean, scorer, stderr  # noqa: E402
from inspect_ai.solver import TaskState, generate  # noqa: E402

from steerbench.judge import METRIC_KEYS, judge  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.schemes import resolve_scheme  # noqa: E402
from steerbench.scorer import SCORER_VERSION  # noqa: E402

__all__ = ["steer_scorer", "steerbench", "steerbench_decisions"]

_MESSAGES = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
#: Inspect's word, where it is none of the scorer's own.
_FINISHES = {"model_length": "length", "unknown": None}


@task
def steerbench(rows, scheme="asymmetric", prices=None, epochs=1, allow_test=False):
    """The generative readout: JSON answers to ``rl`` rows.

    ``rows``: path of the exported file. ``scheme`` and ``prices``: as for
    :func:`steerbench.schemes.resolve_scheme`. ``epochs``: answers to each row, averaged.
    ``allow_test``: accepts held-out rows. Raises SteerError for faulty rows or prices.
    """
    return _task(rows, scheme, prices, epochs, allow_test, lettered=False)


@task
def steerbench_decisions(rows, scheme="asymmetric", prices=None, epochs=1, allow_test=False):
    """The same for ``decisions`` rows, whose answers are letters."""
    return _task(rows, scheme, prices, epochs, allow_test, lettered=True)


def _task(path, scheme, prices, epochs, allow_test, lettered):
    rows = load_rows(path, allow_test=allow_test)
    _require_shape(path, rows, lettered)
    return Task(
        dataset=MemoryDataset([_sample(row) for row in rows], name=f"steerbench:{path}"),
        solver=generate(),
        scorer=steer_scorer(scheme, prices),
        epochs=Epochs(epochs, "mean"),
        metadata={"scorer_version": SCORER_VERSION},
    )


def _require_shape(path, rows, lettered):
    kind, other = ("decisions", "rl") if lettered else ("rl", "decisions")
    for number, row in enumerate(rows, 1):
        if (row.get("letters") is not None) != lettered:
            raise SteerError(
                f"{path}: row {number} is of an {other} export; this task wants {kind}"
            )
        if row["family_id"] is None:
            raise SteerError(f"{path}: row {number} has no family_id; export rl as trl or verl")


def _sample(row):
    about = {key: row[key] for key in ("family_id", "domain", "split")}
    return Sample(
        id=row["trace_id"],
        input=[_MESSAGES[turn["role"]](content=turn["content"]) for turn in row["prompt"]],
        target=row["gold"],
        metadata={**about, "letters": row.get("letters")},
    )


_RATE = [mean(), stderr(cluster="family_id")]
_BY_DOMAIN = [*_RATE, grouped(mean(), "domain", all=False)]


@scorer(metrics={"reward": _BY_DOMAIN, **dict.fromkeys(METRIC_KEYS, _RATE), "acc": _BY_DOMAIN})
def steer_scorer(scheme="asymmetric", prices=None):
    """Scores with the one scorer; works on stored logs, too: ``inspect score``."""
    chosen = resolve_scheme(scheme, prices)

    # `inspect score` takes no scorer without the return annotation.
    async def score(state: TaskState, target: Target) -> Score:
        output = state.output
        if output.error:
            return Score.unscored(explanation=f"the model's side failed: {output.error}")
        finish = _FINISHES.get(output.stop_reason, output.stop_reason)
        # No content at all is an empty answer.
        answer = output.completion or ""
        letters = (state.metadata or {}).get("letters")
        [judged] = judge([target.text], [answer], [finish], chosen, [letters])
        return Score(
            value={"reward": judged.reward, **judged.metrics},
            answer=judged.pred or "",
            metadata={"outcome": judged.outcome, "scheme": chosen.name, "finish": finish or ""},
        )

    return score
