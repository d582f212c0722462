"""What the client tests share: nothing is skipped in silence, and the command gives the truth."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from steerbench.scorer import LABELS, OUTCOMES

REPOSITORY = Path(__file__).resolve().parents[3]
MAIN = REPOSITORY / "dist/cli/main.js"
DEMO = ("scenario-sets/demo", "--split", "splits/demo.json")
REQUIRED = [name for name in os.environ.get("STEERBENCH_REQUIRE", "").split(",") if name]


def steerbench(*args, **options):
    """Runs the command-line tool of the checkout; what it printed."""
    command = ["node", str(MAIN), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, **options)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def cli():
    """The command-line tool: ``cli("export", "rl", …)`` gives what it printed."""
    return steerbench


@pytest.fixture(scope="session")
def repository():
    """The checkout's root."""
    return REPOSITORY


@pytest.fixture(scope="session")
def demo_export(tmp_path_factory):
    """``demo_export("rl", "--part", "test", "--allow-test")``: an export's folder, made once."""
    made = {}

    def export(kind, *options):
        if (kind, options) not in made:
            folder = tmp_path_factory.mktemp(kind) / "export"
            steerbench("export", kind, *DEMO, *options, "-o", folder)
            made[kind, options] = folder
        return made[kind, options]

    return export


@pytest.fixture(scope="session")
def serving():
    """``with serving("--scheme", …) as (process, url)``: a server on the demo set's train side."""

    @contextmanager
    def serve(*options):
        command = ["node", str(MAIN), "serve", *DEMO, "--port", "0", *options]
        child = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
        with child:
            try:
                # The URL is all that it prints, once it is ready.
                yield child, child.stdout.readline().strip()
            finally:
                child.kill()

    return serve


@pytest.fixture(scope="session")
def mixed_answers():
    """5,000 rows ``{answer, gold, finish, letters}``: every answer of the parity vectors, with
    gold labels and finish reasons in turn. ``finish`` and ``letters`` are None where unknown.
    """
    text = (REPOSITORY / "parity-vectors/parses.json").read_text(encoding="utf-8")
    # Adapters have no place for a prompt or for a model's own end tokens.
    cases = [
        case for case in json.loads(text)["cases"] if not case.keys() & {"prompt", "endTokens"}
    ]
    rows = []
    for index in range(5000):
        turn, at = divmod(index, len(cases))
        answer = cases[at]["answer"]
        if isinstance(answer, dict):
            answer = answer["prefix"] + answer["unit"] * answer["times"] + answer["suffix"]
        gold = LABELS[(at + turn) % len(LABELS)]
        finish = (None, "stop", "length", "stop", None)[(at + 2 * turn) % 5]
        rows.append(
            {"answer": answer, "gold": gold, "finish": finish, "letters": cases[at].get("letters")}
        )
    return rows


@pytest.fixture(scope="session")
def cli_score():
    """``steerbench score`` on rows ``{answer, gold, finish?, letters?}``.

    Gives, for each row, ``reward``, ``outcome`` and ``pred`` under the scheme, and every metric
    that an adapter must report, derived from the command's own output.
    """
    return score_by_command


def score_by_command(rows, scheme="asymmetric"):
    lines = [json.dumps({"id": str(index), **row}) for index, row in enumerate(rows)]
    printed = steerbench("score", "-", "--scheme", scheme, input="\n".join(lines))
    scored = [json.loads(line) for line in printed.splitlines()]
    assert [row["id"] for row in scored] == [str(index) for index in range(len(rows))]
    return [_expected(row, asked.get("finish")) for row, asked in zip(scored, rows)]


def _expected(scored, finish):
    outcome = scored["outcome"]
    strict, lenient = scored["strict"], scored["lenient"]
    metrics = {name: float(name == outcome) for name in OUTCOMES}
    metrics["acc"] = float(outcome == "correct")
    metrics["strict_ok"] = float(strict["label"] is not None)
    metrics["lenient_ok"] = float(lenient["label"] is not None)
    metrics["empty"] = float(lenient.get("reason") == "empty")
    metrics["finish_known"] = float(bool(finish))
    (reward,) = scored["rewards"].values()
    pred = lenient["label"]
    return {"reward": reward, "outcome": outcome, "pred": pred, "metrics": metrics}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """In a lane, a test that is skipped has failed."""
    outcome = yield
    _fail_skipped(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """In a lane, so has a file that is skipped, as ``importorskip`` does."""
    outcome = yield
    _fail_skipped(outcome.get_result())


def _fail_skipped(report):
    if REQUIRED and report.skipped:
        *_, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing of this lane may be: {reason}"


def pytest_sessionfinish(session):
    """A lane that never imported a client it is there for has failed, whatever its tests say."""
    missing = [name for name in REQUIRED if name not in sys.modules]
    if missing:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_line(f"no test imported {', '.join(missing)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
