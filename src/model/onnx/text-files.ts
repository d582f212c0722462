import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FolderFaults, readJsonFile } from "./folder-faults.ts";
import { type ModelConfig, readModelConfig } from "./model-config.ts";

/** What a model folder in the Hugging Face layout holds beside its weights. */
export interface TextFiles {
  readonly config: ModelConfig;
  /** Content of config.json. */
  readonly rawConfig: Readonly<Record<string, unknown>>;
  /** Content of tokenizer.json. */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  /** Content of tokenizer_config.json; empty without the file. */
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
}

export const CONFIG = "config.json";
export const TOKENIZER = "tokenizer.json";
const GENERATION_CONFIG = "generation_config.json";
const TOKENIZER_CONFIG = "tokenizer_config.json";
const TEMPLATE = "chat_template.jinja";

/**
 * Reads the files beside the weights; null, with faults noted, for each that is missing or broken.
 *
 * @throws SteerError `not_found` when there is no such folder
 */
export function readTextFiles(
  path: string,
  faults: FolderFaults,
): { readonly [File in keyof TextFiles]: TextFiles[File] | null } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    const message = stats ? "is a file; name its folder" : "there is no such model folder";
    faults.add("not_found", "", message);
    faults.settle({});
  }
  const json = (file: string) => readJsonFile(path, file, faults, "download it into the folder");
  const optional = (file: string) => (existsSync(join(path, file)) ? json(file) : {});
  const rawConfig = json(CONFIG);
  const generation = optional(GENERATION_CONFIG);
  return {
    config: rawConfig && generation && readModelConfig(rawConfig, generation, faults),
    rawConfig,
    tokenizer: json(TOKENIZER),
    tokenizerConfig: optional(TOKENIZER_CONFIG),
  };
}

/** Text of chat_template.jinja, which goes before the template in tokenizer_config.json. */
export function readTemplateFile(path: string): string | null {
  const file = join(path, TEMPLATE);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Those of these files that the folder has. */
export function presentTextFiles(path: string): string[] {
  const files = [CONFIG, GENERATION_CONFIG, TOKENIZER, TOKENIZER_CONFIG, TEMPLATE];
  return files.filter((file) => existsSync(join(path, file)));
}
