"""``compute_score`` for verl, in the file that its configuration names.

Supported: ``verl>=0.8,<0.11`` (tested with 0.9.1), rows of ``steerbench export rl --format verl``.
``python -m steerbench.verl --path`` prints this file's path::

    reward.custom_reward_function.path=$(python -m steerbench.verl --path)
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.scheme=symmetric
    +reward.custom_reward_function.reward_kwargs.prices.wrong=-0.05

``+`` adds a key that a configuration lacks; ``recipes/verl_grpo.yaml`` has ``scheme`` already.

``compute_score_async`` is the same, awaited: verl calls it without its pool of threads.

The score is a dict with one fixed set of keys: ``score``; ``acc``; ``pred``, which gives
maj@N in validation, "" when unreadable; ``outcome``; and every number of
``steerbench.judge.METRIC_KEYS``. envs/README.md says on which of them to filter groups.

Finish reason: verl hands over none. No answer is cut off, and ``finish_known`` is 0.0.
"""

import argparse
import asyncio
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from steerbench._framework import refuse_other
from steerbench.engines import open_engine
from steerbench.judge import judge
from steerbench.schemes import resolve_scheme

__all__ = ["compute_score", "compute_score_async"]

refuse_other("verl", "0.8", "0.11")

_lock = threading.Lock()
_schemes = {}
_engines = {}


def compute_score(
    data_source,
    solution_str,
    ground_truth,
    extra_info=None,
    scheme="asymmetric",
    prices=None,
    allow_dominated=False,
    engine=None,
    **unused,
):
    """The score of one answer; see the module for its keys. May be called from many threads.

    ``reward_kwargs`` of the configuration: ``scheme``, ``prices`` and ``allow_dominated`` as
    :func:`steerbench.schemes.resolve_scheme` takes them; ``engine``: a name, or a mapping of the
    arguments of :func:`steerbench.engines.open_engine`, opened once per process.
    """
    resolved = _once(_schemes, (scheme, prices, allow_dominated), resolve_scheme)
    opened = None if engine is None else _once(_engines, (engine,), _open)
    [judgement] = judge([ground_truth], [solution_str], scheme=resolved, engine=opened)
    return {"score": judgement.reward, "outcome": judgement.outcome, **judgement.flat()}


async def compute_score_async(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    """:func:`compute_score`, awaited."""
    if kwargs.get("engine") is None:
        return compute_score(data_source, solution_str, ground_truth, extra_info, **kwargs)
    return await asyncio.to_thread(
        compute_score, data_source, solution_str, ground_truth, extra_info, **kwargs
    )


def _open(engine):
    return open_engine(**engine) if isinstance(engine, Mapping) else open_engine(engine)


def _once(made, arguments, make):
    """What ``make`` makes of the arguments, made once: verl calls with one answer at a time."""
    # Configurations hand over mappings of their own; they can be told apart by what they show.
    key = repr(arguments)
    if key not in made:
        with _lock:
            if key not in made:
                made[key] = make(*arguments)
    return made[key]


def _main():
    parser = argparse.ArgumentParser(prog="python -m steerbench.verl")
    parser.add_argument("--path", action="store_true", required=True, help="print this file's path")
    parser.parse_args()
    sys.stdout.write(f"{Path(__file__).resolve()}\n")


if __name__ == "__main__":
    _main()
