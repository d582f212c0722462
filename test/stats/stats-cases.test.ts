import { expect, test } from "vitest";
import { partSize } from "../../src/data/part-size.ts";
import { bootstrapMean } from "../../src/stats/bootstrap.ts";
import { ece } from "../../src/stats/calibration.ts";
import {
  mergeVariants,
  pick,
  pickByMean,
  pickBySum,
  sumLabelLogprob,
} from "../../src/stats/logprobs.ts";
import { pairedBootstrap } from "../../src/stats/paired-bootstrap.ts";
import { wilson } from "../../src/stats/wilson.ts";
import { breakEven } from "../../src/task/choice.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { readRows } from "../support/fixtures.ts";

interface Case {
  readonly id: string;
  readonly op: string;
  readonly input: unknown;
  readonly expect: Readonly<Record<string, unknown>>;
  /** Absolute. */
  readonly tolerance: number;
  /** Fields that must match to the last bit. */
  readonly exact?: readonly string[];
  readonly why: string;
}

/** The figures of the bootstrap rows hold for every seed. */
const SEEDS = [1, 2, "another"];

/** What computes each `op`: one result, or one per seed. */
const RUN: Readonly<Record<string, (input: never) => object>> = {
  ece,
  wilson: ({ k, n, level }: { k: number; n: number; level: number }) =>
    wilson(k, n, level) ?? { low: null, high: null },
  bootstrap_mean: ({ values, ...options }: { values: number[]; resamples: number }) =>
    SEEDS.map((seed) => bootstrapMean(values, { ...options, seed })),
  paired_bootstrap: (input: Parameters<typeof pairedBootstrap>[0] & { resamples: number }) =>
    SEEDS.map((seed) => pairedBootstrap(input, { ...input, seed })),
  label_logprob: (input: {
    position_logprobs: number[];
    first_label_position: number;
    label_tokens: number;
  }) => ({
    sum: sumLabelLogprob(input.position_logprobs, input.first_label_position, input.label_tokens),
  }),
  length_rule: ({ labels }: { labels: Parameters<typeof pickBySum>[0] }) => {
    const mean = pickByMean(labels);
    return { sum_pick: pickBySum(labels).pick, mean_pick: mean.pick, mean: mean.scores };
  },
  merge_variants: ({ top, letters }: { top: [string, number][]; letters: string[] }) =>
    mergeVariants(top, letters),
  pick: ({ logprobs }: { logprobs: number[] }) => pick(logprobs),
  part_size: ({ n, share }: { n: number; share: number }) => ({ size: partSize(n, share) }),
  break_even: ({ scheme }: { scheme: keyof typeof SCHEMES }) => ({
    p_act: breakEven(SCHEMES[scheme]),
  }),
};

for (const row of readRows<Case>("stats.jsonl")) {
  test(`${row.id}: ${row.op}: ${row.why}`, () => {
    const run = RUN[row.op];
    if (!run) throw new Error(`no runner for op ${row.op}`);
    for (const result of [run(row.input as never)].flat()) {
      for (const [field, expected] of Object.entries(row.expect)) {
        const tolerance = row.exact?.includes(field) ? 0 : row.tolerance;
        expectClose((result as Record<string, unknown>)[field], expected, tolerance, field);
      }
    }
  });
}

function expectClose(actual: unknown, expected: unknown, tolerance: number, field: string): void {
  if (typeof expected === "number" && tolerance > 0) {
    expect(Math.abs((actual as number) - expected), field).toBeLessThanOrEqual(tolerance);
  } else if (typeof expected === "object" && expected !== null) {
    expect(Object.keys(actual as object).sort(), field).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown>)[key], value, tolerance, `${field}.${key}`);
    }
  } else {
    expect(actual, field).toBe(expected);
  }
}
