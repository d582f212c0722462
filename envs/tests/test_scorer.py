"""What the Python scorer promises beyond the vectors: clear errors, and never a default."""

import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steerbench import scorer  # noqa: E402

SYMMETRIC = scorer.SCHEMES["symmetric"]


class ErrorTest(unittest.TestCase):
    def refuses(self, pattern, call, *args, **named):
        with self.assertRaisesRegex(scorer.SteerError, pattern) as caught:
            call(*args, **named)
        self.assertIsInstance(caught.exception, ValueError)

    def test_an_unknown_label_is_named(self):
        self.refuses("gold 'act' is not a label", scorer.score, "act", "ASK")
        self.refuses("gold None is not a label", scorer.score, None, "ASK", schemes=[])
        self.refuses("read 'STOP' is not a label", scorer.classify, "ACT", "STOP")
        self.refuses("label 'A' is not a label", scorer.letter_of, "A", 0)

    def test_an_answer_that_is_no_text_is_no_unreadable_answer(self):
        for answer in (None, b"ASK", 1, ["ASK"]):
            self.refuses("answer must be a text", scorer.parse, answer)

    def test_letters_are_all_five_labels_in_some_order(self):
        for letters in ("ABCDE", ["ACT"] * 5, ["ACT", "ASK"], 5, [["ACT"]] * 5):
            self.refuses("letters must list", scorer.parse, "A", letters)

    def test_other_arguments_of_the_wrong_kind(self):
        self.refuses("prompt must be a text", scorer.parse, "A", prompt=3)
        self.refuses("end_tokens must be a list", scorer.parse, "A", end_tokens="</s>")
        self.refuses("end_tokens must be a list", scorer.parse, "A", end_tokens=[1])
        for offset in (-1, 5, "0", 1.0):
            self.refuses("offset", scorer.letters_at, offset)
        self.refuses("a trace id is a text", scorer.offset_of, 7)

    def test_prices_are_finite_numbers_of_known_outcomes(self):
        for price in (float("nan"), float("inf"), "1", None, True):
            self.refuses("finite number", scorer.with_prices, SYMMETRIC, {"wrong": price})
        self.refuses("unknown outcome 'ok'", scorer.with_prices, SYMMETRIC, {"ok": 1})
        typo = SYMMETRIC._replace(parse="Strict")
        self.refuses("strict or lenient", scorer.score, "ASK", "ASK", schemes=[typo])

    def test_groups_and_probabilities_are_complete(self):
        self.refuses("at least one answer", scorer.group_advantages, [], SYMMETRIC)
        self.refuses("unknown outcome", scorer.group_advantages, ["correct", "ok"], SYMMETRIC)
        self.refuses("one entry for each", scorer.expected_rewards, SYMMETRIC, {"ACT": 1.0})

    def test_built_in_prices_cannot_be_changed(self):
        with self.assertRaises(TypeError):
            SYMMETRIC.prices["correct"] = 2
        changed = scorer.with_prices(SYMMETRIC, {"wrong": -1})
        self.assertEqual((changed.prices["wrong"], SYMMETRIC.prices["wrong"]), (-1.0, 0.0))


class ReadingTest(unittest.TestCase):
    def test_surrogate_halves_apart_are_the_character_they_make(self):
        self.assertEqual(scorer.parse("\ud83d\ude00 ASK"), scorer.parse("\U0001f600 ASK"))
        self.assertEqual(scorer.offset_of("\ud83d\ude00"), scorer.offset_of("\U0001f600"))

    def test_end_tokens_may_come_from_a_generator(self):
        parses = scorer.parse("ASK#WAIT", end_tokens=(token for token in ["#"]))
        self.assertEqual(parses.lenient.label, "ASK")

    def test_deep_and_long_answers_neither_throw_nor_recurse(self):
        for unit in ("{", "[", '{"a":', "[{"):
            self.assertIsNone(scorer.parse(unit * 9000).lenient.label)
        nested = '{"intervention":"ASK","reason":"r","x":' + "[" * 9000 + "]" * 9000 + "}"
        self.assertEqual(scorer.parse(nested).strict.reason, "not_one_object")
        digits = '{"intervention":"ASK","reason":"r","x":' + "9" * 9000 + "}"
        self.assertEqual(scorer.parse(digits).strict.label, "ASK")

    def test_threads_read_as_one_does(self):
        answers = [f'{{"intervention":"ASK","reason":"{i}","a":1,"a":2}}' for i in range(200)]
        answers += [f"Final answer: ASK, not ACT {i}" for i in range(200)]
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(
                list(pool.map(scorer.parse, answers)), list(map(scorer.parse, answers))
            )


if __name__ == "__main__":
    unittest.main()
