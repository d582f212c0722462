import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIN, runCli, runOk, startCli, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const ON_DEMO = ["scenario-sets/demo", "--split", "splits/demo.json"];
const demo = JSON.parse(readFileSync(repositoryPath("splits/demo.json"), "utf8")) as {
  train: string[];
  test: string[];
};

/** A scripted model that answers `label` to these ids. */
function script(ids: readonly string[], label = "ASK"): string {
  const file = join(temporaryFolder(), "script.jsonl");
  const rows = ids.map((id) => JSON.stringify({ id, answer: `Final answer: ${label}` }));
  writeFileSync(file, `${rows.join("\n")}\n`);
  return `scripted:${file}`;
}

test("evaluates, measures, re-scores and compares two arms", () => {
  const folder = temporaryFolder();
  for (const name of ["act", "words"]) {
    runOk(["eval", ...ON_DEMO, "--model", `baseline:${name}`, "-o", join(folder, name)]);
  }
  const runs = [join(folder, "act"), join(folder, "words")];
  const [act] = JSON.parse(runOk(["metrics", ...runs, "--json"])) as [
    { metrics: { accuracy: object } },
  ];
  expect(act.metrics.accuracy).toMatchObject({ numerator: 6, denominator: 30 });
  expect(runOk(["rescore", runs[0] ?? ""])).toBe("30 answers read again, 0 parses differ\n");
  const comparison = JSON.parse(runOk(["compare", ...runs, "--json"])) as { shared: object };
  expect(comparison.shared).toEqual({ answers: 30, traces: 30, families: 6 });
});

test("a run with failures ends with code 1, and --resume asks only for those", () => {
  const out = join(temporaryFolder(), "run");
  const model = script(demo.test.slice(1));
  const args = ["eval", ...ON_DEMO, "--model", model, "-o", out];
  const first = runCli(args);
  expect(first.code).toBe(1);
  expect(first.stderr).toContain("1 answer failed; --resume asks again, once the cause is mended");
  const before = readFileSync(join(out, "answers.jsonl"), "utf8");
  const again = runCli([...args, "--resume"]);
  expect(again.code).toBe(1);
  const after = readFileSync(join(out, "answers.jsonl"), "utf8");
  expect(after.startsWith(before)).toBe(true);
  expect(after.trim().split("\n")).toHaveLength(31);
});

