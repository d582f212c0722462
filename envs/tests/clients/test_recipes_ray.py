"""The Ray Data recipe, launched by its documented command on a cluster of this machine alone."""

import json

import pytest

pytest.importorskip("ray")

from documented import launch  # noqa: E402


def test_shards_are_scored_as_the_command_scores_them(mixed_answers, cli_score, tmp_path):
    # Arrow has no place for half a character, which some answers hold.
    rows = [row for row in mixed_answers[:500] if row["answer"].isascii()]
    (tmp_path / "answers").mkdir()
    for shard in range(2):
        lines = "".join(json.dumps({"id": k, **rows[k]}) + "\n" for k in range(shard, len(rows), 2))
        (tmp_path / f"answers/{shard}.jsonl").write_text(lines)
    launch("ray_score.py", {"symmetric": tmp_path}, {}, ["--price", "wrong=-0.05"])
    lines = [line for path in tmp_path.glob("scored/*") for line in path.read_text().splitlines()]
    scored = {row["id"]: row for row in map(json.loads, lines)}
    assert len(scored) == len(lines) == len(rows)
    for k, expected in enumerate(cli_score(rows, "symmetric")):
        found = scored[k]
        price = -0.05 if expected["outcome"] == "wrong" else expected["reward"]
        assert (found["reward"], found["outcome"]) == (price, expected["outcome"])
        assert found["pred"] == (expected["pred"] or "")
        assert {key: found[key] for key in expected["metrics"]} == expected["metrics"]
        assert found["answer"] == rows[k]["answer"]
