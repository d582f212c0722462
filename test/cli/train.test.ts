import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { runCli, runOk, startCli, temporaryFolder } from "../support/cli.ts";

const ON_DEMO = ["scenario-sets/demo", "--split", "splits/demo.json", "--model", "models/tiny"];
const SMALL = ["--limit", "3", "--threads", "1", "--steps", "2"];

interface Header {
  readonly from: { readonly files: Readonly<Record<string, string>> } | null;
  readonly rollouts: { readonly scheme: { readonly name: string; readonly prices: object } };
}

function headerOf(folder: string): Header {
  return JSON.parse(readFileSync(join(folder, "train.json"), "utf8")) as Header;
}

test("trains an adapter, goes on from it under both schemes, and merges it", () => {
  const folder = temporaryFolder();
  const [sft, merged] = [join(folder, "sft"), join(folder, "merged")];
  const result = JSON.parse(
    runOk(["train", "sft", ...ON_DEMO, ...SMALL, "--batch", "2", "-o", sft, "--json"]),
  ) as object;
  expect(result).toMatchObject({ run: sft, method: "sft", steps: 2, reward: null });

  // The documented command of each scheme; only the scheme differs.
  const rl = [...ON_DEMO, "--from", sft, ...SMALL, "--samples", "2", "--max-tokens", "4"];
  const headers = ["symmetric", "asymmetric"].map((scheme) => {
    const out = join(folder, scheme);
    const priced = [...rl, "--scheme", scheme, "--price", "wrong=-0.05"];
    expect(runOk(["train", "rl", ...priced, "-o", out])).toContain("100.0% of groups skipped");
    return headerOf(out);
  });
  expect(headers.map(({ rollouts }) => rollouts.scheme.name)).toEqual(["symmetric", "asymmetric"]);
  for (const { rollouts } of headers)
    expect(rollouts.scheme.prices).toMatchObject({ wrong: -0.05 });
  expect(headers[0]?.from?.files).toEqual(headers[1]?.from?.files);

  expect(runOk(["train", "merge", sft, "--model", "models/tiny", "-o", merged])).toContain(
    "merged",
  );
  expect(existsSync(join(merged, "model.safetensors"))).toBe(true);
});

test("Ctrl-C ends with code 130 after the step that is running, and --resume goes on", async () => {
  const out = join(temporaryFolder(), "run");
  const args = ["train", "decision", ...ON_DEMO, "--limit", "4", "--threads", "1"];
  const child = startCli([...args, "--steps", "40", "--batch", "1", "-o", out]);
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  const metrics = join(out, "metrics.jsonl");
  while (!existsSync(metrics) || readFileSync(metrics, "utf8") === "") await setTimeout(20);
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(stderr).toMatch(/stopped; what \d+ of 40 steps made is kept; go on with --resume\n$/);
  runOk([...args, "--steps", "40", "--batch", "1", "-o", out, "--resume"]);
  expect(readFileSync(metrics, "utf8").trim().split("\n")).toHaveLength(40);
});

test.each([
  [["sft", "x"], "train sft needs --split FILE and --model DIR and -o DIR"],
  [["sft", ...ON_DEMO, "-o", "x", "--part", "test"], "unknown option '--part'"],
  [["sft", ...ON_DEMO, "-o", "x", "--full", "--rank", "4"], "--rank would do nothing"],
  [["sft", ...ON_DEMO, "-o", "x", "--targets", "q_proj,lm_head"], "it must be some of q_proj"],
  [["sft", ...ON_DEMO, "-o", "x", "--steps", "2", "--epochs", "2"], "cannot be used with"],
  [["head", ...ON_DEMO, "-o", "x", "--rank", "4"], "unknown option '--rank'"],
  [["rl", ...ON_DEMO, "-o", "x"], "train rl needs one --scheme"],
  [["rl", ...ON_DEMO, "-o", "x", "--scheme", "cubic"], "unknown scheme cubic"],
  [["rl", ...ON_DEMO, "-o", "x", "--scheme", "symmetric", "--samples", "1"], "2 to 1024"],
  [["merge", "x"], "train merge needs --model DIR and -o DIR"],
])("wrong usage ends with code 2 and says what is right: %j", (args, message) => {
  const { code, stdout, stderr } = runCli(["train", ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(stdout).toBe("");
});

test("refuses prices under which garbage beats holding, unless told", () => {
  const out = join(temporaryFolder(), "run");
  const args = [...ON_DEMO, "--scheme", "symmetric", "--price", "unreadable=0.5", "-o", out];
  const { code, stderr } = runCli(["train", "rl", ...args]);
  expect(code).toBe(1);
  expect(stderr).toContain("--allow-dominated");
});

test.each(["sft", "rl", "decision", "head", "merge"])(
  "train %s --help shows an example",
  (name) => {
    expect(runOk(["train", name, "--help"])).toMatch(/^Examples?:\n {2}steerbench train /m);
  },
);
