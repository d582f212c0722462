// A thousand connections, twenty of which behave: their rewards, their latency, the server's memory.
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { score } from "../dist/index.js";
import { grouped, makeHttpClient, quantile, startServer } from "./serve-clients.mjs";

const WORKING = 20;
const OTHERS = 980;
const BATCH = 64;
const SHARE = 0.3;
const WARM_SECONDS = 5;
const SECONDS = 40;

/** Runs the soak and prints what it showed. */
export async function soak(rows) {
  const server = await startServer();
  const batches = [];
  for (let k = 0; k + BATCH <= rows.length; k += BATCH) batches.push(rows.slice(k, k + BATCH));
  const requests = batches.map((items) => ({
    body: Buffer.from(JSON.stringify({ items, scheme: "asymmetric" })),
    rewards: items.map((row) => score(row).payments.asymmetric.reward),
  }));
  const clients = Array.from({ length: WORKING }, () => makeHttpClient(server.port));
  const capacity = await unpaced(clients, requests);
  const crowd = fork(fileURLToPath(new URL("serve-crowd.mjs", import.meta.url)), [
    String(server.port),
    String(OTHERS),
  ]);
  await new Promise((resolve) => crowd.once("message", resolve));
  const memory = watchMemory(server.pid);
  const perClient = (capacity * SHARE) / WORKING;
  const runs = clients.map((client, k) => paced(client, requests, perClient, k));
  const times = (await Promise.all(runs)).flat().sort((a, b) => a - b);
  const samples = memory.stop();
  const told = new Promise((resolve) => crowd.once("message", resolve));
  crowd.send("stop");
  const seen = await told;
  crowd.kill();
  for (const client of clients) client.close();
  await server.stop();
  print({ capacity, times, samples, seen });
}

/** Batches a second of all clients together, each sending without a pause. */
async function unpaced(clients, requests) {
  const until = performance.now() + 1000 * WARM_SECONDS;
  let done = 0;
  await Promise.all(
    clients.map(async ({ send }, k) => {
      for (let n = k; performance.now() < until; n++) {
        await send(requests[n % requests.length].body);
        done++;
      }
    }),
  );
  return done / WARM_SECONDS;
}

/** Sends at a steady rate and checks every reward; a reply that is late delays the next request. */
async function paced({ send }, requests, perSecond, offset) {
  const times = [];
  const gap = 1000 / perSecond;
  const begun = performance.now() + (gap * offset) / WORKING;
  for (let n = 0; n * gap < SECONDS * 1000; n++) {
    const pause = begun + n * gap - performance.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const { body, rewards } = requests[(n + offset) % requests.length];
    const start = performance.now();
    const text = await send(body);
    times.push(performance.now() - start);
    const { results } = JSON.parse(text);
    for (const [k, reward] of rewards.entries()) {
      if (results[k]?.reward !== reward) throw new Error(`wrong reward: ${text.slice(0, 200)}`);
    }
  }
  return times;
}

function watchMemory(pid) {
  const samples = [];
  const timer = setInterval(() => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    samples.push(Number(kilobytes) / 1024);
  }, 500);
  const stop = () => {
    clearInterval(timer);
    return samples;
  };
  return { stop };
}

function print({ capacity, times, samples, seen }) {
  const third = Math.floor(samples.length / 3);
  const peak = (part) => Math.max(...part).toFixed(0);
  console.log(`\nsoak: ${WORKING + OTHERS} connections for ${SECONDS} s, batches of ${BATCH}`);
  console.log(`  capacity ${grouped(capacity * BATCH)} rewards/s, load ${SHARE * 100}% of it`);
  console.log(`  well-behaved: ${grouped(times.length)} requests, every reward right`);
  const shown = [0.5, 0.99, 0.999].map((share) => quantile(times, share).toFixed(1));
  console.log(`  p50 ${shown[0]} ms, p99 ${shown[1]} ms, p99.9 ${shown[2]} ms`);
  console.log(
    `  server memory, peak of each third: ${peak(samples.slice(0, third))}, ${peak(samples.slice(third, 2 * third))}, ${peak(samples.slice(2 * third))} MiB`,
  );
  console.log(`  the others did: ${JSON.stringify(seen)}`);
}
