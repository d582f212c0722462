"""Rewards a second of every way from a Python trainer to the scorer, and what one GRPO step gains.

    PYTHON bench/adapters/run.py [--no-trainer]

after ``npm run build``; PYTHON has verl and TRL (envs/requirements/train.txt). Answers are those of
bench/scorer.mjs, under the asymmetric scheme; each figure is of whole calls, as a trainer makes
them: encoding, sending, scoring, decoding. A CPU second counts all processes.
"""

import asyncio
import os
import platform
import sys
from concurrent.futures import ThreadPoolExecutor

import transports
from measure import line, measure

sys.path.insert(0, str(transports.ROOT / "envs"))

from steerbench.engines import open_engine  # noqa: E402
from steerbench.judge import judge  # noqa: E402
from steerbench.scorer import SCHEMES  # noqa: E402
from steerbench.verl import compute_score, compute_score_async  # noqa: E402

SIZES = (1, 64, 512)
#: Answers for each figure.
ANSWERS = {1: 10_000, 64: 200_000, 512: 400_000}


def main():
    rows = transports.mixed_answers()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load()}\n")
    line("", "batch", "rewards/s", "p50 ms", "p99 ms", "per CPU s")
    in_process(rows)
    stdio(rows)
    http(rows)
    thread_pool(rows)
    print(f"\nload {load()}")
    if "--no-trainer" not in sys.argv:
        from grpo_step import compare

        compare(rows)


def in_process(rows):
    """The default of every adapter."""

    def call(batch):
        golds, answers, finishes, letters = batch
        return judge(golds, answers, finishes, SCHEMES["asymmetric"], letters)

    for size in SIZES:
        line("in process", size, *measure(call, columns(rows, size), ANSWERS[size] // size))


def stdio(rows):
    """``engine="node"``."""
    with open_engine("node", transports.COMMAND, timeout=60) as engine:

        def call(batch):
            golds, answers, finishes, letters = batch
            return judge(golds, answers, finishes, SCHEMES["asymmetric"], letters, engine=engine)

        call(columns(rows, 1)[0])
        # The engine starts its child itself.
        child = transports.children()[-1]
        for size in SIZES:
            rounds = ANSWERS[size] // size // (4 if size == 1 else 1)
            line("stdio frames", size, *measure(call, columns(rows, size), rounds, child))


def http(rows):
    """One client of ``steerbench serve``, then eight processes at once."""
    golds, answers, finishes, letters = columns(rows, len(rows))[0]
    expected = [each.reward for each in judge(golds, answers, finishes, letters=letters)]
    with transports.serving() as (port, pid):
        client = transports.HttpClient(port)
        found = [reward for batch in batches(rows, 512) for reward in client.rewards(batch)]
        assert found == expected[: len(found)], "the server pays other rewards"
        for size in SIZES:
            rounds = ANSWERS[size] // size // (4 if size == 1 else 1)
            line("HTTP", size, *measure(client.rewards, batches(rows, size), rounds, pid))
        prepared = [client.encode(batch) for batch in batches(rows, 512)]
        rounds = ANSWERS[512] // 512
        line("HTTP, bytes only", 512, *measure(client.send, prepared, rounds, pid))
        for size in SIZES:
            line("8 processes, HTTP", size, *transports.eight_processes(port, pid, rows, size))


def thread_pool(rows):
    """verl's shape: one call an answer, in a pool of threads; and the awaited form."""
    calls = [("steerbench/v1", row["answer"], row["gold"]) for row in rows]
    with ThreadPoolExecutor(8) as pool:

        def pooled(batch):
            return [each.result() for each in [pool.submit(compute_score, *call) for call in batch]]

        def awaited(batch):
            async def run():
                return await asyncio.gather(*(compute_score_async(*call) for call in batch))

            return asyncio.run(run())

        for name, call in (("verl, 8 threads", pooled), ("verl, awaited", awaited)):
            line(name, 512, *measure(call, batches(calls, 512), 40_000 // 512))


def batches(items, size):
    """At most 64 whole batches."""
    return [items[k : k + size] for k in range(0, len(items) - size + 1, size)][:64]


def columns(rows, size):
    """Batches as ``judge`` takes them."""
    keys = ("gold", "answer", "finish", "letters")
    return [
        tuple([row.get(key) for row in batch] for key in keys) for batch in batches(rows, size)
    ]


def load():
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
