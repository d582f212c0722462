import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { actBaseline, uniformBaseline, wordsBaseline } from "../../src/model/baseline.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { fitWordClassifier } from "../../src/model/word-classifier.ts";
import { CONTRACT_TRACES, modelContract } from "./contract.ts";

const folder = mkdtempSync(join(tmpdir(), "steerbench-model-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = join(folder, "script.jsonl");
const rows = CONTRACT_TRACES.flatMap(({ id, label }, at) => [
  ...[0, 1, 2].map((sample) => ({ id, sample, answer: `${label} ${sample}`, finish: "stop" })),
  { id, logprobs: [-1, -2 - at, -3, -4, -5] },
]);
writeFileSync(script, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

modelContract("baseline:act", async () => actBaseline());
modelContract("baseline:uniform", async () => uniformBaseline());
modelContract("baseline:words", async () =>
  wordsBaseline(fitWordClassifier(CONTRACT_TRACES, { part: "train" })),
);
modelContract("scripted:FILE", () => scriptedModel(script), { knowsIds: true });
