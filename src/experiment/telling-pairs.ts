import type { ArmSpec, Experiment } from "./experiment-file.ts";

/** Two arms by name, the one to measure against first. */
export type ArmPair = readonly [string, string];

/** Pairs of arms that differ in one thing, or in what everyone asks about first. */
export interface TellingPairs {
  /** Each arm against both floors come first. */
  readonly accuracy: readonly ArmPair[];
  /** Where training, or its prices, may have changed how often a model acts too early. */
  readonly prematureAction: readonly ArmPair[];
}

/**
 * The pairs that a table shows. They follow from how arms are made, never from what was found.
 *
 * @param floors names of what every arm has to beat
 */
export function tellingPairs({ arms }: Experiment, floors: readonly string[]): TellingPairs {
  const againstFloors = arms.flatMap(({ name }) => floors.map((floor): ArmPair => [floor, name]));
  const among = arms.flatMap((second, at) =>
    arms.slice(0, at).flatMap((first): ArmPair[] => {
      return differInOneThing(first, second) ? [[first.name, second.name]] : [];
    }),
  );
  const names = new Map(arms.map((each) => [each.name, each]));
  const isOfOneReadout = ([first, second]: ArmPair) =>
    isWritten(names.get(first)) === isWritten(names.get(second));
  return {
    accuracy: [...againstFloors, ...among],
    prematureAction: among.filter(isOfOneReadout),
  };
}

/** The readout alone; trained or not; trained on, or under other prices; the head or the model. */
function differInOneThing(first: ArmSpec, second: ArmSpec): boolean {
  if (second.method === "rl") {
    const isStart = first.name === second.from;
    const isOtherScheme = first.method === "rl" && first.from === second.from;
    return isStart || isOtherScheme || isUntrained(first, "generative");
  }
  if (first.method === "rl") return false;
  const isSameReadout = isWritten(first) === isWritten(second);
  const isSameState = (first.method === "none") === (second.method === "none");
  return isSameReadout || isSameState;
}

function isUntrained(arm: ArmSpec, readout: "generative" | "decision"): boolean {
  return arm.method === "none" && arm.readout === readout;
}

function isWritten(arm: ArmSpec | undefined): boolean {
  if (arm?.method === "none") return arm.readout === "generative";
  return arm?.method === "sft" || arm?.method === "rl";
}
