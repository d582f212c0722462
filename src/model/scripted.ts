import { basename } from "node:path";
import { z } from "zod";
import { openBytes } from "../data/byte-source.ts";
import { explainIssues } from "../data/explain.ts";
import { FaultList } from "../data/faults.ts";
import { type Place, readRows } from "../data/jsonl.ts";
import type { Generation, LetterScores, Model, ModelDescription, ModelFailure } from "./model.ts";

const id = z.string().min(1, "must not be empty");

const answerSchema = z.strictObject({
  id,
  sample: z.int("must be a whole number, 0 or more").min(0).optional(),
  answer: z.string(),
  finish: z.string().nullable().optional(),
});

/** JSON cannot hold -Infinity or NaN, which a real model can give. */
const LOGPROB_RULE = 'must be a number of at most 0, "-inf" or "nan"';
const logprob = z.union([z.number().max(0, LOGPROB_RULE), z.enum(["-inf", "nan"])], LOGPROB_RULE);

const lettersSchema = z.strictObject({
  id,
  logprobs: z.array(logprob).length(5, "must hold five values, for A to E"),
  letterMass: z.number().min(0).max(1).optional(),
});

interface Script {
  /** By id and sample. */
  readonly answers: ReadonlyMap<string, Generation>;
  /** By id. */
  readonly letters: ReadonlyMap<string, LetterScores>;
}

/**
 * A model that answers from a JSONL file: rows `{id, sample?, answer, finish?}` for written answers
 * (`sample` counts from 0) and `{id, logprobs: [A, B, C, D, E], letterMass?}` for letter scores,
 * which stay with the letters whatever these stand for. Without `letterMass` it is the sum of the
 * letters' probabilities. What the file does not hold is a failure `no_answer`.
 *
 * @throws SteerError `invalid` listing all faults of the file, `not_found`, `unreadable`
 */
export async function scriptedModel(file: string): Promise<Model> {
  const { answers, letters, hash } = await readScript(file);
  const description: ModelDescription = {
    spec: `scripted:${file}`,
    name: `scripted:${basename(file)}`,
    files: { [basename(file)]: hash },
    dtype: null,
    endTokens: [],
    details: {},
  };
  return {
    describe: () => description,
    async generate(requests) {
      return requests.map(({ id, samples }) =>
        samples.map((sample) => answers.get(answerKey(id, sample)) ?? missing(file, id, sample)),
      );
    },
    async scoreLetters(requests) {
      return requests.map(({ id }) => letters.get(id) ?? missing(file, id));
    },
    async close() {},
  };
}

function missing(file: string, id: string, sample?: number): ModelFailure {
  const what = sample === undefined ? `logprobs for ${id}` : `answer for ${id}, sample ${sample}`;
  return { error: { code: "no_answer", message: `${file} has no ${what}` } };
}

async function readScript(file: string): Promise<Script & { readonly hash: string }> {
  const answers = new Map<string, Generation>();
  const letters = new Map<string, LetterScores>();
  const lines = new Map<string, number>();
  const faults = new FaultList();
  const source = await openBytes(file);
  const visit = (value: unknown, { line }: Place) => {
    const place = { file: source.name, line, faults };
    const key = isLetterRow(value)
      ? addLetters(letters, value, place)
      : addAnswer(answers, value, place);
    if (key === null) return;
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    else faults.add({ file, line, path: "id", message: `${key} stands on line ${before} already` });
  };
  try {
    await readRows({ source, file: source.name, schema: z.unknown(), visit, faults });
    faults.throwIfAny("invalid");
    return { answers, letters, hash: source.sha256() };
  } finally {
    await source.close();
  }
}

interface RowPlace {
  readonly file: string;
  readonly line: number;
  readonly faults: FaultList;
}

function isLetterRow(value: unknown): boolean {
  return typeof value === "object" && value !== null && "logprobs" in value;
}

/** The row's key for people; null for a row with faults, which are added. */
function addAnswer(answers: Map<string, Generation>, value: unknown, place: RowPlace) {
  const row = check(answerSchema, value, place);
  if (row === null) return null;
  const { id, sample = 0, answer, finish } = row;
  answers.set(answerKey(id, sample), { text: answer, finish: finish ?? null, tokens: null });
  return `answer ${sample} to ${JSON.stringify(id)}`;
}

function addLetters(letters: Map<string, LetterScores>, value: unknown, place: RowPlace) {
  const row = check(lettersSchema, value, place);
  if (row === null) return null;
  const logprobs = row.logprobs.map(toNumber);
  const mass = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  // A little above one is rounding; more are no log-probabilities of one distribution.
  if (mass > 1 + 1e-6) {
    const message = `hold probabilities that sum to ${mass}: at most 1 is possible`;
    const { faults, ...at } = place;
    faults.add({ ...at, path: "logprobs", message });
  }
  letters.set(row.id, { logprobs, letterMass: row.letterMass ?? Math.min(mass, 1) });
  return `letter scores of ${JSON.stringify(row.id)}`;
}

function check<Row>(schema: z.ZodType<Row>, value: unknown, { faults, ...place }: RowPlace) {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const fault of explainIssues(result.error, value, schema))
    faults.add({ ...place, ...fault });
  return null;
}

function toNumber(value: number | "-inf" | "nan"): number {
  if (value === "-inf") return Number.NEGATIVE_INFINITY;
  return value === "nan" ? Number.NaN : value;
}

function answerKey(id: string, sample: number): string {
  return JSON.stringify([id, sample]);
}