test("refuses to write over a run, and to resume another one", () => {
  const out = join(temporaryFolder(), "run");
  const args = ["eval", ...ON_DEMO, "-o", out];
  runOk([...args, "--model", "baseline:act"]);
  const again = runCli([...args, "--model", "baseline:act"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("--resume");
  const other = runCli([...args, "--model", "baseline:uniform", "--resume"]);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain("model.spec");
});

test("shards joined are the run that was not sharded", () => {
  const folder = temporaryFolder();
  const args = ["eval", ...ON_DEMO, "--model", "baseline:uniform", "-o"];
  runOk([...args, join(folder, "whole")]);
  for (const i of [1, 2, 3]) runOk([...args, join(folder, `${i}`), "--shard", `${i}/3`]);
  runOk(["join", ...[3, 1, 2].map((i) => join(folder, `${i}`)), "-o", join(folder, "joined")]);
  const answers = (name: string) => readFileSync(join(folder, name, "answers.jsonl"), "utf8");
  expect(answers("joined")).toBe(answers("whole"));
});

test("a split that the set does not confirm gives no run", () => {
  const folder = temporaryFolder();
  const file = join(folder, "split.json");
  const [moved = "", ...test] = demo.test;
  const stored = JSON.parse(readFileSync(repositoryPath("splits/demo.json"), "utf8"));
  writeFileSync(file, JSON.stringify({ ...stored, train: [...demo.train, moved].sort(), test }));
  const args = ["scenario-sets/demo", "--split", file, "--model", "baseline:words"];
  const { code, stderr } = runCli(["eval", ...args, "-o", join(folder, "run")]);
  expect(code).toBe(1);
  expect(stderr).toContain(file);
  expect(runCli(["split", "--verify", file, "scenario-sets/demo"]).code).toBe(1);
});

test("a file system that takes no more ends the run with a cause and whole rows", () => {
  const out = join(temporaryFolder(), "run");
  const args = ["eval", ...ON_DEMO, "--model", script(demo.test, "ASK".padEnd(400)), "-o", out];
  const shell = `ulimit -f 16; trap '' XFSZ; exec "${process.execPath}" "${MAIN}" ${args.join(" ")}`;
  const { status, stderr } = spawnSync("bash", ["-c", shell], {
    cwd: repositoryPath("."),
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/answers\.jsonl.*(large|space)/);
  const rows = readFileSync(join(out, "answers.jsonl"), "utf8");
  expect(rows === "" || rows.endsWith("}\n")).toBe(true);
});

test("Ctrl-C ends a run with code 130 and keeps what is finished", async () => {
  const folder = temporaryFolder();
  const set = join(folder, "many.jsonl");
  const family = (n: number) =>
    `{"id":"t-${n}","family":"f-${n}","domain":"coding","task":"Case ${n}","memory":[],"observation":"Seen ${n}.","label":"${n % 2 ? "ASK" : "ACT"}","rationale":"r"}`;
  writeFileSync(set, `${Array.from({ length: 6000 }, (_, n) => family(n)).join("\n")}\n`);
  const split = join(folder, "split.json");
  runOk(["split", set, "--test", "3000", "--no-near", "-o", split]);
  const out = join(folder, "run");
  const args = ["eval", set, "--split", split, "--model", "baseline:uniform", "-o", out];
  const child = startCli(args);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const watch = setInterval(() => {
    const answers = join(out, "answers.jsonl");
    if (!existsSync(answers) || readFileSync(answers).length === 0) return;
    // Once: a second Ctrl-C ends the command at once.
    clearInterval(watch);
    child.kill("SIGINT");
  }, 5);
  const code = await ended;
  clearInterval(watch);
  expect(code).toBe(130);
  const before = readFileSync(join(out, "answers.jsonl"), "utf8");
  expect(before.endsWith("}\n")).toBe(true);
  runOk([...args, "--resume"]);
  const after = readFileSync(join(out, "answers.jsonl"), "utf8");
  expect(after.startsWith(before)).toBe(true);
  const ids = after
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(3000);
  expect(ids).toHaveLength(3000);
});

test("options that would do nothing are refused, in the number that is right", () => {
  const args = ["eval", ...ON_DEMO, "--model", "baseline:act", "-o", "never"];
  const { code, stderr } = runCli([...args, "--readout", "decision", "--samples", "2"]);
  expect([code, stderr]).toEqual([
    2,
    "--samples would do nothing: it belongs to --readout generative\n",
  ]);
  const two = ["--readout", "decision", "--samples", "2", "--top-p", "1"];
  expect(runCli([...args, ...two]).stderr).toContain("nothing: they belong to --readout");
  expect(runCli([...args, "--timeout", "3", "--retries", "0"]).stderr).toBe(
    "--timeout and --retries would do nothing: only endpoints, http(s)://…, wait\n",
  );
});

test("failures end with their causes, on standard error and in the JSON", () => {
  const out = join(temporaryFolder(), "run");
  const model = script(demo.test.slice(2));
  const { stdout, stderr } = runCli(["eval", ...ON_DEMO, "--model", model, "-o", out, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    failed: 2,
    failures: [{ code: "no_answer", count: 2, resumeMayHelp: false }],
  });
  expect(stderr).toMatch(/2 no_answer \(fails again until it is mended\), such as sample 0 of /);
});

test("a model folder without a chat template is warned about", () => {
  const folder = temporaryFolder();
  const model = join(folder, "bare");
  cpSync(repositoryPath("models/tiny"), model, { recursive: true });
  rmSync(join(model, "chat_template.jinja"), { force: true });
  const config = JSON.parse(readFileSync(join(model, "tokenizer_config.json"), "utf8"));
  const { chat_template: _, ...bare } = config;
  writeFileSync(join(model, "tokenizer_config.json"), JSON.stringify(bare));
  const args = ["eval", ...ON_DEMO, "--readout", "decision", "--limit", "1", "--workers", "1"];
  const warned = runCli([...args, "--model", `onnx:${model}`, "-o", join(folder, "a")]);
  expect(warned.code).toBe(0);
  expect(warned.stderr).toMatch(/^warning: bare has no chat template/);
  const own = ["--model", "onnx:models/tiny", "-o", join(folder, "b")];
  expect(runCli([...args, ...own]).stderr).not.toContain("warning");
});

test("--workers and --timeout reach an endpoint, and retries are told", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const out = join(temporaryFolder(), "run");
  const limits = ["--workers", "7", "--timeout", "0.2", "--retries", "1", "--limit", "2"];
  const model = ["--model", `http://127.0.0.1:${port}/v1#m`];
  const child = startCli(["eval", ...ON_DEMO, ...model, ...limits, "-o", out]);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  silent.closeAllConnections();
  silent.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /#m: no reply within 0\.2 s; trying again after .*\n2 answers failed; ask/,
  );
  expect(stderr).toContain("(given up after 2 tries)");
  expect(JSON.parse(readFileSync(join(out, "run.json"), "utf8"))).toMatchObject({ workers: 7 });
});

test("--limit may grow under --resume, and a run's folder needs a name of its own", () => {
  const folder = temporaryFolder();
  const args = ["eval", ...ON_DEMO, "--model", "baseline:uniform", "--resume", "-o"];
  const out = join(folder, "run");
  for (const limit of ["2", "5"]) runOk([...args, out, "--limit", limit]);
  runOk([...args, join(folder, "whole"), "--limit", "5"]);
  for (const file of ["run.json", "answers.jsonl"]) {
    const [grown, whole] = [out, join(folder, "whole")].map((run) => readFileSync(join(run, file)));
    expect(grown).toEqual(whole);
  }
  const nameless = runCli([...args, ""]);
  expect(nameless.code).toBe(2);
  expect(nameless.stderr).toContain("empty name");
});
