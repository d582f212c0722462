import { expect, test } from "vitest";
import { BARE_LETTER_REQUEST, openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { type LastTurn, startChatServer } from "./chat-server.ts";
import { letterRequest } from "./open.ts";
import { closedEndpoint, fakeClock, reply, send, startServer } from "./server.ts";

function open(spec: string) {
  return openEndpoint(spec, { readout: "decision", clock: fakeClock() });
}

test.each<[LastTurn, string]>([
  ["continues", "assistant_last"],
  ["continues when asked", "continue_final_message"],
  ["closes", "none"],
  ["drops", "none"],
  ["refuses", "none"],
  ["crashes", "none"],
])(
  "of a server that, given a begun answer, %s, the description says %s",
  async (lastTurn, prefill) => {
    const { spec } = await startChatServer(lastTurn);
    const { details } = (await open(spec)).describe();
    expect(details).toEqual({
      prefill,
      ...(prefill === "none" && { letterRequest: BARE_LETTER_REQUEST }),
    });
  },
);

test("begins the answer with choice# where the server goes on with it", async () => {
  const { spec, seen } = await startChatServer("continues");
  await (await open(spec)).scoreLetters([letterRequest()]);
  expect(seen.at(-1)?.body.messages).toEqual([
    ...letterRequest().messages,
    { role: "assistant", content: "choice#" },
  ]);
  expect(seen.at(-1)?.body).not.toHaveProperty("continue_final_message");
});

test("asks a server to go on where that is what makes it", async () => {
  const { spec, seen } = await startChatServer("continues when asked");
  await (await open(spec)).scoreLetters([letterRequest()]);
  expect(seen.at(-1)?.body).toMatchObject({
    continue_final_message: true,
    add_generation_prompt: false,
  });
});

test("a server that counts no tokens cannot show that it goes on: the letter is asked for", async () => {
  const { spec, seen } = await startServer((response) =>
    send(response, { ...reply("7"), usage: null }),
  );
  expect((await open(spec)).describe().details).toMatchObject({ prefill: "none" });
  expect(seen).toHaveLength(1);
});

test("asks nothing when it is opened for written answers", async () => {
  const { spec, seen } = await startChatServer();
  const model = await openEndpoint(spec, { readout: "generative", clock: fakeClock() });
  expect(model.describe().details).toEqual({});
  expect(seen).toEqual([]);
});

test("an endpoint that does not answer while it is opened stops before any work", async () => {
  const dead = await closedEndpoint();
  await expect(open(dead)).rejects.toMatchObject({
    name: "SteerError",
    code: "unreadable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  const { spec } = await startServer((response) =>
    send(response, { error: { message: "wrong key" } }, 401),
  );
  await expect(open(spec)).rejects.toThrow(`${spec}: HTTP 401: wrong key`);
});
