"""Compares an ONNX file, run by onnxruntime, with the numpy reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime

from .numpy_llama import Config, Weights, log_softmax, logits


def compare(
    path: Path, weights: Weights, config: Config, rows: list[list[int]]
) -> dict[str, float]:
    """
    Largest absolute differences over all real positions of the rows (token ids, mixed lengths).

    Full passes one by one, one batch padded on the right and on the left, and each row in two
    steps through the key-value cache; then log-probabilities at the last positions.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    expected = [logits(weights, config, row) for row in rows]

    def worst(found: list[np.ndarray]) -> float:
        return max(float(np.abs(f - e).max()) for f, e in zip(found, expected, strict=True))

    single = [run(session, config, [row])[0][0] for row in rows]
    last = [
        np.abs(log_softmax(f[-1].astype(float)) - log_softmax(e[-1])).max()
        for f, e in zip(single, expected, strict=True)
    ]
    halves = [run_in_two(session, config, row) for row in rows]
    return {
        "logits, one row at a time": worst(single),
        "logits, padded on the right": worst(run_padded(session, config, rows, left=False)),
        "logits, padded on the left": worst(run_padded(session, config, rows, left=True)),
        "logits, two steps through the cache": worst(halves),
        "log-probabilities, last position": float(max(last)),
    }


def run(session, config: Config, rows, mask=None, positions=None, past=None):
    """One call: rows and positions [B, S], mask [B, T]; returns logits and the present cache."""
    ids = np.array(rows, np.int64)
    length = ids.shape[1]
    if past is None:
        shape = (len(ids), config["num_key_value_heads"], 0, config["head_dim"])
        past = [np.zeros(shape, np.float32)] * (2 * config["num_hidden_layers"])
    before = past[0].shape[2]
    if mask is None:
        mask = np.ones((len(ids), before + length), np.int64)
    if positions is None:
        positions = np.broadcast_to(np.arange(before, before + length), ids.shape)
    names = [i.name for i in session.get_inputs()]
    feeds = dict(zip(names, [ids, mask, positions.astype(np.int64), *past], strict=True))
    found, *present = session.run(None, feeds)
    return found, present


def run_padded(session, config: Config, rows: list[list[int]], *, left: bool):
    """All rows in one padded batch; returns the logits of the real positions of each."""
    longest = max(map(len, rows))
    ids, mask = (np.zeros((len(rows), longest), np.int64) for _ in range(2))
    places = [slice(longest - len(r), longest) if left else slice(0, len(r)) for r in rows]
    for k, (row, place) in enumerate(zip(rows, places, strict=True)):
        ids[k, place] = row
        mask[k, place] = 1
    positions = np.maximum(mask.cumsum(axis=1) - 1, 0)
    found, _ = run(session, config, ids, mask, positions)
    return [found[k, place] for k, place in enumerate(places)]


def run_in_two(session, config: Config, row: list[int]) -> np.ndarray:
    """The first half of a row, then the rest on its cache: logits [S, V]."""
    half = len(row) // 2
    first, present = run(session, config, [row[:half]])
    second, _ = run(session, config, [row[half:]], past=present)
    return np.concatenate([first[0], second[0]])
