import { expect, test } from "vitest";
import { addRotaryTables } from "../../src/graph/decoder/rotary-tables.ts";
import type { Value } from "../../src/graph/graph-builder.ts";
import { add, addBias, addMask } from "../../src/graph/primitives/add.ts";
import { batchedProduct } from "../../src/graph/primitives/batched-product.ts";
import { gather } from "../../src/graph/primitives/gather.ts";
import { linear } from "../../src/graph/primitives/linear.ts";
import { reshape } from "../../src/graph/primitives/reshape.ts";
import { rmsNorm } from "../../src/graph/primitives/rms-norm.ts";
import { rotary } from "../../src/graph/primitives/rotary.ts";
import { softmax } from "../../src/graph/primitives/softmax.ts";
import { swiglu } from "../../src/graph/primitives/swiglu.ts";
import { transpose } from "../../src/graph/primitives/transpose.ts";
import { weightedNll } from "../../src/graph/primitives/weighted-nll.ts";
import { countOf, type Shape } from "../../src/graph/shape.ts";
import { makeTape, type Tape } from "../../src/graph/tape.ts";
import { type Feeds, floats, integers } from "../../src/graph/tensor-data.ts";
import { slopeError } from "./finite-differences.ts";
import { dot, numbersOf, openGraph, randomFloats, SMALL } from "./support.ts";

/** Sizes of the symbols in the cases below. */
const SIZES: Readonly<Record<string, number>> = { B: 2, T: 5, P: 4 };

interface Case {
  /** Shapes of the inputs that have gradients. */
  readonly inputs: readonly Shape[];
  readonly build: (t: Tape, ...inputs: Value[]) => Value;
  /** Inputs without gradients. */
  readonly given?: Feeds;
}

const whole = (t: Tape, name: string, shape: Shape) => t.input(name, shape, { type: "int64" });
const first = (i: number) => i % 7;

const CASES: Readonly<Record<string, Case>> = {
  "linear, scaled": {
    inputs: [
      ["B", "T", 4],
      [3, 4],
    ],
    build: (t, x, w) => linear(t, x, w, 1.5),
  },
  "a batched product": {
    inputs: [
      ["B", 3, "T", 4],
      ["B", 3, 4, 6],
    ],
    build: (t, a, b) => batchedProduct(t, a, b),
  },
  "a batched product with a transposed factor, scaled": {
    inputs: [
      ["B", 3, "T", 4],
      ["B", 3, 6, 4],
    ],
    build: (t, a, b) => batchedProduct(t, a, b, { transposeB: true, scale: 0.5 }),
  },
  "add, of a value to itself as well": {
    inputs: [
      ["B", 3],
      ["B", 3],
    ],
    build: (t, a, b) => add(t, add(t, a, b), a),
  },
  "add a bias": { inputs: [["B", "T", 3], [3]], build: (t, x, b) => addBias(t, x, b) },
  "add a mask": {
    inputs: [["B", 3, "T", 4]],
    build: (t, x) => addMask(t, x, t.input("mask", ["B", 1, "T", 4])),
    given: { mask: floats(randomFloats("mask", 40), [2, 1, 5, 4]) },
  },
  "reshape, symbols by name": {
    inputs: [["B", "T", 6]],
    build: (t, x) => reshape(t, x, ["B", "T", 2, 3]),
  },
  "reshape, two symbols into one": {
    inputs: [["B", "T", 6]],
    build: (t, x) => reshape(t, x, ["B*T", 6]),
  },
  transpose: {
    inputs: [["B", "T", 2, 3]],
    build: (t, x) => transpose(t, x, [3, 0, 2, 1]),
  },
  softmax: { inputs: [["B", "T", 4]], build: (t, x) => softmax(t, x) },
  "RMS normalisation": {
    inputs: [["B", "T", 6], [6]],
    build: (t, x, w) => rmsNorm(t, x, w, 1e-2),
  },
  SwiGLU: {
    inputs: [
      ["B", "T", 3],
      ["B", "T", 3],
    ],
    build: (t, gate, up) => swiglu(t, gate, up),
  },
  "rotary embedding": {
    inputs: [["B", 2, "T", SMALL.headSize]],
    build: (t, x) => rotary(t, x, whole(t, "positions", ["B", "T"]), addRotaryTables(t, SMALL)),
    given: { positions: integers([0, 1, 2, 9, 4, 3, 0, 60, 1, 1], [2, 5]) },
  },
  "gather rows for a grid of ids, some of them twice": {
    inputs: [[7, 3]],
    build: (t, table) => gather(t, table, whole(t, "ids", ["B", "T"])),
    given: { ids: integers([0, 3, 3, 6, 3, 1, 0, 3, 5, 5], [2, 5]) },
  },
  "gather rows of a table of open length": {
    inputs: [["T", 3]],
    build: (t, table) => gather(t, table, whole(t, "ids", ["P"])),
    given: { ids: integers([4, 0, 4, 1], [4]) },
  },
  "weighted negative log-likelihood, weights of both signs": {
    inputs: [["P", 7]],
    build: (t, logits) => {
      const targets = whole(t, "targets", ["P"]);
      return weightedNll(t, logits, targets, t.input("weights", ["P"])).loss;
    },
    given: {
      targets: integers([3, 0, 6, 3].map(first), [4]),
      weights: floats(Float32Array.of(0.5, -1.5, 0, 2), [4]),
    },
  },
};

