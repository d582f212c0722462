"""The reward functions of TRL and verl as their trainers call them, without the trainers."""

import asyncio
import inspect
import os
import pickle
import subprocess
import sys
import unittest
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from support import CLI, ROOT, RefusalTest

from steerbench import trl, verl
from steerbench.engines import open_engine
from steerbench.judge import METRIC_KEYS, judge
from steerbench.scorer import SCHEMES

ANSWERS = ["ASK", "ACT", "", "ASK or WAIT", '{"intervention": "WAIT", "reason": "r"}']
GOLDS = ["ASK", "WAIT", "ASK", "ASK", "ACT"]
READY = {
    "symmetric": (trl.symmetric_reward, trl.symmetric_reward_async),
    "asymmetric": (trl.asymmetric_reward, trl.asymmetric_reward_async),
}
END = 7


def chat(text):
    return [{"role": "assistant", "content": text}]


def called(function, *args, **named):
    found = function(*args, **named)
    return asyncio.run(found) if inspect.isawaitable(found) else found


class Log:
    def __init__(self):
        self.metrics, self.extra = {}, {}

    def __call__(self):
        return {"log_metric": self.metrics.__setitem__, "log_extra": self.extra.__setitem__}


class TrlTest(RefusalTest):
    def test_each_scheme_pays_in_all_forms_what_judge_says(self):
        for scheme, functions in READY.items():
            expected = [each.reward for each in judge(GOLDS, ANSWERS, scheme=scheme)]
            made = trl.make_reward(scheme)
            for function in (*functions, made, trl.make_reward(scheme, is_async=True)):
                for completions in (ANSWERS, [chat(answer) for answer in ANSWERS]):
                    found = called(function, completions, gold=GOLDS, trainer_state=None, domain=[])
                    self.assertEqual(found, expected)

    def test_every_key_is_logged_on_every_call_even_for_an_empty_batch(self):
        for function in (*READY["asymmetric"], trl.make_reward()):
            log = Log()
            called(function, ANSWERS, gold=GOLDS, **log())
            judgements = judge(GOLDS, ANSWERS)
            for key in METRIC_KEYS:
                mean = sum(each.metrics[key] for each in judgements) / len(judgements)
                self.assertEqual(log.metrics[key], mean, key)
            self.assertEqual(set(log.metrics), set(METRIC_KEYS))
            self.assertEqual(
                log.extra,
                {
                    f"{function.__name__}/outcome": [each.outcome for each in judgements],
                    f"{function.__name__}/pred": [each.pred or "" for each in judgements],
                },
            )
            log = Log()
            self.assertEqual(called(function, [], gold=[], **log()), [])
            self.assertEqual(log.metrics, dict.fromkeys(METRIC_KEYS, 0.0))

    def test_a_message_without_content_is_an_empty_answer(self):
        tool_call = [{"role": "assistant", "content": None, "tool_calls": []}]
        blocks = chat(
            [{"type": "text", "text": "AS"}, {"type": "image"}, {"type": "text", "text": "K"}]
        )
        turns = [*chat("ACT"), {"role": "tool", "content": "done"}, *chat("ASK")]
        log = Log()
        rewards = trl.symmetric_reward([tool_call, [], blocks, turns], gold=["ASK"] * 4, **log())
        self.assertEqual(rewards, [-0.1, -0.1, 1.0, 1.0])
        self.assertEqual(log.metrics["empty"], 0.5)
        self.refuses("answers.0. must be a text", trl.symmetric_reward, [None], gold=["ASK"])

    def test_F17_the_finish_follows_from_the_last_token_and_the_length(self):
        reward = trl.make_reward(end_token_ids=[END, 0], max_completion_length=3)
        ids = [[1, 2, 3], [1, 2, END], [1, 0], [1, 2], [], [1, 2, 3, 4]]
        log = Log()
        rewards = reward(["ASK"] * 6, gold=["ASK"] * 6, completion_ids=ids, **log())
        self.assertEqual(rewards, [-0.5, 1.0, 1.0, 1.0, 1.0, -0.5])
        self.assertEqual(log.metrics["finish_known"], 4 / 6)
        one = trl.make_reward(end_token_ids=END, max_completion_length=3)
        self.assertEqual(one(["ASK"], gold=["ASK"], completion_ids=[[1, 2, END]]), [1.0])
        trl.asymmetric_reward(["ASK"], gold=["ASK"], completion_ids=[[1, 2, 3]], **log())
        self.assertEqual((log.metrics["finish_known"], log.metrics["cut_off"]), (0.0, 0.0))
        self.refuses("only together", trl.make_reward, end_token_ids=END)
        self.refuses("only together", trl.make_reward, max_completion_length=3)

    def test_letters_are_read_and_an_echo_of_a_plain_prompt_is_passed_over(self):
        letters = ["WAIT", "ACT", "REMEMBER", "ASK", "FORGET"]
        rewards = trl.symmetric_reward([chat("choice#D")], gold=["ASK"], letters=[letters])
        self.assertEqual(rewards, [1.0])
        echo = {"completions": ["ACT? ASK"], "prompts": ["ACT?"]}
        self.assertEqual(trl.symmetric_reward(**echo, gold=["ASK"]), [1.0])

    def test_lengths_and_labels_are_refused_when_wrong(self):
        for function in (*READY["symmetric"], trl.make_reward()):
            self.refuses("needs a column gold", called, function, ANSWERS)
            self.refuses("1 golds, 5 answers", called, function, ANSWERS, gold=["ASK"])
            self.refuses("'Ask ' is not a label", called, function, ["ASK"], gold=["Ask "])
        cut = trl.make_reward(end_token_ids=END, max_completion_length=3)
        self.refuses("0 finishes", cut, ["ASK"], gold=["ASK"], completion_ids=[])

    def test_names_tell_the_schemes_apart_and_all_can_be_pickled(self):
        own = trl.make_reward("symmetric", {"wrong": -0.05}, name="mild")
        engined = trl.make_reward(engine=open_engine("node", CLI), is_async=True)
        names = [
            (trl.symmetric_reward, "symmetric_reward"),
            (trl.asymmetric_reward_async, "asymmetric_reward_async"),
            (trl.make_reward("symmetric"), "symmetric_reward"),
            (own, "mild"),
            (engined, "asymmetric_reward"),
        ]
        for function, name in names:
            copy = pickle.loads(pickle.dumps(function))
            self.assertEqual((function.__name__, copy.__name__), (name, name))
        self.assertEqual(pickle.loads(pickle.dumps(own))(["WAIT"], gold=["ASK"]), [-0.05])
        self.refuses("garbage pays", trl.make_reward, prices={"wrong": -9})

    def test_an_engine_judges_in_its_stead(self):
        with open_engine("node", CLI, timeout=30) as engine:
            for is_async in (False, True):
                reward = trl.make_reward(engine=engine, is_async=is_async)
                found = called(reward, ANSWERS, gold=GOLDS)
                self.assertEqual(found, trl.asymmetric_reward(ANSWERS, gold=GOLDS))


