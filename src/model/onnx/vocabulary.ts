import type { DecoderLayout } from "./decoder-layout.ts";
import type { FolderFaults } from "./folder-faults.ts";
import type { ModelConfig } from "./model-config.ts";

/**
 * Models round their vocabulary up and leave the last ids unused, at most a few percent of them;
 * a tokenizer that fills less than this belongs to another model.
 */
const LEAST_FILLED = 0.9;

/** Notes a fault where config, graph and tokenizer do not speak of the same vocabulary. */
export function checkVocabulary(
  { vocabulary }: ModelConfig,
  graph: { readonly layout: Pick<DecoderLayout, "vocabulary">; readonly file: string },
  tokenizer: { readonly content: Readonly<Record<string, unknown>>; readonly file: string },
  faults: FolderFaults,
): void {
  const stated = `but config.json has vocab_size ${vocabulary}; these files belong to different models`;
  const width = graph.layout.vocabulary;
  if (width !== null && width !== vocabulary) {
    faults.add("mismatch", graph.file, `gives logits for ${width} tokens, ${stated}`);
  }
  const ids = tokenIds(tokenizer.content);
  const highest = ids.reduce((a, b) => Math.max(a, b), -1);
  if (highest < 0) faults.add("invalid", tokenizer.file, "holds no vocabulary", "model.vocab");
  else if (highest >= vocabulary) {
    faults.add("mismatch", tokenizer.file, `has a token with id ${highest}, ${stated}`);
  } else if (ids.length < LEAST_FILLED * vocabulary) {
    faults.add("mismatch", tokenizer.file, `has ${ids.length} tokens, ${stated}`);
  }
}

/** Every id of a tokenizer.json once: its vocabulary (a record or a list) and its added tokens. */
function tokenIds(tokenizer: Readonly<Record<string, unknown>>): number[] {
  const { model, added_tokens: added } = tokenizer as {
    model?: { vocab?: unknown };
    added_tokens?: unknown;
  };
  const vocab = model?.vocab;
  const ids = new Set<unknown>(
    Array.isArray(vocab) ? vocab.keys() : Object.values((vocab as object | undefined) ?? {}),
  );
  for (const token of Array.isArray(added) ? added : []) ids.add((token as { id?: unknown }).id);
  return [...ids].filter((id) => typeof id === "number");
}
