// What the measurements of the server share: starting it, and two clients.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Starts `steerbench serve` on a free port. */
export async function startServer(args = []) {
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const port = Number(new URL(String(line).trim()).port);
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { port, pid: child.pid, stop };
}

/** Sends one request on a kept connection and gives the reply's text. */
export function makeHttpClient(port, path = "/v1/score") {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": body.length };
      const options = { host: "127.0.0.1", port, path, method: "POST", agent, headers };
      const sent = request(options, (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/** Sends one frame a time to `serve --stdio` and gives the reply's line. */
export function makeStdioClient() {
  const child = spawn(process.execPath, [MAIN, "serve", "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let parts = [];
  let waiting = null;
  child.stdout.on("data", (part) => {
    parts.push(part);
    if (part[part.length - 1] !== 10) return;
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    waiting(line);
  });
  const send = (frame) =>
    new Promise((resolve) => {
      waiting = resolve;
      child.stdin.write(frame);
    });
  return { send, pid: child.pid, close: () => child.stdin.end() };
}

/** Seconds of processor time that a process has used, on Linux; other work on the machine does not count. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Value below which a share of sorted numbers lies. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A number with commas between thousands. */
export function grouped(value) {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}
