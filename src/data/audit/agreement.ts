import { byLabel, LABELS, type Label } from "../../core/intervention.ts";
import { DOMAINS, type Domain, type Trace } from "../../core/trace.ts";
import { cohenKappa, krippendorffAlpha } from "../../stats/agreement.ts";
import { type Interval, wilson } from "../../stats/wilson.ts";
import { situationHash } from "../../task/prompt.ts";
import type { Review } from "./review.ts";
import type { TextRow } from "./text-rows.ts";

/** Labels that equal gold, of all labels given; the interval is Wilson's, 95%. */
export interface Agreed {
  readonly agreed: number;
  readonly labels: number;
  readonly interval: Interval | null;
}

/** How the blind labels of one round agree with gold. */
export interface RoundAgreement extends Agreed {
  readonly round: number;
  readonly readers: number;
  /** Traces with a label in this round, of all traces. */
  readonly traces: number;
  readonly of: number;
  /** Labels given to a text that has changed since. */
  readonly olderTexts: number;
  /** Of gold and label; null where all are one label. */
  readonly kappa: number | null;
  /** Krippendorff's, nominal, with a bootstrap interval over traces. */
  readonly alpha: number | null;
  readonly alphaInterval: Interval | null;
  readonly byLabel: Readonly<Record<Label, Agreed>>;
  readonly byDomain: Readonly<Partial<Record<Domain, Agreed>>>;
  /** Labels given, by gold label. */
  readonly confusion: Readonly<Record<Label, Readonly<Record<Label, number>>>>;
}

/** Agreement of every round, first to last. */
export function agreementByRound(
  rows: readonly TextRow[],
  reviews: readonly Review[],
): RoundAgreement[] {
  const traces = new Map(rows.map(({ trace }) => [trace.id, trace]));
  const rounds = [...new Set(reviews.map(({ round }) => round))].sort((a, b) => a - b);
  return rounds.map((round) => {
    const own = reviews.filter((review) => review.round === round);
    return agreementOf(round, own, traces);
  });
}

function agreementOf(
  round: number,
  reviews: readonly Review[],
  traces: ReadonlyMap<string, Trace>,
): RoundAgreement {
  const judged = reviews.map((review) => ({ review, trace: traces.get(review.trace) as Trace }));
  const gold = judged.map(({ trace }) => trace.label);
  const given = reviews.map(({ label }) => label);
  const units = gold.map((label, at) => [label, given[at] as Label]);
  const { alpha, low, high } = krippendorffAlpha(units, { seed: "steerbench audit" });
  const where = (keep: (trace: Trace) => boolean) => judged.filter(({ trace }) => keep(trace));
  const domains = DOMAINS.filter((domain) => judged.some(({ trace }) => trace.domain === domain));
  return {
    round,
    readers: new Set(reviews.map(({ reader }) => reader)).size,
    traces: new Set(reviews.map(({ trace }) => trace)).size,
    of: traces.size,
    olderTexts: judged.filter(isOlder).length,
    ...agreedOf(judged),
    kappa: cohenKappa(gold, given),
    alpha,
    alphaInterval: low === null || high === null ? null : { low, high },
    byLabel: byLabel((label) => agreedOf(where((trace) => trace.label === label))),
    byDomain: Object.fromEntries(
      domains.map((domain) => [domain, agreedOf(where((trace) => trace.domain === domain))]),
    ),
    confusion: byLabel((label) =>
      byLabel((other) => gold.filter((is, at) => is === label && given[at] === other).length),
    ),
  };
}

interface Judged {
  readonly review: Review;
  readonly trace: Trace;
}

function isOlder({ review, trace }: Judged): boolean {
  return !situationHash(trace).startsWith(review.content);
}

function agreedOf(judged: readonly Judged[]): Agreed {
  const agreed = judged.filter(({ review, trace }) => review.label === trace.label).length;
  return { agreed, labels: judged.length, interval: wilson(agreed, judged.length) };
}

/** The rounds as text for people. */
export function renderAgreement(rounds: readonly RoundAgreement[]): string {
  return rounds.map(renderRound).join("\n");
}

function renderRound(round: RoundAgreement): string {
  const { readers, traces, of, olderTexts, kappa, alpha, alphaInterval } = round;
  const older = olderTexts > 0 ? `; ${olderTexts} labels are of texts that have changed since` : "";
  const between = alphaInterval
    ? ` (${alphaInterval.low.toFixed(3)} to ${alphaInterval.high.toFixed(3)})`
    : "";
  const table = LABELS.map((label) => {
    const row = LABELS.map((other) => String(round.confusion[label][other]).padStart(10));
    return `  ${label.padEnd(8)}${row.join("")}   ${agreedText(round.byLabel[label])}\n`;
  });
  const domains = Object.entries(round.byDomain).map(
    ([domain, agreed]) => `  ${domain}: ${agreedText(agreed)}\n`,
  );
  return [
    `blind labels, round ${round.round}: ${readers} readers, ${traces} of ${of} traces${older}\n`,
    `  agreement with gold ${agreedText(round)}\n`,
    `  Cohen's kappa ${kappa?.toFixed(3) ?? "n/a"}, Krippendorff's alpha ${alpha?.toFixed(3) ?? "n/a"}${between}\n`,
    `  gold\\given${LABELS.map((label) => label.padStart(10))
      .join("")
      .slice(2)}\n`,
    ...table,
    ...domains,
  ].join("");
}

function agreedText({ agreed, labels, interval }: Agreed): string {
  if (interval === null) return "n/a";
  const [share, low, high] = [agreed / labels, interval.low, interval.high].map(
    (each) => `${(100 * each).toFixed(1)}%`,
  );
  return `${share} (${agreed} of ${labels}; ${low} to ${high})`;
}
