import { createHash } from "node:crypto";
import { SteerError } from "../core/errors.ts";
import { type Trace, traceSchema } from "../core/trace.ts";
import { type ByteSource, openBytes } from "./byte-source.ts";
import { contentHash } from "./content.ts";
import { FaultList } from "./faults.ts";
import { type OnProgress, readRows } from "./jsonl.ts";
import { RowTable } from "./row-table.ts";
import { checkLinks, duplicateIds, nearFamilies, orderById } from "./set-checks.ts";
import { findSetFiles, type SetFiles } from "./set-files.ts";
import { fileText, memoryText } from "./text-store.ts";
import type { ScenarioSet, TraceHead } from "./types.ts";

/**
 * Loads and checks a scenario set: a folder, a `.jsonl` or `.jsonl.gz` file, or `-` for stdin.
 * Heads stay in memory; texts are read again from the file when asked for (those of gzip files and
 * streams stay in memory, too). Close the set after use.
 *
 * @param options.onProgress gets bytes read and bytes in all
 * @throws SteerError `invalid` listing every fault of every file at once (`duplicate` when all of
 *   them are repeated ids), `not_found`, `unreadable`, `foreign_version` or `usage`
 */
export async function loadScenarioSet(
  path: string,
  { onProgress }: { readonly onProgress?: OnProgress | undefined } = {},
): Promise<ScenarioSet> {
  const { files, ...header } = await findSetFiles(path);
  const sources: ByteSource[] = [];
  const close = () => {
    for (const source of sources.splice(0)) source.close();
  };
  try {
    const read = await readFiles(files, sources, onProgress);
    const { table, blankLines, replacedCharacters, hashes, faults } = read;
    const { heads } = table;
    const paths = new Map(files.map(({ label, path: at }) => [label, at === "-" ? "stdin" : at]));
    const placeOf = ({ file }: TraceHead) => paths.get(file) ?? file;
    const order = orderById(heads);
    refuseFaults(heads, order, placeOf, faults);
    if (heads.length === 0) {
      throw new SteerError("invalid", `${path}: holds no trace (${blankLines} blank lines)`);
    }
    return {
      ...header,
      heads,
      digest: setDigest(heads, order),
      files: hashes,
      blankLines,
      replacedCharacters,
      warnings: [
        ...header.warnings,
        ...nearFamilies(heads, placeOf),
        ...(replacedCharacters > 0
          ? [`${replacedCharacters} lone surrogates were replaced by U+FFFD`]
          : []),
      ],
      readTrace: (index) => table.readTrace(index),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads the files in turn; each stays open for its texts, and is put among `opened`. */
async function readFiles(
  files: SetFiles["files"],
  opened: ByteSource[],
  onProgress: OnProgress | undefined,
) {
  const table = new RowTable();
  const faults = new FaultList();
  const families = new Map<string, string>();
  const hashes: Record<string, string> = {};
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let [before, blankLines, replacedCharacters] = [0, 0, 0];
  for (const { path, label, bytes: size } of files) {
    const source = await openBytes(path);
    opened.push(source);
    const memory = source.descriptor === null ? memoryText() : null;
    table.addStore(memory ?? fileText(source.name, source.descriptor ?? -1));
    const summary = await readRows({
      source,
      file: source.name,
      schema: traceSchema,
      visit: (trace, { line, offset, bytes }) => {
        const at = memory ? memory.add(bytes) : offset;
        table.add(headOf(trace, label, line, families), at, bytes.length);
      },
      faults,
      onProgress: onProgress && ((done) => onProgress(before + done, total)),
    });
    before += size;
    blankLines += summary.blankLines;
    replacedCharacters += summary.replacedCharacters;
    hashes[label] = source.sha256();
  }
  return { table, blankLines, replacedCharacters, hashes, faults };
}

/** Equal family ids share one string, which `families` holds: a fifth of a head's size. */
function headOf(
  trace: Trace,
  file: string,
  line: number,
  families: Map<string, string>,
): TraceHead {
  const { id, domain, label, links } = trace;
  const family = families.get(trace.family) ?? trace.family;
  families.set(family, family);
  const head = { id, family, domain, label, content: contentHash(trace), file, line };
  return links && links.length > 0 ? { ...head, links } : head;
}

function refuseFaults(
  heads: readonly TraceHead[],
  order: Uint32Array,
  placeOf: (head: TraceHead) => string,
  faults: FaultList,
): void {
  const pairs = duplicateIds(heads, order);
  const isOnlyDuplicates = faults.count === 0;
  for (const { first, again } of pairs) {
    const message = `${JSON.stringify(again.id)} is also the id of ${placeOf(first)}:${first.line}`;
    faults.add({ file: placeOf(again), line: again.line, path: "id", message });
  }
  // While rows are missing, links to them would be reported for no reason.
  if (isOnlyDuplicates) checkLinks(heads, placeOf, faults);
  faults.throwIfAny(isOnlyDuplicates && faults.count === pairs.length ? "duplicate" : "invalid");
}

/** Characters hashed at a time: a call for each line would take longer than the hashing. */
const DIGEST_BLOCK = 1 << 16;

/** sha256 over one `id content` line for each trace, in code-unit order of the ids. */
function setDigest(heads: readonly TraceHead[], order: Uint32Array): string {
  const hash = createHash("sha256");
  let lines = "";
  for (const at of order) {
    const head = heads[at];
    if (head) lines += `${head.id} ${head.content}\n`;
    if (lines.length < DIGEST_BLOCK) continue;
    hash.update(lines);
    lines = "";
  }
  return hash.update(lines).digest("hex");
}
