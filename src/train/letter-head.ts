import { join } from "node:path";
import type { Tensors } from "../graph/adapter/merge.ts";
import { HEAD, headName } from "../graph/decoder/parameters.ts";
import { LETTERS } from "../task/letters.ts";
import type { BaseModel } from "./base-model.ts";
import { writeModel, writeTensors } from "./model-files.ts";
import type { Trainable } from "./trainable.ts";

/** The name of the five rows in a checkpoint. */
export const ROWS = "head.weight";

const FILE = "head.safetensors";

/**
 * The five rows of the output head that the letters have, to be trained alone. The result is a
 * whole model folder whose head is the base's with these rows in it; where the base shares its head
 * with the embeddings, the result does so no more, since the embeddings stay as they are.
 *
 * @param letters token ids of A to E
 * @param start the rows to go on from; null for the model's own
 */
export function openLetterHead(
  base: BaseModel,
  letters: readonly number[],
  start: Tensors | null,
): Trainable {
  const { hidden, vocabulary } = base.config;
  const name = headName(base.config);
  const ownRows = () => {
    const whole = base.weights.read(name);
    const rows = new Float32Array(letters.length * hidden);
    letters.forEach((id, k) => {
      rows.set(whole.subarray(id * hidden, (id + 1) * hidden), k * hidden);
    });
    return rows;
  };
  const rows = start?.get(ROWS) ?? ownRows();
  const shapes = new Map([[ROWS, [letters.length, hidden]]]);
  const tensors = new Map([[ROWS, rows]]);
  return {
    shapes,
    tensors,
    file: FILE,
    writeCheckpoint: (folder) => writeTensors(join(folder, FILE), shapes, tensors),
    async writeResult(folder) {
      const whole = base.weights.read(name);
      letters.forEach((id, k) => {
        whole.set(rows.subarray(k * hidden, (k + 1) * hidden), id * hidden);
      });
      await writeModel(folder, base, {
        tensors: new Map([[HEAD, whole]]),
        shapes: new Map([[HEAD, [vocabulary, hidden]]]),
        config: { tie_word_embeddings: false },
      });
    },
  };
}

/** Cross-entropy over the letters, and its gradient. */
export interface HeadScores {
  /** Mean over the examples. */
  readonly loss: number;
  /** Of each example, in nats. */
  readonly entropy: readonly number[];
  /** Five for each example. */
  readonly logits: Float32Array;
  /** Of the loss, [5, hidden]. */
  readonly gradient: Float32Array;
}

/**
 * Scores features with the five rows: logits = rows · feature; the gradient of a row is the mean of
 * (p − [it is the right one]) · feature.
 */
export function scoreHead(
  rows: Float32Array,
  examples: readonly { readonly feature: Float32Array; readonly target: number }[],
): HeadScores {
  const count = LETTERS.length;
  const logits = new Float32Array(examples.length * count);
  const gradient = new Float64Array(rows.length);
  const entropy: number[] = [];
  let loss = 0;
  examples.forEach(({ feature, target }, at) => {
    const width = feature.length;
    const own = LETTERS.map((_, k) => {
      let sum = 0;
      for (let i = 0; i < width; i++)
        sum += (rows[k * width + i] as number) * (feature[i] as number);
      return sum;
    });
    logits.set(own, at * count);
    const highest = Math.max(...own);
    const total = highest + Math.log(own.reduce((sum, x) => sum + Math.exp(x - highest), 0));
    loss += (total - (own[target] as number)) / examples.length;
    entropy.push(own.reduce((sum, x) => sum - Math.exp(x - total) * (x - total), 0));
    own.forEach((x, k) => {
      const slope = (Math.exp(x - total) - (k === target ? 1 : 0)) / examples.length;
      for (let i = 0; i < width; i++) {
        const place = k * width + i;
        gradient[place] = (gradient[place] as number) + slope * (feature[i] as number);
      }
    });
  });
  return { loss, entropy, logits, gradient: Float32Array.from(gradient) };
}
