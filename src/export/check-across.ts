import { SteerError } from "../core/errors.ts";
import type { Part, ScenarioSet, Split } from "../data/types.ts";
import { promptKey } from "./check-rows.ts";
import type { FilePart, RecordView } from "./format-types.ts";
import type { Manifest } from "./manifest.ts";
import { promptFor } from "./messages.ts";
import { streamDigest } from "./stream-digest.ts";

/** What a row's prompt and ids are compared with: the rows before it, and the set if it is given. */
export interface AcrossCheck {
  /** What is wrong with a row of a file, in the light of all rows seen before. */
  visit(part: FilePart, view: RecordView): string[];
}

/** The set and split that an export claims to come from. */
export interface ExportSource {
  readonly set: ScenarioSet;
  readonly split: Split;
}

/**
 * Compares rows with each other and, where the source is given, with the traces of their side.
 *
 * @throws SteerError `mismatch` when the source is not the one that the manifest names
 */
export function acrossCheck(manifest: Manifest, source: ExportSource | undefined): AcrossCheck {
  const sides = source ? sidesOf(manifest, source) : null;
  const hasTwoFiles = manifest.files.length > 1;
  const partOfPrompt = new Map<string, FilePart>();
  const ids = new Set<string>();
  return {
    visit(part, { prompt, traceId }) {
      const faults: string[] = [];
      if (traceId !== undefined) {
        if (ids.has(traceId)) faults.push(`trace_id ${traceId} stands in an earlier row`);
        ids.add(traceId);
      }
      if (!hasTwoFiles && !sides) return faults;
      const key = promptKey(prompt);
      const other = partOfPrompt.get(key) ?? part;
      if (other !== part) faults.push(`the prompt stands in the ${other} file, too`);
      if (hasTwoFiles) partOfPrompt.set(key, part);
      const side = part === "test" ? "test" : "train";
      const found = sides?.get(key);
      if (sides && !found) faults.push("the prompt is that of no trace of the set");
      else if (found && !found.includes(side)) {
        faults.push(`the prompt is that of a ${found.join(" and ")} trace`);
      }
      return faults;
    },
  };
}

/** On which sides of the split each evaluation prompt stands: on both, if traces are duplicates. */
function sidesOf(
  { set: named, split: made, prompt, system }: Manifest,
  { set, split }: ExportSource,
): Map<string, readonly Part[]> {
  if (named.digest !== set.digest || split.set.digest !== set.digest) {
    throw new SteerError(
      "mismatch",
      `the export was made from set ${named.name} ${named.digest}, not from ${set.name} ${set.digest}`,
    );
  }
  const given = streamDigest(split);
  if (made.digest !== given) {
    const message = `the export was made by a split with digest ${made.digest}, not ${given}`;
    throw new SteerError("mismatch", message);
  }
  const test = new Set(split.test);
  const sides = new Map<string, readonly Part[]>();
  for (const [position, { id }] of set.heads.entries()) {
    const side: Part = test.has(id) ? "test" : "train";
    const key = promptKey(promptFor(set.readTrace(position), prompt.readout, system));
    const before = sides.get(key) ?? [];
    if (!before.includes(side)) sides.set(key, [...before, side]);
  }
  return sides;
}
