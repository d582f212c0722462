"""Drives Gymnasium itself: its registry, its checker, its vector forms."""

import json
import warnings

import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from steerbench.gymnasium import Answer  # noqa: E402
from steerbench.judge import METRIC_KEYS  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.scorer import LABELS, SteerError  # noqa: E402

IDS = ("steerbench/Decision-v0", "steerbench/Answer-v0")
INFO = {*METRIC_KEYS, "outcome", "pred", "gold", "trace_id", "family_id", "domain"}
SAME_STEP = {"autoreset_mode": "SameStep"}


@pytest.fixture(scope="module")
def exported(cli, tmp_path_factory):
    """Exports the demo set: a function from kind and part to the file."""
    folder = tmp_path_factory.mktemp("exports")

    def export(kind, part="train"):
        out = folder / f"{kind}-{part}"
        if not out.exists():
            allow = ["--allow-test"] if part == "test" else []
            cli(
                *("export", kind, "scenario-sets/demo", "--split", "splits/demo.json"),
                *("--part", part, *allow, "-o", out),
            )
        return str(out / f"{part}.jsonl")

    return export


@pytest.mark.parametrize("kind", ["rl", "decisions"])
@pytest.mark.parametrize("name", IDS)
def test_the_checker_accepts_both_environments_without_a_warning(exported, name, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, path=exported(kind))
        check_env(env.unwrapped)
        prompt, info = env.reset(seed=5)
        assert prompt in env.observation_space and set(info) < INFO
        assert env.step(env.action_space.sample())[0] in env.observation_space


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_every_answer_of_the_parity_vectors_gets_what_the_command_gives(
    exported, repository, cli_score, scheme
):
    path = exported("rl")
    rows = load_rows(path)
    env = gymnasium.make("steerbench/Answer-v0", path=path, scheme=scheme)
    cases = json.loads((repository / "parity-vectors/parses.json").read_text())["cases"]
    # A few are told as a text and how often it is repeated.
    answers = [case["answer"] for case in cases if isinstance(case["answer"], str)]
    asked, infos, rewards = [], [], []
    for index, answer in enumerate(answers):
        finish = (None, "stop", "length")[index % 3]
        row = rows[index % len(rows)]
        env.reset(options={"trace_id": row["trace_id"]})
        _, reward, terminated, truncated, info = env.step(Answer(answer, finish))
        assert terminated is True and truncated is (info["outcome"] == "cut_off")
        asked.append({"gold": row["gold"], "answer": answer, "finish": finish})
        infos.append(info)
        rewards.append(reward)
    expected = cli_score(asked, scheme)
    assert rewards == [each["reward"] for each in expected]
    for info, each in zip(infos, expected):
        assert set(info) == INFO
        assert {key: info[key] for key in METRIC_KEYS} == each["metrics"]
        assert (info["outcome"], info["pred"]) == (each["outcome"], each["pred"] or "")
    # Without this, the comparison could be one of a single outcome.
    assert {info["outcome"] for info in infos} == set(METRIC_KEYS[:6])


@pytest.mark.parametrize("kind", ["rl", "decisions"])
def test_a_label_number_is_a_whole_readable_answer(exported, kind):
    env = gymnasium.make("steerbench/Decision-v0", path=exported(kind), scheme="symmetric")
    for number, label in enumerate(LABELS):
        _, begun = env.reset(seed=number)
        _, reward, _, truncated, info = env.step(number)
        assert (info["pred"], info["trace_id"]) == (label, begun["trace_id"])
        assert info["strict_ok"] == info["lenient_ok"] == info["finish_known"] == 1.0
        assert not truncated and reward == info["acc"] == float(info["gold"] == label)


