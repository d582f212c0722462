import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { readJsonFile } from "../data/json-file.ts";
import { PROJECTIONS } from "../graph/decoder/parameters.ts";
import { dominatedHolding, SCHEMES, type Scheme, schemeSchema } from "../task/scheme.ts";

const count = z.int().min(0);
const positive = z.int().min(1);
const word = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be a lower-case word");
const name = word.regex(/^(?!seed-)/, "must not begin with seed-, as the folders of seeds do");

const scheme = z.union([
  z.enum(Object.keys(SCHEMES) as [keyof typeof SCHEMES, ...(keyof typeof SCHEMES)[]]),
  schemeSchema,
]);

/** How an arm is trained; nothing has a default, so that the file says all of it. */
const training = {
  /** Traces of the train side, in the order of their hashes; null for all. */
  limit: positive.nullable(),
  epochs: z.number().positive(),
  /** Traces of a step. */
  batch: positive,
  learningRate: z.number().positive(),
  warmUp: count,
  saveEvery: positive,
};

const rollouts = {
  /** An earlier `sft` arm, whose adapter of the same seed training goes on from. */
  from: name,
  scheme,
  samples: z.int().min(2),
  temperature: z.number().positive(),
  maxTokens: positive,
  divideBy: z.enum(["group", "answer"]),
};

const arm = z.discriminatedUnion("method", [
  z.strictObject({
    name,
    method: z.literal("none"),
    readout: z.enum(["generative", "decision"]),
  }),
  z.strictObject({ name, method: z.literal("sft"), ...training }),
  z.strictObject({ name, method: z.literal("rl"), ...training, ...rollouts }),
  z.strictObject({ name, method: z.literal("decision"), ...training }),
  z.strictObject({ name, method: z.literal("head"), ...training }),
]);

const experimentSchema = z.strictObject({
  version: z.literal(1),
  /** For people. */
  about: z.string(),
  /** This path and the next two start at the file's own folder. */
  set: z.string().min(1),
  split: z.string().min(1),
  model: z.string().min(1),
  /** Every trained arm is trained once with each. */
  seeds: z.array(word).min(1),
  /** Inside each call of the graph while training; with another number, results differ by rounding. */
  threads: positive,
  /** Of all arms that train one. */
  adapter: z.strictObject({
    rank: positive,
    alpha: z.number().positive(),
    targets: z.array(z.enum(PROJECTIONS)).min(1),
  }),
  /** Greedy answers of at most so many tokens, or letters in so many orders. */
  evaluation: z.strictObject({ maxTokens: positive, rotations: z.int().min(1).max(5) }),
  arms: z.array(arm).min(1),
});

/** One arm of an experiment: how it is trained, if it is. */
export type ArmSpec = z.infer<typeof arm>;

/** An arm that is trained. */
export type TrainedArmSpec = Exclude<ArmSpec, { readonly method: "none" }>;

/** An experiment, its paths as this process reaches them. */
export type Experiment = z.infer<typeof experimentSchema>;

/** The name of the arm that every experiment adds: a bag of words fitted on the train side. */
export const WORDS = "words";

/**
 * Reads an experiment.
 *
 * @param model a folder that stands in for the one that the file names
 * @throws SteerError as for reading a JSON file; `invalid` listing arms and seeds that share a
 *   name, an arm that goes on from none that is there, and prices under which garbage beats a
 *   holding answer
 */
export async function readExperiment(path: string, model?: string): Promise<Experiment> {
  const read = await readJsonFile(path, experimentSchema, "experiment");
  const faults = faultsOf(read).map((fault) => ({ file: path, ...fault }));
  if (faults.length > 0) throw SteerError.fromFaults("invalid", faults);
  const near = (named: string) => relative(".", resolve(dirname(path), named));
  return {
    ...read,
    set: near(read.set),
    split: near(read.split),
    model: model ?? near(read.model),
  };
}

function faultsOf({ arms, seeds }: Experiment): { path: string; message: string }[] {
  const names = arms.map((each) => each.name);
  return [
    ...repeated(seeds).map((at) => ({ path: `seeds[${at}]`, message: "is listed twice" })),
    ...repeated(names).map((at) => ({ path: `arms[${at}].name`, message: "is listed twice" })),
    ...arms.flatMap((each, at) => {
      const path = `arms[${at}]`;
      if (each.name === WORDS) {
        const message = `${WORDS} is the name of the baseline that is always added`;
        return [{ path: `${path}.name`, message }];
      }
      if (each.method !== "rl") return [];
      const start = arms.slice(0, at).find((other) => other.name === each.from);
      const message = `${each.from} is no sft arm above this one`;
      return [
        ...(start?.method === "sft" ? [] : [{ path: `${path}.from`, message }]),
        ...faultsOfScheme(each.scheme).map((text) => ({ path: `${path}.scheme`, message: text })),
      ];
    }),
  ];
}

/** Positions of what stood in a list before. */
function repeated(names: readonly string[]): number[] {
  return [...names.keys()].filter((at) => names.indexOf(names[at] as string) < at);
}

function faultsOfScheme(own: z.infer<typeof scheme>): string[] {
  if (typeof own !== "string" && Object.hasOwn(SCHEMES, own.name)) {
    return [`${own.name} is the name of built-in prices; give your own another one`];
  }
  return dominatedHolding(schemeOf(own)).map(({ gold, answer, pays, garbage }) => {
    return `${answer} where ${gold} is right pays ${pays}, and garbage ${garbage}; lower unreadable and cut_off`;
  });
}

/** Both built-in schemes, and those that arms spell out. */
export function schemesOf({ arms }: Experiment): Scheme[] {
  const named = arms.flatMap((each) => (each.method === "rl" ? [schemeOf(each.scheme)] : []));
  const all = [...Object.values(SCHEMES), ...named];
  return all.filter((own, at) => all.findIndex((other) => other.name === own.name) === at);
}

/** The prices that an arm names, or spells out. */
export function schemeOf(named: z.infer<typeof scheme>): Scheme {
  return typeof named === "string" ? SCHEMES[named] : named;
}
