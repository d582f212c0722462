"""Virtual environments of the client tests: outside the checkout, one for each lock file."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

UV = "0.13.9"
REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements"
#: Written last: an environment without it was left half made and is made again.
READY = "steerbench-ready"


class NotInstalled(Exception):
    """An environment that cannot be had here, and why."""


class LowDisk(NotInstalled):
    """Too little free disk for an environment."""


def root():
    """The folder of all environments: ``STEERBENCH_VENVS``, or one in the user's cache."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "steerbench/venvs"
    return Path(os.environ.get("STEERBENCH_VENVS") or default).resolve()


def environment_of(lane, note):
    """The lane's environment, made when it is not there; its ``bin`` folder.

    ``note``: is called with a line on what takes time. Raises LowDisk and NotInstalled.
    """
    lock = REQUIREMENTS / f"{lane.name}.txt"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    folder = root() / f"{lane.name}-{digest[:16]}"

    def make():
        _require_disk(lane.disk_gb)
        note(f"{lane.name}: installing {lock.name} into {folder}")
        uv = _uv()
        _run([uv, "venv", "--quiet", "--python", _interpreter(lane.python), folder])
        claim = ["--no-deps", "--python-version", lane.claimed_python]
        _run(
            [uv, "pip", "install", "--quiet", "--require-hashes", "--requirement", lock]
            + ["--python", folder / "bin/python", *(claim if lane.claimed_python else [])]
        )

    return _made(folder, make)


def _uv():
    folder = root() / f"uv-{UV}"

    def make():
        _run([sys.executable, "-m", "venv", folder])
        _run([folder / "bin/python", "-m", "pip", "install", "--quiet", f"uv=={UV}"])

    return _made(folder, make) / "uv"


def _made(folder, make):
    """Makes a folder once, however many ask for it at the same time."""
    with _locked(folder):
        if not (folder / READY).is_file():
            shutil.rmtree(folder, ignore_errors=True)
            make()
            (folder / READY).touch()
    return folder / "bin"


@contextmanager
def _locked(folder):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _require_disk(needed_gb):
    free_gb = shutil.disk_usage(root()).free / 1e9
    if free_gb < needed_gb:
        raise LowDisk(
            f"{free_gb:.1f} GB are free and it needs {needed_gb}; old environments in {root()} "
            "can go, or point STEERBENCH_VENVS to another disk"
        )


def _interpreter(version):
    """A Python of this version: from the path or pyenv, else the version, for uv to find it."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which(f"python{version}")]
    candidates += sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    for candidate in filter(None, candidates):
        # A shim of pyenv is on the path even where its version is switched off.
        check = (
            f"import sys; sys.exit(sys.version_info[:2] != tuple(map(int, '{version}'.split('.'))))"
        )
        if subprocess.run([candidate, "-c", check], capture_output=True).returncode == 0:
            return candidate
    return version


def _run(command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        said = done.stdout.decode(errors="replace").strip()
        raise NotInstalled(f"{' '.join(map(str, command[:4]))} …: {said[-2000:]}")
