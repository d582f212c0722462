import fc from "fast-check";
import { expect, test } from "vitest";
import { makeBuilder } from "../../src/graph/graph-builder.ts";
import { ELEMENT_TYPES, encodeGraph } from "../../src/graph/onnx/encode-graph.ts";
import { numberField } from "../../src/graph/onnx/wire.ts";
import { readGraphFile, readIntAttribute } from "../../src/model/onnx/graph-file.ts";
import { accessBytes } from "../../src/model/onnx/random-access.ts";
import { readFields } from "../../src/model/onnx/wire.ts";
import { numbersOf, openGraph } from "./support.ts";

const read = (bytes: Uint8Array) => readGraphFile(accessBytes(bytes));

test("whole numbers of either sign are read again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.maxSafeInteger(), (number, value) => {
      const bytes = numberField(number, value);
      const [field] = readFields(accessBytes(bytes), 0, bytes.length);
      expect([field?.number, field?.value, field?.to]).toEqual([number, value, bytes.length]);
    }),
  );
});

test("the reader of model files reads what is written", () => {
  const graph = read(
    encodeGraph({
      nodes: [
        { op: "Softmax", inputs: ["x", ""], outputs: ["é"], attributes: { axis: -1 } },
        { op: "FusedMatMul", inputs: ["é", "w"], outputs: ["y"], attributes: { transA: 1 } },
      ],
      tensors: [
        { name: "w", type: "float16", shape: [2, 3], content: new Uint8Array(12) },
        {
          name: "v",
          type: "bfloat16",
          shape: [],
          content: { location: "a/b.bin", offset: 7, length: 2 },
        },
      ],
      inputs: [{ name: "x", type: "int64", shape: ["B", 1, "T"] }],
      outputs: [{ name: "y", type: "float32", shape: [] }],
    }),
  );
  expect(graph.opset).toBe(21);
  expect(graph.nodes).toMatchObject([
    { op: "Softmax", domain: "", inputs: ["x", ""], outputs: ["é"] },
    { op: "FusedMatMul", domain: "com.microsoft", inputs: ["é", "w"], outputs: ["y"] },
  ]);
  const [softmax, product] = graph.nodes;
  expect(softmax && readIntAttribute(graph, softmax, "axis")).toBe(-1);
  expect(product && readIntAttribute(graph, product, "transA")).toBe(1);
  expect(graph.tensors).toMatchObject([
    { name: "w", elementType: ELEMENT_TYPES.float16, shape: [2, 3], external: null },
    { name: "v", shape: [], raw: null, external: { location: "a/b.bin", offset: 7, length: 2 } },
  ]);
  expect(graph.inputs).toMatchObject([{ name: "x", elementType: 7, shape: ["B", 1, "T"] }]);
  expect(graph.outputs).toMatchObject([{ name: "y", elementType: 1, shape: [] }]);
});

test("a value can be handed out under two names, and an input under a third", async () => {
  const g = makeBuilder();
  const x = g.input("x", [2]);
  const y = g.node("Neg", [x], [2]);
  g.output("first", y);
  g.output("second", y);
  g.output("same", x);
  g.output("back", g.node("Neg", [y], [2]));
  const session = await openGraph(g.encode());
  const outputs = await session.run({
    x: { type: "float32", data: Float32Array.of(1, -2), dims: [2] },
  });
  expect([...numbersOf(outputs, "first")]).toEqual([-1, 2]);
  expect([...numbersOf(outputs, "second")]).toEqual([-1, 2]);
  expect([...numbersOf(outputs, "same")]).toEqual([1, -2]);
  expect([...numbersOf(outputs, "back")]).toEqual([1, -2]);
  const { nodes } = read(g.encode());
  expect(nodes.filter(({ op }) => op === "Identity")).toHaveLength(2);
});

test("equal constants are kept once", () => {
  const g = makeBuilder();
  expect(g.ints([1, 2])).toBe(g.ints([1, 2]));
  expect(g.ints([12])).not.toBe(g.int(12));
  expect(g.float(1)).not.toBe(g.int(1));
  expect(read(g.encode()).tensors.map(({ name }) => name)).toEqual([
    "ints_1_2",
    "ints_12",
    "int_12",
    "float_1",
    "int_1",
  ]);
});
