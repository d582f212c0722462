import { array, assert, constantFrom, oneof, option, property, record, string } from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { lettersAt } from "../../src/task/letters.ts";
import { parse } from "../../src/task/parse/parse.ts";
import { buildPrompt, promptText } from "../../src/task/prompt.ts";
import { HOSTILE, LIST_ENTRIES } from "./fuzz-pieces.ts";
import { fuzzCases } from "./fuzz-texts.ts";

/** Texts glued from labels, entries of the rules, scraps of JSON and anything at all. */
const text = array(
  oneof(
    constantFrom(...LABELS, ...LIST_ENTRIES, ...HOSTILE, " ", "\n"),
    constantFrom(
      '{"intervention":"ASK","reason":"r"}',
      '"intervention":',
      '"reason":""',
      "B",
      "ask",
    ),
    string({ unit: "binary", maxLength: 4 }),
  ),
  { maxLength: 14 },
).map((pieces) => pieces.join(""));

const options = record({
  letters: constantFrom(undefined, ...[0, 1, 2, 3, 4].map(lettersAt)),
  prompt: option(constantFrom("{", " Pick one: ", '{"intervention":'), { nil: undefined }),
  endTokens: option(array(string({ maxLength: 2 }), { maxLength: 2 }), { nil: undefined }),
});

describe("reading any text", () => {
  it("gives two parses, and the lenient one names what the strict one names", () => {
    assert(
      property(text, options, (answer, asked) => {
        const { strict, lenient } = parse(answer, asked);
        if (strict.label !== null) expect(lenient.label).toBe(strict.label);
        else expect(strict.reason).toBeTypeOf("string");
      }),
      { numRuns: 4000, seed: 7 },
    );
  });

  it("keeps a strictly read label under white space, thinking and end tokens around it", () => {
    const around = constantFrom(" ", "\r\n\t", "");
    assert(
      property(constantFrom(...LABELS), string(), around, around, (label, reason, left, right) => {
        const object = JSON.stringify({ intervention: label, reason });
        const answer = `<think>ACT?</think>${left}${object}${right}<|im_end|>\nWAIT`;
        const { strict, lenient } = parse(answer);
        // A thinking or end tag inside the reason cuts there: the object is then not the whole text.
        if (!/<[/|]|<end/.test(reason)) expect(strict.label).toBe(label);
        if (strict.label !== null) expect(lenient).toEqual({ label: strict.label, rung: 3 });
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("reads no label in our own prompts alone, nor when they are echoed", () => {
    const situation = { task: "Ship it.", memory: [], observation: "CI is green." };
    for (const offset of [0, 1, 2, 3, 4]) {
      const readouts = [{ readout: "generative" }, { readout: "decision", offset }] as const;
      for (const readout of readouts) {
        const prompt = promptText(buildPrompt(situation, readout));
        const letters = readout.readout === "decision" ? lettersAt(offset) : undefined;
        for (const echo of [{}, { prompt }]) {
          const { strict, lenient } = parse(prompt, { letters, ...echo });
          expect([strict.label, lenient.label]).toEqual([null, null]);
        }
      }
    }
  });

  it("does not depend on the order in which the labels are listed", async () => {
    const cases = fuzzCases("label order").slice(0, 4000);
    const read = (reader: typeof parse) => cases.map((each) => reader(each.answer, each));
    vi.resetModules();
    vi.doMock("../../src/core/intervention.ts", async (original) => ({
      ...(await original<typeof import("../../src/core/intervention.ts")>()),
      LABELS: [...LABELS].reverse(),
    }));
    const { parse: backwards } = await import("../../src/task/parse/parse.ts");
    const { RULES } = await import("../../src/task/parse/rules.ts");
    vi.doUnmock("../../src/core/intervention.ts");
    expect(RULES.labels[0]).toBe("FORGET");
    expect(read(backwards)).toEqual(read(parse));
  });
});
