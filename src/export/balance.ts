import { LABELS } from "../core/intervention.ts";
import { joinCycles } from "./cycles.ts";
import { DERANGEMENTS, emptyFlow, type Flow } from "./flow.ts";
import { type Candidate, groupFamilies, possibleRejections, type Rejection } from "./reasons.ts";

/** One negative for each trace, such that labels are chosen and rejected equally often. */
export interface BalancedPlan {
  readonly rejections: readonly Rejection[];
  readonly flow: Flow;
  /** Traces without any reason for a wrong label. */
  readonly withoutReason: readonly Candidate[];
  /** Traces that would have tipped the balance. */
  readonly unbalanced: readonly Candidate[];
}

/**
 * Chooses one negative for each trace so that every label is rejected exactly as often as it is
 * chosen.
 *
 * Within a family the labels are passed on in cycles: each trace is preferred to the answer of
 * one sibling, and each answer is rejected once. So the chosen and the rejected answers of a file
 * are the same texts, counted once each, and no bag of words can tell the two sides apart: all
 * that is left to learn is which answer fits which situation. Of the possible cycles the one that
 * evens the chosen → rejected matrix is taken, and a step of evenness is given up for each
 * negative that is the trace's `tempting` label.
 *
 * Traces that their family leaves over (one trace alone, or more of one label than of the others)
 * are joined into cycles across families. What fits in no cycle is left out.
 *
 * @param candidates in an order that does not depend on files, such as that of the ids' hashes
 */
export function planBalanced(candidates: readonly Candidate[]): BalancedPlan {
  const families = groupFamilies(candidates);
  const flow = emptyFlow();
  const rejections: Rejection[] = [];
  const left: Candidate[] = [];
  for (const family of families.values()) {
    const rounds = Math.max(...LABELS.map((label) => family[label].length));
    for (let round = 0; round < rounds; round++) {
      const members = LABELS.flatMap((label) => family[label][round] ?? []);
      if (members.length < 2) left.push(...members);
      else rejections.push(...deal(members, flow));
    }
  }
  const options = left.map((candidate) => possibleRejections(candidate, families));
  const joined = joinCycles(
    options.filter((list) => list.length > 0),
    flow,
  );
  return {
    rejections: [...rejections, ...joined.rejections],
    flow,
    withoutReason: left.filter((_, i) => options[i]?.length === 0),
    unbalanced: joined.left,
  };
}

/** Deals the answers of siblings with distinct labels round, nobody getting his own. */
function deal(members: readonly Candidate[], flow: Flow): Rejection[] {
  let best: readonly number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const deal of DERANGEMENTS[members.length] ?? []) {
    let cost = 0;
    for (const [k, { label, tempting }] of members.entries()) {
      const other = (members[deal[k] as number] as Candidate).label;
      cost += flow[label][other] - (tempting === other ? 1 : 0);
    }
    if (cost >= lowest) continue;
    lowest = cost;
    best = deal;
  }
  return members.map((candidate, k) => {
    const { label, position } = members[best[k] as number] as Candidate;
    flow[candidate.label][label]++;
    return { candidate, label, reason: { sibling: position } };
  });
}
