"""lm-eval's own evaluator and command over our task files; its files equal ``steerbench score``."""

import json
import math
import subprocess
from statistics import mean

import pytest

pytest.importorskip("lm_eval")

from lm_eval import simple_evaluate  # noqa: E402
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.loggers import EvaluationTracker  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

from steerbench._errors import SteerError  # noqa: E402
from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402

from tiny_model import make_tiny_model  # noqa: E402

ANSWERS = (
    '{"intervention": "ACT", "reason": "all in place"}',
    "Final answer: ASK",
    '{"intervention": "WAIT"}',
    "",
    "ACT or WAIT, hard to tell",
    '```json\n{"intervention": "FORGET", "reason": "stale"}\n```',
)


class Scripted(LM):
    """Gives the answers in turn, and keeps the prompts."""

    def __init__(self):
        super().__init__()
        self.prompts = []

    def generate_until(self, requests, disable_tqdm=False):
        self.prompts += [request.args[0] for request in requests]
        return [ANSWERS[index % len(ANSWERS)] for index in range(len(requests))]

    def apply_chat_template(self, chat_history, add_generation_prompt=True):
        return json.dumps([chat_history, add_generation_prompt])

    tokenizer_name = "scripted"

    def chat_template(self, chat_template=False):
        return "scripted"

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


@pytest.fixture(scope="module")
def rl_rows(demo_export):
    return str(demo_export("rl") / "train.jsonl")


@pytest.fixture(scope="module")
def decision_rows(demo_export):
    return str(demo_export("decisions") / "train.jsonl")


@pytest.fixture(scope="module")
def held_out_rows(demo_export):
    return str(demo_export("rl", "--part", "test", "--allow-test") / "test.jsonl")


@pytest.fixture(scope="module")
def tasks(repository):
    return repository / "envs/steerbench/lm_eval"


def evaluate(tasks, folder, name, model, metadata, **options):
    """What lm-eval writes: its results and, sample by sample, what it scored."""
    manager = TaskManager(include_path=str(tasks), include_defaults=False, metadata=metadata)
    tracker = EvaluationTracker(output_path=str(folder))
    found = simple_evaluate(
        model=model,
        tasks=[name],
        task_manager=manager,
        evaluation_tracker=tracker,
        log_samples=True,
        bootstrap_iters=0,
        apply_chat_template=True,
        **options,
    )
    samples = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=samples)
    tracker.save_results_samples(task_name=name, samples=samples[name])
    [results] = folder.rglob("results_*.json")
    [logged] = folder.rglob("samples_*.jsonl")
    lines = [json.loads(line) for line in logged.read_text().splitlines()]
    return json.loads(results.read_text())["results"][name], lines


def check(results, lines, expected):
    for line, truth in zip(lines, expected, strict=True):
        assert line["reward"] == truth["reward"]
        assert {key: line[key] for key in METRIC_KEYS} == truth["metrics"]
    assert results["reward,none"] == pytest.approx(mean(truth["reward"] for truth in expected))
    for key in METRIC_KEYS:
        rate = mean(truth["metrics"][key] for truth in expected)
        assert results[f"{key},none"] == pytest.approx(rate)


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_generated_answers_are_paid_as_the_command_pays_them(
    rl_rows, tasks, cli_score, tmp_path, scheme
):
    model = Scripted()
    metadata = {"rows": rl_rows, "scheme": scheme}
    results, lines = evaluate(tasks, tmp_path, "steerbench", model, metadata)
    rows = [{"answer": each["resps"][0][0], "gold": each["doc"]["gold"]} for each in lines]
    expected = cli_score(rows, scheme)
    check(results, lines, expected)
    strict = [truth["acc"] * truth["strict_ok"] for truth in (x["metrics"] for x in expected)]
    assert results["strict_acc,none"] == pytest.approx(mean(strict))
    assert results["lenient_acc,none"] == results["acc,none"] > results["strict_acc,none"] > 0


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_5000_answers_are_judged_as_the_command_scores_them(
    rl_rows, tasks, mixed_answers, cli_score, scheme
):
    metadata = {"rows": rl_rows, "scheme": scheme}
    manager = TaskManager(include_path=str(tasks), include_defaults=False, metadata=metadata)
    task = manager.load(["steerbench"])["tasks"]["steerbench"]
    doc = task.eval_docs[0]
    # A finish reason and letters have no place in a generated answer here.
    rows = [{**row, "finish": None, "letters": None} for row in mixed_answers]
    for row, truth in zip(rows, cli_score(rows, scheme), strict=True):
        found = task.process_results({**doc, "gold": row["gold"]}, [row["answer"]])
        assert found["reward"] == truth["reward"]
        assert {key: found[key] for key in METRIC_KEYS} == truth["metrics"]


