"""The function behind all adapters: one judgement per answer, one fixed set of keys, no default."""

import importlib
import pickle
import unittest
from unittest import mock

from support import RefusalTest

from steerbench import _judgement, _smoke
from steerbench import judge as judge_module
from steerbench.judge import METRIC_KEYS, judge
from steerbench.schemes import resolve_scheme
from steerbench.scorer import LABELS, OUTCOMES, SCHEMES

ASK = '{"intervention": "ASK", "reason": "r"}'


class JudgeTest(RefusalTest):
    def test_keys_are_always_the_same_floats(self):
        expected = (*OUTCOMES, "acc", "strict_ok", "lenient_ok", "empty", "finish_known")
        self.assertEqual(METRIC_KEYS, expected)
        answers = [ASK, "ASK", "", "x", "ACT", "WAIT", "ASK or WAIT", "?" * 100_000]
        for scheme in SCHEMES:
            for found in judge(["ASK"] * 8, answers, ["length", *[None] * 7], scheme):
                self.assertEqual(tuple(found.metrics), METRIC_KEYS)
                self.assertLessEqual(
                    {(type(x), x) for x in found.metrics.values()}, {(float, 0.0), (float, 1.0)}
                )
                self.assertEqual(sum(found.metrics[key] for key in OUTCOMES), 1.0)
                self.assertEqual(found.metrics[found.outcome], 1.0)
                self.assertEqual(found.reward, SCHEMES[scheme].prices[found.outcome])
                self.assertIs(type(found.reward), float)
        self.assertEqual(judge([], []), [])

    def test_metrics_say_what_was_read(self):
        [found] = judge(["WAIT"], ["I would WAIT."], ["stop"])
        self.assertEqual((found.outcome, found.pred), ("correct", "WAIT"))
        metrics = {key for key in METRIC_KEYS if found.metrics[key]}
        self.assertEqual(metrics, {"correct", "acc", "lenient_ok", "finish_known"})
        [found] = judge(["WAIT"], [" \n"], [""])
        self.assertEqual(
            {key for key in METRIC_KEYS if found.metrics[key]}, {"unreadable", "empty"}
        )
        self.assertEqual(found.flat(), {**found.metrics, "pred": ""})

    def test_pred_is_what_the_parse_of_the_scheme_read(self):
        strict = SCHEMES["symmetric"]._replace(parse="strict")
        [lenient] = judge(["ASK"], ["ASK"], scheme="symmetric")
        [found] = judge(["ASK"], ["ASK"], scheme=strict)
        self.assertEqual((lenient.pred, found.pred), ("ASK", None))
        self.assertEqual((found.outcome, found.metrics["lenient_ok"]), ("unreadable", 1.0))

    def test_letters_and_prompts_may_be_known_for_some_answers_only(self):
        letters = ["WAIT", "ACT", "REMEMBER", "ASK", "FORGET"]
        found = judge(
            ["ASK"] * 3,
            ["D", "D", "Q: ACT? ASK"],
            None,
            letters=[letters, None, None],
            prompts=[None, None, "Q: ACT?"],
        )
        self.assertEqual([each.pred for each in found], ["ASK", None, "ASK"])

    def test_metrics_of_one_answer_are_its_own(self):
        first, second = judge(["ASK"] * 2, [ASK] * 2)
        first.metrics["acc"] = 7
        self.assertEqual(
            (second.metrics["acc"], judge(["ASK"], [ASK])[0].metrics["acc"]), (1.0, 1.0)
        )

    def test_a_scheme_that_was_resolved_is_taken_as_it_is(self):
        dominated = resolve_scheme("symmetric", {"wrong": -9}, allow_dominated=True)
        self.assertEqual(judge(["ASK"], ["WAIT"], scheme=dominated)[0].reward, -9.0)
        self.refuses("unknown scheme 'x'", judge, [], [], scheme="x")

    def test_judgements_travel_to_other_processes(self):
        found = judge(["ASK"], [ASK])
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)


