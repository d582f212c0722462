import { z } from "zod";
import { LABELS } from "./intervention.ts";

/** The six domains, in the order in which tables show them. */
export const DOMAINS = [
  "coding",
  "database",
  "finance",
  "calendar",
  "research",
  "science-qa",
] as const;

/** One of the six domains. */
export type Domain = (typeof DOMAINS)[number];

/** Where a memory entry applies. */
export const SCOPES = ["user", "project", "session"] as const;

/** One of the three scopes. */
export type Scope = (typeof SCOPES)[number];

const text = z.string().refine((value) => value.trim() !== "", "must not be blank");

/** A field that ids are made of: no surrounding white space, so that two look-alikes cannot differ. */
const idText = text
  .refine((value) => value === value.trim(), "must not begin or end with a space")
  .refine(
    (value) => [...value].every((character) => character >= " "),
    "must not hold line breaks or other control characters",
  );

/** One fact in memory: where it applies, what it says, and when it was stored, if known. */
export const memoryEntrySchema = z.strictObject({
  scope: z.enum(SCOPES),
  text,
  /** ISO 8601 with a time zone, such as `2026-03-02T09:30:00Z`. */
  saved: z.iso.datetime({ offset: true }).optional(),
});

/** See {@link memoryEntrySchema}. */
export type MemoryEntry = z.infer<typeof memoryEntrySchema>;

/** One decision point of an agent, with the intervention that is right and why. */
export const traceSchema = z
  .strictObject({
    id: idText,
    /** Traces written from one situation share it; they never straddle a split. */
    family: idText,
    domain: z.enum(DOMAINS),
    task: text,
    memory: z.array(memoryEntrySchema),
    observation: text,
    label: z.enum(LABELS),
    /** One sentence that names the deciding fact. */
    rationale: text,
    /** The most inviting wrong label and the reasoning that leads there. */
    tempting: z.strictObject({ label: z.enum(LABELS), rationale: text }).optional(),
    /** Labels a careful reader could also defend. Shown apart; never changes an outcome. */
    also: z.array(z.enum(LABELS)).optional(),
    /** Ids of traces that must stay on this trace's side of a split. */
    links: z.array(idText).optional(),
  })
  .refine(({ label, tempting }) => tempting?.label !== label, {
    path: ["tempting", "label"],
    message: "must differ from label",
  })
  .refine(({ label, also }) => !also?.includes(label), {
    path: ["also"],
    message: "must not repeat label",
  });

/** See {@link traceSchema}. */
export type Trace = z.infer<typeof traceSchema>;
