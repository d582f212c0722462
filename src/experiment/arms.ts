import { join } from "node:path";
import type { Readout } from "../task/prompt.ts";
import { type ArmSpec, type Experiment, WORDS } from "./experiment-file.ts";

/** One arm under one seed, or an arm that needs none: what is evaluated as one run. */
export interface Arm {
  /** As in the file, with the seed behind it where there are several. */
  readonly title: string;
  readonly name: string;
  /** Null: the bag of words that is always added. */
  readonly spec: ArmSpec | null;
  /** Null where nothing is trained. */
  readonly seed: string | null;
  readonly readout: Readout;
  /** Holds its training, if any, and its run. */
  readonly folder: string;
}

/** All arms of an experiment, in the order in which they are made. */
export function armsOf({ arms, seeds }: Experiment, out: string): Arm[] {
  const words: Arm = {
    title: WORDS,
    name: WORDS,
    spec: null,
    seed: null,
    readout: "decision",
    folder: join(out, WORDS),
  };
  return [
    words,
    ...arms.flatMap((spec): Arm[] => {
      const { name } = spec;
      const common = { name, spec, readout: readoutOf(spec) };
      if (spec.method === "none") {
        return [{ ...common, title: name, seed: null, folder: join(out, name) }];
      }
      return seeds.map((seed) => ({
        ...common,
        title: seeds.length === 1 ? name : `${name}, seed ${seed}`,
        seed,
        folder: trainedFolder(out, seed, name),
      }));
    }),
  ];
}

/** The folder of an arm that is trained. */
export function trainedFolder(out: string, seed: string, name: string): string {
  return join(out, `seed-${seed}`, name);
}

/** What an arm was trained for is what is measured. */
export function readoutOf(spec: ArmSpec): Readout {
  switch (spec.method) {
    case "none":
      return spec.readout;
    case "sft":
    case "rl":
      return "generative";
    case "decision":
    case "head":
      return "decision";
  }
}
