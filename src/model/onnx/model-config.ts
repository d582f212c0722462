import { z } from "zod";
import { explainIssues } from "../../data/explain.ts";
import type { FolderFaults } from "./folder-faults.ts";

const wholeNumber = z.int().min(0);
const length = z.int().min(1).optional();
const idOrIds = z
  .union([wholeNumber, z.array(wholeNumber)])
  .nullish()
  .transform((value) => (typeof value === "number" ? [value] : (value ?? [])));

/** The fields of config.json that scoring rests on; any others are left alone. */
const schema = z.object({
  architectures: z.array(z.string()).default([]),
  is_encoder_decoder: z.boolean().default(false),
  vocab_size: z.int().min(1),
  max_position_embeddings: length,
  n_positions: length,
  n_ctx: length,
  eos_token_id: idOrIds,
  /** What belongs beside every figure of this model; `models/tiny` says here that it is no judge. */
  note: z.string().optional(),
});
const generationSchema = z.object({ eos_token_id: idOrIds });

/** What config.json and generation_config.json say, in one form. */
export interface ModelConfig {
  readonly architecture: string | null;
  /** Token ids run from 0 to below this. */
  readonly vocabulary: number;
  /** Most tokens of a prompt and its answer together. */
  readonly contextLength: number;
  readonly endIds: readonly number[];
  readonly note: string | null;
}

const CAUSAL = /(?:ForCausalLM|LMHeadModel)$/;

/** Reads both files' content; null, with the faults noted, when it does not describe a causal model. */
export function readModelConfig(
  config: unknown,
  generationConfig: unknown,
  faults: FolderFaults,
): ModelConfig | null {
  const parsed = parse(schema, config, "config.json", faults);
  const generation = parse(generationSchema, generationConfig, "generation_config.json", faults);
  if (parsed === null || generation === null) return null;
  const { architectures, vocab_size, max_position_embeddings, n_positions, n_ctx } = parsed;
  const architecture = architectures.find((name) => CAUSAL.test(name)) ?? architectures[0] ?? null;
  if (parsed.is_encoder_decoder || (architecture !== null && !CAUSAL.test(architecture))) {
    const what = `${architecture ?? "an encoder and decoder"} is no causal language model`;
    faults.add("invalid", "config.json", `${what}; use one whose class ends in ForCausalLM`);
    return null;
  }
  const contextLength = max_position_embeddings ?? n_positions ?? n_ctx;
  if (contextLength === undefined) {
    const message = "is missing: without it no prompt can be held against the context limit";
    faults.add("invalid", "config.json", message, "max_position_embeddings");
    return null;
  }
  return {
    architecture,
    vocabulary: vocab_size,
    contextLength,
    endIds: [...new Set([...generation.eos_token_id, ...parsed.eos_token_id])],
    note: parsed.note ?? null,
  };
}

function parse<T>(
  type: z.ZodType<T>,
  value: unknown,
  file: string,
  faults: FolderFaults,
): T | null {
  const result = type.safeParse(value);
  if (result.success) return result.data;
  for (const { path, message } of explainIssues(result.error, value, type)) {
    faults.add("invalid", file, message, path);
  }
  return null;
}