test.each(Object.entries(CASES))("the gradient of %s is its slope", async (_, one) => {
  const t = makeTape();
  const shapes = one.inputs.map((shape) => shape.map((size) => SIZES[size] ?? Number(size)));
  const inputs = one.inputs.map((shape, i) => t.input(`x${i}`, shape, { tracked: true }));
  const y = one.build(t, ...inputs);
  const seed = t.input("seed", y.shape);
  t.output("y", y);
  t.gradients(y, seed, inputs).forEach((gradient, i) => {
    t.output(`dx${i}`, gradient);
  });
  const session = await openGraph(t.encode(), { threads: 2 });

  const points = shapes.map((shape, i) => randomFloats(`x${i}`, countOf(shape)));
  const feeds: Feeds = { ...one.given };
  points.forEach((point, i) => {
    feeds[`x${i}`] = floats(point, shapes[i] as number[]);
  });
  const dims = y.shape.map((size) => sizeOf(size));
  const direction = randomFloats("seed", countOf(dims));
  feeds["seed"] = floats(direction, dims);
  const outputs = await session.run(feeds);
  const value = async () => dot(numbersOf(await session.run(feeds, ["y"]), "y"), direction);
  for (const [i, point] of points.entries()) {
    const gradient = numbersOf(outputs, `dx${i}`);
    expect(gradient).toHaveLength(point.length);
    expect(await slopeError(point, gradient, value)).toBeLessThan(5e-4);
  }
});

test("entropy and log-probabilities beside the loss are those of the softmax", async () => {
  const t = makeTape();
  const logits = t.input("logits", ["P", 3]);
  const targets = whole(t, "targets", ["P"]);
  const { loss, logp, entropy } = weightedNll(t, logits, targets, t.input("weights", ["P"]));
  t.output("loss", loss);
  t.output("logp", logp);
  t.output("entropy", entropy);
  const session = await openGraph(t.encode());
  const outputs = await session.run({
    logits: floats(Float32Array.of(0, Math.log(2), Math.log(5), 7, 7, 7), [2, 3]),
    targets: integers([2, 0], [2]),
    weights: floats(Float32Array.of(2, -1), [2]),
  });
  const [first, second] = [Math.log(5 / 8), -Math.log(3)];
  const [a, b] = numbersOf(outputs, "logp");
  expect([a, b]).toEqual([expect.closeTo(first, 6), expect.closeTo(second, 6)]);
  expect(numbersOf(outputs, "loss")[0]).toBeCloseTo(-2 * first + second, 6);
  const spread = [1, 2, 5].reduce((sum, part) => sum - (part / 8) * Math.log(part / 8), 0);
  const [c, d] = numbersOf(outputs, "entropy");
  expect([c, d]).toEqual([expect.closeTo(spread, 6), expect.closeTo(Math.log(3), 6)]);
});

/** A symbol's size; a symbol made of others, such as `B*T`, is their product. */
function sizeOf(size: number | string): number {
  if (typeof size === "number") return size;
  return size.split("*").reduce((product, part) => product * (SIZES[part] ?? Number(part)), 1);
}
