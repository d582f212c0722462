"""Recipes that are refused: one message, code 2, no traceback, and nothing trained."""

import subprocess
import sys

import pytest

RAY = ("ray_score.py", "--answers answers --output scored")
GRPO = (
    "trl_grpo.py",
    "--rows rows.jsonl --output_dir out --model_name_or_path none --use_cpu True --bf16 False",
)
DECISIONS = (
    "tinker_decisions.py",
    "model_name=none log_path=log path=rows.jsonl eval_path=rows.jsonl",
)


@pytest.mark.parametrize(
    ("call", "options", "said"),
    [
        (RAY, "--scheme asymetric", "unknown scheme 'asymetric'"),
        (RAY, "--scheme symmetric --price worng=-0.05", "unknown outcome 'worng'"),
        (GRPO, "--scheme symmetric --price wrong=-0.2", "garbage pays no less"),
        (DECISIONS, "scheme=symmetric prices.wrong=-0.2", "garbage pays no less"),
    ],
)
def test_a_refused_scheme_or_price_is_one_message_and_code_2(
    repository, tmp_path, call, options, said
):
    recipe, arguments = call
    done = subprocess.run(
        [sys.executable, repository / "envs/recipes" / recipe, *f"{arguments} {options}".split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stderr[done.stderr.index("steerbench: ") :]
