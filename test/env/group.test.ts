import fc from "fast-check";
import { expect, test } from "vitest";
import { groupAdvantages } from "../../src/env/group.ts";
import { OUTCOMES, type Outcome } from "../../src/task/outcome.ts";
import { SCHEMES, withPrices } from "../../src/task/scheme.ts";

const { symmetric, asymmetric } = SCHEMES;
const groups = fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 16 });

test("an advantage is the reward minus the group's mean", () => {
  const { advantages } = groupAdvantages(
    ["correct", "premature_act", "wrong", "wrong"],
    asymmetric,
  );
  expect(advantages).toEqual([1, -1, 0, 0]);
});

test("skips groups that carry no signal and says which kind they are", () => {
  const skip = (...group: Parameters<typeof groupAdvantages>[0]) =>
    groupAdvantages(group, symmetric).skip;
  expect(skip("correct", "correct")).toBe("all_correct");
  expect(skip("wrong", "wrong")).toBe("same_mistake");
  expect(skip("wrong", "missed_act", "premature_act")).toBe("equal_price");
  expect(skip("unreadable", "cut_off")).toBe("equal_price");
  expect(skip("correct")).toBe("all_correct");
  expect(groupAdvantages(["wrong", "missed_act"], asymmetric).skip).toBeNull();
});

test("equal rewards are found equal although a mean of them would differ in the last bit", () => {
  const odd = withPrices(symmetric, { unreadable: -0.1, cut_off: -0.1 });
  const group = Array.from({ length: 10 }, (_, i): Outcome => (i % 2 ? "unreadable" : "cut_off"));
  expect(groupAdvantages(group, odd).skip).toBe("equal_price");
});

test("advantages do not depend on the order of samples and sum to nearly zero", () => {
  fc.assert(
    fc.property(groups, (group) => {
      const forward = groupAdvantages(group, asymmetric).advantages;
      const backward = groupAdvantages(group.toReversed(), asymmetric).advantages;
      expect(backward?.toReversed() ?? null).toEqual(forward);
      expect(Math.abs((forward ?? []).reduce((a, b) => a + b, 0))).toBeLessThan(1e-12);
    }),
  );
});

test("an empty group is an error", () => {
  expect(() => groupAdvantages([], symmetric)).toThrow(RangeError);
});
