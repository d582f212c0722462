import { z } from "zod";

/** One broken rule of a schema. */
export interface SchemaFault {
  /** Such as `memory[2].scope`; empty for the whole value. */
  readonly path: string;
  /** Shows the offending value and, where it can, the fix. */
  readonly message: string;
}

/** The issues of a failed parse of `value` by `schema`, in words that help to repair it. */
export function explainIssues(
  error: z.ZodError,
  value: unknown,
  schema: z.core.$ZodType,
): SchemaFault[] {
  return error.issues.map((issue) => ({
    path: pathText(issue.path),
    message: explain(issue, valueAt(value, issue.path), fieldsAt(schema, issue.path)),
  }));
}

function explain(issue: z.core.$ZodIssue, value: unknown, fields: readonly string[]): string {
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return "required field is missing";
      return `expected ${article(issue.expected)}, not ${shorten(value)}`;
    case "invalid_value":
      return explainChoice(issue.values.map(String), value);
    case "unrecognized_keys":
      return issue.keys
        .map((key) => `unknown field ${shorten(key)}${hint(key, fields)}`)
        .join("; ");
    case "invalid_format":
      return issue.format === "datetime"
        ? `${shorten(value)} is not an ISO 8601 time with a zone, such as 2026-03-02T09:30:00Z`
        : `${shorten(value)}: ${issue.message}`;
    default:
      return value === undefined ? issue.message : `${shorten(value)} ${issue.message}`;
  }
}

function explainChoice(allowed: readonly string[], value: unknown): string {
  const list = allowed.join(", ");
  if (value === undefined) return `required field is missing; use one of ${list}`;
  const rule = allowed.length === 1 ? `must be ${list}` : `is not one of ${list}`;
  return `${shorten(value)} ${rule}${hint(value, allowed)}`;
}

function hint(value: unknown, choices: readonly string[]): string {
  const near = typeof value === "string" ? nearest(value, choices) : undefined;
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}

/** A value in at most some 60 characters and one line; nesting is not entered. */
export function shorten(value: unknown): string {
  if (typeof value === "string") {
    return value.length > 60 ? `${JSON.stringify(value.slice(0, 57))}…` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/**
 * The choice that a text most likely stands for: equal but for case, spaces and punctuation, or at
 * most two edits away and no more than half of it; undefined when none is near.
 */
export function nearest(text: string, choices: readonly string[]): string | undefined {
  const bare = bareWord(text.slice(0, 100));
  const ranked = choices
    .map((choice) => ({ choice, edits: editDistance(bare, bareWord(choice)) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= 2 && best.edits * 2 <= best.choice.length ? best.choice : undefined;
}

function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    const isObject = typeof inner === "object" && inner !== null && Object.hasOwn(inner, step);
    return isObject ? (inner as Record<PropertyKey, unknown>)[step] : undefined;
  }, value);
}

/** Names of the fields that an object at a path may have; none when it is no object. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap(), path);
  const [step, ...rest] = path;
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(schema.shape);
  const inner = Object.hasOwn(schema.shape, step) ? schema.shape[String(step)] : undefined;
  return inner ? fieldsAt(inner, rest) : [];
}

function article(type: string): string {
  if (type === "array") return "a list";
  if (type === "record") return "an object";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
