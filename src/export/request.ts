import { SteerError } from "../core/errors.ts";
import type { Part, ScenarioSet, Split } from "../data/types.ts";
import type { Run } from "../result/run-read.ts";
import { SCHEMES, type Scheme } from "../task/scheme.ts";
import { ENCODINGS, type Encoding } from "./columnar.ts";
import { EXPORT_KINDS, type ExportKind, type Format } from "./format-types.ts";
import { findFormat } from "./formats.ts";
import { SYSTEM_MODES, type SystemMode } from "./messages.ts";
import { NEGATIVE_KINDS, type NegativeKind } from "./negatives.ts";

/** What to export, and where to. */
export interface ExportRequest {
  readonly set: ScenarioSet;
  readonly split: Split;
  /** How errors name the split. Default `split`. */
  readonly splitFile?: string | undefined;
  readonly kind: ExportKind;
  /** A name of `FORMATS[kind]`; default its first. */
  readonly format?: string | undefined;
  /** Default `jsonl`. */
  readonly as?: Encoding | undefined;
  /** Default `train`; `test` needs `allowTest` as well. */
  readonly part?: Part | undefined;
  readonly allowTest?: boolean | undefined;
  /** Traces to keep back from train for validation, by whole families; default none. */
  readonly validation?: number | undefined;
  /** Default `turn`. */
  readonly system?: SystemMode | undefined;
  /** Preferences only. Default `balanced`, or none when pairs come `from` runs. */
  readonly negatives?: readonly NegativeKind[] | undefined;
  /** Preferences only: runs to mine pairs from. */
  readonly from?: readonly Run[] | undefined;
  /** Preferences only: gives the margins. Default asymmetric. */
  readonly scheme?: Scheme | undefined;
  /** Decides every order and choice; default `0`. */
  readonly seed?: string | undefined;
  readonly outDir: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request with its defaults filled in. */
export interface ExportPlan {
  readonly set: ScenarioSet;
  readonly split: Split;
  readonly kind: ExportKind;
  readonly formatName: string;
  readonly format: Format;
  readonly as: Encoding;
  readonly part: Part;
  readonly allowTest: boolean;
  readonly validation: number;
  readonly system: SystemMode;
  readonly negatives: readonly NegativeKind[];
  readonly runs: readonly Run[];
  readonly scheme: Scheme;
  readonly seed: string;
}

/** Kinds that `balanced` already draws on: with them a trace would be paired twice alike. */
const WITHIN_BALANCED: readonly NegativeKind[] = ["premature", "over_hold", "confusion"];

/**
 * Fills in defaults and refuses what makes no sense, before any work.
 *
 * @throws SteerError `usage` for an unknown name or options that do not go together; `held_out`
 *   for test rows without `allowTest`
 */
export function planExport(request: ExportRequest): ExportPlan {
  const { set, split, as = "jsonl", part = "train", allowTest = false, system = "turn" } = request;
  const kind = requireOneOf("kind", request.kind, EXPORT_KINDS);
  const { name, format } = findFormat(kind, request.format);
  requireOneOf("as", as, ENCODINGS);
  requireOneOf("part", part, ["train", "test"]);
  requireOneOf("system", system, SYSTEM_MODES);
  if (part === "test" && !allowTest) {
    throw new SteerError(
      "held_out",
      "test rows are held out: pass --allow-test as well to export them, and do not train on them",
    );
  }
  const { validation = 0 } = request;
  if (validation > 0 && part === "test") {
    usage(
      "validation is carved from train, never from test: leave out --validation or --part test",
    );
  }
  if (!Number.isSafeInteger(validation) || validation < 0) {
    usage(`--validation must be a whole number of traces, not ${validation}`);
  }
  if (kind !== "preferences" && (request.negatives || request.from || request.scheme)) {
    usage(`--negatives, --from and --scheme belong to preferences, not to ${kind}`);
  }
  const runs = request.from ?? [];
  return {
    set,
    split,
    kind,
    formatName: name,
    format,
    as,
    part,
    allowTest,
    validation,
    system,
    negatives: negativesOf(request.negatives ?? (runs.length > 0 ? [] : ["balanced"])),
    runs,
    scheme: request.scheme ?? SCHEMES.asymmetric,
    seed: request.seed ?? "0",
  };
}

function negativesOf(wanted: readonly NegativeKind[]): NegativeKind[] {
  for (const kind of wanted) requireOneOf("negatives", kind, NEGATIVE_KINDS);
  const twice = WITHIN_BALANCED.filter((kind) => wanted.includes(kind));
  if (wanted.includes("balanced") && twice.length > 0) {
    usage(`--negatives: balanced draws on ${twice.join(", ")} already: name it or them`);
  }
  // In a fixed order, so that the order on the command line changes nothing.
  return NEGATIVE_KINDS.filter((kind) => wanted.includes(kind));
}

function requireOneOf<T extends string>(what: string, value: T, known: readonly T[]): T {
  if (!known.includes(value)) usage(`--${what}: unknown ${value}; use one of ${known.join(", ")}`);
  return value;
}

function usage(message: string): never {
  throw new SteerError("usage", message);
}
