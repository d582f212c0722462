import { SteerError } from "../core/errors.ts";
import { digest } from "../core/hash.ts";
import { byLabel, LABELS } from "../core/intervention.ts";
import type { OnProgress } from "./jsonl.ts";
import { nearEdges } from "./near/near-edges.ts";
import { partSize } from "./part-size.ts";
import { orderById } from "./set-checks.ts";
import { sidesByFamily, sidesByTrace } from "./sides.ts";
import type { Part, ScenarioSet, Split, TraceHead } from "./types.ts";

/** How to split. */
export interface SplitOptions {
  /** Rows of test: a count from 1, or a share below 1, to the nearest row. */
  readonly test: number;
  /** `family` keeps lineage components whole; `trace` samples single traces. Default `family`. */
  readonly by?: "family" | "trace" | undefined;
  readonly seed: string | number;
  /** A split whose rows stay where they are. */
  readonly extend?: Split | undefined;
  /** Whether near-duplicates are looked for. Default true. */
  readonly near?: boolean | undefined;
  /** Gets texts read and texts in all. */
  readonly onProgress?: OnProgress | undefined;
}

/** A new split, and what its maker should know about it. */
export interface SplitResult {
  readonly split: Split;
  readonly warnings: readonly string[];
}

/**
 * Splits a set into train and test. The result depends on the traces and the options and on
 * nothing else: not on file order, locale or machine.
 *
 * By family, components of families, links and near-duplicates go to one side as wholes. In order
 * of importance: neither side is empty; test has the rows asked for, or as near as any choice of
 * components gives; labels are on both sides; label × domain is balanced. Sizes are exact; so are
 * labels, unless a set is so varied that the search would take too long (then only rare labels
 * are, see `assignUnits`); balance is a search without chance.
 *
 * By trace, every n-th trace of an order is taken (`sampleTraces`). Lineage is not kept then, so
 * the split records `near: false`; straddling families and near-duplicates are warnings.
 *
 * @throws SteerError `usage` for a request that is no count or share, `impossible` when a side
 *   would be empty, `mismatch` when `extend` does not belong to the set
 */
export async function makeSplit(set: ScenarioSet, options: SplitOptions): Promise<SplitResult> {
  const { by = "family", near = true, extend, onProgress } = options;
  const { heads } = set;
  const seed = String(options.seed);
  const requested = partSize(heads.length, options.test);
  refuseEmptySide(set, requested);
  const edges = near ? await nearEdges(set, { onProgress }) : [];
  const request = { set, requested, seed, edges, extend };
  const sides = by === "family" ? sidesByFamily(request) : sidesByTrace(request);
  refuseEmptySide(
    set,
    sides.inTest.reduce((sum, side) => sum + side, 0),
  );
  const split = toSplit(set, sides.inTest, {
    by,
    seed,
    near: near && by === "family",
    requested,
    ...(extend ? { extends: digest(extend) } : {}),
  });
  const warnings = [
    ...sides.warnings,
    ...sizeWarnings(split),
    ...labelWarnings(split, sides.isExact),
  ];
  return { split, warnings };
}

function refuseEmptySide({ name, heads }: ScenarioSet, requested: number): void {
  if (requested >= 1 && requested < heads.length) return;
  throw new SteerError(
    "impossible",
    `${name}: cannot put ${requested} of ${heads.length} traces into test: each side needs one at least`,
  );
}

function toSplit(
  { name, digest: of, heads }: ScenarioSet,
  inTest: Uint8Array,
  policy: Split["policy"],
): Split {
  const order = orderById(heads);
  const rowsOf = (side: number) =>
    Array.from(order.filter((position) => inTest[position] === side));
  const [train, test] = [rowsOf(0), rowsOf(1)];
  const idsOf = (rows: readonly number[]) => rows.map((position) => heads[position]?.id ?? "");
  const contentOf = (rows: readonly number[]) => rows.map((at) => heads[at]?.content ?? "");
  return {
    version: 1,
    set: { name, digest: of },
    policy,
    counts: { train: countPart(heads, train), test: countPart(heads, test) },
    train: idsOf(train),
    test: idsOf(test),
    content: { train: contentOf(train), test: contentOf(test) },
  };
}

/** The `counts` of a part that holds the traces at these positions. */
export function countPart(
  heads: readonly TraceHead[],
  rows: readonly number[],
): Split["counts"][Part] {
  const labels = byLabel(() => 0);
  const families = new Set<string>();
  for (const position of rows) {
    const head = heads[position];
    if (head === undefined) continue;
    labels[head.label]++;
    families.add(head.family);
  }
  const traces = LABELS.reduce((sum, label) => sum + labels[label], 0);
  return { traces, families: families.size, labels };
}

function sizeWarnings({ policy, test }: Split): string[] {
  if (test.length === policy.requested) return [];
  const reason = policy.extends
    ? "no choice that leaves the old rows in place gives"
    : "no choice of whole components gives";
  return [
    `test holds ${test.length} traces, not ${policy.requested}: ${reason} ${policy.requested}`,
  ];
}

function labelWarnings({ counts, test }: Split, isExact: boolean): string[] {
  const reason = isExact
    ? `no choice of ${test.length} traces keeps more labels on both sides`
    : "no choice that keeps it was found";
  return LABELS.flatMap((label) => {
    const [train, tested] = [counts.train.labels[label], counts.test.labels[label]];
    if (train > 0 === tested > 0) return [];
    return [`${label} is missing from ${tested === 0 ? "test" : "train"}: ${reason}`];
  });
}
