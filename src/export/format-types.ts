import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import type { Part } from "../data/types.ts";
import type { Message } from "../task/prompt.ts";
import type { Encoding } from "./columnar.ts";
import type { SystemMode } from "./messages.ts";
import type { ExportRecord, RecordSchema } from "./record-schema.ts";

/** What an export is for. */
export const EXPORT_KINDS = ["sft", "preferences", "decisions", "rl"] as const;

/** See {@link EXPORT_KINDS}. */
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** The name of a file of an export, less its ending; `validation` is carved from train. */
export type FilePart = Part | "validation";

/** A trace on its way to a record, and where the record will stand. */
export interface Example {
  readonly trace: Trace;
  readonly part: FilePart;
  /** Position of the row in its file, from 0. */
  readonly index: number;
  readonly system: SystemMode;
}

/** Why an answer is worse, or what a run's answer came to. */
export const PAIR_TYPES = [
  "premature",
  "over_hold",
  "confusion",
  "malformed",
  "cut_off",
  "mined_premature_act",
  "mined_missed_act",
  "mined_wrong",
  "mined_unreadable",
  "mined_cut_off",
] as const;

/** See {@link PAIR_TYPES}. */
export type PairType = (typeof PAIR_TYPES)[number];

/** Two answers to one prompt, on their way to a record. */
export interface PairExample extends Example {
  readonly chosen: string;
  readonly rejected: string;
  /** What the scheme pays for the chosen answer minus what it pays for the rejected one. */
  readonly margin: number;
  /** Which of the pair's rows this is, in formats that write two: the chosen answer or the other. */
  readonly half: "chosen" | "rejected";
  /** Whether the chosen answer stands on side A, in formats that have sides. */
  readonly chosenFirst: boolean;
}

/** What any record shows, whatever its format. */
export interface RecordView {
  readonly prompt: readonly Message[];
  readonly label: Label | null;
  /** Only in formats that carry ids. */
  readonly traceId?: string;
  readonly familyId?: string;
}

interface FormatBase {
  /** Who reads it and in what shape, for `export --list`. */
  readonly summary: string;
  readonly schema: RecordSchema;
  /** What a record is about; the label is null where its answer is not the gold one. */
  readonly read: (record: ExportRecord) => RecordView;
  /** What is wrong with a record whose keys and types are right, for `export --check`. */
  readonly faults: (record: ExportRecord) => string[];
  /** Ready configuration files, by name, for the data files given by part. */
  readonly configs?: (
    files: Readonly<Partial<Record<FilePart, string>>>,
    encoding: Encoding,
  ) => Readonly<Record<string, string>>;
}

/** A format that makes one record of each trace. */
export interface TraceFormat extends FormatBase {
  readonly of: "trace";
  readonly toRecord: (example: Example) => ExportRecord;
}

/** A format that makes one record, or two, of each pair. */
export interface PairFormat extends FormatBase {
  readonly of: "pair";
  readonly rowsPerPair: 1 | 2;
  readonly toRecord: (pair: PairExample) => ExportRecord;
}

/** See {@link TraceFormat} and {@link PairFormat}. */
export type Format = TraceFormat | PairFormat;