def test_the_prompt_is_the_exported_one_turn_by_turn(rl_rows, tasks, tmp_path):
    model = Scripted()
    evaluate(tasks, tmp_path, "steerbench", model, {"rows": rl_rows}, limit=5)
    prompts = [row["prompt"] for row in load_rows(rl_rows)[:5]]
    assert model.prompts == [json.dumps([prompt, True]) for prompt in prompts]


def test_letters_are_scored_right_after_the_prefix(decision_rows, tasks, cli_score, tmp_path):
    torch = pytest.importorskip("torch")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = decision_rows
    folder = make_tiny_model(tmp_path / "model")
    options = {"model_args": {"pretrained": folder, "dtype": "float32"}, "device": "cpu"}
    results, lines = evaluate(
        tasks, tmp_path / "out", "steerbench_decisions", "hf", {"rows": path}, limit=12, **options
    )
    rows = load_rows(path)[:12]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    answers = []
    for line, row in zip(lines, rows):
        text = tokenizer.apply_chat_template(
            row["prompt"], tokenize=False, add_generation_prompt=True
        )
        ids = tokenizer(text + "choice#", return_tensors="pt", add_special_tokens=False)[
            "input_ids"
        ]
        letters = [tokenizer.encode(letter, add_special_tokens=False) for letter in "ABCDE"]
        with torch.no_grad():
            logits = model(ids).logits[0, -1].log_softmax(-1)
        own = [float(logits[token]) for [token] in letters]
        theirs = [float(pair[0][0]) for pair in line["resps"]]
        assert theirs == pytest.approx(own, abs=1e-4)
        assert line["letter_mass"] == pytest.approx(math.fsum(map(math.exp, own)), abs=1e-4)
        letter = "ABCDE"[theirs.index(max(theirs))]
        answers.append(
            {"answer": f"choice#{letter}", "gold": row["gold"], "letters": row["letters"]}
        )
    check(results, lines, cli_score(answers))
    assert 0 < results["brier,none"] < 2


def test_lm_eval_s_command_runs_the_documented_call(held_out_rows, tasks, tmp_path):
    metadata = {"rows": held_out_rows, "allow_test": True}
    command = ["lm_eval", "run", "--model", "dummy", "--tasks", "steerbench", "--limit", "4"]
    command += ["--include_path", str(tasks), "--metadata", json.dumps(metadata)]
    command += ["--output_path", str(tmp_path), "--log_samples"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [results] = tmp_path.rglob("results_*.json")
    found = json.loads(results.read_text())["results"]["steerbench"]
    # The dummy model says "lol".
    assert found["reward,none"] == -0.5 and found["unreadable,none"] == 1


@pytest.mark.parametrize(
    "metadata, message",
    [
        ({}, "--metadata"),
        ({"rows": "held_out_rows"}, "allow_test"),
        ({"rows": "decision_rows"}, "wants rows of rl"),
        ({"rows": "rl_rows", "scheme": "symetric"}, "unknown scheme 'symetric'"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(request, tasks, metadata, message):
    if "rows" in metadata:
        metadata = {**metadata, "rows": request.getfixturevalue(metadata["rows"])}
    manager = TaskManager(include_path=str(tasks), include_defaults=False, metadata=metadata)
    with pytest.raises(SteerError, match=message):
        simple_evaluate(model=Scripted(), tasks=["steerbench"], task_manager=manager)
