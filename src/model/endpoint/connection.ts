import { randomStream } from "../../core/random.ts";
import type { ModelFailure } from "../model.ts";
import type { EndpointAddress } from "./address.ts";
import { type AttemptFailure, attempt, type ChatBody, type RawReply } from "./attempt.ts";
import { authorize, makeClient } from "./client.ts";
import type { Clock } from "./clock.ts";
import { guardFirstRequest } from "./first-request.ts";
import { makeLimiter } from "./limiter.ts";
import { makeRedactor, redactAll } from "./redact.ts";
import { withRetries } from "./retry.ts";

/** How requests are sent: none of it decides what the answers are. */
export interface ConnectionOptions {
  /**
   * Sent as `Authorization: Bearer`; an empty one is none. Never shown or stored. The command line
   * reads it from STEERBENCH_API_KEY, else OPENAI_API_KEY.
   */
  readonly apiKey?: string | undefined;
  readonly clock: Clock;
  /** Requests at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** For one complete reply, in milliseconds. Default 60 000. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one, whatever failed. Default 5, or 2 after a time-out. */
  readonly retries?: number | undefined;
  /** Takes a sentence for people about the first retry of each kind of failure. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** Requests at once where nothing else is said. */
export const CONCURRENCY = 4;
const TIMEOUT_MS = 60_000;

/**
 * Sends one chat request, retries included, and reads the reply. Once `signal` is aborted the
 * request is dropped, even while it runs or waits, and gives a failure `interrupted`. Answers are
 * what the server wrote; only the words of failures are free of secrets.
 *
 * @param key names the request: its jitter is drawn from a stream of its own
 * @throws SteerError `unreadable` when the connection's first request is refused with 401, 403 or 404
 */
export type Ask = <Result>(
  body: ChatBody,
  key: string,
  read: (reply: unknown) => Result | ModelFailure,
  signal?: AbortSignal | undefined,
) => Promise<Result | ModelFailure>;

/** @throws SteerError `usage` for a key that no header can carry */
export async function connect(address: EndpointAddress, options: ConnectionOptions): Promise<Ask> {
  const { apiKey, clock, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS, retries } = options;
  const { header, secrets } = authorize(address, apiKey);
  const redact = makeRedactor(secrets);
  const client = await makeClient(address, header);
  const limit = makeLimiter(concurrency);
  const first = guardFirstRequest(address.spec);
  const onRetry = noteOnce(address.spec, options.onNote);

  /** The token limit's name: one provider's newer models refuse the common one. */
  let limitField = COMMON_LIMIT;
  return (body, key, read, signal) => {
    const random = randomStream("endpoint", "retry", key);
    const send = (field: string) => {
      const { max_tokens, ...rest } = body;
      const full = { ...rest, model: address.model, [field]: max_tokens } as ModelBody;
      const once = () => first(() => attempt(client, full, { timeoutMs, signal, redact }));
      return withRetries(once, { retries, clock, random, signal, onRetry });
    };
    return limit(async () => {
      const field = limitField;
      let result = await send(field);
      if (field === COMMON_LIMIT && isFailed(result) && names(result, NEWER_LIMIT)) {
        limitField = NEWER_LIMIT;
        result = await send(NEWER_LIMIT);
      }
      if (!isFailed(result)) return readClean(result.reply, read, redact);
      const { code, message } = result.error;
      return { error: { code, message: `${address.spec}: ${message}` } };
    });
  };
}

/** What is read from a reply; a failure, which quotes it, is read from one without secrets. */
function readClean<Result>(
  reply: unknown,
  read: (reply: unknown) => Result | ModelFailure,
  redact: (text: string) => string,
): Result | ModelFailure {
  const result = read(reply);
  const isFailure = typeof result === "object" && result !== null && "error" in result;
  return isFailure ? read(redactAll(reply, redact)) : result;
}

/** Passes on the first retry of each kind of failure. */
function noteOnce(spec: string, onNote: ConnectionOptions["onNote"]) {
  const told = new Set<string>();
  return ({ code, message }: AttemptFailure, waitMs: number) => {
    if (told.has(code)) return;
    told.add(code);
    const wait = `trying again after ${(waitMs / 1000).toFixed(1)} s`;
    onNote?.(`${spec}: ${message}; ${wait} (further retries of this kind are not told)`);
  };
}

type ModelBody = ChatBody & { readonly model: string };

const COMMON_LIMIT = "max_tokens";
const NEWER_LIMIT = "max_completion_tokens";

function isFailed(result: RawReply | ModelFailure): result is ModelFailure {
  return "error" in result;
}

/** Whether a refused request is told to use another field. */
function names({ error }: ModelFailure, field: string): boolean {
  return error.code === "http_4xx" && error.message.includes(field);
}
