import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stackCaches } from "../../../src/model/onnx/cache.ts";
import { readModelFolder } from "../../../src/model/onnx/model-folder.ts";
import { openOnnxModel } from "../../../src/model/onnx/onnx-model.ts";
import { type DecoderCall, openSession } from "../../../src/model/onnx/session.ts";
import { copyModel, MICRO } from "./support.ts";

async function openForm(name = "onnx/model.onnx", vocabulary = 100) {
  const { graph } = readModelFolder(MICRO, name);
  const session = await openSession({ graph, file: name, vocabulary, threads: 1 });
  onTestFinished(() => session.release());
  return session;
}

const CALL = { last: 1, keep: "nothing" } as const;

test("token ids outside of the vocabulary are refused: the runtime takes -1 without a word", async () => {
  const session = await openForm();
  for (const id of [-1, 100, 1.5, Number.NaN]) {
    const call = session.run({ ...CALL, rows: [[1, id, 2]], cache: session.empty });
    await expect(call).rejects.toThrow(`token id ${id} is none of 0 to 99`);
  }
});

test("logits of another width than the vocabulary are refused when the graph is opened", async () => {
  await expect(openForm("onnx/model.onnx", 99)).rejects.toThrow(
    /onnx\/model\.onnx: gives logits of shape 1x1x100 instead of 1x1x99/,
  );
});

describe("calls that no graph could answer are faults of the program", () => {
  const calls: [string, Partial<DecoderCall>][] = [
    ["no tokens", { rows: [[]] }],
    ["more logits than tokens", { rows: [[1]], last: 2 }],
    ["rows that the cache does not have", { rows: [[1], [2]] }],
  ];
  test.each(calls)("%s", async (_, call) => {
    const session = await openForm();
    const whole = { ...CALL, rows: [[1]], cache: session.empty, ...call };
    await expect(session.run(whole)).rejects.toThrow(/do not fit the call/);
  });

  test("rows of different lengths whose cache is kept", async () => {
    const session = await openForm();
    const cache = stackCaches(session.source.graph.layout, [session.empty, session.empty]);
    const call: DecoderCall = { rows: [[1], [2, 3]], cache, last: 1, keep: "cache" };
    await expect(session.run(call)).rejects.toThrow(/a kept cache needs rows of one length/);
  });

  test("several new tokens of several rows behind a cache, under grouped attention", async () => {
    const session = await openForm("onnx/model_grouped.onnx");
    const begun = await session.run({ rows: [[1]], cache: session.empty, last: 0, keep: "cache" });
    const cache = stackCaches(session.source.graph.layout, [begun.cache, begun.cache]);
    const call = session.run({
      ...CALL,
      rows: [
        [2, 3],
        [4, 5],
      ],
      cache,
    });
    await expect(call).rejects.toThrow(/only for one row/);
  });

  test("logits that were not asked for", async () => {
    const session = await openForm();
    const { logits } = await session.run({
      rows: [[1]],
      cache: session.empty,
      last: 0,
      keep: "cache",
    });
    expect(() => logits(0, 0)).toThrow(/no logits were asked for/);
  });
});

test.each([0, 1])("a graph that the runtime refuses is named, with %i workers", async (workers) => {
  const folder = copyModel(MICRO);
  const path = join(folder, "onnx/model.onnx");
  writeFileSync(path, readFileSync(path, "latin1").replaceAll("Sigmoid", "Unheard"), "latin1");
  await expect(openOnnxModel(folder, { workers })).rejects.toMatchObject({
    code: "unreadable",
    message: expect.stringMatching(/^onnx\/model\.onnx: onnxruntime cannot run it: .*Unheard/s),
  });
});
