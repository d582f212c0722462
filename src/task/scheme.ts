import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { LABELS, type Label } from "../core/intervention.ts";
import { byOutcome, classify, OUTCOMES, type Outcome } from "./outcome.ts";

const price = z.number("must be a finite number");

/** Six prices, one per outcome, and which parse decides the outcome. */
export const schemeSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/, "must be a lower-case word"),
  parse: z.enum(["lenient", "strict"]),
  prices: z.strictObject(byOutcome(() => price)),
});

/** See {@link schemeSchema}. */
export type Scheme = z.infer<typeof schemeSchema>;

/** The two built-in schemes. */
export const SCHEMES = {
  symmetric: {
    version: 1,
    name: "symmetric",
    parse: "lenient",
    prices: {
      correct: 1,
      premature_act: 0,
      missed_act: 0,
      wrong: 0,
      unreadable: -0.1,
      cut_off: -0.1,
    },
  },
  asymmetric: {
    version: 1,
    name: "asymmetric",
    parse: "lenient",
    prices: {
      correct: 1,
      premature_act: -1,
      missed_act: -0.25,
      wrong: 0,
      unreadable: -0.5,
      cut_off: -0.5,
    },
  },
} as const satisfies Record<string, Scheme>;

/** What a scheme pays for naming `answer` (null: unreadable) when `gold` is right. */
export function pay(scheme: Scheme, gold: Label, answer: Label | null): number {
  return scheme.prices[classify(gold, answer)];
}

/** A cell of the dominance matrix in which garbage pays at least as much as an answer. */
export interface DominatedCell {
  readonly gold: Label;
  readonly answer: Label;
  readonly pays: number;
  /** What the dearer of `unreadable` and `cut_off` pays. */
  readonly garbage: number;
}

/** What each answer pays for each gold label, and the cells where garbage pays no less. */
export interface Dominance {
  readonly pays: Readonly<Record<Label, Readonly<Record<Label, number>>>>;
  readonly garbage: number;
  readonly dominated: readonly DominatedCell[];
}

/** Compares garbage with every readable answer under a scheme. */
export function dominance(scheme: Scheme): Dominance {
  const garbage = Math.max(scheme.prices.unreadable, scheme.prices.cut_off);
  const row = (gold: Label) => LABELS.map((answer) => [answer, pay(scheme, gold, answer)] as const);
  const dominated = LABELS.flatMap((gold) =>
    row(gold)
      .filter(([, pays]) => pays <= garbage)
      .map(([answer, pays]) => ({ gold, answer, pays, garbage })),
  );
  const pays = Object.fromEntries(LABELS.map((gold) => [gold, Object.fromEntries(row(gold))]));
  return { pays: pays as Dominance["pays"], garbage, dominated };
}

/**
 * The cells in which an unreadable or cut-off answer pays no less than a holding one (any label but
 * ACT) would, since a policy could then earn by writing garbage. A premature ACT may pay less than
 * garbage: the asymmetric scheme means it to.
 */
export function dominatedHolding(scheme: Scheme): DominatedCell[] {
  return dominance(scheme).dominated.filter(
    ({ gold, answer }) => answer !== "ACT" || gold === "ACT",
  );
}

/**
 * Refuses prices with {@link dominatedHolding} cells.
 *
 * @throws SteerError `dominated`, naming the cells
 */
export function refuseDominated(scheme: Scheme): void {
  const cells = dominatedHolding(scheme);
  if (cells.length === 0) return;
  const list = cells.map(({ gold, answer, pays, garbage }) => {
    return `gold ${gold}, answer ${answer}: pays ${pays}, garbage pays ${garbage}`;
  });
  throw new SteerError(
    "dominated",
    `scheme ${scheme.name}: garbage pays no less than a readable answer:\n  ${list.join("\n  ")}\nLower unreadable and cut_off, or pass --allow-dominated.`,
  );
}

/**
 * A scheme with some prices replaced.
 *
 * @throws SteerError `usage` for an unknown outcome or a price that is not finite
 */
export function withPrices(
  scheme: Scheme,
  changes: Readonly<Partial<Record<Outcome, number>>>,
): Scheme {
  for (const [outcome, value] of Object.entries(changes)) {
    if (!(OUTCOMES as readonly string[]).includes(outcome)) {
      throw new SteerError("usage", `unknown outcome ${outcome}; use ${OUTCOMES.join(", ")}`);
    }
    if (!Number.isFinite(value)) {
      throw new SteerError("usage", `price of ${outcome} must be a finite number, not ${value}`);
    }
  }
  return { ...scheme, prices: { ...scheme.prices, ...changes } };
}
