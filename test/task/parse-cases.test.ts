import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { classify, type Outcome } from "../../src/task/outcome.ts";
import { parse } from "../../src/task/parse/parse.ts";
import type { Letters } from "../../src/task/parse/types.ts";
import { readRows } from "../support/fixtures.ts";

interface Case {
  readonly id: string;
  readonly gold: Label;
  readonly answer?: string;
  readonly repeat?: { prefix: string; unit: string; times: number; suffix: string };
  readonly finish?: string;
  readonly letters?: Letters;
  readonly prompt?: string;
  readonly expect: {
    readonly strict: Expected<Label>;
    readonly lenient: Expected<Label>;
    readonly outcome: Expected<Outcome>;
  };
  readonly why: string;
}

/** One right value, or a list of which any is right. */
type Expected<T> = T | null | readonly (T | null)[];

for (const row of readRows<Case>("parse.jsonl")) {
  test(`${row.id}: ${row.why}`, () => {
    const { strict, lenient } = parse(answerOf(row), row);
    expect([row.expect.strict].flat()).toContain(strict.label);
    expect([row.expect.lenient].flat()).toContain(lenient.label);
    expect([row.expect.outcome].flat()).toContain(classify(row.gold, lenient.label, row.finish));
  });
}

function answerOf({ id, answer, repeat }: Case): string {
  if (repeat) return repeat.prefix + repeat.unit.repeat(repeat.times) + repeat.suffix;
  if (answer === undefined) throw new Error(`case ${id} has no answer`);
  return answer;
}

test("reads the choice of the seed's example sentence leniently, not strictly", () => {
  const { strict, lenient } = parse("Sure! I would ACT here and deploy, since the build is green.");
  expect(strict).toEqual({ label: null, reason: "not_one_object", rung: 0 });
  expect(lenient).toEqual({ label: "ACT", rung: 7 });
});
