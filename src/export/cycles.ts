import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import type { Flow } from "./flow.ts";
import type { Candidate, Rejection } from "./reasons.ts";

/**
 * Joins traces into cycles of labels (ACT rejects ASK, ASK rejects WAIT, WAIT rejects ACT), so
 * that each label is rejected as often as it is chosen, the shortest cycles first.
 *
 * @param options the possible rejections of each trace, at least one
 * @param flow is added to, and steers: rarer pairs are tried first
 */
export function joinCycles(
  options: readonly (readonly Rejection[])[],
  flow: Flow,
): { readonly rejections: Rejection[]; readonly left: Candidate[] } {
  const waiting = new Waiting(options);
  const rejections: Rejection[] = [];
  const left: Candidate[] = [];
  for (const [i, own] of options.entries()) {
    const candidate = own[0]?.candidate;
    if (!candidate || waiting.isTaken(i)) continue;
    waiting.take(i);
    const cycle = findCycle(candidate.label, i, own, waiting, flow);
    if (!cycle) left.push(candidate);
    for (const { from, to, item } of cycle ?? []) {
      waiting.take(item);
      flow[from][to]++;
      rejections.push(options[item]?.find(({ label }) => label === to) as Rejection);
    }
  }
  return { rejections, left };
}

/** The traces not yet in a cycle, by gold label and possible rejection. */
class Waiting {
  readonly #taken: boolean[];
  readonly #queues: Record<Label, Record<Label, { readonly items: number[]; next: number }>>;

  constructor(options: readonly (readonly Rejection[])[]) {
    this.#taken = options.map(() => false);
    this.#queues = byLabel(() => byLabel(() => ({ items: [], next: 0 })));
    for (const [i, own] of options.entries()) {
      for (const { candidate, label } of own) this.#queues[candidate.label][label].items.push(i);
    }
  }

  isTaken(item: number): boolean {
    return this.#taken[item] ?? false;
  }

  take(item: number): void {
    this.#taken[item] = true;
  }

  /** The first trace that waits with this gold label and this option. */
  first(gold: Label, label: Label): number | undefined {
    const queue = this.#queues[gold][label];
    while (this.isTaken(queue.items[queue.next] ?? -1)) queue.next++;
    return queue.items[queue.next];
  }
}

/** A step of a cycle: the trace that prefers `from` to `to`. */
interface Step {
  readonly from: Label;
  readonly to: Label;
  readonly item: number;
}

/** The shortest way from one of a trace's options back to its gold label, over waiting traces. */
function findCycle(
  gold: Label,
  asking: number,
  options: readonly Rejection[],
  waiting: Waiting,
  flow: Flow,
): Step[] | null {
  const rarestFirst = (from: Label, labels: readonly Label[]) =>
    [...labels].sort((a, b) => flow[from][a] - flow[from][b]);
  const starts = options.map(({ label }) => label);
  const seen = new Set(starts);
  const paths: Step[][] = rarestFirst(gold, starts).map((to) => [{ from: gold, to, item: asking }]);
  for (const path of paths) {
    const from = (path.at(-1) as Step).to;
    for (const to of rarestFirst(from, LABELS)) {
      if (to !== gold && seen.has(to)) continue;
      const item = waiting.first(from, to);
      if (item === undefined) continue;
      if (to === gold) return [...path, { from, to, item }];
      seen.add(to);
      paths.push([...path, { from, to, item }]);
    }
  }
  return null;
}
