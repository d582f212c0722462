#!/usr/bin/env python3
"""
Compares a model folder's ONNX graph with its safetensors weights run in numpy and float64.

    python3 bench/models/check_logits.py DIR

For Llama folders made by smollm2.py or make_tiny.py. Prints the largest differences over all
positions of a few texts, and ends with code 1 when they exceed the tolerance.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "models"))

from maker.errors import MakeError
from maker.folder import read_safetensors
from maker.venv import create_venv, installed

REQUIREMENTS = ["numpy==2.4.6", "onnxruntime==1.32.0", "tokenizers==0.23.3"]
# Logits of a real model reach 38, where fp32 steps by 4e-6; a wrong graph is off by 1 and more.
TOLERANCE = 5e-4
TEXTS = [
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
    "<|im_start|>system\nChoose one letter.<|im_end|>\n<|im_start|>user\nTask:\nRestart the print "
    "server when the queue is empty.\n\nMemory:\n(empty)\n\nObservation:\nqueue: 0 jobs\n\n"
    "Options:\nA) ACT\nB) ASK\nC) WAIT\nD) REMEMBER\nE) FORGET<|im_end|>\n"
    "<|im_start|>assistant\nchoice#",
    "Überprüfe die Wärme² um 09:41, 東京.",
]


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        raise MakeError("name one model folder")
    folder = Path(arguments[0]).absolute()
    if not (folder / "model.safetensors").is_file():
        raise MakeError(f"{folder} has no model.safetensors")
    if not installed(REQUIREMENTS):
        with tempfile.TemporaryDirectory() as environment:
            python = create_venv(Path(environment), REQUIREMENTS)
            return subprocess.run([python, __file__, folder], check=False).returncode
    return check(folder)


def check(folder: Path) -> int:
    from maker.verify import compare
    from tokenizers import Tokenizer

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    rows = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
    weights = read_safetensors(folder / "model.safetensors")
    start = time.monotonic()
    differences = compare(folder / "onnx" / "model.onnx", weights, config, rows)
    print(f"{', '.join(str(len(row)) for row in rows)} tokens, {time.monotonic() - start:.1f} s")
    for name, difference in differences.items():
        print(f"  {difference:.1e}  {name}")
    return int(max(differences.values()) > TOLERANCE)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MakeError as error:
        sys.exit(f"check_logits: {error}")
