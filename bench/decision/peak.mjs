// The processor's fp32 speed in the runtime itself: a chain of matrix products with stored weights,
// in the shapes of SmolLM2's largest layers. GFLOP/s with as many threads as there are cores.

import { availableParallelism } from "node:os";
import * as ort from "onnxruntime-node";
import { bytesField, messageField, numberField } from "../../dist/model/onnx/wire.js";

const [ROWS, NARROW, WIDE, PAIRS] = [512, 576, 1536, 8];
const TRIES = 5;
let session;

export async function measurePeak() {
  session ??= await ort.InferenceSession.create(chain(), {
    intraOpNumThreads: availableParallelism(),
  });
  const x = new ort.Tensor("float32", new Float32Array(ROWS * NARROW).fill(0.1), [ROWS, NARROW]);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const start = performance.now();
    await session.run({ x });
    best = Math.min(best, performance.now() - start);
  }
  return (2 * PAIRS * 2 * ROWS * NARROW * WIDE) / best / 1e6;
}

function chain() {
  const parts = [];
  let input = "x";
  for (let i = 0; i < 2 * PAIRS; i++) {
    const shape = i % 2 === 0 ? [NARROW, WIDE] : [WIDE, NARROW];
    const weight = Float32Array.from({ length: NARROW * WIDE }, (_, k) => ((k % 17) - 8) / 200);
    const output = i === 2 * PAIRS - 1 ? "y" : `x${i}`;
    const node = [
      [1, input],
      [1, `w${i}`],
      [2, output],
      [4, "MatMul"],
    ];
    parts.push(
      messageField(
        1,
        node.map(([number, text]) => bytesField(number, text)),
      ),
    );
    parts.push(
      messageField(5, [
        ...shape.map((size) => numberField(1, size)),
        numberField(2, 1),
        bytesField(8, `w${i}`),
        bytesField(9, new Uint8Array(weight.buffer)),
      ]),
    );
    input = output;
  }
  const value = (number, name) => {
    const dimensions = [bytesField(2, "rows"), numberField(1, NARROW)];
    const shape = messageField(
      2,
      dimensions.map((field) => messageField(1, [field])),
    );
    const type = messageField(2, [messageField(1, [numberField(1, 1), shape])]);
    return messageField(number, [bytesField(1, name), type]);
  };
  const graph = messageField(7, [...parts, bytesField(2, "chain"), value(11, "x"), value(12, "y")]);
  return Buffer.concat([numberField(1, 9), messageField(8, [numberField(2, 17)]), graph]);
}
