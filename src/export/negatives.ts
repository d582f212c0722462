import { sha256Mod } from "../core/hash.ts";
import { LABELS, type Label } from "../core/intervention.ts";
import { planBalanced } from "./balance.ts";
import type { PairType } from "./format-types.ts";
import {
  type Candidate,
  type Family,
  findReason,
  groupFamilies,
  type ReasonSource,
  type Rejection,
} from "./reasons.ts";

/** Which worse answers to pair the gold answer with. */
export const NEGATIVE_KINDS = [
  /** One for each trace, every label chosen and rejected equally often. */
  "balanced",
  /** ACT, where the label is another. */
  "premature",
  /** Another label, where ACT is right. */
  "over_hold",
  /** Another holding label, where one is right. */
  "confusion",
  /** The gold answer in a broken form. */
  "malformed",
  /** The gold answer cut inside its reason. */
  "cut_off",
] as const;

/** See {@link NEGATIVE_KINDS}. */
export type NegativeKind = (typeof NEGATIVE_KINDS)[number];

/** A pair's two answers, and what the scheme pays for the chosen one more than for the other. */
export interface ResolvedPair {
  readonly chosen: string;
  readonly rejected: string;
  readonly margin: number;
}

/** A pair that will be written: the answers are looked up when its row comes. */
export interface PlannedPair {
  readonly candidate: Candidate;
  readonly type: PairType;
  /** The label that the worse answer names; null when it cannot be read or was cut off. */
  readonly label: Label | null;
  readonly source:
    | { readonly reason: ReasonSource }
    | { readonly broken: "malformed" | "cut_off" }
    | { readonly answers: ResolvedPair };
}

/** Why a pair that was asked for could not be made. */
export const SKIP_REASONS = [
  /** No sibling has the label, and `tempting` names another or is missing. */
  "no_reason_text",
  /** It would tip the balance of labels. */
  "unbalanced",
  /** The two answers are alike but for white space. */
  "same_answers",
  /** The run has no answer for the trace, none that is strictly correct, or none that is wrong. */
  "no_answer",
  "no_strict_correct_answer",
  "no_wrong_answer",
] as const;

/** A pair that was asked for and could not be made. */
export interface PairSkip {
  readonly traceId: string;
  /** The kind of negative, or `mined`. */
  readonly wanted: string;
  readonly reason: (typeof SKIP_REASONS)[number];
}

/** The borders on which labels are most easily confused, as the authoring guide draws them. */
const NEAREST: Readonly<Record<Exclude<Label, "ACT">, readonly Label[]>> = {
  ASK: ["WAIT", "REMEMBER", "FORGET"],
  WAIT: ["ASK", "FORGET", "REMEMBER"],
  REMEMBER: ["FORGET", "ASK", "WAIT"],
  FORGET: ["REMEMBER", "WAIT", "ASK"],
};

/** The pairs of each kind, in candidate order within a kind, and what could not be made. */
export function planNegatives(
  candidates: readonly Candidate[],
  kinds: readonly NegativeKind[],
): { readonly pairs: PlannedPair[]; readonly skips: PairSkip[] } {
  const pairs: PlannedPair[] = [];
  const skips: PairSkip[] = [];
  const families = groupFamilies(candidates);
  const skip = (wanted: NegativeKind, reason: PairSkip["reason"], list: readonly Candidate[]) =>
    skips.push(...list.map(({ id }) => ({ traceId: id, wanted, reason })));
  for (const kind of kinds) {
    if (kind === "balanced") {
      const plan = planBalanced(candidates);
      for (const rejection of plan.rejections) pairs.push(pairOf(rejection));
      skip(kind, "no_reason_text", plan.withoutReason);
      skip(kind, "unbalanced", plan.unbalanced);
    } else if (kind === "malformed" || kind === "cut_off") {
      for (const candidate of candidates) {
        pairs.push({ candidate, type: kind, label: null, source: { broken: kind } });
      }
    } else {
      for (const candidate of candidates.filter(({ label }) => isMeant(kind, label))) {
        const rejection = reject(candidate, kind, families.get(candidate.family) as Family);
        if (rejection) pairs.push(pairOf(rejection));
        else skip(kind, "no_reason_text", [candidate]);
      }
    }
  }
  return { pairs, skips };
}

/** Whether a kind of wrong label applies to traces of this gold label. */
function isMeant(kind: "premature" | "over_hold" | "confusion", gold: Label): boolean {
  return kind === "over_hold" ? gold === "ACT" : gold !== "ACT";
}

function reject(
  candidate: Candidate,
  kind: "premature" | "over_hold" | "confusion",
  family: Family,
): Rejection | null {
  for (const label of wrongLabels(candidate, kind)) {
    const reason = findReason(candidate, label, family);
    if (reason) return { candidate, label, reason };
  }
  return null;
}

/** The labels that a kind may name, the best first; a holding `tempting` label comes before all. */
function wrongLabels(
  { id, label, tempting }: Candidate,
  kind: "premature" | "over_hold" | "confusion",
): readonly Label[] {
  if (kind === "premature") return ["ACT"];
  const labels = label === "ACT" ? turned(LABELS.slice(1), id) : NEAREST[label];
  return tempting && tempting !== "ACT" ? [tempting, ...labels] : labels;
}

/** A list begun at a place that follows from the id, so that no label is always first. */
function turned(labels: readonly Label[], id: string): Label[] {
  const start = sha256Mod(`over_hold/${id}`, labels.length);
  return [...labels.slice(start), ...labels.slice(0, start)];
}

function pairOf({ candidate, label, reason }: Rejection): PlannedPair {
  return { candidate, type: typeOf(candidate.label, label), label, source: { reason } };
}

function typeOf(gold: Label, rejected: Label): PairType {
  if (rejected === "ACT") return "premature";
  return gold === "ACT" ? "over_hold" : "confusion";
}
