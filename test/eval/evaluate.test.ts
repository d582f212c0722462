import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evaluate } from "../../src/eval/evaluate.ts";
import { actBaseline, uniformBaseline, wordsBaseline } from "../../src/model/baseline.ts";
import type { Model } from "../../src/model/model.ts";
import { trainSide } from "../../src/model/train-side.ts";
import { fitWordClassifier } from "../../src/model/word-classifier.ts";
import { joinRuns } from "../../src/result/join-runs.ts";
import { runMetrics } from "../../src/result/metrics.ts";
import { rescore } from "../../src/result/rescore.ts";
import { readRun } from "../../src/result/run-read.ts";
import { offsetOf } from "../../src/task/letters.ts";
import { situationHash, templateHash } from "../../src/task/prompt.ts";
import { temporaryFolder } from "../support/cli.ts";
import { DECISION, GENERATIVE, loadFamilies, optionsFor } from "./support.ts";

const answersOf = (folder: string) => readFileSync(join(folder, "answers.jsonl"), "utf8");

/** The model, its n-th call of either kind replaced. */
function changed(model: Model, change: (call: number) => "drop" | "throw" | "fail" | null): Model {
  let calls = 0;
  const act = <R>(results: readonly R[], failed: R): readonly R[] => {
    const what = change(calls++);
    if (what === "throw") throw new Error("the model broke");
    if (what === "drop") return results.slice(1);
    return what === "fail" ? [failed, ...results.slice(1)] : results;
  };
  const error = { code: "timeout", message: "no reply" };
  return {
    ...model,
    generate: async (requests, sampling) => {
      const failed = requests[0]?.samples.map(() => ({ error })) ?? [];
      return act(await model.generate(requests, sampling), failed);
    },
    scoreLetters: async (requests) => act(await model.scoreLetters(requests), { error }),
  };
}

test("a generative run stores text, both parses and where they come from", async () => {
  const loaded = await loadFamilies(4);
  const options = optionsFor(loaded);
  const result = await evaluate(options);
  expect(result).toEqual({ total: 10, found: 0, failed: 0, failures: [], repair: null });
  const run = await readRun(options.out);
  expect(new Set(run.answers.map(({ id }) => id))).toEqual(new Set(loaded.split.test));
  expect(run.answers[0]).toMatchObject({ strict: { label: "ACT" }, lenient: { label: "ACT" } });
  expect(run.header).toMatchObject({
    model: { spec: "baseline:act" },
    readout: "generative",
    prompt: { template: templateHash("generative") },
    set: { digest: loaded.set.digest },
    split: { part: "test" },
    files: loaded.set.files,
    seed: "1",
    sampling: { temperature: 0, topP: 1, maxTokens: 64 },
    letters: null,
  });
  for (const { id, gold, family, situation } of run.header.traces) {
    const trace = loaded.traces.get(id);
    expect({ gold, family }).toEqual({ gold: trace?.label, family: trace?.family });
    expect(situation).toBe(trace && situationHash(trace));
  }
  expect(rescore(run).differences).toEqual([]);
  expect(runMetrics(run).accuracy).toMatchObject({ numerator: 2, denominator: 10 });
});

test("a decision run stores the letters of each order of the choices", async () => {
  const loaded = await loadFamilies(4);
  const options = optionsFor(loaded, { readout: { ...DECISION, rotations: 5 } as typeof DECISION });
  await evaluate(options);
  const run = await readRun(options.out);
  for (const row of run.answers) {
    if (!("passes" in row)) throw new Error("no letters");
    const own = offsetOf(row.id);
    expect(row.passes.map(({ offset }) => offset)).toEqual(
      [0, 1, 2, 3, 4].map((k) => (own + k) % 5),
    );
    expect(row.lenient).toEqual({ label: "ACT" });
  }
  expect(rescore(run).differences).toEqual([]);
});

