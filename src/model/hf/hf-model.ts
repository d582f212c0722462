import { type LocalModel, type LocalOptions, openLocalModel } from "../onnx/local-model.ts";
import { readHfFolder } from "./hf-folder.ts";

/** How a model is run, and what is added to it. */
export interface HfOptions extends LocalOptions {
  /** Folder of an adapter in PEFT's layout. */
  readonly adapter?: string | undefined;
}

/**
 * Opens a model folder in the Hugging Face layout with `model.safetensors`.
 *
 * @throws SteerError for everything that is wrong with its files, before anything is scored
 */
export async function openHfModel(
  path: string,
  { adapter, ...options }: HfOptions = {},
): Promise<LocalModel> {
  const spec = `hf:${path}${adapter === undefined ? "" : ` --adapter ${adapter}`}`;
  return openLocalModel(spec, readHfFolder(path, adapter), options);
}
