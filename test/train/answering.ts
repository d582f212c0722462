import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import type { TrainHeader } from "../../src/train/header.ts";
import { train } from "../../src/train/train.ts";
import { loadShort, makeJob, makeModel, STILL } from "./support.ts";

let made: Promise<string> | undefined;
let folder: string | undefined;
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** A model that answers in JSON with each label about equally often; made once for a test file. */
export function answeringModel(): Promise<string> {
  folder ??= mkdtempSync(join(tmpdir(), "steerbench-"));
  made ??= makeAnsweringModel(folder);
  return made;
}

async function makeAnsweringModel(parent: string): Promise<string> {
  const traces = await loadShort([...LABELS, ...LABELS, ...LABELS]);
  const job = await makeJob({
    ...traces,
    model: await makeModel({}, join(parent, "random")),
    out: join(parent, "answering"),
    lora: null,
    batch: 5,
    length: { steps: 70 },
  });
  await train(job, STILL);
  return job.out;
}

/** Eight short answers to each trace. */
export const ROLLOUTS: NonNullable<TrainHeader["rollouts"]> = {
  scheme: SCHEMES.asymmetric,
  samples: 8,
  temperature: 1,
  maxTokens: 32,
  divideBy: "group",
};
