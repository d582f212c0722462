import { z } from "zod";
import { explainIssues, shorten } from "../../data/explain.ts";
import type { Generation, ModelFailure, Sampling } from "../model.ts";
import type { FailureCode } from "./attempt.ts";
import { explanationIn } from "./client.ts";

const replySchema = z.object({
  choices: z.array(z.unknown()).min(1, "must not be empty"),
  usage: z.unknown().optional(),
});

const choiceSchema = z.object({
  message: z.object({
    content: z.string().nullish(),
    /** What some models write in place of content when they decline. */
    refusal: z.string().nullish(),
    tool_calls: z.unknown().optional(),
    reasoning_content: z.unknown().optional(),
    reasoning: z.unknown().optional(),
  }),
  finish_reason: z.string().nullish(),
  logprobs: z.unknown().optional(),
});

/** What a failure with a code looks like. */
export function failed(code: FailureCode, message: string): ModelFailure {
  return { error: { code, message } };
}

/**
 * The written answer in a reply. Without content it is an empty answer only when the reply says
 * why it ended; otherwise nobody knows whether the model was heard at all.
 */
export function readGeneration(
  reply: unknown,
  { tokenLogprobs: wanted = false }: Pick<Sampling, "tokenLogprobs"> = {},
): Generation | ModelFailure {
  const choice = readChoice(reply);
  if ("error" in choice) return choice;
  const { message, finish_reason: finish = null } = choice;
  const text = message.content ?? message.refusal ?? null;
  if (!text && callsTools(message.tool_calls, finish)) {
    return failed("tool_calls", "the model called a tool and wrote no answer");
  }
  if (text === null && finish === null) {
    const missing = "choices[0].message.content is missing, and no finish_reason says why";
    return failed("bad_reply", `bad reply: ${missing}`);
  }
  const reasoning = [message.reasoning_content, message.reasoning].find(
    (thought) => typeof thought === "string" && thought !== "",
  ) as string | undefined;
  const tokenLogprobs = wanted ? readTokenLogprobs(choice.logprobs) : undefined;
  return {
    text: text ?? "",
    finish,
    tokens: readUsage(reply, "completion_tokens"),
    ...(reasoning !== undefined && { reasoning }),
    ...(tokenLogprobs && { tokenLogprobs }),
  };
}

function callsTools(calls: unknown, finish: string | null): boolean {
  return (
    finish === "tool_calls" ||
    finish === "function_call" ||
    (Array.isArray(calls) && calls.length > 0)
  );
}

/** The log-probability of each written token; undefined where the reply gives none. */
function readTokenLogprobs(logprobs: unknown): number[] | undefined {
  const list = z.object({ content: z.array(z.object({ logprob: z.number() })) });
  return list.safeParse(logprobs).data?.content.map(({ logprob }) => logprob);
}

/** The first choice of a reply: one is asked for at a time. */
export function readChoice(reply: unknown): z.infer<typeof choiceSchema> | ModelFailure {
  const outer = checkShape(replySchema, reply);
  if ("error" in outer) {
    const isReport = typeof reply === "object" && reply !== null && "error" in reply;
    if (!isReport) return outer;
    return failed("bad_reply", `${outer.error.message}; it says: ${shorten(explanationIn(reply))}`);
  }
  const [first] = outer.choices;
  const choice = checkShape(choiceSchema, first, "choices[0]");
  if ("error" in choice) return choice;
  if (choice.finish_reason === "content_filter") {
    return failed("content_filter", "the provider's content filter held back the answer");
  }
  // Some routers report a provider's failure within a reply of good status.
  if (choice.finish_reason !== "error") return choice;
  return failed("bad_reply", `the reply reports a failure: ${shorten(explanationIn(first))}`);
}

/** A part of a reply, or a failure that names all that is missing or wrong in it by its place. */
export function checkShape<T extends object>(
  schema: z.ZodType<T>,
  value: unknown,
  place = "",
): T | ModelFailure {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = explainIssues(result.error, value, schema).map(({ path, message }) => {
    const full = `${place}.${path}`.replace(".[", "[").replace(/^\.|\.$/g, "");
    return full === "" ? message : `${full}: ${message}`;
  });
  return failed("bad_reply", `bad reply: ${faults.join("; ")}`);
}

/** A count of the reply's `usage`; null where it tells none. */
export function readUsage(
  reply: unknown,
  field: "prompt_tokens" | "completion_tokens",
): number | null {
  const count = z.object({ usage: z.object({ [field]: z.int().min(0) }) }).safeParse(reply);
  return count.success ? (count.data.usage[field] ?? null) : null;
}
