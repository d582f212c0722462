// Rewards a second and latency over HTTP and stdio, beside the scorer in process; then a soak:
// node bench/serve.mjs, after a build. Requests are made beforehand; replies are received whole.
import { cpus, loadavg } from "node:os";
import { score } from "../dist/index.js";
import { mixedAnswers } from "./scorer-answers.mjs";
import {
  cpuSeconds,
  grouped,
  makeHttpClient,
  makeStdioClient,
  quantile,
  startServer,
} from "./serve-clients.mjs";
import { soak } from "./serve-soak.mjs";

const SIZES = [1, 64, 512];
/** Answers for each figure: many enough to warm up, few enough to be done in a minute. */
const ANSWERS = { 1: 8_000, 64: 200_000, 512: 600_000 };
const IN_FLIGHT = 4;

const rows = mixedAnswers(512).map(({ kind: _, ...row }, id) => ({ id, ...row }));
console.log(
  `Node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`,
);
console.log(
  "mixed answers, both schemes; one request at a time, then the best of several at once\n",
);
line("", "batch", "rewards/s", "p50 ms", "p99 ms", "per CPU s", `${IN_FLIGHT} at once`);
await inProcess();
await overHttp();
await overStdio();
if (!process.argv.includes("--no-soak")) await soak(rows);

async function inProcess() {
  for (const size of SIZES) {
    const batches = batchesOf(size);
    const send = async (batch) => {
      for (const row of batch) score(row);
    };
    report("in process", size, await measure(send, batches, size, process.pid));
  }
}

async function overHttp() {
  const server = await startServer();
  for (const size of SIZES) {
    const bodies = batchesOf(size).map((items) => Buffer.from(JSON.stringify({ items })));
    const clients = Array.from({ length: IN_FLIGHT }, () => makeHttpClient(server.port));
    check(JSON.parse(await clients[0].send(bodies[0])).results, batchesOf(size)[0]);
    const alone = await measure(clients[0].send, bodies, size, server.pid);
    const together = await Promise.all(
      clients.map(({ send }) => measure(send, bodies, size, server.pid)),
    );
    const best = together.reduce((sum, { perSecond }) => sum + perSecond, 0);
    report("HTTP keep-alive", size, alone, best);
    for (const client of clients) client.close();
  }
  await server.stop();
}

async function overStdio() {
  for (const size of SIZES) {
    const client = makeStdioClient();
    const frames = batchesOf(size).map((answers, id) =>
      Buffer.from(`${JSON.stringify({ id, answers })}\n`),
    );
    check(JSON.parse(await client.send(frames[0])).results, batchesOf(size)[0]);
    report("stdio frames", size, await measure(client.send, frames, size, client.pid));
    client.close();
  }
}

/** Sends batches one after the other, the first fifth to warm up; `pid` is the process that scores. */
async function measure(send, batches, size, pid) {
  const rounds = Math.ceil(ANSWERS[size] / size);
  const warm = Math.ceil(rounds / 5);
  for (let k = 0; k < warm; k++) await send(batches[k % batches.length]);
  const times = [];
  const usedBefore = cpuSeconds(pid);
  const begun = performance.now();
  for (let k = 0; k < rounds; k++) {
    const start = performance.now();
    await send(batches[k % batches.length]);
    times.push(performance.now() - start);
  }
  const seconds = (performance.now() - begun) / 1000;
  const perCpuSecond = (rounds * size) / (cpuSeconds(pid) - usedBefore);
  times.sort((a, b) => a - b);
  const perSecond = (rounds * size) / seconds;
  return { perSecond, perCpuSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function batchesOf(size) {
  const batches = [];
  for (let k = 0; k + size <= rows.length && batches.length < 64; k += size) {
    batches.push(rows.slice(k, k + size));
  }
  return batches;
}

function check(results, batch) {
  for (const [k, row] of batch.entries()) {
    const { reward } = score(row).payments.asymmetric;
    if (results[k].reward !== reward) throw new Error(`wrong reward for answer ${row.id}`);
  }
}

function report(name, size, { perSecond, perCpuSecond, p50, p99 }, best) {
  const together = best === undefined ? "" : grouped(best);
  const times = [p50.toFixed(3), p99.toFixed(3)];
  line(name, String(size), grouped(perSecond), ...times, grouped(perCpuSecond), together);
}

function line(name, ...columns) {
  console.log(name.padEnd(16) + columns.map((column) => column.padStart(12)).join(""));
}
