import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { armsOf } from "../../src/experiment/arms.ts";
import { readExperiment } from "../../src/experiment/experiment-file.ts";
import { findingsOf } from "../../src/experiment/findings.ts";
import { renderFindings } from "../../src/experiment/render-findings.ts";
import { readRun } from "../../src/result/run-read.ts";
import { runOk, temporaryFolder } from "../support/cli.ts";
import { listFiles, repositoryPath } from "../support/fixtures.ts";

const NAMES = readdirSync(repositoryPath("results"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(NAMES)("every number of results/%s follows from its stored answers", async (name) => {
  const folder = `results/${name}`;
  const experiment = await readExperiment(repositoryPath(`experiments/${name}.json`));
  const findings = await findingsOf(experiment, repositoryPath(folder));
  const kept = (file: string) => readFileSync(repositoryPath(join(folder, file)), "utf8");
  expect(`${JSON.stringify(findings, null, 1)}\n`).toBe(kept("findings.json"));
  expect(renderFindings(experiment, findings)).toBe(kept("table.txt"));
});

const RUNS = listFiles("results", "/run.json").map(dirname);

test.each(RUNS)("%s holds 500 answers, read today as they were", async (folder) => {
  const { answers, errors, pending } = await readRun(repositoryPath(folder));
  expect([answers.length, errors.length, pending]).toEqual([500, 0, 0]);
  expect(runOk(["rescore", folder])).toBe("500 answers read again, 0 parses differ\n");
});

test.each(NAMES)(
  "both schemes of results/%s began with one checkpoint, and differ in prices alone",
  (name) => {
    const headers = ["asymmetric", "symmetric"].map((scheme) => {
      const file = `results/${name}/seed-0/rl-${scheme}/train.json`;
      return JSON.parse(readFileSync(repositoryPath(file), "utf8"));
    });
    expect(headers[0].from.files["adapter_model.safetensors"]).toMatch(/^[0-9a-f]{64}$/);
    for (const { rollouts } of headers) delete rollouts.scheme;
    expect(headers[0]).toEqual(headers[1]);
  },
);

test.each(NAMES)("the figure of results/%s shows these numbers", async (name) => {
  const experiment = await readExperiment(repositoryPath(`experiments/${name}.json`));
  const folders = armsOf(experiment, `results/${name}`).map(({ folder }) => folder);
  const folder = temporaryFolder();
  const [page, figures] = [join(folder, "report.html"), join(folder, "figures")];
  runOk(["report", ...folders, "-o", page, "--figures", figures]);
  const drawn = readFileSync(join(figures, "arms-accuracy.svg"), "utf8");
  expect(readFileSync(repositoryPath(`results/${name}/accuracy.svg`), "utf8")).toBe(drawn);
});

const COMPARISONS = listFiles("results", "/comparison.txt").map(dirname);

test.each(COMPARISONS)("the comparison in %s follows from the runs beside it", (folder) => {
  const runs = RUNS.filter((run) => dirname(run) === folder);
  const stored = readFileSync(repositoryPath(`${folder}/comparison.txt`), "utf8");
  expect(runOk(["compare", ...runs])).toBe(stored);
});
