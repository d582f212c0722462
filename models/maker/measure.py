"""What the test side says of a model: one look, after everything was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .command import steerbench, steerbench_json
from .training import SET, SPLIT

READOUTS = {
    "decision": ["--readout", "decision"],
    # Averaged over all letter orders, which takes a habit of some letter out.
    "decision-five-orders": ["--readout", "decision", "--rotations", "5"],
    "generative": ["--readout", "generative", "--max-tokens", "96"],
}


def measure(models: dict[str, str], work: Path) -> dict[str, Any]:
    """Figures of each model (`--model` by name) in each readout, on the test side of the set."""
    return {
        name: {readout: measure_one(model, readout, work / "runs" / name) for readout in READOUTS}
        for name, model in models.items()
    }


def measure_one(model: str, readout: str, runs: Path) -> dict[str, Any]:
    run = runs / readout
    steerbench("eval", SET, "--split", SPLIT, "--model", model, *READOUTS[readout], "-o", run)
    [entry] = steerbench_json("metrics", run)
    return summary(entry["metrics"])


def summary(metrics: dict[str, Any]) -> dict[str, Any]:
    """The figures worth a line of the provenance; shares with their 95% intervals."""
    found = {
        "traces": metrics["traces"],
        "accuracy": interval(metrics["accuracy"]),
        "bestConstant": interval(metrics["bestConstant"]["accuracy"]),
        "prematureAction": interval(metrics["prematureAction"]),
        "missedAction": interval(metrics["missedAction"]),
        "unreadable": metrics["outcomes"]["unreadable"],
        "cutOff": metrics["outcomes"]["cut_off"],
    }
    decision = metrics["decision"]
    if decision is not None:
        found["negativeLogLikelihood"] = round(decision["logLoss"]["mean"], 4)
        found["expectedCalibrationError"] = round(
            decision["calibration"]["equalWidth"]["ece"], 4
        )
        found["letterMass"] = round(decision["letterMass"]["mean"], 4)
    written = metrics["written"]
    if written is not None:
        found["validJson"] = interval(written["validJson"])
    return found


def interval(share: dict[str, float]) -> list[float]:
    """Share, lower and upper end."""
    return [round(share[key], 4) for key in ("value", "low", "high")]
