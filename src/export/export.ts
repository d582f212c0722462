import { SteerError } from "../core/errors.ts";
import { digest } from "../core/hash.ts";
import { carveValidation } from "../data/carve-validation.ts";
import { requireVerified } from "../data/verify.ts";
import { PROMPT_VERSION, templateHash } from "../task/prompt.ts";
import { encode } from "./columnar.ts";
import { ExportFolder } from "./folder.ts";
import type { FilePart } from "./format-types.ts";
import { type DataFile, EXPORTER_VERSION, type Manifest } from "./manifest.ts";
import { pairRows } from "./pair-rows.ts";
import { orderedRecords, stopIfAborted } from "./part-file.ts";
import { type ExportPlan, type ExportRequest, planExport } from "./request.ts";
import { type PartContext, type RowSource, traceRows } from "./row-source.ts";
import { streamDigest } from "./stream-digest.ts";

/**
 * Writes one side of a verified split as training records: a data file (two with a validation
 * part), ready configurations where the format has any, and a manifest. Equal requests give equal
 * bytes. All files are written apart and put in place at the end, the manifest last, so an
 * interrupted export leaves an earlier one as it was.
 *
 * @returns the manifest, as written
 * @throws SteerError `unverified`, `held_out`, `usage`, `impossible` when no row could be made,
 *   `mismatch` for runs of other sets or models, `interrupted`, `unwritable`
 */
export async function runExport(request: ExportRequest): Promise<Manifest> {
  const plan = planExport(request);
  const { set, split, seed } = plan;
  const rows = await requireVerified(set, split, { file: request.splitFile });
  const parts = partsOf(plan, Uint32Array.from(rows[plan.part]));
  const contexts = parts.files.map(([part, positions]): PartContext => {
    return { set, part, positions, system: plan.system, scheme: plan.scheme, seed };
  });
  const sources: RowSource[] = [];
  for (const context of contexts) sources.push(await rowsOf(context, plan, request.signal));
  requireRows(sources, contexts);
  const folder = new ExportFolder(request.outDir);
  try {
    const total = sources.reduce((sum, { count }) => sum + count, 0);
    const files: DataFile[] = [];
    for (const [k, source] of sources.entries()) {
      const done = files.reduce((sum, { rows }) => sum + rows, 0);
      const { records, summary } = orderedRecords(set, source, plan.format.schema, {
        seed,
        signal: request.signal,
        onRow: (row) => request.onProgress?.(done + row, total),
      });
      const { part } = contexts[k] as PartContext;
      const name = `${part}.${plan.as}`;
      const written = await folder.write(name, encode(plan.as, plan.format.schema, records));
      files.push({ name, part, ...written, ...summary() });
    }
    const configs = await writeConfigs(folder, plan, files);
    const manifest = manifestOf(plan, parts.validation, files, configs);
    stopIfAborted(request.signal);
    await folder.finish(manifest);
    return manifest;
  } finally {
    await folder.discard();
  }
}

/** The traces of each file, and what was kept back for validation. */
function partsOf(
  { set, part, validation, seed }: ExportPlan,
  positions: Uint32Array,
): {
  readonly files: readonly (readonly [FilePart, Uint32Array])[];
  readonly validation: Manifest["validation"];
} {
  if (validation === 0) return { files: [[part, positions]], validation: null };
  const carved = carveValidation(set.heads, positions, validation, seed);
  return {
    files: [
      ["train", carved.train],
      ["validation", carved.validation],
    ],
    validation: {
      wanted: validation,
      traces: carved.validation.length,
      families: carved.families,
    },
  };
}

async function rowsOf(
  context: PartContext,
  { format, negatives, runs }: ExportPlan,
  signal: AbortSignal | undefined,
): Promise<RowSource> {
  return format.of === "trace"
    ? traceRows(context, format)
    : pairRows(context, format, { negatives, runs, signal });
}

/** A file without rows cannot be loaded by the trainers, so it is refused before anything is written. */
function requireRows(sources: readonly RowSource[], contexts: readonly PartContext[]): void {
  for (const [k, { count, reportPairs }] of sources.entries()) {
    if (count > 0) continue;
    const { part, positions } = contexts[k] as PartContext;
    const skipped = Object.entries(reportPairs()?.skipped ?? {});
    const why = skipped.map(([reason, n]) => `, ${n} skipped: ${reason}`).join("");
    throw new SteerError(
      "impossible",
      `no rows to export for ${part}: ${positions.length} traces${why}`,
    );
  }
}

async function writeConfigs(
  folder: ExportFolder,
  { format, as }: ExportPlan,
  files: readonly DataFile[],
): Promise<Manifest["configs"]> {
  const names = Object.fromEntries(files.map(({ part, name }) => [part, name]));
  const configs: Manifest["configs"] = [];
  for (const [name, text] of Object.entries(format.configs?.(names, as) ?? {})) {
    configs.push({ name, ...(await folder.write(name, text)) });
  }
  return configs;
}

function manifestOf(
  plan: ExportPlan,
  validation: Manifest["validation"],
  files: DataFile[],
  configs: Manifest["configs"],
): Manifest {
  const { set, split, kind } = plan;
  const readout = kind === "decisions" ? "decision" : "generative";
  return {
    version: 1,
    exporter: EXPORTER_VERSION,
    kind,
    format: plan.formatName,
    as: plan.as,
    set: {
      name: set.name,
      version: set.version,
      licence: set.licence,
      canary: set.canary,
      digest: set.digest,
      files: set.files,
    },
    split: {
      digest: streamDigest(split),
      by: split.policy.by,
      seed: split.policy.seed,
      near: split.policy.near,
    },
    part: plan.part,
    allowTest: plan.allowTest,
    validation,
    seed: plan.seed,
    system: plan.system,
    prompt: { version: PROMPT_VERSION, readout, template: templateHash(readout) },
    preferences:
      kind === "preferences"
        ? {
            negatives: [...plan.negatives],
            scheme: plan.scheme,
            runs: plan.runs.map(({ header }) => digest(header)).sort(),
          }
        : null,
    files,
    configs,
  };
}
