import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { checkWeights } from "../../graph/decoder/check-weights.ts";
import { type DecoderConfig, readDecoderConfig } from "../../graph/decoder/config.ts";
import { parameterShapes } from "../../graph/decoder/parameters.ts";
import { openModelWeights, type WeightFile } from "../../graph/safetensors/weight-file.ts";
import { checkFile, type FolderFaults, faultsOf } from "../onnx/folder-faults.ts";
import type { AdapterFacts, ModelFolder } from "../onnx/model-folder.ts";
import {
  CONFIG,
  presentTextFiles,
  readTemplateFile,
  readTextFiles,
  TOKENIZER,
} from "../onnx/text-files.ts";
import { checkVocabulary } from "../onnx/vocabulary.ts";
import { ADAPTER_FILES, readAdapterFolder } from "./adapter-folder.ts";
import { makeServingModel, type StoredAdapter } from "./serving-model.ts";

const WEIGHTS = "model.safetensors";

/**
 * Reads a model folder with `model.safetensors` instead of a graph, which is built here. Tokenizer
 * and chat template are always the model's own, whatever lies beside the adapter.
 *
 * @param adapterPath a folder in PEFT's layout
 * @throws SteerError that lists every missing, empty, cut, foreign or mismatched file of the model,
 * then of the adapter; everything that would change the result and is not computed is refused
 */
export function readHfFolder(path: string, adapterPath?: string): ModelFolder {
  const faults = faultsOf(path);
  const found = readTextFiles(path, faults);
  const { rawConfig, tokenizer } = found;
  const decoderFound =
    found.config && faults.collect(() => readDecoderConfig(rawConfig, join(path, CONFIG)));
  const weightsFound = findWeights(path, decoderFound, faults);
  if (found.config && decoderFound && tokenizer) {
    const head = { layout: decoderFound, file: WEIGHTS };
    checkVocabulary(found.config, head, { content: tokenizer, file: TOKENIZER }, faults);
  }
  const { decoder, weights, ...texts } = faults.settle({
    ...found,
    decoder: decoderFound,
    weights: weightsFound,
  });
  const adapter = adapterPath === undefined ? null : readAdapterFolder(adapterPath, decoder);
  return {
    ...texts,
    path,
    name: [path, adapterPath ?? []].flat().map(nameOf).join("+"),
    graphName: WEIGHTS,
    graph: makeServingModel(decoder, weights, adapter),
    templateFile: readTemplateFile(path),
    files: [...presentTextFiles(path), WEIGHTS],
    adapter: adapter && factsOf(adapter, adapterPath ?? ""),
  };
}

/** The head of the file of weights, held against the config where that could be read. */
function findWeights(
  path: string,
  config: DecoderConfig | null,
  faults: FolderFaults,
): Pick<WeightFile, "path" | "tensors"> | null {
  const isBroken = existsSync(join(path, WEIGHTS)) && checkFile(path, WEIGHTS, faults, "") === null;
  if (isBroken) return null;
  return faults.collect(() => {
    const file = openModelWeights(path);
    file.close();
    if (config !== null) checkWeights(file.tensors, parameterShapes(config), file.path);
    return file;
  });
}

function factsOf({ lora }: StoredAdapter, path: string): AdapterFacts {
  const { rank, alpha, targets } = lora;
  return { path, files: ADAPTER_FILES, details: { rank, alpha, targets } };
}

function nameOf(path: string): string {
  return basename(resolve(path));
}
