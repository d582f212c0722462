import { goldAnswer, LABELS, type Payment, SCHEMES, score } from "../../src/index.ts";
import type { PlayTrace } from "./deck.ts";

/** The built-in schemes, in the order of every table. */
export const SCHEME_NAMES = ["symmetric", "asymmetric"] as const;

/** See {@link SCHEME_NAMES}. */
export type SchemeName = (typeof SCHEME_NAMES)[number];

/** An answered trace, and what was written for it. */
export interface Played {
  readonly trace: PlayTrace;
  readonly answer: string;
}

/** What one player earned on the traces played. */
export interface TotalsRow {
  readonly name: string;
  /** Right answers; of a random player, how many to expect. */
  readonly right: number;
  /** The sum of rewards under each scheme. */
  readonly totals: Readonly<Record<SchemeName, number>>;
}

/** Who else plays: the answers that each floor policy gives, each as likely; none where it may not play. */
const FLOORS: readonly {
  readonly name: string;
  readonly answersTo: (trace: PlayTrace) => readonly string[];
}[] = [
  ...LABELS.map((label) => ({ name: `always ${label}`, answersTo: () => [goldAnswer(label, "")] })),
  { name: "chance, expected", answersTo: () => LABELS.map((label) => goldAnswer(label, "")) },
  {
    name: "bag of words",
    answersTo: ({ wordsAnswer }) => (wordsAnswer === null ? [] : [wordsAnswer]),
  },
];

/** What an answer earns under one scheme. */
export function payment({ trace, answer }: Played, scheme: SchemeName): Payment {
  return score({ gold: trace.label, answer }, [SCHEMES[scheme]]).payments[scheme] as Payment;
}

/** The player's row, then one of each floor policy that could play all of the same traces. */
export function totalsOf(played: readonly Played[]): TotalsRow[] {
  const floors = FLOORS.map(({ name, answersTo }) =>
    rowOf(
      name,
      played.map(({ trace }) => answersTo(trace).map((answer) => ({ trace, answer }))),
    ),
  );
  const you = rowOf(
    "you",
    played.map((each) => [each]),
  );
  return [you, ...floors].filter((row) => row !== null);
}

/** @param choices the answers to each trace, each as likely as the others of it */
function rowOf(name: string, choices: readonly (readonly Played[])[]): TotalsRow | null {
  if (choices.some((answers) => answers.length === 0)) return null;
  const sumOf = (value: (each: Played) => number) =>
    choices.reduce((sum, answers) => sum + mean(answers.map(value)), 0);
  return {
    name,
    right: sumOf((each) => (payment(each, "symmetric").outcome === "correct" ? 1 : 0)),
    totals: {
      symmetric: sumOf((each) => payment(each, "symmetric").reward),
      asymmetric: sumOf((each) => payment(each, "asymmetric").reward),
    },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
