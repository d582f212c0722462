import { z } from "zod";
import { LABELS, type Label } from "../core/intervention.ts";
import type { Domain } from "../core/trace.ts";
import { openBytes } from "../data/byte-source.ts";
import { explainIssues } from "../data/explain.ts";
import { FaultList } from "../data/faults.ts";
import { type Place, readRows } from "../data/jsonl.ts";
import { classify, type Outcome } from "../task/outcome.ts";
import { parse } from "../task/parse/parse.ts";
import type { Letters } from "../task/parse/types.ts";
import { SCHEMES, type Scheme } from "../task/scheme.ts";
import { settle } from "../task/score.ts";
import { keyText, storedParse } from "./run-row.ts";
import type { StoredParse } from "./run-schema.ts";
import type { ScoredAnswer } from "./scored.ts";

const letters = z
  .array(z.enum(LABELS))
  .refine((list) => list.length === LABELS.length && new Set(list).size === list.length, {
    message: `must be the five labels that A to E stand for, each once`,
  });

/** A row of somebody's raw answers. Fields that we do not know are left alone. */
const inputSchema = z.looseObject({
  id: z.string().min(1, "must not be empty"),
  sample: z.int("must be a whole number, 0 or more").min(0).nullish(),
  answer: z.string(),
  gold: z.enum(LABELS).nullish(),
  finish: z.string().nullish(),
  /** What OpenAI's replies call `finish`. */
  finish_reason: z.string().nullish(),
  letters: letters.nullish(),
  prompt: z.string().nullish(),
});

/** What `score` says of one row. */
export interface ScoreRow {
  readonly id: string;
  /** Only where the input gave one. */
  readonly sample?: number;
  /** Null when neither the row nor the set tells it; `outcome` and `rewards` then are, too. */
  readonly gold: Label | null;
  readonly strict: StoredParse;
  readonly lenient: StoredParse;
  /** By the parse that the first scheme reads. */
  readonly outcome: Outcome | null;
  /** By scheme name. */
  readonly rewards: Readonly<Record<string, number>> | null;
}

/** The rows of a file, in its order. */
export interface ScoredFile {
  readonly rows: readonly ScoreRow[];
  /** The rows with a gold label, for metrics. */
  readonly answers: readonly ScoredAnswer[];
}

/** What a scenario set tells of a trace. */
export interface GoldTrace {
  readonly family: string;
  readonly domain: Domain;
  readonly label: Label;
  readonly also?: readonly Label[] | undefined;
}

/** Options of {@link scoreFile}. */
export interface ScoreFileOptions {
  /** Looks up a trace of the set, where one is given. */
  readonly traceOf?: ((id: string) => GoldTrace | undefined) | undefined;
  /** Default: both built-in schemes. */
  readonly schemes?: readonly Scheme[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const BUILT_IN: readonly Scheme[] = [SCHEMES.symmetric, SCHEMES.asymmetric];

/**
 * Reads raw answers, from a JSONL file or `-` for stdin, with the parsers of this version.
 *
 * @throws SteerError `invalid` listing every fault at once: answers that are no text, unknown gold
 *   labels, gold labels that contradict the set, ids that the set lacks and that bring no gold
 *   label, letters that are no order of the five labels, two rows of one id and sample
 */
export async function scoreFile(
  path: string,
  { traceOf, schemes = BUILT_IN, onProgress }: ScoreFileOptions = {},
): Promise<ScoredFile> {
  const faults = new FaultList();
  const lines = new Map<string, number>();
  const rows: ScoreRow[] = [];
  const answers: ScoredAnswer[] = [];
  const source = await openBytes(path);
  const visit = (value: unknown, { file, line }: Place) => {
    const add = (at: string, message: string) => faults.add({ file, line, path: at, message });
    const result = inputSchema.safeParse(value);
    if (!result.success) {
      for (const fault of explainIssues(result.error, value, inputSchema))
        add(fault.path, fault.message);
      return;
    }
    const input = result.data;
    const key = keyText({ id: input.id, sample: input.sample ?? 0 });
    const before = lines.get(key);
    lines.set(key, before ?? line);
    if (before !== undefined) {
      add(
        "id",
        `${name(input)} stands on line ${before} already; number its answers with "sample"`,
      );
    }
    const trace = traceOf?.(input.id);
    const gold = input.gold ?? trace?.label ?? null;
    if (trace && gold !== trace.label) add("gold", `${gold}, but the set says ${trace.label}`);
    if (traceOf && gold === null)
      add("id", `${name(input)} is not in the set and has no gold label`);
    if (faults.count > 0) return;
    const { row, answer } = scoreRow(input, gold, trace, schemes);
    rows.push(row);
    if (answer) answers.push(answer);
  };
  try {
    await readRows({ source, file: source.name, schema: z.unknown(), visit, faults, onProgress });
    faults.throwIfAny("invalid");
    return { rows, answers };
  } finally {
    await source.close();
  }
}

type Input = z.infer<typeof inputSchema>;

function name({ id, sample }: Input): string {
  return sample === null || sample === undefined
    ? JSON.stringify(id)
    : `sample ${sample} of ${JSON.stringify(id)}`;
}

function scoreRow(
  input: Input,
  gold: Label | null,
  trace: GoldTrace | undefined,
  schemes: readonly Scheme[],
): { row: ScoreRow; answer: ScoredAnswer | null } {
  const { id, answer: text } = input;
  const finish = input.finish ?? input.finish_reason;
  const sample = input.sample ?? undefined;
  const read = parse(text, {
    letters: (input.letters ?? undefined) as Letters | undefined,
    prompt: input.prompt ?? undefined,
  });
  const parses = { strict: storedParse(read.strict), lenient: storedParse(read.lenient) };
  const head = { id, ...(sample !== undefined && { sample }), gold, ...parses };
  if (gold === null) return { row: { ...head, outcome: null, rewards: null }, answer: null };
  const payments = settle(parses, { gold, finish }, schemes);
  const paid = Object.entries(payments).map(([scheme, { reward }]) => [scheme, reward] as const);
  const label = parses[schemes[0]?.parse ?? "lenient"].label;
  const row = {
    ...head,
    outcome: classify(gold, label, finish),
    rewards: Object.fromEntries(paid),
  };
  const answer: ScoredAnswer = {
    id,
    sample: sample ?? 0,
    family: trace?.family ?? null,
    domain: trace?.domain ?? null,
    gold,
    also: trace?.also ?? [],
    text,
    ...parses,
    outcome: classify(gold, parses.lenient.label, finish),
    strictOutcome: classify(gold, parses.strict.label, finish),
    payments,
    passes: null,
  };
  return { row, answer };
}
