import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { readSplit } from "../../src/data/split-file.ts";
import { type Encoding, encode } from "../../src/export/columnar.ts";
import { runExport } from "../../src/export/export.ts";
import { EXPORT_KINDS, type ExportKind } from "../../src/export/format-types.ts";
import { FORMATS, findFormat } from "../../src/export/formats.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { readLines } from "./support.ts";

/** `UPDATE_SAMPLES=1 npx vitest run test/export/samples.test.ts` writes the samples anew. */
const isUpdate = process.env["UPDATE_SAMPLES"] === "1";

const ROWS = 3;
const FOLDER = repositoryPath("exports");

/** Formats that also have columnar samples. */
const COLUMNAR = ["sft-trl", "preferences-trl", "rl-verl"];

async function makeSamples(): Promise<Record<string, Buffer>> {
  const set = await loadScenarioSet(repositoryPath("scenario-sets/demo"));
  const split = await readSplit(repositoryPath("splits/demo.json"));
  const samples: Record<string, Buffer> = {};
  try {
    for (const kind of EXPORT_KINDS) {
      for (const format of Object.keys(FORMATS[kind])) {
        const outDir = join(temporaryFolder(), "out");
        const { configs } = await runExport({ set, split, kind, format, outDir });
        const name = `${kind}-${format}`;
        const text = readFileSync(join(outDir, "train.jsonl"), "utf8");
        const lines = text.split("\n").slice(0, ROWS);
        samples[`${name}.jsonl`] = Buffer.from(`${lines.join("\n")}\n`);
        for (const config of configs) {
          samples[config.name] = readFileSync(join(outDir, config.name));
        }
        if (!COLUMNAR.includes(name)) continue;
        samples[`${name}.manifest.json`] = readFileSync(join(outDir, "manifest.json"));
        for (const as of ["parquet", "arrow"] as const) {
          samples[`${name}.${as}`] = columnar(as, kind, format, join(outDir, "train.jsonl"));
        }
      }
    }
  } finally {
    set.close();
  }
  return samples;
}

function columnar(as: Encoding, kind: ExportKind, format: string, path: string): Buffer {
  const { schema } = findFormat(kind, format).format;
  const pieces = encode(as, schema, readLines(path).slice(0, ROWS));
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece as Uint8Array)));
}

test("the samples in exports/ are what the exporter makes of the demo set", async () => {
  const samples = await makeSamples();
  if (isUpdate) {
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, bytes] of Object.entries(samples)) writeFileSync(join(FOLDER, name), bytes);
  }
  const stored = readdirSync(FOLDER).filter((name) => name !== "README.md");
  expect(stored.sort()).toEqual(Object.keys(samples).sort());
  for (const [name, bytes] of Object.entries(samples)) {
    const isSame = readFileSync(join(FOLDER, name)).equals(bytes);
    expect(isSame, `exports/${name} differs: run with UPDATE_SAMPLES=1 if that is meant`).toBe(
      true,
    );
  }
});

test("on the demo set, labels balance and words alone cannot tell chosen from rejected", async () => {
  const set = await loadScenarioSet(repositoryPath("scenario-sets/demo"));
  const split = await readSplit(repositoryPath("splits/demo.json"));
  const outDir = join(temporaryFolder(), "out");
  const { files } = await runExport({ set, split, kind: "preferences", outDir });
  set.close();
  const pairs = files[0]?.pairs;
  expect(pairs?.pairs).toBe(split.train.length);
  expect(pairs?.skips).toEqual([]);
  for (const [label, row] of Object.entries(pairs?.flow ?? {})) {
    const chosen = Object.values(row).reduce((a, b) => a + b, 0);
    const rejected = Object.values(pairs?.flow ?? {}).reduce(
      (sum, each) => sum + (each[label as "ACT"] ?? 0),
      0,
    );
    expect(Math.abs(chosen - rejected)).toBeLessThanOrEqual(1);
  }
  expect(pairs?.wordTest?.accuracy).toBeLessThanOrEqual(0.55);
});
