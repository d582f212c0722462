"""Every parity vector, against this port: ``python3 -m unittest discover envs/tests``."""

import hashlib
import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "envs"))

from steerbench import scorer  # noqa: E402
from steerbench._text import well_formed  # noqa: E402


def load(name):
    return json.loads((ROOT / "parity-vectors" / name).read_text(encoding="utf-8"))


def sha256(text):
    return hashlib.sha256(well_formed(text).encode("utf-8")).hexdigest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def answer_text(case):
    answer = case["answer"]
    if isinstance(answer, str):
        return answer
    return answer["prefix"] + answer["unit"] * answer["times"] + answer["suffix"]


def as_stored(parse):
    """A parse as the vectors write it: `reason` and `multiple` only where they say something."""
    stored = {"label": parse.label, "rung": parse.rung}
    if parse.reason is not None:
        stored["reason"] = parse.reason
    if parse.multiple:
        stored["multiple"] = True
    return stored


def as_scheme(table):
    scheme = scorer.Scheme(table["name"], table["parse"], {})
    return scheme._replace(prices={key: float(price) for key, price in table["prices"].items()})


class ParityTest(unittest.TestCase):
    maxDiff = None

    def schemes(self, table):
        return {scheme["name"]: as_scheme(scheme) for scheme in table["schemes"]}

    def test_package_holds_the_tables_that_its_vectors_came_with(self):
        manifest = load("manifest.json")
        self.assertEqual(scorer.VECTORS_SHA256, manifest["sha256"])
        self.assertEqual(scorer.SCORER_VERSION, manifest["scorerVersion"])
        self.assertEqual(sha256(canonical(manifest["files"])), manifest["sha256"])
        for name, digest in manifest["files"].items():
            text = (ROOT / "parity-vectors" / name).read_bytes()
            self.assertEqual(hashlib.sha256(text).hexdigest(), digest, name)
        for name in ("manifest.json", "rules.json", "schemes.json"):
            own = (ROOT / "envs" / "steerbench" / "data" / name).read_bytes()
            self.assertEqual(own, (ROOT / "parity-vectors" / name).read_bytes(), name)

    def test_answers_read_alike(self):
        for case in load("parses.json")["cases"]:
            parses = scorer.parse(
                answer_text(case), case.get("letters"), case.get("prompt"), case.get("endTokens")
            )
            with self.subTest(case["about"], answer=str(case["answer"])[:300]):
                self.assertEqual(as_stored(parses.strict), case["strict"])
                self.assertEqual(as_stored(parses.lenient), case["lenient"])

    def test_outcomes_are_alike(self):
        for case in load("outcomes.json")["cases"]:
            with self.subTest(case):
                outcome = scorer.classify(case["gold"], case["read"], case["finish"])
                self.assertEqual(outcome, case["outcome"])

    def test_rewards_are_alike(self):
        table = load("rewards.json")
        schemes = self.schemes(table)
        for case in table["cases"]:
            gold, answer, scheme = case["gold"], case["answer"], schemes[case["scheme"]]
            is_cut = answer == "cut_off"
            text = "?" if answer is None or is_cut else answer
            if scheme.parse == "strict":
                text = json.dumps({"intervention": text, "reason": ""})
            with self.subTest(case):
                scored = scorer.score(
                    gold, text, finish="length" if is_cut else None, schemes=[scheme]
                )
                payment = scored.payments[case["scheme"]]
                self.assertEqual(payment, (case["outcome"], case["reward"]))

    def test_choices_are_alike(self):
        for case in load("choices.json")["cases"]:
            scheme = as_scheme(case["scheme"])
            with self.subTest(scheme.name):
                found = scorer.dominance(scheme)
                self.assertEqual(found.pays, case["dominance"]["pays"])
                self.assertEqual(found.garbage, case["dominance"]["garbage"])
                cells = [cell._asdict() for cell in found.dominated]
                self.assertEqual(cells, case["dominance"]["dominated"])
                self.assertEqual(scorer.break_even(scheme), case["breakEven"])
                for row in case["expected"]:
                    rewards = scorer.expected_rewards(scheme, row["probabilities"])
                    self.assertEqual(rewards, row["rewards"])

    def test_group_advantages_are_alike(self):
        table = load("groups.json")
        schemes = self.schemes(table)
        for case in table["cases"]:
            with self.subTest(case["outcomes"], scheme=case["scheme"]):
                found = scorer.group_advantages(case["outcomes"], schemes[case["scheme"]])
                expected = case["advantages"]
                self.assertEqual(found.advantages, expected and tuple(map(float, expected)))
                self.assertEqual(found.skip, case["skip"])

    def test_letters_are_alike(self):
        table = load("letters.json")
        for case in table["cases"]:
            self.assertEqual(scorer.offset_of(case["id"]), case["offset"], case["id"])
        for row in table["offsets"]:
            self.assertEqual(list(scorer.letters_at(row["offset"])), row["letters"])
            for label, letter in row["letterOf"].items():
                self.assertEqual(scorer.letter_of(label, row["offset"]), letter)

    def test_prompt_hashes_are_of_the_prompt_texts(self):
        table = load("prompts.json")
        instructions, choices = table["instructions"], table["choices"]
        for case in table["cases"]:
            text = case["text"]
            self.assertEqual(sha256(text), case["situationHash"])
            generative = sha256(f"{instructions['generative']}\n\n{text}")
            self.assertEqual([generative, generative], [case["generative"], case["merged"]])
            decision = [sha256(f"{instructions['decision']}\n\n{text}\n\n{c}") for c in choices]
            self.assertEqual(decision, case["decision"])


if __name__ == "__main__":
    unittest.main()
