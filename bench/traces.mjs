// Generated traces for measurements: families of five contrast variants, about 1.5 kB a row, in
// the order that scenario-sets/assemble.mjs gives (scattered), one file. Every 500th family is a
// near-copy of the family before it and every 5000th row an exact copy.

import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

const LABELS = ["ACT", "ASK", "WAIT", "REMEMBER", "FORGET"];
const DOMAINS = ["coding", "database", "finance", "calendar", "research", "science-qa"];
const SYLLABLES = "ba co du fe gi ho ka lu me ni po ra su te vo wi ya ze".split(" ");

/** A stream of integers below 2^32 (mulberry32). */
function stream(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

const VOCABULARY = Array.from({ length: 20_000 }, (_, k) => {
  const next = stream(k);
  return Array.from({ length: 1 + (next() % 3) }, () => SYLLABLES[next() % 18]).join("");
});

/** Words with frequencies that fall roughly as in a language. */
function words(next, count) {
  const picked = [];
  for (let k = 0; k < count; k++) {
    const share = next() / 2 ** 32;
    picked.push(VOCABULARY[Math.floor(share * share * VOCABULARY.length)]);
  }
  return picked.join(" ");
}

function makeTrace(family, variant) {
  const isNearCopy = family % 500 === 499;
  const isCopy = family % 1000 === 999 && variant === 0;
  const shared = stream(isNearCopy ? family - 1 : family);
  const own = stream((isCopy ? family - 1 : family) * 5 + variant + 1_000_000_007);
  const task = words(shared, 28);
  const memory = ["user", "project", "session", "session"].map((scope) => {
    return { scope, text: words(shared, 25) };
  });
  const label = LABELS[variant];
  const name = (prefix, text) =>
    prefix + createHash("sha256").update(`bench|${text}`).digest("hex").slice(0, 12);
  return {
    id: name("t-", `${family}|${label}`),
    family: name("f-", `${family}`),
    domain: DOMAINS[family % DOMAINS.length],
    task,
    memory: [...memory, { scope: "session", text: words(own, 12) }],
    observation: `${words(shared, 20)} ${words(own, 24)}`,
    label,
    rationale: words(own, 24),
    tempting: { label: LABELS[(variant + 1 + (family % 4)) % 5], rationale: words(own, 22) },
  };
}

/** Writes `count` traces to a JSONL file; `order` is `scattered` or `family`. */
export function writeTraces(path, count, order = "scattered") {
  const file = openSync(path, "w");
  const stride = order === "family" ? 1 : coprimeStride(count);
  let [lines, bytes] = [[], 0];
  for (let k = 0; k < count; k++) {
    const row = (k * stride) % count;
    lines.push(JSON.stringify(makeTrace(Math.floor(row / 5), row % 5)));
    if (lines.length < 1000 && k + 1 < count) continue;
    bytes += writeSync(file, `${lines.join("\n")}\n`);
    lines = [];
  }
  closeSync(file);
  return bytes;
}

/** A step near the golden section of `count` that visits every row once. */
function coprimeStride(count) {
  let stride = Math.max(1, Math.floor(count * 0.618));
  while (gcd(stride, count) !== 1) stride++;
  return stride;
}

function gcd(a, b) {
  return b === 0 ? a : gcd(b, a % b);
}
