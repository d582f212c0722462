import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { SteerError } from "../core/errors.ts";
import { systemReason } from "../data/file-error.ts";
import { mergeAdapter } from "../graph/adapter/merge.ts";
import { parameterShapes } from "../graph/decoder/parameters.ts";
import { hashFiles } from "../model/onnx/hash-files.ts";
import { openBaseModel } from "./base-model.ts";
import { writeModel } from "./model-files.ts";
import { requireOwnBase } from "./plan.ts";
import { readAdapter } from "./start.ts";

/**
 * Writes a model folder with an adapter merged into its weights. The merged matrices are stored in
 * single precision, whatever the model's own format: rounded again, they would be another model.
 * The folder appears whole or not at all.
 *
 * @throws SteerError `state` when `out` exists, `mismatch` for an adapter of another model,
 *   `unwritable`, and what opening both throws
 */
export async function mergeFolder(adapter: string, model: string, out: string): Promise<void> {
  if (existsSync(out)) {
    throw new SteerError("state", `${out}: exists already; name a folder that does not`);
  }
  const base = openBaseModel(model);
  const stage = join(dirname(resolve(out)), `.${basename(resolve(out))}.${process.pid}.tmp`);
  try {
    await requireOwnBase(adapter, await hashFiles(model, base.files));
    const { lora, tensors } = readAdapter(adapter, base.config);
    const weights = { get: (name: string) => base.weights.read(name) };
    const merged = mergeAdapter(base.config, lora, weights, tensors);
    await writeModel(stage, base, { tensors: merged, shapes: parameterShapes(base.config) });
    await rename(stage, out);
  } catch (error) {
    await rm(stage, { recursive: true, force: true });
    if (error instanceof SteerError) throw error;
    const message = `${out}: cannot be written: ${systemReason(error)}`;
    throw new SteerError("unwritable", message, { cause: error });
  } finally {
    base.weights.close();
  }
}
