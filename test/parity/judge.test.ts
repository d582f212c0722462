import { describe, expect, it } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { metricsOf } from "../../src/env/metrics.ts";
import { OUTCOMES } from "../../src/task/outcome.ts";
import { SCHEMES, type Scheme } from "../../src/task/scheme.ts";
import { type Payment, type ScoreInput, score } from "../../src/task/score.ts";
import { fuzzCases } from "./fuzz-texts.ts";
import { describeWithPython, python } from "./python.ts";

const ANSWERS = 5000;
const FINISHES = ["stop", "length", null, "max_tokens", "", "LENGTH"];

const CASES: ScoreInput[] = fuzzCases("judge")
  .slice(-ANSWERS) // with the few long ones, which come last
  .map(({ endTokens: _, ...asked }, k) => ({
    ...asked,
    gold: LABELS[(k * 7) % LABELS.length] ?? "ACT",
    finish: FINISHES[k % FINISHES.length],
  }));

/** A judgement as the Python driver writes it. */
type Said = Payment & { readonly metrics: ReturnType<typeof metricsOf> };

function say(input: ScoreInput, scheme: Scheme): Said {
  const { strict, lenient, payments } = score(input, [scheme]);
  const { outcome, reward } = payments[scheme.name] as Payment;
  const metrics = metricsOf({ outcome, strict, lenient, finish: input.finish }, scheme.parse);
  return { reward, outcome, metrics };
}

describe("the answers to judge", () => {
  it("are mixed: every outcome is common", () => {
    const outcomes = CASES.map((input) => say(input, SCHEMES.symmetric).outcome);
    for (const outcome of OUTCOMES) {
      expect(outcomes.filter((each) => each === outcome).length).toBeGreaterThan(ANSWERS / 50);
    }
  });
});

describeWithPython("judge() of the Python package", () => {
  const input = CASES.map((each) => JSON.stringify(each)).join("\n");
  const command = [process.execPath, "dist/cli/main.js"];

  it.each(Object.values(SCHEMES))(
    "equals the scorer on both engines, for 5,000 mixed answers under $name",
    { timeout: 60_000 },
    (scheme) => {
      const expected = CASES.map((each) => say(each, scheme));
      const lines = python(["test/parity/judge_driver.py", scheme.name, ...command], input);
      const engines = lines.trim().split("\n");
      expect(engines).toHaveLength(2);
      for (const [k, line] of engines.entries()) {
        const said = JSON.parse(line) as Said[];
        expect(said).toHaveLength(ANSWERS);
        const differing = said.flatMap((each, i) => {
          const same = JSON.stringify(sorted(each)) === JSON.stringify(sorted(expected[i] as Said));
          return same ? [] : [{ engine: k, input: CASES[i], said: each, expected: expected[i] }];
        });
        expect(differing.slice(0, 3)).toEqual([]);
      }
    },
  );
});

/** The same judgement with its metrics in one order. */
function sorted({ reward, outcome, metrics }: Said): unknown {
  return [reward, outcome, Object.entries(metrics).sort()];
}
