import { digest } from "../core/hash.ts";
import type { Trace } from "../core/trace.ts";
import type { ScenarioSet, Split } from "../data/types.ts";
import { requireVerified } from "../data/verify.ts";
import type { ModelDescription } from "./model.ts";

/** What a model may be fitted on before it is evaluated. */
export interface TrainSide {
  readonly examples: readonly Trace[];
  /** What a run records of where they come from. */
  readonly details: ModelDescription["details"];
}

/**
 * Reads the train side of a split, and of no other: held-out traces never reach a fitted model.
 *
 * @param splitFile how errors name the split
 * @throws SteerError `unverified` for a split that the set does not confirm
 */
export async function trainSide(
  set: ScenarioSet,
  split: Split,
  splitFile?: string,
): Promise<TrainSide> {
  const { train } = await requireVerified(set, split, { file: splitFile });
  return {
    examples: train.map((position) => set.readTrace(position)),
    details: { set: set.digest, split: digest(split), part: "train" },
  };
}
