"""The Python half of bench/scorer.mjs: one JSON document in, one out."""

import json
import platform
import sys
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "envs"))

from steerbench.scorer import score  # noqa: E402


def run(rows, clock):
    start = clock()
    for gold, answer, finish, letters in rows:
        score(gold, answer, finish, letters)
    return clock() - start


def arguments(row):
    return (row["gold"], row["answer"], row.get("finish"), row.get("letters"))


def main(rounds, batch):
    given = json.load(sys.stdin)
    rows = [arguments(row) for row in given["rows"]]
    kinds = {}
    for row in given["rows"]:
        kinds.setdefault(row["kind"], []).append(arguments(row))

    def best(some):
        return min(run(some, process_time) for _ in range(rounds))

    times = sorted(
        1000 * run(rows[start : start + batch], perf_counter)
        for _ in range(rounds)
        for start in range(0, len(rows) - batch + 1, batch)
    )
    result = {
        "version": platform.python_version(),
        "perSecond": len(rows) / best(rows),
        "kinds": {kind: len(own) / best(own) for kind, own in kinds.items()},
        "batch": {"p50": times[len(times) // 2], "p99": times[int(len(times) * 0.99)]},
        "slowest": [1000 * best([arguments(row)]) for row in given["hostile"]],
    }
    json.dump(result, sys.stdout)


main(*map(int, sys.argv[1:]))
