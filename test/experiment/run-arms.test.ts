import { once } from "node:events";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readExperiment } from "../../src/experiment/experiment-file.ts";
import { findingsOf } from "../../src/experiment/findings.ts";
import { runCli, runOk, startCli, temporaryFolder } from "../support/cli.ts";
import { SMALL, writeExperiment } from "./support.ts";

const ARMS = ["words", ...SMALL.arms.map(({ name }) => name)];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .sort();
}

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(filesOf(folder).map((path) => [path, readFileSync(path, "latin1")]));
}

test("one file trains, evaluates and compares all arms; a second call changes nothing", async () => {
  const file = await writeExperiment();
  const out = join(temporaryFolder(), "out");
  const text = runOk(["arms", file, "-o", out]);
  const rows = text.slice(text.indexOf("arm "), text.indexOf("always ")).split("\n").slice(2, -1);
  expect(rows.map((row) => row.split(" ")[0])).toEqual(ARMS);
  expect(text).toContain("5 held-out traces of 5 families");
  expect(text).toMatch(/always ACT -> sft .*\n.*words -> sft /);
  expect(text).toMatch(/rl-asymmetric -> rl-symmetric /);
  expect(text).toMatch(/head -> decision /);

  const before = contents(out);
  expect(runOk(["arms", file, "-o", out])).toBe(text);
  expect(contents(out)).toEqual(before);
  expect(before[join(out, "table.txt")]).toBe(text);

  // What is kept for readers: no weights, answers packed. It gives the same numbers.
  const kept = join(temporaryFolder(), "kept");
  cpSync(out, kept, { recursive: true });
  for (const path of filesOf(kept)) {
    if (path.endsWith("answers.jsonl")) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
    if (/answers\.jsonl$|safetensors$|findings\.json$|table\.txt$/.test(path)) rmSync(path);
  }
  const keptBefore = contents(kept);
  expect(runOk(["arms", file, "-o", kept, "--stored"])).toBe(text);
  const experiment = await readExperiment(file);
  const findings = await findingsOf(experiment, kept);
  expect(`${JSON.stringify(findings, null, 1)}\n`).toBe(before[join(out, "findings.json")]);

  // It is for reading: nothing is made anew in it, and nothing written behind packed answers.
  const { code, stderr } = runCli(["arms", file, "-o", kept]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/answers of this run are packed/)]);
  expect(contents(kept)).toEqual(keptBefore);
}, 180_000);

test("what is missing is made, and what is there is kept", async () => {
  const arms = SMALL.arms.filter(({ name }) => ["sft", "letters"].includes(name));
  const file = await writeExperiment({ arms });
  const out = join(temporaryFolder(), "out");
  const text = runOk(["arms", file, "-o", out]);
  const before = contents(out);
  const answers = join(out, "seed-0", "sft", "answers.jsonl");
  const [first, second] = readFileSync(answers, "utf8").split("\n");
  writeFileSync(answers, `${first}\n${second}\n`);
  rmSync(join(out, "letters"), { recursive: true });
  expect(runOk(["arms", file, "-o", out])).toBe(text);
  expect(contents(out)).toEqual(before);
});

test("every trained arm is made once with each seed, and pairs count the mean over seeds", async () => {
  const arms = SMALL.arms.filter(({ name }) => ["letters", "decision"].includes(name));
  const file = await writeExperiment({ arms, seeds: ["0", "1"] });
  const out = join(temporaryFolder(), "out");
  const text = runOk(["arms", file, "-o", out]);
  expect(text).toContain("decision, seed 0");
  expect(text).toContain("decision, seed 1");
  expect(text).toContain("5 held-out traces of 5 families, 2 seeds");
  // One of five, and not two of ten: a trace is not two for being answered twice.
  expect(text).toContain("always ACT: 20.0% (3.6% to 62.4%)");
  expect(text).toMatch(/Means over 2 seeds, of which there are few:\narm +accuracy +premature/);
  const { comparison } = JSON.parse(readFileSync(join(out, "findings.json"), "utf8"));
  expect(comparison.shared).toEqual({ answers: 10, traces: 5, families: 5 });
  const adapters = ["0", "1"].map((seed) =>
    readFileSync(join(out, `seed-${seed}`, "decision", "adapter_model.safetensors"), "latin1"),
  );
  expect(adapters[0]).not.toBe(adapters[1]);
});

test("a dry run checks everything, tells what would be trained, and writes nothing", async () => {
  const file = await writeExperiment();
  const out = join(temporaryFolder(), "out");
  const planned = JSON.parse(runOk(["arms", file, "--dry-run", "--json", "-o", out]));
  expect(planned).toHaveLength(5);
  // Rank 2 on one projection of 32 to 32 numbers: 2 · 32 + 32 · 2.
  expect(planned[0]).toMatchObject({ name: "sft", traces: 4, steps: 2, trainable: 128 });
  expect(existsSync(out)).toBe(false);
});

test("a test trace whose answer the context would cut short is refused before anything is made", async () => {
  const file = await writeExperiment({ evaluation: { maxTokens: 1000, rotations: 2 } });
  const out = join(temporaryFolder(), "out");
  for (const end of [["--dry-run"], ["-o", out]]) {
    const { code, stderr } = runCli(["arms", file, ...end]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/reads 1024 tokens, and these traces need more:\n {2}s-\d/);
  }
  expect(existsSync(out)).toBe(false);
});

test("a signal ends it with code 130, and the same command goes on", async () => {
  const arms = SMALL.arms.filter(({ name }) => ["sft", "decision"].includes(name));
  const file = await writeExperiment({ arms });
  const [out, other] = [join(temporaryFolder(), "out"), join(temporaryFolder(), "other")];
  const child = startCli(["arms", file, "-o", out]);
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
    // A second signal would end it at once.
    if (text.includes("train sft")) child.kill("SIGINT");
  });
  const [code] = (await once(child, "close")) as [number];
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(
      /stopped at sft; everything made is kept, and the same command goes on\n$/,
    ),
  ]);
  runOk(["arms", file, "-o", out]);
  runOk(["arms", file, "-o", other]);
  const adapter = join("seed-0", "decision", "adapter_model.safetensors");
  expect(readFileSync(join(out, adapter)).equals(readFileSync(join(other, adapter)))).toBe(true);
});

test("other settings than those of what is there are refused by name", async () => {
  const arms = SMALL.arms.filter(({ name }) => name === "decision");
  const file = await writeExperiment({ arms });
  const out = join(temporaryFolder(), "out");
  runOk(["arms", file, "-o", out]);
  const changed = { ...SMALL, arms: arms.map((arm) => ({ ...arm, learningRate: 0.5 })) };
  writeFileSync(file, JSON.stringify(changed));
  const { code, stderr } = runCli(["arms", file, "-o", out]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/learningRate: stored 0.01, now 0.5/);
  expect(stderr).toMatch(/To make decision anew, delete .*seed-0.decision/);

  // Nor is a result taken for another one's when its course is lost.
  rmSync(join(out, "seed-0", "decision", "metrics.jsonl"));
  expect(runCli(["arms", file, "-o", out]).stderr).toMatch(/learningRate: stored 0.01, now 0.5/);
  writeFileSync(file, JSON.stringify({ ...SMALL, arms }));
  expect(runCli(["arms", file, "-o", out]).stderr).toMatch(/tells of 0 of the 2 steps/);
});
