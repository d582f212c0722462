import { SteerError } from "../core/errors.ts";
import { canonicalJson, digest } from "../core/hash.ts";
import type { RunHeader, RunTrace } from "./run-schema.ts";

/** Fields that may differ when a run is resumed: they decide how fast answers come, not which. */
const FREE_FIELDS: readonly (keyof RunHeader)[] = ["workers", "threads"];

/** Longest value that an error shows. */
const SHOWN = 80;

/** The text of `run.json`: fields first, then the traces, one on a line. */
export function headerText({ traces, ...fields }: RunHeader): string {
  const head = JSON.stringify(fields, null, 2).slice(0, -"\n}".length);
  const lines = traces.map((trace) => `    ${JSON.stringify(trace)}`);
  return `${head},\n  "traces": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/** Digest over all that a run says of its traces, gold labels included, whatever their order. */
export function situationsDigest(traces: readonly RunTrace[]): string {
  return digest(Object.fromEntries(traces.map((trace) => [trace.id, trace])));
}

/** What a larger `--limit` changes. */
const LIMIT_FIELDS: readonly (keyof RunHeader)[] = ["limit", "situations", "traces"];

/**
 * Refuses to go on with a run under other conditions. A larger limit is no other condition: the
 * traces of a smaller one come first under it.
 *
 * @returns the header to go on with: the stored one, its traces extended where `now` has more
 * @throws SteerError `mismatch`, naming each field with its stored and its present value
 */
export function requireSameRun(path: string, stored: RunHeader, now: RunHeader): RunHeader {
  const isExtended = begins(stored.traces, now.traces);
  const found = headerDifferences(
    { name: "stored", header: stored },
    { name: "now", header: now },
    isExtended ? [...FREE_FIELDS, ...LIMIT_FIELDS] : FREE_FIELDS,
  );
  if (found.length === 0) {
    const { limit, situations, traces } = now;
    return isExtended ? { ...stored, limit, situations, traces } : stored;
  }
  throw new SteerError(
    "mismatch",
    `${path}: this run was made under other conditions:\n  ${found.join("\n  ")}\nRepeat them, or name another folder.`,
  );
}

/** Whether `longer` is `traces` and more behind them. */
function begins(traces: readonly RunTrace[], longer: readonly RunTrace[]): boolean {
  if (traces.length >= longer.length) return false;
  return canonicalJson(traces) === canonicalJson(longer.slice(0, traces.length));
}

/** A header and how messages call it. */
export interface NamedHeader {
  readonly name: string;
  readonly header: RunHeader;
}

/**
 * Each field in which two headers differ, with both values; `ignore` names fields of the header.
 * A model with hashed files is known by them, wherever its folder lies and however it is spelled.
 */
export function headerDifferences(
  a: NamedHeader,
  b: NamedHeader,
  ignore: readonly (keyof RunHeader)[],
): string[] {
  const fields = (Object.keys(a.header) as (keyof RunHeader)[]).filter(
    (field) => !ignore.includes(field),
  );
  const [left, right] = withoutPlaces(a.header, b.header);
  return fields
    .flatMap((field) => differences(field, left[field], right[field]))
    .map(({ path, left, right }) => `${path}: ${a.name} ${left}, ${b.name} ${right}`);
}

/** Two headers, of whose models only the content counts where both are hashed. */
function withoutPlaces(a: RunHeader, b: RunHeader): [RunHeader, RunHeader] {
  const isHashed = ({ model }: RunHeader) => Object.keys(model.files).length > 0;
  if (!isHashed(a) || !isHashed(b)) return [a, b];
  const hide = (header: RunHeader): RunHeader => ({
    ...header,
    model: { ...header.model, spec: "by its files", name: "by its files" },
  });
  return [hide(a), hide(b)];
}

/** A field that two values have differently, and how each has it. */
export interface Difference {
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

/** The fields, and fields of fields, in which two values differ. */
export function differences(path: string, a: unknown, b: unknown): Difference[] {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return [];
  if (isRecord(a) && isRecord(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) => differences(`${path}.${key}`, a[key], b[key]));
  }
  return [{ path, left: shown(a), right: shown(b) }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} items`;
  const text = canonicalJson(value ?? null);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
