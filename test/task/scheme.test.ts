import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { bestChoice, breakEven, expectedRewards, pickHighest } from "../../src/task/choice.ts";
import { classify, OUTCOMES } from "../../src/task/outcome.ts";
import {
  dominance,
  pay,
  refuseDominated,
  SCHEMES,
  schemeSchema,
  withPrices,
} from "../../src/task/scheme.ts";
import { score } from "../../src/task/score.ts";

const { symmetric, asymmetric } = SCHEMES;

test("pays what the seed's table says, for every outcome", () => {
  const table = OUTCOMES.map((o) => [o, symmetric.prices[o], asymmetric.prices[o]]);
  expect(table).toEqual([
    ["correct", 1, 1],
    ["premature_act", 0, -1],
    ["missed_act", 0, -0.25],
    ["wrong", 0, 0],
    ["unreadable", -0.1, -0.5],
    ["cut_off", -0.1, -0.5],
  ]);
});

test("garbage pays less than every holding answer, for every gold label and both schemes", () => {
  for (const scheme of [symmetric, asymmetric]) {
    for (const gold of LABELS) {
      for (const answer of LABELS.filter((label) => label !== "ACT")) {
        expect(scheme.prices.unreadable).toBeLessThan(pay(scheme, gold, answer));
        expect(scheme.prices.cut_off).toBeLessThan(pay(scheme, gold, answer));
      }
    }
    expect(() => refuseDominated(scheme)).not.toThrow();
  }
});

test("only a premature ACT pays less than garbage, and only in the asymmetric scheme", () => {
  expect(dominance(symmetric).dominated).toEqual([]);
  const cells = dominance(asymmetric).dominated.map(({ gold, answer }) => `${gold}/${answer}`);
  expect(cells).toEqual(["ASK/ACT", "WAIT/ACT", "REMEMBER/ACT", "FORGET/ACT"]);
});

test("refuses prices under which garbage beats a holding answer, naming the cells", () => {
  const scheme = withPrices(asymmetric, { missed_act: -0.5 });
  expect(() => refuseDominated(scheme)).toThrow(
    /gold ACT, answer ASK: pays -0.5, garbage pays -0.5/,
  );
});

test("refuses unknown outcomes and prices that are not finite", () => {
  expect(() => withPrices(symmetric, { correct: Number.NaN })).toThrow(/finite number, not NaN/);
  expect(() => withPrices(symmetric, { corect: 1 } as never)).toThrow(/unknown outcome corect/);
  const broken = { ...symmetric, prices: { ...symmetric.prices, wrong: Number.POSITIVE_INFINITY } };
  expect(schemeSchema.safeParse(broken).success).toBe(false);
});

test("classifies the cross of gold and answer into exactly one outcome", () => {
  for (const gold of LABELS) {
    for (const read of LABELS) {
      const outcome = classify(gold, read, "stop");
      if (read === gold) expect(outcome).toBe("correct");
      else if (read === "ACT") expect(outcome).toBe("premature_act");
      else expect(outcome).toBe(gold === "ACT" ? "missed_act" : "wrong");
      expect(classify(gold, read, "length")).toBe("cut_off");
    }
    expect(classify(gold, null)).toBe("unreadable");
  }
});

test("P01, P02: acting pays from 0.5 on under symmetric prices and from 8/13 on under asymmetric", () => {
  expect(breakEven(symmetric)).toBe(0.5);
  expect(breakEven(asymmetric)).toBeCloseTo(8 / 13, 12);
  const at = (act: number) => ({ ACT: act, ASK: 1 - act, WAIT: 0, REMEMBER: 0, FORGET: 0 });
  expect(bestChoice(asymmetric, at(0.61))).toBe("ASK");
  expect(bestChoice(asymmetric, at(0.62))).toBe("ACT");
  expect(bestChoice(symmetric, at(0.51))).toBe("ACT");
});

test("expected rewards weigh what the scheme pays by the probability of each gold label", () => {
  const p = { ACT: 0.4, ASK: 0.3, WAIT: 0.2, REMEMBER: 0.1, FORGET: 0 };
  const expected = expectedRewards(asymmetric, p);
  expect(expected.ACT).toBeCloseTo(0.4 - 0.6, 12);
  expect(expected.ASK).toBeCloseTo(0.3 - 0.25 * 0.4, 12);
});

test("B31: an exact tie at the top is no choice, whichever labels share it", () => {
  expect(pickHighest({ ACT: 1, ASK: 2, WAIT: 0, REMEMBER: 2, FORGET: 1 })).toBeNull();
  expect(pickHighest({ ACT: 1, ASK: 2, WAIT: 0, REMEMBER: 1, FORGET: 1 })).toBe("ASK");
});

test("F17: only the answer that hit its token limit gets the cut-off price", () => {
  const answer = '{"intervention": "ASK", "reason": "r"}';
  const rewards = [null, "stop", "length", "stop"].map(
    (finish) => score({ answer, gold: "ASK", finish }).payments["asymmetric"]?.reward,
  );
  expect(rewards).toEqual([1, 1, -0.5, 1]);
});
