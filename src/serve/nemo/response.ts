import { z } from "zod";

const outputPart = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() });

const outputItem = z.looseObject({
  type: z.string().nullish(),
  content: z.union([z.string(), z.array(outputPart)]).nullish(),
});

/** The fields of an OpenAI Responses object that tell the answer; the others are passed through. */
export const responseSchema = z.looseObject({
  output: z.array(outputItem),
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  error: z.unknown().optional(),
});

/** See {@link responseSchema}. */
export type ModelResponse = z.infer<typeof responseSchema>;

/** The text that the model wrote: all output texts of all its messages, joined. */
export function outputText({ output }: ModelResponse): string {
  return output
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(({ type, text }) => (type === "output_text" ? (text ?? "") : ""))
    .join("");
}

/** Why the answer ended: `stop`, the reason it is incomplete for, or null where that is not said. */
export function finishOf({ status, incomplete_details }: ModelResponse): string | null {
  if (status === "incomplete") return incomplete_details?.reason ?? null;
  return status === "completed" ? "stop" : null;
}

/** Why there is no answer to measure, when the model's side failed; null when there is one. */
export function failureOf({ status, error }: ModelResponse): string | null {
  const message = (Object(error) as { message?: unknown }).message;
  const detail = typeof message === "string" ? `: ${message.slice(0, 500)}` : "";
  const isBroken = error !== undefined && error !== null;
  const isUnfinished = ["failed", "cancelled", "in_progress", "queued"].includes(status ?? "");
  if (!isBroken && !isUnfinished) return null;
  return `the model's response has status ${status ?? "unknown"}${detail}`;
}
