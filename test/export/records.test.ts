import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import type { Trace } from "../../src/core/trace.ts";
import {
  EXPORT_KINDS,
  type Example,
  type Format,
  type PairExample,
} from "../../src/export/format-types.ts";
import { FORMATS, findFormat, listFormats } from "../../src/export/formats.ts";
import { SYSTEM_MODES } from "../../src/export/messages.ts";
import { type ExportRecord, normalise } from "../../src/export/record-schema.ts";
import { lettersAt, offsetOf } from "../../src/task/letters.ts";
import { buildPrompt, goldAnswer, mergeSystemTurn } from "../../src/task/prompt.ts";
import { makeFamily, makeTrace } from "../support/traces.ts";

const TRACE = makeTrace({ label: "WAIT", rationale: 'It "runs" still.' });
const GOLD = '{"intervention": "WAIT", "reason": "It \\"runs\\" still."}';
const BAD = goldAnswer("ACT", "It is green.");
const SYSTEM = buildPrompt(TRACE, { readout: "generative" })[0]?.content ?? "";

const ALL = EXPORT_KINDS.flatMap((kind) =>
  Object.entries(FORMATS[kind]).map(([name, format]) => ({ kind, name, format })),
);

function recordOf(format: Format, changes: Partial<PairExample> = {}): ExportRecord {
  const example: Example = { trace: TRACE, part: "train", index: 7, system: "turn" };
  const pair = {
    ...example,
    chosen: GOLD,
    rejected: BAD,
    margin: 2,
    half: "chosen",
    chosenFirst: true,
    ...changes,
  } as const;
  return format.of === "pair" ? format.toRecord(pair) : format.toRecord({ ...example, ...changes });
}

function promptOf(trace: Trace, kind: string) {
  return kind === "decisions"
    ? buildPrompt(trace, { readout: "decision", offset: offsetOf(trace.id) })
    : buildPrompt(trace, { readout: "generative" });
}

for (const { kind, name, format } of ALL) {
  test(`${kind} ${name}: the exported prompt is the evaluation prompt, byte for byte`, () => {
    for (const trace of [TRACE, makeTrace({ memory: [], observation: "  ends in space \n" })]) {
      const expected = promptOf(trace, kind);
      const bytes = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("hex");
      const turn = format.read(recordOf(format, { trace }));
      expect(bytes(turn.prompt)).toBe(bytes(expected));
      const merged = format.read(recordOf(format, { trace, system: "merged" }));
      expect(bytes(merged.prompt)).toBe(bytes(mergeSystemTurn(expected)));
    }
  });

  test(`${kind} ${name}: the record fits its schema, passes its rules and gives the label back`, () => {
    for (const system of SYSTEM_MODES) {
      const record = recordOf(format, { system });
      expect(normalise(format.schema, record, { replacedCharacters: 0 })).toEqual(record);
      expect(format.faults(record)).toEqual([]);
      expect(format.read(record).label).toBe("WAIT");
    }
  });

  test(`${kind} ${name}: answers are texts, never nested objects`, () => {
    expect(JSON.stringify(recordOf(format))).not.toContain('"intervention":');
  });
}

test("the prompt of an export tells neither rationale nor tempting reason", () => {
  const trace = {
    ...TRACE,
    rationale: "QQ1",
    tempting: { label: "ACT", rationale: "QQ2" },
  } as const;
  for (const { format } of ALL) {
    const { prompt } = format.read(recordOf(format, { trace }));
    expect(JSON.stringify(prompt)).not.toMatch(/QQ/);
  }
});

test("sft records are exactly as the trainers expect them", () => {
  const turns = [
    { role: "system", content: SYSTEM },
    { role: "user", content: buildPrompt(TRACE, { readout: "generative" })[1]?.content },
  ];
  const answer = { role: "assistant", content: GOLD };
  expect(recordOf(findFormat("sft").format)).toEqual({ prompt: turns, completion: [answer] });
  for (const name of ["messages", "openai", "tinker"]) {
    expect(recordOf(findFormat("sft", name).format)).toEqual({ messages: [...turns, answer] });
  }
});

