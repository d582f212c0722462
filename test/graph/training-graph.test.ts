import { expect, test } from "vitest";
import { mergeAdapter } from "../../src/graph/adapter/merge.ts";
import { type BatchRow, layOutBatch } from "../../src/graph/batch.ts";
import type { ModelOptions } from "../../src/graph/decoder/model-in-graph.ts";
import { parameterShapes } from "../../src/graph/decoder/parameters.ts";
import { feedWeights, integers } from "../../src/graph/tensor-data.ts";
import {
  buildFeaturesGraph,
  buildTrainingGraph,
  gradientName,
  trainedShapes,
} from "../../src/graph/training-graph.ts";
import { readGraphFile } from "../../src/model/onnx/graph-file.ts";
import { accessBytes } from "../../src/model/onnx/random-access.ts";
import { slopeError } from "./finite-differences.ts";
import {
  dot,
  numbersOf,
  openGraph,
  relativeError,
  SMALL,
  SMALL_LORA,
  smallModel,
} from "./support.ts";

const OPTIONS = {
  config: SMALL,
  lora: SMALL_LORA,
  weights: "inputs",
  adapter: "inputs",
  trained: "adapter",
} as const satisfies ModelOptions;
const WHOLE_MODEL: ModelOptions = { ...OPTIONS, lora: null, trained: "model" };

/** One prompt with answers whose weights have both signs. */
const GROUP: BatchRow = {
  prompt: [4, 9, 30, 2, 2, 17],
  answers: [
    { targets: [3, 1, 4, 1, 5], weights: [0.1, 0.2, 0.1, 0.3, 0.1] },
    { targets: [9], weights: [-0.4] },
    { targets: [2, 6, 5], weights: [-0.2, 0.1, 0.6] },
  ],
};
const OTHER: BatchRow = {
  prompt: [1, 12],
  answers: [{ targets: [8, 8, 0, 23], weights: [0.2, -0.1, 0.5, 0.5] }],
};

test.each([
  ["an adapter", OPTIONS],
  ["the whole model", WHOLE_MODEL],
])("every gradient of %s is the slope of the loss", async (_, options) => {
  const { weights, adapter, weightFeeds, adapterFeeds } = smallModel();
  const { bytes, trained } = buildTrainingGraph(options, "vocabulary");
  const session = await openGraph(bytes);
  const own = options.lora === null ? weightFeeds : { ...weightFeeds, ...adapterFeeds };
  const feeds = { ...own, ...layOutBatch([GROUP, OTHER], SMALL).feeds };
  const outputs = await session.run(feeds);
  // The loss itself has too few digits; the log-probabilities it sums have enough.
  const given = feeds["weights"]?.data as Float32Array;
  const loss = async () => -dot(numbersOf(await session.run(feeds, ["logp"]), "logp"), given);
  expect(numbersOf(outputs, "loss")[0]).toBeCloseTo(await loss(), 5);
  for (const name of trained.keys()) {
    const point = (weights.get(name) ?? adapter.get(name)) as Float32Array;
    const gradient = numbersOf(outputs, gradientName(name));
    expect(await slopeError(point, gradient, loss, 1), name).toBeLessThan(5e-3);
  }
});

test("answers packed behind one prompt give the loss and gradients of padded rows", async () => {
  const { weightFeeds, adapterFeeds } = smallModel();
  const { bytes, trained } = buildTrainingGraph(OPTIONS, "vocabulary");
  const session = await openGraph(bytes);
  const packed = layOutBatch([GROUP, OTHER], SMALL);
  const rows = GROUP.answers.map((answer) => ({ prompt: GROUP.prompt, answers: [answer] }));
  const padded = layOutBatch([...rows, OTHER], SMALL);
  expect(packed.tokens).toBeLessThan(padded.tokens);
  const all = { ...weightFeeds, ...adapterFeeds };
  const a = await session.run({ ...all, ...packed.feeds });
  const b = await session.run({ ...all, ...padded.feeds });
  for (const name of ["loss", "logp", "entropy", ...[...trained.keys()].map(gradientName)]) {
    expect(relativeError(numbersOf(a, name), numbersOf(b, name)), name).toBeLessThan(1e-5);
  }
});

test("filler behind shorter rows changes nothing", async () => {
  const { weightFeeds, adapterFeeds } = smallModel();
  const { bytes, trained } = buildTrainingGraph(OPTIONS, "vocabulary");
  const session = await openGraph(bytes);
  const run = (rows: BatchRow[]) =>
    session.run({ ...weightFeeds, ...adapterFeeds, ...layOutBatch(rows, SMALL).feeds });
  const [both, one, two] = [await run([GROUP, OTHER]), await run([GROUP]), await run([OTHER])];
  for (const name of ["loss", ...[...trained.keys()].map(gradientName)]) {
    const sum = numbersOf(one, name).map((value, i) => value + (numbersOf(two, name)[i] as number));
    expect(relativeError(sum, numbersOf(both, name)), name).toBeLessThan(1e-5);
  }
});