class ReportedFaultsTest(RefusalTest):
    def test_F01_a_gold_answer_that_is_no_label_is_an_error_never_a_reward(self):
        for gold in ("Ask ", "ESCALATE", "", None, 1):
            self.refuses(r"golds\[1\]: .* is not a label", judge, ["ASK", gold], [ASK, ASK])

    def test_F03_a_missing_completion_is_named_and_nothing_is_passed_off_as_judged(self):
        answers = [ASK] * 4 + [None] + [ASK] * 3
        self.refuses(r"answers\[4\] must be a text, not NoneType", judge, ["ASK"] * 8, answers)

    def test_F07_judgements_come_in_the_order_of_the_answers(self):
        golds = list(LABELS) * 40
        found = judge(golds, [f"Final answer: {gold}" for gold in golds])
        self.assertEqual([each.pred for each in found], golds)

    def test_F11_a_failure_of_the_scorer_is_raised_not_priced(self):
        broken = mock.patch.object(judge_module, "read", side_effect=RuntimeError("broken"))
        with broken, self.assertRaisesRegex(RuntimeError, "broken"):
            judge(["ASK"], [ASK])

    def test_F17_only_the_answer_that_was_cut_off_is_paid_so(self):
        found = judge(["ASK"] * 4, [ASK] * 4, ["stop", "length", None, "stop"])
        self.assertEqual([each.reward for each in found], [1.0, -0.5, 1.0, 1.0])

    def test_lengths_must_agree(self):
        self.refuses("1 golds, 2 answers, 2 finishes", judge, ["ASK"], [ASK, ASK])
        self.refuses("3 finishes", judge, ["ASK"], [ASK], ["stop"] * 3)
        self.refuses("0 letters", judge, ["ASK"], [ASK], letters=[])

    def test_a_text_is_no_list_and_is_never_split_into_its_characters(self):
        sound = {"golds": ["ASK"] * 6, "answers": [ASK] * 6}
        for name in ("golds", "answers", "finishes", "letters", "prompts"):
            for value in ("length", b"length", 5, {"length": 1}):
                said = f"^{name} must be a list, one for each answer, not "
                self.refuses(said, judge, **{**sound, name: value})
        for name in ("golds", "answers"):
            self.refuses(f"{name} must be a list.*None", judge, **{**sound, name: None})

    def test_an_engine_is_one_that_was_opened_not_its_name(self):
        self.refuses("open_engine opened, not 'node'", judge, ["ASK"], [ASK], engine="node")

    def test_columns_may_come_from_anything_that_is_gone_through(self):
        found = judge(iter(["ASK"]), (each for each in [ASK]), ("stop",))
        self.assertEqual(found[0].outcome, "correct")

    def test_every_fault_is_listed_up_to_five(self):
        with self.assertRaises(ValueError) as caught:
            judge(["x", "ASK"], [1, ASK], [2, None], letters=[["A"], None], prompts=[b"", None])
        named = [line.split("[")[0] for line in str(caught.exception).split("\n")]
        self.assertEqual(named, ["golds", "answers", "finishes", "prompts", "letters"])
        self.refuses("and 3 more", judge, ["x"] * 8, [ASK] * 8)

    def test_letters_are_all_five_labels_in_some_order(self):
        for letters in ("ABCDE", ["ACT"] * 5, ["ACT", "ASK"], 5, [["ACT"]] * 5):
            self.refuses(r"letters\[0\] must list", judge, ["ASK"], ["A"], letters=[letters])


class SmokeTest(unittest.TestCase):
    def test_the_stored_judgements_cover_every_outcome_of_every_scheme(self):
        for name in SCHEMES:
            rows = [
                row for row in _smoke.load_table("smoke.json")["cases"] if row["scheme"] == name
            ]
            self.assertEqual({row["outcome"] for row in rows}, set(OUTCOMES))
            for key in METRIC_KEYS:
                self.assertEqual({row["metrics"][key] for row in rows}, {0, 1}, key)

    def test_a_scorer_that_differs_is_refused_at_import(self):
        damaged = mock.patch.object(_judgement, "_shared_metrics", lambda *flags: {"acc": 1.0})
        with damaged, self.assertRaisesRegex(ImportError, "smoke.json is judged as"):
            importlib.reload(judge_module)
        importlib.reload(judge_module)


if __name__ == "__main__":
    unittest.main()
