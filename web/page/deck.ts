import type { Trace } from "../../src/index.ts";

/** The sides of the split, the one that arms are compared on first. */
export const PARTS = ["test", "train"] as const;

/** See {@link PARTS}. */
export type Part = (typeof PARTS)[number];

/** A trace to play. */
export interface PlayTrace extends Trace {
  /**
   * What `baseline:words` wrote for it, scored like any answer. Null on the train side: a floor
   * that was fitted on the very trace is none.
   */
  readonly wordsAnswer: string | null;
}

/** What the page is built around: a scenario set by sides of its split. */
export interface Deck {
  readonly set: {
    readonly name: string;
    readonly version: string;
    readonly licence: string | null;
    /** Travels with the texts, so that crawlers can leave the page out. */
    readonly canary: string | null;
  };
  /** The traces of each side, in the order of their ids. */
  readonly parts: Readonly<Record<Part, readonly PlayTrace[]>>;
}
