import type { Label } from "../../src/core/intervention.ts";
import { passOffsets } from "../../src/result/decision.ts";
import type { DecisionRow } from "../../src/result/run-row.ts";
import type { RunHeader } from "../../src/result/run-schema.ts";
import { DECISION, decisionRow, makeRun, runTrace } from "./support.ts";

/** An id, its gold label, and letter scores under its own order and the next one. */
type Item = readonly [id: string, gold: Label, passes: readonly (readonly number[])[]];

const TRAIN: readonly Item[] = [
  [
    "r-1",
    "ACT",
    [
      [-1.2, -0.9, -2.1, -3.0, -2.5],
      [-0.7, -1.6, -2.2, -2.0, -3.1],
    ],
  ],
  [
    "r-2",
    "ASK",
    [
      [-2.0, -1.1, -1.3, -2.2, -2.9],
      [-1.9, -0.8, -1.7, -2.6, -2.4],
    ],
  ],
  [
    "r-3",
    "WAIT",
    [
      [-1.0, -2.3, -1.4, -1.9, -2.7],
      [-2.2, -1.5, -1.0, -2.8, -1.8],
    ],
  ],
  [
    "r-4",
    "REMEMBER",
    [
      [-1.7, -1.9, -0.6, -2.4, -2.6],
      [-1.3, -2.5, -1.2, -1.6, -3.3],
    ],
  ],
  [
    "r-5",
    "FORGET",
    [
      [-2.8, -0.5, -2.6, -3.2, -1.5],
      [-3.0, -2.1, -0.4, -2.9, -2.3],
    ],
  ],
  [
    "r-6",
    "ACT",
    [
      [-1.8, -1.4, -1.6, -1.5, -2.0],
      [-1.1, -1.9, -2.4, -1.7, -1.9],
    ],
  ],
];

const EVEN = [-1.5, -1.5, -1.5, -1.5, -1.5];

const TEST: readonly Item[] = [
  [
    "e-1",
    "ACT",
    [
      [-1.5, -0.8, -1.9, -2.7, -2.2],
      [-0.9, -2.0, -1.4, -2.3, -2.6],
    ],
  ],
  [
    "e-2",
    "ASK",
    [
      [-0.6, -2.4, -1.8, -2.5, -3.4],
      [-2.1, -0.7, -2.0, -1.9, -2.8],
    ],
  ],
  [
    "e-3",
    "FORGET",
    [
      [-2.3, -1.7, -1.2, -1.0, -2.9],
      [-1.6, -2.2, -0.8, -2.1, -1.9],
    ],
  ],
  [
    "e-4",
    "WAIT",
    [
      [-1.3, -1.3, -2.2, -2.2, -2.0],
      [-2.0, -1.3, -1.3, -2.2, -2.2],
    ],
  ],
  [
    "e-5",
    "REMEMBER",
    [
      [-0.4, -2.6, -2.9, -3.5, -2.4],
      [-2.5, -0.5, -2.7, -3.1, -3.6],
    ],
  ],
  [
    "e-6",
    "ACT",
    [
      [-1.9, -1.0, -1.1, -2.4, -2.6],
      [-2.3, -1.2, -0.9, -2.0, -3.0],
    ],
  ],
  ["e-7", "FORGET", [EVEN, EVEN]],
];

const LETTERS = { order: "trace", rotations: 2 } as const;

function runOf(items: readonly Item[], changes: Partial<RunHeader> & { path: string }) {
  const traces = items.map(([id, gold]) => runTrace(id, gold));
  const rows = items.map(([id, , scores]) => {
    const passes = passOffsets(id, LETTERS).map((offset, k) => {
      return { offset, logprobs: scores[k] ?? [], letterMass: 0.9 };
    });
    return decisionRow(id, passes as unknown as DecisionRow["passes"]);
  });
  return makeRun(traces, rows, { ...DECISION, letters: LETTERS, ...changes });
}

const split = "5".repeat(64);

/** A tiny decision run of a train side; any header field can be replaced. */
export function trainRun(changes: Partial<RunHeader> = {}) {
  return runOf(TRAIN, { path: "runs/train", split: { digest: split, part: "train" }, ...changes });
}

/** The run of the test side that belongs to it; its last answer is a tie. */
export function testRun(changes: Partial<RunHeader> = {}) {
  return runOf(TEST, { path: "runs/test", split: { digest: split, part: "test" }, ...changes });
}
