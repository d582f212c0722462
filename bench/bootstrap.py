"""The same comparison with scipy.stats.bootstrap. Started by bootstrap.mjs, which sends the arms.

stdin: {"arms": [[reward, ...], ...], "resamples": n, "runs": n}; stdout: one JSON document.
"""

import json
import statistics
import sys
import time
from itertools import combinations

try:
    import numpy as np
    import scipy
    from scipy.stats import bootstrap
except ImportError as error:
    sys.exit(f"missing: {error.name}")


def mean_difference(a, b, axis=-1):
    return np.mean(b, axis=axis) - np.mean(a, axis=axis)


def one_by_one(arms, resamples):
    """One call per arm and one per pair, as the documentation shows it."""
    rng = np.random.default_rng(7)
    options = {"n_resamples": resamples, "method": "percentile", "rng": rng}
    for arm in arms:
        bootstrap((arm,), np.mean, **options)
    results = [
        bootstrap((arms[i], arms[j]), mean_difference, paired=True, **options)
        for i, j in combinations(range(len(arms)), 2)
    ]
    return [list(map(float, result.confidence_interval)) for result in results]


def one_call(arms, resamples):
    """One call whose statistic returns all arms and pairs, so that they share their draws."""
    pairs = list(combinations(range(len(arms)), 2))

    def statistic(*resampled, axis=-1):
        means = [np.mean(values, axis=axis) for values in resampled]
        return np.stack(means + [means[j] - means[i] for i, j in pairs])

    result = bootstrap(
        tuple(arms),
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        rng=np.random.default_rng(7),
    )
    interval = result.confidence_interval
    return [list(map(float, ends)) for ends in zip(interval.low, interval.high)][len(arms) :]


def timed(run, arms, resamples, runs):
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        pairs = run(arms, resamples)
        seconds.append(time.perf_counter() - start)
    return {"seconds": statistics.median(seconds), "pairs": pairs}


def main():
    request = json.load(sys.stdin)
    arms = [np.array(arm, dtype=float) for arm in request["arms"]]
    rest = (arms, request["resamples"], request["runs"])
    json.dump(
        {
            "version": scipy.__version__,
            "one_by_one": timed(one_by_one, *rest),
            "one_call": timed(one_call, *rest),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
