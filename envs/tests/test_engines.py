"""Engines against the real ``steerbench serve --stdio``: the same judgements as in process."""

import pickle
import threading
import unittest

from engine_support import ANSWERS, FAKE, GOLDS, EngineTest, child_of, is_running
from support import CLI

from steerbench import _frames
from steerbench._batch import Batch
from steerbench.engines import open_engine
from steerbench.judge import judge
from steerbench.schemes import resolve_scheme


class NodeTest(EngineTest):
    def test_batches_of_several_frames_are_judged_as_in_process(self):
        engine = self.node()
        found = judge(GOLDS, ANSWERS, engine=engine)
        self.assertEqual(found, judge(GOLDS, ANSWERS))
        self.assertEqual(judge([], [], engine=engine), [])

    def test_prices_of_ones_own_reach_node_even_dominated_ones(self):
        scheme = resolve_scheme("symmetric", {"wrong": 1 / 3, "correct": 0.1}, allow_dominated=True)
        scheme = scheme._replace(name="My scheme", parse="strict")
        answers = ["ASK", *ANSWERS[:9]]
        found = judge(GOLDS[:10], answers, None, scheme, engine=self.node())
        self.assertEqual(found, judge(GOLDS[:10], answers, None, scheme))

    def test_texts_that_are_hard_to_send_are_judged_as_in_process(self):
        answers = [
            "\ud800 ASK",
            "\ud83d\ude00 ASK",
            "\u2028\n\r\0ASK",
            "\x01" * 2**21,
            "<think>" + "x" * 200_000 + "</think>ASK",
            "\U0001f600" * 2**20,
        ]
        for name, values in (("answers", answers), ("prompts", [*answers[:5], "A" * 2**24])):
            call = {"golds": ["ASK"] * 6, "answers": [*answers[:5], "ASK"], name: values}
            self.assertEqual(judge(**call, engine=self.node()), judge(**call))

    def test_frames_hold_no_more_answers_and_bytes_than_node_takes(self):
        batch = Batch(*([column] * 1300 for column in ("ASK", "x" * 30_000, None, None, None)))
        frames = list(_frames.frames_of(batch, resolve_scheme()))
        self.assertEqual(sum(frame.size for frame in frames), 1300)
        self.assertLess(max(len(frame.line) for frame in frames), 5 * 2**20)
        batch = Batch(*([column] * 1300 for column in ("ASK", "x", None, None, None)))
        frames = _frames.frames_of(batch, resolve_scheme())
        self.assertEqual([frame.size for frame in frames], [512, 512, 276])

    def test_no_frame_is_longer_than_node_takes_and_what_fits_none_is_refused_before_sending(self):
        for unit in ("\0", "\U0001f600", "\ud83d", "é"):
            text = unit * 2**20
            columns = (["ASK"] * 3, ["x" * 2**22, text, text], [None] * 3, [None] * 3, [text] * 3)
            for frame in _frames.frames_of(Batch(*columns), resolve_scheme()):
                self.assertLess(len(frame.line), 16 * 2**20)
        batch = Batch(["ASK"], ["x"], ["f" * 2**24], [None], [None])
        engine = self.node(["/nowhere/steerbench"])
        self.refuses(r"answers\[0\]: .* Node takes", list, _frames.frames_of(batch, resolve_scheme()))
        self.refuses("node engine", engine.judge_batch, batch, resolve_scheme())

    def test_what_is_wrong_with_a_call_is_said_without_asking_node(self):
        engine = self.node(["/nowhere/steerbench"])
        self.refuses(r"golds\[0\]", judge, ["x"], ["y"], engine=engine)
        self.refuses(
            "cannot start /nowhere/steerbench: .*npm install", judge, ["ASK"], ["y"], engine=engine
        )
        self.refuses("list of texts", open_engine, "node", "steerbench")
        self.refuses("timeout", open_engine, "node", timeout=0)
        self.refuses('use "python" or "node"', open_engine, "ruby")

    def test_threads_share_one_child_and_get_their_own_answers(self):
        engine, results = self.node(), {}

        def work(k):
            results[k] = judge(GOLDS[k : k + 50], ANSWERS[k : k + 50], engine=engine)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k, found in results.items():
            self.assertEqual(found, judge(GOLDS[k : k + 50], ANSWERS[k : k + 50]))

    def test_a_pickled_engine_starts_a_child_of_its_own(self):
        engine = self.node()
        judge(["ASK"], ["ASK"], engine=engine)
        copy = pickle.loads(pickle.dumps(engine))
        self.addCleanup(copy.close)
        self.assertEqual(judge(["ASK"], ["ASK"], engine=copy)[0].reward, 1.0)
        self.assertNotEqual(child_of(engine), child_of(copy))

    def test_a_closed_engine_leaves_no_child_and_can_be_used_again(self):
        with open_engine("node", CLI) as engine:
            judge(["ASK"], ["ASK"], engine=engine)
            pid = child_of(engine)
        self.assertFalse(is_running(pid))
        self.assertEqual(judge(["ASK"], ["ASK"], engine=engine)[0].reward, 1.0)
        pid = child_of(engine)
        del engine
        self.assertFalse(is_running(pid))


class ShadowTest(EngineTest):
    def test_a_sample_is_judged_again_and_the_same_one_in_any_batch(self):
        engine = self.open("python", CLI, shadow=0.1)
        self.assertEqual(judge(GOLDS, ANSWERS, engine=engine), judge(GOLDS, ANSWERS))
        at_once = engine.shadowed
        self.assertTrue(60 < at_once < 200, at_once)
        for k in range(0, 1300, 100):
            judge(GOLDS[k : k + 100], ANSWERS[k : k + 100], engine=engine)
        self.assertEqual((engine.shadowed, engine.mismatches), (2 * at_once, 0))

    def test_a_mismatch_is_counted_and_logged_and_the_run_keeps_its_judgement(self):
        engine = self.open("python", [*FAKE, "differs"], shadow=1.0)
        with self.assertLogs("steerbench", "WARNING") as logs:
            found = judge(["ASK"] * 3, ["ASK"] * 3, engine=engine)
        self.assertEqual([each.reward for each in found], [1.0] * 3)
        self.assertEqual((engine.shadowed, engine.mismatches, len(logs.output)), (3, 3, 3))
        self.assertIn("gold ASK, answer 'ASK'", logs.output[0])

    def test_without_a_shadow_node_is_never_started(self):
        engine = self.open("python", ["/nowhere/steerbench"])
        self.assertEqual(judge(["ASK"], ["ASK"], engine=engine)[0].reward, 1.0)
        self.assertEqual((engine.shadowed, engine.mismatches), (0, 0))

    def test_a_shadow_that_cannot_be_asked_is_an_error(self):
        engine = self.open("python", ["/nowhere/steerbench"], shadow=1)
        self.refuses("cannot start", judge, ["ASK"], ["ASK"], engine=engine)
        self.refuses("0 to 1", open_engine, shadow=1.5)
        self.refuses("leave it out", open_engine, "node", shadow=0.1)

    def test_it_travels_to_other_processes(self):
        engine = self.open("python", CLI, shadow=1)
        copy = pickle.loads(pickle.dumps(engine))
        self.addCleanup(copy.close)
        judge(["ASK"], ["ASK"], engine=copy)
        self.assertEqual((engine.shadowed, copy.shadowed), (0, 1))


if __name__ == "__main__":
    unittest.main()