test("preference records are exactly as the trainers expect them", () => {
  const prompt = buildPrompt(TRACE, { readout: "generative" });
  const [chosen] = [[{ role: "assistant", content: GOLD }]];
  const rejected = [{ role: "assistant", content: BAD }];
  const record = (name: string, changes?: Partial<PairExample>) =>
    recordOf(findFormat("preferences", name).format, changes);
  expect(record("trl")).toEqual({ prompt, chosen, rejected, margin: 2 });
  expect(record("openai")).toEqual({
    input: { messages: prompt },
    preferred_output: chosen,
    non_preferred_output: rejected,
  });
  const comparison = { prompt_conversation: prompt, completion_A: chosen, completion_B: rejected };
  expect(record("tinker")).toEqual({ comparison, label: "A" });
  expect(record("tinker", { chosenFirst: false })).toEqual({
    comparison: { ...comparison, completion_A: rejected, completion_B: chosen },
    label: "B",
  });
  expect(record("kto")).toEqual({ prompt, completion: chosen, label: true });
  expect(record("kto", { half: "rejected" })).toEqual({
    prompt,
    completion: rejected,
    label: false,
  });
});

test("rl records are exactly as the trainers expect them", () => {
  const prompt = buildPrompt(TRACE, { readout: "generative" });
  const { id, family, domain } = TRACE;
  const record = (name: string) => recordOf(findFormat("rl", name).format);
  expect(record("trl")).toEqual({
    prompt,
    gold: "WAIT",
    trace_id: id,
    family_id: family,
    domain,
  });
  expect(record("verl")).toEqual({
    data_source: "steerbench/v1",
    prompt,
    ability: "steering",
    reward_model: { style: "rule", ground_truth: "WAIT" },
    extra_info: { split: "train", index: 7, trace_id: id, family_id: family, domain },
  });
  expect(record("nemo-gym")).toEqual({
    responses_create_params: { input: prompt },
    trace_id: id,
    gold: "WAIT",
    domain,
    agent_ref: { type: "responses_api_agents", name: "steerbench_simple_agent" },
  });
});

test("B13: labels meet letters evenly, and the letters follow from the id", () => {
  const { format } = findFormat("decisions");
  const counts = new Map<string, number>();
  for (let number = 0; number < 500; number++) {
    for (const trace of makeFamily(number)) {
      const record = recordOf(format, { trace });
      const letters = lettersAt(offsetOf(trace.id));
      expect(record["letters"]).toEqual(letters);
      expect(letters["ABCDE".indexOf(String(record["gold_letter"]))]).toBe(trace.label);
      const key = `${trace.label} ${record["gold_letter"]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(LABELS.length ** 2);
  // 100 expected in each cell of 500; five standard deviations are 45.
  for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(45);
});

test("D13: white space at a prompt's end stays in the prompt, and no answer begins with any", () => {
  const trace = makeTrace({ observation: "Decision: " });
  const { format } = findFormat("preferences");
  const record = recordOf(format, { trace });
  const { prompt } = format.read(record);
  expect(prompt.at(-1)?.content.endsWith("Decision: ")).toBe(true);
  expect(prompt.at(-1)?.role).toBe("user");
  expect(JSON.stringify([record["chosen"], record["rejected"]])).not.toMatch(/"content":"\s/);
  expect(String(recordOf(findFormat("decisions").format)["prefix"])).toMatch(/\S$/);
});

test("the list names every format once, with one default for each kind", () => {
  const list = listFormats();
  expect(list.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "sft trl",
    "sft messages",
    "sft openai",
    "sft tinker",
    "preferences trl",
    "preferences openai",
    "preferences tinker",
    "preferences kto",
    "decisions steerbench",
    "rl trl",
    "rl verl",
    "rl nemo-gym",
  ]);
  for (const kind of EXPORT_KINDS) {
    const defaults = list.filter((entry) => entry.kind === kind && entry.isDefault);
    expect(defaults.map(({ name }) => name)).toEqual([findFormat(kind).name]);
  }
  expect(() => findFormat("sft", "alpaca")).toThrow(
    "unknown format alpaca for sft; use one of trl, messages, openai, tinker",
  );
  expect(() => findFormat("sft", "constructor")).toThrow("unknown format constructor");
});
