import { ADAPTER_WEIGHTS } from "../graph/adapter/adapter-config.ts";
import type { Tensors } from "../graph/adapter/merge.ts";
import type { Shapes } from "../graph/decoder/parameters.ts";
import { WEIGHTS } from "./base-model.ts";
import { writeAdapter, writeModel } from "./model-files.ts";
import type { Policy } from "./policy.ts";

/** Weights that a method trains, and how they are kept. */
export interface Trainable {
  readonly shapes: Shapes;
  /** Changed in place. */
  readonly tensors: Tensors;
  /** The file of a checkpoint that holds them. */
  readonly file: string;
  /** Writes them for going on, `file` among other files. */
  writeCheckpoint(folder: string): Promise<void>;
  /** Writes what the training was for, in the form in which it is evaluated. */
  writeResult(folder: string): Promise<void>;
}

/** An adapter in PEFT's layout, or a whole model folder; checkpoints have the form of results. */
export function trainableOf({ base, options, shapes, trained }: Policy): Trainable {
  const { lora } = options;
  const write = (folder: string) =>
    lora === null
      ? writeModel(folder, base, { tensors: trained, shapes })
      : writeAdapter(folder, base, lora, shapes, trained);
  const file = lora === null ? WEIGHTS : ADAPTER_WEIGHTS;
  return { shapes, tensors: trained, file, writeCheckpoint: write, writeResult: write };
}
