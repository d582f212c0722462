import type OpenAI from "openai";
import { withDeadline } from "./deadline.ts";
import { ReplyTooLong } from "./reply-limit.ts";

/**
 * What can go wrong with a request, by kind.
 *
 * - `rate_limited`: HTTP 429
 * - `http_4xx`, `http_5xx`: any other status of that kind
 * - `timeout`: no complete reply in time
 * - `connection`: refused, reset, no such host, cut off while the reply came
 * - `bad_reply`: a reply that is not what the protocol says
 * - `too_long`: a reply beyond the size that is read
 * - `content_filter`: the provider's filter took the answer away, or a part of it
 * - `tool_calls`: the model called a tool and wrote nothing
 * - `no_logprobs`, `incomplete`: letters were asked for and not, or not all, given
 * - `interrupted`: the run was stopped before an answer came
 */
export type FailureCode =
  | "rate_limited"
  | "http_4xx"
  | "http_5xx"
  | "timeout"
  | "connection"
  | "bad_reply"
  | "too_long"
  | "content_filter"
  | "tool_calls"
  | "no_logprobs"
  | "incomplete"
  | "interrupted";

/** One try that failed. */
export interface AttemptFailure {
  readonly code: FailureCode;
  readonly message: string;
  /** Whether another try may pass. */
  readonly mayPass: boolean;
  /** Of HTTP; null when none came. */
  readonly status: number | null;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
}

/** The JSON of a reply with a good status; its shape is not checked yet. */
export interface RawReply {
  readonly reply: unknown;
}

/** Body of a chat request; servers know more fields than the client's types do. */
export type ChatBody = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "model"> &
  Readonly<Record<string, unknown>>;

/** What a try needs besides its body. */
export interface AttemptOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Takes secrets out of what an error says. */
  readonly redact: (text: string) => string;
}

/** One request, once: the client's own retries jitter by Math.random and are not used. */
export function attempt(
  client: OpenAI,
  body: ChatBody & { readonly model: string },
  { timeoutMs, signal, redact }: AttemptOptions,
): Promise<RawReply | AttemptFailure> {
  return withDeadline(timeoutMs, signal, async (deadline) => {
    try {
      const options = { signal: deadline, timeout: timeoutMs, maxRetries: 0 };
      const response = await client.chat.completions.create(body, options).asResponse();
      // The client's timeout ends with the headers; the deadline also covers the body.
      return readBody(await response.text(), redact);
    } catch (error) {
      if (signal?.aborted) return failure("interrupted", "stopped before an answer came");
      if (deadline.aborted) {
        return failure("timeout", `no reply within ${timeoutMs / 1000} s`, { mayPass: true });
      }
      if (error instanceof ReplyTooLong) return failure("too_long", error.message);
      return explainError(error, redact);
    }
  });
}

function readBody(text: string, redact: AttemptOptions["redact"]): RawReply | AttemptFailure {
  try {
    return { reply: JSON.parse(text) };
  } catch {
    return failure("bad_reply", `the reply is not JSON; it begins ${excerpt(redact(text))}`);
  }
}

async function explainError(
  error: unknown,
  redact: AttemptOptions["redact"],
): Promise<AttemptFailure> {
  const { APIConnectionTimeoutError, APIError } = await import("openai");
  if (error instanceof APIConnectionTimeoutError) {
    return failure("timeout", error.message, { mayPass: true });
  }
  if (error instanceof APIError && typeof error.status === "number") {
    return explainStatus(error.status, redact(error.message), error.headers);
  }
  // Refused or reset before the headers, or (an error of fetch itself) within the body.
  const isConnection = error instanceof APIError || isFetchError(error);
  if (!isConnection) throw error;
  const message = `the connection failed: ${redact(deepestCause(error))}`;
  return failure("connection", message, { mayPass: true });
}

/** Statuses below 500 that may pass: the request came too late, too early, or met a lock (RFC 9110, 15.5). */
const PASSING = [408, 409, 425];

function explainStatus(
  status: number,
  message: string,
  headers: Headers | undefined,
): AttemptFailure {
  const retryAfter = headers?.get("retry-after") ?? null;
  // The client puts the status in front of what the server says.
  const said = message.replace(`${status} `, "").replace("status code (no body)", "no explanation");
  const told = `HTTP ${status}: ${excerpt(said)}`;
  const common = { status, retryAfter };
  if (status === 429) return failure("rate_limited", told, { ...common, mayPass: true });
  if (status >= 500) return failure("http_5xx", told, { ...common, mayPass: true });
  if (status >= 400) {
    return failure("http_4xx", told, { ...common, mayPass: PASSING.includes(status) });
  }
  return failure("bad_reply", told, common);
}

function failure(
  code: FailureCode,
  message: string,
  more: Partial<Omit<AttemptFailure, "code" | "message">> = {},
): AttemptFailure {
  return { code, message, mayPass: false, status: null, retryAfter: null, ...more };
}

function isFetchError(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

/** The code of the innermost error, such as ECONNREFUSED, else its message. */
function deepestCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner !== undefined) return deepestCause(inner);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

/** Longest part of a server's words that a message shows. */
const SHOWN = 300;

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
