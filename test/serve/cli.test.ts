import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MAIN, runCli } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { openRaw, postText } from "./raw-socket.ts";
import { answerOf, get, post } from "./support.ts";

const DEMO = ["scenario-sets/demo", "--split", "splits/demo.json"];
const item = { answer: answerOf("ACT"), gold: "ACT" };

/** Starts `serve` and waits for the line it prints once it is ready. */
async function startServe(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", ...args], {
    cwd: repositoryPath("."),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const out = { stdout: "", stderr: "" };
  child.stderr.on("data", (part: Buffer) => {
    out.stderr += part;
  });
  const exit = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (part: Buffer) => {
      out.stdout += part;
      if (out.stdout.includes("\n")) resolve();
    });
    exit.then(([code]) => reject(new Error(`ended with ${code}: ${out.stderr}`)), reject);
  });
  const url = out.stdout.trim();
  return { child, out, url, port: Number(new URL(url).port), exit };
}

test("prints its URL alone, serves the set's train side, and ends with code 0 on SIGTERM", async () => {
  const server = await startServe(DEMO);
  expect(server.out.stdout).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\n$/);
  const { body } = await get(server, "/version");
  expect(body).toMatchObject({ set: { name: "steerbench-demo", allows_test: false } });
  expect(body.vectors_sha256).toMatch(/^[0-9a-f]{64}$/);
  expect((await post(server, "/v1/reset", { seed: 1 })).status).toBe(200);
  server.child.kill("SIGTERM");
  expect((await server.exit)[0]).toBe(0);
  expect(server.out.stdout).toBe(`${server.url}\n`);
  expect(server.out.stderr).toBe("ending: answering what was accepted\n");
});

test("answers what it accepted before it ends", async () => {
  const server = await startServe([]);
  const { socket, until, ended } = await openRaw(server.port);
  const text = postText(
    "/v1/score",
    JSON.stringify({ items: Array(3000).fill(item) }),
    "Expect: 100-continue\r\n",
  );
  const [head = "", body = ""] = text.split("\r\n\r\n");
  socket.write(`${head}\r\n\r\n`);
  await until(/100 Continue/);
  socket.write(body);
  server.child.kill("SIGINT");
  expect((await ended()).match(/"outcome":"correct"/g)).toHaveLength(3000);
  expect((await server.exit)[0]).toBe(0);
});

test("F09: a kill ends every connection at once, so that clients notice", async () => {
  const server = await startServe([]);
  const { socket, ended } = await openRaw(server.port);
  socket.write(postText("/v1/score", JSON.stringify({ items: [item] })).slice(0, -5));
  server.child.kill("SIGKILL");
  await ended();
  await server.exit;
  const late = connect(server.port, "127.0.0.1");
  expect((await once(late, "error"))[0]).toMatchObject({ code: "ECONNREFUSED" });
});

test("the token comes from the environment, is asked for, and appears nowhere", async () => {
  const token = "tok-5f2c9a";
  const server = await startServe(["--host", "0.0.0.0", "--token-env", "SERVE_TOKEN"], {
    SERVE_TOKEN: token,
  });
  const own = { url: `http://127.0.0.1:${server.port}` };
  expect((await get(own, "/version")).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect((await get(own, "/version", headers)).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.exit;
  expect(JSON.stringify(server.out)).not.toContain(token);
});

test.each([
  [["--host", "0.0.0.0"], "--token-env"],
  [["--host", "::"], "--token-env"],
  [["--host", "example.org"], "--token-env"],
  [["--token-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE is not set"],
  [["scenario-sets/demo"], "SET and --split go together"],
  [["--split", "splits/demo.json"], "SET and --split go together"],
  [["--allow-test"], "--allow-test needs SET"],
  [["--stdio", "--port", "1"], "--stdio listens nowhere"],
  [["--port", "70000"], "from 0 to 65535"],
  [["--scheme", "symetric"], "unknown scheme symetric"],
  [["--prot", "1"], "--port"],
])("the call %j is wrong usage", (args, message) => {
  const { code, stdout, stderr } = runCli(["serve", ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("a token that no header can carry is refused without being shown", () => {
  const { code, stderr } = runCli(["serve", "--token-env", "SERVE_TOKEN"], {
    env: { SERVE_TOKEN: "two words" },
  });
  expect(code).toBe(2);
  expect(stderr).not.toContain("two words");
});

test("a port that is taken is named, with what to do", async () => {
  const server = await startServe([]);
  const { code, stderr } = runCli(["serve", "--port", String(server.port)]);
  expect(code).toBe(1);
  expect(stderr).toContain(`127.0.0.1 port ${server.port}: the port is taken; choose another`);
});

test("--stdio answers frames and nothing else, and ends with its input", () => {
  const frames = [
    { id: 1, answers: [item] },
    { id: 2, scheme: "symmetric", answers: [{ answer: "?", gold: "ACT" }] },
  ].map((frame) => JSON.stringify(frame));
  const { code, stdout, stderr } = runCli(["serve", "--stdio"], {
    input: `${frames[0]}\n{NaN\n${frames[1]}`,
  });
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  const [first, bad, second] = lines.map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(first).toMatchObject({ id: 1, results: [{ reward: 1 }] });
  expect(bad).toMatchObject({ id: null, error: { code: "invalid" } });
  expect(second).toMatchObject({ id: 2, results: [{ reward: -0.1 }] });
});

test("--price changes the standard prices, and asymmetric stays the standard scheme", () => {
  const answers = ["ASK", "ACT", "?"].map((answer) => ({ answer, gold: "ASK" }));
  const { stdout } = runCli(["serve", "--stdio", "--price", "correct=2"], {
    input: JSON.stringify({ id: 1, answers }),
  });
  const { results } = JSON.parse(stdout);
  expect(results.map(({ reward }: { reward: number }) => reward)).toEqual([2, -1, -0.5]);
  expect(results[0].rewards).toEqual({ symmetric: 2, asymmetric: 2 });
});

test("--stdio with a set takes gold labels by trace id, held-out ones only with --allow-test", () => {
  const { train, test: held } = JSON.parse(
    readFileSync(repositoryPath("splits/demo.json"), "utf8"),
  );
  const answers = [train[0], held[0], "t-none"].map((trace_id) => ({ answer: "ACT", trace_id }));
  const codes = (...more: string[]) => {
    const { stdout } = runCli(["serve", "--stdio", ...DEMO, ...more], {
      input: JSON.stringify({ id: 1, answers }),
    });
    return JSON.parse(stdout).results.map(({ error }: { error?: { code: string } }) => error?.code);
  };
  expect(codes()).toEqual([undefined, "held_out", "not_found"]);
  expect(codes("--allow-test")).toEqual([undefined, undefined, "not_found"]);
});

test("--stdio ends with code 0 on SIGTERM while its input stays open", async () => {
  const child = spawn(process.execPath, [MAIN, "serve", "--stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(`${JSON.stringify({ id: 1, answers: [item] })}\n`);
  await once(child.stdout, "data");
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect((await exit)[0]).toBe(0);
});
