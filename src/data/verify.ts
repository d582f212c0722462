import type { Fault } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { shorten } from "./explain.ts";
import { FaultList } from "./faults.ts";
import { IdIndex } from "./id-index.ts";
import type { OnProgress } from "./jsonl.ts";
import { findLeaks, leakFault } from "./leaks.ts";
import { nearEdges } from "./near/near-edges.ts";
import { countPart, makeSplit } from "./split.ts";
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
 * one side, counts; and then the split itself, by its own policy.
 *
 * @returns every finding; none when the split fits
 */
export async function verifySplit(
  set: ScenarioSet,
  split: Split,
  options: VerifyOptions = {},
): Promise<Fault[]> {
  return findingsOf(set, split, locate(set, split), options);
}

async function findingsOf(
  set: ScenarioSet,
  split: Split,
  rows: PartRows,
  { file = "split", onProgress }: VerifyOptions,
): Promise<Fault[]> {
  const findings = [
    ...digestFindings(set, split, file),
    ...idFindings(set, split, rows, file),
    ...contentFindings(set, split, rows, file),
    ...countFindings(set, split, rows, file),
  ];
  if (split.policy.by === "family") {
    const edges = split.policy.near ? await nearEdges(set, { onProgress }) : [];
    const leaks = findLeaks(set, sidesOf(set, rows), edges);
    findings.push(...leaks.map((leak) => leakFault(set, leak)));
  }
  return findings.length > 0 ? findings : policyFindings(set, split, file);
}

/**
 * Splits again by the stored policy, which has one result: rows that were moved by hand, or a
 * policy that was, then differ. A split that extends another cannot be made again without it.
 */
async function policyFindings(set: ScenarioSet, split: Split, file: string): Promise<Fault[]> {
  const { by, seed, near, requested, extends: older } = split.policy;
  if (older !== undefined) return [];
  const fault = (message: string): Fault[] => [{ file, path: "policy", message }];
  if (requested < 1 || requested >= set.heads.length) {
    return fault(`requested: no split of ${set.heads.length} traces has ${requested} in test`);
  }
  const again = (await makeSplit(set, { test: requested, by, seed, near })).split;
  const expected = new Set(again.test);
  const moved = split.test.filter((id) => !expected.has(id)).length;
  const missing = again.test.length - (split.test.length - moved);
  if (moved + missing === 0) return [];
  return fault(
    `gives another split: ${moved} rows of test belong to train, ${missing} of train to test`,
  );
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
  const rows = locate(set, split);
  const findings = await findingsOf(set, split, rows, options);
  if (findings.length === 0) return rows;
  const faults = new FaultList();
  faults.add({
    file: options.file ?? "split",
    message: `does not fit ${set.name}; split the set again`,
  });
  for (const finding of findings) faults.add(finding);
  return faults.raise("unverified");
}

/** Positions of a split's ids; -1 for an id that the set does not have. */
function locate({ heads }: ScenarioSet, split: Split): PartRows {
  const index = new IdIndex(heads);
  const find = (id: string) => index.find(id);
  return { train: split.train.map(find), test: split.test.map(find) };
}

function sidesOf({ heads }: ScenarioSet, { test }: PartRows): Uint8Array {
  const inTest = new Uint8Array(heads.length);
  for (const position of test) if (position >= 0) inTest[position] = 1;
  return inTest;
}

function digestFindings(set: ScenarioSet, split: Split, file: string): Fault[] {
  if (split.set.digest === set.digest && split.set.name !== set.name) {
    const message = `says ${shorten(split.set.name)}, the set is named ${shorten(set.name)}`;
    return [{ file, path: "set.name", message }];
  }
  if (split.set.digest === set.digest) return [];
  const message = `was made from ${shorten(split.set.name)} with digest ${split.set.digest}; ${shorten(set.name)} has ${set.digest}`;
  return [{ file, path: "set.digest", message }];
}

function idFindings(set: ScenarioSet, split: Split, rows: PartRows, file: string): Fault[] {
  const findings: Fault[] = [];
  const seen = new Uint8Array(set.heads.length);
  for (const part of PARTS) {
    const ids = split[part];
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k] ?? "";
      const position = rows[part][k] ?? -1;
      const problems = [
        (ids[k - 1] ?? id) > id ? "is out of order" : null,
        position < 0 ? `is no id of ${shorten(set.name)}` : null,
        seen[position] === 1 ? "occurs twice" : null,
      ];
      seen[position] = 1;
      for (const problem of problems) {
        if (problem === null) continue;
        findings.push({ file, path: `${part}[${k}]`, message: `${shorten(id)} ${problem}` });
      }
    }
  }
  for (let position = 0; position < seen.length; position++) {
    const head = set.heads[position];
    if (seen[position] === 1 || !head) continue;
    findings.push(at(head, `${shorten(head.id)} is on neither side of ${file}`));
  }
  return findings;
}
function contentFindings(set: ScenarioSet, split: Split, rows: PartRows, file: string): Fault[] {
  const findings: Fault[] = [];
  for (const part of PARTS) {
    const hashes = split.content[part];
    const ids = split[part].length;
    if (hashes.length !== ids) {
      const message = `${hashes.length} hashes for ${ids} ids`;
      findings.push({ file, path: `content.${part}`, message });
    }
    for (const [k, position] of rows[part].entries()) {
      const head = set.heads[position];
      if (!head || hashes[k] === undefined || head.content === hashes[k]) continue;
      findings.push(at(head, `${shorten(head.id)} is not as it was when ${file} was made`));
    }
  }
  return findings;
}

function countFindings(set: ScenarioSet, split: Split, rows: PartRows, file: string): Fault[] {
  return PARTS.flatMap((part) => {
    const found = countPart(set.heads, rows[part]);
    const [says, is] = [canonicalJson(split.counts[part]), canonicalJson(found)];
    return says === is ? [] : [{ file, path: `counts.${part}`, message: `says ${says}, is ${is}` }];
  });
}

function at({ file, line }: TraceHead, message: string): Fault {
  return { file, line, message };
}
