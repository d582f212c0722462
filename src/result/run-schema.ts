import { z } from "zod";
import { LABELS } from "../core/intervention.ts";
import { DOMAINS } from "../core/trace.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a sha256 in lower-case hex");
const wholeFrom = (min: number) => z.int(`must be a whole number, ${min} or more`).min(min);
const name = z.string().min(1, "must not be empty");

/** What scoring a run needs of one trace, so that a run can be read without its scenario set. */
export const runTraceSchema = z.strictObject({
  id: name,
  family: name,
  domain: z.enum(DOMAINS),
  gold: z.enum(LABELS),
  also: z.array(z.enum(LABELS)).optional(),
  /** sha256 of the rendered situation. */
  situation: hash,
});

/** See {@link runTraceSchema}. */
export type RunTrace = z.infer<typeof runTraceSchema>;

/** `run.json`: everything that decides a run's answers, and what they are answers to. */
export const runHeaderSchema = z.strictObject({
  version: z.literal(1),
  model: z.strictObject({
    spec: name,
    name,
    files: z.record(z.string(), hash),
    dtype: z.string().nullable(),
    endTokens: z.array(z.string()),
    details: z.record(z.string(), z.json()),
  }),
  readout: z.enum(["generative", "decision"]),
  prompt: z.strictObject({ version: name, template: hash }),
  set: z.strictObject({ name: z.string(), digest: name }),
  /** Digest of the split file's content, and the side that was evaluated. */
  split: z.strictObject({ digest: hash, part: z.enum(["train", "test"]) }),
  /** sha256 of each file of the set. */
  files: z.record(z.string(), hash),
  scorer: z.strictObject({ version: name, vectors: hash.nullable() }),
  seed: z.string(),
  /** Generative readout only. */
  sampling: z
    .strictObject({
      temperature: z.number().min(0, "must be 0 or more"),
      topP: z.number().gt(0, "must be above 0").max(1, "must be 1 or less"),
      maxTokens: wholeFrom(1),
    })
    .nullable(),
  /** Answers per trace; 1 in the decision readout. */
  samples: wholeFrom(1),
  /** Decision readout only: where each trace's letters begin, and how many orders are averaged. */
  letters: z
    .strictObject({
      order: z.enum(["trace", "fixed"]),
      rotations: wholeFrom(1).max(5, "must be 5 or less"),
    })
    .refine(({ order, rotations }) => order === "trace" || rotations === 1, {
      path: ["rotations"],
      message: "must be 1 when the order is fixed",
    })
    .nullable(),
  /** These two may change when a run is resumed: they decide how fast, not what. */
  workers: wholeFrom(1),
  threads: wholeFrom(1),
  limit: wholeFrom(1).nullable(),
  /** Counts from 1: shard 2 of 4 is `{index: 2, count: 4}`. */
  shard: z
    .strictObject({ index: wholeFrom(1), count: wholeFrom(1) })
    .refine(({ index, count }) => index <= count, {
      path: ["index"],
      message: "must not be above count",
    })
    .nullable(),
  /** Digest over the ids and situation hashes of `traces`. */
  situations: hash,
  /** In the order in which they are asked: by sha256 of the id. */
  traces: z.array(runTraceSchema),
});

/** See {@link runHeaderSchema}. */
export type RunHeader = z.infer<typeof runHeaderSchema>;

/** JSON has no infinities and no NaN; a bare null would hide which it was. */
const storedNumber = z.union([z.number(), z.enum(["-inf", "inf", "nan"])]);
const offset = wholeFrom(0).max(4);
const logprobs = z.array(storedNumber).length(5, "must hold five values, for A to E");
const parse = z.strictObject({
  label: z.enum(LABELS).nullable(),
  reason: name.optional(),
  multiple: z.literal(true).optional(),
});
const key = { id: name, sample: wholeFrom(0) };

/** A written answer. */
export const generativeRowSchema = z.strictObject({
  ...key,
  text: z.string(),
  finish: z.string().nullable(),
  tokens: wholeFrom(0).nullable(),
  /** Thoughts that the model gave apart from its answer. */
  reasoning: z.string().optional(),
  strict: parse,
  lenient: parse,
  /** Lone surrogates of the answer that were stored as U+FFFD. */
  replaced: wholeFrom(1).optional(),
});

/** Letter scores: of the first order of the choices, and under `rotated` of any further ones. */
export const decisionRowSchema = z.strictObject({
  ...key,
  text: z.null(),
  finish: z.null(),
  tokens: z.null(),
  logprobs,
  letterMass: storedNumber,
  offset,
  rotated: z.array(z.strictObject({ offset, logprobs, letterMass: storedNumber })).optional(),
  /** How many of the stored numbers are not finite. */
  nonFinite: wholeFrom(1).optional(),
  strict: parse,
  lenient: parse,
});

/** A failure of the provider or the model, with no answer. */
export const errorRowSchema = z.strictObject({
  ...key,
  error: z.strictObject({ code: name, message: z.string() }),
});

/** A parse as it is stored: without the rung, which says how the label was found. */
export type StoredParse = z.infer<typeof parse>;

/** The schema that a stored row, by its shape, should fit; so that faults are told in its words. */
export function schemaOfRow(value: unknown) {
  const fields = typeof value === "object" && value !== null ? value : {};
  if ("error" in fields) return errorRowSchema;
  return "logprobs" in fields ? decisionRowSchema : generativeRowSchema;
}
