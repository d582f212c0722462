import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/core/hash.ts";
import { LABELS } from "../../src/core/intervention.ts";
import { LETTERS, letterOf, lettersAt, offsetOf } from "../../src/task/letters.ts";

test("the offset is the sha256 of the id as one big-endian integer, modulo five", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (id) => {
      const isWellFormed = id.isWellFormed();
      fc.pre(isWellFormed);
      expect(offsetOf(id)).toBe(Number(BigInt(`0x${sha256Hex(id)}`) % 5n));
    }),
  );
});

test("letter k stands for the label at k plus the offset, and back", () => {
  for (let offset = 0; offset < 5; offset++) {
    const labels = lettersAt(offset);
    expect(new Set(labels)).toEqual(new Set(LABELS));
    LETTERS.forEach((letter, k) => {
      expect(labels[k]).toBe(LABELS[(k + offset) % 5]);
      expect(letterOf(labels[k] ?? "ACT", offset)).toBe(letter);
    });
  }
});

test("B13: over 2,500 ids every label stands on every letter about equally often", () => {
  const counts = LABELS.map(() => LETTERS.map(() => 0));
  for (let i = 0; i < 2500; i++) {
    const offset = offsetOf(`t-${sha256Hex(String(i)).slice(0, 8)}`);
    LABELS.forEach((label, row) => {
      const column = LETTERS.indexOf(letterOf(label, offset));
      (counts[row] as number[])[column] = (counts[row]?.[column] ?? 0) + 1;
    });
  }
  // 500 are expected; four standard deviations are 80.
  for (const count of counts.flat()) expect(Math.abs(count - 500)).toBeLessThan(80);
});
