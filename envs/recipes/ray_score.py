"""Scores shards of stored answers with Ray Data, on as many machines as the Ray cluster has.

    python envs/recipes/ray_score.py --answers answers --scheme symmetric --output scored

``--answers``: a JSONL file, or a folder of them, of rows ``{id, gold, answer, finish?, letters?}``
as ``steerbench score`` reads them; other columns are kept. Each row gains ``reward``, ``outcome``,
``pred`` and every number of ``METRIC_KEYS``. ``--price wrong=-0.05`` replaces a price. On a
cluster, all machines need the package, and paths that all of them see.
"""

import argparse

import ray

from steerbench._recipe import refusals_told
from steerbench.judge import METRIC_KEYS, judge
from steerbench.schemes import resolve_scheme


def score(batch, scheme, price):
    """A batch by column, with the columns of its judgements added."""
    columns = batch.to_pydict()
    judged = judge(
        columns["gold"],
        columns["answer"],
        columns.get("finish"),
        resolve_scheme(scheme, price),
        columns.get("letters"),
    )
    columns["reward"] = [each.reward for each in judged]
    columns["outcome"] = [each.outcome for each in judged]
    columns["pred"] = [each.pred or "" for each in judged]
    for key in METRIC_KEYS:
        columns[key] = [each.metrics[key] for each in judged]
    return columns


def main():
    """Writes one JSONL file for each block of rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--scheme", default="asymmetric")
    parser.add_argument("--price", action="append", metavar="OUTCOME=X")
    parser.add_argument("--batch-size", type=int, default=4096)
    options = parser.parse_args()
    # Refused here, before Ray starts, and not in every worker.
    resolve_scheme(options.scheme, options.price)
    # A function and no class: actors would keep the processors that reading needs.
    ray.data.read_json(options.answers).map_batches(
        score,
        fn_kwargs={"scheme": options.scheme, "price": options.price},
        batch_format="pyarrow",
        batch_size=options.batch_size,
    ).write_json(options.output)


if __name__ == "__main__":
    with refusals_told():
        main()
