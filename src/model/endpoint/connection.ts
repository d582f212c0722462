import { randomStream } from "../../core/random.ts";
import type { ModelFailure } from "../model.ts";
import type { EndpointAddress } from "./address.ts";
import { attempt, type ChatBody, type RawReply } from "./attempt.ts";
import { authorize, makeClient } from "./client.ts";
import type { Clock } from "./clock.ts";
import { makeLimiter } from "./limiter.ts";
import { makeRedactor } from "./redact.ts";
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
  /** For one complete reply, in milliseconds. Default 120 000. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one. Default 5, which wait 8 to 16 seconds in all. */
  readonly retries?: number | undefined;
}

/**
 * Sends one chat request, retries included. Once `signal` is aborted the request is dropped, even
 * while it runs or waits, and gives a failure `interrupted`.
 *
 * @param key names the request: its jitter is drawn from a stream of its own
 */
export type Ask = (
  body: ChatBody,
  key: string,
  signal?: AbortSignal | undefined,
) => Promise<RawReply | ModelFailure>;

/** @throws SteerError `usage` for a key that no header can carry */
export async function connect(address: EndpointAddress, options: ConnectionOptions): Promise<Ask> {
  const { apiKey, clock, concurrency = 4, timeoutMs = 120_000, retries = 5 } = options;
  const { header, secrets } = authorize(address, apiKey);
  const redact = makeRedactor(secrets);
  const client = await makeClient(address, header);
  const limit = makeLimiter(concurrency);

  /** The token limit's name: one provider's newer models refuse the common one. */
  let limitField = COMMON_LIMIT;
  return (body, key, signal) => {
    const random = randomStream("endpoint", "retry", key);
    const send = (field: string) => {
      const { max_tokens, ...rest } = body;
      const full = { ...rest, model: address.model, [field]: max_tokens } as ModelBody;
      const once = () => attempt(client, full, { timeoutMs, signal, redact });
      return withRetries(once, { retries, clock, random, signal });
    };
    return limit(async () => {
      const field = limitField;
      let result = await send(field);
      if (field === COMMON_LIMIT && isFailed(result) && names(result, NEWER_LIMIT)) {
        limitField = NEWER_LIMIT;
        result = await send(NEWER_LIMIT);
      }
      if (!isFailed(result)) return result;
      const { code, message } = result.error;
      return { error: { code, message: `${address.spec}: ${message}` } };
    });
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