test("one thread and two give the same numbers, and each the same bits again", async () => {
  const { weightFeeds } = smallModel();
  const { bytes, trained } = buildTrainingGraph(WHOLE_MODEL, "vocabulary");
  // Long enough to be worth sharing between threads, with every token many times.
  const long = Array.from({ length: 60 }, (_, i) => (i * i) % 5);
  const answers = [{ targets: [1, 2, 1], weights: [1, 1, 1] }];
  const rows = Array.from({ length: 40 }, (_, i) => ({ prompt: [i % 31, ...long], answers }));
  const feeds = { ...weightFeeds, ...layOutBatch(rows, SMALL).feeds };
  const sessions = [await openGraph(bytes), await openGraph(bytes, { threads: 2 })] as const;
  const [one, two] = [await sessions[0].run(feeds), await sessions[1].run(feeds)];
  for (let repeat = 0; repeat < 3; repeat++) {
    const again = await sessions[1].run(feeds);
    for (const name of trained.keys()) {
      const [a, b, c] = [one, two, again].map((run) => numbersOf(run, gradientName(name)));
      expect(relativeError(a as Float32Array, b as Float32Array), name).toBeLessThan(1e-5);
      expect(c, name).toEqual(b);
    }
  }
});

test("a merged adapter gives what the adapter gives beside the model", async () => {
  const { weights, adapter, weightFeeds, adapterFeeds } = smallModel();
  const merged = new Map([...weights, ...mergeAdapter(SMALL, SMALL_LORA, weights, adapter)]);
  const { feeds } = layOutBatch([GROUP, OTHER], SMALL);
  const beside = await openGraph(
    buildTrainingGraph({ ...OPTIONS, trained: "nothing" }, "vocabulary").bytes,
  );
  const bare = { ...OPTIONS, lora: null, trained: "nothing" } as const;
  const alone = await openGraph(buildTrainingGraph(bare, "vocabulary").bytes);
  const a = await beside.run({ ...weightFeeds, ...adapterFeeds, ...feeds });
  const b = await alone.run({ ...feedWeights(parameterShapes(SMALL), merged), ...feeds });
  const without = await alone.run({ ...weightFeeds, ...feeds });
  expect(relativeError(numbersOf(b, "logp"), numbersOf(a, "logp"))).toBeLessThan(1e-5);
  expect(relativeError(numbersOf(without, "logp"), numbersOf(a, "logp"))).toBeGreaterThan(0.1);
});

test("logits over letters are the head's rows times the features", async () => {
  const { weights, weightFeeds, adapterFeeds } = smallModel();
  const options = { ...OPTIONS, trained: "nothing" } as const;
  const letters = [7, 30, 2];
  const rows = [GROUP, OTHER].map(({ prompt }) => {
    return { prompt, answers: [{ targets: [1], weights: [1] }] };
  });
  const { targets: _, weights: __, ...inputs } = layOutBatch(rows, SMALL).feeds;
  const all = { ...weightFeeds, ...adapterFeeds };
  const featuresGraph = await openGraph(buildFeaturesGraph(options));
  const features = numbersOf(await featuresGraph.run({ ...all, ...inputs }), "features");
  const lettersGraph = await openGraph(buildTrainingGraph(options, "letters").bytes);
  const found = await lettersGraph.run({
    ...all,
    ...layOutBatch(rows, SMALL).feeds,
    letters: integers(letters, [3]),
  });
  const head = weights.get("model.embed_tokens.weight") as Float32Array;
  const part = (numbers: Float32Array, row: number) =>
    numbers.subarray(row * SMALL.hidden, (row + 1) * SMALL.hidden);
  const expected = [0, 1].flatMap((row) =>
    letters.map((letter) => dot(part(features, row), part(head, letter))),
  );
  const error = relativeError(numbersOf(found, "logits"), Float32Array.from(expected));
  expect(error).toBeLessThan(1e-5);
});

test("the same options give the same bytes, and a graph of 2 layers stays small", () => {
  const build = () => buildTrainingGraph(OPTIONS, "vocabulary").bytes;
  expect(build()).toEqual(build());
  expect(build().length).toBeLessThan(60_000);
});

test("no gradient is scattered by ScatterND, which loses updates", () => {
  const { bytes } = buildTrainingGraph(WHOLE_MODEL, "letters");
  const ops = readGraphFile(accessBytes(bytes)).nodes.map(({ op }) => op);
  expect(ops).toContain("ScatterElements");
  expect(ops).not.toContain("ScatterND");
});

test("only what is trained has a gradient", () => {
  expect(trainedShapes({ ...OPTIONS, trained: "nothing" }).size).toBe(0);
  expect([...trainedShapes(OPTIONS).keys()].every((name) => name.includes("lora_"))).toBe(true);
  expect([...trainedShapes(WHOLE_MODEL).keys()]).toContain("model.embed_tokens.weight");
  const beside = { ...OPTIONS, lora: null };
  expect(trainedShapes(beside).size).toBe(0);
});

test("a loss of zero weights has zero gradients, not NaN", async () => {
  const { weightFeeds, adapterFeeds } = smallModel();
  const { bytes, trained } = buildTrainingGraph(OPTIONS, "vocabulary");
  const session = await openGraph(bytes);
  const row = { prompt: [1, 2], answers: [{ targets: [3], weights: [0] }] };
  const feeds = layOutBatch([row, GROUP], SMALL).feeds;
  const nothing = { ...feeds, weights: { ...feeds["weights"], data: new Float32Array(10) } };
  const outputs = await session.run({
    ...weightFeeds,
    ...adapterFeeds,
    ...(nothing as typeof feeds),
  });
  for (const name of trained.keys()) {
    const gradient = numbersOf(outputs, gradientName(name));
    expect(gradient.every((value) => value === 0)).toBe(true);
  }
});
