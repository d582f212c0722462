"""The stages that train the tiny model, each one command, and what their logs say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .command import steerbench
from .folder import sha256

SET = "scenario-sets/v1"
SPLIT = "splits/v1.json"
# Equal for all stages, so that all keep the same families of the train side back.
SEED = "tiny"
VALIDATION = "60"
# Equal bytes need equal threads.
THREADS = "2"

# In this order: each stage goes on from the model of the one before. Chosen by losses and answers
# on the train side; the test side was looked at once, when everything was chosen.
STAGES: dict[str, list[str]] = {
    # How an answer begins, and some words of a reason.
    "sft": "--learning-rate 0.003 --warm-up 20 --batch 16 --steps 160 --save-every 40".split(),
    # Answers that end, and fewer that are dear. Below temperature 1 the loops show that greedy
    # answers run into.
    "rl": (
        "--scheme asymmetric --samples 8 --temperature 0.7 --max-tokens 64 "
        "--learning-rate 0.0005 --warm-up 5 --batch 8 --steps 40 --save-every 20"
    ).split(),
    # Letters no surer than they should be; last, since the other stages move them without a look.
    "decision": "--learning-rate 0.0003 --warm-up 10 --batch 16 --steps 60 --save-every 20".split(),
}


def train(start: Path, work: Path) -> Path:
    """Makes all stages, each a folder of its name in `work`, and returns the last one."""
    model = start
    for stage in STAGES:
        steerbench(*command_of(stage, model, work / stage))
        model = work / stage
    return model


def command_of(stage: str, model: Path, out: Path) -> list[str]:
    """The words behind `steerbench`."""
    return [
        *("train", stage, SET, "--split", SPLIT, "--model", str(model), "--full", *STAGES[stage]),
        *("--validation", VALIDATION, "--seed", SEED, "--threads", THREADS, "-o", str(out)),
    ]


def keep_logs(work: Path, kept: Path) -> None:
    """
    Copies `train.json` and `metrics.jsonl` of each stage.

    A row loses its time, the one number that a second making would not share, and what is null.
    """
    kept.mkdir()
    for stage in STAGES:
        header = (work / stage / "train.json").read_bytes()
        (kept / f"{stage}.train.json").write_bytes(header)
        rows = [
            {name: value for name, value in row.items() if name != "seconds" and value is not None}
            for row in read_rows(work / stage)
        ]
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        (kept / f"{stage}.metrics.jsonl").write_text(text, encoding="utf-8", newline="\n")


def describe_stages(work: Path) -> list[dict[str, Any]]:
    """What was run, on what, and how its figures moved."""
    models = ["start", *STAGES]
    return [
        {
            "stage": stage,
            "command": " ".join(["steerbench", *command_of(stage, Path(before), Path(stage))]),
            "weights": sha256(work / stage / "model.safetensors"),
            **moved(read_rows(work / stage)),
        }
        for before, stage in zip(models, STAGES, strict=False)
    ]


def read_rows(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "metrics.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def moved(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """First and last look at the families kept back, and means over the first and last ten steps."""
    train = [row for row in rows if row["part"] == "train"]
    held = [row for row in rows if row["part"] == "validation"]
    return {
        "firstSteps": figures(train[:10]),
        "lastSteps": figures(train[-10:]),
        "heldBackBefore": figures(held[:1]),
        "heldBackAfter": figures(held[-1:]),
    }


def figures(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Means of what the rows say; an RL loss has no scale of its own, so it is left out."""
    columns: dict[str, list[float]] = {
        "loss": [row["loss"] for row in rows if row["reward"] is None],
        "accuracy": [share_correct(row) for row in rows if row["outcomes"]],
        "reward": [row["reward"] for row in rows],
        "readableShare": [row["readableShare"] for row in rows],
        "skipShare": [sum(row["skipShare"].values()) for row in rows if row["skipShare"]],
        "entropy": [row["entropy"] for row in rows],
    }
    present = {name: [v for v in values if v is not None] for name, values in columns.items()}
    return {name: round(sum(v) / len(v), 4) for name, v in present.items() if v}


def share_correct(row: dict[str, Any]) -> float:
    outcomes = row["outcomes"]
    return outcomes["correct"] / sum(outcomes.values())
