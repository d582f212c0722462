import { sha256Mod } from "../core/hash.ts";
import { byLabel, LABELS } from "../core/intervention.ts";
import { pauseAt } from "../data/pause.ts";
import type { TraceHead } from "../data/types.ts";
import type { Run } from "../result/run-read.ts";
import type { PairFormat } from "./format-types.ts";
import type { PairReport } from "./manifest.ts";
import { minePairs } from "./mined.ts";
import { type NegativeKind, type PairSkip, type PlannedPair, planNegatives } from "./negatives.ts";
import { hashOrder } from "./order.ts";
import { stopIfAborted } from "./part-file.ts";
import type { Candidate } from "./reasons.ts";
import { resolvePair } from "./resolve-pair.ts";
import { familyNumbers, type PartContext, type RowSource } from "./row-source.ts";
import { type AnswerPair, WORD_TEST_PAIRS, wordTest } from "./word-test.ts";

/** Where a file's pairs come from. */
export interface PairSources {
  readonly negatives: readonly NegativeKind[];
  readonly runs: readonly Run[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * One row for each pair, or two in formats that write each answer by itself.
 *
 * @throws SteerError `interrupted` when `signal` is aborted, and what `minePairs` throws
 */
export async function pairRows(
  context: PartContext,
  format: PairFormat,
  { negatives, runs, signal }: PairSources,
): Promise<RowSource> {
  const { set, part, system, scheme } = context;
  const candidates = await readCandidates(context, signal);
  const planned = planNegatives(candidates, negatives);
  const mined =
    runs.length > 0 ? minePairs(runs, candidates, scheme, set.digest) : { pairs: [], skips: [] };
  const pairs = [...planned.pairs, ...mined.pairs];
  const families = familyNumbers(
    set.heads,
    pairs.map(({ candidate }) => candidate.position),
  );
  const pairAt = (row: number) => pairs[Math.floor(row / format.rowsPerPair)] as PlannedPair;
  const halfOf = (row: number) => (row % format.rowsPerPair === 0 ? "chosen" : "rejected");
  const texts: AnswerPair[] = [];
  let chosenFirst = true;
  return {
    count: pairs.length * format.rowsPerPair,
    keyOf(row) {
      const { candidate, type } = pairAt(row);
      return `${candidate.id}/${type}/${halfOf(row)}`;
    },
    familyOf: (row) => families[Math.floor(row / format.rowsPerPair)] as number,
    positionOf: (row) => pairAt(row).candidate.position,
    toRecord(row, trace, index) {
      const half = halfOf(row);
      const resolved = resolvePair(pairAt(row), trace, (at) => set.readTrace(at), scheme);
      // Sides come in twos, AB or BA: even over any stretch of the file, yet not predictable.
      const isSecond = index % 2 === 1;
      chosenFirst = isSecond ? !chosenFirst : sha256Mod(`side/${trace.id}`, 2) === 0;
      if (half === "chosen" && texts.length < WORD_TEST_PAIRS) {
        texts.push({ family: trace.family, ...resolved });
      }
      return format.toRecord({ trace, part, index, system, half, chosenFirst, ...resolved });
    },
    reportPairs: () => reportOf(pairs, [...planned.skips, ...mined.skips], texts),
  };
}

/** The traces of a file in an order that does not depend on files, with what negatives need. */
async function readCandidates(
  { set, positions, seed }: PartContext,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const headOf = (k: number) => set.heads[positions[k] as number] as TraceHead;
  const candidates: Candidate[] = [];
  for (const k of hashOrder(positions.length, (k) => headOf(k).id, `${seed}/candidates`)) {
    const { id, family, label } = headOf(k);
    const position = positions[k] as number;
    const tempting = set.readTrace(position).tempting?.label ?? null;
    candidates.push({ id, family, label, position, tempting });
    await pauseAt(candidates.length);
    stopIfAborted(signal);
  }
  return candidates;
}

function reportOf(
  pairs: readonly PlannedPair[],
  skips: readonly PairSkip[],
  texts: readonly AnswerPair[],
): PairReport {
  const flow = byLabel(() => Object.fromEntries([...LABELS, "none"].map((label) => [label, 0])));
  const types: PairReport["types"] = {};
  for (const { candidate, label, type } of pairs) {
    const row = flow[candidate.label];
    row[label ?? "none"] = (row[label ?? "none"] ?? 0) + 1;
    types[type] = (types[type] ?? 0) + 1;
  }
  const skipped: PairReport["skipped"] = {};
  for (const { reason } of skips) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return {
    pairs: pairs.length,
    types,
    flow: flow as PairReport["flow"],
    wordTest: wordTest(texts),
    skipped,
    skips: [...skips],
  };
}
