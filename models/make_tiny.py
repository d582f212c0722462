#!/usr/bin/env python3
"""
Makes models/tiny: a Llama-shaped model, small enough to live in git, trained by this repository.

    npm ci && npm run build
    python3 models/make_tiny.py [--out DIR]

Random weights go through the repository's own training: supervised, by reinforcement, on the
five letters. It takes some ten minutes. The model demonstrates and tests the software; it judges
nothing. Seeds, inputs and package versions are fixed: one machine makes the same bytes again, and
another one nearly the same. When the packages below are absent, they are installed into a
throwaway virtual environment.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from maker.errors import MakeError
from maker.folder import (
    PROVENANCE,
    list_files,
    read_safetensors,
    refuse_foreign,
    replace_folder,
    sha256,
    write_json,
    write_safetensors,
)
from maker.measure import measure
from maker.random_start import CONFIG, GENERATION_CONFIG, NOTE, SEED, random_weights
from maker.training import describe_stages, keep_logs, train
from maker.venv import create_venv, installed

REQUIREMENTS = [
    "numpy==2.4.6",
    "onnx==1.23.2",
    "protobuf==7.36.2",  # serialises the graph
    "tokenizers==0.23.3",
    "jinja2==3.1.6",
    "onnxruntime==1.32.0",  # only to check the result
]
HERE = Path(__file__).resolve().parent
CORPUS = HERE / "maker" / "corpus.txt"
PROMPTS = HERE / "maker" / "prompts.json"
# Every prompt repeats the instructions, so their words shall be few tokens.
INSTRUCTIONS_WEIGHT = 20
# How close onnxruntime (fp32) must come to the float64 reference.
TOLERANCE = 1e-4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--out", type=Path, default=HERE / "tiny", help="default: %(default)s")
    target = parser.parse_args().out.absolute()
    refuse_foreign(target)
    if not installed(REQUIREMENTS):
        with tempfile.TemporaryDirectory() as folder:
            python = create_venv(Path(folder), REQUIREMENTS)
            command = [python, __file__, "--out", target]
            return subprocess.run(command, check=False).returncode
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".tiny-") as folder:
        made = Path(folder) / "model"
        make(made, Path(folder))
        replace_folder(made, target)
    return 0


def make(folder: Path, work: Path) -> None:
    """Trains the model in `work`, writes it into a new folder, and looks at the test side once."""
    fixed = json.loads(PROMPTS.read_text(encoding="utf-8"))
    start = work / "start"
    tokenizer = write_start(start, fixed["prompts"])
    trained = train(start, work)

    folder.mkdir()
    for name in ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((start / name).read_bytes())
    weights = read_safetensors(trained / "model.safetensors")
    write_safetensors(folder / "model.safetensors", weights)
    write_graph_and_reference(folder, tokenizer, weights, fixed)
    keep_logs(work, folder / "training")

    arms = {
        "start": f"hf:{start}",
        "tiny": f"onnx:{folder}",
        "words": "baseline:words",
    }
    write_json(folder / PROVENANCE, provenance(folder, work, measure(arms, work)))


def write_start(folder: Path, prompts: list[dict]):
    """Writes the model that training begins with, and returns its tokenizer."""
    from maker.tokenizer import tokenizer_config, train_tokenizer

    folder.mkdir()
    tokenizer = train_tokenizer(tokenizer_texts(prompts), CONFIG["vocab_size"])
    write_json(folder / "config.json", CONFIG)
    write_json(folder / "generation_config.json", GENERATION_CONFIG)
    context = CONFIG["max_position_embeddings"]
    write_json(folder / "tokenizer_config.json", tokenizer_config(context))
    write_json(folder / "tokenizer.json", json.loads(tokenizer.to_str()), compact=True)
    write_safetensors(folder / "model.safetensors", random_weights())
    return tokenizer


def tokenizer_texts(prompts: list[dict]) -> list[str]:
    """The corpus line by line, then the instructions that the reference prompts open with."""
    systems = {m["content"] for p in prompts for m in p["messages"] if m["role"] == "system"}
    lines = CORPUS.read_text(encoding="utf-8").splitlines(keepends=True)
    return lines + sorted(systems) * INSTRUCTIONS_WEIGHT


def write_graph_and_reference(folder: Path, tokenizer, weights: dict, fixed: dict) -> None:
    """Writes the graph and what float64 says, and compares the two."""
    from maker.graph import write_onnx
    from maker.reference import make_reference
    from maker.verify import compare

    (folder / "onnx").mkdir()
    reference = make_reference(tokenizer, weights, CONFIG, fixed["prompts"], fixed["texts"])
    write_json(folder / "reference.json", reference, ascii_only=True)
    nodes = write_onnx(folder / "onnx" / "model.onnx", weights, CONFIG)
    rows = [prompt["ids"] for prompt in reference["prompts"]]
    differences = compare(folder / "onnx" / "model.onnx", weights, CONFIG, rows)
    report(folder, nodes, rows, differences)
    if max(differences.values()) > TOLERANCE:
        raise MakeError(f"the graph and the reference differ by more than {TOLERANCE}")


def provenance(folder: Path, work: Path, measured: dict) -> dict:
    """Everything that was run, on what, and what came of it."""
    header = json.loads((work / "sft" / "train.json").read_text(encoding="utf-8"))
    return {
        "model": "steerbench tiny",
        "demonstration": True,
        "note": NOTE,
        "made_by": "models/make_tiny.py",
        "seed": SEED,
        "packages": dict(r.split("==") for r in REQUIREMENTS),
        "runtime": header["runtime"],
        "threads": header["threads"],
        "inputs": {path.name: sha256(path) for path in (CORPUS, PROMPTS)},
        "set": header["set"],
        "split": header["split"],
        "start": {"model.safetensors": sha256(work / "start" / "model.safetensors")},
        "stages": describe_stages(work),
        "testSide": measured,
        "files": list_files(folder),
    }


def report(folder: Path, nodes: int, rows: list[list[int]], differences: dict[str, float]) -> None:
    for name, file in list_files(folder).items():
        print(f"{file['bytes']:>10,}  {file['sha256']}  {name}")
    print(f"{nodes} nodes; prompts of {', '.join(str(len(row)) for row in rows)} tokens")
    print("largest differences, onnxruntime fp32 against numpy float64:")
    for name, difference in differences.items():
        print(f"  {difference:.1e}  {name}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MakeError as error:
        sys.exit(f"make_tiny: {error}")
