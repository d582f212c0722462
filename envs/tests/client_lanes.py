"""Which clients are tested together, and in which environment."""

from typing import NamedTuple, Optional


class Lane(NamedTuple):
    """One virtual environment, locked in ``requirements/<name>.txt``, and one pytest process."""

    name: str
    #: The Python version that the lock was made for.
    python: str
    #: The words after ``test_`` in the names of the lane's files: ``trl`` stands for
    #: ``clients/test_trl.py`` and ``clients/test_trl_*.py``.
    tests: "tuple[str, ...]"
    #: Modules that the tests must import; skipping one is a failure.
    required: "tuple[str, ...]"
    #: Free disk, in GB, that making the environment needs; below it the lane is skipped, loudly.
    disk_gb: int = 2
    #: Whether a machine where it cannot be installed passes; that is reported.
    is_optional: bool = False
    #: A later Python version to claim when installing, for a client that asks for a patch release
    #: without needing it.
    claimed_python: Optional[str] = None


LANES = (
    Lane("nemo", "3.12", tests=("nemo",), required=("nemo_gym",)),
    Lane(
        "nemo-next",
        "3.13",
        tests=("nemo",),
        required=("nemo_gym",),
        is_optional=True,
        claimed_python="3.13.14",
    ),
    Lane("verifiers", "3.11", tests=("verifiers",), required=("verifiers",)),
    Lane(
        "train",
        "3.11",
        tests=(
            "gymnasium",
            "inspect",
            "lm_eval",
            "openenv",
            "peft",
            "readers",
            "recipes",
            "tinker",
            "trl",
            "verl",
        ),
        required=(
            "datasets",
            "gymnasium",
            "inspect_ai",
            "lm_eval",
            "openenv",
            "pandas",
            "peft",
            "polars",
            "pyarrow",
            "tinker_cookbook",
            "torch",
            "trl",
            "verl",
        ),
        disk_gb=9,
    ),
)


def files_of(lane, names):
    """Those of the test files ``names`` that the lane runs."""
    return [name for name in names if any(_is_test_of(word, name) for word in lane.tests)]


def orphans(names):
    """Test files that no lane runs."""
    return [name for name in names if not any(files_of(lane, [name]) for lane in LANES)]


def _is_test_of(word, name):
    return name == f"test_{word}.py" or name.startswith(f"test_{word}_")