class VerlTest(RefusalTest):
    def score(self, answer="WAIT", gold="ASK", **named):
        return verl.compute_score("steerbench/v1", answer, gold, {"split": "train"}, **named)

    def test_the_keys_are_fixed_and_plain(self):
        keys = {"score", "acc", "pred", "outcome", *METRIC_KEYS}
        for answer, gold in zip([*ANSWERS, "x" * 70_000], [*GOLDS, "ASK"]):
            for scheme in SCHEMES:
                found = self.score(answer, gold, scheme=scheme)
                [expected] = judge([gold], [answer], scheme=scheme)
                self.assertEqual(set(found), keys)
                kinds = {key: str if key in ("pred", "outcome") else float for key in keys}
                self.assertEqual({key: type(value) for key, value in found.items()}, kinds)
                self.assertEqual(found["score"], expected.reward)
                self.assertEqual(found["pred"], expected.pred or "")
                self.assertEqual(found["finish_known"], 0.0)

    def test_it_is_called_by_keyword_with_more_than_it_needs(self):
        named = {"data_source": "s", "solution_str": "ASK", "ground_truth": "ASK", "extra_info": {}}
        found = verl.compute_score(**named, reward_router_address=None)
        self.assertEqual(found["score"], 1.0)
        bound = partial(verl.compute_score_async, scheme="symmetric")
        self.assertTrue(inspect.iscoroutinefunction(verl.compute_score_async))
        self.assertEqual(asyncio.run(bound(**named)), self.score("ASK", scheme="symmetric"))

    def test_schemes_and_prices_come_as_a_configuration_gives_them(self):
        for prices in ({"wrong": -0.05}, UserDict(wrong=-0.05), ["wrong=-0.05"]):
            self.assertEqual(self.score(scheme="symmetric", prices=prices)["score"], -0.05)
        self.assertEqual(self.score(prices={"wrong": -9}, allow_dominated=True)["score"], -9.0)
        self.refuses("garbage pays", self.score, prices={"wrong": -9})
        self.refuses("unknown scheme", self.score, scheme="symetric")

    def test_F01_a_broken_call_is_an_error_never_a_score(self):
        self.refuses("is not a label", self.score, gold="ESCALATE")
        self.refuses("must be a text", self.score, answer=None)

    def test_many_threads_get_their_own_answers_and_share_one_engine(self):
        engine = {"name": "node", "command": CLI, "timeout": 30}
        self.addCleanup(lambda: [each.close() for each in verl._engines.values()])
        for named in ({}, {"engine": engine}):
            score = partial(self.score, **named)
            with ThreadPoolExecutor(8) as pool:
                found = list(pool.map(score, ANSWERS * 40))
            self.assertEqual(found, list(map(self.score, ANSWERS * 40)))
        self.assertEqual(len(verl._engines), 1)
        call = verl.compute_score_async("s", "ASK", "ASK", engine=engine)
        self.assertEqual(asyncio.run(call)["score"], 1.0)

    def test_the_printed_path_is_the_file(self):
        command = [sys.executable, "-B", "-m", "steerbench.verl", "--path"]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "envs")}
        printed = subprocess.run(
            command, capture_output=True, text=True, check=True, env=env
        ).stdout
        self.assertEqual(Path(printed.rstrip("\n")), Path(verl.__file__).resolve())


if __name__ == "__main__":
    unittest.main()
