"""Judges cases, JSON lines on standard input, with every engine, and writes what each says.

Arguments: the scheme, then the command of the Node engine. One line per engine, ``python`` first:
a JSON list of ``{reward, outcome, metrics}``, ``pred`` among the metrics.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "envs"))

from steerbench.engines import open_engine  # noqa: E402
from steerbench.judge import METRIC_KEYS, judge  # noqa: E402

#: Of many sizes, since a batch must not matter.
SIZES = (0, 1, 7, 64, 512, 1300)
COLUMNS = ("gold", "answer", "finish", "letters", "prompt")


def as_said(judgement):
    reward, outcome, pred, metrics = judgement
    assert tuple(metrics) == METRIC_KEYS
    return {"reward": reward, "outcome": outcome, "metrics": {**metrics, "pred": pred}}


def judge_all(cases, scheme, engine):
    said, start, turn = [], 0, 0
    while start < len(cases):
        batch = cases[start : start + SIZES[turn % len(SIZES)]]
        golds, answers, *known = ([case.get(key) for case in batch] for key in COLUMNS)
        finishes, letters, prompts = known
        said += map(as_said, judge(golds, answers, finishes, scheme, letters, prompts, engine))
        start, turn = start + len(batch), turn + 1
    return said


def main():
    scheme, *command = sys.argv[1:]
    cases = [json.loads(line) for line in sys.stdin.buffer]
    for name in ("python", "node"):
        with open_engine(name, command, timeout=60) as engine:
            json.dump(judge_all(cases, scheme, engine), sys.stdout)
            sys.stdout.write("\n")


main()
