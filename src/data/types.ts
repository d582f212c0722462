import type { Label } from "../core/intervention.ts";
import type { Domain, Trace } from "../core/trace.ts";

/** What splitting and counting need of a trace, and where it stands. */
export interface TraceHead {
  readonly id: string;
  readonly family: string;
  readonly domain: Domain;
  readonly label: Label;
  /** Ids of traces that must stay on this trace's side; absent when there are none. */
  readonly links?: readonly string[];
  /** First 16 hex digits of sha256 over the trace's canonical JSON. */
  readonly content: string;
  /** Path relative to the set's folder, or the file's own name. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/**
 * A loaded and validated scenario set: heads in memory, texts read again when needed, so that a
 * million traces fit.
 */
export interface ScenarioSet {
  readonly name: string;
  readonly version: string;
  readonly licence: string | null;
  /** A string that marks the set's texts, so that crawlers can leave them out. */
  readonly canary: string | null;
  /** In file order; nothing may depend on it. */
  readonly heads: readonly TraceHead[];
  /** sha256 that depends on every trace's id and content and on nothing else (not on files or order). */
  readonly digest: string;
  /** sha256 of each file's bytes, by path relative to the set. */
  readonly files: Readonly<Record<string, string>>;
  readonly blankLines: number;
  /** Lone surrogates replaced by U+FFFD while reading. */
  readonly replacedCharacters: number;
  readonly warnings: readonly string[];
  /** Reads the trace at a position of `heads`. */
  readTrace(index: number): Trace;
  /** Closes the files. */
  close(): void;
}

/** The sides of a split. */
export const PARTS = ["train", "test"] as const;

/** A side of a split. */
export type Part = (typeof PARTS)[number];

/** A stored split: which ids are held out, and what it was made from. */
export interface Split {
  readonly version: 1;
  readonly set: { readonly name: string; readonly digest: string };
  readonly policy: {
    readonly by: "family" | "trace";
    readonly seed: string;
    /** Whether near-duplicates were kept on one side. */
    readonly near: boolean;
    /** Rows asked for in test. */
    readonly requested: number;
    /** Digest of the split that this one extends, if any. */
    readonly extends?: string;
  };
  readonly counts: Readonly<
    Record<Part, { traces: number; families: number; labels: Readonly<Record<Label, number>> }>
  >;
  /** Ids of each side, in code-unit order. */
  readonly train: readonly string[];
  readonly test: readonly string[];
  /** `TraceHead.content` of each id, aligned with the id lists. */
  readonly content: Readonly<Record<Part, readonly string[]>>;
}
