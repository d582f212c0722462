"""The manifest of an export: what a file in its folder must be."""

import hashlib
import json
import os

from ._errors import SteerError
from ._json_repeats import without_repeats

#: What a file, or an export, can be part of. Anything else might be held out, and is refused.
_PARTS = ("train", "validation", "test")


def check_manifest(path, allow_test, kinds=("rl", "decisions")):
    """The entry for a file in the manifest beside it; None when no manifest names the file.

    Raises SteerError for a manifest of another version or of none of ``kinds``, a file that is not
    the one it describes, and a held-out file unless ``allow_test``.
    """
    if not os.path.isfile(path):
        raise SteerError(f"{path}: there is no such file")
    folder, name = os.path.split(path)
    for beside in (f"{name.split('.')[0]}.manifest.json", "manifest.json"):
        manifest_path = os.path.join(folder, beside)
        if os.path.isfile(manifest_path):
            manifest = _read(manifest_path)
            for entry in manifest["files"]:
                if entry["name"] == name:
                    _check_kind(manifest_path, manifest["kind"], kinds)
                    _check_part(path, manifest["part"], entry["part"], allow_test)
                    _check_bytes(path, entry)
                    return entry
    return None


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file, object_pairs_hook=without_repeats)
    except (OSError, ValueError, RecursionError) as error:
        raise SteerError(f"{path}: cannot read the manifest: {error}") from error
    version = manifest.get("version") if isinstance(manifest, dict) else None
    # True equals 1, and 1.0 does too.
    if type(version) is not int or version != 1:
        raise SteerError(
            f"{path}: version: this package reads manifests of version 1, not {version!r}"
        )
    try:
        files = [
            {key: each[key] for key in ("name", "part", "rows", "sha256")}
            for each in manifest["files"]
        ]
        found = {"kind": manifest["kind"], "part": manifest["part"], "files": files}
    except (KeyError, TypeError) as error:
        raise SteerError(f"{path}: is no manifest of an export: {error!r}") from error
    named = [("part", found["part"])]
    named += [(f"files[{i}].part", each["part"]) for i, each in enumerate(files)]
    faults = [
        f"{field}: must be {', '.join(_PARTS)}, not {part!r:.60}"
        for field, part in named
        if not isinstance(part, str) or part not in _PARTS
    ]
    if faults:
        raise SteerError(f"{path}: is no manifest of an export: {'; '.join(faults[:5])}")
    return found


def _check_kind(path, kind, kinds):
    if kind not in kinds:
        raise SteerError(f"{path}: a {kind} export; what is wanted here is {' or '.join(kinds)}")


def _check_part(path, exported, part, allow_test):
    if "test" in (exported, part) and not allow_test:
        raise SteerError(
            f"{path}: its manifest says that it is held out; pass allow_test=True to evaluate on "
            "it, and never train on it"
        )


def _check_bytes(path, entry):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != entry["sha256"]:
        raise SteerError(
            f"{path}: sha256 {digest.hexdigest()} is not the manifest's {entry['sha256']}: the "
            "file was changed after the export; export it anew"
        )
