import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { answerMessage, errorMessage } from "../openenv/socket-messages.ts";
import { openSession, type Service } from "../service.ts";

/** Replies that wait to be sent, in bytes, above which no more messages are read. */
const MOST_WAITING = 1 << 20;
/** How long a client may take to agree to a close, in milliseconds. */
const CLOSE_MS = 2000;

/** Adds OpenEnv's WebSocket: a session for each connection, one reply for each message, in order. */
export function addSocket(app: FastifyInstance, service: Service): void {
  app.get("/ws", { websocket: true }, (socket) => serveSocket(socket, service));
}

function serveSocket(socket: WebSocket, service: Service): void {
  // Broken frames and over-long messages end the connection.
  socket.on("error", () => socket.terminate());
  const { sessions } = service;
  const opened = openSession(service, () => {
    send(socket, errorMessage("SESSION_ERROR", "the session was idle for too long and has ended"));
    close(socket);
  });
  if (!opened) {
    const counts = { active_sessions: sessions.size, max_sessions: sessions.most };
    send(socket, errorMessage("CAPACITY_REACHED", sessions.fullMessage(), counts));
    close(socket);
    return;
  }
  const { id } = opened;
  socket.on("close", () => sessions.close(id));
  socket.on("message", (data: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    const player = sessions.find(id);
    // It has ended for idleness just now and was told so.
    if (player === null) return;
    const reply = answerMessage(data, player, service);
    if (reply !== null) return send(socket, reply);
    sessions.close(id);
    close(socket);
  });
}

/** Closes politely, which a client that is gone would never answer. */
function close(socket: WebSocket): void {
  socket.close();
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
  socket.on("close", () => clearTimeout(timer));
}

function send(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MOST_WAITING) socket.pause();
  socket.send(text, () => {
    if (socket.isPaused) socket.resume();
  });
}
