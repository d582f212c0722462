#!/usr/bin/env python3
"""
Makes models/tiny: a Llama-shaped model with random weights, small enough to live in git.

    python3 models/make_tiny.py [--out DIR]

It is untrained: it shows and tests the path from a prompt to letters and text, offline, and
judges nothing. Seed, inputs and package versions are fixed, so every run gives the same bytes;
when the packages below are absent, they are installed into a throwaway virtual environment.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from maker.errors import MakeError
from maker.folder import (
    PROVENANCE,
    list_files,
    refuse_foreign,
    replace_folder,
    sha256,
    write_json,
    write_safetensors,
)
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

# The first seed under which each letter is now and then the likeliest and no greedy step of the
# reference prompts is a near tie or an end token. Accuracy was not looked at.
SEED = "steerbench-tiny-7"
NOTE = (
    "Random weights from a fixed seed, never trained: answers are near chance. "
    "This model demonstrates and tests the software; it does not judge."
)
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "untrained": True,
    "note": NOTE,
    "attention_bias": False,
    "attention_dropout": 0.0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
    "head_dim": 16,
    "hidden_act": "silu",
    "hidden_size": 64,
    "intermediate_size": 192,
    "max_position_embeddings": 2048,
    "mlp_bias": False,
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-05,
    "rope_scaling": None,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "float32",
    "use_cache": True,
    "vocab_size": 3072,
}
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
        make(made)
        replace_folder(made, target)
    return 0


def make(folder: Path) -> None:
    """Writes the whole model into a new folder and compares its graph with the reference."""
    from maker.graph import write_onnx
    from maker.reference import make_reference
    from maker.tokenizer import tokenizer_config, train_tokenizer
    from maker.verify import compare

    (folder / "onnx").mkdir(parents=True)
    fixed = json.loads(PROMPTS.read_text(encoding="utf-8"))
    tokenizer = train_tokenizer(training_texts(fixed["prompts"]), CONFIG["vocab_size"])
    weights = random_weights()
    reference = make_reference(tokenizer, weights, CONFIG, fixed["prompts"], fixed["texts"])

    write_json(folder / "config.json", CONFIG)
    write_json(folder / "generation_config.json", generation_config())
    context = CONFIG["max_position_embeddings"]
    write_json(folder / "tokenizer_config.json", tokenizer_config(context))
    write_json(folder / "tokenizer.json", json.loads(tokenizer.to_str()), compact=True)
    write_json(folder / "reference.json", reference, ascii_only=True)
    write_safetensors(folder / "model.safetensors", weights)
    nodes = write_onnx(folder / "onnx" / "model.onnx", weights, CONFIG)

    rows = [prompt["ids"] for prompt in reference["prompts"]]
    differences = compare(folder / "onnx" / "model.onnx", weights, CONFIG, rows)
    report(folder, nodes, rows, differences)
    if max(differences.values()) > TOLERANCE:
        raise MakeError(f"the graph and the reference differ by more than {TOLERANCE}")
    write_json(folder / PROVENANCE, provenance(folder))


def training_texts(prompts: list[dict]) -> list[str]:
    """The corpus line by line, then the instructions that the reference prompts open with."""
    systems = {m["content"] for p in prompts for m in p["messages"] if m["role"] == "system"}
    lines = CORPUS.read_text(encoding="utf-8").splitlines(keepends=True)
    return lines + sorted(systems) * INSTRUCTIONS_WEIGHT


def random_weights() -> dict:
    """
    Uniform weights by Hugging Face name, [out, in], fp32.

    The scales are chosen by eye: attention sharp enough that letters differ from prompt to
    prompt, updates large enough that a token does not just predict itself through the tied head.
    """
    import numpy as np

    hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    queries = CONFIG["num_attention_heads"] * CONFIG["head_dim"]
    keys = CONFIG["num_key_value_heads"] * CONFIG["head_dim"]
    deviations = {
        "self_attn.q_proj": ((queries, hidden), 0.2),
        "self_attn.k_proj": ((keys, hidden), 0.2),
        "self_attn.v_proj": ((keys, hidden), 0.15),
        "self_attn.o_proj": ((hidden, queries), 0.15),
        "mlp.gate_proj": ((inner, hidden), 0.15),
        "mlp.up_proj": ((inner, hidden), 0.15),
        "mlp.down_proj": ((hidden, inner), 0.05),
    }

    def uniform(name: str, shape: tuple[int, int], deviation: float) -> np.ndarray:
        # Raw bits and exact arithmetic: no library's sampling or CPU's functions are involved.
        seed = int.from_bytes(hashlib.sha256(f"{SEED}/{name}".encode()).digest())
        bits = np.random.PCG64(seed).random_raw(shape[0] * shape[1]) >> np.uint64(40)
        centred = (bits.astype(np.float64) - 2**23 + 0.5) / 2**23
        return (centred * (deviation * 3**0.5)).astype(np.float32).reshape(shape)

    gain = np.ones(hidden, np.float32)
    embedding = "model.embed_tokens.weight"
    weights = {embedding: uniform(embedding, (CONFIG["vocab_size"], hidden), 0.1)}
    for layer in range(CONFIG["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        for part, (shape, deviation) in deviations.items():
            name = f"{prefix}{part}.weight"
            weights[name] = uniform(name, shape, deviation)
        weights[prefix + "input_layernorm.weight"] = gain
        weights[prefix + "post_attention_layernorm.weight"] = gain
    weights["model.norm.weight"] = 2 * gain
    return weights


def generation_config() -> dict:
    return {"bos_token_id": 1, "eos_token_id": [2, 0], "pad_token_id": 0, "do_sample": False}


def provenance(folder: Path) -> dict:
    return {
        "model": "steerbench tiny",
        "untrained": True,
        "note": NOTE,
        "made_by": "models/make_tiny.py",
        "seed": SEED,
        "packages": dict(r.split("==") for r in REQUIREMENTS),
        "inputs": {path.name: sha256(path) for path in (CORPUS, PROMPTS)},
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
