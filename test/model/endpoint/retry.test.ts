import fc from "fast-check";
import { expect, test } from "vitest";
import { makeLimiter } from "../../../src/model/endpoint/limiter.ts";
import { makeRedactor } from "../../../src/model/endpoint/redact.ts";
import { backoffMs, retryAfterMs } from "../../../src/model/endpoint/retry.ts";

test("reads Retry-After in seconds or as a date; a date that has passed asks for no wait", () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 0);
  expect(retryAfterMs("120", now)).toBe(120_000);
  expect(retryAfterMs(" 0 ", now)).toBe(0);
  expect(retryAfterMs("Sun, 06 Nov 1994 08:49:37 GMT", now)).toBe(37_000);
  expect(retryAfterMs("Sunday, 06-Nov-94 08:49:37 GMT", now)).toBe(37_000);
  expect(retryAfterMs("Sun, 06 Nov 1994 08:48:37 GMT", now)).toBe(0);
  for (const junk of [null, "", "soon", "-5", "NaN", "1e9", "1994-11-06", "GMT"]) {
    expect(retryAfterMs(junk, now)).toBeNull();
  }
});

test("backoff doubles up to half a minute, less a jitter of at most half", () => {
  const numbers = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fc.nat({ max: 2000 }), numbers, (retry, u) => {
      const whole = Math.min(30_000, 500 * 2 ** retry);
      const wait = backoffMs(retry, () => u);
      expect(wait).toBeGreaterThanOrEqual(whole / 2);
      expect(wait).toBeLessThanOrEqual(whole);
    }),
  );
  expect([0, 0.5].map((u) => backoffMs(2, () => u))).toEqual([1000, 1500]);
});

test("a limiter starts pieces in their order and survives those that fail", async () => {
  const limit = makeLimiter(2);
  const started: number[] = [];
  let [running, most] = [0, 0];
  const pieces = [0, 1, 2, 3, 4].map((k) =>
    limit(async () => {
      started.push(k);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (k % 2 === 0) throw new Error(`piece ${k}`);
      return k;
    }),
  );
  const ends = await Promise.allSettled(pieces);
  expect(ends.map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4].map((k) => (k % 2 === 0 ? "rejected" : "fulfilled")),
  );
  expect([started, most]).toEqual([[0, 1, 2, 3, 4], 2]);
});

test("a piece that comes while others run and wait does not slip in beside them", async () => {
  const limit = makeLimiter(1);
  let [running, most] = [0, 0];
  const piece = () =>
    limit(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
  const first = piece();
  const second = piece();
  await first;
  await Promise.all([second, piece(), piece()]);
  expect(most).toBe(1);
});

test("a redactor takes out a secret that is part of another, and leaves placeholders alone", () => {
  const redact = makeRedactor(["secret-key", "secret-key-longer", "EMPTY", ""]);
  expect(redact("secret-key-longer secret-key EMPTY")).toBe("[redacted] [redacted] EMPTY");
});
