import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  ADAPTER_CONFIG,
  ADAPTER_WEIGHTS,
  readAdapterConfig,
} from "../../graph/adapter/adapter-config.ts";
import { checkWeights } from "../../graph/decoder/check-weights.ts";
import type { DecoderConfig } from "../../graph/decoder/config.ts";
import { type LoraShape, loraShapes } from "../../graph/decoder/lora.ts";
import { openWeightFile } from "../../graph/safetensors/weight-file.ts";
import { checkFile, type FolderFaults, faultsOf, readJsonFile } from "../onnx/folder-faults.ts";
import type { StoredAdapter } from "./serving-model.ts";

/** Files of an adapter that decide what is computed. */
export const ADAPTER_FILES: readonly string[] = [ADAPTER_CONFIG, ADAPTER_WEIGHTS];

const SAVE = "save the adapter with PEFT's save_pretrained, or train one with steerbench train";

/**
 * Reads what a folder in PEFT's layout adds to a model; its tensors stay in their file.
 *
 * @param config of the model that it is to be added to
 * @throws SteerError that lists what is missing, broken, not computed here, or made for a model of
 * another shape
 */
export function readAdapterFolder(path: string, config: DecoderConfig): StoredAdapter {
  const faults = faultsOf(path);
  if (!existsSync(path)) {
    faults.add("not_found", "", `there is no such adapter folder; ${SAVE}`);
    faults.settle({});
  }
  const content = readJsonFile(path, ADAPTER_CONFIG, faults, SAVE);
  const lora =
    content && faults.collect(() => readAdapterConfig(content, join(path, ADAPTER_CONFIG)));
  const weights = findWeights(path, faults);
  if (lora && weights) {
    const isFit = checkFit(lora, weights, config, faults);
    if (!isFit) faults.add("mismatch", ADAPTER_CONFIG, whoseBase(content), BASE);
  }
  return faults.settle({ lora, weights });
}

function findWeights(path: string, faults: FolderFaults): StoredAdapter["weights"] | null {
  if (checkFile(path, ADAPTER_WEIGHTS, faults, SAVE) === null) return null;
  return faults.collect(() => {
    const file = openWeightFile(join(path, ADAPTER_WEIGHTS));
    file.close();
    return file;
  });
}

function checkFit(
  lora: LoraShape,
  { path, tensors }: StoredAdapter["weights"],
  config: DecoderConfig,
  faults: FolderFaults,
): boolean {
  const fit = faults.collect(() => {
    checkWeights(tensors, loraShapes(config, lora), path);
    return true;
  });
  return fit ?? false;
}

const BASE = "base_model_name_or_path";

function whoseBase(content: Readonly<Record<string, unknown>> | null): string {
  const base = JSON.stringify(content?.[BASE] ?? null);
  return `${base} is not of the shape of --model; name the model that the adapter was trained on`;
}