def test_a_letter_answers_a_lettered_prompt(exported):
    path = exported("decisions")
    env = gymnasium.make("steerbench/Answer-v0", path=path)
    for row in load_rows(path)[:10]:
        prompt, _ = env.reset(options={"trace_id": row["trace_id"]})
        assert prompt.endswith(f"E) {row['letters'][4]}")
        _, reward, _, _, info = env.step(row["raw"]["gold_letter"])
        assert reward == info["correct"] == info["strict_ok"] == 1.0


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_f17_vector_environments_report_every_metric_and_one_cut_off_answer_is_one(exported, mode):
    answers = (Answer("ACT", "length"), "Final answer: ACT", "")
    path = exported("rl")
    envs = gymnasium.make_vec(
        "steerbench/Answer-v0", 3, mode, vector_kwargs=SAME_STEP, path=path, scheme="symmetric"
    )
    try:
        _, begun = envs.reset(seed=3)
        _, rewards, terminated, truncated, infos = envs.step(answers)
        info = infos["final_info"]
    finally:
        envs.close()
    single = gymnasium.make("steerbench/Answer-v0", path=path, scheme="symmetric")
    assert terminated.all() and truncated.tolist() == [True, False, False]
    for index, answer in enumerate(answers):
        single.reset(options={"trace_id": begun["trace_id"][index]})
        _, reward, _, _, expected = single.step(answer)
        assert rewards[index] == reward
        assert {key: info[key][index] for key in expected} == expected
        assert all(info[f"_{key}"][index] for key in expected)


def test_a_step_then_a_reset_in_turn_is_the_vector_default(exported):
    envs = gymnasium.make_vec("steerbench/Decision-v0", 2, path=exported("rl"))
    envs.reset(seed=1)
    _, rewards, terminated, _, infos = envs.step([0, 1])
    assert terminated.all() and infos["finish_known"].tolist() == [1.0, 1.0]
    prompts, _, terminated, _, infos = envs.step([0, 1])
    assert all(prompts) and not terminated.any() and "outcome" not in infos


def test_a_seed_fixes_the_traces_whatever_the_order_of_the_file(exported, tmp_path):
    path = exported("rl")

    def walk(path, **options):
        env = gymnasium.make("steerbench/Decision-v0", path=path, allow_test=True, **options)
        return [env.reset(seed=7 if index == 3 else None)[1]["trace_id"] for index in range(9)]

    turned = tmp_path / "turned.jsonl"
    with open(path) as lines:
        turned.write_text("".join(reversed(list(lines))))
    assert walk(path) == walk(path) == walk(str(turned))
    assert walk(path)[:3] != walk(path, seed=1)[:3] and walk(path)[3:] == walk(path, seed=1)[3:]


def test_prices_can_be_replaced_and_garbage_pays_on_an_explicit_word_only(exported):
    def paid_for_garbage(price, **options):
        prices = {"unreadable": price}
        options.update(path=exported("rl"), prices=prices)
        env = gymnasium.make("steerbench/Answer-v0", **options)
        env.reset()
        return env.step("no idea")[1]

    assert paid_for_garbage(-0.75) == -0.75
    with pytest.raises(SteerError, match="garbage pays"):
        paid_for_garbage(0.5)
    assert paid_for_garbage(0.5, allow_dominated=True) == 0.5


def test_held_out_rows_need_an_explicit_word(exported):
    path = exported("rl", "test")
    with pytest.raises(SteerError, match="allow_test"):
        gymnasium.make("steerbench/Decision-v0", path=path)
    env = gymnasium.make("steerbench/Decision-v0", path=path, allow_test=True)
    assert env.reset()[0]


@pytest.mark.parametrize("action", [True, 5, -1, "ACT", 1.0, None])
def test_what_is_no_number_of_a_label_is_refused(exported, action):
    env = gymnasium.make("steerbench/Decision-v0", path=exported("rl"))
    env.reset()
    with pytest.raises(SteerError, match="0 ACT, 1 ASK"):
        env.step(action)
    assert env.step(0)[2], "a refused action must not end the episode"


def test_a_step_outside_an_episode_is_refused(exported):
    env = gymnasium.make("steerbench/Answer-v0", path=exported("rl"))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("ACT")
    env.reset()
    with pytest.raises(SteerError, match="NoneType"):
        env.step(None)
    env.step("ACT")
    with pytest.raises(SteerError, match="reset"):
        env.step("ACT")


@pytest.mark.parametrize("options", [{"trace_id": "t-none"}, {"trace": "t-none"}])
def test_unknown_traces_and_options_are_refused(exported, options):
    with pytest.raises(SteerError, match="no trace|trace_id"):
        gymnasium.make("steerbench/Answer-v0", path=exported("rl")).reset(options=options)
