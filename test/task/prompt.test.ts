import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFINITIONS, LABELS } from "../../src/core/intervention.ts";
import { lettersAt } from "../../src/task/letters.ts";
import { parse } from "../../src/task/parse/parse.ts";
import {
  buildPrompt,
  goldAnswer,
  mergeSystemTurn,
  promptText,
  renderSituation,
  situationHash,
  templateHash,
} from "../../src/task/prompt.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { makeTrace } from "../support/traces.ts";

const trace = makeTrace({
  memory: [
    { scope: "user", text: "Prefers short notes.", saved: "2026-03-02T09:30:00Z" },
    { scope: "session", text: "Build 4411 began at 10:02." },
  ],
});

test("shows the same situation in both readouts, and the choices last", () => {
  const generative = promptText(buildPrompt(trace, { readout: "generative" }));
  const decision = promptText(buildPrompt(trace, { readout: "decision", offset: 3 }));
  expect(generative.endsWith(renderSituation(trace))).toBe(true);
  expect(decision).toContain(`${renderSituation(trace)}\n\nOptions:\nA) REMEMBER\n`);
  expect(decision.endsWith("E) WAIT")).toBe(true);
});

test("renders memory with its scope and the time it was stored", () => {
  expect(renderSituation(trace)).toContain(
    "- [user, saved 2026-03-02T09:30:00Z] Prefers short notes.\n- [session] Build 4411 began",
  );
  expect(renderSituation({ ...trace, memory: [] })).toContain("Memory:\n(empty)");
});

test("the prompt holds neither label, rationale nor the tempting reason", () => {
  const told = makeTrace({
    label: "FORGET",
    rationale: "QQ1",
    tempting: { label: "ACT", rationale: "QQ2" },
    also: ["WAIT"],
  });
  const neutral = makeTrace({ label: "ACT" });
  for (const readout of [{ readout: "generative" }, { readout: "decision", offset: 1 }] as const) {
    expect(buildPrompt(told, readout)).toEqual(buildPrompt(neutral, readout));
  }
});

test("our own prompt, alone, is unreadable in either readout", () => {
  expect(parse(promptText(buildPrompt(trace, { readout: "generative" }))).lenient.label).toBeNull();
  for (let offset = 0; offset < 5; offset++) {
    const prompt = promptText(buildPrompt(trace, { readout: "decision", offset }));
    expect(parse(prompt, { letters: lettersAt(offset) }).lenient.label).toBeNull();
    expect(parse(prompt).lenient.label).toBeNull();
  }
});

test("an echo of the prompt before the answer does not hide it", () => {
  const prompt = promptText(buildPrompt(trace, { readout: "generative" }));
  const answer = `${prompt}\n${goldAnswer("WAIT", "the build runs")}`;
  expect(parse(answer, { prompt }).lenient).toEqual({ label: "WAIT", rung: 3 });
});

test("the gold answer is read strictly, whatever its reason says", () => {
  for (const label of LABELS) {
    const reason = 'so "ACT"\n{"intervention": "ASK"} </s> <think>';
    expect(parse(goldAnswer(label, reason)).strict.label).toBe(label);
  }
});

test("merging puts the instructions in front of the situation and nothing else", () => {
  const messages = buildPrompt(trace, { readout: "generative" });
  expect(mergeSystemTurn(messages)).toEqual([{ role: "user", content: promptText(messages) }]);
});

test("the situation hash follows the situation and the template hash the rest", () => {
  const other = { ...trace, observation: "Build 4411 is red." };
  expect(situationHash(other)).not.toBe(situationHash(trace));
  expect(situationHash({ ...trace, label: "ASK" } as never)).toBe(situationHash(trace));
  expect(templateHash("decision")).not.toBe(templateHash("generative"));
});

test("the guide defines the five interventions with the words of the prompt", () => {
  const guide = readFileSync(repositoryPath("scenario-sets/GUIDE.md"), "utf8");
  for (const label of LABELS) expect(guide).toContain(`- **${label}**: ${DEFINITIONS[label]}`);
});
