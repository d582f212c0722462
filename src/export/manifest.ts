import { z } from "zod";
import { LABELS } from "../core/intervention.ts";
import { DOMAINS } from "../core/trace.ts";
import { schemeSchema } from "../task/scheme.ts";
import { ENCODINGS } from "./columnar.ts";
import { EXPORT_KINDS, PAIR_TYPES } from "./format-types.ts";
import { SYSTEM_MODES } from "./messages.ts";
import { NEGATIVE_KINDS, SKIP_REASONS } from "./negatives.ts";

/** Version of the exporter: it changes when any record could come out differently. */
export const EXPORTER_VERSION = "1";

/** The manifest's file name in an export's folder. */
export const MANIFEST_FILE = "manifest.json";

const count = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a sha256 in lower-case hex");
/** A name in the export's own folder. */
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, "must be a plain file name");
const written = { name: fileName, bytes: count, sha256: hash };

/** What a file of pairs holds. */
const pairReportSchema = z.strictObject({
  pairs: count,
  types: z.partialRecord(z.enum(PAIR_TYPES), count),
  /** How often each gold label was preferred to each other label, or to an answer without one. */
  flow: z.record(z.enum(LABELS), z.record(z.enum([...LABELS, "none"]), count)),
  /** How well words alone tell the two sides apart; 0.5 is chance, null means too few families. */
  wordTest: z
    .strictObject({ right: z.number().min(0), answers: count, accuracy: z.number().min(0).max(1) })
    .nullable(),
  /** Pairs that were asked for and could not be made. */
  skipped: z.partialRecord(z.enum(SKIP_REASONS), count),
  skips: z.array(
    z.strictObject({ traceId: z.string(), wanted: z.string(), reason: z.enum(SKIP_REASONS) }),
  ),
});

const dataFileSchema = z.strictObject({
  ...written,
  part: z.enum(["train", "test", "validation"]),
  rows: count,
  /** Rows by gold label and domain. */
  counts: z.record(z.enum(LABELS), z.record(z.enum(DOMAINS), count)),
  /** Rows whose neighbour is of the same family, where no order could part them. */
  siblingNeighbours: count,
  /** Halves of surrogate pairs that became U+FFFD. */
  replacedCharacters: count,
  /** Observations that end in white space; the end of the turn keeps it from the answer's tokens. */
  observationsEndingInSpace: count,
  pairs: pairReportSchema.nullable(),
});

/** `manifest.json`: where an export's rows come from and what its files hold. */
export const manifestSchema = z.strictObject({
  version: z.literal(1),
  exporter: z.string(),
  kind: z.enum(EXPORT_KINDS),
  format: z.string(),
  as: z.enum(ENCODINGS),
  set: z.strictObject({
    name: z.string(),
    version: z.string(),
    licence: z.string().nullable(),
    /** Marks the set's texts, so that crawlers can leave them out. */
    canary: z.string().nullable(),
    digest: z.string(),
    /** sha256 of each file of the set, by its path in the set. */
    files: z.record(z.string(), hash),
  }),
  split: z.strictObject({
    digest: hash,
    by: z.enum(["family", "trace"]),
    seed: z.string(),
    near: z.boolean(),
  }),
  part: z.enum(["train", "test"]),
  /** Whether exporting held-out rows was allowed by an explicit flag. */
  allowTest: z.boolean(),
  /** Whole families kept back from train, nearest to the number wanted. */
  validation: z.strictObject({ wanted: count, traces: count, families: count }).nullable(),
  seed: z.string(),
  system: z.enum(SYSTEM_MODES),
  prompt: z.strictObject({
    version: z.string(),
    readout: z.enum(["generative", "decision"]),
    template: hash,
  }),
  /** For preferences: what the worse answers are and what gives the margin. */
  preferences: z
    .strictObject({
      negatives: z.array(z.enum(NEGATIVE_KINDS)),
      scheme: schemeSchema,
      /** Digests of the headers of the runs that pairs were mined from. */
      runs: z.array(hash),
    })
    .nullable(),
  files: z.array(dataFileSchema),
  /** Ready configuration files beside the data. */
  configs: z.array(z.strictObject(written)),
});

/** See {@link manifestSchema}. */
export type Manifest = z.infer<typeof manifestSchema>;

/** One data file of a manifest. */
export type DataFile = Manifest["files"][number];

/** What a manifest says about the pairs of a file. */
export type PairReport = NonNullable<DataFile["pairs"]>;
