import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { describe, expect, test } from "vitest";
import { emptyCache } from "../../../src/model/onnx/cache.ts";
import { layOutTokens } from "../../../src/model/onnx/decoder-inputs.ts";
import { type FloatArray, toFloat32 } from "../../../src/model/onnx/floats.ts";
import { readModelFolder } from "../../../src/model/onnx/model-folder.ts";
import { openSession } from "../../../src/model/onnx/session.ts";
import { MICRO, TINY } from "./support.ts";

/** Each form of exported graph: the way its head is kept short, its attention and its weights. */
const FORMS: Record<string, readonly [head: string, attention: string, weights: string]> = {
  "onnx/model.onnx": ["rewritten", "plain", "fp32"],
  "onnx/model_softcap.onnx": ["rewritten", "plain", "fp32"],
  "onnx/model_int8_head.onnx": ["rewritten", "plain", "fp32"],
  "onnx/model_fp16.onnx": ["rewritten", "plain", "fp16"],
  "onnx/model_grouped.onnx": ["rewritten", "grouped", "fp32"],
  "onnx/model_keep.onnx": ["num_logits_to_keep", "plain", "fp32"],
  "onnx/model_reshaped.onnx": ["whole", "plain", "fp32"],
};
const ROWS = [
  [1, 3, 70, 8, 9, 44, 5],
  [1, 3, 20, 21, 22, 23, 24],
];

describe.each(Object.entries(FORMS))("%s", (name, [head, attention, weights]) => {
  const folder = readModelFolder(MICRO, name);
  const source = { graph: folder.graph, file: name, vocabulary: 100, threads: 1 };

  test("is recognised for what it is", () => {
    expect([folder.graph.head, folder.graph.layout.attention]).toEqual([head, attention]);
    expect(folder.graph.weights).toBe(weights);
    expect(folder.graph.wholeHeadReason).toBe(head === "whole" ? "unknown head" : null);
  });

  test("gives at the last tokens exactly the logits of the file itself", async () => {
    const whole = await runFile(join(MICRO, name), folder.graph.layout, ROWS);
    const session = await openSession(source);
    const stacked = emptyCache(folder.graph.layout, ROWS.length);
    const { logits } = await session.run({ rows: ROWS, cache: stacked, last: 3, keep: "nothing" });
    ROWS.forEach((row, r) => {
      for (let k = 0; k < 3; k++) {
        expect([...logits(r, k)]).toEqual([...whole(r, row.length - 3 + k)]);
      }
    });
    await session.release();
  });

  test("gives the same behind cached tokens as in one call", async () => {
    const session = await openSession(source);
    const [row = []] = ROWS;
    const run = (rows: number[][], cache = session.empty) =>
      session.run({ rows, cache, last: 1, keep: "cache" });
    const once = await run([row]);
    const begun = await run([row.slice(0, 4)]);
    const rest = await run([row.slice(4)], begun.cache);
    expect(rest.cache.length).toBe(row.length);
    const [a, b] = [once.logits(0, 0), rest.logits(0, 0)];
    // Half precision rounds differently when the products have other shapes; int8 scales change.
    const tolerance = name.includes("fp16") ? 2e-2 : name.includes("int8") ? 0.1 : 2e-5;
    expect(Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))))).toBeLessThan(tolerance);
    await session.release();
  });
});

test("the tiny model's graph shrinks to its frame, the tensors stay in its file", () => {
  const { graph } = readModelFolder(TINY);
  const size = readFileSync(join(TINY, "onnx/model.onnx")).length;
  expect(graph.bytes.length).toBeLessThan(size / 20);
  expect(graph.weightBytes).toBe(size);
});

/** All logits of a graph file as it stands, by row and position. */
async function runFile(
  path: string,
  layout: ReturnType<typeof readModelFolder>["graph"]["layout"],
  rows: readonly (readonly number[])[],
) {
  const session = await ort.InferenceSession.create(path, { logSeverityLevel: 3 });
  const cache = emptyCache(layout, rows.length);
  const { ids, positions, mask, length } = layOutTokens(rows, cache, layout.attention);
  const feeds: Record<string, ort.Tensor> = {
    input_ids: new ort.Tensor("int64", ids, [rows.length, length]),
    attention_mask: new ort.Tensor("int64", mask, [rows.length, length]),
    position_ids: new ort.Tensor("int64", positions, [rows.length, length]),
    num_logits_to_keep: new ort.Tensor("int64", BigInt64Array.of(BigInt(length)), []),
  };
  layout.slots.forEach(({ past, heads, headSize }, s) => {
    const values = cache.slots[s] as Float32Array;
    feeds[past] = new ort.Tensor(layout.cacheType, values, [rows.length, heads, 0, headSize]);
  });
  const wanted = Object.entries(feeds).filter(([name]) => session.inputNames.includes(name));
  const { logits } = await session.run(Object.fromEntries(wanted), ["logits"]);
  const values = toFloat32(logits?.data as FloatArray);
  const width = logits?.dims.at(-1) ?? 0;
  await session.release();
  return (row: number, position: number) => {
    const at = (row * length + position) * width;
    return values.subarray(at, at + width);
  };
}
