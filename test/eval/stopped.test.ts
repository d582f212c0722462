import { expect, onTestFinished, test } from "vitest";
import { evaluate } from "../../src/eval/evaluate.ts";
import { uniformBaseline } from "../../src/model/baseline.ts";
import type { Model } from "../../src/model/model.ts";
import { openOnnxModel } from "../../src/model/onnx/onnx-model.ts";
import { readRun } from "../../src/result/run-read.ts";
import { TINY } from "../model/onnx/support.ts";
import { GENERATIVE, loadFamilies, optionsFor } from "./support.ts";

test("a stopped run keeps each sample that had ended, and resumed draws what an unbroken one would", async () => {
  const loaded = await loadFamilies(2);
  const opened = await openOnnxModel(TINY, { workers: 0 });
  onTestFinished(() => opened.close());
  const model = { ...opened, workers: 1 };
  const sampled = { samples: 12, temperature: 1, maxTokens: 6 };
  const readout = { ...GENERATIVE, ...sampled } as typeof GENERATIVE;
  const unbroken = optionsFor(loaded, { model, readout, limit: 1 });
  await evaluate(unbroken);

  const abort = new AbortController();
  const options = optionsFor(loaded, { model, readout, limit: 1 });
  const stopped = evaluate({ ...options, signal: abort.signal, onProgress: () => abort.abort() });
  await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
  // Eight answers are written side by side; the trace's other four have not begun.
  const kept = (await readRun(options.out)).answers.length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThanOrEqual(8);

  expect(await evaluate({ ...options, resume: true })).toMatchObject({ found: kept, failed: 0 });
  const [whole, pieced] = [await readRun(unbroken.out), await readRun(options.out)];
  expect(pieced.answers).toEqual(whole.answers);
  const texts = whole.answers.map((answer) => ("text" in answer ? answer.text : null));
  expect(new Set(texts).size).toBeGreaterThan(1);
});

test("an interruption keeps answers that came before earlier ones", async () => {
  const loaded = await loadFamilies(4);
  const readout = { ...GENERATIVE, samples: 3, temperature: 1 } as typeof GENERATIVE;
  const model = uniformBaseline();
  const unbroken = optionsFor(loaded, { model, readout });
  await evaluate(unbroken);
  const abort = new AbortController();
  const outOfOrder: Model = {
    ...model,
    async generate(requests, sampling, { onResult } = {}) {
      const results = await model.generate(requests, sampling);
      for (const at of [7, 4]) onResult?.(at, results[at] ?? []);
      abort.abort();
      throw new Error("stopped");
    },
  };
  const options = optionsFor(loaded, { model: outOfOrder, readout, signal: abort.signal });
  await expect(evaluate(options)).rejects.toMatchObject({
    code: "interrupted",
    message: expect.stringContaining("stopped after 2 of 30"),
  });
  const resumed = { ...options, model, signal: undefined, resume: true };
  expect(await evaluate(resumed)).toMatchObject({ found: 2, failed: 0 });
  const [whole, pieced] = [await readRun(unbroken.out), await readRun(options.out)];
  expect(pieced.answers).toEqual(whole.answers);
});
