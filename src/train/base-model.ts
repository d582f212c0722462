import { basename, join, resolve } from "node:path";
import { SteerError } from "../core/errors.ts";
import { checkWeights } from "../graph/decoder/check-weights.ts";
import { type DecoderConfig, readDecoderConfig } from "../graph/decoder/config.ts";
import type { WeightSource } from "../graph/decoder/model-in-graph.ts";
import { parameterShapes } from "../graph/decoder/parameters.ts";
import { weightsInFile } from "../graph/decoder/stored-weights.ts";
import { openModelWeights, type WeightFile } from "../graph/safetensors/weight-file.ts";
import { type ChatTemplate, makeChatTemplate } from "../model/onnx/chat-template.ts";
import { findDataFolder } from "../model/onnx/data-folder.ts";
import { findEndIds } from "../model/onnx/folder-facts.ts";
import { type FolderFaults, faultsOf } from "../model/onnx/folder-faults.ts";
import { makePromptEncoder, type PromptEncoder } from "../model/onnx/prompt-encoder.ts";
import {
  CONFIG,
  presentTextFiles,
  readTemplateFile,
  readTextFiles,
  TOKENIZER,
} from "../model/onnx/text-files.ts";
import { makeTokenizer, type TextTokenizer } from "../model/onnx/tokenizer.ts";
import { checkVocabulary } from "../model/onnx/vocabulary.ts";

/** A model folder that training starts from. The caller closes its weights. */
export interface BaseModel {
  readonly path: string;
  /** The folder's own name. */
  readonly name: string;
  readonly config: DecoderConfig;
  /** Content of config.json. */
  readonly rawConfig: Readonly<Record<string, unknown>>;
  readonly weights: WeightFile;
  readonly tokenizer: TextTokenizer;
  readonly template: ChatTemplate;
  readonly encoder: PromptEncoder;
  /** Tokens that end an answer. */
  readonly endIds: readonly number[];
  /** Files that decide the model's answers, relative to the folder, weights among them. */
  readonly files: readonly string[];
}

/** The file of a model folder that holds its weights. */
export const WEIGHTS = "model.safetensors";

/**
 * Opens a folder in the Hugging Face layout: config, tokenizer and `model.safetensors`. Weights
 * are read later.
 *
 * @throws SteerError that lists every file that is missing, broken, foreign or not computed here
 */
export function openBaseModel(path: string): BaseModel {
  const faults = faultsOf(path);
  const found = readTextFiles(path, faults);
  const decoder =
    found.config && faults.collect(() => readDecoderConfig(found.rawConfig, join(path, CONFIG)));
  if (found.config && decoder && found.tokenizer) {
    const content = { content: found.tokenizer, file: TOKENIZER };
    checkVocabulary(found.config, { layout: decoder, file: WEIGHTS }, content, faults);
  }
  const weights = decoder && faults.collect(() => openChecked(path, decoder));
  const read = settleOrClose(faults, weights, { ...found, decoder, weights });
  const tokenizer = makeTokenizer(read.tokenizer, read.tokenizerConfig, join(path, TOKENIZER));
  const template = makeChatTemplate(readTemplateFile(path), read.tokenizerConfig, tokenizer.named);
  return {
    path,
    name: basename(resolve(path)),
    config: read.decoder,
    rawConfig: read.rawConfig,
    weights: read.weights,
    tokenizer,
    template,
    encoder: makePromptEncoder(template, tokenizer, read.decoder.context),
    endIds: findEndIds(read.config, tokenizer),
    files: [...presentTextFiles(path), WEIGHTS],
  };
}

/** The model's weights as the runtime reads them from their file by itself. */
export function storedWeights({ weights }: BaseModel): { source: WeightSource; folder: string } {
  const { folder, place } = findDataFolder([weights.path]);
  return { folder, source: weightsInFile(weights.tensors, place(weights.path)) };
}

/**
 * The token that a trained answer ends with: the tokenizer's own end token where it has one, since
 * chat models name there what ends a turn, else the first that the config files name.
 *
 * @throws SteerError `invalid` when the model has none
 */
export function endTokenOf({ path, tokenizer, endIds }: BaseModel): number {
  const { eos_token: named } = tokenizer.named;
  const id = (named === undefined ? undefined : tokenizer.idOf(named)) ?? endIds[0];
  if (id !== undefined) return id;
  const fix = "name eos_token in tokenizer_config.json or eos_token_id in config.json";
  throw new SteerError("invalid", `${path}: has no token that ends an answer; ${fix}`);
}

function openChecked(path: string, config: DecoderConfig): WeightFile {
  const weights = openModelWeights(path);
  try {
    checkWeights(weights.tensors, parameterShapes(config), weights.path);
    return weights;
  } catch (error) {
    weights.close();
    throw error;
  }
}

function settleOrClose<T extends object>(
  faults: FolderFaults,
  weights: WeightFile | null,
  found: T,
): { [Key in keyof T]: NonNullable<T[Key]> } {
  try {
    return faults.settle(found);
  } catch (error) {
    weights?.close();
    throw error;
  }
}
