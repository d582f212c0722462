import type { RandomStream } from "../../core/random.ts";
import type { ModelFailure } from "../model.ts";
import type { AttemptFailure } from "./attempt.ts";
import type { Clock } from "./clock.ts";

/** Before the first retry, in milliseconds; doubled before each further one. */
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/** A server that asks for more than this is not waited for: the item fails at once. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Exponential backoff with jitter: between half of it and the whole of 500 ms · 2^retry, which
 * stops growing at 30 s.
 *
 * @param retry counts from 0
 */
export function backoffMs(retry: number, random: RandomStream): number {
  const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** retry);
  return longest * (0.5 + random() / 2);
}

/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds, or an HTTP date
 * (RFC 9110, section 10.2.3). Null without one that can be read.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Every HTTP date ends so; anything else would be read as local time.
  const date = /\sGMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** How to try again. */
export interface RetryOptions {
  /** Tries after the first. Default 5, but 2 after a time-out, each of which costs the whole time. */
  readonly retries?: number | undefined;
  readonly clock: Clock;
  /** For the jitter. */
  readonly random: RandomStream;
  readonly signal?: AbortSignal | undefined;
  /** Told before each wait. */
  readonly onRetry?: ((failure: AttemptFailure, waitMs: number) => void) | undefined;
}

const RETRIES = 5;
const RETRIES_ON_TIMEOUT = 2;

/**
 * Tries until it works, until the failure is one that a second try cannot mend, or until the
 * retries are used up. Waits at least as long as the server asks.
 */
export async function withRetries<T extends object>(
  attempt: () => Promise<T | AttemptFailure>,
  { retries, clock, random, signal, onRetry }: RetryOptions,
): Promise<T | ModelFailure> {
  for (let retry = 0; ; retry++) {
    const result = await attempt();
    if (!("mayPass" in result)) return result;
    const { code, message, mayPass, retryAfter } = result;
    const asked = retryAfterMs(retryAfter, clock.now()) ?? 0;
    if (!mayPass) return { error: { code, message } };
    if (retry >= (retries ?? (code === "timeout" ? RETRIES_ON_TIMEOUT : RETRIES))) {
      return { error: { code, message: `${message} (given up after ${retry + 1} tries)` } };
    }
    if (asked > LONGEST_RETRY_AFTER_MS) {
      const wait = `it asks to wait ${Math.ceil(asked / 1000)} s; resume the run after that`;
      return { error: { code, message: `${message} (${wait})` } };
    }
    const wait = Math.max(asked, backoffMs(retry, random));
    onRetry?.(result, wait);
    await clock.sleep(wait, signal);
  }
}
