import { Server as NetServer, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** WebSocket close code for a server that goes away. */
const GOING_AWAY = 1001;

/** The open connections of a server, upgraded ones included, which it does not know itself. */
export function trackSockets({ server }: FastifyInstance): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Ends a server: accepts no more connections, lets every request that has arrived be answered,
 * and cuts off what is not done after `graceMs`.
 */
export async function endServer(
  app: FastifyInstance,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const { server, websocketServer } = app;
  const ended = new Promise((resolve) => {
    // Not the HTTP server's own `close`, which would at once cut connections whose request has
    // arrived but was not read yet.
    NetServer.prototype.close.call(server, resolve);
  });
  // One turn accepts what has connected, the next reads what it has sent.
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  server.closeIdleConnections();
  for (const socket of websocketServer.clients) socket.close(GOING_AWAY, "the server ends");
  const cutOff = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await ended;
  clearTimeout(cutOff);
  await app.close();
}

/** Lets the event loop read what has arrived. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