test("baseline:words, fitted on the train side, decides alike in both readouts", async () => {
  const loaded = await loadFamilies(6);
  const { examples, details } = await trainSide(loaded.set, loaded.split);
  expect(examples.map(({ id }) => id)).toEqual(loaded.split.train);
  const model = wordsBaseline(fitWordClassifier(examples, details));
  const labels = [];
  for (const readout of [GENERATIVE, DECISION]) {
    const options = optionsFor(loaded, { model, readout });
    await evaluate(options);
    labels.push((await readRun(options.out)).answers.map(({ id, lenient }) => [id, lenient.label]));
  }
  expect(labels[1]).toEqual(labels[0]);
});

test("a model sees the prompt and the situation, and nothing that tells the label", async () => {
  const loaded = await loadFamilies(2);
  const seen: string[] = [];
  const model: Model = {
    ...actBaseline(),
    generate: async (requests, sampling) => {
      for (const request of requests) {
        expect(Object.keys(request).sort()).toEqual(["id", "messages", "samples", "situation"]);
        expect(Object.keys(request.situation).sort()).toEqual([
          "id",
          "memory",
          "observation",
          "task",
        ]);
        seen.push(JSON.stringify(request));
      }
      return actBaseline().generate(requests, sampling);
    },
  };
  await evaluate(optionsFor(loaded, { model }));
  expect(seen).toHaveLength(5);
  const rationales = [...loaded.traces.values()].map(({ rationale }) => rationale);
  for (const text of seen)
    for (const rationale of rationales) expect(text).not.toContain(rationale);
});

test("the bytes of a run do not depend on the order of the set's file", async () => {
  const folders = [];
  for (const order of [undefined, <T>(traces: T[]) => traces.reverse()]) {
    const loaded = await loadFamilies(4, order && { order });
    const options = optionsFor(loaded, { model: uniformBaseline() });
    await evaluate(options);
    folders.push(options.out);
  }
  const [first = "", second = ""] = folders;
  expect(answersOf(second)).toBe(answersOf(first));
});

test("a limit gives every arm the same traces, and a smaller one fewer of them", async () => {
  const loaded = await loadFamilies(6);
  const idsUnder = async (limit: number, model: Model) => {
    const options = optionsFor(loaded, { limit, model });
    await evaluate(options);
    return (await readRun(options.out)).answers.map(({ id }) => id);
  };
  const seven = await idsUnder(7, actBaseline());
  expect(seven).toHaveLength(7);
  expect(await idsUnder(7, uniformBaseline())).toEqual(seven);
  expect(await idsUnder(3, actBaseline())).toEqual(seven.slice(0, 3));
});

test("joined shards equal the run that was never sharded, byte for byte", async () => {
  const loaded = await loadFamilies(8);
  const model = uniformBaseline();
  const readout = { ...GENERATIVE, samples: 3 } as typeof GENERATIVE;
  const whole = optionsFor(loaded, { model, readout });
  await evaluate(whole);
  const shards = [];
  for (const index of [1, 2, 3]) {
    const options = optionsFor(loaded, { model, readout, shard: { index, count: 3 } });
    await evaluate(options);
    shards.push(options.out);
  }
  const out = join(temporaryFolder(), "joined");
  await joinRuns(shards.reverse(), out);
  for (const file of ["run.json", "answers.jsonl"]) {
    expect(readFileSync(join(out, file), "utf8")).toBe(readFileSync(join(whole.out, file), "utf8"));
  }
});

test("a failure is a row without an answer; resume asks for it again and for nothing else", async () => {
  const loaded = await loadFamilies(4);
  for (const readout of [GENERATIVE, DECISION]) {
    const options = optionsFor(loaded, { readout });
    const failing = changed(actBaseline(), (call) => (call === 0 ? "fail" : null));
    expect(await evaluate({ ...options, model: failing })).toMatchObject({
      failed: 1,
      failures: [{ code: "timeout", count: 1, example: { message: "no reply" } }],
    });
    expect(await readRun(options.out)).toMatchObject({
      errors: [{ error: { code: "timeout", message: "no reply" } }],
      pending: 0,
    });
    const before = answersOf(options.out);
    const again = await evaluate({ ...options, resume: true });
    expect(again).toMatchObject({ total: 10, found: 9, failed: 0 });
    expect(answersOf(options.out).startsWith(before)).toBe(true);
    expect(answersOf(options.out).trimEnd().split("\n")).toHaveLength(11);
    expect(await readRun(options.out)).toMatchObject({ errors: [], pending: 0 });
  }
});

