// Turns drafts, one family a line, into the rows of a scenario set.
// node scenario-sets/assemble.mjs SEED DRAFT.jsonl… -o SET/traces
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LABELS = ["ACT", "ASK", "WAIT", "REMEMBER", "FORGET"];

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const byHash = (a, b) => (sha256(a.id) < sha256(b.id) ? -1 : 1);

/** The five rows of a draft. Ids are hashes, so nothing can be read from them. */
function rowsOf(draft, seed) {
  const { key, domain, task, variants } = draft;
  return LABELS.map((label) => {
    const { memory, observation, rationale, tempting, also } = variants[label];
    return {
      id: `t-${sha256(`${seed}|${key}|${label}`).slice(0, 8)}`,
      family: `f-${sha256(`${seed}|${key}`).slice(0, 8)}`,
      domain,
      task,
      memory: memory.map(({ scope, text, saved }) => ({ scope, text, ...(saved && { saved }) })),
      observation,
      label,
      rationale,
      ...(tempting && { tempting: { label: tempting.label, rationale: tempting.rationale } }),
      ...(also && { also }),
    };
  });
}

const args = process.argv.slice(2);
const at = args.indexOf("-o");
const [seed, ...files] = at < 0 ? args : args.slice(0, at);
const folder = at < 0 ? undefined : args[at + 1];
if (seed === undefined || files.length === 0 || folder === undefined) {
  throw new Error("usage: node scenario-sets/assemble.mjs SEED DRAFT.jsonl… -o SET/traces");
}

const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean));
const rows = lines.flatMap((line) => rowsOf(JSON.parse(line), seed));
for (const field of ["id", "family"]) {
  const expected = field === "id" ? rows.length : lines.length;
  const found = new Set(rows.map((row) => row[field])).size;
  if (found !== expected) throw new Error(`${expected - found} equal hashes: take another seed`);
}

mkdirSync(folder, { recursive: true });
for (const domain of new Set(rows.map((row) => row.domain))) {
  const own = rows.filter((row) => row.domain === domain).sort(byHash);
  const text = own.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, `${domain}.jsonl`), text);
  console.log(`${domain}: ${own.length} traces`);
}
