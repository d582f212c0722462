import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Label } from "../../../src/core/intervention.ts";
import type { Domain, Trace } from "../../../src/core/trace.ts";
import { loadScenarioSet } from "../../../src/data/scenario-set.ts";
import type { ScenarioSet } from "../../../src/data/types.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { makeTrace } from "../../support/traces.ts";

/** Writes rows as `name` in a temporary folder; gives the path. */
export function writeRows(rows: readonly unknown[], name = "set.jsonl"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

/** A loaded set of these traces, closed at the end of the test. */
export async function loadTraces(traces: readonly Trace[]): Promise<ScenarioSet> {
  const set = await loadScenarioSet(writeRows(traces));
  onTestFinished(() => set.close());
  return set;
}

/** A set in memory, for property tests that make hundreds. */
export function memorySet(traces: readonly Trace[]): ScenarioSet {
  const heads = traces.map(({ id, family, domain, label, links }, k) => ({
    id,
    family,
    domain,
    label,
    content: "0123456789abcdef",
    file: "set.jsonl",
    line: k + 1,
    ...(links ? { links } : {}),
  }));
  return {
    name: "set",
    version: "unversioned",
    licence: null,
    canary: null,
    heads,
    digest: "0".repeat(64),
    files: {},
    blankLines: 0,
    replacedCharacters: 0,
    warnings: [],
    readTrace: (index) => traces[index] as Trace,
    close: () => undefined,
  };
}

/** Traces with nothing in common but what is said: families of labels, such as `{f1: "ASK WAIT"}`. */
export function familiesOf(
  labels: Readonly<Record<string, string>>,
  domain: Domain = "coding",
): Trace[] {
  return Object.entries(labels).flatMap(([family, list]) =>
    list.split(" ").map((label, k) => {
      const id = `${family}-${k}`;
      return makeTrace({ id, family, domain, label: label as Label, ...distinctTexts(id) });
    }),
  );
}

/** Texts that share no five words with those of another id. */
export function distinctTexts(id: string): Pick<Trace, "task" | "memory" | "observation"> {
  const words = (kind: string) => [0, 1, 2, 3].map((k) => `${kind}${k}-${id}`).join(" ");
  return {
    task: words("task"),
    memory: [{ scope: "project", text: words("fact") }],
    observation: words("seen"),
  };
}
