import { expect, test } from "vitest";
import { askOnce } from "./open.ts";
import { reply, send, startServer } from "./server.ts";

test.each<[what: string, body: unknown, told: RegExp]>([
  ["an HTML page", "<html><body>Bad gateway</body></html>", /not JSON; it begins <html><body>Bad/],
  ["half a JSON text", '{"choices": [', /not JSON/],
  ["a bare NaN", '{"choices": [], "usage": NaN}', /not JSON/],
  ["nothing", "", /not JSON/],
  ["a list", [], /expected an object, not a list of 0/],
  ["null", "null", /expected an object, not null/],
  ["no choices", { id: "1" }, /choices: required field is missing/],
  ["an empty list of choices", { choices: [] }, /choices: a list of 0 must not be empty/],
  ["an error with a good status", { error: { message: "no credit" } }, /it says: "no credit"/],
  ["no message", { choices: [{}] }, /choices\[0\]\.message: required field is missing/],
  [
    "content that is no text",
    reply(null, { message: { content: 7 } }),
    /choices\[0\]\.message\.content: expected a string, not 7/,
  ],
  [
    "no content and no finish reason",
    reply(null, { finish_reason: null }),
    /content is missing, and no finish_reason says why/,
  ],
  [
    "a finish reason that is no text",
    reply("ACT", { finish_reason: 1 }),
    /choices\[0\]\.finish_reason: expected a string, not 1/,
  ],
  [
    "a provider's failure inside the choice",
    reply("", { finish_reason: "error", error: { message: "overloaded" } }),
    /reports a failure: "overloaded"/,
  ],
])("%s is a failure that names what is wrong, and no answer", async (_, body, told) => {
  const { spec, seen } = await startServer((response) => send(response, body));
  expect(await askOnce(spec)).toEqual({
    error: { code: "bad_reply", message: expect.stringMatching(told) },
  });
  expect(seen).toHaveLength(1);
});
