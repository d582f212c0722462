"""The files of a model folder: JSON, safetensors, provenance, digests, and putting it in place."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import MakeError

if TYPE_CHECKING:  # numpy is absent outside the virtual environment, where digests are checked
    import numpy as np

PROVENANCE = "PROVENANCE.json"


def sha256(path: Path) -> str:
    """Hex digest of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(path: Path, value: Any, *, compact: bool = False, ascii_only: bool = False) -> None:
    """UTF-8 JSON with a newline at its end; indented by two unless `compact`."""
    style: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, **style)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def write_safetensors(path: Path, weights: dict[str, np.ndarray]) -> None:
    """
    Writes fp32 arrays in the safetensors format: the header's length (u64), its JSON, the data.

    Tensors stand in order of their names; the header is padded with spaces to 8 bytes.
    """
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name in sorted(weights):
        end = offset + weights[name].nbytes
        header[name] = {
            "dtype": "F32",
            "shape": list(weights[name].shape),
            "data_offsets": [offset, end],
        }
        offset = end
    encoded = json.dumps(header, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(encoded)))
        file.write(encoded)
        for name in sorted(weights):
            file.write(weights[name].astype("<f4", copy=False).tobytes())


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file that `write_safetensors` wrote, mapped, not copied."""
    import numpy as np

    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    data = np.memmap(path, np.uint8, "r", offset=8 + length)
    return {
        name: data[slice(*tensor["data_offsets"])].view("<f4").reshape(tensor["shape"])
        for name, tensor in header.items()
        if name != "__metadata__"
    }


def list_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Size and sha256 of every file but the provenance itself, by relative path, sorted."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != PROVENANCE)
    return {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": sha256(path),
        }
        for path in files
    }


def refuse_foreign(folder: Path) -> None:
    """Raises MakeError for a path that these scripts did not make, since it would be deleted."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / PROVENANCE).is_file()):
        raise MakeError(f"{folder} exists and is no model made here; choose another place")


def replace_folder(made: Path, target: Path) -> None:
    """
    Puts a finished folder in place by renaming; an older one steps aside first and is deleted.

    Both must be on one file system.
    """
    aside = made.with_name(made.name + ".old")
    if target.exists():
        target.rename(aside)
    made.rename(target)
    shutil.rmtree(aside, ignore_errors=True)
