import { z } from "zod";
import { type Fault, SteerError } from "../../core/errors.ts";
import type { LoraShape } from "../decoder/lora.ts";
import { PROJECTIONS, type Projection } from "../decoder/parameters.ts";

/** Names of an adapter's two files in a folder of PEFT's layout. */
export const ADAPTER_CONFIG = "adapter_config.json";
export const ADAPTER_WEIGHTS = "adapter_model.safetensors";

const unset = z.union([
  z.null(),
  z.literal(false),
  z.array(z.never()),
  z.record(z.never(), z.never()),
]);

/** The fields of adapter_config.json that decide what is computed. */
const schema = z.object({
  peft_type: z.literal("LORA", "only LORA is computed here"),
  r: z.int().min(1),
  lora_alpha: z.number().positive(),
  target_modules: z
    .array(
      z.enum(PROJECTIONS, { error: ({ input }) => foreignTarget(input) }),
      "must be a list of projections; patterns are not read",
    )
    .min(1),
  bias: z.literal("none", "a trained bias is not computed here").default("none"),
});

function foreignTarget(name: unknown): string {
  const known = PROJECTIONS.join(", ");
  return `${JSON.stringify(name)} is not computed here; train an adapter on some of ${known}`;
}

/** Variants of LoRA and settings of single layers; each changes the result where it is switched on. */
const VARIANT = /^use_|_config$|_pattern$/;
const UNCOMPUTED = [
  "fan_in_fan_out",
  "lora_bias",
  "exclude_modules",
  "layers_to_transform",
  "layer_replication",
  "modules_to_save",
  "trainable_token_indices",
  "target_parameters",
  "alora_invocation_tokens",
];
/** Beginnings that leave the model's own weights as they are. */
const PLAIN_BEGINNINGS: readonly unknown[] = [undefined, true, false, "gaussian", "orthogonal"];

/**
 * Reads the content of an adapter_config.json.
 *
 * @param file its path, for messages
 * @throws SteerError `invalid` that lists every field that is missing or not computed here
 */
export function readAdapterConfig(content: unknown, file: string): LoraShape {
  const parsed = schema.safeParse(content);
  const faults: Fault[] = (parsed.error?.issues ?? []).map(({ path, message }) => {
    return { file, path: path.join("."), message };
  });
  for (const [name, value] of Object.entries(parsed.success ? (content as object) : {})) {
    const isSwitch = VARIANT.test(name) || UNCOMPUTED.includes(name);
    const isForeignBeginning = name === "init_lora_weights" && !PLAIN_BEGINNINGS.includes(value);
    if ((isSwitch && !unset.safeParse(value).success) || isForeignBeginning) {
      faults.push({ file, path: name, message: `${JSON.stringify(value)} is not computed here` });
    }
  }
  if (!parsed.success || faults.length > 0) throw SteerError.fromFaults("invalid", faults);
  const { r, lora_alpha, target_modules } = parsed.data;
  return { rank: r, alpha: lora_alpha, targets: inOrder(target_modules) };
}

/**
 * The content of an adapter_config.json that PEFT reads.
 *
 * @param baseModel name or path of the model that the adapter belongs to
 */
export function makeAdapterConfig(lora: LoraShape, baseModel: string): Record<string, unknown> {
  return {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: baseModel,
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: 0,
    target_modules: inOrder(lora.targets),
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
  };
}

/** PEFT keeps a set, in no order. */
function inOrder(targets: readonly Projection[]): Projection[] {
  return PROJECTIONS.filter((projection) => targets.includes(projection));
}
