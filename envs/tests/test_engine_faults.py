"""Engines whose child dies, hangs or talks nonsense, and processes that fork or are killed."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

from engine_support import ANSWERS, FAKE, GOLDS, EngineTest, child_of, is_running
from support import CLI

from steerbench.judge import judge


class MisbehavingChildTest(EngineTest):
    def test_a_child_killed_between_calls_is_replaced_once(self):
        engine = self.node()
        judge(["ASK"], ["ASK"], engine=engine)
        first = child_of(engine)
        os.kill(first, signal.SIGKILL)
        self.assertEqual(judge(["ASK"], ["ASK"], engine=engine)[0].reward, 1.0)
        self.assertNotEqual(child_of(engine), first)

    def test_a_child_killed_in_the_middle_of_a_call_is_replaced_once(self):
        engine = self.node()
        judge(["ASK"], ["ASK"], engine=engine)
        first = engine._child
        # Stopped, it takes what the pipe holds and no more: the call is then surely under way.
        os.kill(child_of(engine), signal.SIGSTOP)
        killer = threading.Timer(0.3, os.kill, (child_of(engine), signal.SIGKILL))
        killer.start()
        self.assertEqual(judge(GOLDS, ANSWERS, engine=engine), judge(GOLDS, ANSWERS))
        self.assertIsNot(engine._child, first)

    def test_a_child_that_never_answers_ends_the_call_at_its_deadline(self):
        engine = self.node([*FAKE, "silent"], timeout=0.5)
        begun = time.monotonic()
        self.refuses("no answer in time", judge, ["ASK"], ["ASK"], engine=engine)
        self.assertLess(time.monotonic() - begun, 5)
        self.assertIsNone(engine._child)

    def test_nonsense_is_an_error_after_one_more_try_never_a_reward(self):
        for fault, pattern in (
            ("dies", "ended with code 3; and again: ended with code 3"),
            ("closes", "closed its output; and again"),
            ("garbage", "no reply: b'{oops'; and again"),
            ("wrong_id", "something that was not asked"),
            ("twice", "something that was not asked"),
            ("few", "did not answer all of 1"),
            ("nothing", "did not answer all of 1"),
        ):
            with self.subTest(fault):
                engine = self.node([*FAKE, fault])
                self.refuses(pattern, judge, ["ASK"], ["ASK"], engine=engine)

    def test_a_child_that_writes_without_end_ends_the_call_in_time_and_in_little_memory(self):
        for command, pattern in (
            (["sh", "-c", "exec yes"], "no reply: b'y'"),
            (["sh", "-c", "exec cat /dev/zero"], "a line of over .* bytes; and again"),
            ([*FAKE, "endless"], "a line of over"),
        ):
            with self.subTest(command):
                engine = self.node(command, timeout=2.0)
                begun = time.monotonic()
                self.refuses(pattern, judge, ["ASK"], ["ASK"], engine=engine)
                self.assertLess(time.monotonic() - begun, 6)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 1 << 20, "in kB")

    def test_what_node_refuses_is_an_error_at_once(self):
        for fault, pattern in (
            ("refuses", "a frame was refused: .*too much"),
            ("item_error", r"answers\[0\] was not judged: .*internal"),
            ("other_scorer", "not the scorer that this package is a port of"),
        ):
            with self.subTest(fault):
                self.refuses(pattern, judge, ["ASK"], ["ASK"], engine=self.node([*FAKE, fault]))


class ProcessTest(EngineTest):
    def test_a_forked_process_starts_a_child_of_its_own(self):
        engine = self.node()
        judge(["ASK"], ["ASK"], engine=engine)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            calls = [(engine, answer) for answer in ("ASK", "ACT")]
            found = pool.starmap_async(pid_and_reward, calls).get(timeout=60)
        self.assertEqual([reward for _, reward in found], [1.0, -1.0])
        self.assertNotIn(child_of(engine), [pid for pid, _ in found])
        self.assertEqual(judge(["ASK"], ["ASK"], engine=engine)[0].reward, 1.0)

    def test_a_fork_inherits_the_engine_without_the_child_or_a_held_lock(self):
        engine = self.node()
        judge(["ASK"], ["ASK"], engine=engine)
        engine._lock.acquire()
        forked = os.fork()
        if forked == 0:
            try:
                good = (
                    engine._child is None
                    and judge(["ASK"], ["ASK"], engine=engine)[0].reward == 1.0
                )
                engine.close()
            finally:
                os._exit(0 if good else 1)
        engine._lock.release()
        self.assertEqual(os.waitpid(forked, 0)[1], 0)
        self.assertTrue(is_running(child_of(engine)))

    def test_the_child_ends_when_its_parent_is_killed_even_if_a_fork_lives_on(self):
        script = (
            "import os, sys, time\n"
            "from steerbench.engines import open_engine\n"
            f"engine = open_engine('node', {CLI!r})\n"
            "engine.judge(['ASK'], ['ASK'])\n"
            "fork = os.fork()\n"
            "if fork: print(engine._child._process.pid, fork, flush=True)\n"
            "time.sleep(60)\n"
        )
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=env)
        node, fork = map(int, parent.stdout.readline().split())
        parent.stdout.close()
        parent.kill()
        parent.wait()
        try:
            self.awaits(lambda: not is_running(node))
            self.assertTrue(is_running(fork))
        finally:
            os.kill(fork, signal.SIGKILL)


def pid_and_reward(engine, answer):
    return child_of(engine) if engine._child else None, engine.judge(["ASK"], [answer])[0].reward


if __name__ == "__main__":
    unittest.main()
