import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashFiles } from "../../src/model/onnx/hash-files.ts";
import { trainHeaderSchema } from "../../src/train/header.ts";
import { listFiles, repositoryPath } from "../support/fixtures.ts";

const TINY = repositoryPath("models/tiny");

interface Figures {
  readonly loss?: number;
  readonly reward?: number;
  readonly skipShare?: number;
}

interface Stage {
  readonly stage: string;
  readonly weights: string;
  readonly firstSteps: Figures;
  readonly lastSteps: Figures;
  readonly heldBackBefore: Figures;
  readonly heldBackAfter: Figures;
}

const provenance = readJson("PROVENANCE.json") as {
  readonly demonstration: boolean;
  readonly files: Readonly<Record<string, { readonly sha256: string }>>;
  readonly start: Readonly<Record<string, string>>;
  readonly set: { readonly digest: string };
  readonly split: { readonly digest: string };
  readonly stages: readonly Stage[];
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(TINY, file), "utf8"));
}

test("every file of the embedded model is the one that its provenance tells of", async () => {
  const endings = [".json", ".jsonl", ".onnx", ".safetensors"];
  const files = endings
    .flatMap((ending) => listFiles("models/tiny", ending))
    .map((file) => file.slice("models/tiny/".length))
    .filter((file) => file !== "PROVENANCE.json");
  const recorded = Object.entries(provenance.files).map(([file, { sha256 }]) => [file, sha256]);
  expect(await hashFiles(TINY, files)).toEqual(Object.fromEntries(recorded));
});

test("it says of itself that it is a demonstration", () => {
  const note = expect.stringMatching(/demonstration, not a judge/);
  expect(provenance).toMatchObject({ demonstration: true, note });
  expect(readJson("config.json")).toMatchObject({ demonstration: true, note });
});

test("each stage went on from the one before, on the train side of one set and split", () => {
  const { start, set, split, stages, files } = provenance;
  let before = start["model.safetensors"];
  for (const { stage, weights } of stages) {
    const header = trainHeaderSchema.parse(readJson(`training/${stage}.train.json`));
    expect(header.model.files["model.safetensors"]).toBe(before);
    expect(header).toMatchObject({ method: stage, set, split });
    before = weights;
  }
  expect(files["model.safetensors"]?.sha256).toBe(before);
  const recorded = stages.flatMap(({ stage }) => [`${stage}.metrics.jsonl`, `${stage}.train.json`]);
  expect(readdirSync(join(TINY, "training")).sort()).toEqual(recorded.sort());
});

test("training moved losses down, and of reinforcement the reward and the skipped groups up", () => {
  for (const { stage, firstSteps, lastSteps, heldBackBefore, heldBackAfter } of provenance.stages) {
    if (stage === "rl") {
      expect(heldBackAfter.reward).toBeGreaterThan(heldBackBefore.reward as number);
      expect(lastSteps.skipShare).toBeGreaterThan(firstSteps.skipShare as number);
    } else {
      expect(heldBackAfter.loss).toBeLessThan(heldBackBefore.loss as number);
    }
  }
});
