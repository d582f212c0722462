import type { Fault } from "../core/errors.ts";
import { canonicalJson, compareText } from "../core/hash.ts";
import { shorten } from "./explain.ts";
import { FaultList } from "./faults.ts";
import type { OnProgress } from "./jsonl.ts";
import { findLeaks, leakFault } from "./leaks.ts";
import { nearEdges } from "./near/near-edges.ts";
import { orderById } from "./set-checks.ts";
import { countPart } from "./split.ts";
import { PARTS, type Part, type ScenarioSet, type Split, type TraceHead } from "./types.ts";

/** The traces of each side, as positions in the set, in code-unit order of the ids. */
export type PartRows = Readonly<Record<Part, readonly number[]>>;

/** Options of {@link verifySplit}. */
export interface VerifyOptions {
  /** How findings name the split. Default `split`. */
  readonly file?: string | undefined;
  /** Gets texts read and texts in all; only near-duplicates take time. */
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Derives everything that a split says from the set again: digest, content of each row, every id
 * on exactly one side, families, links and near-duplicates (as far as its policy keeps them) on
 * one side, counts. Trusts nothing in the file but its policy.
 *
 * @returns every finding; none when the split fits
 */
export async function verifySplit(
  set: ScenarioSet,
  split: Split,
  { file = "split", onProgress }: VerifyOptions = {},
): Promise<Fault[]> {
  const rows = locate(set, split);
  const findings = [
    ...digestFindings(set, split, file),
    ...idFindings(set, split, rows, file),
    ...contentFindings(set, split, rows, file),
    ...countFindings(set, split, rows, file),
  ];
  if (split.policy.by === "trace") return findings;
  const edges = split.policy.near ? await nearEdges(set, { onProgress }) : [];
  const leaks = findLeaks(set, sidesOf(set, rows), edges);
  return [...findings, ...leaks.map((leak) => leakFault(set, leak))];
}

/**
 * The rows of a split that fits its set. Exporters and trainers take their rows from here, so
 * that an unverified split gives them none.
 *
 * @throws SteerError `unverified` listing the findings
 */
export async function requireVerified(
  set: ScenarioSet,
  split: Split,
  options: VerifyOptions = {},
): Promise<PartRows> {
  const findings = await verifySplit(set, split, options);
  if (findings.length === 0) {
    const { train, test } = locate(set, split);
    return { train: [...train], test: [...test] };
  }
  const faults = new FaultList();
  faults.add({
    file: options.file ?? "split",
    message: `does not fit ${set.name}; split the set again`,
  });
  for (const finding of findings) faults.add(finding);
  return faults.raise("unverified");
}

type Located = Readonly<Record<Part, Int32Array>>;

/** Positions of a split's ids; -1 for an id that the set does not have. */
function locate({ heads }: ScenarioSet, split: Split): Located {
  // A search in sorted positions: a map of a million ids would take more memory than the set.
  const order = orderById(heads);
  const find = (id: string): number => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareText(heads[order[middle] as number]?.id ?? "", id) < 0) low = middle + 1;
      else high = middle;
    }
    const position = order[low];
    return position !== undefined && heads[position]?.id === id ? position : -1;
  };
  return { train: Int32Array.from(split.train, find), test: Int32Array.from(split.test, find) };
}

function sidesOf({ heads }: ScenarioSet, { test }: Located): Uint8Array {
  const inTest = new Uint8Array(heads.length);
  for (const position of test) if (position >= 0) inTest[position] = 1;
  return inTest;
}

function digestFindings(set: ScenarioSet, split: Split, file: string): Fault[] {
  if (split.set.digest === set.digest) return [];
  const message = `was made from ${shorten(split.set.name)} with digest ${split.set.digest}; ${shorten(set.name)} has ${set.digest}`;
  return [{ file, path: "set.digest", message }];
}

function idFindings(set: ScenarioSet, split: Split, rows: Located, file: string): Fault[] {
  const findings: Fault[] = [];
  const seen = new Uint8Array(set.heads.length);
  for (const part of PARTS) {
    for (const [k, position] of rows[part].entries()) {
      const [id, before] = [split[part][k] ?? "", split[part][k - 1]];
      const say = (message: string) => {
        findings.push({ file, path: `${part}[${k}]`, message: `${shorten(id)} ${message}` });
      };
      if (before !== undefined && compareText(before, id) > 0) say("is out of order");
      if (position < 0) say(`is no id of ${shorten(set.name)}`);
      else if (seen[position] === 1) say("occurs twice");
      seen[position] = 1;
    }
  }
  for (const [position, head] of set.heads.entries()) {
    if (seen[position] !== 1)
      findings.push(at(head, `${shorten(head.id)} is on neither side of ${file}`));
  }
  return findings;
}

function contentFindings(set: ScenarioSet, split: Split, rows: Located, file: string): Fault[] {
  return PARTS.flatMap((part) => {
    const hashes = split.content[part];
    const ids = split[part].length;
    const changed: Fault[] = [];
    for (const [k, position] of rows[part].entries()) {
      const head = set.heads[position];
      if (!head || hashes[k] === undefined || head.content === hashes[k]) continue;
      changed.push(at(head, `${shorten(head.id)} is not as it was when ${file} was made`));
    }
    if (hashes.length === ids) return changed;
    return [
      { file, path: `content.${part}`, message: `${hashes.length} hashes for ${ids} ids` },
      ...changed,
    ];
  });
}

function countFindings(set: ScenarioSet, split: Split, rows: Located, file: string): Fault[] {
  return PARTS.flatMap((part) => {
    const known = [...rows[part]].filter((position) => position >= 0);
    const found = countPart(known.map((position) => set.heads[position] as TraceHead));
    const [says, is] = [canonicalJson(split.counts[part]), canonicalJson(found)];
    return says === is ? [] : [{ file, path: `counts.${part}`, message: `says ${says}, is ${is}` }];
  });
}

function at({ file, line }: TraceHead, message: string): Fault {
  return { file, line, message };
}
