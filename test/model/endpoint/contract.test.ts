import { beforeEach } from "vitest";
import { openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { modelContract } from "../contract.ts";
import { startChatServer } from "./chat-server.ts";
import { fakeClock } from "./server.ts";

/** One server a test, so that a model opened twice is the same one. */
let server: ReturnType<typeof startChatServer> | undefined;
beforeEach(() => {
  server = undefined;
});

modelContract("endpoint", async () => {
  server ??= startChatServer();
  const { spec } = await server;
  return openEndpoint(spec, { readout: "decision", clock: fakeClock() });
});
