import { hashFiles } from "./hash-files.ts";
import type { ModelConfig } from "./model-config.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { TextTokenizer } from "./tokenizer.ts";

/** What a run records of a model's folder, beside the hashes of its files. */
export function describeFolder({
  config,
  graphName,
  graph,
  adapter,
}: ModelFolder): Record<string, unknown> {
  return {
    architecture: config.architecture,
    graph: graphName,
    attention: graph.layout.attention,
    /** `whole` means that logits are computed at every position, which is slow, for this reason. */
    head: graph.head,
    ...(graph.wholeHeadReason === null ? {} : { headReason: graph.wholeHeadReason }),
    contextLength: config.contextLength,
    ...(config.note === null ? {} : { note: config.note }),
    ...(adapter === null ? {} : { adapter: adapter.details }),
  };
}

/** sha256 of every file that decides a model's answers; an adapter's stand under `adapter/`. */
export async function hashFolder(folder: ModelFolder): Promise<Record<string, string>> {
  const own = await hashFiles(folder.path, folder.files);
  if (folder.adapter === null) return own;
  const added = await hashFiles(folder.adapter.path, folder.adapter.files);
  const renamed = Object.entries(added).map(([file, hash]) => [`adapter/${file}`, hash]);
  return { ...own, ...Object.fromEntries(renamed) };
}

/** Tokens that end an answer: all that the config files name, and the tokenizer's own. */
export function findEndIds(config: ModelConfig, tokenizer: TextTokenizer): number[] {
  const { eos_token: named } = tokenizer.named;
  const own = named === undefined ? undefined : tokenizer.idOf(named);
  return [...new Set([...config.endIds, ...(own === undefined ? [] : [own])])];
}