test("an interruption keeps what is finished; resume ends where an unbroken run would", async () => {
  const loaded = await loadFamilies(20);
  const readout = { ...GENERATIVE, samples: 2 } as typeof GENERATIVE;
  const model = uniformBaseline();
  const unbroken = optionsFor(loaded, { model, readout });
  await evaluate(unbroken);
  const options = optionsFor(loaded, { model, readout });
  const abort = new AbortController();
  const stopped = evaluate({
    ...options,
    signal: abort.signal,
    onProgress: (done) => done >= 60 && abort.abort(),
  });
  await expect(stopped).rejects.toMatchObject({
    code: "interrupted",
    message: expect.stringMatching(/stopped after 64 of 100 answers.*--resume/),
  });
  expect(readdirSync(options.out).sort()).toEqual(["answers.jsonl", "run.json"]);
  const seen: number[] = [];
  const onProgress = (done: number, total: number) => seen.push(done / total);
  const result = await evaluate({ ...options, resume: true, onProgress });
  expect(result).toMatchObject({ total: 100, found: 64 });
  expect(seen).toEqual([0.96, 1]);
  expect(answersOf(options.out)).toBe(answersOf(unbroken.out));
});

test("an interruption that comes from outside is noticed while a model answers at once", async () => {
  const loaded = await loadFamilies(20);
  const options = optionsFor(loaded);
  const abort = new AbortController();
  const onProgress = () => setImmediate(() => abort.abort());
  await expect(evaluate({ ...options, signal: abort.signal, onProgress })).rejects.toMatchObject({
    code: "interrupted",
  });
  expect((await readRun(options.out)).answers.length).toBeLessThan(50);
});

test("F07: a model that drops a result stops the run instead of shifting answers", async () => {
  const loaded = await loadFamilies(8);
  for (const readout of [GENERATIVE, DECISION]) {
    const options = optionsFor(loaded, { readout });
    const dropping = changed(actBaseline(), (call) => (call === 1 ? "drop" : null));
    await expect(evaluate({ ...options, model: dropping })).rejects.toThrow(/3 results for 4/);
    expect((await readRun(options.out)).answers).toHaveLength(16);
  }
});

test("a model that breaks leaves the finished rows and no lock", async () => {
  const loaded = await loadFamilies(8);
  const options = optionsFor(loaded);
  const breaking = changed(actBaseline(), (call) => (call === 1 ? "throw" : null));
  await expect(evaluate({ ...options, model: breaking })).rejects.toThrow("the model broke");
  expect(readdirSync(options.out).sort()).toEqual(["answers.jsonl", "run.json"]);
  expect(await evaluate({ ...options, resume: true })).toMatchObject({ found: 16, total: 20 });
});

test("bad input stops before anything is made", async () => {
  const loaded = await loadFamilies(4);
  const refuse = async (changes: Parameters<typeof optionsFor>[1], code: string, said: RegExp) => {
    const options = optionsFor(loaded, changes);
    await expect(evaluate(options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(said),
    });
    expect(existsSync(options.out)).toBe(false);
  };
  const { split } = loaded;
  const swapped = { ...split, train: split.test, test: split.train };
  await refuse({ split: swapped }, "unverified", /./);
  await refuse({ shard: { index: 7, count: 12 }, limit: 3 }, "impossible", /shard 7\/12/);
  await refuse(
    { readout: { ...GENERATIVE, samples: 0, topP: 0 } as typeof GENERATIVE },
    "usage",
    /sampling\.topP: .*\n.*samples: /s,
  );
  await refuse(
    { readout: { readout: "decision", order: "fixed", rotations: 5 } },
    "usage",
    /letters\.rotations: 5 must be 1 when the order is fixed/,
  );
});

test("the train side is evaluated only when asked for", async () => {
  const loaded = await loadFamilies(4);
  const options = optionsFor(loaded, { part: "train" });
  await evaluate(options);
  const { answers } = await readRun(options.out);
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(loaded.split.train));
});
