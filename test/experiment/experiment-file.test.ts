import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readExperiment, schemesOf } from "../../src/experiment/experiment-file.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { listFiles, repositoryPath } from "../support/fixtures.ts";
import { SMALL, writeExperiment } from "./support.ts";

/** The arms of the small experiment, one of them changed. */
function armsWith(name: string, change: object): typeof SMALL.arms {
  return SMALL.arms.map((arm) => (arm.name === name ? { ...arm, ...change } : arm));
}

test("paths of an experiment start at its own folder, and a model can be put in its place", async () => {
  const path = await writeExperiment();
  const { set, model } = await readExperiment(path);
  expect(resolve(set)).toBe(resolve(path, "../set.jsonl"));
  expect(resolve(model)).toBe(resolve(path, "../model"));
  const elsewhere = await readExperiment(path, "elsewhere");
  expect(elsewhere.model).toBe("elsewhere");
  expect(schemesOf(elsewhere).map(({ name }) => name)).toEqual(["symmetric", "asymmetric"]);
});

test("names that stand twice and an arm that goes on from none above it are listed at once", async () => {
  const arms = [...armsWith("rl-symmetric", { from: "decision" }), SMALL.arms[0] as object];
  const path = await writeExperiment({ seeds: ["0", "0"], arms: arms as typeof SMALL.arms });
  await expect(readExperiment(path)).rejects.toMatchObject({
    code: "invalid",
    faults: [
      { file: path, path: "seeds[1]", message: "is listed twice" },
      { file: path, path: "arms[7].name", message: "is listed twice" },
      { file: path, path: "arms[4].from", message: "decision is no sft arm above this one" },
    ],
  });
});

test("an arm cannot take the name of the baseline that is always added", async () => {
  const path = await writeExperiment({ arms: armsWith("head", { name: "words" }) });
  await expect(readExperiment(path)).rejects.toThrow(/arms\[5\]\.name: words is the name/);
});

test("prices under which garbage beats a holding answer are refused by their cells", async () => {
  const { symmetric } = SCHEMES;
  const scheme = { ...symmetric, name: "own", prices: { ...symmetric.prices, unreadable: 0 } };
  const path = await writeExperiment({ arms: armsWith("rl-symmetric", { scheme }) });
  await expect(readExperiment(path)).rejects.toThrow(
    /arms\[4\]\.scheme: ASK where ACT is right pays 0, and garbage 0; lower unreadable/,
  );
});

test("own prices cannot go by the name of built-in ones", async () => {
  const scheme = { ...SCHEMES.symmetric, prices: { ...SCHEMES.symmetric.prices, wrong: 0.1 } };
  const path = await writeExperiment({ arms: armsWith("rl-symmetric", { scheme }) });
  await expect(readExperiment(path)).rejects.toThrow(/symmetric is the name of built-in prices/);
});

test("a setting that is missing, unknown or out of range is named", async () => {
  const path = await writeExperiment({ arms: armsWith("sft", { batch: 0, rate: 1 }) });
  await expect(readExperiment(path)).rejects.toThrow(/arms\[2\]/);
});

test.each(listFiles("experiments", ".json"))(
  "%s has all six arms and the control, on v1",
  async (path) => {
    const { arms, set } = await readExperiment(repositoryPath(path));
    expect(set).toBe("scenario-sets/v1");
    expect(arms.map(({ name }) => name)).toEqual([
      "zero-shot-generative",
      "zero-shot-decision",
      "sft",
      "rl-asymmetric",
      "rl-symmetric",
      "head",
      "decision",
    ]);
  },
);
