import { expect, test } from "vitest";
import { type EndpointOptions, openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { letterRequest, SAMPLING, textRequest } from "./open.ts";
import { fakeClock, type Handler, reply, send, startServer } from "./server.ts";

const KEY = 'sk-live/9f"Zk+7=Q&x2mW';
const BASIC = "ops:tr0ub4dor/&3";
const PAIR = Buffer.from(BASIC).toString("base64");

/** Everything that a secret could be read from, also when a server cuts, quotes or encodes it. */
const FORMS = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64")].concat(
  ["tr0ub4dor/&3", encodeURIComponent("tr0ub4dor/&3"), PAIR],
  [JSON.stringify(KEY).slice(1, -1), "Zk+7", "tr0ub"],
);

/** All that comes back from asking in both readouts: results, descriptions and thrown errors. */
async function collect(spec: string, options: Partial<EndpointOptions>): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const readout of ["generative", "decision"] as const) {
    try {
      const model = await openEndpoint(spec, {
        clock: fakeClock(),
        retries: 1,
        ...options,
        readout,
      });
      found.push(model.describe());
      found.push(await model.generate([textRequest()], SAMPLING));
      if (readout === "decision") found.push(await model.scoreLetters([letterRequest()]));
    } catch (error) {
      const { message, stack, cause } = error as Error;
      found.push({ message, stack, cause: String(cause), ...(error as object) });
    }
  }
  return found;
}

/** Servers that repeat the header they were given wherever they can. */
const ECHOES: Readonly<Record<string, (secret: string) => Handler>> = {
  "an error's message": (secret) => (response) =>
    send(response, { error: { message: `wrong key ${secret}`, param: secret } }, 401),
  "an error without a message": (secret) => (response) =>
    send(response, { headers: { authorization: secret } }, 500),
  "an HTML page": (secret) => (response) =>
    send(response, `<p>${"x".repeat(290)}${secret}</p>`, 403),
  "a page of good status": (secret) => (response) => send(response, `${"x".repeat(293)}${secret}`),
  "a URL": (secret) => (response) =>
    send(response, { detail: `https://host/?key=${encodeURIComponent(secret)}` }, 404),
  "a failure inside a reply": (secret) => (response) =>
    send(response, reply("", { finish_reason: "error", error: `${"x".repeat(50)}${secret}` })),
  "a field of the wrong type": (secret) => (response) => send(response, { choices: secret }),
  "a token": (secret) => (response) =>
    send(
      response,
      reply("A", { logprobs: { content: [{ top_logprobs: [{ token: secret, logprob: -1 }] }] } }),
    ),
};

for (const [place, echo] of Object.entries(ECHOES)) {
  test(`never shows a key or a password that a server repeats in ${place}`, async () => {
    const withKey = await startServer(echo(KEY));
    const withPassword = await startServer(echo(BASIC.slice("ops:".length)));
    const withPair = await startServer(echo(PAIR));
    const found = [
      await collect(withKey.spec, { apiKey: KEY }),
      await collect(withCredentials(withPassword.host), {}),
      await collect(withCredentials(withPair.host), {}),
    ];
    expect(withKey.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(withPair.seen[0]?.headers.authorization).toBe(`Basic ${PAIR}`);
    const text = JSON.stringify(found);
    for (const form of FORMS) expect(text).not.toContain(form);
    expect(text).toContain("[redact");
  });
}

test("a key that is a word of the answers leaves them as they were written", async () => {
  const message = { content: "We wait.\nFinal answer: REMEMBER", reasoning: "REMEMBER it" };
  const { spec } = await startServer((response) => send(response, reply("", { message })));
  const [, answers] = await collect(spec, { apiKey: "REMEMBER" });
  expect(answers).toMatchObject([[{ text: message.content, reasoning: message.reasoning }]]);
});

function withCredentials(host: string): string {
  return `http://ops:${encodeURIComponent("tr0ub4dor/&3")}@${host}/v1#tiny`;
}

test("credentials in the URL are sent, and shown or stored nowhere", async () => {
  const { host, seen } = await startServer((response) => send(response, reply("ACT")));
  const found = await collect(withCredentials(host), { apiKey: KEY });
  expect(seen[0]?.headers.authorization).toBe(`Basic ${PAIR}`);
  expect(found[0]).toMatchObject({ spec: `http://${host}/v1#tiny`, name: "tiny" });
  for (const form of FORMS) expect(JSON.stringify(found)).not.toContain(form);
});

test("a wrong SPEC or key is refused without showing it", async () => {
  const specs = [
    `http://ops:tr0ub4dor/&3@host/v1#tiny`,
    `http://ops:tr0ub4dor%2F&3@ho st/v1#tiny`,
    `http://ops:tr0ub4dor@host/v1?key=${encodeURIComponent(KEY)}#`,
    `http://ops:tr0ub4dor%@host/v1#tiny`,
  ];
  for (const spec of specs) {
    const found = JSON.stringify(await collect(spec, {}));
    expect(found).toContain('"code":"usage"');
    for (const form of FORMS) expect(found).not.toContain(form);
  }
  const found = JSON.stringify(await collect("http://host/v1#tiny", { apiKey: `${KEY}é` }));
  expect(found).toContain('"code":"usage"');
  for (const form of FORMS) expect(found).not.toContain(form);
});

test("without a key no authorisation is sent, and a line end after a key is no part of it", async () => {
  const { spec, seen } = await startServer((response) => send(response, reply("ACT")));
  await collect(spec, {});
  await collect(spec, { apiKey: " \n" });
  for (const { headers } of seen) expect(headers.authorization).toBeUndefined();
  await collect(spec, { apiKey: `${KEY}\n` });
  expect(seen.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test("sends no other secret that the environment holds for this client", async () => {
  const names = ["OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = "from-the-environment";
  process.env["OPENAI_LOG"] = "debug";
  try {
    const { spec, seen } = await startServer((response) => send(response, reply("ACT")));
    await collect(spec, {});
    expect(JSON.stringify(seen)).not.toContain("from-the-environment");
  } finally {
    delete process.env["OPENAI_LOG"];
    for (const [k, name] of names.entries()) {
      if (before[k] === undefined) delete process.env[name];
      else process.env[name] = before[k];
    }
  }
});
