import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Label } from "../../src/core/intervention.ts";
import type { Domain } from "../../src/core/trace.ts";
import { passOffsets } from "../../src/result/decision.ts";
import { readAnswer } from "../../src/result/read-answer.ts";
import { headerText, situationsDigest } from "../../src/result/run-header.ts";
import type { Run } from "../../src/result/run-read.ts";
import {
  type AnswerRow,
  type DecisionRow,
  type GenerativeRow,
  type RunRow,
  rowLine,
} from "../../src/result/run-row.ts";
import type { RunHeader, RunTrace } from "../../src/result/run-schema.ts";
import { temporaryFolder } from "../support/cli.ts";

export const HASH = "0123456789abcdef".repeat(4);

/** A trace of a run; its situation is a hash made of the id. */
export function runTrace(
  id: string,
  gold: Label,
  { family = `f-${id}`, domain = "coding" as Domain, also }: Partial<RunTrace> = {},
): RunTrace {
  const situation = Buffer.from(id).toString("hex").padEnd(64, "0").slice(0, 64);
  return { id, family, domain, gold, ...(also && { also }), situation };
}

/** A header for these traces; any field can be replaced. */
export function makeHeader(traces: readonly RunTrace[], changes: Partial<RunHeader> = {}) {
  const header: RunHeader = {
    version: 1,
    model: {
      spec: "scripted:s.jsonl",
      name: "scripted:s.jsonl",
      files: { "s.jsonl": HASH },
      dtype: null,
      endTokens: [],
      details: {},
    },
    readout: "generative",
    prompt: { version: "1", template: HASH },
    set: { name: "test", digest: "d" },
    split: { digest: HASH, part: "test" },
    files: { "t.jsonl": HASH },
    scorer: { version: "1", vectors: null },
    seed: "1",
    sampling: { temperature: 0, topP: 1, maxTokens: 64 },
    samples: 1,
    letters: null,
    workers: 1,
    threads: 1,
    limit: null,
    shard: null,
    situations: situationsDigest(traces),
    traces: [...traces],
    ...changes,
  };
  return header;
}

/** Turns a header into that of a decision run. */
export const DECISION = {
  readout: "decision",
  sampling: null,
  letters: { order: "trace", rotations: 1 },
} as const satisfies Partial<RunHeader>;

/** A written answer, read as the evaluation reads it. */
export function textRow(
  id: string,
  text: string,
  { sample = 0, finish = "stop" as string | null, tokens = 1 } = {},
): GenerativeRow {
  return { id, sample, text, finish, tokens, ...readAnswer({ text }, []) };
}

/** Letter scores in letter order, the same for every pass. */
export function letterRow(
  id: string,
  logprobs: readonly number[],
  { rotations = 1, letterMass = 1 } = {},
): DecisionRow {
  const offsets = passOffsets(id, { order: "trace", rotations });
  const passes = offsets.map((offset) => ({ offset, logprobs, letterMass }));
  return decisionRow(id, passes as unknown as DecisionRow["passes"]);
}

export function decisionRow(id: string, passes: DecisionRow["passes"]): DecisionRow {
  return { id, sample: 0, passes, ...readAnswer({ passes }, []) };
}

/** A run that was never stored. */
export function makeRun(
  traces: readonly RunTrace[],
  answers: readonly AnswerRow[],
  { path = "run", ...changes }: Partial<RunHeader> & { readonly path?: string } = {},
): Run {
  const header = makeHeader(traces, changes);
  return {
    path,
    header,
    traces: new Map(traces.map((trace) => [trace.id, trace])),
    answers,
    errors: [],
    pending: traces.length * header.samples - answers.length,
  };
}

/** Stores a run as files, rows in the order given; returns its folder. */
export function writeRun(header: RunHeader, rows: readonly RunRow[]): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.json"), headerText(header));
  writeFileSync(join(folder, "answers.jsonl"), rows.map((row) => `${rowLine(row)}\n`).join(""));
  return folder;
}

/** The strict answer that names a label. */
export function jsonAnswer(label: Label): string {
  return `{"intervention": "${label}", "reason": "r"}`;
}
