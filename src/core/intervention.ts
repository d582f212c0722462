/** The five interventions, in the order in which every list, table and matrix shows them. */
export const LABELS = ["ACT", "ASK", "WAIT", "REMEMBER", "FORGET"] as const;

/** One of the five interventions a model can pick. */
export type Label = (typeof LABELS)[number];

/**
 * When each label is right, in one sentence. The prompt shows these sentences and
 * `scenario-sets/GUIDE.md` repeats them word for word (a test compares the two).
 */
export const DEFINITIONS: Readonly<Record<Label, string>> = {
  ACT: "Carry out the next step now; everything it needs is in place.",
  ASK: "Stop and ask a person: information or permission that only a person can give is missing and has not been requested yet.",
  WAIT: "Hold: a result, check or answer that has already been requested or is running must come back first.",
  REMEMBER:
    "Store a durable fact from the latest observation that memory lacks and that later steps will need.",
  FORGET: "Drop a memory entry that is stale or superseded and that the next step would rest on.",
};

/** Whether `value` is exactly one of the five labels: case and spaces count. */
export function isLabel(value: unknown): value is Label {
  return (LABELS as readonly unknown[]).includes(value);
}

/** A record with one entry per label, in label order. */
export function byLabel<T>(make: (label: Label) => T): Record<Label, T> {
  return Object.fromEntries(LABELS.map((label) => [label, make(label)])) as Record<Label, T>;
}
