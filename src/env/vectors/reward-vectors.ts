import { LABELS, type Label } from "../../core/intervention.ts";
import { breakEven, expectedRewards, type LabelProbabilities } from "../../task/choice.ts";
import { CUT_OFF_REASONS, classify, OUTCOMES, type Outcome } from "../../task/outcome.ts";
import { dominance, SCHEMES, type Scheme, withPrices } from "../../task/scheme.ts";
import { SCORER_VERSION } from "../../task/score.ts";
import { groupAdvantages, SKIP_REASONS } from "../group.ts";
import type { Table } from "./format.ts";

/** What an answer can read as. */
const READS: readonly (Label | null)[] = [...LABELS, null];
const FINISHES = [null, "stop", "eos", "", "LENGTH", ...CUT_OFF_REASONS];

/** Prices whose sums and differences are not exact in binary, and prices that differ for cut off. */
const PRICED: readonly Scheme[] = [
  SCHEMES.symmetric,
  SCHEMES.asymmetric,
  {
    ...withPrices(SCHEMES.symmetric, { correct: 0.7, premature_act: -0.3, missed_act: 0.1 }),
    name: "thirds",
  },
  {
    ...withPrices(SCHEMES.asymmetric, { wrong: 1 / 3, unreadable: -1e-9, cut_off: 1e21 }),
    name: "dominated",
  },
  { ...SCHEMES.asymmetric, name: "strict", parse: "strict" },
];

/** The outcomes, the words they are told by, and the built-in schemes: data, not cases. */
export function schemeTable(): Table {
  return {
    version: 1,
    scorerVersion: SCORER_VERSION,
    outcomes: OUTCOMES,
    cutOffReasons: CUT_OFF_REASONS,
    skipReasons: SKIP_REASONS,
    schemes: SCHEMES,
  };
}

/** The outcome of every gold label, reading and finish reason. */
export function outcomeVectors(): Table {
  const cases = LABELS.flatMap((gold) =>
    READS.flatMap((read) =>
      FINISHES.map((finish) => ({ gold, read, finish, outcome: classify(gold, read, finish) })),
    ),
  );
  return { version: 1, cases };
}

/** What each scheme pays for every gold label and answer, unreadable and cut off included. */
export function rewardVectors(): Table {
  const cases = PRICED.flatMap((scheme) =>
    LABELS.flatMap((gold) =>
      [...READS, "cut_off" as const].map((answer) => {
        const outcome =
          answer === "cut_off" ? classify(gold, gold, "length") : classify(gold, answer);
        return { scheme: scheme.name, gold, answer, outcome, reward: scheme.prices[outcome] };
      }),
    ),
  );
  return { version: 1, schemes: PRICED, cases };
}

const PROBABILITIES: readonly LabelProbabilities[] = [
  { ACT: 0.2, ASK: 0.2, WAIT: 0.2, REMEMBER: 0.2, FORGET: 0.2 },
  { ACT: 1, ASK: 0, WAIT: 0, REMEMBER: 0, FORGET: 0 },
  { ACT: 8 / 13, ASK: 5 / 13, WAIT: 0, REMEMBER: 0, FORGET: 0 },
  { ACT: 0.1, ASK: 0.7, WAIT: 0.15, REMEMBER: 0.03, FORGET: 0.02 },
  { ACT: 1e-9, ASK: 1 / 3, WAIT: 1 / 7, REMEMBER: 0.5, FORGET: 0.0238 },
];

/** For each scheme its dominance matrix, break-even probability and expected rewards. */
export function choiceVectors(): Table {
  const cases = PRICED.map((scheme) => ({
    scheme,
    dominance: dominance(scheme),
    breakEven: breakEven(scheme),
    expected: PROBABILITIES.map((probabilities) => ({
      probabilities,
      rewards: expectedRewards(scheme, probabilities),
    })),
  }));
  return { version: 1, cases };
}

const GROUPS: readonly (readonly Outcome[])[] = [
  ...OUTCOMES.flatMap((outcome): Outcome[][] => [[outcome], Array(8).fill(outcome)]),
  ["correct", "wrong"],
  ["wrong", "correct"],
  ["wrong", "missed_act"],
  ["wrong", "premature_act", "missed_act", "wrong"],
  ["unreadable", "cut_off"],
  ["unreadable", "cut_off", "unreadable", "unreadable"],
  ["correct", "correct", "correct", "unreadable"],
  ["correct", "unreadable", "correct", "unreadable", "wrong", "wrong", "missed_act"],
  [
    "premature_act",
    "correct",
    "premature_act",
    "premature_act",
    "correct",
    "correct",
    "wrong",
    "wrong",
  ],
  ["cut_off", "correct", "wrong"],
  ["wrong", "cut_off", "correct"],
  [...OUTCOMES],
  [...OUTCOMES].reverse(),
];

/** The advantages of groups of answers under each scheme, or why a group is skipped. */
export function groupVectors(): Table {
  const cases = PRICED.flatMap((scheme) =>
    GROUPS.map((outcomes) => ({
      scheme: scheme.name,
      outcomes,
      ...groupAdvantages(outcomes, scheme),
    })),
  );
  return { version: 1, schemes: PRICED, cases };
}
