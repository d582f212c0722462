"""Schemes by name, file, table and override; refused as the command line refuses them."""

import copy
import json
import pickle
import tempfile
import unittest
from collections import UserDict
from pathlib import Path

from support import RefusalTest

from steerbench.schemes import resolve_scheme
from steerbench.scorer import OUTCOMES, SCHEMES, Scheme

TABLE = {
    "version": 1,
    "name": "own",
    "parse": "strict",
    "prices": {**SCHEMES["symmetric"].prices, "wrong": 0.25},
}


class ResolveTest(RefusalTest):
    def file(self, content):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "scheme.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    def test_built_in_schemes_go_by_their_names_and_asymmetric_is_the_default(self):
        self.assertEqual(resolve_scheme(), SCHEMES["asymmetric"])
        self.assertEqual(resolve_scheme("symmetric"), SCHEMES["symmetric"])
        self.assertEqual(resolve_scheme(SCHEMES["symmetric"]), SCHEMES["symmetric"])

    def test_prices_come_as_a_mapping_or_as_texts_of_a_command_line(self):
        for prices in ({"wrong": -0.05}, UserDict(wrong=-0.05), ["wrong=-0.05"], "wrong=-0.05"):
            scheme = resolve_scheme("symmetric", prices)
            self.assertEqual(scheme.prices, {**SCHEMES["symmetric"].prices, "wrong": -0.05})

    def test_files_and_tables_are_read_alike(self):
        for scheme in (self.file(TABLE), str(self.file("\ufeff" + json.dumps(TABLE))), TABLE):
            self.assertEqual(resolve_scheme(scheme), Scheme("own", "strict", TABLE["prices"]))

    def test_unknown_names_and_outcomes_are_named(self):
        self.refuses("'asym': use symmetric, asymmetric or a scheme file", resolve_scheme, "asym")
        self.refuses("a name, a file, a table or a Scheme, not None", resolve_scheme, None)
        self.refuses("unknown outcome 'ok'", resolve_scheme, prices={"ok": 1})

    def test_prices_are_finite_numbers(self):
        for price in (float("nan"), float("-inf"), 10**400, "1", True, None):
            self.refuses("wrong must be a finite", resolve_scheme, prices={"wrong": price})
        for text in ("wrong", "wrong=", "wrong=1_0", "wrong=1=2", "=1", "wrong=٠"):
            self.refuses("price|unknown outcome ''", resolve_scheme, prices=[text])
        self.refuses("finite", resolve_scheme, prices=["wrong=nan"])

    def test_every_fault_of_a_file_is_listed(self):
        bad = {"version": 2, "name": "Own", "parse": "both", "prices": {"correct": 1}, "more": 1}
        with self.assertRaises(ValueError) as caught:
            resolve_scheme(self.file(bad))
        for field in ("version", "name", "parse", "prices", "more"):
            self.assertIn(f"\n  {field}: ", str(caught.exception))
        self.refuses("not a valid scheme", resolve_scheme, self.file([]))
        self.refuses("cannot read", resolve_scheme, self.file("{"))
        self.refuses("repeated key 'a'", resolve_scheme, self.file('{"a":1,"a":2}'))
        whole = json.dumps(TABLE).replace("0.25", "9" * 400)
        self.refuses("finite", resolve_scheme, self.file(whole))
        self.refuses("finite", resolve_scheme, self.file(json.dumps(TABLE).replace("0.25", "NaN")))

    def test_a_version_is_the_number_1_and_not_what_equals_it(self):
        for version in (True, "1", None, 2):
            for scheme in (self.file({**TABLE, "version": version}), {**TABLE, "version": version}):
                self.refuses("version: must be 1", resolve_scheme, scheme)

    def test_the_example_of_a_price_is_one_that_both_schemes_take(self):
        with self.assertRaises(ValueError) as caught:
            resolve_scheme(prices=["wrong"])
        example = str(caught.exception).split()[-1]
        for scheme in SCHEMES:
            resolve_scheme(scheme, [example])

    def test_a_broken_scheme_value_is_refused(self):
        scheme = SCHEMES["symmetric"]
        self.refuses("strict or lenient", resolve_scheme, scheme._replace(parse="Strict"))
        self.refuses(
            "no price for premature_act, ", resolve_scheme, scheme._replace(prices={"correct": 1})
        )
        more = {**scheme.prices, "ok": 1}
        self.refuses("unknown outcome 'ok'", resolve_scheme, scheme._replace(prices=more))

    def test_garbage_must_pay_less_than_a_holding_answer_unless_allowed(self):
        cheap = {"wrong": -0.5}
        self.refuses("gold ASK, answer WAIT: pays -0.5, garbage", resolve_scheme, prices=cheap)
        self.assertEqual(resolve_scheme(prices=cheap, allow_dominated=True).prices["wrong"], -0.5)
        # A premature ACT may pay less than garbage, a missed one may not.
        resolve_scheme(prices={"premature_act": -9})
        self.refuses("gold ACT, answer ASK", resolve_scheme, prices={"missed_act": -0.5})
        self.refuses("allow_dominated=True", resolve_scheme, SCHEMES["symmetric"], ["cut_off=0"])


class SchemeTest(unittest.TestCase):
    def test_schemes_travel_to_other_processes_and_stay_read_only(self):
        original = resolve_scheme()
        for scheme in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original)):
            self.assertEqual(scheme, SCHEMES["asymmetric"])
            self.assertEqual(tuple(scheme.prices), OUTCOMES)
            with self.assertRaises(TypeError):
                scheme.prices["correct"] = 2


if __name__ == "__main__":
    unittest.main()
