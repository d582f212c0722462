import { SteerError } from "../core/errors.ts";
import { DECISION_FORMATS } from "./decisions.ts";
import { EXPORT_KINDS, type ExportKind, type Format } from "./format-types.ts";
import { PREFERENCE_FORMATS } from "./preferences.ts";
import { RL_FORMATS } from "./rl.ts";
import { SFT_FORMATS } from "./sft.ts";

/** Every format by kind and name; the first of a kind is its default. */
export const FORMATS: Readonly<Record<ExportKind, Readonly<Record<string, Format>>>> = {
  sft: SFT_FORMATS,
  preferences: PREFERENCE_FORMATS,
  decisions: DECISION_FORMATS,
  rl: RL_FORMATS,
};

/** One line of `export --list`. */
export interface FormatEntry {
  readonly kind: ExportKind;
  readonly name: string;
  readonly isDefault: boolean;
  readonly summary: string;
  /** The keys of a record, in order. */
  readonly keys: readonly string[];
}

/** What `export --list` prints. */
export function listFormats(): FormatEntry[] {
  return EXPORT_KINDS.flatMap((kind) =>
    Object.entries(FORMATS[kind]).map(([name, { summary, schema }], k) => {
      return { kind, name, isDefault: k === 0, summary, keys: schema.map((field) => field.name) };
    }),
  );
}

/**
 * The format of a kind by name, or the kind's default.
 *
 * @throws SteerError `usage` for an unknown name, listing the known ones
 */
export function findFormat(
  kind: ExportKind,
  name?: string | undefined,
): { readonly name: string; readonly format: Format } {
  const names = Object.keys(FORMATS[kind]);
  const wanted = name ?? names[0] ?? "";
  const format = Object.hasOwn(FORMATS[kind], wanted) ? FORMATS[kind][wanted] : undefined;
  if (!format) {
    throw new SteerError(
      "usage",
      `unknown format ${wanted} for ${kind}; use one of ${names.join(", ")}`,
    );
  }
  return { name: wanted, format };
}
